//! The layout of the report: figures beside those of the period before, bars, and the largest
//! domains and descriptions.

use super::Report;
use crate::app::Store;
use crate::app::ui::bars::{BAR_CHARACTERS, bar_height, bar_spans};
use crate::app::ui::block::Block;
use crate::app::ui::form::Form;
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{align_right, columns, exactly, fit};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::trade::report::{SaleFigures, SalesReport, TextGroup, WithdrawalFigures};
use crate::trade::{JournalTrouble, LinksTotal, Money, Untrusted};
use crate::words::{Catalogue, dates, failure};

/// The width of a sum, such as `R$ 999.999.999,99`, with a space before it.
const SUM_WIDTH: usize = 19;
const COUNT_WIDTH: usize = 7;

/// The maximum width of a bar. There is one column between two bars.
const MAX_BAR_WIDTH: usize = 3;

pub fn draw_form(store: &Store, form: &Form, is_wrong: bool, area: Area, page: &mut Page) {
    let words = store.words();
    let (id, role) = if is_wrong {
        ("report-period-wrong", Role::Warn)
    } else {
        ("report-period-hint", Role::Dim)
    };
    let lines = wrapped(role, &words.text(id), form_page::inner_width(area));
    let form = FormPage::new(words, ["report-title", "report-period-submit"], form);
    FormPage {
        below: vec![Block::new(lines)],
        ..form
    }
    .draw(words, area, page);
}

impl Report {
    pub(super) fn draw(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let today = store.now.wall.local_day(store.setup.utc_offset_s);
        let days = Line::of(Role::Strong, dates::days(words, today, self.days));
        let (head, rest) = area.split_top(2);
        title(&words.text("report-title"), days, head, page);
        let rest = rest.narrowed(1);
        let lines = self.lines(store, usize::from(rest.width));
        Text::compact(lines, rest).draw(store.render_cx(), page);
    }

    fn lines(&self, store: &Store, width: usize) -> Vec<Line> {
        let words = store.words();
        let mut lines = vec![];
        if self.wait.is_some() {
            lines.push(Line::of(Role::Dim, words.text("report-wait")));
        }
        let [sales_trouble, withdrawals_trouble] = &self.troubles;
        if let Some(trouble) = sales_trouble {
            lines.extend(wrapped(
                Role::Warn,
                &failure::history(words, trouble).0,
                width,
            ));
        }
        let sales = self.shown_sales();
        let withdrawals = self.shown_withdrawals();
        if sales.is_some() || withdrawals.is_some() {
            lines.push(heading(words, width));
        }
        if let Some(sales) = sales {
            lines.extend(sale_lines(words, "links", &sales.links, width));
            lines.extend(sale_lines(words, "charges", &sales.charges, width));
        }
        if let Some(figures) = withdrawals {
            lines.extend(withdrawal_lines(words, figures, width));
        }
        if let Some(trouble) = withdrawals_trouble {
            lines.extend(journal_trouble(words, trouble, width));
        }
        let figures = withdrawals.map(|figures| &figures[0]);
        lines.extend(beside_lines(words, sales, figures, width));
        if let Some(sales) = sales {
            lines.extend(bars(store, sales, width));
            lines.extend(groups(words, "report-by.domain", &sales.domains, width));
            lines.extend(groups(
                words,
                "report-by.description",
                &sales.descriptions,
                width,
            ));
            lines.push(Line::default());
            lines.extend(wrapped(Role::Dim, &words.text("report-mark-means"), width));
        }
        lines
    }
}

fn journal_trouble(words: &Catalogue, trouble: &JournalTrouble, width: usize) -> Vec<Line> {
    wrapped(Role::Warn, &failure::journal(words, trouble).what, width)
}

/// True if there is room for the figures of the period before.
fn has_room_for_before(width: usize) -> bool {
    width >= 66
}

fn heading(words: &Catalogue, width: usize) -> Line {
    let mut line = Line::of(Role::Dim, " ".repeat(name_width(width) + COUNT_WIDTH));
    line.push(Span::of(
        Role::Dim,
        align_right(&words.text("report-this"), SUM_WIDTH),
    ));
    if has_room_for_before(width) {
        line.push(Span::of(
            Role::Dim,
            align_right(&words.text("report-before"), SUM_WIDTH),
        ));
    }
    line
}

/// The width of the names, so that the figures end at the right edge or near the names.
fn name_width(width: usize) -> usize {
    let sums = if has_room_for_before(width) { 2 } else { 1 };
    width.saturating_sub(COUNT_WIDTH + sums * SUM_WIDTH).min(28)
}

/// A row: the name, the number and the sum, and the sum of the period before.
fn row(
    words: &Catalogue,
    (id, role): (&str, Role),
    count: Option<u64>,
    sums: [Money; 2],
    width: usize,
) -> Line {
    let name = words.text(&format!("report-line.{id}"));
    let count = count.map_or_else(String::new, |count| count.to_string());
    let mut line = Line::of(Role::Text, exactly(&name, name_width(width)));
    line.push(Span::of(Role::Text, align_right(&count, COUNT_WIDTH)));
    line.push(Span::of(role, align_right(&sums[0].text(), SUM_WIDTH)));
    if has_room_for_before(width) {
        line.push(Span::of(Role::Dim, align_right(&sums[1].text(), SUM_WIDTH)));
    }
    line
}

