//! The terms that the seller confirms before a withdrawal is sent, for the review screen and the
//! send dialog. The form of a new withdrawal shows its fee quote with the same functions.
//!
//! The terms begin with three numbers: the amount taken from the balance, the fee, and the amount
//! that the receiver gets.

use crate::app::screen::Focus;
use crate::app::screens::withdrawals::final_review::FinalReview;
use crate::app::screens::withdrawals::show::facts::{self, append_remark};
use crate::app::store::withdrawals::PastPayments;
use crate::app::store::withdrawals::rules::other_destination;
use crate::app::store::{nicknames, unit};
use crate::app::ui::action::Action;
use crate::app::ui::block::{self, Block, Gap};
use crate::app::ui::failure::text_lines;
use crate::app::ui::parts::{
    ConfirmButtonState, MAX_AMOUNT_WIDTH, input_spans, pair, title, title_rows, wrapped,
};
use crate::app::ui::scrolled::{TermsText, Text};
use crate::app::ui::text::{align_right, exactly};
use crate::app::ui::{Area, Line, Page, RenderCx, Role, Span, geometry, large_digits};
use crate::app::{Store, Wait};
use crate::contract::FieldKind;
use crate::trade::withdrawal::Agreement;
use crate::trade::{
    AmountField, Failure, FigureSource, Money, NoQuote, Quote, QuoteFault, Untrusted,
};
use crate::words::failure::FailureText;
use crate::words::{Catalogue, failure, names, personal};

/// The width, in columns, of the label before the retyped amount.
const FIELD_LABEL_WIDTH: usize = 18;

/// Collects the parts of the terms from top to bottom, such as the amounts and the destination. The
/// text of a part is never cut off.
pub struct TermsBuilder {
    pub width: usize,
    parts: Vec<Block>,
    /// The gap to leave before the next part.
    gap: Gap,
    /// The index in `parts` of the field for the retyped amount.
    field: Option<usize>,
    /// The amount in large digits, to be added above the figures. It repeats their amount.
    large_amount: Option<Vec<Line>>,
}

impl TermsBuilder {
    pub fn new(width: usize, gap: Gap) -> TermsBuilder {
        TermsBuilder {
            width,
            parts: Vec::new(),
            gap,
            field: None,
            large_amount: None,
        }
    }

    /// True if all parts fit into `rows` rows, with an empty row at every gap.
    fn fits(&self, rows: usize) -> bool {
        let part_rows = |part: &Block| part.rows() + usize::from(part.gap == Gap::Own);
        self.parts.iter().map(part_rows).sum::<usize>() <= rows
    }

    pub fn add(&mut self, lines: Vec<Line>) {
        if !lines.is_empty() {
            let gap = std::mem::replace(&mut self.gap, Gap::None);
            self.parts.push(Block {
                gap,
                ..Block::new(lines)
            });
        }
    }

    pub fn add_text(&mut self, role: Role, text: &str) {
        self.add(wrapped(role, text, self.width));
    }

    fn add_pair(&mut self, label: &str, value: &str) {
        self.add(pair(label, value, self.width));
    }

    /// Leaves an empty row before the next part.
    pub fn add_gap(&mut self) {
        self.gap = Gap::Own;
    }

    /// Adds the amount, the fee and the net amount. If space is short, only the horizontal line
    /// above the net amount may be dropped.
    pub fn add_figures(&mut self, mut figures: Figures) {
        if let Some(large_amount) = self.large_amount.take() {
            self.add(large_amount);
            self.add_gap();
            figures = figures.centred(self.width);
        }
        self.add(figures.amount);
        self.add(figures.fee);
        self.parts
            .push(Block::cut(1, 0, vec![figures.rule]).without_gap());
        self.add(figures.net);
    }

    pub fn add_field(&mut self, field: Line) {
        self.field = Some(self.parts.len());
        self.add(vec![field]);
    }

