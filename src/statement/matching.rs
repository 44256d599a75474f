//! Compares the entries of a statement with sales and withdrawals.
//!
//! Only a charge whose identifier is in an entry is certain. Everything else is a proposal, because
//! equal amounts are common.
//!
//! A charge that is already marked as paid is compared too, but only by its identifier: its entry
//! is then not proposed for another sale. If the seller marked it by hand on another day than the
//! entry's, the two contradict each other. A mark without any entry is no contradiction, because
//! the money of a sale may go to another account.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::{Range, RangeInclusive};

use super::Entry;
use crate::trade::Money;

/// The number of days after a sale in which its payment is looked for.
pub const MAX_DAYS: i64 = 30;

/// The number of days after a withdrawal in which it is looked for.
const MAX_PAYOUT_DAYS: i64 = 3;

/// The minimum length of a charge's identifier. A shorter one could be part of any text.
const MIN_REFERENCE_LENGTH: usize = 10;

/// The number of equal sales or entries from which no proposal is made.
const MIN_GROUP: usize = 3;

/// A sale that may have been paid, or a charge that is marked as paid.
#[derive(Debug, Clone, PartialEq)]
pub struct Sale {
    /// The local day on which the link or charge was created.
    pub day: i64,
    /// The amount to pay.
    pub amount: Money,
    /// The identifiers of a charge, as words: the one in its Pix code, and the service's.
    pub references: Vec<String>,
    /// The mark as paid.
    pub mark: Mark,
}

/// The mark of a sale as paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The sale is not marked.
    None,
    /// The seller marked it by hand on this local day.
    ByHand(i64),
    /// It was marked from a statement or by the sandbox.
    NotByHand,
}

/// A withdrawal that was paid or may have been. Its money may arrive in the same bank account.
#[derive(Debug, Clone, PartialEq)]
pub struct Payout {
    /// The local day on which the withdrawal was sent.
    pub day: i64,
    /// The amount that arrives, after the fee; `None` if the fee is not known.
    pub net: Option<Money>,
    /// The service's id of the withdrawal as a word, which some banks repeat.
    pub id: Option<String>,
}

/// A pair of two positions: in the list of sales or payouts, and in the list of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pair {
    /// The position of the sale or the payout.
    pub item: usize,
    /// The position of the entry.
    pub entry: usize,
}

/// Equal sales and entries. Nobody can say which of them belong together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The amount of all of them.
    pub amount: Money,
    /// The positions of the sales.
    pub sales: Vec<usize>,
    /// The positions of the entries.
    pub entries: Vec<usize>,
}

/// The result of a comparison. Each sale, payout and entry occurs at most once.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// The withdrawals with an entry.
    pub payouts: Vec<Pair>,
    /// The charges whose identifier is in an entry with their amount.
    pub certain: Vec<Pair>,
    /// The sales that an entry of the same amount may have paid.
    pub possible: Vec<Pair>,
    /// The amounts for which no proposal is made.
    pub groups: Vec<Group>,
    /// The charges that were marked by hand on another day than that of their entry.
    pub contradictions: Vec<Pair>,
}

/// Compares a statement with sales and withdrawals. An earlier withdrawal takes an entry first.
pub fn compare(entries: &[Entry], sales: &[Sale], payouts: &[Payout]) -> Matches {
    let mut free: BTreeSet<usize> = (0..entries.len())
        .filter(|entry| entries[*entry].amount.is_positive())
        .collect();
    // A payout is also recognised by its amount alone, so it must not take the entry of a charge.
    let by_identifier = find_certain(entries, sales, &mut free);
    let payouts = find_payouts(entries, payouts, &mut free);
    let mut left_out: BTreeSet<usize> = by_identifier.iter().map(|pair| pair.item).collect();
    left_out.extend((0..sales.len()).filter(|sale| sales[*sale].mark != Mark::None));
    let mut matches = Matches {
        payouts,
        ..Matches::default()
    };
    for pair in by_identifier {
        match sales[pair.item].mark {
            Mark::None => matches.certain.push(pair),
            Mark::ByHand(day) if day != entries[pair.entry].day => {
                matches.contradictions.push(pair);
            }
            Mark::ByHand(_) | Mark::NotByHand => {}
        }
    }
    for (amount, (sales, entries)) in by_amount(entries, sales, &free, &left_out) {
        for (sales, entries) in split_by_days(&sales, &entries) {
            let positions = |items: &[Dated]| items.iter().map(|item| item.position).collect();
            if sales.len() >= MIN_GROUP || entries.len() >= MIN_GROUP {
                matches.groups.push(Group {
                    amount,
                    sales: positions(&sales),
                    entries: positions(&entries),
                });
                continue;
            }
            matches.possible.extend(pairs_in_order(&sales, &entries));
        }
    }
    matches
}

