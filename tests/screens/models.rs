//! App models of all screens in all of their states, and functions that draw them. An app model is
//! the whole state of the app.

use balcao::app::cx::{Cx, Route};
use balcao::app::router;
use balcao::app::router::read_tracker::note;
use balcao::app::screens::withdrawals::Guide;
use balcao::app::ui::action::Action;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use balcao::app::cx::{CodeText, Question};
use balcao::app::screen::buttons::DEAD_MS;
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::palette::{Below, Palette};
use balcao::app::store::clip::Clip;
use balcao::app::store::commands::{self, Command, PaletteLines};
use balcao::app::store::frame_snapshot::FrameSnapshot;
use balcao::app::store::notice::Notice;
use balcao::app::store::payable::{Payable, PayableUse};
use balcao::app::store::payable_warnings::PayableWarning;
use balcao::app::store::session::{Credential, HeldCredential, Session, VaultStatus};
use balcao::app::ui::form::Label;
use balcao::app::ui::input::{Input, Pace, Size};
use balcao::app::ui::keys::Keymap;
use balcao::app::{Domains, Effect, Model, Msg, Pane, Setup, Stamp, Wait, update};
use balcao::contract::Contract;
use balcao::trade::withdrawal::Window;
use balcao::trade::{
    Account, Agreement, Attempt, CheckoutDomain, Clocks, CredentialKind, DomainChoice, DomainState,
    Failure, IdempotencyKey, KeyTable, Money, NoAnswer, Origin, Refusal, Ticket, VaultKind,
    VaultTrouble, Wall, Withdrawal,
};
use balcao::view::{Theme, draw};
use balcao::words::Lang;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use uuid::Uuid;

use crate::models_money::replies::{self, Back, silent, vouched};
use crate::{models_logins, models_requests};

/// The current time in all app models: 2026-11-21 10:42:07 in São Paulo.
pub const NOW: Wall = Wall(1_795_268_527_000);

/// São Paulo's offset from UTC, in seconds.
pub const OFFSET: i32 = -3 * 3_600;

/// Returns an app model of a seller who is logged in but has no data.
pub fn model(lang: Lang) -> Model {
    let now = Clocks { wall: NOW, boot_ms: 600_000, boot_id: "boot".into() };
    let model = Model::new(setup(lang), Size { columns: 80, rows: 24 }, now);
    altered(model, |model| model.session = session())
}

/// Returns an app model with the help page open above the links pane.
fn help(lang: Lang) -> Model {
    altered(on(lang, Pane::Links), |model| asks_for(model, Action::Help))
}

/// Returns the commands that the palette lists while its search field is empty.
fn listed(model: &Model) -> Vec<Command> {
    let items = model.setup.labels.of(model.setup.lang).iter();
    let listed = items.filter(|item| !matches!(item.command, Command::Hint(_)));
    listed.map(|item| item.command.clone()).collect()
}

pub fn altered(mut model: Model, change: impl FnOnce(&mut Model)) -> Model {
    change(&mut model);
    model
}

/// Returns the withdrawal on the topmost screen that shows a withdrawal.
pub fn subject(model: &Model) -> Option<&Withdrawal> {
    let mut screens = model.layers.iter().rev().map(Layer::screen);
    screens.find_map(|screen| screen.links(&model.store).withdrawal)
}

pub fn push(model: &mut Model, route: Route) {
    let stamp = stamp(model);
    let layer = Layer::of(&mut Cx::new(&mut model.store, &stamp, false), route);
    model.layers.extend(layer);
}

/// Performs an action, as if its key had been pressed.
pub fn asks_for(model: &mut Model, action: Action) {
    let stamp = stamp(model);
    router::press(model, action, &stamp);
}

pub fn push_details(model: &mut Model, withdrawal: Withdrawal) {
    push(model, Route::Withdrawal(Box::new(withdrawal)));
}

/// Opens the list of attempts for the withdrawal that is on the screen.
pub fn push_attempts(model: &mut Model) {
    if let Some(key) = subject(model).map(|one| one.agreement.key) {
        push(model, Route::Attempts(key));
    }
}

/// Opens the guide for checking the withdrawal that is on the screen. The cursor is on this row.
pub fn push_guide(model: &mut Model, cursor: usize) {
    let key = subject(model).unwrap().agreement.key;
    model.layers.push(Layer::Guide(Guide { key, cursor }));
}

/// Returns an app model that shows this pane. It contains no data.
pub fn on(lang: Lang, pane: Pane) -> Model {
    altered(model(lang), |model| model.pane = pane)
}