    /// Adds the destination, all other values in the request body, the proxy and the idempotency
    /// key. While the unit of amounts is not confirmed, also adds the amount as it is written in
    /// the body; without the kind of the Pix key in the body, also the key.
    pub fn add_agreement(
        &mut self,
        store: &Store,
        agreement: &Agreement,
        past: Option<&PastPayments>,
    ) {
        self.add_destination(store, agreement, past);
        self.add(facts::member_lines(store, agreement, self.width));
        if let Some(proxy) = store.setup.contract.proxy() {
            let proxy = Untrusted::from(proxy).shown();
            self.add_pair(&store.text("review-proxy"), &proxy);
        }
        let unknown_holder = store.text("review-holder-unknown");
        self.add_pair(&store.text("review-holder"), &unknown_holder);
        let key = pair(
            &store.text("review-key"),
            &agreement.key.to_string(),
            self.width,
        );
        self.add(with_value_role(key, Role::Dim));
        let form = &store.setup.contract.withdrawal.form;
        let is_unproved = unit::is_unproved(store);
        let mut literals = vec![];
        // While the unit (reais or centavos) is a guess, the amount may be wrong by a factor of
        // 100. Skip the remark in the sandbox, where no money moves.
        if is_unproved {
            literals = facts::literal_values(form, &agreement.body, FieldKind::Amount);
        }
        // Without its kind in the body, the service knows the key only as it is written there.
        if !form.sends_key_kind() && !store.words().masks() {
            literals.extend(facts::literal_values(
                form,
                &agreement.body,
                FieldKind::PixKey,
            ));
        }
        for literal in literals {
            self.add_pair(&store.text("review-json"), &literal);
        }
        if is_unproved {
            let id = if unit::proposes_smaller(store, agreement.amount) {
                "review-unit-unproved.smaller"
            } else {
                "review-unit-unproved"
            };
            self.add_text(Role::Warn, &store.text(id));
        }
    }

    /// Adds the complete Pix key, and how often it was paid before.
    fn add_destination(
        &mut self,
        store: &Store,
        agreement: &Agreement,
        past: Option<&PastPayments>,
    ) {
        let contract = &store.setup.contract;
        let key = agreement.destination.as_ref();
        let stored = names::destination(store.words(), key);
        if let Some(other) = other_destination(contract, agreement) {
            let other = personal::typed(store.words(), &Untrusted::from(other)).shown_whole();
            let id = if other.is_empty() {
                "send-destination-gone"
            } else {
                "send-destination-other"
            };
            let text = store.with(id, &[("other", &other), ("stored", &stored)]);
            return self.add_text(Role::Bad, &text);
        }
        let shown = nicknames::append_nickname(store, &agreement.account, key, stored);
        let mut lines = pair(&store.text("review-to"), &shown, self.width);
        lines = with_value_role(lines, Role::Strong);
        if key.is_some() && facts::is_untyped_destination(&contract.withdrawal.form, agreement) {
            append_remark(
                &mut lines,
                Role::Warn,
                store.text("review-untyped"),
                self.width,
            );
        }
        let usage = past
            .filter(|_| key.is_some())
            .map(|past| match &past.known_destination {
                Some(used) => (Role::Dim, facts::usage_text(store, used)),
                None => (Role::Warn, store.text("review-first-time")),
            });
        if let Some((role, remark)) = usage {
            facts::append_remark(&mut lines, role, remark, self.width);
        }
        self.add(lines);
    }

    /// If the seller must type the amount again, adds the reasons and the field for the amount.
    pub fn add_retype(&mut self, store: &Store, final_review: &FinalReview, amount: Money) {
        let Some(retype) = &final_review.retype else {
            return;
        };
        self.add(facts::reason_lines(store, &retype.why, self.width));
        self.add_text(Role::Text, &store.text("review-retype-how"));
        let focused = final_review.buttons.focus == Focus::Amount;
        self.add_field(amount_field_line(
            store.words(),
            amount,
            &retype.field,
            focused,
            self.width,
        ));
    }
}

/// The terms laid out on the screen, above a row for the buttons.
pub struct TermsLayout {
    /// The text that the seller must read.
    pub text: TermsText,
    /// The row with the field for the retyped amount.
    pub field: Option<Area>,
    /// The line with the amount field after the last page; empty if the terms fit on one page.
    pub field_after_text: Line,
}

