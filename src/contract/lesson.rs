//! Lessons about withdrawals: the values of a reply that the seller may choose as the code (the
//! service's id) and the state of a withdrawal.
//!
//! A taught place is a sign that the service accepted a withdrawal. A value that can also be in a
//! reply to a withdrawal that was not accepted, such as the id of the request, is therefore
//! refused.

use std::sync::Arc;

use serde_json::Value;

use super::failure_signs::failure_sign;
use super::field_names::{contains_part, letters};
use super::reply::{read_json, read_text};
use super::reply_places::{escape_name, name_words};
use super::reply_setting::{WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use super::settings::{ContractError, Section, SettingValue};
use super::{Contract, ReplySetting, ReplyTree, TaughtSetting, members};
use crate::trade::{Exchange, Operation, Untrusted, Wall};

/// The settings that the seller may teach while a withdrawal is open.
const LESSON_SETTINGS: [&str; 3] = [
    WITHDRAWAL_ID.name,
    WITHDRAWAL_STATUS.name,
    "withdrawal.under",
];

/// Parts of names that belong to a single request, and not to the withdrawal that it made.
const REQUEST_NAMES: &str = "request requisi reqid trace correla spanid nonce idempot";

/// If a name contains one of these, it belongs to the withdrawal, as in `withdrawal_request_id`.
const WITHDRAWAL_NAMES: &str = "withdraw payout saque transfer";

/// The last words of names of times.
const TIME_WORDS: &str = "at date datetime time timestamp hora horario";

/// Words in the name of a value that is the same in each reply, so it is no code of a withdrawal.
const CONSTANT_WORDS: &str = "version versao versão eta limit limite merchant lojista agency \
    agencia agência account conta branch server servidor host node instance region environment \
    ambiente balance saldo";

/// Words in the names of states.
const STATE_WORDS: &str = "status state situacao situação situation estado";

/// If a name contains one of these words, its value is not a state, as in `statusCode`.
const NO_STATE_WORDS: &str = "code codigo código id url at date time message mensagem text texto";

/// The minimum length of a code, in characters. Shorter values are often the same in all replies.
const MIN_CODE_LENGTH: usize = 3;

/// The maximum length of a state, in characters.
const MAX_STATE_LENGTH: usize = 40;

/// The minimum length of a value that counts as sent if only its end was sent, such as a phone
/// number without the country code.
const MIN_TAIL_LENGTH: usize = 8;

/// A number this near to the time of the reply, in milliseconds, is a time.
const TIME_RANGE_MS: u64 = 31 * 24 * 60 * 60 * 1_000;

/// The reason why a lesson is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LessonFault {
    /// The reply contains this word for a failure.
    SaysFailed(Untrusted),
    /// The code was not chosen, or cannot be read.
    NoCode,
    /// A word or an amount, and not a code.
    NotACode,
    /// The value is masked, by the program or by the service.
    Masked,
    /// The id of the request.
    RequestId,
    /// A date or a time.
    Time,
    /// A value of the request.
    Sent,
    /// A refusal, another operation's reply or another withdrawal's reply has it too.
    Elsewhere,
    /// The value is not a state.
    NotAState,
    /// The reply has a state under this name, which was not chosen.
    UnreadState(Untrusted),
}

/// The reply from which the seller teaches, and what is known about its values.
#[derive(Debug)]
pub struct Lesson {
    reply: Arc<ReplyTree>,
    status: u16,
    at: Wall,
    /// The id of the request in a header of the reply.
    request_id: Option<Untrusted>,
    /// The values in the request, as [`letters`].
    sent: Vec<String>,
    others: Vec<OtherReply>,
}

/// Another reply that the program still has.
#[derive(Debug)]
struct OtherReply {
    json: Value,
    operation: Operation,
    is_success: bool,
}

