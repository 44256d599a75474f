//! balcão, the counter: a full-screen terminal app through which Brazilian sellers manage payments.
//!
//! This page is the map of the house. Open any room and its first lines say what happens there.
//!
//! # One way round
//!
//! ```text
//!   keys, clicks ──► app::update ──► effects ──► runtime ──► the world
//!        ▲               │                         │       service, vault, journal, cashier
//!        │             model                       │
//!        │               ▼                         ▼
//!     terminal ◄── view ◄── page                messages ──► app::update
//! ```
//!
//! * [`app`] holds the [`Model`](app::Model). [`app::update`] is the whole behaviour: one message
//!   in, the model changed, [effects](app::Effect) out. It has no clock, disk, network or chance:
//!   the same model, message and [stamp](app::Stamp) give the same result.
//! * [`app::screens`] holds a file for each screen: what it is, which keys it hears, what it
//!   lays out. They share the [`store`](app::store), and are made of the kit in [`app::ui`].
//!   [`app::router`] knows which one has the keys, and [`app::around::page`] lays out the whole
//!   frame, as plain values.
//! * [`view`] paints that page with a theme. What was on it comes back with the next message, as
//!   [`Seen`](app::store::seen::Seen): nothing is agreed to that no frame showed.
//! * [`runtime`] acts on the world: [`runtime::run`] is the loop, [`runtime::world`] the one
//!   `match` from effect to future to message.
//!
//! # Money leaves by one door
//!
//! ```text
//!   Form ─► Review (the key is minted) ─► Prepare: key, bytes, quote on disk
//!                                             │
//!     cashier::attempt:  lock ─► journal.begin ─► Permit ─► wire.send ─► journal.settle ─► unlock
//! ```
//!
//! A [`Permit`](journal::Permit) is made by the [`journal`] alone, after the attempt is on disk,
//! and sending consumes it: what is not on disk cannot be sent, not the first time and not later.
//! [`cashier`] orders the steps. What the attempts prove together is worked out by
//! [`settle`](mod@trade::withdrawal), never stored. "No answer" is a state, not an error.
//!
//! Everything of one user of a computer stands in one journal ([`journal::home`]), whatever address
//! or login it is about: two would not see each other's withdrawals.
//!
//! Only what the program plays itself, or what proves itself, is the sandbox: everything else is
//! live, and has a live journal ([`service::SandboxProof`]).
//!
//! The lines of a contract are agreed to before the first request that they shape, the login
//! included: [`app::screens::consent`] is the page, and the client checks the
//! [consent](service::Consent) in the vault just before it sends anything. A line is taught where
//! a reply does not fit ([`app::screens::teach`]), and stays assumed until a live reply, or the
//! seller who saw the money arrive, confirms it ([`app::store::confirming`]).
//!
//! Several windows may have one journal: an attempt holds the account's lock, and whoever appends
//! wakes the others ([`runtime::watch`]). A window that dies lets go of its lock, which wakes the
//! one that waits for it; no window asks from time to time.
//!
//! # The rooms
//!
//! | room | what it is for | knows |
//! |---|---|---|
//! | [`trade`] | the words of the trade, as plain values | nothing |
//! | [`contract`] | what the service's documentation does not show, as data | trade |
//! | [`words`] | two languages: messages, dates, names, the sentences of failures | trade |
//! | [`app`] | model, `update`, the screens | trade, contract, words, records of journal |
//! | [`view`] | colours and signs for what a screen laid out | app, words |
//! | [`service`] | the HTTP client: one attempt a call, every reply classified | trade, contract |
//! | [`journal`] | `money.db` and `history.db`, and where they are; permits are made here | trade |
//! | [`cashier`] | the one door by which money leaves | trade, journal |
//! | [`worker`] | one thread behind a queue with a bound | nothing |
//! | [`vault`] | where credentials are kept; one thread, every call with a limit | trade, worker |
//! | [`config`] | files, environment and flags | trade, contract |
//! | [`runtime`] | the loop, the terminal, signals, the world, the checkup | everything above |
//! | [`sandbox`] | the payments service played locally; an independent witness | nothing |
//! | [`demo`] | the app on its own sandbox | runtime, sandbox |
//! | [`cli`] | arguments, subcommands and their own sentences | everything |
//!
//! A single crate has no walls between its modules, so a test holds this table: `tests/tidy`
//! follows every path of every file. It also holds the floors inside `app`.
//!
//! # Laws
//!
//! 1. Only `update` changes the model; only the runtime acts; a screen is laid out once a frame,
//!    and the view only paints.
//! 2. One agreement, one key: minted when the review opens, durable on confirm, never minted again.
//! 3. Nothing that may have paid is sent again without a key press.
//! 4. Every wait has a limit, every queue a bound, every question a ticket; a stale answer is
//!    dropped.
//! 5. Every failure says what happened, whether money moved, and what to do next; the words stand
//!    in one place ([`words::failure`]).
//! 6. Text from outside is [`Untrusted`](trade::Untrusted); a secret is a
//!    [`Secret`](trade::Secret) and never enters a message or the model.
//! 7. A list in the model is a window; searching is the database's work.

#[cfg(not(unix))]
compile_error!("balcao runs on Linux and macOS; on Windows, inside WSL");

pub mod app;
pub mod cashier;
pub mod cli;
pub mod config;
pub mod contract;
pub mod demo;
pub mod journal;
pub mod runtime;
pub mod sandbox;
pub mod service;
pub mod trade;
pub mod vault;
pub mod view;
pub mod words;
pub mod worker;
