//! The terms that are agreed to before money leaves, as the review and the send question show them.

use super::facts;
use crate::app::Store;
use crate::app::screen::Buttons;
use crate::app::screens::withdrawals::show::figures::Figures;
use crate::app::screens::withdrawals::show::{members, reasons};
use crate::app::store::nicknames;
use crate::app::store::withdrawals::Retype;
use crate::app::store::withdrawals::answers::Past;
use crate::app::store::withdrawals::rules::other_destination;
use crate::app::ui::parts::{Confirm, button_places, pair, wrapped};
use crate::app::ui::scrolled::{Agreed, Text};
use crate::app::ui::text::{columns, exactly};
use crate::app::ui::{Area, Line, Page, Reader, Role, Span, geometry};
use crate::contract::Provenance;
use crate::trade::withdrawal::Agreement;
use crate::trade::{AmountField, Money, Untrusted};
use crate::words::{Words, names, personal};

/// Columns of the label in front of the retyped amount.
const FIELD: usize = 18;

/// What a line is worth where there is little room: no word ever gives way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// An empty line, which gives way first.
    Air,
    /// The line above the sum, which gives way after those.
    Rule,
    /// Everything that the seller agrees to, or that speaks for or against it.
    Always,
    /// The field that wants the amount again.
    Field,
}

/// The lines of what is agreed to, each with what it is worth.
#[derive(Clone)]
pub struct Clauses {
    /// The columns they have.
    pub width: usize,
    lines: Vec<(Keep, Line)>,
}

impl Clauses {
    /// No lines yet, for a page in this area.
    pub fn new(area: Area) -> Clauses {
        Clauses { width: area.narrowed(2).width.into(), lines: Vec::new() }
    }

    /// Adds lines of this worth.
    pub fn add(&mut self, keep: Keep, lines: Vec<Line>) {
        self.lines.extend(lines.into_iter().map(|line| (keep, line)));
    }

    /// Adds a text of this worth.
    pub fn say(&mut self, keep: Keep, role: Role, text: &str) {
        self.add(keep, wrapped(role, text, self.width));
    }

    /// Adds a label and its value.
    fn pair(&mut self, label: &str, value: &str) {
        self.add(Keep::Always, pair(label, value, self.width));
    }

    /// Adds an empty line.
    pub fn air(&mut self) {
        self.add(Keep::Air, vec![Line::default()]);
    }

    /// Adds the three figures.
    pub fn figures(&mut self, figures: Figures) {
        self.add(Keep::Always, figures.leaves);
        self.add(Keep::Always, figures.fee);
        self.add(Keep::Rule, vec![figures.rule]);
        self.add(Keep::Always, figures.receives);
    }

    /// Adds the destination, every other member of the body, its key, and the amount in the bytes.
    pub fn agreed(&mut self, store: &Store, agreement: &Agreement, past: Option<&Past>) {
        self.destination(store, agreement, past);
        self.add(Keep::Always, members::lines(store, agreement, self.width));
        if let Some(proxy) = store.setup.contract.proxy() {
            let proxy = Untrusted::from(proxy).shown();
            self.pair(&store.text("review-proxy"), &proxy);
        }
        let unknown = store.text("review-holder-unknown");
        self.pair(&store.text("review-holder"), &unknown);
        self.pair(&store.text("review-key"), &agreement.key.to_string());
        // Until somebody has seen how this service reads an amount, a guess may be a 100 times
        // error; nobody is paid by the sandbox.
        let contract = &store.setup.contract;
        if contract.provenance("withdrawal.unit") == Provenance::Assumed && !store.sandbox {
            for literal in members::amounts(&contract.withdrawal.form, &agreement.body) {
                self.pair(&store.text("review-json"), &literal);
            }
        }
    }

    /// Adds the whole key, and whether money went there before.
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
            return self.say(Keep::Always, Role::Bad, &said);
        }
        let shown = nicknames::beside(store, &agreement.account, key, stored);
        let mut lines = pair(&store.text("review-to"), &shown, self.width);
        if key.is_some() && members::is_untyped_destination(&contract.withdrawal.form, agreement) {
            members::remark(&mut lines, Role::Warn, store.text("review-untyped"), self.width);
        }
        let remark = past.filter(|_| key.is_some()).map(|past| match &past.used {
            Some(used) => (Role::Dim, facts::used(store, used)),
            None => (Role::Warn, store.text("review-first-time")),
        });
        if let Some((role, remark)) = remark {
            members::remark(&mut lines, role, remark, self.width);
        }
        self.add(Keep::Always, lines);
    }

    /// Adds the reasons to type the amount again and the field for it, which has the focus or not.
    pub fn retype(&mut self, store: &Store, retype: &Retype, amount: Money, focused: bool) {
        self.add(Keep::Always, reasons::retype(store, &retype.why, self.width));
        self.say(Keep::Always, Role::Text, &store.text("review-retype-how"));
        let field = amount_field(store.words(), amount, &retype.field, focused, self.width);
        self.add(Keep::Field, vec![field]);
    }

    /// Drops what gives way, one by one from the end, until there are no more lines than rows.
    fn give_way(&mut self, rows: usize) {
        for way in [Keep::Air, Keep::Rule] {
            while self.lines.len() > rows
                && let Some(at) = self.lines.iter().rposition(|(keep, _)| *keep == way)
            {
                self.lines.remove(at);
            }
        }
    }
}

