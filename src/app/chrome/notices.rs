//! The texts of notices: short messages about the last action, shown above the key hints.

use std::time::Duration;

use crate::app::router::read_tracker;
use crate::app::store::clip::Clip;
use crate::app::store::list_export::ExportedFile;
use crate::app::store::profiles::SwitchRefusal;
use crate::app::store::recording::RecordingNews;
use crate::app::store::withdrawals::lookup_hints::LookupHintKind;
use crate::app::store::withdrawals::rules;
use crate::app::ui::form::Limit;
use crate::app::ui::parts::wrapped;
use crate::app::ui::symbols;
use crate::app::ui::text::{columns, wrap};
use crate::app::ui::{Action, Area, Line, Role};
use crate::app::{Copied, CopyTrouble, Model, NoBrowser, Notice, Pane};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    AmountField, DomainChoice, Failure, JournalTrouble, Money, MoneyMoved, Untrusted,
};
use crate::words::failure::{self, Activity, describe, history};
use crate::words::{Catalogue, dates, names, statement};

/// The space available for a notice, in terminal cells.
#[derive(Clone, Copy)]
struct NoticeRoom {
    columns: usize,
    rows: usize,
}

impl NoticeRoom {
    /// True if the whole text fits into the available space.
    fn fits(self, text: &str) -> bool {
        columns(text) <= self.columns || wrap(text, self.columns).len() <= self.rows
    }
}

/// The current notice, wrapped to the width of the area. The result may have more lines than the
/// area has rows. While a dialog cannot be confirmed because text was typed, says so instead.
pub fn lines(model: &Model, words: &Catalogue, area: Area) -> Vec<Line> {
    let columns = usize::from(area.width).saturating_sub(2);
    let room = NoticeRoom {
        columns,
        rows: area.height.into(),
    };
    let (role, text) = match &model.notice {
        _ if read_tracker::time_until_quiet(model).is_some() => {
            (Role::Warn, words.text("said-text-typed"))
        }
        Some(notice) => role_and_text(model, words, notice, room),
        None => return vec![],
    };
    wrapped(role, &text, columns)
        .into_iter()
        .map(|line| line.indented(1))
        .collect()
}

/// The notice that a form field is full. The notice contains the limit with its unit, because it is
/// shown far from the field.
fn field_full(words: &Catalogue, limit: Limit) -> String {
    match limit {
        Limit::Characters(limit) => words.with("field-at-most", &[("limit", &limit.to_string())]),
        Limit::Amount(limit) => words.with("field-too-long", &[("limit", &limit.to_string())]),
    }
}

fn amount_replaced_text(words: &Catalogue, amount: &AmountField) -> String {
    words.with(
        "said-amount-replaced",
        &[("amount", &format!("R$ {amount}"))],
    )
}

