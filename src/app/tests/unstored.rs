//! Tests of when an HTTP exchange is stored: after the result of its operation, and never while a
//! withdrawal is being sent.

use super::*;
use crate::trade::ExchangeSubject;

/// The operation of each HTTP exchange that these effects store, and the payment or withdrawal that
/// the exchange is about.
fn stored_exchanges(effects: &[Effect]) -> Vec<(Operation, Option<ExchangeSubject>)> {
    let stored = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange(exchange) => Some((exchange.operation, exchange.subject)),
        _ => None,
    });
    stored.collect()
}

fn exchange_of(operation: Operation) -> Exchange {
    exchange(operation, 200, "{}")
}

fn exchange_of_link() -> Exchange {
    let subject = Some(ExchangeSubject::Sale(RowId(1)));
    Exchange {
        subject,
        ..exchange_of(Operation::CreateLink)
    }
}

fn deliver_domains(app: &mut App) -> Vec<Effect> {
    let ticket = Ticket(0);
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Ok(vec![].into()),
    })
}

fn deliver_link(app: &mut App) -> Vec<Effect> {
    let result = Ok(link("https://loja.example/1"));
    app.deliver(link_made(Ticket(0), result))
}

#[test]
fn exchange_is_stored_after_result_with_its_row() {
    let mut app = App::logged_in();
    assert_eq!(
        stored_exchanges(&app.deliver_exchange(exchange_of_link())),
        []
    );
    assert_eq!(stored_exchanges(&app.deliver(Msg::Pulse)), []);
    assert_eq!(
        stored_exchanges(&deliver_domains(&mut app)),
        [],
        "another operation has ended"
    );
    let row = Some(ExchangeSubject::Sale(RowId(1)));
    assert_eq!(
        stored_exchanges(&deliver_link(&mut app)),
        [(Operation::CreateLink, row)]
    );
    assert_eq!(
        stored_exchanges(&deliver_link(&mut app)),
        [],
        "it is stored once"
    );
}

#[test]
fn every_page_of_a_list_is_stored_in_order() {
    let mut app = App::logged_in();
    for n in 0..3 {
        app.deliver_exchange(Exchange {
            at: Wall(n),
            ..exchange_of(Operation::Domains)
        });
    }
    let effects = deliver_domains(&mut app);
    let times = effects.iter().filter_map(|effect| match effect {
        Effect::KeepExchange(exchange) => Some(exchange.at),
        _ => None,
    });
    assert_eq!(times.collect::<Vec<_>>(), [Wall(0), Wall(1), Wall(2)]);
}

#[test]
fn nothing_is_stored_while_a_withdrawal_is_sent() {
    let mut app = App::logged_in();
    let sent = app.send_withdrawal("10000");
    app.deliver_exchange(exchange_of_link());
    assert_eq!(stored_exchanges(&deliver_link(&mut app)), []);
    let key = Some(ExchangeSubject::Withdrawal(sent.agreement.key));
    let withdrawal = Exchange {
        subject: key,
        ..exchange_of(Operation::Withdrawal)
    };
    assert_eq!(stored_exchanges(&app.deliver_exchange(withdrawal)), []);
    let settled = with_attempt(&sent, &app.now, Class::DefiniteNo);
    let effects = app.deliver(Msg::Settled(Box::new(settled)));
    let row = Some(ExchangeSubject::Sale(RowId(1)));
    let expected = [(Operation::CreateLink, row), (Operation::Withdrawal, key)];
    assert_eq!(stored_exchanges(&effects), expected);
}

#[test]
fn remaining_exchanges_are_stored_on_quit() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange_of(Operation::FeePreview));
    let effects = app.deliver(Msg::Terminate(false));
    assert_eq!(stored_exchanges(&effects), [(Operation::FeePreview, None)]);
    assert_eq!(effects.last(), Some(&Effect::Leave));
    // While a withdrawal is being sent, no HTTP exchange is stored, even when the app quits.
    let mut app = App::logged_in();
    app.send_withdrawal("10000");
    app.deliver_exchange(exchange_of(Operation::Domains));
    assert_eq!(app.deliver(Msg::Terminate(false)), [Effect::Leave]);
}
