//! Tests of put-away links and of the seller's notes.

use super::*;

const DAY_MS: i64 = 86_400_000;

fn created_link(history: &mut History, description: &str, at: Wall) -> PaymentLink {
    let id = history.begin(&link(description, 4_990), at).unwrap();
    history.settle(id, &created(description)).unwrap()
}

fn put_away_search(text: &str) -> Search {
    Search {
        filter: LinkFilter {
            put_away: true,
            ..LinkFilter::default()
        },
        ..Search::from(text)
    }
}

/// The ids and the number of the rows that a search finds.
fn found(history: &mut History, search: &Search) -> (Vec<i64>, u64) {
    let page = history.sales::<LinkRequest>(search.clone(), PagePosition::Top, 9);
    let ids = page.unwrap().rows.iter().map(|link| link.id.0).collect();
    let totals = history.totals::<LinkRequest>(search, &[], (Wall(0), 0));
    (ids, totals.unwrap().total)
}

#[test]
fn put_away_link_is_in_no_list_and_no_total() {
    let (_dir, mut history) = new_history();
    let old = created_link(&mut history, "Camiseta", Wall(5));
    created_link(&mut history, "Boné", Wall(6));
    let away = history.put_away(&old, Some(Wall(9))).unwrap();
    assert_eq!(away.put_away, Some(Wall(9)));
    assert_eq!(found(&mut history, &Search::default()), (vec![2], 1));
    assert_eq!(found(&mut history, &"camiseta".into()), (vec![], 0));
    assert_eq!(found(&mut history, &put_away_search("")), (vec![1], 1));
    assert_eq!(found(&mut history, &put_away_search("bone")), (vec![], 0));
    let sums = search_totals(&mut history, &put_away_search("cam")).unwrap();
    assert_eq!((sums.unpaid.count, sums.paid.count), (1, 0));
    let day = [[Wall(0), Wall(DAY_MS)]];
    let totals = history.totals::<LinkRequest>(&Search::default(), &day, (Wall(7), 0));
    let totals = totals.unwrap();
    assert_eq!(totals.days[0].count, 1);
    assert_eq!(totals.days[0].sum, Money::from_centavos(4_990));
    assert_eq!(totals.figures.unwrap().on_month.unpaid.count, 1);
    // Exports still have it.
    let all: Vec<_> = history.all::<LinkRequest>().map(Result::unwrap).collect();
    assert_eq!(all[1], away);
    assert_eq!(history.put_away(&away, None).unwrap(), old);
    assert_eq!(found(&mut history, &Search::default()), (vec![2, 1], 2));
}

#[test]
fn payment_brings_a_put_away_link_back() {
    let (_dir, mut history) = new_history();
    let link = created_link(&mut history, "Camiseta", Wall(5));
    let away = history.put_away(&link, Some(Wall(9))).unwrap();
    let Sale::Link(marked) = mark(&mut history, &away, Some(Wall(10))).unwrap() else {
        panic!("a link was marked");
    };
    assert_eq!(marked.put_away, None);
    assert_eq!(found(&mut history, &Search::default()), (vec![1], 1));
    // Removing a mark does not bring it back.
    let away = history.put_away(&marked, Some(Wall(11))).unwrap();
    let Sale::Link(unmarked) = mark(&mut history, &away, None).unwrap() else {
        panic!("a link was unmarked");
    };
    assert_eq!(unmarked.put_away, Some(Wall(11)));
    assert_eq!(found(&mut history, &put_away_search("")), (vec![1], 1));
    let origin = link.request.account.origin.clone();
    let urls = [link.url().unwrap().clone()];
    let recorded = history.record_sandbox_payments(&origin, &urls, Wall(12));
    recorded.unwrap();
    assert_eq!(found(&mut history, &Search::default()), (vec![1], 1));
}

