//! Short texts about the outcome of an attempt to send a withdrawal.

use super::{Catalogue, personal};
use crate::trade::Untrusted;
use crate::trade::withdrawal::{Alarm, AttemptEnd, Class, NotSent, SaysFailed, Unclear};

/// Describes the outcome of an attempt to send a withdrawal in a few words. The service's own
/// message is left out.
pub fn ended(words: &Catalogue, end: &AttemptEnd) -> String {
    let status = end.status.map(|status| status.to_string()).unwrap_or_default();
    let with =
        |id: &str, name: &str, value: &str| words.with(id, &[("status", &status), (name, value)]);
    let plain = |id: &str| words.with(id, &[("status", &status)]);
    let contradiction = |alarm: &Alarm| match alarm {
        Alarm::Amount { got, .. } => with("attempt-other-amount", "got", &got.to_string()),
        Alarm::Destination { .. } => plain("attempt-other-destination"),
    };
    match &end.class {
        Class::NotSent(why) => {
            let id = not_sent(*why);
            words.text(&format!("{id}.attempt"))
        }
        Class::Unclear(unclear) => match unclear {
            Unclear::Timeout => words.text("attempt-no-answer"),
            Unclear::Cut => words.text("attempt-cut"),
            Unclear::TooLarge => words.text("attempt-too-large"),
            Unclear::Unreadable if end.status.is_none() => words.text("attempt-not-http"),
            Unclear::Unreadable => plain("attempt-unreadable"),
            Unclear::OtherSuccess => plain("attempt-other-success"),
            Unclear::NoSign => plain("attempt-no-sign"),
            Unclear::Status => plain("attempt-status"),
            Unclear::Conflict => plain("attempt-conflict"),
            Unclear::EchoDiffers(alarm) => contradiction(alarm),
        },
        Class::Alarm(alarm) => contradiction(alarm),
        Class::Confirmed { .. } | Class::DefiniteNo | Class::Unauthorized => {
            plain("attempt-status")
        }
        Class::Throttled { retry_after: None } => plain("attempt-throttled"),
        Class::Throttled { retry_after: Some(wait) } => {
            with("attempt-throttled-for", "seconds", &wait.as_secs().to_string())
        }
        Class::Redirected => plain("attempt-redirected"),
        Class::KeyReused => plain("attempt-key-reused"),
        Class::SaysFailed(said) => with("attempt-says-failed", "said", &says_failed(words, said)),
    }
}

/// Returns the id of the message that explains why the withdrawal was not sent. The message has an
/// attribute `.next` with advice for the user, and an attribute `.attempt` with a short form.
pub fn not_sent(why: NotSent) -> &'static str {
    match why {
        NotSent::Busy => "not-sent-busy",
        NotSent::Journal => "not-sent-journal",
        NotSent::NoCredential => "not-sent-no-credential",
        NotSent::OtherAccount => "not-sent-other-account",
        NotSent::Vault => "not-sent-vault",
        NotSent::Dns => "not-sent-dns",
        NotSent::Connect => "not-sent-connect",
        NotSent::Tls => "not-sent-tls",
        NotSent::BodyChanged => "not-sent-body-changed",
        NotSent::NotSafe => "not-sent-not-safe",
        NotSent::Headers => "not-sent-headers",
        NotSent::NotAgreed => "not-sent-not-agreed",
        NotSent::ReadOnly => "not-sent-read-only",
        NotSent::Unproven => "not-sent-unproven",
    }
}

/// Returns the id of the message that names the outcome of one attempt, such as "unclear".
pub fn class(end: &AttemptEnd) -> &'static str {
    match &end.class {
        Class::NotSent(_) => "class-not-sent",
        Class::Unclear(_) | Class::Redirected => "class-unclear",
        Class::Confirmed { .. } => "class-confirmed",
        Class::Alarm(_) => "class-alarm",
        Class::DefiniteNo => "class-no",
        Class::Unauthorized => "class-no-entry",
        Class::Throttled { .. } => "class-throttled",
        Class::KeyReused | Class::SaysFailed(_) => "class-suspect",
    }
}

/// Returns the name and value that report a failure in a success response, such as `status:
/// failed`.
pub fn says_failed(words: &Catalogue, said: &SaysFailed) -> String {
    let member = Untrusted::from(&*said.member).shown_within(30);
    if said.word.is_empty() {
        return member;
    }
    format!("{member}: {}", personal::theirs(words, &said.word).shown_within(60))
}

/// Returns the two values that contradict each other in an alarm: first the value in the request,
/// then the value in the response.
pub fn both_sides(words: &Catalogue, alarm: &Alarm) -> (String, String) {
    match alarm {
        Alarm::Amount { sent, got } => (sent.to_string(), got.to_string()),
        Alarm::Destination { sent, got } => {
            let said = |key: &Untrusted| personal::typed_within(words, key, 60);
            (said(&sent.as_str().into()), said(got))
        }
    }
}
