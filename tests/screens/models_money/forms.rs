//! App models of the withdrawal form, with a fee preview or after a refusal, and of the review
//! screen that follows the form.

use balcao::app::screen::{Buttons, Focus};
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::draft::KnownDestinations;
use balcao::app::screens::withdrawals::{Draft, FeeCheck, FinalReview, Flow, Review, SendQuestion};
use balcao::app::store::withdrawals::{Past, Refused};
use balcao::app::store::withdrawals::{QuoteState, Retype, WhyRetype};
use balcao::app::ui::declared;
use balcao::app::{Model, Pane};
use balcao::trade::NoQuote;
use balcao::trade::withdrawal::{Clash, ClashKind, Destination};
use balcao::trade::{
    Agreement, AmountField, CredentialKind, Failure, JournalTrouble, Money, NoAnswer, Origin,
    PixKey, PixKeyKind, Quote, QuoteFault, QuoteFigure, Refusal, Wall, Withdrawal,
};
use balcao::words::{Catalogue, Lang};

use super::payments::{brl, wait};
use super::withdrawals::{agreement, alarm, confirmed, lost, made, named, quote, refused};
use crate::models::{NOW, altered, buffer, looked_at, on, screen, text};

fn draft(model: &Model, quote: QuoteState) -> Draft {
    let mut form = declared::form(&model.setup.contract.withdrawal.form, "withdrawal");
    if quote != QuoteState::None {
        form.set_amount("amount", brl(100_000));
    }
    form.field_mut("key").unwrap().fill("111.444.777-35");
    declared::recognise_kind(&mut form, &model.setup.contract.withdrawal.form);
    Draft { form, quote, refused: None, first_quote: None, known: KnownDestinations::default() }
}

fn form(lang: Lang, quote: QuoteState, refused: Option<Refused>) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    let draft = Draft { refused, ..draft(&model, quote) };
    model.layers.push(Layer::Withdraw(Flow::Form(Box::new(draft))));
    model
}

fn failed(why: NoQuote) -> QuoteState {
    QuoteState::Failed { amount: brl(100_000), why }
}

fn logged_out() -> NoQuote {
    NoQuote::Failure(Failure::NoCredential(CredentialKind::ApiToken))
}

fn unreadable() -> NoQuote {
    NoQuote::Fault(QuoteFault::Unreadable(QuoteFigure::Fee))
}

/// Returns the error for a fee preview whose fee cannot be read. The API contract says where the
/// fee should be, but the reply does not contain it there.
fn fee_unread() -> NoQuote {
    NoQuote::Failure(Failure::Unreadable {
        status: 200,
        looked_for: vec!["fee_preview.fee".into(), "fee_preview.net".into()],
        may_be_taught: true,
        body: r#"{"sobra":988.50}"#.into(),
    })
}

fn other_amount() -> NoQuote {
    NoQuote::Fault(QuoteFault::OtherAmount { amount: brl(100_000), said: Some(brl(1_000)) })
}

/// Changes a review screen: sets the fee, and adds a reason why the seller must type the amount
/// again.
fn odd_figures(review: &mut Review, fee: Money, why: impl Fn(Money, Money) -> WhyRetype) {
    let shown = Quote::new(brl(100_000), Some(fee), None, Wall(NOW.0 - 4_000)).unwrap();
    review.look.retype = retype(vec![why(shown.fee, shown.net)], 0);
    review.draft.quote = QuoteState::Shown(shown.clone());
    review.agreement.quote = Some(shown);
}

fn wrong() -> QuoteFault {
    QuoteFault::DoesNotAddUp { amount: brl(100_000), fee: brl(1_150), net: brl(90_000) }
}

/// Returns a conflict of this kind between a new withdrawal and an earlier one.
pub fn clash(kind: ClashKind) -> Clash {
    let other = match kind {
        ClashKind::Mismatch => made(7, vec![alarm()]),
        ClashKind::SameDecided => made(7, vec![confirmed(1, 9_000)]),
        ClashKind::SameOpen => made(7, vec![lost(1, 131)]),
        ClashKind::OtherOpen => another(7),
        ClashKind::SameOpenElsewhere => other_address(7),
    };
    Clash { kind, other: Box::new(other) }
}

