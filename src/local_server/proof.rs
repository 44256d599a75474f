//! Proves to a client that this server is not a live service. The proof uses a secret that both
//! know.

use std::fmt::Write;
use std::net::SocketAddr;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The proof for a client's nonce. Returns `None` unless the nonce consists of 16 to 64 bytes in
/// hexadecimal digits.
///
/// The proof includes the address of this server, so that a server at another address cannot
/// forward it.
pub fn compute_proof(secret: &str, nonce: &str, address: SocketAddr) -> Option<String> {
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
