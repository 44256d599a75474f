//! Tests of parts that change over time. A bar shows how long a withdrawal can still be sent again,
//! and a link that was just paid is highlighted briefly.

use std::sync::Arc;
use std::time::Duration;

use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::{Details, Flow};
use balcao::app::store::motion::Motion;
use balcao::app::store::paid::HIGHLIGHT_MS;
use balcao::app::ui::input::Size;
use balcao::app::{Model, Pane, next_deadline};
use balcao::trade::{NoAnswer, Paid, PaidSource, Wall};
use balcao::view::Theme;
use balcao::words::Lang;
use ratatui::buffer::Cell;
use ratatui::style::Color;

use crate::models::{
    ascii, buffer, find_model, pane_model, render_with_theme, screen_text, text, with_change,
    with_qr_code, withdrawal,
};
use crate::models_money::replies::no_answer;

/// The width of the bar when it is full, in columns.
const FULL_BAR_COLUMNS: usize = 12;

fn model_later(model: &Model, seconds: u64) -> Model {
    with_change(model.clone(), |model| {
        model.now.boot_ms += seconds * 1_000;
        model.now.wall.0 += i64::try_from(seconds * 1_000).unwrap();
    })
}

/// Returns the number of filled cells of the bar in this row, or `None` if the row has no bar.
fn filled_cells(line: &str) -> Option<usize> {
    let filled = line.chars().filter(|c| *c == '━').count();
    (filled > 0).then_some(filled)
}

/// Returns the time at the end of the row (`7 min 19 s` or `19 s`), converted to seconds.
fn seconds_at_end(line: &str) -> Option<u64> {
    let (_, time) = line.trim_end().strip_suffix(" s")?.rsplit_once(": ")?;
    let (minutes, seconds) = time.split_once(" min ").unwrap_or(("0", time));
    Some(minutes.parse::<u64>().ok()? * 60 + seconds.parse::<u64>().ok()?)
}

#[test]
fn window_bar_shrinks_with_its_figure() {
    for lang in Lang::ALL {
        let model = find_model(lang, "withdrawal-unknown");
        let mut checked = 0;
        for elapsed in (0..600).step_by(7) {
            let model = model_later(&model, elapsed);
            let screen = screen_text(&model);
            let Some(title) = screen.lines().find(|line| line.contains('━')) else {
                continue;
            };
            let seconds = seconds_at_end(title).expect("the figure stands beside the bar");
            // The filled part of the bar is proportional to the time beside it. A full bar means
            // 570 seconds.
            let scaled = usize::try_from(seconds).unwrap() * FULL_BAR_COLUMNS;
            let filled = filled_cells(title).unwrap();
            assert!(
                filled == scaled.div_ceil(570) || filled == scaled / 570 + 1,
                "{title}"
            );
            assert!(
                next_deadline(&model).unwrap() <= Duration::from_secs(1),
                "it goes on"
            );
            checked += 1;
        }
        assert!(checked > 50, "{checked}");
    }
}

#[test]
fn bar_uses_free_space_by_list_and_in_resend_dialog() {
    for lang in Lang::ALL {
        let bar_length_at = |model: &Model, (columns, rows)| {
            let model = with_change(model.clone(), |model| model.size = Size { columns, rows });
            let screen = text(&buffer(&model, columns, rows));
            // Skip the first rows, because the banner there also has a bar.
            let line = screen
                .lines()
                .skip(4)
                .find(|line| line.contains('━'))
                .map(str::to_owned);
            line.map_or(0, |line| {
                line.split("  ")
                    .flat_map(|text| text.split('│'))
                    .map(bar_length)
                    .max()
                    .unwrap_or(0)
            })
        };
        let with_details = with_change(find_model(lang, "withdrawals"), |model| {
            model.withdrawals.list.cursor = 2
        });
        for size in [(120, 40), (160, 45)] {
            assert!(
                (6..=FULL_BAR_COLUMNS).contains(&bar_length_at(&with_details, size)),
                "{lang:?} {size:?}"
            );
        }
        let dialog = find_model(lang, "send-again");
        assert!(
            (6..=FULL_BAR_COLUMNS).contains(&bar_length_at(&dialog, (80, 24))),
            "{lang:?}"
        );
    }
}

