//! The checkout domains pane: the domains that the service lists, and which of them is used for new
//! payment links.

use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, ListOf, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::{credentials, domains, teaching};
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{ShownRows, short_list};
use crate::app::ui::list_pane::{self, named};
use crate::app::ui::parts::{first_line, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::capital;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, hits, symbols};
use crate::app::{Effect, Msg, Notice, Pane, Store};
use crate::trade::search::searchable;
use crate::trade::{CheckoutDomain, DomainChoice, DomainState, Operation};
use crate::words::failure::Activity;
use crate::words::{Catalogue, personal};

#[derive(Debug, Clone, Copy)]
pub struct DomainsPane;

/// Chooses the domain under the cursor for new payment links.
fn choose(cx: &mut Cx) {
    let Some(row) = cx.store.domains.row(cx.store.domains.cursor) else { return };
    cx.store.domains.choice = choice_of(cx.store, row);
    cx.store.notify(Notice::DomainChosen);
    // The demo's domains exist only in this run, so do not save the choice.
    if cx.store.setup.demo.is_none() {
        cx.perform(Effect::KeepDomain(cx.store.domains.choice.clone()));
    }
}

/// Finds the rows that contain every word of the search text.
fn search(store: &mut Store) {
    let words = hits::words(store.domains.query.value());
    let matches = |n: &usize| {
        let cells = [name, state_cell].map(|cell| searchable(&cell(store, n, usize::MAX).text));
        words.iter().all(|word| cells.iter().any(|cell| cell.contains(&**word)))
    };
    let found = (0..=listed(store)).filter(matches);
    store.domains.found = (!words.is_empty()).then(|| found.collect());
    store.domains.cursor = store.domains.cursor.min(store.domains.shown().saturating_sub(1));
}

impl Screen for DomainsPane {
    fn info(&self) -> Info {
        Info::list("domains", Pane::Domains)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let say = store.words();
        let areas = areas(store, area);
        let asked_again = store.domains.wait.filter(|_| store.domains.listed.is_some());
        let asking =
            asked_again.map(|wait| waiting(store.render_cx(), &say.text("domains-wait"), wait));
        let expiry_warning = || credentials::expiry_warning(store, self.links(store).needs);
        let field = store.domains.field();
        if field.is_idle() {
            let top = Line::of(Role::Dim, format!(" {}", say.text("domains-top")));
            first_line(top, asking.unwrap_or_else(expiry_warning), areas.top, page);
        } else {
            let count = say.count("domains-count", found_domains(store) as u64, &[]);
            field.draw(say, &count, areas.top, page);
        }
        if let Some(rows) = self.rows(store, area) {
            let numbers: Vec<_> = (0..).map_while(|at| store.domains.row(at)).collect();
            list_pane::put_hidden_counts(say, &rows, numbers.len(), page);
            let row = |n: usize| Some((numbers.get(n)?, n == store.domains.cursor));
            let words = hits::words(store.domains.query.value());
            table::put_short_list(store, (&COLUMNS, row), rows, &words, page);
        }
        let place = match areas.aside {
            Some(aside) => aside.narrowed(1),
            None => areas.below.split_top(1).1.narrowed(2).readable(),
        };
        let mut lines = Vec::new();
        if store.domains.shown() == 0 {
            let query = field.typed(say, usize::from(place.width));
            let said = say.with("domains-none-found", &[("query", &query)]);
            lines.extend(wrapped(Role::Strong, &said, usize::from(place.width)));
            lines.push(Line::default());
        }
        lines.extend(under_cursor(store, usize::from(place.width)));
        lines.extend(explanation(store, usize::from(place.width)));
        let text = Text { down: Action::PageDown, ..Text::compact(lines, place) };
        text.draw(store.render_cx(), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let missing = store.missing(self.links(store).needs);
        let entry = missing.map(|kind| store.entry_action(kind));
        let open = (store.domains.shown() > 0).then_some(Action::Open);
        let always = [Action::New, Action::Refresh, Action::Search];
        let offered = entry.into_iter().chain(open).chain(always);
        let actions = Actions::from(offered.collect::<Vec<_>>());
        actions.word(Action::Open, "pick").word(Action::New, "domain")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Open => choose(cx),
            Action::New => {
                cx.store.notify(Notice::Plain(Role::Text, "said-domain-added-at-service"));
            }
            Action::Refresh => domains::refresh(cx),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            needs: store.setup.contract.domains.call.credential,
            exchange: teaching::after(store, store.domains.failure.as_ref(), Operation::Domains),
            ..ScreenLinks::default()
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListOf { of: |store| &store.domains, of_mut: |store| &mut store.domains })
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        Some(short_list(store.domains.shown(), store.domains.cursor, areas(store, area).list))
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => {
                search(cx.store);
                // Request the list when the pane is first opened. After that, only the refresh key
                // requests it.
                if cx.store.domains.listed.is_none() && cx.store.domains.wait.is_none() {
                    domains::refresh_if_entered(cx);
                }
            }
            ScreenEvent::Message(Msg::DomainsListed { .. }) => search(cx.store),
            _ => return false,
        }
        true
    }

    fn next_deadline(&self, store: &Store, _: bool) -> Option<Duration> {
        match store.domains.wait {
            Some(wait) => Some(wait.to_next_second(store.now.boot_ms)),
            None => credentials::until_warning_changes(store, self.links(store).needs),
        }
    }
}