fn role_and_text(
    model: &Model,
    words: &Catalogue,
    notice: &Notice,
    room: NoticeRoom,
) -> (Role, String) {
    match notice {
        Notice::Plain(role, id) => (*role, words.text(id)),
        Notice::WithKey(id, action) => (Role::Good, with_key_and_places(model, id, *action)),
        // Error texts of the operating system may contain file names, which are not shown in a
        // kiosk.
        Notice::WithDetail(id, _) if model.setup.kiosk().is_some() => (Role::Warn, words.text(id)),
        Notice::WithDetail(id, why) => (Role::Warn, with_system(words, words.text(id), why, room)),
        Notice::Copied {
            clip,
            how,
            times,
            shows_advice: advises,
        } => {
            let text = copied_text(words, *clip, *how, *times);
            let text = if *advises {
                with_more(text, &words.text("said-copied-advice"), room)
            } else {
                text
            };
            (Role::Good, text)
        }
        Notice::RequestSaved(path) => (Role::Good, request_saved_text(words, path, room)),
        Notice::ListExported(file) => (Role::Good, list_exported_text(words, file)),
        Notice::QrSaved(path) => (
            Role::Good,
            words.with("said-qr-saved", &[("path", &path.shown())]),
        ),
        Notice::Recording(news) => recording(words, news),
        Notice::StatementSaved(path) => (
            Role::Good,
            words.with("said-statement-saved", &[("path", &path.shown())]),
        ),
        Notice::NotCopied(trouble) => (Role::Warn, not_copied_text(words, trouble)),
        Notice::NotMarked(why) => (
            Role::Warn,
            with_more(words.text("said-not-marked"), &history(words, why).0, room),
        ),
        Notice::StatementMarked(count) => (
            Role::Good,
            words.count("said-statement-marked", *count, &[]),
        ),
        Notice::StatementUndone(undone) => (Role::Good, statement::undone(words, *undone)),
        Notice::NotOpened(why) => (Role::Warn, not_opened_text(model, words, *why)),
        Notice::KioskLimit(id, max) => (Role::Warn, words.with(id, &[("limit", &max.to_string())])),
        Notice::Full(limit) => (Role::Warn, field_full(words, *limit)),
        Notice::AmountReplaced(amount) => (Role::Warn, amount_replaced_text(words, amount)),
        Notice::DomainChosen => domain_chosen_notice(model, words),
        Notice::Refreshed => (Role::Good, words.text(refreshed_id(model))),
        Notice::SendLater { wait, is_resend } => {
            (Role::Warn, send_later_text(words, *wait, *is_resend))
        }
        Notice::NotHere(action) => (Role::Dim, not_here_text(model, words, *action)),
        Notice::SandboxLinkPaid {
            description,
            amount,
        } => {
            let is_new = model.paid.pulse_left(model.now.boot_ms).is_some();
            let role = if is_new { Role::Badge } else { Role::Good };
            (role, sandbox_paid_text(words, description, *amount, room))
        }
        Notice::FaultArmed(name) => (Role::Warn, fault_armed_text(words, name)),
        Notice::NotLoggedOut(trouble) => {
            let text = failure::logout(words, trouble);
            (Role::Bad, with_more(text.what, &text.moved, room))
        }
        Notice::Sending(failure) => (Role::Bad, sending_failed_text(words, failure, room)),
        Notice::NotDecided(failure) => (Role::Bad, not_decided_text(words, failure, room)),
        Notice::Requests(why) => (Role::Warn, failure::requests(words, why).0),
        Notice::History(why) => (Role::Warn, history_text(model, words, why, room)),
        Notice::Settled { amount, state } => settled_notice(model, words, *amount, state),
        Notice::SwitchRefusal(why) => (Role::Warn, words.text(not_switched_id(why))),
    }
}

fn send_later_text(words: &Catalogue, wait: Duration, is_resend: bool) -> String {
    let id = if is_resend {
        "said-send-later.again"
    } else {
        "said-send-later"
    };
    words.with(id, &[("left", &*dates::seconds_left(wait))])
}

fn fault_armed_text(words: &Catalogue, name: &str) -> String {
    let fault = words.text(&format!("fault-{name}.armed"));
    words.with("said-fault-armed", &[("what", &fault)])
}

fn not_decided_text(words: &Catalogue, failure: &Failure, room: NoticeRoom) -> String {
    let what = describe(words, failure, Activity::Question).what;
    with_more(words.text("said-not-decided"), &what, room)
}

fn history_text(
    model: &Model,
    words: &Catalogue,
    why: &JournalTrouble,
    room: NoticeRoom,
) -> String {
    match history(words, why) {
        (text, Some(detail)) if model.setup.kiosk().is_none() => {
            with_system(words, text, &detail.into(), room)
        }
        (text, _) => text,
    }
}

/// A notice with the key of an action, and the panes in which the key works.
fn with_key_and_places(model: &Model, id: &str, action: Action) -> String {
    let to = model.render_cx();
    to.words.with(
        id,
        &[
            ("key", to.first_key(action)),
            ("places", &to.places(action)),
        ],
    )
}

/// The notice for the outcome of a withdrawal. Outside the withdrawals pane, the notice also shows
/// the key that opens that pane.
fn settled_notice(
    model: &Model,
    words: &Catalogue,
    amount: Money,
    state: &WithdrawalState,
) -> (Role, String) {
    let symbol = symbols::withdrawal(state);
    let amount = amount.to_string();
    let state = names::state(words, state);
    let key = model.render_cx().first_key(Action::Withdrawals);
    let id = match model.pane {
        Pane::Withdrawals => "said-settled",
        _ => "said-settled-elsewhere",
    };
    let text = words.with(id, &[("amount", &amount), ("state", &state), ("key", key)]);
    (symbol.role, symbol.with_word(words, &text))
}

