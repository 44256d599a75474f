//! The behaviour of the app, as a pure function from messages to effects.
//!
//! [`update()`] takes a message, changes the [`Model`] and returns [`Effect`]s for the runtime. It
//! reads no clock, file, network or random source: the clocks and a fresh idempotency key arrive
//! with each message in a [`Stamp`]. So a test can replay any behaviour, and the screen depends
//! only on the model. Start reading at [`update()`].
//!
//! The modules form layers, listed here from the bottom up. A module uses only lower layers and
//! modules of its own layer:
//!
//! * [`ui`]: the building blocks of screens, such as pages, lines, lists, forms and keys.
//! * [`store`], [`message`] and [`cx`], which are one layer. [`store`] contains the state that
//!   screens share and its rules, such as [`store::links`], [`store::withdrawals`] and
//!   [`store::session`]. [`message`] defines messages and effects. [`cx`] is the context in which a
//!   screen acts. [`store::frame_snapshot`] records the last frame, because only rendered text can
//!   be confirmed.
//! * [`screen`]: the trait of a screen.
//! * [`screens`]: one module for each screen.
//! * [`router`]: finds the screen that receives a key, and runs the commands of screens.
//! * [`chrome`]: lays out the whole page.
//! * [`update()`]: handles a message.

pub mod chrome;
pub mod cx;
pub mod message;
mod model;
pub mod router;
pub mod screen;
pub mod screens;
mod stamp;
pub mod store;
pub mod ui;
mod update;

#[cfg(test)]
mod tests;

pub use message::{Effect, HistoryCommand, MoneyCommand, Msg};
pub use model::Model;
pub use stamp::Stamp;
pub use store::Store;
pub use store::clip::{Copied, CopyTrouble, NoBrowser};
pub use store::domains::Domains;
pub use store::exchanges::MAX_EXCHANGES;
pub use store::kiosk::KioskEnd;
pub use store::notice::Notice;
pub use store::setup::{DemoSetup, DemoValue, Kiosk, LinkSettings, OtherProfile, Setup};
pub use ui::action::Pane;
pub use ui::input::Size;
pub use ui::wait::{Wait, to_next_second};
pub use update::{next_deadline, next_pulse, update};