/// The minimum number of rows for the text below the list: the domain's name, state and date, and a
/// row that indicates more text.
const LEAST_TEXT: u16 = 4;

/// Returns the areas of the pane. On a wide terminal the text is beside the list; otherwise it gets
/// the rows below the list.
fn areas(store: &Store, body: Area) -> PaneAreas {
    let count = u16::try_from(listed(store) + 2).unwrap_or(u16::MAX);
    geometry::pane(body, 2, |rest| {
        rest.saturating_sub(count.min(rest.saturating_sub(LEAST_TEXT)).max(1))
    })
}

/// The columns of the list: a mark for the chosen domain, the name, and the state. A state that
/// does not fit is shortened to one word; the text about the row under the cursor shows the rest.
const COLUMNS: [Column<Store, usize>; 3] = [
    Column::new(0, &[chosen]),
    Column { gap: 1, least: 24, padded_width: 24, ..Column::new(1, &[name]) },
    Column { fills: true, ..Column::new(2, &[state_cell, brief]) },
];

fn listed(store: &Store) -> usize {
    store.domains.listed.as_ref().map_or(0, |it| it.len())
}

/// Returns the number of domains that the search found, without the row "automatic".
fn found_domains(store: &Store) -> usize {
    (0..).map_while(|at| store.domains.row(at)).filter(|row| *row > 0).count()
}

/// Returns the domain in row `n`; `None` for row 0, "automatic".
fn domain_of(store: &Store, n: usize) -> Option<&CheckoutDomain> {
    store.domains.listed.as_deref().unwrap_or_default().get(n.checked_sub(1)?)
}

/// Returns the choice that row `n` offers: "automatic" or a domain.
fn choice_of(store: &Store, n: usize) -> DomainChoice {
    let domain = domain_of(store, n);
    domain.map_or(DomainChoice::Automatic, |domain| DomainChoice::Named(domain.host.clone()))
}

fn is_chosen(store: &Store, n: usize) -> bool {
    store.domains.choice == choice_of(store, n)
}

fn chosen(store: &Store, n: &usize, _: usize) -> Span {
    match is_chosen(store, *n) {
        true => Span::of(Role::Accent, "●"),
        false => Span::of(Role::Dim, "○"),
    }
}

fn name(store: &Store, n: &usize, _: usize) -> Span {
    let name = domain_of(store, *n).map(|domain| domain.host.shown());
    Span::of(Role::Text, name.unwrap_or_else(|| store.text("domain-automatic")))
}

fn state_cell(store: &Store, n: &usize, _: usize) -> Span {
    let (role, said) = match domain_of(store, *n) {
        Some(domain) => state(store.words(), domain, false),
        None => (Role::Dim, store.text("domain-automatic.what")),
    };
    match is_chosen(store, *n) {
        true => Span::of(role, format!("{said} · {}", store.text("domain-chosen"))),
        false => Span::of(role, said),
    }
}

