//! The contract: the paths, field names and reply shapes that the program assumes about the
//! payments service.
//!
//! The API documentation leaves many of these open. Each assumption is a line of
//! `assets/contract.toml`, not a constant in the code, and a seller's own contract file can replace
//! single lines.
//!
//! Start at [`Contract`]. This module reads and checks contract lines; it sends no requests.

#![warn(missing_docs)]

mod amount_format;
mod body;
mod confirmed;
mod consent;
mod domains;
mod escapes;
mod expiry;
mod field;
mod headers;
mod members;
mod operations;
mod reply;
mod reply_places;
mod sent_lines;
mod settings;
mod sharing;
mod teaching;
mod unread_values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

pub use amount_format::{AmountFormat, ReadAmounts, SentAmounts, Unit};
pub use body::{Body, BodySpec, Encoding, FieldInput};
pub use confirmed::ConfirmedLines;
pub use consent::{
    CA_FILE_LINE, CHARGE_MESSAGE_LINE, ContractLines, LINK_MESSAGE_LINE, LineChange, PROXY_LINE,
    foreign_letters, is_foreign_letter,
};
pub use domains::{DomainEntries, NextPage, PageStyle, Pages, read_domains};
pub use escapes::{of_json, of_page, readings};
pub use expiry::{Expiry, from_base64, is_jwt, jwt_expiry, jwt_issued, jwt_subject};
pub use field::{
    FieldFault, FieldKind, FieldOption, FieldSpec, InvalidField, KEY_FIELD, key_kind_id,
};
pub use headers::{
    CredentialHeader, FixedHeader, WithdrawalOnly, is_reserved_header, is_same_header, resource,
};
pub use members::{Member, MemberValue, json_parts, members};
pub use reply::{Figure, JsonPaths, Pointer, read_json};
pub use sent_lines::{FieldUse, SampleRequest, SentLine, TaughtField, setting_of};
pub use settings::{ContractError, PRESETS, Preset, Provenance, Setting, SettingValue};
use settings::{ContractSettings, FileAuthor};
pub use sharing::SharedLine;
pub use teaching::{
    ReadValue, ReplyLine, ReplyTree, ReplyValueKind, TaughtLine, TreeRow, TreeValue,
};

use crate::trade::{CredentialKind, KeyFormat, Operation};

/// The text of the built-in contract.
const BUILT_IN: &str = include_str!("../assets/contract.toml");

/// The file name of the built-in contract, as shown in errors.
const BUILT_IN_NAME: &str = "contract.toml";

/// The settings of one service: how each request is built and how each reply is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Contract {
    /// The login operation.
    pub login: LoginSpec,
    /// The operation that lists the available checkout domains.
    pub domains: DomainsSpec,
    /// The operation that creates a payment link.
    pub create_link: CreateLinkSpec,
    /// The operation that creates a direct payment.
    pub direct_payment: DirectPaymentSpec,
    /// The operation that previews a withdrawal's fee.
    pub fee_preview: FeePreviewSpec,
    /// The operation that requests a Pix withdrawal.
    pub withdrawal: WithdrawalSpec,
    /// The paths and headers that no operation except the withdrawal may use.
    pub withdrawal_only: WithdrawalOnly,
    /// The JSON paths of the message and hint in an error reply.
    pub error: ErrorBody,
    /// True if a pasted JWT must have the form of a JWT (the line `credential.jwt.shape`).
    pub checks_jwt_shape: bool,
    settings: BTreeMap<String, Setting>,
    /// True if the seller must agree to the contract before it is used.
    needs_consent: bool,
    /// Lines that a profile adds: its proxy, its CA file and its message templates for buyers.
    of_profile: BTreeMap<String, String>,
    /// True if one of the seller's files has a `confirmed` list, which is ignored.
    claims: bool,
    /// The lines confirmed by live replies or by the seller.
    confirmed: ConfirmedLines,
}

/// The HTTP settings of an operation, such as its method and path.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// The HTTP method.
    pub method: Method,
    /// The path below the base URL, with its query, if any.
    pub path: String,
    /// How the request body is encoded.
    pub encoding: Encoding,
    /// The kind of credential that the request sends, if any.
    pub credential: Option<CredentialKind>,
    /// The headers that carry the credential.
    pub credential_headers: Vec<CredentialHeader>,
    /// The headers with a fixed value.
    pub fixed_headers: Vec<FixedHeader>,
    /// The HTTP statuses that mean success.
    pub success: Vec<u16>,
}

