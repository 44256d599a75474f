//! The texts about a team's database.

use crate::cli::complaint::Complaint;
use crate::team::{Finding, InitError, OfflineReason, UrlError};
use crate::trade::Untrusted;
use crate::words::Catalogue;

/// The message id of the reason an address was refused.
pub(super) fn url_error(error: UrlError) -> &'static str {
    match error {
        UrlError::NotAUrl => "team-url-not-one",
        UrlError::Scheme => "team-url-scheme",
        UrlError::PasswordInside => "team-url-password",
        UrlError::NoUser => "team-url-user",
        UrlError::NoHost => "team-url-host",
        UrlError::NoDatabase => "team-url-database",
        UrlError::UnknownParameter => "team-url-parameter",
    }
}

/// The message id of the reason there is no connection. The rest of the id is its name for scripts.
pub(super) fn offline_reason(reason: &OfflineReason) -> &'static str {
    match reason {
        OfflineReason::Unreachable(_) => "team-offline-unreachable",
        OfflineReason::TimedOut => "team-offline-timeout",
        OfflineReason::Lost(_) => "team-offline-lost",
        OfflineReason::Tls(_) => "team-offline-tls",
        OfflineReason::PlainPassword => "team-offline-plain",
        OfflineReason::NoPassword(_) => "team-offline-no-password",
        OfflineReason::WrongPassword => "team-offline-password",
        OfflineReason::NotAllowed(_) => "team-offline-denied",
        OfflineReason::NoDatabase => "team-offline-database",
        OfflineReason::Unavailable(_) => "team-offline-unavailable",
        OfflineReason::NoJournal => "team-offline-empty",
        OfflineReason::OtherTeam => "team-offline-other",
        OfflineReason::OtherFormat { .. } => "team-offline-format",
        OfflineReason::Standby => "team-offline-standby",
        OfflineReason::Encoding(_) => "team-offline-encoding",
        OfflineReason::Clock { .. } => "team-offline-clock",
        OfflineReason::Pooler => "team-offline-pooler",
        OfflineReason::Refused(_) => "team-offline-refused",
    }
}

/// Describes the reason there is no connection, and what to do. The last line quotes the server.
pub(super) fn describe_offline(words: &Catalogue, reason: &OfflineReason) -> String {
    let text = words.text(offline_reason(reason));
    let quote = match reason {
        OfflineReason::Unreachable(quote)
        | OfflineReason::Lost(quote)
        | OfflineReason::Tls(quote)
        | OfflineReason::NotAllowed(quote)
        | OfflineReason::Unavailable(quote)
        | OfflineReason::Encoding(quote)
        | OfflineReason::NoPassword(quote)
        | OfflineReason::Refused(quote) => quote,
        _ => "",
    };
    with_quote(words, text, quote)
}

/// The error for a database that cannot be reached or used.
pub(super) fn offline_error(words: &Catalogue, reason: &OfflineReason) -> Complaint {
    Complaint::refused(describe_offline(words, reason))
}

/// The error for a journal that was not created.
pub(super) fn init_error(words: &Catalogue, error: &InitError) -> Complaint {
    let (id, quote) = match error {
        InitError::Offline(reason) => return offline_error(words, reason),
        InitError::LongName(name) => ("team-init-long", &**name),
        InitError::BadName => ("team-init-name", ""),
        InitError::RoleExists(text) => ("team-init-exists", &**text),
        InitError::NoSuchRole(text) => ("team-init-missing", &**text),
        InitError::NeedsTwoOperators(text) => ("team-init-two", &**text),
        InitError::NotAllowed(text) => ("team-init-denied", &**text),
        InitError::Refused(text) => ("team-offline-refused", &**text),
    };
    Complaint::refused(with_quote(words, words.text(id), quote))
}

/// The id of the message about whether a second operator must approve withdrawals.
pub(super) fn approvals_id(needs_approval: bool) -> &'static str {
    if needs_approval {
        "team-approvals.on"
    } else {
        "team-approvals.off"
    }
}

fn with_quote(words: &Catalogue, text: String, quote: &str) -> String {
    if quote.is_empty() {
        return text;
    }
    let quote = Untrusted::shown_of(quote);
    format!("{text}\n  {} {quote}", words.text("quote-detail"))
}

