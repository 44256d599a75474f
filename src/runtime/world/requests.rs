//! The list of HTTP requests: stores them, loads them, and finds the link, direct payment or
//! withdrawal that belongs to a request.

use std::future::Future;
use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::WorldContext;
use crate::app::Msg;
use crate::app::store::exchanges::bodies::BodiesRequest;
use crate::app::store::requests::RequestObject;
use crate::runtime::history::in_history;
use crate::trade::{Operation, RequestQuery, RowId, Ticket, Wall};

/// Loads a page of the list of HTTP requests.
pub fn load(
    context: Arc<WorldContext>,
    query: RequestQuery,
) -> impl Future<Output = Option<Msg>> + Send + 'static {
    let ticket = query.ticket;
    let page = context.stores.requests.page(query);
    async move {
        Some(Msg::RequestsLoaded {
            ticket,
            result: page.await?,
        })
    }
}

/// Loads a stored HTTP request with its reply.
pub async fn load_exchange(context: Arc<WorldContext>, id: RowId) -> Msg {
    let result = context
        .stores
        .requests
        .exchange(id)
        .await
        .map(|exchange| exchange.map(Arc::new));
    Msg::ExchangeLoaded { id, result }
}

/// Parses the JSON bodies of these HTTP requests and replies. Only one thread at a time does this.
pub async fn read_bodies(context: Arc<WorldContext>, request: BodiesRequest) -> Option<Msg> {
    let permit = context.body_parsing.clone().acquire_owned().await.ok()?;
    spawn_blocking(move || {
        let bodies = request.read();
        // Cancelling the task does not stop this thread, so the thread itself holds the permit.
        drop(permit);
        Msg::BodiesRead(request.ticket, bodies.into())
    })
    .await
    .ok()
}

/// Looks up a payment link or direct payment that was created no later than `by`.
pub async fn find_sale(
    context: Arc<WorldContext>,
    ticket: Ticket,
    (operation, id, by): (Operation, RowId, Wall),
) -> Msg {
    let found = in_history(&context.stores.history, move |history| {
        history.sale(operation, id)
    })
    .await;
    let result = found.map(|sale| {
        // A damaged history is replaced by a new one, which uses the same row ids again. A row that
        // was created after `by` belongs to the new history, not to this request.
        let sale = sale.filter(|sale| sale.identity().1 <= by);
        sale.map(|sale| RequestObject::Sale(Box::new(sale)))
    });
    Msg::ObjectFound { ticket, result }
}
