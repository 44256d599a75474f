//! Tests of the command palette: which commands match, their order, and running them.

use super::*;
use crate::app::store::commands::{self, Hint, PaletteItems};
use crate::app::store::setup::Look;
use crate::app::ui::Role;

fn app_with_commands(items: Vec<Item>) -> App {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    app.model.setup.labels = items.into_iter().collect();
    app
}

fn action(action: Action, label: &str) -> Item {
    Item::new(Command::Do(action), label)
}

/// Opens the palette, types a text, closes the palette, and returns the commands that matched.
fn matching_commands(app: &mut App, typed: &str) -> Vec<Command> {
    app.press("Ctrl-K");
    app.type_text(typed);
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    let found = palette.matches.clone();
    app.press("Esc");
    found
}

fn actions(actions: &[Action]) -> Vec<Command> {
    actions.iter().map(|action| Command::Do(*action)).collect()
}

#[test]
fn typed_words_match_word_starts_of_label_or_alias() {
    let help = action(Action::Help, "Ver as teclas").with_aliases("ajuda help");
    let items = vec![help, action(Action::Account, "Açaí: a Conta, só")];
    let mut app = app_with_commands(items);
    for (typed, expected) in [
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
        assert_eq!(
            matching_commands(&mut app, typed),
            actions(expected),
            "{typed}"
        );
    }
}

#[test]
fn current_screen_commands_first_then_label_matches() {
    let mut app = app_with_commands(vec![
        action(Action::Help, "Ver as teclas").with_aliases("copas"),
        action(Action::Account, "Ver as copias"),
        action(Action::Copy, "Copiar"),
    ]);
    let expected = actions(&[Action::Copy, Action::Account, Action::Help]);
    assert_eq!(matching_commands(&mut app, "cop"), expected);
    assert_eq!(
        matching_commands(&mut app, ""),
        actions(&[Action::Copy, Action::Help, Action::Account])
    );
}

#[test]
fn last_used_command_comes_first_among_equals() {
    let mut app = app_with_commands(vec![
        action(Action::Redraw, "Ver um"),
        action(Action::Help, "Ver dois"),
        action(Action::Account, "Ver três"),
        action(Action::Copy, "Ver aqui"),
    ]);
    let run_from_palette = |app: &mut App, typed: &str| {
        app.press("Ctrl-K");
        app.type_text(typed);
        app.press("Enter Esc 1");
    };
    for typed in ["um", "dois", "tres", "dois"] {
        run_from_palette(&mut app, typed);
    }
    let expected = actions(&[Action::Copy, Action::Help, Action::Account, Action::Redraw]);
    assert_eq!(matching_commands(&mut app, "ver"), expected);
    assert_eq!(
        app.model.recent_commands.len(),
        3,
        "each is remembered once"
    );
    // Running an action by its key does not count as using its palette command.
    app.press("Ctrl-L");
    assert_eq!(matching_commands(&mut app, "ver"), expected);
}

#[test]
fn destructive_command_found_only_by_whole_word() {
    let leave = action(Action::Leave, "Sair do programa").with_aliases("log out logout");
    let leave = leave.with_guard_words("sair logout");
    let mut app = app_with_commands(vec![leave, action(Action::Help, "Saida")]);
    for typed in ["sai", "programa", "log"] {
        assert!(
            !matching_commands(&mut app, typed).contains(&Command::Do(Action::Leave)),
            "{typed}"
        );
    }
    for typed in ["sair", "SAIR", "sair prog", "logout", "log out"] {
        assert_eq!(
            matching_commands(&mut app, typed),
            actions(&[Action::Leave]),
            "{typed}"
        );
    }
    // If nothing is typed, all commands are listed. A destructive command comes last, even if it
    // was used recently.
    app.model.recent_commands = actions(&[Action::Leave]);
    assert_eq!(
        matching_commands(&mut app, ""),
        actions(&[Action::Help, Action::Leave])
    );
}

