//! Kiosk mode: a demo for visitors, which has limits and ends by itself.
//!
//! A kiosk reads and writes nothing outside its own sandbox, because [`may_perform`] checks every
//! effect. Actions that cannot work under this rule are hidden by [`hides_action`].

use std::sync::Arc;
use std::time::Duration;

use super::Store;
use super::commands::Command;
use super::notice::Notice;
use crate::app::message::RequestExport;
use crate::app::ui::Action;
use crate::app::{Effect, HistoryCommand};
use crate::words::Lang;

/// How far one palette command moves the demo's clock forward. Afterwards, earlier withdrawals are
/// too old to be sent again.
pub const FORWARD: Duration = Duration::from_secs(10 * 60);

/// The reason why a kiosk ended by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KioskEnd {
    /// Nobody has used the kiosk for 10 minutes.
    Idle,
    /// The kiosk has run for 30 minutes.
    Time,
    /// The kiosk reached its memory limit.
    Memory,
    /// The kiosk reached its limit of processor time.
    Cpu,
    /// The visitor typed or pasted more text than a kiosk accepts.
    Typed,
}

impl KioskEnd {
    /// The id of the message that explains to the visitor why the kiosk ended.
    pub fn message(self) -> &'static str {
        match self {
            KioskEnd::Idle => "farewell-idle",
            KioskEnd::Time => "farewell-time",
            KioskEnd::Memory => "farewell-memory",
            KioskEnd::Cpu => "farewell-cpu",
            KioskEnd::Typed => "farewell-typed",
        }
    }
}

/// An action that a kiosk's visitor can do only a limited number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Creating payment links and direct payments. Both are counted together, from the last reset
    /// of the demo.
    Sale,
    /// Confirming withdrawals, counted from the last reset of the demo. Sending a withdrawal again
    /// does not count.
    Withdrawal,
    /// Resetting the demo, counted for each visitor.
    StartOver,
    /// Moving the demo's clock forward by [`FORWARD`], counted over the whole run.
    Forward,
}

impl Limited {
    /// The maximum number of times that the action is allowed.
    pub fn max_count(self) -> u32 {
        match self {
            Limited::Sale => 200,
            Limited::Withdrawal => 50,
            Limited::StartOver => 5,
            // A day in total.
            Limited::Forward => 24 * 6,
        }
    }

    fn message(self) -> &'static str {
        match self {
            Limited::Sale => "said-kiosk-sales",
            Limited::Withdrawal => "said-kiosk-withdrawals",
            Limited::StartOver => "said-kiosk-start-overs",
            Limited::Forward => "said-kiosk-forward",
        }
    }
}

/// How long the kiosk must be unused before the demo's story plays by itself, in milliseconds.
const IDLE_MS: u64 = 120_000;

/// The pause between the end of the demo's story and its next start, in milliseconds.
const PAUSE_MS: u64 = 10_000;

/// How long to wait before trying again to reset the demo, in milliseconds. A reset is not possible
/// while the story is sending a withdrawal.
const RETRY_MS: u64 = 2_000;

/// Whether a visitor is using the kiosk. All times are in milliseconds since the computer started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KioskUse {
    /// A visitor is using the kiosk. The last key press was at `since_ms`.
    Visitor { since_ms: u64 },
    /// The demo is being reset, before the story starts or for the next visitor. If the reset does
    /// not succeed, it is tried again at `again_ms`.
    StartingOver { for_story: bool, again_ms: u64 },
    /// Nobody is using the kiosk, so the demo's story plays by itself. After its end, the story
    /// starts again at `again_ms`.
    Story { again_ms: Option<u64> },
}

impl Default for KioskUse {
    fn default() -> KioskUse {
        KioskUse::Visitor { since_ms: 0 }
    }
}

impl KioskUse {
    /// The state in which a visitor has pressed a key just now.
    pub fn by_visitor(boot_ms: u64) -> KioskUse {
        KioskUse::Visitor { since_ms: boot_ms }
    }

    /// The state in which a reset of the demo has just been requested.
    pub fn starting_over(for_story: bool, boot_ms: u64) -> KioskUse {
        KioskUse::StartingOver {
            for_story,
            again_ms: boot_ms + RETRY_MS,
        }
    }