impl TermsLayout {
    /// Lays out the terms. If they do not fit on the screen, they are split into pages.
    pub fn new(mut builder: TermsBuilder, area: Area) -> TermsLayout {
        let room = area.without_bottom(1);
        let rows = usize::from(room.height);
        let required_parts = builder.parts.iter().filter(|part| part.priority == 0);
        if required_parts.map(|part| part.rows()).sum::<usize>() <= rows {
            let placed_parts = block::fit(builder.parts, rows, builder.width);
            let field_row = builder
                .field
                .and_then(|n| u16::try_from(placed_parts[n].row).ok());
            let text = Text::new(block::lines(placed_parts), room);
            let field = field_row.map(|row| room.row(row));
            return TermsLayout {
                text: TermsText::whole(text),
                field,
                field_after_text: Line::default(),
            };
        }
        let field_lines = builder.field.map(|n| builder.parts.remove(n).into_lines());
        let has_gap = builder
            .parts
            .first()
            .is_some_and(|part| part.gap == Gap::Own);
        let room = room.split_top(has_gap.into()).1;
        let lines = builder
            .parts
            .into_iter()
            .flat_map(Block::into_lines)
            .collect();
        let text = TermsText::paged(Text::new(lines, room));
        let field_area = text.foot.filter(|_| field_lines.is_some());
        let field_after_text = field_lines
            .and_then(|mut lines| lines.pop())
            .unwrap_or_default();
        TermsLayout {
            text,
            field: field_area,
            field_after_text,
        }
    }

    /// Draws the terms. While the seller types the amount, the cursor is in the amount field.
    /// Returns the row for the buttons.
    pub fn draw(
        self,
        render: RenderCx<'_>,
        typing: Option<&AmountField>,
        area: Area,
        page: &mut Page,
    ) -> Area {
        let TermsLayout {
            text,
            field,
            field_after_text,
        } = self;
        let row = geometry::buttons(area, text.end());
        text.draw(render, field_after_text, page);
        let typing = typing.filter(|_| !page.keeps_focus_on_back());
        if let (Some(field_area), Some(amount)) = (field, typing) {
            let typed = amount.to_string().chars().count();
            let x = field_area
                .x
                .saturating_add(u16::try_from(FIELD_LABEL_WIDTH + 3 + typed).unwrap_or(u16::MAX));
            if x < field_area.right() && field_area.height > 0 {
                page.set_cursor(x, field_area.y);
            }
        }
        row
    }
}

/// Changes the role of a value that has a label. The label is dim, and keeps its role.
fn with_value_role(mut lines: Vec<Line>, role: Role) -> Vec<Line> {
    let spans = lines.iter_mut().flat_map(|line| &mut line.spans);
    for span in spans.filter(|span| span.role == Some(Role::Text)) {
        span.role = Some(role);
    }
    lines
}

/// A screen with a title, the terms and two buttons.
pub struct TermsPage<'a> {
    pub name: &'a str,
    /// The amount that is also in the label of the confirming button. If there is room, the terms
    /// begin with it in large digits.
    pub amount: &'a str,
    /// The text at the right end of the title row.
    pub aside: Line,
    /// The labels of the two buttons: going back and confirming.
    pub labels: [&'a str; 2],
    /// True if the confirming button is enabled; `None` if it is hidden.
    pub can_confirm: Option<bool>,
}

impl TermsPage<'_> {
    pub fn draw(
        self,
        store: &Store,
        final_review: &FinalReview,
        add_terms: impl Fn(&mut TermsBuilder),
        area: Area,
        page: &mut Page,
    ) {
        let rows = title_rows(self.name, &self.aside, area);
        title(self.name, self.aside, area, page);
        let inner = area.text().split_top(rows).1;
        let gap = if rows > 1 { Gap::None } else { Gap::Own };
        let width = usize::from(inner.width);
        let digits = large_digits::lines(self.amount, width).filter(|_| !store.setup.ascii);
        let with_air = digits
            .clone()
            .map(|lines| [vec![Line::default()], lines, vec![Line::default()]].concat());
        // Below the terms there is a row for the buttons, and an empty row above them.
        let rows = usize::from(inner.height).saturating_sub(2);
        let mut builder = TermsBuilder::new(width, gap);
        for large_amount in [with_air, digits, None] {
            builder = TermsBuilder::new(width, gap);
            builder.large_amount = large_amount;
            add_terms(&mut builder);
            if builder.fits(rows) {
                break;
            }
        }
        // Add one column for the scroll bar.
        let text_area = Area {
            width: inner.width + 1,
            ..inner
        };
        let typing = final_review
            .amount_field()
            .filter(|_| final_review.buttons.focus == Focus::Amount);
        let row = TermsLayout::new(builder, text_area).draw(store.render_cx(), typing, inner, page);
        let confirm = match self.can_confirm {
            Some(can_confirm) => final_review.buttons.confirm_button_state(can_confirm, page),
            None => ConfirmButtonState::Hidden,
        };
        let confirm = if confirm == ConfirmButtonState::Enabled {
            ConfirmButtonState::SendsMoney
        } else {
            confirm
        };
        final_review.buttons.show(self.labels, confirm, row, page);
    }
}

