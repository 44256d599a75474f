//! Tests of all notices and failure texts. Every kind of them is drawn at least once.

use std::time::Duration;

use balcao::app::store::clip::Clip;
use balcao::app::store::list_export::ExportedFile;
use balcao::app::store::notice::Notice;
use balcao::app::store::profiles::SwitchRefusal;
use balcao::app::store::recording::RecordingNews;
use balcao::app::store::withdrawals::lookup_hints::LookupHintKind;
use balcao::app::ui::Role;
use balcao::app::ui::action::Action;
use balcao::app::ui::failure::lines;
use balcao::app::ui::form::Limit;
use balcao::app::ui::input::{Input, Size};
use balcao::app::{Copied, CopyTrouble, Msg, NoBrowser};
use balcao::contract::Contract;
use balcao::trade::withdrawal::{Blocker, NoSend, NotSent, WithdrawalState};
use balcao::trade::{
    AmountField, Author, ClockDoubt, CredentialKind, Failure, JournalContents, JournalTrouble,
    MoneyMoved, NoAnswer, Refusal, UndoneMarks, Untrusted, VaultTrouble, Wall,
};
use balcao::words::failure::{Activity, describe};
use balcao::words::{Catalogue, Lang};

use crate::models::{
    after_confirm_delay, brl, buffer, find_model, model, normalize_spaces, screen_text, send_input,
    send_message, text, with_change,
};
use crate::models_money::forms::{all_clashes, form_models};
use crate::models_money::replies::{
    AttemptResult, accepted_reply, attempt_end, built_in_contract, no_answer, not_sent,
    reply_with_message,
};
use crate::models_money::withdrawals::agreement;

fn typed_amount(digits: &str) -> AmountField {
    let mut amount = AmountField::default();
    for digit in digits.chars() {
        amount.push(digit);
    }
    amount
}

/// Returns a notice for each kind of text that can be copied, and for each way to copy it.
fn copy_notices() -> Vec<Notice> {
    let mut notices = vec![];
    for how in [
        Copied::Desktop,
        Copied::Tmux,
        Copied::TmuxOnly,
        Copied::SentToTerminal,
    ] {
        let clips = [
            Clip::Address,
            Clip::NewAddress,
            Clip::Message,
            Clip::PixCode,
            Clip::Key,
            Clip::Request,
            Clip::Report,
        ];
        let lookup_hints = [
            LookupHintKind::Amount,
            LookupHintKind::Net,
            LookupHintKind::RepliedValue,
            LookupHintKind::When,
            LookupHintKind::Destination,
            LookupHintKind::Key,
        ];
        let clips = clips.into_iter().chain(lookup_hints.map(Clip::LookupHint));
        for advises in [false, true] {
            let notice = |(clip, times)| Notice::Copied {
                clip,
                how,
                times,
                shows_advice: advises,
            };
            notices.extend(clips.clone().zip(1..).map(notice));
        }
    }
    notices
}

/// Returns the notices about Ctrl-Z, the image of a QR code, accessible mode and recordings.
fn terminal_notices() -> Vec<Notice> {
    let file = Untrusted::from("/srv/loja/balcao-2026-11-21T10-42.balcao");
    vec![
        Notice::warn("said-not-suspended-in-flight"),
        Notice::Plain(Role::Text, "said-not-suspended-no-shell"),
        Notice::QrSaved("/srv/loja/qrcode.svg".into()),
        Notice::system("said-qr-not-saved", "No space left on device"),
        Notice::NotCopied(CopyTrouble::NoProgram),
        Notice::Recording(RecordingNews::Begun(file.clone())),
        Notice::Recording(RecordingNews::Saved(file.clone())),
        Notice::Recording(RecordingNews::Full(file)),
        Notice::Recording(RecordingNews::Failed("No space left on device".into())),
        Notice::WithKey("said-nothing-recorded", Action::Palette),
        Notice::Plain(Role::Good, "said-moment-marked"),
    ]
}

