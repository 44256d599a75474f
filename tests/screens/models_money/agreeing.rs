//! Tests that a withdrawal can be confirmed only after the screen has shown all of its terms. The
//! tests use every terminal size.

use balcao::app::cx::Question;
use balcao::app::router::{self, read_tracker};
use balcao::app::screen::Focus;
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::withdrawals::Flow;
use balcao::app::store::withdrawals::WhyRetype;
use balcao::app::ui::action::Action;
use balcao::app::ui::input::{Input, Size};
use balcao::app::ui::{self, Area, Target};
use balcao::app::{Model, chrome};
use balcao::trade::{IdempotencyKey, PixKey, PixKeyKind};
use balcao::words::{Catalogue, Lang};

use super::forms::{pay_to, reviews, sends};
use super::withdrawals::{details, named, statement};
use crate::models::{altered, buffer, input, looked_at, press, text};

/// All terminal sizes from 60x18 to 80x24.
fn sizes() -> impl Iterator<Item = Size> {
    (60..=80).flat_map(|columns| (18..=24).map(move |rows| Size { columns, rows }))
}

/// Returns true if the confirm button is enabled once the screen has been visible long enough.
fn offers_button(model: &Model) -> bool {
    let model = looked_at(model.clone());
    read_tracker::is_all_read(&model) && router::actions(&model).contains(&Action::Press)
}

/// Returns the screen's text without spaces, line breaks and borders.
fn squeezed(model: &Model) -> String {
    let Size { columns, rows } = model.size;
    squeeze(&text(&buffer(model, columns, rows)))
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '│').collect()
}

/// Returns the review screens, on which withdrawals are confirmed. The longest review screen occurs
/// a second time, with a very long Pix key.
fn all_reviews(lang: Lang) -> Vec<(&'static str, Model)> {
    let is_review =
        |model: &Model| matches!(model.layers.last(), Some(Layer::Withdraw(Flow::Review(_))));
    let mut all = reviews(lang);
    all.retain(|(_, model)| is_review(model));
    let everything = all.iter().find(|(name, _)| *name == "review-everything").unwrap();
    let mut longest = everything.1.clone();
    if let Some(Layer::Withdraw(Flow::Review(review))) = longest.layers.last_mut() {
        let email = format!("{}@loja-da-ana.example", "a".repeat(57));
        pay_to(&mut review.agreement, PixKey::parse(PixKeyKind::Email, &email).unwrap());
    }
    all.push(("longest", longest));
    all
}

/// Returns the texts that the review screen must show before the seller can confirm the withdrawal.
fn agreed(model: &Model) -> Vec<String> {
    let words = Catalogue::of(model.setup.lang);
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last() else { panic!() };
    let agreement = &review.agreement;
    let mut said = vec![agreement.amount.to_string(), agreement.key.to_string()];
    said.push(words.text("review-holder-unknown"));
    match &agreement.quote {
        Some(quote) => said.extend([quote.fee.to_string(), quote.net.to_string()]),
        None => said.extend(["review-fee-unknown", "review-net-unknown"].map(|id| words.text(id))),
    }
    if let Some(key) = &agreement.destination {
        let kind = match key.kind() {
            PixKeyKind::Cpf => "pix-kind-cpf",
            PixKeyKind::Cnpj => "pix-kind-cnpj",
            PixKeyKind::Phone => "pix-kind-phone",
            PixKeyKind::Email => "pix-kind-email",
            PixKeyKind::Random => "pix-kind-random",
        };
        said.extend([words.text(kind), key.pretty()]);
    } else {
        said.push(words.text("withdrawals-on-file"));
    }
    for why in review.look.retype.iter().flat_map(|retype| &retype.why) {
        said.push(match why {
            WhyRetype::NoQuote => words.text("review-retype-no-quote"),
            WhyRetype::NothingArrives { net } => {
                words.with("review-retype-nothing", &[("net", &net.to_string())])
            }
            WhyRetype::FinerThanCentavos { .. } => words.text("review-retype-finer"),
            WhyRetype::AnotherOpen(_) => words.text("review-retype-another-open"),
            WhyRetype::SameOpenElsewhere(_) => words.text("review-retype-same-open-elsewhere"),
            WhyRetype::SameWithinADay(_) => words.text("review-retype-same"),
        });
        said.extend(why.other().map(|other| other.agreement.amount.to_string()));
    }
    said
}