/// Finds the money of withdrawals: by the service's id in the text, and then by the amount that
/// arrives.
fn find_payouts(entries: &[Entry], payouts: &[Payout], free: &mut BTreeSet<usize>) -> Vec<Pair> {
    let mut by_word: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut by_amount: HashMap<Money, Vec<usize>> = HashMap::new();
    for entry in free.iter().copied() {
        by_amount
            .entry(entries[entry].amount)
            .or_default()
            .push(entry);
        let long = words(&entries[entry].memo).filter(|word| word.len() >= MIN_REFERENCE_LENGTH);
        for word in long {
            by_word.entry(word).or_default().push(entry);
        }
    }
    let mut found = Vec::new();
    let mut take = |item: usize, candidates: Option<&Vec<usize>>, days: RangeInclusive<i64>| {
        let fits = |entry: &&usize| {
            let passed = entries[**entry].day - payouts[item].day;
            free.contains(entry) && days.contains(&passed)
        };
        let entry = candidates.into_iter().flatten().find(fits).copied();
        if let Some(entry) = entry {
            free.remove(&entry);
            found.push(Pair { item, entry });
        }
        entry.is_some()
    };
    let left: Vec<usize> = (0..payouts.len())
        .filter(|item| {
            let id = payouts[*item].id.as_deref();
            let candidates = id.and_then(|id| by_word.get(id));
            !take(*item, candidates, i64::MIN..=i64::MAX)
        })
        .collect();
    for item in left {
        let candidates = payouts[item].net.and_then(|net| by_amount.get(&net));
        take(item, candidates, 0..=MAX_PAYOUT_DAYS);
    }
    found.sort_unstable();
    found
}

/// Finds the charges with an identifier that is in an entry with their amount and that no other
/// charge has.
fn find_certain(entries: &[Entry], sales: &[Sale], free: &mut BTreeSet<usize>) -> Vec<Pair> {
    let mut by_reference: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (item, sale) in sales.iter().enumerate() {
        let long = |reference: &&String| reference.len() >= MIN_REFERENCE_LENGTH;
        for reference in sale.references.iter().filter(long) {
            by_reference.entry(reference).or_default().push(item);
        }
    }
    let mut found: Vec<Pair> = Vec::new();
    let mut is_found = vec![false; sales.len()];
    for entry in free.iter().copied().collect::<Vec<_>>() {
        let Entry { memo, amount, .. } = &entries[entry];
        let items =
            words(memo).filter_map(|word| match by_reference.get(word).map(Vec::as_slice) {
                Some([item]) if sales[*item].amount == *amount => Some(*item),
                _ => None,
            });
        let items: Vec<usize> = items.collect();
        // A charge that was paid twice has two entries. The second one belongs to no other sale.
        if !items.is_empty() {
            free.remove(&entry);
        }
        if let Some(item) = items.into_iter().find(|item| !is_found[*item]) {
            is_found[item] = true;
            found.push(Pair { item, entry });
        }
    }
    found
}

/// A sale or an entry of one amount.
#[derive(Debug, Clone, Copy)]
struct Dated {
    day: i64,
    position: usize,
}

type SalesAndEntries = (Vec<Dated>, Vec<Dated>);

