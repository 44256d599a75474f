//! Kiosk mode: a demo for visitors, with limits, which ends by itself.
//!
//! A kiosk reads and writes nothing outside its own sandbox: [`may_perform`] checks every effect.
//! Actions that cannot work under this rule are hidden ([`withholds`]).

use std::sync::Arc;
use std::time::Duration;

use super::Store;
use super::commands::Command;
use super::notice::Notice;
use crate::app::Effect;
use crate::app::message::RequestExport;
use crate::app::ui::Action;
use crate::words::Lang;

/// The time by which one command advances the demo's clock. Afterwards, earlier withdrawals are too
/// old to be sent again.
pub const FORWARD: Duration = Duration::from_secs(10 * 60);

/// The reason a kiosk ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KioskEnd {
    /// Nobody used the kiosk for 10 minutes.
    Idle,
    /// The kiosk has run for 30 minutes.
    Time,
    /// The kiosk reached its memory limit.
    Memory,
    /// The kiosk reached its limit of processor time.
    Cpu,
    /// The visitor typed or pasted more text than the kiosk accepts.
    Typed,
}

impl KioskEnd {
    /// Returns the id of the message that tells the visitor why the kiosk ended.
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
    /// Creating payment links and direct payments, counted together since the demo was last reset.
    Sale,
    /// Confirming withdrawals, since the demo was last reset. Sending one again does not count.
    Withdrawal,
    /// Resetting the demo, for each visitor.
    StartOver,
    /// Advancing the demo's clock by [`FORWARD`], in the whole run.
    Forward,
}

impl Limited {
    /// Returns how many times the action is allowed.
    pub fn most(self) -> u32 {
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

/// How long a kiosk must be unused before the demo's story plays by itself, in milliseconds.
const IDLE_MS: u64 = 120_000;

/// The pause between the end of the story and its next start, in milliseconds.
const PAUSE_MS: u64 = 10_000;

/// The time after which resetting the demo is tried again, in milliseconds. A reset must wait while
/// a withdrawal of the story is being sent.
const RETRY_MS: u64 = 2_000;

/// Whether a visitor is using the kiosk. The times are in milliseconds since the computer started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A visitor is using the kiosk, and pressed the last key at `since_ms`.
    Visitor { since_ms: u64 },
    /// The demo is being reset for the story, or for the next visitor. The next try is at
    /// `again_ms`.
    StartingOver { for_story: bool, again_ms: u64 },
    /// Nobody is using the kiosk, so the story plays by itself. After its end, it starts again at
    /// `again_ms`.
    Story { again_ms: Option<u64> },
}

impl Default for Use {
    fn default() -> Use {
        Use::Visitor { since_ms: 0 }
    }
}

impl Use {
    /// Returns the state after a visitor has just pressed a key.
    pub fn by_visitor(boot_ms: u64) -> Use {
        Use::Visitor { since_ms: boot_ms }
    }

    /// Returns the state after a reset of the demo was just requested.
    pub fn starting_over(for_story: bool, boot_ms: u64) -> Use {
        Use::StartingOver { for_story, again_ms: boot_ms + RETRY_MS }
    }

    /// Returns the state after the story has just ended.
    pub fn story_ended(boot_ms: u64) -> Use {
        Use::Story { again_ms: Some(boot_ms + PAUSE_MS) }
    }

    /// Returns the time of the kiosk's next automatic action, such as starting the story.
    pub fn due_ms(self) -> Option<u64> {
        match self {
            Use::Visitor { since_ms } => Some(since_ms + IDLE_MS),
            Use::StartingOver { again_ms, .. } => Some(again_ms),
            Use::Story { again_ms } => again_ms,
        }
    }
}

/// The state of a kiosk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KioskState {
    /// Whether a visitor is using the kiosk now.
    pub used: Use,
    /// The language and the theme at the start of the kiosk, which are restored for each visitor.
    pub first_look: Option<(Lang, Option<Arc<str>>)>,
    /// The reason the kiosk ends, if it ends by itself.
    pub ended: Option<KioskEnd>,
    /// How many times each limited action was done. The index is the number of the [`Limited`]
    /// variant.
    done: [u32; 4],
}

impl KioskState {
    /// Clears the counts of the actions that are limited between two resets of the demo.
    pub fn started_over(&mut self) {
        self.done[Limited::Sale as usize] = 0;
        self.done[Limited::Withdrawal as usize] = 0;
    }

    /// Clears the counts of the actions that are limited for each visitor.
    pub fn begin_visit(&mut self) {
        self.done[Limited::StartOver as usize] = 0;
    }

    /// Records that a visitor is using the kiosk now. If the recorded time is in the future, keeps
    /// it: the demo's clock is about to advance to that time.
    pub fn touch(&mut self, boot_ms: u64) {
        if let Use::Visitor { since_ms } = &mut self.used {
            *since_ms = boot_ms.max(*since_ms);
        }
    }
}

/// Returns true if the action is still below its limit; outside a kiosk there are no limits.
/// Otherwise shows a notice with the limit.
pub fn allows(store: &mut Store, what: Limited) -> bool {
    let is_allowed = store.setup.kiosk().is_none() || store.kiosk.done[what as usize] < what.most();
    if !is_allowed {
        store.notify(Notice::KioskLimit(what.message(), what.most()));
    }
    is_allowed
}

