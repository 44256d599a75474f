//! Tests the kiosk with many visitors at the same time. Some of them are stuck or lose their
//! connection.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::sshd::{Sshd, has_sshd, kiosk_directory, wait_until};
use crate::support::place::TestHome;
use crate::support::pty::Tui;

/// The number of visitors, and how many of them lose their connection.
const VISITORS: usize = 50;
const LOST_VISITORS: usize = 6;

/// The number of groups of visitors. The groups type at the same time.
const TYPING_GROUPS: usize = 4;

/// The number of letters that each visitor types in a round.
const LETTERS_PER_ROUND: usize = 10;

/// The maximum number of rounds. The test passes if one of these rounds is fast enough.
const MAX_ROUNDS: usize = 4;

/// The time limit of a fast round: 19 of 20 letters must be on the screen within this time.
const MAX_LETTER_DELAY: Duration = Duration::from_millis(100);

#[test]
fn fifty_visitors_type_beside_stuck_ones() {
    if !has_sshd() {
        return;
    }
    // Make sshd disconnect a client that does not answer after about 6 seconds, instead of 120.
    let sshd = Sshd::with(&[
        ("ClientAliveInterval", "1"),
        ("ClientAliveCountMax", "5"),
        ("per_address", ""),
    ]);
    let home = TestHome::new();
    let mut visitors: Vec<Tui> = (0..VISITORS)
        .map(|_| sshd.ssh(&home, &[]).start())
        .collect();
    visitors
        .iter()
        .for_each(|visitor| visitor.wait_for("[ Entrar ]"));
    visitors
        .iter_mut()
        .for_each(|visitor| visitor.type_text("\r"));
    visitors
        .iter()
        .for_each(|visitor| visitor.wait_for("● sessão ativa"));
    let directories: Vec<PathBuf> = sshd.kiosk_pids().into_iter().map(kiosk_directory).collect();
    assert_eq!(directories.len(), VISITORS);

    let stopped_visitor = visitors.pop().expect("a visitor");
    stopped_visitor.signal(Signal::STOP);
    let mut unread_visitor = visitors.pop().expect("a visitor");
    unread_visitor.stop_reading();
    // Make the kiosk write more than the terminal accepts. Each of these keys changes the whole
    // screen.
    (0..200).for_each(|_| unread_visitor.try_type("123456"));
    for (index, mut visitor) in visitors.drain(..LOST_VISITORS).enumerate() {
        if index % 2 == 0 {
            visitor.kill()
        } else {
            visitor.hang_up()
        }
    }
    visitors
        .iter_mut()
        .for_each(|visitor| visitor.type_text("n\t"));
    let shows_form = |screen: &vt100::Screen| {
        screen.contents().contains("Novo link de pagamento") && !screen.hide_cursor()
    };
    visitors
        .iter()
        .for_each(|visitor| visitor.wait_until("the form", shows_form));
    // Repeat a round that was too slow, because another program may have kept the machine busy.
    let mut rounds = Vec::new();
    while rounds.last().is_none_or(|time| *time >= MAX_LETTER_DELAY) {
        assert!(rounds.len() < MAX_ROUNDS, "letters are late: {rounds:?}");
        rounds.push(measure_letters(&mut visitors));
    }

    // The remaining visitors are those who type, and the visitor whose terminal is not read.
    wait_until("the lost ones are gone", || {
        sshd.kiosk_pids().len() == visitors.len() + 1
    });
    let killed_pid = sshd.kiosk_pids()[0];
    let killed_directory = kiosk_directory(killed_pid);
    let pid = i32::try_from(killed_pid)
        .ok()
        .and_then(Pid::from_raw)
        .expect("a process id");
    kill_process(pid, Signal::KILL).expect("it can be killed");
    for visitor in &mut visitors {
        visitor.try_type("\x03\x03");
    }
    unread_visitor.try_type("\x03\x03");
    visitors
        .iter()
        .chain([&unread_visitor])
        .for_each(|visitor| drop(visitor.wait_exit()));
    wait_until("all are gone", || sshd.kiosk_pids().is_empty());
    assert!(
        directories
            .iter()
            .all(|path| !path.exists() || *path == killed_directory)
    );
    // When the next kiosk starts, it removes the directory of the killed kiosk.
    let mut next = sshd.ssh(&home, &[]).start();
    next.wait_for("[ Entrar ]");
    next.quit();
    assert!(!killed_directory.exists());
}

/// Lets all visitors type. Returns the time after which 19 of 20 letters were on the screen.
fn measure_letters(visitors: &mut [Tui]) -> Duration {
    let group_size = visitors.len().div_ceil(TYPING_GROUPS);
    let mut times: Vec<Duration> = thread::scope(|scope| {
        let groups = visitors
            .chunks_mut(group_size)
            .map(|group| scope.spawn(|| type_letters(group)));
        let groups: Vec<_> = groups.collect();
        groups
            .into_iter()
            .flat_map(|group| group.join().expect("letters appear"))
            .collect()
    });
    times.sort_unstable();
    times[times.len() * 19 / 20]
}

fn type_letters(visitors: &mut [Tui]) -> Vec<Duration> {
    let letters = ["x", "\x7f"].repeat(LETTERS_PER_ROUND / 2);
    let times = letters.into_iter().flat_map(|letter| {
        visitors
            .iter_mut()
            .map(|visitor| visitor.measure_letter_delay(letter))
            .collect::<Vec<_>>()
    });
    times.collect()
}
