//! Tests of the list of HTTP requests: loading it from memory and the database, searching it,
//! showing the selected exchange, and opening the payment of a request.

use super::*;
use crate::app::store::requests::{RequestObject, selected};
use crate::trade::search::RowLabel;
use crate::trade::{ExchangeSubject, RequestQuery, RequestRow, RequestsOf, RequestsRead};

/// Creates the list row of a stored request.
fn row(n: i64, subject: Option<ExchangeSubject>) -> RequestRow {
    let owner = ("default".into(), Origin("https://api.example".into()));
    RequestRow { subject, ..RequestRow::of(RowId(n), owner, &stored(n)) }
}

/// Creates the HTTP exchange (request and reply) of a stored request.
fn stored(n: i64) -> Exchange {
    let exchange = exchange(Operation::Domains, 200, format!("{{\"n\":{n}}}"));
    Exchange { at: Wall(n), ..exchange }
}

fn asked(effects: &[Effect]) -> (Ticket, RequestQuery) {
    let asked = effects.iter().rev().find_map(|effect| match effect {
        Effect::LoadRequests(query) => Some((query.ticket, query.clone())),
        _ => None,
    });
    asked.unwrap_or_else(|| panic!("{effects:?}"))
}

fn loads(effects: &[Effect]) -> Vec<RowId> {
    let ids = effects.iter().filter_map(|effect| match effect {
        Effect::LoadExchange(id) => Some(*id),
        _ => None,
    });
    ids.collect()
}

impl App {
    /// Delivers these rows as the reply to a query, from the position that the query requested.
    fn gets_rows(&mut self, effects: &[Effect], rows: Vec<RequestRow>, total: u64) -> Vec<Effect> {
        let (ticket, query) = asked(effects);
        let page = ListPage { rows: rows.into(), total: Some(total), first: query.first };
        let read = RequestsRead { page, since: Some(Wall(1)), is_kept: true, is_replaced: false };
        self.tell(Msg::RequestsLoaded { ticket, result: Ok(read) })
    }

    /// Opens the list of requests, and reports that all requests of this run are stored.
    pub fn shows_requests(&mut self) {
        let effects = self.keys("5");
        let owner = (self.model.setup.profile.clone(), self.model.setup.origin.clone());
        let ids = (1..).map(RowId);
        let rows = self.model.exchanges.iter().rev().zip(ids);
        let mut rows: Vec<_> =
            rows.map(|(one, id)| RequestRow::of(id, owner.clone(), one)).collect();
        rows.retain(|row| {
            !self.model.unstored_exchanges.iter().any(|one| row.is_of(&one.exchange))
        });
        rows.reverse();
        let total = rows.len() as u64;
        self.gets_rows(&effects, rows, total);
    }

    fn ids(&self) -> Vec<i64> {
        self.model.requests.list.page.rows.iter().map(|row| row.id.0).collect()
    }

    fn row(&self) -> RowId {
        self.model.requests.list.selected().unwrap().id
    }
}

/// Opens the requests pane with three stored requests. Also returns the effects of loading them.
fn with_three(subject: Option<ExchangeSubject>) -> (App, Vec<Effect>) {
    let mut app = App::open();
    let effects = app.keys("5");
    let rows = [3, 2, 1].map(|n| row(n, subject)).to_vec();
    let effects = app.gets_rows(&effects, rows, 3);
    (app, effects)
}

