//! App models of the requests pane, and of the details of an HTTP request.

use std::sync::Arc;
use std::time::Duration;

use balcao::app::screens::Layer;
use balcao::app::screens::exchanges::{Comparison, ExchangeDetails};
use balcao::app::store::requests;
use balcao::app::{Model, Msg, Pane};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{
    BodyEnd, Exchange, ExchangeId, ExchangeSubject, Failure, ListPage, MaskedReply, NoAnswer,
    Operation, RequestRow, RequestsPage, RowId, SubjectFilter, Wall,
};
use balcao::words::Lang;

use crate::models::{
    NOW, contract, key, layer_model, pane_model, read_search, send_message, with_change,
};

/// Returns an HTTP exchange of this operation with this reply. Its method, URL and body are as the
/// real client would send them.
pub fn exchange(operation: Operation, reply: Result<MaskedReply, Failure>) -> Arc<Exchange> {
    let contract = contract();
    let (call, query, body) = match operation {
        Operation::Login => (
            &contract.login.call,
            "",
            r#"{"email":"ana@loja.example","password":"\ufdef"}"#,
        ),
        Operation::Domains => (&contract.domains.call, "", ""),
        Operation::CreateLink => {
            let body = r#"{"amount":49.90,"description":"Camiseta azul M"}"#;
            (&contract.create_link.call, "", body)
        }
        Operation::DirectPayment => {
            let body = r#"{"amount":49.90,"description":"Camiseta azul M","paymentMethod":"pix"}"#;
            (&contract.direct_payment.call, "", body)
        }
        Operation::FeePreview => (&contract.fee_preview.call, "?amount=1000.00", ""),
        Operation::Withdrawal => {
            let body = r#"{"amount":1000.00,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
            (&contract.withdrawal.call, "", body)
        }
    };
    let mut request_headers = vec![("accept".to_owned(), "application/json".to_owned())];
    if !body.is_empty() {
        request_headers.push(("content-type".into(), "application/json".into()));
    }
    if operation == Operation::Withdrawal {
        let name = contract.withdrawal.key_header.to_lowercase();
        request_headers.push((name, key(1).to_string()));
    }
    if call.credential.is_some() {
        request_headers.push(("authorization".into(), "Bearer \u{FDEF}".into()));
    }
    let url = format!("http://127.0.0.1:41873{}{query}", call.path);
    let is_unsent = matches!(&reply, Err(failure) if failure.nothing_was_sent());
    Arc::new(Exchange {
        at: Wall(NOW.0 - 5_000),
        request_headers,
        request_bytes: body.len() as u64,
        request_body: (!body.is_empty()).then(|| body.to_owned()),
        took: Duration::from_millis(34),
        connecting: (!is_unsent).then_some(Duration::from_millis(12)),
        ..Exchange::new(operation, call.method.as_str(), url, reply)
    })
}

pub fn refused_link_exchange() -> Arc<Exchange> {
    let body = r#"{"message":"Domínio de checkout obrigatório.","action":"Conecte um domínio."}"#;
    let headers = vec![("content-type".into(), "application/json".into())];
    exchange(
        Operation::CreateLink,
        Ok(MaskedReply::new(400, headers, body)),
    )
}

/// Returns an HTTP exchange that creates a payment link of R$ 59,90. Unlike in
/// [`refused_link_exchange`], the service accepts the request.
fn accepted_link_exchange() -> Arc<Exchange> {
    let body = r#"{"id":"lnk_1","url":"https://pay.loja.example/abc","customer":{"name":"Ana"}}"#;
    let headers = vec![("content-type".into(), "application/json".into())];
    let accepted = exchange(
        Operation::CreateLink,
        Ok(MaskedReply::new(201, headers, body)),
    );
    let body = r#"{"amount":59.90,"description":"Camiseta azul M"}"#.to_owned();
    let took = Duration::from_millis(51);
    Arc::new(Exchange {
        request_body: Some(body),
        took,
        at: NOW,
        ..Exchange::clone(&accepted)
    })
}

/// Adds HTTP exchanges to an app model, as if they had happened in this run of the app.
pub fn add_exchanges(model: &mut Model, newest_first: impl IntoIterator<Item = Arc<Exchange>>) {
    let mut exchanges: Vec<_> = newest_first.into_iter().collect();
    exchanges.reverse();
    for exchange in exchanges {
        let id = ExchangeId::Run(model.exchanges.len() as u64 + 1);
        requests::add(
            model,
            Arc::new(Exchange {
                id,
                ..Exchange::clone(&exchange)
            }),
        );
    }
    let is_covered = !model.layers.is_empty();
    requests::follow_cursor(model, is_covered);
}

