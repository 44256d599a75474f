//! What was just done, in the last line but one: no more is said than is known.

use ratatui::Frame;

use super::failure::{Doing, history, told};
use super::parts::{first_key, put};
use super::text::{columns, fit};
use super::{Look, Role};
use crate::app::action::Action;
use crate::app::copying::Clip;
use crate::app::form::Limit;
use crate::app::geometry::Area;
use crate::app::withdrawals::guide::What;
use crate::app::{Copied, CopyTrouble, Model, NoBrowser, Pane, Said};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{DomainChoice, Failure, Money, Moved, Untrusted};
use crate::words::Words;

/// Draws the notice, if there is one.
pub(super) fn draw(model: &Model, look: &Look, area: Area, frame: &mut Frame) {
    let Some(said) = &model.notice else { return };
    let room = usize::from(area.width).saturating_sub(2);
    let (role, text) = words(model, look, said, room);
    put(vec![look.line(role, format!(" {}", fit(&text, room)))], area, frame);
}

/// The limit of a field; so far from it the notice says of what it is so many.
fn full(look: &Look, most: Limit) -> String {
    match most {
        Limit::Characters(most) => {
            look.words.with("field-at-most", &[("limit", &most.to_string())])
        }
        Limit::Amount(most) => look.words.with("field-too-long", &[("limit", &most.to_string())]),
    }
}

fn words(model: &Model, look: &Look, said: &Said, room: usize) -> (Role, String) {
    let say = |role, id: &str| (role, look.say(id));
    match said {
        Said::Copied { clip, how, times } => (Role::Good, copied(look, *clip, *how, *times)),
        Said::NotCopied(trouble) => (Role::Warn, not_copied(look, trouble)),
        Said::Opened => say(Role::Good, "said-opened"),
        Said::NotOpened(NoBrowser::NotWeb) => say(Role::Warn, "said-not-opened-not-web"),
        Said::NotOpened(NoBrowser::NoDisplay | NoBrowser::Failed) => {
            let key = first_key(model, look, Action::Copy);
            (Role::Warn, look.words.with("said-not-opened", &[("key", &key)]))
        }
        Said::Full(most) => (Role::Warn, full(look, *most)),
        Said::LoggedIn => say(Role::Good, "said-logged-in"),
        Said::LoggedOut => say(Role::Good, "said-logged-out"),
        Said::JwtKept => say(Role::Good, "said-jwt-kept"),
        Said::LinesAgreed => say(Role::Good, "said-lines-agreed"),
        Said::DomainChosen => domain_chosen(model, look),
        Said::DomainNotKept(why) => with_detail(look, "said-domain-not-kept", why, room),
        Said::Refreshed => say(Role::Good, refreshed(model)),
        Said::NotHere(action) => {
            let word = look.say(&format!("action-{}", action.name()));
            let key = first_key(model, look, *action);
            (Role::Dim, look.words.with("said-not-here", &[("key", &key), ("action", &word)]))
        }
        Said::SandboxLinkPaid { description, amount } => {
            let label = look.words.with("said-sandbox-paid", &[("amount", &amount.to_string())]);
            let left = room.saturating_sub(columns(&label) + 1);
            (Role::Good, format!("{label} {}", description.shown_within(left)))
        }
        Said::FaultArmed(name) => {
            let what = look.say(&format!("fault-{name}.armed"));
            (Role::Warn, look.words.with("said-fault-armed", &[("what", &what)]))
        }
        Said::FaultsGone => say(Role::Good, "said-faults-gone"),
        Said::StartedOver => say(Role::Good, "said-started-over"),
        Said::DomainsDown(true) => say(Role::Warn, "said-domains-down"),
        Said::DomainsDown(false) => say(Role::Good, "said-domains-up"),
        Said::Forwarded => say(Role::Warn, "said-forwarded"),
        Said::DomainMoved(host) => {
            let host = host.shown_within(40);
            (Role::Warn, look.words.with("said-domain-moved", &[("host", &host)]))
        }
        Said::StepFailed => say(Role::Warn, "said-step-failed"),
        Said::NotGranted => say(Role::Warn, "said-not-granted"),
        Said::Failure(failure) => {
            let told = told(look, failure, Doing::Question);
            let both = format!("{} {}", told.what, told.moved);
            (Role::Bad, if columns(&both) <= room { both } else { told.what })
        }
        Said::Sending(failure) => (Role::Bad, sending(look, failure, room)),
        Said::NotWatching(why) => with_detail(look, "said-not-watching", why, room),
        Said::JournalPicked => say(Role::Good, "said-journal-picked"),
        Said::JournalNotPicked(trouble) => {
            let told = told(look, &Failure::Journal(trouble.clone()), Doing::Question);
            let both = format!("{} {}", look.say("said-journal-not-picked"), told.what);
            (Role::Bad, if columns(&both) <= room { both } else { told.what })
        }
        Said::NotDecided(failure) => (Role::Bad, not_decided(look, failure, room)),
        Said::History(why) => match history(look, why) {
            (said, Some(detail)) => (Role::Warn, and_system(look, said, detail, room)),
            (said, None) => (Role::Warn, said),
        },
        Said::HistoryAnew => say(Role::Warn, "said-history-anew"),
    }
}

/// That a person's word was not written down, and why where that has room.
fn not_decided(look: &Look, failure: &Failure, room: usize) -> String {
    let (said, why) = (look.say("said-not-decided"), told(look, failure, Doing::Question).what);
    let both = format!("{said} {why}");
    if columns(&both) <= room { both } else { said }
}

