//! Tests of marks from the lines of bank statements.

use super::*;
use crate::trade::{EntryId, SaleRow, StatementMark, StatementMarks, UndoneMarks};

fn new_link(history: &mut History, centavos: i64) -> PaymentLink {
    let id = history.begin(&link("Boné", centavos), Wall(5)).unwrap();
    history.settle::<LinkRequest>(id, &created("a")).unwrap()
}

fn new_charge(history: &mut History) -> Charge {
    let id = history.begin(&charge(None), Wall(5)).unwrap();
    let outcome = ChargeOutcome::Created(CreatedCharge::default());
    history.settle::<ChargeRequest>(id, &outcome).unwrap()
}

fn statement_mark(line: u8, sale: &Sale) -> StatementMark {
    StatementMark {
        line: EntryId([line; 16]),
        day: i64::from(line),
        amount: sale.amount_and_description().0,
        sale: SaleRow::of(sale),
    }
}

/// Marks each sale with the line of this number. `read_at` identifies the import.
fn import(history: &mut History, read_at: i64, pairs: &[(u8, &Sale)]) -> u64 {
    let marks = pairs.iter().map(|(line, sale)| statement_mark(*line, sale));
    let marks = StatementMarks {
        read_at: Wall(read_at),
        at: Wall(read_at + 1),
        marks: marks.collect(),
    };
    history.mark_from_statement(&marks).unwrap()
}

fn paid(history: &History, sale: &Sale) -> Option<Paid> {
    let SaleRow { operation, id, .. } = SaleRow::of(sale);
    history.sale(operation, id).unwrap().unwrap().paid()
}

fn by_statement(at: i64, day: i64) -> Option<Paid> {
    let source = PaidSource::Statement(day);
    Some(Paid {
        at: Wall(at),
        source,
    })
}

#[test]
fn line_marks_one_sale_once() {
    let (_dir, mut history) = new_history();
    let one = Sale::Link(new_link(&mut history, 500));
    let other = Sale::Link(new_link(&mut history, 500));
    let charge = Sale::Charge(new_charge(&mut history));
    assert_eq!(import(&mut history, 10, &[(1, &one), (2, &charge)]), 2);
    assert_eq!(paid(&history, &one), by_statement(11, 1));
    assert_eq!(paid(&history, &charge), by_statement(11, 2));
    assert_eq!(import(&mut history, 20, &[(1, &one), (1, &other)]), 0);
    assert_eq!(import(&mut history, 20, &[(3, &one)]), 0, "already marked");
    assert_eq!(
        import(&mut history, 20, &[(3, &other)]),
        1,
        "not used before"
    );
    assert_eq!(paid(&history, &one), by_statement(11, 1));
    let lines = [1, 3, 4].map(|line| EntryId([line; 16]));
    let used = history.used_lines(&lines).unwrap();
    assert_eq!(used, lines[..2].iter().copied().collect());
}

#[test]
fn row_that_does_not_fit_the_line_is_not_marked() {
    let (_dir, mut history) = new_history();
    let marked = Sale::Link(new_link(&mut history, 500));
    history.mark_paid(&marked, Some(Wall(7))).unwrap();
    let id = history.begin(&link("Meia", 500), Wall(5)).unwrap();
    let unknown = history.sale(crate::trade::Operation::CreateLink, id);
    let unknown = unknown.unwrap().unwrap();
    let fitting = new_link(&mut history, 500);
    let other_amount = Sale::Link(PaymentLink {
        request: link("Boné", 501),
        ..fitting.clone()
    });
    let outgoing = Sale::Link(PaymentLink {
        request: link("Boné", -500),
        ..fitting.clone()
    });
    let other_time = Sale::Link(PaymentLink {
        at: Wall(6),
        ..fitting.clone()
    });
    let sales = [marked.clone(), unknown, other_amount, outgoing, other_time];
    for sale in &sales {
        assert_eq!(import(&mut history, 10, &[(1, sale)]), 0, "{sale:?}");
    }
    let by_hand = Paid {
        at: Wall(7),
        source: PaidSource::Seller,
    };
    assert_eq!(paid(&history, &marked), Some(by_hand));
    let fitting = Sale::Link(fitting);
    assert_eq!(import(&mut history, 10, &[(1, &fitting)]), 1, "a free line");
}

