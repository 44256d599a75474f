//! Everything that takes turns in one place of the screen: one of each.

use std::time::Duration;

use balcao::app::action::Action;
use balcao::app::copying::Clip;
use balcao::app::form::Limit;
use balcao::app::withdrawals::clues::ClueKind;
use balcao::app::{Copied, CopyTrouble, NoBrowser, Said};
use balcao::trade::withdrawal::NotSent;
use balcao::trade::{
    AmountField, CredentialKind, Failure, JournalTrouble, Moved, NoAnswer, Refusal, VaultTrouble,
};
use balcao::view::Look;
use balcao::words::Lang;

use crate::models::{altered, brl, model, screen};
use crate::models_money::forms::clashes;
use crate::models_money::replies::{Back, built_in, end, not_sent, silent, taken, with_message};
use crate::models_money::withdrawals::agreement;

/// Everything a notice can say.
pub fn notices() -> Vec<Said> {
    let mut all = vec![
        Said::NotCopied(CopyTrouble::NotClean),
        Said::NotCopied(CopyTrouble::NotInFull),
        Said::NotCopied(CopyTrouble::TooLong),
        Said::NotCopied(CopyTrouble::Nothing),
        Said::Opened,
        Said::NotOpened(NoBrowser::NotWeb),
        Said::NotOpened(NoBrowser::NoDisplay),
        Said::NotOpened(NoBrowser::Failed),
        Said::Full(Limit::Characters(80)),
        Said::Full(Limit::Amount(AmountField::most())),
        Said::LoggedIn,
        Said::LoggedOut,
        Said::JwtKept,
        Said::LinesAgreed,
        Said::DomainChosen,
        Said::DomainNotKept("No space left on device (os error 28)".into()),
        Said::Refreshed,
        Said::NotHere(Action::Refresh),
        Said::SandboxLinkPaid { description: "Camiseta azul M".into(), amount: brl(4_990) },
        Said::FaultArmed("lose-answer".into()),
        Said::FaultsGone,
        Said::StartedOver,
        Said::DomainsDown(true),
        Said::DomainsDown(false),
        Said::Forwarded,
        Said::DomainMoved("loja-da-ana.localhost".into()),
        Said::StepFailed,
        Said::NotGranted,
        Said::Failure(Failure::NoAnswer(NoAnswer::Cut)),
        Said::Failure(Failure::Vault(VaultTrouble::Locked)),
        Said::History(JournalTrouble::Io("disk I/O error".into())),
        Said::HistoryAnew,
        Said::NotWatching("OS file watch limit reached.".into()),
        Said::JournalPicked,
        Said::JournalNotPicked(JournalTrouble::Io("disk I/O error".into())),
        Said::JournalNotPicked(JournalTrouble::Busy("a withdrawal is being sent".into())),
        Said::NotDecided(Failure::Journal(JournalTrouble::Full("disk full".into()))),
        Said::NotDecided(Failure::NotSent(NotSent::Busy)),
        Said::NotDecided(Failure::NotSent(NotSent::NotSafe)),
        Said::Sending(Failure::TooSoon { wait: Duration::from_millis(21_500) }),
        Said::Sending(Failure::Journal(JournalTrouble::Busy("held too long".into()))),
    ];
    for how in [Copied::Desktop, Copied::Tmux, Copied::SentToTerminal] {
        let clips = [Clip::Address, Clip::Message, Clip::PixCode, Clip::Key, Clip::Request];
        let clues = [
            ClueKind::Amount,
            ClueKind::Net,
            ClueKind::Said,
            ClueKind::When,
            ClueKind::Destination,
            ClueKind::Key,
        ];
        let clips = clips.into_iter().chain(clues.map(Clip::Clue));
        all.extend(clips.zip(1..).map(|(clip, times)| Said::Copied { clip, how, times }));
    }
    all.extend(unrecorded_ones().into_iter().map(Said::Sending));
    all.extend(clashes().map(|clash| Said::Sending(Failure::Clash(clash))));
    let never_left = [NotSent::Busy, NotSent::NotSafe, NotSent::BodyChanged];
    all.extend(never_left.map(|why| Said::Sending(Failure::NotSent(why))));
    all
}

/// Ends that the journal did not take: each tells another thing about the money.
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

/// An end that waits for whoever holds the journal.
pub fn held_up() -> Failure {
    unrecorded(1, taken(202), JournalTrouble::Busy("database is locked".into()))
}

fn unrecorded(n: u32, back: Back, trouble: JournalTrouble) -> Failure {
    let clocks = model(Lang::Pt).store.now;
    let end = end(&back, &agreement(0), built_in(), n > 1, &clocks);
    Failure::Unrecorded { n, end: Box::new(end), trouble }
}

