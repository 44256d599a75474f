//! Texts about failures: what happened, whether money moved, and what to do next.
//!
//! Messages of the service are quoted after a label. Start with [`describe`].

use super::{Catalogue, attempts, dates, names, personal};
use crate::trade::withdrawal::{AttemptEnd, Blocker, ClashKind, NoSend};
use crate::trade::{
    CredentialKind, Failure, JournalContents, JournalTrouble, MoneyMoved, NoAnswer, QuoteFault,
    QuoteFigure, Refusal, Untrusted, VaultTrouble,
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

/// The texts about a failure. `activity` is the activity that failed.
pub fn describe(words: &Catalogue, failure: &Failure, activity: Activity) -> FailureText {
    let failed = Failed {
        words,
        failure,
        activity,
    };
    match failure {
        Failure::NotSent(reason) => failed.text(attempts::not_sent(*reason)),
        Failure::NoCredential(CredentialKind::ApiToken) => failed.text("no-credential-api-token"),
        Failure::NoCredential(CredentialKind::Jwt) => failed.text("no-credential-jwt"),
        Failure::NotAJwt => failed.text("not-a-jwt"),
        Failure::NoAnswer(reason) => failed.text(no_answer(*reason)),
        Failure::Unauthorized {
            credential,
            refusal,
        } => failed.with_refusal(no_entry(*credential, activity), refusal),
        Failure::Refused(refusal) => failed.with_refusal(refused(refusal, activity), refusal),
        Failure::Contradicted(refusal) => failed.with_refusal("refused-contradicted", refusal),
        Failure::Redirected { status, location } => {
            let quotes = location
                .iter()
                .map(|location| (words.text("quote-location"), location.clone()))
                .collect();
            failed.with("redirected", &[("status", &status.to_string())], quotes)
        }
        Failure::Unreadable {
            status,
            expected_settings,
            can_be_taught,
            body,
        } => {
            let what = words.with(
                unreadable(expected_settings),
                &[("status", &status.to_string())],
            );
            let id = if *can_be_taught {
                "unreadable"
            } else {
                "unreadable-untold"
            };
            FailureText {
                what,
                quotes: body_quote(words, body),
                ..failed.text(id)
            }
        }
        Failure::Vault(trouble) => vault(words, trouble),
        // Use the texts about the history, because it stores payment links and direct payments. The
        // journal stores only withdrawals.
        Failure::Journal(trouble) if matches!(activity, Activity::Link | Activity::Charge) => {
            unsaved(words, trouble)
        }
        Failure::Journal(trouble) => journal(words, trouble),
        Failure::Unrecorded { n, end, trouble } => unrecorded(words, failure, *n, end, trouble),
        Failure::Blocked(blocker) => failed.with_blocker(blocker),
        Failure::Cancelled => failed.text("cancelled"),
    }
}

/// A failure, the activity that failed, and the language of the texts about them.
struct Failed<'f> {
    words: &'f Catalogue,
    failure: &'f Failure,
    activity: Activity,
}