/// Returns the withdrawal with which a refused form conflicts, if that withdrawal is still open.
fn open_with(refused: &Refused) -> Vec<Withdrawal> {
    let (Refused::Clash(clash) | Refused::LookAgain(Some(clash))) = refused else { return vec![] };
    let other = (clash.kind != ClashKind::SameDecided).then(|| (*clash.other).clone());
    other.into_iter().collect()
}

/// Returns a conflict of each kind between a new withdrawal and an earlier one.
pub fn clashes() -> [Clash; 5] {
    use ClashKind::*;
    [Mismatch, SameOpen, OtherOpen, SameOpenElsewhere, SameDecided].map(clash)
}

/// Returns an open withdrawal with a different amount.
pub fn another(n: u128) -> Withdrawal {
    let mut other = made(n, vec![lost(1, 131)]);
    other.agreement.amount = brl(25_000);
    other
}

/// Returns an open withdrawal with the same amount and Pix key. It was made with the same login,
/// but at another service address.
pub fn other_address(n: u128) -> Withdrawal {
    let mut other = made(n, vec![lost(1, 131)]);
    other.agreement.account.origin = Origin("https://api.pagamentos.example".into());
    other
}

/// Returns an open withdrawal with the same amount and Pix key. It was made at the same service
/// address, but with another login.
pub fn another_login(n: u128) -> Withdrawal {
    let mut other = made(n, vec![lost(1, 131)]);
    other.agreement.account.identity = "bia@loja.example".into();
    other
}

fn destination(kind: PixKeyKind, key: &str, count: u64, days: i64) -> Destination {
    let key = PixKey::parse(kind, key).unwrap();
    let last = Wall(NOW.0 - days * 86_400_000);
    Destination { key, count, last, last_amount: brl(100_000) }
}

/// Returns the withdrawal form with a list of known Pix keys below the Pix key field.
fn known(lang: Lang, chosen: Option<usize>, focus: Option<&str>) -> Model {
    let all = vec![
        destination(PixKeyKind::Cpf, "11144477735", 14, 1),
        destination(PixKeyKind::Email, "ana@loja-da-ana.example", 3, 0),
        destination(PixKeyKind::Phone, "+5511987654321", 2, 40),
        destination(PixKeyKind::Random, "123e4567-e12b-12d1-a456-426655440000", 1, 90),
        destination(PixKeyKind::Cnpj, "12ABC34501DE35", 1, 200),
    ];
    let amount = brl(100_000);
    let mut model = form(lang, QuoteState::Due { amount, at_ms: 600_100 }, None);
    let draft = draft_of(&mut model);
    if let Some(chosen) = chosen {
        let contract = balcao::contract::Contract::built_in();
        draft.pay_to(&contract, &all[chosen].key);
    }
    if let Some(name) = focus {
        let at = draft.form.fields.iter().position(|field| &*field.name == name);
        draft.form.focus = at.unwrap();
        draft.form.field_mut("key").unwrap().fill("");
        draft.form.field_mut("key_kind").unwrap().choose_value(None);
    }
    draft.known = KnownDestinations::new(all, chosen);
    model
}

/// The error of a fee preview if the amount is smaller than the fee.
fn too_little() -> NoQuote {
    let message = Some("amount não cobre a tarifa".into());
    NoQuote::Failure(Failure::Refused(Refusal { status: 400, message, hint: None }))
}

/// Returns the withdrawal form with this amount. Its fee preview has failed.
fn without_fee(model: Model, amount: Money, why: NoQuote) -> Model {
    altered(model, |model| {
        let draft = draft_of(model);
        draft.form.set_amount("amount", amount);
        draft.quote = QuoteState::Failed { amount, why };
    })
}

pub fn draft_of(model: &mut Model) -> &mut Draft {
    match model.layers.last_mut() {
        Some(Layer::Withdraw(Flow::Form(draft))) => draft,
        other => panic!("{other:?}"),
    }
}

