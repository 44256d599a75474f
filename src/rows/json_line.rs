//! Formats JSON on one line without control characters, and converts the rows of lists to JSON.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use serde_json::{Value, json};

use crate::trade::withdrawal::{Attempt, Class, WithdrawalState};
use crate::trade::{
    Account, Author, Charge, CreatedCharge, Money, Nickname, Outcome, PaidSource, PaymentLink,
    PixKey, SaleOf, SaleRequest, Untrusted, Wall, Withdrawal,
};

/// The version of the JSON that commands print. A new name in an object does not change it.
pub const FORMAT: u32 = 1;

/// The words that `--state` of the payment links and direct payments accepts.
pub const SALE_STATES: [&str; 5] = ["created", "paid", "refused", "not-sent", "unknown"];

/// Formats a JSON value on one line. Characters that could change the terminal's state are written
/// as `\uXXXX`.
pub fn to_line(value: &Value) -> String {
    let mut line = Vec::new();
    let result = value.serialize(&mut Serializer::with_formatter(
        &mut line,
        EscapingFormatter,
    ));
    // Cannot fail: the output is in memory, and JSON is valid UTF-8.
    result
        .ok()
        .and_then(|()| String::from_utf8(line).ok())
        .unwrap_or_default()
}

struct EscapingFormatter;