/// Lays out the field for the retyped amount, with a remark whether the amount matches.
pub fn amount_field_line(
    words: &Catalogue,
    amount: Money,
    field: &AmountField,
    focused: bool,
    width: usize,
) -> Line {
    let role = if focused { Role::Strong } else { Role::Dim };
    let label = exactly(&words.text("review-retype"), FIELD_LABEL_WIDTH);
    let remark = if field.money() == Some(amount) {
        Span::of(Role::Good, words.text("review-retype-same-now"))
    } else {
        let amount = amount.to_string();
        Span::of(
            Role::Dim,
            words.with("review-retype-differs", &[("amount", &amount)]),
        )
    };
    let typed = Span::of(Role::Strong, format!("R$ {field}"));
    // The remark is worth more than the whole ground of the field.
    let room = width.saturating_sub(FIELD_LABEL_WIDTH + 3 + remark.width());
    let mut line = Line::from(Span::of(role, label));
    line.spans
        .extend(input_spans(typed, focused, room.min(MAX_AMOUNT_WIDTH)));
    // Omit the remark if it does not fit, because a cut amount could be misread.
    if line.width() + 3 + remark.width() <= width {
        line.push(Span::plain("   "));
        line.push(remark);
    }
    line
}

const LABEL_WIDTH: usize = 20;

/// The amount, the fee and the net amount as lines. Remarks are beside these numbers or below them.
pub struct Figures {
    pub amount: Vec<Line>,
    pub fee: Vec<Line>,
    /// The horizontal line above the net amount.
    pub rule: Line,
    /// The net amount, which the receiver gets.
    pub net: Vec<Line>,
}

impl Figures {
    /// Moves the figures to the middle of `width` columns, but not so far that a remark is cut.
    fn centred(self, width: usize) -> Figures {
        let lines = [&self.amount, &self.fee, &self.net].into_iter().flatten();
        let widest = lines.map(Line::width).max().unwrap_or(0);
        let middle = width.saturating_sub(LABEL_WIDTH + MAX_AMOUNT_WIDTH) / 2;
        // Round up, so that the figures do not move when the age of the fee gets another digit.
        let indent = middle.min(width.saturating_sub(widest.next_multiple_of(4)));
        let [amount, fee, net] = [self.amount, self.fee, self.net].map(|lines| {
            let lines = lines.into_iter().map(|line| line.indented(indent));
            lines.collect()
        });
        Figures {
            amount,
            fee,
            rule: self.rule.indented(indent),
            net,
        }
    }

    pub fn lines(self) -> Vec<Line> {
        [self.amount, self.fee, vec![self.rule], self.net].concat()
    }
}

/// Lays out the amounts of a fee quote, with their source and age.
pub fn quote_figures(store: &Store, quote: &Quote, width: usize) -> Figures {
    figures_with_remark(store.words(), quote, quote_age(store, quote), width)
}

/// Lays out the amounts of a fee quote that was already confirmed, regardless of its age.
pub fn confirmed_quote_figures(
    words: &Catalogue,
    quote: &Quote,
    remark_id: &str,
    width: usize,
) -> Figures {
    figures_with_remark(words, quote, words.text(remark_id), width)
}

/// Lays out the amounts of a fee quote with their source. `remark` is shown beside the fee.
fn figures_with_remark(words: &Catalogue, quote: &Quote, remark: String, width: usize) -> Figures {
    let mut fee_remarks = vec![remark];
    if quote.fee_source == FigureSource::Computed {
        fee_remarks.insert(0, words.text("figure-computed.fee"));
    }
    let net_remark = match quote.net_source {
        FigureSource::Computed => words.text("figure-computed"),
        FigureSource::Service => String::new(),
    };
    let fee = format!("− {}", quote.fee);
    let net = quote.net.to_string();
    let fee_row = [fee.as_str(), &fee_remarks.join(", ")];
    lay_out_figures(words, quote.amount, fee_row, [&net, &net_remark], width)
}

