//! The API contract: the paths, field names and reply shapes that the program assumes about the
//! payments service.
//!
//! The API documentation leaves many of these open. Therefore each assumption is a setting in
//! `assets/contract.toml`, such as `withdrawal.unit = "reais"`. A seller's own contract file can
//! override single settings.
//!
//! Start at [`Contract`]. This module reads and checks contract settings; it sends no requests.

#![warn(missing_docs)]

mod amount_format;
mod body;
mod confirmed;
mod consent;
mod decode;
mod domains;
mod expiry;
mod failure_signs;
mod field;
mod field_names;
mod headers;
mod lesson;
mod members;
mod operations;
mod reply;
mod reply_places;
pub mod reply_setting;
mod reply_tree;
mod request_settings;
mod sent_values;
mod setting_kind;
mod settings;
mod sharing;
mod teaching;
mod unread_values;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

pub use amount_format::{AmountFormat, ReadAmounts, SentAmounts, Unit};
pub use body::{Body, BodySpec, Encoding, FieldInput};
pub use confirmed::ConfirmedSettings;
pub use consent::{
    AgreedAtStart, BASE_URL_SETTING, CA_FILE_SETTING, CHARGE_MESSAGE_SETTING, ContractSettings,
    LINK_MESSAGE_SETTING, PROXY_SETTING, REMINDER_MESSAGE_SETTING, SettingChange,
    add_earlier_origin, foreign_letters, is_foreign_letter,
};
pub use decode::{
    decode_text, decodings, from_hex, hex_byte, latin1_byte, percent_bytes, unescape_html,
    unescape_json, utf8_or_latin1, windows_1252_char,
};
pub use domains::{DomainEntries, NextPage, PageStyle, Pages, says_more_pages};
pub use expiry::{ReplyTime, from_base64, is_jwt, jwt_expiry, jwt_issued, jwt_subject};
pub use failure_signs::{FailureSigns, error_code, error_text, failed_word, failure_sign};
pub use field::{
    FieldFault, FieldKind, FieldOption, FieldSpec, InvalidField, KEY_FIELD, key_kind_id,
};
pub use field_names::NameFault;
pub use headers::{
    CredentialHeader, FixedHeader, WithdrawalOnly, is_reserved_header, is_same_header,
    may_carry_token, normalize_path,
};
pub use lesson::{EmptySuccess, Lesson, LessonFault};
pub use members::{Member, MemberValue, json_parts, members};
pub use reply::{AmountRead, JsonPaths, Pointer, read_json, read_text};
pub use reply_setting::{ReplySetting, ReplyValueKind};
pub use reply_tree::{ReplyTree, TreeRow, TreeValue};
pub use request_settings::{FieldUse, RequestPart, SampleRequest, TaughtField};
pub use sent_values::{FigureFit, SentValues};
pub use setting_kind::{SettingEntry, SettingKind};
pub use settings::{ContractError, PRESETS, Preset, Provenance, Setting, SettingValue};
use settings::{FileAuthor, MergedSettings};
pub use sharing::SharedSetting;
pub use teaching::{ReadValue, TaughtSetting};

use crate::locked::Locked;
use crate::trade::{CredentialKind, KeyFormat, Operation};

/// The text of the built-in API contract.
const BUILT_IN: &str = include_str!("../assets/contract.toml");

/// The file name of the built-in API contract in error messages.
const BUILT_IN_NAME: &str = "contract.toml";

/// The API contract with a payments service: how each request is built and each reply is read.
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
    /// The URL paths and headers that only the withdrawal operation may use.
    pub withdrawal_only: WithdrawalOnly,
    /// True if a pasted token must have the form of a JWT (the setting `credential.jwt.shape`).
    pub checks_jwt_shape: bool,
    settings: BTreeMap<String, Setting>,
    /// The JSON paths of the settings that read a value from a reply, by the setting's name.
    paths: BTreeMap<&'static str, JsonPaths>,
    /// True if the seller must agree to every setting that differs from the built-in contract.
    /// False for the contract of a demo, whose files are part of the program.
    needs_consent: bool,
    /// Settings that a profile adds: its proxy, its CA file and its message templates for buyers.
    profile_settings: BTreeMap<String, String>,
    /// The base URL of the profile's service, to which the seller must agree too. `None` in a demo.
    base_url: Option<Arc<str>>,
    /// True if a seller's contract file claims that settings are confirmed. The claim is ignored.
    claims_confirmed: bool,
    /// The settings that live replies, or the seller, confirmed to be right.
    confirmed: ConfirmedSettings,
    /// The name of the contract file to which the app writes what the seller teaches, if it exists.
    taught_file: Option<Arc<str>>,
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
    /// The headers that carry the credential, such as `Authorization: Bearer {}`.
    pub credential_headers: Vec<CredentialHeader>,
    /// The headers with a fixed value, such as `X-Store: 12`.
    pub fixed_headers: Vec<FixedHeader>,
    /// The HTTP statuses that mean success, such as 200 and 201.
    pub success: Vec<u16>,
    /// The signs of a failure in a reply with a success status.
    pub failed: FailureSigns,
}