#[test]
fn undo_is_of_the_marks_that_were_made_last() {
    let (_dir, mut history) = new_history();
    let sales = [(); 2].map(|()| Sale::Link(new_link(&mut history, 500)));
    let [of_page, of_command] = &sales;
    import(&mut history, 20, &[(1, of_command)]);
    // The page has read its statement before, but its mark is newer.
    let marks = StatementMarks {
        read_at: Wall(10),
        at: Wall(30),
        marks: vec![statement_mark(2, of_page)],
    };
    assert_eq!(history.mark_from_statement(&marks), Ok(1));
    let undone = history.undo_statement().unwrap().unwrap();
    assert_eq!((undone.removed, undone.kept), (1, 0));
    assert_eq!(paid(&history, of_page), None);
    assert_eq!(paid(&history, of_command), by_statement(21, 1));
}

#[test]
fn undo_removes_only_unchanged_marks() {
    let (_dir, mut history) = new_history();
    let sales = [(); 4].map(|()| Sale::Link(new_link(&mut history, 500)));
    let [earlier, unchanged, by_hand, reported] = &sales;
    let charge = Sale::Charge(new_charge(&mut history));
    assert_eq!(history.undo_statement(), Ok(None));
    import(&mut history, 10, &[(1, earlier)]);
    let newest = [(2, unchanged), (3, by_hand), (4, reported), (5, &charge)];
    assert_eq!(import(&mut history, 20, &newest), 4);
    // Another window marks a row again, and the sandbox reports another one.
    history.mark_paid(by_hand, Some(Wall(30))).unwrap();
    let update = "UPDATE link SET sandbox_paid = 1 WHERE id = ?";
    let id = reported.identity().0;
    assert_eq!(history.connection.execute(update, [id.0]), Ok(1));
    let undone = UndoneMarks {
        removed: 2,
        kept: 2,
    };
    assert_eq!(history.undo_statement(), Ok(Some(undone)));
    assert_eq!(
        [unchanged, &charge].map(|sale| paid(&history, sale)),
        [None; 2]
    );
    assert!(
        [by_hand, reported, earlier]
            .map(|sale| paid(&history, sale))
            .iter()
            .all(Option::is_some)
    );
    let lines = [2, 3, 4, 5].map(|line| EntryId([line; 16]));
    let used = history.used_lines(&lines).unwrap();
    assert_eq!(used, lines[1..3].iter().copied().collect(), "of kept marks");
    let undone = UndoneMarks {
        removed: 1,
        kept: 0,
    };
    assert_eq!(history.undo_statement(), Ok(Some(undone)), "the one before");
    assert_eq!(history.undo_statement(), Ok(None));
}

#[test]
fn mark_removed_by_hand_frees_its_line() {
    let (_dir, mut history) = new_history();
    let sale = Sale::Charge(new_charge(&mut history));
    let link = Sale::Link(new_link(&mut history, 500));
    assert_eq!(sale.identity().0, link.identity().0, "in two tables");
    import(&mut history, 10, &[(1, &sale), (2, &link)]);
    history.mark_paid(&sale, None).unwrap();
    let lines = [1, 2].map(|line| EntryId([line; 16]));
    let used = history.used_lines(&lines).unwrap();
    assert_eq!(used, [lines[1]].into());
    assert_eq!(import(&mut history, 20, &[(1, &sale)]), 1);
}

#[test]
fn lines_of_pruned_sales_are_deleted() {
    let (_dir, mut history) = new_history();
    let sale = Sale::Link(new_link(&mut history, 500));
    import(&mut history, 10, &[(1, &sale)]);
    history.prune(Wall(5)).unwrap();
    let line = [EntryId([1; 16])];
    assert_eq!(history.used_lines(&line), Ok(line.into()), "not older");
    history.prune(Wall(6)).unwrap();
    assert_eq!(history.used_lines(&line), Ok([].into()));
}
