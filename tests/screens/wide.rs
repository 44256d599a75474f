//! Tests of the composition of wide screens: texts begin below the tabs, a rule divides a list and
//! its details, and a panel beside a form tells what happens next.

use std::time::Duration;

use balcao::app::ui::geometry;
use balcao::app::ui::input::Size;
use balcao::app::ui::{Page, PageItem};
use balcao::app::{DemoSetup, Model, chrome};
use balcao::trade::{Attempt, NoAnswer};
use balcao::words::{Catalogue, Lang};
use ratatui::style::Modifier;

use crate::models::{
    all_models, ascii, brl, buffer, find_model, normalize_spaces, text, with_change, with_qr_code,
};
use crate::models_money::replies::no_answer;
use crate::models_money::withdrawals::{
    acceptance, attempt, details, rejection, timeout, withdrawal_with,
};

const WIDE_SIZES: [(u16, u16); 3] = [(120, 40), (160, 50), (200, 60)];

/// The column in which the names of the panes begin.
const TAB_EDGE: usize = 1;

fn sized(model: Model, columns: u16, rows: u16) -> Model {
    let size = Size { columns, rows };
    with_qr_code(with_change(model, |model| model.size = size))
}

/// The column of the rule that divides the page, or `None` if nothing is beside the text.
fn divider(page: &Page) -> Option<u16> {
    page.items.iter().find_map(|item| match item {
        PageItem::Lines(lines, area) => {
            let is_rule = lines.len() > 1 && lines.iter().all(|line| line.to_string() == "│");
            is_rule.then_some(area.x)
        }
        _ => None,
    })
}

/// Returns the first text of each row of the body, with the column in which it begins. Leaves out
/// what is beside the text. The bar that marks the cursor counts as a space.
fn first_texts(model: &Model, page: &Page) -> Vec<(u16, String)> {
    let body = model.areas(model.size).unwrap().body;
    let end = divider(page).unwrap_or(body.right());
    let first_text = |y: u16| {
        let texts = page.items.iter().filter_map(|item| match item {
            PageItem::Lines(lines, area) if area.contains(area.x, y) && area.x < end => {
                let line = lines.get(usize::from(y - area.y))?.to_string();
                let is_text = line.contains(char::is_alphanumeric);
                is_text.then(|| (area.x, line.replacen(['▌', '▎'], " ", 1)))
            }
            _ => None,
        });
        texts.min_by_key(|(x, _)| *x)
    };
    (body.y..body.bottom()).filter_map(first_text).collect()
}

#[test]
fn titles_and_texts_begin_below_the_tabs() {
    let mut checked = 0;
    for lang in Lang::ALL {
        for (name, model) in all_models(lang) {
            for (columns, rows) in WIDE_SIZES {
                let model = sized(model.clone(), columns, rows);
                let page = chrome::page(&model, model.size);
                // A dialog has a border, and the code of the QR screen is in the middle.
                let is_in_middle =
                    |item: &PageItem| matches!(item, PageItem::Box(..)) || page.keys.is_some();
                if page.items.iter().any(is_in_middle) && !name.starts_with("first-run") {
                    continue;
                }
                let texts = first_texts(&model, &page);
                checked += texts.len();
                let Some((x, title)) = texts.first() else {
                    continue;
                };
                let indent = title.chars().take_while(|c| *c == ' ').count();
                assert_eq!(usize::from(*x) + indent, TAB_EDGE, "{name}: {title}");
                for (x, line) in &texts {
                    // An area at the left edge of the screen has its margin inside its lines.
                    let edge = usize::from(*x) + usize::from(*x == 0 && line.starts_with(' '));
                    let is_mark = line.starts_with('↓');
                    assert!(edge <= TAB_EDGE || is_mark, "{name} at {columns}: {line}");
                }
            }
        }
    }
    assert!(checked > 10_000, "{checked}");
}

#[test]
fn rule_with_gaps_divides_list_and_details() {
    for name in [
        "links",
        "charges",
        "withdrawals",
        "exchanges",
        "domains-listed",
    ] {
        for (columns, rows) in WIDE_SIZES {
            let model = sized(find_model(Lang::Pt, name), columns, rows);
            let body = model.areas(model.size).unwrap().body;
            let details = geometry::details(body).unwrap();
            let x = details.x - 1;
            for (model, rule) in [(model.clone(), "│"), (ascii(model), "|")] {
                let screen = buffer(&model, columns, rows);
                // The list of domains has a heading of two rows.
                for y in body.y + 2..body.bottom() {
                    assert_eq!(
                        screen[(x, y)].symbol(),
                        rule,
                        "{name} at {columns}x{rows}, {y}"
                    );
                    assert_eq!(
                        screen[(x + 1, y)].symbol(),
                        " ",
                        "{name} at {columns}x{rows}"
                    );
                    let before = screen[(x - 1, y)].symbol();
                    // The strip of totals ends in a horizontal rule.
                    assert!([" ", "─", "-"].contains(&before), "{name}, {y}: {before}");
                }
            }
        }
    }
}

