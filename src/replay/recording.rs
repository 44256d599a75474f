//! Reads a file of exported requests (HAR 1.2). The file comes from another person, so its sizes
//! are limited, and an unusable entry is skipped.

pub(super) mod har;

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::value::RawValue;

use super::unusable;
use crate::contract::{Contract, ContractError, FieldSpec, decode_text};
use crate::trade::{Operation, Untrusted, Wall};
use har::{HarEntry, HarFile, HarResponse, MAX_ENTRIES, Scalar};

pub(super) const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum length of a body, in bytes. The client never reads a longer body.
const MAX_BODY: usize = 4 * 1024 * 1024;

const MAX_DELAY: Duration = Duration::from_secs(60);

/// The requests and replies in a file, in the order they were recorded.
pub struct Recording {
    pub(super) entries: Vec<Entry>,
    pub(super) contract: Contract,
    lines: Vec<String>,
    skipped: Vec<SkippedEntry>,
}

/// An entry of the file that cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedEntry {
    /// The index of the entry in the file, from 0.
    pub index: usize,
    /// The method and the path of the request, as far as they are known.
    pub request: Untrusted,
    /// The reason why the entry cannot be played.
    pub reason: SkipReason,
}

/// The reason why an entry of the file cannot be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// The service received no request.
    #[error("not sent")]
    NotSent,
    /// A member has a form that HAR does not allow.
    #[error("not an entry of a HAR file")]
    NotHar,
    /// The entry has no request, or its request has no method.
    #[error("no request")]
    NoRequest,
    /// The URL is missing, or has no scheme.
    #[error("no usable URL")]
    NoUrl,
    /// The status is not a whole number.
    #[error("no usable status")]
    NoStatus,
    /// The encoding of a body is unknown.
    #[error("a body in an unknown encoding")]
    Encoding,
    /// A body is larger than the client would read.
    #[error("a body larger than 4 MiB")]
    TooLarge,
}

impl fmt::Display for SkippedEntry {
    /// Writes the place of the entry, the reason and the request, such as
    /// `log.entries[3]: not sent (POST /api/v1/payment-links)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "log.entries[{}]: {}", self.index, self.reason)?;
        if self.request.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", self.request.shown())
    }
}

/// The reason why a file cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is too large.
    #[error("the file is larger than {} MiB", MAX_FILE_BYTES / 1024 / 1024)]
    TooLarge,
    /// The file is not a HAR file, or a list in it is too long.
    #[error("not a HAR file: {0}")]
    NotHar(#[from] serde_json::Error),
    /// The file contains JSON, but no list of requests at the place where HAR files have it.
    #[error("not a HAR file: it has no list at log.entries")]
    NoEntries,
    /// The file has more requests than can be played. Contains their number.
    #[error("it has {0} requests, and at most {MAX_ENTRIES} can be played")]
    TooMany(usize),
    /// The contract in the file is invalid.
    #[error("its contract is not valid: {0}")]
    Contract(#[from] ContractError),
    /// The file contains no request that was sent.
    #[error("no request in it was sent")]
    Empty,
    /// The file contains requests, but none of them can be played. One of them is named.
    #[error("no request in it can be played: {0}")]
    Unusable(SkippedEntry),
}

/// Reads a file of exported requests as bytes.
///
/// # Errors
///
/// Fails if the file cannot be read or is too large.
pub fn read_file(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let mut bytes = Vec::new();
    // Read one byte more than the limit, to detect a file that is too large.
    File::open(path)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(RecordingError::TooLarge);
    }
    Ok(bytes)
}

impl Recording {
    /// Reads a file of exported requests.
    pub fn open(path: &Path) -> Result<Recording, RecordingError> {
        Recording::read(&read_file(path)?)
    }

    /// Parses a file of exported requests, given as bytes.
    pub fn read(bytes: &[u8]) -> Result<Recording, RecordingError> {
        let text = decode_text(bytes);
        let HarFile { log } =
            serde_json::from_str(&text).map_err(|error| unusable::explain(&text, error))?;
        let lines = log.contract.map_or(vec![], |lines| lines.0);
        let contract = if lines.is_empty() {
            Contract::built_in()
        } else {
            Contract::with(&[("HAR", &lines.join("\n"))])?
        };
        let mut entries = Vec::new();
        let mut skipped = Vec::new();
        let mut last_time = None;
        for (index, json) in log.entries.0.into_iter().enumerate() {
            match Entry::read(json, &contract, &mut last_time) {
                Ok(entry) => entries.push((last_time, entry)),
                Err(skip) => skipped.push(SkippedEntry { index, ..skip }),
            }
        }
        // HAR allows any order. An entry without a time stays behind the entry before it.
        entries.sort_by_key(|(time, _)| *time);
        let entries: Vec<Entry> = entries.into_iter().map(|(_, entry)| entry).collect();
        if entries.is_empty() {
            let unusable = skipped
                .into_iter()
                .find(|entry| entry.reason != SkipReason::NotSent);
            return Err(unusable.map_or(RecordingError::Empty, RecordingError::Unusable));
        }
        Ok(Recording {
            entries,
            contract,
            lines,
            skipped,
        })
    }

