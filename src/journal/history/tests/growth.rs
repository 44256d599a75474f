//! Tests with long lists. They measure the cost of loading a page, compare search results with a
//! plain scan of all rows, and check the cached totals.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;

use super::*;
use crate::journal::history::search_filter::SearchFilter;
use crate::journal::history::{marks, table};
use crate::trade::search::Reading;
use crate::trade::search::{AmountBound, AmountRange, Period, searchable};
use crate::trade::{ListPage, SaleAuthors, Search};

const DAY_MS: i64 = 86_400_000;
/// The first day of the rows in these tests (2026-03-01), in days since 1970-01-01.
pub(super) const FIRST_DAY: i64 = 20_513;

/// Words for random descriptions. Some have accents, and some are as short as one or two letters.
const WORDS: [&str; 12] = [
    "Camiseta", "AZUL", "Boné", "açúcar", "pó", "X", "kit", "número", "camisola", "Ação", "zq",
    "12",
];

/// Random values from which a test creates a payment link. Some are indexes into [`WORDS`].
#[derive(Debug, Clone)]
pub(super) struct RandomLink {
    words: Vec<usize>,
    day: i64,
    outcome: u8,
    host: u8,
    paid: Option<PaidSource>,
    is_put_away: bool,
}

pub(super) fn random_link() -> impl Strategy<Value = RandomLink> {
    let words = proptest::collection::vec(0..WORDS.len(), 1..4);
    let paid =
        proptest::sample::select(&[None, Some(PaidSource::Seller), Some(PaidSource::Sandbox)]);
    let values = (words, 0..4_i64, 0..5_u8, 0..3_u8, paid, any::<bool>());
    values.prop_map(
        |(words, day, outcome, host, paid, is_put_away)| RandomLink {
            words,
            day,
            outcome,
            host,
            paid,
            is_put_away,
        },
    )
}

pub(super) fn insert_link(history: &mut History, random_link: &RandomLink) -> PaymentLink {
    let words: Vec<_> = random_link.words.iter().map(|n| WORDS[*n]).collect();
    let domain = [None, Some("a.example"), Some("B.example")][usize::from(random_link.host)];
    let request = LinkRequest {
        domain: domain.map(Untrusted::from),
        ..link(&words.join(" "), 100 + random_link.day)
    };
    let at = Wall((FIRST_DAY + random_link.day) * DAY_MS + 5_000);
    let refusal = Refusal {
        status: 422,
        message: None,
        hint: None,
        retry_after: None,
    };
    let outcome = match random_link.outcome {
        0 => LinkOutcome::Unknown,
        1 => LinkOutcome::NotSent,
        2 => LinkOutcome::Refused(refusal),
        _ => created("7f"),
    };
    let id = history.begin(&request, at).unwrap();
    let mut link = history.settle::<LinkRequest>(id, &outcome).unwrap();
    if random_link.is_put_away && link.url().is_some() {
        link = history.put_away(&link, Some(Wall(8))).unwrap();
    }
    match random_link.paid.filter(|_| link.url().is_some()) {
        Some(source) => {
            let paid = Paid {
                at: Wall(9),
                source,
            };
            let record = "UPDATE link SET paid_at = ?, sandbox_paid = ? WHERE id = ?";
            let is_sandbox = source == PaidSource::Sandbox;
            history
                .connection
                .execute(record, (paid.at.0, is_sandbox, id.0))
                .unwrap();
            PaymentLink {
                paid: Some(paid),
                ..link
            }
        }
        None => link,
    }
}

/// Random values from which a test creates a search.
#[derive(Debug, Clone)]
struct RandomSearch {
    texts: Vec<&'static str>,
    label: Option<RowLabel>,
    moments: Option<&'static str>,
    paid: Option<bool>,
    put_away: bool,
    day: Option<i64>,
    host: Option<&'static str>,
    period: Option<(i64, i64)>,
    amounts: [Option<(i64, bool)>; 2],
}

