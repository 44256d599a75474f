//! The terms that the seller confirms before a withdrawal is sent, for the review screen and the
//! send dialog. The form of a new withdrawal shows its fee quote with the same functions.
//!
//! The terms begin with three numbers: the amount taken from the balance, the fee, and the amount
//! that the receiver gets.

use crate::app::screen::Focus;
use crate::app::screens::withdrawals::final_review::FinalReview;
use crate::app::screens::withdrawals::show::facts::{self, remark};
use crate::app::store::nicknames;
use crate::app::store::withdrawals::Past;
use crate::app::store::withdrawals::rules::other_destination;
use crate::app::ui::action::Action;
use crate::app::ui::block::{self, Block, Gap};
use crate::app::ui::failure::text_lines;
use crate::app::ui::parts::{Confirm, MONEY, pair, title, title_rows, wrapped};
use crate::app::ui::scrolled::{TermsText, Text};
use crate::app::ui::text::{exactly, right};
use crate::app::ui::{Area, Line, Page, RenderCx, Role, Span, geometry};
use crate::app::{Store, Wait};
use crate::contract::Provenance;
use crate::trade::withdrawal::Agreement;
use crate::trade::{
    AmountField, Failure, FigureSource, Money, NoQuote, Quote, QuoteFault, Untrusted,
};
use crate::words::failure::FailureText;
use crate::words::{Catalogue, failure, names, personal};

/// The width, in columns, of the label before the retyped amount.
const FIELD: usize = 18;

/// The parts of the terms, such as the amounts and the destination, in order. Their text is never
/// cut off.
pub struct TermsBuilder {
    pub width: usize,
    parts: Vec<Block>,
    /// The gap to leave before the next part.
    gap: Gap,
    /// The index in `parts` of the field for the retyped amount.
    field: Option<usize>,
}

impl TermsBuilder {
    pub fn new(width: usize, gap: Gap) -> TermsBuilder {
        TermsBuilder { width, parts: Vec::new(), gap, field: None }
    }

    pub fn add(&mut self, lines: Vec<Line>) {
        if !lines.is_empty() {
            let gap = std::mem::replace(&mut self.gap, Gap::None);
            self.parts.push(Block { gap, ..Block::new(lines) });
        }
    }

    pub fn notify(&mut self, role: Role, text: &str) {
        self.add(wrapped(role, text, self.width));
    }

    fn pair(&mut self, label: &str, value: &str) {
        self.add(pair(label, value, self.width));
    }

    /// Leaves an empty row before the next part.
    pub fn add_gap(&mut self) {
        self.gap = Gap::Own;
    }

    /// Adds the amount, the fee and the net amount. If space is short, only the horizontal line
    /// above the net amount may be dropped.
    pub fn figures(&mut self, figures: Figures) {
        self.add(figures.leaves);
        self.add(figures.fee);
        self.parts.push(Block::cut(1, 0, vec![figures.rule]).close());
        self.add(figures.receives);
    }

    /// Adds the field for the retyped amount.
    pub fn field(&mut self, field: Line) {
        self.field = Some(self.parts.len());
        self.add(vec![field]);
    }

    /// Adds the destination, all other values in the request body, the proxy and the idempotency
    /// key. While the unit of amounts is not confirmed, also adds the amount as it is written in
    /// the body.
    pub fn agreed(&mut self, store: &Store, agreement: &Agreement, past: Option<&Past>) {
        self.destination(store, agreement, past);
        self.add(facts::member_lines(store, agreement, self.width));
        if let Some(proxy) = store.setup.contract.proxy() {
            let proxy = Untrusted::from(proxy).shown();
            self.pair(&store.text("review-proxy"), &proxy);
        }
        let unknown = store.text("review-holder-unknown");
        self.pair(&store.text("review-holder"), &unknown);
        self.pair(&store.text("review-key"), &agreement.key.to_string());
        // While the unit (reais or centavos) is a guess, the amount may be wrong by a factor of
        // 100. Skip the remark in the sandbox, where no money moves.
        let contract = &store.setup.contract;
        if contract.provenance("withdrawal.unit") == Provenance::Assumed && !store.sandbox {
            for literal in facts::amounts(&contract.withdrawal.form, &agreement.body) {
                self.pair(&store.text("review-json"), &literal);
            }
        }
    }