impl Failed<'_> {
    /// The texts with this id, which contain no values.
    fn text(&self, id: &str) -> FailureText {
        self.with(id, &[], Vec::new())
    }

    fn with(
        &self,
        id: &str,
        values: &[(&str, &str)],
        quotes: Vec<(String, Untrusted)>,
    ) -> FailureText {
        FailureText {
            what: self.words.with(id, values),
            moved: self.words.text(self.moved()),
            next: self.next(id),
            quotes,
        }
    }

    fn with_refusal(&self, id: &str, refusal: &Refusal) -> FailureText {
        self.with(
            id,
            &[("status", &refusal.status.to_string())],
            quotes(self.words, refusal),
        )
    }

    fn with_blocker(&self, blocker: &Blocker) -> FailureText {
        let id = blocker_id(blocker);
        match blocker {
            Blocker::Clash(clash) => {
                let agreement = &clash.other.agreement;
                let to = names::destination(self.words, agreement.destination.as_ref());
                let values = [("amount", &*agreement.amount.to_string()), ("to", &to)];
                match &clash.other.prepared_by {
                    Some(author) if clash.kind == ClashKind::SamePrepared => {
                        let who = names::author(self.words, author);
                        let values = [values[0], values[1], ("who", &who)];
                        let what = self.words.with("clash-same-prepared.by", &values);
                        FailureText {
                            what,
                            ..self.with(id, &values, Vec::new())
                        }
                    }
                    _ => self.with(id, &values, Vec::new()),
                }
            }
            Blocker::SentElsewhere {
                wait,
                by: Some(author),
            } => {
                let left = dates::spelled_rounded_up(*wait);
                let values = [
                    ("who", &*names::author(self.words, author)),
                    ("left", &left),
                ];
                let what = self.words.with("sent-elsewhere.by", &values);
                FailureText {
                    what,
                    ..self.with(id, &values, Vec::new())
                }
            }
            Blocker::TooSoon { wait }
            | Blocker::SentElsewhere { wait, by: None }
            | Blocker::ServerChanged { wait } => {
                let left = dates::spelled_rounded_up(*wait);
                self.with(id, &[("left", &left)], Vec::new())
            }
            _ => self.text(id),
        }
    }
}

/// The id of the message about a request that the service refused.
fn refused(refusal: &Refusal, activity: Activity) -> &'static str {
    if refusal.is_definite() {
        return "refused";
    }
    // Use a text that does not mention money for a read or a login, because these cannot create or
    // pay anything.
    match (activity, refusal.status) {
        (Activity::Fee, 500..) => "refused-problem.fee",
        (Activity::Question | Activity::Login, 500..) => "refused-problem",
        (Activity::Fee | Activity::Question | Activity::Login, _) => "refused-question",
        (Activity::Link | Activity::Charge | Activity::Withdrawal, _) => "refused-unclear",
    }
}

/// The texts about a payment link or a direct payment that could not be stored.
fn unsaved(words: &Catalogue, trouble: &JournalTrouble) -> FailureText {
    let (what, detail) = history(words, trouble);
    FailureText {
        what,
        moved: words.text("moved-not-sent"),
        next: words.text(history_next(trouble)),
        quotes: details(words, detail),
    }
}

/// The id of the message about a value that was not found in a response. `expected_settings`
/// contains the names of the contract settings that say where the value should be.
fn unreadable(expected_settings: &[String]) -> &'static str {
    let setting = expected_settings.last().map_or("", String::as_str);
    match setting.split_once('.') {
        Some((_, "success")) => "unreadable-status",
        Some(("login", _)) => "unreadable-token",
        Some(("domains", "most_pages")) => "unreadable-pages",
        Some(("domains", "next_page")) => "unreadable-page",
        Some(("domains", "path")) => "unreadable-page-elsewhere",
        Some(("domains", _)) => "unreadable-domains",
        Some(("create_link", _)) => "unreadable-link",
        Some(("direct_payment", "id")) => "unreadable-charge",
        Some(("direct_payment", _)) => "unreadable-code",
        Some(("fee_preview", _)) => "unreadable-fee",
        _ => "unreadable",
    }
}

/// The start of a response body as a quote. The screen with the list of requests shows the full
/// body.
fn body_quote(words: &Catalogue, body: &Untrusted) -> Vec<(String, Untrusted)> {
    if body.is_empty() {
        return Vec::new();
    }
    let body = personal::excerpt(words, body, 200);
    vec![(words.text("quote-body"), body.into())]
}

