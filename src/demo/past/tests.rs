//! Tests that the app and the sandbox use the same example data in the demo.

use super::*;
use std::sync::Mutex;

use crate::demo::{Script, scene};
use crate::journal::history::History;
use crate::journal::money::{Files, MoneyJournal};
use crate::sandbox::{Options, SandboxServer, start};
use crate::service::{Limits, window};
use crate::trade::withdrawal::{Class, Withdrawal, WithdrawalState};
use crate::trade::{Origin, PagePosition};

/// A Saturday in 2026.
const NOW: Wall = Wall(1_795_273_200_000);

async fn sandbox() -> (SandboxServer, DemoPast) {
    let sandbox = start(Options {
        scene: scene(),
        ..Options::default()
    })
    .await
    .unwrap();
    let account = Account {
        origin: Origin(sandbox.base_url().into()),
        identity: "ana".into(),
    };
    let past = DemoPast {
        control: sandbox.control(),
        account,
        now: NOW,
    };
    (sandbox, past)
}

#[tokio::test]
async fn every_link_opens_and_paid_ones_are_in_ledger() {
    let (sandbox, past) = sandbox().await;
    let script = Script::built_in();
    let links = past.create_links(&script.parsed().links);
    assert_eq!(links.len(), script.parsed().links.len());
    for link in &links {
        let page = sandbox
            .control()
            .checkout_page(link.url().unwrap().raw())
            .unwrap();
        assert_eq!(page.amount.to_string(), link.request.amount.wire());
        assert_eq!(page.description, link.request.description);
        let chosen_host = link.request.domain.as_ref().map(Untrusted::raw);
        assert!(
            chosen_host.is_none_or(|host| host == page.host),
            "{chosen_host:?} is not {}",
            page.host
        );
    }
    assert!(links.is_sorted_by_key(|link| link.at));
    assert!(
        NOW.0 - links[0].at.0 > 20 * 24 * 60 * MINUTE_MS,
        "some weeks"
    );
    let hosts: std::collections::BTreeSet<_> = links
        .iter()
        .filter_map(|link| link.request.domain.clone())
        .collect();
    assert_eq!(hosts.len(), 3);
    let ledger = sandbox.control().ledger();
    let paid = ledger.links.iter().filter(|link| link.paid_at.is_some());
    assert!(paid.clone().all(|link| link.paid_at.unwrap().0 < NOW.0));
    assert_eq!(paid.count(), ledger.payments.len());
    assert!(ledger.payments.len() > links.len() / 2);
    assert!(
        ledger.links.last().unwrap().paid_at.is_none(),
        "the story pays the last one"
    );
}

#[tokio::test]
async fn some_links_marked_paid_unknown_to_the_sandbox() {
    let (sandbox, past) = sandbox().await;
    let links = past.create_links(&Script::built_in().parsed().links);
    let is_paid_by =
        |source| move |link: &&PaymentLink| link.paid.is_some_and(|paid| paid.source == source);
    let marked: Vec<_> = links
        .iter()
        .filter(is_paid_by(PaidSource::Seller))
        .collect();
    let reported: Vec<_> = links
        .iter()
        .filter(is_paid_by(PaidSource::Sandbox))
        .collect();
    assert!(marked.len() > 10 && reported.len() > marked.len());
    let paid = sandbox.control().paid_links();
    assert_eq!(reported.len(), paid.len());
    for link in marked.iter().chain(&reported) {
        let Paid { at, source } = link.paid.unwrap();
        assert!(link.at < at && at < NOW);
        let is_reported = paid.iter().any(|url| url == link.url().unwrap().raw());
        assert_eq!(is_reported, source == PaidSource::Sandbox, "{link:?}");
    }
    let week = Wall(NOW.0 - 7 * 24 * 60 * MINUTE_MS);
    assert!(
        marked.iter().any(|link| link.at > week),
        "so that the strip shows one"
    );

    let dir = tempfile::tempdir().unwrap();
    let (mut history, _) = History::open(dir.path(), NOW).unwrap();
    history.seed(&links, &[]).unwrap();
    let stored_links = history
        .sales::<LinkRequest>("", PagePosition::Top, 100)
        .unwrap()
        .rows;
    let paid_marks = |links: &mut dyn Iterator<Item = &PaymentLink>| {
        links.map(|link| (link.at, link.paid)).collect::<Vec<_>>()
    };
    assert_eq!(
        paid_marks(&mut stored_links.iter().rev()),
        paid_marks(&mut links.iter())
    );
}