/// The HTTP methods that an operation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`; the parameters are in the query.
    Get,
    /// `POST`, with a body.
    Post,
    /// `PUT`, with a body.
    Put,
    /// `PATCH`, with a body.
    Patch,
}

/// The login operation of the API, which returns the API token.
#[derive(Debug, Clone, PartialEq)]
pub struct LoginSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// The fields of the login form and of its request body.
    pub form: BodySpec,
    /// The id of the field that identifies the account, such as `email`.
    pub identity: String,
    /// JSON paths of the API token.
    pub token: JsonPaths,
    /// The response header to read the token from if the body has none.
    pub token_header: Option<String>,
    /// JSON paths of the token's expiry.
    pub expiry: Expiry,
    /// JSON paths of the JWT for payment links; empty if the login does not return one.
    pub jwt: JsonPaths,
}

/// The operation that lists the available checkout domains.
#[derive(Debug, Clone, PartialEq)]
pub struct DomainsSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// JSON paths of the list.
    pub list: JsonPaths,
    /// How the list represents its entries.
    pub entries: DomainEntries,
    /// JSON paths of the host, within an entry.
    pub host: JsonPaths,
    /// JSON paths of the state, within an entry. The state shows whether the domain can be used.
    pub state: JsonPaths,
    /// The state words that mark a domain as usable.
    pub active_words: Vec<String>,
    /// JSON paths, inside a list entry, of the flag that marks the default domain.
    pub default: JsonPaths,
    /// How further pages are requested.
    pub pages: Pages,
}

/// The operation that creates a payment link.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateLinkSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// How the amount is written.
    pub amounts: AmountFormat,
    /// The name of the amount in the body.
    pub amount: String,
    /// The name of the description in the body.
    pub description: String,
    /// The name of the domain in the body. If the domain is chosen automatically, the body does not
    /// contain the domain.
    pub domain: String,
    /// JSON paths of the checkout URL.
    pub url: JsonPaths,
    /// JSON paths of the status word.
    pub status: JsonPaths,
    /// How to recognise a failure in a reply with a success status.
    pub failed: FailureSigns,
}

/// The operation that creates a direct payment.
#[derive(Debug, Clone, PartialEq)]
pub struct DirectPaymentSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// The fields of the form and of its request body.
    pub form: BodySpec,
    /// The id of the field with the payer's name.
    pub customer: String,
    /// JSON paths of the payment's id.
    pub id: JsonPaths,
    /// JSON paths of the status word.
    pub status: JsonPaths,
    /// JSON paths of the Pix copy-and-paste code.
    pub pix_code: JsonPaths,
    /// JSON paths of the payment's expiry time.
    pub expires: JsonPaths,
    /// True if a reply without an id does not count as a success.
    pub id_required: bool,
    /// How to recognise a failure in a reply with a success status.
    pub failed: FailureSigns,
}

/// The operation that previews the fee of a withdrawal.
#[derive(Debug, Clone, PartialEq)]
pub struct FeePreviewSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// How amounts are written, in the request and in the reply.
    pub amounts: AmountFormat,
    /// The name of the amount: a query parameter of a `GET`, a body member of a `POST`.
    pub amount: String,
    /// JSON paths of the fee.
    pub fee: JsonPaths,
    /// JSON paths of the net amount.
    pub net: JsonPaths,
    /// JSON paths where the reply repeats the requested amount or the net amount.
    pub echo_amount: JsonPaths,
    /// JSON paths of the status word.
    pub status: JsonPaths,
    /// How to recognise a failure in a reply with a success status.
    pub failed: FailureSigns,
}

