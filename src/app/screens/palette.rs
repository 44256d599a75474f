//! The command palette, which finds and runs every command that is available now.

use std::borrow::Cow;

use tui_input::Input as TextField;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, KeyContext, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::commands::{Command, Hint, Item, MAX_QUERY_LETTERS, PaletteQuery};
use crate::app::store::faults::FaultKind;
use crate::app::store::kiosk;
use crate::app::store::recording::RecordCommand;
use crate::app::ui::action::KeyScope;
use crate::app::ui::form::{Edited, Limit, edit_text};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::list::{Move, moved_cursor, short_list};
use crate::app::ui::list_pane::put_hidden_counts;
use crate::app::ui::parts::{boxed, put, row};
use crate::app::ui::text::{align_left, capital, columns, fit, split_at};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, Target, geometry};
use crate::app::{Effect, Msg, Notice, Pane, Store};
use crate::trade::Untrusted;
use crate::words::personal;

#[derive(Debug, Clone, Default)]
pub struct Palette {
    /// The text in the search field.
    pub query: TextField,
    /// The matching commands, the best match first.
    pub matches: Vec<Command>,
    /// The index of the command under the cursor.
    pub cursor: usize,
    /// True if the cursor was moved after the last typing. The terminal's cursor then leaves the
    /// search field for the marked command.
    pub has_moved: bool,
    /// The properties of the screen below the palette; `None` until they are known.
    pub below: Option<ScreenBelow>,
}

/// The properties of the screen below the palette, which decide which commands are available.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScreenBelow {
    /// The actions that the screen offers, with their names on that screen.
    pub actions: Actions,
    /// True if another pane can be shown.
    pub can_switch_pane: bool,
    /// True if the palette was opened over a pane and no other screen is in between.
    pub is_over_pane: bool,
    /// The checkout URL that the demo would open to show the buyer's view.
    pub url: Option<Untrusted>,
}

impl ScreenBelow {
    /// The palette entry with the label that the screen below uses for its action, if that screen
    /// has its own label.
    fn with_screen_label<'s>(&self, store: &Store, item: &'s Item) -> Cow<'s, Item> {
        match item.command {
            Command::Do(action) if self.actions.word_of(action).is_some() => {
                let label = capital(&self.actions.label(store.words(), action));
                Cow::Owned(item.clone().labelled(&label))
            }
            _ => Cow::Borrowed(item),
        }
    }

    /// True if the command is available.
    fn can_do(&self, store: &Store, command: &Command) -> bool {
        let offered = &self.actions.offered;
        let is_demo = store.setup.demo.is_some();
        match command {
            Command::Do(Action::Palette | Action::Back) => false,
            Command::Do(action) if kiosk::hides_action(store, *action) => false,
            Command::Do(action @ (Action::ShowOther | Action::UndoMarks)) => {
                offered.contains(action)
            }
            Command::Do(action) if action.pane_of_page().is_some() => {
                self.can_switch_pane || offered.contains(action)
            }
            Command::Do(action) if action.pane().is_some() => self.can_switch_pane,
            Command::Do(action) => action.scope() == KeyScope::Anywhere || offered.contains(action),
            Command::New(Pane::Withdrawals) if !store.withdrawals.can_begin() => false,
            Command::New(pane) => self.can_switch_pane || self.is_new_here(store, *pane),
            Command::Profile(_) => !is_demo,
            Command::Theme(_) => true,
            // The demo does not change the settings file.
            Command::KeepLook if is_demo => false,
            Command::Language(lang) => *lang != store.setup.lang,
            Command::KeepLook => !store.look.is_kept(),
            Command::Hint(Hint::Where(action)) => {
                !offered.contains(action)
                    && !kiosk::hides_action(store, *action)
                    && (action.pane_of_page().is_none() || !self.can_switch_pane)
            }
            Command::Hint(Hint::Export) => store.setup.kiosk().is_none(),
            Command::Hint(_) => true,
            Command::Mask(on) => *on != store.is_masked,
            Command::Record(on) => {
                store.setup.kiosk().is_none() && *on == store.recording.is_none()
            }
            Command::BuyersView => is_demo && self.url.is_some(),
            Command::StartOver => store.can_start_over(),
            Command::Story(play) => is_demo && *play != store.story.playing,
            // This command is never offered, because an unattended kiosk begins its guided story by
            // itself.
            Command::AutoplayStory => false,
            Command::StoryNext => is_demo && store.story.can_go_on(),
            Command::Captions(on) => store.story.can_caption(*on),
            Command::NoFaults => is_demo && !store.faults.is_empty(),
            Command::Fault(_) | Command::DomainsDown(_) => is_demo,
            Command::Statement => is_demo && store.setup.kiosk().is_none(),
            Command::Forward => store.can_move_clock(),
        }
    }

    /// True if the command acts on the screen below the palette.
    fn fits_screen(&self, store: &Store, command: &Command) -> bool {
        match command {
            // In the other panes, this action has the same label as the command that opens the
            // requests pane. Do not rank this action before that command.
            Command::Do(Action::Related) => store.pane == Pane::Exchanges,
            Command::Do(action) => self.actions.offered.contains(action),
            Command::New(pane) => self.is_new_here(store, *pane),
            _ => false,
        }
    }

    fn is_new_here(&self, store: &Store, pane: Pane) -> bool {
        store.pane == pane && self.actions.offered.contains(&Action::New)
    }
}

