//! App models of all screens in all of their states, and functions that draw them. An app model is
//! the whole state of the app.

use balcao::app::cx::{Cx, Route};
use balcao::app::router;
use balcao::app::router::read_tracker::record_frame;
use balcao::app::screens::withdrawals::Guide;
use balcao::app::ui::action::Action;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use balcao::app::cx::{CodeText, Question};
use balcao::app::screen::buttons::CONFIRM_DELAY_MS;
use balcao::app::screens::Layer;
use balcao::app::screens::dialog::Dialog;
use balcao::app::screens::palette::{Palette, ScreenBelow};
use balcao::app::store::clip::Clip;
use balcao::app::store::commands::{self, Command, PaletteItems};
use balcao::app::store::frame_snapshot::FrameSnapshot;
use balcao::app::store::notice::Notice;
use balcao::app::store::payable::{Payable, PayableUse};
use balcao::app::store::payable_warnings::PayableWarning;
use balcao::app::store::session::{Credential, CredentialDetails, Session, VaultStatus};
use balcao::app::ui::form::{Field, Form, Label};
use balcao::app::ui::input::{Input, Pace, Size};
use balcao::app::ui::keys::Keymap;
use balcao::app::ui::list::List;
use balcao::app::{Domains, Effect, Model, Msg, Pane, Setup, Stamp, Wait, update};
use balcao::contract::Contract;
use balcao::trade::search::reading;
use balcao::trade::withdrawal::Window;
use balcao::trade::{
    Account, Agreement, Attempt, Author, CheckoutDomain, Clocks, CredentialKind, DomainChoice,
    DomainState, Failure, IdempotencyKey, KeyTable, LostHistory, Money, NoAnswer, Operation,
    Origin, Refusal, Ticket, VaultKind, VaultTrouble, Wall, Withdrawal,
};
use balcao::view::{Theme, draw};
use balcao::words::Lang;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;
use ratatui::style::Modifier;
use uuid::Uuid;

use crate::models_money::replies::{self, AttemptResult, echoing_contract, no_answer};
use crate::{models_logins, models_requests};

/// The current time in all app models: 2026-11-21 10:42:07 in São Paulo.
pub const NOW: Wall = Wall(1_795_268_527_000);

/// São Paulo's offset from UTC, in seconds.
pub const OFFSET: i32 = -3 * 3_600;

/// Types a search with periods or amounts into a list, as after its rows were loaded.
pub fn read_search<T>(list: &mut List<T>, query: &str) {
    let (reading, _) = reading::read(query, NOW.local_day(OFFSET), true);
    assert!(!reading.is_empty(), "{query}");
    (list.query, list.reading) = (query.into(), reading);
}

/// Returns an app model of a seller who is logged in but has no data.
pub fn model(lang: Lang) -> Model {
    let now = Clocks {
        wall: NOW,
        boot_ms: 600_000,
        boot_id: "boot".into(),
    };
    let model = Model::new(
        setup(lang),
        Size {
            columns: 80,
            rows: 24,
        },
        now,
    );
    with_change(model, |model| model.session = session())
}

/// Returns an app model with the help page open above the links pane.
fn help_model(lang: Lang) -> Model {
    with_change(pane_model(lang, Pane::Links), |model| {
        perform_action(model, Action::Help)
    })
}

/// Returns the commands that the palette lists while its search field is empty.
fn palette_commands(model: &Model) -> Vec<Command> {
    let items = model.setup.labels.of(model.setup.lang).iter();
    let commands = items.filter(|item| !matches!(item.command, Command::Hint(_)));
    commands.map(|item| item.command.clone()).collect()
}

pub fn with_change(mut model: Model, change: impl FnOnce(&mut Model)) -> Model {
    change(&mut model);
    model
}

/// Returns the withdrawal on the topmost screen that shows a withdrawal.
pub fn front_withdrawal(model: &Model) -> Option<&Withdrawal> {
    let mut screens = model.layers.iter().rev().map(Layer::screen);
    screens.find_map(|screen| screen.links(&model.store).withdrawal)
}

pub fn open_screen(model: &mut Model, route: Route) {
    let stamp = stamp(model);
    let layer = Layer::of(&mut Cx::new(&mut model.store, &stamp, false), route);
    model.layers.extend(layer);
}

