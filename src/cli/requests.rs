//! `balcao requests`: exports the stored HTTP requests to a file, and searches such a file for
//! secrets.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use jiff::civil::Date;

use super::complaint::{self, Complaint};
use super::data::{midnight, parse_date};
use super::journal::CommandContext;
use super::output::{create_output, print_line, print_note, write_lines};
use super::replay::recording_error;
use super::{ChosenProfile, GlobalArgs, block_on, path_text};
use crate::har::{self, Encoding, Hit, MIN_LETTERS, Needle, StrictMask, check};
use crate::journal::requests::{MAX_ROWS, RequestOwner, Requests};
use crate::replay;
use crate::runtime::world::ProfileVault;
use crate::trade::{
    Exchange, ExchangeSubject, IdempotencyKey, JournalTrouble, RequestRow, Untrusted,
};
use crate::words::Catalogue;

/// The maximum number of hits that are printed.
const MAX_PRINTED_HITS: usize = 20;

#[derive(Debug, Clone, Subcommand)]
pub enum RequestsCommand {
    Export {
        #[arg(long, value_name = "FILE")]
        har: PathBuf,
        #[arg(long, value_name = "DATE", value_parser = parse_date)]
        since: Option<Date>,
        #[arg(long, value_name = "CODE", value_parser = parse_code)]
        of: Option<IdempotencyKey>,
    },
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[arg(value_name = "TEXT", required = true)]
        texts: Vec<String>,
    },
}

pub fn run(args: &GlobalArgs, command: RequestsCommand) -> Result<(), Complaint> {
    match command {
        RequestsCommand::Export { har, since, of } => export(args, har, (since, of)),
        RequestsCommand::Check { file, texts } => search(args, file, texts),
    }
}

fn parse_code(text: &str) -> Result<IdempotencyKey, String> {
    let error = "a code has 36 characters, as in 3f0e6c1c-7c55-4a8e-9a3b-0d9a8f3e2c11";
    text.parse().map(IdempotencyKey).map_err(|_| error.to_owned())
}

/// Writes the profile's stored requests to a HAR file. In the whole file, equal private values are
/// replaced by equal masks.
fn export(
    args: &GlobalArgs,
    file: PathBuf,
    filter: (Option<Date>, Option<IdempotencyKey>),
) -> Result<(), Complaint> {
    let chosen = args.chosen_profile()?;
    let origin = chosen.base_url()?.origin().clone();
    let context = CommandContext::without_vault(&chosen, None)?;
    let words = context.words;
    let owner = RequestOwner { profile: chosen.name.as_str().into(), origin };
    let stored = find_requests(&context, &owner, filter);
    let StoredRequests { total, exchanges, codes } = stored
        .map_err(|trouble| complaint::requests_error(words, &context.dir_text(), &trouble))?;
    if exchanges.is_empty() {
        return Err(no_requests_error(words, &chosen, &owner, total));
    }
    let vault = ProfileVault::new(&chosen.name, &owner.origin, chosen.vault(&owner.origin)?);
    let secrets = block_on(vault.secrets())?;
    let codes = [codes, journal_codes(&context)].concat();
    let mut mask = StrictMask::new(&context.contract, &secrets, &codes);
    let exchange_refs: Vec<&Exchange> = exchanges.iter().collect();
    let text = har::file(&exchange_refs, &context.contract, &mut mask);
    let name = path_text(&file).shown();
    let out = create_output(Some(file))?;
    if write_lines(out, std::iter::once(Ok(text.trim_end().to_owned())))?.is_some() {
        let count = u64::try_from(exchange_refs.len()).unwrap_or(u64::MAX);
        print_note(&words.count("requests-export-done", count, &[("file", &name)]));
    }
    Ok(())
}

/// The stored HTTP requests of a profile and its service.
struct StoredRequests {
    /// The number of stored requests, before filtering.
    total: usize,
    /// The filtered requests, oldest first.
    exchanges: Vec<Exchange>,
    /// The idempotency keys of the withdrawals that have stored requests.
    codes: Vec<IdempotencyKey>,
}

/// Returns the idempotency keys of the journal's withdrawals. An export does not mask these keys.
/// If the journal cannot be read, prints a note that the export masks some of them.
fn journal_codes(context: &CommandContext) -> Vec<IdempotencyKey> {
    match context.open() {
        Ok(opened) => opened.journal.keys(),
        Err(JournalTrouble::Missing) => vec![],
        Err(_) => {
            print_note(&context.words.text("requests-export-codes"));
            vec![]
        }
    }
}

