//! Tests which command the command palette lists first for a search text, in both languages.

use std::collections::BTreeSet;

use balcao::app::screens::Layer;
use balcao::app::store::commands::{Command, Hint, is_guarded};
use balcao::app::store::faults::{ArmedFault, FaultKind};
use balcao::app::ui::action::Action;
use balcao::app::{Effect, Model, Pane, router};
use balcao::words::Lang;

use crate::demo::{into_demo, with_palette_query};
use crate::models::{self, find_model, perform_action};

/// Returns the app model with this name. Its command palette contains the demo's commands.
fn demo_model(lang: Lang, name: &str) -> Model {
    into_demo(find_model(lang, name), lang)
}

fn listed_commands(model: &Model) -> Vec<Command> {
    match model.layers.last() {
        Some(Layer::Palette(palette)) => palette.matches.clone(),
        other => panic!("no palette but {other:?}"),
    }
}

/// Returns the rows below the search field of the open command palette.
fn palette_rows(model: &Model) -> Vec<String> {
    let screen = models::screen_text(model);
    let lines = screen
        .lines()
        .skip_while(|line| !line.contains("│ ›"))
        .skip(1);
    lines
        .take_while(|line| line.contains('│'))
        .map(str::to_owned)
        .collect()
}

fn fault_command(name: &str) -> Command {
    Command::Fault(name.into())
}

/// Search texts for a command palette that was opened on the links pane. Each has the command that
/// must be listed first.
fn queries_on_links_pane() -> Vec<(&'static str, Command)> {
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
        ("falha", fault_command("lose-answer")),
        ("fault", fault_command("lose-answer")),
        ("FALHAS", fault_command("lose-answer")),
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
        ("exportar", Command::Do(Action::Save)),
        ("export", Command::Do(Action::Save)),
    ];
    for (query, action) in [
        ("comprovante", Action::Receipt),
        ("receipt", Action::Receipt),
        ("apelido", Action::Nickname),
        ("nickname", Action::Nickname),
    ] {
        rows.push((query, Command::Hint(Hint::Where(action))));
    }
    for (query, action) in [
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
        ("cancelar", Action::Discard),
        ("cancel", Action::Discard),
    ] {
        rows.push((query, Command::Do(action)));
    }
    rows
}

