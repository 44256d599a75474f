//! The payment links: what their pane and their details show. The form for a new link and the strip
//! of totals are in submodules.

mod new;
mod note;
mod strip;

pub use new::NewLink;
pub use note::NoteForm;

use compact_str::CompactStringExt;

use crate::app::Store;
use crate::app::screen::sales::{SaleScreen, SaleTexts, description, offered_actions};
use crate::app::store::payable::Payable;
use crate::app::store::sales::SaleKind;
use crate::app::store::{paid, payable_warnings, share_hint};
use crate::app::ui::geometry::{self, PaneAreas};
use crate::app::ui::list_pane::{self, in_full, named_pair, not_copied};
use crate::app::ui::parts::{self, paragraph, point, put};
use crate::app::ui::table::{Column, Heading, MIN_WIDE_LIST, TEXT_GAP, dim_after_sign};
use crate::app::ui::text::{break_word, columns, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span, symbols};
use crate::trade::{
    CreatedLink, DayTotal, DomainChoice, LinkFilter, LinkRequest, Money, Outcome, Paid, PaidSource,
    PaymentLink, Untrusted,
};
use crate::words::{Catalogue, dates, names, personal};

impl SaleScreen for LinkRequest {
    const TEXTS: SaleTexts = SaleTexts {
        names: ["links", "link"],
        is_personal: false,
        none_found: ["links-none-found", "links-none-found-filtered"],
        empty: ["links-empty-title", "links-empty-hint", "links-empty-key"],
        title: "link-title",
        times: ["link-made", "link-asked"],
        unknown: "link-unknown",
        not_sent: "link-not-sent",
        refused: "link-refused",
    };