fn random_search() -> impl Strategy<Value = RandomSearch> {
    // "7f" is included because the searchable text of every created link ends with it.
    const TEXTS: [&str; 13] = [
        "c",
        "ca",
        "cam",
        "camis",
        "AÇÚ",
        "po",
        "x",
        "zq",
        "12",
        "7f",
        "boné azul",
        "mero",
        "nada",
    ];
    const LABELS: [RowLabel; 6] = [
        RowLabel::Created,
        RowLabel::MayExist,
        RowLabel::Refused,
        RowLabel::NotSent,
        RowLabel::MarkedPaid,
        RowLabel::SandboxPaid,
    ];
    let texts = proptest::collection::vec(proptest::sample::select(&TEXTS[..]), 0..3);
    let label = proptest::option::weighted(0.2, proptest::sample::select(&LABELS[..]));
    let moments = ["02/03", "/03/2026", "00:0", "/2026 ", "31/12"];
    let moments = proptest::option::weighted(0.2, proptest::sample::select(moments.to_vec()));
    let day = proptest::option::weighted(0.2, FIRST_DAY..FIRST_DAY + 5);
    let hosts = vec!["", "A.example", "b.example", "loja.example"];
    let host = proptest::option::weighted(0.3, proptest::sample::select(hosts));
    let paid = proptest::option::weighted(0.3, any::<bool>());
    let period = (FIRST_DAY..FIRST_DAY + 5, 0..3_i64);
    let period = proptest::option::weighted(0.4, period);
    let bound = proptest::option::weighted(0.3, (99..105_i64, any::<bool>()));
    let put_away = proptest::bool::weighted(0.3);
    let filters = (paid, put_away, day, host, period, [bound.clone(), bound]);
    (texts, label, moments, filters).prop_map(|(texts, label, moments, filters)| {
        let (paid, put_away, day, host, period, amounts) = filters;
        RandomSearch {
            texts,
            label,
            moments,
            paid,
            put_away,
            day,
            host,
            period,
            amounts,
        }
    })
}

impl RandomSearch {
    fn search(&self) -> Search {
        let domain = self.host.map(|host| match host {
            "" => DomainChoice::Automatic,
            host => DomainChoice::Named(host.into()),
        });
        let filter = LinkFilter {
            paid: self.paid,
            day: self.day,
            domain,
            put_away: self.put_away,
            newest_batch: None,
        };
        let period = self.period.map(|(first, more)| Period {
            first,
            last: first + more,
        });
        let [min, max] = self.amounts.map(|bound| {
            let (centavos, is_included) = bound?;
            Some(AmountBound {
                amount: Money::from_centavos(centavos),
                is_included,
            })
        });
        let mut search = Search {
            filter,
            reading: Reading {
                period,
                amounts: AmountRange { min, max },
            },
            ..Search::from(self.texts.join(" ").as_str())
        };
        if self.label.is_some() || self.moments.is_some() {
            let moments = self.moments.map(|text| TimeMatch::Contains(text.into()));
            search.terms.push(Term {
                text: "seda".into(),
                labels: self.label.into_iter().collect(),
                moments: moments.into_iter().collect(),
                ..Term::default()
            });
        }
        search
    }

