//! The records of the history, as rows of a table: what is kept of each, and the words it has.

use rusqlite::types::{FromSqlError, Type};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::trade::search::Called;
use crate::trade::{
    Charge, ChargeOutcome, ChargeRequest, LinkOutcome, LinkRequest, Money, PaymentLink, RowId, Wall,
};

/// A record that a table can hold.
pub(super) trait TableRow: Sized {
    /// The name of the table.
    const TABLE: &'static str;

    type Request: Serialize + DeserializeOwned;
    type Outcome: Serialize + DeserializeOwned;

    fn put_together(id: RowId, at: Wall, request: Self::Request, outcome: Self::Outcome) -> Self;

    /// The column that says when a person marked the row as paid.
    const PAID_AT: &'static str = "NULL";

    /// The column that says on which host it is, or was to be.
    const HOST: &'static str = "NULL";

    /// The same record with that mark.
    fn marked(self, _paid: Option<Wall>) -> Self {
        self
    }

    /// Returns true when the service made what was asked for.
    fn is_created(outcome: &Self::Outcome) -> bool;

    /// Returns the label of a row that was not made.
    fn called(outcome: Self::Outcome) -> Option<Called>;

    /// Of what was made, that of which a row says only that; on the table's columns.
    const MADE: &'static str;

    /// The text that a search looks at.
    fn words(request: &Self::Request, outcome: &Self::Outcome) -> String;
}

impl TableRow for PaymentLink {
    const TABLE: &'static str = "link";

    type Request = LinkRequest;
    type Outcome = LinkOutcome;

    fn put_together(id: RowId, at: Wall, request: LinkRequest, outcome: LinkOutcome) -> Self {
        PaymentLink { id, at, request, outcome: LinkOutcome::of_stored(outcome), paid: None }
    }

    const HOST: &'static str = "host";

    const PAID_AT: &'static str = "paid_at";

    fn marked(self, paid: Option<Wall>) -> Self {
        PaymentLink { paid, ..self }
    }

    fn is_created(outcome: &LinkOutcome) -> bool {
        matches!(outcome, LinkOutcome::Created { .. })
    }

    fn called(outcome: LinkOutcome) -> Option<Called> {
        match LinkOutcome::of_stored(outcome) {
            LinkOutcome::Unknown => Some(Called::MayExist),
            LinkOutcome::Refused(_) => Some(Called::Refused),
            LinkOutcome::NotSent => Some(Called::NotSent),
            LinkOutcome::Created { .. } => None,
        }
    }

    /// No domain was named.
    const MADE: &'static str = "created AND json_extract(request, '$.domain') IS NULL";

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

    fn put_together(id: RowId, at: Wall, request: ChargeRequest, outcome: ChargeOutcome) -> Self {
        Charge { id, at, request, outcome: ChargeOutcome::of_stored(outcome) }
    }

    fn is_created(outcome: &ChargeOutcome) -> bool {
        matches!(outcome, ChargeOutcome::Created { .. })
    }

    fn called(outcome: ChargeOutcome) -> Option<Called> {
        match ChargeOutcome::of_stored(outcome) {
            ChargeOutcome::Unknown => Some(Called::MayExist),
            ChargeOutcome::Refused(_) => Some(Called::Refused),
            ChargeOutcome::NotSent => Some(Called::NotSent),
            ChargeOutcome::Created { .. } => None,
        }
    }

    /// The service gave no status word of its own.
    const MADE: &'static str = "created AND json_extract(outcome, '$.created.status') IS NULL";

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
