//! Tests that no screen shows complete personal data while masking is on. Sellers turn on masking
//! when other people can see the screen.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::ui::input::Size;
use balcao::runtime::recorder::mask_row;
use balcao::trade::withdrawal::Class;
use balcao::trade::{
    Charge, ChargeOutcome, CreatedCharge, Exchange, JournalTrouble, LinkOutcome, PaymentLink,
    Refusal, Untrusted, Withdrawal,
};
use balcao::words::Lang;
use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::Rect;

use crate::models::{all_models, buffer, press, text, with_change, with_qr_code};
use crate::models_requests::add_exchanges;

/// The personal data in all app models: Pix keys, e-mail addresses, names and a nickname.
const EXISTING_PERSONAL_TEXTS: [&str; 9] = [
    "111.444.777-35",
    "11144477735",
    "529.982.247-25",
    "ana@loja.example",
    "bia@loja.example",
    "x@ladrao.example",
    "ana@loja-da-ana.example",
    "BrunoLima",
    "ContaPJ",
];

/// Personal data that [`with_personal_data`] adds to an app model. These texts contain no spaces,
/// because the tests remove all spaces from a screen before searching it.
const ADDED_PERSONAL_TEXTS: [&str; 6] = [
    "Zulmira",
    "zulmira@x.example",
    "zulmira%40",
    "912345678",
    "77.312,09",
    "zul-4410",
];

/// Terminal sizes to test. Only some of them show details beside a list.
const SIZES: [(u16, u16); 3] = [(80, 24), WIDE, (60, 18)];

const WIDE: (u16, u16) = (120, 40);

/// Returns an error message from the service that contains personal data.
fn personal_message() -> Option<Untrusted> {
    Some("Zulmira tem R$ 77.312,09, zulmira@x.example".into())
}

fn personal_id() -> Option<Untrusted> {
    Some("zul-4410".into())
}

fn personal_refusal(original: &Refusal) -> Refusal {
    Refusal {
        status: original.status,
        message: personal_message(),
        hint: personal_message(),
        retry_after: None,
    }
}

/// A description that contains a phone number.
const DESCRIPTION: &str = "Bolo, fone 11 91234 5678";

fn personal_link(mut link: PaymentLink) -> PaymentLink {
    link.request.description = DESCRIPTION.into();
    if let LinkOutcome::Refused(why) = &link.outcome {
        link.outcome = LinkOutcome::Refused(personal_refusal(why));
    }
    link
}

fn personal_charge(mut charge: Charge) -> Charge {
    charge.request.description = DESCRIPTION.into();
    charge.request.customer = Some("Zulmira Lima".into());
    match &mut charge.outcome {
        ChargeOutcome::Created(CreatedCharge {
            id: service_id,
            status,
            ..
        }) => (*service_id, *status) = (personal_id(), personal_message()),
        ChargeOutcome::Refused(why) => *why = personal_refusal(why),
        ChargeOutcome::Unknown | ChargeOutcome::NotSent => {}
    }
    charge
}

fn personal_withdrawal(mut withdrawal: Withdrawal) -> Withdrawal {
    for end in withdrawal
        .attempts
        .iter_mut()
        .filter_map(|attempt| attempt.end.as_mut())
    {
        (end.message, end.hint) = (personal_message(), personal_message());
        match &mut end.class {
            Class::Confirmed {
                id: service_id,
                status,
            } => (*service_id, *status) = (personal_id(), personal_message()),
            Class::SaysFailed(failed) => failed.word = personal_message().unwrap(),
            _ => {}
        }
    }
    withdrawal
}

fn personal_exchange(exchange: &Exchange) -> Exchange {
    let mut exchange = exchange.clone();
    let body = r#"{"id":"zul-4410","message":"Zulmira tem R$ 77.312,09","list":["Zulmira"]}"#;
    exchange.url = format!("{}/zulmira%40x?email=zulmira%40x.example", exchange.url).into();
    exchange
        .request_headers
        .push(("x-owner".into(), "Zulmira".into()));
    if let Ok(reply) = &mut exchange.reply {
        reply.headers.push(("x-owner".into(), "Zulmira".into()));
        reply.body = body.into();
    }
    exchange
}

/// Returns a copy of the app model. It has personal data in every text that comes from the service
/// or the seller.
fn with_personal_data(model: &Model) -> Model {
    with_change(model.clone(), |model| {
        model.setup.profile = "Zulmira Bolos".into();
        // The shop's name is shown, but not an e-mail address in its place.
        model.setup.title = "zulmira@x.example".into();
        model.setup.config = concat!("/", "home/Zulmira/balcao/config.toml").into();
        model.history_trouble = Some(JournalTrouble::Io(
            concat!("/", "home/Zulmira/state").into(),
        ));
        let links = &mut model.links.list.page;
        links.rows = links.rows.iter().cloned().map(personal_link).collect();
        let charges = &mut model.charges.list.page;
        charges.rows = charges.rows.iter().cloned().map(personal_charge).collect();
        let withdrawals = &mut model.withdrawals;
        let rows = withdrawals.list.page.rows.iter().cloned();
        withdrawals.list.page.rows = rows.map(personal_withdrawal).collect();
        withdrawals.open = withdrawals
            .open
            .iter()
            .cloned()
            .map(personal_withdrawal)
            .collect();
        let exchanges: Vec<_> = model
            .exchanges
            .iter()
            .map(|exchange| Arc::new(personal_exchange(exchange)))
            .collect();
        (model.exchanges, model.requests) = Default::default();
        model.unstored_exchanges.clear();
        add_exchanges(model, exchanges);
    })
}

