//! Snapshots of all screens in all states, at 80x24 and in Portuguese. There are also snapshots of
//! all notices, in both languages.

use std::fmt::Write;

use balcao::words::Lang;

use crate::models::{all, buffer, model, screen, text};
use crate::said::notices;

/// If a screen differs from an earlier screen in at most this number of lines, it has no snapshot
/// of its own. The lines that differ are added to the earlier snapshot instead.
const FEW: usize = 6;

/// Compares all screens with their snapshots. Similar screens share a snapshot (see [`FEW`]).
#[test]
fn every_screen_in_every_state() {
    let mut snapshots: Vec<(&str, String, String)> = vec![];
    for (name, model) in all(Lang::Pt) {
        let shown = screen(&model);
        let other = snapshots.iter_mut().find_map(|(_, whole, said)| {
            let lines = whole.lines().zip(shown.lines()).zip(1..);
            let lines: Vec<_> = lines.filter(|((one, other), _)| one != other).collect();
            (lines.len() <= FEW).then_some((said, lines))
        });
        let Some((said, lines)) = other else {
            snapshots.push((name, shown.clone(), shown));
            continue;
        };
        writeln!(said, "\n== {name}").unwrap();
        for ((_, line), n) in lines {
            writeln!(said, "{n:2} {line}").unwrap();
        }
    }
    for (name, _, said) in snapshots {
        insta::assert_snapshot!(name, said);
    }
}

#[test]
fn too_small_terminal_shows_the_needed_size() {
    insta::assert_snapshot!("too-small", text(&buffer(&model(Lang::Pt), 59, 17)));
}

#[test]
fn a_wide_terminal_has_the_details_beside_the_list() {
    for (name, model) in all(Lang::Pt).iter().filter(|(name, _)| WIDE.contains(name)) {
        insta::assert_snapshot!(format!("{name}-wide"), text(&buffer(model, 120, 40)));
    }
}

/// Screens that also have a snapshot at 120x40, for example because they show details beside the
/// list at this size.
const WIDE: [&str; 22] = [
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
    "charges",
    "withdrawals",
    "withdrawals-lately",
    "domains-listed",
    "doctor-problems",
];

#[test]
fn every_notice() {
    for lang in Lang::ALL {
        let mut said = String::new();
        for what in notices() {
            let mut model = model(lang);
            model.notice = Some(what);
            said.push_str(screen(&model).lines().nth(22).unwrap());
            said.push('\n');
        }
        insta::assert_snapshot!(format!("notices-{}", lang.tag()), said);
    }
}
