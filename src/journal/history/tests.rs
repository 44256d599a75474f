//! Tests of the history database: storing, finding, counting and deleting rows, and replacing a
//! damaged file.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Barrier;

use rusqlite::Connection;

use super::History;
use crate::trade::checkup::DatabaseContents;
use crate::trade::search::{RowLabel, Term, TimeMatch};
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, CreatedCharge, CreatedLink,
    DayTotal, DomainChoice, DomainState, JournalTrouble, KnownBuyer, KnownLink, LinkFilter,
    LinkOutcome, LinkRequest, LinksTotal, Money, Nickname, Origin, PagePosition, Paid, PaidSource,
    PaymentLink, PixKey, PixKeyKind, RecentTotals, Refusal, RowId, Sale, SaleAuthors, Search,
    SearchTotals, Untrusted, Wall,
};

mod batches;
mod files;
mod growth;
mod notes;
mod report;
mod sales;
mod shared;
mod statements;
mod stored;

fn account(identity: &str) -> Account {
    Account {
        origin: Origin("https://pay.example".into()),
        identity: identity.into(),
    }
}

fn link(description: &str, centavos: i64) -> LinkRequest {
    LinkRequest {
        account: account("ana"),
        amount: Money::from_centavos(centavos),
        description: description.into(),
        domain: Some("loja-da-ana.example".into()),
    }
}

fn charge(customer: Option<&str>) -> ChargeRequest {
    ChargeRequest {
        account: account("ana"),
        amount: Money::from_centavos(500),
        description: "Café".into(),
        customer: customer.map(Into::into),
        buyer: BTreeMap::new(),
    }
}

fn created(id: &str) -> LinkOutcome {
    LinkOutcome::Created(CreatedLink {
        url: format!("https://loja.example/checkout/link-{id}").into(),
    })
}

fn open(dir: &Path) -> History {
    let (history, moved) = History::open(dir, Wall(0)).unwrap();
    assert_eq!(moved, None);
    history
}

fn new_history() -> (tempfile::TempDir, History) {
    let dir = tempfile::tempdir().unwrap();
    let history = open(dir.path());
    (dir, history)
}

fn find_ids(history: &mut History, query: &str) -> Vec<i64> {
    let page = history
        .sales::<LinkRequest>(query, PagePosition::Top, 100)
        .unwrap();
    assert_eq!(page.total, Some(page.rows.len() as u64), "{query}");
    page.rows.iter().map(|link| link.id.0).collect()
}

fn mark(
    history: &mut History,
    link: &PaymentLink,
    paid: Option<Wall>,
) -> Result<Sale, JournalTrouble> {
    history.mark_paid(&Sale::Link(link.clone()), paid)
}

fn search_totals(history: &mut History, search: &Search) -> Option<SearchTotals> {
    history
        .totals::<LinkRequest>(search, &[], (Wall(0), 0))
        .unwrap()
        .found
}

/// The totals of the last weeks, for the given time and UTC offset.
fn recent_totals(history: &mut History, clock: (Wall, i32)) -> Option<RecentTotals> {
    let totals = history
        .totals::<LinkRequest>(&Search::default(), &[], clock)
        .unwrap();
    totals.figures.map(|figures| *figures)
}

#[test]
fn link_is_unknown_until_its_outcome_is_stored() {
    let (dir, mut history) = new_history();
    let request = link("Camiseta azul", 4_990);
    let id = history.begin(&request, Wall(5)).unwrap();
    drop(history);
    let mut history = open(dir.path());
    let stored = &history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap()
        .rows[0];
    assert_eq!(
        (stored.at, &stored.request, &stored.outcome),
        (Wall(5), &request, &LinkOutcome::Unknown)
    );
    let settled = history
        .settle::<LinkRequest>(id, &created("7f3k2q"))
        .unwrap();
    assert_eq!(
        open(dir.path())
            .sales::<LinkRequest>("", PagePosition::Top, 9)
            .unwrap()
            .rows[..],
        [settled]
    );
    assert!(
        history
            .settle::<LinkRequest>(RowId(99), &created("x"))
            .is_err()
    );
}

