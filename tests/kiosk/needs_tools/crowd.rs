//! Tests the kiosk with many visitors at the same time. Some of them are stuck or lose their
//! connection.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::sshd::{Sshd, directory, has_sshd, wait_until};
use crate::support::place::TestHome;
use crate::support::pty::Tui;

/// The number of visitors, and the number of those who lose their connection.
const VISITORS: usize = 50;
const LOST: usize = 6;

/// The number of groups of visitors. The groups type at the same time.
const HANDS: usize = 4;

/// The number of letters that each visitor types in a round.
const LETTERS: usize = 10;

/// The maximum number of rounds. The test passes if one of these rounds is fast enough.
const ROUNDS: usize = 4;

/// The time limit of a fast round: 19 of 20 letters must be on the screen within this time.
const SOON: Duration = Duration::from_millis(100);

#[test]
fn fifty_visitors_type_beside_stuck_ones() {
    if !has_sshd() {
        return;
    }
    // Make sshd disconnect a client that does not answer after about 6 seconds, instead of 120.
    let sshd = Sshd::with(&[("ClientAliveInterval", "1"), ("ClientAliveCountMax", "5")]);
    let place = TestHome::new();
    let mut visitors: Vec<Tui> = (0..VISITORS).map(|_| sshd.ssh(&place, &[]).start()).collect();
    visitors.iter().for_each(|visitor| visitor.wait_for("[ Entrar ]"));
    visitors.iter_mut().for_each(|visitor| visitor.type_text("\r"));
    visitors.iter().for_each(|visitor| visitor.wait_for("● sessão ativa"));
    let folders: Vec<PathBuf> = sshd.kiosks().into_iter().map(directory).collect();
    assert_eq!(folders.len(), VISITORS);

    let stopped = visitors.pop().expect("a visitor");
    stopped.signal(Signal::STOP);
    let mut deaf = visitors.pop().expect("a visitor");
    deaf.stop_reading();
    // Make the kiosk write more than the terminal accepts. Each of these keys changes the whole
    // screen.
    (0..200).for_each(|_| deaf.try_type("123456"));
    for (at, mut lost) in visitors.drain(..LOST).enumerate() {
        if at % 2 == 0 { lost.kill() } else { lost.hang_up() }
    }
    visitors.iter_mut().for_each(|visitor| visitor.type_text("n\t"));
    let in_form = |screen: &vt100::Screen| {
        screen.contents().contains("Novo link de pagamento") && !screen.hide_cursor()
    };
    visitors.iter().for_each(|visitor| visitor.wait_until("the form", in_form));
    // Repeat a round that was too slow, because another program may have kept the machine busy.
    let mut rounds = Vec::new();
    while rounds.last().is_none_or(|time| *time >= SOON) {
        assert!(rounds.len() < ROUNDS, "letters are late: {rounds:?}");
        rounds.push(time_of_letters(&mut visitors));
    }

    // The remaining visitors are those who type, and the visitor whose terminal is not read.
    wait_until("the lost ones are gone", || sshd.kiosks().len() == visitors.len() + 1);
    let killed = sshd.kiosks()[0];
    let left = directory(killed);
    let pid = i32::try_from(killed).ok().and_then(Pid::from_raw).expect("a process id");
    kill_process(pid, Signal::KILL).expect("it can be killed");
    for visitor in &mut visitors {
        visitor.try_type("\x03\x03");
    }
    deaf.try_type("\x03\x03");
    visitors.iter().chain([&deaf]).for_each(|visitor| drop(visitor.wait_exit()));
    wait_until("all are gone", || sshd.kiosks().is_empty());
    assert!(folders.iter().all(|folder| !folder.exists() || *folder == left));
    // When the next kiosk starts, it removes the directory of the killed kiosk.
    let mut next = sshd.ssh(&place, &[]).start();
    next.wait_for("[ Entrar ]");
    next.leave();
    assert!(!left.exists());
}

/// Lets all visitors type. Returns the time after which 19 of 20 letters were on the screen.
fn time_of_letters(visitors: &mut [Tui]) -> Duration {
    let share = visitors.len().div_ceil(HANDS);
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let groups = visitors.chunks_mut(share).map(|group| scope.spawn(|| type_letters(group)));
        let groups: Vec<_> = groups.collect();
        groups.into_iter().flat_map(|group| group.join().expect("letters appear")).collect()
    });
    times.sort_unstable();
    times[times.len() * 19 / 20]
}

fn type_letters(visitors: &mut [Tui]) -> Vec<Duration> {
    let letters = ["x", "\x7f"].repeat(LETTERS / 2);
    let each = letters.into_iter().flat_map(|letter| {
        visitors.iter_mut().map(|visitor| visitor.time_letter(letter)).collect::<Vec<_>>()
    });
    each.collect()
}
