//! The records of the history, as rows of a table: what is kept of each, and the words it has.

use rusqlite::types::{FromSqlError, Type};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::trade::search::Called;
use crate::trade::{
    Account, Charge, ChargeOutcome, ChargeRequest, LinkOutcome, LinkRequest, Money, PaymentLink,
    RowId, Wall,
};

/// A record that a table can hold.
pub(super) trait TableRow: Sized {
    /// The name of the table.
    const TABLE: &'static str;

    type Request: Serialize + DeserializeOwned;
    type Outcome: Serialize + DeserializeOwned;

    /// Returns the account that asked, and the amount.
    fn of_whom(request: &Self::Request) -> (&Account, Money);

    /// Builds the record of a row; only a link can be marked as paid.
    fn put_together(row: RowColumns, request: Self::Request, outcome: Self::Outcome) -> Self;

    /// Returns what the row is called, if that is all it says about its outcome.
    fn label(request: &Self::Request, outcome: &Self::Outcome) -> Option<Called>;

    /// Returns true when the service made what was asked for.
    fn is_created(outcome: &Self::Outcome) -> bool;

    /// Returns the host that a search can be limited to.
    fn host(request: &Self::Request, outcome: &Self::Outcome) -> Option<String>;

    /// Returns the text that a search looks at.
    fn words(request: &Self::Request, outcome: &Self::Outcome) -> String;
}

/// The columns of a row that are in no JSON.
pub(super) struct RowColumns {
    pub id: RowId,
    pub at: Wall,
    pub paid: Option<Wall>,
}

/// Returns the number that stands for a label in the file; `None` for what no row is called.
pub(super) fn label_number(called: Called) -> Option<i64> {
    match called {
        Called::Made => Some(0),
        Called::MayExist => Some(1),
        Called::Refused => Some(2),
        Called::NotSent => Some(3),
        _ => None,
    }
}

impl TableRow for PaymentLink {
    const TABLE: &'static str = "link";

    type Request = LinkRequest;
    type Outcome = LinkOutcome;

    fn of_whom(request: &LinkRequest) -> (&Account, Money) {
        (&request.account, request.amount)
    }

    fn put_together(row: RowColumns, request: LinkRequest, outcome: LinkOutcome) -> Self {
        let RowColumns { id, at, paid } = row;
        PaymentLink { id, at, request, outcome: LinkOutcome::of_stored(outcome), paid }
    }

    fn label(request: &LinkRequest, outcome: &LinkOutcome) -> Option<Called> {
        match LinkOutcome::of_stored(outcome.clone()) {
            LinkOutcome::Unknown => Some(Called::MayExist),
            LinkOutcome::Refused(_) => Some(Called::Refused),
            LinkOutcome::NotSent => Some(Called::NotSent),
            // A row with a domain shows that.
            LinkOutcome::Created { .. } => request.domain.is_none().then_some(Called::Made),
        }
    }

    fn is_created(outcome: &LinkOutcome) -> bool {
        matches!(outcome, LinkOutcome::Created { .. })
    }

    fn host(request: &LinkRequest, outcome: &LinkOutcome) -> Option<String> {
        PaymentLink::host(request, outcome)
    }

    fn words(request: &LinkRequest, outcome: &LinkOutcome) -> String {
        let mut words = format!("{} {}", request.description, amount_words(request.amount));
        if let Some(domain) = &request.domain {
            words.push_str(&format!(" {}", domain.raw()));
        }
        if let LinkOutcome::Created { url } = outcome {
            words.push_str(&format!(" {}", url.raw()));
        }
        words
    }
}

impl TableRow for Charge {
    const TABLE: &'static str = "charge";

    type Request = ChargeRequest;
    type Outcome = ChargeOutcome;

    fn of_whom(request: &ChargeRequest) -> (&Account, Money) {
        (&request.account, request.amount)
    }

    fn put_together(row: RowColumns, request: ChargeRequest, outcome: ChargeOutcome) -> Self {
        Charge { id: row.id, at: row.at, request, outcome: ChargeOutcome::of_stored(outcome) }
    }

    fn label(_: &ChargeRequest, outcome: &ChargeOutcome) -> Option<Called> {
        match ChargeOutcome::of_stored(outcome.clone()) {
            ChargeOutcome::Unknown => Some(Called::MayExist),
            ChargeOutcome::Refused(_) => Some(Called::Refused),
            ChargeOutcome::NotSent => Some(Called::NotSent),
            // A row shows the service's own word for the status.
            ChargeOutcome::Created { status, .. } => status.is_none().then_some(Called::Made),
        }
    }

    fn is_created(outcome: &ChargeOutcome) -> bool {
        matches!(outcome, ChargeOutcome::Created { .. })
    }

    fn host(_: &ChargeRequest, _: &ChargeOutcome) -> Option<String> {
        None
    }

    fn words(request: &ChargeRequest, outcome: &ChargeOutcome) -> String {
        let mut words = format!("{} {}", request.description, amount_words(request.amount));
        if let Some(customer) = &request.customer {
            words.push_str(&format!(" {customer}"));
        }
        if let ChargeOutcome::Created { id, status, .. } = outcome {
            for said in [id, status].into_iter().flatten() {
                words.push_str(&format!(" {}", said.raw()));
            }
        }
        words
    }
}

/// An amount as people type it: with its points, without them, and as the wire has it.
fn amount_words(amount: Money) -> String {
    let shown = amount.to_string();
    format!("{shown} {} {}", shown.replace('.', ""), amount.wire())
}

pub(super) fn json<T: Serialize>(value: &T) -> rusqlite::Result<String> {
    serde_json::to_string(value)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

pub(super) fn parse<T: DeserializeOwned>(text: &str) -> rusqlite::Result<T> {
    serde_json::from_str(text).map_err(|error| unreadable(Box::new(error)))
}

pub(super) fn unreadable(error: Box<dyn std::error::Error + Send + Sync>) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(FromSqlError::Other(error)))
}