pub fn forms(lang: Lang) -> Vec<(&'static str, Model)> {
    let amount = brl(100_000);
    let shown = || QuoteState::Shown(quote(4, Some(1_150), None));
    let all_said = QuoteState::Shown(quote(64, Some(1_150), Some(98_850)));
    let fee_computed = QuoteState::Shown(quote(4, None, Some(98_850)));
    let refused = |refused: Refused| {
        let open = open_with(&refused);
        altered(form(lang, shown(), Some(refused)), |model| model.withdrawals.open = open)
    };
    let offered = || known(lang, None, Some("key"));
    let again = |kind| refused(Refused::LookAgain(Some(clash(kind))));
    vec![
        ("withdraw", form(lang, QuoteState::None, None)),
        ("withdraw-due", form(lang, QuoteState::Due { amount, at_ms: 600_100 }, None)),
        ("withdraw-asking", form(lang, QuoteState::Asking { amount, wait: wait().unwrap() }, None)),
        ("withdraw-shown", form(lang, shown(), None)),
        ("withdraw-shown-all", form(lang, all_said, None)),
        ("withdraw-shown-net", form(lang, fee_computed, None)),
        ("withdraw-logged-out", form(lang, failed(logged_out()), None)),
        (
            "withdraw-logged-out-beside",
            altered(form(lang, failed(logged_out()), None), |model| {
                model.withdrawals.open = vec![another(7)];
            }),
        ),
        (
            "withdraw-known-shown",
            altered(offered(), |model| {
                draft_of(model).quote = QuoteState::Shown(quote(4, Some(1_150), None));
            }),
        ),
        ("withdraw-known-failed", without_fee(offered(), amount, logged_out())),
        ("withdraw-centavo", without_fee(form(lang, shown(), None), brl(1), too_little())),
        ("withdraw-centavo-known", without_fee(offered(), brl(1), too_little())),
        (
            "withdraw-known-same-open",
            altered(known(lang, Some(1), None), |model| {
                let refused = Refused::Clash(clash(ClashKind::SameOpen));
                model.withdrawals.open = open_with(&refused);
                draft_of(model).refused = Some(refused);
            }),
        ),
        ("withdraw-fee-unread", form(lang, failed(fee_unread()), None)),
        (
            "withdraw-failed",
            form(lang, failed(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout))), None),
        ),
        ("withdraw-fault", form(lang, failed(NoQuote::Fault(wrong())), None)),
        ("withdraw-fault-missing", form(lang, failed(NoQuote::Fault(QuoteFault::Missing)), None)),
        ("withdraw-fault-fee", form(lang, failed(unreadable()), None)),
        ("withdraw-fault-other", form(lang, failed(other_amount()), None)),
        ("withdraw-same-open", refused(Refused::Clash(clash(ClashKind::SameOpen)))),
        ("withdraw-mismatch", refused(Refused::Clash(clash(ClashKind::Mismatch)))),
        ("withdraw-look-again", refused(Refused::LookAgain(None))),
        ("withdraw-look-again-same", again(ClashKind::SameOpen)),
        ("withdraw-look-again-open", again(ClashKind::OtherOpen)),
        ("withdraw-look-again-elsewhere", again(ClashKind::SameOpenElsewhere)),
        ("withdraw-look-again-decided", again(ClashKind::SameDecided)),
        ("withdraw-look-again-mismatch", again(ClashKind::Mismatch)),
        ("withdraw-known", known(lang, None, Some("key_kind"))),
        ("withdraw-known-chosen", known(lang, Some(1), None)),
        ("withdraw-known-refused", {
            let mut model = known(lang, Some(0), None);
            let Some(Layer::Withdraw(Flow::Form(draft))) = model.layers.last_mut() else {
                unreachable!()
            };
            draft.refused = Some(Refused::LookAgain(Some(clash(ClashKind::OtherOpen))));
            model
        }),
        ("withdraw-journal", refused(Refused::Journal(JournalTrouble::Missing))),
        ("withdraw-network", refused(Refused::Journal(JournalTrouble::Network("NFS".into())))),
        (
            "withdraw-quote-wait",
            form(
                lang,
                QuoteState::Asking { amount, wait: wait().unwrap() },
                Some(Refused::QuoteNotThere),
            ),
        ),
        (
            "withdraw-quote-wrong",
            form(lang, failed(NoQuote::Fault(wrong())), {
                let (amount, why) = (brl(100_000), NoQuote::Fault(wrong()));
                Some(Refused::QuoteBlocks { amount, why })
            }),
        ),
    ]
}

