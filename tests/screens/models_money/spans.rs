//! Tests that the screen shows the duration of an attempt only if the duration is known and
//! plausible.

use balcao::trade::Attempt;
use balcao::words::{Catalogue, Lang};

use super::withdrawals::{details, lost, made};
use crate::models::screen;

fn told(lang: Lang, change: impl Fn(&mut Attempt)) -> String {
    let mut attempt = lost(1, 131);
    change(&mut attempt);
    screen(&details(lang, made(0, vec![attempt])))
}

#[test]
fn attempt_wait_is_measured_by_the_boot_clock() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let whole = words.with("attempt-timeout", &[("seconds", "30")]);
        let without = words.text("attempt-no-answer");
        // Changing the wall clock must not change the duration, because the duration is measured
        // with the boot clock.
        for hours in [-1, 0, 1] {
            let screen = told(lang, |attempt| {
                attempt.end.as_mut().unwrap().at.0 += hours * 3_600_000;
            });
            assert!(screen.contains(&whole), "{hours}:\n{screen}");
        }
        let unknown: [fn(&mut Attempt); 2] = [
            // No duration is shown here, because an attempt cannot end before it has begun.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = 1,
            // No duration is shown here, because a timeout after 9 ms is implausible.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = attempt.began.boot_ms + 9,
        ];
        for change in unknown {
            let screen = told(lang, change);
            assert!(screen.contains(&without), "{screen}");
            assert!(!screen.contains(" 0 s") && !screen.contains("30 s "), "{screen}");
        }
    }
}
