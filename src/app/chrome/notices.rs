//! The texts of notices: short messages about the last action, shown above the key hints.

use crate::app::store::clip::Clip;
use crate::app::store::profiles::NotSwitched;
use crate::app::store::withdrawals::lookup_hints::LookupHintKind;
use crate::app::store::withdrawals::rules;
use crate::app::ui::form::Limit;
use crate::app::ui::parts::wrapped;
use crate::app::ui::symbols;
use crate::app::ui::text::{columns, wrap};
use crate::app::ui::{Action, Area, Line, Role};
use crate::app::{Copied, CopyTrouble, Model, NoBrowser, Notice, Pane};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{DomainChoice, Failure, Money, MoneyMoved, Untrusted};
use crate::words::failure::{Activity, describe, history};
use crate::words::{Catalogue, dates, names};

/// The space available for a notice, in terminal cells.
#[derive(Clone, Copy)]
struct NoticeRoom {
    columns: usize,
    rows: usize,
}

impl NoticeRoom {
    /// Returns true if the whole text fits into the available space.
    fn has(self, text: &str) -> bool {
        columns(text) <= self.columns || wrap(text, self.columns).len() <= self.rows
    }
}

/// Returns the current notice, wrapped to the width of the area. The result may have more lines
/// than the area has rows.
pub fn lines(model: &Model, say: &Catalogue, place: Area) -> Vec<Line> {
    let Some(said) = &model.notice else { return vec![] };
    let columns = usize::from(place.width).saturating_sub(2);
    let room = NoticeRoom { columns, rows: place.height.into() };
    let (role, text) = words(model, say, said, room);
    wrapped(role, &text, columns).into_iter().map(|line| line.indented(1)).collect()
}

/// Returns the notice that a form field is full. The notice contains the limit with its unit,
/// because it is shown far from the field.
fn full(say: &Catalogue, most: Limit) -> String {
    match most {
        Limit::Characters(most) => say.with("field-at-most", &[("limit", &most.to_string())]),
        Limit::Amount(most) => say.with("field-too-long", &[("limit", &most.to_string())]),
    }
}

fn words(model: &Model, say: &Catalogue, said: &Notice, room: NoticeRoom) -> (Role, String) {
    let plain = |role, id: &str| (role, say.text(id));
    let more = |role, id: &str, more: &str| (role, with_more(say.text(id), more, room));
    let told = |failure: &Failure| describe(say, failure, Activity::Question);
    match said {
        Notice::Plain(role, id) => plain(*role, id),
        Notice::WithKey(id, action) => (Role::Good, model.render_cx().with_key(id, *action)),
        // Error texts of the operating system may contain file names, which are not shown in a
        // kiosk.
        Notice::WithDetail(id, _) if model.setup.kiosk().is_some() => (Role::Warn, say.text(id)),
        Notice::WithDetail(id, why) => (Role::Warn, and_system(say, say.text(id), why, room)),
        Notice::Copied { clip, how, times, advises } => {
            let said = copied(say, *clip, *how, *times);
            let said = match advises {
                true => with_more(said, &say.text("said-copied-advice"), room),
                false => said,
            };
            (Role::Good, said)
        }
        Notice::RequestSaved(path) => (Role::Good, request_saved(say, path, room)),
        Notice::NotCopied(trouble) => (Role::Warn, not_copied(say, trouble)),
        Notice::NotMarked(why) => more(Role::Warn, "said-not-marked", &history(say, why).0),
        Notice::NotOpened(why) => (Role::Warn, not_opened(model, say, *why)),
        Notice::KioskLimit(id, most) => (Role::Warn, say.with(id, &[("limit", &most.to_string())])),
        Notice::Full(most) => (Role::Warn, full(say, *most)),
        Notice::DomainChosen => domain_chosen(model, say),
        Notice::Refreshed => plain(Role::Good, refreshed(model)),
        Notice::SendLater(wait) => {
            let left = [("left", &*dates::seconds_left(*wait))];
            (Role::Warn, say.with("said-send-later", &left))
        }
        Notice::NotHere(action) => (Role::Dim, not_here(model, say, *action)),
        Notice::SandboxLinkPaid { description, amount } => {
            let is_new = model.paid.pulse_left(model.now.boot_ms).is_some();
            let role = if is_new { Role::Badge } else { Role::Good };
            (role, sandbox_paid(say, description, *amount, room))
        }
        Notice::FaultArmed(name) => {
            let what = say.text(&format!("fault-{name}.armed"));
            (Role::Warn, say.with("said-fault-armed", &[("what", &what)]))
        }
        Notice::Failure(failure) => {
            let told = told(failure);
            (Role::Bad, with_more(told.what, &told.moved, room))
        }
        Notice::Sending(failure) => (Role::Bad, sending(say, failure, room)),
        Notice::NotDecided(failure) => more(Role::Bad, "said-not-decided", &told(failure).what),
        Notice::History(why) => match history(say, why) {
            (said, Some(detail)) if model.setup.kiosk().is_none() => {
                (Role::Warn, and_system(say, said, &detail.into(), room))
            }
            (said, _) => (Role::Warn, said),
        },
        Notice::Settled { amount, state } => settled(model, say, *amount, state),
        Notice::NotSwitched(why) => plain(Role::Warn, not_switched(why)),
    }
}

