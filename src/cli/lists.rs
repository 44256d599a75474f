//! `balcao links list`, `balcao withdrawals list`: what the journal knows, for scripts and support.

use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::{Common, Complaint};
use crate::journal::OsDisk;
use crate::journal::history::{History, MovedAside};
use crate::journal::money::MoneyJournal;
use crate::runtime::clocks::MachineClocks;
use crate::trade::withdrawal::{Attempt, Class, State};
use crate::trade::{LinkOutcome, Money, PaymentLink, Wall, Withdrawal};

/// The rows that are read at once.
const ROWS: u64 = 200;

impl Common {
    /// The journal in a named directory, which must be there, or that of the named service.
    fn journal(&self, named: Option<PathBuf>) -> Result<PathBuf, Complaint> {
        if let Some(dir) = named {
            let missing = || Complaint(format!("there is no directory {}", dir.display()));
            return if dir.is_dir() { Ok(dir) } else { Err(missing()) };
        }
        let settings = self.settings()?;
        let (_, profile) =
            settings.config.profile(self.profile.as_deref()).map_err(Complaint::of)?;
        let base = super::counter::base_url(self, &profile)?;
        Ok(settings.places.journal(&base.origin().0, base.is_loopback()))
    }
}

/// Lists the links.
pub fn links(common: &Common, json: bool, journal: Option<PathBuf>) -> Result<(), Complaint> {
    let dir = common.journal(journal)?;
    if !dir.join("history.db").exists() {
        return Ok(());
    }
    let now = MachineClocks::new().now();
    let (history, moved) = History::open(&dir, now.wall).map_err(|e| complain(&e))?;
    if let Some(moved) = moved {
        // Nobody reads a closed standard error; the list itself is right.
        let _ = writeln!(io::stderr(), "{}", moved_aside(&moved));
    }
    let mut out = io::stdout().lock();
    let mut first = 0;
    loop {
        let page = history.links(None, "", first, ROWS).map_err(|e| complain(&e))?;
        for link in page.rows.iter() {
            let line = if json { link_json(link).to_string() } else { link_line(link) };
            if gone(writeln!(out, "{line}"))? {
                return Ok(());
            }
        }
        first += ROWS;
        if first >= page.total {
            return Ok(());
        }
    }
}

fn moved_aside(moved: &MovedAside) -> String {
    let to = moved.to.display();
    format!(
        "balcao: the history was damaged ({}) and a new one has begun; it is now {to}",
        moved.why
    )
}

/// Lists the withdrawals.
///
/// Where there is no journal none is made: a lost one must be missed when the app opens.
pub fn withdrawals(common: &Common, json: bool, journal: Option<PathBuf>) -> Result<(), Complaint> {
    let dir = common.journal(journal)?;
    if !["money.db", "money.head"].iter().any(|name| dir.join(name).exists()) {
        return Ok(());
    }
    let mut journal = MoneyJournal::open(&dir, OsDisk, false).map_err(|e| complain(&e))?;
    let mut out = io::stdout().lock();
    let mut first = 0;
    loop {
        let page = journal.page(None, "", first, ROWS).map_err(|e| complain(&e))?;
        for withdrawal in page.rows.iter() {
            let flying = journal.in_flight(&withdrawal.agreement.account);
            let flying = flying.map_err(|e| complain(&e))?;
            let in_flight = flying.is_some_and(|key| key == withdrawal.agreement.key);
            let state = state_of(withdrawal, in_flight);
            let line = if json {
                withdrawal_json(withdrawal, &state).to_string()
            } else {
                withdrawal_line(withdrawal, &state)
            };
            if gone(writeln!(out, "{line}"))? {
                return Ok(());
            }
        }
        first += ROWS;
        if first >= page.total {
            return Ok(());
        }
    }
}

fn state_of(withdrawal: &Withdrawal, in_flight: bool) -> State {
    let contract = crate::contract::Contract::built_in();
    let window = crate::service::window(&contract, &crate::service::Limits::default());
    withdrawal.state(&MachineClocks::new().now(), &window, in_flight)
}

