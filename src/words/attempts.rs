//! Short texts about the outcome of an attempt to send a withdrawal.

use super::{Catalogue, personal};
use crate::trade::Untrusted;
use crate::trade::withdrawal::{Alarm, AttemptEnd, Class, NotSent, SaysFailed, Unclear};

/// Describes the outcome of an attempt to send a withdrawal in a few words. The service's own
/// message is left out.
pub fn describe_end(words: &Catalogue, end: &AttemptEnd) -> String {
    let status = end
        .status
        .map(|status| status.to_string())
        .unwrap_or_default();
    let with_value =
        |id: &str, name: &str, value: &str| words.with(id, &[("status", &status), (name, value)]);
    let with_status = |id: &str| words.with(id, &[("status", &status)]);
    let contradiction_text = |alarm: &Alarm| match alarm {
        Alarm::Amount { got, .. } => with_value("attempt-other-amount", "got", &got.to_string()),
        Alarm::Destination { .. } => with_status("attempt-other-destination"),
    };
    match &end.class {
        Class::NotSent(reason) => {
            let id = not_sent(*reason);
            words.text(&format!("{id}.attempt"))
        }
        Class::Unclear(unclear) => match unclear {
            Unclear::Timeout => words.text("attempt-no-answer"),
            Unclear::Cut => words.text("attempt-cut"),
            Unclear::TooLarge => words.text("attempt-too-large"),
            Unclear::Unreadable if end.status.is_none() => words.text("attempt-not-http"),
            Unclear::Unreadable => with_status("attempt-unreadable"),
            Unclear::OtherSuccess => with_status("attempt-other-success"),
            Unclear::NoSign => with_status("attempt-no-sign"),
            Unclear::Status => with_status("attempt-status"),
            Unclear::Conflict => with_status("attempt-conflict"),
            Unclear::EchoDiffers(alarm) => contradiction_text(alarm),
        },
        Class::Alarm(alarm) => contradiction_text(alarm),
        Class::Confirmed { .. } | Class::DefiniteNo | Class::Unauthorized => {
            with_status("attempt-status")
        }
        Class::Throttled { retry_after: None } => with_status("attempt-throttled"),
        Class::Throttled {
            retry_after: Some(wait),
        } => with_value(
            "attempt-throttled-for",
            "seconds",
            &wait.as_secs().to_string(),
        ),
        Class::Redirected => with_status("attempt-redirected"),
        Class::KeyReused => with_status("attempt-key-reused"),
        Class::SaysFailed(failure) => {
            with_value("attempt-says-failed", "said", &says_failed(words, failure))
        }
    }
}

/// The id of the message that explains why the withdrawal was not sent. Its attributes are `.next`
/// (advice for the user) and `.attempt` (a short form).
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

/// The id of the message that names the outcome of one attempt, such as "unclear".
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

/// The name and value in a success response that report a failure, such as `status: failed`.
pub fn says_failed(words: &Catalogue, failure: &SaysFailed) -> String {
    let member = Untrusted::from(&*failure.member).shown_within(30);
    if failure.word.is_empty() {
        return member;
    }
    format!(
        "{member}: {}",
        personal::service_text(words, &failure.word).shown_within(60)
    )
}

/// The two contradicting values of an alarm: first the value in the request, then the value in the
/// response.
pub fn both_sides(words: &Catalogue, alarm: &Alarm) -> (String, String) {
    match alarm {
        Alarm::Amount { sent, got } => (sent.to_string(), got.to_string()),
        Alarm::Destination { sent, got } => {
            let sent = personal::typed_within(words, &sent.as_str().into(), 60);
            (sent, personal::typed_within(words, got, 60))
        }
    }
}
