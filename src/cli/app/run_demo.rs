//! `balcao demo`: runs the app with a sandbox in the same process.
//!
//! To share the demo with other machines, the user must agree before the app opens. Until then,
//! connections from other machines are not accepted.

use std::path::Path;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Handle;

use super::kiosk::{self, KioskFiles};
use super::run_clock::RunClock;
use super::terminal_screen::{TerminalScreen, check_terminal};
use super::{App, DemoArgs, DemoRun, join, recorder, take_over_screen, worker_runtime};
use crate::cashier::Clock;
use crate::cli::complaint::{self, Complaint};
use crate::cli::output::{confirm_with_enter, print_wrapped};
use crate::cli::{
    ChosenProfile, GlobalArgs, RunLook, Settings, keymap, path_text, read_file, sandbox,
};
use crate::config::{Dirs, Profile};
use crate::demo::{self, DemoClock, DemoConfig, DemoSandbox, Script};
use crate::journal;
use crate::journal::money::{Files, ReadOnlyJournal};
use crate::runtime::journal_location::JournalLocation;
use crate::runtime::log::Log;
use crate::sandbox::{FaultRule, ShareAddress, ShareFault, ShareSocket};
use crate::service::{BaseUrl, NetworkSettings};
use crate::trade::Untrusted;
use crate::trade::checkup::VaultSource;
use crate::vault::VaultHandle;
use crate::words::{Catalogue, names};

/// The files that the flags of a demo name, and the address at which it is shared.
struct DemoInputs {
    faults: Vec<FaultRule>,
    script: Option<Script>,
    share_socket: Option<ShareSocket>,
}

/// Starts a demo with a sandbox, and opens the app with it.
pub fn demo(args: &GlobalArgs, demo_args: DemoArgs) -> Result<(), Complaint> {
    let kiosk = kiosk::open(args, &demo_args)?;
    let kind = kiosk.as_ref().map(|kiosk| kiosk.kind);
    let keep = demo_args.keep.as_deref();
    let dialect = demo_args.dialect.as_deref().map(sandbox::find_dialect);
    let (preset, dialect) = dialect.transpose()?.unzip();
    let reader = thread::spawn(move || Ok(demo::contract_in(preset)));
    let settings = kiosk
        .as_ref()
        .map_or_else(|| args.settings(), |kiosk| Ok(kiosk.settings()))?;
    let (presentation, keys) = (args.presentation(&settings)?, keymap(&settings)?);
    let look = presentation.look.clone();
    let words = Catalogue::of(look.lang);
    let mut inputs = read_inputs(words, &settings, &demo_args, look.accessible)?;
    // Keep this directory until the demo ends, because dropping it deletes the demo's journal.
    let temporary_dir = create_temporary_dir(kiosk)?;
    let temporary_dir = (*temporary_dir).as_ref();
    let workers = worker_runtime()?;
    let contract = join(reader)?;
    let clock = DemoClock::default();
    let forward_clock = clock.clone();
    let autoplay = inputs.script.is_some();
    let config = DemoConfig {
        advance_clock: Box::new(move |span| forward_clock.forward(span)),
        journals: keep.is_none().then(|| temporary_dir.to_owned()),
        script: inputs.script.take().unwrap_or_else(Script::built_in),
        keys: keys.clone(),
        dialect: dialect.unwrap_or_default(),
        login: demo::login_fields(&contract),
        kiosk: kind,
        show_keys: demo_args.show_keys,
    };
    let connection = NetworkSettings::default().with_socket(config.socket());
    let app = workers.block_on(async {
        let sandbox = open_sandbox(words, &demo_args, inputs, &clock, config).await?;
        let base = parse_base_url(words, &sandbox.base_url)?;
        let vault = VaultHandle::memory();
        sandbox.keep_jwt(&vault, &base, clock.now().wall).await;
        Ok(App {
            chosen: ChosenProfile {
                args: args.clone(),
                settings,
                name: demo::PROFILE.into(),
                profile: Profile::default(),
            },
            journal: Arc::new(journal_location(keep, temporary_dir, vault.clone())),
            base,
            contract,
            connection,
            keys,
            vault,
            vault_source: VaultSource::Demo,
            clock: RunClock {
                clock: Arc::new(clock),
                advance: None,
            },
            demo: Some(DemoRun {
                sandbox: Arc::new(sandbox),
                autoplay,
            }),
            open_profile: None,
            previous: None,
            log: Log::off(),
        })
    })?;
    let recorder = recorder(demo_args.record.as_deref().or(args.record.as_deref()))?;
    let settings = &app.chosen.settings;
    let mut screen = take_over_screen(settings, presentation, recorder, &app.log)?;
    let _watch = screen
        .watch_kiosk(kind, temporary_dir)
        .map_err(Complaint::from_error)?;
    run_until_left(app, look, &mut screen, temporary_dir, workers.handle())
}