impl Palette {
    /// The available commands, each with a flag. The flag is true if the command acts on the screen
    /// below the palette.
    fn commands<'s>(&self, store: &'s Store) -> Vec<(Cow<'s, Item>, bool)> {
        let Some(below) = &self.below else {
            return vec![];
        };
        let items = store.setup.labels.of(store.setup.lang).iter();
        let items = items.filter(|item| below.can_do(store, &item.command));
        items
            .map(|item| {
                (
                    below.with_screen_label(store, item),
                    below.fits_screen(store, &item.command),
                )
            })
            .collect()
    }

    /// The label of a command, as the palette shows it.
    pub fn label(&self, store: &Store, command: &Command) -> String {
        let item = find_item(store, command).zip(self.below.as_ref());
        let label =
            item.map(|(item, below)| item_label(store, &below.with_screen_label(store, item)));
        label.unwrap_or_default()
    }

    /// Updates the list of commands that match the typed text, the best match first. Equally good
    /// matches keep the order of the command table.
    pub fn update_matches(&mut self, store: &Store) {
        let query = PaletteQuery::new(self.query.value());
        let ranked = self
            .commands(store)
            .into_iter()
            .filter_map(|(item, fits_screen)| {
                let rank = query.rank(&item, fits_screen, &store.recent_commands)?;
                Some((rank, item.command.clone()))
            });
        let mut ranked: Vec<_> = ranked.collect();
        ranked.sort_by(|(rank, _), (other, _)| rank.cmp(other));
        self.matches = ranked.into_iter().map(|(_, command)| command).collect();
        self.cursor = 0;
        self.has_moved = false;
    }

    /// Updates the matches, and keeps the cursor on the same command.
    fn refresh_matches(&mut self, store: &Store) {
        let under_cursor = self.matches.get(self.cursor).cloned();
        let has_moved = self.has_moved;
        self.update_matches(store);
        let index = self
            .matches
            .iter()
            .position(|command| Some(command) == under_cursor.as_ref());
        self.cursor = index.unwrap_or(0);
        self.has_moved = has_moved;
    }

    /// Updates the properties of the screen below the palette. If they changed, updates the
    /// matches.
    pub fn set_screen_below(&mut self, store: &Store, below: ScreenBelow) {
        if self.below.as_ref() != Some(&below) {
            self.below = Some(below);
            self.refresh_matches(store);
        }
    }

    fn move_cursor(&mut self, to: Move) {
        self.cursor = moved_cursor(self.cursor, self.matches.len().saturating_sub(1), to);
        self.has_moved = true;
    }

    /// Closes the palette and runs a command.
    pub fn run_command(&mut self, cx: &mut Cx, command: Command) {
        if matches!(command, Command::Theme(_) | Command::Language(_)) {
            return self.change_look(cx, command);
        }
        cx.close();
        match command {
            Command::KeepLook => cx.perform(Effect::KeepLook(cx.store.look.clone())),
            Command::Hint(hint) => {
                follow_hint(
                    cx,
                    hint,
                    self.below
                        .as_ref()
                        .is_some_and(|below| below.can_switch_pane),
                );
            }
            Command::Do(action) => {
                if let Some(pane) = action.pane_of_page()
                    && !self.offers(action)
                {
                    cx.show(pane);
                }
                cx.press(action);
            }
            Command::New(pane) => {
                cx.show(pane);
                cx.press(Action::New);
            }
            Command::Profile(to) => cx.switch_profile(to),
            Command::BuyersView => {
                if let Some(url) = self.below.as_ref().and_then(|below| below.url.clone()) {
                    cx.open(Route::Buyer(url));
                }
            }
            Command::Mask(on) => cx.store.is_masked = on,
            Command::Record(on) => cx.perform(Effect::Record(if on {
                RecordCommand::Start
            } else {
                RecordCommand::Stop
            })),
            Command::Captions(on) => cx.store.story.silent = !on,
            // A withdrawal may have been started after the palette listed this command, so check
            // again whether the demo can be reset.
            Command::StartOver if !cx.store.can_start_over() => {
                cx.store.notify(Notice::warn("said-not-granted"));
            }
            demo if !kiosk::count_command(cx.store, &demo) => {}
            demo => cx.perform(Effect::Demo(demo)),
        }
    }

    /// True if the screen below the palette offers the action.
    fn offers(&self, action: Action) -> bool {
        let below = self.below.as_ref();
        below.is_some_and(|below| below.actions.offered.contains(&action))
    }

    /// Changes the theme or the language at once. The palette stays open, with the cursor on the
    /// command that saves the choice.
    fn change_look(&mut self, cx: &mut Cx, command: Command) {
        match command {
            Command::Theme(name) => {
                cx.store.look.theme = Some(name.clone());
                cx.store.setup.theme = Some(name.clone());
                cx.perform(Effect::UseTheme(name));
            }
            Command::Language(lang) => {
                cx.store.look.lang = Some(lang);
                cx.store.setup.lang = lang;
            }
            _ => {}
        }
        self.query = TextField::default();
        self.update_matches(cx.store);
        let save_index = self
            .matches
            .iter()
            .position(|command| *command == Command::KeepLook);
        self.cursor = save_index.unwrap_or(0);
        self.has_moved = true;
        if cx.store.setup.demo.is_some() {
            cx.store
                .notify(Notice::Plain(Role::Text, "said-look-for-run"));
        }
    }

    /// Types into the search field or moves the cursor. Returns false for all other keys, including
    /// Up, Down and Tab, because those arrive as actions.
    fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        let areas = cx.store.areas(cx.store.size);
        let rows = areas.map_or(0, |areas| {
            list_area(cx.store, areas.body).height.saturating_sub(1)
        });
        let page = i64::from(rows.max(1));
        match key.code {
            Code::PageUp => self.move_cursor(Move::By(-page)),
            Code::PageDown => self.move_cursor(Move::By(page)),
            Code::Home => self.move_cursor(Move::First),
            Code::End => self.move_cursor(Move::Last),
            Code::Up | Code::Down | Code::Tab | Code::BackTab => return false,
            _ => match edit_text(&mut self.query, MAX_QUERY_LETTERS, key) {
                Edited::Ignored => return false,
                Edited::Changed => self.update_matches(cx.store),
                Edited::Full => cx
                    .store
                    .notify(Notice::Full(Limit::Characters(MAX_QUERY_LETTERS))),
                Edited::Unchanged => self.has_moved = false,
            },
        }
        true
    }

    fn run_selected(&mut self, cx: &mut Cx) {
        let Some(command) = self.matches.get(self.cursor).cloned() else {
            return;
        };
        // Remove an older entry of this command, so that the list contains each command only once.
        cx.store
            .recent_commands
            .retain(|earlier| *earlier != command);
        cx.store.recent_commands.insert(0, command.clone());
        self.run_command(cx, command)
    }
}

