//! The settings of a run, such as profile, address, contract, keys and language.

use std::sync::Arc;

use super::commands::PaletteLines;
use super::first_run::StartupStage;
use super::notice::Notice;
use crate::app::Store;
use crate::app::ui::keys::Keymap;
use crate::contract::Contract;
use crate::trade::withdrawal::Window;
use crate::trade::{MessageTemplate, Origin, Untrusted};
use crate::words::Lang;

/// The settings of a run. Most never change; the contract, the language and the theme may.
#[derive(Debug, Clone)]
pub struct Setup {
    pub profile: Arc<str>,
    /// The base URL of the service's API, without a final slash.
    pub base_url: Arc<str>,
    /// The origin of the service. The stored credentials belong to this origin.
    pub origin: Origin,
    /// The seller's name, which the header of the screen shows.
    pub title: Arc<str>,
    /// The path of the configuration file, which may not exist.
    pub config: Untrusted,
    /// The journal directory to use until the program knows whether the service is a sandbox.
    pub journal: Untrusted,
    /// The schema versions of the two databases that this program writes: the withdrawals journal
    /// and the history.
    pub schemas: [u32; 2],
    /// True if this program runs the service itself. The service then counts as a sandbox, and no
    /// further proof is required.
    pub sandbox: bool,
    /// True if the service's address is on this machine. A service on this machine is not
    /// necessarily a sandbox.
    pub this_machine: bool,
    /// The settings of the demo; `None` in a normal run.
    pub demo: Option<DemoSetup>,
    /// The contract, which describes the details of the API that its documentation leaves open.
    pub contract: Arc<Contract>,
    pub keys: Arc<Keymap>,
    /// The time limits for sending a withdrawal again. They depend on how long the service
    /// remembers an idempotency key; the contract specifies that time.
    pub window: Window,
    /// The entries of the command palette, with their search words.
    pub labels: PaletteLines,
    pub links: LinkSettings,
    /// The template of the message to the buyer of a direct payment.
    pub charge_message: MessageTemplate,
    /// The language. Unlike most other settings, the palette can change it.
    pub lang: Lang,
    /// The name of the theme in use, if it is known. The palette can change it, too.
    pub theme: Option<Arc<str>>,
    /// True if the terminal can show only ASCII: no lines, blocks or bullets.
    pub ascii: bool,
    /// The offset of the seller's local time from UTC, in seconds east.
    pub utc_offset_s: i32,
    /// True in read-only mode: the program sends no request that creates or pays anything.
    pub read_only: bool,
    /// True if requests are stored for later runs. A demo never stores them.
    pub keeps_requests: bool,
    /// True if personal data is masked when the program starts.
    pub masks: bool,
    /// The name of an environment variable that contains a secret. This run ignores the secret,
    /// because its credentials are stored elsewhere.
    pub unused_secret: Option<&'static str>,
    /// The command, chosen by the seller, that is used as the vault, if there is one.
    pub vault_helper: Option<Untrusted>,
    /// The other profiles in the configuration file.
    pub others: Arc<[OtherProfile]>,
    pub startup_stage: StartupStage,
}

impl Setup {
    /// Returns the rules of the kiosk; `None` if this run is not a kiosk.
    pub fn kiosk(&self) -> Option<Kiosk> {
        self.demo.as_ref()?.kiosk
    }

    /// Returns a path as the screens show it; empty in a kiosk, because strangers use a kiosk.
    pub fn path(&self, path: &Untrusted) -> Untrusted {
        self.kiosk().map_or_else(|| path.clone(), |_| Untrusted::default())
    }

    /// Creates the default settings: an unnamed live account, in Portuguese. Callers set the other
    /// fields.
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
            utc_offset_s: 0,
            read_only: false,
            keeps_requests: true,
            masks: false,
            unused_secret: None,
            vault_helper: None,
            others: Arc::default(),
            startup_stage: StartupStage::default(),
        }
    }
}

/// The theme and the language that the user chose in this run; `None` for no choice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    pub theme: Option<Arc<str>>,
    pub lang: Option<Lang>,
}

/// Handles the result of writing the theme and the language to the settings file. A choice that the
/// user has made since then still has to be written.
pub fn look_kept(store: &mut Store, look: &Look, result: &Result<(), String>) {
    match result {
        Ok(()) => {
            if store.look == *look {
                store.look = Look::default();
            }
            store.notify(Notice::good("said-look-kept"));
        }
        Err(why) => store.notify(Notice::system("said-look-not-kept", why)),
    }
}

impl Look {
    /// Returns true if nothing is left to write into the settings file.
    pub fn is_kept(&self) -> bool {
        *self == Look::default()
    }
}

/// The name of the profile used when the configuration names none: `default`.
pub const UNNAMED: &str = "default";

/// Another profile in the configuration file.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherProfile {
    pub name: Arc<str>,
    /// The origin of the profile's service; `None` if its address is invalid.
    pub origin: Option<Origin>,
}

/// The seller's settings for payment links.
#[derive(Debug, Clone)]
pub struct LinkSettings {
    /// True if the URL of a new link is copied automatically. It is not copied if there are
    /// warnings about it.
    pub copies_new: bool,
    /// The template of the message to the buyer.
    pub message: MessageTemplate,
}

impl Default for LinkSettings {
    fn default() -> LinkSettings {
        LinkSettings { copies_new: true, message: MessageTemplate::default() }
    }
}

/// The settings of the demo.
#[derive(Debug, Clone, Default)]
pub struct DemoSetup {
    /// The values that the demo fills into the fields of the login form.
    pub login: Vec<(Arc<str>, DemoValue)>,
    /// True if the demo can be reset. It cannot if the user asked to keep its journal.
    pub starts_over: bool,
    /// The origin of the checkout pages for phones, such as `http://192.168.0.10:8080`. `None` if
    /// only this machine can open them.
    pub shared: Option<Arc<str>>,
    /// True if the keys that are pressed are shown on the screen.
    pub show_keys: bool,
    /// The kiosk settings, if the demo is open to strangers (`--kiosk`).
    pub kiosk: Option<Kiosk>,
}

/// A demo that is open to strangers, usually over SSH.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kiosk {
    /// True if the kiosk runs on a shared screen in a room, without a time limit (`--room`).
    pub for_room: bool,
}

/// A value that the demo fills into a form.
#[derive(Debug, Clone)]
pub enum DemoValue {
    Text(Arc<str>),
    /// A secret of this length. The runtime keeps the secret itself, outside the model.
    Secret(usize),
}
