//! Tests of when an HTTP exchange is stored: after the result of its operation, and never while a
//! withdrawal is being sent.

use super::*;
use crate::trade::ExchangeSubject;

/// Returns the operation of each HTTP exchange that these effects store, and the payment or
/// withdrawal that the exchange is about.
fn stored(effects: &[Effect]) -> Vec<(Operation, Option<ExchangeSubject>)> {
    let stored = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange { exchange, subject } => Some((exchange.operation, *subject)),
        _ => None,
    });
    stored.collect()
}

fn of(operation: Operation) -> Exchange {
    exchange(operation, 200, "{}")
}

fn lists_domains(app: &mut App) -> Vec<Effect> {
    let ticket = Ticket(0);
    app.tell(Msg::DomainsListed { ticket, result: Ok(vec![]) })
}

fn makes_link(app: &mut App) -> Vec<Effect> {
    let result = Ok(link("https://loja.example/1"));
    app.tell(Msg::LinkMade { ticket: Ticket(0), result })
}

#[test]
fn exchange_is_stored_after_result_with_its_row() {
    let mut app = App::open();
    assert_eq!(stored(&app.exchanges(of(Operation::CreateLink))), []);
    assert_eq!(stored(&app.tell(Msg::Pulse)), []);
    assert_eq!(stored(&lists_domains(&mut app)), [], "another operation has ended");
    let row = Some(ExchangeSubject::Sale(RowId(1)));
    assert_eq!(stored(&makes_link(&mut app)), [(Operation::CreateLink, row)]);
    assert_eq!(stored(&makes_link(&mut app)), [], "it is stored once");
}

#[test]
fn every_page_of_a_list_is_stored_in_order() {
    let mut app = App::open();
    for n in 0..3 {
        app.exchanges(Exchange { at: Wall(n), ..of(Operation::Domains) });
    }
    let effects = lists_domains(&mut app);
    let times = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange { exchange, .. } => Some(exchange.at),
        _ => None,
    });
    assert_eq!(times.collect::<Vec<_>>(), [Wall(0), Wall(1), Wall(2)]);
}

#[test]
fn nothing_is_stored_while_a_withdrawal_is_sent() {
    let mut app = App::open();
    let sent = app.sends("10000");
    app.exchanges(of(Operation::CreateLink));
    assert_eq!(stored(&makes_link(&mut app)), []);
    assert_eq!(stored(&app.exchanges(of(Operation::Withdrawal))), []);
    let settled = attempted(&sent, &app.now, Class::DefiniteNo);
    let effects = app.tell(Msg::Settled(Box::new(settled)));
    let key = Some(ExchangeSubject::Withdrawal(sent.agreement.key));
    let row = Some(ExchangeSubject::Sale(RowId(1)));
    let wanted = [(Operation::CreateLink, row), (Operation::Withdrawal, key)];
    assert_eq!(stored(&effects), wanted);
}

#[test]
fn rest_is_stored_before_the_program_ends() {
    let mut app = App::open();
    app.exchanges(of(Operation::FeePreview));
    let effects = app.tell(Msg::Terminate(false));
    assert_eq!(stored(&effects), [(Operation::FeePreview, None)]);
    assert_eq!(effects.last(), Some(&Effect::Leave));
    // While a withdrawal is being sent, no HTTP exchange is stored, even when the app quits.
    let mut app = App::open();
    app.sends("10000");
    app.exchanges(of(Operation::Domains));
    assert_eq!(app.tell(Msg::Terminate(false)), [Effect::Leave]);
}
