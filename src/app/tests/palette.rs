//! Tests of the command palette: which commands match, their order, and running them.

use super::*;
use crate::app::store::commands::{self, PaletteLines};
use crate::app::store::setup::Look;
use crate::app::ui::Role;

fn labelled(items: Vec<Item>) -> App {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    app.model.setup.labels = items.into_iter().collect();
    app
}

fn action(action: Action, label: &str) -> Item {
    Item::new(Command::Do(action), label)
}

/// Opens the palette, types a text, closes the palette, and returns the commands that matched.
fn found(app: &mut App, typed: &str) -> Vec<Command> {
    app.keys("Ctrl-K");
    app.types(typed);
    let Layer::Palette(palette) = app.top() else { panic!() };
    let found = palette.found.clone();
    app.keys("Esc");
    found
}

fn actions(all: &[Action]) -> Vec<Command> {
    all.iter().map(|action| Command::Do(*action)).collect()
}

#[test]
fn typed_words_match_word_starts_of_label_or_alias() {
    let help = action(Action::Help, "Ver as teclas").also("ajuda help");
    let items = vec![help, action(Action::Account, "Açaí: a Conta, só")];
    let mut app = labelled(items);
    for (typed, wanted) in [
        ("conta", &[Action::Account][..]),
        ("CONT ACAI", &[Action::Account]),
        ("acai:so", &[Action::Account]),
        ("aça\u{302}", &[Action::Account]),
        ("aju", &[Action::Help]),
        ("ver help", &[Action::Help]),
        // The typed text must match the beginning of a word; `onta` does not match `conta`.
        ("onta", &[]),
        ("cta", &[]),
        ("ajuda conta", &[]),
        ("?!", &[]),
        ("  ", &[Action::Help, Action::Account]),
    ] {
        assert_eq!(found(&mut app, typed), actions(wanted), "{typed}");
    }
}

#[test]
fn current_screen_commands_first_then_label_matches() {
    let mut app = labelled(vec![
        action(Action::Help, "Ver as teclas").also("copas"),
        action(Action::Account, "Ver as copias"),
        action(Action::Copy, "Copiar"),
    ]);
    let wanted = actions(&[Action::Copy, Action::Account, Action::Help]);
    assert_eq!(found(&mut app, "cop"), wanted);
    assert_eq!(found(&mut app, ""), actions(&[Action::Copy, Action::Help, Action::Account]));
}

#[test]
fn among_equals_the_last_used_comes_first() {
    let mut app = labelled(vec![
        action(Action::Redraw, "Ver um"),
        action(Action::Help, "Ver dois"),
        action(Action::Account, "Ver três"),
        action(Action::Copy, "Ver aqui"),
    ]);
    let use_it = |app: &mut App, typed: &str| {
        app.keys("Ctrl-K");
        app.types(typed);
        app.keys("Enter Esc 1");
    };
    for typed in ["um", "dois", "tres", "dois"] {
        use_it(&mut app, typed);
    }
    let wanted = actions(&[Action::Copy, Action::Help, Action::Account, Action::Redraw]);
    assert_eq!(found(&mut app, "ver"), wanted);
    assert_eq!(app.model.recent_commands.len(), 3, "each is remembered once");
    // Running an action by its key does not count as using its palette command.
    app.keys("Ctrl-L");
    assert_eq!(found(&mut app, "ver"), wanted);
}

#[test]
fn destructive_command_found_only_by_whole_word() {
    let leave = action(Action::Leave, "Sair do programa").also("log out logout");
    let leave = leave.only("sair logout");
    let mut app = labelled(vec![leave, action(Action::Help, "Saida")]);
    for typed in ["sai", "programa", "log"] {
        assert!(!found(&mut app, typed).contains(&Command::Do(Action::Leave)), "{typed}");
    }
    for typed in ["sair", "SAIR", "sair prog", "logout", "log out"] {
        assert_eq!(found(&mut app, typed), actions(&[Action::Leave]), "{typed}");
    }
    // If nothing is typed, all commands are listed. A destructive command comes last, even if it
    // was used recently.
    app.model.recent_commands = actions(&[Action::Leave]);
    assert_eq!(found(&mut app, ""), actions(&[Action::Help, Action::Leave]));
}

#[test]
fn new_form_opens_from_any_screen_unless_text_typed() {
    let items = || [Pane::Links, Pane::Withdrawals, Pane::Charges].map(Command::New);
    let mut app = labelled(items().map(|command| Item::new(command, "Novo")).to_vec());
    app.keys("6 Ctrl-K");
    app.types("novo");
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    assert_eq!(app.model.pane, Pane::Links);
    app.keys("1");
    assert_eq!(found(&mut app, "novo"), [], "an amount was typed");
    app.keys("Esc Right Enter 3");
    let first = found(&mut app, "novo");
    assert_eq!(first[0], Command::New(Pane::Withdrawals));
    app.keys("Ctrl-K Enter");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
}

