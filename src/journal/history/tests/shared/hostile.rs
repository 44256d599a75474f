//! Records that another program, or another person, wrote. They never stop the sync.

use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::journal::history::MAX_STATE_BYTES;

/// A record with this state, as another machine could have written it.
fn record(n: i64, kind: &str, part: &str, state: impl Into<Option<Value>>) -> Record {
    Record {
        n,
        change: Uuid::from_u128(7_000 + n.unsigned_abs() as u128),
        kind: kind.to_owned(),
        row: Uuid::from_u128(1),
        part: part.to_owned(),
        who: serde_json::to_string(&author("Eva")).unwrap(),
        state: state.into().map(|state| state.to_string()),
        written_by: Some("eva".to_owned()),
    }
}

fn sale(at: i64) -> Value {
    json!({"at": at, "request": link("Boné", 500), "outcome": created("a")})
}

/// Applies these records one after another, and a good one after them. None of them changes
/// anything.
fn refuse(records: Vec<Record>) {
    let mut bia = Machine::of("Bia");
    let mut n = 1;
    let first = record(n, "link", "sale", sale(5));
    assert_eq!(bia.history.apply_records(&[first]).unwrap().applied, 1);
    let before = (bia.links(), bia.count("shared_row"), bia.count("nickname"));
    for bad in records {
        n += 1;
        let bad = Record { n, ..bad };
        let expected = Applied {
            applied: 0,
            skipped: 1,
        };
        let applied = bia.history.apply_records(std::slice::from_ref(&bad));
        assert_eq!(applied, Ok(expected), "{bad:.200?}");
        let after = (bia.links(), bia.count("shared_row"), bia.count("nickname"));
        assert_eq!(after, before, "{bad:.200?}");
    }
    let good = Record {
        row: Uuid::from_u128(2),
        ..record(n + 1, "link", "sale", sale(6))
    };
    assert_eq!(bia.history.apply_records(&[good]).unwrap().applied, 1);
    assert_eq!(bia.history.last_record(), Ok(n + 1));
    assert_eq!(bia.links().len(), 2);
    assert_eq!(bia.pending_count(), 0);
}

#[test]
fn unknown_kinds_and_parts_are_skipped() {
    let kinds = ["", "shared_row", "link_words", "sqlite_schema", "link; --"];
    let kinds = kinds.map(|kind| record(0, kind, "sale", sale(5)));
    let parts = ["", "price", "id", "paid_at = 1 --", "batch"];
    let parts = parts.map(|part| record(0, "link", part, sale(5)));
    let deleted = record(0, "shared_log", "deleted", None);
    let other_kind = record(0, "charge", "deleted", None);
    refuse([&kinds[..], &parts[..], &[deleted, other_kind]].concat());
}

#[test]
fn states_of_another_shape_are_skipped() {
    let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
    let texts = ["", "{", "null", "[]", "7", "\u{0}", &deep];
    let of_sale = ["sale", "paid", "put_away"];
    let mut records = Vec::new();
    for text in texts {
        for part in of_sale
            .iter()
            .filter(|part| (**part, text) != ("put_away", "null"))
        {
            let new_row = Uuid::from_u128(if *part == "sale" { 9 } else { 1 });
            records.push(Record {
                state: Some(text.to_owned()).filter(|text| (*part, &**text) != ("put_away", "7")),
                row: new_row,
                ..record(0, "link", part, None)
            });
        }
        for kind in ["batch", "batch_line", "nickname", "statement_line"] {
            records.push(Record {
                state: Some(text.to_owned()),
                row: Uuid::from_u128(9),
                ..record(0, kind, kind, None)
            });
        }
    }
    records.retain(|record| record.state.is_some());
    refuse(records);
}

#[test]
fn values_out_of_range_are_skipped() {
    let note = |text: &str| record(0, "link", "note", json!(text));
    let paid = |paid_at: Value, day: Value| {
        let state = json!({"paid_at": paid_at, "sandbox": false, "day": day});
        record(0, "link", "paid", state)
    };
    let sale_at = |at: Value| Record {
        row: Uuid::from_u128(9),
        ..record(
            0,
            "link",
            "sale",
            json!({"at": at, "request": link("x", 1), "outcome": "unknown"}),
        )
    };
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let nickname = json!({"at": 5, "origin": "o", "identity": "i", "name": "Mãe",
        "destination": key});
    let line = json!({"batch": Uuid::from_u128(3), "number": 1, "state": "waiting",
        "cells": [], "reason": ""});
    refuse(vec![
        note(&"x".repeat(121)),
        note("two\nlines"),
        note("hidden\u{202e}"),
        note(" spaces "),
        paid(json!(-1), json!(null)),
        paid(json!(i64::MAX), json!(null)),
        paid(json!(u64::MAX), json!(null)),
        paid(json!(5.5), json!(null)),
        paid(json!(5), json!(i64::MIN)),
        sale_at(json!(i64::MAX)),
        sale_at(json!(-1)),
        sale_at(json!("5")),
        record(0, "link", "put_away", json!(i64::MIN)),
        // The id must be the one of this key, or of this line.
        record(0, "nickname", "nickname", nickname),
        record(0, "batch_line", "batch_line", line),
    ]);
}