impl Screen for Palette {
    fn info(&self) -> Info {
        Info {
            floats: true,
            context: Some(KeyContext::Search),
            ..Info::of("palette")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let inside = boxed(&words.text("palette-title"), geometry::palette(area), page);
        draw_query(self, inside.row(0), page);
        draw_faults(store, faults_area(store, area), page);
        let list = list_area(store, area);
        if self.matches.is_empty() {
            put(
                vec![Line::of(Role::Dim, words.text("palette-nothing"))],
                list,
                page,
            );
            return;
        }
        let rows = short_list(self.matches.len(), self.cursor, list);
        put_hidden_counts(words, &rows, self.matches.len(), page);
        for (n, y) in rows.rows().zip(0..) {
            let command = &self.matches[n];
            let area = rows.area.row(y);
            page.add_click_target(area, Target::Row(n as u64));
            let key = key_name(store, self, command);
            let room = usize::from(area.width).saturating_sub(columns(key) + 3);
            let spans = label_and_help(store, self, command, room);
            let spans = [spans, vec![Span::of(Role::Dim, key)]].concat();
            put(vec![row(n == self.cursor, spans)], area, page);
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let offered = if self.matches.is_empty() {
            vec![]
        } else {
            vec![Action::Enter]
        };
        Actions::from(offered).word(Action::Enter, "pick")
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Typed(key) => return self.type_key(cx, key),
            ScreenEvent::Moved(to) => self.move_cursor(to),
            // The command that removes all armed faults is available only while a fault is armed.
            ScreenEvent::Message(Msg::FaultsArmed(_)) => self.refresh_matches(cx.store),
            _ => return false,
        }
        true
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Enter => self.run_selected(cx),
            Action::NextField => self.move_cursor(Move::By(1)),
            Action::PrevField => self.move_cursor(Move::By(-1)),
            _ => {}
        }
    }