    /// The number of recorded requests that can be played.
    pub fn requests(&self) -> usize {
        self.entries.len()
    }

    /// The recorded requests that cannot be played, because they were not sent or are unusable.
    pub fn skipped(&self) -> &[SkippedEntry] {
        &self.skipped
    }

    /// The contract settings used for the recorded requests; empty for the built-in contract.
    pub fn contract_lines(&self) -> &[String] {
        &self.lines
    }

    /// True if a login can succeed: a successful login was recorded, or none at all, which makes
    /// every login succeed.
    pub fn accepts_login(&self) -> bool {
        let mut logins = self.logins();
        !self.has_login()
            || logins.any(|entry| {
                let reply = entry.reply.as_ref();
                reply.is_ok_and(|reply| (200..300).contains(&reply.status))
            })
    }

    /// The fields of the login form, as the recorded contract defines them.
    pub fn login_fields(&self) -> &[FieldSpec] {
        &self.contract.login.form.fields
    }

    /// True if a login was recorded, successful or not.
    pub(super) fn has_login(&self) -> bool {
        self.logins().next().is_some()
    }

    fn logins(&self) -> impl Iterator<Item = &Entry> {
        self.entries
            .iter()
            .filter(|entry| entry.operation == Some(Operation::Login))
    }
}

/// A recorded request with its reply. The values in both are masked.
pub(super) struct Entry {
    /// The time of the request, if the file has one.
    pub(super) at: Option<Wall>,
    pub(super) operation: Option<Operation>,
    pub(super) request: Request,
    pub(super) reply: Result<Reply, LossReason>,
    /// The time from the request to the end of the reply.
    pub(super) took: Duration,
    /// True if the app that recorded the request reported an error.
    pub(super) has_error: bool,
}

/// A request, recorded or new.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    /// The idempotency key of a withdrawal.
    pub(super) key: Option<String>,
    pub(super) body: String,
}

/// A reply, as recorded or as sent.
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
    /// The reason why the body is incomplete, if it is.
    pub(super) loss: Option<LossReason>,
}

/// The reason why the client did not receive a complete reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LossReason {
    /// The connection was closed.
    Closed,
    /// The client reached its time limit.
    Timeout,
    /// The reply announced more bytes than the client accepts.
    TooLarge,
}

impl Entry {
    /// Reads an entry of the file. Sets `time` to the time of the request, if the entry has one.
    /// The index in the error is not set.
    fn read(
        json: &RawValue,
        contract: &Contract,
        time: &mut Option<Timestamp>,
    ) -> Result<Entry, SkippedEntry> {
        let unknown = |reason| SkippedEntry {
            index: 0,
            request: "".into(),
            reason,
        };
        let har: HarEntry<'_> =
            serde_json::from_str(json.get()).map_err(|_| unknown(SkipReason::NotHar))?;
        let own_time = text_of(har.started.as_ref()).and_then(|text| parse_time(&text));
        *time = own_time.or(*time);
        let request = har
            .request
            .as_ref()
            .ok_or_else(|| unknown(SkipReason::NoRequest))?;
        let method = text_of(request.method.as_ref()).unwrap_or_default();
        let url = text_of(request.url.as_ref()).unwrap_or_default();
        let target = request_target(&url);
        let path = target
            .unwrap_or_default()
            .split('?')
            .next()
            .unwrap_or_default();
        let skip = |reason| {
            let request = format!("{method} {path}").trim().into();
            SkippedEntry {
                index: 0,
                request,
                reason,
            }
        };
        if method.is_empty() && url.is_empty() {
            return Err(skip(SkipReason::NoRequest));
        }
        let target = target.ok_or_else(|| skip(SkipReason::NoUrl))?;
        let entry = Entry::from_har(&har, method.clone(), target, contract).map_err(skip)?;
        let at = own_time.map(|time| Wall(time.as_millisecond()));
        Ok(Entry { at, ..entry })
    }