    /// Adds the complete Pix key, and how often it was paid before.
    fn destination(&mut self, store: &Store, agreement: &Agreement, past: Option<&Past>) {
        let contract = &store.setup.contract;
        let key = agreement.destination.as_ref();
        let stored = names::destination(store.words(), key);
        if let Some(other) = other_destination(contract, agreement) {
            let other = personal::typed(store.words(), &Untrusted::from(other)).shown_whole();
            let id = match other.is_empty() {
                true => "send-destination-gone",
                false => "send-destination-other",
            };
            let said = store.with(id, &[("other", &other), ("stored", &stored)]);
            return self.notify(Role::Bad, &said);
        }
        let shown = nicknames::beside(store, &agreement.account, key, stored);
        let mut lines = pair(&store.text("review-to"), &shown, self.width);
        if key.is_some() && facts::is_untyped_destination(&contract.withdrawal.form, agreement) {
            remark(&mut lines, Role::Warn, store.text("review-untyped"), self.width);
        }
        let said = past.filter(|_| key.is_some()).map(|past| match &past.used {
            Some(used) => (Role::Dim, facts::used(store, used)),
            None => (Role::Warn, store.text("review-first-time")),
        });
        if let Some((role, remark)) = said {
            facts::remark(&mut lines, role, remark, self.width);
        }
        self.add(lines);
    }

    /// If the seller must type the amount again, adds the reasons and the field for the amount.
    pub fn retype(&mut self, store: &Store, look: &FinalReview, amount: Money) {
        let Some(retype) = &look.retype else { return };
        self.add(facts::reasons(store, &retype.why, self.width));
        self.notify(Role::Text, &store.text("review-retype-how"));
        let focused = look.buttons.focus == Focus::Amount;
        self.field(amount_field(store.words(), amount, &retype.field, focused, self.width));
    }
}

/// The terms laid out on the screen, above a row for the buttons.
pub struct TermsLayout {
    /// The text that the seller must read.
    pub agreed: TermsText,
    /// The row with the field for the retyped amount.
    pub field: Option<Area>,
    /// The line with the amount field, if the field comes after the last page of the text.
    pub after: Line,
}

impl TermsLayout {
    /// Lays out the terms. If they do not fit on the screen, they are split into pages.
    pub fn new(mut builder: TermsBuilder, area: Area) -> TermsLayout {
        let room = area.without_bottom(1);
        let rows = usize::from(room.height);
        let least = builder.parts.iter().filter(|part| part.priority == 0);
        if least.map(|part| part.rows()).sum::<usize>() <= rows {
            let placed = block::fit(builder.parts, rows, builder.width);
            let field = builder.field.and_then(|n| u16::try_from(placed[n].row).ok());
            let text = Text::new(block::lines(placed), room);
            let field = field.map(|row| room.row(row));
            return TermsLayout { agreed: TermsText::whole(text), field, after: Line::default() };
        }
        let field = builder.field.map(|n| builder.parts.remove(n).into_lines());
        let is_apart = builder.parts.first().is_some_and(|part| part.gap == Gap::Own);
        let room = room.split_top(is_apart.into()).1;
        let lines = builder.parts.into_iter().flat_map(Block::into_lines).collect();
        let agreed = TermsText::paged(Text::new(lines, room));
        let place = agreed.foot.filter(|_| field.is_some());
        let after = field.and_then(|mut lines| lines.pop()).unwrap_or_default();
        TermsLayout { agreed, field: place, after }
    }

