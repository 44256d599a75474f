//! The ledger: the simulated bank's record of payment links, payments, payouts and withdrawal
//! requests. Tests and users can read it.

use serde::{Deserialize, Serialize};

use super::amount::Amount;
use crate::sandbox::clock::Moment;

/// The bank's record of the balance, all payments, payment links and withdrawal requests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger {
    /// The balance that the seller can withdraw, in reais.
    pub balance: Amount,
    /// The withdrawals that were paid out, oldest first.
    pub payouts: Vec<Payout>,
    /// All withdrawal requests that arrived. They include requests that a fault dropped before the
    /// bank processed them.
    pub requests: Vec<ReceivedRequest>,
    /// The payment links, oldest first.
    pub links: Vec<LedgerLink>,
    /// The direct payments, oldest first.
    pub charges: Vec<LedgerCharge>,
    /// The payments that buyers made, oldest first.
    pub payments: Vec<Payment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    pub id: String,
    /// The value of the `Idempotency-Key` header in the withdrawal request.
    pub key: String,
    /// The amount taken from the balance.
    pub amount: Amount,
    /// The fee that the service charged.
    pub fee: Amount,
    /// The amount that was paid to the Pix key.
    pub net: Amount,
    /// The Pix key that received the money.
    pub pix_key: String,
    /// The kind of the Pix key, exactly as in the request, such as `cpf`.
    pub pix_key_type: String,
    pub description: Option<String>,
    /// The exact bytes of the request body.
    pub body: RawBody,
    pub at: Moment,
}

/// A withdrawal request that the sandbox received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceivedRequest {
    /// The value of the `Idempotency-Key` header, if the request has one.
    pub key: Option<String>,
    /// The exact bytes of the request body.
    pub body: RawBody,
    pub outcome: RequestOutcome,
    /// The HTTP status of the bank's reply. `None` if a fault dropped the request before the bank
    /// processed it.
    pub status: Option<u16>,
    pub at: Moment,
}

/// The result of a withdrawal request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestOutcome {
    /// The withdrawal was paid out.
    Paid,
    /// The bank repeated its reply to an earlier request with the same idempotency key and body. No
    /// money moved.
    Replayed,
    /// The request was refused. No money moved.
    Refused,
    /// A fault dropped the request before the bank processed it. No money moved.
    NeverSeen,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerLink {
    /// The id of the payment link, which is part of its URL.
    pub id: String,
    /// The URL of the payment link, exactly as in the reply to its creation.
    pub url: String,
    /// The host name of the checkout page.
    pub host: String,
    /// The amount that the buyer pays.
    pub amount: Amount,
    /// The description that the buyer sees.
    pub description: String,
    /// When the link was created.
    pub at: Moment,
    /// When a buyer paid the link. `None` if the link is unpaid.
    pub paid_at: Option<Moment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerCharge {
    pub id: String,
    /// The amount that the buyer pays.
    pub amount: Amount,
    /// The description of the purchase.
    pub description: String,
    /// The Pix code, which buyers copy into a bank app.
    pub qr_code: String,
    /// When the direct payment was created.
    pub at: Moment,
    /// When the direct payment expires.
    pub expires_at: Moment,
    /// When a buyer paid the direct payment. `None` if it is unpaid.
    pub paid_at: Option<Moment>,
}

/// A payment that a buyer made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payment {
    /// Whether the buyer paid a payment link or a direct payment.
    pub of: PaidItem,
    /// The id of the payment link or direct payment.
    pub id: String,
    /// The amount that was paid.
    pub amount: Amount,
    pub at: Moment,
}

/// The kind of item that a buyer can pay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PaidItem {
    Link,
    /// A direct payment.
    Charge,
}

/// The exact bytes of a request body. They are serialised as text if they are valid UTF-8.
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
