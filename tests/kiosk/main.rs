//! Tests the kiosk over SSH, with the real sshd and ssh on loopback and the files of
//! `assets/kiosk`.

#[path = "../support/mod.rs"]
mod support;

mod needs_tools;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../terminal/seller.rs"]
mod seller;
mod sshd;
