//! Tests that no screen contradicts itself about whether money has moved.

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::Flow;
use balcao::trade::Withdrawal;
use balcao::words::{Catalogue, Lang};

use super::forms::{another, forms, reviews};
use super::withdrawals::{details, named};
use crate::models::{buffer, running, text};

fn shown(model: &Model, (columns, rows): (u16, u16)) -> String {
    running(&text(&buffer(model, columns, rows)))
}

#[test]
fn inconsistent_figures_are_not_shown_as_unknown() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let (_, model) =
            reviews(lang).into_iter().find(|(name, _)| *name == "review-fault").unwrap();
        for size in [(80, 24), (60, 18)] {
            let screen = shown(&model, size);
            assert!(screen.contains("R$ 11,50"), "what the service said:\n{screen}");
            for other in ["review-fee-unknown", "review-net-unknown", "review-retype-no-quote"] {
                assert!(!screen.contains(&words.text(other)), "{other}:\n{screen}");
            }
        }
    }
}

/// Phrases which say that no money has moved at all. They are wrong about an unpaid withdrawal if
/// another withdrawal may have been paid.
const OF_ALL: [&str; 6] = [
    "Nada foi enviado",
    "Nenhum dinheiro saiu.",
    " e nenhum dinheiro saiu",
    "Nothing was sent",
    "No money moved.",
    " and no money left",
];

fn beside(mut model: Model, open: &Withdrawal) -> Model {
    model.withdrawals.open.push(open.clone());
    model
}

#[test]
fn open_withdrawal_forbids_claims_about_all_money() {
    let open = another(7);
    for lang in Lang::ALL {
        let states = ["prepared", "prepared-not-sent", "prepared-no-entry", "prepared-throttled"];
        let states = states.into_iter().chain(["rejected", "discarded"]);
        let details = states.map(|name| (name, details(lang, named(name))));
        let flows = forms(lang).into_iter().chain(reviews(lang)).chain(details);
        let flows = flows.chain(crate::checkup::models(lang));
        for (name, model) in flows {
            let is_sent = matches!(
                model.layers.last(),
                Some(Layer::Withdraw(Flow::Sending { .. } | Flow::Outcome(_)))
            );
            if is_sent {
                continue;
            }
            let model = beside(model, &open);
            for size in [(80, 24), (80, 60)] {
                let screen = shown(&model, size);
                for said in OF_ALL {
                    assert!(!screen.contains(said), "{name}, `{said}`:\n{screen}");
                }
            }
        }
    }
}

#[test]
fn new_withdrawal_beside_open_is_shown_as_not_sent() {
    for (lang, said) in [
        (Lang::Pt, "Este saque ainda não foi enviado."),
        (Lang::En, "This withdrawal has not been sent yet."),
    ] {
        let review = reviews(lang).into_iter().find(|(name, _)| *name == "review").unwrap().1;
        let form = forms(lang).into_iter().find(|(name, _)| *name == "withdraw").unwrap().1;
        for model in [review, form, details(lang, named("prepared"))] {
            let alone = shown(&model, (80, 24));
            assert!(!alone.contains(said), "{alone}");
            let screen = shown(&beside(model, &another(7)), (80, 24));
            assert!(screen.contains(said), "{screen}");
        }
    }
}
