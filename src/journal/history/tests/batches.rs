//! Tests of batches: each line is taken once, and its state is on disk before its request is sent.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;

use super::{account, created, link, new_history, open};
use crate::journal::history::{History, TakenLine};
use crate::journal::{batch_process, lock_batch};
use crate::trade::{
    Account, Batch, BatchId, BatchLine, BatchSource, FailedLine, LineResult, LineState,
    LinkOutcome, LinkRequest, PagePosition, Refusal, Sale, Wall,
};

const FILE: &str = "/srv/ana/precos.csv";

fn source() -> BatchSource {
    BatchSource {
        file: FILE.into(),
        result: "/srv/ana/precos-resultado.csv".into(),
        header: vec!["valor".into(), "descrição".into()],
        delimiter: b';',
    }
}

fn waiting(number: u64) -> BatchLine {
    BatchLine {
        number,
        cells: vec!["49,90".into(), format!("Boné {number}")],
        request: Some(link(&format!("Boné {number}"), 4_990)),
        note: (number == 2).then(|| "dois".to_owned()),
        state: LineState::Waiting,
        reason: String::new(),
        row: None,
        url: None,
    }
}

fn skipped(number: u64) -> BatchLine {
    BatchLine {
        request: None,
        state: LineState::Skipped,
        reason: "empty line".into(),
        ..waiting(number)
    }
}

fn begin(history: &mut History, lines: &[BatchLine]) -> Batch {
    history
        .begin_batch(&account("ana"), &source(), lines, Wall(7))
        .unwrap()
}

fn take(history: &mut History, batch: &Batch) -> TakenLine {
    history.take_line(batch.id, Wall(9)).unwrap().unwrap()
}

fn states(history: &History, batch: BatchId) -> Vec<LineState> {
    let lines = history.batch_lines(batch, 0, usize::MAX).unwrap();
    lines.into_iter().map(|line| line.state).collect()
}

fn refused() -> LineResult {
    LineResult::Ended(LinkOutcome::Refused(Refusal {
        status: 400,
        message: None,
        hint: None,
        retry_after: None,
    }))
}

#[test]
fn batch_is_stored_as_it_was_given() {
    let (dir, mut history) = new_history();
    let lines = [waiting(2), skipped(3), waiting(4)];
    let batch = begin(&mut history, &lines);
    drop(history);
    let history = open(dir.path());
    assert_eq!(history.batch_lines(batch.id, 0, usize::MAX).unwrap(), lines);
    assert_eq!(history.newest_batch(&account("ana"), FILE), Ok(Some(batch)));
    assert_eq!(history.newest_batch(&account("bia"), FILE), Ok(None));
    assert_eq!(
        history.newest_batch(&account("ana"), "/srv/x.csv"),
        Ok(None)
    );
}

#[test]
fn put_back_link_found_at_the_service_is_searched() {
    let (_dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2)]);
    let line = take(&mut history, &batch);
    let mut link = history.all::<LinkRequest>().next().unwrap().unwrap();
    link.outcome = created("a");
    history.settle_after_lookup(&Sale::Link(link)).unwrap();
    let put_back = history.settle_line(batch.id, &line, &LineResult::PutBack, "");
    assert_eq!(put_back, Ok(()));
    let found = history
        .sales::<LinkRequest>("boné", PagePosition::Top, 9)
        .unwrap();
    assert_eq!(found.rows.len(), 1);
}

#[test]
fn newest_batch_of_a_file_is_found() {
    let (_dir, mut history) = new_history();
    begin(&mut history, &[waiting(2)]);
    let newest = begin(&mut history, &[waiting(5)]);
    assert_eq!(
        history.newest_batch(&account("ana"), FILE),
        Ok(Some(newest))
    );
}

#[test]
fn taken_line_is_unknown_after_a_crash() {
    let (dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2), waiting(3)]);
    let line = take(&mut history, &batch);
    assert_eq!(line.number, 2);
    drop(history);
    let mut history = open(dir.path());
    assert_eq!(history.end_lost_lines(batch.id), Ok(1));
    assert_eq!(
        states(&history, batch.id),
        [LineState::Unknown, LineState::Waiting]
    );
    let links = history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap();
    assert_eq!(links.rows[0].id, line.row);
    assert_eq!(links.rows[0].outcome, LinkOutcome::Unknown);
    assert_eq!(
        take(&mut history, &batch).number,
        3,
        "line 2 is not sent again"
    );
    assert_eq!(history.end_lost_lines(batch.id), Ok(1));
    assert_eq!(history.take_line(batch.id, Wall(9)), Ok(None));
}