    /// True if the search should find this payment link. This reference implementation compares the
    /// values directly and does not use the database.
    fn finds(&self, link: &PaymentLink) -> bool {
        let request = &link.request;
        let amount_text = request.amount.to_string();
        let url = link.url().map(Untrusted::raw).unwrap_or_default();
        let domain = request
            .domain
            .as_ref()
            .map(Untrusted::raw)
            .unwrap_or_default();
        let text = format!(
            "{} {amount_text} {} {} {domain} {url}",
            request.description,
            amount_text.replace('.', ""),
            request.amount.wire()
        );
        let text = searchable(&text);
        let has = |word: &str| text.contains(&searchable(word));
        let label = match &link.outcome {
            LinkOutcome::Unknown => Some(RowLabel::MayExist),
            LinkOutcome::NotSent => Some(RowLabel::NotSent),
            LinkOutcome::Refused(_) => Some(RowLabel::Refused),
            LinkOutcome::Created(_) => domain.is_empty().then_some(RowLabel::Created),
        };
        let has_label = |searched: RowLabel| {
            let paid = link.paid.map(|paid| match paid.source {
                PaidSource::Seller | PaidSource::Statement(_) => RowLabel::MarkedPaid,
                PaidSource::Sandbox => RowLabel::SandboxPaid,
            });
            label == Some(searched) || paid == Some(searched)
        };
        let local_time = link
            .at
            .local(0)
            .unwrap()
            .strftime("%d/%m/%Y %H:%M")
            .to_string();
        let matches_label_or_time = self.label.is_some_and(has_label)
            || self.moments.is_some_and(|part| local_time.contains(part));
        let host = request.host(&link.outcome).unwrap_or_default();
        self.texts.iter().flat_map(|text| text.split(' ')).all(has)
            && (self.label.is_none() && self.moments.is_none()
                || has("seda")
                || matches_label_or_time)
            && self
                .paid
                .is_none_or(|paid| link.url().is_some() && link.paid.is_some() == paid)
            && link.put_away.is_some() == self.put_away
            && self.day.is_none_or(|day| link.at.local_day(0) == day)
            && self
                .period
                .is_none_or(|(first, more)| (first..=first + more).contains(&link.at.local_day(0)))
            && self.has_amount(request.amount.centavos().unwrap())
            && self.host.is_none_or(|name| host == name.to_lowercase())
    }
}

impl RandomSearch {
    fn has_amount(&self, centavos: i64) -> bool {
        let [min, max] = self.amounts;
        let is_above =
            min.is_none_or(|(min, is_included)| min < centavos || is_included && min == centavos);
        let is_below =
            max.is_none_or(|(max, is_included)| centavos < max || is_included && max == centavos);
        is_above && is_below
    }
}

/// Reads all pages of a search from the top, and then again from the end. Returns the ids of both
/// passes.
fn read_all_pages(history: &mut History, search: &Search, n: u64) -> [Vec<i64>; 2] {
    let ids = |page: &ListPage<PaymentLink>| -> Vec<i64> {
        page.rows.iter().map(|link| link.id.0).collect()
    };
    let mut down = vec![];
    let mut page = history
        .sales::<LinkRequest>(search.clone(), PagePosition::Top, n)
        .unwrap();
    loop {
        down.extend(ids(&page));
        let Some(last) = page.rows.last().filter(|_| page.rows.len() as u64 == n) else {
            break;
        };
        let place = page.first + n - 1;
        let below = PagePosition::Near {
            id: last.id,
            position: place,
            first: place + 1,
        };
        let next = history
            .sales::<LinkRequest>(search.clone(), below, n)
            .unwrap();
        // The last row was reached, because the database returned the first page again.
        if next.first != place + 1 {
            break;
        }
        page = next;
    }
    let mut page = history
        .sales::<LinkRequest>(search.clone(), PagePosition::End, n)
        .unwrap();
    assert_eq!(page.first + page.rows.len() as u64, page.total.unwrap());
    let mut up = ids(&page);
    while page.first > 0 {
        let id = page.rows[0].id;
        let place = page.first;
        let first = place.saturating_sub(n);
        let above = history
            .sales::<LinkRequest>(
                search.clone(),
                PagePosition::Near {
                    id,
                    position: place,
                    first,
                },
                n,
            )
            .unwrap();
        let new = usize::try_from(place - above.first).unwrap();
        up.splice(0..0, ids(&above)[..new].to_vec());
        page = above;
    }
    [down, up]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn search_finds_the_same_rows_as_a_full_scan(
        rows in proptest::collection::vec(random_link(), 0..40),
        searches in proptest::collection::vec(random_search(), 12),
        pruned_days in 0..3_i64,
        n in 1..8_u64,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut history = open(dir.path());
        let mut links: Vec<_> = rows.iter().map(|row| insert_link(&mut history, row)).collect();
        if pruned_days > 0 {
            let before = Wall((FIRST_DAY + pruned_days) * DAY_MS);
            history.prune(before).unwrap();
            links.retain(|link| link.at >= before);
        }
        links.reverse();
        for random_search in &searches {
            let search = random_search.search();
            let found: Vec<&PaymentLink> =
                links.iter().filter(|link| random_search.finds(link)).collect();
            let ids: Vec<i64> = found.iter().map(|link| link.id.0).collect();
            let [down, up] = read_all_pages(&mut history, &search, n);
            prop_assert_eq!(&down, &ids, "{:?}", random_search);
            prop_assert_eq!(&up, &ids, "{:?}", random_search);
            let totals = history.totals::<LinkRequest>(&search, &[], (Wall(0), 0)).unwrap();
            prop_assert_eq!(totals.total, ids.len() as u64);
            let mut sums = SearchTotals::ZERO;
            for link in found.iter().filter(|link| link.url().is_some()) {
                let total = LinksTotal { count: 1, sum: link.request.amount };
                sums.add(link.paid.is_some(), total).unwrap();
            }
            prop_assert_eq!(totals.found, search.is_narrowed().then_some(sums));
        }
    }
}