/// Performs an action, as if its key had been pressed.
pub fn perform_action(model: &mut Model, action: Action) {
    press_action(model, action);
}

/// Performs an action, and returns the effects that the app requests.
pub fn press_action(model: &mut Model, action: Action) -> Vec<Effect> {
    let stamp = stamp(model);
    router::press(model, action, &stamp)
}

pub fn open_details(model: &mut Model, withdrawal: Withdrawal) {
    open_screen(model, Route::Withdrawal(Box::new(withdrawal)));
}

/// Opens the list of attempts for the withdrawal that is on the screen.
pub fn open_attempts(model: &mut Model) {
    if let Some(key) = front_withdrawal(model).map(|withdrawal| withdrawal.agreement.key) {
        open_screen(model, Route::Attempts(key));
    }
}

/// Opens the guide for checking whether the withdrawal on the screen was paid. Selects row number
/// `cursor`.
pub fn open_guide(model: &mut Model, cursor: usize) {
    let key = front_withdrawal(model).unwrap().agreement.key;
    model.layers.push(Layer::Guide(Guide { key, cursor }));
}

/// Returns an app model that shows this pane. It contains no data.
pub fn pane_model(lang: Lang, pane: Pane) -> Model {
    with_change(model(lang), |model| model.pane = pane)
}

/// Returns an app model with this screen on top. It contains no data.
pub fn layer_model(lang: Lang, layer: Layer) -> Model {
    Model {
        layers: vec![layer],
        ..model(lang)
    }
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
        labels: palette_lines(),
        lang,
        utc_offset_s: OFFSET,
        ..Setup::new(Contract::clone(&contract()), window, keys)
    }
}

fn palette_lines() -> PaletteItems {
    static ITEMS: LazyLock<PaletteItems> = LazyLock::new(build_palette_lines);
    ITEMS.clone()
}

fn build_palette_lines() -> PaletteItems {
    PaletteItems::new(|lang| {
        commands::items(lang, &["lose-answer", "slow", "refuse"], &Theme::NAMES)
    })
}

pub fn contract() -> Arc<Contract> {
    static CONTRACT: LazyLock<Arc<Contract>> = LazyLock::new(|| Arc::new(Contract::built_in()));
    CONTRACT.clone()
}

/// Returns a login with both credentials (token and JWT) in the keyring.
pub fn session() -> Session {
    let credential = |expires: Option<Wall>| {
        let since = expires.map(|Wall(ms)| Wall(ms - 4 * 3_600_000));
        let identity = "ana@loja.example".into();
        Credential::Stored(CredentialDetails {
            identity,
            since,
            expires,
            from_demo: false,
        })
    };
    Session {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: credential(Some(Wall(NOW.0 + 3_600_000))),
        jwt: credential(None),
    }
}

/// Returns the app model in ASCII mode. The app then draws only ASCII characters.
pub fn ascii(model: Model) -> Model {
    with_change(model, |model| model.setup.ascii = true)
}

/// Draws an app model with the default theme.
pub fn buffer(model: &Model, columns: u16, rows: u16) -> Buffer {
    render_with_theme(model, &Theme::default(), columns, rows)
}

pub fn render_with_theme(model: &Model, theme: &Theme, columns: u16, rows: u16) -> Buffer {
    let model = with_change(model.clone(), |model| model.size = Size { columns, rows });
    let model = with_qr_code(model);
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal
        .draw(|frame| drop(draw(&model, theme, frame)))
        .unwrap();
    terminal.backend().buffer().clone()
}

/// Returns the app model with its QR code, which the app computes only after a pause in the input.
pub fn with_qr_code(mut model: Model) -> Model {
    let mut picture = std::mem::take(&mut model.store.qr_code);
    let ascii = model.setup.ascii;
    router::with_front_screen(&model, |screen, store| {
        picture.request_code(screen.qr_text(store), 0, ascii, 0)
    });
    model.store.qr_code = picture;
    model
}

/// Draws the app model. Returns a record of what the frame shows.
pub fn draw_frame(model: &Model, number: u64) -> Arc<FrameSnapshot> {
    let Size { columns, rows } = model.size;
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    let mut snapshot = FrameSnapshot::default();
    terminal
        .draw(|canvas| snapshot = draw(model, &Theme::default(), canvas))
        .unwrap();
    Arc::new(FrameSnapshot {
        frame: number,
        at_ms: Some(model.now.boot_ms),
        ..snapshot
    })
}

