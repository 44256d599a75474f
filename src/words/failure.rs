//! Texts about failures: what happened, whether money moved, and what to do next.
//!
//! Messages of the service are quoted after a label. Start with [`describe`].

use super::{Catalogue, attempts, dates, names, personal};
use crate::trade::withdrawal::{AttemptEnd, ClashKind};
use crate::trade::{
    CredentialKind, Failure, JournalTrouble, MoneyMoved, NoAnswer, QuoteFault, QuoteFigure,
    Refusal, Untrusted, VaultTrouble,
};

/// The activity that failed, such as a login. It determines whether money may have moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    Login,
    Link,
    Charge,
    Withdrawal,
    /// Fetching the fee preview of a withdrawal.
    Fee,
    /// Reading other data from the service, or storing data on this computer. This cannot move
    /// money.
    Question,
}

/// The texts about a failure, as shown to the user.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FailureText {
    /// A sentence about what happened.
    pub what: String,
    /// A sentence that says whether money moved, or whether the service may have acted.
    pub moved: String,
    /// Advice about what to do next.
    pub next: String,
    /// Messages from the service or the system, each with a label.
    pub quotes: Vec<(String, Untrusted)>,
}

/// Returns the texts about a failure. `activity` is the activity that failed.
pub fn describe(words: &Catalogue, failure: &Failure, activity: Activity) -> FailureText {
    let with = |id: &str, values: &[(&str, &str)], quotes| FailureText {
        what: words.with(id, values),
        moved: words.text(moved(failure, activity)),
        next: next(words, failure, activity, id),
        quotes,
    };
    let of = |id: &str| with(id, &[], Vec::new());
    let refused = |id: &str, refusal: &Refusal| {
        with(id, &[("status", &refusal.status.to_string())], quotes(words, refusal))
    };
    match failure {
        Failure::NotSent(why) => of(attempts::not_sent(*why)),
        Failure::NoCredential(CredentialKind::ApiToken) => of("no-credential-api-token"),
        Failure::NoCredential(CredentialKind::Jwt) => of("no-credential-jwt"),
        Failure::NotAJwt => of("not-a-jwt"),
        Failure::NoAnswer(why) => of(no_answer(*why)),
        Failure::Unauthorized { credential, refusal } => {
            refused(no_entry(*credential, activity), refusal)
        }
        Failure::Refused(refusal) if refusal.is_definite() => refused("refused", refusal),
        // Use a text that does not mention money for a read or a login, because these cannot create
        // or pay anything.
        Failure::Refused(refusal) => {
            let id = match (activity, refusal.status) {
                (Activity::Fee, 500..) => "refused-problem.fee",
                (Activity::Question | Activity::Login, 500..) => "refused-problem",
                (Activity::Fee | Activity::Question | Activity::Login, _) => "refused-question",
                (Activity::Link | Activity::Charge | Activity::Withdrawal, _) => "refused-unclear",
            };
            refused(id, refusal)
        }
        Failure::Redirected { status, location } => {
            let label = || words.text("quote-location");
            let quotes = location.iter().map(|location| (label(), location.clone())).collect();
            with("redirected", &[("status", &status.to_string())], quotes)
        }
        Failure::Unreadable { status, looked_for, may_be_taught, body } => {
            let what = words.with(unreadable(looked_for), &[("status", &status.to_string())]);
            let id = if *may_be_taught { "unreadable" } else { "unreadable-untold" };
            FailureText { what, quotes: body_quote(words, body), ..with(id, &[], Vec::new()) }
        }
        Failure::Vault(trouble) => vault(words, trouble),
        // Use the texts about the history, because it stores payment links and direct payments. The
        // journal stores only withdrawals.
        Failure::Journal(trouble) if matches!(activity, Activity::Link | Activity::Charge) => {
            let (what, detail) = history(words, trouble);
            let (moved, next) = (words.text("moved-not-sent"), words.text(history_next(trouble)));
            FailureText { what, moved, next, quotes: details(words, detail) }
        }
        Failure::Journal(trouble) => journal(words, trouble),
        Failure::Unrecorded { n, end, trouble } => unrecorded(words, failure, *n, end, trouble),
        Failure::Clash(clash) => {
            let agreement = &clash.other.agreement;
            let to = names::destination(words, agreement.destination.as_ref());
            let values = [("amount", &*agreement.amount.to_string()), ("to", &to)];
            with(clash_id(clash.kind), &values, Vec::new())
        }
        Failure::TooSoon { wait } => {
            with("too-soon", &[("left", &dates::minutes_left(*wait))], Vec::new())
        }
        Failure::Cancelled => of("cancelled"),
    }
}

