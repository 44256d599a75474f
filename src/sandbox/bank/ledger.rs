//! The ledger: what the bank took in, paid out and was asked, for tests and the curious.

use serde::{Deserialize, Serialize};

use super::amount::Amount;
use crate::sandbox::clock::Moment;

/// Everything the bank remembers of money.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// The balance the seller can withdraw now.
    pub balance: Amount,
    /// Withdrawals paid out, oldest first: one entry, one payout.
    pub payouts: Vec<Payout>,
    /// Every withdrawal request that arrived, also those the bank never saw.
    pub requests: Vec<Received>,
    /// Payment links, oldest first.
    pub links: Vec<LedgerLink>,
    /// Direct payments, oldest first.
    pub charges: Vec<LedgerCharge>,
    /// Payments by buyers, oldest first.
    pub payments: Vec<Payment>,
}

/// A withdrawal that was paid out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    /// The withdrawal's id.
    pub id: String,
    /// The `Idempotency-Key` it came with.
    pub key: String,
    /// The amount taken from the balance.
    pub amount: Amount,
    /// The fee that the service kept.
    pub fee: Amount,
    /// The amount that the receiver got.
    pub net: Amount,
    /// The PIX key that was paid.
    pub pix_key: String,
    /// The kind of that PIX key, as the request named it.
    pub pix_key_type: String,
    /// The description, when one was given.
    pub description: Option<String>,
    /// The exact bytes of the request.
    pub body: RawBody,
    /// When it was paid.
    pub at: Moment,
}

/// A withdrawal request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// The `Idempotency-Key`, when there was one.
    pub key: Option<String>,
    /// The exact bytes of the request.
    pub body: RawBody,
    /// Its result.
    pub outcome: RequestOutcome,
    /// The status of the bank's reply; none when the bank never saw the request.
    pub status: Option<u16>,
    /// When it arrived.
    pub at: Moment,
}

/// The result of a withdrawal request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestOutcome {
    /// Money left.
    Paid,
    /// The first reply to the same key and body was given again; no money moved.
    Replayed,
    /// Refused; no money moved.
    Refused,
    /// Lost before the bank acted, by a fault; no money moved.
    NeverSeen,
}

/// A payment link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLink {
    /// The short word in its address.
    pub id: String,
    /// The address exactly as the reply gave it.
    pub url: String,
    /// The seller's domain that serves its checkout.
    pub host: String,
    /// The amount the buyer pays.
    pub amount: Amount,
    /// The text the buyer reads.
    pub description: String,
    /// When it was created.
    pub at: Moment,
    /// When it was paid.
    pub paid_at: Option<Moment>,
}

/// A direct payment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerCharge {
    /// The charge's id.
    pub id: String,
    /// The amount the buyer pays.
    pub amount: Amount,
    /// The description of the purchase.
    pub description: String,
    /// The PIX copy-and-paste code.
    pub qr_code: String,
    /// When it was created.
    pub at: Moment,
    /// Until when it can be paid.
    pub expires_at: Moment,
    /// When it was paid.
    pub paid_at: Option<Moment>,
}

/// Money that a buyer paid in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// The kind of item that was paid: a link or a direct payment.
    pub of: PaidItem,
    /// The link's or the charge's id.
    pub id: String,
    /// The amount that was paid.
    pub amount: Amount,
    /// When it was paid.
    pub at: Moment,
}

/// The two things a buyer can pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidItem {
    /// A payment link.
    Link,
    /// A direct payment.
    Charge,
}

/// The exact bytes of a body, written as text where they are text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "WrittenBody", into = "WrittenBody")]
pub struct RawBody(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenBody {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<WrittenBody> for RawBody {
    fn from(written: WrittenBody) -> RawBody {
        match written {
            WrittenBody::Text(text) => RawBody(text.into_bytes()),
            WrittenBody::Bytes(bytes) => RawBody(bytes),
        }
    }
}

impl From<RawBody> for WrittenBody {
    fn from(body: RawBody) -> WrittenBody {
        match String::from_utf8(body.0) {
            Ok(text) => WrittenBody::Text(text),
            Err(other) => WrittenBody::Bytes(other.into_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_survive_being_written_and_read() {
        for bytes in [&b"{\"amount\":10.10}"[..], &b"\xff\x00\xfe"[..], &b""[..]] {
            let body = RawBody(bytes.to_vec());
            let text = serde_json::to_string(&body).unwrap();
            assert_eq!(serde_json::from_str::<RawBody>(&text).unwrap(), body);
        }
    }
}
