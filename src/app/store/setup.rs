//! The settings that are fixed for a run: profile, address, contract, keys, language.

use std::sync::Arc;

use super::commands::PaletteLines;
use super::first_run::Beginning;
use crate::app::ui::keys::Keymap;
use crate::contract::Contract;
use crate::trade::withdrawal::Window;
use crate::trade::{MessageTemplate, Origin, Untrusted};
use crate::words::Lang;

/// The settings that are fixed for a run.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "some fields are their names")]
pub struct Setup {
    pub profile: Arc<str>,
    /// The base URL, without a slash at its end.
    pub base_url: Arc<str>,
    /// The service's origin: what credentials belong to.
    pub origin: Origin,
    /// The words that stand for the seller in the header.
    pub title: Arc<str>,
    /// The file of the seller's settings, whether or not it is there.
    pub config: Untrusted,
    /// The directory of the journal, as long as nothing else is proved.
    pub journal: Untrusted,
    /// The schemas of the files that this program writes: the withdrawals', and the history's.
    pub schemas: [u32; 2],
    /// True when this program plays the service itself: then it is the sandbox without a proof.
    pub sandbox: bool,
    /// True when the address is one of this machine, which says nothing of what is behind it.
    pub this_machine: bool,
    /// The demo's settings where the sandbox is our own, so that its commands can be granted.
    pub demo: Option<DemoSetup>,
    /// The contract: it has what the documentation does not show.
    pub contract: Arc<Contract>,
    pub keys: Arc<Keymap>,
    /// The time for sending a key again; its retention follows the lines that were agreed to.
    pub window: Window,
    /// The palette's lines, and the words that they are found by.
    pub labels: PaletteLines,
    pub links: LinkSettings,
    /// The template of the message about a direct payment.
    pub charge_message: MessageTemplate,
    pub lang: Lang,
    /// True when the font has nothing but letters: no lines, no blocks, no bullets.
    pub ascii: bool,
    /// Seconds the seller's clock stands east of UTC.
    pub utc_offset_s: i32,
    /// True when the program was started to look only: nothing that creates or pays can be sent.
    pub read_only: bool,
    /// True when the run begins with personal data masked.
    pub masks: bool,
    /// A variable whose secret this run does not use: its credentials are kept elsewhere.
    pub unused_secret: Option<&'static str>,
    /// The seller's command that is the vault, if one is.
    pub vault_helper: Option<Untrusted>,
    /// The other profiles in the seller's file.
    pub others: Arc<[OtherProfile]>,
    pub beginning: Beginning,
}

impl Setup {
    /// The settings of a live account that nobody named, in Portuguese: what a run is about is put
    /// in the other fields.
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
            ascii: false,
            utc_offset_s: 0,
            read_only: false,
            masks: false,
            unused_secret: None,
            vault_helper: None,
            others: Arc::default(),
            beginning: Beginning::default(),
        }
    }
}

/// The name of a profile that was given none.
pub const UNNAMED: &str = "default";

/// Another profile, as far as it is known here.
#[derive(Debug, Clone, PartialEq)]
pub struct OtherProfile {
    /// Its name.
    pub name: Arc<str>,
    /// The origin of its service, where its address is one.
    pub origin: Option<Origin>,
}

/// The seller's settings for payment links.
#[derive(Debug, Clone)]
pub struct LinkSettings {
    /// True when the address of a new link is copied at once, where nothing about it is odd.
    pub copies_new: bool,
    /// The template of the message about one.
    pub message: MessageTemplate,
}

impl Default for LinkSettings {
    fn default() -> LinkSettings {
        LinkSettings { copies_new: true, message: MessageTemplate::default() }
    }
}

/// The values that the demo fills in.
#[derive(Debug, Clone, Default)]
pub struct DemoSetup {
    /// Values for the login's fields; a secret's length stands for the secret.
    pub login: Vec<(Arc<str>, DemoValue)>,
    /// True when it can start over: not where its journal is kept.
    pub starts_over: bool,
    /// The beginning of the addresses of links that phones reach, such as
    /// `http://192.168.0.10:8080`; none where only this machine reaches them.
    pub shared: Option<Arc<str>>,
}

/// A value the demo fills in.
#[derive(Debug, Clone)]
pub enum DemoValue {
    /// A text as it is.
    Text(Arc<str>),
    /// A secret of this length, which the runtime holds.
    Secret(usize),
}
