//! The settings of the API contract that read a value from a reply.

use serde_json::Value;

use super::ReplyTime;
use super::reply_tree::TreeValue;
use crate::trade::Operation;

/// A setting of the API contract that reads a value from the reply of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReplySetting {
    /// The name of the setting, such as `fee_preview.net`.
    pub name: &'static str,
    /// The kind of value that the setting reads.
    pub kind: ReplyValueKind,
    /// True if the operation usually cannot succeed without this value.
    pub is_required: bool,
    /// Words that are likely in the name of the JSON member with the value, separated by spaces.
    /// The most likely word comes first. A setting without such words is not taught.
    hints: &'static str,
}

/// The kind of value that a setting of the API contract reads from a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyValueKind {
    /// A token; the value is not shown.
    Secret,
    /// A text, or a number as it is written.
    Text,
    /// A Pix code.
    PixCode,
    /// A URL.
    Address,
    /// An amount.
    Amount,
    /// The end of a token's life: a date or a lifetime.
    Time,
    /// The list of domains.
    List,
    /// The host of a checkout domain, in an entry of the list of domains.
    Host,
    /// The state of a checkout domain, in an entry of the list of domains.
    State,
    /// A value that leads to the next page of the list of domains.
    NextPage,
    /// `false`: the service did not do what was requested.
    Flag,
}

use ReplyValueKind::{
    Address, Amount, Flag, Host, List, NextPage as Next, PixCode, Secret, State, Text, Time,
};

const FLAG: &str = "sucess success aprov aceit";
const STATUS: &str = "status state situa estado";

const fn required(name: &'static str, kind: ReplyValueKind, hints: &'static str) -> ReplySetting {
    ReplySetting {
        name,
        kind,
        is_required: true,
        hints,
    }
}

const fn optional(name: &'static str, kind: ReplyValueKind, hints: &'static str) -> ReplySetting {
    ReplySetting {
        name,
        kind,
        is_required: false,
        hints,
    }
}

