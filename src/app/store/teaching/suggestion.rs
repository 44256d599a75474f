//! Guesses what the service complained about when it refused a request: a setting of the API
//! contract, or a field of the request body.

use crate::contract::{Contract, ReplyTree, SentLine, TreeValue};
use crate::trade::{Exchange, Operation, Untrusted};

/// The setting of the API contract, or the field of the request body, that the service complained
/// about.
#[derive(Debug, Clone, PartialEq)]
pub enum TeachSuggestion {
    /// A setting or a field that the request already uses.
    Line(SentLine),
    /// The name of a field that is missing in the request body.
    NewField(String),
}

/// Guesses which setting or field the service complained about, from the HTTP status and the error
/// text of its reply. The result is only a suggestion.
pub fn of(contract: &Contract, exchange: &Exchange) -> Option<TeachSuggestion> {
    let reply = exchange.reply.as_ref().ok()?;
    let lines = contract.sent_lines(exchange.operation);
    if is_ordinary(reply.status, &reply.body) {
        return None;
    }
    if matches!(reply.status, 401 | 403) {
        return setting(&lines, |name| name.starts_with("credential."));
    }
    if matches!(reply.status, 404 | 405 | 415) {
        let key = match reply.status {
            404 => ".path",
            405 => ".method",
            _ => ".encoding",
        };
        return setting(&lines, |name| name.ends_with(key));
    }
    let said = said(&reply.body);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
    let words: Vec<&str> = said
        .split(|c| !is_plain(c))
        .map(|word| word.trim_matches(['.', '/', '-']))
        .filter(|word| !word.is_empty())
        .collect();
    let named = |line: &&SentLine| {
        let wire = wire_name(contract, exchange.operation, line);
        wire.is_some_and(|wire| words.iter().any(|word| word.replace('.', "/") == wire))
    };
    if let Some(line) = lines.iter().find(named) {
        return Some(TeachSuggestion::Line(line.clone()));
    }
    contract.body_of(exchange.operation)?;
    let name = words.into_iter().find(|word| looks_like_a_name(word))?;
    Some(TeachSuggestion::NewField(name.replace('.', "/")))
}

/// Parts of words that appear in an error text if a limit is exceeded or the balance is too low.
const NAMES_A_LIMIT: [&str; 6] =
    ["insufficient", "insuficiente", "saldo", "balance", "funds", "limit"];

/// Words for objects at the service, such as payment links. A 404 reply means that an object was
/// not found if its text contains one of these words and one of `NOT_FOUND`. Words within a URL do
/// not count.
const NAMES_A_RECORD: &str = "link charge payment cobrança cobranca pagamento";
const NOT_FOUND: [&str; 3] = ["found", "encontrad", "exist"];

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
    let said = texts.join("\n").to_lowercase();
    if status != 404 {
        return NAMES_A_LIMIT.iter().any(|word| said.contains(word));
    }
    let words = said.split_whitespace().filter(|word| !word.contains('/'));
    let mut words = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    NOT_FOUND.iter().any(|word| said.contains(word))
        && words.any(|word| NAMES_A_RECORD.split(' ').any(|record| record == word))
}

/// If the name of a JSON member in an error reply contains one of these parts, the member's value
/// is the name of a request field. FastAPI's member `loc` counts, too.
const NAMES_A_FIELD: &str = "field campo path param pointer propert propried";

/// If the name of a JSON member in an error reply contains one of these parts, the members inside
/// it are named after request fields.
const LISTS_FIELDS: &str = "errors erros fields campos violations";

/// Returns the parts of an error reply that may name a request field. These are texts of several
/// words, and the values and names found by `NAMES_A_FIELD` and `LISTS_FIELDS`. Other single words
/// are left out because they are error codes, such as `insufficient_balance`.
fn said(body: &Untrusted) -> String {
    let Some(tree) = ReplyTree::read(body) else { return body.shown_within(2_000) };
    let is_one_of = |name: &str, parts: &str| {
        let name = name.to_lowercase();
        parts.split(' ').any(|part| name.contains(part))
    };
    let mut said = vec![];
    for row in tree.rows() {
        let mut names = row.pointer.rsplit('/').filter(|name| name.parse::<usize>().is_err());
        let (own, above) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        if is_one_of(above, LISTS_FIELDS) {
            said.push(own.to_owned());
        }
        if let TreeValue::Text(text) = &row.value {
            let text = text.shown_within(200);
            if text.contains(' ') || own == "loc" || is_one_of(own, NAMES_A_FIELD) {
                said.push(text);
            }
        }
    }
    said.join("\n")
}