    /// Draws the terms. While the seller types the amount, the cursor is in the amount field.
    /// Returns the row for the buttons.
    pub fn draw(
        self,
        to: RenderCx<'_>,
        typing: Option<&AmountField>,
        area: Area,
        page: &mut Page,
    ) -> Area {
        let TermsLayout { agreed, field, after } = self;
        let row = geometry::buttons(area, agreed.end());
        agreed.draw(to, after, page);
        let typing = typing.filter(|_| !page.keeps_focus_on_back());
        if let (Some(place), Some(amount)) = (field, typing) {
            let typed = amount.to_string().chars().count();
            let x = place.x.saturating_add(u16::try_from(FIELD + 3 + typed).unwrap_or(u16::MAX));
            if x < place.right() && place.height > 0 {
                page.set_cursor(x, place.y);
            }
        }
        row
    }
}

/// A screen with a title, the terms and two buttons.
pub struct TermsPage<'a> {
    pub name: &'a str,
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
        look: &FinalReview,
        add_terms: impl FnOnce(&mut TermsBuilder),
        area: Area,
        page: &mut Page,
    ) {
        let rows = title_rows(self.name, &self.aside, area);
        title(self.name, self.aside, area, page);
        let inner = area.narrowed(2).split_top(rows).1;
        let gap = if rows > 1 { Gap::None } else { Gap::Own };
        let mut all = TermsBuilder::new(inner.width.into(), gap);
        add_terms(&mut all);
        // Add one column for the scroll bar.
        let wider = Area { width: inner.width + 1, ..inner };
        let typing = look.amount_field().filter(|_| look.buttons.focus == Focus::Amount);
        let row = TermsLayout::new(all, wider).draw(store.render_cx(), typing, inner, page);
        let confirm = match self.can_confirm {
            Some(can_confirm) => look.buttons.confirm(can_confirm, page),
            None => Confirm::Absent,
        };
        look.buttons.show(self.labels, confirm, row, page);
    }
}

/// Lays out the field for the retyped amount, with a remark whether the amount matches.
pub fn amount_field(
    say: &Catalogue,
    amount: Money,
    field: &AmountField,
    focused: bool,
    width: usize,
) -> Line {
    let label = if focused { Role::Strong } else { Role::Dim };
    let typed = if focused { Role::Focus } else { Role::Field };
    let remark = if field.money() == Some(amount) {
        Span::of(Role::Good, say.text("review-retype-same-now"))
    } else {
        let amount = amount.to_string();
        Span::of(Role::Dim, say.with("review-retype-differs", &[("amount", &amount)]))
    };
    let mut line = Line::from(vec![
        Span::of(label, exactly(&say.text("review-retype"), FIELD)),
        Span::of(typed, format!("R$ {field}")),
    ]);
    // Omit the remark if it does not fit, because a cut amount could be misread.
    if line.width() + 3 + remark.width() <= width {
        line.push(Span::of(Role::Text, "   "));
        line.push(remark);
    }
    line
}

/// The width, in columns, of the label before an amount, such as the fee.
const NAME: usize = 20;

/// The amount, the fee and the net amount as lines. Remarks are beside these numbers or below them.
pub struct Figures {
    pub leaves: Vec<Line>,
    pub fee: Vec<Line>,
    /// The horizontal line above the net amount.
    pub rule: Line,
    /// The net amount, which the receiver gets.
    pub receives: Vec<Line>,
}

impl Figures {
    pub fn lines(self) -> Vec<Line> {
        [self.leaves, self.fee, vec![self.rule], self.receives].concat()
    }
}

/// Lays out the amounts of a fee quote, with their source and age.
pub fn quoted(store: &Store, quote: &Quote, width: usize) -> Figures {
    figures(store.words(), quote, age(store, quote), width)
}

/// Lays out the amounts of a fee quote that was already confirmed, regardless of its age.
pub fn agreed(say: &Catalogue, quote: &Quote, width: usize) -> Figures {
    figures(say, quote, say.text("send-fee-agreed"), width)
}

/// Lays out the amounts of a fee quote with their source. `since` is the remark beside the fee.
fn figures(say: &Catalogue, quote: &Quote, since: String, width: usize) -> Figures {
    let mut fee = vec![since];
    if quote.fee_source == FigureSource::Computed {
        fee.insert(0, say.text("figure-computed.fee"));
    }
    let net = match quote.net_source {
        FigureSource::Computed => say.text("figure-computed"),
        FigureSource::Service => String::new(),
    };
    let shown = [format!("− {}", quote.fee), quote.net.to_string()];
    laid(say, quote.amount, [&shown[0], &fee.join(", ")], [&shown[1], &net], width)
}