fn plan(connection: &Connection, sql: &str) -> String {
    let mut plan = connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let count = plan.parameter_count();
    let values = vec![rusqlite::types::Value::Integer(1); count];
    let rows = plan.query_map(rusqlite::params_from_iter(values), |row| {
        row.get::<_, String>(3)
    });
    rows.unwrap()
        .map(Result::unwrap)
        .collect::<Vec<_>>()
        .join("\n")
}

fn search_with(filter: LinkFilter, text: &str) -> Search {
    Search {
        filter,
        ..Search::from(text)
    }
}

fn searches() -> Vec<Search> {
    let paid = |paid| LinkFilter {
        paid: Some(paid),
        ..LinkFilter::default()
    };
    let day = LinkFilter {
        day: Some(FIRST_DAY),
        ..LinkFilter::default()
    };
    let host = Some(DomainChoice::Named("a.example".into()));
    let on_host = LinkFilter {
        domain: host,
        ..LinkFilter::default()
    };
    let by_labels = term(
        vec![
            RowLabel::Refused,
            RowLabel::MarkedPaid,
            RowLabel::SandboxPaid,
        ],
        vec![],
    );
    let by_sandbox_label = Term {
        text: "cartão".into(),
        ..term(vec![RowLabel::SandboxPaid], vec![])
    };
    let mut searches: Vec<Search> = ["", "c", "ca", "cam", "camiseta azul", "cam p", "zq"]
        .map(Search::from)
        .into();
    searches
        .extend([paid(true), paid(false), on_host.clone()].map(|filter| search_with(filter, "")));
    searches.extend([search_with(paid(true), "cam"), search_with(on_host, "ca")]);
    searches.extend(["", "c", "cam"].map(|text| {
        let put_away = LinkFilter {
            put_away: true,
            ..paid(false)
        };
        search_with(put_away, text)
    }));
    searches.extend(["", "c", "cam"].map(|text| search_with(day.clone(), text)));
    for reading in readings() {
        searches.extend(["", "c", "cam"].map(|text| Search {
            reading,
            ..search_with(LinkFilter::default(), text)
        }));
        searches.push(Search {
            reading,
            ..search_with(paid(false), "")
        });
    }
    for term in [by_labels, by_sandbox_label] {
        searches.push(Search {
            terms: vec![term],
            ..Search::default()
        });
    }
    searches
}

