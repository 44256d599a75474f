//! The checkout domains pane: the domains that the service lists, and which of them is used for new
//! payment links.

use std::collections::HashMap;
use std::time::Duration;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::{credential_trial, credentials, domains, teaching};
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{ShownRows, short_list};
use crate::app::ui::list_pane::{self, named_pair};
use crate::app::ui::parts::{first_line, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::capital;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, failure, hits, symbols};
use crate::app::{Effect, Msg, Notice, Pane, Store};
use crate::trade::search::searchable;
use crate::trade::{CheckoutDomain, DomainChoice, DomainState, Operation};
use crate::words::failure::Activity;
use crate::words::{Catalogue, names};

#[derive(Debug, Clone, Copy)]
pub struct DomainsPane;

fn choose_domain(cx: &mut Cx) {
    let Some(row) = cx.store.domains.row(cx.store.domains.cursor) else {
        return;
    };
    cx.store.domains.choice = domain_choice(cx.store, row);
    cx.store.notify(Notice::DomainChosen);
    // The demo's domains exist only in this run, so do not save the choice.
    if cx.store.setup.demo.is_none() {
        cx.perform(Effect::KeepDomain(cx.store.domains.choice.clone()));
    }
}

/// Requests the list again. If the service refused the credential, first asks whether to try the
/// other one.
fn refresh(cx: &mut Cx) {
    let failure = cx.store.domains.failure.clone();
    if !failure.is_some_and(|failure| credential_trial::ask(cx, Operation::Domains, &failure)) {
        domains::refresh(cx);
    }
}

/// Searches the list, and stores the positions of the rows that contain every word of the search
/// text.
fn search(store: &mut Store) {
    let search_words = hits::words(store.domains.query.value());
    store.domains.matching_rows = (!search_words.is_empty()).then(|| {
        let mut states = StateTexts::default();
        (0..=count_listed(store))
            .filter(|n| {
                let name = searchable(&name_cell(store, n, usize::MAX).text);
                if search_words.iter().all(|word| name.contains(&**word)) {
                    return true;
                }
                let state = states.of(store, *n);
                search_words
                    .iter()
                    .all(|word| name.contains(&**word) || state.contains(&**word))
            })
            .collect()
    });
    store.domains.cursor = store
        .domains
        .cursor
        .min(store.domains.shown().saturating_sub(1));
}

/// The searchable texts of the states in the list. Each is formatted only once for a search,
/// because thousands of domains may have the same state.
#[derive(Default)]
pub struct StateTexts<'s>(HashMap<StateKey<'s>, String>);

/// The values that determine the text of a row's state: the domain's state and whether it is the
/// default domain (`None` for "automatic"), and whether the row is chosen.
type StateKey<'s> = (Option<(&'s DomainState, bool)>, bool);

impl<'s> StateTexts<'s> {
    /// The searchable text of the state in row `n`.
    pub fn of(&mut self, store: &'s Store, n: usize) -> &str {
        let state = find_domain(store, n).map(|domain| (&domain.state, domain.is_default));
        self.0
            .entry((state, is_chosen(store, n)))
            .or_insert_with(|| searchable(&state_cell(store, &n, usize::MAX).text))
    }

    /// Returns how many texts were formatted.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.0.len()
    }
}