#[tokio::test]
async fn every_example_charge_exists_in_the_sandbox() {
    let (sandbox, past) = sandbox().await;
    let charges = past.create_charges(&Script::built_in().parsed().charges);
    assert_eq!(charges.len(), 3);
    let ledger = sandbox.control().ledger();
    for (charge, sandbox_charge) in charges.iter().zip(&ledger.charges) {
        let ChargeOutcome::Created(CreatedCharge { id, pix_code, .. }) = &charge.outcome else {
            panic!()
        };
        assert_eq!(id.as_ref().unwrap().raw(), sandbox_charge.id);
        assert_eq!(pix_code.as_ref().unwrap().raw(), sandbox_charge.qr_code);
        assert!(charge.request.customer.is_some());
    }
    assert!(
        ledger.charges.last().unwrap().expires_at.0 > NOW.0,
        "one can still be paid"
    );
    assert_eq!(ledger.payments.len(), 1);
}

/// Fills a journal with the demo's example data, and returns its withdrawals.
fn create_withdrawals(past: &DemoPast, dir: &std::path::Path) -> Vec<Withdrawal> {
    let journal = Mutex::new(MoneyJournal::open(Files::new(dir), false).unwrap());
    let window = window(&crate::demo::contract(), &Limits::default());
    past.create_withdrawals(&Script::built_in().parsed().withdrawals, &journal, &window);
    let mut journal = journal.into_inner().unwrap();
    journal.verify().unwrap();
    journal.page(None, "", 0, 100).unwrap().rows.to_vec()
}

#[tokio::test]
async fn withdrawals_are_decided_and_match_ledger() {
    let (sandbox, past) = sandbox().await;
    let dir = tempfile::tempdir().unwrap();
    let withdrawals = create_withdrawals(&past, dir.path());
    assert_eq!(withdrawals.len(), 6);
    let window = window(&crate::demo::contract(), &Limits::default());
    let now = crate::trade::Clocks {
        wall: NOW,
        boot_ms: 5_000,
        boot_id: "a start".into(),
    };
    let ledger = sandbox.control().ledger();
    let mut refused_count = 0;
    for withdrawal in &withdrawals {
        let payouts = ledger
            .payouts
            .iter()
            .filter(|payout| payout.key == *withdrawal.agreement.key_header);
        let payouts: Vec<_> = payouts.collect();
        match withdrawal.state(&now, &window, false) {
            WithdrawalState::Accepted => {
                assert_eq!(payouts.len(), 1);
                assert_eq!(payouts[0].body.0, withdrawal.agreement.body.as_bytes());
                let quote = withdrawal.agreement.quote.as_ref().unwrap();
                assert_eq!(payouts[0].fee.to_string(), quote.fee.wire());
                assert_eq!(
                    payouts[0].at.0 / MINUTE_MS,
                    withdrawal.attempts[0].began.wall.0 / MINUTE_MS
                );
            }
            state => {
                refused_count += 1;
                assert!(!state.is_open() && payouts.is_empty(), "{state:?}");
                let end = withdrawal.attempts[0].end.as_ref().unwrap();
                assert_eq!(end.class, Class::DefiniteNo);
                assert_eq!(end.message.as_ref().unwrap().raw(), "Saldo insuficiente.");
            }
        }
    }
    assert_eq!((refused_count, ledger.payouts.len()), (1, 5));
    assert_eq!(
        withdrawals
            .iter()
            .filter(|withdrawal| withdrawal.attempts.len() == 2)
            .count(),
        1
    );
}

/// The example data of the app and of the sandbox as text. The sandbox's port is masked, because it
/// varies.
async fn describe_example_data(seed: u64) -> String {
    let options = Options {
        scene: scene(),
        seed,
        ..Options::default()
    };
    let sandbox = start(options).await.unwrap();
    let account = Account {
        origin: Origin(sandbox.base_url().into()),
        identity: "ana".into(),
    };
    let past = DemoPast {
        control: sandbox.control(),
        account,
        now: NOW,
    };
    let script = Script::built_in();
    let dir = tempfile::tempdir().unwrap();
    // Test both orders, because the app may create withdrawals before or after the other payments.
    let (links, charges, withdrawals);
    if seed.is_multiple_of(2) {
        withdrawals = create_withdrawals(&past, dir.path());
        links = past.create_links(&script.parsed().links);
        charges = past.create_charges(&script.parsed().charges);
    } else {
        charges = past.create_charges(&script.parsed().charges);
        links = past.create_links(&script.parsed().links);
        withdrawals = create_withdrawals(&past, dir.path());
    }
    let ledger = sandbox.control().ledger();
    let sandbox_data = (
        ledger.links,
        ledger.charges,
        ledger.payouts,
        ledger.requests.len(),
    );
    let text = format!("{links:#?}{charges:#?}{withdrawals:#?}{sandbox_data:#?}");
    // Include the colon in the match, because a time or an id could contain the same digits as the
    // port.
    text.replace(&format!(":{}", sandbox.address().port()), ":PORT")
}

#[tokio::test]
async fn example_data_is_identical_in_every_demo() {
    let first = describe_example_data(6).await;
    let second = describe_example_data(7).await;
    let difference = first
        .lines()
        .zip(second.lines())
        .find(|(first, second)| first != second);
    assert_eq!(difference, None);
    assert_eq!(first, second);
}