/// Declares all settings that read a value from a reply.
macro_rules! reply_settings {
    ($($(#[$doc:meta])* $constant:ident = $setting:expr;)*) => {
        $($(#[$doc])* pub const $constant: &ReplySetting = &$setting;)*

        /// All settings that read a value from a reply, in the order of the declarations.
        pub(super) static REPLY_SETTINGS: &[&ReplySetting] = &[$($constant),*];
    };
}

// In each operation, the required settings come first.
reply_settings! {
    /// The API token, in the reply to a login.
    TOKEN = required("login.token", Secret, "token access acesso api chave credenc");
    /// The JWT, in the reply to a login.
    JWT = optional("login.jwt", Secret, "jwt links access token");
    /// The lifetime of the API token.
    EXPIRES_IN = optional("login.expires_in", Time, "expires_in expiresin expira expir valid");
    /// The time when the API token expires.
    EXPIRES_AT = optional("login.expires_at", Time, "expires_at expiresat expira expir valid");
    /// The list of domains.
    DOMAIN_LIST = required("domains.under", List, "domain domin host items data");
    /// The host of a domain, in an entry of the list.
    HOST = required("domains.host", Host, "domain domin host name nome");
    /// The state of a domain, such as `pending`, in an entry of the list.
    DOMAIN_STATE = optional("domains.state", State, "status state situa active ativ verif");
    /// The value that leads to the next page of the list of domains: a cursor, a URL, or a flag for
    /// "more pages".
    NEXT_PAGE =
        optional("domains.next_page", Next, "next has_more hasmore total_pages totalpages proxim");
    /// The flag of the default domain, in an entry of the list.
    DEFAULT_DOMAIN = optional("domains.default", Flag, "");
    /// A value in an entry of the list that is not the state, although it differs between entries.
    UNREAD_STATE = optional("domains.unread_state", State, "");
    /// The URL of the checkout page.
    LINK_URL = required("create_link.url", Address, "url link checkout href");
    /// The `false` of a refused payment link.
    LINK_FLAG = optional("create_link.failed_flag", Flag, FLAG);
    /// The id of a payment link. It is read only to find out whether a refusal contradicts itself.
    LINK_ID = optional("create_link.id", Text, "");
    /// The Pix code of a direct payment.
    PIX_CODE = required("direct_payment.pix_code", PixCode, "qr emv copia copy brcode pix");
    /// The id of a direct payment.
    CHARGE_ID = optional("direct_payment.id", Text, "id protocol transa");
    /// The state of a direct payment.
    CHARGE_STATUS = optional("direct_payment.status", Text, STATUS);
    /// The time when a direct payment expires.
    CHARGE_EXPIRY = optional("direct_payment.expires", Text, "expir venc valid");
    /// The `false` of a refused direct payment.
    CHARGE_FLAG = optional("direct_payment.failed_flag", Flag, FLAG);
    /// The net amount of a withdrawal.
    NET = required("fee_preview.net", Amount, "net liquid líquid receb receiv final payout");
    /// The fee of a withdrawal.
    FEE = required("fee_preview.fee", Amount, "fee taxa tarifa cost custo");
    /// The amount, or its net, repeated in a fee preview.
    PREVIEWED_AMOUNT = optional("fee_preview.echo_amount", Amount, "");
    /// The code (the service's id) of a withdrawal.
    WITHDRAWAL_ID = optional(
        "withdrawal.id",
        Text,
        "code codigo código protocol transa id refer numero número",
    );
    /// The state of a withdrawal.
    WITHDRAWAL_STATUS = optional("withdrawal.status", Text, STATUS);
    /// The end-to-end id, which identifies a Pix payment between banks.
    END_TO_END = optional("withdrawal.end_to_end", Text, "endtoend end_to_end e2e");
    /// The URL of the receipt.
    RECEIPT = optional("withdrawal.receipt", Address, "receipt comprov recibo");
    /// The amount, or its net, repeated in the reply to a withdrawal.
    ECHO_AMOUNT = optional("withdrawal.echo_amount", Amount, "amount valor");
    /// The Pix key that receives the money, repeated in the reply to a withdrawal.
    ECHO_DESTINATION = optional("withdrawal.echo_destination", Text, "key chave dest");
    /// The `false` of a refused withdrawal.
    WITHDRAWAL_FLAG = optional("withdrawal.failed_flag", Flag, FLAG);
    /// The service's message, in an error reply.
    ERROR_MESSAGE =
        optional("error.message", Text, "messag mensag motivo reason detail detalhe descri error");
    /// The service's hint about what the seller can do, in an error reply.
    ERROR_HINT = optional("error.hint", Text, "");
}

impl ReplySetting {
    /// The settings that may be taught from the replies of this operation. The required ones come
    /// first.
    pub fn of(operation: Operation) -> impl Iterator<Item = &'static ReplySetting> {
        let taught = REPLY_SETTINGS
            .iter()
            .copied()
            .filter(|setting| !setting.hints.is_empty());
        taught.filter(move |setting| setting.section() == operation.name())
    }

    /// The section of the API contract that has this setting: an operation, or `error`.
    pub(super) fn section(&self) -> &'static str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// The name of the setting in its section.
    pub(super) fn key(&self) -> &'static str {
        self.name.rsplit('.').next().unwrap_or_default()
    }

    /// The id of the message that names the value, such as `teach-sought-net`.
    pub fn label_id(&self) -> String {
        format!("teach-sought-{}", self.key().replace('_', "-"))
    }

    /// The setting whose value makes the value of this setting unnecessary. The net amount, for
    /// example, is computed if the reply has only the fee.
    pub fn alternative(&self) -> Option<&'static ReplySetting> {
        match self {
            NET => Some(FEE),
            FEE => Some(NET),
            EXPIRES_IN => Some(EXPIRES_AT),
            EXPIRES_AT => Some(EXPIRES_IN),
            _ => None,
        }
    }

    /// A score for how well a JSON member's name matches the hints of this setting. The score is 0
    /// if no hint matches.
    pub(super) fn hint_score(&self, name: &str) -> usize {
        let name = name.to_lowercase();
        let count = self.hints.split(' ').count();
        let position = self.hints.split(' ').position(|hint| name.contains(hint));
        position.map_or(0, |position| count - position)
    }
}

/// True if a setting of this kind can read the value in this row.
pub(super) fn fits_kind(kind: ReplyValueKind, value: &TreeValue) -> bool {
    let text = match value {
        TreeValue::Text(text) | TreeValue::Literal(text) => Some(text.raw()),
        TreeValue::List(_) | TreeValue::Object(_) => None,
    };
    match kind {
        ReplyValueKind::List => matches!(value, TreeValue::List(1..) | TreeValue::Object(1..)),
        // The secrets in a recorded reply are masked, but a time, for example, is not.
        ReplyValueKind::Secret => {
            matches!(value, TreeValue::Text(text) if text.is_masked())
        }
        ReplyValueKind::Address => text.is_some_and(|text| text.starts_with("http")),
        ReplyValueKind::Amount => text.is_some_and(|text| {
            text.starts_with(|c: char| c.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
        }),
        ReplyValueKind::Time => {
            text.is_some_and(|text| ReplyTime::read("", &Value::from(text)).is_some())
        }
        ReplyValueKind::Flag => text.is_some_and(|text| text == "false"),
        ReplyValueKind::Host => text.is_some_and(|text| text.contains('.')),
        ReplyValueKind::Text
        | ReplyValueKind::PixCode
        | ReplyValueKind::State
        | ReplyValueKind::NextPage => text.is_some_and(|text| text != "null"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::contract::Contract;

    #[test]
    fn each_place_in_a_reply_has_one_used_entry() {
        let contract = Contract::built_in();
        let names: BTreeSet<_> = REPLY_SETTINGS.iter().map(|setting| setting.name).collect();
        assert_eq!(
            names.len(),
            REPLY_SETTINGS.len(),
            "a setting has two entries"
        );
        for name in &names {
            assert!(contract.value(name).is_some(), "{name} is not used");
        }
        // These places are read together, as the signs of a failure.
        let signs = [
            "failed_status",
            "failed_error",
            "failed_code",
            "failed_flag",
            "under",
        ];
        for (name, setting) in contract.settings() {
            let is_sign = signs.iter().any(|key| name.ends_with(key));
            let is_place = setting.texts().iter().any(|text| text.starts_with('/'));
            assert!(
                !is_place || is_sign || names.contains(&**name),
                "{name} has no entry"
            );
        }
    }
}