/// Lays out the amounts of a withdrawal whose fee is unknown.
pub fn without_quote(say: &Catalogue, amount: Money, width: usize) -> Figures {
    let unknown = say.text("review-fee-unknown");
    let why = say.text("review-fee-unknown-why");
    let less = say.text("review-net-unknown");
    laid(say, amount, [&unknown, &why], [&less, ""], width)
}

/// Lays out the amount, the fee and the net amount. `fee` and `net` each contain a value and a
/// remark.
fn laid(say: &Catalogue, amount: Money, fee: [&str; 2], net: [&str; 2], width: usize) -> Figures {
    let rule = format!("{}{}", " ".repeat(NAME + 2), "─".repeat(MONEY - 2));
    Figures {
        leaves: row(say, "withdraw-leaves", [&amount.to_string(), ""], width),
        fee: row(say, "withdraw-fee", fee, width),
        rule: Line::of(Role::Rule, rule),
        receives: row(say, "withdraw-receives", net, width),
    }
}

/// Returns the age of a fee quote as text, or the text that the quote is too old to be confirmed.
fn age(store: &Store, quote: &Quote) -> String {
    match store.now.wall.since(quote.at) {
        Some(age) if quote.is_fresh(store.now.wall) => {
            store.with("withdraw-quote-age", &[("seconds", &age.as_secs().to_string())])
        }
        _ => store.text("withdraw-quote-stale"),
    }
}

fn row(say: &Catalogue, name: &str, [figure, said]: [&str; 2], width: usize) -> Vec<Line> {
    let mut lines = vec![Line::from(vec![
        Span::of(Role::Dim, exactly(&say.text(name), NAME)),
        Span::of(Role::Money, right(figure, MONEY)),
    ])];
    if !said.is_empty() {
        remark(&mut lines, Role::Dim, said.to_owned(), width);
    }
    lines
}

/// Lays out the note that a fee quote is being requested, with the seconds waited so far.
pub fn asking(store: &Store, wait: Wait, width: usize) -> Vec<Line> {
    let seconds = wait.seconds(store.now.boot_ms).to_string();
    wrapped(Role::Warn, &store.with("review-asking", &[("seconds", &seconds)]), width)
}

/// Lays out why there is no usable fee quote, for example because the service refused the amount.
/// Also lays out what the seller can do.
pub fn no_quote(store: &Store, amount: Money, why: &NoQuote, width: usize) -> Vec<Line> {
    let mut lines = no_quote_cause(store, amount, why, width);
    let next = |id| wrapped(Role::Text, &store.render_cx().with_key(id, Action::AskFee), width);
    lines.extend(match why {
        NoQuote::Failure(_) => {
            let to = store.render_cx();
            let values = [
                ("key", to.first_key(Action::AskFee)),
                ("places", &*to.places(Action::Teach)),
                ("teach", to.first_key(Action::Teach)),
            ];
            wrapped(Role::Text, &store.with("withdraw-quote-refused-next", &values), width)
        }
        NoQuote::Fault(QuoteFault::Missing) => next("withdraw-quote-failed-next"),
        NoQuote::Fault(_) => next("withdraw-quote-fault"),
    });
    lines
}

/// Like [`no_quote`], but without the advice.
pub fn no_quote_cause(store: &Store, amount: Money, why: &NoQuote, width: usize) -> Vec<Line> {
    let say = store.words();
    match why {
        NoQuote::Failure(failure) => {
            let amount = amount.to_string();
            let what = store.with("withdraw-quote-refused", &[("amount", &amount)]);
            let quotes = match failure {
                Failure::Refused(refusal) => failure::quotes(say, refusal),
                _ => vec![],
            };
            text_lines(&FailureText { what, quotes, ..FailureText::default() }, width)
        }
        NoQuote::Fault(fault) => wrapped(Role::Bad, &failure::quote_fault(say, fault).what, width),
    }
}
