//! The words of the trade, as plain values.
//!
//! Every word has one meaning in the whole program:
//!
//! | word | meaning |
//! |---|---|
//! | [`Money`] | reais, exact |
//! | [`Quote`] | three figures: from the balance, the fee, to the receiver |
//! | [`Agreement`] | the confirmed terms of a withdrawal: key, bytes, quote |
//! | [`Attempt`] | one sending of an agreement |
//! | [`Withdrawal`] | an agreement, its attempts, and a person's decision |
//! | [`IdempotencyKey`] | the name of an agreement, for the service and for us |
//! | [`PaymentLink`] | a hosted checkout, reached by its `url` |
//! | [`CheckoutDomain`] | a host of the seller's on which checkouts are served |
//! | [`Charge`] | a direct payment |
//! | [`BrCode`] | what the Pix code of a direct payment says |
//! | [`Exchange`] | one HTTP request and its reply, masked |
//! | [`Account`] | the owner of money: an origin and the identity logged in |
//! | [`Checkup`](checkup::Checkup) | what was found of this computer, its files and the service |
//! | [`Search`] | the terms a list is searched for, and their meanings |
//! | [`Untrusted`] | text from outside |
//! | [`personal`] | what is masked where others look at the screen |
//! | [`Secret`] | text that is never shown |
//! | [`Failure`] | the reason something was not done |

mod amount;
mod br_code;
pub mod checkup;
mod credential;
mod exchange;
mod failure;
mod ids;
mod journal_trouble;
mod link_totals;
mod message_template;
mod money;
mod nickname;
mod payment;
pub mod personal;
mod pix_key;
mod quote;
pub mod search;
mod secret;
mod time;
mod untrusted;
pub mod withdrawal;

use std::collections::BTreeMap;

pub use amount::{AmountField, PasteError, read_pasted};
pub use br_code::BrCode;
pub use credential::{CredentialKind, CredentialName, VaultKind, VaultTrouble};
pub use exchange::{Exchange, Operation, ReplySeen};
pub use failure::{AddressFault, Failure, Moved, NoAnswer, Refusal};
pub use ids::{Account, IdempotencyKey, KeyFormat, Origin, Ticket};
pub use journal_trouble::JournalTrouble;
pub use link_totals::{DAYS, FoundTotals, LinkFigures, LinksTotal};
pub use message_template::{MessageFields, MessageKind, MessageTemplate, TemplateError};
pub use money::Money;
pub use nickname::{Nickname, Nicknames};
pub use payment::{
    Charge, ChargeOutcome, ChargeRequest, CheckoutDomain, DayTotal, DomainChoice, DomainState,
    LinkOutcome, LinkRequest, LinkTotals, LinksRead, ListPage, PagePlace, PaymentLink, RowId,
};
pub use pix_key::{PixKey, PixKeyError, PixKeyKind, as_typed, other_kinds};
pub use quote::{FigureSource, NoQuote, Part, Quote, QuoteFault, STALE_AFTER};
pub use search::{LinkFilter, Search};
pub use secret::{SECRET_BYTES, Secret, SecretField};
pub use time::{ClockDoubt, Clocks, Wall, date_of};
pub use untrusted::Untrusted;
pub use withdrawal::{Agreement, Attempt, Withdrawal};

/// The keys of the program as a file has them: place, action, keys.
pub type KeyTable = BTreeMap<String, BTreeMap<String, Vec<String>>>;
