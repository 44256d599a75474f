//! The HTTP exchanges (requests with their replies) of this run that are not stored in the requests
//! database yet.
//!
//! An exchange is stored after the result of its operation has been handled. The exchange arrives
//! before that result. For a withdrawal, it arrives even before the journal has recorded the
//! result. Exchanges are never stored while a withdrawal is being prepared or sent.

use std::sync::Arc;

use crate::app::store::profiles::money_moves;
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
    is_answered: bool,
}

impl UnstoredExchange {
    pub fn new(row: RequestRow, exchange: Arc<Exchange>) -> UnstoredExchange {
        UnstoredExchange { row, exchange, is_answered: false }
    }
}

/// An operation that has ended, such as creating a link. The second value is the link, direct
/// payment or withdrawal that it concerned, if any.
pub type Ended = (Operation, Option<ExchangeSubject>);

/// Returns the operation whose result this message contains, or `None` if the message contains no
/// result.
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

/// Returns the effects that store HTTP exchanges in the requests database. Exchanges whose
/// operations have ended are stored; when the program ends, all are stored. Nothing is stored while
/// a withdrawal is being prepared or sent.
pub fn store(store: &mut Store, ended: Option<Ended>) -> Vec<Effect> {
    for one in &mut store.unstored_exchanges {
        if let Some((_, subject)) = ended.filter(|(of, _)| *of == one.exchange.operation)
            && !one.is_answered
        {
            (one.row.subject, one.is_answered) = (one.row.subject.or(subject), true);
        }
        one.is_answered |= store.leaving;
    }
    if money_moves(store) {
        return vec![];
    }
    let answered = store.unstored_exchanges.extract_if(.., |one| one.is_answered);
    let stored = answered
        .map(|one| Effect::KeepExchange { exchange: one.exchange, subject: one.row.subject });
    let mut effects: Vec<_> = stored.collect();
    if !effects.is_empty() {
        effects.extend(requests::load_if_shown(store));
    }
    effects
}
