//! What a person agrees to is on the screen, all of it, at every size at which they can.

use balcao::app::action::Action;
use balcao::app::input::Size;
use balcao::app::layer::Layer;
use balcao::app::withdrawals::{Flow, ReviewFocus, WhyRetype};
use balcao::app::{Model, offers};
use balcao::trade::{PixKey, PixKeyKind};
use balcao::view::{Lang, Look};

use super::forms::reviews;
use super::withdrawals::{named, statement};
use crate::models::{buffer, text};

/// Every size from below the least to the one all must be beautiful at.
fn sizes() -> impl Iterator<Item = Size> {
    (40..=80).flat_map(|columns| (10..=24).map(move |rows| Size { columns, rows }))
}

/// A screen without its breaks, frames and air.
fn squeezed(model: &Model, look: &Look) -> String {
    let Size { columns, rows } = model.size;
    squeeze(&text(&buffer(model, look, columns, rows)))
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '│').collect()
}

/// The reviews, and the one that says most of all with the longest destination there is.
fn all_reviews(lang: Lang) -> Vec<(&'static str, Model)> {
    let is_review =
        |model: &Model| matches!(model.layers.last(), Some(Layer::Withdraw(Flow::Review(_))));
    let mut all = reviews(lang);
    all.retain(|(_, model)| is_review(model));
    let everything = all.iter().find(|(name, _)| *name == "review-everything").unwrap();
    let mut longest = everything.1.clone();
    if let Some(Layer::Withdraw(Flow::Review(review))) = longest.layers.last_mut() {
        let email = format!("{}@loja-da-ana.example", "a".repeat(57));
        review.agreement.destination = PixKey::parse(PixKeyKind::Email, &email).ok();
    }
    all.push(("longest", longest));
    all
}

/// Whatever must be read before a withdrawal is confirmed.
fn agreed(model: &Model, look: &Look) -> Vec<String> {
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last() else { panic!() };
    let agreement = &review.agreement;
    let mut said = vec![agreement.amount.to_string()];
    match &agreement.quote {
        Some(quote) => said.extend([quote.fee.to_string(), quote.net.to_string()]),
        None => {
            said.extend(["review-fee-unknown", "review-net-unknown"].map(|id| look.words.text(id)))
        }
    }
    if let Some(key) = &agreement.destination {
        let kind = match key.kind() {
            PixKeyKind::Cpf => "pix-kind-cpf",
            PixKeyKind::Cnpj => "pix-kind-cnpj",
            PixKeyKind::Phone => "pix-kind-phone",
            PixKeyKind::Email => "pix-kind-email",
            PixKeyKind::Random => "pix-kind-random",
        };
        said.extend([look.words.text(kind), key.pretty()]);
    } else {
        said.push(look.words.text("withdrawals-on-file"));
    }
    for why in review.retype.iter().flat_map(|retype| &retype.why) {
        said.push(look.words.text(match why {
            WhyRetype::NoQuote => "review-retype-no-quote",
            WhyRetype::AnotherOpen(_) => "review-retype-another-open",
            WhyRetype::SameWithinADay(_) => "review-retype-same",
        }));
        said.extend(why.other().map(|other| other.agreement.amount.to_string()));
    }
    said
}

#[test]
fn whenever_a_withdrawal_can_be_confirmed_all_that_is_agreed_to_is_on_the_screen() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        let confirm = squeeze(&look.words.text("review-confirm-short"));
        let confirm = [format!("[{confirm}"), format!("({confirm}")];
        for (n, (name, mut model)) in all_reviews(lang).into_iter().enumerate() {
            let agreed = agreed(&model, &look);
            for size in sizes() {
                // In English, and beside the gravest, each review takes its turn.
                let turn = (usize::from(size.columns + 3 * size.rows) + n).is_multiple_of(5);
                let always = lang == Lang::Pt && name == "review-another-open";
                if !(turn || always) {
                    continue;
                }
                model.size = size;
                let offered = offers::offers(&model).contains(&Action::Press);
                if let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() {
                    review.focus = if offered { ReviewFocus::Confirm } else { ReviewFocus::Back };
                }
                let screen = squeezed(&model, &look);
                let (columns, rows) = (size.columns, size.rows);
                let button = confirm.iter().any(|button| screen.contains(button));
                assert!(offered || !button, "{name} at {columns}x{rows}:\n{screen}");
                let missing = agreed.iter().find(|said| !screen.contains(&squeeze(said)));
                let missing = missing.filter(|_| button);
                assert_eq!(missing, None, "{name} at {columns}x{rows}:\n{screen}");
            }
        }
    }
}

