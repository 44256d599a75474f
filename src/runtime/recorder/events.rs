//! The events of a recording. They hold names and numbers of the program, and nothing that the
//! seller or the service wrote.

use crate::app::ui::Action;
use crate::app::ui::input::{Code, Input, Key};
use crate::app::ui::keys::Keymap;
use crate::app::{Effect, Model, Msg, router};
use crate::config::built_in_keys;
use crate::recording::{Event, Header, Outcome, Size};
use crate::runtime::clocks;
use crate::trade::{Exchange, Untrusted};
use crate::words::dates;

/// The name of a key that typed a character of a text.
const TYPED: &str = "letter";

/// The description of a run that begins now.
pub fn header(model: &Model) -> Header {
    let setup = &model.setup;
    let contract = setup.contract.shared_settings().into_iter();
    Header {
        version: env!("CARGO_PKG_VERSION").into(),
        started: model.now.wall,
        time_zone: clocks::zone_name().unwrap_or_default().into(),
        utc_offset_s: setup.utc_offset_s,
        lang: setup.lang.tag().into(),
        theme: setup.theme.as_deref().unwrap_or_default().into(),
        size: Size {
            columns: model.size.columns,
            rows: model.size.rows,
        },
        keys: changed_keys(&setup.keys),
        contract: contract.map(|setting| setting.text.into()).collect(),
        ..Header::default()
    }
}

/// The rows of the keymap that differ from the built-in one.
fn changed_keys(keys: &Keymap) -> Vec<Untrusted> {
    let built_in = Keymap::from_table(&built_in_keys()).unwrap_or_default();
    let changed = Action::ALL
        .iter()
        .filter(|action| keys.keys(**action) != built_in.keys(**action));
    changed
        .map(|action| {
            let names: Vec<String> = keys.keys(*action).iter().map(Key::to_string).collect();
            format!("{} = {}", action.name(), names.join(" ")).into()
        })
        .collect()
}

/// The events of a message that is about to be handled. Input into a secret field has none, because
/// their number would tell its length.
pub fn of_message(model: &Model, msg: &Msg) -> Vec<Event> {
    match msg {
        Msg::Pulse | Msg::SecretEdited { .. } | Msg::SecretFull(_) => vec![],
        Msg::Input(Input::Key(key)) => vec![Event::Key(key_name(model, *key))],
        Msg::Input(input) => vec![Event::Key(input_name(input).into())],
        Msg::Exchanged(exchange) => vec![message(msg), of_exchange(model, exchange)],
        _ => vec![message(msg)],
    }
}

pub fn of_effect(effect: &Effect) -> Event {
    let name: &'static str = effect.into();
    Event::Effect(name.into())
}

fn message(msg: &Msg) -> Event {
    let name: &'static str = msg.into();
    Event::Message(name.into())
}

/// The name of an input other than a key.
fn input_name(input: &Input) -> &'static str {
    match input {
        Input::Key(_) => "key",
        Input::Paste(_) => "paste",
        Input::Resize(_) => "resize",
        Input::Click { .. } => "click",
        Input::Wheel(_) => "wheel",
        Input::Action(action) => action.name(),
    }
}

fn key_name(model: &Model, key: Key) -> Untrusted {
    let is_character = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
    if is_character && router::takes_text(model) {
        TYPED.into()
    } else {
        key.to_string().into()
    }
}

/// A request that has ended. Its time finds it in the list of requests.
fn of_exchange(model: &Model, exchange: &Exchange) -> Event {
    Event::Request {
        id: dates::time_exact(exchange.at, model.setup.utc_offset_s).into(),
        operation: exchange.operation.name().into(),
        outcome: match &exchange.reply {
            Ok(reply) => Outcome::Status(reply.status),
            Err(failure) => {
                let name: &'static str = failure.into();
                Outcome::Failed(name.into())
            }
        },
    }
}
