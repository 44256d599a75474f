//! The payment links pane. The form for a new link and the details screen are in submodules.

mod details;
mod new;
mod strip;

pub use details::LinkDetails;
use details::{draw_details, qr_url};
pub use new::NewLink;

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, ListAccess, Screen, ScreenBody, ScreenEvent, ScreenLinks};
use crate::app::store::links::{self, LinksState, without_history};
use crate::app::store::payable::{Payable, PayableUse, use_payable};
use crate::app::store::{paid, payable_warnings, requests, sales};
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list::{ListLine, ShownRows};
use crate::app::ui::list_pane::{self, Look};
use crate::app::ui::parts::{self, put};
use crate::app::ui::table::{self, Column};
use crate::app::ui::text::{break_word, columns, first_fitting, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, symbols};
use crate::app::{Msg, Pane, Store};
use crate::trade::{
    DomainChoice, LinkFilter, LinkOutcome, LinkTotals, Money, Paid, PaymentLink, Sale, Untrusted,
};
use crate::words::{Catalogue, dates, names};

#[derive(Debug, Clone, Copy)]
pub struct LinksPane;

/// Returns the actions that are offered for a payment link, both in the list and on its details
/// screen.
fn link_actions(store: &Store, link: &PaymentLink) -> Vec<Action> {
    let mut offered = match link.outcome {
        LinkOutcome::Created { .. } => {
            vec![Action::Copy, Action::CopyMessage, Action::Browse, Action::Qr, Action::Share]
        }
        _ => vec![],
    };
    offered.extend(sales::actions(store, &Sale::Link(link.clone())));
    offered
}

/// Runs an action on a payment link, both in the list and on its details screen.
fn act_on(cx: &mut Cx, link: &PaymentLink, action: Action) {
    let payable = Payable::of_link(cx.store, link);
    match action {
        Action::Repeat => cx.open(Route::NewLink(Some(Box::new(link.clone())))),
        Action::Copy => use_payable(cx, payable, PayableUse::Copy),
        Action::CopyMessage => use_payable(cx, payable, PayableUse::Message),
        Action::Browse => use_payable(cx, payable, PayableUse::Browser),
        Action::Qr => use_payable(cx, payable, PayableUse::Qr),
        Action::Share => use_payable(cx, payable, PayableUse::WhatsApp),
        Action::Related => requests::show_of_link(cx, link),
        action => sales::act(cx, Sale::Link(link.clone()), action),
    }
}