/// Returns the id of the message about a value that was not found in a response. `looked_for`
/// contains the contract settings that should have located it.
fn unreadable(looked_for: &[String]) -> &'static str {
    let line = looked_for.last().map_or("", String::as_str);
    match line.split_once('.') {
        Some((_, "success")) => "unreadable-status",
        Some(("login", _)) => "unreadable-token",
        Some(("domains", "most_pages")) => "unreadable-pages",
        Some(("domains", "next_page")) => "unreadable-page",
        Some(("domains", _)) => "unreadable-domains",
        Some(("create_link", _)) => "unreadable-link",
        Some(("direct_payment", "id")) => "unreadable-charge",
        Some(("direct_payment", _)) => "unreadable-code",
        Some(("fee_preview", _)) => "unreadable-fee",
        _ => "unreadable",
    }
}

/// Returns the start of a response body as a quote. The screen with the list of requests shows the
/// full body.
fn body_quote(words: &Catalogue, body: &Untrusted) -> Vec<(String, Untrusted)> {
    if body.is_empty() {
        return Vec::new();
    }
    let body = personal::excerpt(words, body, 200);
    vec![(words.text("quote-body"), body.into())]
}

/// Returns the advice about a failure. If the outcome is unknown, the advice begins with a safe
/// next step, followed by how to fix the cause.
fn next(words: &Catalogue, failure: &Failure, activity: Activity, id: &str) -> String {
    let first =
        (may_have_acted(failure, activity) == MoneyMoved::Maybe).then(|| when_unknown(activity));
    // If the service may have acted, the usual advice to try again is not safe. The advice about
    // these failures is always safe.
    let mends = matches!(
        failure,
        Failure::Redirected { .. }
            | Failure::Unreadable { .. }
            | Failure::NotSent(_)
            | Failure::TooSoon { .. }
            | Failure::NoCredential(_)
            | Failure::Unauthorized { .. }
    ) || first.is_none();
    let mends = mends.then(|| words.text(&format!("{id}.next")));
    let away = matches!(failure, Failure::NoCredential(_) | Failure::Unauthorized { .. });
    // The user must leave the form to log in, so add that the form keeps the typed values.
    let stays = away && matches!(activity, Activity::Link | Activity::Charge);
    let stays = stays.then(|| words.text("typed-stays"));
    let first = first.filter(|id| *id != "next-read" || mends.is_none()).map(|id| words.text(id));
    [first, mends, stays].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// Returns whether the service may have acted on the request. It may have acted even if the user
/// cancelled the request.
fn may_have_acted(failure: &Failure, activity: Activity) -> MoneyMoved {
    match (failure, activity) {
        (Failure::Cancelled, Activity::Link | Activity::Charge | Activity::Withdrawal) => {
            MoneyMoved::Maybe
        }
        _ => failure.may_have_acted(),
    }
}

fn moved(failure: &Failure, activity: Activity) -> &'static str {
    let maybe = may_have_acted(failure, activity) == MoneyMoved::Maybe;
    match (maybe, failure.nothing_was_sent(), activity) {
        (true, _, Activity::Link) => "moved-maybe-link",
        (true, _, Activity::Charge) => "moved-maybe-charge",
        (true, _, Activity::Withdrawal) => "moved-maybe-withdrawal",
        (true, _, Activity::Login) => "moved-maybe-login",
        (true, _, Activity::Fee | Activity::Question) => "moved-maybe",
        (false, true, Activity::Withdrawal) => "moved-not-sent-withdrawal",
        (false, true, _) if *failure != Failure::Cancelled => "moved-not-sent",
        (false, _, Activity::Link) => "moved-no-link",
        (false, _, Activity::Charge) => "moved-no-charge",
        (false, _, Activity::Withdrawal) => "moved-no-withdrawal",
        (false, _, Activity::Login | Activity::Fee | Activity::Question) => "moved-no",
    }
}

/// Returns the id of the advice for a request whose outcome is unknown.
fn when_unknown(activity: Activity) -> &'static str {
    match activity {
        Activity::Link => "next-link",
        Activity::Charge => "next-charge",
        Activity::Withdrawal => "next-withdrawal",
        Activity::Login | Activity::Fee | Activity::Question => "next-read",
    }
}

/// Returns the id of the message about a conflict with another withdrawal. The message has an
/// attribute `.refused`, a text without inserted values.
pub fn clash_id(kind: ClashKind) -> &'static str {
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
        NoAnswer::Encoded => "no-answer-encoded",
        NoAnswer::NotHttp => "no-answer-not-http",
        NoAnswer::Left => "no-answer-left",
    }
}