    const USES: &'static [Action] = &[
        Action::Copy,
        Action::CopyMessage,
        Action::Browse,
        Action::Qr,
        Action::Share,
    ];

    const WORDS: &'static [(Action, &'static str)] =
        &[(Action::Back, "clear"), (Action::Save, "list")];

    const RARE_ACTIONS: &'static [Action] = &[Action::Report, Action::Import, Action::Reconcile];

    /// The columns of the list: time, amount, description, note, unusual site and state. A narrow
    /// list shows the note or the site after the description.
    const COLUMNS: &'static [Column<Store, PaymentLink>] = &[
        Column::new(
            3,
            &[|store, link, _| Span::of(Role::Dim, store.render_cx().time(link.at))],
        ),
        Column {
            padded_width: 12,
            is_right: true,
            ..Column::new(
                0,
                &[|_, link, _| Span::of(Role::Text, link.request.amount.text())],
            )
        },
        Column {
            gap: TEXT_GAP,
            min_width: 12,
            fills: true,
            widths: 0..MIN_WIDE_LIST,
            ..Column::new(2, &[description_and_more])
        },
        Column {
            gap: TEXT_GAP,
            min_width: 12,
            fills: true,
            widths: MIN_WIDE_LIST..usize::MAX,
            ..Column::new(2, &[description])
        },
        Column {
            min_width: MIN_NOTE_WIDTH,
            widths: MIN_WIDE_LIST..usize::MAX,
            ..Column::new(5, &[note_text])
        },
        Column {
            min_width: MIN_SITE_WIDTH,
            widths: MIN_WIDE_LIST..usize::MAX,
            ..Column::new(4, &[site])
        },
        Column {
            min_width: 14,
            ..Column::new(1, &[state, short_state])
        },
    ];

    /// The areas of the pane, with room for the strip of totals above the list.
    fn areas(store: &Store, body: Area) -> PaneAreas {
        let areas = geometry::pane(body, 1, |rest| if rest > 6 { 2 } else { 0 });
        let list = areas.list.split_top(strip::rows(store, areas.list)).1;
        PaneAreas { list, ..areas }
    }

    fn draw_head(store: &Store, areas: &PaneAreas, page: &mut Page) {
        let words = store.words();
        let field = store.links.list.field(false);
        let search_width = if field.is_idle() {
            columns(&words.text("search-hint")) + 6
        } else {
            list_pane::SEARCH_TEXT_WIDTH
        };
        let width = usize::from(areas.top.width);
        let count = count_text(store, words, width.saturating_sub(search_width));
        field.draw(words, &count, areas.top, page);
        let strip_height = areas.list.y.saturating_sub(areas.top.bottom());
        let strip = Area {
            y: areas.top.bottom(),
            height: strip_height,
            ..areas.list
        };
        strip::draw(store, strip, page);
    }

    /// Lays out the heading of one day: its name and, under the columns of the rows, the sum of
    /// its links, their number and the paid part. The figures are left out until they have been
    /// counted.
    ///
    /// The paid part is highlighted right after one of the day's links is paid.
    fn day_heading(store: &Store, day: i64) -> Heading {
        let heading = list_pane::day(store.render_cx(), day);
        let Some(total) = day_total(store, day) else {
            return heading;
        };
        let words = store.words();
        let is_all_paid = total.paid == total.sum;
        let sum_role = if is_all_paid { Role::Dim } else { Role::Text };
        Heading {
            sum: Some(Span::of(sum_role, total.sum.text())),
            count: words.count("links-made", total.count, &[]).into(),
            end: day_paid_line(store, day, total),
            ..heading
        }
    }

    /// If no link of the account is marked as paid, a missing mark means nothing.
    fn is_prominent(store: &Store, link: &PaymentLink) -> bool {
        let account = &link.request.account;
        let totals = store.links.last_totals.as_ref();
        totals.is_some_and(|totals| totals.marking_accounts.contains(account))
    }

    fn draw_below(store: &Store, link: &PaymentLink, area: Area, page: &mut Page) {
        if area.height > 0 {
            draw_url(store.words(), link, area, page);
        }
    }

    fn filtered_text(store: &Store, width: usize) -> Option<Vec<Line>> {
        let words = store.words();
        let filter = &store.links.filter;
        let names = filter_names(store, words);
        let is_narrow =
            filter.day.is_some() || filter.domain.is_some() || filter.newest_batch.is_some();
        if is_narrow || names.len() > 1 {
            let filters = names.join(" · ");
            let key = store.render_cx().first_key(Action::Back);
            let values = [("filters", &*filters), ("key", key)];
            let text = words.with("links-none-filtered", &values);
            return Some(parts::wrapped(Role::Text, &text, width));
        }
        if filter.put_away {
            let key = Action::FilterPutAway;
            let message = store.render_cx().with_key("links-none-put-away", key);
            return Some(parts::wrapped(Role::Text, &message, width));
        }
        let id = if filter.paid? {
            "links-none-paid"
        } else {
            "links-none-unpaid"
        };
        let message = store.render_cx().with_key(id, Action::FilterPaid);
        Some(parts::wrapped(Role::Text, &message, width))
    }

    fn pane_actions(store: &Store, link: Option<&PaymentLink>) -> Vec<Action> {
        let mut offered = vec![Action::New];
        offered.extend(store.links.is_narrowed().then_some(Action::Back));
        if let Some(link) = link {
            offered.extend([Action::Open, Action::Repeat]);
            offered.extend(offered_actions(store, link));
        }
        let LinkFilter {
            paid,
            day,
            domain,
            newest_batch,
            ..
        } = &store.links.filter;
        offered.extend((link.is_some() || paid.is_some()).then_some(Action::FilterPaid));
        offered.extend((link.is_some() || day.is_some()).then_some(Action::FilterDay));
        offered.extend((link.is_some() || domain.is_some()).then_some(Action::FilterDomain));
        // Also if the list is empty, because all links may be put away.
        offered.push(Action::FilterPutAway);
        let has_batch = link.is_some() || newest_batch.is_some();
        offered.extend(has_batch.then_some(Action::FilterBatch));
        offered
    }

    fn request_lines(store: &Store, link: &PaymentLink, width: usize) -> Vec<Line> {
        let words = store.words();
        let domain = names::link_domain(words, link);
        let mut lines = named_pair(words, "link-domain", &domain, width);
        if let Some(note) = &link.note {
            let note = personal::note(words, note).shown();
            lines.extend(named_pair(words, "link-note", &note, width));
        }
        lines
    }

    /// Lays out the details of a created link: the URL's host, the warnings about the URL, and
    /// whether the link was paid.
    fn created_lines(
        store: &Store,
        link: &PaymentLink,
        CreatedLink { url }: &CreatedLink,
        width: usize,
    ) -> Vec<Line> {
        let words = store.words();
        let paragraph_of = |role, id: &str| paragraph(role, &words.text(id), width);
        let host =
            payable_warnings::host(url).unwrap_or_else(|| words.text("link-host-unreadable"));
        let mut lines = named_pair(words, "link-host", &Untrusted::from(host).shown(), width);
        if let Some(warning) = share_hint::local_only_warning(store, words, url) {
            lines.extend(paragraph(Role::Text, &warning, width));
        }
        if store.links.unsaved.has(link) {
            lines.extend(paragraph_of(Role::Bad, "link-not-saved"));
        }
        let ids = ["link-not-clean", "link-too-long", "link-masked"];
        lines.extend(not_copied(words, url, ids, width));
        let warnings = payable_warnings::url_warnings(store, link);
        if !warnings.is_empty() {
            lines.extend([
                Line::default(),
                symbols::CHECK.span(words.text("oddity-title")).into(),
            ]);
        }
        for warning in warnings {
            lines.extend(point(Role::Warn, &warning.describe(words, url), width));
        }
        if let Some(since) = link.put_away {
            let when = store.render_cx().moment(since);
            let text = words.with("link-put-away", &[("when", &when)]);
            lines.extend(paragraph(Role::Text, &text, width));
        }
        match link.paid {
            None => {
                let id = if paid::is_awaited(store, link) {
                    "link-paid-says"
                } else {
                    "link-never-paid"
                };
                lines.extend(paragraph_of(Role::Dim, id));
            }
            Some(paid) if paid.source != PaidSource::Sandbox => {
                lines.extend(paragraph(
                    Role::Good,
                    &paid::mark_text(store, paid, link.authors.paid.as_ref()),
                    width,
                ));
            }
            Some(_) => {
                lines.push(Line::default());
                lines.push(Line::of(
                    paid::role(store, Some(url)),
                    paid::state_text(store, Some(url), "links-paid"),
                ));
                lines.extend(paragraph_of(Role::Dim, "link-paid-says"));
            }
        }
        lines
    }

    fn payable_lines(store: &Store, link: &PaymentLink, width: u16) -> Vec<Line> {
        let Some(payable) = Payable::of(store, link) else {
            return vec![];
        };
        let link = payable.link(store);
        let url = payable_warnings::mark_unsafe_characters(&payable.code.text);
        let lines = in_full(&url, width).into_iter();
        lines.map(|line| line.linked(link.as_ref())).collect()
    }
}

