//! The app: what it holds, what it hears, what it wants done.
//!
//! [`update()`] is the whole behaviour. It is given everything it knows (the clocks too) and does
//! nothing but change the [`Model`] and name [`Effect`]s; so whatever the app does can be replayed
//! in a test, and whatever it shows follows from the model alone.
//!
//! Its parts stand on floors, the lowest first; a part uses those below it:
//!
//! * [`ui`] is the kit that screens are made of: page, lines, lists, forms, keys.
//! * [`store`] is what screens share; each of its modules ([`store::links`],
//!   [`store::withdrawals`], [`store::session`] and so on) holds a part and its rules.
//!   [`store::seen`] is what frames showed: what is agreed to is judged by it.
//! * [`message`] has what comes in and what is to be done, [`cx`] the context in which a
//!   screen acts.
//! * [`screen`] is the trait of a screen, [`screens`] has a file for each.
//! * [`router`] knows which screen has the keys, and runs the commands of screens.
//! * [`around`] lays out the whole page.
//! * [`update()`] stands on top.

pub mod around;
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

pub use message::{Effect, MoneyCommand, Msg};
pub use model::Model;
pub use stamp::Stamp;
pub use store::Store;
pub use store::clip::{Copied, CopyTrouble, NoBrowser};
pub use store::domains::Domains;
pub use store::exchanges::EXCHANGES_KEPT;
pub use store::notice::Notice;
pub use store::setup::{DemoSetup, DemoValue, LinkSettings, OtherProfile, Setup};
pub use ui::action::Pane;
pub use ui::input::Size;
pub use ui::wait::{Wait, to_next_second};
pub use update::{next_deadline, next_pulse, update};
