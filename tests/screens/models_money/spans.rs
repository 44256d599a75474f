//! Tests that the screen shows the duration of an attempt only if the duration is known and
//! plausible.

use balcao::trade::Attempt;
use balcao::words::{Catalogue, Lang};

use super::withdrawals::{details, timeout, withdrawal_with};
use crate::models::screen_text;

fn screen_after_change(lang: Lang, change: impl Fn(&mut Attempt)) -> String {
    let mut attempt = timeout(1, 131);
    change(&mut attempt);
    screen_text(&details(lang, withdrawal_with(0, vec![attempt])))
}

#[test]
fn attempt_wait_is_measured_by_the_boot_clock() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let with_duration = words.with("attempt-timeout", &[("seconds", "30")]);
        let without_duration = words.text("attempt-no-answer");
        // Changing the wall clock must not change the duration, because the duration is measured
        // with the boot clock.
        for hours in [-1, 0, 1] {
            let screen = screen_after_change(lang, |attempt| {
                attempt.end.as_mut().unwrap().at.0 += hours * 3_600_000;
            });
            assert!(screen.contains(&with_duration), "{hours}:\n{screen}");
        }
        let implausible_changes: [fn(&mut Attempt); 2] = [
            // No duration is shown here, because an attempt cannot end before it has begun.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = 1,
            // No duration is shown here, because a timeout after 9 ms is implausible.
            |attempt| attempt.end.as_mut().unwrap().boot_ms = attempt.began.boot_ms + 9,
        ];
        for change in implausible_changes {
            let screen = screen_after_change(lang, change);
            assert!(screen.contains(&without_duration), "{screen}");
            assert!(
                !screen.contains(" 0 s") && !screen.contains("30 s "),
                "{screen}"
            );
        }
    }
}