impl Failed<'_> {
    /// The advice about the failure. If the outcome is unknown, the advice begins with a safe next
    /// step.
    fn next(&self, id: &str) -> String {
        let words = self.words;
        let safe_step = self.may_have_acted().then(|| when_unknown(self.activity));
        // If the service may have acted, leave out the usual advice to try again, because it is not
        // safe. The advice about the failures below is always safe.
        let cause_advice = matches!(
            self.failure,
            Failure::Redirected { .. }
                | Failure::Unreadable { .. }
                | Failure::NotSent(_)
                | Failure::Blocked(Blocker::TooSoon { .. })
                | Failure::NoCredential(_)
                | Failure::Unauthorized { .. }
        ) || safe_step.is_none();
        let cause_advice = cause_advice.then(|| words.text(&format!("{id}.next")));
        let must_log_in = matches!(
            self.failure,
            Failure::NoCredential(_) | Failure::Unauthorized { .. }
        );
        // The user must leave the form to log in, so add a note that the form keeps the typed
        // values.
        let form_note = must_log_in && matches!(self.activity, Activity::Link | Activity::Charge);
        let form_note = form_note.then(|| words.text("typed-stays"));
        let safe_step = safe_step
            .filter(|id| *id != "next-read" || cause_advice.is_none())
            .map(|id| words.text(id));
        [safe_step, cause_advice, form_note]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// True if the service may have acted on the request. It may have acted even if the user
    /// cancelled the request.
    fn may_have_acted(&self) -> bool {
        match (self.failure, self.activity) {
            (Failure::Cancelled, Activity::Link | Activity::Charge | Activity::Withdrawal) => true,
            (failure, _) => failure.may_have_acted() == MoneyMoved::Maybe,
        }
    }

    fn moved(&self) -> &'static str {
        let nothing_was_sent = self.failure.nothing_was_sent();
        match (self.may_have_acted(), nothing_was_sent, self.activity) {
            (true, _, Activity::Link) => "moved-maybe-link",
            (true, _, Activity::Charge) => "moved-maybe-charge",
            (true, _, Activity::Withdrawal) => "moved-maybe-withdrawal",
            (true, _, Activity::Login) => "moved-maybe-login",
            (true, _, Activity::Fee | Activity::Question) => "moved-maybe",
            (false, true, Activity::Withdrawal) => "moved-not-sent-withdrawal",
            (false, true, _) if *self.failure != Failure::Cancelled => "moved-not-sent",
            (false, _, Activity::Link) => "moved-no-link",
            (false, _, Activity::Charge) => "moved-no-charge",
            (false, _, Activity::Withdrawal) => "moved-no-withdrawal",
            (false, _, Activity::Login | Activity::Fee | Activity::Question) => "moved-no",
        }
    }
}

/// The id of the advice for a request whose outcome is unknown.
fn when_unknown(activity: Activity) -> &'static str {
    match activity {
        Activity::Link => "next-link",
        Activity::Charge => "next-charge",
        Activity::Withdrawal => "next-withdrawal",
        Activity::Login | Activity::Fee | Activity::Question => "next-read",
    }
}

/// The id of the message about a rule that forbids to store, send or decide a withdrawal.
fn blocker_id(blocker: &Blocker) -> &'static str {
    match blocker {
        Blocker::KeyKnown => "blocked-key-known",
        Blocker::NoSuchKey => "blocked-no-such-key",
        Blocker::EmptyBody => "blocked-empty-body",
        Blocker::RetypedDiffers => "blocked-retyped-differs",
        Blocker::Busy => "not-sent-busy",
        Blocker::State => "not-sent-not-safe",
        Blocker::Window(NoSend::WindowOver) => "blocked-window-over",
        Blocker::Window(NoSend::TooManySends) => "blocked-too-many",
        Blocker::Window(NoSend::ClockInDoubt(_)) => "blocked-clock",
        Blocker::TooSoon { .. } => "too-soon",
        Blocker::SentElsewhere { .. } => "sent-elsewhere",
        Blocker::ServerChanged { .. } => "server-changed",
        Blocker::Clash(clash) => clash_id(clash.kind),
        Blocker::Unapproved => "unapproved",
        Blocker::BodyChanged => "not-sent-body-changed",
    }
}