    fn links<'s>(&'s self, _: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            cursor: Some(self.cursor as u64),
            ..ScreenLinks::default()
        }
    }
}

/// Draws the armed faults: errors that the demo's sandbox will cause in the next requests.
fn draw_faults(store: &Store, area: Area, page: &mut Page) {
    let rows = usize::from(area.height);
    let width = usize::from(area.width);
    let count = store.faults.len();
    let shown_count = if count > rows {
        rows.saturating_sub(1)
    } else {
        count
    };
    let mut lines = Vec::new();
    for armed in &store.faults[..shown_count] {
        let label = match &armed.what {
            FaultKind::Named(name) => {
                let item = find_item(store, &Command::Fault(name.clone()));
                item.map(|item| item_label(store, item)).unwrap_or_default()
            }
            FaultKind::Other(words) => words.shown_within(width),
        };
        let text = match armed.times {
            Some(1) => store.with("palette-armed", &[("what", &label)]),
            Some(times) => {
                store
                    .words()
                    .count("palette-armed-times", times.into(), &[("what", &label)])
            }
            None => store.with("palette-armed-always", &[("what", &label)]),
        };
        lines.push(Line::of(Role::Warn, fit(&text, width)));
    }
    if shown_count < count {
        let more = store
            .words()
            .count("palette-armed-more", (count - shown_count) as u64, &[]);
        lines.push(Line::of(Role::Warn, more));
    }
    put(lines, area, page);
}

fn draw_query(palette: &Palette, area: Area, page: &mut Page) {
    let room = usize::from(area.width).saturating_sub(3);
    let skip = palette.query.visual_scroll(room);
    let (_, visible) = split_at(palette.query.value(), skip);
    let visible_text = Untrusted::from(visible).shown_within(room);
    let line = Line::from(vec![
        Span::of(Role::Key, "› "),
        Span::of(Role::Text, visible_text),
    ]);
    put(vec![line], area, page);
    let cursor = palette.query.visual_cursor().saturating_sub(skip).min(room);
    let x = area
        .x
        .saturating_add(2)
        .saturating_add(u16::try_from(cursor).unwrap_or(0));
    if area.height > 0 && !palette.has_moved {
        page.set_cursor(x, area.y);
    }
}