#[test]
fn whenever_it_can_be_stated_that_nothing_was_paid_all_of_the_statement_is_on_the_screen() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        let [says, risk] = ["not-paid-then", "not-paid-risk"].map(|id| look.words.text(id));
        for name in ["person-window", "mismatch"] {
            let mut model = statement(lang, named(name), ReviewFocus::Back, 100_000);
            let says = if name == "mismatch" {
                look.words.text("not-paid-then-unlocks")
            } else {
                says.clone()
            };
            for size in sizes() {
                model.size = size;
                let screen = squeezed(&model, &look);
                let said = ["R$ 1.000,00", "111.444.777-35", &says, &risk];
                let all = said.iter().all(|said| screen.contains(&squeeze(said)));
                let button = screen.contains(&squeeze(&look.words.text("not-paid-do")));
                let offered = offers::offers(&model).contains(&Action::Press);
                assert!(all || !offered, "{name} at {size:?}:\n{screen}");
                // The title says the same words with another first letter.
                assert_eq!(button, offered, "{name} at {size:?}:\n{screen}");
            }
        }
    }
}

#[test]
fn as_many_rows_as_are_said_to_be_missing_are_enough() {
    let look = Look::new(Lang::Pt);
    let mut models = all_reviews(Lang::Pt);
    models.push(("not-paid", statement(Lang::Pt, named("mismatch"), ReviewFocus::Back, 0)));
    for (name, mut model) in models {
        for columns in [46, 50, 60, 79] {
            let missing = |model: &Model| {
                let screen = squeezed(model, &look);
                let (_, count) = screen.split_once("continuar:falta")?;
                let digits: String = count.chars().filter(char::is_ascii_digit).take(2).collect();
                let is_two = count.trim_start_matches('m').chars().nth(1)?.is_ascii_digit();
                digits.get(..if is_two { 2 } else { 1 })?.parse::<u16>().ok()
            };
            model.size = Size { columns, rows: 14 };
            let Some(rows) = missing(&model) else { continue };
            model.size.rows += rows - 1;
            assert_eq!(missing(&model), Some(1), "{name} at {columns}");
            model.size.rows += 1;
            assert_eq!(missing(&model), None, "{name} at {columns}");
            assert!(offers::offers(&model).contains(&Action::Press), "{name} at {columns}");
        }
    }
}

#[test]
fn every_review_and_every_statement_fits_at_80x24() {
    for lang in Lang::ALL {
        let mut models = all_reviews(lang);
        for name in ["person-window", "mismatch"] {
            models.push((name, statement(lang, named(name), ReviewFocus::Back, 0)));
        }
        for (name, model) in models {
            assert!(offers::can_agree(&model), "{name} in {}", lang.tag());
        }
    }
}

#[test]
fn the_small_screens_of_an_agreement() {
    let look = Look::new(Lang::Pt);
    for (name, model) in all_reviews(Lang::Pt) {
        for (columns, rows) in [(46, 14), (46, 20)] {
            if matches!(name, "review" | "review-another-open") {
                let screen = text(&buffer(&model, &look, columns, rows));
                insta::assert_snapshot!(format!("{name}-{columns}x{rows}"), screen);
            }
        }
    }
    let stating = statement(Lang::Pt, named("person-window"), ReviewFocus::Amount, 100_000);
    for rows in [14, 20] {
        let screen = text(&buffer(&stating, &look, 46, rows));
        insta::assert_snapshot!(format!("not-paid-46x{rows}"), screen);
    }
}
