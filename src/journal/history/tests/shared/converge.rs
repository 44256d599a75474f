//! Three machines that change the same rows in any order, with a connection that fails, end with
//! the same lists.

use proptest::prelude::*;

use super::*;
use crate::journal::history::TakenLine;

/// The time of the first step, in milliseconds.
const START_MS: i64 = 1_795_000_000_000;

/// A change through the public methods of [`History`], or a step of a machine's connection. A
/// number selects a row, a key or a batch of the machine.
#[derive(Debug, Clone)]
enum Step {
    NewLink {
        note: bool,
    },
    NewCharge,
    Settle {
        row: usize,
        is_created: bool,
    },
    LookUp {
        row: usize,
        is_created: bool,
    },
    Mark {
        row: usize,
        is_paid: bool,
    },
    MarkCharge {
        row: usize,
        is_paid: bool,
    },
    Note {
        row: usize,
        note: Option<&'static str>,
    },
    PutAway {
        row: usize,
        is_away: bool,
    },
    SandboxPaid {
        row: usize,
    },
    Remove {
        row: usize,
    },
    Nickname {
        key: usize,
        name: Option<&'static str>,
    },
    Statement {
        row: usize,
        line: u8,
    },
    UndoStatement,
    BeginBatch,
    TakeLine {
        batch: usize,
    },
    SettleLine {
        is_put_back: bool,
    },
    EndLost {
        batch: usize,
    },
    SendAgain {
        batch: usize,
    },
    EndBatch {
        batch: usize,
    },
    Prune {
        back: i64,
    },
    Pull,
    Push {
        fault: Option<Fault>,
    },
    /// The log loses its last records. Each machine has to connect again.
    Lose {
        count: usize,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let row = 0_usize..6;
    let is = any::<bool>;
    let note = prop_oneof![Just(None), Just(Some("retirada")), Just(Some("Bia paga"))];
    let name = prop_oneof![Just(None), Just(Some("Fornecedor")), Just(Some("Mãe"))];
    let fault = prop_oneof![
        3 => Just(None),
        1 => Just(Some(Fault::LostBefore)),
        1 => Just(Some(Fault::LostAfter)),
    ];
    let sales = prop_oneof![
        is().prop_map(|note| Step::NewLink { note }),
        Just(Step::NewCharge),
        (row.clone(), is()).prop_map(|(row, is_created)| Step::Settle { row, is_created }),
        (row.clone(), is()).prop_map(|(row, is_created)| Step::LookUp { row, is_created }),
        (row.clone(), is()).prop_map(|(row, is_paid)| Step::Mark { row, is_paid }),
        (row.clone(), is()).prop_map(|(row, is_paid)| Step::MarkCharge { row, is_paid }),
        (row.clone(), note).prop_map(|(row, note)| Step::Note { row, note }),
        (row.clone(), is()).prop_map(|(row, is_away)| Step::PutAway { row, is_away }),
        row.clone().prop_map(|row| Step::SandboxPaid { row }),
        row.clone().prop_map(|row| Step::Remove { row }),
    ];
    let others = prop_oneof![
        (0_usize..3, name).prop_map(|(key, name)| Step::Nickname { key, name }),
        (row.clone(), 0_u8..3).prop_map(|(row, line)| Step::Statement { row, line }),
        Just(Step::UndoStatement),
        Just(Step::BeginBatch),
        row.clone().prop_map(|batch| Step::TakeLine { batch }),
        is().prop_map(|is_put_back| Step::SettleLine { is_put_back }),
        row.clone().prop_map(|batch| Step::EndLost { batch }),
        row.clone().prop_map(|batch| Step::SendAgain { batch }),
        row.prop_map(|batch| Step::EndBatch { batch }),
        (0_i64..4_000).prop_map(|back| Step::Prune { back }),
    ];
    prop_oneof![
        12 => sales,
        6 => others,
        6 => Just(Step::Pull),
        6 => fault.prop_map(|fault| Step::Push { fault }),
        1 => (1_usize..20).prop_map(|count| Step::Lose { count }),
    ]
}

/// Selects an item. Numbers after the last item begin again at the first one.
fn select<T>(mut items: Vec<T>, row: usize) -> Option<T> {
    (!items.is_empty()).then(|| items.swap_remove(row % items.len()))
}

fn outcome(is_created: bool, at: i64) -> LinkOutcome {
    if is_created {
        created(&at.to_string())
    } else {
        LinkOutcome::NotSent
    }
}

/// A step may be impossible, for example because the row is gone. Other errors are not expected.
fn allow_refusal<T>(result: Result<T, JournalTrouble>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(JournalTrouble::Io(text)) => {
            assert!(text.contains("no rows"), "{text}");
            None
        }
        Err(trouble) => panic!("{trouble}"),
    }
}

struct Actor {
    machine: Machine,
    taken: Vec<(BatchId, TakenLine)>,
    is_connected: bool,
}

