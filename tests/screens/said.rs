//! Tests of all notices and failure texts. Every kind of them is drawn at least once.

use std::time::Duration;

use balcao::app::store::clip::Clip;
use balcao::app::store::notice::Notice;
use balcao::app::store::profiles::NotSwitched;
use balcao::app::store::withdrawals::lookup_hints::LookupHintKind;
use balcao::app::ui::Role;
use balcao::app::ui::action::Action;
use balcao::app::ui::failure::lines;
use balcao::app::ui::form::Limit;
use balcao::app::ui::input::{Input, Size};
use balcao::app::{Copied, CopyTrouble, NoBrowser};
use balcao::contract::Contract;
use balcao::trade::withdrawal::{NotSent, WithdrawalState};
use balcao::trade::{
    AmountField, CredentialKind, Failure, JournalTrouble, MoneyMoved, NoAnswer, Refusal,
    VaultTrouble,
};
use balcao::words::failure::{Activity, describe};
use balcao::words::{Catalogue, Lang};

use crate::models::{altered, brl, buffer, input, looked_at, model, running, screen, text};
use crate::models_money::forms::{clashes, forms};
use crate::models_money::replies::{Back, built_in, end, not_sent, silent, taken, with_message};
use crate::models_money::withdrawals::agreement;

/// Returns a notice for each kind of text that can be copied, and for each way to copy it.
fn copies() -> Vec<Notice> {
    let mut all = vec![];
    for how in [Copied::Desktop, Copied::Tmux, Copied::TmuxOnly, Copied::SentToTerminal] {
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
            let copied = |(clip, times)| Notice::Copied { clip, how, times, advises };
            all.extend(clips.clone().zip(1..).map(copied));
        }
    }
    all
}

/// Returns the notices that only the kiosk shows.
fn of_kiosk() -> Vec<Notice> {
    vec![
        Notice::KioskLimit("said-kiosk-sales", 200),
        Notice::KioskLimit("said-kiosk-withdrawals", 50),
        Notice::KioskLimit("said-kiosk-start-overs", 5),
        Notice::KioskLimit("said-kiosk-forward", 144),
        Notice::Plain(Role::Text, "said-kiosk-no-file"),
        Notice::good("said-kiosk-ready"),
        Notice::Plain(Role::Text, "said-kiosk-qr"),
        Notice::Plain(Role::Text, "said-kiosk-withheld"),
    ]
}

