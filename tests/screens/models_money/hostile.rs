//! Tests that money screens show visible marks instead of the control characters in untrusted
//! texts. No control character may reach the terminal.

use balcao::app::screen::sales::SaleDetails;
use balcao::app::screens::exchanges::ExchangeDetails;
use std::sync::Arc;
use std::time::Duration;

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::trade::withdrawal::{Alarm, Class, SaysFailed, Unclear};
use balcao::trade::{
    ChargeOutcome, CreatedCharge, Exchange, Failure, LinkOutcome, MaskedReply, Operation, Refusal,
    Withdrawal,
};
use balcao::words::Lang;

use super::payments;
use super::replies::reply;
use super::withdrawals::{self, attempt, details, guide, withdrawal_with};
use crate::models::{NOW, buffer, layer_model, open_attempts, text};

/// An untrusted text. It contains an escape sequence that clears the screen, a character that
/// reverses the text direction, an invisible character, and line breaks.
const HOSTILE_TEXT: &str = "a\u{1b}[2Jb\u{202e}c\u{200b}d\r\ne\u{9b}31mf";

/// The beginning of [`HOSTILE_TEXT`] as the screens must show it. The mark `␛` replaces the escape
/// character.
const MARKED_TEXT: &str = "a␛[2Jb";

/// The terminal sizes to test. The last size is so large that every text is shown without
/// scrolling.
const SIZES: [(u16, u16); 4] = [(60, 18), (80, 24), (120, 40), (100, 160)];

/// Checks that a screen shows [`MARKED_TEXT`], and no control character at any size.
fn assert_marked(name: &str, model: impl Fn(Lang) -> Model) {
    for screen in assert_no_control_characters(name, model) {
        assert!(screen.contains(MARKED_TEXT), "{name}:\n{screen}");
    }
}

/// Checks at every size that a screen shows no control character. Returns the screen's text at the
/// largest size, in each language.
fn assert_no_control_characters(name: &str, model: impl Fn(Lang) -> Model) -> Vec<String> {
    let mut tall_screens = Vec::new();
    for lang in Lang::ALL {
        let model = model(lang);
        for (columns, rows) in SIZES {
            let screen = text(&buffer(&model, columns, rows));
            let is_unsafe = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}".contains(c);
            assert!(
                !screen.contains(is_unsafe),
                "{name} at {columns}x{rows}:\n{screen}"
            );
            if (columns, rows) == SIZES[SIZES.len() - 1] {
                tall_screens.push(screen);
            }
        }
    }
    tall_screens
}

fn refusal() -> Refusal {
    Refusal {
        status: 400,
        message: Some(HOSTILE_TEXT.into()),
        hint: Some(HOSTILE_TEXT.into()),
        retry_after: None,
    }
}

#[test]
fn link_text_is_marked() {
    let link = |outcome| {
        let mut link = payments::link(7, 4_990, HOSTILE_TEXT, outcome);
        link.request.domain = Some(HOSTILE_TEXT.into());
        link
    };
    let created = || payments::link_created(HOSTILE_TEXT);
    assert_marked("the list", |lang| {
        let mut model = payments::links_pane(lang, payments::URL);
        model.links.list.page.rows = vec![link(created())].into();
        model
    });
    for outcome in [
        created(),
        LinkOutcome::Unknown,
        LinkOutcome::Refused(refusal()),
    ] {
        assert_marked("details", |lang| {
            payments::link_details(lang, link(outcome.clone()))
        });
    }
}

#[test]
fn direct_payment_text_is_marked() {
    let hostile_text = || Some(HOSTILE_TEXT.into());
    let created = ChargeOutcome::Created(CreatedCharge {
        id: hostile_text(),
        status: hostile_text(),
        pix_code: hostile_text(),
        expires: hostile_text(),
    });
    for outcome in [
        created,
        ChargeOutcome::Unknown,
        ChargeOutcome::Refused(refusal()),
    ] {
        let charge = || {
            let mut charge = payments::charge(7, 4_990, outcome.clone());
            charge.request.description = HOSTILE_TEXT.into();
            charge.request.customer = Some(HOSTILE_TEXT.into());
            charge
        };
        assert_marked("the list", |lang| {
            let mut model = payments::charges_pane(lang);
            model.charges.list.page.rows = vec![charge()].into();
            model
        });
        assert_marked("details", |lang| {
            let layer = Layer::Charge(Box::new(SaleDetails(charge())));
            Model {
                layers: vec![layer],
                ..payments::charges_pane(lang)
            }
        });
    }
}