/// Returns an app model with this screen on top. It contains no data.
pub fn under(lang: Lang, layer: Layer) -> Model {
    Model { layers: vec![layer], ..model(lang) }
}

fn setup(lang: Lang) -> Setup {
    let table: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
    let window = Window {
        retention: Duration::from_secs(600),
        deadline: Duration::from_secs(30),
        resend_after: Duration::from_secs(30),
    };
    let keys = Arc::new(Keymap::from_table(&table).unwrap());
    Setup {
        profile: "demo".into(),
        base_url: "http://127.0.0.1:41873".into(),
        origin: Origin("http://127.0.0.1:41873".into()),
        title: "loja da ana".into(),
        config: "/srv/ana/balcao/config.toml".into(),
        journal: "/srv/balcao/live/https-api.loja.example".into(),
        schemas: [2, 4],
        sandbox: true,
        this_machine: true,
        labels: items(),
        lang,
        utc_offset_s: OFFSET,
        ..Setup::new(Contract::clone(&contract()), window, keys)
    }
}

fn items() -> PaletteLines {
    static ITEMS: LazyLock<PaletteLines> = LazyLock::new(items_in);
    ITEMS.clone()
}

fn items_in() -> PaletteLines {
    PaletteLines::new(|lang| {
        commands::items(lang, &["lose-answer", "slow", "refuse"], &Theme::NAMES)
    })
}

pub fn contract() -> Arc<Contract> {
    static CONTRACT: LazyLock<Arc<Contract>> = LazyLock::new(|| Arc::new(Contract::built_in()));
    CONTRACT.clone()
}

/// Returns a login with both credentials (token and JWT) in the keyring.
pub fn session() -> Session {
    let held = |expires: Option<Wall>| {
        let since = expires.map(|Wall(ms)| Wall(ms - 4 * 3_600_000));
        let identity = "ana@loja.example".into();
        Credential::Held(HeldCredential { identity, since, expires, from_demo: false })
    };
    Session {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: held(Some(Wall(NOW.0 + 3_600_000))),
        jwt: held(None),
    }
}

/// Returns the app model in ASCII mode. The app then draws only ASCII characters.
pub fn ascii(model: Model) -> Model {
    altered(model, |model| model.setup.ascii = true)
}

/// Draws an app model with the default theme.
pub fn buffer(model: &Model, columns: u16, rows: u16) -> Buffer {
    painted(model, &Theme::default(), columns, rows)
}

/// Draws an app model with this theme.
pub fn painted(model: &Model, theme: &Theme, columns: u16, rows: u16) -> Buffer {
    let model = altered(model.clone(), |model| model.size = Size { columns, rows });
    let model = rested(model);
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| drop(draw(&model, theme, frame))).unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the app model with its QR code, which the app computes only after a pause in the input.
pub fn rested(mut model: Model) -> Model {
    let mut picture = std::mem::take(&mut model.store.picture);
    let ascii = model.setup.ascii;
    router::front(&model, |screen, store| picture.follow(screen.qr_text(store), 0, ascii, 0));
    model.store.picture = picture;
    model
}

/// Draws the app model. Returns a record of what the frame shows.
pub fn seen(model: &Model, frame: u64) -> Arc<FrameSnapshot> {
    let Size { columns, rows } = model.size;
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut seen = FrameSnapshot::default();
    terminal.draw(|screen| seen = draw(model, &Theme::default(), screen)).unwrap();
    Arc::new(FrameSnapshot { frame, at_ms: Some(model.now.boot_ms), ..seen })
}

/// Draws a frame and presses a key. Returns the effects that the app requests.
pub fn press(model: &mut Model, key: &str) -> Vec<Effect> {
    input(model, Input::Key(key.parse().unwrap()))
}

/// Returns a message stamp with the app model's clocks, and with the record of an empty frame.
pub fn stamp(model: &Model) -> Stamp {
    stamp_of(model, Arc::default())
}

/// Returns a message stamp with the app model's clocks, and with this record of a frame.
pub fn stamp_of(model: &Model, seen: Arc<FrameSnapshot>) -> Stamp {
    Stamp { clocks: model.now.clone(), fresh_key: key(9), seen, pace: Pace::Deliberate }
}

/// Sends a message to the app model without drawing a frame first. Returns the effects that the app
/// requests.
pub fn tell(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let stamp = stamp(model);
    update(model, msg, &stamp)
}

