//! Proves to a client that this server is not a live service. This module, the sandbox and the
//! client each have their own code for the proof. A mistake in one of them is then noticed.

use std::net::SocketAddr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Returns the proof for a client's nonce, which must consist of 16 to 64 bytes in hexadecimal
/// digits.
///
/// The proof covers the address of this server, so another server cannot forward it.
pub(super) fn answer(secret: &str, nonce: &str, address: SocketAddr) -> Option<String> {
    let is_hex = nonce.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_hex || !(32..=128).contains(&nonce.len()) {
        return None;
    }
    let mut proof = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    proof.update(format!("balcao sandbox proof 1\n{nonce}\n{address}").as_bytes());
    Some(proof.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect())
}