#[test]
fn page_is_read_in_order_and_never_sorted() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let file = Connection::open(dir.path().join("history.db")).unwrap();
    let links = searches().into_iter().map(|search| {
        let filter = SearchFilter::of::<LinkRequest>(&file, &search).unwrap();
        ("link", filter.page_queries)
    });
    let labels = [
        RowLabel::MarkedPaid,
        RowLabel::Expired(Wall(1)),
        RowLabel::NotSaved(RowId(1)),
    ];
    let search = Search {
        terms: vec![term(labels.into(), vec![])],
        ..Search::default()
    };
    let filter = SearchFilter::of::<ChargeRequest>(&file, &search).unwrap();
    for (table, queries) in links.chain([("charge", filter.page_queries)]) {
        for (comparison, order) in [("<", "DESC"), (">", "ASC")] {
            for query in &queries {
                let sql = query.rows(table, comparison, order);
                let plan = plan(&file, &sql);
                assert!(
                    !plan.contains("TEMP B-TREE") && !sql.contains("OFFSET"),
                    "{sql}\n{plan}"
                );
            }
        }
    }
    // A period is read between two ids, and amounts in an index.
    let [period, amounts, both] = readings().map(|reading| {
        let search = Search {
            reading,
            ..Search::default()
        };
        let filter = SearchFilter::of::<LinkRequest>(&file, &search).unwrap();
        let queries = filter.page_queries.iter();
        let plans = queries.map(|query| plan(&file, &query.rows("link", "<", "DESC")));
        plans.collect::<Vec<_>>().join("\n")
    });
    let by_id = "SEARCH l USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)";
    assert_eq!(period, by_id);
    for (plans, ids) in [(amounts, "<?"), (both, ">? AND id<?")] {
        let by_totals = format!("SEARCH l USING INDEX link_totals (id{ids})");
        assert!(plans.starts_with(&by_totals), "{plans}");
        assert_eq!(
            plans.matches("link_by_label (label=?").count(),
            3,
            "{plans}"
        );
    }
}

/// A period, a range of amounts, and both.
fn readings() -> [Reading; 3] {
    let period = Reading {
        period: Some(Period {
            first: FIRST_DAY,
            last: FIRST_DAY + 29,
        }),
        ..Reading::default()
    };
    let bound = Some(AmountBound {
        amount: Money::from_centavos(1_000),
        is_included: false,
    });
    let amounts = AmountRange {
        min: bound,
        max: None,
    };
    let only_amounts = Reading {
        amounts,
        ..Reading::default()
    };
    [period, only_amounts, Reading { amounts, ..period }]
}

#[test]
fn totals_are_added_up_without_reading_a_row() {
    let dir = tempfile::tempdir().unwrap();
    drop(open(dir.path()));
    let file = Connection::open(dir.path().join("history.db")).unwrap();
    let filter = |search: &Search| SearchFilter::of::<LinkRequest>(&file, search).unwrap();
    let host = DomainChoice::Named("a.example".into());
    let filters = [
        LinkFilter {
            put_away: true,
            ..LinkFilter::default()
        },
        LinkFilter {
            put_away: true,
            paid: Some(false),
            day: Some(FIRST_DAY),
            domain: Some(host.clone()),
            newest_batch: None,
        },
        LinkFilter {
            paid: Some(true),
            ..LinkFilter::default()
        },
        LinkFilter {
            paid: Some(false),
            ..LinkFilter::default()
        },
        LinkFilter {
            day: Some(FIRST_DAY),
            ..LinkFilter::default()
        },
        LinkFilter {
            domain: Some(host),
            ..LinkFilter::default()
        },
    ];
    let mut searches: Vec<_> = filters.map(|filter| search_with(filter, "")).into();
    searches.push(Search {
        reading: readings()[0],
        ..Search::default()
    });
    searches.extend(["cam", "camiseta azul"].map(Search::from));
    for search in &searches {
        let sums = plan(&file, &filter(search).sums::<LinkRequest>());
        assert!(sums.contains("COVERING INDEX link_"), "{search:?}\n{sums}");
        let count = plan(&file, &filter(search).count("link"));
        for step in sums.lines().chain(count.lines()) {
            let reads_links = step.contains(" l ") || step.contains(" link ");
            let is_covered = step.contains("COVERING INDEX link_") || !reads_links;
            assert!(is_covered, "{search:?}\n{step}");
        }
    }
    let marking_plan = plan(&file, marks::MARKING_ACCOUNTS);
    for index in ["link_by_mark", "link_by_sandbox"] {
        let scan = format!("SCAN link USING INDEX {index}");
        assert!(marking_plan.contains(&scan), "{marking_plan}");
    }
    for sql in [marks::RECENT_TOTALS, marks::DAY_TOTAL] {
        let plan = plan(&file, sql);
        for step in [
            "SEARCH link USING COVERING INDEX link_time_totals",
            "SCAN link USING COVERING INDEX link_put_away",
        ] {
            assert!(plan.contains(step), "{plan}");
        }
    }
}

