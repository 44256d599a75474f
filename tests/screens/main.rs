//! Tests of the screens. Each screen has a snapshot at 80x24 in Portuguese. Other tests check
//! properties of the screens at other sizes.

#![allow(
    clippy::too_many_lines,
    reason = "tests have long tables and scenarios; `tests/tidy` has a limit of its own"
)]

mod accessible;
mod banners;
mod beside;
mod checkup;
mod columns;
mod cursor;
mod demo;
mod expiry;
mod first_run;
mod header_state;
mod imports;
mod kiosk;
mod layout;
mod masking;
mod models;
mod models_exports;
mod models_logins;
mod models_money;
mod models_reconcile;
mod models_requests;
mod models_taught;
mod offered;
mod painter;
mod palette;
mod pointing;
mod profiles;
mod properties;
mod qr;
mod reaching;
mod readme;
mod recorded;
#[path = "../support/recorder.rs"]
mod recorder;
mod report;
mod rows;
mod said;
mod searching;
mod snapshots;
mod time;
mod typing;
mod wide;
mod words;