/// The text above the list, shortened to `room` columns: what was read in the search text, the
/// active filters, the number of links and, in a filtered list, their sums.
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
    let totals = outdated_totals
        .or(links.totals())
        .filter(|_| links.is_narrowed() && shown_count.is_some());
    let sums = totals
        .and_then(|totals| {
            let count = links.list.page.total.unwrap_or(totals.total);
            let shows_paid = links.filter.paid.is_none();
            let found = totals.found.as_ref()?;
            Some(list_pane::sum_texts(
                words,
                "links-made",
                found,
                count,
                shows_paid,
            ))
        })
        .unwrap_or_default();
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
    let (with_sums, without_sums) = variants.split_at(variants.len() - 1);
    let groups = [with_sums, without_sums].map(|variants| {
        let texts = variants.iter().map(|parts| parts.concat().join(" · "));
        texts.filter(|text| !text.is_empty())
    });
    list_pane::with_reading(store.render_cx(), &links.list.reading, groups, room).into()
}

/// A short description of each active filter.
fn filter_names(store: &Store, words: &Catalogue) -> Vec<String> {
    let LinkFilter {
        paid,
        day,
        domain,
        put_away,
        newest_batch,
    } = &store.links.filter;
    let put_away = put_away.then(|| words.text("links-filter-put-away"));
    let paid = paid.map(|paid| {
        words.text(if paid {
            "links-filter-paid"
        } else {
            "links-filter-unpaid"
        })
    });
    let day = day.map(|day| {
        let today = store.now.wall.local_day(store.setup.utc_offset_s);
        words.with(
            "links-filter-day",
            &[("day", &dates::day(words, today, day))],
        )
    });
    let domain = domain.as_ref().map(|domain| {
        let name = match domain {
            DomainChoice::Automatic => words.text("links-automatic"),
            DomainChoice::Named(host) => host.shown_within(list_pane::SEARCH_TEXT_WIDTH * 2),
        };
        words.with("links-filter-domain", &[("domain", &name)])
    });
    let batch = newest_batch
        .as_ref()
        .map(|_| words.text("links-filter-batch"));
    [put_away, paid, day, domain, batch]
        .into_iter()
        .flatten()
        .collect()
}

fn paid_sum_text(words: &Catalogue, sum: Money) -> String {
    words.with("links-sum-paid", &[("sum", &sum.to_string())])
}

/// The minimum number of columns for a useful part of a note.
const MIN_NOTE_WIDTH: usize = 12;

/// The minimum number of columns that keep a domain name recognizable.
const MIN_SITE_WIDTH: usize = 22;

