//! An empty app model, for tests of the actions that the production `rules` offer to the seller.

use std::sync::Arc;

use balcao::app::ui::input::Size;
use balcao::app::ui::keys::Keymap;
use balcao::app::{Model, Pane, Setup};
use balcao::contract::Contract;
use balcao::trade::withdrawal::Window;
use balcao::trade::{Clocks, KeyTable, Origin, Wall};

/// Returns an app model that shows the withdrawals pane, without withdrawals.
pub fn model(contract: Contract, window: Window) -> Model {
    let keys: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).expect("keys");
    let keys = Arc::new(Keymap::from_table(&keys).expect("keys"));
    let origin = Origin("https://pay.example".into());
    let setup = Setup {
        origin,
        ..Setup::new(contract, window, keys)
    };
    let now = Clocks {
        wall: Wall(0),
        boot_ms: 0,
        boot_id: "boot 0".into(),
    };
    let mut model = Model::new(
        setup,
        Size {
            columns: 80,
            rows: 24,
        },
        now,
    );
    model.pane = Pane::Withdrawals;
    model
}