/// Runs the app until the user quits. Each time the demo starts over, runs the app again with a new
/// journal and a reset sandbox.
fn run_until_left(
    mut app: App,
    mut look: RunLook,
    screen: &mut TerminalScreen,
    temporary_dir: &Path,
    workers: &Handle,
) -> Result<(), Complaint> {
    let ui_runtime = screen.runtime();
    for number in 2.. {
        let ended = ui_runtime.block_on(app.run(&mut look, screen, workers))?;
        let Some(previous) = ended else { break };
        let Some(demo) = &mut app.demo else { break };
        demo.sandbox.start_over().map_err(Complaint::from_error)?;
        demo.autoplay = false;
        let files = Files::temporary(temporary_dir.join(format!("journal-{number}")));
        app.journal = Arc::new(JournalLocation::fixed(files, app.vault.clone()));
        app.contract = (*previous.setup.contract).clone();
        app.previous = Some(previous);
    }
    Ok(())
}

/// Reads the files that the flags name, creates the `--keep` directory, and asks the user to agree
/// to share the demo.
fn read_inputs(
    words: &Catalogue,
    settings: &Settings,
    demo_args: &DemoArgs,
    accessible: bool,
) -> Result<DemoInputs, Complaint> {
    let keep = demo_args.keep.as_deref();
    let share = demo_args.share.as_deref();
    let address = share
        .map(|text| parse_share_address(words, text))
        .transpose()?;
    check_terminal(accessible)?;
    let faults = demo_args.faults.as_deref();
    let faults = faults.map(sandbox::read_faults).transpose()?;
    let script = demo_args.script.as_deref();
    let script = script
        .map(|file| read_file(file, Script::of_file))
        .transpose()?;
    keep.map(|dir| create_keep_dir(settings, words, dir))
        .transpose()?;
    let share_socket = address
        .map(|address| agree_to_share(words, share_text(demo_args), address, keep))
        .transpose()?;
    Ok(DemoInputs {
        faults: faults.unwrap_or_default(),
        script,
        share_socket,
    })
}

fn share_text(demo_args: &DemoArgs) -> &str {
    demo_args.share.as_deref().unwrap_or_default()
}

/// Starts the demo's sandbox, and shares it if the user agreed to that.
async fn open_sandbox(
    words: &Catalogue,
    demo_args: &DemoArgs,
    inputs: DemoInputs,
    clock: &DemoClock,
    config: DemoConfig,
) -> Result<DemoSandbox, Complaint> {
    let opened = demo::open(inputs.faults, demo_args.keep.as_deref(), clock, config).await;
    let mut sandbox = opened.map_err(Complaint::from_error)?;
    if let Some(socket) = inputs.share_socket {
        let shared = sandbox.share(socket);
        shared.map_err(|fault| share_error(words, share_text(demo_args), &fault))?;
    }
    Ok(sandbox)
}