#[test]
fn windows_that_write_at_once_wait_for_each_other() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let start = Barrier::new(2);
    std::thread::scope(|scope| {
        for window in ["left", "right"] {
            let dir = dir.path();
            let start = &start;
            scope.spawn(move || {
                let mut history = open(dir);
                start.wait();
                for n in 0..40 {
                    let id = history.begin(&link(window, 100), Wall(n)).unwrap();
                    history.settle::<LinkRequest>(id, &created("x")).unwrap();
                    history
                        .sales::<LinkRequest>(window, PagePosition::Top, 1)
                        .unwrap();
                    history.prune(Wall(0)).unwrap();
                }
            });
        }
    });
    let mut history = open(dir.path());
    for window in ["left", "right"] {
        assert_eq!(find_ids(&mut history, window).len(), 40, "{window}");
    }
}

#[test]
fn search_ignores_case_accents_and_operators() {
    let (_dir, mut history) = new_history();
    let descriptions = [
        "Camiseta AZUL M",
        "Boné 100% algodão",
        "\"Açúcar\" OR NEAR*",
        "a_b 'x' \\ --",
    ];
    for (description, centavos) in descriptions.iter().zip([4_990, 123_456, 100, 7]) {
        history
            .begin(&link(description, centavos), Wall(0))
            .unwrap();
    }
    history
        .settle::<LinkRequest>(RowId(1), &created("7f3k2q"))
        .unwrap();
    for (query, ids) in [
        ("", &[4, 3, 2, 1][..]),
        ("  ", &[4, 3, 2, 1]),
        ("camiseta", &[1]),
        ("ÁZÚL", &[1]),
        ("azul cami", &[1]),
        ("azul bone", &[]),
        ("algodao", &[2]),
        ("0%", &[2]),
        ("%", &[2]),
        ("100%", &[2]),
        ("acucar", &[3]),
        ("\"acucar\"", &[3]),
        ("OR", &[3]),
        ("near*", &[3]),
        ("\"", &[3]),
        ("a_b", &[4]),
        ("'x'", &[4]),
        ("\\", &[4]),
        ("--", &[4]),
        ("49,90", &[1]),
        ("r$ 1.234,56", &[2]),
        ("1234,56", &[2]),
        ("loja-da-ana", &[4, 3, 2, 1]),
        ("link-7F3K", &[1]),
        ("7f", &[1]),
        ("camiseta\u{0}", &[1]),
    ] {
        assert_eq!(find_ids(&mut history, query), ids, "{query:?}");
    }
}

#[test]
fn day_totals_count_only_created_links() {
    let (_dir, mut history) = new_history();
    for (at, centavos) in [(99, 1), (100, 10), (150, 20), (199, 1_010), (200, 5)] {
        let id = history.begin(&link("x", centavos), Wall(at)).unwrap();
        history.settle::<LinkRequest>(id, &created("x")).unwrap();
    }
    let refused_id = history.begin(&link("x", 9), Wall(150)).unwrap();
    let refusal = Refusal {
        status: 400,
        message: None,
        hint: None,
        retry_after: None,
    };
    history
        .settle::<LinkRequest>(refused_id, &LinkOutcome::Refused(refusal))
        .unwrap();
    history.begin(&link("x", 9), Wall(150)).unwrap();
    let days = [[Wall(100), Wall(200)], [Wall(500), Wall(600)]];
    let total = |starts, count, centavos| DayTotal {
        starts: Wall(starts),
        count,
        sum: Money::from_centavos(centavos),
        paid: Money::ZERO,
    };
    let mut totals = |search: &str| {
        history
            .totals::<LinkRequest>(&search.into(), &days, (Wall(0), 0))
            .unwrap()
            .days
    };
    assert_eq!(totals(""), [total(100, 3, 1_040), total(500, 0, 0)]);
    assert_eq!(totals("x"), [], "days are not shown above what was found");
}