impl Screen for LinksPane {
    fn info(&self) -> Info {
        Info::list("links", Pane::Links)
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let needs = store.setup.contract.create_link.call.credential;
        let url = store.links.list.selected().and_then(PaymentLink::url);
        ScreenLinks { needs, url, ..ScreenLinks::default() }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let areas = areas(store, area);
        let list = &store.links.list;
        let field = list.field(false);
        let search_width = if field.is_idle() {
            columns(&words.text("search-hint")) + 6
        } else {
            SEARCH_TEXT_WIDTH
        };
        let count = count_text(store, words, usize::from(area.width).saturating_sub(search_width));
        field.draw(words, &count, areas.top, page);
        let strip_height = areas.list.y.saturating_sub(areas.top.bottom());
        let strip = Area { y: areas.top.bottom(), height: strip_height, ..areas.list };
        strip::draw(store, strip, page);
        if list.is_empty() {
            draw_empty_list(store, words, areas.list, page);
            return;
        }
        let Some(rows) = self.rows(store, area) else { return };
        let heading = |line, width| match line {
            ListLine::Day(day) => day_heading(store, day, width),
            _ => Line::default(),
        };
        let highlight =
            |link: &PaymentLink| paid::is_highlighted(store, link.url()).then_some(Role::Badge);
        table::put_list(store, (list, &COLUMNS), rows, (heading, highlight), page);
        let Some(selected) = list.selected() else { return };
        if let Some(aside) = areas.aside {
            draw_details(store, selected, (aside, Look::Beside), page);
        } else if areas.below.height > 0 {
            draw_url(words, selected, areas.below, page);
        }
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let (row, filter) = (store.links.list.selected(), &store.links.filter);
        let mut offered = vec![Action::New];
        offered.extend(store.links.is_narrowed().then_some(Action::Back));
        if let Some(link) = row {
            offered.extend([Action::Open, Action::Repeat]);
            offered.extend(link_actions(store, link));
        }
        let (paid, day, domain) = (filter.paid, filter.day, &filter.domain);
        offered.extend((row.is_some() || paid.is_some()).then_some(Action::FilterPaid));
        offered.extend((row.is_some() || day.is_some()).then_some(Action::FilterDay));
        offered.extend((row.is_some() || domain.is_some()).then_some(Action::FilterDomain));
        offered.extend([Action::Search, Action::Refresh]);
        offered.extend(row.map(|_| Action::Related));
        let actions = sales::label_actions(offered, row.is_some_and(|link| link.paid.is_some()));
        if store.links.is_narrowed() { actions.word(Action::Back, "clear") } else { actions }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, cx.store.links.list.selected().cloned()) {
            (Action::New, _) => cx.open(Route::NewLink(None)),
            (Action::Refresh, _) => links::reload(cx),
            (Action::FilterPaid, _) => links::filter_by_mark(cx),
            (Action::FilterDay, link) => links::filter_by_day(cx, link.as_ref()),
            (Action::FilterDomain, link) => links::filter_by_domain(cx, link.as_ref()),
            (Action::Open, Some(link)) => cx.open(Route::Link(Box::new(link))),
            (action, Some(link)) => act_on(cx, &link, action),
            (_, None) => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::List(ListAccess {
            get: |store| &store.links.list,
            get_mut: |store| &mut store.links.list,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Load => links::reload(cx),
            ScreenEvent::FilterCleared => links::show_all(cx),
            ScreenEvent::Message(Msg::HistoryChanged) => {
                links::reload(cx);
                cx.store.links.list.keeps_row = true;
            }
            _ => return false,
        }
        true
    }

    fn rows(&self, store: &Store, area: Area) -> Option<ShownRows> {
        let day = |link: &PaymentLink| ListLine::Day(link.at.local_day(store.setup.utc_offset_s));
        Some(store.links.list.shown(areas(store, area).list, day))
    }

    fn qr_text<'s>(&'s self, store: &'s Store) -> Option<&'s Untrusted> {
        areas(store, store.areas(store.size)?.body).aside?;
        qr_url(store, store.links.list.selected()?)
    }
}

/// The number of columns reserved for the search text beside the link count.
const SEARCH_TEXT_WIDTH: usize = 18;

/// Returns the areas of the pane, with room for the strip of totals above the list.
fn areas(store: &Store, body: Area) -> PaneAreas {
    let areas = geometry::pane(body, 1, |rest| if rest > 6 { 2 } else { 0 });
    let list = areas.list.split_top(strip::rows(store, areas.list)).1;
    PaneAreas { list, ..areas }
}

/// Returns the text above the list, shortened to `room` columns: the active filters, the number of
/// links and, in a filtered list, their sums.
///
/// While the links are being counted, the previous numbers are shown and marked as old.
fn count_text(store: &Store, words: &Catalogue, room: usize) -> String {
    let links = &store.links;
    let last_totals = links.last_totals.as_ref();
    let is_counting = links.list.page.total.is_none();
    let outdated_totals = last_totals.filter(|last_totals| is_counting && last_totals.total > 0);
    let count_text = match outdated_totals {
        Some(last_totals) => {
            format!(
                "{} {}",
                list_pane::UNCOUNTED,
                words.count("links-count", last_totals.total, &[])
            )
        }
        None => list_pane::count(words, &links.list, "links-count"),
    };
    let shown_count = Some(count_text).filter(|count| !count.is_empty());
    let totals =
        outdated_totals.or(links.totals()).filter(|_| links.is_narrowed() && shown_count.is_some());
    let sums = totals.map(|totals| sum_texts(words, totals, links)).unwrap_or_default();
    let sum: Vec<_> = sums.iter().take(1).cloned().collect();
    let count: Vec<_> = shown_count.into_iter().collect();
    let filters = filter_names(store, words);
    // Filter names are long, so the shorter variants show only the number of filters.
    let filter_count: Vec<_> = match filters.len() {
        0 => vec![],
        several => vec![words.count("links-filters", several as u64, &[])],
    };
    // The variants of the text, longest first. If the sum and the count do not both fit, the sum is
    // shown because it is more useful.
    let variants: [&[&[String]]; 7] = [
        &[&filters, &count, &sums],
        &[&filters, &count, &sum],
        &[&filters, &sum],
        &[&filter_count, &count, &sums],
        &[&filter_count, &count, &sum],
        &[&filter_count, &sum],
        &[&filter_count, &count],
    ];
    // Build the variants lazily, because usually the first variant fits.
    let texts = variants.iter().map(|parts| parts.concat().join(" · "));
    first_fitting(texts.filter(|text| !text.is_empty()), room).into()
}

/// Returns a short description of each active filter.
fn filter_names(store: &Store, words: &Catalogue) -> Vec<String> {
    let LinkFilter { paid, day, domain } = &store.links.filter;
    let id = |paid| if paid { "links-filter-paid" } else { "links-filter-unpaid" };
    let paid = paid.map(|paid| words.text(id(paid)));
    let day = day.map(|day| {
        let today = store.now.wall.local_day(store.setup.utc_offset_s);
        words.with("links-filter-day", &[("day", &dates::day(words, today, day))])
    });
    let domain = domain.as_ref().map(|domain| {
        let name = match domain {
            DomainChoice::Automatic => words.text("links-automatic"),
            DomainChoice::Named(host) => host.shown_within(SEARCH_TEXT_WIDTH * 2),
        };
        words.with("links-filter-domain", &[("domain", &name)])
    });
    [paid, day, domain].into_iter().flatten().collect()
}

/// Returns up to two texts: the sum of all listed links, and the sum of the paid links.
///
/// A link that the service did not create is not part of a sum. If the list contains such links,
/// the text also gives the number of created links.
fn sum_texts(words: &Catalogue, totals: &LinkTotals, links: &LinksState) -> Vec<String> {
    let Some(totals_by_mark) = &totals.found else { return vec![] };
    let Some(sum) = totals_by_mark.paid.sum.checked_add(totals_by_mark.unpaid.sum) else {
        return vec![];
    };
    let created_count = totals_by_mark.paid.count + totals_by_mark.unpaid.count;
    let sum = words.with("links-sum", &[("sum", &sum.to_string())]);
    let sum = match created_count == links.list.page.total.unwrap_or(totals.total) {
        true => sum,
        false => format!("{}, {sum}", words.count("links-made", created_count, &[])),
    };
    let paid = (links.filter.paid.is_none() && totals_by_mark.paid.count > 0)
        .then(|| paid_sum_text(words, totals_by_mark.paid.sum));
    std::iter::once(sum).chain(paid).collect()
}

fn paid_sum_text(words: &Catalogue, sum: Money) -> String {
    words.with("links-sum-paid", &[("sum", &sum.to_string())])
}

/// The minimum list width, in columns, for a separate domain column.
const MIN_WIDE_LIST: usize = 97;

/// The minimum number of columns that keep a domain name recognizable.
const MIN_DOMAIN_WIDTH: usize = 22;

/// The columns of the list: time, amount, description and state. A narrow list shows the domain in
/// place of an empty state.
const COLUMNS: [Column<Store, PaymentLink>; 6] = [
    Column::new(3, &[|store, link, _| Span::of(Role::Dim, store.render_cx().time(link.at))]),
    Column {
        padded_width: 11,
        is_right: true,
        ..Column::new(0, &[|_, link, _| Span::of(Role::Money, link.request.amount.text())])
    },
    Column { gap: 3, min_width: 12, fills: true, ..Column::new(2, &[description]) },
    Column {
        min_width: 14,
        widths: 0..MIN_WIDE_LIST,
        ..Column::new(1, &[state_or_domain, short_state])
    },
    Column {
        min_width: MIN_DOMAIN_WIDTH,
        widths: MIN_WIDE_LIST..usize::MAX,
        ..Column::new(4, &[domain])
    },
    Column { widths: MIN_WIDE_LIST..usize::MAX, ..Column::new(1, &[state]) },
];

fn description(_: &Store, link: &PaymentLink, _: usize) -> Span {
    Span::of(Role::Text, Untrusted::shown_of(&link.request.description))
}

fn domain(store: &Store, link: &PaymentLink, room: usize) -> Span {
    Span::of(Role::Dim, fit(&names::link_domain(store.words(), link), room))
}

fn state_or_domain(store: &Store, link: &PaymentLink, room: usize) -> Span {
    match state_text_id(store, link) {
        Some(_) => state(store, link, room),
        None => domain(store, link, room.min(MIN_DOMAIN_WIDTH)),
    }
}

fn short_state(store: &Store, link: &PaymentLink, room: usize) -> Span {
    match state_text_id(store, link) {
        Some((id @ ("links-paid" | "links-marked"), role)) => {
            Span::of(role, store.text(&format!("{id}.short")))
        }
        _ => state_or_domain(store, link, room),
    }
}

fn state(store: &Store, link: &PaymentLink, _: usize) -> Span {
    let state = state_text_id(store, link);
    state.map_or(Span::plain(""), |(id, role)| Span::of(role, store.text(id)))
}

/// Returns the text id and the style of a link's state. Returns `None` for a created link without a
/// payment or a paid mark.
fn state_text_id(store: &Store, link: &PaymentLink) -> Option<(&'static str, Role)> {
    if store.unsaved.links.has(link) {
        return Some(("links-not-saved", symbols::CHECK.role));
    }
    if let Some(Paid { source, .. }) = link.paid {
        return Some((names::paid_message(source), paid::role(store, link.url())));
    }
    let id = match &link.outcome {
        LinkOutcome::Created { .. } => return None,
        LinkOutcome::Unknown => "links-unknown",
        LinkOutcome::Refused(_) => "links-refused",
        LinkOutcome::NotSent => "links-not-sent",
    };
    Some((id, symbols::link(&link.outcome)?.role))
}

/// Lays out the heading of one day: its name, the number and sum of its links, and the paid part.
/// The numbers are left out until they have been counted.
///
/// The paid part is highlighted right after one of the day's links is paid.
fn day_heading(store: &Store, day: i64, width: usize) -> Line {
    let render = store.render_cx();
    let (total, paid) = day_totals(store, day).unwrap_or_default();
    let paid = if paid.is_empty() { paid } else { format!("  {paid}") };
    let room = width.saturating_sub(columns(&paid));
    if paid.is_empty() || columns(&render.day(day)) + 2 + columns(&total) > room {
        return list_pane::day(render, day, &total, width);
    }
    let mut line = list_pane::day(render, day, &total, room);
    let is_highlighted = paid::is_day_highlighted(store, day);
    line.push(Span::of(if is_highlighted { Role::Badge } else { Role::Good }, paid));
    line
}

/// Returns the number and sum of the links of one day, and the part of the sum that was paid.
///
/// Returns `None` in a filtered list, where the day's total could be mistaken for the total of the
/// listed links.
fn day_totals(store: &Store, day: i64) -> Option<(String, String)> {
    if store.links.is_narrowed() {
        return None;
    }
    let offset = store.setup.utc_offset_s;
    let days = store.links.totals().map_or(&[][..], |totals| &totals.days);
    let total = days.iter().find(|total| total.starts.local_day(offset) == day)?;
    let count = store.words().count("links-made", total.count, &[]);
    let paid = (total.paid > Money::ZERO).then(|| paid_sum_text(store.words(), total.paid));
    Some(([&count, "   ", &total.sum.text()].concat(), paid.unwrap_or_default()))
}

/// Draws the URL of the link under the cursor. A long URL uses both rows without margins, so that
/// it can be selected with the mouse.
fn draw_url(words: &Catalogue, link: &PaymentLink, area: Area, page: &mut Page) {
    let width = usize::from(area.width);
    let (text, role) = match link.url() {
        Some(url) => (
            Untrusted::without_masking(|| payable_warnings::mark_unsafe_characters(url).shown()),
            Role::Accent,
        ),
        None => (words.text(missing_url_id(link)), Role::Dim),
    };
    if columns(&text) + 1 < width || area.height < 2 {
        let (rule, line) = area.split_bottom(1);
        if rule.height > 0 {
            parts::rule(rule.row(0), page);
        }
        let text = fit(&text, width.saturating_sub(2));
        put(vec![Line::of(role, format!(" {text}"))], line, page);
        return;
    }
    let width = width.saturating_sub(1);
    let first = break_word(&text, width).first().copied().unwrap_or_default();
    let rest = fit(&text[first.len()..], width);
    put(vec![Line::of(role, first), Line::of(role, rest)], area, page);
}

fn missing_url_id(link: &PaymentLink) -> &'static str {
    match link.outcome {
        LinkOutcome::Refused(_) => "links-no-url-refused",
        LinkOutcome::NotSent => "links-no-url-not-sent",
        LinkOutcome::Unknown | LinkOutcome::Created { .. } => "links-no-url-unknown",
    }
}

