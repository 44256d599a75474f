//! The domain types: money, withdrawals, payment links, direct payments, credentials and failures.
//!
//! All types are plain values: this module reads no clock, file or network. Start with the
//! glossary.
//!
//! # Glossary
//!
//! Money:
//!
//! | term | meaning |
//! |---|---|
//! | [`Money`] | an exact amount in reais (R$); one real is 100 centavos |
//! | [`AmountField`] | the state of an amount input |
//! | [`Quote`] | the result of a fee preview: amount, fee and net amount of a withdrawal |
//! | net amount | the amount that the receiver gets: the amount minus the fee |
//!
//! Withdrawals:
//!
//! | term | meaning |
//! |---|---|
//! | [`Agreement`] | the confirmed terms of a withdrawal: key, request body, quote |
//! | [`Attempt`] | one sending of an agreement |
//! | [`Withdrawal`] | an agreement, its attempts, and the user's decision about it |
//! | [`WithdrawalState`](withdrawal::WithdrawalState) | the state, computed from the record |
//! | prepared | stored but not accepted yet; no money has moved |
//! | open | money may have moved and the outcome is not known |
//! | decided | accepted, rejected, discarded or resolved by the user |
//! | unclear | an attempt that may have paid, such as one without a response |
//! | review | the screen on which the seller confirms a withdrawal |
//! | [`IdempotencyKey`] | the id of a withdrawal, sent with every attempt |
//! | [`Window`](withdrawal::Window) | the time in which a withdrawal may be sent again |
//! | [`Clash`](withdrawal::Clash) | another withdrawal that forbids or questions a new one |
//! | permit | the proof that an attempt is in the journal; without it nothing is sent |
//! | echo | an amount or destination in a response, compared with the request |
//! | [`PixKey`] | a Pix key: the destination of a withdrawal |
//! | team | operators who share a journal of withdrawals in a database |
//! | operator | a person of a team ([`Author`]) |
//! | log, mirror | a team's journal in its database, and its copy on a machine |
//! | [`Nickname`] | the seller's name for a Pix key |
//!
//! Links and direct payments:
//!
//! | term | meaning |
//! |---|---|
//! | [`PaymentLink`] | a link to a checkout page, which the seller sends to a buyer |
//! | [`CheckoutDomain`] | a host name of the seller on which checkout pages are served |
//! | [`Charge`] | a direct payment, by Pix code; in the contract: `direct_payment` |
//! | [`Sale`] | a payment link or a direct payment, as a row of the history |
//! | buyer | the person who pays a link or a direct payment; `customer` in the API |
//! | [`KnownBuyer`] | a buyer of earlier direct payments, who is offered in the form |
//! | Pix code | text ("Copia e Cola") or QR code that a buyer pays in a banking app |
//! | [`BrCode`] | a parsed Pix code |
//! | [`MessageTemplate`] | the text that a seller sends to a buyer with a link or a Pix code |
//! | [`ListPage`] | some consecutive rows of a list |
//! | [`Search`] | the search words and filter of a list |
//!
//! The service and this computer:
//!
//! | term | meaning |
//! |---|---|
//! | service | the server that offers the payments API |
//! | sandbox | a service without real money; all other services are live |
//! | [`Origin`] | scheme, host and port of a service |
//! | [`Account`] | the owner of money: an origin and the login there |
//! | profile | a named group of settings: service address, contract, vault |
//! | contract | settings that describe the undocumented parts of the API |
//! | contract setting | one of these, such as `withdrawal.echo_amount = ["/amount"]` |
//! | assumed, confirmed | a contract setting before and after a live response proved it right |
//! | field | an input of a form and of the request body, declared in the contract |
//! | preset | a built-in contract file for one kind of service |
//! | dialect | a way in which the sandbox replies, to imitate another service |
//! | teach | to correct a contract setting by selecting a value in a real reply |
//! | consent | the seller's agreement to the contract settings in force |
//! | vault | the store for credentials, such as the system's keyring ([`VaultKind`]) |
//! | [`CredentialKind`] | the API token or the JWT |
//! | [`Operation`] | an operation of the API |
//! | [`Exchange`] | a record of one HTTP request and its response, with secrets masked |
//! | journal | the database of withdrawals, `money.db` |
//! | history | the database of links and direct payments, `history.db` |
//! | requests | the database of HTTP requests, `requests/requests.db` ([`RequestRow`]) |
//! | [`Checkup`](checkup::Checkup) | the report of `balcao doctor` about computer and service |
//!
//! The program:
//!
//! | term | meaning |
//! |---|---|
//! | [`Ticket`] | the number of a request; a response with an old ticket is ignored |
//! | [`Wall`], [`Clocks`] | a time, and a reading of several clocks |
//! | [`Failure`] | the reason an operation failed |
//! | [`Refusal`] | a failure reported by the service |
//! | [`Untrusted`] | text from outside, such as a response or a file |
//! | [`Secret`] | a password or token, which is never shown |
//! | [`personal`] | functions that mask personal data on a screen that other people see |

