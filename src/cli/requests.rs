//! `balcao requests`: works with files of exported requests.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use clap::Subcommand;

use super::complaint::Complaint;
use super::output::print_line;
use super::{GlobalArgs, shown, unreadable};
use crate::har::{Encoding, Hit, LEAST_LETTERS, Needle, check};
use crate::words::Catalogue;

/// The maximum number of places that are printed.
const MOST_SHOWN: usize = 20;

#[derive(Debug, Clone, Subcommand)]
pub enum RequestsCommand {
    Check {
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[arg(value_name = "TEXT", required = true)]
        texts: Vec<String>,
    },
}

pub fn run(args: &GlobalArgs, command: RequestsCommand) -> Result<(), Complaint> {
    let RequestsCommand::Check { file, texts } = command;
    let words = args.words(&args.settings()?)?;
    let needles = needles(texts)?;
    let bytes = std::fs::read(&file).map_err(|error| unreadable(&file, error))?;
    let hits = check(&String::from_utf8_lossy(&bytes), &needles);
    match hits.is_empty() {
        true => print_line(&clean(words, &file, needles.len())),
        false => Err(Complaint::refused(report(words, &file, &hits))),
    }
}

/// Returns the texts to search for. A text `-` means the lines of standard input.
fn needles(texts: Vec<String>) -> Result<Vec<Needle>, Complaint> {
    let mut all = Vec::new();
    for text in texts {
        match &*text {
            "-" => {
                let lines = io::stdin().lock().lines().collect::<Result<Vec<_>, _>>();
                let lines = lines.map_err(Complaint::of)?.into_iter();
                all.extend(lines.filter(|line| !line.trim().is_empty()));
            }
            _ => all.push(text),
        }
    }
    let needles: Option<Vec<Needle>> = all.iter().map(|text| Needle::of(text)).collect();
    let least = LEAST_LETTERS.to_string();
    needles
        .filter(|needles| !needles.is_empty())
        .ok_or_else(|| Complaint::about("complaint-text-short", [("least", least.into())]))
}

fn clean(words: &Catalogue, file: &Path, count: usize) -> String {
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    words.count("requests-check-clean", count, &[("file", &shown(file).shown())])
}

/// Returns the places of the texts. The texts are numbered and not repeated, so that the report can
/// be passed on.
fn report(words: &Catalogue, file: &Path, hits: &[Hit]) -> String {
    let mut lines = vec![words.with("requests-check-found", &[("file", &shown(file).shown())])];
    for hit in hits.iter().take(MOST_SHOWN) {
        let (n, encoding) = ((hit.needle + 1).to_string(), words.text(encoding(hit.encoding)));
        let values = [("n", &*n), ("place", &*hit.place), ("encoding", &*encoding)];
        let is_line = hit.place.bytes().all(|b| b.is_ascii_digit());
        let id = if is_line { "requests-check-hit-line" } else { "requests-check-hit" };
        lines.push(format!("  {}", words.with(id, &values)));
    }
    if let Some(more) = hits.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
        let more = u64::try_from(more).unwrap_or(u64::MAX);
        lines.push(format!("  {}", words.count("requests-check-more", more, &[])));
    }
    lines.join("\n")
}

fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => "encoding-plain",
        Encoding::Json => "encoding-json",
        Encoding::Percent => "encoding-percent",
        Encoding::Hex => "encoding-hex",
        Encoding::Base64 => "encoding-base64",
    }
}