/// The id of the message about a conflict with another withdrawal. The message has an attribute
/// `.refused`, a text without inserted values.
pub fn clash_id(kind: ClashKind) -> &'static str {
    match kind {
        ClashKind::Mismatch => "clash-mismatch",
        ClashKind::SameOpen => "clash-same-open",
        ClashKind::OtherOpen => "clash-other-open",
        ClashKind::SameOpenElsewhere => "clash-same-open-elsewhere",
        ClashKind::SameDecided => "clash-same-decided",
        ClashKind::SamePrepared => "clash-same-prepared",
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

/// The service's message and hint, each with a label.
pub fn quotes(words: &Catalogue, refusal: &Refusal) -> Vec<(String, Untrusted)> {
    let texts = [
        ("quote-service", &refusal.message),
        ("quote-hint", &refusal.hint),
    ];
    texts
        .into_iter()
        .filter_map(|(label, text)| {
            let text = personal::service_text(words, text.as_ref()?);
            Some((words.text(label), text))
        })
        .filter(|(_, text)| !text.is_empty())
        .collect()
}

/// The texts about a problem with the vault, which stores the credentials.
pub fn vault(words: &Catalogue, trouble: &VaultTrouble) -> FailureText {
    let id = format!("vault-{}", trouble.name());
    // Use the advice for this problem if there is one, or else the general advice for vault
    // problems.
    let next = format!("{id}.next");
    let next = if words.has_message(&next) {
        next
    } else {
        "vault-next".to_owned()
    };
    FailureText {
        what: words.text(&id),
        moved: words.text("vault-moved"),
        next: words.text(&next),
        quotes: details(words, trouble.detail()),
    }
}

/// The texts about credentials that could not be deleted from the vault.
pub fn logout(words: &Catalogue, trouble: &VaultTrouble) -> FailureText {
    let text = vault(words, trouble);
    let next = match trouble {
        VaultTrouble::ReadOnly => text.next,
        _ => words.text("vault-next.logout"),
    };
    FailureText {
        moved: words.text("vault-moved.logout"),
        next,
        ..text
    }
}

/// The operating system's error text as a quote with a label.
fn details(words: &Catalogue, detail: Option<&str>) -> Vec<(String, Untrusted)> {
    detail
        .filter(|detail| !detail.is_empty())
        .map(|detail| (words.text("quote-detail"), Untrusted::from(detail)))
        .into_iter()
        .collect()
}

/// The texts about a fee preview with figures that do not form a valid quote.
pub fn quote_fault(words: &Catalogue, fault: &QuoteFault) -> FailureText {
    let what = match fault {
        QuoteFault::Missing => words.text("quote-missing"),
        QuoteFault::DoesNotAddUp { amount, fee, net } => {
            let [amount, fee, net] = [amount, fee, net].map(ToString::to_string);
            words.with(
                "quote-sum",
                &[("amount", &amount), ("fee", &fee), ("net", &net)],
            )
        }
        QuoteFault::Unreadable(QuoteFigure::Fee) => words.text("quote-unreadable-fee"),
        QuoteFault::Unreadable(QuoteFigure::Net) => words.text("quote-unreadable-net"),
        QuoteFault::OtherAmount {
            amount,
            replied_amount,
        } => {
            let amount = amount.to_string();
            match replied_amount.map(|replied_amount| replied_amount.to_string()) {
                Some(replied_amount) => words.with(
                    "quote-other",
                    &[("amount", &amount), ("said", &replied_amount)],
                ),
                None => words.with("quote-other-unreadable", &[("amount", &amount)]),
            }
        }
        QuoteFault::OutOfRange { amount, fee } => {
            let [amount, fee] = [amount, fee].map(ToString::to_string);
            words.with("quote-range", &[("amount", &amount), ("fee", &fee)])
        }
    };
    let moved = words.text("quote-moved");
    let next = words.text("quote-next");
    FailureText {
        what,
        moved,
        next,
        quotes: Vec::new(),
    }
}

/// The texts about a journal of withdrawals that cannot be used.
pub fn journal(words: &Catalogue, trouble: &JournalTrouble) -> FailureText {
    let id = message(trouble);
    let what = match trouble {
        JournalTrouble::OtherVersion { found, known } => {
            let found = found.to_string();
            let known = known.to_string();
            words.with(&id, &[("found", &found), ("known", &known)])
        }
        JournalTrouble::Older { missing: n } | JournalTrouble::Forked { lost: n } => {
            words.count(&id, *n, &[])
        }
        _ => words.text(&id),
    };
    let moved = words.text(match trouble {
        // Another process locked the journal, but may have released it by now.
        JournalTrouble::Busy(_)
        | JournalTrouble::Offline(_)
        | JournalTrouble::Refused(_)
        | JournalTrouble::LostApproval(_) => "journal-moved-busy",
        JournalTrouble::Doubt(_) => "journal-moved-doubt",
        JournalTrouble::Network(_) => "journal-moved-network",
        _ => "journal-moved",
    });
    let next = words.text(&format!("{}.next", advice(trouble)));
    let quotes = match trouble {
        JournalTrouble::Elsewhere(path) => {
            vec![(
                words.text("journal-elsewhere.folder"),
                path.display().to_string().into(),
            )]
        }
        _ => details(words, detail(trouble)),
    };
    FailureText {
        what,
        moved,
        next,
        quotes,
    }
}

/// The possible ways to solve a problem with the journal, the recommended one first.
pub fn remedies(words: &Catalogue, trouble: &JournalTrouble) -> Vec<String> {
    use JournalTrouble::{MaybeMissing, Missing};
    let id = advice(trouble);
    let recommended = words.text(&format!("{id}.way"));
    let has_alternative = trouble.is_damage()
        || trouble.ends_with_make_live()
        || matches!(trouble, Missing | MaybeMissing(_));
    let alternative = has_alternative.then(|| words.text(&format!("{id}.else")));
    std::iter::once(recommended).chain(alternative).collect()
}

/// Summarizes a journal for the seller, who must decide whether it is an old copy.
pub fn journal_contents(
    words: &Catalogue,
    contents: &JournalContents,
    utc_offset_s: i32,
) -> String {
    let last = contents
        .last
        .map(|last| dates::to_the_minute(words, last, utc_offset_s));
    let open = contents.open.to_string();
    let last = last.unwrap_or_default();
    words.count(
        "journal-contents",
        contents.withdrawals,
        &[("open", &open), ("last", &last)],
    )
}

/// The id of the message whose attributes contain the advice for a problem with the journal.
fn advice(trouble: &JournalTrouble) -> String {
    if trouble.is_damage() {
        "journal-damaged".to_owned()
    } else {
        message(trouble)
    }
}

/// The text about a history database that cannot be used, and the system's error text. The text
/// does not mention money, because withdrawals work without the history.
pub fn history<'t>(words: &Catalogue, trouble: &'t JournalTrouble) -> (String, Option<&'t str>) {
    (
        database_text(words, "said-history", trouble),
        detail(trouble),
    )
}