fn kiosk_notices() -> Vec<Notice> {
    vec![
        Notice::KioskLimit("said-kiosk-sales", 200),
        Notice::KioskLimit("said-kiosk-withdrawals", 50),
        Notice::KioskLimit("said-kiosk-start-overs", 5),
        Notice::KioskLimit("said-kiosk-forward", 144),
        Notice::Plain(Role::Text, "said-kiosk-no-file"),
        Notice::good("said-kiosk-ready"),
        Notice::warn("said-zone-unreadable"),
        Notice::Plain(Role::Text, "said-kiosk-qr"),
        Notice::Plain(Role::Text, "said-kiosk-withheld"),
    ]
}

/// Returns the notices about bank statements.
fn statement_notices() -> Vec<Notice> {
    let undone = UndoneMarks {
        removed: 2,
        kept: 1,
    };
    vec![
        Notice::StatementMarked(0),
        Notice::StatementMarked(3),
        Notice::StatementUndone(None),
        Notice::StatementUndone(Some(undone)),
        Notice::StatementSaved("/srv/loja/extrato.ofx".into()),
        Notice::system("said-statement-not-saved", "No space left on device"),
    ]
}

fn exported(rows: u64, put_away: u64) -> Notice {
    Notice::ListExported(ExportedFile {
        path: "/srv/loja/links-2026-11-21.csv".into(),
        rows,
        put_away,
    })
}

fn import_notices() -> Vec<Notice> {
    vec![
        Notice::warn("said-no-such-file"),
        Notice::warn("said-batch-login"),
        Notice::warn("said-batch-other-account"),
        Notice::WithKey("said-batch-finished", Action::Import),
        Notice::WithKey("said-batch-paused", Action::Import),
    ]
}

/// Returns the notices that only a team has.
fn team_notices() -> Vec<Notice> {
    vec![
        Notice::good("said-approved"),
        Notice::good("said-approval-taken-back"),
        Notice::WithDetail("said-not-shared", "permission denied (42501)".into()),
    ]
}