/// Returns the length of the bar in cells, or 0 if the text is not a bar.
fn bar_length(text: &str) -> usize {
    let bar = text.trim();
    let is_bar = bar.starts_with('━') && bar.chars().all(|c| "━─".contains(c));
    if is_bar { bar.chars().count() } else { 0 }
}

#[test]
fn bar_is_ascii_in_ascii_mode() {
    let model = find_model(Lang::Pt, "withdrawal-unknown");
    let title = |model: &Model| {
        let screen = screen_text(model);
        screen
            .lines()
            .find(|line| line.contains("7 min 19 s"))
            .unwrap()
            .to_owned()
    };
    let expected = title(&model).replace('━', "=").replace('─', "-");
    assert!(
        expected.contains("==") && expected.contains("--"),
        "{expected}"
    );
    assert_eq!(title(&ascii(model)), expected);
}

/// The banner must show the bar only if the bar fits. The screen must be redrawn every second only
/// if it shows the bar.
#[test]
fn banner_bar_is_shown_and_updated_only_if_it_fits() {
    for lang in Lang::ALL {
        let mut model = pane_model(lang, Pane::Account);
        model.withdrawals.open = vec![withdrawal(1, Some(no_answer(NoAnswer::Timeout)))];
        model.notice = None;
        let model = model_later(&model, 60);
        let mut with_bar = 0;
        let mut without_bar = 0;
        for columns in 80..=160 {
            let model = with_change(model.clone(), |model| model.size.columns = columns);
            let text = text(&buffer(&model, columns, 24));
            let banner = text.lines().nth(3).unwrap();
            let has_sentence = text
                .lines()
                .any(|line| line.starts_with(" ? ") && line.contains("("));
            assert!(has_sentence && banner.contains("3)"), "{columns}:\n{text}");
            let next = next_deadline(&model).unwrap();
            match filled_cells(banner) {
                Some(_) => {
                    assert!(seconds_at_end(banner).is_some(), "{columns}: {banner}");
                    assert!(next <= Duration::from_secs(1), "{columns}: {next:?}");
                    with_bar += 1;
                }
                None => {
                    assert!(next > Duration::from_secs(1), "{columns}: {next:?}");
                    without_bar += 1;
                }
            }
        }
        assert!(with_bar > 30 && without_bar > 1, "{with_bar} {without_bar}");
    }
}

