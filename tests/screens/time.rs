//! Tests of parts that change over time. A bar shows how long a withdrawal can still be sent again,
//! and a link that was just paid is highlighted briefly.

use std::sync::Arc;
use std::time::Duration;

use balcao::app::store::paid::PULSE_MS;
use balcao::app::ui::input::Size;
use balcao::app::{Model, Pane, next_deadline};
use balcao::trade::{NoAnswer, Paid, PaidSource, Wall};
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::Cell;
use ratatui::style::Color;

use crate::models::{altered, ascii, buffer, named, on, painted, rested, screen, text, withdrawal};
use crate::models_money::replies::silent;

/// The width of the bar when it is full, in columns.
const WHOLE: usize = 12;

/// Returns the model `seconds` later.
fn later(model: &Model, seconds: u64) -> Model {
    altered(model.clone(), |model| {
        model.now.boot_ms += seconds * 1_000;
        model.now.wall.0 += i64::try_from(seconds * 1_000).unwrap();
    })
}

/// Returns the number of filled cells of the bar in this row, or `None` if the row has no bar.
fn left(line: &str) -> Option<usize> {
    let heavy = line.chars().filter(|c| *c == '━').count();
    (heavy > 0).then_some(heavy)
}

/// Returns the time at the end of the row (`m:ss`), converted to seconds.
fn figure(line: &str) -> Option<u64> {
    let (minutes, seconds) = line.split_whitespace().last()?.split_once(':')?;
    Some(minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?)
}

#[test]
fn window_bar_shrinks_with_its_figure() {
    for lang in Lang::ALL {
        let model = named(lang, "withdrawal-unknown");
        let mut seen = 0;
        for passed in (0..600).step_by(7) {
            let model = later(&model, passed);
            let screen = screen(&model);
            let Some(title) = screen.lines().find(|line| line.contains('━')) else { continue };
            let seconds = figure(title).expect("the figure stands beside the bar");
            // The filled part of the bar is proportional to the time that is left. A full bar means
            // 570 seconds.
            let whole = usize::try_from(seconds).unwrap() * WHOLE;
            let part = left(title).unwrap();
            assert!(part == whole.div_ceil(570) || part == whole / 570 + 1, "{title}");
            assert!(next_deadline(&model).unwrap() <= Duration::from_secs(1), "it goes on");
            seen += 1;
        }
        assert!(seen > 50, "{seen}");
    }
}

#[test]
fn bar_uses_free_space_by_list_and_in_resend_dialog() {
    for lang in Lang::ALL {
        let cells = |model: &Model, (columns, rows)| {
            let model = altered(model.clone(), |model| model.size = Size { columns, rows });
            let screen = text(&buffer(&model, columns, rows));
            // Skip the first rows, because the banner there also has a bar.
            let line = screen.lines().skip(4).find(|line| line.contains('━')).map(str::to_owned);
            line.map_or(0, |line| line.split("  ").map(cells_of).max().unwrap_or(0))
        };
        let open = altered(named(lang, "withdrawals"), |model| model.withdrawals.list.cursor = 2);
        for size in [(120, 40), (160, 45)] {
            assert!((6..=WHOLE).contains(&cells(&open, size)), "{lang:?} {size:?}");
        }
        let question = named(lang, "send-again");
        assert!((6..=WHOLE).contains(&cells(&question, (80, 24))), "{lang:?}");
    }
}

/// Returns the length of the bar in cells, or 0 if the text is not a bar.
fn cells_of(text: &str) -> usize {
    let bar = text.trim();
    let is_bar = bar.starts_with('━') && bar.chars().all(|c| "━─".contains(c));
    if is_bar { bar.chars().count() } else { 0 }
}

#[test]
fn bar_is_ascii_in_ascii_mode() {
    let model = named(Lang::Pt, "withdrawal-unknown");
    let title = |model: &Model| {
        let screen = screen(model);
        screen.lines().find(|line| line.contains("07:19")).unwrap().to_owned()
    };
    let plain = title(&model).replace('━', "=").replace('─', "-");
    assert!(plain.contains("==") && plain.contains("--"), "{plain}");
    assert_eq!(title(&ascii(model)), plain);
}

