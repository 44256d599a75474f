//! Tests of a journal with many withdrawals, and of the overview that needs little memory.

use super::samples::*;
use crate::journal::money::{EventLookup, Files, MoneyJournal, ReadOnlyJournal};
use crate::trade::report::{WithdrawalAmounts, WithdrawalCount, WithdrawalFigures};
use crate::trade::withdrawal::Decision;
use crate::trade::{JournalContents, JournalTrouble, Search, Wall, Withdrawal};

#[test]
fn opening_long_journal_reports_its_progress() {
    let dir = tempfile::tempdir().unwrap();
    write_long_journal(dir.path(), 2_500);
    let open_both = [
        |dir: &std::path::Path, report: &mut dyn FnMut(u8)| {
            MoneyJournal::open_reporting(Files::new(dir), true, report).unwrap()
        },
        |dir: &std::path::Path, report: &mut dyn FnMut(u8)| {
            MoneyJournal::open_to_read_reporting(&Files::new(dir), read_only_error(), report)
                .unwrap()
                .journal
        },
    ];
    for open in open_both {
        let mut percents = vec![];
        let journal = open(dir.path(), &mut |percent| percents.push(percent));
        assert_eq!(journal.events(), 2_500);
        assert_eq!(percents, [40, 80]);
    }
}

/// The withdrawals and the names of their states, as the app lists them and as the overview lists
/// them.
type Listed = (Vec<Withdrawal>, Vec<&'static str>);

fn list_both(dir: &std::path::Path) -> [Listed; 2] {
    let state = |withdrawal: &Withdrawal| withdrawal.state(&clocks(5), &WINDOW, false);
    let rows = open(dir).page(None, "", 0, u64::MAX).unwrap().rows.to_vec();
    let names = rows.iter().map(|row| state(row).name()).collect();
    let overview = ReadOnlyJournal::open(&Files::new(dir)).unwrap().journal;
    let listed: Result<Vec<_>, JournalTrouble> = overview.withdrawals().collect();
    [
        (rows, names),
        (listed.unwrap(), overview.state_names(state).collect()),
    ]
}

#[test]
fn overview_lists_the_same_withdrawals_as_the_app() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let [app, overview] = list_both(dir.path());
    assert_eq!(app.1, ["unknown", "prepared", "rejected", "accepted"]);
    assert_eq!(overview, app);
    let journal = ReadOnlyJournal::open(&Files::new(dir.path()))
        .unwrap()
        .journal;
    let JournalContents {
        withdrawals,
        open,
        last,
    } = journal.contents();
    assert_eq!(
        (withdrawals, open, last),
        (
            4,
            1,
            app.0.iter().map(|row| row.agreement.agreed.wall).max()
        )
    );
    // More withdrawals than are read at a time.
    let dir = tempfile::tempdir().unwrap();
    write_long_journal(dir.path(), 450);
    let [app, overview] = list_both(dir.path());
    assert_eq!(overview.0.len(), 450);
    assert_eq!(overview, app);
}

#[test]
fn newest_withdrawals_are_not_grouped() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    journal.prepare(agreement(1, 100), None).unwrap();
    journal.prepare(agreement(2, 200), None).unwrap();
    journal
        .decide(key(2), Decision::Discarded, &clocks(5), &WINDOW)
        .unwrap();
    let files = Files::new(dir.path());
    let overview = ReadOnlyJournal::open(&files).unwrap().journal;
    let amounts = |withdrawals: &mut dyn Iterator<Item = Result<Withdrawal, JournalTrouble>>| {
        let amounts = withdrawals.map(|it| it.unwrap().agreement.amount.to_string());
        amounts.collect::<Vec<_>>()
    };
    let newest = amounts(&mut overview.newest_withdrawals());
    assert_eq!(newest, ["R$ 2,00", "R$ 1,00"]);
    let grouped = amounts(&mut overview.withdrawals());
    assert_eq!(grouped, ["R$ 1,00", "R$ 2,00"]);
}

#[test]
fn figures_of_app_and_overview_agree() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let mut journal = open(dir.path());
    let all = [Wall(i64::MIN), Wall(i64::MAX)];
    let figures = journal.figures(all).unwrap();
    let accepted = figures.accepted.count + figures.without_fee;
    assert_eq!((accepted, figures.open, figures.unknown), (1, 1, 1));
    let files = Files::new(dir.path());
    let overview = ReadOnlyJournal::open(&files).unwrap().journal;
    let mut counted = WithdrawalFigures::default();
    for withdrawal in overview.withdrawals_between(all) {
        let withdrawal = withdrawal.unwrap();
        let state = withdrawal.state(&clocks(5), &WINDOW, false);
        let amounts = WithdrawalAmounts::of(&withdrawal);
        counted.add(amounts, WithdrawalCount::from(&state));
    }
    assert_eq!(counted, figures);
    let before = [Wall(i64::MIN), Wall(0)];
    assert_eq!(journal.figures(before), Ok(WithdrawalFigures::default()));
    // The figures of a search are those of its rows.
    assert_eq!(journal.found_figures(&"".into()), Ok(None), "all are found");
    let search = Search::from("0000");
    assert_eq!(journal.found_figures(&search), Ok(Some(figures)));
    assert_eq!(journal.found_figures(&search), Ok(Some(figures)));
    assert_eq!(
        journal.found_figures(&"nada".into()),
        Ok(Some(WithdrawalFigures::default()))
    );
}

#[test]
fn overview_keeps_only_undecided_withdrawals() {
    let dir = tempfile::tempdir().unwrap();
    fill_journal(dir.path());
    let journal = ReadOnlyJournal::open(&Files::new(dir.path()))
        .unwrap()
        .journal;
    let is_kept = [1, 2, 3, 4].map(|n| journal.index.undecided(key(n)).is_some());
    assert_eq!(is_kept, [false, false, true, true]);
    assert!(
        journal.index.bytes_per_withdrawal() <= 72,
        "{}",
        journal.index.bytes_per_withdrawal()
    );
}

#[test]
fn overview_finds_the_attempt_in_flight() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = open(dir.path());
    prepare_and_attempt(&mut journal, 1, 100, timed_out());
    let in_flight = |dir| {
        ReadOnlyJournal::open(&Files::new(dir))
            .unwrap()
            .journal
            .in_flight()
            .unwrap()
    };
    assert!(
        in_flight(dir.path()).is_empty(),
        "no attempt holds the lock"
    );
    let lock = journal.lock(key(1)).unwrap();
    let permit = journal
        .begin(lock, key(1), None, &clocks(40), &WINDOW)
        .unwrap();
    assert_eq!(in_flight(dir.path()), [key(1)]);
    drop(permit);
    assert!(in_flight(dir.path()).is_empty(), "the process has died");
}
