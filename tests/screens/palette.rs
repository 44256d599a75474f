//! Tests which command the command palette lists first for a search text, in both languages.

use std::collections::BTreeSet;

use balcao::app::screens::Layer;
use balcao::app::store::commands::{Command, Hint, is_guarded};
use balcao::app::ui::action::Action;
use balcao::app::{Model, Pane, router};
use balcao::words::Lang;

use crate::demo::{in_demo, typed_over};
use crate::models::{self, asks_for, named};

/// Returns the app model with this name. Its command palette contains the demo's commands.
fn screen(lang: Lang, name: &str) -> Model {
    in_demo(named(lang, name), lang)
}

fn found(model: &Model) -> Vec<Command> {
    match model.layers.last() {
        Some(Layer::Palette(palette)) => palette.found.clone(),
        other => panic!("no palette but {other:?}"),
    }
}

/// Returns the rows below the search field of the open command palette.
fn lines(model: &Model) -> Vec<String> {
    let shown = models::screen(model);
    let lines = shown.lines().skip_while(|line| !line.contains("│ ›")).skip(1);
    lines.take_while(|line| line.contains('│')).map(str::to_owned).collect()
}

fn fault(name: &str) -> Command {
    Command::Fault(name.into())
}

/// Search texts for a command palette that was opened on the links pane. Each has the command that
/// must be listed first.
fn over_links() -> Vec<(&'static str, Command)> {
    let new = Command::New;
    let mut rows = vec![
        ("novo link", new(Pane::Links)),
        ("new link", new(Pane::Links)),
        ("link", new(Pane::Links)),
        ("novo", new(Pane::Links)),
        ("new", new(Pane::Links)),
        ("novo saque", new(Pane::Withdrawals)),
        ("new withdrawal", new(Pane::Withdrawals)),
        ("taxa", new(Pane::Withdrawals)),
        ("fee", new(Pane::Withdrawals)),
        ("nova cobrança", new(Pane::Charges)),
        ("falha", fault("lose-answer")),
        ("fault", fault("lose-answer")),
        ("FALHAS", fault("lose-answer")),
        ("visão", Command::BuyersView),
        ("buyer view", Command::BuyersView),
        ("roteiro", Command::Story(true)),
        ("story", Command::Story(true)),
        ("cobrar", new(Pane::Charges)),
        ("tema", Command::Theme("default".into())),
        ("theme", Command::Theme("default".into())),
        ("dark", Command::Theme("dark".into())),
        ("saldo", Command::Hint(Hint::Balance)),
        ("balance", Command::Hint(Hint::Balance)),
        ("exportar", Command::Hint(Hint::Export)),
        ("export", Command::Hint(Hint::Export)),
    ];
    for (typed, action) in [
        ("comprovante", Action::Receipt),
        ("receipt", Action::Receipt),
        ("apelido", Action::Nickname),
        ("nickname", Action::Nickname),
        ("cancelar", Action::Discard),
        ("cancel", Action::Discard),
        ("descarta", Action::Discard),
    ] {
        rows.push((typed, Command::Hint(Hint::Where(action))));
    }
    for (typed, action) in [
        ("ajuda", Action::Help),
        ("help", Action::Help),
        ("Atalhos", Action::Help),
        ("pix", Action::Withdrawals),
        ("saque", Action::Withdrawals),
        ("withdraw", Action::Withdrawals),
        ("cobrança", Action::Charges),
        ("cobranca", Action::Charges),
        ("charges", Action::Charges),
        ("domínio", Action::Domains),
        ("dominio", Action::Domains),
        ("domain", Action::Domains),
        ("requisições", Action::Exchanges),
        ("requests", Action::Exchanges),
        ("entrar", Action::Account),
        ("login", Action::Account),
        ("token", Action::Account),
        ("logout", Action::Account),
        ("whatsapp", Action::Share),
        ("copiar", Action::Copy),
        ("copy link", Action::Copy),
        ("navegador", Action::Browse),
        ("browser", Action::Browse),
        ("qr", Action::Qr),
        ("buscar", Action::Search),
        ("search", Action::Search),
        ("atualizar", Action::Refresh),
        ("sair", Action::Leave),
        ("quit", Action::Leave),
    ] {
        rows.push((typed, Command::Do(action)));
    }
    rows
}

