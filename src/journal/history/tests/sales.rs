//! Tests of payment links and direct payments with an unknown outcome. The seller looks them up at
//! the service, or deletes them. Also tests the list of earlier buyers.

use super::*;

fn newest_link(history: &mut History) -> PaymentLink {
    history
        .sales::<LinkRequest>("", PagePosition::Top, 1)
        .unwrap()
        .rows[0]
        .clone()
}

#[test]
fn link_found_at_the_service_counts_as_created() {
    let (_dir, mut history) = new_history();
    history.begin(&link("Boné", 4_990), Wall(5)).unwrap();
    let unknown = newest_link(&mut history);
    assert_eq!(
        search_totals(&mut history, &"bone".into()),
        Some(SearchTotals::ZERO)
    );
    let found = Sale::Link(PaymentLink {
        outcome: created("7f3k2q"),
        ..unknown.clone()
    });
    assert_eq!(history.settle_after_lookup(&found).as_ref(), Ok(&found));
    assert_eq!(Sale::Link(newest_link(&mut history)), found);
    let found_by_url = super::find_ids(&mut history, "7f3k2q");
    assert_eq!(found_by_url, [1]);
    assert_eq!(
        search_totals(&mut history, &"bone".into())
            .unwrap()
            .unpaid
            .count,
        1
    );
    // A payment link that the service has confirmed cannot be replaced or deleted.
    let other = Sale::Link(PaymentLink {
        outcome: created("other"),
        ..unknown
    });
    assert!(history.settle_after_lookup(&other).is_err());
    assert!(history.remove_sale(&other).is_err());
    assert_eq!(Sale::Link(newest_link(&mut history)), found);
}

#[test]
fn deleted_sale_leaves_list_search_and_file() {
    let (dir, mut history) = new_history();
    history.begin(&link("Boné", 4_990), Wall(5)).unwrap();
    history.begin(&link("Vaso", 100), Wall(6)).unwrap();
    let vaso = newest_link(&mut history);
    let bia = LinkRequest {
        account: account("bia"),
        ..vaso.request.clone()
    };
    for other in [
        PaymentLink {
            at: Wall(7),
            ..vaso.clone()
        },
        PaymentLink {
            request: bia,
            ..vaso.clone()
        },
        PaymentLink {
            id: RowId(9),
            ..vaso.clone()
        },
    ] {
        assert!(history.remove_sale(&Sale::Link(other)).is_err());
    }
    history.remove_sale(&Sale::Link(vaso.clone())).unwrap();
    assert!(
        history.remove_sale(&Sale::Link(vaso)).is_err(),
        "it is gone"
    );
    assert_eq!(find_ids(&mut history, ""), [1]);
    assert!(find_ids(&mut history, "vaso").is_empty());
    assert_eq!(open(dir.path()).all::<LinkRequest>().count(), 1);
    let id = history.begin(&charge(Some("João")), Wall(1)).unwrap();
    let refused = ChargeOutcome::Refused(Refusal {
        status: 422,
        message: None,
        hint: None,
        retry_after: None,
    });
    let refused = history.settle::<ChargeRequest>(id, &refused).unwrap();
    history.remove_sale(&Sale::Charge(refused)).unwrap();
    assert_eq!(
        history
            .sales::<ChargeRequest>("", PagePosition::Top, 9)
            .unwrap()
            .total,
        Some(0)
    );
}

#[test]
fn marked_charge_is_stored_and_found_by_its_mark() {
    let (dir, mut history) = new_history();
    let created_outcome = ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code: None,
        expires: None,
    });
    let [paid, unpaid] = [1, 2].map(|at| {
        let id = history.begin(&charge(None), Wall(at)).unwrap();
        history
            .settle::<ChargeRequest>(id, &created_outcome)
            .unwrap()
    });
    history.begin(&charge(None), Wall(3)).unwrap();
    let unknown = history
        .sales::<ChargeRequest>("", PagePosition::Top, 1)
        .unwrap()
        .rows[0]
        .clone();
    let marked = history
        .mark_paid(&Sale::Charge(paid.clone()), Some(Wall(50)))
        .unwrap();
    assert_eq!(
        marked.paid(),
        Some(Paid {
            at: Wall(50),
            source: PaidSource::Seller
        })
    );
    // A direct payment is not marked if its time or account differs, or if the service did not
    // create it.
    let bia = ChargeRequest {
        account: account("bia"),
        ..unpaid.request.clone()
    };
    for other in [
        Charge {
            at: Wall(9),
            ..unpaid.clone()
        },
        Charge {
            request: bia,
            ..unpaid
        },
        unknown,
    ] {
        assert!(
            history
                .mark_paid(&Sale::Charge(other.clone()), Some(Wall(50)))
                .is_err()
        );
    }
    drop(history);
    let mut history = open(dir.path());
    let mut found = || {
        let by_mark = Search {
            terms: vec![term(vec![RowLabel::MarkedPaid], vec![])],
            ..Search::default()
        };
        history
            .sales::<ChargeRequest>(by_mark, PagePosition::Top, 9)
            .unwrap()
            .rows
            .to_vec()
    };
    assert!(matches!(&found()[..], [only] if Sale::Charge(only.clone()) == marked));
    open(dir.path()).mark_paid(&marked, None).unwrap();
    assert_eq!(found(), []);
}