#[test]
fn exchange_is_listed_before_it_is_stored() {
    let (mut app, _) = with_three(None);
    app.exchanges(exchange(Operation::CreateLink, 200, "{}"));
    assert_eq!(app.ids(), [-1, 3, 2, 1]);
    assert_eq!((app.row(), app.model.requests.list.page.total), (RowId(3), Some(4)));
    app.keys("g");
    assert_eq!(selected(&app.model).map(|one| one.operation), Some(Operation::CreateLink));
    // After an HTTP exchange is stored, the list is loaded again. The cursor stays on its row.
    let result = Ok(link("https://loja.example/1"));
    let effects = app.tell(Msg::LinkMade { ticket: Ticket(0), result });
    let kept = effects.iter().position(|one| matches!(one, Effect::KeepExchange { .. }));
    let loaded = effects.iter().position(|one| matches!(one, Effect::LoadRequests(_)));
    assert!(kept.unwrap() < loaded.unwrap(), "{effects:?}");
    let mut own = app.model.exchanges[0].clone();
    let owner = ("default".into(), Origin("https://api.example".into()));
    let own = RequestRow::of(RowId(4), owner, Arc::make_mut(&mut own));
    let rows = [5, 3, 2, 1].map(|n| row(n, None)).to_vec();
    let rows = [&rows[..1], &[own], &rows[1..]].concat();
    let effects = app.gets_rows(&effects, rows, 5);
    assert_eq!((app.ids(), app.row()), (vec![5, 4, 3, 2, 1], RowId(4)));
    assert_eq!(loads(&effects), [], "it is still in memory");
}

#[test]
fn held_exchanges_do_not_shift_a_page_below() {
    let mut app = App::open();
    app.exchanges(exchange(Operation::Domains, 200, "{}"));
    let effects = app.keys("5");
    let rows = (1_801..=2_000).rev().map(|n| row(n, None)).collect();
    app.gets_rows(&effects, rows, 2_000);
    assert_eq!(app.model.requests.list.page.total, Some(2_001));
    let effects = app.keys("G");
    assert_eq!(asked(&effects).1.first, 1_899, "the database has one row less");
    let (ticket, _) = asked(&effects);
    let rows: Vec<_> = (1..=200).rev().map(|n| row(n, None)).collect();
    let page = ListPage { rows: rows.into(), total: Some(2_000), first: 1_800 };
    let read = RequestsRead { page, ..RequestsRead::default() };
    app.tell(Msg::RequestsLoaded { ticket, result: Ok(read) });
    assert_eq!((app.row(), app.model.requests.list.cursor), (RowId(1), 2_000));
    app.exchanges(exchange(Operation::Login, 200, "{}"));
    assert_eq!((app.row(), app.model.requests.list.cursor), (RowId(1), 2_001));
}

#[test]
fn search_names_operations_and_hides_held_rows() {
    let (mut app, _) = with_three(None);
    app.exchanges(exchange(Operation::CreateLink, 200, "{}"));
    app.keys("/");
    let effects = app.types("domínios");
    let (ticket, query) = asked(&effects);
    let labels = [RowLabel::Sends(Operation::Domains)];
    assert_eq!(
        (&*query.search.terms[0].text, &query.search.terms[0].labels[..]),
        ("domínios", &labels[..])
    );
    app.gets_rows(&effects, vec![row(1, None)], 1);
    assert_eq!(app.ids(), [1]);
    // The response to an older query is dropped.
    app.tell(Msg::RequestsLoaded { ticket: Ticket(ticket.0 - 1), result: Ok(Default::default()) });
    assert_eq!(app.ids(), [1]);
    let shown = exchange_rows::lines(&app).join("\n");
    assert!(shown.contains("1 requisição encontrada"), "{shown}");
    let effects = app.keys("Esc");
    app.gets_rows(&effects, [3, 2, 1].map(|n| row(n, None)).to_vec(), 3);
    assert_eq!(app.ids(), [-1, 3, 2, 1]);
}

#[test]
fn only_the_exchange_under_the_cursor_is_in_memory() {
    let (mut app, effects) = with_three(None);
    assert_eq!(loads(&effects), [RowId(3)]);
    // Enter opens the details only after the HTTP exchange has been loaded.
    assert_eq!(app.keys("Enter"), []);
    let exchange = Arc::new(stored(3));
    app.tell(Msg::ExchangeLoaded { id: RowId(3), result: Ok(Some(exchange.clone())) });
    assert!(matches!(app.top(), Layer::Exchange(_)), "{:?}", app.model.layers);
    assert!(!app.offered().contains(&Action::Teach), "it may be of an earlier run");
    app.keys("Esc");
    assert_eq!(loads(&app.keys("j")), [RowId(2)]);
    assert!(selected(&app.model).is_none());
    app.tell(Msg::ExchangeLoaded { id: RowId(3), result: Ok(Some(exchange)) });
    assert!(selected(&app.model).is_none(), "the cursor has left that row");
    // If another screen has been opened since, Enter no longer opens the details.
    app.keys("Enter F1");
    app.tell(Msg::ExchangeLoaded { id: RowId(2), result: Ok(Some(Arc::new(stored(2)))) });
    assert!(matches!(app.top(), Layer::Help(_)));
    app.keys("Esc 1");
    assert!(app.model.requests.opened.is_none());
    assert!(app.model.exchanges.is_empty(), "a stored exchange is not of this run");
}