/// Creates a history of `n` payment links. The oldest 30 have a different description.
fn create_history(dir: &Path, n: i64) -> History {
    let mut history = open(dir);
    let link = |id: i64| PaymentLink {
        id: RowId(id),
        at: Wall(FIRST_DAY * DAY_MS + id * 60_000),
        request: link(
            if id < 30 {
                "Pijama zq"
            } else {
                "Camiseta azul"
            },
            4_990,
        ),
        outcome: if id % 20 == 0 {
            LinkOutcome::NotSent
        } else {
            created("7f")
        },
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    };
    history
        .seed(&(0..n).map(link).collect::<Vec<_>>(), &[])
        .unwrap();
    let mark = "UPDATE link SET paid_at = 1 WHERE created AND id % 4 = 1";
    history.connection.execute(mark, []).unwrap();
    let put_away = "UPDATE link SET put_away_at = 1 WHERE created AND id % 50 = 2";
    history.connection.execute(put_away, []).unwrap();
    history
}

/// Counts how often a query calls SQLite's progress handler. SQLite calls it once per 10 VM
/// instructions.
fn count_steps<R>(history: &mut History, query: impl FnOnce(&mut History) -> R) -> usize {
    let steps = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&steps);
    let count = move || {
        counter.fetch_add(1, Ordering::Relaxed);
        false
    };
    history
        .connection
        .progress_handler(10, Some(count))
        .unwrap();
    query(history);
    history
        .connection
        .progress_handler(0, None::<fn() -> bool>)
        .unwrap();
    steps.load(Ordering::Relaxed)
}

#[test]
fn page_costs_the_same_in_a_longer_history() {
    let dirs = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut histories = [
        create_history(dirs[0].path(), 400),
        create_history(dirs[1].path(), 3_200),
    ];
    // The cost of a period depends on its length, and has a test of its own.
    let searches = searches().into_iter();
    let without_period =
        searches.filter(|search| search.filter.day.is_none() && search.reading.period.is_none());
    for search in without_period {
        for end in [false, true] {
            let cost = histories.each_mut().map(|history| {
                let place = if end {
                    PagePosition::End
                } else {
                    PagePosition::Top
                };
                // Cache the total first, because the position of the last page depends on it.
                history
                    .totals::<LinkRequest>(&search, &[], (Wall(0), 0))
                    .unwrap();
                count_steps(history, |history| {
                    history
                        .sales::<LinkRequest>(search.clone(), place, 20)
                        .unwrap()
                })
            });
            assert!(cost[1] < 2 * cost[0] + 200, "{search:?} {end}: {cost:?}");
        }
    }
    let cost = [400, 3_200].map(|n| {
        let history = &mut histories[usize::from(n > 400)];
        let id = RowId(n / 2);
        let place = n.unsigned_abs() / 2;
        let near = PagePosition::Near {
            id,
            position: place,
            first: place - 10,
        };
        count_steps(history, |history| {
            history.sales::<LinkRequest>("azul", near, 20).unwrap()
        })
    });
    assert!(cost[1] < 2 * cost[0] + 100, "{cost:?}");
}