impl Formatter for EscapingFormatter {
    fn write_string_fragment<W>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()>
    where
        W: ?Sized + io::Write,
    {
        let fragment = &Untrusted::with_shown_masks(fragment);
        if Untrusted::from(&**fragment).is_clean() {
            return writer.write_all(fragment.as_bytes());
        }
        // Collect a base character with its combining marks, to decide whether the next mark can be
        // written unescaped.
        let mut cluster = String::new();
        for c in fragment.chars() {
            let single = c.to_string();
            cluster.push(c);
            if Untrusted::from(single.as_str()).is_clean() {
                cluster = single.clone();
            }
            if Untrusted::from(cluster.as_str()).is_clean() {
                writer.write_all(single.as_bytes())?;
            } else {
                cluster.clear();
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }
}

/// Formats a time in UTC with milliseconds, such as `2026-11-21T10:00:00.000Z`. Sorting such texts
/// sorts the times.
pub fn format_utc(at: Wall) -> String {
    at.local(0).map_or_else(
        || format!("{} ms after 1970-01-01T00:00:00Z", at.0),
        |at| format!("{at:.3}Z"),
    )
}

/// An amount as a JSON number with two decimal places, or with more if the amount includes a
/// fraction of a centavo.
pub fn amount_json(money: Money) -> Value {
    let money = money.centavos().map_or(money, Money::from_centavos);
    serde_json::from_str(&money.wire()).unwrap_or(Value::Null)
}

/// A payment link as JSON, including what the seller added to it: the mark as paid, the note, and
/// that it is put away.
pub fn link_json(link: &PaymentLink) -> Value {
    let paid_at = |is_sandbox| {
        let paid = link
            .paid
            .filter(|paid| (paid.source == PaidSource::Sandbox) == is_sandbox);
        paid.map(|paid| format_utc(paid.at))
    };
    json!({
        "format": FORMAT,
        "at": format_utc(link.at),
        "account": &*link.request.account.identity,
        "amount": amount_json(link.request.amount),
        "description": link.request.description,
        "checkoutDomain": link.request.domain.as_ref().map(|domain| domain.raw()),
        "state": sale_state(link),
        "outcome": outcome_name(&link.outcome),
        "url": link.url().map(Untrusted::raw),
        "message": refusal_message(&link.outcome),
        "markedPaid": paid_at(false),
        "sandboxPaid": paid_at(true),
        "note": link.note,
        "putAway": link.put_away.map(format_utc),
    })
}

/// A direct payment as JSON, with the buyer's details and whether the seller marked it as paid.
pub fn charge_json(charge: &Charge) -> Value {
    let created = charge.outcome.created();
    let text = |part: fn(&CreatedCharge) -> &Option<Untrusted>| {
        created
            .and_then(|created| part(created).as_ref())
            .map(Untrusted::raw)
    };
    json!({
        "format": FORMAT,
        "at": format_utc(charge.at),
        "account": &*charge.request.account.identity,
        "amount": amount_json(charge.request.amount),
        "description": charge.request.description,
        "customer": charge.request.customer,
        "buyer": charge.request.buyer,
        "state": sale_state(charge),
        "serviceState": text(|created| &created.status),
        "outcome": outcome_name(&charge.outcome),
        "id": text(|created| &created.id),
        "status": text(|created| &created.status),
        "pixCode": text(|created| &created.pix_code),
        "expires": text(|created| &created.expires),
        "message": refusal_message(&charge.outcome),
        "markedPaid": charge.paid.map(|paid| format_utc(paid.at)),
    })
}

/// The texts that the seller gave a withdrawal: the nickname of its Pix key, and its description.
#[derive(Debug, Default)]
pub struct SellerTexts {
    pub nickname: Option<String>,
    pub description: Option<String>,
}

/// A withdrawal as JSON. If `is_masked` is true, the Pix key is masked except for what identifies
/// it, because [`masked_row`](super::row_mask::masked_row) shows it as it is.
pub fn withdrawal_json(
    is_masked: bool,
    withdrawal: &Withdrawal,
    state: &WithdrawalState,
    texts: &SellerTexts,
) -> Value {
    let agreement = &withdrawal.agreement;
    let destination = agreement.destination.as_ref().map(|key| {
        if is_masked {
            key.masked()
        } else {
            key.as_str().to_owned()
        }
    });
    let approval = withdrawal.approvals.last_counting();
    json!({
        "format": FORMAT,
        "key": agreement.key.to_string(),
        "state": state.name(),
        "serviceState": withdrawal.service_status().map(Untrusted::raw),
        "open": state.is_open(),
        "agreed": format_utc(agreement.agreed.wall),
        "account": &*agreement.account.identity,
        "origin": &*agreement.account.origin.0,
        "amount": amount_json(agreement.amount),
        "fee": agreement.quote.as_ref().map(|quote| amount_json(quote.fee)),
        "net": agreement.quote.as_ref().map(|quote| amount_json(quote.net)),
        "destination": destination,
        "nickname": texts.nickname,
        "description": texts.description,
        "attempts": withdrawal.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
        "preparedBy": author_json(withdrawal.prepared_by.as_ref()),
        "approvedBy": author_json(approval.and_then(|approval| approval.by.as_ref())),
        "decidedBy": author_json(withdrawal.decided_by.as_ref()),
    })
}

/// A person of a team as JSON, with the role that the database knows.
fn author_json(author: Option<&Author>) -> Value {
    let to_json = |author: &Author| {
        json!({
            "operator": author.operator.raw(),
            "role": author.role.raw(),
            "machine": author.machine.raw(),
        })
    };
    author.map_or(Value::Null, to_json)
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "n": attempt.n,
        "began": format_utc(attempt.began.wall),
        "ended": attempt.end.as_ref().map(|end| format_utc(end.at)),
        "class": attempt.end.as_ref().map(|end| class_name(&end.class)),
        "status": attempt.end.as_ref().and_then(|end| end.status),
        "by": author_json(attempt.by.as_ref()),
    })
}

fn class_name(class: &Class) -> &'static str {
    match class {
        Class::NotSent(_) => "not-sent",
        Class::Unclear(_) => "unclear",
        Class::Confirmed { .. } => "confirmed",
        Class::Alarm(_) => "alarm",
        Class::DefiniteNo => "definite-no",
        Class::Unauthorized => "no-entry",
        Class::Throttled { .. } => "throttled",
        Class::Redirected => "redirected",
        Class::KeyReused => "key-reused",
        Class::SaysFailed(_) => "says-failed",
    }
}