#[test]
fn review_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let confirm = squeeze(&words.with("review-confirm", &[("amount", "")]));
        let confirm = [format!("[{confirm}"), format!("({confirm}")];
        for (n, (name, mut model)) in all_reviews(lang).into_iter().enumerate() {
            let agreed = agreed(&model);
            for size in sizes() {
                // Test only one review screen at all terminal sizes, and the others at a fifth of
                // the sizes, to save time.
                let turn = (usize::from(size.columns + 3 * size.rows) + n).is_multiple_of(5);
                let always = lang == Lang::Pt && name == "review-another-open";
                if !(turn || always) {
                    continue;
                }
                model.size = size;
                let offered = offers_button(&model);
                if let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() {
                    review.look.buttons.focus = if offered { Focus::Confirm } else { Focus::Back };
                }
                let screen = squeezed(&model);
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
fn statement_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [says, risk] = ["not-paid-then", "not-paid-risk"].map(|id| words.text(id));
        for name in ["person-window", "mismatch"] {
            let mut model = statement(lang, named(name), Focus::Back, 100_000);
            let says =
                if name == "mismatch" { words.text("not-paid-then-unlocks") } else { says.clone() };
            for size in sizes() {
                model.size = size;
                let screen = squeezed(&model);
                let said = ["R$ 1.000,00", "111.444.777-35", &says, &risk];
                let all = said.iter().all(|said| screen.contains(&squeeze(said)));
                let button = screen.contains(&squeeze(&words.text("not-paid-do")));
                let offered = offers_button(&model);
                assert!(all || !offered, "{name} at {size:?}:\n{screen}");
                // This search does not find the title of the dialog. The title has the same words
                // but begins with a small letter.
                assert_eq!(button, offered, "{name} at {size:?}:\n{screen}");
            }
        }
    }
}

/// Returns the dialogs that ask for a confirmation about money, each with the texts that must be
/// visible first. Above each dialog, a banner about an open withdrawal takes up space.
fn questions(lang: Lang) -> Vec<(&'static str, Model, Vec<String>)> {
    let words = Catalogue::of(lang);
    let say = |id: &str| words.text(id);
    let of = |amount| words.with("ask-withdrawal-of", &[("amount", amount)]);
    let either = [("sent", "R$ 1.000,00"), ("got", "R$ 10.000,00")];
    let asked = |withdrawal: &str, question: fn(IdempotencyKey) -> Question| {
        let mut model = details(lang, named(withdrawal));
        model.withdrawals.open = vec![named("mismatch")];
        let question = question(named(withdrawal).agreement.key);
        model.layers.push(Layer::Dialog(Box::new(Dialog::new(question))));
        model
    };
    let key = || named("unknown").agreement.key.to_string();
    let mut found = vec![of("R$ 1.000,00"), say("ask-found"), key()];
    let mut all = vec![("ask-found", asked("unknown", Question::Found), found.clone())];
    found.push(words.with("ask-found-either", &either));
    all.push(("ask-found-mismatch", asked("mismatch", Question::Found), found));
    let discarded = vec![of("R$ 1.000,00"), say("ask-discard"), key()];
    all.push(("ask-discard", asked("prepared", Question::Discard), discarded));
    let mut leave = asked("unknown", |_| Question::LeaveInFlight);
    leave.withdrawals.in_flight = Some(named("unknown").agreement.key);
    all.push(("ask-leave", leave, vec![say("ask-leave")]));
    all
}

/// Returns true if the confirm button is visible. It is beside the button that goes back.
fn has_do(id: &str, model: &Model, screen: &str) -> bool {
    let words = Catalogue::of(model.setup.lang);
    let page = chrome::page(model, model.size);
    let is_back = |(_, meant): &&(Area, Target)| *meant == Target::Button(0);
    let Some((place, _)) = page.targets.iter().find(is_back) else { return false };
    let buttons = screen.lines().nth(usize::from(place.y)).unwrap();
    assert!(buttons.contains(&words.text(&format!("{id}.back"))), "{screen}");
    buttons.contains(&words.text(&format!("{id}.do")))
}