#[test]
fn first_hit_is_the_expected_command() {
    let mut failures = vec![];
    for lang in Lang::ALL {
        let screens = [
            "links",
            "account",
            "withdrawal-prepared",
            "withdrawals",
            "charges",
        ];
        let screens = screens.map(|name| (name, demo_model(lang, name)));
        let mut check_first = |name: &str, query: &str, expected: Option<&Command>| {
            let (_, model) = screens
                .iter()
                .find(|(known_name, _)| *known_name == name)
                .unwrap();
            let first = listed_commands(&with_palette_query(model.clone(), query))
                .into_iter()
                .next();
            if first.as_ref() != expected {
                failures.push(format!("{name}, {}: {query} finds {first:?}", lang.tag()));
            }
        };
        for (query, expected) in queries_on_links_pane() {
            check_first("links", query, Some(&expected));
        }
        for query in ["xyz", "jwt falh", "ajudo"] {
            check_first("links", query, None);
        }
        for (query, action) in [
            ("logout", Action::LogOut),
            ("log out", Action::LogOut),
            ("deslogar", Action::LogOut),
            ("login", Action::LogIn),
            ("jwt", Action::PasteJwt),
        ] {
            check_first("account", query, Some(&Command::Do(action)));
        }
        let other = if lang == Lang::Pt { Lang::En } else { Lang::Pt };
        for query in ["idioma", "language"] {
            check_first("links", query, Some(&Command::Language(other)));
        }
        for query in ["discard", "descartar", "cancelar", "cancel"] {
            check_first(
                "withdrawal-prepared",
                query,
                Some(&Command::Do(Action::Discard)),
            );
        }
        check_first(
            "withdrawal-prepared",
            "novo link",
            Some(&Command::New(Pane::Links)),
        );
        check_first(
            "withdrawals",
            "novo",
            Some(&Command::New(Pane::Withdrawals)),
        );
        check_first("charges", "pix", Some(&Command::New(Pane::Charges)));
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The search texts in README's table of faults: the Portuguese one, the English one, and the
/// command that both must find first.
fn readme_queries() -> Vec<(&'static str, &'static str, Command)> {
    vec![
        ("token", "token", fault_command("expire-token")),
        ("429", "429", fault_command("too-many")),
        ("sandbox recusar", "sandbox refuse", fault_command("refuse")),
        ("retirar", "remove", Command::NoFaults),
        ("demorar 5 s", "take 5 s", fault_command("slow")),
        ("perder", "lose", fault_command("lose-answer")),
        ("cair", "drop", fault_command("drop-before")),
        ("cortar", "cut", fault_command("cut-json")),
        ("500", "500", fault_command("answer-500")),
        ("409", "409", fault_command("key-busy")),
        ("400", "400", fault_command("answer-400")),
        ("307", "307", fault_command("redirect")),
        ("failed", "failed", fault_command("says-failed")),
        ("adiantar", "move the clock forward", Command::Forward),
        (
            "outro valor",
            "another amount",
            fault_command("other-amount"),
        ),
        ("taxa", "fee", fault_command("no-quote")),
        (
            "expirar o JWT",
            "expire the JWT",
            fault_command("expire-jwt"),
        ),
    ]
}

#[test]
fn readme_table_of_faults_works_in_every_pane() {
    let readme = include_str!("../../README.md");
    let table = readme.split("| to show | in the palette |").nth(1).unwrap();
    let rows = table.lines().take_while(|line| !line.starts_with('#'));
    let cells = rows.filter_map(|row| row.split('|').nth(2));
    let named: BTreeSet<&str> = cells
        .flat_map(|cell| cell.split('*').skip(1).step_by(2))
        .collect();
    let queries = readme_queries();
    assert_eq!(named, queries.iter().map(|(query, ..)| *query).collect());
    let mut failures = vec![];
    for lang in Lang::ALL {
        let mut model = demo_model(lang, "links");
        // Faults can be removed only while there are some.
        model.faults = vec![ArmedFault {
            what: FaultKind::Named("slow".into()),
            times: None,
        }];
        for pane in Pane::ALL {
            perform_action(&mut model, pane.action());
            for (pt, en, expected) in &queries {
                let is_typed_alone = matches!(expected, Command::Fault(name) if &**name == "refuse")
                    || !matches!(expected, Command::Fault(_));
                let query = if lang == Lang::Pt { pt } else { en };
                let group = if lang == Lang::Pt { "falha " } else { "fault " };
                let typed = format!("{}{query}", if is_typed_alone { "" } else { group });
                let mut palette = with_palette_query(model.clone(), &typed);
                let effects = models::press(&mut palette, "Enter");
                if effects != [Effect::Demo(expected.clone())] {
                    failures.push(format!(
                        "{}, {pane:?}: {typed} runs {effects:?}",
                        lang.tag()
                    ));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn listed_line_is_found_by_its_own_words() {
    for lang in Lang::ALL {
        let model = demo_model(lang, "links");
        let all_commands = listed_commands(&with_palette_query(model.clone(), ""));
        let items = model.setup.labels.of(lang).iter();
        for item in items.filter(|item| all_commands.contains(&item.command)) {
            let matches = listed_commands(&with_palette_query(model.clone(), &item.label));
            assert!(
                matches.contains(&item.command),
                "{}: {matches:?}",
                item.label
            );
        }
    }
    let matches =
        |query| listed_commands(&with_palette_query(demo_model(Lang::Pt, "links"), query));
    for (query, name) in [
        ("409", "key-busy"),
        ("outro valor", "other-amount"),
        ("responder 503", "answer-503"),
        ("perder", "lose-answer"),
        ("expirar o jwt", "expire-jwt"),
    ] {
        assert_eq!(
            matches(query).first(),
            Some(&fault_command(name)),
            "{query}"
        );
    }
}

#[test]
fn line_of_another_pane_says_pane_and_key() {
    for (lang, query, expected) in [
        (Lang::Pt, "comprovante", "Comprovante: em 3 Saques, v"),
        (Lang::En, "receipt", "Receipt: in 3 Withdrawals, v"),
        (Lang::Pt, "colar", "Colar JWT: em 6 Conta, J"),
    ] {
        let screen = models::screen_text(&with_palette_query(demo_model(lang, "links"), query));
        assert!(screen.contains(expected), "{screen}");
    }
}

#[test]
fn footer_palette_and_help_use_the_same_words() {
    for lang in Lang::ALL {
        for (name, model) in models::all_models(lang) {
            let is_pane = model.layers.is_empty() && !router::is_searching(&model);
            if !is_pane || model.setup.read_only {
                continue;
            }
            let mut help = model.clone();
            perform_action(&mut help, Action::Help);
            let lower_case_text = |model: &Model| {
                models::normalize_spaces(
                    &models::text(&models::buffer(model, 200, 200)).to_lowercase(),
                )
            };
            let help = lower_case_text(&help);
            let footer = models::screen_text(&model);
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
                    let palette = with_palette_query(model.clone(), &label);
                    let lines = palette_rows(&palette);
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
        let mut model = demo_model(lang, "links");
        let pane_actions = router::actions_with(&model, false);
        perform_action(&mut model, Action::Help);
        let help_text = models::text(&models::buffer(&model, 98, 200));
        let heading = |id| format!(" {}", model.words().text(id));
        let line_of = |text: &str| help_text.lines().position(|line| line.trim_end() == text);
        let [first_heading, others_heading] =
            ["aim-here", "aim-go"].map(|id| line_of(&heading(id)).unwrap());
        for action in Action::ALL {
            let label = if pane_actions.offered.contains(action) {
                pane_actions.label(model.words(), *action)
            } else {
                action.label_text(lang).into()
            };
            let key = model.render_cx().first_key(*action);
            let explanation = action.help_text(&label, model.words());
            let explanation: String = explanation.chars().take(30).collect();
            let is_action_line = |line: &str| {
                line.starts_with(&format!("   {key} "))
                    && line.contains(&format!("  {explanation}"))
            };
            let matching_lines: Vec<_> = help_text
                .lines()
                .enumerate()
                .filter(|(_, line)| is_action_line(line))
                .collect();
            let [(line_number, _)] = matching_lines[..] else {
                panic!("{action:?} {explanation}: {matching_lines:?}\n{help_text}")
            };
            assert!(
                first_heading < line_number
                    && (line_number < others_heading) == pane_actions.offered.contains(action),
                "{action:?}"
            );
        }
    }
}

/// Returns short texts with which a command could be searched for: the first one to three letters
/// of each word, and all pairs of first letters. Numbers are left out.
fn short_queries(model: &Model) -> BTreeSet<String> {
    let words = model
        .setup
        .labels
        .of(model.setup.lang)
        .iter()
        .flat_map(|item| [&item.words, &item.aliases, &item.guard_words]);
    let words = words.flatten().filter(|word| word.parse::<u32>().is_err());
    let words: BTreeSet<&String> = words.collect();
    let prefixes = |max_letters| {
        let prefix = move |word: &&String| word.chars().take(max_letters).collect::<String>();
        words.iter().map(prefix).collect::<BTreeSet<String>>()
    };
    let first_letters = prefixes(1);
    let pairs = first_letters
        .iter()
        .flat_map(|a| first_letters.iter().map(move |b| format!("{a} {b}")));
    first_letters
        .iter()
        .cloned()
        .chain(prefixes(2))
        .chain(prefixes(3))
        .chain(pairs)
        .collect()
}

#[test]
fn short_query_never_ranks_guarded_command_first() {
    for lang in Lang::ALL {
        for name in [
            "links",
            "account",
            "withdrawal-prepared",
            "withdrawals",
            "domains-listed",
        ] {
            let mut model = demo_model(lang, name);
            let queries = short_queries(&model);
            assert!(queries.len() > 500, "{}", queries.len());
            for query in queries.iter().map(String::as_str).chain([""]) {
                perform_action(&mut model, Action::Palette);
                let store = model.store.clone();
                let Some(Layer::Palette(palette)) = model.layers.last_mut() else {
                    panic!()
                };
                palette.query = query.into();
                palette.update_matches(&store);
                let commands = listed_commands(&model);
                assert!(
                    !commands.first().is_some_and(is_guarded),
                    "{name}: {query} {:?}",
                    commands[0]
                );
                model.layers.pop();
            }
        }
    }
}

#[test]
fn guarded_commands_need_their_own_long_words() {
    for lang in Lang::ALL {
        for item in demo_model(lang, "links").setup.labels.of(lang) {
            assert_eq!(
                is_guarded(&item.command),
                !item.guard_words.is_empty(),
                "{item:?}"
            );
            let is_long = |word: &String| word.chars().count() > 3 || word.parse::<u32>().is_ok();
            assert!(item.guard_words.iter().all(is_long), "{item:?}");
        }
    }
}

#[test]
fn found_commands_are_shown() {
    let links_model = demo_model(Lang::Pt, "links");
    let screens = ["novo", "pix", "logout", "falha link", "sair", "xyz"].map(|query| {
        let model = with_palette_query(links_model.clone(), query);
        let screen = models::screen_text(&model);
        // Keep the box of the palette, and the row below the box, which explains the effect of
        // Enter.
        let lines = screen
            .lines()
            .skip(3)
            .filter(|line| !line.trim_matches(EMPTY_ROW_CHARACTERS).is_empty());
        lines.collect::<Vec<_>>().join("\n")
    });
    insta::assert_snapshot!("palette-pt-BR", screens.join("\n\n"));
}

const EMPTY_ROW_CHARACTERS: [char; 2] = [' ', '│'];