/// A command's label and explanation, padded to `room + 2` columns. An explanation that does not
/// fit is left out.
fn label_and_help(store: &Store, palette: &Palette, command: &Command, room: usize) -> Vec<Span> {
    let (Some(item), Some(below)) = (find_item(store, command), &palette.below) else {
        return vec![];
    };
    let item = below.with_screen_label(store, item);
    let label = fit(&item_label(store, &item), room);
    let padded_label = align_left(&label, MIN_LABEL_WIDTH) + "  ";
    let id = match command {
        Command::Theme(name) if store.setup.theme.as_ref() == Some(name) => {
            Some("palette-theme-in-use")
        }
        Command::Do(action) => kiosk::explanation(store, *action),
        _ => None,
    };
    let help = id.map_or_else(|| item.help.clone(), |id| store.text(id));
    let (label, help) = if columns(&padded_label) + columns(&help) <= room {
        (padded_label, &*help)
    } else {
        (label, "")
    };
    let help_width = (room + 2).saturating_sub(columns(&label));
    vec![
        Span::of(Role::Text, label),
        Span::of(Role::Dim, align_left(help, help_width)),
    ]
}

/// The minimum width of a label that has an explanation beside it, in columns.
const MIN_LABEL_WIDTH: usize = 16;

fn find_item<'s>(store: &'s Store, command: &Command) -> Option<&'s Item> {
    store
        .setup
        .labels
        .of(store.setup.lang)
        .iter()
        .find(|item| item.command == *command)
}

fn item_label(store: &Store, item: &Item) -> String {
    match &item.command {
        Command::Profile(name) if store.is_masked => {
            let name = personal::name(store.words(), name).shown();
            format!("{}: {name}", store.text("command-profile"))
        }
        Command::Hint(Hint::Where(action)) => {
            let render = store.render_cx();
            let places = render.places(*action);
            let key = render.first_key(*action);
            let values = [("action", &*item.label), ("places", &places), ("key", key)];
            store.with("command-where", &values)
        }
        _ => Untrusted::from(item.label.as_str()).shown(),
    }
}

/// Follows a hint from the palette: opens the pane where the action works, or shows the hint's
/// text. If the pane cannot be opened, a notice explains why.
fn follow_hint(cx: &mut Cx, hint: Hint, may_switch: bool) {
    let notice_id = match hint {
        Hint::Where(action) if action.panes().contains(&cx.store.pane) => {
            return cx.store.notify(Notice::NotHere(action));
        }
        Hint::Where(_) if !may_switch => {
            return cx.store.notify(Notice::warn("said-close-form-first"));
        }
        Hint::Where(action) => {
            return action
                .panes()
                .first()
                .iter()
                .for_each(|pane| cx.show(**pane));
        }
        Hint::Balance => "said-balance",
        Hint::Export => "said-export",
        Hint::NoColours => "said-no-colours",
    };
    cx.store.notify(Notice::Plain(Role::Text, notice_id));
}

fn key_name<'a>(store: &'a Store, palette: &Palette, command: &Command) -> &'a str {
    match command {
        // From here, the key does not open the page.
        Command::Do(action) if action.pane_of_page().is_some() && !palette.offers(*action) => "",
        Command::Do(action) => store.render_cx().first_key(*action),
        Command::New(pane)
            if *pane == store.pane
                && palette
                    .below
                    .as_ref()
                    .is_some_and(|below| below.is_over_pane) =>
        {
            store.render_cx().first_key(Action::New)
        }
        _ => "",
    }
}

/// The area for the armed faults (simulated errors): at most four rows below the search field.
fn faults_area(store: &Store, body: Area) -> Area {
    let below = geometry::inside(geometry::palette(body)).split_top(1).1;
    let count = u16::try_from(store.faults.len()).unwrap_or(u16::MAX);
    below.split_top(count.min(4).min(below.height / 3)).0
}

fn list_area(store: &Store, body: Area) -> Area {
    let faults = faults_area(store, body).height;
    geometry::inside(geometry::palette(body))
        .split_top(2 + faults)
        .1
}
