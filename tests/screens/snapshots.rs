//! One snapshot per screen and state, at 80x24, in Portuguese; and all words that take turns in
//! one place, in both languages.

use balcao::words::Lang;

use crate::models::{all, buffer, model, screen, text};
use crate::said::notices;

#[test]
fn every_screen_in_every_state() {
    for (name, model) in all(Lang::Pt) {
        insta::assert_snapshot!(name, screen(&model));
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_what_is_needed() {
    insta::assert_snapshot!("too-small", text(&buffer(&model(Lang::Pt), 45, 13)));
}

#[test]
fn a_wide_terminal_has_the_details_beside_the_list() {
    for (name, model) in all(Lang::Pt).iter().filter(|(name, _)| WIDE.contains(name)) {
        insta::assert_snapshot!(format!("{name}-wide"), text(&buffer(model, 120, 40)));
    }
}

/// The screens that use the room of 120x40.
const WIDE: [&str; 7] = [
    "exchanges",
    "links",
    "charges",
    "withdrawals",
    "withdrawals-lately",
    "domains-listed",
    "doctor-problems",
];

#[test]
fn a_charge_and_a_receipt_have_room_in_a_wide_terminal_in_both_languages() {
    for lang in Lang::ALL {
        for (name, model) in all(lang).iter().filter(|(name, _)| IN_BOTH.contains(name)) {
            let wide = text(&buffer(model, 120, 40));
            insta::assert_snapshot!(format!("{name}-wide-{}", lang.tag()), wide);
        }
    }
}

/// Those that are as wide in both languages as they are different.
const IN_BOTH: [&str; 4] = ["charge", "charges-odd", "charge-other-amount", "receipt-saved"];

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