/// Whether the reader has gone away, which is no error of ours.
fn gone(written: io::Result<()>) -> Result<bool, Complaint> {
    match written {
        Ok(()) => Ok(false),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(true),
        Err(error) => Err(Complaint::of(error)),
    }
}

fn complain(trouble: &crate::trade::JournalTrouble) -> Complaint {
    Complaint::of(trouble)
}

/// A moment in UTC, to the second.
fn moment(at: Wall) -> String {
    jiff::Timestamp::from_millisecond(at.0).map(|at| at.to_string()).unwrap_or_default()
}

/// An amount as a JSON number with its own text.
fn number(money: Money) -> Value {
    serde_json::from_str(&money.wire()).unwrap_or(Value::Null)
}

fn link_json(link: &PaymentLink) -> Value {
    let (outcome, url, message) = match &link.outcome {
        LinkOutcome::Unknown => ("unknown", None, None),
        LinkOutcome::Created { url } => ("created", Some(url.raw()), None),
        LinkOutcome::Refused(refusal) => {
            ("refused", None, refusal.message.as_ref().map(|message| message.raw()))
        }
        LinkOutcome::NotSent => ("not-sent", None, None),
    };
    json!({
        "at": moment(link.at),
        "account": &*link.request.account.identity,
        "amount": number(link.request.amount),
        "description": link.request.description,
        "checkoutDomain": link.request.domain.as_ref().map(|domain| domain.raw()),
        "outcome": outcome,
        "url": url,
        "message": message,
    })
}

fn link_line(link: &PaymentLink) -> String {
    let url = link.url().map(|url| url.shown()).unwrap_or_default();
    let what = crate::trade::Untrusted::from(link.request.description.as_str()).shown_within(40);
    format!("{}  {:>16}  {what:<40}  {url}", moment(link.at), link.request.amount.to_string())
}

fn withdrawal_json(withdrawal: &Withdrawal, state: &State) -> Value {
    let agreement = &withdrawal.agreement;
    json!({
        "key": agreement.key.to_string(),
        "state": state.name(),
        "open": state.is_open(),
        "agreed": moment(agreement.agreed.wall),
        "account": &*agreement.account.identity,
        "origin": &*agreement.account.origin.0,
        "amount": number(agreement.amount),
        "fee": agreement.quote.as_ref().map(|quote| number(quote.fee)),
        "net": agreement.quote.as_ref().map(|quote| number(quote.net)),
        // Masked: a list like this ends up in tickets and chats.
        "destination": agreement.destination.as_ref().map(|key| key.masked()),
        "attempts": withdrawal.attempts.iter().map(attempt_json).collect::<Vec<_>>(),
    })
}

fn attempt_json(attempt: &Attempt) -> Value {
    json!({
        "n": attempt.n,
        "began": moment(attempt.began.wall),
        "ended": attempt.end.as_ref().map(|end| moment(end.at)),
        "class": attempt.end.as_ref().map(|end| class_name(&end.class)),
        "status": attempt.end.as_ref().and_then(|end| end.status),
    })
}

fn class_name(class: &Class) -> &'static str {
    match class {
        Class::NotSent(_) => "not-sent",
        Class::Unclear(_) => "unclear",
        Class::Confirmed { .. } => "confirmed",
        Class::Alarm(_) => "alarm",
        Class::DefiniteNo => "definite-no",
        Class::NoEntry => "no-entry",
        Class::Throttled { .. } => "throttled",
        Class::Redirected => "redirected",
        Class::KeyReused => "key-reused",
    }
}

fn withdrawal_line(withdrawal: &Withdrawal, state: &State) -> String {
    let agreement = &withdrawal.agreement;
    let destination =
        agreement.destination.as_ref().map(|key| key.masked()).unwrap_or_else(|| "-".into());
    format!(
        "{}  {:>16}  {:<18}  {destination:<24}  {}",
        moment(agreement.agreed.wall),
        agreement.amount.to_string(),
        state.name(),
        agreement.key
    )
}
