//! Tests of the list of HTTP requests: loading it from memory and the database, searching it,
//! showing the selected exchange, and opening the payment of a request.

use super::*;
use crate::app::store::requests::{RequestObject, selected};
use crate::trade::search::RowLabel;
use crate::trade::{
    ExchangeSubject, JournalTrouble, RequestQuery, RequestRow, RequestsPage, SubjectFilter,
};

/// Creates the list row of a stored request.
fn row(n: i64, subject: Option<ExchangeSubject>) -> RequestRow {
    let owner = ("default".into(), Origin("https://api.example".into()));
    RequestRow {
        id: RowId(n),
        subject,
        ..RequestRow::of(owner, &stored_exchange(n))
    }
}

/// Creates the HTTP exchange (request and reply) of a stored request.
fn stored_exchange(n: i64) -> Exchange {
    let exchange = exchange(Operation::Domains, 200, format!("{{\"n\":{n}}}"));
    Exchange {
        id: ExchangeId::Row(RowId(n)),
        at: Wall(n),
        ..exchange
    }
}

fn list_request(effects: &[Effect]) -> (Ticket, RequestQuery) {
    let query = effects.iter().rev().find_map(|effect| match effect {
        Effect::LoadRequests(query) => Some((query.ticket, query.clone())),
        _ => None,
    });
    query.unwrap_or_else(|| panic!("{effects:?}"))
}

fn loaded_ids(effects: &[Effect]) -> Vec<RowId> {
    let ids = effects.iter().filter_map(|effect| match effect {
        Effect::LoadExchange(id) => Some(*id),
        _ => None,
    });
    ids.collect()
}

impl App {
    /// Delivers these rows as the database's reply to the query in `effects`.
    fn deliver_rows(
        &mut self,
        effects: &[Effect],
        rows: Vec<RequestRow>,
        total: u64,
    ) -> Vec<Effect> {
        let (ticket, query) = list_request(effects);
        let page = ListPage {
            rows: rows.into(),
            total: Some(total),
            first: query.first,
        };
        let read = RequestsPage {
            page,
            since: Some(Wall(1)),
            is_persistent: true,
            ..RequestsPage::default()
        };
        self.deliver(Msg::RequestsLoaded {
            ticket,
            result: Ok(read),
        })
    }

    /// Opens the list of requests, and reports that all requests of this run are stored.
    pub fn open_requests(&mut self) {
        let effects = self.press("5");
        let owner = (
            self.model.setup.profile.clone(),
            self.model.setup.origin.clone(),
        );
        let ids = (1..).map(RowId);
        let rows = self.model.exchanges.iter().rev().zip(ids);
        let mut rows: Vec<_> = rows
            .map(|(exchange, id)| RequestRow {
                id,
                ..RequestRow::of(owner.clone(), exchange)
            })
            .collect();
        let unstored = &self.model.unstored_exchanges;
        rows.retain(|row| {
            !unstored
                .iter()
                .any(|unstored| unstored.exchange.id == row.exchange)
        });
        rows.reverse();
        let total = rows.len() as u64;
        self.deliver_rows(&effects, rows, total);
    }

    fn ids(&self) -> Vec<i64> {
        self.model
            .requests
            .list
            .page
            .rows
            .iter()
            .map(|row| row.id.0)
            .collect()
    }

    fn row(&self) -> RowId {
        self.model.requests.list.selected().unwrap().id
    }
}

/// Opens the requests pane with three stored requests. Also returns the effects of loading them.
fn app_with_three_requests(subject: Option<ExchangeSubject>) -> (App, Vec<Effect>) {
    let mut app = App::logged_in();
    let effects = app.press("5");
    let rows = [3, 2, 1].map(|n| row(n, subject)).to_vec();
    let effects = app.deliver_rows(&effects, rows, 3);
    (app, effects)
}

#[test]
fn exchange_is_listed_before_it_is_stored() {
    let (mut app, _) = app_with_three_requests(None);
    app.deliver_exchange(exchange(Operation::CreateLink, 200, "{}"));
    assert_eq!(app.ids(), [0, 3, 2, 1]);
    assert_eq!(
        (app.row(), app.model.requests.list.page.total),
        (RowId(3), Some(4))
    );
    app.press("g");
    assert_eq!(
        selected(&app.model).map(|effect| effect.operation),
        Some(Operation::CreateLink)
    );
    // After an HTTP exchange is stored, the list is loaded again. The cursor stays on its row.
    let result = Ok(link("https://loja.example/1"));
    let effects = app.deliver(link_made(Ticket(0), result));
    let store_index = effects
        .iter()
        .position(|effect| matches!(effect, Effect::KeepExchange(_)));
    let load_index = effects
        .iter()
        .position(|effect| matches!(effect, Effect::LoadRequests(_)));
    assert!(store_index.unwrap() < load_index.unwrap(), "{effects:?}");
    let own_row = app.model.exchanges[0].clone();
    let owner = ("default".into(), Origin("https://api.example".into()));
    let own_row = RequestRow {
        id: RowId(4),
        ..RequestRow::of(owner, &own_row)
    };
    let rows = [5, 3, 2, 1].map(|n| row(n, None)).to_vec();
    let rows = [&rows[..1], &[own_row], &rows[1..]].concat();
    let effects = app.deliver_rows(&effects, rows, 5);
    assert_eq!((app.ids(), app.row()), (vec![5, 4, 3, 2, 1], RowId(4)));
    assert_eq!(loaded_ids(&effects), [], "it is still in memory");
}

