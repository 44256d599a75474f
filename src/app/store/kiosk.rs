//! The kiosk: a demo that strangers may use. Its rules, its limits and its end.
//!
//! A kiosk reads and writes nothing outside its own sandbox: [`may_perform`] decides that for every
//! effect. What cannot work then is not offered ([`withholds`]).

use std::sync::Arc;
use std::time::Duration;

use super::Store;
use super::commands::Command;
use super::notice::Notice;
use crate::app::Effect;
use crate::app::message::RequestExport;
use crate::app::ui::Action;
use crate::words::Lang;

/// The time by which one command advances the demo's clock. It is long enough that withdrawals can
/// no longer be resent afterwards.
pub const FORWARD: Duration = Duration::from_secs(10 * 60);

/// The reason a kiosk ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KioskEnd {
    /// Nobody used it for 10 minutes.
    Idle,
    /// Its 30 minutes are over.
    Time,
    /// It reached its memory limit.
    Memory,
    /// It reached its limit of processor time.
    Cpu,
    /// More text was typed or pasted than it accepts.
    Typed,
}

impl KioskEnd {
    /// Returns the id of the message that explains the end.
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

/// A thing that a kiosk's visitor can do only a limited number of times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limited {
    /// Links and direct payments together, since the demo last started over.
    Sale,
    /// Confirmed withdrawals, since the demo last started over. Sending one again does not count.
    Withdrawal,
    /// Start-overs by this visitor.
    StartOver,
    /// Steps of [`FORWARD`] by which the clock was advanced, in the whole run.
    Forward,
}

