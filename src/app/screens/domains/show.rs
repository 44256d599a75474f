//! The domains pane: what the service lists, and which one new links use.

use crate::app::screen::Screen;
use crate::app::screens::domains::DomainsPane;
use crate::app::store::entry;
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::lists::named;
use crate::app::ui::parts::{first_line, put, row, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{capital, columns, exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, lists, mark};
use crate::app::{Pane, Store};
use crate::trade::{CheckoutDomain, DomainChoice, DomainState};
use crate::words::failure::Doing;
use crate::words::{Words, personal};

/// The least columns of a domain's name, so that most lists look alike.
const LEAST_NAME: usize = 24;

/// The least rows of the words below the domains: what the one under the cursor is called, its
/// state, since when, and that there is more.
const LEAST_TEXT: u16 = 4;

/// The parts of the pane: in a wide terminal the words stand beside the domains; else the domains
/// take the rows they need, and the words below them the rest.
pub fn areas(store: &Store, body: Area) -> PaneAreas {
    let count = 2 + store.domains.listed.as_ref().map_or(0, |it| it.len());
    let count = u16::try_from(count).unwrap_or(u16::MAX);
    geometry::pane(Pane::Domains, body, 2, |rest| {
        rest.saturating_sub(count.min(rest.saturating_sub(LEAST_TEXT)).max(1))
    })
}

pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let areas = areas(store, area);
    let asked_again = store.domains.wait.filter(|_| store.domains.listed.is_some());
    let asking = asked_again.map(|wait| waiting(store.reader(), &say.text("domains-wait"), wait));
    let top = Line::of(Role::Dim, format!(" {}", say.text("domains-top")));
    let at_head = || entry::at_head(store, DomainsPane.links(store).needs);
    first_line(top, asking.unwrap_or_else(at_head), areas.top, page);
    if let Some(rows) = DomainsPane.rows(store, area) {
        lists::row_targets(&rows.lines, areas.list, page);
        // The first row is that of no domain.
        let count = 1 + store.domains.listed.as_ref().map_or(0, |it| it.len());
        lists::put_hidden(say, &rows, count, page);
        let shown: Vec<usize> = rows.rows().collect();
        let row = DomainRows::of(store, say, &shown, usize::from(rows.area.width));
        put(shown.iter().map(|n| row.line(*n)).collect(), rows.area, page);
    }
    let (place, gap) = match areas.aside {
        Some(aside) => (aside.narrowed(1), 0),
        None => {
            let place = areas.below.narrowed(2).readable();
            (place, usize::from(place.height > LEAST_TEXT))
        }
    };
    let mut lines = vec![Line::default(); gap];
    lines.extend(under_cursor(store, say, usize::from(place.width)));
    lines.extend(explanation(store, say, usize::from(place.width)));
    let text = Text { down: Action::PageDown, ..Text::tight(lines, place) };
    text.draw(store.reader(), page);
}

/// The rows of the list, the first of which is that of no domain.
struct DomainRows<'a> {
    store: &'a Store,
    say: &'a Words,
    name: usize,
    state: usize,
    /// True where a state is one word: all that is known of the domain under the cursor stands
    /// beside or below the list.
    is_brief: bool,
}

impl<'a> DomainRows<'a> {
    /// Fits the columns to the rows that are on the screen: a service may list thousands.
    fn of(store: &'a Store, say: &'a Words, shown: &[usize], width: usize) -> DomainRows<'a> {
        let listed = store.domains.listed.as_deref().unwrap_or_default();
        let shown_domains = shown.iter().filter_map(|n| listed.get(n.checked_sub(1)?));
        let names = shown_domains.map(|domain| columns(&domain.host.shown()));
        let widest = names.max().unwrap_or(0).max(LEAST_NAME);
        let mut rows = DomainRows { store, say, name: LEAST_NAME, state: 0, is_brief: false };
        let states = |rows: &DomainRows<'_>| {
            shown.iter().map(|n| columns(&rows.cells(*n).1.1)).max().unwrap_or(0)
        };
        rows.is_brief = widest + 6 + states(&rows) > width;
        let states = states(&rows);
        // Beside short names there is room for all that is said of a domain, and beside what is
        // short a name is whole.
        let most = width.saturating_sub(6 + states).max((width / 2).saturating_sub(6));
        rows.name = widest.min(most);
        rows.state = width.saturating_sub(rows.name + 6);
        rows
    }

    /// The domain of a row as new links would name it.
    fn choice(&self, n: usize) -> DomainChoice {
        let listed = self.store.domains.listed.as_deref().unwrap_or_default();
        let domain = n.checked_sub(1).and_then(|n| listed.get(n));
        domain.map_or(DomainChoice::Automatic, |one| DomainChoice::Named(one.host.clone()))
    }

    /// The name of a row, and what is said of it there.
    fn cells(&self, n: usize) -> (String, (Role, String)) {
        let say = self.say;
        let listed = self.store.domains.listed.as_deref().unwrap_or_default();
        let (name, (role, state)) = match n.checked_sub(1).and_then(|n| listed.get(n)) {
            None if self.is_brief => (say.text("domain-automatic"), (Role::Dim, String::new())),
            None => (say.text("domain-automatic"), (Role::Dim, say.text("domain-automatic.what"))),
            Some(domain) => (domain.host.shown(), state(say, domain, self.is_brief)),
        };
        if self.store.domains.choice != self.choice(n) {
            return (name, (role, state));
        }
        // The sign before its name says that too.
        let chosen = Some(say.text("domain-chosen")).filter(|_| !self.is_brief || state.is_empty());
        let parts = [Some(state), chosen].into_iter().flatten();
        let said: Vec<_> = parts.filter(|part| !part.is_empty()).collect();
        (name, (role, said.join(" · ")))
    }

    fn line(&self, n: usize) -> Line {
        let (name, (role, state)) = self.cells(n);
        let domains = &self.store.domains;
        let mark = match domains.choice == self.choice(n) {
            true => Span::of(Role::Accent, "● "),
            false => Span::of(Role::Dim, "○ "),
        };
        let name = Span::of(Role::Text, exactly(&name, self.name));
        let state = Span::of(role, format!("  {}", fit(&state, self.state)));
        row(domains.cursor == n, vec![mark, name, state])
    }
}