/// The operation that requests a Pix withdrawal.
#[derive(Debug, Clone, PartialEq)]
pub struct WithdrawalSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// The fields of the form and of its request body.
    pub form: BodySpec,
    /// The header that carries the idempotency key.
    pub key_header: String,
    /// The format of the idempotency key.
    pub key_format: KeyFormat,
    /// How long the service is assumed to remember an idempotency key.
    pub retention: Duration,
    /// The minimum time between an attempt that may have paid and the next attempt.
    pub resend_after: Duration,
    /// True if a success status with an empty body counts as accepted.
    pub empty_success: bool,
    /// True if a reply without an id does not count as accepted.
    pub id_required: bool,
    /// JSON paths of the withdrawal's id.
    pub id: JsonPaths,
    /// JSON paths of the status word.
    pub status: JsonPaths,
    /// JSON paths of the end-to-end id, which identifies a Pix payment between banks.
    pub end_to_end: JsonPaths,
    /// JSON paths of the receipt's URL.
    pub receipt: JsonPaths,
    /// JSON paths where the reply repeats the requested amount or the net amount.
    pub echo_amount: JsonPaths,
    /// JSON paths where the reply repeats the destination.
    pub echo_destination: JsonPaths,
    /// How to recognise a failure in a reply with a success status.
    pub failed: FailureSigns,
}

/// How to recognise a failure in the body of a reply with a success status.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureSigns {
    /// Status words that mean failure, in any letter case.
    pub words: Vec<String>,
    /// JSON paths of an error member; any value there means failure.
    pub error: JsonPaths,
    /// JSON paths of an HTTP status code within the body; a code from 400 to 599 means failure.
    pub code: JsonPaths,
    /// JSON paths of a flag; `false` means failure.
    pub flag: JsonPaths,
}

/// The JSON paths of the texts in an error reply.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBody {
    /// JSON paths of the error message.
    pub message: JsonPaths,
    /// JSON paths of the hint that explains what to do.
    pub hint: JsonPaths,
}

/// Moves an error from a built-in contract line to the seller's line that causes it.
///
/// The built-in contract is valid by itself, so one of the seller's lines must be the cause: the
/// first one whose removal fixes the error.
fn move_error_to_seller_line(error: ContractError, settings: &ContractSettings) -> ContractError {
    let (true, Ok(built_in)) =
        (*error.file == *BUILT_IN_NAME, read_settings(&[], FileAuthor::Program))
    else {
        return error;
    };
    let is_gone = |without| operations::read(without).err().as_ref() != Some(&error);
    let mut lines = settings.own().into_iter();
    match lines.find(|(name, _)| is_gone(settings.without(name, &built_in))) {
        Some((_, setting)) => {
            // Line number 1 means that a line is missing. In that case no built-in line contradicts
            // the seller's line.
            let clash = (error.number > 1).then_some(error.number);
            ContractError { file: setting.file, number: setting.number, clash, ..error }
        }
        None => error,
    }
}

/// Reads the built-in contract, with lines replaced by lines from `files`; `whose` is the author of
/// the files.
fn read_settings(
    files: &[(&str, &str)],
    whose: FileAuthor,
) -> Result<ContractSettings, ContractError> {
    let mut settings = ContractSettings::default();
    settings.lay_over(BUILT_IN_NAME, BUILT_IN, FileAuthor::Program)?;
    for (file, text) in files {
        settings.lay_over(file, text, whose)?;
    }
    Ok(settings)
}

impl Contract {
    /// Returns the contract that is compiled into the program.
    ///
    /// # Panics
    ///
    /// Panics if `assets/contract.toml` is invalid. A test reads the same text.
    pub fn built_in() -> Contract {
        Contract::with(&[]).expect("the built-in contract is tested")
    }

    /// Reads the built-in contract and replaces its lines by the lines in `files`, in order.
    ///
    /// Each item is a file name (shown in errors) and the file's text. The seller [has to
    /// agree](Contract::to_agree) to the lines unless all files are presets. A seller's file cannot
    /// mark lines as confirmed.
    ///
    /// # Errors
    ///
    /// Fails if a line is unknown, has an invalid value or contradicts another line.
    pub fn with(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        let is_preset = |file: &(&str, &str)| PRESETS.iter().any(|it| (it.file, it.text) == *file);
        let needs_consent = !files.iter().all(is_preset);
        let settings = read_settings(files, FileAuthor::Seller)?;
        let read = operations::read(settings.clone())
            .map_err(|error| move_error_to_seller_line(error, &settings))?;
        Ok(Contract { needs_consent, ..read })
    }