#[test]
fn held_exchanges_do_not_shift_a_page_below() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::Domains, 200, "{}"));
    let effects = app.press("5");
    let rows = (1_801..=2_000).rev().map(|n| row(n, None)).collect();
    app.deliver_rows(&effects, rows, 2_000);
    assert_eq!(app.model.requests.list.page.total, Some(2_001));
    let effects = app.press("G");
    assert_eq!(
        list_request(&effects).1.first,
        1_899,
        "the database has one row less"
    );
    let (ticket, _) = list_request(&effects);
    let rows: Vec<_> = (1..=200).rev().map(|n| row(n, None)).collect();
    let page = ListPage {
        rows: rows.into(),
        total: Some(2_000),
        first: 1_800,
    };
    let read = RequestsPage {
        page,
        ..RequestsPage::default()
    };
    app.deliver(Msg::RequestsLoaded {
        ticket,
        result: Ok(read),
    });
    assert_eq!(
        (app.row(), app.model.requests.list.cursor),
        (RowId(1), 2_000)
    );
    app.deliver_exchange(exchange(Operation::Login, 200, "{}"));
    assert_eq!(
        (app.row(), app.model.requests.list.cursor),
        (RowId(1), 2_001)
    );
}

#[test]
fn search_matches_operations_and_hides_unstored() {
    let (mut app, _) = app_with_three_requests(None);
    app.deliver_exchange(exchange(Operation::CreateLink, 200, "{}"));
    app.press("/");
    let effects = app.type_text("domínios");
    let (ticket, query) = list_request(&effects);
    let labels = [RowLabel::ForOperation(Operation::Domains)];
    assert_eq!(
        (
            &*query.search.terms[0].text,
            &query.search.terms[0].labels[..]
        ),
        ("domínios", &labels[..])
    );
    app.deliver_rows(&effects, vec![row(1, None)], 1);
    assert_eq!(app.ids(), [1]);
    // The response to an older query is dropped.
    app.deliver(Msg::RequestsLoaded {
        ticket: Ticket(ticket.0 - 1),
        result: Ok(Default::default()),
    });
    assert_eq!(app.ids(), [1]);
    let text = exchange_rows::lines(&app).join("\n");
    assert!(text.contains("1 solicitação encontrada"), "{text}");
    let effects = app.press("Esc");
    app.deliver_rows(&effects, [3, 2, 1].map(|n| row(n, None)).to_vec(), 3);
    assert_eq!(app.ids(), [0, 3, 2, 1]);
}