fn no_entry(credential: Option<CredentialKind>, activity: Activity) -> &'static str {
    match (activity, credential) {
        (Activity::Login, _) => "no-entry-login",
        (_, Some(CredentialKind::ApiToken)) => "no-entry-api-token",
        (_, Some(CredentialKind::Jwt)) => "no-entry-jwt",
        (_, None) => "no-entry-none",
    }
}

/// Returns the service's message and hint, each with a label.
pub fn quotes(words: &Catalogue, refusal: &Refusal) -> Vec<(String, Untrusted)> {
    let said = |text: &Untrusted| personal::theirs(words, text);
    let message = refusal.message.iter().map(|text| (words.text("quote-service"), said(text)));
    let hint = refusal.hint.iter().map(|text| (words.text("quote-hint"), said(text)));
    message.chain(hint).filter(|(_, text)| !text.is_empty()).collect()
}

/// Returns the texts about a problem with the vault, which stores the credentials.
pub fn vault(words: &Catalogue, trouble: &VaultTrouble) -> FailureText {
    let id = format!("vault-{}", trouble.name());
    // Use the advice for this problem if there is one, or else the general advice for vault
    // problems.
    let next = format!("{id}.next");
    let next = if words.knows(&next) { next } else { "vault-next".to_owned() };
    FailureText {
        what: words.text(&id),
        moved: words.text("vault-moved"),
        next: words.text(&next),
        quotes: details(words, trouble.detail()),
    }
}

/// Returns the operating system's error text as a quote with a label.
fn details(words: &Catalogue, detail: Option<&str>) -> Vec<(String, Untrusted)> {
    detail
        .filter(|detail| !detail.is_empty())
        .map(|detail| (words.text("quote-detail"), Untrusted::from(detail)))
        .into_iter()
        .collect()
}

/// Returns the texts about a fee preview with figures that do not form a valid quote.
pub fn quote_fault(words: &Catalogue, fault: &QuoteFault) -> FailureText {
    let what = match fault {
        QuoteFault::Missing => words.text("quote-missing"),
        QuoteFault::DoesNotAddUp { amount, fee, net } => {
            let [amount, fee, net] = [amount, fee, net].map(ToString::to_string);
            words.with("quote-sum", &[("amount", &amount), ("fee", &fee), ("net", &net)])
        }
        QuoteFault::Unreadable(QuoteFigure::Fee) => words.text("quote-unreadable-fee"),
        QuoteFault::Unreadable(QuoteFigure::Net) => words.text("quote-unreadable-net"),
        QuoteFault::OtherAmount { amount, said } => {
            let amount = amount.to_string();
            match said.map(|said| said.to_string()) {
                Some(said) => words.with("quote-other", &[("amount", &amount), ("said", &said)]),
                None => words.with("quote-other-unreadable", &[("amount", &amount)]),
            }
        }
        QuoteFault::OutOfRange { amount, fee } => {
            let [amount, fee] = [amount, fee].map(ToString::to_string);
            words.with("quote-range", &[("amount", &amount), ("fee", &fee)])
        }
    };
    let (moved, next) = (words.text("quote-moved"), words.text("quote-next"));
    FailureText { what, moved, next, quotes: Vec::new() }
}

/// Returns the texts about a journal of withdrawals that cannot be used.
pub fn journal(words: &Catalogue, trouble: &JournalTrouble) -> FailureText {
    let id = message(trouble);
    let what = match trouble {
        JournalTrouble::OtherVersion { found, known } => {
            let (found, known) = (found.to_string(), known.to_string());
            words.with(&id, &[("found", &found), ("known", &known)])
        }
        JournalTrouble::Older { missing } => words.count(&id, *missing, &[]),
        _ => words.text(&id),
    };
    let moved = words.text(match trouble {
        // Another process locked the journal, but may have released it by now.
        JournalTrouble::Busy(_) => "journal-moved-busy",
        JournalTrouble::Network(_) => "journal-moved-network",
        _ => "journal-moved",
    });
    let next = words.text(&format!("{}.next", advice(trouble)));
    let quotes = match trouble {
        JournalTrouble::Elsewhere(path) => {
            vec![(words.text("journal-elsewhere.folder"), path.display().to_string().into())]
        }
        _ => details(words, detail(trouble)),
    };
    FailureText { what, moved, next, quotes }
}

