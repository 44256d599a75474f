//! Tests of statements against a real history: what is marked, and what is not.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::journal::money::samples::{agreement, attempt_end, clocks, confirmed};
use crate::statement::reconciliation::SaleMatch;
use crate::trade::withdrawal::{Attempt, Class, Decision, Unclear};
use crate::trade::{
    Account, BrCode, ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, LinkOutcome,
    LinkRequest, Money, Operation, Origin, RowId, StatementMarks, crc16,
};

const DAY_MS: i64 = 86_400_000;

fn account() -> Account {
    Account {
        origin: Origin("https://pay.example".into()),
        identity: "ana".into(),
    }
}

fn new_history() -> (tempfile::TempDir, History) {
    let dir = tempfile::tempdir().unwrap();
    let history = History::open_temporary(dir.path()).unwrap();
    (dir, history)
}

/// Creates a link on this day, counted from 1970, at noon.
fn add_link(history: &mut History, day: i64, centavos: i64) -> RowId {
    let request = LinkRequest {
        account: account(),
        amount: Money::from_centavos(centavos),
        description: "Boné".into(),
        domain: None,
    };
    let noon = Wall(day * DAY_MS + DAY_MS / 2);
    let id = history.begin(&request, noon).unwrap();
    let url = "https://loja.example/a".into();
    let outcome = LinkOutcome::Created(CreatedLink { url });
    history.settle::<LinkRequest>(id, &outcome).unwrap();
    id
}

/// Creates a charge as the service returned it.
fn add_created_charge(
    history: &mut History,
    day: i64,
    centavos: i64,
    created: CreatedCharge,
) -> RowId {
    let request = ChargeRequest {
        account: account(),
        amount: Money::from_centavos(centavos),
        description: "Café".into(),
        customer: None,
        buyer: [].into(),
    };
    let noon = Wall(day * DAY_MS + DAY_MS / 2);
    let id = history.begin(&request, noon).unwrap();
    let outcome = ChargeOutcome::Created(created);
    history.settle::<ChargeRequest>(id, &outcome).unwrap();
    id
}

/// Creates a charge with this identifier in its Pix code.
fn add_charge(history: &mut History, day: i64, centavos: i64, reference: &str) -> RowId {
    let field = |id: &str, value: &str| format!("{id}{:02}{value}", value.len());
    let account = field("00", "br.gov.bcb.pix") + &field("01", "ana@loja.example");
    let code = field("00", "01")
        + &field("26", &account)
        + &field("53", "986")
        + &field("62", &field("05", reference))
        + "6304";
    let code = format!("{code}{:04X}", crc16(code.as_bytes()));
    assert_eq!(
        BrCode::reference(&code.as_str().into()).as_deref(),
        Some(reference)
    );
    let created = CreatedCharge {
        pix_code: Some(code.into()),
        ..CreatedCharge::default()
    };
    add_created_charge(history, day, centavos, created)
}

/// The lines of a CSV statement: days since 1970, amounts in centavos, and texts.
fn lines(rows: &[(i64, i64, &str)]) -> Vec<Entry> {
    let rows = rows.iter().map(|(day, centavos, memo)| {
        let date = Wall(day * DAY_MS).local(0).unwrap().date();
        let amount = Money::from_centavos(*centavos).wire().replace('.', ",");
        format!("{};{memo};{amount}\n", date.strftime("%d/%m/%Y"))
    });
    let text = format!("Data;Lançamento;Valor\n{}", rows.collect::<String>());
    statement::read(text.as_bytes(), 0).unwrap()
}

/// Compares lines with the sales of a history, without withdrawals.
fn compared(history: &History, lines: Vec<Entry>) -> Reconciliation {
    let stored = StoredSales::read(history, &lines).unwrap();
    compare(lines, stored, &[])
}

/// Marks everything that a comparison found or proposed. Returns the number of marks.
fn mark_all(history: &mut History, found: &Reconciliation, at: i64) -> u64 {
    let pairs = found.certain.iter().chain(&found.possible);
    let marks = StatementMarks {
        read_at: Wall(at),
        at: Wall(at),
        marks: pairs.map(SaleMatch::mark).collect(),
    };
    history.mark_from_statement(&marks).unwrap()
}