#[test]
fn banner_fills_the_whole_width() {
    for (columns, rows) in WIDE_SIZES {
        let model = sized(find_model(Lang::Pt, "banner-unknown"), columns, rows);
        let banner = model.areas(model.size).unwrap().banner;
        let screen = buffer(&model, columns, rows);
        let style = screen[(0, banner.y)].style();
        assert_ne!(style, screen[(0, banner.bottom())].style());
        let mut cells = (0..columns).map(|x| screen[(x, banner.y)].style());
        assert!(cells.all(|other| other == style), "{columns}x{rows}");
    }
}

/// The screens that have a panel beside their form.
const SCREENS_WITH_PANEL: [&str; 5] = [
    "login",
    "new-link",
    "new-charge",
    "withdraw",
    "first-run-name",
];

#[test]
fn forms_have_a_panel_from_120x40_on() {
    for lang in Lang::ALL {
        let title = Catalogue::of(lang).text("panel-title");
        let shows_panel = |name, columns, rows| {
            let model = sized(find_model(lang, name), columns, rows);
            text(&buffer(&model, columns, rows)).contains(&title)
        };
        for name in SCREENS_WITH_PANEL {
            for (columns, rows) in WIDE_SIZES {
                assert!(
                    shows_panel(name, columns, rows),
                    "{name} at {columns}x{rows}"
                );
            }
            for (columns, rows) in [(119, 40), (120, 39), (80, 24), (60, 18)] {
                assert!(
                    !shows_panel(name, columns, rows),
                    "{name} at {columns}x{rows}"
                );
            }
        }
        assert!(!shows_panel("nickname", 120, 40), "a form without steps");
        assert!(!shows_panel("links", 120, 40), "a list");
    }
}

/// Returns the lines of the panel at 120x40.
fn panel_lines(model: Model) -> Vec<String> {
    let model = sized(model, 120, 40);
    let page = chrome::page(&model, model.size);
    let x = divider(&page).unwrap();
    let body = model.areas(model.size).unwrap().body;
    let texts = page.items.iter().filter_map(|item| match item {
        PageItem::Lines(lines, area) if area.x > x && body.contains(area.x, area.y) => Some(lines),
        _ => None,
    });
    texts.flatten().map(ToString::to_string).collect()
}

/// Returns the text of the panel at 120x40, in one line.
fn panel_text(model: Model) -> String {
    normalize_spaces(&panel_lines(model).join(" "))
}

#[test]
fn panel_claims_only_what_is_true_here() {
    let login =
        |change: fn(&mut Model)| panel_text(with_change(find_model(Lang::Pt, "login"), change));
    let live = login(|model| model.sandbox = false);
    assert!(
        live.contains("links de pagamento, cobranças por Pix e saques"),
        "{live}"
    );
    assert!(!live.contains("sandbox"), "{live}");
    let read_only = login(|model| model.setup.read_only = true);
    assert!(
        read_only.contains("nada se cria nem se paga"),
        "{read_only}"
    );
    assert!(!read_only.contains("saques"), "{read_only}");
    assert!(login(|model| model.sandbox = true).contains("nenhum dinheiro é de verdade"));
    let unproven = login(|model| (model.sandbox, model.unproven) = (true, true));
    assert!(!unproven.contains("sandbox"), "{unproven}");
    let link =
        |change: fn(&mut Model)| panel_text(with_change(find_model(Lang::Pt, "new-link"), change));
    let copied = "O endereço já é copiado";
    assert!(link(|_| ()).contains(copied));
    assert!(!link(|model| model.setup.links.copies_new = false).contains(copied));
    assert!(link(|_| ()).contains("O serviço não avisa quando pagam"));
    let demo = link(|model| model.setup.demo = Some(DemoSetup::default()));
    assert!(demo.contains("Aqui o sandbox avisa"), "{demo}");
}

/// Returns the panel of a withdrawal with these attempts, as a text of several lines.
fn timeline(lang: Lang, attempts: Vec<Attempt>) -> String {
    let lines = panel_lines(details(lang, withdrawal_with(0, attempts)));
    let lines: Vec<_> = lines.iter().map(|line| line.trim_end()).collect();
    lines.join("\n")
}

#[test]
fn timeline_of_cut_attempt_says_until_when_to_resend() {
    let cut = vec![attempt(1, 60, no_answer(NoAnswer::Cut))];
    insta::assert_snapshot!("timeline-cut", timeline(Lang::Pt, cut));
}