/// Returns notices of every kind. For a notice about a failure, the result contains a notice for
/// each possible failure.
pub fn notices() -> Vec<Notice> {
    let mut all = vec![
        Notice::RequestSaved("/srv/loja/requisicao-2026-11-21-120000.har".into()),
        Notice::system("said-request-not-saved", "No space left on device (os error 28)"),
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
        Notice::good("said-put-away"),
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
        Notice::Full(Limit::Amount(AmountField::most())),
        Notice::good("said-logged-in"),
        Notice::warn("said-logged-in-for-run"),
        Notice::good("said-logged-out"),
        Notice::good("said-jwt-kept"),
        Notice::good("said-consent-stored"),
        Notice::good("said-taught"),
        Notice::warn("said-taught-for-run"),
        Notice::WithKey("said-taught-log-in", Action::LogIn),
        Notice::good("said-unit-confirmed"),
        Notice::warn("said-not-taught-now"),
        Notice::warn("said-object-gone"),
        Notice::WithKey("said-request-marked", Action::Compare),
        Notice::WithDetail(
            "said-not-taught",
            "config.toml: No space left on device (os error 28)".into(),
        ),
        Notice::warn("said-read-only"),
        Notice::DomainChosen,
        Notice::WithDetail("said-domain-not-kept", "No space left on device (os error 28)".into()),
        Notice::Refreshed,
        Notice::NotHere(Action::Refresh),
        Notice::SendLater(Duration::from_secs(1)),
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
        Notice::SandboxLinkPaid { description: "Camiseta azul M".into(), amount: brl(4_990) },
        Notice::FaultArmed("lose-answer".into()),
        Notice::good("said-faults-gone"),
        Notice::good("said-started-over"),
        Notice::warn("said-domains-down"),
        Notice::good("said-domains-up"),
        Notice::warn("said-forwarded"),
        Notice::warn("said-step-failed"),
        Notice::warn("said-not-granted"),
        Notice::Failure(Failure::NoAnswer(NoAnswer::Cut)),
        Notice::Failure(Failure::Vault(VaultTrouble::Locked)),
        Notice::History(JournalTrouble::Io("disk I/O error".into())),
        Notice::warn("said-history-anew"),
        Notice::warn("said-requests-anew"),
        Notice::NotSwitched(NotSwitched::InFlight),
        Notice::NotSwitched(NotSwitched::Waiting),
        Notice::NotSwitched(NotSwitched::Wrong("config.toml".into())),
        Notice::WithDetail("said-not-watching", "OS file watch limit reached.".into()),
        Notice::good("said-made-live"),
        Notice::Settled { amount: brl(9_000_000), state: WithdrawalState::Accepted },
        Notice::Settled { amount: brl(9_000_000), state: WithdrawalState::Rejected },
        Notice::Settled { amount: brl(9_000_000), state: WithdrawalState::Prepared },
        Notice::NotDecided(Failure::Journal(JournalTrouble::Full("disk full".into()))),
        Notice::NotDecided(Failure::NotSent(NotSent::Busy)),
        Notice::NotDecided(Failure::NotSent(NotSent::NotSafe)),
        Notice::Sending(Failure::TooSoon { wait: Duration::from_millis(21_500) }),
        Notice::Sending(Failure::Journal(JournalTrouble::Busy("held too long".into()))),
    ];
    all.extend(of_kiosk());
    all.extend(copies());
    all.extend(unrecorded_ones().into_iter().map(Notice::Sending));
    all.extend(clashes().map(|clash| Notice::Sending(Failure::Clash(clash))));
    let never_left = [NotSent::Busy, NotSent::NotSafe, NotSent::BodyChanged];
    all.extend(never_left.map(|why| Notice::Sending(Failure::NotSent(why))));
    all
}

/// Returns failures to write the result of an attempt to the journal. Money may have moved or not,
/// depending on the result.
pub fn unrecorded_ones() -> Vec<Failure> {
    let full = || JournalTrouble::Full("disk full".into());
    vec![
        unrecorded(1, taken(202), full()),
        unrecorded(2, with_message(400, "Saldo insuficiente."), full()),
        unrecorded(1, silent(NoAnswer::Timeout), full()),
        unrecorded(3, not_sent(NotSent::Dns), full()),
        held_up(),
    ]
}

/// Returns the failure to write the result of an attempt, because another process has locked the
/// journal.
pub fn held_up() -> Failure {
    unrecorded(1, taken(202), JournalTrouble::Busy("database is locked".into()))
}

fn unrecorded(n: u32, back: Back, trouble: JournalTrouble) -> Failure {
    let clocks = model(Lang::Pt).store.now;
    let end = end(&back, &agreement(0), built_in(), n > 1, &clocks);
    Failure::Unrecorded { n, end: Box::new(end), trouble }
}

