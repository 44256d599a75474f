//! `balcao demo`: runs the app with a sandbox in the same process.
//!
//! To share the demo with other machines, the user must agree before the app opens. Until then,
//! connections from other machines are not accepted.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use super::kiosk::{self, KioskFiles};
use super::{App, DemoArgs, DemoRun, join, no_terminal, take_screen, worker_runtime};
use crate::cashier::Clock;
use crate::cli::complaint::{self, Complaint};
use crate::cli::output::{is_enter, print_wrapped};
use crate::cli::{ChosenProfile, GlobalArgs, Settings, keymap, read_file, sandbox, shown};
use crate::config::{Dirs, Profile};
use crate::demo::{self, DemoClock, Script};
use crate::journal;
use crate::journal::money::{self, ReadOnlyJournal};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::terminal;
use crate::sandbox::{ShareAddress, ShareFault, ShareSocket};
use crate::service::{BaseUrl, NetworkSettings};
use crate::trade::Untrusted;
use crate::trade::checkup::VaultSource;
use crate::vault::VaultHandle;
use crate::words::{Catalogue, names};

/// Starts a demo with a sandbox, and opens the app with it.
pub fn demo(args: &GlobalArgs, wanted: DemoArgs) -> Result<(), Complaint> {
    let kiosk = kiosk::open(args, &wanted)?;
    let kind = kiosk.as_ref().map(|kiosk| kiosk.kind);
    let DemoArgs { keep, faults, script, share, dialect, show_keys, .. } = wanted;
    let (preset, dialect) = dialect.as_deref().map(sandbox::named_dialect).transpose()?.unzip();
    let reading = thread::spawn(move || Ok(demo::contract_in(preset)));
    let settings = kiosk.as_ref().map_or_else(|| args.settings(), |kiosk| Ok(kiosk.settings()))?;
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let mut look = presentation.look.clone();
    let words = Catalogue::of(look.lang);
    let to_share = share.as_deref().map(|named| address_to_share(words, named)).transpose()?;
    terminal::check().map_err(no_terminal)?;
    let faults = faults.as_deref().map(sandbox::read_faults).transpose()?;
    let own = script.as_deref().map(|file| read_file(file, Script::of_file)).transpose()?;
    keep.as_deref().map(|dir| keep_in(&settings, words, dir)).transpose()?;
    let named = share.as_deref().unwrap_or_default();
    let agreed = |address| agree(words, named, address, keep.as_deref());
    let shared = to_share.map(agreed).transpose()?;
    // Keep this directory until the demo ends, because dropping it deletes the demo's journal.
    let temporary = temporary(kiosk)?;
    let temporary = (*temporary).as_ref();
    let workers = worker_runtime()?;
    let contract = join(reading)?;
    let clock = DemoClock::default();
    let moved = clock.clone();
    let plays = own.is_some();
    let props = demo::DemoConfig {
        forward: Box::new(move |span| moved.forward(span)),
        journals: keep.is_none().then(|| temporary.to_owned()),
        script: own.unwrap_or_else(Script::built_in),
        keys: keys.clone(),
        dialect: dialect.unwrap_or_default(),
        login: demo::login_fields(&contract),
        kiosk: kind,
        show_keys,
    };
    let connection = NetworkSettings::default().at_socket(props.socket());
    let app = workers.block_on(async {
        let stage = demo::open(faults.unwrap_or_default(), keep.as_deref(), &clock, props).await;
        let mut stage = stage.map_err(Complaint::of)?;
        if let Some(held) = shared {
            stage.share(held).map_err(|fault| not_shared(words, named, &fault))?;
        }
        let base = address(words, &stage.base_url)?;
        let vault = VaultHandle::memory();
        stage.keep_jwt(&vault, &base, clock.now().wall).await;
        let location = location(keep.as_deref(), temporary, vault.clone());
        let past = stage.past_withdrawals(base.origin(), clock.now().wall);
        Ok(App {
            chosen: ChosenProfile {
                args: args.clone(),
                settings,
                name: demo::PROFILE.into(),
                profile: Profile::default(),
            },
            journal: location.seeded_with(past),
            base,
            contract,
            connection,
            keys,
            vault,
            vault_source: VaultSource::Demo,
            clock: Arc::new(clock),
            demo: Some(DemoRun { stage, plays }),
        })
    })?;
    let mut screen = take_screen(&app.chosen.settings, presentation)?;
    let _watch = screen.watch_kiosk(kind, temporary).map_err(Complaint::of)?;
    screen.runtime().block_on(app.run(&mut look, &mut screen, None, workers.handle())).map(drop)
}

