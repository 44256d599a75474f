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
use balcao::trade::{CredentialKind, IdempotencyKey, PixKey, PixKeyKind};
use balcao::words::{Catalogue, Lang};

use super::forms::{review_models, send_models, set_pix_key};
use super::withdrawals::{details, find_withdrawal, not_paid_form};
use crate::models::{
    after_confirm_delay, ascii, buffer, press, send_input, text, text_with_focus, trial_question,
    with_change,
};

/// All terminal sizes from 60x18 to 80x24.
fn sizes() -> impl Iterator<Item = Size> {
    (60..=80).flat_map(|columns| (18..=24).map(move |rows| Size { columns, rows }))
}

/// Returns true if the confirm button becomes enabled after the screen has been visible long
/// enough.
fn can_confirm(model: &Model) -> bool {
    let model = after_confirm_delay(model.clone());
    read_tracker::is_all_read(&model) && router::actions(&model).contains(&Action::Press)
}

/// Returns the screen's text without spaces, line breaks and borders.
fn compact_screen(model: &Model) -> String {
    let Size { columns, rows } = model.size;
    remove_spaces(&text_with_focus(buffer(model, columns, rows)))
}

fn remove_spaces(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '│')
        .collect()
}

/// Returns the review screens, on which withdrawals are confirmed. The longest review screen occurs
/// a second time, with a very long Pix key.
fn all_reviews(lang: Lang) -> Vec<(&'static str, Model)> {
    let is_review =
        |model: &Model| matches!(model.layers.last(), Some(Layer::Withdraw(Flow::Review(_))));
    let mut models = review_models(lang);
    models.retain(|(_, model)| is_review(model));
    let longest_review = models
        .iter()
        .find(|(name, _)| *name == "review-everything")
        .unwrap();
    let mut with_long_key = longest_review.1.clone();
    if let Some(Layer::Withdraw(Flow::Review(review))) = with_long_key.layers.last_mut() {
        let email = format!("{}@loja-da-ana.example", "a".repeat(57));
        set_pix_key(
            &mut review.agreement,
            PixKey::parse(PixKeyKind::Email, &email).unwrap(),
        );
    }
    models.push(("longest", with_long_key));
    models
}

/// Returns the texts that the review screen must show before the seller can confirm the withdrawal.
fn required_texts(model: &Model) -> Vec<String> {
    let words = Catalogue::of(model.setup.lang);
    let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last() else {
        panic!()
    };
    let agreement = &review.agreement;
    let mut texts = vec![agreement.amount.to_string(), agreement.key.to_string()];
    texts.push(words.text("review-holder-unknown"));
    match &agreement.quote {
        Some(quote) => texts.extend([quote.fee.to_string(), quote.net.to_string()]),
        None => texts.extend(["review-fee-unknown", "review-net-unknown"].map(|id| words.text(id))),
    }
    if let Some(key) = &agreement.destination {
        let kind = match key.kind() {
            PixKeyKind::Cpf => "pix-kind-cpf",
            PixKeyKind::Cnpj => "pix-kind-cnpj",
            PixKeyKind::Phone => "pix-kind-phone",
            PixKeyKind::Email => "pix-kind-email",
            PixKeyKind::Random => "pix-kind-random",
        };
        texts.extend([words.text(kind), key.pretty()]);
    } else {
        texts.push(words.text("withdrawals-on-file"));
    }
    for reason in review
        .final_review
        .retype
        .iter()
        .flat_map(|retype| &retype.why)
    {
        texts.push(match reason {
            WhyRetype::ArrivalUnknown => words.text("review-retype-not-arrived"),
            WhyRetype::NoQuote => words.text("review-retype-no-quote"),
            WhyRetype::NothingArrives { net } => {
                words.with("review-retype-nothing", &[("net", &net.to_string())])
            }
            WhyRetype::FinerThanCentavos { .. } => words.text("review-retype-finer"),
            WhyRetype::AnotherOpen(_) => words.text("review-retype-another-open"),
            WhyRetype::SameOpenElsewhere(_) => words.text("review-retype-same-open-elsewhere"),
            WhyRetype::SameWithinADay(_) => words.text("review-retype-same"),
        });
        texts.extend(
            reason
                .other_withdrawal()
                .map(|other| other.agreement.amount.to_string()),
        );
    }
    texts
}