impl Lesson {
    /// Prepares a lesson from the reply of a withdrawal. `kept` are all exchanges that the program
    /// still has.
    pub fn new<'e>(
        exchange: &Exchange,
        reply: Arc<ReplyTree>,
        kept: impl Iterator<Item = &'e Exchange>,
    ) -> Lesson {
        let body = members(exchange.request_body.as_deref().unwrap_or_default());
        let body = body.iter().map(|member| member.value.text());
        let headers = exchange
            .request_headers
            .iter()
            .map(|(_, value)| value.as_str());
        Lesson {
            reply,
            status: exchange.reply.as_ref().map_or(0, |reply| reply.status),
            at: exchange.at,
            request_id: exchange.request_id().cloned(),
            sent: body
                .chain(headers)
                .map(letters)
                .filter(|text| !text.is_empty())
                .collect(),
            others: kept
                .filter_map(|other| OtherReply::of(other, exchange))
                .collect(),
        }
    }

    /// The reason why the changes from `before` to `after` may not be taught, or `None` if they may
    /// be, or if they do not concern how the code and the state are read.
    pub fn fault(&self, before: &Contract, after: &Contract) -> Option<LessonFault> {
        if LESSON_SETTINGS
            .iter()
            .all(|name| before.value(name) == after.value(name))
        {
            return None;
        }
        if let Some(word) = self.failed_word(after) {
            return Some(LessonFault::SaysFailed(word));
        }
        let json = &self.reply.json;
        for pointer in &after.paths(WITHDRAWAL_ID).pointers {
            let is_new = !before.paths(WITHDRAWAL_ID).pointers.contains(pointer);
            let pointer = pointer.as_str();
            if is_new
                && self
                    .others
                    .iter()
                    .any(|other| other.has_code_at(pointer, json))
            {
                return Some(LessonFault::Elsewhere);
            }
            let has_value = json.pointer(pointer).is_some_and(|value| !value.is_null());
            if is_new
                && has_value
                && let Some(fault) = self.code_fault(pointer)
            {
                return Some(fault);
            }
        }
        if after.paths(WITHDRAWAL_ID).text(json).is_none() {
            return Some(LessonFault::NoCode);
        }
        self.status_fault(before, after)
    }

    fn status_fault(&self, before: &Contract, after: &Contract) -> Option<LessonFault> {
        let places = &after.paths(WITHDRAWAL_STATUS).pointers;
        let old_places = &before.paths(WITHDRAWAL_STATUS).pointers;
        let new_places = places.iter().filter(|place| !old_places.contains(place));
        let mut read = new_places.filter(|place| self.reply.json.pointer(place.as_str()).is_some());
        if let Some(fault) = read.find_map(|place| self.state_fault(place.as_str())) {
            return Some(fault);
        }
        let unread = self.values().into_iter().find(|(pointer, value)| {
            !places.iter().any(|place| place.as_str() == pointer)
                && scalar_text(value).is_some_and(|text| !text.trim().is_empty())
                && is_state_name(last_name(pointer))
                && !self.is_in_other_operation(pointer)
        });
        unread.map(|(pointer, _)| LessonFault::UnreadState(last_name(&pointer).into()))
    }

    /// The reason why the setting cannot be taught to read the value at this JSON Pointer.
    pub fn value_fault(
        &self,
        contract: &Contract,
        setting: &ReplySetting,
        pointer: &str,
    ) -> Option<LessonFault> {
        if !is_judged(setting) {
            return None;
        }
        let failed_word = self.failed_word(contract).map(LessonFault::SaysFailed);
        failed_word.or_else(|| self.place_fault(setting, pointer))
    }

    /// Like [`value_fault`](Lesson::value_fault), but does not look for a failed word.
    fn place_fault(&self, setting: &ReplySetting, pointer: &str) -> Option<LessonFault> {
        if setting == WITHDRAWAL_ID {
            self.code_fault(pointer)
        } else {
            self.state_fault(pointer)
        }
    }

    /// The index of the row at which the cursor starts: of the values that may be taught, the one
    /// with the likeliest name. Returns `None` if no value may be taught, or if the setting reads
    /// neither the code nor the state.
    pub fn suggest_row(&self, contract: &Contract, setting: &ReplySetting) -> Option<usize> {
        if !is_judged(setting) || self.failed_word(contract).is_some() {
            return None;
        }
        let rows = self.reply.rows().iter().enumerate().rev();
        rows.filter(|(_, row)| self.place_fault(setting, &row.pointer).is_none())
            .max_by_key(|(_, row)| setting.hint_score(row.name.raw()))
            .map(|(index, _)| index)
    }

    /// The row with the state, if only one row can have it.
    pub fn only_state_row(&self) -> Option<usize> {
        let rows = self.reply.rows().iter().enumerate();
        let mut states = rows.filter(|(_, row)| self.state_fault(&row.pointer).is_none());
        let (index, _) = states.next()?;
        states.next().is_none().then_some(index)
    }

    /// The first sign of a failure, or else a text anywhere that is a word for one.
    fn failed_word(&self, contract: &Contract) -> Option<Untrusted> {
        let json = &self.reply.json;
        if let Some(sign) = failure_sign(json, &contract.withdrawal.call.failed) {
            return Some(sign.word);
        }
        let words = &contract.withdrawal.call.failed.words;
        let values = self.values();
        let mut texts = values.iter().filter_map(|(_, value)| value.as_str());
        let failed = texts.find(|text| {
            let text = text.trim().to_lowercase();
            words.iter().any(|word| word.to_lowercase() == text)
        });
        failed.map(Untrusted::from)
    }

    fn code_fault(&self, pointer: &str) -> Option<LessonFault> {
        let Some(text) = self.reply.json.pointer(pointer).and_then(scalar_text) else {
            return Some(LessonFault::NotACode);
        };
        let text = text.trim();
        if is_masked(text) {
            return Some(LessonFault::Masked);
        }
        let is_request_id = self.request_id.as_ref().is_some_and(|id| id.raw() == text);
        if is_request_id || pointer.split('/').any(is_request_name) {
            return Some(LessonFault::RequestId);
        }
        if self.is_time(last_name(pointer), text) {
            return Some(LessonFault::Time);
        }
        if self.was_sent(text) {
            return Some(LessonFault::Sent);
        }
        if self
            .others
            .iter()
            .any(|other| other.has_code_at(pointer, &self.reply.json))
        {
            return Some(LessonFault::Elsewhere);
        }
        let words = name_words(last_name(pointer));
        let names_constant = CONSTANT_WORDS
            .split(' ')
            .any(|word| words.iter().any(|own| own == word));
        let is_unfit = names_constant || !is_code(text) || text == self.status.to_string();
        is_unfit.then_some(LessonFault::NotACode)
    }

    fn state_fault(&self, pointer: &str) -> Option<LessonFault> {
        let Some(Value::String(text)) = self.reply.json.pointer(pointer) else {
            return Some(LessonFault::NotAState);
        };
        if is_masked(text) {
            return Some(LessonFault::Masked);
        }
        if self.is_in_other_operation(pointer) {
            return Some(LessonFault::Elsewhere);
        }
        let is_state = is_state_name(last_name(pointer))
            && !text.trim().is_empty()
            && text.chars().count() <= MAX_STATE_LENGTH
            && !text.contains(|c: char| c.is_ascii_digit());
        (!is_state).then_some(LessonFault::NotAState)
    }

    fn is_in_other_operation(&self, pointer: &str) -> bool {
        let mut others = self
            .others
            .iter()
            .filter(|other| other.operation != Operation::Withdrawal);
        others.any(|other| other.json.pointer(pointer).is_some())
    }

    fn is_time(&self, name: &str, text: &str) -> bool {
        let last_word = name_words(name).pop().unwrap_or_default();
        if TIME_WORDS.split(' ').any(|word| word == last_word) || is_date(text) {
            return true;
        }
        let factors = [(10, 1_000_000), (13, 1_000), (16, 1)];
        let factor = factors.iter().find(|(digits, _)| *digits == text.len());
        let number: Option<i64> = text.parse().ok();
        let (Some((_, factor)), Some(number)) = (factor, number) else {
            return false;
        };
        let time_ms = number.saturating_mul(*factor) / 1_000;
        time_ms.abs_diff(self.at.0) < TIME_RANGE_MS
    }

    /// True if the request contained this value, perhaps in another notation.
    fn was_sent(&self, text: &str) -> bool {
        let text = letters(text);
        self.sent.iter().any(|sent| {
            // An amount may have another unit or other decimals: 100, 100.00 and 10000.
            let is_same_figure = sent.chars().all(|c| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit())
                && sent.trim_end_matches('0') == text.trim_end_matches('0');
            *sent == text
                || is_same_figure
                || text.chars().count() >= MIN_TAIL_LENGTH && sent.ends_with(&text)
                || sent.chars().count() >= MIN_TAIL_LENGTH && text.ends_with(sent)
        })
    }

    /// All texts and literals in the reply with their JSON Pointers.
    fn values(&self) -> Vec<(String, &Value)> {
        let mut values = vec![];
        push_values(&mut values, &self.reply.json, String::new());
        values
    }
}

