//! Everything that takes turns in one place of the screen: one of each.

use std::time::Duration;

use balcao::app::action::Action;
use balcao::app::copying::Clip;
use balcao::app::withdrawals::guide::What;
use balcao::app::{Copied, CopyTrouble, Said};
use balcao::trade::withdrawal::{AttemptEnd, Class, NotSent, Unclear};
use balcao::trade::{
    CredentialKind, Failure, JournalTrouble, NoAnswer, Refusal, VaultTrouble, Wall,
};

use crate::models::brl;
use crate::models_money::forms::clashes;

/// Everything a notice can say.
pub fn notices() -> Vec<Said> {
    let mut all = vec![
        Said::NotCopied(CopyTrouble::NotClean),
        Said::NotCopied(CopyTrouble::NotInFull),
        Said::NotCopied(CopyTrouble::TooLong),
        Said::NotCopied(CopyTrouble::Nothing),
        Said::Opened,
        Said::NotOpened("xdg-open: not found".into()),
        Said::Full(80),
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
    ];
    for how in [Copied::Desktop, Copied::Tmux, Copied::SentToTerminal] {
        let clips = [Clip::Address, Clip::Message, Clip::PixCode, Clip::Key, Clip::Request];
        let clues = [What::Amount, What::Net, What::Said, What::When, What::Destination, What::Key];
        let clips = clips.into_iter().chain(clues.map(Clip::Clue));
        all.extend(clips.zip(1..).map(|(clip, times)| Said::Copied { clip, how, times }));
    }
    all.extend(unrecorded_ones().into_iter().map(Said::Failure));
    all
}

/// Ends that the journal did not take: each tells another thing about the money.
pub fn unrecorded_ones() -> Vec<Failure> {
    let full = || JournalTrouble::Full("disk full".into());
    let told = |n, class, status: Option<u16>, message: Option<&str>, trouble| {
        let (message, at, boot_ms) = (message.map(Into::into), Wall(0), Some(0));
        let end = AttemptEnd { at, boot_ms, class, status, server_date: None, message, hint: None };
        Failure::Unrecorded { n, end: Box::new(end), trouble }
    };
    let taken = || Class::Confirmed { id: None, status: None };
    vec![
        told(1, taken(), Some(202), None, full()),
        told(2, Class::DefiniteNo, Some(422), Some("Saldo insuficiente."), full()),
        told(1, Class::Unclear(Unclear::Timeout), None, None, full()),
        told(3, Class::NotSent(NotSent::Dns), None, None, full()),
        held_up(),
    ]
}

/// An end that waits for whoever holds the journal.
pub fn held_up() -> Failure {
    let class = Class::Confirmed { id: None, status: None };
    let (at, boot_ms, status) = (Wall(0), Some(0), Some(202));
    let end =
        AttemptEnd { at, boot_ms, class, status, server_date: None, message: None, hint: None };
    let trouble = JournalTrouble::Busy("database is locked".into());
    Failure::Unrecorded { n: 1, end: Box::new(end), trouble }
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
    ]
    .map(Failure::NotSent)
    .into();
    all.extend([CredentialKind::ApiToken, CredentialKind::Jwt].map(Failure::NoCredential));
    all.extend([NoAnswer::Timeout, NoAnswer::Cut, NoAnswer::TooLarge].map(Failure::NoAnswer));
    for credential in [Some(CredentialKind::ApiToken), Some(CredentialKind::Jwt), None] {
        all.push(Failure::NoEntry { credential, refusal: refusal(401) });
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
    all.push(Failure::Cancelled);
    all
}