#[test]
fn review_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let confirm = remove_spaces(&words.with("review-confirm", &[("amount", "")]));
        let unfocused = format!("[{confirm}");
        let confirm = [format!("⟦{confirm}"), format!("({confirm}")];
        for (n, (name, mut model)) in all_reviews(lang).into_iter().enumerate() {
            let required = required_texts(&model);
            for size in sizes() {
                // Test only one review screen at all terminal sizes, and the others at a fifth of
                // the sizes, to save time.
                let is_due = (usize::from(size.columns + 3 * size.rows) + n).is_multiple_of(5);
                let is_always_due = lang == Lang::Pt && name == "review-another-open";
                if !(is_due || is_always_due) {
                    continue;
                }
                model.size = size;
                let is_enabled = can_confirm(&model);
                if let Some(Layer::Withdraw(Flow::Review(review))) = model.layers.last_mut() {
                    review.final_review.buttons.focus = if is_enabled {
                        Focus::Confirm
                    } else {
                        Focus::Back
                    };
                }
                let screen = compact_screen(&model);
                let columns = size.columns;
                let rows = size.rows;
                let has_button = confirm.iter().any(|button| screen.contains(button));
                assert!(
                    is_enabled || !has_button,
                    "{name} at {columns}x{rows}:\n{screen}"
                );
                let missing = required
                    .iter()
                    .find(|text| !screen.contains(&remove_spaces(text)));
                let missing = missing.filter(|_| has_button || screen.contains(&unfocused));
                assert_eq!(missing, None, "{name} at {columns}x{rows}:\n{screen}");
            }
        }
    }
}

/// True if the screen shows large digits.
fn has_large_amount(screen: &str) -> bool {
    screen.contains('█')
}

/// The large digits only repeat the amount, so the terms must be read in the same way without them.
#[test]
fn large_amount_never_changes_what_must_be_read() {
    let mut large_count = 0;
    for (name, model) in all_reviews(Lang::Pt)
        .into_iter()
        .chain(send_models(Lang::Pt))
    {
        for size in [
            (60, 18),
            (60, 24),
            (80, 18),
            (80, 24),
            (80, 26),
            (100, 30),
            (120, 40),
        ] {
            let model = with_change(model.clone(), |model| {
                model.size = Size {
                    columns: size.0,
                    rows: size.1,
                };
            });
            let plain = ascii(model.clone());
            let screens = [&model, &plain].map(|model| text(&buffer(model, size.0, size.1)));
            assert!(!has_large_amount(&screens[1]), "{name} at {size:?}");
            assert_eq!(
                can_confirm(&model),
                can_confirm(&plain),
                "{name} at {size:?}"
            );
            let is_all_read =
                [model, plain].map(|model| read_tracker::is_all_read(&after_confirm_delay(model)));
            assert_eq!(is_all_read[0], is_all_read[1], "{name} at {size:?}");
            if has_large_amount(&screens[0]) {
                large_count += 1;
                let amount = screens[0]
                    .lines()
                    .find(|line| line.contains("Sai do seu saldo"));
                assert!(amount.is_some_and(|line| line.contains(",00")), "{name}");
                let rows = |screen: &str| screen.lines().filter(|line| line.len() > 2).count();
                // The digits have three rows. No other row is missing.
                assert_eq!(
                    rows(&screens[0]),
                    rows(&screens[1]) + 3,
                    "{name} at {size:?}"
                );
            }
        }
    }
    assert!(large_count > 20, "{large_count}");
}

#[test]
fn large_amount_gives_way_to_warnings() {
    let all = all_reviews(Lang::Pt);
    let has_large = |name: &str, columns, rows| {
        let (_, model) = all.iter().find(|(other, _)| *other == name).unwrap();
        has_large_amount(&text(&buffer(model, columns, rows)))
    };
    assert!(has_large("review", 80, 24));
    assert!(has_large("review", 120, 40));
    assert!(!has_large("review", 60, 18));
    assert!(!has_large("review-another-open", 80, 24));
    assert!(has_large("review-another-open", 120, 40));
    assert!(!has_large("review-everything", 80, 24));
    assert!(!has_large("review-fault", 120, 40), "the amount is refused");
}