#[test]
fn the_first_hit_is_what_was_meant() {
    let mut wrong = vec![];
    for lang in Lang::ALL {
        let screens = ["links", "account", "withdrawal-prepared", "withdrawals", "charges"];
        let screens = screens.map(|name| (name, screen(lang, name)));
        let mut see = |name: &str, typed: &str, wanted: Option<&Command>| {
            let (_, model) = screens.iter().find(|(known, _)| *known == name).unwrap();
            let first = found(&typed_over(model.clone(), typed)).into_iter().next();
            if first.as_ref() != wanted {
                wrong.push(format!("{name}, {}: {typed} finds {first:?}", lang.tag()));
            }
        };
        for (typed, wanted) in over_links() {
            see("links", typed, Some(&wanted));
        }
        for typed in ["xyz", "jwt falh", "ajudo"] {
            see("links", typed, None);
        }
        for (typed, action) in [
            ("logout", Action::LogOut),
            ("log out", Action::LogOut),
            ("deslogar", Action::LogOut),
            ("login", Action::LogIn),
            ("jwt", Action::PasteJwt),
        ] {
            see("account", typed, Some(&Command::Do(action)));
        }
        let other = if lang == Lang::Pt { Lang::En } else { Lang::Pt };
        for typed in ["idioma", "language"] {
            see("links", typed, Some(&Command::Language(other)));
        }
        for typed in ["discard", "descartar", "cancelar", "cancel"] {
            see("withdrawal-prepared", typed, Some(&Command::Do(Action::Discard)));
        }
        see("withdrawal-prepared", "novo link", Some(&Command::New(Pane::Links)));
        see("withdrawals", "novo", Some(&Command::New(Pane::Withdrawals)));
        see("charges", "pix", Some(&Command::New(Pane::Charges)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn listed_line_is_found_by_its_own_words() {
    for lang in Lang::ALL {
        let model = screen(lang, "links");
        let listed = found(&typed_over(model.clone(), ""));
        let items = model.setup.labels.of(lang).iter();
        for item in items.filter(|item| listed.contains(&item.command)) {
            let typed = found(&typed_over(model.clone(), &item.label));
            assert!(typed.contains(&item.command), "{}: {typed:?}", item.label);
        }
    }
    let typed = |typed| found(&typed_over(screen(Lang::Pt, "links"), typed));
    for (words, name) in [
        ("409", "key-busy"),
        ("outro valor", "other-amount"),
        ("responder 503", "answer-503"),
        ("perder", "lose-answer"),
        ("expirar o jwt", "expire-jwt"),
    ] {
        assert_eq!(typed(words).first(), Some(&fault(name)), "{words}");
    }
}

#[test]
fn line_of_another_pane_says_pane_and_key() {
    for (lang, typed, wanted) in [
        (Lang::Pt, "comprovante", "Comprovante: em 3 Saques, v"),
        (Lang::En, "receipt", "Receipt: in 3 Withdrawals, v"),
        (Lang::Pt, "colar", "Colar JWT: em 6 Conta, J"),
    ] {
        let shown = models::screen(&typed_over(screen(lang, "links"), typed));
        assert!(shown.contains(wanted), "{shown}");
    }
}

#[test]
fn footer_palette_and_help_use_the_same_words() {
    for lang in Lang::ALL {
        for (name, model) in models::all(lang) {
            let is_pane = model.layers.is_empty() && !router::is_searching(&model);
            if !is_pane || model.setup.read_only {
                continue;
            }
            let mut help = model.clone();
            asks_for(&mut help, Action::Help);
            let shown = |model: &Model| {
                models::running(&models::text(&models::buffer(model, 200, 200)).to_lowercase())
            };
            let help = shown(&help);
            let footer = models::screen(&model);
            let actions = router::actions_with(&model, false);
            for action in &actions.offered {
                let label = actions.label(model.words(), *action).to_lowercase();
                let key = model.render_cx().first_key(*action);
                assert!(help.contains(&*label), "{name}: {label} in {help}");
                let is_in_footer = footer.contains(&format!(" {key} {label}"));
                let has_line = model
                    .setup
                    .labels
                    .of(lang)
                    .iter()
                    .any(|item| item.command == Command::Do(*action));
                if is_in_footer && has_line && *action != Action::Palette {
                    let palette = typed_over(model.clone(), &label);
                    let lines = lines(&palette);
                    let has_word = |line: &String| line.to_lowercase().contains(&*label);
                    assert!(lines.iter().any(has_word), "{name}: {label} in {lines:?}");
                }
            }
        }
    }
}

#[test]
fn help_lists_keys_of_this_screen_first_then_others() {
    for lang in Lang::ALL {
        let mut model = screen(lang, "links");
        let here = router::actions_with(&model, false);
        asks_for(&mut model, Action::Help);
        let shown = models::text(&models::buffer(&model, 98, 200));
        let title = |id| format!(" {}", model.words().text(id));
        let line = |text: &str| shown.lines().position(|line| line.trim_end() == text);
        let [first, others] = ["aim-here", "aim-go"].map(|id| line(&title(id)).unwrap());
        for action in Action::ALL {
            let label = match here.offered.contains(action) {
                true => here.label(model.words(), *action),
                false => action.word(lang).into(),
            };
            let (key, what) =
                (model.render_cx().first_key(*action), action.explained(&label, model.words()));
            let what: String = what.chars().take(30).collect();
            let is_it = |line: &str| {
                line.starts_with(&format!("   {key} ")) && line.contains(&format!("  {what}"))
            };
            let at: Vec<_> = shown.lines().enumerate().filter(|(_, line)| is_it(line)).collect();
            let [(at, _)] = at[..] else { panic!("{action:?} {what}: {at:?}\n{shown}") };
            assert!(first < at && (at < others) == here.offered.contains(action), "{action:?}");
        }
    }
}

/// Returns short texts with which a command could be searched for: the first one to three letters
/// of each word, and all pairs of first letters. Numbers are left out.
fn beginnings(model: &Model) -> BTreeSet<String> {
    let words = model
        .setup
        .labels
        .of(model.setup.lang)
        .iter()
        .flat_map(|item| [&item.words, &item.also, &item.only]);
    let words = words.flatten().filter(|word| word.parse::<u32>().is_err());
    let words: BTreeSet<&String> = words.collect();
    let begin = |most| {
        let begin = move |word: &&String| word.chars().take(most).collect::<String>();
        words.iter().map(begin).collect::<BTreeSet<String>>()
    };
    let one = begin(1);
    let pairs = one.iter().flat_map(|a| one.iter().map(move |b| format!("{a} {b}")));
    one.iter().cloned().chain(begin(2)).chain(begin(3)).chain(pairs).collect()
}

#[test]
fn short_query_never_ranks_guarded_command_first() {
    for lang in Lang::ALL {
        for name in ["links", "account", "withdrawal-prepared", "withdrawals", "domains-listed"] {
            let mut model = screen(lang, name);
            let typed = beginnings(&model);
            assert!(typed.len() > 500, "{}", typed.len());
            for typed in typed.iter().map(String::as_str).chain([""]) {
                asks_for(&mut model, Action::Palette);
                let store = model.store.clone();
                let Some(Layer::Palette(palette)) = model.layers.last_mut() else { panic!() };
                palette.query = typed.into();
                palette.find(&store);
                let found = found(&model);
                assert!(!found.first().is_some_and(is_guarded), "{name}: {typed} {:?}", found[0]);
                model.layers.pop();
            }
        }
    }
}

#[test]
fn guarded_commands_need_their_own_long_words() {
    for lang in Lang::ALL {
        for item in screen(lang, "links").setup.labels.of(lang) {
            assert_eq!(is_guarded(&item.command), !item.only.is_empty(), "{item:?}");
            let is_long = |word: &String| word.chars().count() > 3 || word.parse::<u32>().is_ok();
            assert!(item.only.iter().all(is_long), "{item:?}");
        }
    }
}

#[test]
fn found_commands_are_shown() {
    let links = screen(Lang::Pt, "links");
    let shown = ["novo", "pix", "logout", "falha link", "sair", "xyz"].map(|typed| {
        let model = typed_over(links.clone(), typed);
        let shown = models::screen(&model);
        // Keep the box of the palette, and the row below the box, which explains the effect of
        // Enter.
        let lines = shown.lines().skip(3).filter(|line| !line.trim_matches(EMPTY).is_empty());
        lines.collect::<Vec<_>>().join("\n")
    });
    insta::assert_snapshot!("palette-pt-BR", shown.join("\n\n"));
}

/// The characters in a row of the palette's box that is empty.
const EMPTY: [char; 2] = [' ', '│'];