/// Counts the action if it is [allowed](allows), otherwise returns false.
pub fn count(store: &mut Store, what: Limited) -> bool {
    let is_allowed = allows(store, what);
    store.kiosk.done[what as usize] += u32::from(is_allowed);
    is_allowed
}

/// Counts a palette command if the kiosk limits it. Returns false if it is not allowed.
pub fn count_command(store: &mut Store, command: &Command) -> bool {
    match command {
        Command::StartOver => count(store, Limited::StartOver),
        Command::Forward if count(store, Limited::Forward) => {
            // The clock is about to jump forward, so move the visitor's last key press forward,
            // too. Otherwise the visitor would count as idle.
            if store.setup.kiosk().is_some()
                && let Use::Visitor { since_ms } = &mut store.kiosk.used
            {
                *since_ms += u64::try_from(FORWARD.as_millis()).unwrap_or(u64::MAX);
            }
            true
        }
        Command::Forward => false,
        _ => true,
    }
}

/// Returns true if a kiosk hides this action, because the action would inspect this computer, or
/// change the API contract for later visitors.
pub fn withholds(store: &Store, action: Action) -> bool {
    let is_withheld =
        matches!(action, Action::Doctor | Action::Profiles | Action::MakeLive | Action::Teach);
    is_withheld && store.setup.kiosk().is_some()
}

/// Returns the id of the message that explains an action in a kiosk, if the action works
/// differently there.
pub fn explanation(store: &Store, action: Action) -> Option<&'static str> {
    store.setup.kiosk()?;
    match action {
        Action::Browse | Action::Share => Some("kiosk-help-qr"),
        Action::Save => Some("kiosk-help-copy"),
        _ => None,
    }
}

/// Returns true if a kiosk may perform this effect. Allowed effects use only the sandbox, the
/// demo's own databases and the terminal.
pub fn may_perform(effect: &Effect) -> bool {
    use Effect::*;
    match effect {
        // These effects write files, start programs, or examine this computer.
        SaveReceipt { .. }
        | Browse(_)
        | Export(RequestExport::Har(..))
        | KeepLook(_)
        | OpenProfile { .. }
        | SetUp(_)
        | Examine { .. }
        | MakeLive(_)
        | KeepDomain(_)
        | ReadDomain
        | Confirm(_)
        | Teach { .. } => false,
        // These effects stay inside the program.
        Redraw | Leave | ReadBodies(_) => true,
        // The demo's vault is in memory, and contains only secrets of the demo.
        ReadCredentials
        | ReadConsent
        | Agree(_)
        | UseMemory
        | LogIn { .. }
        | KeepJwt { .. }
        | WipeSecrets(_)
        | LogOut => true,
        // Requests to the sandbox are allowed.
        ListDomains(_)
        | MakeLink { .. }
        | MakeCharge { .. }
        | Quote { .. }
        | Cancel(_)
        | Money(_)
        | Buyer { .. } => true,
        // These effects use only the demo's own databases.
        KeepExchange { .. }
        | LoadRequests(_)
        | LoadExchange(_)
        | NoteDomains { .. }
        | LoadLinks(_)
        | RecordPaid { .. }
        | History(_)
        | ReadNicknames
        | Nickname { .. }
        | LoadCharges(_) => true,
        // The terminal copies the text. No program is started on this computer.
        Copy(..) | Export(RequestExport::Curl(..)) => true,
        Demo(_) | TellStory(_) | UseTheme(_) => true,
    }
}

/// Drops the effects that a kiosk may not perform. The screens do not request them, so this is only
/// a second barrier. While nobody uses the kiosk, copies are dropped too, because copying the
/// story's link would replace the clipboard of a visitor who has just stopped the story.
pub fn guard(store: &Store, effects: &mut Vec<Effect>) {
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

/// Starts the kiosk, with a visitor using it.
pub fn begin(store: &mut Store) {
    store.kiosk.used = Use::by_visitor(store.now.boot_ms);
    store.kiosk.first_look = Some((store.setup.lang, store.setup.theme.clone()));
}

/// Returns true while no visitor is using the kiosk. A key press then only stops the story, or does
/// nothing.
pub fn is_unattended(store: &Store) -> bool {
    store.setup.kiosk().is_some() && !matches!(store.kiosk.used, Use::Visitor { .. })
}

/// Returns true while the story plays by itself, or is about to start.
pub fn plays_alone(store: &Store) -> bool {
    let is_alone =
        matches!(store.kiosk.used, Use::StartingOver { for_story: true, .. } | Use::Story { .. });
    is_alone && store.setup.kiosk().is_some()
}

/// Returns the time until the kiosk's next automatic action.
pub fn left(store: &Store) -> Option<Duration> {
    store.setup.kiosk()?;
    let left = store.kiosk.used.due_ms()?.saturating_sub(store.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// Returns the farewell line to print after the kiosk's screen has closed. `None` if this run is
/// not a kiosk.
pub fn farewell(store: &Store) -> Option<String> {
    store.setup.kiosk()?;
    Some(store.text(store.kiosk.ended.map_or("farewell-left", KioskEnd::message)))
}
