//! Reads a file of exported requests (HAR 1.2). The file comes from another person, so its sizes
//! are limited, and an unusable entry is skipped.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::marker::PhantomData;
use std::path::Path;
use std::time::Duration;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::contract::{Contract, ContractError, FieldSpec};
use crate::trade::Operation;

pub(super) const MAX_FILE_BYTES: u64 = 64 * 1024 * 1024;

/// The maximum number of requests in a file. The app stores far fewer.
const MAX_ENTRIES: usize = 20_000;

const MAX_HEADERS: usize = 100;

const MAX_CONTRACT_LINES: usize = 2_000;

/// The maximum length of a body, in bytes. The client never reads a longer body.
const MAX_BODY: usize = 4 * 1024 * 1024;

const MAX_DELAY: Duration = Duration::from_secs(60);

/// The requests and replies in a file, in the order they were recorded.
pub struct Recording {
    pub(super) entries: Vec<Entry>,
    pub(super) contract: Contract,
    lines: Vec<String>,
    skipped: usize,
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
    /// The contract in the file is invalid.
    #[error("its contract is not valid: {0}")]
    Contract(#[from] ContractError),
    /// The file contains no request that was sent.
    #[error("no request in it was sent")]
    Empty,
}

/// Reads a file of exported requests as bytes.
///
/// # Errors
///
/// Fails if the file cannot be read or is too large.
pub fn read_file(path: &Path) -> Result<Vec<u8>, RecordingError> {
    let mut bytes = Vec::new();
    // Read one byte more than the limit, to detect a file that is too large.
    File::open(path)?.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
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
        let bytes = bytes.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(bytes);
        let HarFile { log } = serde_json::from_slice(bytes)?;
        // Sort the entries by time, because HAR allows any order. All times have the same format,
        // so comparing them as text is enough.
        let total = log.entries.0.len();
        // An entry that is not valid must not make the file unusable.
        let parse_entry = |entry: &RawValue| serde_json::from_str::<HarEntry>(entry.get()).ok();
        let mut entries: Vec<_> = log.entries.0.into_iter().filter_map(parse_entry).collect();
        entries.sort_by(|first, second| first.started.cmp(&second.started));
        let lines = log.contract.0;
        let contract = match lines.is_empty() {
            true => Contract::built_in(),
            false => Contract::with(&[("HAR", &lines.join("\n"))])?,
        };
        let to_entry = |har| Entry::from_har(har, &contract);
        let entries: Vec<Entry> = entries.into_iter().filter_map(to_entry).collect();
        let skipped = total - entries.len();
        match entries.is_empty() {
            true => Err(RecordingError::Empty),
            false => Ok(Recording { entries, contract, lines, skipped }),
        }
    }

    /// Returns the number of recorded requests that can be played.
    pub fn requests(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of recorded requests that are skipped, because they were not sent or are
    /// unusable.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Returns the contract settings used for the recorded requests; empty for the built-in
    /// contract.
    pub fn contract_lines(&self) -> &[String] {
        &self.lines
    }

    /// Returns true if a login can succeed: a successful login was recorded, or none at all, which
    /// makes every login succeed.
    pub fn accepts_login(&self) -> bool {
        let is_success = |reply: &Reply| (200..300).contains(&reply.status);
        let mut logins = self.logins();
        !self.has_login() || logins.any(|entry| entry.reply.as_ref().is_ok_and(is_success))
    }

    /// Returns the fields of the login form, as the recorded contract defines them.
    pub fn login_fields(&self) -> &[FieldSpec] {
        &self.contract.login.form.fields
    }

    /// Returns true if a login was recorded, successful or not.
    pub(super) fn has_login(&self) -> bool {
        self.logins().next().is_some()
    }

    fn logins(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|entry| entry.operation == Some(Operation::Login))
    }
}

/// A recorded request with its reply. The values in both are masked.
pub(super) struct Entry {
    pub(super) operation: Option<Operation>,
    pub(super) request: Request,
    pub(super) reply: Result<Reply, LossReason>,
    /// The time from the request to the end of the reply.
    pub(super) took: Duration,
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
    /// Converts an entry of the file; `None` if its request was not sent or is unusable.
    fn from_har(har: HarEntry, contract: &Contract) -> Option<Entry> {
        let HarEntry { time, request, response, operation, code, error, .. } = har;
        let loss = match error.as_deref() {
            Some(error) if was_not_sent(error) => return None,
            Some("timeout") => Some(LossReason::Timeout),
            Some("too large") => Some(LossReason::TooLarge),
            // The reply was complete, but the app could not read it with the contract.
            Some("unreadable") | None => None,
            Some(_) => Some(LossReason::Closed),
        };
        let (_, after_scheme) = request.url.split('#').next()?.split_once("://")?;
        let target = after_scheme.find(['/', '?']).map_or("", |index| &after_scheme[index..]);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let operation = match operation {
            Some(name) => Operation::ALL.into_iter().find(|known| known.name() == name),
            None => operation_at(contract, &request.method, path),
        };
        let pairs = |headers: Bounded<HarHeader, MAX_HEADERS>| -> Vec<(String, String)> {
            headers.0.into_iter().map(|header| (header.name, header.value)).collect()
        };
        let request_headers = pairs(request.headers);
        let is_key = |header: &(String, String)| contract.withdrawal_only.has_header(&header.0);
        let key = request_headers.into_iter().find(is_key).map(|(_, value)| value);
        let reply = match u16::try_from(response.status) {
            Ok(status @ 200..=999) => {
                let (headers, body) = (pairs(response.headers), response.content.text()?);
                Ok(Reply { status, headers, body, loss })
            }
            _ => Err(loss.unwrap_or(LossReason::Closed)),
        };
        let request = Request {
            method: request.method,
            path: path.to_owned(),
            query: query.to_owned(),
            key: code.or(key),
            body: request.body.text()?,
        };
        let longest_body =
            reply.as_ref().map_or(0, |reply| reply.body.len()).max(request.body.len());
        let took = Duration::try_from_secs_f64(time / 1000.0).unwrap_or_default();
        let took = took.min(MAX_DELAY);
        (longest_body <= MAX_BODY).then_some(Entry { operation, request, reply, took })
    }