#[test]
fn statement_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let [consequence, risk] = ["not-paid-then", "not-paid-risk"].map(|id| words.text(id));
        for name in ["person-window", "mismatch"] {
            let mut model = not_paid_form(lang, find_withdrawal(name), Focus::Back, 100_000);
            let consequence = if name == "mismatch" {
                words.text("not-paid-then-unlocks")
            } else {
                consequence.clone()
            };
            for size in sizes() {
                model.size = size;
                let screen = compact_screen(&model);
                let texts = ["R$ 1.000,00", "111.444.777-35", &consequence, &risk];
                let is_complete = texts
                    .iter()
                    .all(|text| screen.contains(&remove_spaces(text)));
                let has_button = screen.contains(&remove_spaces(&words.text("not-paid-do")));
                let is_enabled = can_confirm(&model);
                assert!(is_complete || !is_enabled, "{name} at {size:?}:\n{screen}");
                // The title of the dialog has the same words as the button, but begins with a small
                // letter. `has_button` is therefore true only for the button.
                assert_eq!(has_button, is_enabled, "{name} at {size:?}:\n{screen}");
            }
        }
    }
}

/// Returns the dialogs that ask for a confirmation about money, each with the texts that must be
/// visible first. Above each dialog, a banner about an open withdrawal takes up space.
fn money_dialogs(lang: Lang) -> Vec<(&'static str, Model, Vec<String>)> {
    let words = Catalogue::of(lang);
    let text = |id: &str| words.text(id);
    let withdrawal_of = |amount| words.with("ask-withdrawal-of", &[("amount", amount)]);
    let both_amounts = [("sent", "R$ 1.000,00"), ("got", "R$ 10.000,00")];
    let dialog_model = |withdrawal: &str, question: fn(IdempotencyKey) -> Question| {
        let mut model = details(lang, find_withdrawal(withdrawal));
        model.withdrawals.open = vec![find_withdrawal("mismatch")];
        let question = question(find_withdrawal(withdrawal).agreement.key);
        model
            .layers
            .push(Layer::Dialog(Box::new(Dialog::new(question))));
        model
    };
    let key_text = || find_withdrawal("unknown").agreement.key.to_string();
    let mut found_texts = vec![withdrawal_of("R$ 1.000,00"), text("ask-found"), key_text()];
    let mut dialogs = vec![(
        "ask-found",
        dialog_model("unknown", Question::Found),
        found_texts.clone(),
    )];
    found_texts.push(words.with("ask-found-either", &both_amounts));
    dialogs.push((
        "ask-found-mismatch",
        dialog_model("mismatch", Question::Found),
        found_texts,
    ));
    let discard_texts = vec![
        withdrawal_of("R$ 1.000,00"),
        text("ask-discard"),
        key_text(),
    ];
    dialogs.push((
        "ask-discard",
        dialog_model("prepared", Question::Discard),
        discard_texts,
    ));
    let mut leave_dialog = dialog_model("unknown", |_| Question::LeaveInFlight);
    leave_dialog.withdrawals.in_flight = Some(find_withdrawal("unknown").agreement.key);
    dialogs.push(("ask-leave", leave_dialog, vec![text("ask-leave")]));
    dialogs
}

/// Returns true if the confirm button is visible. Looks for it in the row of the button that goes
/// back.
fn has_confirm_button(id: &str, model: &Model, screen: &str) -> bool {
    let words = Catalogue::of(model.setup.lang);
    let page = chrome::page(model, model.size);
    let is_back_button = |(_, target): &&(Area, Target)| *target == Target::Button(0);
    let Some((area, _)) = page.targets.iter().find(is_back_button) else {
        return false;
    };
    let buttons = screen.lines().nth(usize::from(area.y)).unwrap();
    assert!(
        buttons.contains(&words.text(&format!("{id}.back"))),
        "{screen}"
    );
    buttons.contains(&words.text(&format!("{id}.do")))
}