/// The sales and entries of each amount, in the order of their days.
fn by_amount(
    entries: &[Entry],
    sales: &[Sale],
    free: &BTreeSet<usize>,
    left_out: &BTreeSet<usize>,
) -> BTreeMap<Money, SalesAndEntries> {
    let mut amounts: BTreeMap<Money, SalesAndEntries> = BTreeMap::new();
    for position in free {
        let Entry { day, amount, .. } = entries[*position];
        let entry = Dated {
            day,
            position: *position,
        };
        amounts.entry(amount).or_default().1.push(entry);
    }
    for (position, sale) in sales.iter().enumerate() {
        if left_out.contains(&position) {
            continue;
        }
        if let Some((sales, _)) = amounts.get_mut(&sale.amount) {
            sales.push(Dated {
                day: sale.day,
                position,
            });
        }
    }
    for (sales, entries) in amounts.values_mut() {
        sales.sort_by_key(|sale| (sale.day, sale.position));
        entries.sort_by_key(|entry| (entry.day, entry.position));
    }
    amounts
}

/// True if a sale may have been paid by an entry of this day.
fn is_in_time(sale: Dated, entry: Dated) -> bool {
    (0..=MAX_DAYS).contains(&(entry.day - sale.day))
}

/// Splits the sales and entries of one amount into parts that have nothing to do with each other,
/// because their days are too far apart. Parts without a sale or without an entry are left out.
fn split_by_days(sales: &[Dated], entries: &[Dated]) -> Vec<SalesAndEntries> {
    let mut parts: Vec<(Vec<Dated>, Range<usize>)> = Vec::new();
    for sale in sales {
        let first = entries.partition_point(|entry| entry.day < sale.day);
        let end = entries.partition_point(|entry| entry.day <= sale.day + MAX_DAYS);
        if first == end {
            continue;
        }
        // Both lists are in the order of days, so only the last part can share an entry.
        match parts.last_mut() {
            Some((sales, range)) if range.end > first => {
                sales.push(*sale);
                range.end = end;
            }
            _ => parts.push((vec![*sale], first..end)),
        }
    }
    parts
        .into_iter()
        .map(|(sales, range)| (sales, entries[range].to_vec()))
        .collect()
}