impl Screen for DomainsPane {
    fn info(&self) -> Info {
        Info::list("domains", Pane::Domains)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let areas = areas(store, area);
        let reload_wait = store
            .domains
            .wait
            .filter(|_| store.domains.listed.is_some());
        let progress =
            reload_wait.map(|wait| waiting(store.render_cx(), &words.text("domains-wait"), wait));
        let field = store.domains.field();
        if field.is_idle() {
            let top = Line::of(Role::Dim, format!(" {}", words.text("domains-top")));
            let aside = progress
                .unwrap_or_else(|| credentials::expiry_warning(store, self.links(store).needs));
            first_line(top, aside, areas.top, page);
        } else {
            let count = words.count("domains-count", count_found(store) as u64, &[]);
            field.draw(words, &count, areas.top, page);
        }
        if let Some(rows) = self.rows(store, area) {
            let row_numbers: Vec<_> = (0..).map_while(|at| store.domains.row(at)).collect();
            list_pane::put_hidden_counts(words, &rows, row_numbers.len(), page);
            let row = |n: usize| Some((row_numbers.get(n)?, n == store.domains.cursor));
            let search_words = hits::words(store.domains.query.value());
            table::put_short_list(store, (&COLUMNS, row), rows, &search_words, page);
        }
        let text_area = match areas.divided_aside(page) {
            Some(aside) => aside.narrowed(1),
            None => areas.below.split_top(1).1.text().readable(),
        };
        let mut lines = Vec::new();
        if store.domains.shown() == 0 {
            let query = field.typed(words, usize::from(text_area.width));
            let message = words.with("domains-none-found", &[("query", &query)]);
            lines.extend(wrapped(
                Role::Strong,
                &message,
                usize::from(text_area.width),
            ));
            lines.push(Line::default());
        }
        lines.extend(selected_row_lines(store, usize::from(text_area.width)));
        lines.extend(explanation_lines(store, usize::from(text_area.width)));
        let text = Text {
            down: Action::PageDown,
            ..Text::compact(lines, text_area)
        };
        text.draw(store.render_cx(), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let missing = store.missing_credential(self.links(store).needs);
        let login_action = missing.map(|kind| store.entry_action(kind));
        let open_action = (store.domains.shown() > 0).then_some(Action::Open);
        let other_actions = [Action::New, Action::Refresh, Action::Search];
        let offered = login_action
            .into_iter()
            .chain(open_action)
            .chain(other_actions);
        let actions = Actions::from(offered.collect::<Vec<_>>());
        actions
            .word(Action::Open, "pick")
            .word(Action::New, "domain")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Open => choose_domain(cx),
            Action::New => {
                cx.store
                    .notify(Notice::Plain(Role::Text, "said-domain-added-at-service"));
            }
            Action::Refresh => refresh(cx),
            _ => {}
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            needs: store.setup.contract.domains.call.credential,
            exchange: teaching::of_domains(store),
            ..ScreenLinks::default()
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &store.domains,
            get_mut: |store| &mut store.domains,
        })
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        Some(short_list(
            store.domains.shown(),
            store.domains.cursor,
            areas(store, area).list,
        ))
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
const MIN_TEXT_ROWS: u16 = 4;

/// The areas of the pane. On a wide terminal the text is beside the list; otherwise it gets the
/// rows below the list.
fn areas(store: &Store, body: Area) -> PaneAreas {
    let count = u16::try_from(count_listed(store) + 2).unwrap_or(u16::MAX);
    geometry::pane(body, 2, |rest| {
        rest.saturating_sub(count.min(rest.saturating_sub(MIN_TEXT_ROWS)).max(1))
    })
}

/// The columns of the list: a mark for the chosen domain, the name, and the state. A state that
/// does not fit is shortened to one word; the text about the row under the cursor shows the rest.
const COLUMNS: [Column<Store, usize>; 3] = [
    Column::new(0, &[chosen_mark]),
    Column {
        gap: 1,
        min_width: 24,
        padded_width: 24,
        ..Column::new(1, &[name_cell])
    },
    Column {
        fills: true,
        ..Column::new(2, &[state_cell, brief_state_cell])
    },
];

fn count_listed(store: &Store) -> usize {
    store
        .domains
        .listed
        .as_ref()
        .map_or(0, |domains| domains.len())
}

/// The number of domains that the search found, without the row "automatic".
fn count_found(store: &Store) -> usize {
    (0..)
        .map_while(|at| store.domains.row(at))
        .filter(|row| *row > 0)
        .count()
}

/// The domain in row `n`; `None` for row 0, "automatic".
fn find_domain(store: &Store, n: usize) -> Option<&CheckoutDomain> {
    store
        .domains
        .listed
        .as_deref()
        .unwrap_or_default()
        .get(n.checked_sub(1)?)
}

/// The choice in row `n`: "automatic" or a domain.
fn domain_choice(store: &Store, n: usize) -> DomainChoice {
    let domain = find_domain(store, n);
    domain.map_or(DomainChoice::Automatic, |domain| {
        DomainChoice::Named(domain.host.clone())
    })
}

fn is_chosen(store: &Store, n: usize) -> bool {
    match (&store.domains.choice, find_domain(store, n)) {
        (DomainChoice::Automatic, domain) => domain.is_none(),
        (DomainChoice::Named(host), domain) => domain.is_some_and(|domain| domain.host == *host),
    }
}

fn chosen_mark(store: &Store, n: &usize, _: usize) -> Span {
    if is_chosen(store, *n) {
        Span::of(Role::Accent, "●")
    } else {
        Span::of(Role::Dim, "○")
    }
}

fn name_cell(store: &Store, n: &usize, _: usize) -> Span {
    let name = find_domain(store, *n).map(|domain| domain.host.shown());
    Span::of(
        Role::Text,
        name.unwrap_or_else(|| store.text("domain-automatic")),
    )
}

fn state_cell(store: &Store, n: &usize, _: usize) -> Span {
    let (role, text) = match find_domain(store, *n) {
        Some(domain) => describe_state(store.words(), domain, false),
        // The details say what "automatic" means.
        None if is_chosen(store, *n) => return Span::of(Role::Dim, store.text("domain-chosen")),
        None => (Role::Dim, store.text("domain-automatic.what")),
    };
    if is_chosen(store, *n) {
        return Span::of(role, format!("{text} · {}", store.text("domain-chosen")));
    }
    Span::of(role, text)
}

fn brief_state_cell(store: &Store, n: &usize, _: usize) -> Span {
    let state = find_domain(store, *n).map(|domain| describe_state(store.words(), domain, true));
    match state {
        Some((role, text)) => Span::of(role, text),
        // Only the row "automatic" shows the word "chosen", because a domain's row already has a
        // mark before its name.
        None if is_chosen(store, *n) => Span::of(Role::Dim, store.text("domain-chosen")),
        None => Span::plain(""),
    }
}

/// The state of a domain with its symbol. Unless `is_brief` is set, adds the service's own word for
/// the state and a note on the default domain.
fn describe_state(words: &Catalogue, domain: &CheckoutDomain, is_brief: bool) -> (Role, String) {
    let word = if is_brief {
        names::domain_state(words, &domain.state)
    } else {
        names::full_domain_state(words, &domain.state)
    };
    let symbol = symbols::domain(&domain.state);
    let default = words.text("domain-default");
    let parts = [
        Some(symbol.with_word(words, &word)),
        (domain.is_default && !is_brief).then_some(default),
    ];
    (
        symbol.role,
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · "),
    )
}

/// Lays out the text about the row under the cursor. For a domain, this is its state, its dates
/// and, if it cannot be used, what is missing. Empty until the list is loaded.
fn selected_row_lines(store: &Store, width: usize) -> Vec<Line> {
    let words = store.words();
    let render = store.render_cx();
    let domains = &store.domains;
    let mut lines = Vec::new();
    match domains.under_cursor() {
        None if domains.listed.is_none() || domains.shown() == 0 => return lines,
        None => {
            lines.push(Line::of(Role::Strong, words.text("domain-automatic")));
            let what = capital(&format!("{}.", words.text("domain-automatic.what")));
            lines.extend(wrapped(Role::Text, &what, width));
        }
        Some((domain, since)) => {
            let (role, state) = describe_state(words, domain, false);
            lines.push(Line::of(Role::Strong, domain.host.shown_within(width)));
            lines.extend(wrapped(role, &state, width));
            lines.extend(named_pair(
                words,
                "domain-since",
                &render.moment(since),
                width,
            ));
            if let Some(listed_at) = domains.listed_at {
                lines.extend(named_pair(
                    words,
                    "domain-listed",
                    &render.moment(listed_at),
                    width,
                ));
            }
            if !domain.is_usable() {
                lines.extend(wrapped(Role::Text, &words.text("domain-lacks"), width));
            }
        }
    }
    lines.push(Line::default());
    lines
}

/// Lays out the result of the last request for the domains, and explains how to activate a domain.
/// Also explains that direct payments work without a domain.
fn explanation_lines(store: &Store, width: usize) -> Vec<Line> {
    let domains = &store.domains;
    let mut lines = match (&domains.failure, &domains.listed, domains.wait) {
        (Some(failure), ..) => {
            let mut lines = failure::lines(store.words(), failure, Activity::Question, width);
            if credential_trial::other_credential(store, Operation::Domains, failure).is_some() {
                let hint = store.render_cx().with_key("domains-try", Action::Refresh);
                lines.extend(wrapped(Role::Text, &hint, width));
            }
            lines.push(Line::default());
            lines
        }
        (None, None, Some(wait)) => {
            return vec![waiting(
                store.render_cx(),
                &store.text("domains-wait"),
                wait,
            )];
        }
        (None, None, None) => wrapped(Role::Strong, &store.text("domains-not-asked"), width),
        (None, Some(listed), _) if listed.is_empty() => {
            wrapped(Role::Strong, &store.text("domains-none"), width)
        }
        (None, Some(listed), _) if listed.iter().all(CheckoutDomain::is_usable) => {
            let mut lines = unread_lines(store, width);
            lines.extend(wrapped(Role::Dim, &store.text("domains-pick"), width));
            return lines;
        }
        (None, Some(_), _) => unread_lines(store, width),
    };
    let missing = store.missing_credential(store.setup.contract.domains.call.credential);
    if let Some(kind) = missing {
        let login_action = store.entry_action(kind);
        let id = if login_action == Action::PasteJwt {
            "domains-paste-jwt"
        } else {
            "domains-log-in"
        };
        lines.extend(wrapped(
            Role::Text,
            &store.render_cx().with_key(id, login_action),
            width,
        ));
        lines.push(Line::default());
    }
    lines.extend(wrapped(
        Role::Text,
        &store.text("domains-active-how"),
        width,
    ));
    let text = store
        .render_cx()
        .with_key("domains-way-out", Action::Charges);
    lines.extend(wrapped(Role::Text, &text, width));
    lines
}

/// Lays out what the list contains although no setting of the API contract reads it: the state of
/// the domains, and further pages.
fn unread_lines(store: &Store, width: usize) -> Vec<Line> {
    let Some(listed) = &store.domains.listed else {
        return vec![];
    };
    let is_state_unread = listed
        .iter()
        .any(|domain| domain.state == DomainState::Unread);
    let unread = [
        (listed.has_more_pages, "domains-more-pages"),
        (is_state_unread, "domains-state-unread"),
    ];
    let mut lines = Vec::new();
    for (_, id) in unread.into_iter().filter(|(is_unread, _)| *is_unread) {
        let text = store.render_cx().with_key(id, Action::Teach);
        lines.extend(wrapped(Role::Warn, &text, width));
        lines.push(Line::default());
    }
    lines
}