/// The kiosk's directory. Any other demo gets a new temporary directory.
fn create_temporary_dir(kiosk: Option<KioskFiles>) -> Result<Box<dyn AsRef<Path>>, Complaint> {
    if let Some(kiosk) = kiosk {
        return Ok(Box::new(kiosk.dir));
    }
    match demo::temporary() {
        Ok(dir) => Ok(Box::new(dir)),
        Err(_) => {
            let dir = path_text(&std::env::temp_dir());
            Err(Complaint::about("complaint-temporary", [("dir", dir)]))
        }
    }
}

/// The location of a demo's journal: the directory given with `--keep`, or a temporary one.
fn journal_location(keep: Option<&Path>, temporary: &Path, vault: VaultHandle) -> JournalLocation {
    let files = match keep {
        Some(dir) => Files::new(dir),
        None => Files::temporary(temporary.join("journal")),
    };
    JournalLocation::fixed(files, vault)
}

/// Creates the `--keep` directory for the demo's journal. Refuses a directory that contains a real
/// journal.
fn create_keep_dir(settings: &Settings, words: &Catalogue, dir: &Path) -> Result<(), Complaint> {
    refuse_real_journals(&settings.dirs, dir)?;
    journal::make_dir(dir).map_err(|trouble| {
        Complaint::text(complaint::describe_journal_trouble(
            words,
            &path_text(dir),
            &trouble,
        ))
    })
}

/// Refuses a directory with a real journal, because the app would look up real withdrawals in the
/// demo's sandbox.
fn refuse_real_journals(dirs: &Dirs, dir: &Path) -> Result<(), Complaint> {
    let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let absolute = std::path::absolute(dir).map_err(Complaint::from_error)?;
    let is_in_state_dir = real(&absolute).starts_with(real(&dirs.state));
    let files = Files::new(dir);
    if is_in_state_dir || files.journal_exists() && !is_demo_journal(&files) {
        return Err(Complaint::about(
            "complaint-not-a-demo",
            [("dir", path_text(dir))],
        ));
    }
    Ok(())
}

/// True if all withdrawals in a journal were made in a demo. An unreadable journal counts as real.
fn is_demo_journal(files: &Files) -> bool {
    let Ok(opened) = ReadOnlyJournal::open(files) else {
        return false;
    };
    opened.journal.withdrawals().all(|withdrawal| {
        withdrawal.is_ok_and(|withdrawal| &*withdrawal.agreement.profile == demo::PROFILE)
    })
}

fn parse_base_url(words: &Catalogue, text: &str) -> Result<BaseUrl, Complaint> {
    BaseUrl::parse(text).map_err(|why| Complaint::from_error(words.text(names::address_fault(why))))
}

/// Parses the address at which other machines can reach the demo.
fn parse_share_address(words: &Catalogue, text: &str) -> Result<ShareAddress, Complaint> {
    ShareAddress::parse(text).map_err(|fault| share_error(words, text, &fault))
}

/// Opens the port for sharing the demo, explains the effects of sharing, and waits for the user to
/// agree. Connections are accepted later.
fn agree_to_share(
    words: &Catalogue,
    text: &str,
    address: ShareAddress,
    keep: Option<&Path>,
) -> Result<ShareSocket, Complaint> {
    let socket = demo::reserve_share_port(address, keep)
        .map_err(|fault| share_error(words, text, &fault))?;
    let origin = socket.origin();
    print_wrapped(&words.with("share-means", &[("origin", &origin)]))?;
    if address.ip.is_loopback() {
        let only_here = words.with("share-this-machine", &[("origin", &origin)]);
        print_wrapped(&format!("\n{only_here}"))?;
    }
    if confirm_with_enter(&format!("\n{}", words.text("share-ask")))? {
        Ok(socket)
    } else {
        Err(Complaint::text(words.text("given-up")))
    }
}

/// The error message for an address at which the demo cannot be shared.
fn share_error(words: &Catalogue, text: &str, fault: &ShareFault) -> Complaint {
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
    let address = Untrusted::from(text).shown_within(60);
    Complaint::text(words.with("complaint-share", &[("address", &address), ("why", &why)]))
}