    /// Returns true if the reply may be played more than once, because its request changes nothing
    /// at the service.
    pub(super) fn is_repeatable(&self) -> bool {
        let read_operations = [Some(Operation::Login), Some(Operation::FeePreview)];
        self.operation != Some(Operation::Withdrawal)
            && (self.request.method == "GET" || read_operations.contains(&self.operation))
    }
}

/// Returns the API operation that has this method and path in the contract.
pub(super) fn operation_at(contract: &Contract, method: &str, path: &str) -> Option<Operation> {
    Operation::ALL.into_iter().find(|operation| {
        let call = contract.call_of(*operation);
        call.method.as_str() == method && call.path.split('?').next() == Some(path)
    })
}

/// Returns true if the recorded error means that the service received no request.
fn was_not_sent(error: &str) -> bool {
    error.starts_with("not sent") || ["failed", "cancelled"].contains(&error)
}

// The structs below contain the members of a HAR file that the replay uses. All other members are
// skipped while reading.

#[derive(serde::Deserialize)]
struct HarFile<'a> {
    #[serde(borrow)]
    log: HarLog<'a>,
}

#[derive(serde::Deserialize)]
struct HarLog<'a> {
    #[serde(borrow)]
    entries: Bounded<&'a RawValue, MAX_ENTRIES>,
    #[serde(rename = "_contract", default)]
    contract: Bounded<String, MAX_CONTRACT_LINES>,
}

#[derive(serde::Deserialize)]
struct HarEntry {
    #[serde(rename = "startedDateTime", default)]
    started: String,
    #[serde(default)]
    time: f64,
    request: HarRequest,
    response: HarResponse,
    #[serde(rename = "_operation")]
    operation: Option<String>,
    #[serde(rename = "_code")]
    code: Option<String>,
    #[serde(rename = "_error")]
    error: Option<String>,
}

#[derive(serde::Deserialize)]
struct HarRequest {
    method: String,
    url: String,
    #[serde(default)]
    headers: Bounded<HarHeader, MAX_HEADERS>,
    #[serde(rename = "postData", default)]
    body: HarBody,
}

#[derive(serde::Deserialize)]
struct HarResponse {
    status: i64,
    #[serde(default)]
    headers: Bounded<HarHeader, MAX_HEADERS>,
    #[serde(default)]
    content: HarBody,
}

#[derive(serde::Deserialize)]
struct HarHeader {
    name: String,
    value: String,
}

#[derive(Default, serde::Deserialize)]
struct HarBody {
    #[serde(default)]
    text: String,
    encoding: Option<String>,
}

impl HarBody {
    /// Returns the decoded body; `None` if its encoding is unknown.
    fn text(self) -> Option<String> {
        match self.encoding.as_deref() {
            None | Some("") => Some(self.text),
            Some("base64") => {
                let bytes = BASE64_STANDARD.decode(self.text).ok()?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            Some(_) => None,
        }
    }
}

/// A list with at most `N` items. A longer list is an error, which is detected before it uses more
/// memory.
struct Bounded<T, const N: usize>(Vec<T>);

impl<T, const N: usize> Default for Bounded<T, N> {
    fn default() -> Bounded<T, N> {
        Bounded(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const N: usize> Deserialize<'de> for Bounded<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bounded<T, N>, D::Error> {
        deserializer.deserialize_seq(BoundedVisitor(PhantomData))
    }
}

struct BoundedVisitor<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for BoundedVisitor<T, N> {
    type Value = Bounded<T, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list with at most {N} items")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Bounded<T, N>, A::Error> {
        let mut collected = Vec::new();
        while let Some(item) = items.next_element()? {
            if collected.len() == N {
                return Err(Error::invalid_length(N + 1, &self));
            }
            collected.push(item);
        }
        Ok(Bounded(collected))
    }
}