/// Returns notices of every kind. If a notice is about a failure, the result contains this notice
/// for each possible failure.
pub fn all_notices() -> Vec<Notice> {
    let mut notices = [statement_notices(), import_notices(), team_notices()].concat();
    notices.extend(terminal_notices());
    notices.extend([
        Notice::RequestSaved("/srv/loja/requisicao-2026-11-21-120000.har".into()),
        Notice::system(
            "said-request-not-saved",
            "No space left on device (os error 28)",
        ),
        exported(1, 0),
        exported(1_204, 3),
        Notice::NotCopied(CopyTrouble::NotClean),
        Notice::NotCopied(CopyTrouble::Masked),
        Notice::NotCopied(CopyTrouble::NotInFull),
        Notice::NotCopied(CopyTrouble::TooLong),
        Notice::NotCopied(CopyTrouble::Nothing),
        Notice::WithKey("said-link-made", Action::Copy),
        Notice::warn("said-link-made-odd"),
        Notice::WithKey("said-charge-made", Action::Copy),
        Notice::warn("said-charge-made-odd"),
        Notice::good("said-marked"),
        Notice::good("said-unmarked"),
        Notice::good("said-removed"),
        Notice::WithKey("said-put-away", Action::FilterPutAway),
        Notice::good("said-brought-back"),
        Notice::good("said-noted"),
        Notice::good("said-no-note"),
        Notice::good("said-link-found"),
        Notice::good("said-charge-found"),
        Notice::good("said-link-ready"),
        Notice::good("said-charge-ready"),
        Notice::good("said-nicknamed"),
        Notice::good("said-no-nickname"),
        Notice::NotMarked(JournalTrouble::Io("disk I/O error".into())),
        Notice::good("said-opened"),
        Notice::NotOpened(NoBrowser::NotWeb),
        Notice::NotOpened(NoBrowser::NoDisplay),
        Notice::NotOpened(NoBrowser::Failed),
        Notice::Full(Limit::Characters(80)),
        Notice::Full(Limit::Amount(AmountField::max_amount())),
        Notice::AmountReplaced(typed_amount("4990")),
        Notice::good("said-logged-in"),
        Notice::warn("said-logged-in-for-run"),
        Notice::good("said-logged-out"),
        Notice::good("said-jwt-kept"),
        Notice::good("said-consent-stored"),
        Notice::good("said-taught"),
        Notice::warn("said-taught-for-run"),
        Notice::warn("said-taught-agreed-for-run"),
        Notice::WithKey("said-taught-log-in", Action::LogIn),
        Notice::good("said-unit-confirmed"),
        Notice::warn("said-not-taught-now"),
        Notice::warn("said-not-taught-open"),
        Notice::warn("said-object-gone"),
        Notice::WithKey("said-request-marked", Action::Compare),
        Notice::system(
            "said-not-taught",
            "config.toml: No space left on device (os error 28)",
        ),
        Notice::warn("said-read-only"),
        Notice::DomainChosen,
        Notice::WithDetail(
            "said-domain-not-kept",
            "No space left on device (os error 28)".into(),
        ),
        Notice::Refreshed,
        Notice::NotHere(Action::Refresh),
        Notice::NotHere(Action::PasteJwt),
        Notice::good("said-look-kept"),
        Notice::system("said-look-not-kept", "disk full"),
        Notice::Plain(Role::Text, "said-look-for-run"),
        Notice::warn("said-close-form-first"),
        Notice::Plain(Role::Text, "said-balance"),
        Notice::Plain(Role::Text, "said-export"),
        Notice::Plain(Role::Text, "said-story-in-demo"),
        Notice::Plain(Role::Text, "said-no-colours"),
        Notice::Plain(Role::Text, "said-domain-added-at-service"),
        Notice::SandboxLinkPaid {
            description: "Camiseta azul M".into(),
            amount: brl(4_990),
        },
        Notice::FaultArmed("lose-answer".into()),
        Notice::good("said-faults-gone"),
        Notice::good("said-started-over"),
        Notice::warn("said-domains-down"),
        Notice::good("said-domains-up"),
        Notice::warn("said-forwarded"),
        Notice::warn("said-step-failed"),
        Notice::warn("said-not-granted"),
        Notice::NotLoggedOut(VaultTrouble::Locked),
        Notice::History(JournalTrouble::Io("disk I/O error".into())),
        Notice::warn("said-history-anew"),
        Notice::warn("said-requests-anew"),
        Notice::Requests(JournalTrouble::OtherVersion { found: 9, known: 2 }),
        Notice::SwitchRefusal(SwitchRefusal::InFlight),
        Notice::SwitchRefusal(SwitchRefusal::Waiting),
        Notice::SwitchRefusal(SwitchRefusal::Wrong("config.toml".into())),
        Notice::WithDetail("said-not-watching", "OS file watch limit reached.".into()),
        Notice::good("said-made-live"),
        Notice::Settled {
            amount: brl(9_000_000),
            state: WithdrawalState::Accepted,
        },
        Notice::Settled {
            amount: brl(9_000_000),
            state: WithdrawalState::Rejected,
        },
        Notice::Settled {
            amount: brl(9_000_000),
            state: WithdrawalState::Prepared,
        },
        Notice::NotDecided(Failure::Journal(JournalTrouble::Full("disk full".into()))),
        Notice::NotDecided(Failure::NotSent(NotSent::Busy)),
        Notice::NotDecided(Failure::NotSent(NotSent::NotSafe)),
        Notice::Sending(Failure::Blocked(too_soon())),
        Notice::Sending(Failure::Journal(JournalTrouble::Busy(
            "held too long".into(),
        ))),
    ]);
    notices.extend(waiting_notices());
    notices.extend(kiosk_notices());
    notices.extend(copy_notices());
    notices.extend(unrecorded_failures().into_iter().map(Notice::Sending));
    notices.extend(
        all_clashes().map(|clash| Notice::Sending(Failure::Blocked(Blocker::Clash(clash)))),
    );
    let not_sent = [NotSent::Busy, NotSent::NotSafe, NotSent::BodyChanged];
    notices.extend(not_sent.map(|why| Notice::Sending(Failure::NotSent(why))));
    notices
}

/// Returns the notices for keys that cannot work yet.
fn waiting_notices() -> Vec<Notice> {
    vec![
        Notice::SendLater {
            wait: Duration::from_secs(1),
            is_resend: false,
        },
        Notice::SendLater {
            wait: Duration::from_secs(1),
            is_resend: true,
        },
        Notice::warn("said-decide-first"),
        Notice::warn("said-see-field"),
        Notice::warn("said-still-refused"),
    ]
}

