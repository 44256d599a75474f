//! The proof that this is the sandbox, for a client that knows its secret.

use std::fmt::Write;
use std::net::SocketAddr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Answers a nonce of 16 to 64 bytes in hexadecimal digits; nothing for anything else.
///
/// The address is part of what is proved: passed on from another one it proves nothing there.
pub fn answer(secret: &str, nonce: &str, address: SocketAddr) -> Option<String> {
    let is_nonce =
        (32..=128).contains(&nonce.len()) && nonce.bytes().all(|b| b.is_ascii_hexdigit());
    if !is_nonce {
        return None;
    }
    let mut proof = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    proof.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
    let mut text = String::with_capacity(64);
    for byte in proof.finalize().into_bytes() {
        write!(text, "{byte:02x}").ok()?;
    }
    Some(text)
}