/// Returns the requests pane with the stored requests of two days. If `is_of_link` is true, all of
/// them are about the same payment link.
pub fn stored_requests_model(lang: Lang, is_of_link: bool) -> Model {
    let mut model = pane_model(lang, Pane::Exchanges);
    let subject = Some(ExchangeSubject::Sale(RowId(1)));
    let owner = (model.setup.profile.clone(), model.setup.origin.clone());
    let newer = with_headers(&refused_link_exchange());
    let older = Exchange {
        at: Wall(NOW.0 - 86_400_000),
        ..Exchange::clone(&newer)
    };
    let row = |id, exchange: &Exchange| RequestRow {
        id: RowId(id),
        exchange: ExchangeId::Row(RowId(id)),
        subject,
        ..RequestRow::of(owner.clone(), exchange)
    };
    let login = exchange(Operation::Login, Ok(MaskedReply::new(200, vec![], "{}")));
    let login = RequestRow {
        subject: None,
        ..row(2, &login)
    };
    let mut rows = vec![row(3, &newer), login, row(1, &older)];
    let subject = ExchangeSubject::Sale(RowId(1));
    let since = older.at;
    if is_of_link {
        rows.remove(1);
        let operation = Operation::CreateLink;
        model.requests.filter = Some(SubjectFilter {
            operation,
            subject,
            since,
        });
    }
    let ticket = model.next_ticket();
    model.requests.list.request_rows(ticket);
    let page = ListPage {
        total: Some(rows.len() as u64),
        rows: rows.into(),
        first: 0,
    };
    let read = RequestsPage {
        page,
        since: Some(since),
        is_persistent: true,
        ..RequestsPage::default()
    };
    send_message(
        &mut model,
        Msg::RequestsLoaded {
            ticket,
            result: Ok(read),
        },
    );
    send_message(
        &mut model,
        Msg::ExchangeLoaded {
            id: RowId(3),
            result: Ok(Some(Arc::new(newer))),
        },
    );
    model
}

/// Adds two headers to the reply: a request id, and a date that is 90 seconds before the request.
pub fn with_headers(exchange: &Exchange) -> Exchange {
    let mut exchange = exchange.clone();
    if let Ok(reply) = &mut exchange.reply {
        let date = "Sat, 21 Nov 2026 13:40:32 GMT";
        let id = "7d9f2c1e-0b4a-4c56-8f3e-2a1b0c9d8e7f";
        let headers = [("date", date), ("x-request-id", id)];
        reply
            .headers
            .extend(headers.map(|(name, value)| (name.into(), value.into())));
    }
    exchange
}

pub fn exchange_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut list = pane_model(lang, Pane::Exchanges);
    let success = MaskedReply::new(200, vec![], "{}");
    let newest_first = [
        refused_link_exchange(),
        exchange(
            Operation::Withdrawal,
            Err(Failure::NoAnswer(NoAnswer::Timeout)),
        ),
        exchange(Operation::FeePreview, Err(Failure::Cancelled)),
        exchange(
            Operation::DirectPayment,
            Err(Failure::NotSent(NotSent::Dns)),
        ),
        exchange(Operation::Domains, Ok(success.clone())),
        exchange(Operation::Login, Ok(success)),
    ];
    add_exchanges(&mut list, newest_first);
    list.requests.list.cursor = 1;
    requests::follow_cursor(&mut list, false);
    let details = |exchange: Arc<Exchange>| {
        let mut model = layer_model(
            lang,
            Layer::Exchange(ExchangeDetails::from(exchange.clone())),
        );
        model.pane = Pane::Exchanges;
        model.exchanges.push_front(exchange);
        model
    };
    let comparison = |pair: [Arc<Exchange>; 2]| {
        let mut model = layer_model(lang, Layer::Comparison(Comparison::from(pair)));
        model.pane = Pane::Exchanges;
        model
    };
    let unanswered = exchange(
        Operation::Withdrawal,
        Err(Failure::NoAnswer(NoAnswer::Timeout)),
    );
    let large_reply = MaskedReply {
        end: BodyEnd::TooLarge,
        received: 65_536,
        announced: Some(3_000_000),
        ..MaskedReply::new(
            200,
            vec![("content-length".into(), "3000000".into())],
            "[{\"host\":\"a",
        )
    };
    vec![
        ("exchanges-none", pane_model(lang, Pane::Exchanges)),
        ("exchanges", list.clone()),
        (
            "exchanges-search-period",
            with_change(list, |model| {
                read_search(&mut model.requests.list, "7 dias");
            }),
        ),
        ("exchanges-kept", stored_requests_model(lang, false)),
        ("exchanges-of-link", stored_requests_model(lang, true)),
        ("exchange-refused", details(refused_link_exchange())),
        ("exchange-no-answer", details(unanswered)),
        (
            "comparison",
            comparison([refused_link_exchange(), accepted_link_exchange()]),
        ),
        (
            "exchange-cut",
            details(exchange(Operation::Domains, Ok(large_reply))),
        ),
    ]
}