#[test]
fn key_leads_from_request_to_object_and_back() {
    let sale = ExchangeSubject::Sale(RowId(7));
    let (mut app, _) = with_three(Some(sale));
    let effects = app.keys("i");
    let [Effect::History(HistoryCommand::Find { ticket, operation, id, by })] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((operation, id, by), (Operation::Domains, RowId(7), Wall(3)));
    let found = PaymentLink { id: RowId(7), at: Wall(2), ..link("https://loja.example/7") };
    let result = Ok(Some(Box::new(RequestObject::Sale(Sale::Link(found)))));
    app.tell(Msg::ObjectFound { ticket: Ticket(ticket.0 + 1), result: result.clone() });
    assert!(app.model.layers.is_empty());
    app.tell(Msg::ObjectFound { ticket, result });
    assert!(matches!(app.top(), Layer::Link(_)));
    let effects = app.keys("i");
    let of = RequestsOf { operation: Operation::CreateLink, subject: sale, since: Wall(2) };
    assert_eq!(asked(&effects).1.of, Some(of));
    assert!(app.model.layers.is_empty() && app.model.pane == Pane::Exchanges);
    app.gets_rows(&effects, vec![row(2, Some(sale))], 1);
    assert_eq!(app.ids(), [2]);
    assert_eq!(asked(&app.keys("Esc")).1.of, None);
}

#[test]
fn refused_request_leads_to_the_row_of_its_link() {
    let mut app = App::open();
    app.tell(Msg::SaleBegun { operation: Operation::DirectPayment, id: RowId(8), at: Wall(5) });
    app.tell(Msg::SaleBegun { operation: Operation::CreateLink, id: RowId(7), at: Wall(5) });
    // The request of an earlier link was cancelled. Its HTTP exchange arrives only now.
    let request = |at| Exchange { at: Wall(at), ..exchange(Operation::CreateLink, 400, "{}") };
    app.exchanges(request(4));
    app.exchanges(request(5));
    let refused = Failure::Unreadable {
        status: 201,
        looked_for: vec![],
        may_be_taught: false,
        body: "{}".into(),
    };
    app.keys("5 g");
    let effects = app.keys("i");
    let [Effect::History(HistoryCommand::Find { operation, id, .. })] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((operation, id), (Operation::CreateLink, RowId(7)));
    let effects = app.tell(Msg::LinkMade { ticket: Ticket(0), result: Err(refused) });
    let kept = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange { exchange, subject } => Some((exchange.at.0, *subject)),
        _ => None,
    });
    let sale = Some(ExchangeSubject::Sale(RowId(7)));
    assert_eq!(kept.collect::<Vec<_>>(), [(4, None), (5, sale)]);
}

#[test]
fn withdrawal_and_its_requests_lead_to_each_other() {
    let mut app = App::open();
    let withdrawal = unknown(5, 100, &app.now);
    app.shows_details(withdrawal.clone());
    let subject = ExchangeSubject::Withdrawal(key(5));
    let effects = app.keys("i");
    let of = RequestsOf { operation: Operation::Withdrawal, subject, since: Wall(i64::MIN) };
    assert_eq!(asked(&effects).1.of, Some(of));
    app.gets_rows(&effects, vec![row(1, Some(subject))], 1);
    let effects = app.keys("i");
    let [Effect::Money(MoneyCommand::Find { ticket, key: found })] = effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(found, key(5));
    app.tell(Msg::ObjectFound { ticket, result: Ok(None) });
    assert_eq!(app.model.notice, Some(Notice::warn("said-object-gone")));
    let [Effect::Money(MoneyCommand::Find { ticket, .. })] = app.keys("i")[..] else { panic!() };
    let result = Ok(Some(Box::new(RequestObject::Withdrawal(withdrawal))));
    app.tell(Msg::ObjectFound { ticket, result });
    assert!(matches!(app.top(), Layer::Withdrawal(_)));
}