/// True if the setting reads the code or the state of a withdrawal.
fn is_judged(setting: &ReplySetting) -> bool {
    [WITHDRAWAL_ID, WITHDRAWAL_STATUS].contains(&setting)
}

impl OtherReply {
    /// The reply of another exchange, unless it has none or sent the same withdrawal as `taught`.
    fn of(other: &Exchange, taught: &Exchange) -> Option<OtherReply> {
        let reply = other.reply.as_ref().ok()?;
        let is_success = (200..300).contains(&reply.status);
        let is_same = other.operation == taught.operation
            && other.request_headers == taught.request_headers
            && is_success;
        let json = read_json(reply.body.raw().as_bytes()).filter(|_| !is_same)?;
        Some(OtherReply {
            json,
            operation: other.operation,
            is_success,
        })
    }

    /// True if the value at this JSON Pointer in `reply` cannot be a code, because this reply has a
    /// value there. The code of another withdrawal may be there, but not the same code.
    fn has_code_at(&self, pointer: &str, reply: &Value) -> bool {
        let Some(value) = self.json.pointer(pointer).filter(|value| !value.is_null()) else {
            return false;
        };
        let is_withdrawal = self.operation == Operation::Withdrawal && self.is_success;
        !is_withdrawal || reply.pointer(pointer) == Some(value)
    }
}