#[test]
fn results_end_lines_and_settle_links() {
    let (_dir, mut history) = new_history();
    let batch = begin(
        &mut history,
        &[waiting(2), waiting(3), waiting(4), skipped(5)],
    );
    let made = LineResult::Ended(created("a"));
    for (result, reason) in [
        (made, ""),
        (refused(), "Saldo"),
        (LineResult::PutBack, "rede"),
    ] {
        let line = take(&mut history, &batch);
        history
            .settle_line(batch.id, &line, &result, reason)
            .unwrap();
    }
    let expected = [
        LineState::Made,
        LineState::Refused,
        LineState::Waiting,
        LineState::Skipped,
    ];
    assert_eq!(states(&history, batch.id), expected);
    let lines = history.batch_lines(batch.id, 0, usize::MAX).unwrap();
    let reasons: Vec<_> = lines.iter().map(|line| line.reason.as_str()).collect();
    assert_eq!(reasons, ["", "Saldo", "rede", "empty line"]);
    let rows: Vec<_> = lines.iter().map(|line| line.row.is_some()).collect();
    assert_eq!(rows, [true, true, false, false]);
    let urls: Vec<_> = lines.into_iter().filter_map(|line| line.url).collect();
    assert_eq!(urls.len(), 1);
    let links = history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap();
    assert_eq!(links.rows.len(), 2, "no row of a link that was put back");
    let counts = history.batch_counts(batch.id).unwrap();
    assert_eq!(
        (counts.made, counts.refused, counts.waiting, counts.skipped),
        (1, 1, 1, 1)
    );
    assert!(!counts.is_finished());
    assert_eq!(take(&mut history, &batch).number, 4, "it waits again");
}

#[test]
fn line_is_settled_only_while_it_is_in_flight() {
    let (_dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2)]);
    let line = take(&mut history, &batch);
    let made = LineResult::Ended(created("a"));
    history.settle_line(batch.id, &line, &made, "").unwrap();
    for result in [made, refused(), LineResult::PutBack] {
        assert!(history.settle_line(batch.id, &line, &result, "").is_err());
    }
    assert_eq!(states(&history, batch.id), [LineState::Made]);
    let links = history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap();
    assert!(links.rows[0].outcome.created().is_some());
}

#[test]
fn only_unknown_line_is_sent_again() {
    let (_dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2), waiting(3)]);
    let first = take(&mut history, &batch);
    let made = LineResult::Ended(created("a"));
    history.settle_line(batch.id, &first, &made, "").unwrap();
    let second = take(&mut history, &batch);
    let unknown = LineResult::Ended(LinkOutcome::Unknown);
    history
        .settle_line(batch.id, &second, &unknown, "sem resposta")
        .unwrap();
    for (number, expected) in [(2, false), (9, false), (3, true), (3, false)] {
        assert_eq!(
            history.send_line_again(batch.id, number),
            Ok(expected),
            "{number}"
        );
    }
    let again = take(&mut history, &batch);
    assert_eq!(again.number, 3);
    assert_ne!(
        again.row, second.row,
        "the earlier try stays in the history"
    );
}

#[test]
fn two_processes_take_each_line_once() {
    let (dir, mut history) = new_history();
    let count = 40;
    let lines: Vec<_> = (2..2 + count).map(waiting).collect();
    let batch = begin(&mut history, &lines);
    let take_all = || {
        let mut history = open(dir.path());
        let mut numbers = Vec::new();
        while let Some(line) = history.take_line(batch.id, Wall(9)).unwrap() {
            numbers.push(line.number);
        }
        numbers
    };
    let numbers = thread::scope(|scope| {
        let others = [scope.spawn(take_all), scope.spawn(take_all)];
        others.map(|other| other.join().unwrap()).concat()
    });
    assert_eq!(numbers.len() as u64, count);
    assert_eq!(
        numbers.into_iter().collect::<BTreeSet<_>>().len() as u64,
        count
    );
}

#[test]
fn lock_of_a_batch_names_its_process() {
    let dir = tempfile::tempdir().unwrap();
    let lock = |id| lock_batch(dir.path(), BatchId(id), 417).unwrap();
    assert_eq!(batch_process(dir.path(), BatchId(1)), None);
    let first = lock(1);
    assert!(first.is_some() && lock(1).is_none());
    assert!(lock(2).is_some(), "another batch");
    assert_eq!(batch_process(dir.path(), BatchId(1)), Some(417));
    drop(first);
    assert!(lock(1).is_some());
}

