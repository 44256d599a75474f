//! The domains pane: what the service lists, and which one new links use.

use crate::app::Store;
use crate::app::screen::Screen;
use crate::app::screens::domains::DomainsPane;
use crate::app::store::entry;
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::lists::named;
use crate::app::ui::parts::{first_line, put, row, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, lists};
use crate::trade::{CheckoutDomain, DomainChoice, DomainState};
use crate::words::Words;
use crate::words::failure::Doing;

/// The least columns of a domain's name, so that most lists look alike.
const LEAST_NAME: usize = 24;

/// The parts of the pane: the domains take the rows they need, and the words below them the rest.
pub fn areas(store: &Store, body: Area) -> PaneAreas {
    let count = 2 + store.domains.listed.as_ref().map_or(0, Vec::len);
    let count = u16::try_from(count).unwrap_or(u16::MAX);
    geometry::pane(body, 2, false, |rest| {
        rest.saturating_sub(count.min(rest.saturating_sub(5)).max(1))
    })
}

pub fn pane(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let areas = areas(store, area);
    let asked_again = store.domains.wait.filter(|_| store.domains.listed.is_some());
    let asking = asked_again.map(|wait| waiting(store.reader(), &say.text("domains-wait"), wait));
    let top = Line::of(Role::Dim, format!(" {}", say.text("domains-top")));
    let at_head = || entry::at_head(store, DomainsPane.needs(store));
    first_line(top, asking.unwrap_or_else(at_head), areas.top, page);
    if let Some(rows) = DomainsPane.rows(store, area) {
        lists::row_targets(&rows.lines, areas.list, page);
        // The first row is that of no domain.
        let count = 1 + store.domains.listed.as_ref().map_or(0, Vec::len);
        lists::put_hidden(say, &rows, count, page);
        let width = usize::from(areas.list.width);
        let lines = rows.rows().map(|n| domain_row(store, say, n, width));
        put(lines.collect(), rows.area, page);
    }
    let below = areas.below.narrowed(2).readable();
    let lines = explanation(store, say, usize::from(below.width));
    let text = Text { down: Action::PageDown, ..Text::tight(lines, below) };
    text.draw(store.reader(), page);
}

fn domain_row(store: &Store, say: &Words, n: usize, width: usize) -> Line {
    let domains = &store.domains;
    let listed = domains.listed.as_deref().unwrap_or_default();
    let (name, (role, state), stands_for) = match n.checked_sub(1).and_then(|n| listed.get(n)) {
        None => (
            say.text("domain-automatic"),
            (Role::Dim, say.text("domain-automatic.what")),
            DomainChoice::Automatic,
        ),
        Some(domain) => {
            (domain.host.shown(), state(say, domain), DomainChoice::Named(domain.host.clone()))
        }
    };
    let chosen = domains.choice == stands_for;
    let name_width = listed.iter().map(|domain| columns(&domain.host.shown())).max().unwrap_or(0);
    // Beside short names there is room for all that is said of a domain.
    let name_width = name_width.max(LEAST_NAME).min((width / 2).saturating_sub(6));
    let state_width = width.saturating_sub(name_width + 6);
    let (mark, state) = match chosen {
        true => (Span::of(Role::Accent, "● "), format!("{} · {state}", say.text("domain-chosen"))),
        false => (Span::of(Role::Dim, "○ "), state),
    };
    let name = Span::of(Role::Text, exactly(&name, name_width));
    let state = Span::of(role, format!("  {}", fit(&state, state_width)));
    row(domains.cursor == n, vec![mark, name, state])
}

fn state(say: &Words, domain: &CheckoutDomain) -> (Role, String) {
    let (role, mut text) = match &domain.state {
        DomainState::Usable => (Role::Good, say.text("domain-usable")),
        DomainState::Active => (Role::Good, say.text("domain-active")),
        DomainState::Pending(None) => (Role::Warn, say.text("domain-pending")),
        DomainState::Pending(Some(word)) => {
            let word = word.shown_within(24);
            (Role::Warn, say.with("domain-pending-word", &[("word", &word)]))
        }
    };
    if domain.is_default {
        text = format!("{text} · {}", say.text("domain-default"));
    }
    (role, text)
}

/// Lays out the domain under the cursor: its state, since when, and what it lacks.
fn under_cursor(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let Some((domain, since)) = store.domains.under_cursor() else { return vec![] };
    let (role, state) = state(say, domain);
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

/// Lays out what is known, what makes a domain active, and the way that needs none.
fn explanation(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let domains = &store.domains;
    let missing = store.missing(store.setup.contract.domains.call.credential);
    let mut lines = vec![Line::default()];
    lines.extend(under_cursor(store, say, width));
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