#[test]
fn links_marked_as_paid_are_counted_and_found() {
    let (dir, mut history) = new_history();
    for (at, centavos) in [(1, 4_990), (2, 10), (3, 100), (4, 999_999_999_999)] {
        let id = history.begin(&link("Boné", centavos), Wall(at)).unwrap();
        history.settle::<LinkRequest>(id, &created("x")).unwrap();
    }
    history.begin(&link("Boné", 7), Wall(5)).unwrap();
    let rows = history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap()
        .rows
        .to_vec();
    for link in &rows[1..=2] {
        let marked = mark(&mut history, link, Some(Wall(50))).unwrap();
        let paid = Paid {
            at: Wall(50),
            source: PaidSource::Seller,
        };
        assert_eq!(marked.paid(), Some(paid));
    }
    // A payment link cannot be marked if its time or account differs from the stored one, or if the
    // service did not create it.
    let mismatched = [
        PaymentLink {
            at: Wall(9),
            ..rows[1].clone()
        },
        PaymentLink {
            request: LinkRequest {
                account: account("bia"),
                ..rows[1].request.clone()
            },
            ..rows[1].clone()
        },
        rows[0].clone(),
    ];
    for other in mismatched {
        assert!(mark(&mut history, &other, None).is_err(), "{other:?}");
    }
    drop(history);
    let mut history = open(dir.path());
    let ids = |history: &mut History, search: &Search| {
        let rows = history
            .sales::<LinkRequest>(search.clone(), PagePosition::Top, 9)
            .unwrap()
            .rows;
        rows.iter().map(|link| link.id.0).collect::<Vec<_>>()
    };
    let search_with = |paid, text: &str| Search {
        filter: LinkFilter {
            paid: Some(paid),
            ..LinkFilter::default()
        },
        ..text.into()
    };
    assert_eq!(ids(&mut history, &search_with(true, "")), [4, 3]);
    assert_eq!(ids(&mut history, &search_with(false, "bone")), [2, 1]);
    assert_eq!(ids(&mut history, &search_with(true, "1,00")), [3]);
    let term = Term {
        text: "marcado".into(),
        labels: vec![RowLabel::MarkedPaid],
        ..Term::default()
    };
    let search_by_label = Search {
        terms: vec![term],
        ..Search::default()
    };
    assert_eq!(ids(&mut history, &search_by_label), [4, 3]);
    let total = |count, centavos| LinksTotal {
        count,
        sum: Money::from_centavos(centavos),
    };
    let totals = SearchTotals {
        paid: total(2, 1_000_000_000_099),
        unpaid: total(2, 5_000),
    };
    assert_eq!(search_totals(&mut history, &"bone".into()), Some(totals));
    let totals_of_one = SearchTotals {
        paid: total(1, 100),
        unpaid: total(0, 0),
    };
    assert_eq!(
        search_totals(&mut history, &"1,00".into()),
        Some(totals_of_one)
    );
    mark(&mut history, &rows[2], None).unwrap();
    assert_eq!(ids(&mut history, &search_with(true, "")), [4]);
    // Deleting an old payment link also deletes its paid mark.
    assert_eq!(history.prune(Wall(100)).unwrap(), 5);
    assert!(ids(&mut history, &search_with(true, "")).is_empty());
}