/// The minimum number of columns of a domain name after a description. With less room, only the
/// details show it.
const MIN_CUT_SITE_WIDTH: usize = 8;

const SEPARATOR: &str = " · ";

/// The host of a link's URL if it is not the usual one of the day.
fn unusual_site(store: &Store, link: &PaymentLink) -> Option<String> {
    let day = link.at.local_day(store.setup.utc_offset_s);
    let usual_site = store.links.usual_sites.get(&day)?;
    let site = LinkRequest::site(link).filter(|site| site != usual_site)?;
    Some(Untrusted::from(site).shown())
}

fn note_text(store: &Store, link: &PaymentLink, room: usize) -> Span {
    let note = link.note.as_deref().unwrap_or_default();
    let note = personal::note(store.words(), note);
    Span::of(Role::Dim, note.shown_within(room))
}

fn site(store: &Store, link: &PaymentLink, room: usize) -> Span {
    let site = unusual_site(store, link).unwrap_or_default();
    Span::of(Role::Dim, fit(&site, room))
}

/// The description, followed by the note if there is one, or else by the site.
fn description_and_more(store: &Store, link: &PaymentLink, room: usize) -> Span {
    let description = description(store, link, room);
    let used_width = description.width() + columns(SEPARATOR);
    if link.note.is_some() && used_width.saturating_add(MIN_NOTE_WIDTH) <= room {
        let note = note_text(store, link, room - used_width).text;
        let text = [&description.text, SEPARATOR, &note].concat_compact();
        return Span::of(Role::Text, text);
    }
    match unusual_site(store, link) {
        Some(site) if used_width.saturating_add(MIN_CUT_SITE_WIDTH) <= room => Span::of(
            Role::Text,
            [&description.text, SEPARATOR, &site].concat_compact(),
        ),
        _ => description,
    }
}

fn short_state(store: &Store, link: &PaymentLink, room: usize) -> Span {
    match state_text_id(store, link) {
        Some((id @ ("links-paid" | "links-marked" | "links-awaited"), role)) => {
            let id = format!("{id}.short");
            Span::of(role, paid::state_text(store, link.url(), &id))
        }
        _ => state(store, link, room),
    }
}

fn state(store: &Store, link: &PaymentLink, _: usize) -> Span {
    let state = state_text_id(store, link);
    state.map_or(Span::plain(""), |(id, role)| {
        Span::of(role, paid::state_text(store, link.url(), id))
    })
}

/// The text id and the style of a link's state. Returns `None` if it is not known whether a created
/// link was paid.
fn state_text_id(store: &Store, link: &PaymentLink) -> Option<(&'static str, Role)> {
    if store.links.unsaved.has(link) {
        return Some(("links-not-saved", symbols::CHECK.role));
    }
    if let Some(Paid { source, .. }) = link.paid {
        return Some((names::paid_message(source), paid::role(store, link.url())));
    }
    if paid::is_awaited(store, link) {
        return Some(("links-awaited", Role::Text));
    }
    Some((
        names::outcome_message(link)?,
        symbols::outcome(&link.outcome)?.role,
    ))
}

/// The totals of the links of one day.
///
/// Returns `None` in a filtered list, where the day's total could be mistaken for the total of the
/// listed links.
fn day_total(store: &Store, day: i64) -> Option<&DayTotal> {
    if store.links.is_narrowed() {
        return None;
    }
    let offset = store.setup.utc_offset_s;
    let mut days = store.links.totals()?.days.iter();
    days.find(|total| total.starts.local_day(offset) == day)
}

fn day_paid_line(store: &Store, day: i64, total: &DayTotal) -> Line {
    if total.paid == Money::ZERO {
        return Line::default();
    }
    let words = store.words();
    let text = if total.paid == total.sum {
        words.text("links-day-paid")
    } else {
        paid_sum_text(words, total.paid)
    };
    if paid::is_day_highlighted(store, day) {
        return Line::of(Role::Badge, text);
    }
    dim_after_sign(Span::of(Role::Good, text)).to_vec().into()
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
    let first = break_word(&text, width)
        .first()
        .copied()
        .unwrap_or_default();
    let rest = fit(&text[first.len()..], width);
    put(
        vec![Line::of(role, first), Line::of(role, rest)],
        area,
        page,
    );
}

fn missing_url_id(link: &PaymentLink) -> &'static str {
    match link.outcome {
        Outcome::Refused(_) => "links-no-url-refused",
        Outcome::NotSent => "links-no-url-not-sent",
        Outcome::Unknown | Outcome::Created(_) => "links-no-url-unknown",
    }
}