/// Lays out the amounts of a withdrawal whose fee is unknown.
pub fn figures_without_quote(words: &Catalogue, amount: Money, width: usize) -> Figures {
    let unknown = words.text("review-fee-unknown");
    let reason = words.text("review-fee-unknown-why");
    let unknown_net = words.text("review-net-unknown");
    lay_out_figures(
        words,
        amount,
        [&unknown, &reason],
        [&unknown_net, ""],
        width,
    )
}

/// Lays out the amount, the fee and the net amount. `fee` and `net` each contain a value and a
/// remark.
fn lay_out_figures(
    words: &Catalogue,
    amount: Money,
    fee: [&str; 2],
    net: [&str; 2],
    width: usize,
) -> Figures {
    let rule = format!(
        "{}{}",
        " ".repeat(LABEL_WIDTH + 2),
        "─".repeat(MAX_AMOUNT_WIDTH - 2)
    );
    Figures {
        amount: figure_row(words, "withdraw-leaves", [&amount.to_string(), ""], width),
        fee: figure_row(words, "withdraw-fee", fee, width),
        rule: Line::of(Role::Rule, rule),
        net: figure_row(words, "withdraw-receives", net, width),
    }
}

/// The age of a fee quote as text. If the quote is too old to be confirmed, the text says so.
fn quote_age(store: &Store, quote: &Quote) -> String {
    match store.now.wall.since(quote.at) {
        Some(age) if quote.is_fresh(store.now.wall) => store.with(
            "withdraw-quote-age",
            &[("seconds", &age.as_secs().to_string())],
        ),
        _ => store.text("withdraw-quote-stale"),
    }
}

fn figure_row(
    words: &Catalogue,
    name: &str,
    [figure, remark]: [&str; 2],
    width: usize,
) -> Vec<Line> {
    let mut lines = vec![Line::from(vec![
        Span::of(Role::Dim, exactly(&words.text(name), LABEL_WIDTH)),
        Span::of(Role::Money, align_right(figure, MAX_AMOUNT_WIDTH)),
    ])];
    if !remark.is_empty() {
        append_remark(&mut lines, Role::Dim, remark.to_owned(), width);
    }
    lines
}

/// Lays out the note that a fee quote is being requested, with the seconds waited so far.
pub fn asking_lines(store: &Store, wait: Wait, width: usize) -> Vec<Line> {
    let seconds = wait.seconds(store.now.boot_ms).to_string();
    wrapped(
        Role::Warn,
        &store.with("review-asking", &[("seconds", &seconds)]),
        width,
    )
}

/// Lays out why there is no usable fee quote, for example because the service refused the amount.
/// Also lays out what the seller can do.
pub fn no_quote_lines(store: &Store, amount: Money, why: &NoQuote, width: usize) -> Vec<Line> {
    let mut lines = no_quote_cause_lines(store, amount, why, width);
    let to = store.render_cx();
    let advice = match why {
        NoQuote::Failure(_) => {
            let places = to.places(Action::Teach);
            store.with("withdraw-quote-refused-next", &[("places", &places)])
        }
        NoQuote::Fault(QuoteFault::Missing) => {
            to.with_key("withdraw-quote-failed-next", Action::AskFee)
        }
        NoQuote::Fault(_) => to.with_key("withdraw-quote-fault", Action::AskFee),
    };
    lines.extend(wrapped(Role::Text, &advice, width));
    lines
}

/// Lays out why there is no usable fee quote, without the advice that [`no_quote_lines`] adds.
pub fn no_quote_cause_lines(
    store: &Store,
    amount: Money,
    why: &NoQuote,
    width: usize,
) -> Vec<Line> {
    let words = store.words();
    match why {
        NoQuote::Failure(failure) => {
            let amount = amount.to_string();
            let what = store.with("withdraw-quote-refused", &[("amount", &amount)]);
            let quotes = match failure {
                Failure::Refused(refusal) => failure::quotes(words, refusal),
                _ => vec![],
            };
            text_lines(
                &FailureText {
                    what,
                    quotes,
                    ..FailureText::default()
                },
                width,
            )
        }
        NoQuote::Fault(fault) => {
            wrapped(Role::Bad, &failure::quote_fault(words, fault).what, width)
        }
    }
}