/// Draws a frame and presses a key. Returns the effects that the app requests.
pub fn press(model: &mut Model, key: &str) -> Vec<Effect> {
    send_input(model, Input::Key(key.parse().unwrap()))
}

/// Returns the stamp for a message. It contains the app model's clocks and an empty frame.
pub fn stamp(model: &Model) -> Stamp {
    stamp_with_frame(model, Arc::default())
}

/// Returns the stamp for a message. It contains the app model's clocks and the last drawn frame.
pub fn stamp_with_frame(model: &Model, frame: Arc<FrameSnapshot>) -> Stamp {
    Stamp {
        clocks: model.now.clone(),
        fresh_key: key(9),
        last_frame: frame,
        pace: Pace::Deliberate,
    }
}

/// Sends a message to the app model without drawing a frame first. Returns the effects that the app
/// requests.
pub fn send_message(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let stamp = stamp(model);
    update(model, msg, &stamp)
}

/// Draws a frame and sends an input to the app model. Returns the effects that the app requests.
pub fn send_input(model: &mut Model, input: Input) -> Vec<Effect> {
    static FRAMES: AtomicU64 = AtomicU64::new(2);
    let number = FRAMES.fetch_add(1, Ordering::Relaxed);
    let stamp = stamp_with_frame(model, draw_frame(model, number));
    update(model, Msg::Input(input), &stamp)
}

/// Returns the app model as if its screen had been visible long enough for confirm buttons to be
/// enabled.
pub fn after_confirm_delay(mut model: Model) -> Model {
    let frame = draw_frame(&model, 1);
    let at_ms = frame
        .at_ms
        .map(|at_ms| at_ms.saturating_sub(CONFIRM_DELAY_MS));
    let earlier_frame = Arc::new(FrameSnapshot {
        at_ms,
        ..(*frame).clone()
    });
    let stamp = stamp_with_frame(&model, earlier_frame);
    record_frame(&mut model, &stamp);
    model
}

/// Checks at several sizes that a screen contains no control characters.
#[track_caller]
pub fn assert_no_control_characters(name: &str, model: &Model) {
    for (columns, rows) in [(60, 18), (80, 24), (120, 40)] {
        let screen = text(&buffer(model, columns, rows));
        let control_character = screen
            .chars()
            .find(|c| c.is_control() && *c != '\n' || *c == '\u{202e}');
        assert_eq!(control_character, None, "{name} at {columns}x{rows}");
    }
}

/// Returns the position of the terminal cursor at 80x24.
pub fn cursor(model: &Model) -> Position {
    let mut terminal = Terminal::new(TestBackend::new(80, 24)).unwrap();
    terminal
        .draw(|frame| drop(draw(model, &Theme::default(), frame)))
        .unwrap();
    terminal.get_cursor_position().unwrap()
}

/// Returns the text of the app model's screen at 80x24.
pub fn screen_text(model: &Model) -> String {
    text(&buffer(model, 80, 24))
}

/// Returns the text of a screen buffer. The button with the focus, which is in reverse video, has
/// white square brackets: `⟦ Voltar ⟧`.
pub fn text_with_focus(mut buffer: Buffer) -> String {
    let focused_cells = buffer
        .content
        .iter_mut()
        .filter(|cell| cell.modifier.contains(Modifier::REVERSED));
    for cell in focused_cells {
        match cell.symbol() {
            "[" => drop(cell.set_symbol("⟦")),
            "]" => drop(cell.set_symbol("⟧")),
            _ => {}
        }
    }
    text(&buffer)
}

