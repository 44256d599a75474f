//! Tests of properties that every screen must have, in every language, in every theme and at every
//! size.

use balcao::app::screen::Focus;
use balcao::app::store::payable_warnings;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use balcao::app::Model;
use balcao::app::cx::Question;
use balcao::app::router::read_tracker;
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::withdrawals::Flow;
use balcao::app::store::notice::Notice;
use balcao::app::ui::Area;
use balcao::app::ui::geometry::{self, MIN_SIZE};
use balcao::app::ui::keys::Keymap;
use balcao::trade::{CheckoutDomain, DomainState, Failure, KeyTable, Refusal};
use balcao::view::Theme;
use balcao::words::{Catalogue, Lang};
use ratatui::buffer::Cell;
use ratatui::style::Color;

use crate::models::{
    all_models, ascii, buffer, cursor, find_model, general_models, render_with_theme, screen_text,
    text,
};

#[test]
fn no_size_is_too_small_to_be_drawn() {
    let assert_drawn = |name: &str, model: &Model, columns, rows| {
        let result = std::panic::catch_unwind(AssertUnwindSafe(|| {
            buffer(model, columns, rows);
        }));
        assert!(result.is_ok(), "{name} at {columns}x{rows}");
    };
    for (n, (name, model)) in all_models(Lang::Pt).iter().enumerate() {
        for columns in 0..=60 {
            for rows in 0..=20 {
                // Draw only one screen below the minimum size, because all screens are the same
                // there. At the minimum size, draw all screens. Above it, draw each screen at a
                // quarter of the sizes.
                let fits = columns >= MIN_SIZE.columns && rows >= MIN_SIZE.rows;
                let is_min_size = columns == MIN_SIZE.columns && rows == MIN_SIZE.rows;
                let is_due = (usize::from(columns + 3 * rows) + n) % 4 == 0;
                if n == 0 || is_min_size || fits && is_due {
                    assert_drawn(name, model, columns, rows);
                }
            }
        }
    }
}

#[test]
fn mono_theme_has_the_same_text_without_colours() {
    let mono = Theme::named("mono").unwrap();
    for (name, model) in all_models(Lang::Pt) {
        let screen = render_with_theme(&model, &mono, 80, 24);
        assert_eq!(text(&screen), screen_text(&model), "{name}");
        // A QR code is black on white in every theme, because cameras cannot read other colours.
        let has_qr_code = screen
            .content
            .iter()
            .any(|cell| cell.bg == Color::Indexed(231));
        let coloured_cell = screen
            .content
            .iter()
            .find(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset);
        assert!(
            has_qr_code || coloured_cell.is_none(),
            "{name}: {coloured_cell:?}"
        );
    }
}

#[test]
fn theme_with_a_ground_fills_the_screen_and_terms() {
    let mono = Theme::named("mono").unwrap();
    for name in ["mocha", "gruvbox", "high-contrast"] {
        let theme = Theme::named(name).unwrap();
        let blank = theme.blank();
        let mut has_terms = false;
        for (model_name, model) in all_models(Lang::Pt) {
            for (columns, rows) in [(80, 24), (120, 40)] {
                let screen = render_with_theme(&model, &theme, columns, rows);
                let plain = render_with_theme(&model, &mono, columns, rows);
                assert_eq!(text(&screen), text(&plain), "{model_name} in {name}");
                let own = |cell: &&Cell| cell.bg == Color::Reset || cell.fg == Color::Reset;
                let fault = screen.content.iter().find(own);
                assert_eq!(fault, None, "{model_name} in {name}, {columns}");
                let corner = screen.content.last().unwrap();
                assert_eq!(Some(corner.bg), blank.bg, "{model_name} in {name}");
            }
            has_terms |= read_tracker::terms(&model).is_some();
        }
        assert!(has_terms, "{name}");
    }
}