/// The HTTP methods that an operation may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`, with the parameters in the query.
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
    /// The id of the form field that identifies the account, such as `email`.
    pub identity: String,
    /// The response header with the API token, if the token is not in the body.
    pub token_header: Option<String>,
}

/// The operation that lists the available checkout domains.
#[derive(Debug, Clone, PartialEq)]
pub struct DomainsSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// The form of the list: a JSON array, or a JSON object whose member names are the hosts.
    pub entries: DomainEntries,
    /// The state words that mark a domain as usable, such as `active`.
    pub active_words: Vec<String>,
    /// How further pages of the list are requested.
    pub pages: Pages,
}

/// The operation that creates a payment link.
#[derive(Debug, Clone, PartialEq)]
pub struct CreateLinkSpec {
    /// The HTTP settings of the operation.
    pub call: Call,
    /// How the amount is written in the request.
    pub amounts: AmountFormat,
    /// The name of the amount in the request body.
    pub amount: String,
    /// The name of the description in the request body.
    pub description: String,
    /// The name of the checkout domain in the request body. The body omits it if the service
    /// chooses the domain.
    pub domain: String,
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
    /// True if a reply counts as a success only if it contains the payment's id.
    pub id_required: bool,
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
    /// The time for which the service is assumed to remember an idempotency key.
    pub retention: Duration,
    /// The minimum wait before a withdrawal is sent again, if an earlier attempt may have paid.
    pub resend_after: Duration,
    /// The replies without a body that mean that the withdrawal was accepted.
    pub empty_success: EmptySuccess,
    /// True if a withdrawal counts as accepted only if the reply contains the withdrawal's id.
    pub id_required: bool,
    /// Values of the setting `id` that identify no withdrawal.
    pub not_ids: Vec<String>,
}

/// If an error names a built-in setting, changes it to name the seller's setting that causes it.
/// That is the seller's first setting whose removal fixes the error.
fn blame_seller_setting(error: ContractError, settings: &MergedSettings) -> ContractError {
    let (true, Ok(built_in)) = (
        *error.file == *BUILT_IN_NAME,
        read_settings(&[], FileAuthor::Program),
    ) else {
        return error;
    };
    let culprit = settings.overrides().into_iter().find(|(name, _)| {
        let settings = settings.without(name, &built_in);
        operations::read(settings).err().as_ref() != Some(&error)
    });
    match culprit {
        Some((_, setting)) => {
            // An error at line 1 reports a missing setting, so no built-in setting contradicts the
            // seller's setting.
            let clash = (error.number > 1).then_some(error.number);
            ContractError {
                file: setting.file,
                number: setting.line_number,
                clash,
                ..error
            }
        }
        None => error,
    }
}

fn read_settings(
    files: &[(&str, &str)],
    author: FileAuthor,
) -> Result<MergedSettings, ContractError> {
    let mut settings = MergedSettings::default();
    settings.merge_file(BUILT_IN_NAME, BUILT_IN, FileAuthor::Program)?;
    for (file, text) in files {
        settings.merge_file(file, text, author)?;
    }
    Ok(settings)
}

impl Contract {
    /// The API contract that is compiled into the program.
    ///
    /// # Panics
    ///
    /// Panics if `assets/contract.toml` is invalid. A test checks that it is valid.
    pub fn built_in() -> Contract {
        Contract::with(&[]).expect("the built-in contract is tested")
    }