#[test]
fn link_that_may_not_exist_is_not_put_away() {
    let (_dir, mut history) = new_history();
    history.begin(&link("Camiseta", 1), Wall(5)).unwrap();
    let unknown = history.all::<LinkRequest>().next().unwrap().unwrap();
    assert!(history.put_away(&unknown, Some(Wall(9))).is_err());
    let gone = PaymentLink {
        at: Wall(6),
        ..created_link(&mut history, "Boné", Wall(5))
    };
    assert!(history.put_away(&gone, Some(Wall(9))).is_err());
    assert_eq!(found(&mut history, &Search::default()), (vec![2, 1], 2));
}

#[test]
fn history_of_put_away_links_is_not_empty() {
    let (_dir, mut history) = new_history();
    let link = created_link(&mut history, "Camiseta", Wall(5));
    history.put_away(&link, Some(Wall(9))).unwrap();
    assert!(!history.is_empty().unwrap());
    history.seed(std::slice::from_ref(&link), &[]).unwrap();
    assert_eq!(found(&mut history, &Search::default()), (vec![], 0));
}

#[test]
fn note_is_searched_until_it_is_removed() {
    let (_dir, mut history) = new_history();
    let request = link("Camiseta", 4_990);
    let id = history.begin(&request, Wall(5)).unwrap();
    let begun = history.all::<LinkRequest>().next().unwrap().unwrap();
    let noted = history.set_note(&begun, Some("Ana, retirada sexta"));
    assert_eq!(noted.unwrap().note.as_deref(), Some("Ana, retirada sexta"));
    assert_eq!(find_ids(&mut history, "retirada"), [1]);
    // The outcome changes the searchable text too.
    let settled = history.settle::<LinkRequest>(id, &created("7f")).unwrap();
    assert_eq!(settled.note.as_deref(), Some("Ana, retirada sexta"));
    assert_eq!(find_ids(&mut history, "retirada link-7f"), [1]);
    assert_eq!(history.set_note(&settled, None).unwrap().note, None);
    assert!(find_ids(&mut history, "retirada").is_empty());
    assert_eq!(find_ids(&mut history, "camiseta link-7f"), [1]);
    let gone = PaymentLink {
        at: Wall(6),
        ..settled
    };
    assert!(history.set_note(&gone, Some("x")).is_err());
}

#[test]
fn purged_note_is_not_in_the_file() {
    let (dir, mut history) = new_history();
    let link = created_link(&mut history, "Camiseta", Wall(5));
    history.set_note(&link, Some("retirada sexta")).unwrap();
    assert_eq!(history.prune(Wall(6)).unwrap(), 1);
    assert!(history.overwrite_deleted().unwrap());
    for file in fs::read_dir(dir.path()).unwrap() {
        let bytes = fs::read(file.unwrap().path()).unwrap();
        let has = |text: &[u8]| bytes.windows(text.len()).any(|part| part == text);
        assert!(!has(b"retirada"));
    }
}

#[test]
fn earlier_links_of_an_account_most_frequent_first() {
    let (_dir, mut history) = new_history();
    for (description, centavos) in [("Boné", 4_990), ("Camiseta", 7_000), ("Boné", 5_990)] {
        let id = history.begin(&link(description, centavos), Wall(centavos));
        let settled = history.settle::<LinkRequest>(id.unwrap(), &created("7f"));
        settled.unwrap();
    }
    // Links that are not created, put away or of another account are not offered.
    history.begin(&link("Vaso", 1), Wall(5)).unwrap();
    let away = created_link(&mut history, "Ímã", Wall(6));
    history.put_away(&away, Some(Wall(9))).unwrap();
    let of_bia = LinkRequest {
        account: account("bia"),
        ..link("Colar", 1)
    };
    let id = history.begin(&of_bia, Wall(7)).unwrap();
    history.settle::<LinkRequest>(id, &created("8")).unwrap();
    let known = |description: &str, centavos, count| KnownLink {
        description: description.into(),
        amount: Money::from_centavos(centavos),
        count,
        last: Wall(centavos),
    };
    let expected = [known("Boné", 5_990, 2), known("Camiseta", 7_000, 1)];
    assert_eq!(history.known_links(&account("ana")).unwrap(), expected);
}