/// The state of a domain behind its sign: in a word, or with the service's own one and whether it
/// is the default.
fn state(say: &Words, domain: &CheckoutDomain, is_brief: bool) -> (Role, String) {
    let word = match &domain.state {
        DomainState::Usable => say.text("domain-usable"),
        DomainState::Active => say.text("domain-active"),
        DomainState::Pending(Some(word)) if !is_brief => {
            let word = personal::theirs(say, word).shown_within(24);
            say.with("domain-pending-word", &[("word", &word)])
        }
        DomainState::Pending(_) => say.text("domain-pending"),
    };
    let (mark, default) = (mark::domain(&domain.state), say.text("domain-default"));
    let parts = [Some(mark.said(&word)), (domain.is_default && !is_brief).then_some(default)];
    (mark.role, parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// Lays out what the row under the cursor stands for: of a domain its state, since when, and what
/// it lacks. Before they were listed there is nothing to choose from.
fn under_cursor(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let Some((domain, since)) = store.domains.under_cursor() else {
        return if store.domains.listed.is_some() { automatic(say, width) } else { vec![] };
    };
    let (role, state) = state(say, domain, false);
    let name = domain.host.shown_within(width);
    let mut lines = vec![Line::of(Role::Strong, name)];
    lines.extend(wrapped(role, &state, width));
    let reader = store.reader();
    lines.extend(named(say, "domain-since", &reader.moment(since), width));
    if let Some(listed_at) = store.domains.listed_at {
        lines.extend(named(say, "domain-listed", &reader.moment(listed_at), width));
    }
    if !domain.is_usable() {
        lines.extend(wrapped(Role::Text, &say.text("domain-lacks"), width));
    }
    lines.push(Line::default());
    lines
}

fn automatic(say: &Words, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Strong, say.text("domain-automatic"))];
    let what = capital(&format!("{}.", say.text("domain-automatic.what")));
    lines.extend(wrapped(Role::Text, &what, width));
    lines.push(Line::default());
    lines
}

/// Lays out what is known, what makes a domain active, and the way that needs none.
fn explanation(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let domains = &store.domains;
    let missing = store.missing(store.setup.contract.domains.call.credential);
    let mut lines = vec![];
    if let Some(failure) = &domains.failure {
        lines.extend(failure::lines(say, failure, Doing::Question, width));
        lines.push(Line::default());
    } else {
        match (&domains.listed, domains.wait) {
            (None, Some(wait)) => {
                lines.push(waiting(store.reader(), &say.text("domains-wait"), wait));
                return lines;
            }
            (None, None) => {
                lines.extend(wrapped(Role::Strong, &say.text("domains-not-asked"), width));
            }
            (Some(listed), _) if listed.is_empty() => {
                lines.extend(wrapped(Role::Strong, &say.text("domains-none"), width));
            }
            (Some(listed), _) if listed.iter().all(CheckoutDomain::is_usable) => {
                lines.extend(wrapped(Role::Dim, &say.text("domains-pick"), width));
                return lines;
            }
            _ => {}
        }
    }
    if let Some(kind) = missing {
        let entry = store.entry_action(kind);
        let id = if entry == Action::PasteJwt { "domains-paste-jwt" } else { "domains-log-in" };
        lines.extend(wrapped(Role::Text, &store.reader().with_key(id, entry), width));
        lines.push(Line::default());
    }
    lines.extend(wrapped(Role::Text, &say.text("domains-active-how"), width));
    let text = store.reader().with_key("domains-way-out", Action::Charges);
    lines.extend(wrapped(Role::Text, &text, width));
    lines
}
