//! What the screens look like: a snapshot of each at 80x24 in Portuguese, the rest by properties.

#[path = "screens/banners.rs"]
mod banners;
#[path = "screens/beside.rs"]
mod beside;
#[path = "screens/checkup.rs"]
mod checkup;
#[path = "screens/columns.rs"]
mod columns;
#[path = "screens/cursor.rs"]
mod cursor;
#[path = "screens/demo.rs"]
mod demo;
#[path = "screens/expiry.rs"]
mod expiry;
#[path = "screens/first_run.rs"]
mod first_run;
#[path = "screens/layout.rs"]
mod layout;
#[path = "screens/masking.rs"]
mod masking;
#[path = "screens/models.rs"]
mod models;
#[path = "screens/models_logins.rs"]
mod models_logins;
#[path = "screens/models_money.rs"]
mod models_money;
#[path = "screens/models_taught.rs"]
mod models_taught;
#[path = "screens/painter.rs"]
mod painter;
#[path = "screens/palette.rs"]
mod palette;
#[path = "screens/pointing.rs"]
mod pointing;
#[path = "screens/profiles.rs"]
mod profiles;
#[path = "screens/properties.rs"]
mod properties;
#[path = "screens/qr.rs"]
mod qr;
#[path = "screens/reaching.rs"]
mod reaching;
#[path = "screens/readme.rs"]
mod readme;
#[path = "screens/recorded.rs"]
mod recorded;
#[path = "support/recorder.rs"]
mod recorder;
#[path = "screens/rows.rs"]
mod rows;
#[path = "screens/said.rs"]
mod said;
#[path = "screens/searching.rs"]
mod searching;
#[path = "screens/snapshots.rs"]
mod snapshots;
#[path = "screens/standing.rs"]
mod standing;
#[path = "screens/time.rs"]
mod time;
#[path = "screens/typing.rs"]
mod typing;
#[path = "screens/words.rs"]
mod words;
