//! The HTTP exchanges (requests with their replies) of this run that are not stored in the requests
//! database yet.
//!
//! An exchange is stored only after the app has handled the result of the operation, such as a new
//! link. The exchange arrives before that result. For a withdrawal, it arrives even before the
//! journal has recorded the result. No exchange is stored while a withdrawal is being prepared or
//! sent.

use std::sync::Arc;

use crate::app::store::profiles::is_withdrawal_in_progress;
use crate::app::store::requests;
use crate::app::{Effect, Msg, Store};
use crate::trade::{Exchange, ExchangeSubject, Operation, RequestRow};

/// An HTTP exchange that is not stored in the requests database yet.
#[derive(Debug, Clone)]
pub struct UnstoredExchange {
    /// The row that represents the exchange in the list of requests.
    pub row: RequestRow,
    pub exchange: Arc<Exchange>,
    /// True if the result of the operation that sent the request has been handled.
    has_ended: bool,
}

impl UnstoredExchange {
    pub fn new(row: RequestRow, exchange: Arc<Exchange>) -> UnstoredExchange {
        UnstoredExchange { row, exchange, has_ended: false }
    }
}

/// An operation that has ended, such as creating a link. The second value is the link, direct
/// payment or withdrawal that it concerned, if any.
pub type Ended = (Operation, Option<ExchangeSubject>);

/// If the message contains the result of an operation, such as creating a link, returns that
/// operation. Otherwise returns `None`.
pub fn ended(msg: &Msg) -> Option<Ended> {
    use ExchangeSubject::{Sale, Withdrawal};
    Some(match msg {
        Msg::LoggedIn { .. } => (Operation::Login, None),
        Msg::DomainsListed { .. } => (Operation::Domains, None),
        Msg::LinkMade { result, .. } => {
            (Operation::CreateLink, result.as_ref().ok().map(|link| Sale(link.id)))
        }
        Msg::ChargeMade { result, .. } => {
            (Operation::DirectPayment, result.as_ref().ok().map(|charge| Sale(charge.id)))
        }
        Msg::Quoted { .. } => (Operation::FeePreview, None),
        Msg::Settled(withdrawal) => {
            (Operation::Withdrawal, Some(Withdrawal(withdrawal.agreement.key)))
        }
        Msg::AttemptTrouble { key, .. } => (Operation::Withdrawal, Some(Withdrawal(*key))),
        _ => return None,
    })
}

/// Returns the effects that store HTTP exchanges in the requests database. Stores the exchanges
/// whose operations have ended, or all exchanges when the program ends. While a withdrawal is being
/// prepared or sent, stores nothing.
pub fn store(store: &mut Store, ended: Option<Ended>) -> Vec<Effect> {
    for unstored in &mut store.unstored_exchanges {
        if let Some((_, subject)) =
            ended.filter(|(operation, _)| *operation == unstored.exchange.operation)
            && !unstored.has_ended
        {
            (unstored.row.subject, unstored.has_ended) = (unstored.row.subject.or(subject), true);
        }
        unstored.has_ended |= store.leaving;
    }
    if is_withdrawal_in_progress(store) {
        return vec![];
    }
    let ended_exchanges = store.unstored_exchanges.extract_if(.., |unstored| unstored.has_ended);
    let store_effects = ended_exchanges.map(|unstored| Effect::KeepExchange {
        exchange: unstored.exchange,
        subject: unstored.row.subject,
    });
    let mut effects: Vec<_> = store_effects.collect();
    if !effects.is_empty() {
        effects.extend(requests::load_if_shown(store));
    }
    effects
}
