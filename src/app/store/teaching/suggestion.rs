//! Guesses what the service complained about when it refused a request: a setting of the API
//! contract, or a field of the request body.

use crate::app::store::exchanges::bodies::MAX_IMMEDIATE_BYTES;
use crate::contract::{Contract, ReplyTree, RequestPart, TreeValue};
use crate::trade::{Exchange, Operation, Untrusted};

/// The setting of the API contract, or the field of the request body, that the service complained
/// about.
#[derive(Debug, Clone, PartialEq)]
pub enum TeachSuggestion {
    /// A setting or a field that the request already uses.
    Line(RequestPart),
    /// The name of a field that is missing in the request body.
    NewField(String),
}

/// Guesses which setting or field the service complained about, from the HTTP status and the error
/// text of its reply. The result is only a suggestion.
pub fn of(contract: &Contract, exchange: &Exchange) -> Option<TeachSuggestion> {
    let reply = exchange.reply.as_ref().ok()?;
    // Examine only the start of a long reply, because this happens for every frame.
    let body = reply.body.start(MAX_IMMEDIATE_BYTES);
    let lines = contract.request_parts(exchange.operation);
    if is_ordinary(reply.status, &body) {
        return None;
    }
    if matches!(reply.status, 401 | 403) {
        return find_setting(&lines, |name| name.starts_with("credential."));
    }
    if matches!(reply.status, 404 | 405 | 415) {
        let key = match reply.status {
            404 => ".path",
            405 => ".method",
            _ => ".encoding",
        };
        return find_setting(&lines, |name| name.ends_with(key));
    }
    let error_text = field_texts(&body);
    let is_name_character =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let words: Vec<&str> = error_text
        .split(|c| !is_name_character(c))
        .map(|word| word.trim_matches(['.', '/', '-']))
        .filter(|word| !word.is_empty())
        .collect();
    let is_mentioned = |line: &&RequestPart| {
        let wire = wire_name(contract, exchange.operation, line);
        wire.is_some_and(|wire| words.iter().any(|word| word.replace('.', "/") == wire))
    };
    if let Some(line) = lines.iter().find(is_mentioned) {
        return Some(TeachSuggestion::Line(line.clone()));
    }
    contract.body_of(exchange.operation)?;
    let name = words.into_iter().find(|word| looks_like_field_name(word))?;
    Some(TeachSuggestion::NewField(name.replace('.', "/")))
}

/// Parts of words that appear in an error text if a limit is exceeded or the balance is too low.
const LIMIT_WORDS: [&str; 6] =
    ["insufficient", "insuficiente", "saldo", "balance", "funds", "limit"];

/// Words for objects at the service, such as payment links. A 404 reply with one of these words and
/// one of `NOT_FOUND_WORDS` means that an object was not found.
const RECORD_WORDS: &str = "link charge payment cobrança cobranca pagamento";
const NOT_FOUND_WORDS: [&str; 3] = ["found", "encontrad", "exist"];

/// Returns true if the refusal has nothing to do with the API contract: a limit was exceeded, or an
/// object at the service was not found.
fn is_ordinary(status: u16, body: &Untrusted) -> bool {
    let texts = match ReplyTree::read(body) {
        Some(tree) => tree
            .rows()
            .iter()
            .filter_map(|row| match &row.value {
                TreeValue::Text(text) => Some(text.shown_within(200)),
                _ => None,
            })
            .collect(),
        None => vec![body.shown_within(2_000)],
    };
    let error_text = texts.join("\n").to_lowercase();
    if status != 404 {
        return LIMIT_WORDS.iter().any(|word| error_text.contains(word));
    }
    let words = error_text.split_whitespace().filter(|word| !word.contains('/'));
    let mut words = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    NOT_FOUND_WORDS.iter().any(|word| error_text.contains(word))
        && words.any(|word| RECORD_WORDS.split(' ').any(|record| record == word))
}

/// If a member's name in an error reply contains one of these, such as `field`, its value is the
/// name of a request field. FastAPI's member `loc` counts, too.
const FIELD_NAME_KEYS: &str = "field campo path param pointer propert propried";

/// If a member's name in an error reply contains one of these, such as `errors`, the members inside
/// it are named after request fields.
const FIELD_LIST_KEYS: &str = "errors erros fields campos violations";

