//! The three figures of a withdrawal: what leaves, the fee, what the receiver gets.

use crate::app::screens::withdrawals::show::members::remark;
use crate::app::ui::parts::{MONEY, wrapped};
use crate::app::ui::text::{exactly, right};
use crate::app::ui::{Line, Role, Span};
use crate::app::{Store, Wait};
use crate::trade::{FigureSource, Money, Quote, QuoteFault};
use crate::words::{Words, failure};

/// Columns of what a figure is called.
const NAME: usize = 20;

/// The figures one below the other; what is remarked on one goes below it where there is no room
/// beside it.
pub struct Figures {
    pub leaves: Vec<Line>,
    pub fee: Vec<Line>,
    /// The line above the sum.
    pub rule: Line,
    /// The amount that the receiver gets.
    pub receives: Vec<Line>,
}

impl Figures {
    pub fn lines(self) -> Vec<Line> {
        [self.leaves, self.fee, vec![self.rule], self.receives].concat()
    }
}

/// The figures of a quote, with where each comes from and how old they are.
pub fn quoted(store: &Store, quote: &Quote, width: usize) -> Figures {
    figures(store.words(), quote, age(store, quote), width)
}

/// The figures of a quote as they were agreed, however old they are.
pub fn agreed(say: &Words, quote: &Quote, width: usize) -> Figures {
    figures(say, quote, say.text("send-fee-agreed"), width)
}

/// The figures of a quote, with where each comes from; `since` says how the fee stands.
fn figures(say: &Words, quote: &Quote, since: String, width: usize) -> Figures {
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

/// The figures where the fee is not known.
pub fn without_quote(say: &Words, amount: Money, width: usize) -> Figures {
    let unknown = say.text("review-fee-unknown");
    let why = say.text("review-fee-unknown-why");
    let less = say.text("review-net-unknown");
    laid(say, amount, [&unknown, &why], [&less, ""], width)
}

/// Lays out the figures, each but the first with what is remarked on it.
fn laid(say: &Words, amount: Money, fee: [&str; 2], net: [&str; 2], width: usize) -> Figures {
    let rule = format!("{}{}", " ".repeat(NAME + 2), "─".repeat(MONEY - 2));
    Figures {
        leaves: row(say, "withdraw-leaves", [&amount.to_string(), ""], width),
        fee: row(say, "withdraw-fee", fee, width),
        rule: Line::of(Role::Rule, rule),
        receives: row(say, "withdraw-receives", net, width),
    }
}

/// Says how long ago the service was asked, or that the quote is too old to be confirmed.
fn age(store: &Store, quote: &Quote) -> String {
    match store.now.wall.since(quote.at) {
        Some(age) if quote.is_fresh(store.now.wall) => {
            store.with("withdraw-quote-age", &[("seconds", &age.as_secs().to_string())])
        }
        _ => store.text("withdraw-quote-stale"),
    }
}

fn row(say: &Words, name: &str, [figure, said]: [&str; 2], width: usize) -> Vec<Line> {
    let mut lines = vec![Line::from(vec![
        Span::of(Role::Dim, exactly(&say.text(name), NAME)),
        Span::of(Role::Money, right(figure, MONEY)),
    ])];
    if !said.is_empty() {
        remark(&mut lines, Role::Dim, said.to_owned(), width);
    }
    lines
}

/// Says that the fee is being asked for, and since when.
pub fn asking(store: &Store, wait: Wait, width: usize) -> Vec<Line> {
    let seconds = wait.seconds(store.now.boot_ms).to_string();
    wrapped(Role::Warn, &store.with("review-asking", &[("seconds", &seconds)]), width)
}

/// Figures that make no sense, and whether one may go on without them.
pub fn quote_fault(say: &Words, fault: &QuoteFault, width: usize) -> Vec<Line> {
    let told = failure::quote_fault(say, fault);
    let (next, role) = match fault {
        QuoteFault::Missing => ("withdraw-quote-failed-next", Role::Text),
        _ => ("withdraw-quote-fault", Role::Strong),
    };
    let mut lines = wrapped(Role::Bad, &told.what, width);
    lines.extend(wrapped(role, &say.text(next), width));
    lines
}