fn push_values<'v>(values: &mut Vec<(String, &'v Value)>, value: &'v Value, pointer: String) {
    match value {
        Value::Array(items) => {
            for (n, item) in items.iter().enumerate() {
                push_values(values, item, format!("{pointer}/{n}"));
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = escape_name(name);
                push_values(values, member, format!("{pointer}/{name}"));
            }
        }
        value => values.push((pointer, value)),
    }
}

/// A text, number or flag as text. Returns `None` for `null`, a list and an object.
fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn last_name(pointer: &str) -> &str {
    pointer.rsplit('/').next().unwrap_or_default()
}

fn is_request_name(name: &str) -> bool {
    let name = letters(name);
    contains_part(&name, REQUEST_NAMES) && !contains_part(&name, WITHDRAWAL_NAMES)
}

fn is_state_name(name: &str) -> bool {
    let words = name_words(name);
    let has_any = |list: &str| {
        list.split(' ')
            .any(|word| words.iter().any(|own| own == word))
    };
    has_any(STATE_WORDS) && !has_any(NO_STATE_WORDS)
}

fn is_masked(text: &str) -> bool {
    Untrusted::from(text).is_masked() || text.contains(['*', '•', '…'])
}

fn is_date(text: &str) -> bool {
    let shape: String = text
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    let starts = ["0000-00-00", "00/00/0000", "00:00"].iter();
    let mut after_start = starts.filter_map(|start| shape.strip_prefix(start));
    after_start.any(|rest| rest.is_empty() || rest.starts_with(['T', ' ', ':', '.']))
        || text.ends_with(" GMT")
}

/// True if a text looks like a code. A code has a digit, which a word has not, and no decimals,
/// which an amount has.
fn is_code(text: &str) -> bool {
    let is_figure = text
        .chars()
        .all(|c| c.is_ascii_digit() || ".,-".contains(c));
    text.chars().count() >= MIN_CODE_LENGTH
        && text.contains(|c: char| c.is_ascii_digit())
        && !text.contains(char::is_whitespace)
        && !text.contains("://")
        && !(is_figure && text.contains(['.', ',']))
}

/// The replies without a body that mean that a withdrawal was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EmptySuccess {
    /// No reply.
    Never,
    /// A reply with any success status. A body of `{}` counts as empty, too.
    AnyStatus,
    /// A reply with one of these statuses.
    Statuses(Vec<u16>),
}

impl EmptySuccess {
    /// Reads the setting `empty_success`.
    pub(super) fn read(section: &Section<'_>) -> Result<EmptySuccess, ContractError> {
        const KEY: &str = "empty_success";
        if let Ok(is_success) = section.get::<bool>(KEY) {
            return Ok(if is_success {
                EmptySuccess::AnyStatus
            } else {
                EmptySuccess::Never
            });
        }
        let expected = "true or false, or a list of statuses from 200 to 299";
        let statuses = section
            .statuses(KEY)
            .or_else(|_| section.invalid_value(KEY, expected))?;
        Ok(EmptySuccess::Statuses(statuses))
    }
}

impl Contract {
    /// The id in this reply to a withdrawal, if the id identifies the withdrawal.
    pub fn find_withdrawal_id(&self, reply: &Value) -> Option<Untrusted> {
        self.paths(WITHDRAWAL_ID).find(reply, |value| {
            read_text(value).filter(|id| !self.withdrawal.not_ids.iter().any(|it| it == id.raw()))
        })
    }

    /// The setting with which a reply that has this status and no body means that a withdrawal was
    /// accepted. Returns `None` if it means that already, or cannot.
    pub fn setting_for_empty_success(&self, status: u16) -> Option<TaughtSetting> {
        // Some services answer 208 while the first request is still running.
        if status == 208 {
            return None;
        }
        let statuses = match &self.withdrawal.empty_success {
            EmptySuccess::Never => vec![],
            EmptySuccess::AnyStatus => return None,
            EmptySuccess::Statuses(statuses) if statuses.contains(&status) => return None,
            EmptySuccess::Statuses(statuses) => statuses.clone(),
        };
        let statuses = statuses
            .into_iter()
            .chain([status])
            .map(i64::from)
            .collect();
        let value = SettingValue::Wholes(statuses);
        let setting = TaughtSetting {
            name: "withdrawal.empty_success".to_owned(),
            value,
        };
        self.with_taught(std::slice::from_ref(&setting))
            .is_ok()
            .then_some(setting)
    }
}

#[cfg(test)]
mod tests;