/// The id of the text that explains why the profile was not switched.
fn not_switched_id(reason: &SwitchRefusal) -> &'static str {
    match reason {
        SwitchRefusal::InFlight => "said-not-switched-in-flight",
        SwitchRefusal::Waiting => "said-not-switched-waiting",
        SwitchRefusal::NoProfiles => "said-not-granted",
        SwitchRefusal::Wrong(_) => "said-not-switched-wrong",
    }
}

/// The notice for a key that does nothing now. The notice names the panes in which the key works
/// or, if such a pane is already open, explains the key.
fn not_here_text(model: &Model, words: &Catalogue, action: Action) -> String {
    let to = model.render_cx();
    let id = match action.panes() {
        [] => "said-not-here-form",
        _ if model.layers.is_empty() && works_in_details(model, action) => "said-not-here-details",
        _ if !model.layers.is_empty() && works_in_list_below(model, action) => "said-not-here-list",
        panes if panes.contains(&model.pane) => match action {
            Action::Discard => "said-not-here-discard",
            Action::MakeLive => "said-not-here-none",
            _ => "said-not-here-row",
        },
        _ => "said-not-here",
    };
    let help = action.help(words).unwrap_or_default();
    let values = [
        ("key", to.first_key(action)),
        ("action", action.label_text(words.lang())),
        ("places", &to.places(action)),
        ("help", &help),
        ("back", to.first_key(Action::Back)),
        ("open", to.first_key(Action::Open)),
    ];
    words.with(id, &values)
}

/// True if the action works in the details of the selected withdrawal.
fn works_in_details(model: &Model, action: Action) -> bool {
    let selected = model
        .withdrawals
        .list
        .selected()
        .filter(|_| model.pane == Pane::Withdrawals);
    selected
        .is_some_and(|withdrawal| rules::detail_actions(&model.store, withdrawal).contains(&action))
}

/// True if only one screen covers the list, and the action works in the list.
fn works_in_list_below(model: &Model, action: Action) -> bool {
    if model.layers.len() > 1 {
        return false;
    }
    let offered = model.pane.screen().actions(&model.store, false).offered;
    offered.contains(&action) || matches!(action, Action::NextPane | Action::PrevPane)
}

/// The notice that a payment link was paid in the sandbox. The link's description is shortened to
/// fit into the row. If almost no room is left, it gets a row of its own.
fn sandbox_paid_text(
    words: &Catalogue,
    description: &Untrusted,
    amount: Money,
    room: NoticeRoom,
) -> String {
    const MIN_DESCRIPTION_WIDTH: usize = 12;
    let label = words.with("said-sandbox-paid", &[("amount", &amount.to_string())]);
    let room_left = room.columns.saturating_sub(columns(&label) + 1);
    let is_beside = room_left >= MIN_DESCRIPTION_WIDTH || room.rows < 2;
    format!(
        "{label} {}",
        description.shown_within(if is_beside { room_left } else { room.columns })
    )
}

/// The notice that no browser could open a link, with the keys that copy the link instead.
fn not_opened_text(model: &Model, words: &Catalogue, reason: NoBrowser) -> String {
    match reason {
        NoBrowser::NotWeb => words.text("said-not-opened-not-web"),
        NoBrowser::NoDisplay | NoBrowser::Failed => {
            let [key, message] = [Action::Copy, Action::CopyMessage]
                .map(|action| model.render_cx().first_key(action));
            words.with("said-not-opened", &[("key", key), ("message", message)])
        }
    }
}

/// Appends `addition` to the notice if both fit. The addition is never cut, because half of it
/// could be misleading.
fn with_more(text: String, addition: &str, room: NoticeRoom) -> String {
    let both = format!("{text} {addition}");
    if room.fits(&both) { both } else { text }
}

/// The notice that sending a withdrawal failed after the seller left its screen. If not everything
/// fits, the notice says only whether money moved.
fn sending_failed_text(words: &Catalogue, failure: &Failure, room: NoticeRoom) -> String {
    // The text is only about this send attempt, because an earlier attempt may have paid.
    let moved = words.text(match failure.may_have_acted() {
        MoneyMoved::Maybe => "moved-maybe-withdrawal",
        MoneyMoved::No => "moved-no-withdrawal",
    });
    let both = format!(
        "{} {moved}",
        describe(words, failure, Activity::Withdrawal).what
    );
    if room.fits(&both) {
        both
    } else {
        words.with("said-sending-failed", &[("moved", &moved)])
    }
}