#[test]
fn timeline_says_when_a_resend_is_allowed() {
    let cut = vec![attempt(1, 9, no_answer(NoAnswer::Cut))];
    insta::assert_snapshot!("timeline-waiting", timeline(Lang::En, cut));
}

#[test]
fn timeline_of_accepted_resend_says_one_withdrawal() {
    let accepted = vec![timeout(1, 131), acceptance(2, 60)];
    insta::assert_snapshot!("timeline-accepted", timeline(Lang::Pt, accepted));
    let accepted_at_once = timeline(Lang::Pt, vec![acceptance(1, 60)]);
    assert!(
        !accepted_at_once.contains("um só saque"),
        "{accepted_at_once}"
    );
}

#[test]
fn timeline_of_refusal_ends_with_the_refusal() {
    insta::assert_snapshot!(
        "timeline-refused",
        timeline(Lang::Pt, vec![rejection(1, 60)])
    );
}

#[test]
fn timeline_of_many_attempts_shows_the_last_ones() {
    let many = timeline(Lang::Pt, (1..=12).map(|n| timeout(n, 500)).collect());
    assert!(
        many.contains("12ª tentativa") && !many.contains(" 1ª tentativa"),
        "{many}"
    );
    assert!(many.contains("antes destas"), "{many}");
    assert!(many.lines().count() <= 34, "{many}");
}

#[test]
fn timeline_offers_no_resend_in_read_only_mode() {
    let cut = withdrawal_with(0, vec![attempt(1, 60, no_answer(NoAnswer::Cut))]);
    let read_only = with_change(details(Lang::Pt, cut), |model| model.setup.read_only = true);
    let panel = panel_text(read_only);
    assert!(!panel.contains("já pode enviar"), "{panel}");
    assert!(panel.contains("fim do prazo"), "{panel}");
}

#[test]
fn timeline_names_the_day_of_a_deadline_tomorrow() {
    let cut = withdrawal_with(0, vec![attempt(1, 60, no_answer(NoAnswer::Cut))]);
    let panel = |retention: Duration| {
        let change = |model: &mut Model| model.setup.window.retention = retention;
        panel_text(with_change(details(Lang::Pt, cut.clone()), change))
    };
    let end_of_time = "enviar de novo (22/11/2026)";
    let next_day = panel(Duration::from_hours(24));
    assert!(next_day.contains(end_of_time), "{next_day}");
    let same_day = panel(Duration::from_hours(1));
    assert!(!same_day.contains('('), "{same_day}");
}

#[test]
fn large_windows_show_timeline_instead_of_list() {
    let model = find_model(Lang::Pt, "withdrawal-unknown-cut");
    for (columns, rows, has_timeline) in [(120, 40, true), (119, 40, false), (120, 39, false)] {
        let model = sized(model.clone(), columns, rows);
        let screen = text(&buffer(&model, columns, rows));
        assert_eq!(screen.contains("1ª tentativa"), has_timeline, "{screen}");
        assert_eq!(screen.matches("Tentativas").count(), 1, "{screen}");
    }
}

/// Returns the rows of the chart above the list of links, with this sum on each day.
fn chart(change: fn(Model) -> Model, lang: Lang, sums: [i64; 14]) -> String {
    let mut model = sized(change(find_model(lang, "links")), 120, 40);
    let figures = model.links.last_totals.as_mut().unwrap().figures.as_mut();
    figures.unwrap().by_day = sums.map(brl);
    let screen = text(&buffer(&model, 120, 40));
    let rows = screen.lines().skip(8).take(4);
    let rows: Vec<_> = rows
        .map(|row| row.split(['│', '|']).next().unwrap().trim_end())
        .collect();
    rows.join("\n")
}

#[test]
fn chart_names_highest_sum_today_and_weekdays() {
    let mut sums = [0; 14];
    (sums[2], sums[8], sums[13]) = (100, 150_000, 75_000);
    insta::assert_snapshot!("chart", chart(|model| model, Lang::Pt, sums));
    insta::assert_snapshot!("chart-ascii", chart(ascii, Lang::En, sums));
}

#[test]
fn chart_keeps_amounts_inside_its_width() {
    let mut sums = [0; 14];
    sums[13] = 999_999_999_999;
    insta::assert_snapshot!("chart-highest-today", chart(|model| model, Lang::Pt, sums));
    insta::assert_snapshot!("chart-empty", chart(|model| model, Lang::Pt, [0; 14]));
}

#[test]
fn chart_has_weekday_of_today_in_bold() {
    let model = sized(find_model(Lang::Pt, "links"), 120, 40);
    let screen = buffer(&model, 120, 40);
    let bold_columns = (0..70).filter(|x| {
        let cell = &screen[(*x, 11)];
        cell.symbol() != " " && cell.modifier.contains(Modifier::BOLD)
    });
    assert_eq!(bold_columns.collect::<Vec<_>>(), [49]);
}