/// Returns the first setting of the API contract whose name satisfies the condition.
fn setting(lines: &[SentLine], is_it: impl Fn(&str) -> bool) -> Option<TeachSuggestion> {
    let is_it = |line: &&SentLine| matches!(line, SentLine::Setting { name, .. } if is_it(name));
    lines.iter().find(is_it).cloned().map(TeachSuggestion::Line)
}

/// Returns the JSON name that a request uses for the value of this setting.
fn wire_name(contract: &Contract, operation: Operation, line: &SentLine) -> Option<String> {
    match line {
        SentLine::Field(id) => {
            contract.body_of(operation)?.field(id).map(|field| field.name.clone())
        }
        SentLine::Amounts => match operation {
            Operation::CreateLink => Some(contract.create_link.amount.clone()),
            Operation::FeePreview => Some(contract.fee_preview.amount.clone()),
            _ => None,
        },
        SentLine::Setting { name, .. } if name.ends_with(".description") => {
            Some(contract.create_link.description.clone())
        }
        SentLine::Setting { name, .. } if name.ends_with(".domain") => {
            Some(contract.create_link.domain.clone())
        }
        SentLine::Setting { .. } => None,
    }
}

/// Returns true if a word looks like a field name, such as `centro_custo` or `costCenter`, and not
/// like ordinary text.
fn looks_like_a_name(word: &str) -> bool {
    let starts = word.starts_with(|c: char| c.is_ascii_lowercase());
    let has_bump = word.chars().zip(word.chars().skip(1));
    let has_bump =
        has_bump.into_iter().any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
    let is_long_enough = word.len() > 2;
    starts && is_long_enough && !word.contains('/') && (word.contains('_') || has_bump)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trade::ReplySeen;

    fn suggestion(operation: Operation, status: u16, body: &str) -> Option<TeachSuggestion> {
        let reply = Ok(ReplySeen::new(status, vec![], body));
        let exchange = Exchange::new(operation, "POST", "https://x.example/", reply);
        of(&Contract::built_in(), &exchange)
    }

    fn field(id: &str) -> Option<TeachSuggestion> {
        Some(TeachSuggestion::Line(SentLine::Field(id.into())))
    }

    #[test]
    fn teaching_starts_at_field_named_by_service() {
        let login = |body| suggestion(Operation::Login, 400, body);
        assert_eq!(login(r#"{"message":"email não é um campo deste serviço."}"#), field("email"));
        assert_eq!(login(r#"{"errors":[{"path":"password"}]}"#), field("password"));
        assert_eq!(login("nada que se entenda"), None);
        let paid = |body| suggestion(Operation::Withdrawal, 422, body);
        assert_eq!(paid("Dados inválidos: pixKeyType é obrigatório."), field("key_kind"));
        let new = |name: &str| Some(TeachSuggestion::NewField(name.into()));
        assert_eq!(paid("Dados inválidos: centro_custo é obrigatório."), new("centro_custo"));
        assert_eq!(paid(r#"{"field":"costCenter"}"#), new("costCenter"));
        let link = suggestion(Operation::CreateLink, 400, "amount must be an integer");
        assert_eq!(link, Some(TeachSuggestion::Line(SentLine::Amounts)));
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
        let new = TeachSuggestion::NewField("centro_custo".into());
        assert_eq!(suggestion(Operation::Withdrawal, 422, body), Some(new));
        let body = r#"{"detail":[{"loc":["body","amount"],"msg":"field required"}]}"#;
        assert_eq!(suggestion(Operation::Withdrawal, 422, body), field("amount"));
    }

    #[test]
    fn a_status_alone_may_say_what_it_is_about() {
        for (operation, status, wanted) in [
            (Operation::Login, 404, Some("login.path")),
            (Operation::Domains, 401, Some("credential.jwt.headers")),
            (Operation::Withdrawal, 405, Some("withdrawal.method")),
            (Operation::CreateLink, 415, Some("create_link.encoding")),
            (Operation::Login, 401, None),
        ] {
            let found = match suggestion(operation, status, "email") {
                Some(TeachSuggestion::Line(SentLine::Setting { name, .. })) => Some(name),
                _ => None,
            };
            assert_eq!(found.as_deref(), wanted);
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