#[test]
fn huge_texts_are_skipped() {
    let huge = "x".repeat(1_048_576);
    let of_note = record(0, "link", "note", json!(huge));
    let mut request = link("x", 500);
    request.description = "x".repeat(MAX_STATE_BYTES);
    let state = json!({"at": 5, "request": request, "outcome": "unknown"});
    let of_sale = Record {
        row: Uuid::from_u128(9),
        ..record(0, "link", "sale", state)
    };
    let of_author = Record {
        who: huge.clone(),
        ..record(0, "link", "note", json!("x"))
    };
    let of_role = Record {
        written_by: Some(huge.clone()),
        ..record(0, "link", "note", json!("x"))
    };
    let of_kind = record(0, &huge, &huge, json!("x"));
    refuse(vec![of_note, of_sale, of_author, of_role, of_kind]);
}

#[test]
fn authors_of_another_shape_are_skipped() {
    let whos = [
        "",
        "{}",
        "null",
        "{\"role\":1,\"operator\":2,\"machine\":3}",
    ];
    let records = whos.map(|who| Record {
        who: who.to_owned(),
        ..record(0, "link", "note", json!("x"))
    });
    refuse(records.to_vec());
}

/// The database knows who appended a record; the record itself may say anything.
#[test]
fn role_is_the_one_that_the_database_confirms() {
    let mut bia = Machine::of("Bia");
    let forged = Record {
        written_by: Some("mallory".to_owned()),
        ..record(1, "link", "sale", sale(5))
    };
    bia.history.apply_records(&[forged]).unwrap();
    let by = bia.links()[0].authors.created.clone();
    assert_eq!(by.map(|author| author.role), Some("mallory".into()));
}

#[test]
fn rows_of_the_same_time_get_different_ids() {
    let mut bia = Machine::of("Bia");
    // All of these rows have the same last bits, so they would get the same id.
    let records: Vec<_> = (0..300_u64)
        .map(|n| Record {
            row: Uuid::from_u128(u128::from(n) << 100),
            ..record(n.cast_signed() + 1, "link", "sale", sale(5))
        })
        .collect();
    let applied = bia.history.apply_records(&records).unwrap();
    assert!(applied.applied > 10, "{applied:?}");
    assert_eq!(applied.applied + applied.skipped, 300);
    assert_eq!(bia.links().len() as u64, applied.applied);
    bia.new_link("mine", 5);
    assert_eq!(bia.links().len() as u64, applied.applied + 1);
}

#[test]
fn gap_in_the_log_changes_nothing() {
    let mut bia = Machine::of("Bia");
    let records = [
        record(1, "link", "sale", sale(5)),
        record(3, "link", "note", json!("x")),
    ];
    assert!(bia.history.apply_records(&records).is_err());
    assert!(bia.links().is_empty());
    assert_eq!(bia.history.last_record(), Ok(0));
    bia.history.apply_records(&records[..1]).unwrap();
    let again = bia.history.apply_records(&records[..1]);
    assert_eq!(again, Ok(Applied::default()));
    // The history captures its own changes again.
    bia.new_link("mine", 6);
    assert_eq!(bia.pending_count(), 1);
}

#[test]
fn deletion_before_the_row_keeps_it_away() {
    let mut bia = Machine::of("Bia");
    let records = [
        record(1, "link", "deleted", None),
        record(2, "link", "sale", sale(5)),
    ];
    let applied = bia.history.apply_records(&records);
    assert_eq!(applied, Ok(Applied::default()));
    assert!(bia.links().is_empty());
}

/// A line of this machine's batch is never changed by others, because it may be being sent.
#[test]
fn lines_of_our_batch_are_not_changed_by_others() {
    let mut log = MemoryRecords::default();
    let mut ana = Machine::of("Ana");
    let batch = begin_batch(&mut ana.history, 1, 5);
    ana.history.take_line(batch.id, Wall(6)).unwrap().unwrap();
    ana.sync(&mut log);
    let line = log.records.iter().find(|r| r.kind == "batch_line").unwrap();
    let mut state: Value = serde_json::from_str(line.state.as_ref().unwrap()).unwrap();
    state["state"] = json!("waiting");
    let last = i64::try_from(log.records.len()).unwrap();
    let forged = Record {
        row: line.row,
        ..record(last + 1, "batch_line", "batch_line", state)
    };
    let applied = ana.history.apply_records(&[forged]).unwrap();
    assert_eq!((applied.applied, applied.skipped), (0, 1));
    assert_eq!(ana.history.take_line(batch.id, Wall(7)), Ok(None));
}