/// The notice that a text was copied. If it was copied several times, the notice begins with the
/// count, so that the count is never cut off.
fn copied_text(words: &Catalogue, clip: Clip, method: Copied, times: u32) -> String {
    let id = match clip {
        Clip::Address | Clip::NewAddress => "clip-address",
        Clip::Message => "clip-message",
        Clip::BatchAddresses => "clip-addresses",
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
        Clip::LookupHint(LookupHintKind::UnprovenCode) => "clip-service-code",
    };
    let copied_id = format!("{id}.copied");
    let ids = match method {
        Copied::Desktop => [&*copied_id, "said-link-copied-desktop"],
        Copied::Tmux => ["said-copied-tmux", "said-link-copied-tmux"],
        Copied::TmuxOnly => ["said-copied-tmux-only", "said-link-copied-tmux-only"],
        Copied::SentToTerminal => ["said-copied-terminal", "said-link-copied-terminal"],
    };
    let message_id = ids[usize::from(clip == Clip::NewAddress)];
    let text = words.with(message_id, &[("what", &words.text(id))]);
    if times > 1 {
        format!("({times}×) {text}")
    } else {
        text
    }
}

/// The notice that a request was saved to a file. The directory is left out if it does not fit.
fn request_saved_text(words: &Catalogue, path: &Untrusted, room: NoticeRoom) -> String {
    let path = path.shown();
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", &path));
    let text = words.with("said-request-saved", &[("name", name)]);
    with_more(
        text,
        &words.with("said-request-folder", &[("folder", folder)]),
        room,
    )
}

/// The notice with the numbers of exported and of put-away rows, and the path of the file.
fn list_exported_text(words: &Catalogue, file: &ExportedFile) -> String {
    let mut count = words.count("said-list-exported", file.rows, &[]);
    if file.put_away > 0 {
        let put_away = words.count("said-list-put-away", file.put_away, &[]);
        count = format!("{count} ({put_away})");
    }
    let values = [("count", &*count), ("path", &*file.path.shown())];
    words.with("said-list-path", &values)
}

fn refreshed_id(model: &Model) -> &'static str {
    match model.pane {
        Pane::Domains => "said-refreshed-list",
        Pane::Account => "said-refreshed-keyring",
        // These lists are on this computer: reading them again does not ask the service.
        Pane::Links | Pane::Withdrawals | Pane::Charges | Pane::Exchanges => "said-refreshed-here",
    }
}

fn not_copied_text(words: &Catalogue, trouble: &CopyTrouble) -> String {
    match trouble {
        CopyTrouble::NotClean => words.text("said-not-copied-clean"),
        CopyTrouble::Masked => words.text("said-not-copied-masked"),
        CopyTrouble::NotInFull => words.with(
            "said-not-copied-unseen",
            &[("most", &Untrusted::MAX_SHOWN.to_string())],
        ),
        CopyTrouble::TooLong => words.text("said-not-copied-long"),
        CopyTrouble::NoProgram => words.text("said-not-copied-program"),
        CopyTrouble::Nothing => words.text("said-not-copied-nothing"),
    }
}

fn domain_chosen_notice(model: &Model, words: &Catalogue) -> (Role, String) {
    let DomainChoice::Named(host) = &model.domains.choice else {
        return (Role::Good, words.text("said-domain-automatic"));
    };
    let (role, id, room) = if model.domains.is_pending(host) {
        (Role::Warn, "said-domain-pending", 28)
    } else {
        (Role::Good, "said-domain-named", 40)
    };
    (role, words.with(id, &[("host", &host.shown_within(room))]))
}

/// Appends the operating system's error text with a label, if it fits.
/// The news of the recording, with the path of the file or the fault.
fn recording(words: &Catalogue, news: &RecordingNews) -> (Role, String) {
    let (role, id, detail) = match news {
        RecordingNews::Begun(file) | RecordingNews::GoesOn(file) => {
            (Role::Good, "said-recording", file)
        }
        RecordingNews::Saved(file) => (Role::Good, "said-recording-saved", file),
        RecordingNews::Full(file) => (Role::Warn, "said-recording-full", file),
        RecordingNews::Failed(why) => (Role::Warn, "said-recording-failed", why),
    };
    (role, words.with(id, &[("detail", &detail.shown())]))
}

fn with_system(words: &Catalogue, text: String, detail: &Untrusted, room: NoticeRoom) -> String {
    with_more(
        text,
        &words.with("said-system", &[("text", &detail.shown())]),
        room,
    )
}
