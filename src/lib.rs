//! balcao ("counter" in Portuguese): a full-screen terminal app through which Brazilian sellers
//! manage payments: payment links, direct payments by Pix, and withdrawals.
//!
//! This page gives an overview of the crate. The glossary is in [`trade`]. Each module begins with
//! a description of its own.
//!
//! # Data flow
//!
//! ```text
//!   keys, clicks ──► app::update ──► effects ──► runtime ──► service, vault, journal, cashier
//!        ▲               │                         │
//!        │             model                       │
//!        │               ▼                         ▼
//!     terminal ◄── view ◄── page                messages ──► app::update
//! ```
//!
//! * [`app`] holds the [`Model`](app::Model). [`app::update`] is the only function that changes it:
//!   it takes a message and returns [effects](app::Effect). It uses no clock, disk, network or
//!   randomness, so the result depends only on the model, the message and its [stamp](app::Stamp)
//!   (clock readings and a fresh key).
//! * [`app::screens`] has a module for each screen: its state, its keys and its layout. Screens
//!   share the state in [`app::store`] and the building blocks in [`app::ui`]. [`app::router`]
//!   finds the screen that receives a key press. The [page layout](app::chrome::page) computes a
//!   whole frame as plain values.
//! * [`view`] draws that page with a theme. The next message carries a [record of the
//!   frame](app::store::frame_snapshot::FrameSnapshot), so that only text that was rendered can be
//!   confirmed.
//! * [`runtime`] performs the effects: [`runtime::run`] is the main loop, and [`runtime::world`]
//!   maps each effect to a future that produces messages.
//!
//! # How a withdrawal is sent
//!
//! ```text
//!   form ─► review (creates the idempotency key) ─► prepare: key, body and quote on disk
//!                                                     │
//!     cashier::attempt:  lock ─► journal.begin ─► Permit ─► wire.send ─► journal.settle ─► unlock
//! ```
//!
//! [`cashier`] is the only module that sends withdrawals, and it performs these steps in order.
//! Only the [`journal`] creates a [`Permit`](journal::Permit), after the attempt is on disk.
//! Sending consumes the permit, so an attempt that is not on disk cannot be sent. The combined
//! result of all attempts is [computed](mod@trade::withdrawal) and never stored. A missing response
//! is a state of the withdrawal, not an error.
//!
//! All live withdrawals of one OS user are in one journal ([its location](journal::journal_dir)),
//! for all addresses and logins. If there were several journals, a repeated withdrawal could stay
//! undetected.
//!
//! A service counts as a sandbox (without real money) only if the program runs it itself or if it
//! [proves](service::SandboxProof) to be one. All others are live and use the live journal.
//!
//! The contract is a set of settings that describe the parts of the API that its documentation does
//! not show, such as the name of a field. Before the first request, including the login, the seller
//! must agree to the origin of the service, unless it was typed in this start, and to every setting
//! that differs from the built-in contract: [`app::screens::consent`] shows them, and the client
//! checks the stored [consent](service::Consent) just before it sends.
//! If a response does not fit the contract, the seller can select the right field in it
//! ([`app::screens::teach`]). The new setting counts as assumed until a live response, or the
//! seller who saw the money arrive, confirms it ([`app::store::confirming`]).
//!
//! Several instances of the program may use one journal. A send attempt holds the lock of its
//! account. If an instance appends to the journal, the others notice it, because they watch the
//! journal's directory ([`runtime::watch`]) and need not poll. If an instance crashes, its lock is
//! released, and an instance that waits for the lock continues.
//!
//! # Modules
//!
//! | module | purpose | uses |
//! |---|---|---|
//! | [`trade`] | the domain types, as plain values | nothing |
//! | [`contract`] | the undocumented parts of the API, as data | trade, locked |
//! | [`words`] | messages, dates, names and failure texts | trade, csv_files, batch, statement |
//! | [`app`] | screens | trade, contract, words, csv_files, batch, statement, journal (records) |
//! | [`view`] | draws a page with colours and symbols | app, words |
//! | [`accessible`] | tells a page as lines, and reads typed lines | app, trade, words |
//! | [`service`] | the HTTP client: sends requests and classifies responses | trade, contract |
//! | [`csv_files`] | reads price lists, and writes files for spreadsheets | trade |
//! | [`batch`] | checks and paces batches of links, and writes their results | trade, csv_files |
//! | [`statement`] | reads statements of bank accounts | trade, csv_files |
//! | [`rows`] | the rows of lists as JSON and CSV, in full or masked | trade, words, csv_files |
//! | [`har`] | exports requests without secrets and personal data | trade, contract |
//! | [`support`] | a support file: one zip with what a helper needs | trade |
//! | [`recording`] | recordings of the screens of a run: format, writing and reading | trade |
//! | [`player`] | plays a recording: its keys and screen | trade, words, recording, app (keys) |
//! | [`journal`] | withdrawals, history and requests on disk; creates permits | trade |
//! | [`cashier`] | sends withdrawals | trade, journal |
//! | [`locked`] | a mutex that stays usable after a panic | nothing |
//! | [`worker`] | a thread with a bounded queue | locked |
//! | [`team`] | the shared journal of a team, on PostgreSQL | trade, journal, locked, worker |
//! | [`vault`] | stores credentials; one thread, calls with timeouts | trade, locked, worker |
//! | [`config`] | files, environment variables and flags | trade, contract |
//! | [`runtime`] | the main loop, terminal, signals, effects and checkup | all of the above |
//! | [`local_server`] | the guard and the proof of the servers on this machine | nothing |
//! | [`sandbox`] | a local payment service for demos and tests | local_server |
//! | [`replay`] | plays exported requests as a service | trade, contract, locked, local_server |
//! | [`demo`] | the app connected to its own sandbox | runtime, sandbox |
//! | [`cli`] | arguments, subcommands and their texts | all modules |
//!
//! Rust does not restrict the use of modules within a crate, so the test `tests/tidy` checks this
//! table: it follows every path in every file. It also checks the layers inside [`app`].
//!
//! # Rules
//!
//! 1. Only `update` changes the model. Only the runtime performs effects. A frame is laid out once,
//!    and the view only draws it.
//! 2. A withdrawal has one idempotency key. It is created when the review opens, stored when the
//!    seller confirms, and never replaced.
//! 3. A request that may have paid is sent again only after a key press.
//! 4. Every wait has a timeout, every queue a bound, and every request a ticket. A response with an
//!    old ticket is dropped.
//! 5. The text of every failure includes what happened, whether money moved and what to do next.
//!    All these texts are in [`words::failure`].
//! 6. Text from outside is [`Untrusted`](trade::Untrusted). A secret is a [`Secret`](trade::Secret)
//!    and is never part of a message or the model.
//! 7. The model holds only some rows of a list. Searching is done by the database.

#![cfg_attr(
    test,
    allow(
        clippy::too_many_lines,
        reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
    )
)]

#[cfg(not(unix))]
compile_error!("balcao runs on Linux and macOS; on Windows, inside WSL");

pub mod accessible;
pub mod app;
pub mod batch;
pub mod cashier;
pub mod cli;
pub mod config;
pub mod contract;
pub mod csv_files;
pub mod demo;
pub mod har;
pub mod journal;
pub mod local_server;
pub mod locked;
pub mod player;
pub mod recording;
pub mod replay;
pub mod rows;
pub mod runtime;
pub mod sandbox;
pub mod service;
pub mod statement;
pub mod support;
pub mod team;
pub mod trade;
pub mod vault;
pub mod view;
pub mod words;
pub mod worker;