#[test]
fn theme_that_hides_text_never_hides_terms() {
    let hide = |role| format!("[{role}]\nfg = \"#000000\"\nbg = \"black\"\n");
    let roles = [
        "text", "dim", "strong", "title", "money", "key", "quote", "warn", "bad",
    ];
    let hiding = Theme::from_toml(&roles.map(hide).concat())
        .unwrap()
        .on(Some([0; 3]));
    let dark = Theme::named("dark").unwrap();
    let [readable, unknown] = [Some([0; 3]), None].map(|ground| dark.on(ground));
    let mono = Theme::named("mono").unwrap();
    let mut terms_count = 0;
    for (name, model) in all_models(Lang::Pt) {
        let render = |theme| render_with_theme(&model, theme, 80, 24);
        let has_terms = read_tracker::terms(&model).is_some();
        terms_count += usize::from(has_terms);
        for theme in [&hiding, &unknown] {
            assert_eq!(render(theme) == render(&mono), has_terms, "{name}");
        }
        assert_ne!(render(&readable), render(&mono), "{name}");
    }
    assert!(terms_count > 20, "{terms_count}");
}

#[test]
fn plain_ascii_has_only_letters_of_the_language() {
    for lang in Lang::ALL {
        for (name, model) in all_models(lang) {
            let screen = screen_text(&ascii(model));
            let symbol = screen.chars().find(|c| *c > '\u{ff}');
            assert_eq!(symbol, None, "{name} in {}:\n{screen}", lang.tag());
        }
    }
}

#[test]
fn plain_ascii_has_ok_for_the_check_mark() {
    for lang in Lang::ALL {
        for (name, model) in all_models(lang) {
            if screen_text(&model).contains('✓') {
                let screen = screen_text(&ascii(model));
                assert!(
                    screen.contains("ok "),
                    "{name} in {}:\n{screen}",
                    lang.tag()
                );
            }
        }
    }
}

#[test]
fn no_text_is_clipped_at_80x24() {
    for lang in Lang::ALL {
        for (name, model) in all_models(lang) {
            let screen = screen_text(&model);
            for line in screen.lines() {
                // The last column of every screen must be empty. A letter in this column would mean
                // that a text was cut off.
                let last = line.chars().nth(79).unwrap_or(' ');
                assert!(!last.is_alphanumeric(), "{name} in {}:\n{line}", lang.tag());
            }
        }
    }
}

#[test]
fn text_of_the_app_is_never_cut() {
    for lang in Lang::ALL {
        // Skip the comparison of two requests. It cuts long values, and shows only the selected
        // values in full.
        for (name, model) in general_models(lang)
            .into_iter()
            .filter(|(name, _)| *name != "comparison")
        {
            let screen = screen_text(&model);
            // In "Bearer …", the "…" replaces a secret, so no text was cut off.
            let is_cut = |line: &&str| line.contains('…') && !line.contains("Bearer …");
            for line in screen.lines().filter(is_cut) {
                // A number after "…" is the duration of a running operation, as in "consultando… 3
                // s".
                let rest = line.split('…').nth(1).unwrap_or_default();
                let shows_duration = rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
                assert!(shows_duration, "{name} in {}:\n{line}", lang.tag());
            }
        }
    }
}

/// Returns the texts of all messages without values, in this language.
fn plain_messages(lang: Lang) -> Vec<&'static str> {
    let lines = lang
        .files()
        .into_iter()
        .flat_map(|(_, source)| source.lines());
    let texts = lines.filter_map(|line| Some(line.split_once(" = ")?.1.trim()));
    texts.filter(|text| !text.contains('{')).collect()
}

/// A label that is cut shows the beginning of one of the program's own texts, followed by "…".
/// Texts from outside the program may be cut.
#[test]
fn no_label_is_ever_cut() {
    let mut cut = vec![];
    for lang in Lang::ALL {
        let messages = plain_messages(lang);
        for (name, model) in all_models(lang) {
            for (columns, rows) in [(80, 24), (90, 30), (100, 34), (120, 40), (170, 50)] {
                let screen = text(&buffer(&model, columns, rows));
                let parts = screen.lines().flat_map(|line| line.split("  "));
                for part in parts.filter_map(|part| part.trim().strip_suffix('…')) {
                    let part = part.trim_start_matches(|c: char| !c.is_alphanumeric());
                    let is_cut = |message: &&&str| message.starts_with(part);
                    let is_whole = |message: &&str| *message == format!("{part}…");
                    if part.chars().count() > 3
                        && !messages.iter().any(is_whole)
                        && let Some(message) = messages.iter().find(is_cut)
                    {
                        cut.push(format!("{name} at {columns}x{rows}: {part}… of {message}"));
                    }
                }
            }
        }
    }
    assert!(cut.is_empty(), "{cut:#?}");
}

