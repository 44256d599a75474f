//! The words for everything that can go wrong: what happened, whether money moved, what to do next.
//!
//! This is the one place for them. What the service says is quoted and labelled as its words.

use ratatui::text::Line;

use super::flow::attempts;
use super::flow::facts::destination_text;
use super::parts::{quoted, wrapped};
use super::{Look, Role, dates};
use crate::app::form::{FieldError, Hint, Limit};
use crate::contract::FieldFault;
use crate::trade::withdrawal::{AttemptEnd, ClashKind, NotSent};
use crate::trade::{
    CredentialKind, Failure, JournalTrouble, Moved, NoAnswer, OtherJournal, Part, PixKeyError,
    PixKeyKind, QuoteFault, Refusal, Untrusted, VaultTrouble,
};

/// What was being done when it failed; the same failure means different things for money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Logging in.
    Login,
    /// Creating a payment link.
    Link,
    /// Making a direct payment.
    Charge,
    /// Sending a withdrawal.
    Withdrawal,
    /// Asking for something, or keeping something here: no money is in it.
    Question,
}

/// A failure in words.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// What happened.
    pub what: String,
    /// Whether money moved, or whether the service may have acted.
    pub moved: String,
    /// What to do next.
    pub next: String,
    /// Somebody else's words about it, each with our label.
    pub quotes: Vec<(String, Untrusted)>,
}

/// Tells a failure.
pub fn told(look: &Look, failure: &Failure, doing: Doing) -> Told {
    let with = |id: &str, values: &[(&str, &str)], quotes| Told {
        what: look.words.with(id, values),
        moved: look.say(moved(failure, doing)),
        next: next(look, failure, doing, id),
        quotes,
    };
    let of = |id: &str| with(id, &[], Vec::new());
    let refused = |id: &str, refusal: &Refusal| {
        with(id, &[("status", &refusal.status.to_string())], quotes(look, refusal))
    };
    match failure {
        Failure::NotSent(why) => of(not_sent(*why)),
        Failure::NoCredential(CredentialKind::ApiToken) => of("no-credential-api-token"),
        Failure::NoCredential(CredentialKind::Jwt) => of("no-credential-jwt"),
        Failure::NotAJwt => of("not-a-jwt"),
        Failure::NoAnswer(why) => of(no_answer(*why)),
        Failure::Unauthorized { credential, refusal } => {
            refused(unauthorized(*credential, doing), refusal)
        }
        Failure::Refused(refusal) if refusal.is_definite() => refused("refused", refusal),
        // Where nothing is ordered there is nothing that the service could have done.
        Failure::Refused(refusal) if matches!(doing, Doing::Question | Doing::Login) => {
            refused("refused-question", refusal)
        }
        Failure::Refused(refusal) => refused("refused-unclear", refusal),
        Failure::Redirected { status, location } => {
            let label = || look.say("quote-location");
            let quotes = location.iter().map(|location| (label(), location.clone())).collect();
            with("redirected", &[("status", &status.to_string())], quotes)
        }
        Failure::Unreadable { status, looked_for, body } => {
            let fields = fields(looked_for);
            let values = [("status", &*status.to_string()), ("fields", &*fields)];
            with("unreadable", &values, taste(look, body))
        }
        Failure::Vault(trouble) => vault(look, trouble),
        // Of links and charges a history is kept, and the journal of withdrawals knows nothing.
        Failure::Journal(trouble) if matches!(doing, Doing::Link | Doing::Charge) => {
            let (what, detail) = history(look, trouble);
            let (moved, next) = (look.say("moved-not-sent"), look.say(history_next(trouble)));
            Told { what, moved, next, quotes: details(look, detail) }
        }
        Failure::Journal(trouble) => journal(look, trouble),
        Failure::Unrecorded { n, end, trouble } => unrecorded(look, failure, *n, end, trouble),
        Failure::Clash(clash) => {
            let agreement = &clash.other.agreement;
            let to = destination_text(look, agreement.destination.as_ref());
            let values = [("amount", &*agreement.amount.to_string()), ("to", &to)];
            with(clash_id(clash.kind), &values, Vec::new())
        }
        Failure::TooSoon { wait } => {
            with("too-soon", &[("left", &dates::minutes_left(*wait))], Vec::new())
        }
        Failure::Cancelled => of("cancelled"),
    }
}