fn find_requests(
    context: &CommandContext,
    owner: &RequestOwner,
    (since, key): (Option<Date>, Option<IdempotencyKey>),
) -> Result<StoredRequests, JournalTrouble> {
    let Some(mut requests) = Requests::open_to_read(&context.dir)? else {
        return Ok(StoredRequests { total: 0, exchanges: vec![], codes: vec![] });
    };
    let mut rows = requests.rows(None, MAX_ROWS)?;
    let codes = rows.iter().filter_map(|row| match row.subject {
        Some(ExchangeSubject::Withdrawal(key)) => Some(key),
        _ => None,
    });
    let codes = codes.collect();
    rows.retain(|row| row.profile == owner.profile && row.origin == owner.origin);
    let total = rows.len();
    let since = since.map(midnight);
    let matches_filter = |row: &&RequestRow| {
        since.is_none_or(|since| row.at >= since)
            && key.is_none_or(|key| row.subject == Some(ExchangeSubject::Withdrawal(key)))
    };
    let mut exchanges = vec![];
    for row in rows.iter().rev().filter(matches_filter) {
        // Compare the request with its row. If the database was replaced since the row was read,
        // the id may belong to a different request.
        let exchange = requests.exchange(row.id)?;
        exchanges.extend(exchange.filter(|exchange| row.is_of(exchange)));
    }
    Ok(StoredRequests { total, exchanges, codes })
}

/// Returns the error for an export that would contain no requests, with the reason.
fn no_requests_error(
    words: &Catalogue,
    chosen: &ChosenProfile,
    owner: &RequestOwner,
    total: usize,
) -> Complaint {
    let count = u64::try_from(total).unwrap_or(u64::MAX);
    Complaint::refused(match total {
        0 if !chosen.settings.config.file.requests.keep => words.text("requests-export-off"),
        0 => {
            let profile = Untrusted::shown_of(&chosen.name);
            let origin = Untrusted::shown_of(&owner.origin.0);
            words.with("requests-export-none", &[("profile", &profile), ("origin", &origin)])
        }
        _ => words.count("requests-export-none-found", count, &[]),
    })
}

fn search(args: &GlobalArgs, file: PathBuf, texts: Vec<String>) -> Result<(), Complaint> {
    let words = args.words(&args.settings()?)?;
    let needles = needles(texts)?;
    let bytes = replay::read_file(&file).map_err(|error| recording_error(&file, error))?;
    let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let not_text = || Complaint::about("complaint-not-text", [("file", path_text(&file))]);
    let hits = check(&text.ok_or_else(not_text)?, &needles);
    match hits.is_empty() {
        true => print_line(&clean_report(words, &file, needles.len())),
        false => Err(Complaint::refused(report(words, &file, &hits))),
    }
}

/// Returns the texts to search for. A single `-` means the lines of standard input.
fn needles(texts: Vec<String>) -> Result<Vec<Needle>, Complaint> {
    let mut all_texts = Vec::new();
    for text in texts {
        match &*text {
            "-" => {
                let lines = io::stdin().lock().lines().collect::<Result<Vec<_>, _>>();
                let lines = lines.map_err(Complaint::from_error)?.into_iter();
                all_texts.extend(lines.filter(|line| !line.trim().is_empty()));
            }
            _ => all_texts.push(text),
        }
    }
    let needles: Option<Vec<Needle>> = all_texts.iter().map(|text| Needle::of(text)).collect();
    let min_letters = MIN_LETTERS.to_string();
    needles
        .filter(|needles| !needles.is_empty())
        .ok_or_else(|| Complaint::about("complaint-text-short", [("least", min_letters.into())]))
}

fn clean_report(words: &Catalogue, file: &Path, count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    words.count("requests-check-clean", count, &[("file", &path_text(file).shown())])
}

/// Formats a report that is safe to share. A text that was found is identified only by its number;
/// the text itself is not shown.
fn report(words: &Catalogue, file: &Path, hits: &[Hit]) -> String {
    let mut lines = vec![words.with("requests-check-found", &[("file", &path_text(file).shown())])];
    for hit in hits.iter().take(MAX_PRINTED_HITS) {
        let (n, encoding) =
            ((hit.needle + 1).to_string(), words.text(encoding_message(hit.encoding)));
        let values = [("n", &*n), ("place", &*hit.place), ("encoding", &*encoding)];
        let is_line = hit.place.bytes().all(|b| b.is_ascii_digit());
        let id = if is_line { "requests-check-hit-line" } else { "requests-check-hit" };
        lines.push(format!("  {}", words.with(id, &values)));
    }
    if let Some(more) = hits.len().checked_sub(MAX_PRINTED_HITS).filter(|more| *more > 0) {
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        lines.push(format!("  {}", words.count("requests-check-more", more, &[])));
    }
    lines.join("\n")
}

fn encoding_message(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "encoding-plain",
        Encoding::Json => "encoding-json",
        Encoding::Html => "encoding-html",
        Encoding::Percent => "encoding-percent",
        Encoding::Hex => "encoding-hex",
        Encoding::Base64 => "encoding-base64",
    }
}
