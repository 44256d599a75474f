//! A span of time is said where it is known, and left out where it is not.

use balcao::trade::Attempt;
use balcao::words::{Lang, Words};

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
        let words = Words::of(lang);
        let whole = words.with("attempt-timeout", &[("seconds", "30")]);
        let without = words.text("attempt-no-answer");
        // Somebody set the wall clock meanwhile, back or on.
        for hours in [-1, 0, 1] {
            let screen = told(lang, |attempt| {
                attempt.end.as_mut().unwrap().at.0 += hours * 3_600_000;
            });
            assert!(screen.contains(&whole), "{hours}:\n{screen}");
        }
        let unknown: [fn(&mut Attempt); 2] = [
            // It cannot run back: whatever this is, it is no span.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = 1,
            // Nobody waited for so little.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = attempt.began.boot_ms + 9,
        ];
        for change in unknown {
            let screen = told(lang, change);
            assert!(screen.contains(&without), "{screen}");
            assert!(!screen.contains(" 0 s") && !screen.contains("30 s "), "{screen}");
        }
    }
}