/// The first lines of the contract that were looked for.
fn fields(looked_for: &[String]) -> String {
    let fields = looked_for.iter().take(3).map(|line| Untrusted::from(line.as_str()).shown());
    fields.collect::<Vec<_>>().join(", ")
}

/// The beginning of a reply; the whole of it is in the exchanges.
fn taste(look: &Look, body: &Untrusted) -> Vec<(String, Untrusted)> {
    if body.is_empty() {
        return Vec::new();
    }
    vec![(look.say("quote-body"), Untrusted::from(body.shown_within(200)))]
}

/// What to do next: what is safe while nobody knows, then what mends the cause.
fn next(look: &Look, failure: &Failure, doing: Doing, id: &str) -> String {
    let first = (may_have_acted(failure, doing) == Moved::Maybe).then(|| when_unknown(doing));
    // Trying again, or logging in, is no advice while something may exist already.
    let mends = matches!(
        failure,
        Failure::Redirected { .. }
            | Failure::Unreadable { .. }
            | Failure::NotSent(_)
            | Failure::TooSoon { .. }
            | Failure::NoCredential(_)
            | Failure::Unauthorized { .. }
    ) || first.is_none();
    let mends = mends.then(|| look.say(&format!("{id}.next")));
    let away = matches!(failure, Failure::NoCredential(_) | Failure::Unauthorized { .. });
    // Somebody who has to go and log in first wants to know what becomes of the form.
    let stays = away && matches!(doing, Doing::Link | Doing::Charge);
    let stays = stays.then(|| look.say("typed-stays"));
    let first = first.filter(|id| *id != "next-read" || mends.is_none()).map(|id| look.say(id));
    [first, mends, stays].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Whether the service may have acted; what was cancelled on its way may have arrived.
fn may_have_acted(failure: &Failure, doing: Doing) -> Moved {
    match (failure, doing) {
        (Failure::Cancelled, Doing::Link | Doing::Charge | Doing::Withdrawal) => Moved::Maybe,
        _ => failure.may_have_acted(),
    }
}

fn moved(failure: &Failure, doing: Doing) -> &'static str {
    let maybe = may_have_acted(failure, doing) == Moved::Maybe;
    match (maybe, failure.nothing_was_sent(), doing) {
        (true, _, Doing::Link) => "moved-maybe-link",
        (true, _, Doing::Charge) => "moved-maybe-charge",
        (true, _, Doing::Withdrawal) => "moved-maybe-withdrawal",
        (true, _, Doing::Login) => "moved-maybe-login",
        (true, _, Doing::Question) => "moved-maybe",
        (false, true, Doing::Withdrawal) => "moved-not-sent-withdrawal",
        (false, true, _) if *failure != Failure::Cancelled => "moved-not-sent",
        (false, _, Doing::Link) => "moved-no-link",
        (false, _, Doing::Charge) => "moved-no-charge",
        (false, _, Doing::Withdrawal) => "moved-no-withdrawal",
        (false, _, Doing::Login | Doing::Question) => "moved-no",
    }
}

/// What to do while nobody knows whether the service acted.
fn when_unknown(doing: Doing) -> &'static str {
    match doing {
        Doing::Link => "next-link",
        Doing::Charge => "next-charge",
        Doing::Withdrawal => "next-withdrawal",
        Doing::Login | Doing::Question => "next-read",
    }
}

/// The message for why nothing was sent; `.next` is what to do.
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
    }
}

fn clash_id(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::Mismatch => "clash-mismatch",
        ClashKind::SameOpen => "clash-same-open",
        ClashKind::OtherOpen => "clash-other-open",
        ClashKind::SameOpenElsewhere => "clash-same-open-elsewhere",
        ClashKind::SameDecided => "clash-same-decided",
    }
}

fn no_answer(why: NoAnswer) -> &'static str {
    match why {
        NoAnswer::Timeout => "no-answer-timeout",
        NoAnswer::Cut => "no-answer-cut",
        NoAnswer::TooLarge => "no-answer-too-large",
        NoAnswer::Left => "no-answer-left",
    }
}

