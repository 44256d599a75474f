//! Withdrawals as plain text, field by field.
//!
//! Written out by hand: what the program calls its fields may change, what they mean may not.

use std::fmt::Write;

use balcao::trade::withdrawal::{Alarm, Attempt, Class, Decision, NotSent, Unclear, Window};
use balcao::trade::{Clocks, FigureSource, Money, PixKeyKind, Quote, Untrusted, Wall, Withdrawal};

/// One withdrawal, and its state at these clocks.
pub fn withdrawal(it: &Withdrawal, window: &Window, at: &[(&str, Clocks)]) -> String {
    let agreed = &it.agreement;
    let mut text = format!("withdrawal {}\n", agreed.key);
    let mut line = |name: &str, value: String| writeln!(text, "  {name}: {value}").expect("text");
    line("account", format!("{} at {}", agreed.account.identity, agreed.account.origin.0));
    line("profile", agreed.profile.to_string());
    line("request", format!("{} {}", agreed.method, agreed.url));
    line("key header", agreed.key_header.to_string());
    if let Some(name) = &agreed.key_header_name {
        line("key header name", name.to_string());
    }
    line("body", format!("{:?}", agreed.body));
    if !agreed.untyped.is_empty() {
        line("nobody typed", agreed.untyped.join(" "));
    }
    line("amount", money(agreed.amount));
    let to = agreed.destination.as_ref();
    line("destination", to.map_or("-".into(), |to| format!("{} {}", kind(to.kind()), to.as_str())));
    line("quote", agreed.quote.as_ref().map_or("-".into(), quote));
    line("agreed", clocks(&agreed.agreed));
    for attempt in &it.attempts {
        line(&format!("attempt {}", attempt.n), self::attempt(attempt));
    }
    let said = it.decision.map(|(choice, at)| format!("{} {}", self::choice(choice), wall(at)));
    line("choice", said.unwrap_or("-".into()));
    for (name, now) in at {
        line(name, it.state(now, window, false).name().into());
    }
    text
}

fn attempt(it: &Attempt) -> String {
    let began = format!("began {}", clocks(&it.began));
    let Some(end) = &it.end else { return began };
    let status = end.status.map_or("-".into(), |status| status.to_string());
    let date = end.server_date.map_or("-".into(), wall);
    let (message, hint) = (words(end.message.as_ref()), words(end.hint.as_ref()));
    let said = format!("status {status}, server {date}, message {message}, hint {hint}");
    let boot = end.boot_ms.map_or(String::new(), |boot_ms| format!(", boot {boot_ms} ms"));
    format!("{began}, ended {}{boot}: {}; {said}", wall(end.at), class(&end.class))
}

fn class(class: &Class) -> String {
    match class {
        Class::NotSent(why) => format!("not sent, {}", not_sent(*why)),
        Class::Unclear(Unclear::EchoDiffers(alarm)) => format!("unclear, {}", self::alarm(alarm)),
        Class::Unclear(why) => format!("unclear, {}", unclear(why)),
        Class::Confirmed { id, status } => {
            format!("confirmed, id {}, status {}", words(id.as_ref()), words(status.as_ref()))
        }
        Class::Alarm(alarm) => format!("alarm, {}", self::alarm(alarm)),
        Class::DefiniteNo => "no".into(),
        Class::Unauthorized => "no entry".into(),
        Class::Throttled { retry_after } => {
            let wait = retry_after.map_or("-".into(), |wait| format!("{} ms", wait.as_millis()));
            format!("throttled, {wait}")
        }
        Class::Redirected => "redirected".into(),
        Class::KeyReused => "key reused".into(),
        Class::SaysFailed(said) => {
            format!("says failed, {}: {}", said.member, words(Some(&said.word)))
        }
    }
}

fn not_sent(why: NotSent) -> &'static str {
    match why {
        NotSent::Busy => "busy",
        NotSent::Journal => "journal",
        NotSent::NoCredential => "no credential",
        NotSent::OtherAccount => "other account",
        NotSent::Vault => "vault",
        NotSent::Dns => "no such host",
        NotSent::Connect => "no connection",
        NotSent::Tls => "no proof of who it is",
        NotSent::BodyChanged => "body changed",
        NotSent::NotSafe => "not safe",
        NotSent::Headers => "headers",
        NotSent::NotAgreed => "lines not agreed to",
        NotSent::ReadOnly => "read only",
        NotSent::Unproven => "sandbox not proven",
    }
}

fn unclear(why: &Unclear) -> &'static str {
    match why {
        Unclear::Timeout => "timeout",
        Unclear::Cut => "cut",
        Unclear::TooLarge => "too large",
        Unclear::Unreadable => "unreadable",
        Unclear::OtherSuccess => "other success",
        Unclear::NoSign => "no sign",
        Unclear::Status => "status",
        Unclear::Conflict => "conflict",
        Unclear::EchoDiffers(_) => "echo differs",
    }
}

fn alarm(alarm: &Alarm) -> String {
    match alarm {
        Alarm::Amount { sent, got } => format!("amount {} said as {}", money(*sent), money(*got)),
        Alarm::Destination { sent, got } => {
            format!("destination {sent:?} said as {}", words(Some(got)))
        }
    }
}

fn choice(choice: Decision) -> &'static str {
    match choice {
        Decision::Discarded => "discarded",
        Decision::FoundPaid => "found paid",
        Decision::StatedNotPaid => "stated not paid",
    }
}

fn kind(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "cpf",
        PixKeyKind::Cnpj => "cnpj",
        PixKeyKind::Phone => "phone",
        PixKeyKind::Email => "email",
        PixKeyKind::Random => "random",
    }
}

fn quote(it: &Quote) -> String {
    let (fee, net) = (money(it.fee), money(it.net));
    let (fee_from, net_from) = (source(it.fee_source), source(it.net_source));
    let (amount, at) = (money(it.amount), wall(it.at));
    format!("{amount} - {fee} ({fee_from}) = {net} ({net_from}) at {at}")
}

fn source(source: FigureSource) -> &'static str {
    match source {
        FigureSource::Service => "said",
        FigureSource::Computed => "computed",
    }
}

fn clocks(it: &Clocks) -> String {
    format!("{} (boot {} + {} ms)", wall(it.wall), it.boot_id, it.boot_ms)
}

fn wall(at: Wall) -> String {
    format!("{} ms", at.0)
}

fn money(amount: Money) -> String {
    amount.wire()
}

fn words(text: Option<&Untrusted>) -> String {
    text.map_or("-".into(), |text| format!("{:?}", text.raw()))
}