#[test]
fn hostile_text_prints_no_control_characters() {
    let hostile = "\u{1b}[2J\u{202e}\u{200b}\r\n\u{9b}31m".repeat(60);
    for (name, mut model) in all_models(Lang::Pt) {
        model.setup.profile = hostile.as_str().into();
        model.setup.title = hostile.as_str().into();
        model.setup.base_url = hostile.as_str().into();
        model.setup.origin.0 = hostile.as_str().into();
        model.domains.listed = Some(
            vec![CheckoutDomain {
                host: hostile.as_str().into(),
                state: DomainState::Pending(Some(hostile.as_str().into())),
                is_default: true,
            }]
            .into(),
        );
        let refusal = Refusal {
            status: 400,
            message: Some(hostile.as_str().into()),
            hint: Some(hostile.as_str().into()),
            retry_after: None,
        };
        model.domains.failure = Some(Failure::Refused(refusal));
        model.notice = Some(Notice::WithDetail(
            "said-not-watching",
            hostile.as_str().into(),
        ));
        let screen = screen_text(&model);
        let is_unsafe = |c: char| c.is_control() && c != '\n' || "\u{202e}\u{200b}".contains(c);
        assert!(!screen.contains(is_unsafe), "{name}:\n{screen}");
        if name == "domains-refused" {
            assert!(screen.contains("Nada mudou na sua conta."), "{screen}");
        }
    }
}

#[test]
fn dialog_takes_the_cursor_from_the_form() {
    let mut model = find_model(Lang::Pt, "login");
    let form_cursor = cursor(&model);
    model
        .layers
        .push(Layer::Dialog(Box::new(Dialog::new(Question::DropForm))));
    let back_cursor = cursor(&model);
    let Some(Layer::Dialog(dialog)) = model.layers.last_mut() else {
        unreachable!()
    };
    dialog.buttons.focus = Focus::Confirm;
    let confirm_cursor = cursor(&model);
    assert!(
        form_cursor.y != back_cursor.y
            && back_cursor.y == confirm_cursor.y
            && back_cursor.x < confirm_cursor.x
    );
}

#[test]
fn smallest_window_shows_failure_and_question() {
    for (name, words) in [
        ("login-refused", "O serviço não aceitou este login"),
        ("login-refused", "Seu acesso"),
        ("jwt-not-kept", "O chaveiro está trancado."),
        ("login-waiting", "Esc cancela"),
        ("ask-found", "Confirme só se você o viu"),
        ("review", "R$ 1.000,00"),
        ("review", "Sacar R$ 1.000,00"),
        ("withdrawal-unknown", "Saque de R$ 1.000,00\n"),
        ("withdrawal-unknown", "prazo para reenviar: 7 min 19 s"),
        ("withdrawal-unknown", "↓ mais "),
        ("guide-unknown", "Conferir na conta: R$ 1.000,00\n"),
        ("domains-asked-again", "Domínios: onde seus links abrem\n"),
        ("domains-asked-again", "Consultando domínios"),
        ("link-not-clean", "Link de pagamento"),
        ("charge", "y copiar código"),
        ("charge-not-sent", "existe."),
        ("link", "/checkout/link-7f3k2q"),
        ("review-another-open", "Leia até o fim"),
        ("ask-log-out", "serão apagados"),
        ("domains-refused", "Nada mudou na sua conta."),
        ("account", "JWT"),
        ("banner-unknown", "igual (tecla 3)"),
    ] {
        let model = find_model(Lang::Pt, name);
        let screen = text(&buffer(&model, MIN_SIZE.columns, MIN_SIZE.rows));
        assert!(screen.contains(words), "{name}:\n{screen}");
    }
}

#[test]
fn url_is_whole_or_screen_marks_that_more_follows() {
    for (name, model) in all_models(Lang::Pt) {
        let text_to_copy = match model.layers.last() {
            Some(Layer::Link(link)) => link
                .0
                .url()
                .map(|url| payable_warnings::mark_unsafe_characters(url).shown()),
            Some(Layer::Charge(charge)) => charge.0.pix_code().map(|code| code.shown()),
            _ => None,
        };
        let Some(full_text) = text_to_copy else {
            continue;
        };
        for columns in [60, 80, 100] {
            for rows in 18..=40 {
                let screen = text(&buffer(&model, columns, rows));
                // If the details are beside a list, read only the columns of the details. The rows
                // of the list would interrupt their text.
                let body = Area {
                    width: columns,
                    ..Area::default()
                };
                let beside = geometry::details(body);
                let from = beside.map_or(0, |area| usize::from(area.x));
                let details_part = |line: &str| line.chars().skip(from).collect::<String>();
                let beside: String = screen.lines().map(details_part).collect();
                let compact_text: String = format!("{screen}{beside}").split_whitespace().collect();
                let is_whole = compact_text.contains(&full_text.replace(' ', ""));
                let is_marked = screen.contains("↓ mais");
                assert!(
                    is_whole || is_marked,
                    "{name} at {columns}x{rows}:\n{screen}"
                );
            }
        }
    }
}