#[test]
fn sandbox_payment_counts_as_paid_everywhere() {
    let (_dir, mut history) = new_history();
    for n in [1, 2, 3] {
        let id = history.begin(&link("Boné", 100 * n), Wall(n)).unwrap();
        history
            .settle::<LinkRequest>(id, &created(&n.to_string()))
            .unwrap();
    }
    let origin = account("ana").origin;
    let rows = history
        .sales::<LinkRequest>("", PagePosition::Top, 9)
        .unwrap()
        .rows
        .to_vec();
    let urls: Vec<_> = rows
        .iter()
        .map(|link| link.url().unwrap().clone())
        .collect();
    mark(&mut history, &rows[2], Some(Wall(40))).unwrap();
    let other_origin = Origin("https://other.example".into());
    history
        .record_sandbox_payments(&other_origin, &urls, Wall(49))
        .unwrap();
    history
        .record_sandbox_payments(&origin, &urls[..1], Wall(50))
        .unwrap();
    history
        .record_sandbox_payments(&origin, &urls[..2], Wall(60))
        .unwrap();
    let sources = |history: &mut History| {
        let rows = history
            .sales::<LinkRequest>("", PagePosition::Top, 9)
            .unwrap()
            .rows;
        rows.iter()
            .map(|link| link.paid.map(|paid| (paid.at.0, paid.source)))
            .collect::<Vec<_>>()
    };
    let seller = PaidSource::Seller;
    let sandbox = PaidSource::Sandbox;
    assert_eq!(
        sources(&mut history),
        [Some((50, sandbox)), Some((60, sandbox)), Some((40, seller))]
    );
    assert!(
        mark(&mut history, &rows[0], None).is_err(),
        "the sandbox's word stays"
    );
    assert_eq!(
        history.link_at(&origin, &urls[1]).unwrap().unwrap().id,
        rows[1].id
    );
    assert_eq!(history.link_at(&other_origin, &urls[1]).unwrap(), None);

    let filter = LinkFilter {
        paid: Some(true),
        ..LinkFilter::default()
    };
    let term = |labels| Term {
        text: "pago".into(),
        labels,
        ..Term::default()
    };
    let search_by_labels = |labels| Search {
        terms: vec![term(labels)],
        ..Search::default()
    };
    let mut count_found = |search: Search| {
        history
            .sales::<LinkRequest>(search, PagePosition::Top, 9)
            .unwrap()
            .rows
            .len()
    };
    assert_eq!(
        count_found(Search {
            filter,
            ..Search::default()
        }),
        3
    );
    assert_eq!(
        count_found(search_by_labels(vec![RowLabel::SandboxPaid])),
        2
    );
    assert_eq!(count_found(search_by_labels(vec![RowLabel::MarkedPaid])), 1);
    assert_eq!(
        count_found(search_by_labels(vec![
            RowLabel::MarkedPaid,
            RowLabel::SandboxPaid
        ])),
        3
    );
    let day = history
        .totals::<LinkRequest>(&"".into(), &[[Wall(0), Wall(9)]], (Wall(9), 0))
        .unwrap()
        .days;
    assert_eq!(
        (day[0].sum, day[0].paid),
        (Money::from_centavos(600), Money::from_centavos(600))
    );
    let figures = recent_totals(&mut history, (Wall(9), 0)).unwrap();
    assert_eq!(
        (figures.on_day.paid.count, figures.on_day.unpaid.count),
        (3, 0)
    );
    // The seller had marked this link as paid. The payment that the sandbox reports replaces the
    // mark.
    history
        .record_sandbox_payments(&origin, &urls, Wall(70))
        .unwrap();
    assert_eq!(sources(&mut history)[2], Some((70, sandbox)));
}

#[test]
fn links_filtered_by_day_and_by_actual_domain() {
    let (_dir, mut history) = new_history();
    // In São Paulo, the day begins at 03:00 UTC.
    let offset = -3 * 3_600;
    let day_start = Wall(20_000 * 86_400_000 + 3 * 3_600_000);
    let created_at = |url: &str| LinkOutcome::Created(CreatedLink { url: url.into() });
    let rows = [
        (
            day_start.0 - 1,
            None,
            created_at("https://b.example/checkout/link-1"),
        ),
        (
            day_start.0,
            Some("a.example"),
            created_at("http://A.example:8080/checkout/link-2"),
        ),
        (
            day_start.0 + 5,
            None,
            created_at("https://a.example?link=3"),
        ),
        (day_start.0 + 6, Some("a.example"), LinkOutcome::NotSent),
        (day_start.0 + 7, None, LinkOutcome::Unknown),
        // The requested domain is `a.example`, but the URL contains `b.example`. The domain filter
        // uses the URL.
        (
            day_start.0 + 8,
            Some("a.example"),
            created_at("https://b.example"),
        ),
        (
            day_start.0 + 9,
            Some("a.example.evil.example"),
            created_at("https://a.example.evil.example/"),
        ),
    ];
    for (at, domain, outcome) in rows {
        let domain = domain.map(Untrusted::from);
        let request = LinkRequest {
            domain,
            ..link("Boné", 100)
        };
        let id = history.begin(&request, Wall(at)).unwrap();
        history.settle::<LinkRequest>(id, &outcome).unwrap();
    }
    let mut ids = |filter: LinkFilter| {
        let search = Search {
            filter,
            utc_offset_s: offset,
            ..Search::default()
        };
        let rows = history
            .sales::<LinkRequest>(search.clone(), PagePosition::Top, 9)
            .unwrap()
            .rows;
        let created_count = rows.iter().filter(|link| link.url().is_some()).count();
        let total = search_totals(&mut history, &search).map(|total| total.unpaid.count as usize);
        assert!(
            search.filter.is_open() || total == Some(created_count),
            "{search:?}"
        );
        rows.iter().map(|link| link.id.0).collect::<Vec<_>>()
    };
    let day = Some(20_000);
    assert_eq!(
        ids(LinkFilter {
            day,
            ..LinkFilter::default()
        }),
        [7, 6, 5, 4, 3, 2]
    );
    let automatic = Some(DomainChoice::Automatic);
    assert_eq!(
        ids(LinkFilter {
            domain: automatic.clone(),
            ..LinkFilter::default()
        }),
        [5]
    );
    let named = |host: &str| Some(DomainChoice::Named(host.into()));
    let on_host = |host| LinkFilter {
        domain: named(host),
        ..LinkFilter::default()
    };
    assert_eq!(ids(on_host("a.example")), [4, 3, 2]);
    assert_eq!(ids(on_host("A.example")), [4, 3, 2]);
    assert_eq!(ids(on_host("b.example")), [6, 1]);
    assert!(ids(on_host("example")).is_empty());
    let unpaid = LinkFilter {
        day,
        paid: Some(false),
        domain: named("b.example"),
        put_away: false,
        newest_batch: None,
    };
    assert_eq!(ids(unpaid), [6]);
    assert!(
        ids(LinkFilter {
            day: Some(i64::MAX),
            ..LinkFilter::default()
        })
        .is_empty()
    );
}