/// The page in its place, with a row below it for the buttons.
pub struct TermsLayout {
    /// The text that is read.
    pub agreed: Agreed,
    /// The row of the field.
    pub field: Option<Area>,
    /// The field, where it stands below what is read.
    pub after: Line,
}

impl TermsLayout {
    /// Lays a page out below a title that needs so many rows; where not all of it has room at once
    /// nothing gives way, and it is paged.
    pub fn new(clauses: Clauses, title_rows: u16, area: Area) -> TermsLayout {
        let inner = area.split_bottom(1).0.narrowed(2);
        let mut tight = clauses.clone();
        tight.give_way(usize::from(inner.height.saturating_sub(2)));
        // The row below the title is the last to give way, where nothing stands in it.
        let is_full = tight.lines.len() + 2 > usize::from(inner.height);
        let head = if is_full { title_rows } else { 2 };
        let room = inner.split_top(head).1;
        let is_field = |(keep, _): &(Keep, Line)| *keep == Keep::Field;
        let lines_of = |clauses: Clauses| clauses.lines.into_iter().map(|(_, line)| line).collect();
        if tight.lines.len() <= usize::from(room.height) {
            let at = tight.lines.iter().position(is_field).and_then(|at| u16::try_from(at).ok());
            let agreed = Agreed::whole(Text::new(lines_of(tight), room));
            let field = at.map(|at| room.row(at));
            return TermsLayout { agreed, field, after: Line::default() };
        }
        let mut clauses = clauses;
        let field = clauses.lines.iter().position(is_field).map(|at| clauses.lines.remove(at).1);
        clauses.lines.retain(|(keep, _)| *keep != Keep::Air);
        let text = Text { gap: 1, ..Text::new(lines_of(clauses), inner.split_top(2).1) };
        let agreed = Agreed::paged(text);
        let place = agreed.foot.filter(|_| field.is_some());
        TermsLayout { agreed, field: place, after: field.unwrap_or_default() }
    }

    /// The rows above what is read.
    pub fn head(&self, area: Area) -> Area {
        area.split_top(self.agreed.text.area.y.saturating_sub(area.y)).0
    }

    /// The row of the buttons below it.
    pub fn buttons(&self, area: Area) -> Area {
        geometry::buttons(area.narrowed(2), self.agreed.end())
    }

    /// Draws the page, and the cursor where the amount is typed.
    pub fn draw(self, to: Reader<'_>, typing: Option<&AmountField>, page: &mut Page) {
        let TermsLayout { agreed, field, after } = self;
        agreed.draw(to, after, page);
        let typing = typing.filter(|_| !page.holds_back());
        if let (Some(place), Some(amount)) = (field, typing) {
            let typed = amount.to_string().chars().count();
            let x = place.x.saturating_add(u16::try_from(FIELD + 3 + typed).unwrap_or(u16::MAX));
            if x < place.right() && place.height > 0 {
                page.set_cursor(x, place.y);
            }
        }
    }
}

/// The field that wants the amount again.
pub fn amount_field(
    say: &Words,
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
    // Half a figure is worse than none.
    if line.width() + 3 + remark.width() <= width {
        line.push(Span::of(Role::Text, "   "));
        line.push(remark);
    }
    line
}

/// The way back, and the button that does it; of its two names the short one where there is no
/// room.
pub fn buttons(
    say: &Words,
    [whole, short]: [String; 2],
    shown: &Buttons,
    confirm: Confirm,
    row: Area,
    page: &mut Page,
) {
    let back = say.text("review-back");
    // Half a figure is worse than none.
    let place = button_places(row, [&back, &whole])[1];
    let has_room = columns(&whole) + 4 <= usize::from(place.width);
    let label = if has_room { whole } else { short };
    shown.show([&back, &label], confirm, row, page);
}