fn draw_empty_list(store: &Store, words: &Catalogue, area: Area, page: &mut Page) {
    let (list, filter) = (&store.links.list, &store.links.filter);
    let lines = |width| {
        if list.is_reading() {
            let trouble = store.history_trouble.as_ref();
            return list_pane::not_loaded(words, trouble, without_history(store), width);
        }
        let filters = filter_names(store, words);
        let id = match filters.is_empty() {
            true => "links-none-found",
            false => "links-none-found-filtered",
        };
        if let Some(lines) = list_pane::none_found(words, (list, false), id, width) {
            return lines;
        }
        if filter.day.is_some() || filter.domain.is_some() {
            let key = store.render_cx().first_key(Action::Back);
            let values = [("filters", &*filters.join(" · ")), ("key", key)];
            return parts::wrapped(Role::Text, &words.with("links-none-filtered", &values), width);
        }
        if let Some(paid) = filter.paid {
            let id = if paid { "links-none-paid" } else { "links-none-unpaid" };
            let message = store.render_cx().with_key(id, Action::FilterPaid);
            return parts::wrapped(Role::Text, &message, width);
        }
        if let Some(lost) = &store.lost_history {
            return list_pane::lost_history(words, lost, width);
        }
        let message_ids = ["links-empty-title", "links-empty-hint", "links-empty-key"];
        list_pane::invitation(store.render_cx(), message_ids, Some(Action::New), width)
    };
    list_pane::put_empty_list(area, lines, page);
}