#[test]
fn requests_of_another_version_are_counted() {
    let mut app = App::logged_in();
    for (total, of_other_version, expected) in [
        (2, 1, "2 solicitações · 1 solicitação de outra versão"),
        (0, 3, "3 solicitações de outra versão"),
    ] {
        let effects = app.press("5 r");
        let rows = (1..=total).map(|n| row(n, None)).collect();
        let page = ListPage {
            rows,
            total: Some(total as u64),
            first: 0,
        };
        let read = RequestsPage {
            page,
            of_other_version,
            ..RequestsPage::default()
        };
        let ticket = list_request(&effects).0;
        app.deliver(Msg::RequestsLoaded {
            ticket,
            result: Ok(read),
        });
        let text = exchange_rows::lines(&app).join("\n");
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn only_the_exchange_under_the_cursor_is_in_memory() {
    let (mut app, effects) = app_with_three_requests(None);
    assert_eq!(loaded_ids(&effects), [RowId(3)]);
    // Enter opens the details only after the HTTP exchange has been loaded.
    assert_eq!(app.press("Enter"), []);
    let exchange = Arc::new(stored_exchange(3));
    app.deliver(Msg::ExchangeLoaded {
        id: RowId(3),
        result: Ok(Some(exchange.clone())),
    });
    assert!(
        matches!(app.top(), Layer::Exchange(_)),
        "{:?}",
        app.model.layers
    );
    assert!(
        !app.offered_actions().contains(&Action::Teach),
        "it may be of an earlier run"
    );
    app.press("Esc");
    assert_eq!(loaded_ids(&app.press("j")), [RowId(2)]);
    assert!(selected(&app.model).is_none());
    app.deliver(Msg::ExchangeLoaded {
        id: RowId(3),
        result: Ok(Some(exchange)),
    });
    assert!(
        selected(&app.model).is_none(),
        "the cursor has left that row"
    );
    // If another screen has been opened since, Enter no longer opens the details.
    app.press("Enter F1");
    app.deliver(Msg::ExchangeLoaded {
        id: RowId(2),
        result: Ok(Some(Arc::new(stored_exchange(2)))),
    });
    assert!(matches!(app.top(), Layer::Help(_)));
    app.press("Esc 1");
    assert!(app.model.requests.opened.is_none());
    assert!(
        app.model.exchanges.is_empty(),
        "a stored exchange is not of this run"
    );
}

#[test]
fn key_leads_from_request_to_object_and_back() {
    let sale = ExchangeSubject::Sale(RowId(7));
    let (mut app, _) = app_with_three_requests(Some(sale));
    let effects = app.press("i");
    let [
        Effect::History(HistoryCommand::Find {
            ticket,
            operation,
            id,
            by,
        }),
    ] = effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!((operation, id, by), (Operation::Domains, RowId(7), Wall(3)));
    let found = PaymentLink {
        id: RowId(7),
        at: Wall(2),
        ..link("https://loja.example/7")
    };
    let result = Ok(Some(RequestObject::Sale(Box::new(Sale::Link(found)))));
    app.deliver(Msg::ObjectFound {
        ticket: Ticket(ticket.0 + 1),
        result: result.clone(),
    });
    assert!(app.model.layers.is_empty());
    app.deliver(Msg::ObjectFound { ticket, result });
    assert!(matches!(app.top(), Layer::Link(_)));
    let effects = app.press("i");
    let filter = SubjectFilter {
        operation: Operation::CreateLink,
        subject: sale,
        since: Wall(2),
    };
    assert_eq!(list_request(&effects).1.subject_filter, Some(filter));
    assert!(app.model.layers.is_empty() && app.model.pane == Pane::Exchanges);
    app.deliver_rows(&effects, vec![row(2, Some(sale))], 1);
    assert_eq!(app.ids(), [2]);
    assert_eq!(list_request(&app.press("Esc")).1.subject_filter, None);
}

#[test]
fn refused_request_leads_to_the_row_of_its_link() {
    let mut app = App::logged_in();
    // The request of an earlier link was cancelled. Its HTTP exchange arrives only now.
    let request = |row| Exchange {
        subject: Some(ExchangeSubject::Sale(RowId(row))),
        ..exchange(Operation::CreateLink, 400, "{}")
    };
    app.deliver_exchange(request(6));
    app.deliver_exchange(request(7));
    let failure = Failure::Unreadable {
        status: 201,
        expected_settings: vec![],
        can_be_taught: false,
        body: "{}".into(),
    };
    app.press("5 g");
    let effects = app.press("i");
    let [Effect::History(HistoryCommand::Find { operation, id, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((operation, id), (Operation::CreateLink, RowId(7)));
    let effects = app.deliver(link_made(Ticket(0), Err(failure)));
    let stored = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange(exchange) => exchange.subject,
        _ => None,
    });
    assert_eq!(
        stored.collect::<Vec<_>>(),
        [6, 7].map(|row| ExchangeSubject::Sale(RowId(row)))
    );
}

#[test]
fn withdrawal_and_its_requests_lead_to_each_other() {
    let mut app = App::logged_in();
    let withdrawal = unknown_withdrawal(5, 100, &app.now);
    app.open_details(withdrawal.clone());
    let subject = ExchangeSubject::Withdrawal(key(5));
    let effects = app.press("i");
    let filter = SubjectFilter {
        operation: Operation::Withdrawal,
        subject,
        since: Wall(i64::MIN),
    };
    assert_eq!(list_request(&effects).1.subject_filter, Some(filter));
    app.deliver_rows(&effects, vec![row(1, Some(subject))], 1);
    let effects = app.press("i");
    let [Effect::Money(MoneyCommand::Find { ticket, key: found })] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(found, key(5));
    app.deliver(Msg::ObjectFound {
        ticket,
        result: Ok(None),
    });
    assert_eq!(app.model.notice, Some(Notice::warn("said-object-gone")));
    let [Effect::Money(MoneyCommand::Find { ticket, .. })] = app.press("i")[..] else {
        panic!()
    };
    let result = Ok(Some(RequestObject::Withdrawal(Box::new(withdrawal))));
    app.deliver(Msg::ObjectFound { ticket, result });
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn list_row_leads_to_its_requests() {
    let charge = sales::charge(ChargeOutcome::NotSent);
    let mut app = sales::app_with(&Sale::Charge(charge.clone()));
    app.load_unknown_withdrawal(5, 100);
    app.load_links(vec![PaymentLink {
        id: RowId(7),
        at: Wall(2),
        ..link("https://loja.example/7")
    }]);
    let withdrawal = (
        Operation::Withdrawal,
        ExchangeSubject::Withdrawal(key(5)),
        Wall(i64::MIN),
    );
    let sale = (
        Operation::DirectPayment,
        ExchangeSubject::Sale(charge.id),
        charge.at,
    );
    for (pane, (operation, subject, since)) in [
        (
            "1",
            (
                Operation::CreateLink,
                ExchangeSubject::Sale(RowId(7)),
                Wall(2),
            ),
        ),
        ("3", withdrawal),
        ("4", sale),
    ] {
        app.press(pane);
        assert!(app.offers(Action::Related), "{pane}");
        let effects = app.press("i");
        assert_eq!(
            list_request(&effects).1.subject_filter,
            Some(SubjectFilter {
                operation,
                subject,
                since
            }),
            "{pane}"
        );
        assert_eq!(app.model.pane, Pane::Exchanges);
    }
}

#[test]
fn replaced_database_is_reported_once() {
    let mut app = App::logged_in();
    let effects = app.press("5");
    app.deliver_rows(&effects, vec![row(3, None)], 1);
    let other = Exchange {
        at: Wall(99),
        ..exchange(Operation::Domains, 200, "{}")
    };
    app.deliver(Msg::ExchangeLoaded {
        id: RowId(3),
        result: Ok(Some(Arc::new(other))),
    });
    assert!(selected(&app.model).is_none(), "another request has the id");
    let notice = Notice::warn("said-requests-anew");
    for is_reported in [true, false] {
        app.model.notice = None;
        let effects = app.press("r");
        let (ticket, _) = list_request(&effects);
        let loaded = RequestsPage {
            is_replaced: true,
            ..RequestsPage::default()
        };
        app.deliver(Msg::RequestsLoaded {
            ticket,
            result: Ok(loaded),
        });
        assert_eq!(app.model.notice == Some(notice.clone()), is_reported);
    }
}

#[test]
fn unusable_requests_file_is_reported_once() {
    let mut app = App::logged_in();
    app.press("5");
    let trouble = JournalTrouble::OtherVersion { found: 9, known: 2 };
    for is_reported in [true, false] {
        app.model.notice = None;
        let effects = app.press("r");
        let (ticket, _) = list_request(&effects);
        let loaded = RequestsPage {
            trouble: Some(trouble.clone()),
            ..RequestsPage::default()
        };
        app.deliver(Msg::RequestsLoaded {
            ticket,
            result: Ok(loaded),
        });
        let expected = Notice::Requests(trouble.clone());
        assert_eq!(app.model.notice == Some(expected), is_reported);
        assert_eq!(app.model.requests.not_kept, Some(trouble.clone()));
    }
}

/// The number of characters on the page.
fn page_length(app: &App) -> usize {
    format!("{:?}", chrome::page(&app.model, app.model.size).items).len()
}

/// Checks that a key press does little work: at most 200 rows are loaded, and the 2 MiB body of a
/// reply is not laid out.
#[test]
fn key_among_2000_requests_does_little_work() {
    let mut app = App::logged_in();
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 140,
        rows: 40,
    })));
    let effects = app.press("5");
    let rows = (1_801..=2_000).rev().map(|n| row(n, None)).collect();
    app.deliver_rows(&effects, rows, 2_000);
    let body = format!("[{}1]", "\"abc\",".repeat(350_000));
    let large = Exchange {
        at: Wall(2_000),
        ..exchange(Operation::Domains, 200, body)
    };
    assert!(large.bytes() > 2 * 1024 * 1024);
    app.deliver(Msg::ExchangeLoaded {
        id: RowId(2_000),
        result: Ok(Some(Arc::new(large))),
    });
    assert!(selected(&app.model).is_some());
    for keys in ["m", "/", "a", "b", "Esc", "r"] {
        let effects = app.press(keys);
        assert!(page_length(&app) < 40_000, "{keys}: {}", page_length(&app));
        for effect in &effects {
            let Effect::LoadRequests(query) = effect else {
                panic!("{effect:?}")
            };
            assert_eq!(query.rows, 200);
        }
    }
}
