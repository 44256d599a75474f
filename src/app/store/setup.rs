//! The settings of a run, such as the profile, the service's address, the API contract, the keys
//! and the language.

use std::sync::Arc;

use super::commands::PaletteItems;
use super::first_run::StartupStage;
use super::notice::Notice;
use crate::app::Store;
use crate::app::ui::keys::Keymap;
use crate::contract::Contract;
use crate::trade::withdrawal::Window;
use crate::trade::{MessageTemplate, Origin, Untrusted};
use crate::words::Lang;

/// The settings of a run. Most of them never change during the run, but the API contract, the
/// language and the theme can.
#[derive(Debug, Clone)]
pub struct Setup {
    pub profile: Arc<str>,
    /// The base URL of the service's API, without a final slash.
    pub base_url: Arc<str>,
    /// The origin of the service's URL. Stored credentials are used only for this origin.
    pub origin: Origin,
    /// The seller's name. The header at the top of the screen shows it.
    pub title: Arc<str>,
    /// The path of the configuration file. The file may not exist.
    pub config: Untrusted,
    /// The journal directory that is used until the program has found out whether the service is a
    /// sandbox.
    pub journal: Untrusted,
    /// The schema versions that this program writes into its two databases: first the withdrawals
    /// journal, then the history.
    pub schemas: [u32; 2],
    /// True if this program runs the service itself. Such a service counts as a sandbox without
    /// further proof.
    pub sandbox: bool,
    /// True if the service's address is on this machine. This does not prove that the service is a
    /// sandbox.
    pub this_machine: bool,
    /// True if the state directory is that of a replay of exported requests. Only this replay can
    /// then prove to be a sandbox.
    pub is_replay: bool,
    /// The settings of the demo, or `None` if this run is not a demo.
    pub demo: Option<DemoSetup>,
    /// The API contract. It specifies details of the service's API that the API's documentation
    /// leaves open.
    pub contract: Arc<Contract>,
    pub keys: Arc<Keymap>,
    /// The time limits for sending a withdrawal again. They depend on how long the service
    /// remembers an idempotency key, which is a setting of the API contract.
    pub window: Window,
    /// The entries of the command palette, with the words by which the search finds them.
    pub labels: PaletteItems,
    pub links: LinkSettings,
    /// The template for the message to the buyer of a direct payment.
    pub charge_message: MessageTemplate,
    /// The language of the screens. It can be changed in the command palette.
    pub lang: Lang,
    /// The name of the current theme, if it is known. It can be changed in the command palette.
    pub theme: Option<Arc<str>>,
    /// True if the terminal can show only ASCII characters: no box-drawing lines, blocks or
    /// bullets.
    pub ascii: bool,
    /// True if the program runs as a job of a shell, which can continue it after a stop.
    pub is_job: bool,
    /// True if the terminal may open addresses that are clicked (OSC 8).
    pub links_addresses: bool,
    /// True if a sign or a line may be drawn in several frames.
    pub motion: bool,
    /// The difference between the seller's local time and UTC, in seconds. It is positive east of
    /// Greenwich.
    pub utc_offset_s: i32,
    /// True in read-only mode: the program sends no request that creates or pays anything.
    pub read_only: bool,
    /// True if HTTP requests are stored for later runs of the program. A demo never stores them.
    pub keeps_requests: bool,
    /// True if personal data is masked when the program starts.
    pub masks: bool,
    /// The name of an environment variable that contains a secret, if this run does not use that
    /// secret because its credentials are stored elsewhere.
    pub unused_secret: Option<&'static str>,
    /// The external command that the seller configured as the vault, if there is one.
    pub vault_helper: Option<Untrusted>,
    /// The origins at which this profile has logged in, also in earlier runs. A login into a vault
    /// in memory is not recorded for later runs.
    pub logins: Arc<[Origin]>,
    /// The other profiles in the configuration file.
    pub others: Arc<[OtherProfile]>,
    pub startup_stage: StartupStage,
}

impl Setup {
    /// The settings of kiosk mode, or `None` if this run is not a kiosk.
    pub fn kiosk(&self) -> Option<Kiosk> {
        self.demo.as_ref()?.kiosk
    }