#[test]
fn domain_state_time_is_kept_across_runs() {
    let dir = tempfile::tempdir().unwrap();
    let domain = |host: &str, state| CheckoutDomain {
        host: host.into(),
        state,
        is_default: false,
    };
    let state_since = |login: &str, listed: &[CheckoutDomain], at: i64| {
        let domains = open(dir.path())
            .record_domains(&account(login), listed, Wall(at))
            .unwrap();
        assert!(domains.iter().map(|(domain, _)| domain).eq(listed));
        domains.iter().map(|(_, since)| since.0).collect::<Vec<_>>()
    };
    let pending = |word: &str| DomainState::Pending(Some(word.into()));
    let listed = [
        domain("b.example", DomainState::Active),
        domain("a.example", pending("dns")),
    ];
    assert_eq!(state_since("ana", &listed, 10), [10, 10]);
    assert_eq!(state_since("ana", &listed, 20), [10, 10]);
    let later = [
        domain("b.example", DomainState::Active),
        domain("a.example", pending("ssl")),
    ];
    assert_eq!(
        state_since("ana", &later, 30),
        [10, 30],
        "its word is another one"
    );
    assert_eq!(
        state_since("bia", &later, 40),
        [40, 40],
        "each account has its own"
    );
    // The domain that is missing at second 50 counts as new at second 60. Then the clock is set
    // back to second 5, so both stored times become 5.
    assert_eq!(state_since("ana", &later[..1], 50), [10]);
    assert_eq!(state_since("ana", &later, 60), [10, 60]);
    assert_eq!(state_since("ana", &later, 5), [5, 5]);
    let twice = [later[0].clone(), later[0].clone()];
    assert_eq!(state_since("ana", &twice, 70), [5, 5]);
}

#[test]
fn unchanged_domains_wake_no_other_window() {
    let dir = tempfile::tempdir().unwrap();
    let listed = [CheckoutDomain {
        host: "a".into(),
        state: DomainState::Usable,
        is_default: true,
    }];
    let mut history = open(dir.path());
    let mut other = open(dir.path());
    history
        .record_domains(&account("ana"), &listed, Wall(10))
        .unwrap();
    assert!(other.changed_elsewhere().unwrap());
    history
        .record_domains(&account("ana"), &listed, Wall(20))
        .unwrap();
    assert!(!other.changed_elsewhere().unwrap());
}

#[test]
fn daily_and_monthly_figures_match_their_days() {
    let (dir, mut history) = new_history();
    let offset = -3 * 3_600;
    let day = 86_400_000;
    // 2026-11-22, 21:00 in São Paulo.
    let now = Wall(1_795_392_000_000);
    for (ago, centavos) in [
        (0, 100),
        (20 * 3_600_000, 200),
        (22 * 3_600_000, 300),
        (30 * day, 400),
    ] {
        let id = history
            .begin(&link("Boné", centavos), Wall(now.0 - ago))
            .unwrap();
        history.settle::<LinkRequest>(id, &created("x")).unwrap();
    }
    // Payment links that the service did not create are not counted.
    history.begin(&link("Boné", 7), now).unwrap();
    let newest = history
        .sales::<LinkRequest>("1,00", PagePosition::Top, 9)
        .unwrap()
        .rows[0]
        .clone();
    mark(&mut history, &newest, Some(now)).unwrap();
    let totals = recent_totals(&mut history, (now, offset)).unwrap();
    let total = |count, centavos| LinksTotal {
        count,
        sum: Money::from_centavos(centavos),
    };
    assert_eq!(
        totals.on_day,
        SearchTotals {
            paid: total(1, 100),
            unpaid: total(1, 200)
        }
    );
    assert_eq!(
        totals.on_month,
        SearchTotals {
            paid: total(1, 100),
            unpaid: total(2, 500)
        }
    );
    let by_day: Vec<i64> = totals
        .by_day
        .iter()
        .rev()
        .map(|sum| sum.centavos().unwrap())
        .collect();
    assert_eq!(by_day[..3], [300, 300, 0]);
    let file = Connection::open(dir.path().join("history.db")).unwrap();
    file.execute("UPDATE link SET centavos = NULL", []).unwrap();
    assert_eq!(recent_totals(&mut history, (now, offset)), None);
}