/// Returns the possible ways to solve a problem with the journal, the recommended one first.
pub fn remedies(words: &Catalogue, trouble: &JournalTrouble) -> Vec<String> {
    use JournalTrouble::{Elsewhere, MaybeMissing, Missing};
    let id = advice(trouble);
    let way = words.text(&format!("{id}.way"));
    let has_other =
        trouble.is_damage() || matches!(trouble, Missing | MaybeMissing(_) | Elsewhere(_));
    let other = has_other.then(|| words.text(&format!("{id}.else")));
    std::iter::once(way).chain(other).collect()
}

/// Returns the id of the message whose attributes contain the advice for a problem with the
/// journal.
fn advice(trouble: &JournalTrouble) -> String {
    if trouble.is_damage() { "journal-damaged".to_owned() } else { message(trouble) }
}

/// Returns the text about a history database that cannot be used, and the system's error text. The
/// text does not mention money, because withdrawals work without the history.
pub fn history<'t>(words: &Catalogue, trouble: &'t JournalTrouble) -> (String, Option<&'t str>) {
    (stored(words, "said-history", trouble), detail(trouble))
}

/// Like [`history`], but for the database of HTTP requests.
pub fn requests<'t>(words: &Catalogue, trouble: &'t JournalTrouble) -> (String, Option<&'t str>) {
    (stored(words, "said-requests", trouble), detail(trouble))
}

fn stored(words: &Catalogue, id: &str, trouble: &JournalTrouble) -> String {
    let cause = words.text(&format!("said-history.{}", trouble.name()));
    words.with(id, &[("cause", &cause)])
}

/// Returns the id of the advice for a history database that cannot be used.
fn history_next(trouble: &JournalTrouble) -> &'static str {
    match trouble {
        JournalTrouble::OtherVersion { .. } => "history-next.other-version",
        JournalTrouble::Busy(_) => "journal-busy.next",
        _ => "history-next",
    }
}

/// Returns the texts about an attempt whose outcome could not be written to the journal. The
/// outcome is lost when the program exits.
fn unrecorded(
    words: &Catalogue,
    failure: &Failure,
    n: u32,
    end: &AttemptEnd,
    trouble: &JournalTrouble,
) -> FailureText {
    let (ended, class) = (attempts::ended(words, end), words.text(attempts::class(end)));
    let values = [("n", &*n.to_string()), ("end", &*ended), ("class", &*class)];
    let why = journal(words, trouble);
    let next = match trouble {
        // Give no other advice, because the program keeps trying to write the outcome.
        JournalTrouble::Busy(_) => [why.what, words.text("unrecorded.held")].join(" "),
        _ => [why.what, why.next, words.text("unrecorded.next")].join(" "),
    };
    let theirs = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    let theirs = theirs.into_iter().filter_map(|(label, text)| {
        let text = text.clone().filter(|text| !text.is_empty())?;
        Some((words.text(label), text))
    });
    // Use the texts about withdrawals, because only withdrawals have attempts. The text is about
    // this attempt only, although an earlier attempt may have paid.
    let moved = match failure.may_have_acted() {
        MoneyMoved::Maybe => "moved-maybe-withdrawal",
        MoneyMoved::No => "moved-no-withdrawal",
    };
    FailureText {
        what: words.with("unrecorded", &values),
        moved: words.text(moved),
        next,
        quotes: theirs.chain(why.quotes).collect(),
    }
}

/// Returns the id of the message about a problem with the journal.
fn message(trouble: &JournalTrouble) -> String {
    format!("journal-{}", trouble.name())
}

/// Returns the operating system's error text in a journal problem, if there is one.
fn detail(trouble: &JournalTrouble) -> Option<&str> {
    match trouble {
        JournalTrouble::MaybeMissing(trouble) => trouble.detail(),
        JournalTrouble::Damaged(detail)
        | JournalTrouble::ReadOnly(detail)
        | JournalTrouble::Full(detail)
        | JournalTrouble::NotPrivate(detail)
        | JournalTrouble::Network(detail)
        | JournalTrouble::Busy(detail)
        | JournalTrouble::Io(detail) => Some(detail),
        JournalTrouble::Missing
        | JournalTrouble::Elsewhere(_)
        | JournalTrouble::Older { .. }
        | JournalTrouble::OtherVersion { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::VaultTrouble;
    use crate::words::Lang;

    #[test]
    fn history_network_trouble_reads_as_disk_trouble() {
        for words in Lang::ALL.map(Catalogue::of) {
            let told = |trouble: JournalTrouble| history(words, &trouble).0;
            let disk = told(JournalTrouble::Io("full".into()));
            assert_eq!(told(JournalTrouble::Network("nfs".into())), disk);
            let gone = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
            assert_eq!(told(gone), told(JournalTrouble::Missing));
            assert_ne!(told(JournalTrouble::Missing), disk);
        }
    }
}