/// Draws a frame and sends an input to the app model. Returns the effects that the app requests.
pub fn input(model: &mut Model, input: Input) -> Vec<Effect> {
    static FRAMES: AtomicU64 = AtomicU64::new(2);
    let frame = FRAMES.fetch_add(1, Ordering::Relaxed);
    let stamp = stamp_of(model, seen(model, frame));
    update(model, Msg::Input(input), &stamp)
}

/// Returns the app model as if its screen had been visible long enough for confirm buttons to be
/// enabled.
pub fn looked_at(mut model: Model) -> Model {
    let drawn = seen(&model, 1);
    let at_ms = drawn.at_ms.map(|at_ms| at_ms.saturating_sub(DEAD_MS));
    let seen = Arc::new(FrameSnapshot { at_ms, ..(*drawn).clone() });
    let stamp = stamp_of(&model, seen);
    note(&mut model, &stamp);
    model
}

/// Checks that a screen contains no control characters. Checks this at several sizes.
#[track_caller]
pub fn check_control_characters(name: &str, model: &Model) {
    for (columns, rows) in [(60, 18), (80, 24), (120, 40)] {
        let shown = text(&buffer(model, columns, rows));
        let bad = shown.chars().find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(bad, None, "{name} at {columns}x{rows}");
    }
}

/// Returns the position of the terminal cursor at 80x24.
pub fn cursor(model: &Model) -> Position {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal.draw(|frame| drop(draw(model, &Theme::default(), frame))).unwrap();
    terminal.get_cursor_position().unwrap()
}

/// Returns the text of the app model's screen at 80x24.
pub fn screen(model: &Model) -> String {
    text(&buffer(model, 80, 24))
}