/// Returns failures to write an attempt's result to the journal. In some of them, money may have
/// moved.
pub fn unrecorded_failures() -> Vec<Failure> {
    let full = || JournalTrouble::Full("disk full".into());
    vec![
        unrecorded_failure(1, accepted_reply(202), full()),
        unrecorded_failure(2, reply_with_message(400, "Saldo insuficiente."), full()),
        unrecorded_failure(1, no_answer(NoAnswer::Timeout), full()),
        unrecorded_failure(3, not_sent(NotSent::Dns), full()),
        journal_busy_failure(),
        unrecorded_failure(
            1,
            accepted_reply(202),
            JournalTrouble::Offline("connection refused".into()),
        ),
    ]
}

/// Returns the failure to write an attempt's result to a journal that another process has locked.
pub fn journal_busy_failure() -> Failure {
    unrecorded_failure(
        1,
        accepted_reply(202),
        JournalTrouble::Busy("database is locked".into()),
    )
}

fn unrecorded_failure(n: u32, result: AttemptResult, trouble: JournalTrouble) -> Failure {
    let clocks = model(Lang::Pt).store.now;
    let end = attempt_end(&result, &agreement(0), built_in_contract(), n > 1, &clocks);
    Failure::Unrecorded {
        n,
        end: Box::new(end),
        trouble,
    }
}

fn too_soon() -> Blocker {
    Blocker::TooSoon {
        wait: Duration::from_millis(21_500),
    }
}

/// Returns at least one rule of each kind that blocks a withdrawal.
fn all_blockers() -> Vec<Blocker> {
    let mut blockers = vec![
        Blocker::KeyKnown,
        Blocker::NoSuchKey,
        Blocker::EmptyBody,
        Blocker::RetypedDiffers,
        Blocker::Busy,
        Blocker::State,
        Blocker::Window(NoSend::WindowOver),
        Blocker::Window(NoSend::TooManySends),
        Blocker::Window(NoSend::ClockInDoubt(ClockDoubt::AnotherBoot)),
        too_soon(),
        Blocker::Unapproved,
        Blocker::SentElsewhere {
            wait: Duration::from_secs(48),
            by: None,
        },
        Blocker::SentElsewhere {
            wait: Duration::from_secs(48),
            by: Some(Author {
                role: "bia".into(),
                operator: "Bia".into(),
                machine: "caixa-2".into(),
            }),
        },
        Blocker::ServerChanged {
            wait: Duration::from_secs(48),
        },
        Blocker::BodyChanged,
    ];
    blockers.extend(all_clashes().map(Blocker::Clash));
    blockers
}

