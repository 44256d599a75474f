//! Tests that the stored rows of payment links and direct payments keep their format, in every
//! outcome. The file `stored.sql` has the rows that earlier versions of the program wrote.

use super::*;

const STORED_ROWS: &str = include_str!("stored.sql");

const PIX_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

fn refusal() -> Refusal {
    let message = Some("Domínio \"inativo\".".into());
    Refusal {
        status: 400,
        message,
        hint: Some("Ative-o.".into()),
        retry_after: None,
    }
}

/// A payment link in every outcome, with each mark.
fn links() -> Vec<PaymentLink> {
    let seller = PaidSource::Seller;
    let sandbox = PaidSource::Sandbox;
    let silent = Refusal {
        status: 422,
        message: None,
        hint: None,
        retry_after: None,
    };
    let automatic = LinkRequest {
        domain: None,
        ..link("Boné 100% algodão", 123_456)
    };
    let fraction = LinkRequest {
        amount: Money::parse_wire("0.125").unwrap(),
        ..link("Bala", 0)
    };
    let rows = [
        (link("Camiseta azul", 4_990), LinkOutcome::Unknown, None),
        (link("Camiseta azul", 4_990), LinkOutcome::NotSent, None),
        (link("Vaso", 100), LinkOutcome::Refused(refusal()), None),
        (link("Vaso", 100), LinkOutcome::Refused(silent), None),
        (link("Vaso", 100), created("1"), None),
        (
            automatic.clone(),
            created("2"),
            Some(Paid {
                at: Wall(70),
                source: seller,
            }),
        ),
        (
            automatic,
            created("3"),
            Some(Paid {
                at: Wall(80),
                source: sandbox,
            }),
        ),
        (fraction, created("4?a=\"b\""), None),
    ];
    let links = (1..)
        .zip(rows)
        .map(|(n, (request, outcome, paid))| PaymentLink {
            id: RowId(n),
            at: Wall(n * 10),
            request,
            outcome,
            paid,
            note: None,
            put_away: None,
            authors: SaleAuthors::default(),
        });
    links.collect()
}

/// A direct payment in every outcome, with and without each part of a reply.
fn charges() -> Vec<Charge> {
    let buyer = [("email".to_owned(), "bia@loja.example".to_owned())].into();
    let request = ChargeRequest {
        buyer,
        ..charge(Some("Bia Souza"))
    };
    let created = |status: Option<&str>, pix_code: Option<&str>, expires: Option<&str>| {
        ChargeOutcome::Created(CreatedCharge {
            id: Some("ch-1".into()),
            status: status.map(Into::into),
            pix_code: pix_code.map(Into::into),
            expires: expires.map(Into::into),
        })
    };
    let empty = ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code: None,
        expires: None,
    });
    let expires = Some("1970-01-01T00:01:00Z");
    let marked = Some(Paid {
        at: Wall(90),
        source: PaidSource::Seller,
    });
    let rows = [
        (charge(None), ChargeOutcome::Unknown, None),
        (charge(None), ChargeOutcome::NotSent, None),
        (request.clone(), ChargeOutcome::Refused(refusal()), None),
        (
            request.clone(),
            created(Some("PENDING"), Some(PIX_CODE), expires),
            marked,
        ),
        (
            request.clone(),
            created(None, Some("a code"), Some("soon")),
            None,
        ),
        (request, created(Some("PENDING"), None, None), None),
        (charge(None), empty, None),
    ];
    let charges = (1..).zip(rows).map(|(n, (request, outcome, paid))| Charge {
        id: RowId(n),
        at: Wall(n * 10),
        request,
        outcome,
        paid,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    });
    charges.collect()
}

/// The stored rows as the SQL that inserts them.
fn dump(dir: &Path) -> String {
    let connection = Connection::open(dir.join("history.db")).unwrap();
    let columns = "id, at, origin, identity, centavos, created, label, paid_at, sandbox_paid, \
                   expires_at, host, request, outcome";
    let mut dump = String::new();
    for (table, columns) in [
        ("link", columns),
        ("link_words", "rowid, folded"),
        ("charge", columns),
        ("charge_words", "rowid, folded"),
    ] {
        let values: Vec<_> = columns
            .split(", ")
            .map(|name| format!("quote({name})"))
            .collect();
        let select = format!(
            "SELECT {} FROM {table} ORDER BY rowid",
            values.join(" || ', ' || ")
        );
        let mut statement = connection.prepare(&select).unwrap();
        let rows = statement
            .query_map([], |row| row.get::<_, String>(0))
            .unwrap();
        for row in rows {
            let row = row.unwrap();
            dump.push_str(&format!(
                "INSERT INTO {table} ({columns})\n    VALUES ({row});\n"
            ));
        }
    }
    dump
}

#[test]
fn rows_of_earlier_versions_are_read() {
    let (dir, history) = new_history();
    drop(history);
    Connection::open(dir.path().join("history.db"))
        .unwrap()
        .execute_batch(STORED_ROWS)
        .unwrap();
    let mut history = open(dir.path());
    let read_links: Vec<_> = history.all::<LinkRequest>().map(Result::unwrap).collect();
    assert_eq!(read_links, links().into_iter().rev().collect::<Vec<_>>());
    let read_charges: Vec<_> = history.all::<ChargeRequest>().map(Result::unwrap).collect();
    assert_eq!(
        read_charges,
        charges().into_iter().rev().collect::<Vec<_>>()
    );
    assert_eq!(find_ids(&mut history, "algodao"), [7, 6]);
    assert_eq!(
        search_totals(&mut history, &"vaso".into())
            .unwrap()
            .unpaid
            .count,
        1
    );
}

/// Checks rows that the app begins, settles and marks, and rows that are inserted whole.
#[test]
fn rows_are_stored_as_in_earlier_versions() {
    let (dir, mut history) = new_history();
    for link in links() {
        let id = history.begin(&link.request, link.at).unwrap();
        let settled = Sale::Link(history.settle::<LinkRequest>(id, &link.outcome).unwrap());
        match (link.paid, link.url().cloned()) {
            (
                Some(Paid {
                    at,
                    source: PaidSource::Sandbox,
                }),
                Some(url),
            ) => {
                let origin = &link.request.account.origin;
                history.record_sandbox_payments(origin, &[url], at).unwrap();
            }
            (Some(paid), _) => drop(history.mark_paid(&settled, Some(paid.at)).unwrap()),
            (None, _) => {}
        }
    }
    for charge in charges() {
        let id = history.begin(&charge.request, charge.at).unwrap();
        let settled = Sale::Charge(
            history
                .settle::<ChargeRequest>(id, &charge.outcome)
                .unwrap(),
        );
        if let Some(paid) = charge.paid {
            history.mark_paid(&settled, Some(paid.at)).unwrap();
        }
    }
    drop(history);
    assert_eq!(dump(dir.path()), STORED_ROWS);
    let (dir, mut history) = new_history();
    history.seed(&links(), &charges()).unwrap();
    drop(history);
    assert_eq!(dump(dir.path()), STORED_ROWS);
}