/// Replaces line breaks and repeated spaces with a single space each. A sentence that wraps can
/// then be found.
pub fn running(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the text of a screen buffer, with a line for each row.
pub fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let mut text = String::new();
    for row in buffer.content.chunks(width) {
        let mut line = String::new();
        let mut skip = 0;
        for cell in row {
            // Skip the second cell of a wide character, because the character covers two cells.
            if skip == 0 {
                line.push_str(cell.symbol());
                skip = unicode_width::UnicodeWidthStr::width(cell.symbol()).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// An app model that shows a screen, with the name of this screen's snapshot.
pub type NamedModel = (&'static str, Model);

/// Returns app models of every screen in every state. They are built only once for each language.
pub fn all(lang: Lang) -> Vec<NamedModel> {
    static PT: LazyLock<Vec<NamedModel>> = LazyLock::new(|| made(Lang::Pt));
    static EN: LazyLock<Vec<NamedModel>> = LazyLock::new(|| made(Lang::En));
    match lang {
        Lang::Pt => PT.clone(),
        Lang::En => EN.clone(),
    }
}

pub fn named(lang: Lang, name: &str) -> Model {
    let found = all(lang).into_iter().find(|(other, _)| *other == name);
    found.unwrap_or_else(|| panic!("no screen {name}")).1
}

fn made(lang: Lang) -> Vec<NamedModel> {
    let mut all = mine(lang);
    all.extend(crate::models_money::all(lang));
    all.extend(crate::models_taught::all(lang));
    all
}

/// Returns app models of all screens, except for those about payments and withdrawals.
pub fn mine(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut all = frames(lang);
    all.extend(models_logins::logins(lang));
    all.extend(models_logins::jwts(lang));
    all.extend(domains(lang));
    all.extend(models_requests::exchanges(lang));
    all.extend(accounts(lang));
    all.extend(overlays(lang));
    all.extend(crate::profiles::all(lang));
    all.extend(crate::expiry::all(lang));
    all.extend(crate::first_run::all(lang));
    all.extend(crate::checkup::models(lang));
    all
}

fn frames(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut banner = on(lang, Pane::Account);
    banner.withdrawals.open = vec![withdrawal(1, Some(silent(NoAnswer::Timeout)))];
    let mut live = on(lang, Pane::Exchanges);
    live.sandbox = false;
    live.session.api_token = Credential::Absent;
    let this_machine = live.clone();
    let unproven = altered(this_machine.clone(), |model| {
        (model.sandbox, model.unproven) = (true, true);
    });
    live.setup.this_machine = false;
    let mut asking = on(lang, Pane::Exchanges);
    asking.session = Session::default();
    let mut narrow_notice = on(lang, Pane::Exchanges);
    narrow_notice.notice = Some(Notice::good("said-logged-in"));
    let mut story = on(lang, Pane::Domains);
    story.story.playing = true;
    let caption = match lang {
        Lang::Pt => {
            "A taxa vem do serviço. Tab vai até a chave, Ctrl-N traz um destino já usado, \
                     Ctrl-S abre a revisão."
        }
        Lang::En => {
            "The fee comes from the service. Tab moves to the key, Ctrl-N brings a known \
                     destination, Ctrl-S opens the review."
        }
    };
    story.story.notify(&caption.into(), (8, 17));
    vec![
        ("frame-caption", story),
        ("frame-live-logged-out", live),
        ("frame-this-machine", this_machine),
        ("frame-unproven", unproven),
        ("frame-asking-the-vault", asking),
        ("frame-notice", narrow_notice),
        ("banner-unknown", banner),
    ]
}

/// Returns idempotency key number `n`. All test keys have the same first digits.
pub fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(0x3f0e_6c1c_7c55_4a8e_9d5a_2f1b_6f1e_0c00 + n))
}

pub fn brl(centavos: i64) -> Money {
    Money::from_centavos(centavos)
}

/// The seller's account in all app models.
pub fn account() -> Account {
    Account { origin: Origin("http://127.0.0.1:41873".into()), identity: "ana@loja.example".into() }
}

/// Returns withdrawal number `n`, which has an amount of R$ 1.000,00 and one attempt. `back` is the
/// result of the attempt, or `None` if the attempt is still running.
pub fn withdrawal(n: u128, back: Option<Back>) -> Withdrawal {
    let began = Clocks { wall: Wall(NOW.0 - 60_000), boot_ms: 540_000, boot_id: "boot".into() };
    let ended = Clocks { wall: Wall(NOW.0 - 30_000), boot_ms: 570_000, boot_id: "boot".into() };
    let agreement = Agreement {
        key: key(n),
        account: account(),
        profile: "demo".into(),
        method: "POST".into(),
        url: "http://127.0.0.1:41873/api/v1/integrations/withdrawals".into(),
        key_header: key(n).to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: r#"{"amount":1000.00}"#.into(),
        amount: brl(100_000),
        destination: None,
        quote: None,
        agreed: began.clone(),
    };
    let end = back.map(|back| replies::end(&back, &agreement, vouched(), false, &ended));
    Withdrawal { agreement, attempts: vec![Attempt { n: 1, began, end }], decision: None }
}

pub fn wait() -> Option<Wait> {
    Some(Wait { ticket: Ticket(1), since_ms: 597_000 })
}

pub fn label(pt: &str, en: &str) -> Label {
    Label::ContractText { pt: pt.into(), en: en.into() }
}

fn domains(lang: Lang) -> Vec<(&'static str, Model)> {
    let listed = vec![
        CheckoutDomain {
            host: "loja-da-ana.localhost".into(),
            state: DomainState::Active,
            is_default: true,
        },
        CheckoutDomain {
            host: "ateliê-da-ana.localhost".into(),
            state: DomainState::Usable,
            is_default: false,
        },
        CheckoutDomain {
            host: "nova.localhost".into(),
            state: DomainState::Pending(Some("pending_dns".into())),
            is_default: false,
        },
        CheckoutDomain {
            host: "velha.localhost".into(),
            state: DomainState::Pending(None),
            is_default: false,
        },
    ];
    let with = |domains| altered(on(lang, Pane::Domains), |model| model.domains = domains);
    let failure = Failure::Unauthorized {
        credential: Some(CredentialKind::Jwt),
        refusal: Refusal { status: 401, message: Some("Token expirado".into()), hint: None },
    };
    vec![
        ("domains-not-asked", with(Domains::default())),
        ("domains-no-jwt", {
            let mut model = with(Domains::default());
            model.session.jwt = Credential::Absent;
            model
        }),
        ("domains-asking", with(Domains { wait: wait(), ..Domains::default() })),
        (
            "domains-listed",
            with(Domains {
                cursor: 2,
                choice: DomainChoice::Named(listed[0].host.clone()),
                seen_since: listed
                    .iter()
                    .cloned()
                    .map(|one| (one, Wall(NOW.0 - 7_200_000)))
                    .collect(),
                listed_at: Some(Wall(NOW.0 - 90_000)),
                listed: Some(listed.clone().into()),
                ..Domains::default()
            }),
        ),
        (
            "domains-asked-again",
            with(Domains {
                listed: Some(listed[..2].to_vec().into()),
                wait: wait(),
                ..Domains::default()
            }),
        ),
        ("domains-none", with(Domains { listed: Some(vec![].into()), ..Domains::default() })),
        ("domains-refused", with(Domains { failure: Some(failure), ..Domains::default() })),
    ]
}

fn accounts(lang: Lang) -> Vec<(&'static str, Model)> {
    let with = |session| altered(on(lang, Pane::Account), |model| model.session = session);
    let held = |from_demo, expires| {
        let identity = "ana@loja.example".into();
        Credential::Held(HeldCredential { identity, since: None, expires, from_demo })
    };
    let old = Some(Wall(NOW.0 - 86_400_000));
    let Credential::Held(refused) = held(false, None) else { unreachable!() };
    let aside = "/srv/ana/balcao/history-damaged-2026-11-21T133000Z.db";
    let this_machine = altered(with(session()), |model| model.sandbox = false);
    let mut live = this_machine.clone();
    live.setup.this_machine = false;
    live.setup.base_url = "https://api.loja.example".into();
    vec![
        ("account", with(session())),
        ("account-this-machine", this_machine),
        ("account-unproven", altered(with(session()), |model| model.unproven = true)),
        ("account-live", live),
        (
            "account-anew",
            altered(with(session()), |model| model.history_aside = Some(aside.into())),
        ),
        (
            "account-out",
            with(Session {
                vault_status: VaultStatus::Trouble(VaultTrouble::Hangs),
                api_token: Credential::Absent,
                jwt: Credential::Absent,
            }),
        ),
        (
            "account-demo",
            with(Session {
                vault_status: VaultStatus::Kept(VaultKind::Memory),
                api_token: held(false, old),
                jwt: held(true, None),
            }),
        ),
        (
            "account-refused",
            with(Session {
                vault_status: VaultStatus::Kept(VaultKind::Keyring),
                api_token: Credential::Refused(refused.clone()),
                jwt: Credential::Refused(refused),
            }),
        ),
    ]
}

fn overlays(lang: Lang) -> Vec<(&'static str, Model)> {
    let ask = |question| under_pane(lang, Layer::Dialog(Box::new(Dialog::new(question))));
    let mut leave = ask(Question::LeaveInFlight);
    leave.withdrawals.in_flight = Some(key(1));
    let mut about = ask(Question::Found(key(1)));
    about.withdrawals.open = vec![withdrawal(1, Some(silent(NoAnswer::Cut)))];
    let odd = |to, url: &str, warnings| {
        let code = CodeText { text: url.into(), clip: Clip::Address };
        let payable = Box::new(Payable { code, message: url.into(), warnings, sale: None });
        ask(Question::UsePayable { to, payable })
    };
    let pass = |to| {
        let warnings = vec![PayableWarning::UnknownHost, PayableWarning::ShellSigns];
        odd(to, "https://loja.example/checkout/l-1 ;$(reboot)", warnings)
    };
    let numbered = vec![
        PayableWarning::UserInfo,
        PayableWarning::IpLiteral,
        PayableWarning::Http,
        PayableWarning::ApiHost,
    ];
    let copied = "http://ana:x@127.0.0.1:41873/checkout/link-7f3k2q";
    let found: Vec<_> = listed(&model(lang));
    let palette = |query: &str, found, cursor| {
        let below = Some(Below { is_pane: true, ..Below::default() });
        under_pane(lang, Layer::Palette(Palette { query: query.into(), found, cursor, below }))
    };
    vec![
        ("help", help(lang)),
        ("help-scrolled", altered(help(lang), |model| model.scroll = 500)),
        ("palette", palette("", found.clone(), 1)),
        ("palette-end", palette("", found.clone(), found.len() - 1)),
        ("palette-nothing", palette("xyz", vec![], 0)),
        ("ask-drop-form", ask(Question::DropForm)),
        ("ask-leave", leave),
        ("ask-log-out", ask(Question::LogOut)),
        ("ask-copy-odd", odd(PayableUse::Copy, copied, numbered)),
        ("ask-browse-odd", pass(PayableUse::Browser)),
        ("ask-qr-odd", pass(PayableUse::Qr)),
        ("ask-share-odd", pass(PayableUse::WhatsApp)),
        ("ask-discard", ask(Question::Discard(key(2)))),
        ("ask-found", about),
        ("ask-use-memory", ask(Question::UseMemory)),
    ]
}

fn under_pane(lang: Lang, layer: Layer) -> Model {
    altered(under(lang, layer), |model| model.pane = Pane::Account)
}
