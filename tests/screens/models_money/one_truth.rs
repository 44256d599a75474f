//! Tests that no screen contradicts itself about whether money has moved.

use balcao::app::Model;
use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::Flow;
use balcao::trade::Withdrawal;
use balcao::words::{Catalogue, Lang};

use super::forms::{form_models, other_open, review_models};
use super::withdrawals::{details, find_withdrawal};
use crate::models::{buffer, normalize_spaces, text};

fn screen_at(model: &Model, (columns, rows): (u16, u16)) -> String {
    normalize_spaces(&text(&buffer(model, columns, rows)))
}

#[test]
fn refusal_that_says_accepted_is_not_a_success() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let withdrawal = find_withdrawal("person-says-accepted");
        let screen = screen_at(&details(lang, withdrawal), (80, 24));
        let reason = words.with("why-says-failed", &[("said", "status: accepted")]);
        assert!(screen.contains(&reason), "{reason}\n{screen}");
        // The status of this reply is 400.
        let claims = ["código é de sucesso", "status is a success"];
        assert!(
            !claims.iter().any(|claim| screen.contains(claim)),
            "{screen}"
        );
    }
}

#[test]
fn inconsistent_figures_are_not_shown_as_unknown() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let (_, model) = review_models(lang)
            .into_iter()
            .find(|(name, _)| *name == "review-fault")
            .unwrap();
        for size in [(80, 24), (60, 18)] {
            let screen = screen_at(&model, size);
            assert!(
                screen.contains("R$ 11,50"),
                "what the service said:\n{screen}"
            );
            for id in [
                "review-fee-unknown",
                "review-net-unknown",
                "review-retype-no-quote",
            ] {
                assert!(!screen.contains(&words.text(id)), "{id}:\n{screen}");
            }
        }
    }
}

/// Phrases which say that no money has moved at all. No screen may use them while another
/// withdrawal is open, because that withdrawal may have been paid.
const CLAIMS_ABOUT_ALL_MONEY: [&str; 6] = [
    "Nada foi enviado",
    "Nenhum dinheiro saiu.",
    " e nenhum dinheiro saiu",
    "Nothing was sent",
    "No money moved.",
    " and no money left",
];

fn with_open_withdrawal(mut model: Model, open: &Withdrawal) -> Model {
    model.withdrawals.open.push(open.clone());
    model
}

#[test]
fn open_withdrawal_forbids_claims_about_all_money() {
    let open = other_open(7);
    for lang in Lang::ALL {
        let states = [
            "prepared",
            "prepared-not-sent",
            "prepared-no-entry",
            "prepared-throttled",
        ];
        let states = states.into_iter().chain(["rejected", "discarded"]);
        let details = states.map(|name| (name, details(lang, find_withdrawal(name))));
        let flows = form_models(lang)
            .into_iter()
            .chain(review_models(lang))
            .chain(details);
        let flows = flows.chain(crate::checkup::checkup_models(lang));
        for (name, model) in flows {
            let is_sent = matches!(
                model.layers.last(),
                Some(Layer::Withdraw(Flow::Sending { .. } | Flow::Outcome(_)))
            );
            if is_sent {
                continue;
            }
            let model = with_open_withdrawal(model, &open);
            for size in [(80, 24), (80, 60)] {
                let screen = screen_at(&model, size);
                for claim in CLAIMS_ABOUT_ALL_MONEY {
                    assert!(!screen.contains(claim), "{name}, `{claim}`:\n{screen}");
                }
            }
        }
    }
}

#[test]
fn new_withdrawal_beside_open_is_shown_as_not_sent() {
    for (lang, notice) in [
        (Lang::Pt, "Este saque ainda não foi enviado."),
        (Lang::En, "This withdrawal has not been sent yet."),
    ] {
        let review = review_models(lang)
            .into_iter()
            .find(|(name, _)| *name == "review")
            .unwrap()
            .1;
        let form = form_models(lang)
            .into_iter()
            .find(|(name, _)| *name == "withdraw")
            .unwrap()
            .1;
        for model in [review, form, details(lang, find_withdrawal("prepared"))] {
            let without_other = screen_at(&model, (80, 24));
            assert!(!without_other.contains(notice), "{without_other}");
            let screen = screen_at(&with_open_withdrawal(model, &other_open(7)), (80, 24));
            assert!(screen.contains(notice), "{screen}");
        }
    }
}