/// Returns a copy of the app model with personal data in it. If no other screen covers the pane,
/// also returns a copy in which Enter was pressed. Enter opens the details of a payment link, for
/// example.
fn with_details(model: &Model) -> Vec<Model> {
    let personal_model = with_personal_data(model);
    let mut models = vec![personal_model.clone()];
    if personal_model.layers.is_empty() {
        let mut details = personal_model;
        press(&mut details, "Enter");
        models.push(details);
    }
    models
}

/// Returns the text of the screen without spaces. A text in it can then be found even if it wraps.
fn screen_without_spaces(model: &Model, (columns, rows): (u16, u16)) -> String {
    let size = Size { columns, rows };
    let model = with_qr_code(with_change(model.clone(), |model| model.size = size));
    text(&buffer(&model, columns, rows))
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect()
}

/// Returns true if the screen asks for consent to an API contract. The test skips such screens,
/// because they contain no customer data.
fn is_consent_screen(name: &str) -> bool {
    name.starts_with("consent")
}

#[test]
fn masked_screens_show_no_personal_data_in_full() {
    let mut failures = Vec::new();
    for lang in Lang::ALL {
        for (name, model) in all_models(lang)
            .into_iter()
            .filter(|(name, _)| !is_consent_screen(name))
        {
            for (n, model) in with_details(&model).into_iter().enumerate() {
                let masked = with_change(model, |model| model.is_masked = true);
                for size in SIZES {
                    let screen = screen_without_spaces(&masked, size);
                    let found = EXISTING_PERSONAL_TEXTS
                        .iter()
                        .chain(&ADDED_PERSONAL_TEXTS)
                        .filter(|text| screen.contains(**text));
                    failures.extend(
                        found.map(|text| format!("{name} {n}, {}, {size:?}: {text}", lang.tag())),
                    );
                }
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{}: {}",
        failures.len(),
        failures.join("\n")
    );
}

/// Personal data that a mask by words cannot tell from other amounts.
const BALANCE: &str = "77.312,09";

/// Returns the text of the screen as a recording keeps it, without spaces.
fn recorded_without_spaces(model: &Model, (columns, rows): (u16, u16)) -> String {
    let screen = buffer(
        &with_change(model.clone(), |model| model.size = Size { columns, rows }),
        columns,
        rows,
    );
    let masked = screen.content.chunks(usize::from(columns)).map(|cells| {
        let mut row = Buffer::empty(Rect::new(0, 0, columns, 1));
        row.content.clone_from_slice(cells);
        mask_row(&mut row);
        row.content.iter().map(Cell::symbol).collect::<String>()
    });
    let masked: String = masked.collect();
    masked.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Addresses, Pix codes and descriptions, which the seller's own screen shows even while it masks.
const ONLY_ON_OWN_SCREEN: [&str; 5] = [
    "/checkout/",
    "link-7f3k2q",
    "br.gov.bcb.pix",
    "Camiseta",
    "Bolo,",
];

#[test]
fn recorded_screens_hold_no_personal_data() {
    let mut failures = Vec::new();
    for (name, model) in all_models(Lang::Pt) {
        for (n, model) in with_details(&model).into_iter().enumerate() {
            let screen = recorded_without_spaces(&model, WIDE);
            let found = EXISTING_PERSONAL_TEXTS
                .iter()
                .chain(&ADDED_PERSONAL_TEXTS)
                .chain(&ONLY_ON_OWN_SCREEN)
                .filter(|text| **text != BALANCE && screen.contains(**text));
            failures.extend(found.map(|text| format!("{name} {n}: {text}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn unmasked_screens_show_all_personal_data() {
    let mut missing = [&EXISTING_PERSONAL_TEXTS[..], &ADDED_PERSONAL_TEXTS[..]].concat();
    for (_, model) in all_models(Lang::Pt) {
        let all_screens = |model: &Model| {
            SIZES
                .map(|size| screen_without_spaces(model, size))
                .concat()
        };
        let mut models = with_details(&model);
        // Show replies in full, as if the user had asked for it. Replies are masked otherwise.
        models
            .iter_mut()
            .for_each(|model| model.exchanges_unmasked = true);
        let all_screens = all_screens(&model) + &models.iter().map(all_screens).collect::<String>();
        missing.retain(|text| !all_screens.contains(text));
        if missing.is_empty() {
            return;
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