#[test]
fn equal_amounts_are_found_among_recent_links() {
    let (_dir, mut history) = new_history();
    let begin = |history: &mut History, request: &LinkRequest, at, outcome| {
        let id = history.begin(request, Wall(at)).unwrap();
        history.settle::<LinkRequest>(id, &outcome).unwrap().id
    };
    let made = begin(&mut history, &link("Boné", 4_990), 10, created("a"));
    let unknown = begin(&mut history, &link("Boné", 4_990), 11, LinkOutcome::Unknown);
    begin(&mut history, &link("Boné", 4_990), 12, LinkOutcome::NotSent);
    begin(&mut history, &link("Boné", 4_990), 4, created("b"));
    begin(&mut history, &link("Boné", 5_000), 13, created("c"));
    let other = LinkRequest {
        account: account("bia"),
        ..link("Boné", 4_990)
    };
    begin(&mut history, &other, 14, created("d"));
    let found = |account: &Account, centavos: &[i64]| -> Vec<_> {
        let links = history.links_with_amounts(account, Wall(5), centavos);
        links.unwrap().iter().map(|link| link.id).collect()
    };
    assert_eq!(found(&account("ana"), &[4_990, 1]), [made, unknown]);
    assert_eq!(found(&account("ana"), &[]), []);
}

#[test]
fn old_batches_are_purged() {
    let (dir, mut history) = new_history();
    let old = begin(&mut history, &[waiting(2)]);
    history.prune(Wall(7)).unwrap();
    assert_eq!(
        history.batch_lines(old.id, 0, usize::MAX).unwrap().len(),
        1,
        "not older"
    );
    history.prune(Wall(8)).unwrap();
    assert_eq!(history.newest_batch(&account("ana"), FILE), Ok(None));
    assert_eq!(history.batch_lines(old.id, 0, usize::MAX), Ok(vec![]));
    assert!(Path::exists(&dir.path().join("history.db")));
}

#[test]
fn taken_line_gives_its_note_to_the_link() {
    let (_dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2)]);
    let line = take(&mut history, &batch);
    history
        .settle_line(batch.id, &line, &refused(), "não")
        .unwrap();
    let page = history.sales::<LinkRequest>("", PagePosition::Top, 9);
    assert_eq!(page.unwrap().rows[0].note.as_deref(), Some("dois"));
}

#[test]
fn lines_are_read_in_pages() {
    let (_dir, mut history) = new_history();
    let lines: Vec<_> = (2..=8).map(waiting).collect();
    let batch = begin(&mut history, &lines);
    let page = |after| history.batch_lines(batch.id, after, 3).unwrap();
    assert_eq!(page(0), lines[..3]);
    assert_eq!(page(4), lines[3..6]);
    assert_eq!(page(7), lines[6..]);
    assert_eq!(page(8), []);
}

#[test]
fn unknown_lines_come_before_refused_ones() {
    let (_dir, mut history) = new_history();
    let lines: Vec<_> = (2..=6).map(waiting).collect();
    let batch = begin(&mut history, &lines);
    let unknown = LineResult::Ended(LinkOutcome::Unknown);
    let made = LineResult::Ended(created("a"));
    for result in [refused(), unknown.clone(), made, unknown] {
        let line = take(&mut history, &batch);
        history
            .settle_line(batch.id, &line, &result, "por quê")
            .unwrap();
    }
    let failed = history.failed_lines(batch.id, 2).unwrap();
    let numbers =
        |failed: &[FailedLine]| -> Vec<u64> { failed.iter().map(|line| line.number).collect() };
    assert_eq!(numbers(&failed), [3, 5]);
    assert_eq!(failed[0].description, "Boné 3");
    assert_eq!(failed[0].reason, "por quê");
    let failed = history.failed_lines(batch.id, 9).unwrap();
    assert_eq!(numbers(&failed), [3, 5, 2]);
    assert_eq!(history.batch_urls(batch.id, 9_999).unwrap().len(), 1);
}

#[test]
fn ended_batch_has_no_waiting_line() {
    let (_dir, mut history) = new_history();
    let batch = begin(&mut history, &[waiting(2), waiting(3)]);
    let line = take(&mut history, &batch);
    history
        .settle_line(batch.id, &line, &refused(), "")
        .unwrap();
    assert_eq!(history.end_batch(batch.id, "fim"), Ok(1));
    assert!(history.take_line(batch.id, Wall(9)).unwrap().is_none());
    let expected = [LineState::Refused, LineState::Skipped];
    assert_eq!(states(&history, batch.id), expected);
    assert_eq!(history.newest_batch_of(&account("ana")), Ok(Some(batch)));
    assert_eq!(history.newest_batch_of(&account("bia")), Ok(None));
}