impl Limited {
    /// Returns the limit.
    pub fn most(self) -> u32 {
        match self {
            Limited::Sale => 200,
            Limited::Withdrawal => 50,
            Limited::StartOver => 5,
            // A day in all.
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

/// How long nobody uses a kiosk before the story plays by itself, in milliseconds.
const IDLE_MS: u64 = 120_000;

/// The pause between the end of the story and its next beginning, in milliseconds.
const PAUSE_MS: u64 = 10_000;

/// The time after which starting over is tried again, in milliseconds. A withdrawal of the story
/// may be on its way for as long as a reply takes.
const RETRY_MS: u64 = 2_000;

/// The user of a kiosk: a visitor, or nobody. The times are in milliseconds since the computer
/// started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A visitor, who pressed the last key at this time.
    Visitor { since_ms: u64 },
    /// The demo starts over for the story, or for the next visitor. At this time it is tried again.
    StartingOver { for_story: bool, again_ms: u64 },
    /// Nobody: the story plays by itself. After its end it begins again at this time.
    Story { again_ms: Option<u64> },
}

impl Default for Use {
    fn default() -> Use {
        Use::Visitor { since_ms: 0 }
    }
}

impl Use {
    /// Returns the state in which a visitor has just pressed a key.
    pub fn by_visitor(boot_ms: u64) -> Use {
        Use::Visitor { since_ms: boot_ms }
    }

    /// Returns the state in which the demo has just been asked to start over.
    pub fn starting_over(for_story: bool, boot_ms: u64) -> Use {
        Use::StartingOver { for_story, again_ms: boot_ms + RETRY_MS }
    }

    /// Returns the state in which the story has just ended.
    pub fn story_ended(boot_ms: u64) -> Use {
        Use::Story { again_ms: Some(boot_ms + PAUSE_MS) }
    }

    /// Returns the time at which the kiosk acts by itself, if there is one.
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
    /// The current use of the kiosk.
    pub used: Use,
    /// The language and the theme with which the kiosk began. Each visitor begins with them.
    pub first_look: Option<(Lang, Option<Arc<str>>)>,
    /// The reason the kiosk ends, if it ends by itself.
    pub ended: Option<KioskEnd>,
    /// How many of each limited thing were done. The index is the thing's number.
    done: [u32; 4],
}

impl KioskState {
    /// Counts from zero what is limited for each start of the demo.
    pub fn started_over(&mut self) {
        self.done[Limited::Sale as usize] = 0;
        self.done[Limited::Withdrawal as usize] = 0;
    }

    /// Counts from zero what is limited for each visitor.
    pub fn begin_visit(&mut self) {
        self.done[Limited::StartOver as usize] = 0;
    }

    /// Records that a visitor uses the kiosk now. The last use may be in the future: then the clock
    /// is about to jump there.
    pub fn touch(&mut self, boot_ms: u64) {
        if let Use::Visitor { since_ms } = &mut self.used {
            *since_ms = boot_ms.max(*since_ms);
        }
    }
}

/// Returns true if one more of this is allowed, which it always is outside a kiosk. Otherwise shows
/// a notice with the limit.
pub fn allows(store: &mut Store, what: Limited) -> bool {
    let is_allowed = store.setup.kiosk().is_none() || store.kiosk.done[what as usize] < what.most();
    if !is_allowed {
        store.notify(Notice::KioskLimit(what.message(), what.most()));
    }
    is_allowed
}

/// Counts one more of this, if it is [allowed](allows). Returns false if it is not.
pub fn count(store: &mut Store, what: Limited) -> bool {
    let is_allowed = allows(store, what);
    store.kiosk.done[what as usize] += u32::from(is_allowed);
    is_allowed
}

/// Counts a palette command of the demo, if it is limited. Returns false if it is not allowed.
pub fn count_command(store: &mut Store, command: &Command) -> bool {
    match command {
        Command::StartOver => count(store, Limited::StartOver),
        Command::Forward if count(store, Limited::Forward) => {
            // The clock will jump, and the visitor has not been idle for that time.
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

/// Returns true if a kiosk does not offer this action, because the action would look at this
/// computer or change the service's contract for the visitors that follow.
pub fn withholds(store: &Store, action: Action) -> bool {
    let is_withheld =
        matches!(action, Action::Doctor | Action::Profiles | Action::MakeLive | Action::Teach);
    is_withheld && store.setup.kiosk().is_some()
}

/// Returns the id of the message that explains an action in a kiosk, if the action does something
/// else there.
pub fn explanation(store: &Store, action: Action) -> Option<&'static str> {
    store.setup.kiosk()?;
    match action {
        Action::Browse | Action::Share => Some("kiosk-help-qr"),
        Action::Save => Some("kiosk-help-copy"),
        _ => None,
    }
}

/// Returns true if a kiosk may perform this effect: one that reads or writes only the sandbox, the
/// stores of the demo and the terminal.
pub fn may_perform(effect: &Effect) -> bool {
    use Effect::*;
    match effect {
        // They write files, start programs, or examine this computer.
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
        // They stay inside the program.
        Redraw | Leave | ReadBodies(_) => true,
        // The vault of a demo is in memory, and its secrets are the demo's.
        ReadCredentials
        | ReadConsent
        | Agree(_)
        | UseMemory
        | LogIn { .. }
        | KeepJwt { .. }
        | WipeSecrets(_)
        | LogOut => true,
        // Requests to the sandbox.
        ListDomains(_)
        | MakeLink { .. }
        | MakeCharge { .. }
        | Quote { .. }
        | Cancel(_)
        | Money(_)
        | Buyer { .. } => true,
        // The stores of the demo.
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
        // The terminal copies. No program of this computer does.
        Copy(..) | Export(RequestExport::Curl(..)) => true,
        Demo(_) | TellStory(_) | UseTheme(_) => true,
    }
}

/// Drops the effects that a kiosk may not perform. No screen requests one, so this is a second
/// barrier. Nothing that the story did by itself is copied either: the link may be created after a
/// visitor has stopped the story, and a copy would replace the visitor's clipboard.
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

/// Begins the kiosk: a visitor uses it from now on.
pub fn begin(store: &mut Store) {
    store.kiosk.used = Use::by_visitor(store.now.boot_ms);
    store.kiosk.first_look = Some((store.setup.lang, store.setup.theme.clone()));
}

/// Returns true if a key that is pressed now is not a visitor's: it only ends the story, or does
/// nothing.
pub fn is_unattended(store: &Store) -> bool {
    store.setup.kiosk().is_some() && !matches!(store.kiosk.used, Use::Visitor { .. })
}

/// Returns true while the story plays by itself, or is about to.
pub fn plays_alone(store: &Store) -> bool {
    let is_alone =
        matches!(store.kiosk.used, Use::StartingOver { for_story: true, .. } | Use::Story { .. });
    is_alone && store.setup.kiosk().is_some()
}

/// Returns the time until the kiosk acts by itself.
pub fn left(store: &Store) -> Option<Duration> {
    store.setup.kiosk()?;
    let left = store.kiosk.used.due_ms()?.saturating_sub(store.now.boot_ms);
    Some(Duration::from_millis(left.max(1)))
}

/// Returns the line with which a kiosk says good-bye after its screen has closed. `None` if this
/// run is not a kiosk.
pub fn farewell(store: &Store) -> Option<String> {
    store.setup.kiosk()?;
    Some(store.text(store.kiosk.ended.map_or("farewell-left", KioskEnd::message)))
}
