//! The list of profiles in the settings file. Choosing a profile restarts the app with it.

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::ui::list::moved_above_text;
use crate::app::ui::parts::{pair, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{OtherProfile, Pane, Store};
use crate::trade::Untrusted;
use crate::words::personal;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProfileList {
    /// The index of the profile under the cursor.
    pub cursor: usize,
}

impl ProfileList {
    /// Opens the list. If a profile failed to open, the cursor is on that profile.
    pub fn open(store: &Store) -> ProfileList {
        let failed_profile = store.profiles.trouble.as_ref().map(|(name, _)| name);
        let index = store
            .setup
            .others
            .iter()
            .position(|other| Some(&other.name) == failed_profile);
        ProfileList {
            cursor: index.unwrap_or(0),
        }
    }
}

impl Screen for ProfileList {
    fn info(&self) -> Info {
        Info::in_pane("profiles", Pane::Account)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        title(&words.text("profiles-title"), Line::default(), area, page);
        let inner = area.narrowed(1).split_top(2).1.without_right(1);
        let width = usize::from(inner.width).saturating_sub(1);
        let mut lines = wrapped(Role::Text, &words.text("profiles-what"), width);
        lines.push(Line::default());
        let current_name = personal::name(words, &store.setup.profile).shown_within(width);
        lines.extend(pair(&words.text("profiles-here"), &current_name, width));
        let others = store.setup.others.iter().enumerate();
        let mut visible_line = 0;
        for (n, other) in others {
            lines.push(Line::default());
            // Keep the text above the list visible while the cursor is on the first profile.
            if n == self.cursor && n > 0 {
                visible_line = lines.len();
            }
            lines.extend(profile_lines(store, other, n == self.cursor, width));
        }
        Text::new(lines, inner).draw_around(visible_line, store.render_cx(), page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(vec![Action::Open, Action::Down, Action::Up]).word(Action::Open, "pick")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if let (Action::Open, Some(other)) = (action, cx.store.setup.others.get(self.cursor)) {
            let name = other.name.clone();
            cx.switch_profile(name);
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Moved(to) = event else {
            return false;
        };
        let last = cx.store.setup.others.len().saturating_sub(1);
        let Some(cursor) = moved_above_text(self.cursor, last, cx.store.scroll, to) else {
            return false;
        };
        (self.cursor, cx.store.scroll) = (cursor, 0);
        true
    }
}

/// Lays out a profile: its name, its service address, and the error if it could not be opened.
fn profile_lines(store: &Store, other: &OtherProfile, is_chosen: bool, width: usize) -> Vec<Line> {
    let name = personal::name(store.words(), &other.name).shown_within(width);
    let mut lines = vec![row(is_chosen, vec![Span::of(Role::Strong, name)])];
    let address = match &other.origin {
        Some(origin) => Untrusted::from(&*origin.0).shown(),
        None => store.text("profiles-no-address"),
    };
    let mut below = pair(&store.text("account-service"), &address, width);
    if let Some((_, error)) = store
        .profiles
        .trouble
        .as_ref()
        .filter(|trouble| trouble.0 == other.name)
    {
        below.extend(wrapped(Role::Warn, &store.text("profiles-wrong"), width));
        below.extend(wrapped(Role::Text, &error.shown(), width));
    }
    lines.extend(below.into_iter().map(|line| line.indented(1)));
    lines
}