/// Returns the parts of an error reply that may name a request field. These are all texts of
/// several words, and what `FIELD_NAME_KEYS` and `FIELD_LIST_KEYS` find. Other single words are
/// left out, because they are error codes, such as `insufficient_balance`.
fn field_texts(body: &Untrusted) -> String {
    let Some(tree) = ReplyTree::read(body) else { return body.shown_within(2_000) };
    let contains_any = |name: &str, parts: &str| {
        let name = name.to_lowercase();
        parts.split(' ').any(|part| name.contains(part))
    };
    let mut parts = vec![];
    for row in tree.rows() {
        let mut names = row.pointer.rsplit('/').filter(|name| name.parse::<usize>().is_err());
        let (name, parent_name) =
            (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        if contains_any(parent_name, FIELD_LIST_KEYS) {
            parts.push(name.to_owned());
        }
        if let TreeValue::Text(text) = &row.value {
            let text = text.shown_within(200);
            if text.contains(' ') || name == "loc" || contains_any(name, FIELD_NAME_KEYS) {
                parts.push(text);
            }
        }
    }
    parts.join("\n")
}

/// Returns the first setting of the API contract whose name satisfies the condition.
fn find_setting(parts: &[RequestPart], is_match: impl Fn(&str) -> bool) -> Option<TeachSuggestion> {
    let is_matching_setting =
        |part: &&RequestPart| matches!(part, RequestPart::Setting { name, .. } if is_match(name));
    parts.iter().find(is_matching_setting).cloned().map(TeachSuggestion::Line)
}

/// Returns the JSON name that a request uses for the value of this setting.
fn wire_name(contract: &Contract, operation: Operation, part: &RequestPart) -> Option<String> {
    match part {
        RequestPart::Field(id) => {
            contract.body_of(operation)?.field(id).map(|field| field.name.clone())
        }
        RequestPart::Amounts => match operation {
            Operation::CreateLink => Some(contract.create_link.amount.clone()),
            Operation::FeePreview => Some(contract.fee_preview.amount.clone()),
            _ => None,
        },
        RequestPart::Setting { name, .. } if name.ends_with(".description") => {
            Some(contract.create_link.description.clone())
        }
        RequestPart::Setting { name, .. } if name.ends_with(".domain") => {
            Some(contract.create_link.domain.clone())
        }
        RequestPart::Setting { .. } => None,
    }
}

/// Returns true if a word looks like a field name, such as `centro_custo` or `costCenter`, and not
/// like ordinary text.
fn looks_like_field_name(word: &str) -> bool {
    let starts_lowercase = word.starts_with(|c: char| c.is_ascii_lowercase());
    let is_camel_case = word.chars().zip(word.chars().skip(1));
    let is_camel_case =
        is_camel_case.into_iter().any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let is_long_enough = word.len() > 2;
    starts_lowercase
        && is_long_enough
        && !word.contains('/')
        && (word.contains('_') || is_camel_case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::MaskedReply;

    fn suggestion(operation: Operation, status: u16, body: &str) -> Option<TeachSuggestion> {
        let reply = Ok(MaskedReply::new(status, vec![], body));
        let exchange = Exchange::new(operation, "POST", "https://x.example/", reply);
        of(&Contract::built_in(), &exchange)
    }

    fn field(id: &str) -> Option<TeachSuggestion> {
        Some(TeachSuggestion::Line(RequestPart::Field(id.into())))
    }

    #[test]
    fn teaching_starts_at_field_named_by_service() {
        let login = |body| suggestion(Operation::Login, 400, body);
        assert_eq!(login(r#"{"message":"email não é um campo deste serviço."}"#), field("email"));
        assert_eq!(login(r#"{"errors":[{"path":"password"}]}"#), field("password"));
        assert_eq!(login("nada que se entenda"), None);
        let withdrawal = |body| suggestion(Operation::Withdrawal, 422, body);
        assert_eq!(withdrawal("Dados inválidos: pixKeyType é obrigatório."), field("key_kind"));
        let new_field = |name: &str| Some(TeachSuggestion::NewField(name.into()));
        assert_eq!(
            withdrawal("Dados inválidos: centro_custo é obrigatório."),
            new_field("centro_custo")
        );
        assert_eq!(withdrawal(r#"{"field":"costCenter"}"#), new_field("costCenter"));
        let link = suggestion(Operation::CreateLink, 400, "amount must be an integer");
        assert_eq!(link, Some(TeachSuggestion::Line(RequestPart::Amounts)));
        assert_eq!(suggestion(Operation::CreateLink, 400, "centro_custo"), None);
    }

    #[test]
    fn ordinary_refusal_suggests_nothing() {
        for body in [
            r#"{"error":"insufficient_balance","message":"Saldo insuficiente."}"#,
            r#"{"error":{"error_code":"insufficient_balance","trace_id":"ab_cd"}}"#,
            r#"{"code":"INSUFFICIENT_FUNDS","message":"Insufficient balance"}"#,
            "Saldo insuficiente.",
            "Insufficient balance for this amount",
            r#"{"message":"Saldo insuficiente (insufficient_balance)"}"#,
            r#"{"code":"LIMIT_EXCEEDED","message":"amount is too high for today"}"#,
            r#"{"blocked":"account_locked"}"#,
        ] {
            assert_eq!(suggestion(Operation::Withdrawal, 422, body), None, "{body}");
        }
        for body in [
            r#"{"error":"link_not_found"}"#,
            r#"{"message":"Cobrança não encontrada."}"#,
            "The link does not exist",
        ] {
            assert_eq!(suggestion(Operation::CreateLink, 404, body), None, "{body}");
        }
        let body = r#"{"errors":{"centro_custo":["obrigatório"]}}"#;
        let new_field = TeachSuggestion::NewField("centro_custo".into());
        assert_eq!(suggestion(Operation::Withdrawal, 422, body), Some(new_field));
        let body = r#"{"detail":[{"loc":["body","amount"],"msg":"field required"}]}"#;
        assert_eq!(suggestion(Operation::Withdrawal, 422, body), field("amount"));
    }

    #[test]
    fn status_alone_may_identify_the_setting() {
        for (operation, status, expected) in [
            (Operation::Login, 404, Some("login.path")),
            (Operation::Domains, 401, Some("credential.jwt.headers")),
            (Operation::Withdrawal, 405, Some("withdrawal.method")),
            (Operation::CreateLink, 415, Some("create_link.encoding")),
            (Operation::Login, 401, None),
        ] {
            let setting_name = match suggestion(operation, status, "email") {
                Some(TeachSuggestion::Line(RequestPart::Setting { name, .. })) => Some(name),
                _ => None,
            };
            assert_eq!(setting_name.as_deref(), expected);
        }
        for body in [
            r#"{"error":"Not Found","message":"Cannot POST /charge"}"#,
            r#"{"status":404,"error":"Not Found","path":"/api/v1/payment-links"}"#,
            "The requested URL /link was not found on this server.",
        ] {
            assert!(suggestion(Operation::CreateLink, 404, body).is_some(), "{body}");
        }
    }
}
