//! Compares the entries of a statement with sales and withdrawals.
//!
//! Only a charge whose identifier is in an entry is certain. Everything else is a proposal, because
//! equal amounts are common.

use std::collections::{BTreeMap, BTreeSet};

use super::Entry;
use crate::trade::Money;

/// The number of days after a sale in which its payment is looked for.
const MAX_DAYS: i64 = 30;

/// The number of days after a withdrawal in which it is looked for.
const MAX_PAYOUT_DAYS: i64 = 3;

/// The minimum length of a charge's identifier. A shorter one could be part of any text.
const MIN_REFERENCE_LENGTH: usize = 10;

/// The number of equal sales or entries from which no proposal is made.
const MIN_GROUP: usize = 3;

/// A sale that may have been paid.
#[derive(Debug, Clone, PartialEq)]
pub struct Sale {
    /// The local day on which the link or charge was created.
    pub day: i64,
    /// The amount to pay.
    pub amount: Money,
    /// The identifier in the Pix code of a charge.
    pub reference: Option<String>,
}

/// An accepted withdrawal, whose money may arrive in the same bank account.
#[derive(Debug, Clone, PartialEq)]
pub struct Payout {
    /// The local day on which the withdrawal was sent.
    pub day: i64,
    /// The amount that arrives, after the fee; `None` if the fee is not known.
    pub net: Option<Money>,
    /// The service's id of the withdrawal, which some banks repeat.
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
    /// The withdrawals whose money arrived.
    pub payouts: Vec<Pair>,
    /// The charges whose identifier is in an entry with their amount.
    pub certain: Vec<Pair>,
    /// The sales that an entry of the same amount may have paid.
    pub possible: Vec<Pair>,
    /// The amounts for which no proposal is made.
    pub groups: Vec<Group>,
}

/// Compares a statement with the sales that are not known to be paid, and with the accepted
/// withdrawals.
pub fn compare(entries: &[Entry], sales: &[Sale], payouts: &[Payout]) -> Matches {
    let mut free: BTreeSet<usize> = (0..entries.len())
        .filter(|entry| entries[*entry].amount.is_positive())
        .collect();
    let payouts = find_payouts(entries, payouts, &mut free);
    let certain = find_certain(entries, sales, &mut free);
    let mut matches = Matches {
        payouts,
        certain,
        ..Matches::default()
    };
    let is_certain: BTreeSet<usize> = matches.certain.iter().map(|pair| pair.item).collect();
    for (amount, (sales, entries)) in by_amount(entries, sales, &free, &is_certain) {
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

/// Finds the money of withdrawals: by the service's id in the text, or by the amount that arrives.
fn find_payouts(entries: &[Entry], payouts: &[Payout], free: &mut BTreeSet<usize>) -> Vec<Pair> {
    let mut found = Vec::new();
    for (item, payout) in payouts.iter().enumerate() {
        let is_payout = |entry: &&usize| {
            let entry = &entries[**entry];
            let id = payout.id.as_deref();
            if id.is_some_and(|id| has_word(&entry.memo, id)) {
                return true;
            }
            let days = entry.day - payout.day;
            payout.net == Some(entry.amount) && (0..=MAX_PAYOUT_DAYS).contains(&days)
        };
        let entry = free.iter().find(is_payout).copied();
        if let Some(entry) = entry {
            free.remove(&entry);
            found.push(Pair { item, entry });
        }
    }
    found
}

/// Finds the charges whose identifier is in exactly one entry with their amount.
fn find_certain(entries: &[Entry], sales: &[Sale], free: &mut BTreeSet<usize>) -> Vec<Pair> {
    let mut by_reference: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (item, sale) in sales.iter().enumerate() {
        let reference = sale.reference.as_deref();
        if let Some(reference) = reference.filter(|text| text.len() >= MIN_REFERENCE_LENGTH) {
            by_reference.entry(reference).or_default().push(item);
        }
    }
    let mut found: Vec<Pair> = Vec::new();
    for entry in free.iter().copied().collect::<Vec<_>>() {
        let Entry { memo, amount, .. } = &entries[entry];
        let mut items =
            words(memo).filter_map(|word| match by_reference.get(word).map(Vec::as_slice) {
                Some([item]) if sales[*item].amount == *amount => Some(*item),
                _ => None,
            });
        let is_new = |item: &usize| found.iter().all(|pair| pair.item != *item);
        if let Some(item) = items.find(is_new) {
            free.remove(&entry);
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
    is_certain: &BTreeSet<usize>,
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
        if is_certain.contains(&position) {
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
    let mut parts: Vec<SalesAndEntries> = Vec::new();
    for sale in sales {
        let own: Vec<_> = entries
            .iter()
            .copied()
            .filter(|entry| is_in_time(*sale, *entry))
            .collect();
        let Some(first) = own.first() else { continue };
        // Both lists are in the order of days, so only the last part can share an entry.
        match parts.last_mut() {
            Some((sales, entries)) if entries.last().is_some_and(|last| last.day >= first.day) => {
                let last = entries.last().map(|last| (last.day, last.position));
                sales.push(*sale);
                let new = own
                    .iter()
                    .filter(|entry| Some((entry.day, entry.position)) > last);
                entries.extend(new.copied().collect::<Vec<_>>());
            }
            _ => parts.push((vec![*sale], own)),
        }
    }
    parts
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

/// True if the text has this word. Words contain only letters and digits.
fn has_word(text: &str, word: &str) -> bool {
    word.len() >= MIN_REFERENCE_LENGTH && words(text).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::statement::EntryId;

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
            reference: None,
        }
    }

    fn charge(day: i64, centavos: i64, reference: &str) -> Sale {
        Sale {
            reference: Some(reference.into()),
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

    fn any_entries() -> impl Strategy<Value = Vec<Entry>> {
        let memo = proptest::sample::select(vec!["PIX", "PIX PEDIDO00000017", "OUTRO000000018"]);
        let any = (0_i64..60, -3_i64..3, memo)
            .prop_map(|(day, reais, memo)| entry(day, reais * 100, memo));
        proptest::collection::vec(any, 0..12)
    }

    fn any_sales() -> impl Strategy<Value = Vec<Sale>> {
        let id = proptest::sample::select(vec!["", "PEDIDO00000017", "OUTRO000000018"]);
        let any =
            (0_i64..60, 1_i64..3, id).prop_map(|(day, reais, id)| charge(day, reais * 100, id));
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
