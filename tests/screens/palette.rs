//! Tests which command a search in the command palette finds first, in both languages.

use std::collections::BTreeSet;

use balcao::app::screens::Layer;
use balcao::app::store::commands::{Command, is_guarded};
use balcao::app::ui::action::Action;
use balcao::app::{Model, Pane};
use balcao::words::Lang;

use crate::demo::{in_demo, typed_over};
use crate::models::{self, asks_for, named};

/// Returns the model with this name. Its command palette also contains the demo commands.
fn screen(lang: Lang, name: &str) -> Model {
    in_demo(named(lang, name), lang)
}

fn found(model: &Model) -> Vec<Command> {
    match model.layers.last() {
        Some(Layer::Palette(palette)) => palette.found.clone(),
        other => panic!("no palette but {other:?}"),
    }
}

fn fault(name: &str) -> Command {
    Command::Fault(name.into())
}

/// Search texts typed while the links pane is open, each with the command that must be found first.
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
    ];
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
        ("saldo", Action::Account),
        ("balance", Action::Account),
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
        for typed in ["xyz", "expirar o jwt", "jwt falh", "ajudo", "descarta"] {
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
        for typed in ["discard", "descartar"] {
            see("withdrawal-prepared", typed, Some(&Command::Do(Action::Discard)));
        }
        see("withdrawal-prepared", "novo link", Some(&Command::New(Pane::Links)));
        see("withdrawals", "novo", Some(&Command::New(Pane::Withdrawals)));
        see("charges", "pix", Some(&Command::New(Pane::Charges)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the short queries that can match a palette command: the first one, two and three letters
/// of each word, and all pairs of first letters.
fn beginnings(model: &Model) -> BTreeSet<String> {
    let words = model.setup.labels.iter().flat_map(|item| [&item.words, &item.also, &item.only]);
    let words: BTreeSet<&String> = words.flatten().collect();
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
        for item in screen(lang, "links").setup.labels.iter() {
            assert_eq!(is_guarded(&item.command), !item.only.is_empty(), "{item:?}");
            assert!(item.only.iter().all(|word| word.chars().count() > 3), "{item:?}");
        }
    }
}

#[test]
fn found_commands_are_shown() {
    let links = screen(Lang::Pt, "links");
    let shown = ["novo", "pix", "logout", "falha link", "sair", "xyz"].map(|typed| {
        let model = typed_over(links.clone(), typed);
        let shown = models::screen(&model);
        // Keep only the palette's box and the line below it, which shows what Enter does.
        let lines = shown.lines().skip(3).filter(|line| !line.trim_matches(EMPTY).is_empty());
        lines.collect::<Vec<_>>().join("\n")
    });
    insta::assert_snapshot!("palette-pt-BR", shown.join("\n\n"));
}

/// The characters of an empty row in the palette's box.
const EMPTY: [char; 2] = [' ', '│'];