/// Returns at least one failure of each kind.
fn all_failures() -> Vec<Failure> {
    let refusal = |status| Refusal {
        status,
        message: Some("Saldo insuficiente.".into()),
        hint: Some("Tente um valor menor.".into()),
        retry_after: None,
    };
    let mut failures: Vec<Failure> = [
        NotSent::Busy,
        NotSent::Journal,
        NotSent::NoCredential,
        NotSent::OtherAccount,
        NotSent::Vault,
        NotSent::Dns,
        NotSent::Connect,
        NotSent::Tls,
        NotSent::BodyChanged,
        NotSent::Headers,
        NotSent::NotSafe,
        NotSent::NotAgreed,
        NotSent::ReadOnly,
        NotSent::Unproven,
    ]
    .map(Failure::NotSent)
    .into();
    failures.extend([CredentialKind::ApiToken, CredentialKind::Jwt].map(Failure::NoCredential));
    use NoAnswer::{Cut, Encoded, Left, NotHttp, Timeout, TooLarge};
    failures.extend([Timeout, Cut, TooLarge, Left, Encoded, NotHttp].map(Failure::NoAnswer));
    for credential in [
        Some(CredentialKind::ApiToken),
        Some(CredentialKind::Jwt),
        None,
    ] {
        failures.push(Failure::Unauthorized {
            credential,
            refusal: refusal(401),
        });
    }
    failures.extend([200, 400, 409, 500].map(|status| Failure::Refused(refusal(status))));
    failures.push(Failure::Contradicted(refusal(200)));
    failures.push(Failure::Redirected {
        status: 302,
        location: Some("https://other.example/".into()),
    });
    failures.push(Failure::Unreadable {
        status: 200,
        expected_settings: vec!["create_link.url".into()],
        can_be_taught: true,
        body: "<html>\u{1b}[2J</html>".into(),
    });
    for trouble in [
        VaultTrouble::Absent,
        VaultTrouble::Locked,
        VaultTrouble::Hangs,
    ] {
        failures.push(Failure::Vault(trouble));
    }
    failures.push(Failure::Vault(VaultTrouble::Denied));
    failures.push(Failure::Vault(VaultTrouble::NoHelper(
        "docker-credential-pass".into(),
    )));
    failures.push(Failure::Vault(VaultTrouble::ReadOnly));
    failures.push(Failure::Vault(VaultTrouble::HelperHangs));
    failures.push(Failure::Vault(VaultTrouble::HelperFailed(
        "it ended with 1: locked".into(),
    )));
    failures.push(Failure::Vault(VaultTrouble::Several(
        "keyring:jwt@balcao".into(),
    )));
    failures.push(Failure::Vault(VaultTrouble::Other("no such bus".into())));
    failures.push(Failure::Journal(JournalTrouble::Damaged(
        "row 7: checksum".into(),
    )));
    failures.push(Failure::Journal(JournalTrouble::Missing));
    failures.push(Failure::Journal(JournalTrouble::Older { missing: 3 }));
    failures.push(Failure::Journal(JournalTrouble::OtherVersion {
        found: 2,
        known: 3,
    }));
    failures.push(Failure::Journal(JournalTrouble::MaybeMissing(
        VaultTrouble::Locked,
    )));
    failures.push(Failure::Journal(JournalTrouble::Io(
        "disk I/O error".into(),
    )));
    failures.push(Failure::Journal(JournalTrouble::ReadOnly(
        "Read-only file system".into(),
    )));
    failures.push(Failure::Journal(JournalTrouble::Full("disk full".into())));
    failures.push(Failure::Journal(JournalTrouble::NotPrivate(
        "others may write in it".into(),
    )));
    failures.push(Failure::Journal(JournalTrouble::Network("NFS".into())));
    failures.push(Failure::Journal(JournalTrouble::Busy(
        "held too long".into(),
    )));
    failures.extend(
        [
            JournalTrouble::Offline("connection refused".into()),
            JournalTrouble::Doubt("connection reset".into()),
            JournalTrouble::Refused("permission denied for table event".into()),
            JournalTrouble::LostApproval("new row violates row-level security policy".into()),
            JournalTrouble::Forked { lost: 2 },
        ]
        .map(Failure::Journal),
    );
    failures.extend(unrecorded_failures());
    failures.extend(all_blockers().into_iter().map(Failure::Blocked));
    failures.push(Failure::NotAJwt);
    failures.push(Failure::Journal(JournalTrouble::Elsewhere(
        "/srv/balcao/journal".into(),
    )));
    let contents = JournalContents {
        withdrawals: 48,
        open: 2,
        last: Some(Wall(0)),
    };
    failures.push(Failure::Journal(JournalTrouble::Unmarked(contents)));
    failures.push(Failure::Journal(JournalTrouble::OtherMachine(contents)));
    failures.push(Failure::Cancelled);
    failures
}

/// Returns the names of an enum's variants. Reads them from the enum's source code.
fn enum_variants(source: &str, name: &str) -> Vec<String> {
    let declaration = format!("\npub enum {name} {{\n");
    let (_, rest) = source
        .split_once(&declaration)
        .unwrap_or_else(|| panic!("no enum {name}"));
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let ends = |c: char| !c.is_alphanumeric();
    names
        .map(|line| line.split(ends).next().unwrap().to_owned())
        .collect()
}