#[test]
fn new_form_opens_from_any_screen_unless_text_typed() {
    let items = || [Pane::Links, Pane::Withdrawals, Pane::Charges].map(Command::New);
    let mut app = app_with_commands(items().map(|command| Item::new(command, "Novo")).to_vec());
    app.press("6 Ctrl-K");
    app.type_text("novo");
    app.press("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)));
    assert_eq!(app.model.pane, Pane::Links);
    app.press("1");
    assert_eq!(
        matching_commands(&mut app, "novo"),
        [],
        "an amount was typed"
    );
    app.press("Esc Right Enter 3");
    let first = matching_commands(&mut app, "novo");
    assert_eq!(first[0], Command::New(Pane::Withdrawals));
    app.press("Ctrl-K Enter");
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
}

#[test]
fn open_palette_lists_newly_possible_commands() {
    let items = vec![
        action(Action::Help, "Ver as teclas"),
        action(Action::Copy, "Copiar o link"),
    ];
    let mut app = App::logged_in();
    app.model.setup.labels = items.into_iter().collect();
    app.press("Ctrl-K");
    app.type_text("copiar");
    let listed_commands = |app: &App| {
        let Layer::Palette(palette) = app.top() else {
            panic!()
        };
        palette.matches.clone()
    };
    assert_eq!(listed_commands(&app), vec![]);
    // The list of links arrives while the palette is open.
    app.load_links(vec![link("https://loja.example/x")]);
    assert_eq!(listed_commands(&app), actions(&[Action::Copy]));
}

/// Opens a palette with every command of the app, and types a text.
fn app_with_palette_text(text: &str) -> App {
    let mut app = App::logged_in();
    let lines = |lang| commands::items(lang, &[], &["light", "dark"]);
    app.model.setup.labels = PaletteItems::new(lines);
    app.press("Ctrl-K");
    app.type_text(text);
    app
}

fn selected_command(app: &App) -> Option<Command> {
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    palette.matches.get(palette.cursor).cloned()
}

#[test]
fn chosen_theme_is_used_at_once_and_kept_on_request() {
    let mut app = app_with_palette_text("dark");
    assert_eq!(app.press("Enter"), vec![Effect::UseTheme("dark".into())]);
    assert_eq!(
        selected_command(&app),
        Some(Command::KeepLook),
        "one more Enter keeps it"
    );
    let look = Look {
        theme: Some("dark".into()),
        lang: None,
    };
    assert_eq!(app.press("Enter"), vec![Effect::KeepLook(look.clone())]);
    assert!(app.model.layers.is_empty());
    app.deliver(Msg::LookSaved {
        look: look.clone(),
        result: Err("disk full".into()),
    });
    let not_kept = Notice::WithDetail("said-look-not-kept", "disk full".into());
    assert_eq!(shown_notice(&app), Some(&not_kept));
    assert_eq!(app.model.look, look, "it can be kept again");
    app.deliver(Msg::LookSaved {
        look,
        result: Ok(()),
    });
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-look-kept")));
    assert!(app.model.look.is_kept());
}

#[test]
fn theme_in_use_is_marked() {
    let mut app = app_with_palette_text("tema");
    let screen_text = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size).items);
    assert!(
        !screen_text(&app).contains("em uso"),
        "{}",
        screen_text(&app)
    );
    app.model.setup.theme = Some("light".into());
    assert_eq!(
        screen_text(&app).matches("em uso").count(),
        1,
        "{}",
        screen_text(&app)
    );
    app.type_text(" dark");
    app.press("Enter");
    assert_eq!(app.model.setup.theme, Some("dark".into()));
}

#[test]
fn demo_uses_chosen_look_without_offering_to_save_it() {
    let mut app = app_with_palette_text("dark");
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(app.press("Enter"), vec![Effect::UseTheme("dark".into())]);
    assert_ne!(selected_command(&app), Some(Command::KeepLook));
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::Plain(Role::Text, "said-look-for-run"))
    );
}

#[test]
fn chosen_language_is_shown_at_once_kept_on_request() {
    let mut app = app_with_palette_text("english");
    assert_eq!(selected_command(&app), Some(Command::Language(Lang::En)));
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(app.model.words().lang(), Lang::En);
    app.press("Esc");
    assert_eq!(app.model.words().lang(), Lang::En, "until the program ends");
    app.press("Ctrl-K");
    app.type_text("keep");
    let look = Look {
        theme: None,
        lang: Some(Lang::En),
    };
    assert_eq!(app.press("Enter"), vec![Effect::KeepLook(look)]);
}

#[test]
fn unchanged_look_cannot_be_saved() {
    let mut app = app_with_palette_text("guardar");
    assert_ne!(selected_command(&app), Some(Command::KeepLook));
    app.press("Esc Ctrl-K");
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    let is_hint = |command: &Command| matches!(command, Command::Hint(_));
    assert!(
        !palette.matches.iter().any(is_hint),
        "hints are found, not listed"
    );
}

#[test]
fn hint_command_opens_pane_or_shows_notice() {
    let mut app = app_with_palette_text("comprovante");
    app.press("Enter");
    assert_eq!(
        (app.model.pane, app.model.layers.len()),
        (Pane::Withdrawals, 0)
    );
    app.press("Ctrl-K");
    app.type_text("comprovante");
    app.press("Enter");
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::NotHere(Action::Receipt)),
        "the pane is in front"
    );
    app.press("1 n");
    app.type_text("1");
    app.press("Ctrl-K");
    app.type_text("comprovante");
    app.press("Enter");
    assert!(matches!(app.top(), Layer::NewLink(_)), "{:?}", app.top());
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-close-form-first"))
    );
    let mut app = app_with_palette_text("exportar");
    assert_eq!(app.press("Enter"), vec![]);
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::Plain(Role::Text, "said-export"))
    );
}

#[test]
fn pages_of_links_are_found_in_every_pane() {
    for pane in Pane::ALL {
        for (typed, action) in [
            ("importar", Action::Import),
            ("conciliar", Action::Reconcile),
        ] {
            let mut app = app_with_commands(commands::items(Lang::Pt, &[], &[]));
            app.model.pane = pane;
            let found = matching_commands(&mut app, typed);
            assert_eq!(found.first(), Some(&Command::Do(action)), "{pane:?}");
            let is_hint = |command: &Command| *command == Command::Hint(Hint::Where(action));
            assert!(!found.iter().any(is_hint), "{pane:?}");
            app.press("Ctrl-K");
            app.type_text(typed);
            app.press("Enter");
            assert_eq!(app.model.pane, Pane::Links);
            let is_open = match app.top() {
                Layer::ImportFile(_) => action == Action::Import,
                Layer::Reconcile(_) => action == Action::Reconcile,
                _ => false,
            };
            assert!(is_open, "{pane:?}: {typed}");
        }
    }
}
