//! Tests that no screen shows complete personal data while masking is on. Sellers turn on masking
//! when other people can see the screen.

use std::sync::Arc;

use balcao::app::Model;
use balcao::app::ui::input::Size;
use balcao::trade::withdrawal::Class;
use balcao::trade::{
    Charge, ChargeOutcome, Exchange, JournalTrouble, LinkOutcome, PaymentLink, Refusal, Untrusted,
    Withdrawal,
};
use balcao::words::Lang;

use crate::models::{all, altered, buffer, press, rested, text};
use crate::models_requests::add_exchanges;

/// The personal data in all app models: Pix keys, e-mail addresses, names and a nickname.
const PERSONAL: [&str; 9] = [
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

/// Personal data that [`planted`] adds to an app model. These texts contain no spaces, because the
/// tests remove all spaces from a screen before searching it.
const PLANTED: [&str; 6] =
    ["Zulmira", "zulmira@x.example", "zulmira%40", "912345678", "77.312,09", "zul-4410"];

/// Terminal sizes to test. Only some of them show details beside a list.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (60, 18)];

/// Returns an error message from the service that contains personal data.
fn said() -> Option<Untrusted> {
    Some("Zulmira tem R$ 77.312,09, zulmira@x.example".into())
}

fn id() -> Option<Untrusted> {
    Some("zul-4410".into())
}

fn refusal(of: &Refusal) -> Refusal {
    Refusal { status: of.status, message: said(), hint: said() }
}

/// A description that contains a phone number.
const DESCRIPTION: &str = "Bolo, fone 11 91234 5678";

fn link(mut link: PaymentLink) -> PaymentLink {
    link.request.description = DESCRIPTION.into();
    if let LinkOutcome::Refused(why) = &link.outcome {
        link.outcome = LinkOutcome::Refused(refusal(why));
    }
    link
}

fn charge(mut charge: Charge) -> Charge {
    charge.request.description = DESCRIPTION.into();
    charge.request.customer = Some("Zulmira Lima".into());
    match &mut charge.outcome {
        ChargeOutcome::Created { id: theirs, status, .. } => (*theirs, *status) = (id(), said()),
        ChargeOutcome::Refused(why) => *why = refusal(why),
        ChargeOutcome::Unknown | ChargeOutcome::NotSent => {}
    }
    charge
}

fn withdrawal(mut withdrawal: Withdrawal) -> Withdrawal {
    for end in withdrawal.attempts.iter_mut().filter_map(|attempt| attempt.end.as_mut()) {
        (end.message, end.hint) = (said(), said());
        match &mut end.class {
            Class::Confirmed { id: theirs, status } => (*theirs, *status) = (id(), said()),
            Class::SaysFailed(failed) => failed.word = said().unwrap(),
            _ => {}
        }
    }
    withdrawal
}

fn exchange(exchange: &Exchange) -> Exchange {
    let mut exchange = exchange.clone();
    let body = r#"{"id":"zul-4410","message":"Zulmira tem R$ 77.312,09","list":["Zulmira"]}"#;
    exchange.url = format!("{}/zulmira%40x?email=zulmira%40x.example", exchange.url).into();
    exchange.request_headers.push(("x-owner".into(), "Zulmira".into()));
    if let Ok(reply) = &mut exchange.reply {
        reply.headers.push(("x-owner".into(), "Zulmira".into()));
        reply.body = body.into();
    }
    exchange
}

/// Returns a copy of the app model. It has personal data in every text that comes from the service
/// or the seller.
fn planted(model: &Model) -> Model {
    altered(model.clone(), |model| {
        (model.setup.profile, model.setup.title) = ("Zulmira Bolos".into(), "Zulmira".into());
        model.setup.config = concat!("/", "home/Zulmira/balcao/config.toml").into();
        model.history_trouble = Some(JournalTrouble::Io(concat!("/", "home/Zulmira/state").into()));
        let links = &mut model.links.list.page;
        links.rows = links.rows.iter().cloned().map(link).collect();
        let charges = &mut model.charges.page;
        charges.rows = charges.rows.iter().cloned().map(charge).collect();
        let withdrawals = &mut model.withdrawals;
        let rows = withdrawals.list.page.rows.iter().cloned();
        withdrawals.list.page.rows = rows.map(withdrawal).collect();
        withdrawals.open = withdrawals.open.iter().cloned().map(withdrawal).collect();
        let exchanges: Vec<_> = model.exchanges.iter().map(|one| Arc::new(exchange(one))).collect();
        (model.exchanges, model.requests) = Default::default();
        model.unstored_exchanges.clear();
        add_exchanges(model, exchanges);
    })
}

/// Returns a copy of the app model with personal data in it. If the front screen is a list, also
/// returns an app model that shows the details after Enter.
fn with_details(model: &Model) -> Vec<Model> {
    let planted = planted(model);
    let mut all = vec![planted.clone()];
    if planted.layers.is_empty() {
        let mut opened = planted;
        press(&mut opened, "Enter");
        all.push(opened);
    }
    all
}

/// Returns the text of the screen without spaces. A text in it can then be found even if it wraps.
fn squeezed(model: &Model, (columns, rows): (u16, u16)) -> String {
    let size = Size { columns, rows };
    let model = rested(altered(model.clone(), |model| model.size = size));
    text(&buffer(&model, columns, rows)).chars().filter(|c| !c.is_whitespace()).collect()
}

/// Returns true if the screen asks for consent to an API contract. The test skips such screens,
/// because they contain no customer data.
fn is_of_contract(name: &str) -> bool {
    name.starts_with("consent")
}

#[test]
fn masked_screens_show_no_personal_data_in_full() {
    let mut found = Vec::new();
    for lang in Lang::ALL {
        for (name, model) in all(lang).into_iter().filter(|(name, _)| !is_of_contract(name)) {
            for (n, model) in with_details(&model).into_iter().enumerate() {
                let masked = altered(model, |model| model.masks = true);
                for size in SIZES {
                    let shown = squeezed(&masked, size);
                    let faults =
                        PERSONAL.iter().chain(&PLANTED).filter(|one| shown.contains(**one));
                    found.extend(
                        faults.map(|one| format!("{name} {n}, {}, {size:?}: {one}", lang.tag())),
                    );
                }
            }
        }
    }
    assert!(found.is_empty(), "{}: {}", found.len(), found.join("\n"));
}

#[test]
fn all_of_it_is_shown_where_only_its_owner_looks() {
    let mut missing = [&PERSONAL[..], &PLANTED[..]].concat();
    for (_, model) in all(Lang::Pt) {
        let shown = |model: &Model| SIZES.map(|size| squeezed(model, size)).concat();
        let mut models = with_details(&model);
        // Show replies in full, as if the user had asked for it. Replies are masked otherwise.
        models.iter_mut().for_each(|model| model.exchanges_whole = true);
        let shown = shown(&model) + &models.iter().map(shown).collect::<String>();
        missing.retain(|personal| !shown.contains(personal));
        if missing.is_empty() {
            return;
        }
    }
    assert!(missing.is_empty(), "{missing:?}");
}
