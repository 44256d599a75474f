//! A bank statement in the format OFX, with the money that arrived in the seller's bank account.
//!
//! It has the texts that Brazilian banks write: a direct payment has its identifier (txid), the
//! payout of a withdrawal has its end-to-end id, and the payment of a link has only its amount.

use std::fmt::Write as _;

use super::bank::amount::Amount;
use super::bank::ledger::{Ledger, PaidItem, Payment, Payout};
use super::clock::Moment;
use super::control::Control;

/// The number by which the Central Bank of Brazil knows the bank that pays. No bank has this one.
const BANK_NUMBER: &str = "00000000";

impl Control {
    /// The statement of the bank account in which all money of this sandbox arrives.
    pub fn statement(&self) -> String {
        to_ofx(&self.ledger())
    }
}

/// A line of the statement.
struct Transaction {
    at: Moment,
    amount: Amount,
    id: String,
    memo: String,
}

/// The statement of what is in this ledger, oldest first.
fn to_ofx(ledger: &Ledger) -> String {
    let payments = ledger.payments.iter().map(payment);
    let payouts = ledger.payouts.iter().map(payout);
    let mut transactions: Vec<_> = payments.chain(payouts).collect();
    transactions.sort_by_key(|transaction| transaction.at);
    let mut list = String::new();
    for Transaction {
        at,
        amount,
        id,
        memo,
    } in &transactions
    {
        let posted = at.to_ofx();
        let mut amount = amount.0;
        amount.rescale(2);
        // Writing to a string cannot fail.
        let _ = write!(
            list,
            "<STMTTRN>\n<TRNTYPE>CREDIT\n<DTPOSTED>{posted}\n<TRNAMT>{amount}\n<FITID>{id}\n\
             <MEMO>{memo}\n</STMTTRN>\n"
        );
    }
    let first = transactions.first().map(|transaction| transaction.at);
    let last = transactions.last().map(|transaction| transaction.at);
    let [first, last] = [first, last].map(|at| at.unwrap_or(Moment(0)).to_ofx());
    format!(
        "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nSECURITY:NONE\nENCODING:USASCII\nCHARSET:1252\n\
         COMPRESSION:NONE\nOLDFILEUID:NONE\nNEWFILEUID:NONE\n\n\
         <OFX>\n<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>\
         <DTSERVER>{last}<LANGUAGE>POR</SONRS></SIGNONMSGSRSV1>\n\
         <BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS>\
         <STMTRS><CURDEF>BRL\n<BANKACCTFROM><BANKID>{BANK_NUMBER}<ACCTID>12345-6\
         <ACCTTYPE>CHECKING</BANKACCTFROM>\n\
         <BANKTRANLIST>\n<DTSTART>{first}\n<DTEND>{last}\n{list}</BANKTRANLIST>\n\
         </STMTRS></STMTTRNRS></BANKMSGSRSV1>\n</OFX>\n"
    )
}

fn payment(payment: &Payment) -> Transaction {
    let memo = match payment.of {
        PaidItem::Link => "PIX RECEBIDO".to_owned(),
        PaidItem::Charge => format!("PIX RECEBIDO {}", letters_and_digits(&payment.id)),
    };
    Transaction {
        at: payment.at,
        amount: payment.amount,
        id: letters_and_digits(&payment.id),
        memo,
    }
}

fn payout(payout: &Payout) -> Transaction {
    let mut id = letters_and_digits(&payout.id);
    id.truncate(11);
    // An end-to-end id has the paying bank, the minute in UTC, and 11 letters and digits.
    let minute = payout.at.to_ofx()[..12].to_owned();
    let end_to_end = format!("E{BANK_NUMBER}{minute}{id}");
    Transaction {
        at: payout.at,
        amount: payout.net,
        memo: format!("PIX RECEBIDO {end_to_end}"),
        id: end_to_end,
    }
}

fn letters_and_digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_alphanumeric).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::bank::ledger::RawBody;

    #[test]
    fn statement_has_each_payment_and_payout() {
        let amount = |text| Amount::parse(text).unwrap();
        let noon = 1_794_484_800_000;
        let payment = |of, id: &str, at| Payment {
            of,
            id: id.into(),
            amount: amount("49.9"),
            at: Moment(at),
        };
        let payout = Payout {
            id: "5ba3f1c2-0000-4000-8000-000000000001".into(),
            key: "key".into(),
            amount: amount("1000"),
            fee: amount("11.5"),
            net: amount("988.5"),
            pix_key: "ana@loja.example".into(),
            pix_key_type: "email".into(),
            description: None,
            body: RawBody::default(),
            at: Moment(noon),
        };
        let ledger = Ledger {
            payouts: vec![payout],
            payments: vec![
                payment(PaidItem::Link, "7f3k2q", noon + 1_000),
                payment(PaidItem::Charge, "ab-12", noon - 1_000),
            ],
            ..Ledger::default()
        };
        let text = to_ofx(&ledger);
        let values = |tag: &str| -> Vec<_> {
            let lines = text.lines().filter_map(|line| line.strip_prefix(tag));
            lines.collect()
        };
        assert_eq!(values("<TRNAMT>"), ["49.90", "988.50", "49.90"]);
        assert_eq!(
            values("<MEMO>"),
            [
                "PIX RECEBIDO ab12",
                "PIX RECEBIDO E000000002026111212005ba3f1c2000",
                "PIX RECEBIDO"
            ]
        );
        assert_eq!(values("<DTPOSTED>")[1], "20261112120000[0:GMT]");
        assert!(!text.contains("ana@"), "{text}");
    }
}
