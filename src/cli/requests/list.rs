//! `balcao requests list`: prints the stored HTTP requests, newest first.

use serde_json::{Value, json};

use super::{all_requests, owner, requests_error, requests_owner};
use crate::cli::GlobalArgs;
use crate::cli::complaint::Complaint;
use crate::cli::filter::RowFilter;
use crate::cli::journal::CommandContext;
use crate::cli::lists::{PrintedList, format_row, json_row};
use crate::cli::output::print_note;
use crate::journal::requests::Requests;
use crate::rows::json_line::{FORMAT, format_utc};
use crate::runtime::clocks;
use crate::trade::{Exchange, ExchangeSubject, RequestResult, RequestRow, Untrusted};
use crate::words::{Catalogue, names};

const REQUESTS: PrintedList = PrintedList {
    columns: ["list-when", "list-state", "list-request"],
    empty_note: "exchanges-none",
};

/// The words that `--state` accepts.
pub const STATES: [&str; 6] = [
    "ok",
    "error",
    "no-answer",
    "cancelled",
    "not-sent",
    "failed",
];

fn state(result: RequestResult) -> &'static str {
    match result {
        RequestResult::Reply(200..300) => "ok",
        RequestResult::Reply(_) => "error",
        RequestResult::NoAnswer => "no-answer",
        RequestResult::Cancelled => "cancelled",
        RequestResult::NotSent => "not-sent",
        RequestResult::Failed => "failed",
    }
}

pub fn run(args: &GlobalArgs, json: bool, filter: &RowFilter) -> Result<(), Complaint> {
    let chosen = owner::chosen_profile(args)?;
    let context = CommandContext::without_vault(&chosen, None)?;
    let words = context.words;
    let owner = requests_owner(&chosen)?;
    let complain = |trouble| requests_error(&context, &trouble);
    let list = REQUESTS.filtered(filter);
    let Some(mut requests) = Requests::open_to_read(&context.dir).map_err(complain)? else {
        return list.print(words, json, &mut std::iter::empty());
    };
    let found = requests.page(&owner, &all_requests()).map_err(complain)?;
    if found.of_other_version > 0 {
        print_note(&words.count("requests-export-other-version", found.of_other_version, &[]));
    }
    let rows = found.page.rows.iter().map(Ok);
    let rows = filter.select(rows, |row| (row.at, state(row.result)));
    let mut lines = rows.map(|row| {
        let row = row?;
        if !json {
            return Ok(plain_row(words, row));
        }
        let exchange = requests.exchange(row.id).map_err(complain)?;
        Ok(json_row(words, request_json(row, exchange.as_ref())))
    });
    list.print(words, json, &mut lines)
}

fn plain_row(words: &Catalogue, row: &RequestRow) -> String {
    let url = Untrusted::shown_of(&row.url);
    format_row(
        words,
        (row.at, clocks::utc_offset_s(row.at)),
        &names::request_result(words, row.result),
        &names::operation(words, row.operation),
        vec![format!("{} {url}", row.method)],
    )
}

/// A request as JSON. Its bodies are null if it was deleted a moment ago.
fn request_json(row: &RequestRow, exchange: Option<&Exchange>) -> Value {
    let withdrawal = match row.subject {
        Some(ExchangeSubject::Withdrawal(key)) => Some(key.to_string()),
        _ => None,
    };
    let status = match row.result {
        RequestResult::Reply(status) => Some(status),
        _ => None,
    };
    let reply = exchange.and_then(|exchange| exchange.reply.as_ref().ok());
    json!({
        "format": FORMAT,
        "at": format_utc(row.at),
        "operation": row.operation.name(),
        "method": &*row.method,
        "requestUrl": &*row.url,
        "state": state(row.result),
        "httpStatus": status,
        "tookMs": u64::try_from(row.took.as_millis()).unwrap_or(u64::MAX),
        "requestBytes": row.request_bytes,
        "replyBytes": row.reply_bytes,
        "withdrawal": withdrawal,
        "requestId": row.request_id.as_ref().map(Untrusted::raw),
        "requestBody": exchange.and_then(|exchange| exchange.request_body.as_deref()),
        "replyBody": reply.map(|reply| reply.body.raw()),
    })
}