/// Returns a withdrawal for each class of result that an attempt can have. The withdrawal has
/// hostile text wherever the screen shows text from the service.
fn hostile_withdrawals() -> Vec<Withdrawal> {
    let failed = SaysFailed {
        member: HOSTILE_TEXT.into(),
        word: HOSTILE_TEXT.into(),
    };
    let classes = [
        (Class::DefiniteNo, 400),
        (Class::Unauthorized, 401),
        (
            Class::Throttled {
                retry_after: Some(Duration::from_secs(9)),
            },
            429,
        ),
        (Class::Unclear(Unclear::Status), 503),
        (
            Class::Confirmed {
                id: Some(HOSTILE_TEXT.into()),
                status: Some(HOSTILE_TEXT.into()),
            },
            201,
        ),
        (Class::SaysFailed(failed), 202),
        (
            Class::Alarm(Alarm::Destination {
                sent: HOSTILE_TEXT.into(),
                got: HOSTILE_TEXT.into(),
            }),
            201,
        ),
        (Class::Redirected, 302),
        (Class::KeyReused, 422),
    ];
    let build_withdrawal = |(class, status)| {
        let body =
            serde_json::json!({ "message": HOSTILE_TEXT, "action": HOSTILE_TEXT }).to_string();
        let mut attempt = attempt(1, 60, reply(status, &body));
        // Put hostile text into every class. In the real app, some classes never contain text from
        // the service.
        let end = attempt.end.as_mut().unwrap();
        (end.class, end.message, end.hint) =
            (class, Some(HOSTILE_TEXT.into()), Some(HOSTILE_TEXT.into()));
        let mut withdrawal = withdrawal_with(0, vec![attempt]);
        let agreement = &mut withdrawal.agreement;
        agreement.profile = HOSTILE_TEXT.into();
        agreement.url = HOSTILE_TEXT.into();
        agreement.key_header_name = HOSTILE_TEXT.into();
        agreement.untyped = vec![HOSTILE_TEXT.into()];
        agreement.account.origin.0 = HOSTILE_TEXT.into();
        withdrawal
    };
    classes.into_iter().map(build_withdrawal).collect()
}

#[test]
fn withdrawal_and_attempt_text_is_marked() {
    for withdrawal in hostile_withdrawals() {
        let state = format!("{:?}", withdrawal.attempts[0].end.as_ref().unwrap().class);
        assert_marked(&state, |lang| details(lang, withdrawal.clone()));
        assert_marked(&format!("attempts, {state}"), |lang| {
            let mut model = details(lang, withdrawal.clone());
            open_attempts(&mut model);
            model
        });
        // These screens need not contain a mark, because they show little or no text from the
        // service.
        assert_no_control_characters(&format!("guide, {state}"), |lang| {
            guide(lang, withdrawal.clone(), 0)
        });
        assert_no_control_characters(&format!("list, {state}"), |lang| {
            withdrawals::with_rows(withdrawals::pane(lang), vec![withdrawal.clone()])
        });
    }
}

#[test]
fn request_and_reply_text_is_marked() {
    let headers = vec![(HOSTILE_TEXT.into(), HOSTILE_TEXT.into())];
    let reply_seen = MaskedReply::new(400, headers, HOSTILE_TEXT.repeat(3).as_str());
    for reply in [Ok(reply_seen), Err(Failure::Refused(refusal()))] {
        let exchange = Arc::new(Exchange {
            at: NOW,
            request_headers: vec![(HOSTILE_TEXT.into(), HOSTILE_TEXT.into())],
            request_body: Some(HOSTILE_TEXT.into()),
            took: Duration::from_millis(34),
            ..Exchange::new(Operation::Withdrawal, HOSTILE_TEXT, HOSTILE_TEXT, reply)
        });
        assert_marked("details", |lang| {
            layer_model(
                lang,
                Layer::Exchange(ExchangeDetails::from(exchange.clone())),
            )
        });
    }
}
