//! What the production `offers` is asked with.

use std::sync::Arc;

use balcao::app::ui::input::Size;
use balcao::app::ui::keys::Keymap;
use balcao::app::{Model, Pane, Setup};
use balcao::contract::Contract;
use balcao::trade::withdrawal::Window;
use balcao::trade::{Clocks, KeyTable, Origin, Wall};
use balcao::words::Lang;

/// A model with nothing in it.
pub fn model(contract: Contract, window: Window) -> Model {
    let keys: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).expect("keys");
    let setup = Setup {
        profile: "loja".into(),
        base_url: "https://pay.example".into(),
        origin: Origin("https://pay.example".into()),
        title: "loja da ana".into(),
        sandbox: false,
        this_machine: false,
        config: "/srv/ana/balcao/config.toml".into(),
        journal: "journal".into(),
        schemas: [2, 4],
        demo: None,
        contract: Arc::new(contract),
        keys: Arc::new(Keymap::from_table(&keys).expect("keys")),
        window,
        labels: [].into_iter().collect(),
        links: balcao::app::LinkSettings::default(),
        charge_message: balcao::trade::MessageTemplate::default(),
        lang: Lang::Pt,
        ascii: false,
        read_only: false,
        masks: false,
        unused_secret: None,
        vault_helper: None,
        others: Arc::default(),
        beginning: Default::default(),
        utc_offset_s: 0,
    };
    let now = Clocks { wall: Wall(0), boot_ms: 0, boot_id: "boot 0".into() };
    let mut model = Model::new(setup, Size { columns: 80, rows: 24 }, now);
    model.pane = Pane::Withdrawals;
    model
}