    fn from_har(
        har: &HarEntry<'_>,
        method: String,
        target: &str,
        contract: &Contract,
    ) -> Result<Entry, SkipReason> {
        let loss = match text_of(har.error.as_ref()).as_deref() {
            Some(error) if was_not_sent(error) => return Err(SkipReason::NotSent),
            Some("timeout") => Some(LossReason::Timeout),
            Some("too large") => Some(LossReason::TooLarge),
            // The reply was complete, but the app could not read it with the contract.
            Some("unreadable") | None => None,
            Some(_) => Some(LossReason::Closed),
        };
        let har_request = har.request.as_ref().ok_or(SkipReason::NoRequest)?;
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let operation = match text_of(har.operation.as_ref()) {
            Some(name) => Operation::ALL
                .into_iter()
                .find(|known| known.name() == name),
            None => operation_at(contract, &method, path),
        };
        let mut headers = har_request.headers().into_iter();
        let key = headers.find(|(name, _)| contract.withdrawal_only.has_header(name));
        let key = text_of(har.code.as_ref()).or(key.map(|(_, value)| value));
        let reply = read_reply(har.response.as_ref(), loss)?;
        let body = har_request.body().ok_or(SkipReason::Encoding)?;
        let longest_body = reply
            .as_ref()
            .map_or(0, |reply| reply.body.len())
            .max(body.len());
        if longest_body > MAX_BODY {
            return Err(SkipReason::TooLarge);
        }
        let [path, query] = [path, query].map(str::to_owned);
        let milliseconds = har
            .time
            .as_ref()
            .and_then(Scalar::number)
            .unwrap_or_default();
        let took = Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default();
        let request = Request {
            method,
            path,
            query,
            key,
            body,
        };
        let has_error = har.error.is_some();
        let took = took.min(MAX_DELAY);
        Ok(Entry {
            at: None,
            operation,
            request,
            reply,
            took,
            has_error,
        })
    }

    /// True if the reply may be played more than once, because its request changes nothing at the
    /// service.
    pub(super) fn is_repeatable(&self) -> bool {
        let read_operations = [Some(Operation::Login), Some(Operation::FeePreview)];
        self.operation != Some(Operation::Withdrawal)
            && (self.request.method == "GET" || read_operations.contains(&self.operation))
    }
}

/// Reads the reply of an entry. `loss` is the reason why the client did not receive all of it.
fn read_reply(
    response: Option<&HarResponse<'_>>,
    loss: Option<LossReason>,
) -> Result<Result<Reply, LossReason>, SkipReason> {
    let lost = Ok(Err(loss.unwrap_or(LossReason::Closed)));
    let Some(response) = response else {
        return lost;
    };
    let Some(status) = &response.status else {
        return lost;
    };
    let status = status.number().filter(|status| status.fract() == 0.0);
    let status = status.ok_or(SkipReason::NoStatus)?;
    if !(200.0..=999.0).contains(&status) {
        return lost;
    }
    let body = response.body().ok_or(SkipReason::Encoding)?;
    Ok(Ok(Reply {
        status: status as u16,
        headers: response.headers(),
        body,
        loss,
    }))
}

fn text_of(scalar: Option<&Scalar<'_>>) -> Option<String> {
    scalar?.text()
}

/// Parses a time with an offset. Without one, the time is in UTC.
fn parse_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        Some(
            text.parse::<DateTime>()
                .ok()?
                .to_zoned(TimeZone::UTC)
                .ok()?
                .timestamp(),
        )
    })
}

/// The path and the query of a URL; `None` if the URL has no scheme.
fn request_target(url: &str) -> Option<&str> {
    let (_, after_scheme) = url.split('#').next()?.split_once("://")?;
    Some(
        after_scheme
            .find(['/', '?'])
            .map_or("", |index| &after_scheme[index..]),
    )
}

/// The API operation that has this method and path in the contract.
pub(super) fn operation_at(contract: &Contract, method: &str, path: &str) -> Option<Operation> {
    Operation::ALL.into_iter().find(|operation| {
        let call = contract.call_of(*operation);
        call.method.as_str() == method && call.path.split('?').next() == Some(path)
    })
}

/// True if the recorded error means that the service received no request.
fn was_not_sent(error: &str) -> bool {
    error.starts_with("not sent") || ["failed", "cancelled"].contains(&error)
}