fn unauthorized(credential: Option<CredentialKind>, doing: Doing) -> &'static str {
    match (doing, credential) {
        (Doing::Login, _) => "no-entry-login",
        (_, Some(CredentialKind::ApiToken)) => "no-entry-api-token",
        (_, Some(CredentialKind::Jwt)) => "no-entry-jwt",
        (_, None) => "no-entry-none",
    }
}

/// The service's own words, each labelled so.
pub fn quotes(look: &Look, refusal: &Refusal) -> Vec<(String, Untrusted)> {
    let message = refusal.message.iter().map(|words| (look.say("quote-service"), words.clone()));
    let hint = refusal.hint.iter().map(|words| (look.say("quote-hint"), words.clone()));
    message.chain(hint).filter(|(_, words)| !words.is_empty()).collect()
}

/// What is wrong with the vault.
pub fn vault(look: &Look, trouble: &VaultTrouble) -> Told {
    let (id, detail) = match trouble {
        VaultTrouble::Absent => ("vault-absent", None),
        VaultTrouble::Locked => ("vault-locked", None),
        VaultTrouble::Hangs => ("vault-hangs", None),
        VaultTrouble::Other(detail) => ("vault-other", Some(detail)),
    };
    Told {
        what: look.say(id),
        moved: look.say("vault-moved"),
        next: look.say("vault-next"),
        quotes: details(look, detail),
    }
}

/// What is wrong with the journal of the withdrawals.
pub fn journal(look: &Look, trouble: &JournalTrouble) -> Told {
    let (id, detail) = journal_id(trouble);
    let what = match trouble {
        JournalTrouble::Newer { found, known } => {
            let (found, known) = (found.to_string(), known.to_string());
            look.words.with(id, &[("found", &found), ("known", &known)])
        }
        _ => look.say(id),
    };
    let moved = look.say(match trouble {
        // It may be free by now.
        JournalTrouble::Busy(_) => "journal-moved-busy",
        JournalTrouble::Network(_) => "journal-moved-network",
        _ => "journal-moved",
    });
    let next = look.say(&format!("{id}.next"));
    let quotes = match trouble {
        JournalTrouble::Several(all) => folders(look, all),
        _ => details(look, detail),
    };
    Told { what, moved, next, quotes }
}

/// What is wrong with the history, on which no money depends, and what the system said of it.
pub(super) fn history<'t>(
    look: &Look,
    trouble: &'t JournalTrouble,
) -> (String, Option<&'t String>) {
    let cause = look.say(match trouble {
        JournalTrouble::Damaged(_) => "said-history.damaged",
        JournalTrouble::Missing | JournalTrouble::MaybeMissing(_) => "said-history.missing",
        JournalTrouble::Several(_) => "said-history.several",
        JournalTrouble::Newer { .. } => "said-history.newer",
        JournalTrouble::ReadOnly(_) => "said-history.read-only",
        JournalTrouble::Full(_) => "said-history.full",
        JournalTrouble::NotPrivate(_) => "said-history.not-private",
        JournalTrouble::Busy(_) => "said-history.busy",
        // Only of withdrawals: a history may be on a network.
        JournalTrouble::Network(_) => "said-history.io",
        JournalTrouble::Io(_) => "said-history.io",
    });
    (look.words.with("said-history", &[("cause", &cause)]), journal_id(trouble).1)
}

fn history_next(trouble: &JournalTrouble) -> &'static str {
    match trouble {
        JournalTrouble::Newer { .. } => "journal-newer.next",
        JournalTrouble::Several(_) => "journal-several.next",
        JournalTrouble::Busy(_) => "journal-busy.next",
        _ => "history-next",
    }
}