/// Returns the kiosk's directory. Any other demo gets a new temporary directory.
fn temporary(kiosk: Option<KioskFiles>) -> Result<Box<dyn AsRef<Path>>, Complaint> {
    if let Some(kiosk) = kiosk {
        return Ok(Box::new(kiosk.dir));
    }
    match demo::temporary() {
        Ok(dir) => Ok(Box::new(dir)),
        Err(_) => {
            let dir = shown(&std::env::temp_dir());
            Err(Complaint::about("complaint-temporary", [("dir", dir)]))
        }
    }
}

/// Returns the location of a demo's journal: the directory given with `--keep`, or a temporary one.
fn location(keep: Option<&Path>, temporary: &Path, vault: VaultHandle) -> JournalLocation {
    match keep {
        Some(dir) => JournalLocation::fixed(dir, vault),
        None => JournalLocation::temporary(&temporary.join("journal"), vault),
    }
}

/// Creates the `--keep` directory for the demo's journal. Refuses a directory that contains a real
/// journal.
fn keep_in(settings: &Settings, words: &Catalogue, dir: &Path) -> Result<(), Complaint> {
    only_for_demo(&settings.places, dir)?;
    let unfit = |trouble| Complaint::text(complaint::trouble(words, &shown(dir), &trouble));
    journal::make_dir(dir).map_err(unfit)
}

/// Refuses a directory that contains the seller's real journals.
///
/// Otherwise the app would look up real withdrawals in the demo's sandbox.
fn only_for_demo(places: &Dirs, dir: &Path) -> Result<(), Complaint> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let absolute = std::path::absolute(dir).map_err(Complaint::of)?;
    let is_own = real(&absolute).starts_with(real(&places.state));
    if is_own || money::is_there(dir) && !is_a_demos(dir) {
        return Err(Complaint::about("complaint-not-a-demo", [("dir", shown(dir))]));
    }
    Ok(())
}

/// Returns true if all withdrawals in a journal were made in a demo. An unreadable journal counts
/// as real.
fn is_a_demos(dir: &Path) -> bool {
    let Ok(mut look) = ReadOnlyJournal::open(dir) else { return false };
    match look.journal.page(None, "", 0, u64::MAX) {
        Ok(all) => all.rows.iter().all(|one| &*one.agreement.profile == demo::PROFILE),
        Err(_) => false,
    }
}

/// Parses the base URL of a demo's sandbox.
fn address(words: &Catalogue, text: &str) -> Result<BaseUrl, Complaint> {
    BaseUrl::parse(text).map_err(|why| Complaint::of(words.text(names::address_fault(why))))
}

/// Parses the address at which other machines can reach the demo.
fn address_to_share(words: &Catalogue, named: &str) -> Result<ShareAddress, Complaint> {
    ShareAddress::parse(named).map_err(|fault| not_shared(words, named, &fault))
}

/// Opens the port for sharing the demo, explains the effects of sharing, and waits for the user to
/// agree. Connections are accepted later.
fn agree(
    words: &Catalogue,
    named: &str,
    address: ShareAddress,
    keep: Option<&Path>,
) -> Result<ShareSocket, Complaint> {
    let held = demo::hold(address, keep).map_err(|fault| not_shared(words, named, &fault))?;
    let origin = held.origin();
    print_wrapped(&words.with("share-means", &[("origin", &origin)]))?;
    if address.ip.is_loopback() {
        let only_here = words.with("share-this-machine", &[("origin", &origin)]);
        print_wrapped(&format!("\n{only_here}"))?;
    }
    match is_enter(&format!("\n{}", words.text("share-ask")))? {
        true => Ok(held),
        false => Err(Complaint::text(words.text("given-up"))),
    }
}

/// Returns the error message for an address at which the demo cannot be shared.
fn not_shared(words: &Catalogue, named: &str, fault: &ShareFault) -> Complaint {
    let why = match fault {
        ShareFault::NotAnAddress => words.text("share-not-an-address"),
        ShareFault::Unspecified => words.text("share-unspecified"),
        ShareFault::NotUnicast => words.text("share-of-many"),
        ShareFault::LinkLocal => words.text("share-link-local"),
        ShareFault::NotHere => words.text("share-not-here"),
        ShareFault::InUse => words.text("share-in-use"),
        ShareFault::Refused(error) => {
            let why = Untrusted::from(error.to_string()).shown();
            words.with("share-refused", &[("why", &why)])
        }
    };
    let address = Untrusted::from(named).shown_within(60);
    Complaint::text(words.with("complaint-share", &[("address", &address), ("why", &why)]))
}