/// What became of a sending that nobody watched; of the money first, where not all has room.
fn sending(look: &Look, failure: &Failure, room: usize) -> String {
    // Of this attempt alone: one before it may have paid all the same.
    let moved = look.say(match failure.may_have_acted() {
        Moved::Maybe => "moved-maybe-withdrawal",
        Moved::No => "moved-no-withdrawal",
    });
    let both = format!("{} {moved}", told(look, failure, Doing::Withdrawal).what);
    match columns(&both) <= room {
        true => both,
        false => look.words.with("said-sending-failed", &[("moved", &moved)]),
    }
}

/// What was copied and how; that it is the same once more stands first, where no width cuts it.
fn copied(look: &Look, clip: Clip, how: Copied, times: u32) -> String {
    let what = look.say(match clip {
        Clip::Address => "clip-address",
        Clip::Message => "clip-message",
        Clip::PixCode => "clip-pix-code",
        Clip::Key | Clip::Clue(What::Key) => "clip-key",
        Clip::Request => "clip-request",
        Clip::Clue(What::Amount) => "clip-amount",
        Clip::Clue(What::Net) => "clip-net",
        Clip::Clue(What::Said) => "clip-said",
        Clip::Clue(What::When) => "clip-when",
        Clip::Clue(What::Destination) => "clip-destination",
    });
    let id = match how {
        Copied::Desktop => "said-copied-desktop",
        Copied::Tmux => "said-copied-tmux",
        Copied::SentToTerminal => "said-copied-terminal",
    };
    let said = look.words.with(id, &[("what", &what)]);
    if times > 1 { format!("({times}×) {said}") } else { said }
}

fn refreshed(model: &Model) -> &'static str {
    match (model.layers.last(), model.pane) {
        (Some(_), _) => "said-refreshed",
        (None, Pane::Account) => "said-refreshed-keyring",
        (None, _) => "said-refreshed-list",
    }
}

fn not_copied(look: &Look, trouble: &CopyTrouble) -> String {
    match trouble {
        CopyTrouble::NotClean => look.say("said-not-copied-clean"),
        CopyTrouble::NotInFull => look
            .words
            .with("said-not-copied-unseen", &[("most", &Untrusted::MOST_SHOWN.to_string())]),
        CopyTrouble::TooLong => look.say("said-not-copied-long"),
        CopyTrouble::Nothing => look.say("said-not-copied-nothing"),
    }
}

fn domain_chosen(model: &Model, look: &Look) -> (Role, String) {
    let with =
        |id, host: &Untrusted, room| look.words.with(id, &[("host", &host.shown_within(room))]);
    match &model.domains.choice {
        DomainChoice::Automatic => (Role::Good, look.say("said-domain-automatic")),
        DomainChoice::Named(host) if model.domains.is_pending(host) => {
            (Role::Warn, with("said-domain-pending", host, 28))
        }
        DomainChoice::Named(host) => (Role::Good, with("said-domain-named", host, 40)),
    }
}

/// Our words, then what the system said, which may hold anything and is labelled as its own.
fn with_detail(look: &Look, id: &str, detail: &str, room: usize) -> (Role, String) {
    (Role::Warn, and_system(look, look.say(id), detail, room))
}

fn and_system(look: &Look, said: String, detail: &str, room: usize) -> String {
    let detail = Untrusted::from(detail).shown();
    let theirs = look.words.with("said-system", &[("text", &detail)]);
    // Half of it could say the contrary: all of it, or nothing.
    let both = format!("{said} {theirs}");
    if columns(&both) > room { said } else { both }
}

/// What is said once the screen was left and a withdrawal is still on its way.
pub fn left_sending(words: &Words) -> String {
    words.text("left-sending")
}

/// The same where how it ended is known, and waits for whoever holds the journal.
pub fn left_unwritten(words: &Words) -> String {
    words.text("left-unwritten")
}

/// What is said of an end that the journal does not have when the program ends.
pub fn left_unrecorded(look: &Look, amount: Option<Money>, end: &Failure) -> String {
    let told = told(look, end, Doing::Withdrawal);
    let said = format!("{} {} {}", told.what, told.moved, look.say("left-unrecorded"));
    match amount {
        Some(amount) => {
            let of = look.words.with("left-of", &[("amount", &amount.to_string())]);
            format!("{of} {said}")
        }
        None => said,
    }
}

/// What is said when the reply did not come in the time the program waits after that.
pub fn left_unknown(words: &Words) -> String {
    words.text("left-unknown")
}

/// What became of it, said where there is no screen any more; `until` is by when it can be resent.
pub fn left_ended(
    words: &Words,
    state: &WithdrawalState,
    amount: Money,
    until: Option<&str>,
) -> String {
    let amount = amount.to_string();
    let mut values = vec![("amount", amount.as_str())];
    let id = match state {
        WithdrawalState::Unknown if until.is_some() => {
            values.extend(until.map(|until| ("until", until)));
            "left-open-until"
        }
        WithdrawalState::Accepted => "left-accepted",
        WithdrawalState::Rejected => "left-rejected",
        WithdrawalState::Prepared => "left-prepared",
        WithdrawalState::Sending(_) | WithdrawalState::Unknown => "left-open",
        WithdrawalState::NeedsPerson(_) => "left-person",
        WithdrawalState::Mismatch(_) => "left-mismatch",
        // The attempt was refused here because somebody had decided elsewhere.
        WithdrawalState::Discarded
        | WithdrawalState::ResolvedPaid
        | WithdrawalState::ResolvedNotPaid => "left-decided",
    };
    words.with(id, &values)
}