/// Replaces line breaks and repeated spaces with a single space each. A sentence that wraps can
/// then be found.
pub fn normalize_spaces(text: &str) -> String {
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

/// The name of a snapshot, and an app model that shows the screen in this snapshot.
pub type NamedModel = (&'static str, Model);

/// Returns app models of every screen in every state. They are built only once for each language.
pub fn all_models(lang: Lang) -> Vec<NamedModel> {
    static PT: LazyLock<Vec<NamedModel>> = LazyLock::new(|| build_models(Lang::Pt));
    static EN: LazyLock<Vec<NamedModel>> = LazyLock::new(|| build_models(Lang::En));
    match lang {
        Lang::Pt => PT.clone(),
        Lang::En => EN.clone(),
    }
}

pub fn find_model(lang: Lang, name: &str) -> Model {
    let found = all_models(lang)
        .into_iter()
        .find(|(model_name, _)| *model_name == name);
    found.unwrap_or_else(|| panic!("no screen {name}")).1
}

fn build_models(lang: Lang) -> Vec<NamedModel> {
    let mut models = general_models(lang);
    models.extend(crate::models_money::money_models(lang));
    models.extend(crate::models_taught::taught_models(lang));
    models
}

/// Returns app models of all screens, except for those about payments and withdrawals.
pub fn general_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut models = frame_models(lang);
    models.extend(models_logins::login_models(lang));
    models.extend(models_logins::jwt_models(lang));
    models.extend(domain_models(lang));
    models.extend(models_requests::exchange_models(lang));
    models.extend(account_models(lang));
    models.extend(overlay_models(lang));
    models.extend(crate::profiles::profile_models(lang));
    models.extend(crate::expiry::expiry_models(lang));
    models.extend(crate::first_run::first_run_models(lang));
    models.extend(crate::checkup::checkup_models(lang));
    models.extend(crate::imports::import_models(lang));
    models.extend(crate::models_exports::export_models(lang));
    models.extend(crate::models_reconcile::reconcile_models(lang));
    models.extend(crate::report::report_models(lang));
    models
}

fn frame_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut banner = pane_model(lang, Pane::Account);
    banner.withdrawals.open = vec![withdrawal(1, Some(no_answer(NoAnswer::Timeout)))];
    let mut live = pane_model(lang, Pane::Exchanges);
    live.sandbox = false;
    live.session.api_token = Credential::Absent;
    let this_machine = live.clone();
    let unproven = with_change(this_machine.clone(), |model| {
        (model.sandbox, model.unproven) = (true, true);
    });
    live.setup.this_machine = false;
    let mut asking_vault = pane_model(lang, Pane::Exchanges);
    asking_vault.session = Session::default();
    let mut narrow_notice = pane_model(lang, Pane::Exchanges);
    narrow_notice.notice = Some(Notice::good("said-logged-in"));
    let mut with_caption = pane_model(lang, Pane::Domains);
    with_caption.story.playing = true;
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
    with_caption.story.notify(&caption.into(), (8, 17));
    vec![
        ("frame-caption", with_caption),
        ("frame-live-logged-out", live),
        ("frame-this-machine", this_machine),
        ("frame-unproven", unproven),
        ("frame-asking-the-vault", asking_vault),
        ("frame-notice", narrow_notice),
        ("banner-unknown", banner),
    ]
}

/// Returns idempotency key number `n`. All test keys have the same first digits.
pub fn key(n: u128) -> IdempotencyKey {
    IdempotencyKey(Uuid::from_u128(
        0x3f0e_6c1c_7c55_4a8e_9d5a_2f1b_6f1e_0c00 + n,
    ))
}

/// Fills in an amount as if the seller had typed it.
pub fn type_amount(form: &mut Form, amount: Money) {
    form.field_mut("amount")
        .and_then(Field::amount_mut)
        .unwrap()
        .set(amount);
}

pub fn brl(centavos: i64) -> Money {
    Money::from_centavos(centavos)
}

/// The seller's account in all app models.
pub fn account() -> Account {
    Account {
        origin: Origin("http://127.0.0.1:41873".into()),
        identity: "ana@loja.example".into(),
    }
}

/// Returns withdrawal number `n`, which has an amount of R$ 1.000,00 and one attempt. `result` is
/// `None` if the attempt is still running.
pub fn withdrawal(n: u128, result: Option<AttemptResult>) -> Withdrawal {
    let began = Clocks {
        wall: Wall(NOW.0 - 60_000),
        boot_ms: 540_000,
        boot_id: "boot".into(),
    };
    let ended = Clocks {
        wall: Wall(NOW.0 - 30_000),
        boot_ms: 570_000,
        boot_id: "boot".into(),
    };
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
    let end = result
        .map(|result| replies::attempt_end(&result, &agreement, echoing_contract(), false, &ended));
    Withdrawal {
        agreement,
        attempts: vec![Attempt {
            n: 1,
            began,
            end,
            by: None,
        }],
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    }
}