/// An end that only this program knows, and not for long.
fn unrecorded(
    look: &Look,
    failure: &Failure,
    n: u32,
    end: &AttemptEnd,
    trouble: &JournalTrouble,
) -> Told {
    let (ended, class) = (attempts::ended(look, end), look.say(attempts::class(end)));
    let values = [("n", &*n.to_string()), ("end", &*ended), ("class", &*class)];
    let why = journal(look, trouble);
    let next = match trouble {
        // Nobody is to try again what this program does by itself.
        JournalTrouble::Busy(_) => [why.what, look.say("unrecorded.held")].join(" "),
        _ => [why.what, why.next, look.say("unrecorded.next")].join(" "),
    };
    let theirs = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    let theirs = theirs.into_iter().filter_map(|(label, words)| {
        let words = words.clone().filter(|words| !words.is_empty())?;
        Some((look.say(label), words))
    });
    // Whatever is being done while it is told, it was a withdrawal; of an attempt before this one
    // nothing is said here, and that one may have paid.
    let moved = match failure.may_have_acted() {
        Moved::Maybe => "moved-maybe-withdrawal",
        Moved::No => "moved-no-withdrawal",
    };
    Told {
        what: look.words.with("unrecorded", &values),
        moved: look.say(moved),
        next,
        quotes: theirs.chain(why.quotes).collect(),
    }
}

/// The message for what is wrong with the journal, and what the system said of it.
pub(super) fn journal_id(trouble: &JournalTrouble) -> (&'static str, Option<&String>) {
    match trouble {
        JournalTrouble::Damaged(detail) => ("journal-damaged", Some(detail)),
        JournalTrouble::Missing => ("journal-missing", None),
        JournalTrouble::MaybeMissing(VaultTrouble::Other(detail)) => {
            ("journal-maybe-missing", Some(detail))
        }
        JournalTrouble::MaybeMissing(_) => ("journal-maybe-missing", None),
        JournalTrouble::Several(_) => ("journal-several", None),
        JournalTrouble::Newer { .. } => ("journal-newer", None),
        JournalTrouble::ReadOnly(detail) => ("journal-read-only", Some(detail)),
        JournalTrouble::Full(detail) => ("journal-full", Some(detail)),
        JournalTrouble::NotPrivate(detail) => ("journal-not-private", Some(detail)),
        JournalTrouble::Network(name) => ("journal-network", Some(name)),
        JournalTrouble::Busy(detail) => ("journal-busy", Some(detail)),
        JournalTrouble::Io(detail) => ("journal-io", Some(detail)),
    }
}

/// Each journal's directory.
fn folders(look: &Look, all: &[OtherJournal]) -> Vec<(String, Untrusted)> {
    let folder = |one: &OtherJournal| Untrusted::from(one.dir.display().to_string());
    all.iter().map(|one| (look.say("locked-folder"), folder(one))).collect()
}

fn details(look: &Look, detail: Option<&String>) -> Vec<(String, Untrusted)> {
    detail
        .filter(|detail| !detail.is_empty())
        .map(|detail| (look.say("quote-detail"), Untrusted::from(detail.as_str())))
        .into_iter()
        .collect()
}

/// Why the figures of a fee preview are no quote.
pub fn quote_fault(look: &Look, fault: &QuoteFault) -> Told {
    let what = match fault {
        QuoteFault::Missing => look.say("quote-missing"),
        QuoteFault::DoesNotAddUp { amount, fee, net } => {
            let [amount, fee, net] = [amount, fee, net].map(ToString::to_string);
            look.words.with("quote-sum", &[("amount", &amount), ("fee", &fee), ("net", &net)])
        }
        QuoteFault::Unreadable(Part::Fee) => look.say("quote-unreadable-fee"),
        QuoteFault::Unreadable(Part::Net) => look.say("quote-unreadable-net"),
        QuoteFault::OtherAmount { amount, said } => {
            let amount = amount.to_string();
            match said.map(|said| said.to_string()) {
                Some(said) => {
                    look.words.with("quote-other", &[("amount", &amount), ("said", &said)])
                }
                None => look.words.with("quote-other-unreadable", &[("amount", &amount)]),
            }
        }
        QuoteFault::OutOfRange { amount, fee } => {
            let [amount, fee] = [amount, fee].map(ToString::to_string);
            look.words.with("quote-range", &[("amount", &amount), ("fee", &fee)])
        }
    };
    let (moved, next) = (look.say("quote-moved"), look.say("quote-next"));
    Told { what, moved, next, quotes: Vec::new() }
}

/// A failure as lines: what happened stands out, the service's words are labelled.
pub fn lines(look: &Look, failure: &Failure, doing: Doing, width: usize) -> Vec<Line<'static>> {
    told_lines(look, &told(look, failure, doing), width)
}

