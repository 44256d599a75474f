//! One snapshot per screen and state, at 80x24, in Portuguese; and all words that take turns in
//! one place, in both languages.

use balcao::app::ui::failure::lines;
use balcao::view::Look;
use balcao::words::Lang;
use balcao::words::failure::Doing;

use crate::models::{all, buffer, model, screen, text};
use crate::said::{failures, notices};

#[test]
fn every_screen_in_every_state() {
    let look = Look::new(Lang::Pt);
    for (name, model) in all(Lang::Pt) {
        insta::assert_snapshot!(name, screen(&model, &look));
    }
}

#[test]
fn a_terminal_that_is_too_small_is_told_what_is_needed() {
    let look = Look::new(Lang::Pt);
    insta::assert_snapshot!("too-small", text(&buffer(&model(Lang::Pt), &look, 45, 13)));
}

#[test]
fn a_wide_terminal_has_the_details_beside_the_list() {
    let look = Look::new(Lang::Pt);
    for (name, model) in all(Lang::Pt).iter().filter(|(name, _)| WIDE.contains(name)) {
        insta::assert_snapshot!(format!("{name}-wide"), text(&buffer(model, &look, 120, 40)));
    }
}

/// The screens that use the room of 120x40.
const WIDE: [&str; 1] = ["exchanges"];

#[test]
fn every_notice() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        let mut said = String::new();
        for what in notices() {
            let mut model = model(lang);
            model.notice = Some(what);
            said.push_str(screen(&model, &look).lines().nth(22).unwrap());
            said.push('\n');
        }
        insta::assert_snapshot!(format!("notices-{}", lang.tag()), said);
    }
}

#[test]
fn every_failure() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        for doing in [Doing::Login, Doing::Link, Doing::Charge, Doing::Withdrawal, Doing::Question]
        {
            let mut said = String::new();
            for failure in failures() {
                for line in lines(look.words, &failure, doing, 72) {
                    said.push_str(&format!("{line}\n"));
                }
                said.push('\n');
            }
            let name = format!("failures-{doing:?}-{}", lang.tag()).to_lowercase();
            insta::assert_snapshot!(name, said);
        }
    }
}
