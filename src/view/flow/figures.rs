//! The three figures of a withdrawal: what leaves, the fee, what the receiver gets.

use ratatui::text::Line;

use crate::app::Model;
use crate::trade::{FigureSource, Money, Quote};
use crate::view::parts::MONEY;
use crate::view::text::{columns, exactly, fit, right};
use crate::view::{Look, Role};

/// Columns of what a figure is called.
const NAME: usize = 20;

/// The figures one below the other; what is remarked on one goes below it where there is no room
/// beside it.
pub(super) struct Figures {
    /// What leaves.
    pub leaves: Vec<Line<'static>>,
    /// The fee.
    pub fee: Vec<Line<'static>>,
    /// The line above the sum.
    pub rule: Line<'static>,
    /// What the receiver gets.
    pub receives: Vec<Line<'static>>,
}

impl Figures {
    /// All of it.
    pub(super) fn lines(self) -> Vec<Line<'static>> {
        [self.leaves, self.fee, vec![self.rule], self.receives].concat()
    }
}

/// The figures of a quote, with where each comes from and how old they are.
pub(super) fn quoted(model: &Model, look: &Look, quote: &Quote, width: usize) -> Figures {
    let mut fee = vec![age(model, look, quote)];
    if quote.fee_source == FigureSource::Computed {
        fee.insert(0, look.say("figure-computed.fee"));
    }
    let net = match quote.net_source {
        FigureSource::Computed => look.say("figure-computed"),
        FigureSource::Service => String::new(),
    };
    let fee_figure = format!("− {}", quote.fee);
    Figures {
        leaves: row(look, "withdraw-leaves", &quote.amount.to_string(), "", width),
        fee: row(look, "withdraw-fee", &fee_figure, &fee.join(", "), width),
        rule: sum_line(look),
        receives: row(look, "withdraw-receives", &quote.net.to_string(), &net, width),
    }
}

/// The figures of a quote as they were agreed, however old they are.
pub(super) fn agreed(look: &Look, quote: &Quote, width: usize) -> Figures {
    let mut fee = vec![look.say("send-fee-agreed")];
    if quote.fee_source == FigureSource::Computed {
        fee.insert(0, look.say("figure-computed.fee"));
    }
    let net = match quote.net_source {
        FigureSource::Computed => look.say("figure-computed"),
        FigureSource::Service => String::new(),
    };
    let fee_figure = format!("− {}", quote.fee);
    Figures {
        leaves: row(look, "withdraw-leaves", &quote.amount.to_string(), "", width),
        fee: row(look, "withdraw-fee", &fee_figure, &fee.join(", "), width),
        rule: sum_line(look),
        receives: row(look, "withdraw-receives", &quote.net.to_string(), &net, width),
    }
}

/// The figures where nobody knows the fee.
pub(super) fn without_quote(look: &Look, amount: Money, width: usize) -> Figures {
    let unknown = look.say("review-fee-unknown");
    let why = look.say("review-fee-unknown-why");
    let less = look.say("review-net-unknown");
    Figures {
        leaves: row(look, "withdraw-leaves", &amount.to_string(), "", width),
        fee: row(look, "withdraw-fee", &unknown, &why, width),
        rule: sum_line(look),
        receives: row(look, "withdraw-receives", &less, "", width),
    }
}

/// How long ago the service was asked; a quote that may not be confirmed any more says so.
fn age(model: &Model, look: &Look, quote: &Quote) -> String {
    match model.now.wall.since(quote.at) {
        Some(age) if quote.is_fresh(model.now.wall) => {
            look.words.with("withdraw-quote-age", &[("seconds", &age.as_secs().to_string())])
        }
        _ => look.say("withdraw-quote-stale"),
    }
}

fn row(look: &Look, name: &str, figure: &str, remark: &str, width: usize) -> Vec<Line<'static>> {
    let used = NAME + MONEY;
    let mut line = Line::from(vec![
        look.span(Role::Dim, exactly(&look.say(name), NAME)),
        look.span(Role::Money, right(figure, MONEY)),
    ]);
    if remark.is_empty() {
        return vec![line];
    }
    if used + 3 + columns(remark) <= width {
        line.push_span(look.span(Role::Dim, format!("   {remark}")));
        return vec![line];
    }
    vec![line, look.line(Role::Dim, right(&fit(remark, width), used.min(width)))]
}

fn sum_line(look: &Look) -> Line<'static> {
    look.line(Role::Rule, format!("{}{}", " ".repeat(NAME + 2), "─".repeat(MONEY - 2)))
}