#[test]
fn money_question_is_whole_when_it_can_be_confirmed() {
    for lang in Lang::ALL {
        for (name, mut model, texts) in money_dialogs(lang) {
            let id = name.trim_end_matches("-mismatch");
            // Test the English dialogs only at a third of the terminal sizes, to save time.
            let is_due =
                |size: &Size| lang == Lang::Pt || (size.columns + size.rows).is_multiple_of(3);
            for size in sizes().filter(is_due) {
                model.size = size;
                let is_enabled = can_confirm(&model);
                let screen = text(&buffer(&model, size.columns, size.rows));
                let compact = remove_spaces(&screen);
                let missing = texts
                    .iter()
                    .find(|text| !compact.contains(&remove_spaces(text)));
                assert_eq!(
                    missing.filter(|_| is_enabled),
                    None,
                    "{name} at {size:?}:\n{screen}"
                );
                let has_button = has_confirm_button(id, &model, &screen);
                assert_eq!(has_button, is_enabled, "{name} at {size:?}:\n{screen}");
            }
        }
    }
}

#[test]
fn questions_without_withdrawal_fit_smallest_window() {
    for lang in Lang::ALL {
        let (_, mut model, _) = money_dialogs(lang).pop().unwrap();
        use Question::*;
        let trial = trial_question(CredentialKind::ApiToken);
        for question in [LeaveInFlight, DropForm, LogOut, UseMemory, trial] {
            model.layers.pop();
            model
                .layers
                .push(Layer::Dialog(Box::new(Dialog::new(question.clone()))));
            model.size = ui::geometry::MIN_SIZE;
            assert!(can_confirm(&model), "{question:?} in {}", lang.tag());
        }
    }
}

/// Presses a key that scrolls, and checks that this has no other effect. Then draws the next frame.
fn scroll(model: &mut Model, key: &str) {
    assert_eq!(press(model, key), vec![], "reading wants nothing done");
    assert_eq!(send_input(model, Input::Wheel(0)), vec![]);
}

#[test]
fn paged_terms_are_confirmed_only_after_last_page() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let mut models = all_reviews(lang);
        models.extend(send_models(lang));
        let form = not_paid_form(lang, find_withdrawal("mismatch"), Focus::Back, 0);
        models.push(("not-paid", form));
        models.extend(
            money_dialogs(lang)
                .into_iter()
                .map(|(name, model, _)| (name, model)),
        );
        for (name, model) in models {
            for columns in [60, 80] {
                let mut model = model.clone();
                model.withdrawals.has_decided_to_open = true;
                model.size = Size { columns, rows: 18 };
                scroll(&mut model, "Home");
                let mut pages = 1;
                while !read_tracker::is_all_read(&model) {
                    let old_scroll = model.scroll;
                    let screen = compact_screen(&model);
                    let read_on_hint = words.with("agree-read-on", &[("key", "PgDn")]);
                    assert!(
                        screen.contains(&remove_spaces(&read_on_hint)),
                        "{name}:\n{screen}"
                    );
                    scroll(&mut model, "PgDn");
                    assert_ne!(model.scroll, old_scroll, "{name} at {columns} has no end");
                    pages += 1;
                }
                assert!(pages < 30, "{name}");
                // The button stays enabled after scrolling back, because the screen has shown all
                // terms. It stays disabled if a jump from the start of a long text to its end skips
                // some terms.
                if pages > 2 {
                    scroll(&mut model, "Home");
                    assert!(read_tracker::is_all_read(&model), "{name}");
                    let mut skipping = with_change(model, |model| {
                        model.read_tracker = Default::default();
                        model.scroll = 0;
                    });
                    scroll(&mut skipping, "Home");
                    scroll(&mut skipping, "End");
                    assert!(!read_tracker::is_all_read(&skipping), "{name} at {columns}");
                }
            }
        }
    }
}

#[test]
fn reviews_statements_and_questions_fit_at_80x24() {
    for lang in Lang::ALL {
        let mut models = all_reviews(lang);
        models.extend(
            send_models(lang)
                .into_iter()
                .filter(|(name, _)| !name.ends_with("-paged")),
        );
        for name in ["person-window", "mismatch"] {
            models.push((
                name,
                not_paid_form(lang, find_withdrawal(name), Focus::Back, 0),
            ));
        }
        let questions = money_dialogs(lang).into_iter();
        models.extend(questions.map(|(name, model, _)| (name, model)));
        for (name, model) in models {
            assert!(can_confirm(&model), "{name} in {}", lang.tag());
        }
    }
}