/// The same for something that was told already.
pub fn told_lines(look: &Look, told: &Told, width: usize) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Bad, &told.what, width);
    // Before the quotes: however much the service says, this stays in sight.
    lines.extend(wrapped(look, Role::Strong, &told.moved, width));
    for (label, words) in &told.quotes {
        lines.extend(quoted(look, label, words, width));
    }
    lines.extend(wrapped(look, Role::Text, &told.next, width));
    lines
}

/// What is wrong with a field.
pub fn field_error(look: &Look, error: &FieldError) -> String {
    match error {
        FieldError::Missing => look.say("field-missing"),
        FieldError::Ambiguous([first, second]) => {
            let (first, second) = (first.to_string(), second.to_string());
            look.words.with("field-ambiguous", &[("first", &first), ("second", &second)])
        }
        FieldError::NotAnAmount => look.say("field-not-an-amount"),
        FieldError::TooLong(limit) => field_limit(look, *limit),
        FieldError::Fault(fault) => field_fault(look, fault),
    }
}

/// What is said beside a field with which nothing is wrong.
pub fn field_hint(look: &Look, hint: &Hint) -> String {
    match hint {
        Hint::Full(limit) => field_limit(look, *limit),
        Hint::OtherKind(kinds) => look.say(match kinds.as_slice() {
            [PixKeyKind::Cpf] => "hint-kind-cpf",
            [PixKeyKind::Cnpj] => "hint-kind-cnpj",
            [PixKeyKind::Phone] => "hint-kind-phone",
            [PixKeyKind::Email] => "hint-kind-email",
            [PixKeyKind::Random] => "hint-kind-random",
            // No other two kinds have a key in common.
            _ => "hint-kind-either",
        }),
    }
}

fn field_limit(look: &Look, limit: Limit) -> String {
    let limit = match limit {
        Limit::Characters(most) => most.to_string(),
        Limit::Amount(most) => most.to_string(),
    };
    look.words.with("field-too-long", &[("limit", &limit)])
}

/// What the contract's field does not take.
fn field_fault(look: &Look, fault: &FieldFault) -> String {
    let limit = |id: &str, limit: u32| look.words.with(id, &[("limit", &limit.to_string())]);
    match fault {
        FieldFault::Missing => look.say("field-missing"),
        FieldFault::TooShort { least } => limit("field-at-least", *least),
        FieldFault::TooLong { most } => limit("field-at-most", *most),
        FieldFault::Characters { allowed } => {
            let allowed = Untrusted::from(allowed.as_str()).shown_within(30);
            look.words.with("field-characters", &[("allowed", &allowed)])
        }
        FieldFault::ControlCharacter => look.say("field-control"),
        FieldFault::NotAChoice => look.say("field-choice"),
        FieldFault::NotPositive => look.say("field-positive"),
        FieldFault::FinerThanCentavo => look.say("field-centavo"),
        FieldFault::Key(error) => pix_error(look, *error),
    }
}

fn pix_error(look: &Look, error: PixKeyError) -> String {
    let with = |id: &str, got: usize| look.words.with(id, &[("got", &got.to_string())]);
    match error {
        PixKeyError::Empty => look.say("pix-empty"),
        PixKeyError::WrongLength { got, want } => {
            let (got, want) = (got.to_string(), want.to_string());
            look.words.with("pix-length", &[("got", &got), ("want", &want)])
        }
        PixKeyError::NotDigits => look.say("pix-digits"),
        PixKeyError::NotLettersOrDigits => look.say("pix-letters-or-digits"),
        PixKeyError::LettersInCheckDigits => look.say("pix-check-letters"),
        PixKeyError::CheckDigits => look.say("pix-check"),
        PixKeyError::AllSame => look.say("pix-same"),
        PixKeyError::PhoneLength { got } => with("pix-phone-length", got),
        PixKeyError::AreaCode => look.say("pix-area-code"),
        PixKeyError::MobileNine => look.say("pix-mobile"),
        PixKeyError::PhoneShape => look.say("pix-phone"),
        PixKeyError::EmailShape => look.say("pix-email"),
        PixKeyError::EmailTooLong { got } => with("pix-email-long", got),
        PixKeyError::RandomShape => look.say("pix-random"),
    }
}
