//! The palette: everything that can be done now, found by its words.

mod show;

use tui_input::Input as TextField;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, KeyContext, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::commands::ranking::Typed;
use crate::app::store::commands::{Command, Item, MOST};
use crate::app::ui::action::Place;
use crate::app::ui::form::{Edited, Limit, edit_text};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::list::{Move, moved};
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Notice, Pane, Store};
use crate::trade::Untrusted;

/// The palette.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// The text that is searched for.
    pub query: TextField,
    /// The commands that fit, best first.
    pub found: Vec<Command>,
    /// The line under the cursor.
    pub cursor: usize,
    /// The screen below, kept up to date while the palette is open.
    pub below: Below,
}

/// The screen below the palette, as far as it decides what can be asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Below {
    /// The actions that are offered there.
    pub offered: Vec<Action>,
    /// True when another pane may take its place.
    pub may_switch: bool,
    /// True when nothing lies over the pane.
    pub is_pane: bool,
    /// The address whose checkout page the buyer sees there.
    pub url: Option<Untrusted>,
}

impl Palette {
    /// Returns the commands that can be granted here, and whether each is about the screen below.
    fn commands<'s>(&self, store: &'s Store) -> Vec<(&'s Item, bool)> {
        let offered = &self.below.offered;
        let may_switch = self.below.may_switch;
        let is_demo = store.setup.demo.is_some();
        let is_new_here = |pane: Pane| store.pane == pane && offered.contains(&Action::New);
        let can_do = |command: &Command| match command {
            Command::Do(Action::Palette | Action::Back) => false,
            Command::Do(Action::ShowOther) => offered.contains(&Action::ShowOther),
            Command::Do(action) if action.pane().is_some() => may_switch,
            Command::Do(action) => action.place() == Place::Anywhere || offered.contains(action),
            Command::New(Pane::Withdrawals) if !store.withdrawals.can_begin() => false,
            Command::New(pane) => may_switch || is_new_here(*pane),
            Command::Profile(_) => !is_demo,
            Command::Mask(on) => *on != store.masks,
            Command::BuyersView => is_demo && self.below.url.is_some(),
            Command::StartOver => store.can_start_over(),
            Command::Story(play) => is_demo && *play != store.story.playing,
            Command::StoryNext => is_demo && store.story.can_go_on(),
            Command::Captions(on) => store.story.can_caption(*on),
            Command::NoFaults => is_demo && !store.faults.is_empty(),
            Command::Fault(_) | Command::DomainsDown(_) | Command::Forward => is_demo,
        };
        let fits_screen = |command: &Command| match command {
            Command::Do(action) => offered.contains(action),
            Command::New(pane) => is_new_here(*pane),
            _ => false,
        };
        let items = store.setup.labels.iter().filter(|item| can_do(&item.command));
        items.map(|item| (item, fits_screen(&item.command))).collect()
    }

    /// Finds what fits what was typed, best first; the order of the table decides between equals.
    pub fn find(&mut self, store: &Store) {
        let typed = Typed::new(self.query.value());
        let ranked = self.commands(store).into_iter().filter_map(|(item, fits_screen)| {
            let rank = typed.rank(item, fits_screen, &store.recent_commands)?;
            Some((rank, item.command.clone()))
        });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by(|(rank, _), (other, _)| rank.cmp(other));
        self.found = ranked.into_iter().map(|(_, command)| command).collect();
        self.cursor = 0;
    }

    /// Finds what fits now; the cursor stays on its line.
    fn find_again(&mut self, store: &Store) {
        let under_cursor = self.found.get(self.cursor).cloned();
        self.find(store);
        let found = self.found.iter().position(|command| Some(command) == under_cursor.as_ref());
        self.cursor = found.unwrap_or(0);
    }

    /// This can be asked for below it now.
    pub fn look_below(&mut self, store: &Store, below: Below) {
        if self.below != below {
            self.below = below;
            self.find_again(store);
        }
    }

    fn move_cursor(&mut self, to: Move) {
        self.cursor = moved(self.cursor, self.found.len().saturating_sub(1), to);
    }

    /// Grants a command.
    pub fn grant(&self, cx: &mut Cx, command: Command) {
        cx.close();
        match command {
            Command::Do(action) => cx.press(action),
            Command::New(pane) => {
                cx.show(pane);
                cx.press(Action::New);
            }
            Command::Profile(to) => cx.switch_profile(to),
            Command::BuyersView => {
                if let Some(url) = self.below.url.clone() {
                    cx.open(Route::Buyer(url));
                }
            }
            Command::Mask(on) => {
                cx.store.masks = on;
            }
            Command::Captions(on) => {
                cx.store.story.silent = !on;
            }
            // It was offered before the money was on its way.
            Command::StartOver if !cx.store.can_start_over() => {
                cx.store.say(Notice::NotGranted);
            }
            demo => cx.perform(Effect::Demo(demo)),
        }
    }
}

impl Palette {
    /// Types into the palette, or moves in it; what moves up and down is not for the text.
    fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        let areas = cx.store.areas(cx.store.size);
        let rows =
            areas.map_or(0, |areas| show::list(cx.store, areas.body).height.saturating_sub(1));
        let page = i64::from(rows.max(1));
        match key.code {
            Code::PageUp => self.move_cursor(Move::By(-page)),
            Code::PageDown => self.move_cursor(Move::By(page)),
            Code::Home => self.move_cursor(Move::First),
            Code::End => self.move_cursor(Move::Last),
            Code::Up | Code::Down | Code::Tab | Code::BackTab => return false,
            _ => match edit_text(&mut self.query, MOST, key) {
                Edited::Ignored => return false,
                Edited::Changed => self.find(cx.store),
                Edited::Full => cx.store.say(Notice::Full(Limit::Characters(MOST))),
                Edited::Taken => {}
            },
        }
        true
    }

    /// Does what is under the cursor; where nothing was found, nothing.
    fn pick(&mut self, cx: &mut Cx) {
        let Some(command) = self.found.get(self.cursor).cloned() else { return };
        // Each command is there once, so this grows no longer than the palette.
        cx.store.recent_commands.retain(|before| *before != command);
        cx.store.recent_commands.insert(0, command.clone());
        self.grant(cx, command)
    }
}

impl Screen for Palette {
    fn info(&self) -> Info {
        Info { floats: true, context: Some(KeyContext::Search), ..Info::of("palette") }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let offered = if self.found.is_empty() { vec![] } else { vec![Action::Enter] };
        Actions::from(offered).word(Action::Enter, "pick")
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Typed(key) => return self.type_key(cx, key),
            ScreenEvent::Moved(to) => self.move_cursor(to),
            // Other faults lie in wait: the cursor stays on its line.
            ScreenEvent::Message(Msg::FaultsInWait(_)) => self.find_again(cx.store),
            _ => return false,
        }
        true
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Enter => self.pick(cx),
            Action::NextField => self.move_cursor(Move::By(1)),
            Action::PrevField => self.move_cursor(Move::By(-1)),
            _ => {}
        }
    }

    fn links<'s>(&'s self, _: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks { cursor: Some(self.cursor as u64), ..ScreenLinks::default() }
    }
}