#[test]
fn payment_is_highlighted_briefly_in_rows_and_sums() {
    let theme = Theme::named("dark").unwrap();
    let mut model = find_model(Lang::Pt, "links");
    // Keep only one payment link for each day. The links of a day have the same URL, so all of them
    // would be highlighted.
    let rows = &mut model.links.list.page.rows;
    *rows = [rows[0].clone(), rows[5].clone()].into();
    let paid = Paid {
        at: Wall(0),
        source: PaidSource::Sandbox,
    };
    Arc::make_mut(&mut model.links.list.page.rows)[0].paid = Some(paid);
    let link = model.links.list.page.rows[0].clone();
    // For each row that contains the text, returns the background colour of its first occurrence.
    let backgrounds = |model: &Model, text: &str| -> Vec<Color> {
        let painted = render_with_theme(model, &theme, 120, 40);
        let length = text.chars().count();
        let background_of_text = |row: &[Cell]| {
            let texts: Vec<_> = row.iter().map(Cell::symbol).collect();
            texts
                .windows(length)
                .position(|part| part.concat() == text)
                .map(|position| row[position].bg)
        };
        painted
            .content()
            .chunks(120)
            .filter_map(background_of_text)
            .collect()
    };
    // The label is in the row and in the details. The sums are in the totals, and in the heading of
    // the day.
    let updated_texts = ["✓ pago (", "R$ 109,86", "✓ pagos R$ 164,80"];
    let label = "✓ pago (";
    let other_sums = ["R$ 423,15", "✓ pagos R$ 320,00"];
    let before = with_change(model.clone(), |_| ());
    assert_eq!(
        backgrounds(&before, label).len(),
        2,
        "{}",
        text(&render_with_theme(&before, &theme, 120, 40))
    );
    let now = model.now.boot_ms;
    model.paid.highlight(&link, now);
    let after = with_change(model.clone(), |model| model.now.boot_ms += HIGHLIGHT_MS);
    for shown_text in updated_texts.into_iter().chain(other_sums) {
        let [was, is, will_be] =
            [&before, &model, &after].map(|model| backgrounds(model, shown_text));
        assert!(
            !was.is_empty() && was == will_be,
            "{shown_text}: {was:?} {will_be:?}"
        );
        let is_other = was.iter().zip(&is).all(|(one, other)| one != other);
        assert_eq!(
            is_other,
            updated_texts.contains(&shown_text),
            "{shown_text}: {was:?} {is:?}"
        );
    }
}

#[test]
fn attempts_of_another_day_show_their_date() {
    let title = |model: &Model| {
        let screen = screen_text(&with_qr_code(model.clone()));
        let title = screen
            .lines()
            .find_map(|line| Some(line.split_once("Tentativas")?.1.trim_end()));
        title.expect(&screen).to_owned()
    };
    let paid = find_model(Lang::Pt, "withdrawal-accepted");
    assert_eq!(title(&paid), "", "of today the time is enough");
    assert_eq!(title(&model_later(&paid, 86_400)), " · ontem");
    assert_eq!(title(&model_later(&paid, 5 * 86_400)), " · 21/11/2026");
}

#[test]
fn motion_moves_only_the_sign_or_the_line() {
    let mut links = find_model(Lang::Pt, "links");
    let rows = &mut links.links.list.page.rows;
    *rows = [rows[0].clone(), rows[5].clone()].into();
    Arc::make_mut(rows)[0].paid = Some(Paid {
        at: Wall(0),
        source: PaidSource::Sandbox,
    });
    let link = links.links.list.page.rows[0].clone();
    let now = links.now.boot_ms;
    links.paid.highlight(&link, now);
    let mut slip = find_model(Lang::Pt, "withdrawal-accepted");
    let Some(Layer::Withdrawal(details)) = slip.layers.pop() else {
        panic!("details of a withdrawal")
    };
    let outcome = Details {
        motion: Some(Motion(now)),
        ..*details
    };
    slip.layers = vec![Layer::Withdraw(Flow::Outcome(Box::new(outcome)))];
    for (mut model, moving) in [(links, "⠄⡠✓"), (slip, " ╌")] {
        for (columns, rows) in [(60, 18), (80, 24), (120, 40)] {
            let mut screen = |moves, after_ms| {
                (model.setup.motion, model.now.boot_ms) = (moves, now + after_ms);
                text(&buffer(&model, columns, rows))
            };
            let still = screen(false, 0);
            let frames = [0, 130].map(|after_ms| screen(true, after_ms));
            assert_eq!(screen(true, 260), still, "{columns}x{rows}");
            assert_ne!(frames[0], frames[1], "{columns}x{rows}");
            for frame in frames {
                let pairs = frame.chars().zip(still.chars());
                let changed: Vec<_> = pairs.filter(|(one, other)| one != other).collect();
                let is_sign = |sign: &char| moving.contains(*sign);
                assert!(!changed.is_empty(), "{frame}");
                assert!(
                    changed
                        .iter()
                        .all(|(one, other)| is_sign(one) && is_sign(other)),
                    "{changed:?} in\n{frame}"
                );
            }
        }
    }
}