/// The message id of a problem of a database. The rest of the id is its name for scripts.
pub(super) fn finding(finding: &Finding) -> &'static str {
    match finding {
        Finding::MissingRight(_) => "team-finding-right",
        Finding::Superuser => "team-finding-superuser",
        Finding::Owner => "team-finding-owner",
        Finding::CanChange => "team-finding-change",
        Finding::Encoding(_) => "team-finding-encoding",
        Finding::Clock => "team-finding-clock",
        Finding::Pooler => "team-finding-pooler",
        Finding::OtherFormat { .. } => "team-finding-format",
        Finding::OldServer => "team-finding-old",
        Finding::FsyncOff => "team-finding-fsync",
        Finding::FullPageWritesOff => "team-finding-pages",
        Finding::SynchronousCommit(_) => "team-finding-commit",
        Finding::NoStandby => "team-finding-alone",
        Finding::AsynchronousStandbys => "team-finding-asynchronous",
        Finding::NoSynchronousStandby => "team-finding-waiting",
        Finding::HiddenStandbys => "team-finding-hidden",
        Finding::Unencrypted => "team-finding-unencrypted",
    }
}

/// The name of a problem or a reason for scripts, such as `right`.
pub(super) fn script_name(id: &'static str) -> &'static str {
    id.rsplit('-').next().unwrap_or(id)
}

/// Describes a problem of a database in two lines: the problem, and what to do.
pub(super) fn describe_finding(words: &Catalogue, problem: &Finding) -> String {
    let id = finding(problem);
    let mark = words.text(if problem.is_refusal() {
        "team-mark.refused"
    } else {
        "team-mark"
    });
    let what = match problem {
        Finding::MissingRight(name)
        | Finding::Encoding(name)
        | Finding::SynchronousCommit(name) => {
            words.with(id, &[("name", &Untrusted::shown_of(name))])
        }
        _ => words.text(id),
    };
    let next = words.text(&format!("{id}.next"));
    format!("{mark} {what}\n      {next}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    fn findings() -> Vec<Finding> {
        let text = || "SELECT ON balcao.event\u{1b}[2J".to_owned();
        vec![
            Finding::MissingRight(text()),
            Finding::Superuser,
            Finding::Owner,
            Finding::CanChange,
            Finding::Encoding(text()),
            Finding::Clock,
            Finding::Pooler,
            Finding::OtherFormat {
                needed: 2,
                known: 1,
            },
            Finding::OldServer,
            Finding::FsyncOff,
            Finding::FullPageWritesOff,
            Finding::SynchronousCommit(text()),
            Finding::NoStandby,
            Finding::AsynchronousStandbys,
            Finding::NoSynchronousStandby,
            Finding::HiddenStandbys,
            Finding::Unencrypted,
        ]
    }

    #[test]
    fn each_finding_has_its_own_words_and_advice() {
        for lang in Lang::ALL {
            let words = Catalogue::of(lang);
            let mut texts: Vec<_> = findings()
                .iter()
                .map(|it| describe_finding(words, it))
                .collect();
            for (text, finding) in texts.iter().zip(findings()) {
                assert!(!text.contains("team-finding"), "{text}");
                assert!(!text.contains('\u{1b}'), "{text}");
                let mark = words.text("team-mark.refused");
                assert_eq!(text.starts_with(&*mark), finding.is_refusal(), "{text}");
            }
            assert!(texts[0].contains("SELECT ON balcao.event"), "{}", texts[0]);
            let count = texts.len();
            texts.sort();
            texts.dedup();
            assert_eq!(texts.len(), count);
        }
    }

    #[test]
    fn findings_have_different_names_for_scripts() {
        let findings = findings();
        let mut names: Vec<_> = findings.iter().map(|it| script_name(finding(it))).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), findings.len());
        assert!(names.contains(&"right") && names.contains(&"pooler"));
    }

    #[test]
    fn text_of_the_server_is_quoted_without_control_codes() {
        let words = Catalogue::of(Lang::En);
        let text = describe_offline(words, &OfflineReason::Refused("no\u{1b}[2J (42501)".into()));
        assert!(
            text.contains("Detail: no") && text.contains("(42501)"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "{text}");
        assert_eq!(
            describe_offline(words, &OfflineReason::Pooler)
                .lines()
                .count(),
            1
        );
        let error = init_error(words, &InitError::NoSuchRole("ana".into()));
        assert!(error.describe(words).contains("ana") && error.exit() == 1);
    }
}