#[test]
fn list_row_leads_to_its_requests() {
    let charge = sales::charge(ChargeOutcome::NotSent);
    let mut app = sales::app_with(&Sale::Charge(charge.clone()));
    app.has_unknown(5, 100);
    app.has_links(vec![PaymentLink {
        id: RowId(7),
        at: Wall(2),
        ..link("https://loja.example/7")
    }]);
    let withdrawal = (Operation::Withdrawal, ExchangeSubject::Withdrawal(key(5)), Wall(i64::MIN));
    let sale = (Operation::DirectPayment, ExchangeSubject::Sale(charge.id), charge.at);
    for (pane, (operation, subject, since)) in [
        ("1", (Operation::CreateLink, ExchangeSubject::Sale(RowId(7)), Wall(2))),
        ("3", withdrawal),
        ("4", sale),
    ] {
        app.keys(pane);
        assert!(app.offers(Action::Related), "{pane}");
        let effects = app.keys("i");
        assert_eq!(asked(&effects).1.of, Some(RequestsOf { operation, subject, since }), "{pane}");
        assert_eq!(app.model.pane, Pane::Exchanges);
    }
}

#[test]
fn replaced_file_is_told_once_and_has_new_ids() {
    let mut app = App::open();
    let effects = app.keys("5");
    app.gets_rows(&effects, vec![row(3, None)], 1);
    let other = Exchange { at: Wall(99), ..exchange(Operation::Domains, 200, "{}") };
    app.tell(Msg::ExchangeLoaded { id: RowId(3), result: Ok(Some(Arc::new(other))) });
    assert!(selected(&app.model).is_none(), "another request has the id");
    let told = Notice::warn("said-requests-anew");
    for is_told in [true, false] {
        app.model.notice = None;
        let effects = app.keys("r");
        let (ticket, _) = asked(&effects);
        let read = RequestsRead { is_replaced: true, ..RequestsRead::default() };
        app.tell(Msg::RequestsLoaded { ticket, result: Ok(read) });
        assert_eq!(app.model.notice == Some(told.clone()), is_told);
    }
}

/// Returns the number of characters on the page.
fn laid_out(app: &App) -> usize {
    format!("{:?}", chrome::page(&app.model, app.model.size).items).len()
}

/// Checks that a key press does little work: at most 200 rows are loaded, and the 2 MiB body of a
/// reply is not laid out.
#[test]
fn key_among_2000_requests_does_little_work() {
    let mut app = App::open();
    app.tell(Msg::Input(Input::Resize(Size { columns: 140, rows: 40 })));
    let effects = app.keys("5");
    let rows = (1_801..=2_000).rev().map(|n| row(n, None)).collect();
    app.gets_rows(&effects, rows, 2_000);
    let body = format!("[{}1]", "\"abc\",".repeat(350_000));
    let large = Exchange { at: Wall(2_000), ..exchange(Operation::Domains, 200, body) };
    assert!(large.bytes() > 2 * 1024 * 1024);
    app.tell(Msg::ExchangeLoaded { id: RowId(2_000), result: Ok(Some(Arc::new(large))) });
    assert!(selected(&app.model).is_some());
    for keys in ["m", "/", "a", "b", "Esc", "r"] {
        let effects = app.keys(keys);
        assert!(laid_out(&app) < 40_000, "{keys}: {}", laid_out(&app));
        for effect in &effects {
            let Effect::LoadRequests(query) = effect else { panic!("{effect:?}") };
            assert_eq!(query.rows, 200);
        }
    }
}