fn sale_lines(
    words: &Catalogue,
    kind: &str,
    [now, before]: &[SaleFigures; 2],
    width: usize,
) -> Vec<Line> {
    let line = |part: &str, role, [now, before]: [&LinksTotal; 2]| {
        let id = format!("{kind}-{part}");
        row(
            words,
            (&id, role),
            Some(now.count),
            [now.sum, before.sum],
            width,
        )
    };
    vec![
        line("made", Role::Money, [&now.made, &before.made]),
        line("marked", Role::Text, [&now.marked, &before.marked]),
        line("unmarked", Role::Text, [&now.unmarked, &before.unmarked]),
    ]
}

fn withdrawal_lines(
    words: &Catalogue,
    [now, before]: &[WithdrawalFigures; 2],
    width: usize,
) -> Vec<Line> {
    let sums = [now.accepted.sum, before.accepted.sum];
    let count = Some(now.accepted.count);
    vec![
        row(words, ("accepted", Role::Money), count, sums, width),
        row(
            words,
            ("fees", Role::Text),
            None,
            [now.fees, before.fees],
            width,
        ),
        row(
            words,
            ("net", Role::Text),
            None,
            [now.net, before.net],
            width,
        ),
    ]
}

/// The counts of what is in no sum.
fn beside_lines(
    words: &Catalogue,
    sales: Option<&SalesReport>,
    withdrawals: Option<&WithdrawalFigures>,
    width: usize,
) -> Vec<Line> {
    let of_sales = sales.map_or(0, |sales| sales.links[0].inexact + sales.charges[0].inexact);
    let figures = withdrawals.copied().unwrap_or_default();
    let counts = [
        ("report-inexact", of_sales + figures.inexact),
        ("report-without-fee", figures.without_fee),
        ("report-found-paid", figures.found_paid),
        ("report-open", figures.open),
        ("report-unknown", figures.unknown),
        ("report-put-away", sales.map_or(0, |sales| sales.put_away)),
    ];
    let mut lines = vec![];
    for (id, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        if lines.is_empty() {
            lines.push(Line::default());
        }
        lines.extend(wrapped(Role::Warn, &words.count(id, count, &[]), width));
    }
    lines
}

/// Bars for the sums of the links of each day, week or month. Below them are the first and the last
/// day, and above them the highest sum.
fn bars(store: &Store, sales: &SalesReport, width: usize) -> Vec<Line> {
    let words = store.words();
    let highest = sales.bars.iter().map(|bar| bar.made).max();
    let Some(highest) = highest.filter(|sum| *sum > Money::ZERO && sales.bars.len() > 1) else {
        return vec![];
    };
    let count = sales.bars.len();
    let bar_width = (width / count).saturating_sub(1).min(MAX_BAR_WIDTH);
    if bar_width == 0 {
        return vec![];
    }
    let mut upper = Line::default();
    let mut lower = Line::default();
    for bar in &sales.bars {
        let height = bar_height(bar.made, highest);
        let upper_height = height.saturating_sub(BAR_CHARACTERS.len());
        upper.spans.extend(bar_spans(upper_height, bar_width, " "));
        lower
            .spans
            .extend(bar_spans(height, bar_width, BAR_CHARACTERS[0]));
    }
    let chart_width = count * (bar_width + 1);
    let first = sales.bars.first().map(|bar| bar.days.first);
    let last = sales.bars.last().map(|bar| bar.days.last);
    let [first, last] = [first, last]
        .map(|day| day.map_or_else(String::new, |day| dates::day(words, i64::MAX, day)));
    let room = chart_width.saturating_sub(columns(&first) + 1);
    let ends = format!("{first}{}", align_right(&last, room));
    let most = store.with("strip-most", &[("sum", &highest.to_string())]);
    let mut caption = Line::of(Role::Strong, words.text("report-bars"));
    caption.push(Span::of(Role::Dim, format!("  {most}")));
    vec![
        Line::default(),
        caption,
        upper,
        lower,
        Line::of(Role::Dim, fit(&ends, width)),
    ]
}

/// The largest domains or descriptions.
fn groups(words: &Catalogue, title: &str, groups: &[TextGroup], width: usize) -> Vec<Line> {
    if groups.is_empty() {
        return vec![];
    }
    let name_width = width.saturating_sub(COUNT_WIDTH + SUM_WIDTH).min(42);
    let mut lines = vec![Line::default(), Line::of(Role::Strong, words.text(title))];
    for group in groups {
        let name = match &group.text {
            Some(text) => Untrusted::from(&**text).shown_within(name_width),
            None => words.text("report-no-domain"),
        };
        let made = [&group.links.made, &group.charges.made];
        let count: u64 = made.iter().map(|total| total.count).sum();
        let sum = made[0].sum.checked_add(made[1].sum);
        let sum = sum.map_or_else(|| "?".into(), Money::text);
        let mut line = Line::of(Role::Text, exactly(&name, name_width));
        line.push(Span::of(
            Role::Dim,
            align_right(&count.to_string(), COUNT_WIDTH),
        ));
        line.push(Span::of(Role::Text, align_right(&sum, SUM_WIDTH)));
        lines.push(line);
    }
    lines
}
