//! Tests of accessible mode with the models of all screens.

use balcao::accessible::{PAGE_SIZE, Prompt, Step, Told, Transcript};
use balcao::app::ui::Action;
use balcao::app::ui::input::{Code, Input, Key, Pace};
use balcao::app::{Model, chrome};
use balcao::words::Lang;

use crate::models::{all_models, find_model, pane_model, perform_action, send_input};

fn tell(transcript: &mut Transcript, model: &Model) -> Told {
    transcript.tell(model, &chrome::page(model, PAGE_SIZE))
}

/// True for a character that a screen reader spells out, or that moves the cursor.
fn is_sign(c: char) -> bool {
    let is_box_or_block = ('\u{2500}'..='\u{259f}').contains(&c);
    is_box_or_block || (c.is_control() && c != '\n') || "✓●○◆×‼‹›▸▾↑↓←→•…·".contains(c)
}

#[test]
fn every_screen_is_told_without_signs() {
    let mut faults = vec![];
    for lang in Lang::ALL {
        for (name, mut model) in all_models(lang) {
            send_input(&mut model, Input::Resize(PAGE_SIZE));
            let mut transcript = Transcript::default();
            let text = tell(&mut transcript, &model).text;
            let has_signs = text.chars().any(is_sign) || text.contains("[ ") || text.contains("  ");
            let again = tell(&mut transcript, &model).text;
            if has_signs || text.lines().count() < 3 || !again.is_empty() {
                faults.push(format!("{name}: {text}\nagain: {again}"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// The screens of a payment link, a charge, a withdrawal, a lost answer and its resend, of an
/// approval, a declaration, and the page of settings to agree to.
const REVIEWED: &[&str] = &[
    "links",
    "new-link",
    "link",
    "charges",
    "charge-silent",
    "withdraw",
    "review",
    "sending",
    "withdrawal-unknown",
    "send-again",
    "withdrawal-accepted",
    "approve",
    "not-paid",
    "consent",
];

/// A person reviews these texts.
#[test]
fn money_is_told_in_both_languages() {
    for lang in Lang::ALL {
        let texts = REVIEWED.iter().map(|name| {
            let mut model = find_model(lang, name);
            send_input(&mut model, Input::Resize(PAGE_SIZE));
            let text = tell(&mut Transcript::default(), &model).text;
            let text: Vec<&str> = text.lines().skip(1).map(str::trim_end).collect();
            format!("== {name}\n{}\n", text.join("\n"))
        });
        let texts: Vec<String> = texts.collect();
        insta::assert_snapshot!(format!("told-{}", lang.tag()), texts.join("\n"));
    }
}

#[test]
fn wait_is_told_each_half_minute() {
    let mut waiting = all_models(Lang::Pt)
        .into_iter()
        .map(|(_, model)| model)
        .filter(|model| {
            let mut transcript = Transcript::default();
            tell(&mut transcript, model);
            transcript.prompt() == Some(Prompt::Wait)
        });
    let mut model = waiting.next().expect("a screen that waits");
    model.withdrawals.in_flight = None;
    let mut transcript = Transcript::default();
    tell(&mut transcript, &model);
    let mut told = vec![];
    for second in 1..=95 {
        model.now.boot_ms += 1_000;
        let text = tell(&mut transcript, &model).text;
        told.extend(text.lines().map(|line| format!("{second}: {line}")));
    }
    assert_eq!(told.len(), 3, "{told:#?}");
    assert!(
        told.iter().all(|line| line.contains("Ainda esperando")),
        "{told:#?}"
    );
}

#[test]
fn words_numbers_and_keys_are_input() {
    let mut model = pane_model(Lang::Pt, balcao::app::Pane::Links);
    send_input(&mut model, Input::Resize(PAGE_SIZE));
    let mut transcript = Transcript::default();
    tell(&mut transcript, &model);
    let mut read = |line: &str| transcript.read(&model, line, Pace::Deliberate);
    assert_eq!(read("NOVO"), [Step::Act(Action::New)]);
    assert_eq!(read("domínios"), [Step::Act(Action::Domains)]);
    assert_eq!(read("dominios"), [Step::Act(Action::Domains)]);
    assert_eq!(read("voltar"), [Step::Act(Action::Back)]);
    assert_eq!(read("sair"), [Step::Act(Action::Leave)]);
    assert_eq!(read("Ctrl-L"), [Step::Key("Ctrl-L".parse().unwrap())]);
    assert_eq!(read(""), []);
    assert_eq!(read("999"), []);
    assert_eq!(read("perfil").first(), Some(&Step::Act(Action::Palette)));
}

/// A form whose first field has the focus.
fn told_form(name: &str) -> (Model, Transcript) {
    let mut model = find_model(Lang::Pt, name);
    send_input(&mut model, Input::Resize(PAGE_SIZE));
    let mut transcript = Transcript::default();
    tell(&mut transcript, &model);
    (model, transcript)
}

#[test]
fn space_before_a_word_makes_it_the_value() {
    for word in ["ajuda", "sair", "ver", "voltar", ":perfil"] {
        for (line, is_value) in [(word.to_owned(), false), (format!(" {word}"), true)] {
            let (model, mut transcript) = told_form("new-link");
            assert!(matches!(transcript.prompt(), Some(Prompt::Field { .. })));
            let steps = transcript.read(&model, &line, Pace::Deliberate);
            let is_typed = steps.iter().any(|step| matches!(step, Step::Paste(_)));
            assert_eq!(is_typed, is_value, "{line}");
        }
    }
}

#[test]
fn word_goes_back_from_a_secret() {
    let (model, mut transcript) = told_form("jwt");
    assert!(matches!(transcript.prompt(), Some(Prompt::Secret { .. })));
    let mut read = |line: &str| transcript.read(&model, line, Pace::Deliberate);
    assert_eq!(read("voltar"), [Step::Act(Action::Back)]);
    assert!(matches!(&read("voltar ")[..], [_, Step::Paste(_)]));
}

/// A command is run only by its whole name, even if no other fits.
#[test]
fn part_of_a_name_only_lists_commands() {
    for (word, runs) in [("idioma: engl", false), ("idioma: english", true)] {
        let mut model = pane_model(Lang::Pt, balcao::app::Pane::Links);
        send_input(&mut model, Input::Resize(PAGE_SIZE));
        let mut transcript = Transcript::default();
        tell(&mut transcript, &model);
        transcript.read(&model, word, Pace::Deliberate);
        type_into_palette(&mut model, word);
        tell(&mut transcript, &model);
        let enters = transcript.next_steps() == [Step::Act(Action::Enter)];
        assert_eq!(enters, runs, "{word}");
    }
}

/// Types a word into the command palette.
fn type_into_palette(model: &mut Model, word: &str) {
    perform_action(model, Action::Palette);
    for c in word.chars() {
        send_input(model, Input::Key(Key::plain(Code::Char(c))));
    }
}

#[test]
fn line_for_another_screen_is_dropped() {
    let model = pane_model(Lang::Pt, balcao::app::Pane::Links);
    let mut transcript = Transcript::default();
    tell(&mut transcript, &model);
    let other = find_model(Lang::Pt, "login");
    assert_eq!(transcript.read(&other, "novo", Pace::Deliberate), []);
    let told = tell(&mut transcript, &other).text;
    assert!(told.contains("A tela mudou antes da resposta"), "{told}");
}