    /// The path as the screen shows it. In a kiosk the text is empty, because strangers must not
    /// see paths of this computer.
    pub fn path(&self, path: &Untrusted) -> Untrusted {
        self.kiosk()
            .map_or_else(|| path.clone(), |_| Untrusted::default())
    }

    /// Creates the default settings: a profile without a name, for real money, in Portuguese.
    /// Callers then set the other fields.
    pub fn new(contract: Contract, window: Window, keys: Arc<Keymap>) -> Setup {
        Setup {
            profile: "".into(),
            base_url: "".into(),
            origin: Origin("".into()),
            title: "".into(),
            config: "".into(),
            journal: "".into(),
            schemas: [0; 2],
            sandbox: false,
            this_machine: false,
            is_replay: false,
            demo: None,
            contract: Arc::new(contract),
            keys,
            window,
            labels: [].into_iter().collect(),
            links: LinkSettings::default(),
            charge_message: MessageTemplate::default(),
            lang: Lang::Pt,
            theme: None,
            ascii: false,
            motion: false,
            utc_offset_s: 0,
            read_only: false,
            keeps_requests: true,
            masks: false,
            unused_secret: None,
            vault_helper: None,
            logins: Arc::default(),
            others: Arc::default(),
            startup_stage: StartupStage::default(),
            is_job: false,
            links_addresses: false,
        }
    }
}

/// The theme and the language that the user chose in this run. `None` means that nothing was
/// chosen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    pub theme: Option<Arc<str>>,
    pub lang: Option<Lang>,
}

/// Handles the result of saving the theme and the language in the settings file. If the user has
/// chosen something else since then, the new choice still has to be saved.
pub fn look_kept(store: &mut Store, look: &Look, result: &Result<(), String>) {
    match result {
        Ok(()) => {
            if store.look == *look {
                store.look = Look::default();
            }
            store.notify(Notice::good("said-look-kept"));
        }
        Err(error) => store.notify(Notice::system("said-look-not-kept", error)),
    }
}

impl Look {
    /// True if there is no unsaved choice of theme or language.
    pub fn is_kept(&self) -> bool {
        *self == Look::default()
    }
}

/// The name of the profile that is used if the configuration does not name a profile.
pub const UNNAMED: &str = "default";

/// Another profile in the configuration file, to which the user can switch.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherProfile {
    pub name: Arc<str>,
    /// The origin of the profile's service URL, or `None` if the URL is invalid.
    pub origin: Option<Origin>,
}

/// The seller's settings for payment links.
#[derive(Debug, Clone)]
pub struct LinkSettings {
    /// True if the URL of a new payment link is copied automatically. A URL with warnings is never
    /// copied automatically.
    pub copies_new: bool,
    /// The template for the message to the buyer of a payment link.
    pub message: MessageTemplate,
    /// The seller's own template for the reminder of a payment link. Without it, the reminder is a
    /// message of the screen's language.
    pub reminder: Option<MessageTemplate>,
}

impl Default for LinkSettings {
    fn default() -> LinkSettings {
        LinkSettings {
            copies_new: true,
            message: MessageTemplate::default(),
            reminder: None,
        }
    }
}

/// The settings of the demo.
#[derive(Debug, Clone, Default)]
pub struct DemoSetup {
    /// The values that the demo fills into the login form.
    pub login: Vec<(Arc<str>, DemoValue)>,
    /// True if the user can reset the demo. This is not possible if the user asked to keep the
    /// demo's journal.
    pub starts_over: bool,
    /// The origin at which the demo serves its checkout pages to phones, such as
    /// `http://192.168.0.10:8080`. `None` if only this machine can open the pages.
    pub shared: Option<Arc<str>>,
    /// True if the screen shows the names of the pressed keys.
    pub show_keys: bool,
    /// The settings of kiosk mode, if the demo is open to strangers (`--kiosk`).
    pub kiosk: Option<Kiosk>,
}

/// The settings of kiosk mode: a demo that is open to strangers, usually over SSH.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kiosk {
    /// True if the kiosk runs on a shared screen in a room. Such a kiosk has no time limit
    /// (`--room`).
    pub for_room: bool,
}

/// A value that the demo fills into a form.
#[derive(Debug, Clone)]
pub enum DemoValue {
    Text(Arc<str>),
    /// A secret of this length. Only the runtime has the secret itself.
    Secret(usize),
}