/// The ids of the direct payments with this status label.
fn ids_with_label(history: &mut History, label: RowLabel) -> Vec<i64> {
    let search = Search {
        terms: vec![term(vec![label], vec![])],
        ..Search::default()
    };
    let page = history
        .sales::<ChargeRequest>(search, PagePosition::Top, 9)
        .unwrap();
    page.rows.iter().map(|charge| charge.id.0).collect()
}

#[test]
fn unpaid_charge_is_found_once_it_expires() {
    let (_dir, mut history) = new_history();
    for expires in [
        Some("1970-01-01T00:01:00Z"),
        Some("1970-01-01T00:02:00Z"),
        Some("soon"),
        None,
    ] {
        let id = history.begin(&charge(None), Wall(1)).unwrap();
        let expires = expires.map(Untrusted::from);
        let outcome = ChargeOutcome::Created(CreatedCharge {
            id: None,
            status: None,
            pix_code: None,
            expires,
        });
        history.settle::<ChargeRequest>(id, &outcome).unwrap();
    }
    assert!(ids_with_label(&mut history, RowLabel::Expired(Wall(59_999))).is_empty());
    assert_eq!(
        ids_with_label(&mut history, RowLabel::Expired(Wall(60_000))),
        [1]
    );
    assert_eq!(
        ids_with_label(&mut history, RowLabel::Expired(Wall(i64::MAX))),
        [2, 1]
    );
    let second = history
        .sales::<ChargeRequest>("", PagePosition::Top, 9)
        .unwrap()
        .rows[2]
        .clone();
    history
        .mark_paid(&Sale::Charge(second), Some(Wall(9)))
        .unwrap();
    assert_eq!(
        ids_with_label(&mut history, RowLabel::Expired(Wall(i64::MAX))),
        [1]
    );
}

#[test]
fn charge_is_found_by_its_odd_code_or_its_row() {
    const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
        520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";
    let (_dir, mut history) = new_history();
    for (centavos, code) in [(4_990, CODE), (5_090, CODE), (4_990, "some other code")] {
        let request = ChargeRequest {
            amount: Money::from_centavos(centavos),
            ..charge(None)
        };
        let id = history.begin(&request, Wall(1)).unwrap();
        let status = Some("pending".into());
        let pix_code = Some(code.into());
        let outcome = ChargeOutcome::Created(CreatedCharge {
            id: None,
            status,
            pix_code,
            expires: None,
        });
        history.settle::<ChargeRequest>(id, &outcome).unwrap();
    }
    assert_eq!(ids_with_label(&mut history, RowLabel::OddCode), [2]);
    assert_eq!(
        ids_with_label(&mut history, RowLabel::NotSaved(RowId(3))),
        [3]
    );
}

#[test]
fn buyers_of_an_account_most_frequent_first() {
    let (_dir, mut history) = new_history();
    let buyer = |customer: &str, email: &str| {
        let buyer = [("email".to_owned(), email.to_owned())].into();
        ChargeRequest {
            buyer,
            ..charge(Some(customer))
        }
    };
    let other = ChargeRequest {
        account: account("bia"),
        ..buyer("Zé", "ze@example.com")
    };
    for (at, request) in [
        charge(Some("Ana")),
        buyer("Ana", "ana@example.com"),
        buyer("João", "joao@example.com"),
        charge(None),
        other,
    ]
    .iter()
    .enumerate()
    {
        history.begin(request, Wall(at as i64)).unwrap();
    }
    let known = history.buyers(&account("ana")).unwrap();
    let summary = |buyer: &KnownBuyer| {
        (
            buyer.customer.clone(),
            buyer.buyer.get("email").cloned().unwrap(),
            buyer.count,
            buyer.last.0,
        )
    };
    let summaries: Vec<_> = known.iter().map(summary).collect();
    // A row that an older version wrote contains only Ana's name. The row is still counted for her.
    assert_eq!(
        summaries,
        [
            ("Ana".into(), "ana@example.com".into(), 2, 1),
            ("João".into(), "joao@example.com".into(), 1, 2),
        ]
    );
}

#[test]
fn charge_of_an_earlier_version_is_still_read() {
    let (dir, mut history) = new_history();
    let stored = ChargeRequest {
        buyer: [("a".into(), "b".into())].into(),
        ..charge(Some("Bia"))
    };
    let id = history.begin(&stored, Wall(1)).unwrap();
    let file = Connection::open(dir.path().join("history.db")).unwrap();
    let remove_buyer = "UPDATE charge SET request = json_remove(request, '$.buyer') WHERE id = ?";
    file.execute(remove_buyer, [id.0]).unwrap();
    let read = history
        .sales::<ChargeRequest>("", PagePosition::Top, 9)
        .unwrap()
        .rows[0]
        .request
        .clone();
    assert_eq!(read, charge(Some("Bia")));
}