/// Returns the notice for the outcome of a withdrawal. Outside the withdrawals pane, the notice
/// also shows the key that opens that pane.
fn settled(
    model: &Model,
    say: &Catalogue,
    amount: Money,
    state: &WithdrawalState,
) -> (Role, String) {
    let mark = symbols::withdrawal(state);
    let (amount, state) = (amount.to_string(), names::state(say, state));
    let key = model.render_cx().first_key(Action::Withdrawals);
    let id = match model.pane {
        Pane::Withdrawals => "said-settled",
        _ => "said-settled-elsewhere",
    };
    let said = say.with(id, &[("amount", &amount), ("state", &state), ("key", key)]);
    (mark.role, mark.said(say, &said))
}

/// Returns the id of the text that explains why the profile was not switched.
fn not_switched(why: &NotSwitched) -> &'static str {
    match why {
        NotSwitched::InFlight => "said-not-switched-in-flight",
        NotSwitched::Waiting => "said-not-switched-waiting",
        NotSwitched::NoProfiles => "said-not-granted",
        NotSwitched::Wrong(_) => "said-not-switched-wrong",
    }
}

/// Returns the notice for a key that does nothing now. The notice shows in which pane the key
/// works. If that pane is already open, the notice explains what the key is for.
fn not_here(model: &Model, say: &Catalogue, action: Action) -> String {
    let to = model.render_cx();
    let is_list_below = || {
        if model.layers.len() > 1 {
            return false;
        }
        let offered = model.pane.screen().actions(&model.store, false).offered;
        offered.contains(&action) || matches!(action, Action::NextPane | Action::PrevPane)
    };
    let is_in_details = || {
        let listed = model.withdrawals.list.selected().filter(|_| model.pane == Pane::Withdrawals);
        listed.is_some_and(|one| rules::in_details(&model.store, one).contains(&action))
    };
    let id = match action.panes() {
        [] => "said-not-here-form",
        _ if model.layers.is_empty() && is_in_details() => "said-not-here-details",
        _ if !model.layers.is_empty() && is_list_below() => "said-not-here-list",
        panes if panes.contains(&model.pane) => "said-not-here-row",
        _ => "said-not-here",
    };
    let help = action.help(say).unwrap_or_default();
    let values = [
        ("key", to.first_key(action)),
        ("action", action.word(say.lang())),
        ("places", &to.places(action)),
        ("help", &help),
        ("back", to.first_key(Action::Back)),
        ("open", to.first_key(Action::Open)),
    ];
    say.with(id, &values)
}

/// Returns the notice that a payment link was paid in the sandbox. The link's description is
/// shortened to fit into the row. If almost no room is left, it gets a row of its own.
fn sandbox_paid(
    say: &Catalogue,
    description: &Untrusted,
    amount: Money,
    room: NoticeRoom,
) -> String {
    /// The minimum useful width of a description, in columns.
    const LEAST: usize = 12;
    let label = say.with("said-sandbox-paid", &[("amount", &amount.to_string())]);
    let left = room.columns.saturating_sub(columns(&label) + 1);
    let is_beside = left >= LEAST || room.rows < 2;
    format!("{label} {}", description.shown_within(if is_beside { left } else { room.columns }))
}

/// Returns the notice that no browser could open a link, with the keys that copy the link instead.
fn not_opened(model: &Model, say: &Catalogue, why: NoBrowser) -> String {
    match why {
        NoBrowser::NotWeb => say.text("said-not-opened-not-web"),
        NoBrowser::NoDisplay | NoBrowser::Failed => {
            let [key, message] = [Action::Copy, Action::CopyMessage]
                .map(|action| model.render_cx().first_key(action));
            say.with("said-not-opened", &[("key", key), ("message", message)])
        }
    }
}