#[test]
fn overlapping_statement_marks_nothing_twice() {
    let (_dir, mut history) = new_history();
    for day in 100..120 {
        add_link(&mut history, day, day);
    }
    let rows: Vec<_> = (100..120).map(|day| (day, day, "PIX")).collect();
    let first = compared(&history, lines(&rows[..15]));
    assert_eq!(mark_all(&mut history, &first, 1), 15);
    let again = compared(&history, lines(&rows[..15]));
    assert_eq!((again.used, again.possible.len()), (15, 0));
    let overlapping = compared(&history, lines(&rows[5..]));
    assert_eq!((overlapping.used, overlapping.possible.len()), (10, 5));
    assert_eq!(mark_all(&mut history, &overlapping, 2), 5);
    let all = compared(&history, lines(&rows));
    assert_eq!((all.used, all.possible), (20, vec![]));
    assert_eq!(mark_all(&mut history, &first, 3), 0, "an old proposal");
}

#[test]
fn two_equal_sales_of_a_day_stay_two() {
    let (_dir, mut history) = new_history();
    let equal = [(100, 500, "PIX ANA"), (100, 500, "PIX ANA")];
    for _ in 0..2 {
        add_link(&mut history, 100, 500);
    }
    let found = compared(&history, lines(&equal[..1]));
    assert_eq!(mark_all(&mut history, &found, 1), 1);
    let found = compared(&history, lines(&equal));
    assert_eq!((found.used, found.possible.len()), (1, 1));
    assert_eq!(mark_all(&mut history, &found, 2), 1);
    let found = compared(&history, lines(&equal));
    assert_eq!((found.used, found.possible.len()), (2, 0));
}

#[test]
fn charge_marked_by_hand_is_only_contradicted() {
    let (_dir, mut history) = new_history();
    let reference = "PEDIDO00000017";
    let id = add_charge(&mut history, 100, 500, reference);
    add_link(&mut history, 100, 500);
    let line = lines(&[(101, 500, "PIX PEDIDO00000017")]);
    let found = compared(&history, line.clone());
    assert_eq!((found.certain.len(), found.possible.len()), (1, 0));
    let charge = history.sale(Operation::DirectPayment, id).unwrap().unwrap();
    for (day, expected) in [(101, 0), (100, 1)] {
        let noon = Wall(day * DAY_MS + DAY_MS / 2);
        history.mark_paid(&charge, Some(noon)).unwrap();
        let found = compared(&history, line.clone());
        assert_eq!(found.contradictions.len(), expected, "{day}");
        assert_eq!((found.certain.len(), found.possible.len()), (0, 0));
    }
    let other = lines(&[(101, 500, "PIX OUTRO000000018")]);
    let found = compared(&history, other);
    assert_eq!(found.contradictions, [], "a mark without a line");
    assert_eq!(found.possible.len(), 1, "the link");
}

#[test]
fn number_of_a_charge_is_no_identifier() {
    let (_dir, mut history) = new_history();
    for (id, expected) in [("52998224725", 0), ("52998224725a", 1)] {
        let outcome = CreatedCharge {
            id: Some(id.into()),
            ..CreatedCharge::default()
        };
        add_created_charge(&mut history, 100, 500, outcome);
        let line = lines(&[(100, 500, &format!("PIX {id}"))]);
        assert_eq!(compared(&history, line).certain.len(), expected, "{id}");
    }
}