    /// Like [`with`](Contract::with), for files that are part of the program. Only such files may
    /// confirm lines.
    pub fn own(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        operations::read(read_settings(files, FileAuthor::Program)?)
    }

    /// Returns the kinds of credential that the operations need.
    pub fn credentials(&self) -> Vec<CredentialKind> {
        let calls = [
            &self.domains.call,
            &self.create_link.call,
            &self.direct_payment.call,
            &self.fee_preview.call,
            &self.withdrawal.call,
        ];
        let is_needed = |kind: &CredentialKind| calls.iter().any(|it| it.credential == Some(*kind));
        [CredentialKind::ApiToken, CredentialKind::Jwt].into_iter().filter(is_needed).collect()
    }

    /// Adds the lines of a profile, given as names with their values.
    pub fn with_profile_lines(mut self, lines: &BTreeMap<String, String>) -> Contract {
        self.needs_consent |= !lines.is_empty();
        self.of_profile.clone_from(lines);
        self
    }

    /// Returns the lines that the profile adds: its proxy, its CA file and its message templates.
    pub fn profile_lines(&self) -> &BTreeMap<String, String> {
        &self.of_profile
    }

    /// Returns the profile's proxy for all requests to the service, if any.
    pub fn proxy(&self) -> Option<&str> {
        self.of_profile.get(PROXY_LINE).map(String::as_str)
    }

    /// Returns the names of all contract files, except the built-in one, that lines were read from.
    pub fn own_files(&self) -> BTreeSet<&str> {
        let files = self.settings.values().map(|setting| &*setting.file);
        files.filter(|file| *file != BUILT_IN_NAME).collect()
    }

    /// Returns the names of the presets that lines were read from, and the number of other files.
    pub fn sources(&self) -> (Vec<&'static str>, usize) {
        let mut files = self.own_files();
        let used = PRESETS.iter().filter(|preset| files.remove(preset.file));
        let presets = used.map(|preset| preset.name).collect();
        (presets, files.len())
    }

    /// Returns true if one of the seller's files has a `confirmed` list, which is ignored.
    pub fn claims_confirmed(&self) -> bool {
        self.claims
    }

    /// Returns the source that supports a setting: documented, confirmed or assumed.
    ///
    /// An unknown setting counts as assumed.
    pub fn provenance(&self, setting: &str) -> Provenance {
        self.settings.get(setting).map_or(Provenance::Assumed, |setting| setting.provenance)
    }

    /// Returns all settings by name, such as `withdrawal.echo_amount`.
    pub fn settings(&self) -> &BTreeMap<String, Setting> {
        &self.settings
    }
}

/// A shared handle to the current contract. After a replacement, every clone returns the new
/// contract.
///
/// An operation reads the current contract when it begins, and uses that contract until it ends.
#[derive(Debug, Clone)]
pub struct ContractInForce(Arc<RwLock<Arc<Contract>>>);

impl ContractInForce {
    /// Returns the current contract.
    pub fn now(&self) -> Arc<Contract> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the current contract.
    pub fn replace(&self, contract: Arc<Contract>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = contract;
    }
}

impl From<Arc<Contract>> for ContractInForce {
    fn from(contract: Arc<Contract>) -> ContractInForce {
        ContractInForce(Arc::new(RwLock::new(contract)))
    }
}

impl Default for Contract {
    fn default() -> Contract {
        Contract::built_in()
    }
}

impl Method {
    /// The HTTP methods that can create something on the server.
    pub(crate) const CREATING: [Method; 3] = [Method::Post, Method::Put, Method::Patch];

    /// Returns the methods allowed for an operation.
    fn of(operation: Operation) -> &'static [Method] {
        match operation {
            Operation::Login => &[Method::Post],
            Operation::Domains | Operation::FeePreview => &[Method::Get, Method::Post],
            _ => &Method::CREATING,
        }
    }

    /// Parses a method name; `None` if the method cannot create something on the server.
    pub fn creating(name: &str) -> Option<Method> {
        Method::CREATING.into_iter().find(|method| method.as_str() == name)
    }

    /// Returns the method name as used in HTTP.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests;