/// The banner must show the bar only if the bar fits. Only with a bar, it is redrawn every second.
#[test]
fn banner_bar_is_shown_and_updated_only_if_it_fits() {
    for lang in Lang::ALL {
        let mut model = on(lang, Pane::Account);
        model.withdrawals.open = vec![withdrawal(1, Some(silent(NoAnswer::Timeout)))];
        model.notice = None;
        let model = later(&model, 60);
        let (mut with, mut without) = (0, 0);
        for columns in 80..=160 {
            let model = altered(model.clone(), |model| model.size.columns = columns);
            let text = text(&buffer(&model, columns, 24));
            let banner = text.lines().nth(3).unwrap();
            let sentence = text.lines().any(|line| line.starts_with(" ? ") && line.contains("("));
            assert!(sentence && banner.contains("3)"), "{columns}:\n{text}");
            let next = next_deadline(&model).unwrap();
            match left(banner) {
                Some(_) => {
                    assert!(figure(banner).is_some(), "{columns}: {banner}");
                    assert!(next <= Duration::from_secs(1), "{columns}: {next:?}");
                    with += 1;
                }
                None => {
                    assert!(next > Duration::from_secs(1), "{columns}: {next:?}");
                    without += 1;
                }
            }
        }
        assert!(with > 30 && without > 1, "{with} {without}");
    }
}

#[test]
fn payment_is_highlighted_briefly_in_rows_and_sums() {
    let theme = Theme::named("dark").unwrap();
    let mut model = named(Lang::Pt, "links");
    // Keep only one payment link for each day. The links of a day have the same URL, so all of them
    // would be highlighted.
    let rows = &mut model.links.list.page.rows;
    *rows = [rows[0].clone(), rows[5].clone()].into();
    let paid = Paid { at: Wall(0), source: PaidSource::Sandbox };
    Arc::make_mut(&mut model.links.list.page.rows)[0].paid = Some(paid);
    let link = model.links.list.page.rows[0].clone();
    // For each row that contains the text, returns the background colour of its first occurrence.
    let grounds = |model: &Model, text: &str| -> Vec<Color> {
        let painted = painted(model, &theme, 120, 40);
        let length = text.chars().count();
        let said = |row: &[Cell]| {
            let texts: Vec<_> = row.iter().map(Cell::symbol).collect();
            texts.windows(length).position(|part| part.concat() == text).map(|at| row[at].bg)
        };
        painted.content().chunks(120).filter_map(said).collect()
    };
    // The label is in the row and in the details. The sums are in the totals, and in the heading of
    // the day.
    let (new, label) = (["✓ pago (", "R$ 109,86", "✓ pagos R$ 164,80"], "✓ pago (");
    let older = ["R$ 423,15", "✓ pagos R$ 320,00"];
    let before = altered(model.clone(), |_| ());
    assert_eq!(grounds(&before, label).len(), 2, "{}", text(&painted(&before, &theme, 120, 40)));
    let now = model.now.boot_ms;
    model.paid.highlight(&link, now);
    let after = altered(model.clone(), |model| model.now.boot_ms += PULSE_MS);
    for said in new.into_iter().chain(older) {
        let [was, is, will_be] = [&before, &model, &after].map(|model| grounds(model, said));
        assert!(!was.is_empty() && was == will_be, "{said}: {was:?} {will_be:?}");
        let is_other = was.iter().zip(&is).all(|(one, other)| one != other);
        assert_eq!(is_other, new.contains(&said), "{said}: {was:?} {is:?}");
    }
}

#[test]
fn attempts_of_another_day_show_their_date() {
    let title = |model: &Model| {
        let shown = screen(&rested(model.clone()));
        let title =
            shown.lines().find_map(|line| Some(line.split_once("Tentativas")?.1.trim_end()));
        title.expect(&shown).to_owned()
    };
    let paid = named(Lang::Pt, "withdrawal-accepted");
    assert_eq!(title(&paid), "", "of today the time is enough");
    assert_eq!(title(&later(&paid, 86_400)), " · ontem");
    assert_eq!(title(&later(&paid, 5 * 86_400)), " · 21/11/2026");
}
