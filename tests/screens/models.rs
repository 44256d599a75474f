//! Models to look at, and the looking.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use balcao::app::input::Size;
use balcao::app::keys::{KeyTable, Keymap};
use balcao::app::layer::Layer;
use balcao::app::session::{Credential, Held, Keeper, Session};
use balcao::app::{Domains, Model, Pane, Setup};
use balcao::contract::Contract;
use balcao::trade::withdrawal::Window;
use balcao::trade::{Clocks, Origin, Ticket, Wall};
use balcao::view::{Lang, Look, Words, draw, labels};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;

/// 2026-11-21 10:42:07 in São Paulo.
pub const NOW: Wall = Wall(1_795_268_527_000);

/// São Paulo.
pub const OFFSET: i32 = -3 * 3_600;

/// A model with nothing in it, in which somebody is logged in.
pub fn model(lang: Lang) -> Model {
    Model {
        setup: setup(lang),
        now: Clocks { wall: NOW, boot_ms: 600_000, boot_id: "boot".into() },
        size: Size { columns: 80, rows: 24 },
        pane: Pane::Links,
        layers: Vec::new(),
        session: session(),
        links: Default::default(),
        domains: Domains::default(),
        withdrawals: Default::default(),
        charges: Default::default(),
        exchanges: VecDeque::new(),
        exchange_cursor: 0,
        notice: None,
        last_ticket: Ticket(0),
        leaving: false,
    }
}

/// The same with this pane in front.
pub fn on(lang: Lang, pane: Pane) -> Model {
    Model { pane, ..model(lang) }
}

/// The same with this layer on top.
pub fn under(lang: Lang, layer: Layer) -> Model {
    Model { layers: vec![layer], ..model(lang) }
}

fn setup(lang: Lang) -> Setup {
    let table: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
    Setup {
        profile: "demo".into(),
        base_url: "http://127.0.0.1:41873".into(),
        origin: Origin("http://127.0.0.1:41873".into()),
        title: "loja da ana".into(),
        sandbox: true,
        demo: None,
        contract: contract(),
        keys: Arc::new(Keymap::from_table(&table).unwrap()),
        window: Window { retention: Duration::from_secs(600), deadline: Duration::from_secs(30) },
        labels: labels(&Words::new(lang), &["drop-after", "slow"]).into(),
        utc_offset_s: OFFSET,
    }
}

fn contract() -> Arc<Contract> {
    Arc::new(Contract {})
}

/// Both credentials in the keyring.
pub fn session() -> Session {
    let held = |expires| {
        Credential::Held(Held { identity: "ana@loja.example".into(), expires, from_demo: false })
    };
    Session {
        keeper: Keeper::Keyring,
        api_token: held(Some(Wall(NOW.0 + 3_600_000))),
        jwt: held(None),
    }
}

/// The screen of a model, as cells.
pub fn buffer(model: &Model, look: &Look, columns: u16, rows: u16) -> Buffer {
    let mut model = model.clone();
    model.size = Size { columns, rows };
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
    terminal.draw(|frame| draw(&model, look, frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The screen of a model at 80x24, as text.
pub fn screen(model: &Model, look: &Look) -> String {
    text(&buffer(model, look, 80, 24))
}

/// The cells as text, a line a row.
pub fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let mut text = String::new();
    for row in buffer.content.chunks(width) {
        let mut line = String::new();
        let mut skip = 0;
        for cell in row {
            // A wide character fills the cell behind it too.
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

/// Every screen in every state, by name; the name is the snapshot's too.
pub fn all(lang: Lang) -> Vec<(&'static str, Model)> {
    let mut all = vec![("frame-alone", on(lang, Pane::Links))];
    all.extend(crate::models_money::all(lang));
    all
}