#[test]
fn form_fields_never_cover_the_title() {
    let words = Catalogue::of(Lang::Pt);
    let models = all_models(Lang::Pt);
    // Show the banner of an open withdrawal, because it takes two rows from the form.
    let (_, banner_model) = models
        .iter()
        .find(|(name, _)| *name == "banner-unknown")
        .unwrap();
    let open = banner_model.store.withdrawals.open.clone();
    for (name, mut model) in models {
        let title = match model.layers.last() {
            Some(Layer::Login(_)) => "login-title",
            Some(Layer::Jwt(_)) => "jwt-title",
            Some(Layer::NewLink(_)) => "new-link-title",
            Some(Layer::NewCharge(_)) => "new-charge-title",
            Some(Layer::Withdraw(Flow::Form(_))) => "withdraw-title",
            _ => continue,
        };
        let title = format!(" {}", words.text(title));
        model.withdrawals.open.clone_from(&open);
        for rows in 18..=24 {
            let screen = text(&buffer(&model, MIN_SIZE.columns, rows));
            // The form's title may be followed by "…" if the form does not fit, or by a note that a
            // credential expires soon.
            let title_with_note = format!("{title}  ");
            let is_title = |line: &str| {
                line.trim_end_matches([' ', '…']) == title || line.starts_with(&title_with_note)
            };
            let has_title = screen.lines().any(is_title);
            assert!(has_title, "{name} at {rows} rows:\n{screen}");
        }
    }
}

#[test]
fn a_wait_names_the_key_that_cancels_it() {
    let mut checked = 0;
    for (name, mut model) in all_models(Lang::Pt) {
        if screen_text(&model).contains("Esc cancela") {
            let table = include_str!("../../assets/keys.toml").replace("\"Esc\"", "\"F10\"");
            let table: KeyTable = toml::from_str(&table).unwrap();
            model.setup.keys = Arc::new(Keymap::from_table(&table).unwrap());
            let screen = screen_text(&model);
            assert!(screen.contains("F10 cancela"), "{name}: {screen}");
            checked += 1;
        }
    }
    assert!(checked > 0);
}

#[test]
fn smallest_window_shows_withdrawal_figures_whole() {
    let model = find_model(Lang::Pt, "withdraw-shown");
    let screen = text(&buffer(&model, 60, 18));
    for figure in [
        "Sai do seu saldo            R$ 1.000,00",
        "− R$ 11,50",
        "R$ 988,50",
    ] {
        assert!(screen.contains(figure), "{screen}");
    }
}

/// The form that makes this directory's journal the live journal must show its button only together
/// with the warning. At 60x18 and larger sizes, it must show both.
#[test]
fn make_live_button_is_shown_only_with_its_warning() {
    let normalize_spaces = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let submit = words.text("make-live-submit");
        let warnings = [
            ("make-live", "make-live-what"),
            ("make-live-unmarked", "make-live-what.unmarked"),
            ("make-live-other-machine", "make-live-what.other-machine"),
        ];
        for (name, model) in all_models(lang) {
            let Some((_, warning)) = warnings.iter().find(|(form, _)| *form == name) else {
                continue;
            };
            let warning = words.text(warning);
            for columns in [46, 60, 80, 120] {
                for rows in 14..=40 {
                    let screen = text(&buffer(&model, columns, rows));
                    let has_button = screen.contains(&format!("[ {submit} ]"));
                    let has_warning =
                        normalize_spaces(&screen).contains(&normalize_spaces(&warning));
                    assert!(
                        !has_button || has_warning,
                        "{name} at {columns}x{rows}:\n{screen}"
                    );
                    let is_least = columns >= 60 && rows >= 18;
                    assert!(
                        !is_least || has_button,
                        "{name} at {columns}x{rows}:\n{screen}"
                    );
                }
            }
        }
    }
}