#[test]
fn figures_before_1970_match_their_days() {
    // The local day before 1970 in Brasília and in UTC; SQL divisions truncate towards 1970.
    for (at, now, offset) in [(3_600_000, 7_200_000, -3 * 3_600), (-500, -1, 0)] {
        let (_dir, mut history) = new_history();
        let id = history.begin(&link("Boné", 100), Wall(at)).unwrap();
        history.settle::<LinkRequest>(id, &created("x")).unwrap();
        let totals = recent_totals(&mut history, (Wall(now), offset)).unwrap();
        assert_eq!(totals.on_day.unpaid.count, 1, "{at}");
    }
}

#[test]
fn nickname_belongs_to_account_and_key_and_is_pruned() {
    let (dir, mut history) = new_history();
    let ana = account("ana");
    let bia = account("bia");
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let other_key = PixKey::parse(PixKeyKind::Email, "ana@loja.example").unwrap();
    let name = |text| Nickname::parse(text).unwrap();
    history
        .set_nickname(&ana, &key, Some(&name("Conta PJ")), Wall(10))
        .unwrap();
    let set = history
        .set_nickname(&bia, &key, Some(&name("Ana")), Wall(30))
        .unwrap();
    assert_eq!(set.of(&bia, &key), Some(&name("Ana")));
    let keys = vec![(ana.clone(), key.clone()), (bia.clone(), other_key.clone())];
    let nicknames = history.nicknames_of(keys).unwrap();
    assert_eq!(nicknames.of(&ana, &key), Some(&name("Conta PJ")));
    assert_eq!(
        (
            nicknames.of(&bia, &other_key),
            nicknames.contains(&bia, &other_key)
        ),
        (None, true)
    );
    // A new nickname replaces the old one, even after the file is reopened.
    history
        .set_nickname(&ana, &key, Some(&name("Poupança")), Wall(20))
        .unwrap();
    drop(history);
    let mut history = open(dir.path());
    assert_eq!(
        history.nickname(&ana, &key).unwrap(),
        Some(name("Poupança"))
    );
    assert_eq!(history.count_older_than(Wall(25)).unwrap(), [0, 0, 1, 0]);
    assert_eq!(history.prune(Wall(25)).unwrap(), 1);
    assert_eq!(history.nickname(&ana, &key).unwrap(), None);
    assert_eq!(history.nickname(&bia, &key).unwrap(), Some(name("Ana")));
    assert!(history.overwrite_deleted().unwrap());
    let bytes = fs::read(dir.path().join("history.db")).unwrap();
    assert!(
        !bytes.windows(9).any(|part| part == "Poupança".as_bytes()),
        "it is gone from the file"
    );
    let removed = history.set_nickname(&bia, &key, None, Wall(40)).unwrap();
    assert_eq!(removed.of(&bia, &key), None);
    // Rows with an invalid Pix key or nickname are skipped, because another program may have
    // written them.
    let file = Connection::open(dir.path().join("history.db")).unwrap();
    for (key, name) in [
        ("{}", "Ana"),
        (r#"{"kind":"cpf","text":"1"}"#, "Ana"),
        ("x", "a\nb"),
    ] {
        let row = "INSERT INTO nickname VALUES (1, 'o', 'i', ?, ?)";
        file.execute(row, [key, name]).unwrap();
    }
    assert_eq!(history.all_nicknames().count(), 0);
}

#[test]
fn old_nicknames_among_many_are_found() {
    let (_dir, mut history) = new_history();
    let ana = account("ana");
    let key = |n: i64| PixKey::parse(PixKeyKind::Email, &format!("a{n}@loja.example")).unwrap();
    let name = |n: i64| Nickname::parse(&format!("Cliente Nº {n}")).unwrap();
    for n in 0..1_500 {
        history
            .set_nickname(&ana, &key(n), Some(&name(n)), Wall(n))
            .unwrap();
    }
    assert_eq!(history.nickname(&ana, &key(0)).unwrap(), Some(name(0)));
    let all: Vec<_> = history.all_nicknames().map(Result::unwrap).collect();
    assert_eq!(all.len(), 1_500);
    assert!(all.contains(&(ana.clone(), key(0), name(0))));
    let found = history.keys_with_nickname("nº 14").unwrap();
    assert_eq!(found.len(), 111, "14, 140 to 149 and 1400 to 1499");
    assert_eq!(found.get(&key(14)), Some(&vec![ana.normalized()]));
}

#[test]
fn fractional_centavos_give_no_sum() {
    for amount in ["49.901", "10000000000.01"] {
        let (_dir, mut history) = new_history();
        let mut request = link("Boné", 1);
        request.amount = Money::parse_wire(amount).unwrap();
        let id = history.begin(&request, Wall(1)).unwrap();
        assert_eq!(
            search_totals(&mut history, &"bone".into()),
            Some(SearchTotals::ZERO),
            "not made"
        );
        history.settle::<LinkRequest>(id, &created("x")).unwrap();
        assert_eq!(
            search_totals(&mut history, &"bone".into()),
            None,
            "{amount}"
        );
    }
}

#[test]
fn direct_payment_is_stored_and_found() {
    let (_dir, mut history) = new_history();
    let id = history.begin(&charge(Some("João")), Wall(1)).unwrap();
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: Some("pay-77".into()),
        status: Some("pending".into()),
        pix_code: None,
        expires: None,
    });
    let charge = history.settle::<ChargeRequest>(id, &outcome).unwrap();
    for query in ["", "cafe", "joao", "PAY-77", "5,00"] {
        let page = history
            .sales::<ChargeRequest>(query, PagePosition::Top, 9)
            .unwrap();
        assert_eq!(page.rows.to_vec(), vec![charge.clone()], "{query}");
    }
    assert_eq!(
        history
            .sales::<ChargeRequest>("maria", PagePosition::Top, 9)
            .unwrap()
            .total,
        Some(0)
    );
}

