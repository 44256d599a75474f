//! Payment links: the list, a new one, and what may be done with a url.

use super::list::List;
use crate::trade::PaymentLink;

/// Everything the app knows of links.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The list.
    pub list: List<PaymentLink>,
    /// How many and how much, for each day that is in the window.
    pub days: Vec<DayTotal>,
}

/// What was made on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DayTotal {
    /// The first moment of the day, where the seller is.
    pub starts: crate::trade::Wall,
    /// How many links were made.
    pub count: u64,
    /// What they ask for together.
    pub sum: crate::trade::Money,
}

/// Something about an address that a person should know before passing it on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Oddity {
    /// It holds a user name or a password.
    UserInfo,
    /// Its host is a number.
    IpLiteral,
    /// It is not encrypted.
    Http,
    /// Its host is the API's own.
    ApiHost,
    /// Its host is neither the chosen domain nor one of the known usable ones.
    UnknownHost,
}