#[test]
fn open_palette_lists_newly_possible_commands() {
    let items = vec![action(Action::Help, "Ver as teclas"), action(Action::Copy, "Copiar o link")];
    let mut app = App::open();
    app.model.setup.labels = items.into_iter().collect();
    app.keys("Ctrl-K");
    app.types("copiar");
    let found = |app: &App| {
        let Layer::Palette(palette) = app.top() else { panic!() };
        palette.found.clone()
    };
    assert_eq!(found(&app), vec![]);
    // The list of links arrives while the palette is open.
    app.has_links(vec![link("https://loja.example/x")]);
    assert_eq!(found(&app), actions(&[Action::Copy]));
}

/// Opens a palette with every command of the app, and types a text.
fn typed(text: &str) -> App {
    let mut app = App::open();
    let lines = |lang| commands::items(lang, &[], &["light", "dark"]);
    app.model.setup.labels = PaletteLines::new(lines);
    app.keys("Ctrl-K");
    app.types(text);
    app
}

fn under_cursor(app: &App) -> Option<Command> {
    let Layer::Palette(palette) = app.top() else { panic!() };
    palette.found.get(palette.cursor).cloned()
}

#[test]
fn chosen_theme_is_used_at_once_and_kept_on_request() {
    let mut app = typed("dark");
    assert_eq!(app.keys("Enter"), vec![Effect::UseTheme("dark".into())]);
    assert_eq!(under_cursor(&app), Some(Command::KeepLook), "one more Enter keeps it");
    let look = Look { theme: Some("dark".into()), lang: None };
    assert_eq!(app.keys("Enter"), vec![Effect::KeepLook(look.clone())]);
    assert!(app.model.layers.is_empty());
    app.tell(Msg::LookKept { look: look.clone(), result: Err("disk full".into()) });
    let not_kept = Notice::WithDetail("said-look-not-kept", "disk full".into());
    assert_eq!(said(&app), Some(&not_kept));
    assert_eq!(app.model.look, look, "it can be kept again");
    app.tell(Msg::LookKept { look, result: Ok(()) });
    assert_eq!(said(&app), Some(&Notice::good("said-look-kept")));
    assert!(app.model.look.is_kept());
}

#[test]
fn theme_in_use_is_marked() {
    let mut app = typed("tema");
    let shown = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(!shown(&app).contains("em uso"), "{}", shown(&app));
    app.model.setup.theme = Some("light".into());
    assert_eq!(shown(&app).matches("em uso").count(), 1, "{}", shown(&app));
    app.types(" dark");
    app.keys("Enter");
    assert_eq!(app.model.setup.theme, Some("dark".into()));
}

#[test]
fn demo_uses_chosen_look_without_offering_to_save_it() {
    let mut app = typed("dark");
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(app.keys("Enter"), vec![Effect::UseTheme("dark".into())]);
    assert_ne!(under_cursor(&app), Some(Command::KeepLook));
    assert_eq!(said(&app), Some(&Notice::Plain(Role::Text, "said-look-for-run")));
}

#[test]
fn chosen_language_is_shown_at_once_kept_on_request() {
    let mut app = typed("english");
    assert_eq!(under_cursor(&app), Some(Command::Language(Lang::En)));
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(app.model.words().lang(), Lang::En);
    app.keys("Esc");
    assert_eq!(app.model.words().lang(), Lang::En, "until the program ends");
    app.keys("Ctrl-K");
    app.types("keep");
    let look = Look { theme: None, lang: Some(Lang::En) };
    assert_eq!(app.keys("Enter"), vec![Effect::KeepLook(look)]);
}

#[test]
fn nothing_to_keep_without_a_choice() {
    let mut app = typed("guardar");
    assert_ne!(under_cursor(&app), Some(Command::KeepLook));
    app.keys("Esc Ctrl-K");
    let Layer::Palette(palette) = app.top() else { panic!() };
    let is_hint = |command: &Command| matches!(command, Command::Hint(_));
    assert!(!palette.found.iter().any(is_hint), "hints are found, not listed");
}

#[test]
fn hint_shows_the_pane_or_says_its_sentence() {
    let mut app = typed("comprovante");
    app.keys("Enter");
    assert_eq!((app.model.pane, app.model.layers.len()), (Pane::Withdrawals, 0));
    app.keys("Ctrl-K");
    app.types("comprovante");
    app.keys("Enter");
    assert_eq!(said(&app), Some(&Notice::NotHere(Action::Receipt)), "the pane is in front");
    app.keys("1 n");
    app.types("1");
    app.keys("Ctrl-K");
    app.types("comprovante");
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)), "{:?}", app.top());
    assert_eq!(said(&app), Some(&Notice::warn("said-close-form-first")));
    let mut app = typed("exportar");
    assert_eq!(app.keys("Enter"), vec![]);
    assert_eq!(said(&app), Some(&Notice::Plain(Role::Text, "said-export")));
}
