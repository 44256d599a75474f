//! A kiosk (a public demo) that nobody uses: after two minutes it starts over and plays its guided
//! story again and again. Any key ends the story, and the demo starts over for the visitor.

use super::press::{press, remember_top};
use super::{open, person};
use crate::app::cx::Route;
use crate::app::screens;
use crate::app::store::commands::Command;
use crate::app::store::kiosk::{self, KioskUse};
use crate::app::store::setup::Look;
use crate::app::store::story::StoryEvent;
use crate::app::ui::Action;
use crate::app::ui::input::{Input, Pace};
use crate::app::{Effect, Model, Msg, Notice, Stamp};
use crate::trade::CredentialKind;

/// Handles an input in a kiosk that no visitor is using. Returns `None` if a visitor is using it,
/// because the input then acts as in any demo.
pub fn input(model: &mut Model, input: &Input) -> Option<Vec<Effect>> {
    model.setup.kiosk()?;
    let now_ms = model.now.boot_ms;
    match (model.kiosk.used, input) {
        (_, Input::Resize(_)) => None,
        (KioskUse::Visitor { .. }, _) => {
            model.kiosk.touch(now_ms);
            None
        }
        // While the demo starts over, only the key for quitting works. Starting over may take a
        // while, because a withdrawal that is being sent must end first.
        (
            KioskUse::StartingOver {
                for_story: false, ..
            },
            input,
        ) => {
            let quit_keys = model.setup.keys.keys(Action::Leave);
            let is_quit_key = matches!(input, Input::Key(key) if quit_keys.contains(key));
            model.leaving |= is_quit_key;
            Some(is_quit_key.then_some(Effect::Leave).into_iter().collect())
        }
        (KioskUse::StartingOver { .. } | KioskUse::Story { .. }, _) => {
            Some(start_over(model, false))
        }
    }
}

/// Starts the demo over when it is time, for example after nobody used the kiosk for two minutes.
pub fn on_pulse(model: &mut Model) -> Vec<Effect> {
    let is_due = model
        .kiosk
        .used
        .due_ms()
        .is_some_and(|due| due <= model.now.boot_ms);
    if !is_due || model.setup.kiosk().is_none() {
        return vec![];
    }
    let for_visitor = matches!(
        model.kiosk.used,
        KioskUse::StartingOver {
            for_story: false,
            ..
        }
    );
    start_over(model, !for_visitor)
}

/// Starts the demo over, for the story or for the next visitor. While a withdrawal is being sent,
/// this is not possible and is tried again later.
fn start_over(model: &mut Model, for_story: bool) -> Vec<Effect> {
    model.kiosk.used = KioskUse::starting_over(for_story, model.now.boot_ms);
    let stop_story = model
        .story
        .playing
        .then_some(Effect::Demo(Command::Story(false)));
    let restart = model
        .can_start_over()
        .then_some(Effect::Demo(Command::StartOver));
    stop_story.into_iter().chain(restart).collect()
}

/// Ends this run, after which the demo starts over. Does not start over if the user has quit or has
/// begun a withdrawal meanwhile. For another visitor of a kiosk, restores the first look.
pub fn leave_to_start_over(model: &mut Model) -> Vec<Effect> {
    if model.leaving || !model.can_start_over() {
        model.notify(Notice::warn("said-not-granted"));
        return vec![];
    }
    model.starts_over = true;
    model.leaving = true;
    let mut effects = vec![];
    if kiosk::is_unattended(model)
        && let Some((lang, theme)) = model.kiosk.first_look.clone()
    {
        effects.extend(theme.clone().map(Effect::UseTheme));
        model.look = Look::default();
        model.setup.lang = lang;
        model.setup.theme = theme;
    }
    effects.push(Effect::Leave);
    effects
}

/// Handles a message in a kiosk. When the demo has started over, begins the story or the visit.
/// Presses the keys that the story plays.
pub fn on_message(model: &mut Model, msg: &Msg, stamp: &Stamp) -> Vec<Effect> {
    match (model.kiosk.used, msg) {
        (KioskUse::StartingOver { for_story, .. }, Msg::Started) => {
            if for_story {
                begin_story(model, stamp)
            } else {
                begin_visit(model, stamp)
            }
        }
        (KioskUse::Story { .. }, Msg::Story(StoryEvent::Ended)) => {
            model.kiosk.used = KioskUse::story_ended(model.now.boot_ms);
            vec![]
        }
        (KioskUse::Story { .. }, Msg::Story(StoryEvent::Key(key))) => {
            model.notice = None;
            let stamp = Stamp {
                pace: Pace::Deliberate,
                ..stamp.clone()
            };
            let effects = person::on_key(model, *key, &stamp);
            remember_top(model);
            effects
        }
        (KioskUse::Story { .. }, Msg::Story(StoryEvent::Stuck)) => {
            screens::close_effects(std::mem::take(&mut model.layers))
        }
        _ => vec![],
    }
}

/// Begins the demo's guided story, which plays by itself. Logs in first if nobody is logged in.
fn begin_story(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    model.kiosk.used = KioskUse::Story { again_ms: None };
    let begin_effects = vec![Effect::Demo(Command::AutoplayStory)];
    let kinds = [CredentialKind::ApiToken, CredentialKind::Jwt];
    if !kinds
        .into_iter()
        .any(|kind| model.missing_credential(Some(kind)).is_some())
    {
        return begin_effects;
    }
    let login_effects = open(model, Route::Login(None), stamp);
    [
        begin_effects,
        login_effects,
        press(model, Action::Submit, stamp),
    ]
    .concat()
}

/// Shows the first screen to the next visitor.
fn begin_visit(model: &mut Model, stamp: &Stamp) -> Vec<Effect> {
    model.kiosk.used = KioskUse::by_visitor(model.now.boot_ms);
    if model.session.is_logged_in() {
        vec![Effect::LogOut]
    } else {
        open(model, Route::Login(None), stamp)
    }
}