/// Returns true if the debug text of a value contains `prefix` and then this variant. If `prefix`
/// is empty, the debug text must begin with the variant.
fn is_among(values: &[String], prefix: &str, variant: &str) -> bool {
    let expected = format!("{prefix}{variant}");
    values.iter().any(|value| {
        let rest = if prefix.is_empty() {
            value.strip_prefix(&expected)
        } else {
            value.split_once(&expected).map(|(_, rest)| rest)
        };
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Each kind of notice or failure must have an example in this file. Otherwise, no test would draw
/// its text.
#[test]
fn every_notice_and_failure_is_drawn() {
    let notice = include_str!("../../src/app/store/notice.rs");
    let clip = include_str!("../../src/app/store/clip.rs");
    let failure = include_str!("../../src/trade/failure.rs");
    let credential = include_str!("../../src/trade/credential.rs");
    let journal = include_str!("../../src/trade/journal_trouble.rs");
    let attempt = include_str!("../../src/trade/withdrawal/attempt.rs");
    let clash = include_str!("../../src/trade/withdrawal.rs");
    let rules = include_str!("../../src/trade/withdrawal/rules.rs");
    let notices: Vec<_> = all_notices()
        .iter()
        .map(|notice| format!("{notice:?}"))
        .collect();
    let failures: Vec<_> = all_failures()
        .iter()
        .map(|failure| format!("{failure:?}"))
        .collect();
    // Identify a notice with a fixed text by its message id.
    let notices_rs = include_str!("../../src/app/chrome/notices.rs");
    let outcome_rs = include_str!("../../src/app/screens/withdrawals/show/outcome.rs");
    let history_rs = include_str!("../../src/words/failure.rs");
    let computed = [notices_rs, outcome_rs, history_rs];
    let ids = Lang::Pt
        .files()
        .into_iter()
        .flat_map(|(_, source)| source.lines());
    let ids = ids
        .filter(|line| line.starts_with("said-"))
        .filter_map(|line| line.split(' ').next());
    let is_drawn = |id: &&str| {
        computed
            .iter()
            .any(|source| source.contains(&format!("\"{id}\"")))
            || notices
                .iter()
                .any(|notice| notice.contains(&format!("\"{id}\"")))
    };
    let missing: Vec<_> = ids.filter(|id| !is_drawn(id)).collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
    for (source, name, values, prefix) in [
        (notice, "Notice", &notices, ""),
        (clip, "Copied", &notices, "how: "),
        (clip, "CopyTrouble", &notices, "NotCopied("),
        (clip, "NoBrowser", &notices, "NotOpened("),
        (failure, "Failure", &failures, ""),
        (credential, "CredentialKind", &failures, "NoCredential("),
        (failure, "NoAnswer", &failures, "NoAnswer("),
        (credential, "VaultTrouble", &failures, "Vault("),
        (journal, "JournalTrouble", &failures, "Journal("),
        (attempt, "NotSent", &failures, "NotSent("),
        (clash, "ClashKind", &failures, "kind: "),
        (rules, "Blocker", &failures, "Blocked("),
    ] {
        let expected = enum_variants(source, name);
        assert!(expected.len() > 1, "{name}: {expected:?}");
        let missing: Vec<_> = expected
            .iter()
            .filter(|variant| !is_among(values, prefix, variant))
            .collect();
        assert!(missing.is_empty(), "never drawn of {name}: {missing:?}");
    }
}

/// Returns true if the service may have performed the operation, although the request failed.
fn may_have_acted(failure: &Failure, activity: Activity) -> bool {
    let creates_or_sends = matches!(
        activity,
        Activity::Link | Activity::Charge | Activity::Withdrawal
    );
    // A request may have reached the service before the user cancelled it.
    failure.may_have_acted() == MoneyMoved::Maybe
        || *failure == Failure::Cancelled && creates_or_sends
}

fn is_only_of_withdrawals(failure: &Failure) -> bool {
    matches!(failure, Failure::Unrecorded { .. } | Failure::Blocked(_))
}

#[test]
fn failure_shows_cause_money_state_and_next_step() {
    let cases = Lang::ALL.into_iter().flat_map(|lang| {
        all_failures()
            .into_iter()
            .map(move |failure| (lang, failure))
    });
    for (lang, failure) in cases {
        let words = Catalogue::of(lang);
        for (activity, maybe_id, next_id) in [
            (Activity::Login, "moved-maybe-login", None),
            (Activity::Link, "moved-maybe-link", Some("next-link")),
            (Activity::Charge, "moved-maybe-charge", Some("next-charge")),
            (
                Activity::Withdrawal,
                "moved-maybe-withdrawal",
                Some("next-withdrawal"),
            ),
            (Activity::Question, "moved-maybe", None),
        ] {
            if is_only_of_withdrawals(&failure) && activity != Activity::Withdrawal {
                continue;
            }
            let description = describe(words, &failure, activity);
            let screen: Vec<_> = lines(words, &failure, activity, 72)
                .iter()
                .map(ToString::to_string)
                .collect();
            let screen = normalize_spaces(&screen.join(" "));
            let labels = description.quotes.iter().map(|(label, _)| label);
            for text in [&description.what, &description.moved, &description.next]
                .into_iter()
                .chain(labels)
            {
                let text = normalize_spaces(text);
                assert!(
                    !text.is_empty() && screen.contains(&text),
                    "{failure:?}: {text}\n{screen}"
                );
            }
            let maybe_acted = may_have_acted(&failure, activity);
            assert_eq!(
                description.moved == words.text(maybe_id),
                maybe_acted,
                "{failure:?}: {}",
                description.moved
            );
            // The advice must begin with the safe next step if the service may have performed the
            // operation.
            let Some(next_id) = next_id.filter(|_| !matches!(failure, Failure::Unrecorded { .. }))
            else {
                continue;
            };
            let is_first = description.next.starts_with(&words.text(next_id));
            assert_eq!(is_first, maybe_acted, "{failure:?}: {}", description.next);
        }
    }
}

/// Failure texts must describe the missing value. They must not contain the names of API contract
/// settings, because only support staff know these names.
#[test]
fn failure_texts_contain_no_names_of_settings() {
    let contract = Contract::built_in();
    let names: Vec<&String> = contract.settings().keys().collect();
    let unreadable_failures = |expected_settings: Vec<String>| {
        [true, false].map(|can_be_taught| Failure::Unreadable {
            status: 200,
            expected_settings: expected_settings.clone(),
            can_be_taught,
            body: "".into(),
        })
    };
    let mut failures = all_failures();
    failures.extend(
        names
            .iter()
            .flat_map(|name| unreadable_failures(vec![(*name).clone()])),
    );
    failures.extend(unreadable_failures(vec![]));
    let activities = [
        Activity::Login,
        Activity::Link,
        Activity::Charge,
        Activity::Withdrawal,
        Activity::Fee,
        Activity::Question,
    ];
    for words in Lang::ALL.map(Catalogue::of) {
        for (failure, activity) in failures
            .iter()
            .flat_map(|failure| activities.map(|activity| (failure, activity)))
        {
            let description = describe(words, failure, activity);
            let labels = description.quotes.iter().map(|(label, _)| label);
            for text in [&description.what, &description.moved, &description.next]
                .into_iter()
                .chain(labels)
            {
                let setting_name = names.iter().find(|name| text.contains(name.as_str()));
                assert_eq!(setting_name, None, "{failure:?}: {text}");
            }
        }
    }
}

#[test]
fn unread_fee_advises_to_teach_where_to_look() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let model = form_models(lang)
            .into_iter()
            .find(|(name, _)| *name == "withdraw-fee-unread");
        let screen = normalize_spaces(&screen_text(&model.unwrap().1));
        for id in ["unreadable-fee", "unreadable.next"] {
            assert!(screen.contains(&words.text(id)), "{id}:\n{screen}");
        }
    }
}

/// A notice about a withdrawal must always say whether money has moved, and must never be cut off.
#[test]
fn withdrawal_notice_shows_whether_money_moved() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let ids = ["moved-no-withdrawal", "moved-maybe-withdrawal"];
        let [not_moved, maybe_moved] = ids.map(|id| words.text(id));
        for notice in all_notices() {
            let expected = match &notice {
                Notice::Sending(failure) => match failure.may_have_acted() {
                    MoneyMoved::No => not_moved.clone(),
                    MoneyMoved::Maybe => maybe_moved.clone(),
                },
                Notice::NotDecided(_) => words.text("said-not-decided"),
                _ => continue,
            };
            let model = with_change(model(lang), |model| {
                model.notice = Some(notice.clone());
                send_message(model, Msg::Continued);
            });
            let screen = screen_text(&model);
            let lines: Vec<_> = screen.lines().skip(20).map(str::trim).collect();
            assert!(lines.join(" ").contains(&expected), "{notice:?}:\n{screen}");
        }
    }
}