pub fn wait() -> Option<Wait> {
    Some(Wait {
        ticket: Ticket(1),
        since_ms: 597_000,
    })
}

pub fn label(pt: &str, en: &str) -> Label {
    Label::ContractText {
        pt: pt.into(),
        en: en.into(),
    }
}

fn domain_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let checkout_domains = vec![
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
    let model_with = |domains| {
        with_change(pane_model(lang, Pane::Domains), |model| {
            model.domains = domains
        })
    };
    let failure = Failure::Unauthorized {
        credential: Some(CredentialKind::Jwt),
        refusal: Refusal {
            status: 401,
            message: Some("Token expirado".into()),
            hint: None,
            retry_after: None,
        },
    };
    vec![
        ("domains-not-asked", model_with(Domains::default())),
        ("domains-no-jwt", {
            let mut model = model_with(Domains::default());
            model.session.jwt = Credential::Absent;
            model
        }),
        (
            "domains-asking",
            model_with(Domains {
                wait: wait(),
                ..Domains::default()
            }),
        ),
        (
            "domains-listed",
            model_with(Domains {
                cursor: 2,
                choice: DomainChoice::Named(checkout_domains[0].host.clone()),
                first_seen: checkout_domains
                    .iter()
                    .cloned()
                    .map(|domain| (domain, Wall(NOW.0 - 7_200_000)))
                    .collect(),
                listed_at: Some(Wall(NOW.0 - 90_000)),
                listed: Some(checkout_domains.clone().into()),
                ..Domains::default()
            }),
        ),
        (
            "domains-asked-again",
            model_with(Domains {
                listed: Some(checkout_domains[..2].to_vec().into()),
                wait: wait(),
                ..Domains::default()
            }),
        ),
        (
            "domains-none",
            model_with(Domains {
                listed: Some(vec![].into()),
                ..Domains::default()
            }),
        ),
        (
            "domains-refused",
            model_with(Domains {
                failure: Some(failure),
                ..Domains::default()
            }),
        ),
    ]
}

fn account_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let model_with = |session| {
        with_change(pane_model(lang, Pane::Account), |model| {
            model.session = session
        })
    };
    let credential = |from_demo, expires| {
        let identity = "ana@loja.example".into();
        Credential::Stored(CredentialDetails {
            identity,
            since: None,
            expires,
            from_demo,
        })
    };
    let expired = Some(Wall(NOW.0 - 86_400_000));
    let Credential::Stored(refused_credential) = credential(false, None) else {
        unreachable!()
    };
    let damaged_history = "/srv/ana/balcao/history-damaged-2026-11-21T133000Z.db";
    let this_machine = with_change(model_with(session()), |model| model.sandbox = false);
    let mut live = this_machine.clone();
    live.setup.this_machine = false;
    live.setup.base_url = "https://api.loja.example".into();
    vec![
        ("account", model_with(session())),
        ("account-this-machine", this_machine),
        (
            "account-unproven",
            with_change(model_with(session()), |model| model.unproven = true),
        ),
        ("account-live", live),
        (
            "account-anew",
            with_change(model_with(session()), |model| {
                model.lost_history = Some(LostHistory::Aside(damaged_history.into()))
            }),
        ),
        (
            "account-out",
            model_with(Session {
                vault_status: VaultStatus::Trouble(VaultTrouble::Hangs),
                api_token: Credential::Absent,
                jwt: Credential::Absent,
            }),
        ),
        (
            "account-demo",
            model_with(Session {
                vault_status: VaultStatus::Kept(VaultKind::Memory),
                api_token: credential(false, expired),
                jwt: credential(true, None),
            }),
        ),
        (
            "account-refused",
            model_with(Session {
                vault_status: VaultStatus::Kept(VaultKind::Keyring),
                api_token: Credential::Refused(refused_credential.clone()),
                jwt: Credential::Refused(refused_credential),
            }),
        ),
    ]
}