    /// Reads the built-in API contract, overridden by the settings in `files` in their order.
    ///
    /// Each item is a file name (for error messages) and the file's text. The seller [has to
    /// agree](Contract::settings_to_agree) to every setting that differs from the built-in
    /// contract, also if it comes from a preset: another program may have added the preset to the
    /// profile. A seller's file cannot mark settings as confirmed.
    ///
    /// # Errors
    ///
    /// Fails if a setting is unknown, has an invalid value or contradicts another setting.
    pub fn with(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        let settings = read_settings(files, FileAuthor::Seller)?;
        let contract = operations::read(settings.clone())
            .map_err(|error| blame_seller_setting(error, &settings))?;
        Ok(Contract {
            needs_consent: true,
            ..contract
        })
    }

    /// Like [`with`](Contract::with), for files that are part of the program. Only such files may
    /// mark settings as confirmed.
    pub fn from_program_files(files: &[(&str, &str)]) -> Result<Contract, ContractError> {
        operations::read(read_settings(files, FileAuthor::Program)?)
    }

    /// The JSON paths from which a setting reads a value of a reply.
    pub fn paths(&self, setting: &ReplySetting) -> &JsonPaths {
        &self.paths[setting.name]
    }

    /// The kinds of credential, such as the API token, that the operations need.
    pub fn credentials(&self) -> Vec<CredentialKind> {
        let calls = [
            &self.domains.call,
            &self.create_link.call,
            &self.direct_payment.call,
            &self.fee_preview.call,
            &self.withdrawal.call,
        ];
        [CredentialKind::ApiToken, CredentialKind::Jwt]
            .into_iter()
            .filter(|kind| calls.iter().any(|call| call.credential == Some(*kind)))
            .collect()
    }

    /// The names of the contract files that were read, except the built-in one.
    pub fn own_files(&self) -> BTreeSet<&str> {
        let files = self.settings.values().map(|setting| &*setting.file);
        files.filter(|file| *file != BUILT_IN_NAME).collect()
    }

    /// The names of the presets whose settings are used, and the number of other contract files
    /// whose settings are used.
    pub fn sources(&self) -> (Vec<&'static str>, usize) {
        let mut files = self.own_files();
        let used_presets = PRESETS.iter().filter(|preset| files.remove(preset.file));
        let presets = used_presets.map(|preset| preset.name).collect();
        (presets, files.len())
    }

    /// True if a seller's file claims that settings are confirmed. The claim is ignored.
    pub fn claims_confirmed(&self) -> bool {
        self.claims_confirmed
    }

    /// The evidence for the setting with this name: documented, confirmed or assumed. An unknown
    /// setting counts as assumed.
    pub fn provenance(&self, name: &str) -> Provenance {
        self.settings
            .get(name)
            .map_or(Provenance::Assumed, |setting| setting.provenance)
    }

    /// All settings by name, such as `withdrawal.echo_amount`.
    pub fn settings(&self) -> &BTreeMap<String, Setting> {
        &self.settings
    }
}

/// A shared handle to the current API contract. If the contract is replaced, all clones of the
/// handle return the new one.
///
/// An operation reads the current contract at its start, and uses that contract to its end.
#[derive(Debug, Clone)]
pub struct ContractInForce(Arc<Locked<Arc<Contract>>>);

impl ContractInForce {
    /// The current contract.
    pub fn current(&self) -> Arc<Contract> {
        self.0.lock().clone()
    }

    /// Replaces the current contract.
    pub fn replace(&self, contract: Arc<Contract>) {
        *self.0.lock() = contract;
    }
}

impl From<Arc<Contract>> for ContractInForce {
    fn from(contract: Arc<Contract>) -> ContractInForce {
        ContractInForce(Arc::new(Locked::new(contract)))
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

    fn allowed_for(operation: Operation) -> &'static [Method] {
        match operation {
            Operation::Login => &[Method::Post],
            Operation::Domains | Operation::FeePreview => &[Method::Get, Method::Post],
            _ => &Method::CREATING,
        }
    }

    /// Parses a method name. Returns `None` for methods such as `GET`, which create nothing on the
    /// server.
    pub fn creating(name: &str) -> Option<Method> {
        Method::CREATING
            .into_iter()
            .find(|method| method.as_str() == name)
    }

    /// The name of the method in HTTP, such as `GET`.
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