    /// The state in which the demo's story has just ended.
    pub fn story_ended(boot_ms: u64) -> KioskUse {
        KioskUse::Story {
            again_ms: Some(boot_ms + PAUSE_MS),
        }
    }

    /// The time of the kiosk's next automatic action, such as starting the story.
    pub fn due_ms(self) -> Option<u64> {
        match self {
            KioskUse::Visitor { since_ms } => Some(since_ms + IDLE_MS),
            KioskUse::StartingOver { again_ms, .. } => Some(again_ms),
            KioskUse::Story { again_ms } => again_ms,
        }
    }
}

/// The state of a kiosk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KioskState {
    /// Whether a visitor is using the kiosk now.
    pub used: KioskUse,
    /// The language and the theme with which the kiosk started. They are restored for each visitor.
    pub first_look: Option<(Lang, Option<Arc<str>>)>,
    /// The reason the kiosk ends, if it ends by itself.
    pub ended: Option<KioskEnd>,
    /// How many times each limited action was done. The index is the position of the variant in
    /// [`Limited`].
    counts: [u32; 4],
}

impl KioskState {
    /// Resets the counts of actions that are limited between two resets of the demo.
    pub fn started_over(&mut self) {
        self.counts[Limited::Sale as usize] = 0;
        self.counts[Limited::Withdrawal as usize] = 0;
    }

    /// Resets the counts of actions that are limited for each visitor.
    pub fn begin_visit(&mut self) {
        self.counts[Limited::StartOver as usize] = 0;
    }

    /// Records that a visitor has pressed a key at this time. A recorded time in the future is not
    /// changed, because the demo's clock is about to move forward to it.
    pub fn touch(&mut self, boot_ms: u64) {
        if let KioskUse::Visitor { since_ms } = &mut self.used {
            *since_ms = boot_ms.max(*since_ms);
        }
    }
}

/// True if the action has not reached its limit. Otherwise shows a notice with the limit. Outside a
/// kiosk there are no limits.
pub fn allows(store: &mut Store, action: Limited) -> bool {
    let is_allowed =
        store.setup.kiosk().is_none() || store.kiosk.counts[action as usize] < action.max_count();
    if !is_allowed {
        store.notify(Notice::KioskLimit(action.message(), action.max_count()));
    }
    is_allowed
}

/// Counts the action and returns true if it is [allowed](allows). Otherwise returns false.
pub fn count_use(store: &mut Store, action: Limited) -> bool {
    let is_allowed = allows(store, action);
    store.kiosk.counts[action as usize] += u32::from(is_allowed);
    is_allowed
}

/// Counts a palette command if a kiosk limits it. Returns false if the limit is reached.
pub fn count_command(store: &mut Store, command: &Command) -> bool {
    match command {
        Command::StartOver => count_use(store, Limited::StartOver),
        Command::Forward if count_use(store, Limited::Forward) => {
            // The demo's clock is about to jump forward. Move the time of the visitor's last key
            // press forward, too, because otherwise the visitor would count as idle.
            if store.setup.kiosk().is_some()
                && let KioskUse::Visitor { since_ms } = &mut store.kiosk.used
            {
                *since_ms += u64::try_from(FORWARD.as_millis()).unwrap_or(u64::MAX);
            }
            true
        }
        Command::Forward => false,
        _ => true,
    }
}

/// True if a kiosk hides this action. It hides actions that would inspect this computer or read
/// its files, or change the API contract for later visitors.
pub fn hides_action(store: &Store, action: Action) -> bool {
    let is_hidden = matches!(
        action,
        Action::Doctor
            | Action::Suspend
            | Action::MarkMoment
            | Action::Profiles
            | Action::MakeLive
            | Action::Teach
            | Action::Import
            | Action::Reconcile
    );
    is_hidden && store.setup.kiosk().is_some()
}

/// The id of the message that explains an action in a kiosk, or `None` if the action works as
/// usual.
pub fn explanation(store: &Store, action: Action) -> Option<&'static str> {
    store.setup.kiosk()?;
    match action {
        Action::Browse | Action::Share | Action::Remind => Some("kiosk-help-qr"),
        Action::Save => Some("kiosk-help-copy"),
        _ => None,
    }
}