fn overlay_models(lang: Lang) -> Vec<(&'static str, Model)> {
    let dialog =
        |question| layer_over_account_pane(lang, Layer::Dialog(Box::new(Dialog::new(question))));
    let mut leave_dialog = dialog(Question::LeaveInFlight);
    leave_dialog.withdrawals.in_flight = Some(key(1));
    let mut found_dialog = dialog(Question::Found(key(1)));
    found_dialog.withdrawals.open = vec![withdrawal(1, Some(no_answer(NoAnswer::Cut)))];
    let dialog_with_warnings = |to, url: &str, warnings| {
        let code = CodeText {
            text: url.into(),
            clip: Clip::Address,
        };
        let payable = Box::new(Payable {
            code,
            message: url.into(),
            warnings,
            sale: None,
        });
        dialog(Question::UsePayable { to, payable })
    };
    let dialog_with_odd_host = |to| {
        let warnings = vec![PayableWarning::UnknownHost, PayableWarning::ShellSigns];
        dialog_with_warnings(to, "https://loja.example/checkout/l-1 ;$(reboot)", warnings)
    };
    let url_warnings = vec![
        PayableWarning::UserInfo,
        PayableWarning::IpLiteral,
        PayableWarning::Http,
        PayableWarning::ApiHost,
    ];
    let odd_url = "http://ana:x@127.0.0.1:41873/checkout/link-7f3k2q";
    let commands: Vec<_> = palette_commands(&model(lang));
    let palette = |query: &str, commands, cursor| {
        let below = Some(ScreenBelow {
            is_over_pane: true,
            ..ScreenBelow::default()
        });
        layer_over_account_pane(
            lang,
            Layer::Palette(Palette {
                query: query.into(),
                matches: commands,
                cursor,
                has_moved: false,
                below,
            }),
        )
    };
    vec![
        ("help", help_model(lang)),
        (
            "help-scrolled",
            with_change(help_model(lang), |model| model.scroll = 500),
        ),
        ("palette", palette("", commands.clone(), 1)),
        (
            "palette-end",
            palette("", commands.clone(), commands.len() - 1),
        ),
        ("palette-nothing", palette("xyz", vec![], 0)),
        ("ask-drop-form", dialog(Question::DropForm)),
        ("ask-leave", leave_dialog),
        ("ask-log-out", dialog(Question::LogOut)),
        (
            "ask-copy-odd",
            dialog_with_warnings(PayableUse::Copy, odd_url, url_warnings),
        ),
        ("ask-browse-odd", dialog_with_odd_host(PayableUse::Browser)),
        ("ask-qr-odd", dialog_with_odd_host(PayableUse::Qr)),
        ("ask-share-odd", dialog_with_odd_host(PayableUse::WhatsApp)),
        ("ask-discard", dialog(Question::Discard(key(2)))),
        ("ask-found", found_dialog),
        ("ask-use-memory", dialog(Question::UseMemory)),
        (
            "ask-try-jwt",
            dialog(trial_question(CredentialKind::ApiToken)),
        ),
        ("ask-try-token", dialog(trial_question(CredentialKind::Jwt))),
    ]
}

/// Returns the question after the service refused this credential.
pub fn trial_question(refused: CredentialKind) -> Question {
    let (operation, other) = match refused {
        CredentialKind::ApiToken => (Operation::FeePreview, CredentialKind::Jwt),
        CredentialKind::Jwt => (Operation::DirectPayment, CredentialKind::ApiToken),
    };
    let message = Some("Credencial inválida para esta operação.".into());
    let refusal = Refusal {
        status: 401,
        message,
        hint: None,
        retry_after: None,
    };
    let failure = Box::new(Failure::Unauthorized {
        credential: Some(refused),
        refusal,
    });
    Question::TryCredential {
        operation,
        other,
        failure,
    }
}

fn layer_over_account_pane(lang: Lang, layer: Layer) -> Model {
    with_change(layer_model(lang, layer), |model| model.pane = Pane::Account)
}

/// Two operators of a team.
pub fn operators() -> [Author; 2] {
    [("Ana", "caixa-1"), ("Bia", "caixa-2")].map(|(operator, machine)| Author {
        role: operator.to_lowercase().into(),
        operator: operator.into(),
        machine: machine.into(),
    })
}
