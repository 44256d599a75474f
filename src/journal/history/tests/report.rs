//! Tests of the figures for a report: they are compared with a plain count of random links.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::growth::{RandomLink, insert_link, random_link};
use super::*;
use crate::journal::history::GroupText;
use crate::journal::history::report::period_sql;
use crate::trade::Outcome;
use crate::trade::report::{SaleFigures, StateFigures, TextGroup};

const ALL: [Wall; 2] = [Wall(i64::MIN), Wall(i64::MAX)];

/// Puts a link away, as the list does.
fn put_away(history: &History, link: &PaymentLink) {
    let sql = "UPDATE link SET put_away_at = 1 WHERE id = ?";
    history.connection.execute(sql, [link.id.0]).unwrap();
}

fn add(total: &mut LinksTotal, amount: Money) {
    *total = LinksTotal {
        count: total.count + 1,
        sum: total.sum.checked_add(amount).unwrap(),
    };
}

/// Counts the links that the service created, one by one.
fn count<'l>(links: impl Iterator<Item = &'l PaymentLink>) -> SaleFigures {
    let mut figures = SaleFigures::default();
    for link in links.filter(|link| link.url().is_some()) {
        add(&mut figures.made, link.request.amount);
        let part = match link.paid {
            Some(_) => &mut figures.marked,
            None => &mut figures.unmarked,
        };
        add(part, link.request.amount);
    }
    figures
}

fn groups(history: &History, by: GroupText, limit: u32) -> Vec<TextGroup> {
    let mut groups = Vec::new();
    history
        .visit_groups(by, ALL, limit, &mut |group| {
            groups.push(group);
            true
        })
        .unwrap();
    groups
}

fn check_figures(random: &[(RandomLink, bool)], period: [i64; 2]) {
    let (_dir, mut history) = new_history();
    let mut links = Vec::new();
    let mut away = 0;
    for (random, is_away) in random {
        let link = insert_link(&mut history, random);
        if *is_away || link.put_away.is_some() {
            put_away(&history, &link);
            away += 1;
        } else {
            links.push(link);
        }
    }
    let [since, until] = period.map(|day| Wall((super::growth::FIRST_DAY + day) * 86_400_000));
    let found = links
        .iter()
        .filter(|link| (since..until).contains(&link.at));
    let figures = history.sale_figures::<LinkRequest>([since, until]).unwrap();
    assert_eq!(figures, count(found.clone()));
    let first = found
        .filter(|link| link.url().is_some())
        .map(|link| link.at);
    assert_eq!(history.first_sale([since, until]), Ok(first.min()));
    assert_eq!(history.put_away_links(ALL), Ok(away));

    let mut by_text: BTreeMap<String, Vec<PaymentLink>> = BTreeMap::new();
    let mut by_host: BTreeMap<Option<String>, Vec<PaymentLink>> = BTreeMap::new();
    for link in links.iter().filter(|link| link.url().is_some()) {
        let text = link.request.description.clone();
        by_text.entry(text).or_default().push(link.clone());
        let host = link.request.host(&link.outcome);
        by_host.entry(host).or_default().push(link.clone());
    }
    let found = groups(&history, GroupText::Description, u32::MAX);
    assert_eq!(found.len(), by_text.len());
    assert!(found.is_sorted_by_key(|group| std::cmp::Reverse(group.links.made.sum)));
    for group in &found {
        let expected = count(by_text[group.text.as_ref().unwrap()].iter());
        assert_eq!(
            (group.links, group.charges),
            (expected, SaleFigures::default())
        );
    }
    let found = groups(&history, GroupText::Domain, u32::MAX);
    assert_eq!(found.len(), by_host.len());
    for group in &found {
        assert_eq!(group.links, count(by_host[&group.text].iter()));
    }
    assert_eq!(
        groups(&history, GroupText::Domain, 1).len(),
        found.len().min(1)
    );

    let mut states: BTreeMap<&str, StateFigures> = BTreeMap::new();
    for link in &links {
        let state = match (&link.paid, &link.outcome) {
            (Some(_), _) => "paid",
            (None, Outcome::Created(_)) => "created",
            (None, Outcome::Refused(_)) => "refused",
            (None, Outcome::NotSent) => "not-sent",
            (None, Outcome::Unknown) => "unknown",
        };
        states.entry(state).or_default().add(link.request.amount);
    }
    let found = history.state_figures::<LinkRequest>(ALL).unwrap();
    assert_eq!(found.into_iter().collect::<BTreeMap<_, _>>(), states);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn figures_agree_with_a_plain_count(
        random in proptest::collection::vec((random_link(), any::<bool>()), 0..25),
        days in [0..4_i64, 0..5_i64],
    ) {
        check_figures(&random, days);
    }
}