/// If no browser can be opened, the notice must be a translated sentence that names the keys for
/// copying. It must not be the error text of a library.
#[test]
fn missing_browser_notice_is_whole_and_translated() {
    for (lang, begin) in [
        (Lang::Pt, "Não foi possível abrir o navegador."),
        (Lang::En, "No browser could be opened."),
    ] {
        for reason in [NoBrowser::NoDisplay, NoBrowser::Failed] {
            let model = with_change(model(lang), |model| {
                model.notice = Some(Notice::NotOpened(reason))
            });
            let screen = screen_text(&model);
            let line = screen.lines().nth(22).unwrap();
            // The notice contains two keys: one copies the link, and the other copies the WhatsApp
            // message with the link.
            for action in [Action::Copy, Action::CopyMessage] {
                let key = model.setup.keys.keys(action)[0].to_string();
                assert!(
                    line.contains(begin) && line.contains(&format!(" {key} ")),
                    "{line}"
                );
            }
            assert!(line.ends_with('.') && !line.contains(['“', '…']), "{line}");
        }
    }
}

/// A notice that is too long for its row takes a row from the body, and never covers the key hints.
#[test]
fn long_notice_leaves_the_key_hints() {
    let has_keys = |screen: &str| screen.lines().last().unwrap().contains("Ctrl-K");
    let description = "Camiseta azul M com estampa da loja e frete expresso para todo o Brasil";
    let long_notice = Notice::SandboxLinkPaid {
        description: description.into(),
        amount: brl(4_990),
    };
    let mut long_count = 0;
    for notice in all_notices().into_iter().chain([long_notice]) {
        // A notice with the description of a link is cut off.
        let has_description = matches!(notice, Notice::SandboxLinkPaid { .. });
        for lang in Lang::ALL {
            for (columns, rows) in [(60, 18), (60, 20), (80, 24)] {
                let with_notice = with_change(model(lang), |model| {
                    model.notice = Some(notice.clone());
                    model.size = Size { columns, rows };
                    send_message(model, Msg::Continued);
                });
                let screen = text(&buffer(&with_notice, columns, rows));
                assert!(has_keys(&screen), "{notice:?}:\n{screen}");
                let is_cut = |line: &str| line.trim_end().ends_with('…') && !has_description;
                let notice_rows = usize::from(with_notice.notice_rows);
                let mut shown = screen.lines().rev().skip(1).take(notice_rows);
                assert!(!shown.any(is_cut), "{notice:?}:\n{screen}");
                long_count += usize::from(notice_rows > 1);
                for next in [
                    Input::Key("Down".parse().unwrap()),
                    Input::Click { column: 2, row: 2 },
                ] {
                    let mut model = after_confirm_delay(with_notice.clone());
                    send_input(&mut model, next.clone());
                    assert_eq!(model.notice, None, "{notice:?}, {next:?}");
                }
            }
        }
    }
    assert!(long_count > 50, "{long_count}");
}

/// Terms that are to be confirmed must stay visible, so a long notice covers the key hints there.
#[test]
fn long_notice_covers_no_terms() {
    for name in ["review", "send-again", "ask-found"] {
        let shown = |notice| {
            let model = with_change(find_model(Lang::Pt, name), |model| {
                model.notice = notice;
                send_message(model, Msg::Continued);
            });
            screen_text(&model)
        };
        let long = Notice::WithDetail("said-not-watching", "x ".repeat(40).as_str().into());
        let with_notice = shown(Some(long));
        let without = shown(None);
        let body = |screen: &str| {
            screen
                .lines()
                .take(22)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(body(&with_notice), body(&without), "{name}");
    }
}