#![warn(missing_docs)]

pub mod amount;
mod batch;
mod br_code;
mod checkout_domain;
pub mod checkup;
mod credential;
mod exchange;
mod failure;
mod header;
mod ids;
mod journal_trouble;
pub mod known_words;
mod link_totals;
mod message_template;
mod money;
mod nickname;
mod payment;
pub mod personal;
mod pix_key;
mod quote;
pub mod report;
pub mod search;
mod secret;
mod statement_mark;
mod support;
mod team;
mod time;
pub mod unit_check;
mod untrusted;
pub mod withdrawal;

use std::collections::BTreeMap;

pub use amount::{AmountField, PasteError, read_pasted};
pub use batch::{
    Batch, BatchCounts, BatchId, BatchLine, BatchSource, FailedLine, LineResult, LineState,
};
pub use br_code::{BrCode, BrokenRule, CodePart, crc16};
pub use checkout_domain::{CheckoutDomain, DomainChoice, DomainList, DomainState};
pub use credential::{CredentialKind, CredentialName, VaultKind, VaultTrouble};
pub use exchange::{
    BodyEnd, Exchange, ExchangeId, ExchangeSubject, MaskedReply, Operation, RequestQuery,
    RequestResult, RequestRow, RequestsPage, SubjectFilter,
};
pub use failure::{AddressFault, Failure, MoneyMoved, NoAnswer, Refusal};
pub use header::HeaderUse;
pub use ids::{Account, IdempotencyKey, KeyFormat, Origin, Ticket};
pub use journal_trouble::{JournalContents, JournalTrouble, LostHistory};
pub use link_totals::{DAYS, LinksTotal, RecentTotals, SearchTotals};
pub use message_template::{MessageFields, MessageKind, MessageTemplate, TemplateError};
pub use money::Money;
pub use nickname::{Nickname, Nicknames};
pub use payment::{
    Charge, ChargeOutcome, ChargeRequest, CreatedCharge, CreatedLink, DayTotal, KnownBuyer,
    KnownLink, LinkOutcome, LinkRequest, ListPage, ListTotals, MAX_DESCRIPTION_LENGTH,
    MAX_NOTE_LENGTH, Outcome, PagePosition, Paid, PaidSource, PaymentLink, RowId, Sale,
    SaleAuthors, SaleOf, SaleRequest, SalesPage, parse_note,
};
pub use pix_key::{
    KeyReading, PixKey, PixKeyError, PixKeyKind, key_readings, likely_error, normalized_input,
    other_kinds,
};
pub use quote::{FigureSource, MAX_QUOTE_AGE, NoQuote, Quote, QuoteFault, QuoteFigure};
pub use search::{LinkFilter, Search};
pub use secret::{MAX_SECRET_BYTES, Secret, SecretField};
pub use statement_mark::{EntryId, SaleRow, StatementMark, StatementMarks, UndoneMarks};
pub use support::{MaskedKind, SupportMember, SupportSummary};
pub use team::{Author, Team, TeamStatus};
pub use time::{ClockDoubt, Clocks, Wall, date_of, day_of};
pub use untrusted::Untrusted;
pub use withdrawal::{Agreement, Attempt, Withdrawal};

/// The key bindings from a settings file: the keys of each action, grouped by scope.
pub type KeyTable = BTreeMap<String, BTreeMap<String, Vec<String>>>;