#[test]
fn page_of_an_old_day_skips_the_newer_rows() {
    // A day has 1,440 rows, and the longer history has 4,000 newer rows more.
    let cost = [2_000, 6_000].map(|n| {
        let dir = tempfile::tempdir().unwrap();
        let mut history = create_history(dir.path(), n);
        let [_, _, both] = readings();
        let reading = Reading {
            period: Some(Period {
                first: FIRST_DAY,
                last: FIRST_DAY,
            }),
            ..both
        };
        let search = Search {
            reading,
            ..Search::default()
        };
        count_steps(&mut history, |history| {
            let page = history.sales::<LinkRequest>(search, PagePosition::Top, 20);
            assert_eq!(page.unwrap().rows.len(), 20);
        })
    });
    assert!(cost[1] < cost[0] + 50, "{cost:?}");
    assert!(cost[0] < 1_440, "{cost:?}");
}

#[test]
fn reading_all_rows_costs_in_proportion() {
    let cost = [600, 2_400].map(|n| {
        let dir = tempfile::tempdir().unwrap();
        let mut history = create_history(dir.path(), n);
        let ids: Vec<_> = history
            .all::<LinkRequest>()
            .map(|link| link.unwrap().id.0)
            .collect();
        assert!(ids.is_sorted_by(|a, b| a > b) && ids.len() as i64 == n);
        count_steps(&mut history, |history| {
            assert_eq!(history.all::<LinkRequest>().count() as i64, n)
        })
    });
    assert!(cost[1] < 5 * cost[0], "{cost:?}");
}

#[test]
fn totals_are_counted_once_until_the_file_changes() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = create_history(dir.path(), 400);
    let search = Search::from("azul");
    let now = (Wall(FIRST_DAY * DAY_MS), 0);
    assert!(!history.has_cached_totals::<LinkRequest>(&search).unwrap());
    let count = |history: &mut History| {
        count_steps(history, |history| {
            history.totals::<LinkRequest>(&search, &[], now).unwrap()
        })
    };
    assert!(count(&mut history) > 100);
    assert!(count(&mut history) < 10);
    assert!(history.has_cached_totals::<LinkRequest>(&search).unwrap());
    assert!(
        !history
            .has_cached_totals::<LinkRequest>(&"camiseta".into())
            .unwrap()
    );
    let other = history
        .sales::<LinkRequest>("", PagePosition::Top, 1)
        .unwrap()
        .rows[0]
        .clone();
    mark(&mut open(dir.path()), &other, Some(Wall(1))).unwrap();
    assert!(
        !history.has_cached_totals::<LinkRequest>(&search).unwrap(),
        "another window wrote"
    );
    count(&mut history);
    history.begin(&other.request, Wall(1)).unwrap();
    assert!(
        !history.has_cached_totals::<LinkRequest>(&search).unwrap(),
        "this window wrote"
    );
}

#[test]
fn cancelled_query_leaves_the_next_one_complete() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = create_history(dir.path(), 2_000);
    let search = Search::from("p");
    let count = |history: &mut History| table::total::<LinkRequest>(&history.connection, &search);
    let expected_total = count(&mut history).unwrap();
    let checks = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&checks);
    let is_cancelled = move || counter.fetch_add(1, Ordering::Relaxed) > 0;
    let result = history.run_cancellable(is_cancelled, |history| {
        history.totals::<LinkRequest>(&search, &[], (Wall(0), 0))
    });
    assert_eq!(result, None);
    assert!(
        checks.load(Ordering::Relaxed) > 1,
        "it was asked for while it ran"
    );
    // A cancelled query must not affect later statements.
    history.begin(&link("Pijama", 1), Wall(0)).unwrap();
    let expected_total = expected_total + 1;
    assert_eq!(count(&mut history).unwrap(), expected_total);
    let result = history.run_cancellable(
        || false,
        |history| history.totals::<LinkRequest>(&search, &[], (Wall(0), 0)),
    );
    assert_eq!(result.unwrap().unwrap().total, expected_total);
}
