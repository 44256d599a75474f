//! The guide that a replay prints: the recorded requests with the keys that repeat them, and a line
//! for each request as it comes.

use std::io::Write;
use std::sync::mpsc::sync_channel;
use std::thread;

use crate::app::Pane;
use crate::app::ui::Action;
use crate::app::ui::keys::Keymap;
use crate::config::built_in_keys;
use crate::replay::{Answer, AnsweredRequest, Difference, OnRequest, RequestSummary, Step};
use crate::runtime::clocks;
use crate::trade::{Operation, Untrusted};
use crate::words::{Catalogue, dates, names};

/// The maximum width of the path of an unknown operation, in columns.
const MAX_PATH: usize = 40;

/// The maximum number of lines that wait until standard output takes them. Further lines are
/// dropped, so that a replay never waits for its output.
const MAX_WAITING_LINES: usize = 256;

/// A line for each recorded request, under a heading. The request `first` is marked as the start,
/// and every request that failed is marked.
pub fn step_lines(words: &Catalogue, steps: &[Step], first: usize) -> Vec<String> {
    let keys = Keymap::from_table(&built_in_keys()).unwrap_or_default();
    let cells: Vec<[String; 6]> = steps
        .iter()
        .map(|step| step_cells(words, &keys, step, first))
        .collect();
    let widths: [usize; 6] = std::array::from_fn(|column| {
        cells
            .iter()
            .map(|cells| cells[column].chars().count())
            .max()
            .unwrap_or(0)
    });
    let lines = cells
        .iter()
        .map(|[mark, time, request, amount, status, keys]| {
            let [
                mark_width,
                time_width,
                request_width,
                amount_width,
                status_width,
                _,
            ] = widths;
            format!(
                "{mark:<mark_width$}  {time:<time_width$}  {request:<request_width$}  \
                 {amount:>amount_width$}  {status:<status_width$}  {keys}"
            )
        });
    let heading = words.text("replay-steps");
    std::iter::once(heading).chain(lines).collect()
}

/// The columns of a line: the number with its marks, the time, the request, the amount, the status
/// and the keys.
fn step_cells(words: &Catalogue, keys: &Keymap, step: &Step, first: usize) -> [String; 6] {
    let start = if step.number == first { '>' } else { ' ' };
    let failure = if step.has_failed { '!' } else { ' ' };
    let time = step.at.map(|at| {
        let offset = clocks::utc_offset_s(at);
        let day = dates::without_year(words, at, offset).unwrap_or_default();
        format!("{day} {}", dates::time_exact(at, offset))
    });
    [
        format!("{start}{failure}{:>3}", step.number),
        time.unwrap_or_default(),
        request_name(words, &step.request),
        step.request
            .amount
            .map(|amount| amount.to_string())
            .unwrap_or_default(),
        step.status.map_or_else(
            || words.text("replay-no-reply"),
            |status| status.to_string(),
        ),
        keys_to_press(words, keys, step),
    ]
}

fn request_name(words: &Catalogue, request: &RequestSummary) -> String {
    let Some(operation) = request.operation else {
        let text = format!("{} {}", request.method, request.path);
        return Untrusted::from(text).shown_within(MAX_PATH);
    };
    names::operation(words, operation)
}

/// The keys that repeat a request in the app.
fn keys_to_press(words: &Catalogue, keys: &Keymap, step: &Step) -> String {
    match step.request.operation {
        Some(Operation::Login) => words.text("replay-keys-login"),
        Some(Operation::Domains) => {
            let values = [
                ("pane", keys.first_key_name(Pane::Domains.action())),
                ("refresh", keys.first_key_name(Action::Refresh)),
            ];
            words.with("replay-keys-domains", &values)
        }
        Some(Operation::FeePreview) => words.text("replay-keys-fee"),
        Some(Operation::CreateLink) => keys_for_new(keys, Pane::Links, step),
        Some(Operation::DirectPayment) => keys_for_new(keys, Pane::Charges, step),
        Some(Operation::Withdrawal) if step.is_resend => {
            let actions = [Pane::Withdrawals.action(), Action::Send];
            actions.map(|action| keys.first_key_name(action)).join(", ")
        }
        Some(Operation::Withdrawal) => keys_for_new(keys, Pane::Withdrawals, step),
        None => String::new(),
    }
}

/// The keys that open this pane's form for a new entry, and the amount to type.
fn keys_for_new(keys: &Keymap, pane: Pane, step: &Step) -> String {
    let amount = step.request.amount.map(|amount| amount.to_string());
    let pressed = [pane.action(), Action::New].map(|action| keys.first_key_name(action).to_owned());
    pressed
        .into_iter()
        .chain(amount)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A function that prints a line for each request to the replay. A thread prints them, so that the
/// replay does not wait for its output.
pub fn print_answers(words: &'static Catalogue) -> OnRequest {
    let (sender, lines) = sync_channel::<String>(MAX_WAITING_LINES);
    // Ignore an error: without the thread, the lines are dropped.
    let _ = thread::Builder::new().name("guide".into()).spawn(move || {
        for line in lines {
            // Ignore errors: the service keeps running even if its output was closed.
            let _ = writeln!(std::io::stdout(), "{line}");
        }
    });
    Box::new(move |answered| {
        // Ignore an error: the queue is full, so this line is dropped.
        let _ = sender.try_send(answer_line(words, &answered));
    })
}

/// The line for a request: the recorded request that answered it, or the nearest one.
fn answer_line(words: &Catalogue, answered: &AnsweredRequest) -> String {
    let name = request_name(words, &answered.request);
    let amount = answered.request.amount.map(|amount| amount.to_string());
    let request = [Some(name), amount]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(" ");
    let request = ("request", request.as_str());
    let with_number =
        |id: &str, number: usize| words.with(id, &[request, ("n", &number.to_string())]);
    match answered.answer {
        Answer::Recorded(number) => with_number("replay-matched", number),
        Answer::AcceptedLogin => words.with("replay-login-accepted", &[request]),
        Answer::Refused(None) => words.with("replay-unmatched", &[request]),
        Answer::Refused(Some(nearest)) => match nearest.difference {
            Difference::Amount(amount) => {
                let values = [
                    request,
                    ("n", &nearest.number.to_string()),
                    ("amount", &amount.to_string()),
                ];
                words.with("replay-nearest-amount", &values)
            }
            Difference::Played => with_number("replay-nearest-played", nearest.number),
            Difference::Content => with_number("replay-nearest-content", nearest.number),
        },
    }
}