/// Returns at least one failure of each kind.
fn failures() -> Vec<Failure> {
    let refusal = |status| Refusal {
        status,
        message: Some("Saldo insuficiente.".into()),
        hint: Some("Tente um valor menor.".into()),
    };
    let mut all: Vec<Failure> = [
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
    all.extend([CredentialKind::ApiToken, CredentialKind::Jwt].map(Failure::NoCredential));
    use NoAnswer::{Cut, Encoded, Left, NotHttp, Timeout, TooLarge};
    all.extend([Timeout, Cut, TooLarge, Left, Encoded, NotHttp].map(Failure::NoAnswer));
    for credential in [Some(CredentialKind::ApiToken), Some(CredentialKind::Jwt), None] {
        all.push(Failure::Unauthorized { credential, refusal: refusal(401) });
    }
    all.extend([400, 409, 500].map(|status| Failure::Refused(refusal(status))));
    all.push(Failure::Redirected { status: 302, location: Some("https://other.example/".into()) });
    all.push(Failure::Unreadable {
        status: 200,
        looked_for: vec!["create_link.url".into()],
        may_be_taught: true,
        body: "<html>\u{1b}[2J</html>".into(),
    });
    for trouble in [VaultTrouble::Absent, VaultTrouble::Locked, VaultTrouble::Hangs] {
        all.push(Failure::Vault(trouble));
    }
    all.push(Failure::Vault(VaultTrouble::Denied));
    all.push(Failure::Vault(VaultTrouble::NoHelper("docker-credential-pass".into())));
    all.push(Failure::Vault(VaultTrouble::ReadOnly));
    all.push(Failure::Vault(VaultTrouble::HelperHangs));
    all.push(Failure::Vault(VaultTrouble::HelperFailed("it ended with 1: locked".into())));
    all.push(Failure::Vault(VaultTrouble::Other("no such bus".into())));
    all.push(Failure::Journal(JournalTrouble::Damaged("row 7: checksum".into())));
    all.push(Failure::Journal(JournalTrouble::Missing));
    all.push(Failure::Journal(JournalTrouble::Older { missing: 3 }));
    all.push(Failure::TooSoon { wait: Duration::from_millis(21_500) });
    all.push(Failure::Journal(JournalTrouble::OtherVersion { found: 2, known: 3 }));
    all.push(Failure::Journal(JournalTrouble::MaybeMissing(VaultTrouble::Locked)));
    all.push(Failure::Journal(JournalTrouble::Io("disk I/O error".into())));
    all.push(Failure::Journal(JournalTrouble::ReadOnly("Read-only file system".into())));
    all.push(Failure::Journal(JournalTrouble::Full("disk full".into())));
    all.push(Failure::Journal(JournalTrouble::NotPrivate("others may write in it".into())));
    all.push(Failure::Journal(JournalTrouble::Network("NFS".into())));
    all.push(Failure::Journal(JournalTrouble::Busy("held too long".into())));
    all.extend(unrecorded_ones());
    all.extend(clashes().map(Failure::Clash));
    all.push(Failure::NotAJwt);
    all.push(Failure::Journal(JournalTrouble::Elsewhere("/srv/balcao/journal".into())));
    all.push(Failure::Cancelled);
    all
}

/// Returns the names of an enum's variants. Reads them from the enum's source code.
fn variants(source: &str, name: &str) -> Vec<String> {
    let begin = format!("\npub enum {name} {{\n");
    let (_, rest) = source.split_once(&begin).unwrap_or_else(|| panic!("no enum {name}"));
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let ends = |c: char| !c.is_alphanumeric();
    names.map(|line| line.split(ends).next().unwrap().to_owned()).collect()
}

/// Returns true if the debug text of a value contains `before` and then this variant. If `before`
/// is empty, the debug text must begin with the variant.
fn is_among(all: &[String], before: &str, variant: &str) -> bool {
    let wanted = format!("{before}{variant}");
    all.iter().any(|value| {
        let rest = match before.is_empty() {
            true => value.strip_prefix(&wanted),
            false => value.split_once(&wanted).map(|(_, rest)| rest),
        };
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    })
}

/// Each kind of notice or failure must have an example in this file. Otherwise, no test would draw
/// its text.
#[test]
fn everything_that_can_be_said_is_drawn_once_at_least() {
    let notice = include_str!("../../src/app/store/notice.rs");
    let clip = include_str!("../../src/app/store/clip.rs");
    let failure = include_str!("../../src/trade/failure.rs");
    let credential = include_str!("../../src/trade/credential.rs");
    let journal = include_str!("../../src/trade/journal_trouble.rs");
    let attempt = include_str!("../../src/trade/withdrawal/attempt.rs");
    let clash = include_str!("../../src/trade/withdrawal.rs");
    let notices: Vec<_> = notices().iter().map(|said| format!("{said:?}")).collect();
    let failures: Vec<_> = failures().iter().map(|failure| format!("{failure:?}")).collect();
    // Identify a notice with a fixed text by its message id.
    let notices_rs = include_str!("../../src/app/chrome/notices.rs");
    let outcome_rs = include_str!("../../src/app/screens/withdrawals/show/outcome.rs");
    let history_rs = include_str!("../../src/words/failure.rs");
    let computed = [notices_rs, outcome_rs, history_rs];
    let ids = Lang::Pt.files().into_iter().flat_map(|(_, source)| source.lines());
    let ids =
        ids.filter(|line| line.starts_with("said-")).filter_map(|line| line.split(' ').next());
    let is_drawn = |id: &&str| {
        computed.iter().any(|source| source.contains(&format!("\"{id}\"")))
            || notices.iter().any(|said| said.contains(&format!("\"{id}\"")))
    };
    let missing: Vec<_> = ids.filter(|id| !is_drawn(id)).collect();
    assert!(missing.is_empty(), "never drawn: {missing:?}");
    for (source, name, all, before) in [
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
    ] {
        let wanted = variants(source, name);
        assert!(wanted.len() > 1, "{name}: {wanted:?}");
        let missing: Vec<_> =
            wanted.iter().filter(|variant| !is_among(all, before, variant)).collect();
        assert!(missing.is_empty(), "never drawn of {name}: {missing:?}");
    }
}

/// Returns true if the service may have performed the operation, although the request failed.
fn may_have_acted(failure: &Failure, activity: Activity) -> bool {
    let orders = matches!(activity, Activity::Link | Activity::Charge | Activity::Withdrawal);
    // A request may have reached the service before the user cancelled it.
    failure.may_have_acted() == MoneyMoved::Maybe || *failure == Failure::Cancelled && orders
}

/// Returns true if only a withdrawal can fail in this way.
fn is_of_withdrawals(failure: &Failure) -> bool {
    matches!(failure, Failure::Unrecorded { .. } | Failure::Clash(_) | Failure::TooSoon { .. })
}

#[test]
fn failure_shows_cause_money_state_and_next_step() {
    let each =
        Lang::ALL.into_iter().flat_map(|lang| failures().into_iter().map(move |one| (lang, one)));
    for (lang, failure) in each {
        let words = Catalogue::of(lang);
        for (activity, maybe, next) in [
            (Activity::Login, "moved-maybe-login", None),
            (Activity::Link, "moved-maybe-link", Some("next-link")),
            (Activity::Charge, "moved-maybe-charge", Some("next-charge")),
            (Activity::Withdrawal, "moved-maybe-withdrawal", Some("next-withdrawal")),
            (Activity::Question, "moved-maybe", None),
        ] {
            if is_of_withdrawals(&failure) && activity != Activity::Withdrawal {
                continue;
            }
            let told = describe(words, &failure, activity);
            let drawn: Vec<_> =
                lines(words, &failure, activity, 72).iter().map(ToString::to_string).collect();
            let drawn = running(&drawn.join(" "));
            let labels = told.quotes.iter().map(|(label, _)| label);
            for said in [&told.what, &told.moved, &told.next].into_iter().chain(labels) {
                let said = running(said);
                assert!(!said.is_empty() && drawn.contains(&said), "{failure:?}: {said}\n{drawn}");
            }
            let maybe_acted = may_have_acted(&failure, activity);
            assert_eq!(told.moved == words.text(maybe), maybe_acted, "{failure:?}: {}", told.moved);
            // The advice must begin with the safe next step if the service may have performed the
            // operation.
            let Some(next) = next.filter(|_| !matches!(failure, Failure::Unrecorded { .. })) else {
                continue;
            };
            let is_first = told.next.starts_with(&words.text(next));
            assert_eq!(is_first, maybe_acted, "{failure:?}: {}", told.next);
        }
    }
}

/// Failure texts must describe the missing value. They must not contain the names of API contract
/// settings, because only support staff know these names.
#[test]
fn failure_texts_contain_no_names_of_settings() {
    let contract = Contract::built_in();
    let names: Vec<&String> = contract.settings().keys().collect();
    let unread = |looked_for: Vec<String>| {
        [true, false].map(|may_be_taught| Failure::Unreadable {
            status: 200,
            looked_for: looked_for.clone(),
            may_be_taught,
            body: "".into(),
        })
    };
    let mut all = failures();
    all.extend(names.iter().flat_map(|name| unread(vec![(*name).clone()])));
    all.extend(unread(vec![]));
    let activities = [
        Activity::Login,
        Activity::Link,
        Activity::Charge,
        Activity::Withdrawal,
        Activity::Fee,
        Activity::Question,
    ];
    for words in Lang::ALL.map(Catalogue::of) {
        for (failure, activity) in
            all.iter().flat_map(|failure| activities.map(|activity| (failure, activity)))
        {
            let told = describe(words, failure, activity);
            let labels = told.quotes.iter().map(|(label, _)| label);
            for said in [&told.what, &told.moved, &told.next].into_iter().chain(labels) {
                let named = names.iter().find(|name| said.contains(name.as_str()));
                assert_eq!(named, None, "{failure:?}: {said}");
            }
        }
    }
}

#[test]
fn unread_fee_advises_to_teach_where_to_look() {
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let model = forms(lang).into_iter().find(|(name, _)| *name == "withdraw-fee-unread");
        let screen = running(&screen(&model.unwrap().1));
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
        let [no, maybe] = ids.map(|id| words.text(id));
        for said in notices() {
            let wanted = match &said {
                Notice::Sending(failure) => match failure.may_have_acted() {
                    MoneyMoved::No => no.clone(),
                    MoneyMoved::Maybe => maybe.clone(),
                },
                Notice::NotDecided(_) => words.text("said-not-decided"),
                _ => continue,
            };
            let model = altered(model(lang), |model| model.notice = Some(said.clone()));
            let screen = screen(&model);
            let lines: Vec<_> = screen.lines().skip(22).map(str::trim).collect();
            assert!(lines.join(" ").contains(&wanted), "{said:?}:\n{screen}");
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
        for why in [NoBrowser::NoDisplay, NoBrowser::Failed] {
            let model = altered(model(lang), |model| model.notice = Some(Notice::NotOpened(why)));
            let screen = screen(&model);
            let line = screen.lines().nth(22).unwrap();
            // The notice contains two keys: one copies the link, and the other copies the WhatsApp
            // message with the link.
            for action in [Action::Copy, Action::CopyMessage] {
                let key = model.setup.keys.keys(action)[0].to_string();
                assert!(line.contains(begin) && line.contains(&format!(" {key} ")), "{line}");
            }
            assert!(line.ends_with('.') && !line.contains(['“', '…']), "{line}");
        }
    }
}

/// A notice that is too long for its row must also cover the key hints in the next row. The hints
/// return at the next key press or click.
#[test]
fn a_notice_that_needs_it_takes_the_row_of_the_keys() {
    let has_keys = |screen: &str| screen.lines().last().unwrap().contains("Ctrl-K");
    let long = "Camiseta azul M com estampa da loja e frete expresso para todo o Brasil";
    let paid = Notice::SandboxLinkPaid { description: long.into(), amount: brl(4_990) };
    let (mut taken, mut beside) = (0, 0);
    for said in notices().into_iter().chain([paid]) {
        // A notice with the description of a link is cut off. It does not cover the key hints.
        let is_theirs = matches!(said, Notice::SandboxLinkPaid { .. });
        for lang in Lang::ALL {
            for (columns, rows) in [(60, 18), (60, 20), (80, 24)] {
                let with = altered(model(lang), |model| {
                    model.notice = Some(said.clone());
                    model.size = Size { columns, rows };
                });
                let seen = text(&buffer(&with, columns, rows));
                let foot: Vec<_> = seen.lines().skip(usize::from(rows) - 2).collect();
                let is_cut = |line: &str| line.trim_end().ends_with('…') && !is_theirs;
                assert!(!is_cut(foot[0]), "{said:?}:\n{seen}");
                assert!(columns < 60 || has_keys(&seen) || !is_cut(foot[1]), "{said:?}:\n{seen}");
                assert!(columns < 80 || !is_theirs || has_keys(&seen), "{said:?}:\n{seen}");
                *(if has_keys(&seen) { &mut beside } else { &mut taken }) += 1;
                // Click on the row of the key hints if the notice covers it. Otherwise, click on
                // another row.
                let row = if has_keys(&seen) { 2 } else { rows - 1 };
                let click = Input::Click { column: 2, row };
                for next in [Input::Key("Down".parse().unwrap()), click] {
                    let mut model = looked_at(with.clone());
                    input(&mut model, next.clone());
                    let after = text(&buffer(&model, columns, rows));
                    assert!(has_keys(&after), "{said:?}, {next:?}:\n{after}");
                }
            }
        }
    }
    assert!(taken > 100 && beside > 100, "{taken}, {beside}");
}