/// True if a kiosk may perform this effect. Allowed effects use only the sandbox, the demo's own
/// databases, and the terminal.
pub fn may_perform(effect: &Effect) -> bool {
    use Effect::*;
    match effect {
        // Forbidden: these effects read or write files, start programs, or examine this computer.
        History(HistoryCommand::Reconcile { .. })
        | Demo(Command::Statement)
        | SaveReceipt { .. }
        | SaveQr(_)
        | ExportList(_)
        | Browse(_)
        | Export(RequestExport::Har(..))
        | KeepLook(_)
        | OpenProfile { .. }
        | Import(_)
        | CompletePath { .. }
        | SetUp(_)
        | Examine { .. }
        | MakeLive(_)
        | KeepDomain(_)
        | ReadDomain
        | Confirm(_)
        | TryCredential(..)
        | Teach { .. }
        | Record(_)
        | Suspend => false,
        // Allowed: these effects stay inside the program.
        Redraw | Leave | ReadBodies(_) => true,
        // Allowed: the demo's vault is in memory, and contains only secrets of the demo.
        ReadCredentials
        | ReadConsent
        | Agree(_)
        | UseMemory
        | LogIn { .. }
        | KeepJwt { .. }
        | WipeSecrets(_)
        | LogOut => true,
        // Allowed: these effects send requests only to the sandbox.
        ListDomains(_)
        | MakeLink { .. }
        | MakeCharge { .. }
        | Quote { .. }
        | Cancel(_)
        | Money(_)
        | Buyer { .. } => true,
        // Allowed: these effects use only the demo's own databases.
        KeepExchange(_)
        | LoadReport(_)
        | LoadRequests(_)
        | LoadExchange(_)
        | NoteDomains { .. }
        | LoadLinks(_)
        | RecordPaid { .. }
        | History(_)
        | ReadNicknames(_)
        | Nickname { .. }
        | LoadCharges(_) => true,
        // Allowed: the terminal itself copies the text, so this computer starts no program.
        Copy(..) | Export(RequestExport::Curl(..)) => true,
        Demo(_) | ReportToStory(_) | UseTheme(_) => true,
    }
}

/// Removes the effects that a kiosk may not perform, such as starting a browser. The screens of a
/// kiosk request no such effects, so this is only a second safeguard.
///
/// While no visitor uses the kiosk, also removes the effects that copy to the clipboard. Otherwise
/// the story could replace the contents of a visitor's clipboard.
pub fn drop_clipboard_effects(store: &Store, effects: &mut Vec<Effect>) {
    if is_unattended(store) {
        effects.retain(|effect| !matches!(effect, Effect::Copy(..)));
    }
    if store.setup.kiosk().is_some() {
        effects.retain(|effect| {
            debug_assert!(may_perform(effect), "a kiosk may not perform {effect:?}");
            may_perform(effect)
        });
    }
}

/// Starts the kiosk. A visitor counts as using it from now on.
pub fn begin(store: &mut Store) {
    store.kiosk.used = KioskUse::by_visitor(store.now.boot_ms);
    store.kiosk.first_look = Some((store.setup.lang, store.setup.theme.clone()));
}

/// True while no visitor is using the kiosk. A key press then only stops the story, or does
/// nothing.
pub fn is_unattended(store: &Store) -> bool {
    store.setup.kiosk().is_some() && !matches!(store.kiosk.used, KioskUse::Visitor { .. })
}

/// True while the demo's story plays by itself, or is about to start.
pub fn is_story_autoplaying(store: &Store) -> bool {
    let is_story = matches!(
        store.kiosk.used,
        KioskUse::StartingOver {
            for_story: true,
            ..
        } | KioskUse::Story { .. }
    );
    is_story && store.setup.kiosk().is_some()
}

/// The time until the kiosk's next automatic action.
pub fn left(store: &Store) -> Option<Duration> {
    store.setup.kiosk()?;
    let remaining = store.kiosk.used.due_ms()?.saturating_sub(store.now.boot_ms);
    Some(Duration::from_millis(remaining.max(1)))
}

/// The farewell line that is printed after a kiosk has ended, or `None` if this run is not a kiosk.
pub fn farewell(store: &Store) -> Option<String> {
    store.setup.kiosk()?;
    Some(store.text(store.kiosk.ended.map_or("farewell-left", KioskEnd::message)))
}