/// The nickname of a Pix key as JSON, with the account to which it belongs.
pub fn nickname_json((account, key, name): &(Account, PixKey, Nickname)) -> Value {
    json!({
        "format": FORMAT,
        "account": &*account.identity,
        "origin": &*account.origin.0,
        "pixKey": key.as_str(),
        "nickname": name.as_str(),
    })
}

/// The state of a payment link or direct payment: whether it counts as paid, and otherwise the
/// outcome of its request.
pub fn sale_state<R: SaleRequest>(sale: &SaleOf<R>) -> &'static str {
    if sale.paid.is_some() {
        "paid"
    } else {
        outcome_name(&sale.outcome)
    }
}

fn outcome_name<C>(outcome: &Outcome<C>) -> &'static str {
    match outcome {
        Outcome::Unknown => "unknown",
        Outcome::Created(_) => "created",
        Outcome::Refused(_) => "refused",
        Outcome::NotSent => "not-sent",
    }
}

/// The service's message about the reason for a refusal.
fn refusal_message<C>(outcome: &Outcome<C>) -> Option<&str> {
    match outcome {
        Outcome::Refused(refusal) => refusal.message.as_ref().map(Untrusted::raw),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(text: &str) -> String {
        to_line(&Value::from(text))
    }

    #[test]
    fn text_without_risk_is_not_escaped() {
        for text in [
            "Ação – 2ª via, R$\u{a0}1,00",
            "ac\u{327}a\u{303}o",
            "日本語 💙 👍🏽 👩\u{200d}🔧",
            "",
        ] {
            assert_eq!(line(text), format!("\"{text}\""));
        }
        assert_eq!(line("\"a\\b\"\n"), r#""\"a\\b\"\n""#);
    }

    #[test]
    fn control_and_hidden_characters_are_escaped() {
        for (text, escaped) in [
            ("a\x1b[2Jb", r#""a\u001b[2Jb""#),
            ("\x7f", r#""\u007f""#),
            ("\u{9b}2J", r#""\u009b2J""#),
            ("conta\u{202e}gpj.exe", r#""conta\u202egpj.exe""#),
            ("pay\u{200d}pal", r#""pay\u200dpal""#),
            ("❤\u{fe0f}", r#""❤\ufe0f""#),
            ("\u{301}a", r#""\u0301a""#),
            ("a\n\u{301}", r#""a\n\u0301""#),
            ("\u{e0041}", r#""\udb40\udc41""#),
        ] {
            assert_eq!(line(text), escaped);
        }
        let six_marks = format!("e{}", "\u{301}".repeat(6));
        let four_marks = format!("e{}", "\u{301}".repeat(4));
        assert_eq!(line(&six_marks), format!(r#""{four_marks}\u0301\u0301""#));
    }

    #[test]
    fn numbers_and_names_keep_their_text_and_order() {
        let text = r#"{"b":10.10,"a\u202e":null,"c":[true,1e400]}"#;
        let value: Value = serde_json::from_str(text).unwrap();
        assert_eq!(to_line(&value), text.replace("1e400", "1e+400"));
    }

    proptest! {
        #[test]
        fn every_text_reads_back_and_its_line_is_clean(
            text in proptest::collection::vec(
                prop_oneof![
                    any::<char>(),
                    proptest::char::range('\0', '\u{ff}'),
                    proptest::char::range('\u{300}', '\u{36f}'),
                    proptest::char::range('\u{2000}', '\u{206f}'),
                    proptest::char::range('\u{fe00}', '\u{feff}'),
                ],
                0..60,
            )
        ) {
            let text: String = text.into_iter().collect();
            let line = line(&text);
            prop_assert!(Untrusted::from(line.as_str()).is_clean(), "{line:?}");
            prop_assert_eq!(serde_json::from_str::<String>(&line).unwrap(), text);
        }
    }
}