impl Actor {
    /// The number of the last record in the log whose append got no answer on this machine. A
    /// machine repeats such records under the same numbers. If it changed one of them in between,
    /// and the log had lost them, the others cannot notice that.
    fn last_in_doubt(&self, log: &MemoryRecords) -> usize {
        let select = "SELECT hex(change) FROM shared_pending";
        let pending = texts(&self.machine.history, select);
        let is_pending = |record: &Record| {
            let change = record.change.simple().to_string();
            pending.contains(&change.to_uppercase())
        };
        log.records
            .iter()
            .rposition(is_pending)
            .map_or(0, |n| n + 1)
    }

    fn link(&self, row: usize) -> Option<PaymentLink> {
        select(self.machine.links(), row)
    }

    fn batch(&self, batch: usize) -> Option<BatchId> {
        let history = &self.machine.history;
        select(batch_ids(history), batch).map(BatchId)
    }

    fn change_sale(&mut self, step: &Step, at: i64) -> Option<()> {
        let now = Wall(at);
        match step {
            Step::NewLink { note } => {
                let note = note.then(|| "nova".to_owned());
                let request = link(&format!("Boné {at}"), 500);
                let begun = self.machine.history.begin_with_note(&request, note, now);
                allow_refusal(begun)?;
            }
            Step::NewCharge => {
                let request = charge(Some("Bruno"));
                let id = allow_refusal(self.machine.history.begin(&request, now))?;
                let outcome = ChargeOutcome::Created(CreatedCharge::default());
                let settled = self.machine.history.settle::<ChargeRequest>(id, &outcome);
                allow_refusal(settled)?;
            }
            Step::Settle { row, is_created } => {
                let id = self.link(*row)?.id;
                let outcome = outcome(*is_created, at);
                let settled = self.machine.history.settle::<LinkRequest>(id, &outcome);
                allow_refusal(settled)?;
            }
            Step::LookUp { row, is_created } => {
                let mut link = self.link(*row)?;
                link.outcome = outcome(*is_created, at);
                let link = Sale::Link(link);
                allow_refusal(self.machine.history.settle_after_lookup(&link))?;
            }
            Step::Mark { row, is_paid } => {
                let link = self.link(*row)?;
                let paid = is_paid.then_some(now);
                allow_refusal(mark(&mut self.machine.history, &link, paid))?;
            }
            Step::MarkCharge { row, is_paid } => {
                let charge = Sale::Charge(select(self.machine.charges(), *row)?);
                let paid = is_paid.then_some(now);
                allow_refusal(self.machine.history.mark_paid(&charge, paid))?;
            }
            Step::Note { row, note } => {
                let link = self.link(*row)?;
                allow_refusal(self.machine.history.set_note(&link, *note))?;
            }
            Step::PutAway { row, is_away } => {
                let link = self.link(*row)?;
                let since = is_away.then_some(now);
                allow_refusal(self.machine.history.put_away(&link, since))?;
            }
            Step::SandboxPaid { row } => {
                let link = self.link(*row)?;
                let url = link.outcome.created()?.url.clone();
                let origin = &link.request.account.origin;
                let history = &mut self.machine.history;
                allow_refusal(history.record_sandbox_payments(origin, &[url], now))?;
            }
            Step::Remove { row } => {
                let link = Sale::Link(self.link(*row)?);
                allow_refusal(self.machine.history.remove_sale(&link))?;
            }
            _ => self.change_other(step, at)?,
        }
        Some(())
    }

    fn change_other(&mut self, step: &Step, at: i64) -> Option<()> {
        match step {
            Step::Nickname { key, name } => {
                let name = name.and_then(Nickname::parse);
                let key = &keys()[*key];
                let history = &mut self.machine.history;
                allow_refusal(history.set_nickname(&account("ana"), key, name.as_ref(), Wall(at)))?;
            }
            Step::Statement { row, line } => {
                let link = Sale::Link(self.link(*row)?);
                mark_from_statement(&mut self.machine.history, *line, &link, at);
            }
            Step::UndoStatement => drop(self.machine.history.undo_statement().unwrap()),
            Step::BeginBatch => drop(begin_batch(&mut self.machine.history, 3, at)),
            Step::TakeLine { batch } => {
                let batch = self.batch(*batch)?;
                let line = self.machine.history.take_line(batch, Wall(at)).unwrap()?;
                self.taken.push((batch, line));
            }
            Step::SettleLine { is_put_back } => {
                let (batch, line) = self.taken.pop()?;
                let result = if *is_put_back {
                    LineResult::PutBack
                } else {
                    LineResult::Ended(created(&at.to_string()))
                };
                let history = &mut self.machine.history;
                allow_refusal(history.settle_line(batch, &line, &result, "motivo"))?;
            }
            Step::EndLost { batch } => {
                let batch = self.batch(*batch)?;
                self.machine.history.end_lost_lines(batch).unwrap();
            }
            Step::SendAgain { batch } => {
                let batch = self.batch(*batch)?;
                self.machine.history.send_line_again(batch, 1).unwrap();
            }
            Step::EndBatch { batch } => {
                let batch = self.batch(*batch)?;
                self.machine.history.end_batch(batch, "encerrado").unwrap();
            }
            Step::Prune { back } => drop(self.machine.history.prune(Wall(at - back)).unwrap()),
            _ => {}
        }
        Some(())
    }