/// Returns a review screen on which the seller can confirm the withdrawal. Applies `change` to it.
pub fn review(lang: Lang, change: impl Fn(&mut Review)) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    let shown = quote(4, Some(1_150), None);
    let agreement = Agreement { quote: Some(shown.clone()), ..agreement(0) };
    let draft = draft(&model, QuoteState::Shown(shown));
    let used = destination(PixKeyKind::Cpf, "11144477735", 14, 1);
    let past = Some(Past { similar: vec![], used: Some(used) });
    let look = FinalReview { buttons: Buttons::armed_at(0), retype: None, past };
    let mut review = Review { draft, agreement, look };
    change(&mut review);
    let open;
    (open, review.look.past) = reasons(review.look.retype.as_ref(), review.look.past);
    model.withdrawals.open = open;
    model.layers.push(Layer::Withdraw(Flow::Review(Box::new(review))));
    model
}

/// Returns the other withdrawals that these reasons for typing the amount again refer to: the open
/// withdrawals, and similar withdrawals in the past.
fn reasons(retype: Option<&Retype>, past: Option<Past>) -> (Vec<Withdrawal>, Option<Past>) {
    let (mut open, mut similar) = (vec![], vec![]);
    for why in retype.iter().flat_map(|retype| &retype.why) {
        match why {
            WhyRetype::SameWithinADay(other) => similar.push((**other).clone()),
            other => open.extend(other.other().cloned()),
        }
    }
    (open, past.map(|past| Past { similar, ..past }))
}

/// Returns the usual request body of a withdrawal, with these additional JSON members.
pub fn with_members(more: &str) -> std::sync::Arc<str> {
    let usual = r#""amount":1000.00,"pixKeyType":"cpf","pixKey":"11144477735""#;
    format!("{{{usual},{more}}}").into()
}