#[test]
fn charges_and_odd_amounts_are_beside_the_links() {
    let (_dir, mut history) = new_history();
    let half = LinkRequest {
        amount: Money::HALF_CENTAVO,
        ..link("Boné", 0)
    };
    for request in [half, link("Boné", 500)] {
        let id = history.begin(&request, Wall(5)).unwrap();
        history.settle::<LinkRequest>(id, &created("7f")).unwrap();
    }
    let id = history.begin(&charge(None), Wall(6)).unwrap();
    let outcome = ChargeOutcome::Created(CreatedCharge::default());
    let paid = history.settle::<ChargeRequest>(id, &outcome).unwrap();
    history
        .mark_paid(&Sale::Charge(paid), Some(Wall(7)))
        .unwrap();
    let links = history.sale_figures::<LinkRequest>(ALL).unwrap();
    assert_eq!((links.made.count, links.inexact), (1, 1));
    let charges = history.sale_figures::<ChargeRequest>(ALL).unwrap();
    assert_eq!((charges.made, charges.unmarked.count), (charges.marked, 0));
    assert_eq!(history.first_sale([Wall(6), Wall(9)]), Ok(Some(Wall(6))));
    let found = groups(&history, GroupText::Description, 9);
    let texts: Vec<_> = found.iter().map(|group| group.text.as_deref()).collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    let by_domain = groups(&history, GroupText::Domain, 9);
    assert!(
        by_domain
            .iter()
            .all(|group| group.charges == SaleFigures::default())
    );
}

#[test]
fn charge_search_sums_created_and_marked() {
    let (_dir, mut history) = new_history();
    for n in 0..3 {
        let id = history.begin(&charge(None), Wall(n)).unwrap();
        let outcome = ChargeOutcome::Created(CreatedCharge::default());
        if n > 0 {
            let made = history.settle::<ChargeRequest>(id, &outcome).unwrap();
            let paid = (n == 2).then_some(Wall(9));
            history.mark_paid(&Sale::Charge(made), paid).unwrap();
        }
    }
    let amount = charge(None).amount;
    let one = LinksTotal {
        count: 1,
        sum: amount,
    };
    let clock = (Wall(10), 0);
    let search = Search::from(charge(None).description.as_str());
    let totals = history
        .totals::<ChargeRequest>(&search, &[], clock)
        .unwrap();
    let expected = SearchTotals {
        paid: one,
        unpaid: one,
    };
    assert_eq!((totals.total, totals.found), (3, Some(expected)));
    assert_eq!(
        history.has_cached_totals::<ChargeRequest>(&search),
        Ok(true)
    );
    let all = history
        .totals::<ChargeRequest>(&"".into(), &[], clock)
        .unwrap();
    assert_eq!((all.total, all.found), (3, None));
}

#[test]
fn figures_read_only_the_rows_of_their_period() {
    let (_dir, history) = new_history();
    for table in ["link", "charge"] {
        let sql = format!("EXPLAIN QUERY PLAN {}", period_sql(table));
        let plan: String = history
            .connection
            .query_row(&sql, [0, 1], |row| row.get(3))
            .unwrap();
        assert!(
            plan.starts_with("SEARCH") && plan.contains("(at>? AND at<?)"),
            "{plan}"
        );
        // Charges have no index with their amounts.
        assert!(table == "charge" || plan.contains("COVERING"), "{plan}");
    }
}