    fn take_step(&mut self, step: &Step, at: i64, log: &mut MemoryRecords) {
        if matches!(step, Step::Push { .. }) && !self.is_connected {
            self.machine.pull(log);
            self.is_connected = true;
        }
        match step {
            Step::Pull => drop(self.machine.pull(log)),
            Step::Push { fault } => {
                log.next_fault = *fault;
                self.machine.push(log);
                log.next_fault = None;
            }
            _ => drop(self.change_sale(step, at)),
        }
    }
}

fn keys() -> [PixKey; 3] {
    ["11144477735", "52998224725", "39053344705"]
        .map(|text| PixKey::parse(PixKeyKind::Cpf, text).unwrap())
}

fn batch_ids(history: &History) -> Vec<i64> {
    let mut statement = history
        .connection
        .prepare("SELECT id FROM batch ORDER BY id DESC");
    let statement = statement.as_mut().unwrap();
    let ids = statement.query_map([], |row| row.get(0)).unwrap();
    ids.map(Result::unwrap).collect()
}

fn texts(history: &History, select: &str) -> Vec<String> {
    let mut statement = history.connection.prepare(select).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

/// Everything that a seller can see, and that a search finds.
fn seen(machine: &Machine) -> String {
    let history = &machine.history;
    let mut seen = format!("{:#?}\n{:#?}\n", machine.links(), machine.charges());
    for table in ["link", "charge"] {
        let words = format!("SELECT id || c0 FROM {table}_words_content ORDER BY id");
        let columns = format!(
            "SELECT format('%d %d %s %s %s', id, centavos, host, label, expires_at) FROM {table}
             ORDER BY id"
        );
        seen += &format!(
            "{:#?}\n",
            (texts(history, &words), texts(history, &columns))
        );
    }
    let nicknames = history.all_nicknames().map(Result::unwrap);
    for (account, key, name) in nicknames {
        seen += &format!("{account:?} {key:?} {}\n", name.as_str());
    }
    for batch in batch_ids(history).into_iter().map(BatchId) {
        let mut stored = history.batch(batch).unwrap().unwrap();
        stored.is_foreign = false;
        let mut lines = history.batch_lines(batch, 0, usize::MAX).unwrap();
        for line in &mut lines {
            // A purge deletes links also if the batch is newer.
            line.row = line.row.filter(|row| {
                let link = history.sale(Operation::CreateLink, *row);
                link.unwrap().is_some()
            });
        }
        seen += &format!("{stored:#?}\n{lines:#?}\n");
    }
    let lines = [0, 1, 2].map(|line| EntryId([line; 16]));
    let used = history.used_lines(&lines).unwrap();
    let statement = "SELECT format('%s %d %s %d %d', id, import, sale, row, paid_at)
         FROM statement_line ORDER BY id";
    seen + &format!("{} {:#?}", used.len(), texts(history, statement))
}

/// The first line that differs, with the lines before it.
fn first_difference(one: &str, other: &str) -> Option<String> {
    let lines: Vec<_> = one.lines().zip(other.lines()).collect();
    let n = match lines.iter().position(|(one, other)| one != other) {
        Some(n) => n,
        None if one.len() == other.len() => return None,
        None => lines.len() - 1,
    };
    Some(format!("{:#?}", &lines[n.saturating_sub(20)..=n]))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn machines_end_with_the_same_lists(
        steps in proptest::collection::vec((0_usize..3, step()), 1..120),
    ) {
        let mut log = MemoryRecords::default();
        let mut actors = ["Ana", "Bia", "Caio"].map(|name| Actor {
            machine: Machine::of(name),
            taken: vec![],
            is_connected: true,
        });
        for (n, (actor, step)) in (0_i64..).zip(&steps) {
            // No two rows have the same time.
            let at = START_MS + 37 * n;
            if let Step::Lose { count } = step {
                let rest = log.records.len().saturating_sub(*count);
                let in_doubt = actors.iter().map(|actor| actor.last_in_doubt(&log));
                log.records.truncate(in_doubt.fold(rest, usize::max));
                for actor in &mut actors {
                    actor.is_connected = false;
                }
            }
            actors[*actor].take_step(step, at, &mut log);
        }
        let mut machines = actors.map(|actor| actor.machine);
        sync_all(&mut machines, &mut log);
        let [ana, bia, caio] = &machines;
        prop_assert_eq!(ana.pending_count() + bia.pending_count() + caio.pending_count(), 0);
        let expected = seen(ana);
        prop_assert_eq!(first_difference(&seen(bia), &expected), None);
        prop_assert_eq!(first_difference(&seen(caio), &expected), None);
        // A machine that joins later sees the same.
        let mut late = Machine::of("Davi");
        prop_assert_eq!(late.pull(&mut log).skipped, 0);
        prop_assert_eq!(first_difference(&seen(&late), &expected), None);
    }
}