#[test]
fn old_rows_are_pruned_and_ids_not_reused() {
    let (_dir, mut history) = new_history();
    for at in 0..4 {
        history.begin(&link("Boné", at), Wall(at)).unwrap();
    }
    assert_eq!(history.prune(Wall(2)), Ok(2));
    assert_eq!(find_ids(&mut history, "bone"), [4, 3]);
    // Ids are never reused. Otherwise, a late response for a deleted payment link could change a
    // new one.
    assert_eq!(history.prune(Wall(9)), Ok(2));
    assert_eq!(history.begin(&link("Boné", 1), Wall(9)), Ok(RowId(5)));
}

/// A search term whose text matches no row, so only its labels and times can match.
fn term(labels: Vec<RowLabel>, moments: Vec<TimeMatch>) -> Term {
    Term {
        text: "nowhere".into(),
        labels,
        moments,
        ..Term::default()
    }
}

#[test]
fn link_found_by_status_word_and_time() {
    const NOON: Wall = Wall(1_795_275_720_000);
    let (_dir, mut history) = new_history();
    let refusal = Refusal {
        status: 400,
        message: Some("unknown".into()),
        hint: None,
        retry_after: None,
    };
    let refused = Some(LinkOutcome::Refused(refusal));
    let outcomes = [
        refused,
        Some(LinkOutcome::Unknown),
        Some(LinkOutcome::NotSent),
        None,
        None,
    ];
    for (n, outcome) in outcomes.into_iter().enumerate() {
        let id = history
            .begin(&link("Mesa", n as i64), Wall(n as i64))
            .unwrap();
        outcome.map(|outcome| history.settle::<LinkRequest>(id, &outcome).unwrap());
    }
    history
        .settle::<LinkRequest>(RowId(4), &created("x"))
        .unwrap();
    let automatic = LinkRequest {
        domain: None,
        ..link("Vaso", 9_900)
    };
    let id = history.begin(&automatic, NOON).unwrap();
    history.settle::<LinkRequest>(id, &created("y")).unwrap();
    let mut found = |term: Term, and: &str| -> Vec<i64> {
        let terms = [vec![term], Search::from(and).terms].concat();
        let search = Search {
            terms,
            utc_offset_s: -3 * 3_600,
            ..Search::default()
        };
        let page = history
            .sales::<LinkRequest>(search, PagePosition::Top, 100)
            .unwrap();
        assert_eq!(page.total, Some(page.rows.len() as u64));
        page.rows.iter().map(|link| link.id.0).collect()
    };
    let by_label = |label| term(vec![label], vec![]);
    assert_eq!(found(by_label(RowLabel::Refused), ""), [1]);
    assert_eq!(found(by_label(RowLabel::MayExist), ""), [5, 2]);
    assert_eq!(found(by_label(RowLabel::NotSent), ""), [3]);
    assert_eq!(found(by_label(RowLabel::Created), ""), [6]);
    assert!(found(by_label(RowLabel::Created), "mesa").is_empty());
    assert_eq!(found(by_label(RowLabel::MayExist), "0,01"), [2]);
    assert!(found(by_label(RowLabel::Accepted), "").is_empty());
    let by_time = |moments| term(vec![], vec![moments]);
    assert_eq!(found(by_time(TimeMatch::Contains("21/11".into())), ""), [6]);
    assert_eq!(
        found(by_time(TimeMatch::Contains(" 12:42".into())), ""),
        [6]
    );
    assert_eq!(
        found(by_time(TimeMatch::StartsWith("31/12/1969".into())), ""),
        [5, 4, 3, 2, 1]
    );
    assert!(found(by_time(TimeMatch::StartsWith("/12".into())), "").is_empty());
    let either = term(
        vec![RowLabel::Refused],
        vec![TimeMatch::Contains("/11/2026".into())],
    );
    assert_eq!(found(either, ""), [6, 1]);
}

