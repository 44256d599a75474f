//! Tests of the kiosk over SSH, with a real sshd and ssh on the loopback interface, and with the
//! files in `assets/kiosk`.

#[path = "../support/mod.rs"]
mod support;

mod needs_tools;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../terminal/seller.rs"]
mod seller;
mod sshd;