/// Changes the Pix key of a withdrawal, both in its terms and in its request body.
pub fn pay_to(agreement: &mut Agreement, key: PixKey) {
    let kind = balcao::contract::key_kind_id(key.kind());
    let kind = if kind == "random" { "evp" } else { kind };
    agreement.body =
        format!(r#"{{"amount":1000.00,"pixKeyType":"{kind}","pixKey":"{}"}}"#, key.as_str()).into();
    agreement.destination = Some(key);
}

/// Returns the dialog in which the seller confirms that a withdrawal is sent (again).
fn send(lang: Lang, withdrawal: Withdrawal, change: impl Fn(&mut SendQuestion)) -> Model {
    let mut model = on(lang, Pane::Withdrawals);
    let used = destination(PixKeyKind::Cpf, "11144477735", 14, 1);
    let mut question = SendQuestion {
        withdrawal: withdrawal.clone(),
        fee: FeeCheck::AsAgreed,
        look: FinalReview {
            buttons: Buttons::armed_at(0),
            retype: None,
            past: Some(Past { similar: vec![], used: Some(used) }),
        },
        discarding: false,
    };
    change(&mut question);
    let mut open;
    (open, question.look.past) = reasons(question.look.retype.as_ref(), question.look.past);
    open.extend(model.state_of(&withdrawal).is_open().then_some(withdrawal));
    model.withdrawals.open = open;
    model.layers.push(Layer::Send(Box::new(question)));
    model
}

/// Returns the dialog in which the seller confirms that a withdrawal is sent, in every state.
pub fn sends(lang: Lang) -> Vec<(&'static str, Model)> {
    let fresh = |mut one: Withdrawal| {
        one.agreement.quote = Some(quote(40, Some(1_150), None));
        one
    };
    let members = |question: &mut SendQuestion| {
        let agreement = &mut question.withdrawal.agreement;
        let more = r#""callback":{"url":"https://loja.example/aviso"},"priority":true"#;
        agreement.body = with_members(&format!(r#""description":"aluguel",{more}"#));
        agreement.untyped = vec!["/callback/url".into(), "/priority".into()];
    };
    vec![
        ("send-first", send(lang, fresh(named("prepared")), |_| {})),
        ("send-after-no", send(lang, fresh(named("prepared-early")), members)),
        ("send-again", send(lang, named("unknown"), |_| {})),
        (
            "send-asking",
            send(lang, named("prepared"), |open| open.fee = FeeCheck::Asking(wait().unwrap())),
        ),
        (
            "send-fee-other",
            send(lang, named("prepared"), |open| {
                open.fee = FeeCheck::Other(QuoteState::Shown(quote(1, Some(2_150), None)));
            }),
        ),
        (
            "send-fee-gone",
            send(lang, named("prepared"), |open| {
                open.fee =
                    FeeCheck::Other(failed(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Cut))));
            }),
        ),
        (
            "send-fee-fault",
            send(lang, named("prepared"), |open| {
                open.fee = FeeCheck::Other(failed(NoQuote::Fault(QuoteFault::Missing)));
            }),
        ),
        (
            "send-other-destination",
            send(lang, fresh(named("prepared")), |open| {
                open.withdrawal.agreement.body =
                    r#"{"amount":1000.00,"pixKeyType":"email","pixKey":"x@ladrao.example"}"#.into();
            }),
        ),
        (
            "send-retype",
            send(lang, fresh(named("prepared")), |open| {
                let same = Box::new(made(3, vec![confirmed(1, 3_600)]));
                open.look.retype = retype(vec![WhyRetype::SameWithinADay(same)], 1_000);
                open.look.buttons.focus = Focus::Amount;
            }),
        ),
        (
            "send-long-paged",
            send(lang, fresh(named("prepared")), |open| {
                let long = format!(r#""note":"{}""#, "x".repeat(1_600));
                open.withdrawal.agreement.body = with_members(&long);
            }),
        ),
    ]
}

fn retype(why: Vec<WhyRetype>, typed: i64) -> Option<Retype> {
    let mut field = AmountField::default();
    field.set(brl(typed));
    Some(Retype { why, field })
}

fn without_quote(review: &mut Review, typed: i64) {
    review.draft.quote = failed(NoQuote::Failure(Failure::NoAnswer(NoAnswer::Timeout)));
    review.agreement.quote = None;
    review.look.retype = retype(vec![WhyRetype::NoQuote], typed);
    review.look.buttons.focus = Focus::Amount;
}

/// Returns review screens that mention other withdrawals of the seller.
fn beside_others(lang: Lang) -> Vec<(&'static str, Model)> {
    let same = |n| {
        let attempts = vec![confirmed(1, 9_000)];
        WhyRetype::SameWithinADay(Box::new(made(n, attempts)))
    };
    let open = |n| WhyRetype::AnotherOpen(Box::new(another(n)));
    let same_elsewhere = |other| WhyRetype::SameOpenElsewhere(Box::new(other));
    vec![
        (
            "review-same-other-address",
            review(lang, |review| {
                review.look.retype = retype(vec![same_elsewhere(other_address(1))], 0);
            }),
        ),
        (
            "review-same-other-login",
            review(lang, |review| {
                review.look.retype = retype(vec![same_elsewhere(another_login(1))], 0);
            }),
        ),
        (
            "review-another-open",
            review(lang, |review| {
                review.look.retype = retype(vec![open(1)], 10_000);
            }),
        ),
        (
            "review-others-open",
            review(lang, |review| {
                review.look.retype = retype(vec![open(1), open(2), open(3)], 0);
            }),
        ),
        (
            "review-everything",
            review(lang, |review| {
                without_quote(review, 10_000);
                review.look.retype =
                    retype(vec![open(1), same(5), same(6), WhyRetype::NoQuote], 10_000);
                review.look.past = Some(Past::default());
            }),
        ),
        (
            "review-rejected-today",
            review(lang, |review| {
                let refused = Box::new(made(5, vec![refused(1, 9_000)]));
                review.look.retype = retype(vec![WhyRetype::SameWithinADay(refused)], 0);
            }),
        ),
        ("review-same-today", review(lang, |review| review.look.retype = retype(vec![same(5)], 0))),
    ]
}

pub fn reviews(lang: Lang) -> Vec<(&'static str, Model)> {
    let stale = |review: &mut Review| {
        let old = quote(150, Some(1_150), None);
        review.draft.quote = QuoteState::Shown(old.clone());
        review.agreement.quote = Some(old);
    };
    let mut all = vec![
        ("review", review(lang, |_| {})),
        (
            "review-confirm",
            looked_at(review(lang, |review| review.look.buttons.focus = Focus::Confirm)),
        ),
        ("review-dead", review(lang, |review| review.look.buttons.armed_at_ms = 600_400)),
        ("review-stale", review(lang, stale)),
        (
            "review-asking",
            review(lang, |review| {
                stale(review);
                let wait = wait().unwrap();
                review.draft.quote = QuoteState::Asking { amount: brl(100_000), wait };
            }),
        ),
        ("review-no-quote", review(lang, |review| without_quote(review, 0))),
        (
            "review-no-quote-typed",
            review(lang, |review| {
                without_quote(review, 100_000);
                review.look.buttons.focus = Focus::Confirm;
            }),
        ),
        ("review-nothing-arrives", {
            let nothing = |_, net| WhyRetype::NothingArrives { net };
            review(lang, |review| odd_figures(review, brl(100_000), nothing))
        }),
        ("review-finer", {
            let finer = |fee, net| WhyRetype::FinerThanCentavos { fee, net };
            review(lang, |review| odd_figures(review, Money::parse_wire("11.505").unwrap(), finer))
        }),
        (
            "review-first-time",
            review(lang, |review| {
                let key = "123e4567-e12b-12d1-a456-426655440000";
                let key = PixKey::parse(PixKeyKind::Random, key).unwrap();
                pay_to(&mut review.agreement, key);
                review.look.past = Some(Past::default());
            }),
        ),
        (
            "review-phone",
            review(lang, |review| {
                let key = PixKey::parse(PixKeyKind::Phone, "+5511987654321").unwrap();
                pay_to(&mut review.agreement, key);
            }),
        ),
        (
            "review-quote-changed",
            review(lang, |review| review.draft.first_quote = Some(quote(150, Some(950), None))),
        ),
        (
            "review-fault",
            review(lang, |review| {
                without_quote(review, 0);
                review.draft.quote = failed(NoQuote::Fault(wrong()));
            }),
        ),
        (
            "review-on-file",
            review(lang, |review| {
                review.agreement.destination = None;
                review.agreement.body = r#"{"amount":1000.00}"#.into();
            }),
        ),
        (
            "review-members",
            review(lang, |review| {
                let more = r#""description":"aluguel","webhook":"https://loja.example/aviso""#;
                review.agreement.body = with_members(more);
                review.agreement.untyped = vec!["/webhook".into()];
            }),
        ),
        ("preparing", {
            let mut model = review(lang, |_| {});
            let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.pop() else { panic!() };
            let flow = Flow::Preparing { review, wait: wait().unwrap() };
            model.layers = vec![Layer::Withdraw(flow)];
            model
        }),
        ("sending", {
            let mut model = review(lang, |_| {});
            let withdrawal = Box::new(made(0, vec![]));
            let flow = Flow::Sending { withdrawal, wait: wait().unwrap() };
            model.layers = vec![Layer::Withdraw(flow)];
            model.withdrawals.in_flight = Some(agreement(0).key);
            model
        }),
    ];
    all.extend(beside_others(lang));
    all
}

#[test]
fn form_without_fee_shows_its_unsent_state_once() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [nothing, alone, beside] =
            ["moved-not-sent", "withdraw-nothing-sent", "beside-not-sent"].map(|id| words.text(id));
        let shown = |name| {
            let all = forms(lang);
            let (_, model) = all.iter().find(|(found, _)| *found == name).unwrap();
            screen(model)
        };
        let said = shown("withdraw-logged-out");
        assert!(said.contains(&alone) && !said.contains(&beside), "{said}");
        assert_eq!(said.matches(&nothing).count(), 1, "{said}");
        let said = shown("withdraw-logged-out-beside");
        assert!(said.contains(&beside) && !said.contains(&nothing), "{said}");
    }
}

#[test]
fn destinations_use_free_rows_and_figures_stay() {
    let all = forms(Lang::Pt);
    let find = |name| &all.iter().find(|(found, _)| *found == name).unwrap().1;
    let destinations = ["14 vezes", "3 vezes", "2 vezes", "23/08/2026", "05/05/2026"];
    for name in ["withdraw-known", "withdraw-known-chosen", "withdraw-known-shown"] {
        let said = screen(find(name));
        for destination in destinations {
            assert!(said.contains(destination), "{name}: {destination}: {said}");
        }
        assert!(said.contains("Nada foi enviado."), "{name}: {said}");
    }
    // The five known Pix keys and the fee preview fit into 27 rows only if there are no blank lines
    // around the button.
    let said = text(&buffer(find("withdraw-known-shown"), 80, 27));
    assert!(said.contains("Sai do seu saldo") && said.contains("Valor líquido"), "{said}");
    assert!(destinations.iter().all(|one| said.contains(one)), "{said}");
}