fn brief(store: &Store, n: &usize, _: usize) -> Span {
    let said = domain_of(store, *n).map(|domain| state(store.words(), domain, true));
    match said {
        Some((role, said)) => Span::of(role, said),
        // Only the row "automatic" shows the word "chosen", because a domain's row already has a
        // mark before its name.
        None if is_chosen(store, *n) => Span::of(Role::Dim, store.text("domain-chosen")),
        None => Span::plain(""),
    }
}

/// Returns the state of a domain with its symbol. Unless `is_brief` is set, adds the service's own
/// word for the state and a note on the default domain.
fn state(say: &Catalogue, domain: &CheckoutDomain, is_brief: bool) -> (Role, String) {
    let word = match &domain.state {
        DomainState::Usable => say.text("domain-usable"),
        DomainState::Active => say.text("domain-active"),
        DomainState::Pending(Some(word)) if !is_brief => {
            let word = personal::theirs(say, word).shown_within(24);
            say.with("domain-pending-word", &[("word", &word)])
        }
        DomainState::Pending(_) => say.text("domain-pending"),
    };
    let (mark, default) = (symbols::domain(&domain.state), say.text("domain-default"));
    let parts = [Some(mark.said(say, &word)), (domain.is_default && !is_brief).then_some(default)];
    (mark.role, parts.into_iter().flatten().collect::<Vec<_>>().join(" · "))
}

/// Lays out the text about the row under the cursor. For a domain, this is its state, its dates
/// and, if it cannot be used, what is missing. Empty until the list is loaded.
fn under_cursor(store: &Store, width: usize) -> Vec<Line> {
    let (say, reader, domains) = (store.words(), store.render_cx(), &store.domains);
    let mut lines = Vec::new();
    match domains.under_cursor() {
        None if domains.listed.is_none() || domains.shown() == 0 => return lines,
        None => {
            lines.push(Line::of(Role::Strong, say.text("domain-automatic")));
            let what = capital(&format!("{}.", say.text("domain-automatic.what")));
            lines.extend(wrapped(Role::Text, &what, width));
        }
        Some((domain, since)) => {
            let (role, state) = state(say, domain, false);
            lines.push(Line::of(Role::Strong, domain.host.shown_within(width)));
            lines.extend(wrapped(role, &state, width));
            lines.extend(named(say, "domain-since", &reader.moment(since), width));
            if let Some(listed_at) = domains.listed_at {
                lines.extend(named(say, "domain-listed", &reader.moment(listed_at), width));
            }
            if !domain.is_usable() {
                lines.extend(wrapped(Role::Text, &say.text("domain-lacks"), width));
            }
        }
    }
    lines.push(Line::default());
    lines
}

/// Lays out the result of the last request for the domains, and explains how to activate a domain.
/// Also explains that direct payments work without a domain.
fn explanation(store: &Store, width: usize) -> Vec<Line> {
    let domains = &store.domains;
    let says = |role, id: &str| wrapped(role, &store.text(id), width);
    let mut lines = match (&domains.failure, &domains.listed, domains.wait) {
        (Some(failure), ..) => {
            let told = failure::lines(store.words(), failure, Activity::Question, width);
            told.into_iter().chain([Line::default()]).collect()
        }
        (None, None, Some(wait)) => {
            return vec![waiting(store.render_cx(), &store.text("domains-wait"), wait)];
        }
        (None, None, None) => says(Role::Strong, "domains-not-asked"),
        (None, Some(listed), _) if listed.is_empty() => says(Role::Strong, "domains-none"),
        (None, Some(listed), _) if listed.iter().all(CheckoutDomain::is_usable) => {
            return says(Role::Dim, "domains-pick");
        }
        (None, Some(_), _) => vec![],
    };
    let missing = store.missing(store.setup.contract.domains.call.credential);
    if let Some(kind) = missing {
        let entry = store.entry_action(kind);
        let id = if entry == Action::PasteJwt { "domains-paste-jwt" } else { "domains-log-in" };
        lines.extend(wrapped(Role::Text, &store.render_cx().with_key(id, entry), width));
        lines.push(Line::default());
    }
    lines.extend(wrapped(Role::Text, &store.text("domains-active-how"), width));
    let text = store.render_cx().with_key("domains-way-out", Action::Charges);
    lines.extend(wrapped(Role::Text, &text, width));
    lines
}