/// Appends `more` to the notice if both fit. `more` is never cut, because half of it could be
/// misleading.
fn with_more(said: String, more: &str, room: NoticeRoom) -> String {
    let both = format!("{said} {more}");
    if room.has(&both) { both } else { said }
}

/// Returns the notice that sending a withdrawal failed after the seller left its screen. If not
/// everything fits, the notice says only whether money moved.
fn sending(say: &Catalogue, failure: &Failure, room: NoticeRoom) -> String {
    // The text is only about this send attempt, because an earlier attempt may have paid.
    let moved = say.text(match failure.may_have_acted() {
        MoneyMoved::Maybe => "moved-maybe-withdrawal",
        MoneyMoved::No => "moved-no-withdrawal",
    });
    let both = format!("{} {moved}", describe(say, failure, Activity::Withdrawal).what);
    match room.has(&both) {
        true => both,
        false => say.with("said-sending-failed", &[("moved", &moved)]),
    }
}

/// Returns the notice that a text was copied. If it was copied several times, the notice begins
/// with the count, so that the count is never cut off.
fn copied(say: &Catalogue, clip: Clip, how: Copied, times: u32) -> String {
    let id = match clip {
        Clip::Address | Clip::NewAddress => "clip-address",
        Clip::Message => "clip-message",
        Clip::PixCode => "clip-pix-code",
        Clip::Key | Clip::LookupHint(LookupHintKind::Key) => "clip-key",
        Clip::Receipt => "clip-receipt",
        Clip::Request => "clip-request",
        Clip::Curl => "clip-curl",
        Clip::Report => "clip-report",
        Clip::LookupHint(LookupHintKind::Amount) => "clip-amount",
        Clip::LookupHint(LookupHintKind::Net) => "clip-net",
        Clip::LookupHint(LookupHintKind::RepliedValue) => "clip-said",
        Clip::LookupHint(LookupHintKind::When) => "clip-when",
        Clip::LookupHint(LookupHintKind::Destination) => "clip-destination",
    };
    let done = format!("{id}.copied");
    let ids = match how {
        Copied::Desktop => [&*done, "said-link-copied-desktop"],
        Copied::Tmux => ["said-copied-tmux", "said-link-copied-tmux"],
        Copied::TmuxOnly => ["said-copied-tmux-only", "said-link-copied-tmux-only"],
        Copied::SentToTerminal => ["said-copied-terminal", "said-link-copied-terminal"],
    };
    let how = ids[usize::from(clip == Clip::NewAddress)];
    let said = say.with(how, &[("what", &say.text(id))]);
    if times > 1 { format!("({times}×) {said}") } else { said }
}

/// Returns the notice that a request was saved to a file. The directory is left out if it does not
/// fit.
fn request_saved(say: &Catalogue, path: &Untrusted, room: NoticeRoom) -> String {
    let path = path.shown();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let said = say.with("said-request-saved", &[("name", name)]);
    with_more(said, &say.with("said-request-folder", &[("folder", folder)]), room)
}

fn refreshed(model: &Model) -> &'static str {
    match (model.layers.last(), model.pane) {
        (Some(_), _) => "said-refreshed",
        (None, Pane::Account) => "said-refreshed-keyring",
        (None, _) => "said-refreshed-list",
    }
}

fn not_copied(say: &Catalogue, trouble: &CopyTrouble) -> String {
    match trouble {
        CopyTrouble::NotClean => say.text("said-not-copied-clean"),
        CopyTrouble::Masked => say.text("said-not-copied-masked"),
        CopyTrouble::NotInFull => {
            say.with("said-not-copied-unseen", &[("most", &Untrusted::MOST_SHOWN.to_string())])
        }
        CopyTrouble::TooLong => say.text("said-not-copied-long"),
        CopyTrouble::Nothing => say.text("said-not-copied-nothing"),
    }
}

fn domain_chosen(model: &Model, say: &Catalogue) -> (Role, String) {
    let DomainChoice::Named(host) = &model.domains.choice else {
        return (Role::Good, say.text("said-domain-automatic"));
    };
    let (role, id, room) = match model.domains.is_pending(host) {
        true => (Role::Warn, "said-domain-pending", 28),
        false => (Role::Good, "said-domain-named", 40),
    };
    (role, say.with(id, &[("host", &host.shown_within(room))]))
}

/// Appends the operating system's error text with a label, if it fits.
fn and_system(say: &Catalogue, said: String, detail: &Untrusted, room: NoticeRoom) -> String {
    with_more(said, &say.with("said-system", &[("text", &detail.shown())]), room)
}
