//! Snapshots of all screens in all states, at 80x24 and in Portuguese. There are also snapshots of
//! all notices, in both languages.

use std::fmt::Write;

use balcao::app::Msg;
use balcao::words::Lang;

use crate::models::{all_models, buffer, model, screen_text, send_message, text, text_with_focus};
use crate::said::all_notices;

/// If a screen differs from an earlier screen in at most this number of lines, it has no snapshot
/// of its own. The lines that differ are added to the earlier snapshot instead.
const MAX_DIFFERENT_LINES: usize = 6;

/// Compares all screens with their snapshots. Similar screens share a snapshot (see
/// [`MAX_DIFFERENT_LINES`]).
#[test]
fn every_screen_in_every_state() {
    let mut snapshots: Vec<(&str, String, String)> = vec![];
    for (name, model) in all_models(Lang::Pt) {
        let screen = text_with_focus(buffer(&model, 80, 24));
        let other = snapshots.iter_mut().find_map(|(_, full_screen, snapshot)| {
            let lines = full_screen.lines().zip(screen.lines()).zip(1..);
            let lines: Vec<_> = lines.filter(|((line, other), _)| line != other).collect();
            (lines.len() <= MAX_DIFFERENT_LINES).then_some((snapshot, lines))
        });
        let Some((snapshot, lines)) = other else {
            snapshots.push((name, screen.clone(), screen));
            continue;
        };
        writeln!(snapshot, "\n== {name}").unwrap();
        for ((_, line), n) in lines {
            writeln!(snapshot, "{n:2} {line}").unwrap();
        }
    }
    for (name, _, snapshot) in snapshots {
        insta::assert_snapshot!(name, snapshot);
    }
}

#[test]
fn too_small_terminal_shows_the_needed_size() {
    insta::assert_snapshot!("too-small", text(&buffer(&model(Lang::Pt), 59, 17)));
}

#[test]
fn a_wide_terminal_has_the_details_beside_the_list() {
    for (name, model) in all_models(Lang::Pt)
        .iter()
        .filter(|(name, _)| SCREENS_WITH_WIDE_SNAPSHOT.contains(name))
    {
        insta::assert_snapshot!(format!("{name}-wide"), text(&buffer(model, 120, 40)));
    }
}

/// Screens that also have a snapshot at 120x40, for example because they show details beside the
/// list at this size.
const SCREENS_WITH_WIDE_SNAPSHOT: [&str; 25] = [
    "comparison",
    "profiles-list",
    "expiry-domains-soon",
    "expiry-link-soon",
    "expiry-charge-soon",
    "expiry-withdrawal-soon",
    "first-run-name",
    "first-run-address-reached",
    "first-run-write",
    "charge",
    "charges-odd",
    "charge-other-amount",
    "receipt-saved",
    "exchanges",
    "exchanges-kept",
    "exchanges-of-link",
    "links",
    "links-noted",
    "charges",
    "withdrawals",
    "withdrawals-lately",
    "withdrawals-team",
    "domains-listed",
    "doctor-problems",
    "report-month",
];

#[test]
fn every_notice() {
    for lang in Lang::ALL {
        let mut notice_rows = String::new();
        for notice in all_notices() {
            let mut model = model(lang);
            model.notice = Some(notice);
            send_message(&mut model, Msg::Continued);
            let screen = screen_text(&model);
            let first_row = 23 - usize::from(model.notice_rows);
            for row in screen
                .lines()
                .skip(first_row)
                .take(usize::from(model.notice_rows))
            {
                notice_rows.push_str(row);
                notice_rows.push('\n');
            }
        }
        insta::assert_snapshot!(format!("notices-{}", lang.tag()), notice_rows);
    }
}
