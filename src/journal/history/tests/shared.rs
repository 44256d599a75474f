//! Tests of a mirror of a team's history. Each test has a few machines and one log in memory.

use super::*;
use crate::journal::history::{Applied, HistoryLog, Record};
use crate::journal::money::NotAppended;
use crate::trade::{
    Author, Batch, BatchId, BatchLine, BatchSource, EntryId, LineResult, LineState, Operation,
    PaymentLink, SaleRow, StatementMark, StatementMarks,
};

mod converge;
mod hostile;
mod lost;
mod rules;

/// The fault of an append.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// The connection is lost, and the records do not arrive.
    LostBefore,
    /// The connection is lost after the records arrived.
    LostAfter,
}

/// A log in memory.
#[derive(Debug, Default)]
struct MemoryRecords {
    records: Vec<Record>,
    next_fault: Option<Fault>,
}

impl HistoryLog for MemoryRecords {
    fn records_after(&mut self, n: i64, most: i64) -> Result<Vec<Record>, JournalTrouble> {
        let [n, most] = [n, most].map(|number| usize::try_from(number).unwrap());
        Ok(self.records.iter().skip(n).take(most).cloned().collect())
    }

    fn append_records(&mut self, records: &[Record]) -> Result<(), NotAppended> {
        let fault = self.next_fault.take();
        let doubt = || NotAppended::Doubt("lost".to_owned());
        if fault == Some(Fault::LostBefore) {
            return Err(doubt());
        }
        let end = i64::try_from(self.records.len()).unwrap();
        if records[0].n != end + 1 {
            return Err(NotAppended::Outrun);
        }
        for record in records {
            assert!(
                self.records
                    .iter()
                    .all(|known| known.change != record.change)
            );
            let author: serde_json::Value = serde_json::from_str(&record.who).unwrap();
            self.records.push(Record {
                written_by: author["role"].as_str().map(str::to_owned),
                ..record.clone()
            });
        }
        fault.map_or(Ok(()), |_| Err(doubt()))
    }
}

/// A machine of the team with its mirror.
struct Machine {
    _dir: tempfile::TempDir,
    history: History,
}

fn author(name: &str) -> Author {
    Author {
        role: name.to_lowercase().as_str().into(),
        operator: name.into(),
        machine: format!("caixa-{name}").as_str().into(),
    }
}

impl Machine {
    fn of(name: &str) -> Machine {
        let dir = tempfile::tempdir().unwrap();
        let mut history = History::open_temporary(dir.path()).unwrap();
        history.share(&author(name)).unwrap();
        Machine { _dir: dir, history }
    }

    /// Applies all records of the log.
    fn pull(&mut self, log: &mut MemoryRecords) -> Applied {
        let mut all = Applied::default();
        if let Some((n, change)) = self.history.last_change().unwrap() {
            let found = log.records_after(n - 1, 1).unwrap();
            if found.first().map(|record| record.change) != Some(change) {
                self.history.read_again().unwrap();
            }
        }
        loop {
            let last = self.history.last_record().unwrap();
            let records = log.records_after(last, 7).unwrap();
            if records.is_empty() {
                self.history.share_lost().unwrap();
                return all;
            }
            let applied = self.history.apply_records(&records).unwrap();
            all.applied += applied.applied;
            all.skipped += applied.skipped;
        }
    }

    /// Appends some pending records. Returns true if there were any.
    fn push(&mut self, log: &mut MemoryRecords) -> bool {
        let records = self.history.pending_records(5, 2_000).unwrap();
        if records.is_empty() {
            return false;
        }
        if log.append_records(&records).is_ok() {
            self.history.appended(&records).unwrap();
        }
        true
    }

    /// Pulls and pushes until nothing is pending.
    fn sync(&mut self, log: &mut MemoryRecords) -> Applied {
        let mut all = self.pull(log);
        while self.push(log) {
            let applied = self.pull(log);
            all.applied += applied.applied;
            all.skipped += applied.skipped;
        }
        all
    }

    fn links(&self) -> Vec<PaymentLink> {
        self.history.all().map(Result::unwrap).collect()
    }

    fn charges(&self) -> Vec<Charge> {
        self.history.all().map(Result::unwrap).collect()
    }

    fn new_link(&mut self, description: &str, at: i64) -> PaymentLink {
        let request = link(description, 500);
        let id = self.history.begin(&request, Wall(at)).unwrap();
        let outcome = created(description);
        self.history.settle::<LinkRequest>(id, &outcome).unwrap()
    }

    fn pending_count(&self) -> i64 {
        self.count("shared_pending")
    }

    fn count(&self, table: &str) -> i64 {
        let count = format!("SELECT count(*) FROM {table}");
        let count = self
            .history
            .connection
            .query_row(&count, [], |row| row.get(0));
        count.unwrap()
    }
}

fn sync_all(machines: &mut [Machine], log: &mut MemoryRecords) {
    // The second round brings the records of the last machine to the first one.
    for _ in 0..2 {
        for machine in &mut *machines {
            machine.sync(log);
        }
    }
}

const FILE: &str = "/srv/ana/precos.csv";

fn begin_batch(history: &mut History, lines: u64, at: i64) -> Batch {
    let source = BatchSource {
        file: FILE.into(),
        result: "/srv/ana/precos-resultado.csv".into(),
        header: vec!["valor".into(), "descrição".into()],
        delimiter: b';',
    };
    let lines: Vec<_> = (1..=lines)
        .map(|number| BatchLine {
            number,
            cells: vec!["5,00".into(), format!("Boné {number}")],
            request: Some(link(&format!("Boné {number}"), 500)),
            note: (number == 2).then(|| "dois".to_owned()),
            state: LineState::Waiting,
            reason: String::new(),
            row: None,
            url: None,
        })
        .collect();
    let begun = history.begin_batch(&account("ana"), &source, &lines, Wall(at));
    begun.unwrap()
}

fn statement_mark(line: u8, sale: &Sale) -> StatementMark {
    StatementMark {
        line: EntryId([line; 16]),
        day: 20_000 + i64::from(line),
        amount: sale.amount_and_description().0,
        sale: SaleRow::of(sale),
    }
}

fn mark_from_statement(history: &mut History, line: u8, sale: &Sale, at: i64) -> u64 {
    let marks = StatementMarks {
        read_at: Wall(at),
        at: Wall(at + 1),
        marks: vec![statement_mark(line, sale)],
    };
    history.mark_from_statement(&marks).unwrap()
}