#[test]
fn charge_found_by_service_status_word() {
    let (_dir, mut history) = new_history();
    for status in [Some("waiting_payment".into()), None] {
        let id = history.begin(&charge(None), Wall(0)).unwrap();
        let made = ChargeOutcome::Created(CreatedCharge {
            id: None,
            status,
            pix_code: None,
            expires: None,
        });
        history.settle::<ChargeRequest>(id, &made).unwrap();
    }
    let mut found = |search: Search| -> Vec<i64> {
        let page = history
            .sales::<ChargeRequest>(search, PagePosition::Top, 9)
            .unwrap();
        page.rows.iter().map(|charge| charge.id.0).collect()
    };
    assert_eq!(found("WAITING".into()), [1]);
    let made = term(vec![RowLabel::Created], vec![]);
    assert_eq!(
        found(Search {
            terms: vec![made],
            ..Search::default()
        }),
        [2]
    );
}

#[test]
fn accounts_with_marks_of_30_days_are_named() {
    const DAY_MS: i64 = 86_400_000;
    let (_dir, mut history) = new_history();
    let now = Wall(100 * DAY_MS);
    let accounts = |history: &mut History| {
        let totals = history.totals::<LinkRequest>(&Search::default(), &[], (now, 0));
        totals.unwrap().marking_accounts
    };
    let mut made = |identity: &str| {
        let mut request = link("Camiseta", 4_990);
        request.account = account(identity);
        let id = history.begin(&request, Wall(DAY_MS)).unwrap();
        history
            .settle::<LinkRequest>(id, &created(identity))
            .unwrap()
    };
    let [ana, bia] = ["ana", "bia"].map(&mut made);
    assert_eq!(accounts(&mut history), []);
    mark(&mut history, &ana, Some(Wall(now.0 - 30 * DAY_MS - 1))).unwrap();
    assert_eq!(accounts(&mut history), [], "more than 30 days ago");
    mark(&mut history, &ana, Some(Wall(now.0 - 30 * DAY_MS))).unwrap();
    assert_eq!(accounts(&mut history), [account("ana")]);
    mark(&mut history, &ana, None).unwrap();
    assert_eq!(accounts(&mut history), []);
    let url = [bia.url().unwrap().clone()];
    let origin = &account("bia").origin;
    history.record_sandbox_payments(origin, &url, now).unwrap();
    assert_eq!(accounts(&mut history), [account("bia")]);
}