#[test]
fn money_question_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        for (name, mut model, said) in questions(lang) {
            let id = name.trim_end_matches("-mismatch");
            // Test the English dialogs only at a third of the terminal sizes, to save time.
            let is_due =
                |size: &Size| lang == Lang::Pt || (size.columns + size.rows).is_multiple_of(3);
            for size in sizes().filter(is_due) {
                model.size = size;
                let offered = offers_button(&model);
                let screen = text(&buffer(&model, size.columns, size.rows));
                let squeezed = squeeze(&screen);
                let missing = said.iter().find(|said| !squeezed.contains(&squeeze(said)));
                assert_eq!(missing.filter(|_| offered), None, "{name} at {size:?}:\n{screen}");
                let button = has_do(id, &model, &screen);
                assert_eq!(button, offered, "{name} at {size:?}:\n{screen}");
            }
        }
    }
}

#[test]
fn questions_without_withdrawal_fit_smallest_window() {
    for lang in Lang::ALL {
        let (_, mut model, _) = questions(lang).pop().unwrap();
        use Question::*;
        for question in [LeaveInFlight, DropForm, LogOut, UseMemory] {
            model.layers.pop();
            model.layers.push(Layer::Dialog(Box::new(Dialog::new(question.clone()))));
            model.size = ui::geometry::MIN_SIZE;
            assert!(offers_button(&model), "{question:?} in {}", lang.tag());
        }
    }
}

/// Presses a key that scrolls, and checks that this has no other effect. Then draws the next frame.
fn reads_on(model: &mut Model, key: &str) {
    assert_eq!(press(model, key), vec![], "reading wants nothing done");
    assert_eq!(input(model, Input::Wheel(0)), vec![]);
}

#[test]
fn paged_terms_are_confirmed_only_after_last_page() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let mut models = all_reviews(lang);
        models.extend(sends(lang));
        let stated = statement(lang, named("mismatch"), Focus::Back, 0);
        models.push(("not-paid", stated));
        models.extend(questions(lang).into_iter().map(|(name, model, _)| (name, model)));
        for (name, model) in models {
            for columns in [60, 80] {
                let mut model = model.clone();
                model.withdrawals.was_first_look_taken = true;
                model.size = Size { columns, rows: 18 };
                reads_on(&mut model, "Home");
                let mut pages = 1;
                while !read_tracker::is_all_read(&model) {
                    let before = model.scroll;
                    let screen = squeezed(&model);
                    let read_on = words.with("agree-read-on", &[("key", "PgDn")]);
                    assert!(screen.contains(&squeeze(&read_on)), "{name}:\n{screen}");
                    reads_on(&mut model, "PgDn");
                    assert_ne!(model.scroll, before, "{name} at {columns} has no end");
                    pages += 1;
                }
                assert!(pages < 30, "{name}");
                // The button stays enabled after scrolling back, because the screen has shown all
                // terms. It stays disabled if a jump from the start of a long text to its end skips
                // some terms.
                if pages > 2 {
                    reads_on(&mut model, "Home");
                    assert!(read_tracker::is_all_read(&model), "{name}");
                    let mut fast = altered(model, |model| {
                        model.seen = Default::default();
                        model.scroll = 0;
                    });
                    reads_on(&mut fast, "Home");
                    reads_on(&mut fast, "End");
                    assert!(!read_tracker::is_all_read(&fast), "{name} at {columns}");
                }
            }
        }
    }
}

#[test]
fn reviews_statements_and_questions_fit_at_80x24() {
    for lang in Lang::ALL {
        let mut models = all_reviews(lang);
        models.extend(sends(lang).into_iter().filter(|(name, _)| !name.ends_with("-paged")));
        for name in ["person-window", "mismatch"] {
            models.push((name, statement(lang, named(name), Focus::Back, 0)));
        }
        let questions = questions(lang).into_iter();
        models.extend(questions.map(|(name, model, _)| (name, model)));
        for (name, model) in models {
            assert!(offers_button(&model), "{name} in {}", lang.tag());
        }
    }
}