/// Pairs each sale with the first entry that may have paid it.
fn pairs_in_order(sales: &[Dated], entries: &[Dated]) -> Vec<Pair> {
    let mut left = entries.to_vec();
    let mut pairs = Vec::new();
    for sale in sales {
        if let Some(at) = left.iter().position(|entry| is_in_time(*sale, *entry)) {
            pairs.push(Pair {
                item: sale.position,
                entry: left.remove(at).position,
            });
        }
    }
    pairs
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::trade::EntryId;

    fn entry(day: i64, centavos: i64, memo: &str) -> Entry {
        Entry {
            day,
            amount: Money::from_centavos(centavos),
            memo: memo.into(),
            identity: EntryId([0; 16]),
        }
    }

    fn sale(day: i64, centavos: i64) -> Sale {
        Sale {
            day,
            amount: Money::from_centavos(centavos),
            references: vec![],
            mark: Mark::None,
        }
    }

    fn charge(day: i64, centavos: i64, reference: &str) -> Sale {
        Sale {
            references: vec![reference.into()],
            ..sale(day, centavos)
        }
    }

    fn pairs(pairs: &[Pair]) -> Vec<(usize, usize)> {
        pairs.iter().map(|pair| (pair.item, pair.entry)).collect()
    }

    #[test]
    fn identifier_as_a_whole_word_is_certain() {
        let id = "PEDIDO00000017";
        let sales = [
            charge(1, 500, id),
            charge(1, 500, "OUTRO000000018"),
            charge(1, 500, "CURTO1"),
        ];
        for (memo, centavos, expected) in [
            ("PIX RECEBIDO PEDIDO00000017 ANA", 500, vec![(0, 0)]),
            ("PIX-PEDIDO00000017/ANA", 500, vec![(0, 0)]),
            ("PIX XPEDIDO00000017", 500, vec![]),
            ("PIX PEDIDO00000017", 501, vec![]),
            ("PIX PEDIDO00000017", -500, vec![]),
            ("PIX CURTO1", 500, vec![]),
        ] {
            let matches = compare(&[entry(9, centavos, memo)], &sales, &[]);
            assert_eq!(pairs(&matches.certain), expected, "{memo}");
        }
        let twice = [charge(1, 500, id), charge(1, 500, id)];
        let matches = compare(&[entry(9, 500, id)], &twice, &[]);
        assert_eq!(matches.certain, [], "two charges have it");
    }

    #[test]
    fn equal_amount_in_time_is_only_possible() {
        for (days, expected) in [(-1, 0), (0, 1), (30, 1), (31, 0)] {
            let matches = compare(&[entry(100 + days, 500, "PIX")], &[sale(100, 500)], &[]);
            assert_eq!(matches.possible.len(), expected, "{days}");
            assert_eq!((matches.certain, matches.groups), (vec![], vec![]));
        }
        let two = compare(
            &[entry(5, 500, "a"), entry(6, 500, "b"), entry(6, 501, "c")],
            &[sale(6, 500), sale(4, 500)],
            &[],
        );
        assert_eq!(pairs(&two.possible), [(1, 0), (0, 1)], "oldest first");
    }

    #[test]
    fn three_of_an_amount_are_a_group() {
        let entries = [entry(5, 500, "a"), entry(6, 500, "b"), entry(90, 500, "c")];
        let sales = [sale(1, 500), sale(2, 500), sale(3, 500), sale(80, 500)];
        let matches = compare(&entries, &sales, &[]);
        assert_eq!(pairs(&matches.possible), [(3, 2)], "another span");
        let group = &matches.groups[0];
        assert_eq!(
            (&*group.sales, &*group.entries),
            (&[0, 1, 2][..], &[0, 1][..])
        );
    }

    #[test]
    fn payout_takes_no_entry_of_a_charge() {
        let payout = Payout {
            day: 10,
            net: Some(Money::from_centavos(98_850)),
            id: None,
        };
        let entries = [
            entry(10, 98_850, "PIX PEDIDO00000017"),
            entry(10, 98_850, "PIX"),
        ];
        let sales = [charge(9, 98_850, "PEDIDO00000017"), sale(9, 98_850)];
        let matches = compare(&entries, &sales, &[payout]);
        assert_eq!(matches.certain, [Pair { item: 0, entry: 0 }]);
        assert_eq!(matches.payouts, [Pair { item: 0, entry: 1 }]);
        assert_eq!(matches.possible, []);
    }

    #[test]
    fn charge_paid_twice_pays_no_other_sale() {
        let entries = [(); 2].map(|()| entry(10, 500, "PIX PEDIDO00000017"));
        let sales = [charge(9, 500, "PEDIDO00000017"), sale(9, 500)];
        let matches = compare(&entries, &sales, &[]);
        assert_eq!(matches.certain, [Pair { item: 0, entry: 0 }]);
        assert_eq!((matches.possible, matches.groups), (vec![], vec![]));
    }

    #[test]
    fn payout_is_never_proposed_for_a_sale() {
        let payout = |day, id: Option<&str>| Payout {
            day,
            net: Some(Money::from_centavos(98_850)),
            id: id.map(Into::into),
        };
        let e2e = "E1234567820261112";
        for (day, memo, id, expected) in [
            (10, "PIX", None, 1),
            (13, "PIX", None, 1),
            (14, "PIX", None, 0),
            (9, "PIX", None, 0),
            (40, "PIX E1234567820261112", Some(e2e), 1),
            (40, "PIX", Some(e2e), 0),
        ] {
            let sales = [sale(5, 98_850)];
            let matches = compare(&[entry(day, 98_850, memo)], &sales, &[payout(10, id)]);
            assert_eq!(matches.payouts.len(), expected, "{day} {memo}");
            let others = usize::from(expected == 0 && day <= 35);
            assert_eq!(matches.possible.len(), others, "{day} {memo}");
        }
        let unknown_fee = Payout {
            net: None,
            ..payout(10, None)
        };
        let matches = compare(&[entry(10, 98_850, "PIX")], &[], &[unknown_fee]);
        assert_eq!(matches.payouts, []);
    }

    #[test]
    fn only_a_mark_of_another_day_contradicts() {
        let id = "PEDIDO00000017";
        for (mark, expected) in [
            (Mark::ByHand(9), 0),
            (Mark::ByHand(8), 1),
            (Mark::ByHand(10), 1),
            (Mark::NotByHand, 0),
        ] {
            let marked = Sale {
                mark,
                ..charge(1, 500, id)
            };
            let sales = [marked, sale(1, 500)];
            let matches = compare(&[entry(9, 500, id)], &sales, &[]);
            assert_eq!(matches.contradictions.len(), expected, "{mark:?}");
            let proposed = (matches.certain, matches.possible);
            assert_eq!(proposed, (vec![], vec![]), "its entry is of no other sale");
            let without_entry = compare(&[entry(9, 500, "PIX")], &sales, &[]);
            assert_eq!(without_entry.contradictions, []);
            assert_eq!(pairs(&without_entry.possible), [(1, 0)]);
        }
    }

    fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
        let memo = proptest::sample::select(vec!["PIX", "PIX PEDIDO00000017", "OUTRO000000018"]);
        let any = (0_i64..60, -3_i64..3, memo)
            .prop_map(|(day, reais, memo)| entry(day, reais * 100, memo));
        proptest::collection::vec(any, 0..12)
    }

    fn any_sales() -> impl Strategy<Value = Vec<Sale>> {
        let id = proptest::sample::select(vec!["", "PEDIDO00000017", "OUTRO000000018"]);
        let mark = proptest::sample::select(vec![Mark::None, Mark::ByHand(7), Mark::NotByHand]);
        let any = (0_i64..60, 1_i64..3, id, mark).prop_map(|(day, reais, id, mark)| Sale {
            mark,
            ..charge(day, reais * 100, id)
        });
        proptest::collection::vec(any, 0..12)
    }

    proptest! {
        #[test]
        fn nothing_is_used_twice_and_none_is_outgoing(
            entries in any_entries(),
            sales in any_sales(),
            payouts in proptest::collection::vec((0_i64..60, 1_i64..3), 0..4),
        ) {
            let payouts: Vec<_> = payouts
                .into_iter()
                .map(|(day, reais)| Payout {
                    day,
                    net: Some(Money::from_centavos(reais * 100)),
                    id: None,
                })
                .collect();
            let matches = compare(&entries, &sales, &payouts);
            let sale_pairs = || matches.certain.iter().chain(&matches.possible);
            prop_assert!(sale_pairs().all(|pair| sales[pair.item].mark == Mark::None));
            let in_groups = || matches.groups.iter().flat_map(|group| &group.entries);
            let in_pairs = matches.payouts.iter().chain(sale_pairs()).map(|pair| pair.entry);
            let used: Vec<usize> = in_pairs.chain(in_groups().copied()).collect();
            let distinct: BTreeSet<_> = used.iter().collect();
            prop_assert_eq!(distinct.len(), used.len());
            prop_assert!(used.iter().all(|entry| entries[*entry].amount.is_positive()));
            let grouped = matches.groups.iter().flat_map(|group| group.sales.clone());
            let sold: Vec<usize> = sale_pairs().map(|pair| pair.item).chain(grouped).collect();
            let distinct: BTreeSet<_> = sold.iter().collect();
            prop_assert_eq!(distinct.len(), sold.len());
            for pair in sale_pairs() {
                prop_assert_eq!(entries[pair.entry].amount, sales[pair.item].amount);
            }
            for pair in &matches.possible {
                let days = entries[pair.entry].day - sales[pair.item].day;
                prop_assert!((0..=MAX_DAYS).contains(&days));
            }
        }
    }
}
