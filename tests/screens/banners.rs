//! Tests the banner above the panes. It must show the most urgent problem or open withdrawal.

use balcao::app::{Model, Pane};
use balcao::trade::{JournalTrouble, NoAnswer, Withdrawal};
use balcao::words::{Catalogue, Lang};
use ratatui::style::Color;

use crate::models::{buffer, key, on, running, text, withdrawal};
use crate::models_money::replies::{said, silent};

/// The number of screen rows above the banner: the header, the pane names and a separator.
const ABOVE: usize = 3;

/// Creates an open withdrawal whose outcome is unknown.
fn lost(n: u128) -> Withdrawal {
    withdrawal(n, Some(silent(NoAnswer::Timeout)))
}

/// Creates a withdrawal that cannot be sent again. The seller must find out whether it was paid.
fn person(n: u128) -> Withdrawal {
    withdrawal(n, Some(said(302, "")))
}

/// Creates a withdrawal that the service confirmed with another amount than the seller's.
fn alarm(n: u128) -> Withdrawal {
    withdrawal(n, Some(said(201, r#"{"id":"wd_51","amount":100.00}"#)))
}

type Open = fn() -> Vec<Withdrawal>;

type Change = fn(&mut Model);

/// The test cases. Each has the open withdrawals, a change of the app model, and the symbol and
/// message id that the banner must have.
const BANNERS: [(Open, Change, &str, Option<&str>); 11] = [
    (Vec::new, |_| {}, "!", None),
    (
        Vec::new,
        |model| model.withdrawals.trouble = Some(JournalTrouble::Missing),
        "!",
        Some("banner-locked"),
    ),
    (|| vec![lost(1)], |_| {}, "?", Some("banner-unknown")),
    (
        || vec![withdrawal(1, None)],
        |model| model.withdrawals.in_flight = Some(key(1)),
        "…",
        Some("banner-sending"),
    ),
    (
        || vec![withdrawal(1, None)],
        |model| model.withdrawals.elsewhere = vec![key(1)],
        "…",
        Some("banner-sending-elsewhere"),
    ),
    (|| vec![person(1)], |_| {}, "!", Some("banner-person")),
    (|| vec![alarm(1)], |_| {}, "‼", Some("banner-mismatch")),
    (|| vec![lost(1), lost(2)], |_| {}, "?", Some("banner-many")),
    (|| vec![lost(1), person(2)], |_| {}, "!", Some("banner-many-person")),
    (|| vec![lost(1), alarm(2)], |_| {}, "‼", Some("banner-many-mismatch")),
    (|| vec![person(1), alarm(2)], |_| {}, "‼", Some("banner-many-mismatch")),
];

#[test]
fn open_banner_is_whole_and_mismatch_is_red() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let values = [("amount", "R$ 1.000,00"), ("sum", "R$ 2.000,00"), ("key", "3")];
        for (open, change, sign, id) in BANNERS {
            let mut model = on(lang, Pane::Account);
            model.withdrawals.open = open();
            change(&mut model);
            let wanted = id.map(|id| match model.withdrawals.open.len() {
                n @ 2.. => words.count(id, n as u64, &values),
                _ => words.with(id, &values),
            });
            for (columns, rows, height) in [(80, 24, 1), (60, 18, 2)] {
                let screen = buffer(&model, columns, rows);
                let text = text(&screen);
                let shown: Vec<_> = text.lines().skip(ABOVE).take(height).collect();
                let shown = running(&shown.join(" "));
                let banner = shown.strip_prefix(sign).map(|said| said.trim_start().to_owned());
                assert_eq!(banner, wanted, "{id:?} at {columns}x{rows}:\n{text}");
                let is_red = screen[(3, ABOVE as u16)].fg == Color::Red;
                assert_eq!(is_red, id.is_some_and(|id| id.ends_with("mismatch")), "{id:?}");
            }
        }
    }
}
