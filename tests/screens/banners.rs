//! Tests the banner above the panes. It must show the most urgent problem or open withdrawal.

use balcao::app::screens::Layer;
use balcao::app::screens::withdrawals::Details;
use balcao::app::ui::input::{Input, Size};
use balcao::app::{Model, Pane};
use balcao::trade::{JournalTrouble, NoAnswer, Withdrawal};
use balcao::words::{Catalogue, Lang};
use ratatui::style::Color;

use crate::models::{buffer, key, normalize_spaces, pane_model, send_input, text, withdrawal};
use crate::models_money::replies::{no_answer, reply};

/// The number of screen rows above the banner: the header, the pane names and a separator.
const ROWS_ABOVE: usize = 3;

/// Creates an open withdrawal whose outcome is unknown.
fn unknown_withdrawal(n: u128) -> Withdrawal {
    withdrawal(n, Some(no_answer(NoAnswer::Timeout)))
}

/// Creates a withdrawal that cannot be sent again. The seller must find out whether it was paid.
fn manual_check_withdrawal(n: u128) -> Withdrawal {
    withdrawal(n, Some(reply(302, "")))
}

/// Creates a withdrawal that the service confirmed with another amount than the seller's.
fn mismatch_withdrawal(n: u128) -> Withdrawal {
    withdrawal(n, Some(reply(201, r#"{"id":"wd_51","amount":100.00}"#)))
}

type OpenWithdrawals = fn() -> Vec<Withdrawal>;

type ModelChange = fn(&mut Model);

/// The test cases. Each has the open withdrawals, a change of the app model, and the symbol and
/// message id that the banner must have.
const BANNERS: [(OpenWithdrawals, ModelChange, &str, Option<&str>); 11] = [
    (Vec::new, |_| {}, "!", None),
    (
        Vec::new,
        |model| model.withdrawals.trouble = Some(JournalTrouble::Missing),
        "!",
        Some("banner-locked"),
    ),
    (
        || vec![unknown_withdrawal(1)],
        |_| {},
        "?",
        Some("banner-unknown"),
    ),
    (
        || vec![withdrawal(1, None)],
        |model| model.withdrawals.in_flight = Some(key(1)),
        "…",
        Some("banner-sending"),
    ),
    (
        || vec![withdrawal(1, None)],
        |model| model.withdrawals.sent_elsewhere = vec![key(1)],
        "…",
        Some("banner-sending-elsewhere"),
    ),
    (
        || vec![manual_check_withdrawal(1)],
        |_| {},
        "!",
        Some("banner-person"),
    ),
    (
        || vec![mismatch_withdrawal(1)],
        |_| {},
        "‼",
        Some("banner-mismatch"),
    ),
    (
        || vec![unknown_withdrawal(1), unknown_withdrawal(2)],
        |_| {},
        "?",
        Some("banner-many"),
    ),
    (
        || vec![unknown_withdrawal(1), manual_check_withdrawal(2)],
        |_| {},
        "!",
        Some("banner-many-person"),
    ),
    (
        || vec![unknown_withdrawal(1), mismatch_withdrawal(2)],
        |_| {},
        "‼",
        Some("banner-many-mismatch"),
    ),
    (
        || vec![manual_check_withdrawal(1), mismatch_withdrawal(2)],
        |_| {},
        "‼",
        Some("banner-many-mismatch"),
    ),
];

#[test]
fn open_banner_is_whole_and_mismatch_is_red() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let values = [
            ("amount", "R$ 1.000,00"),
            ("sum", "R$ 2.000,00"),
            ("key", "3"),
        ];
        for (open, change, sign, id) in BANNERS {
            let mut model = pane_model(lang, Pane::Account);
            model.withdrawals.open = open();
            change(&mut model);
            let expected = id.map(|id| match model.withdrawals.open.len() {
                n @ 2.. => words.count(id, n as u64, &values),
                _ => words.with(id, &values),
            });
            for (columns, rows, height) in [(80, 24, 1), (60, 18, 2)] {
                let screen = buffer(&model, columns, rows);
                let text = text(&screen);
                let lines: Vec<_> = text.lines().skip(ROWS_ABOVE).take(height).collect();
                let line = normalize_spaces(&lines.join(" "));
                let banner = line
                    .strip_prefix(sign)
                    .map(|rest| rest.trim_start().to_owned());
                assert_eq!(banner, expected, "{id:?} at {columns}x{rows}:\n{text}");
                let is_red = screen[(3, ROWS_ABOVE as u16)].fg == Color::Red;
                assert_eq!(
                    is_red,
                    id.is_some_and(|id| id.ends_with("mismatch")),
                    "{id:?}"
                );
            }
        }
    }
}

/// In a narrow window the banner needs two rows, but the page about the same withdrawal says all of
/// it already.
#[test]
fn banner_above_its_own_page_has_one_row() {
    for (lang, banner) in [
        (Lang::Pt, "Saque de R$ 1.000,00: resultado desconhecido"),
        (Lang::En, "Withdrawal of R$ 1.000,00: outcome unknown"),
    ] {
        let mut model = pane_model(lang, Pane::Withdrawals);
        let size = Size {
            columns: 60,
            rows: 18,
        };
        let open = unknown_withdrawal(1);
        model.withdrawals.open = vec![open.clone()];
        model.layers = vec![Layer::from(Details::of(open))];
        send_input(&mut model, Input::Resize(size));
        let screen = text(&buffer(&model, 60, 18));
        let rows: Vec<_> = screen.lines().skip(ROWS_ABOVE).take(2).collect();
        assert!(rows[0].contains(banner), "{screen}");
        assert!(
            rows[1].contains("R$ 1.000,00") && !rows[1].contains("tecla"),
            "{screen}"
        );
        // Other pages keep the whole banner.
        model.layers.clear();
        send_input(&mut model, Input::Resize(size));
        let screen = text(&buffer(&model, 60, 18));
        let rows = screen
            .lines()
            .skip(ROWS_ABOVE)
            .take(2)
            .collect::<Vec<_>>()
            .join(" ");
        assert!(rows.contains(" 3)"), "{screen}");
    }
}