/// Like [`history`], but for the database of HTTP requests.
pub fn requests<'t>(words: &Catalogue, trouble: &'t JournalTrouble) -> (String, Option<&'t str>) {
    (
        database_text(words, "said-requests", trouble),
        detail(trouble),
    )
}

fn database_text(words: &Catalogue, id: &str, trouble: &JournalTrouble) -> String {
    let cause = words.text(&format!("said-history.{}", trouble.name()));
    words.with(id, &[("cause", &cause)])
}

/// The id of the advice for a history database that cannot be used.
pub fn history_next(trouble: &JournalTrouble) -> &'static str {
    match trouble {
        JournalTrouble::Damaged(_) => "history-next.damaged",
        JournalTrouble::Missing => "history-next.missing",
        JournalTrouble::OtherVersion { found, known } if found < known => {
            "history-next.older-version"
        }
        JournalTrouble::OtherVersion { .. } => "history-next.other-version",
        JournalTrouble::Busy(_) => "journal-busy.next",
        _ => "history-next",
    }
}

/// The texts about an attempt whose outcome could not be written to the journal. The outcome is
/// lost when the program exits.
fn unrecorded(
    words: &Catalogue,
    failure: &Failure,
    n: u32,
    end: &AttemptEnd,
    trouble: &JournalTrouble,
) -> FailureText {
    let outcome = attempts::describe_end(words, end);
    let outcome_class = words.text(attempts::class(end));
    let values = [
        ("n", &*n.to_string()),
        ("end", &*outcome),
        ("class", &*outcome_class),
    ];
    let journal_text = journal(words, trouble);
    let next = match trouble {
        // Give no other advice, because the program keeps trying to write the outcome.
        JournalTrouble::Busy(_) => [journal_text.what, words.text("unrecorded.held")].join(" "),
        JournalTrouble::Offline(_)
        | JournalTrouble::Doubt(_)
        | JournalTrouble::Refused(_)
        | JournalTrouble::LostApproval(_) => {
            [journal_text.what, words.text("unrecorded.kept")].join(" ")
        }
        _ => [
            journal_text.what,
            journal_text.next,
            words.text("unrecorded.next"),
        ]
        .join(" "),
    };
    let service_texts = [("quote-service", &end.message), ("quote-hint", &end.hint)];
    let service_texts = service_texts.into_iter().filter_map(|(label, text)| {
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
        quotes: service_texts.chain(journal_text.quotes).collect(),
    }
}

/// The id of the message about a problem with the journal.
fn message(trouble: &JournalTrouble) -> String {
    format!("journal-{}", trouble.name())
}

/// The operating system's error text in a journal problem, if there is one.
fn detail(trouble: &JournalTrouble) -> Option<&str> {
    match trouble {
        JournalTrouble::MaybeMissing(trouble) => trouble.detail(),
        JournalTrouble::Damaged(detail)
        | JournalTrouble::ReadOnly(detail)
        | JournalTrouble::Full(detail)
        | JournalTrouble::NotPrivate(detail)
        | JournalTrouble::Network(detail)
        | JournalTrouble::Busy(detail)
        | JournalTrouble::Offline(detail)
        | JournalTrouble::Doubt(detail)
        | JournalTrouble::Refused(detail)
        | JournalTrouble::LostApproval(detail)
        | JournalTrouble::Io(detail) => Some(detail),
        JournalTrouble::Missing
        | JournalTrouble::Elsewhere(_)
        | JournalTrouble::Unmarked(_)
        | JournalTrouble::OtherMachine(_)
        | JournalTrouble::Older { .. }
        | JournalTrouble::Forked { .. }
        | JournalTrouble::OtherVersion { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::{ClockDoubt, VaultTrouble};
    use crate::words::Lang;

    #[test]
    fn every_rule_has_its_own_sentence() {
        let wait = std::time::Duration::from_secs(9);
        let blockers = [
            Blocker::KeyKnown,
            Blocker::NoSuchKey,
            Blocker::EmptyBody,
            Blocker::RetypedDiffers,
            Blocker::Busy,
            Blocker::State,
            Blocker::Window(NoSend::WindowOver),
            Blocker::Window(NoSend::TooManySends),
            Blocker::Window(NoSend::ClockInDoubt(ClockDoubt::AnotherBoot)),
            Blocker::TooSoon { wait },
            Blocker::SentElsewhere { wait, by: None },
            Blocker::ServerChanged { wait },
            Blocker::BodyChanged,
        ];
        let failures = blockers.map(Failure::Blocked);
        for words in Lang::ALL.map(Catalogue::of) {
            let texts = failures
                .iter()
                .map(|one| describe(words, one, Activity::Withdrawal));
            let sentences: std::collections::BTreeSet<_> = texts.map(|text| text.what).collect();
            assert_eq!(sentences.len(), failures.len(), "{sentences:#?}");
        }
    }

    #[test]
    fn history_network_trouble_reads_as_disk_trouble() {
        for words in Lang::ALL.map(Catalogue::of) {
            let history_text = |trouble: JournalTrouble| history(words, &trouble).0;
            let disk_text = history_text(JournalTrouble::Io("full".into()));
            assert_eq!(
                history_text(JournalTrouble::Network("nfs".into())),
                disk_text
            );
            let maybe_missing = JournalTrouble::MaybeMissing(VaultTrouble::Locked);
            assert_eq!(
                history_text(maybe_missing),
                history_text(JournalTrouble::Missing)
            );
            assert_ne!(history_text(JournalTrouble::Missing), disk_text);
        }
    }
}