#[test]
fn line_of_a_withdrawal_is_proposed_for_no_sale() {
    let (_dir, mut history) = new_history();
    add_link(&mut history, 0, 99);
    let found = |classes: &[Class], decision: Option<Decision>| {
        let attempts = classes.iter().map(|class| Attempt {
            n: 1,
            began: clocks(1),
            end: Some(attempt_end(2, class.clone())),
            by: None,
        });
        let withdrawal = Withdrawal {
            // Of this, R$ 0,99 arrive.
            agreement: agreement(1, 100),
            attempts: attempts.collect(),
            decision: decision.map(|decision| (decision, Wall(3))),
            prepared_by: None,
            decided_by: None,
            approvals: Default::default(),
        };
        let withdrawals = Some(withdrawal).filter(may_be_paid_out);
        let line = lines(&[(1, 99, "PIX")]);
        let stored = StoredSales::read(&history, &line).unwrap();
        let found = compare(line, stored, withdrawals.as_slice());
        let is_paid: Vec<_> = found.payouts.iter().map(|found| found.is_paid).collect();
        (is_paid, found.possible.len())
    };
    let unclear = [Class::Unclear(Unclear::Timeout)];
    assert_eq!(found(&[confirmed()], None), (vec![true], 0));
    assert_eq!(found(&unclear, None), (vec![false], 0));
    assert_eq!(found(&unclear, Some(Decision::FoundPaid)), (vec![true], 0));
    assert_eq!(found(&unclear, Some(Decision::StatedNotPaid)), (vec![], 1));
    assert_eq!(found(&[Class::DefiniteNo], None), (vec![], 1));
    assert_eq!(found(&[], None), (vec![], 1));
}

#[test]
fn only_regular_files_within_the_limit_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let read = |path: &Path| read_lines(path, Wall(0)).unwrap_err();
    assert!(matches!(read(dir.path()), ReconcileFault::File(_)));
    assert!(matches!(
        read(&dir.path().join("none")),
        ReconcileFault::File(_)
    ));
    let pipe = dir.path().join("pipe");
    let mode = rustix::fs::Mode::from_raw_mode(0o600);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert!(matches!(read(&pipe), ReconcileFault::File(_)));
    let large = dir.path().join("large.csv");
    std::fs::write(&large, vec![b' '; MAX_FILE_BYTES + 1]).unwrap();
    assert!(matches!(read(&large), ReconcileFault::Statement(_)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn marks_are_of_one_incoming_line_each(
        rows in proptest::collection::vec((100_i64..130, -3_i64..3, 0_usize..3), 0..10),
        links in proptest::collection::vec((95_i64..130, 1_i64..3), 0..8),
        charges in proptest::collection::vec((95_i64..130, 1_i64..3, 0_usize..2), 0..4),
    ) {
        const MEMOS: [&str; 3] = ["PIX PEDIDO00000017", "PIX OUTRO000000018", "PIX"];
        const REFERENCES: [&str; 2] = ["PEDIDO00000017", "OUTRO000000018"];
        let (_dir, mut history) = new_history();
        for (day, reais) in links {
            add_link(&mut history, day, reais * 100);
        }
        for (day, reais, reference) in charges {
            add_charge(&mut history, day, reais * 100, REFERENCES[reference]);
        }
        let rows: Vec<_> = rows
            .into_iter()
            .map(|(day, reais, memo)| (day, reais * 100, MEMOS[memo]))
            .collect();
        let lines = lines(&rows);
        let incoming: BTreeSet<_> = lines
            .iter()
            .filter(|line| line.amount.is_positive())
            .map(|line| line.identity)
            .collect();
        let found = compared(&history, lines.clone());
        let marks = mark_all(&mut history, &found, 1);
        prop_assert_eq!(marks as usize, found.certain.len() + found.possible.len());
        let ids: Vec<_> = lines.iter().map(|line| line.identity).collect();
        let used = history.used_lines(&ids).unwrap();
        prop_assert_eq!(used.len() as u64, marks, "each mark has a line of its own");
        prop_assert!(used.iter().all(|line| incoming.contains(line)));
        let count = |sales: usize| sales as u64;
        let links = history.all::<LinkRequest>().filter(is_by_statement);
        let charges = history.all::<ChargeRequest>().filter(is_by_statement);
        prop_assert_eq!(count(links.count() + charges.count()), marks);
    }
}

fn is_by_statement<R: crate::journal::history::SaleTable>(
    sale: &Result<crate::trade::SaleOf<R>, JournalTrouble>,
) -> bool {
    use crate::trade::PaidSource::Statement;
    let paid = sale.as_ref().unwrap().paid;
    paid.is_some_and(|paid| matches!(paid.source, Statement(_)))
}