/// Every failure there is, one of each.
pub fn failures() -> Vec<Failure> {
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
    ]
    .map(Failure::NotSent)
    .into();
    all.extend([CredentialKind::ApiToken, CredentialKind::Jwt].map(Failure::NoCredential));
    all.extend(
        [NoAnswer::Timeout, NoAnswer::Cut, NoAnswer::TooLarge, NoAnswer::Left]
            .map(Failure::NoAnswer),
    );
    for credential in [Some(CredentialKind::ApiToken), Some(CredentialKind::Jwt), None] {
        all.push(Failure::Unauthorized { credential, refusal: refusal(401) });
    }
    all.extend([400, 409, 500].map(|status| Failure::Refused(refusal(status))));
    all.push(Failure::Redirected { status: 302, location: Some("https://other.example/".into()) });
    all.push(Failure::Unreadable {
        status: 200,
        looked_for: vec!["/url".into(), "/data/url".into()],
        body: "<html>\u{1b}[2J</html>".into(),
    });
    for trouble in [VaultTrouble::Absent, VaultTrouble::Locked, VaultTrouble::Hangs] {
        all.push(Failure::Vault(trouble));
    }
    all.push(Failure::Vault(VaultTrouble::Other("no such bus".into())));
    all.push(Failure::Journal(JournalTrouble::Damaged("row 7: checksum".into())));
    all.push(Failure::Journal(JournalTrouble::Missing));
    all.push(Failure::TooSoon { wait: Duration::from_millis(21_500) });
    all.push(Failure::Journal(JournalTrouble::Newer { found: 3, known: 2 }));
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
    all.push(Failure::Journal(JournalTrouble::Several(vec![].into())));
    all.push(Failure::Cancelled);
    all
}

/// The variants of an enum of the source, by their names.
fn variants(source: &str, name: &str) -> Vec<String> {
    let begin = format!("\npub enum {name} {{\n");
    let (_, rest) = source.split_once(&begin).unwrap_or_else(|| panic!("no enum {name}"));
    let (body, _) = rest.split_once("\n}\n").unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
    let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    let ends = |c: char| !c.is_alphanumeric();
    names.map(|line| line.split(ends).next().unwrap().to_owned()).collect()
}

/// Whether one of these values is, or holds behind this text, that variant.
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

/// Whoever adds one is told here: what nobody ever drew may say anything, or nothing.
#[test]
fn everything_that_can_be_said_is_drawn_once_at_least() {
    let app = include_str!("../../src/app.rs");
    let failure = include_str!("../../src/trade/failure.rs");
    let attempt = include_str!("../../src/trade/withdrawal/attempt.rs");
    let clash = include_str!("../../src/trade/withdrawal/clash.rs");
    let notices: Vec<_> = notices().iter().map(|said| format!("{said:?}")).collect();
    let failures: Vec<_> = failures().iter().map(|failure| format!("{failure:?}")).collect();
    for (source, name, all, before) in [
        (app, "Said", &notices, ""),
        (app, "Copied", &notices, "how: "),
        (app, "CopyTrouble", &notices, "NotCopied("),
        (app, "NoBrowser", &notices, "NotOpened("),
        (failure, "Failure", &failures, ""),
        (failure, "CredentialKind", &failures, "NoCredential("),
        (failure, "NoAnswer", &failures, "NoAnswer("),
        (failure, "VaultTrouble", &failures, "Vault("),
        (failure, "JournalTrouble", &failures, "Journal("),
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

/// Of what a withdrawal was in, a notice says whether money moved, in full.
#[test]
fn a_notice_about_a_withdrawal_says_whether_money_moved() {
    for lang in Lang::ALL {
        let look = Look::new(lang);
        let ids = ["moved-no-withdrawal", "moved-maybe-withdrawal"];
        let [no, maybe] = ids.map(|id| look.words.text(id));
        for said in notices() {
            let wanted = match &said {
                Said::Sending(failure) => match failure.may_have_acted() {
                    Moved::No => no.clone(),
                    Moved::Maybe => maybe.clone(),
                },
                Said::NotDecided(_) => look.words.text("said-not-decided"),
                _ => continue,
            };
            let model = altered(model(lang), |model| model.notice = Some(said.clone()));
            let screen = screen(&model, &look);
            let line = screen.lines().nth(22).unwrap();
            assert!(line.contains(&wanted), "{said:?}: {line}");
        }
    }
}

/// What no browser means is our own sentence, whole, with the way out; no library's words.
#[test]
fn that_no_browser_was_opened_is_said_whole_in_the_language() {
    for (lang, begin) in [
        (Lang::Pt, "Não foi possível abrir o navegador."),
        (Lang::En, "No browser could be opened."),
    ] {
        for why in [NoBrowser::NoDisplay, NoBrowser::Failed] {
            let model = altered(model(lang), |model| model.notice = Some(Said::NotOpened(why)));
            let screen = screen(&model, &Look::new(lang));
            let line = screen.lines().nth(22).unwrap();
            let key = model.setup.keys.keys(Action::Copy)[0].to_string();
            assert!(line.contains(begin) && line.contains(&format!(" {key} ")), "{line}");
            assert!(line.ends_with('.') && !line.contains(['“', '…']), "{line}");
        }
    }
}
