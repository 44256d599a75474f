//! The beginning of teaching: at what the service's own words name.

use crate::contract::{Contract, SentLine};
use crate::trade::{Exchange, Operation};

/// The target of a refusal.
#[derive(Debug, Clone, PartialEq)]
pub enum TeachAim {
    /// A line or a field that is sent.
    Line(SentLine),
    /// A field of this name, which the body does not have.
    NewField(String),
}

/// Returns what the service's words are about, as far as they name it; a suggestion, and no more.
pub fn of(contract: &Contract, exchange: &Exchange) -> Option<TeachAim> {
    let reply = exchange.reply.as_ref().ok()?;
    let lines = contract.sent_lines(exchange.operation);
    if matches!(reply.status, 401 | 403) {
        let is_it = |line: &&SentLine| match line {
            SentLine::Texts(name) => name.starts_with("credential."),
            _ => false,
        };
        return lines.iter().find(is_it).cloned().map(TeachAim::Line);
    }
    if matches!(reply.status, 404 | 405 | 415) {
        let key = match reply.status {
            404 => ".path",
            405 => ".method",
            _ => ".encoding",
        };
        let is_it = |line: &&SentLine| match line {
            SentLine::Word { name, .. } | SentLine::Text(name) => name.ends_with(key),
            _ => false,
        };
        return lines.iter().find(is_it).cloned().map(TeachAim::Line);
    }
    let said = reply.body.shown_within(2_000);
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
        return Some(TeachAim::Line(line.clone()));
    }
    contract.body_of(exchange.operation)?;
    let name = words.into_iter().find(|word| looks_like_a_name(word))?;
    Some(TeachAim::NewField(name.replace('.', "/")))
}

/// The name under which a line's value stands in the request.
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
        SentLine::Text(name) if name.ends_with(".description") => {
            Some(contract.create_link.description.clone())
        }
        SentLine::Text(name) if name.ends_with(".domain") => {
            Some(contract.create_link.domain.clone())
        }
        _ => None,
    }
}

/// Returns true for a word that no sentence has, but a body: `centro_custo`, `costCenter`.
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
    use crate::trade::{ReplySeen, Wall};

    fn aim(operation: Operation, status: u16, body: &str) -> Option<TeachAim> {
        let exchange = Exchange {
            at: Wall(0),
            operation,
            method: "POST".into(),
            url: "https://x.example/".into(),
            request_headers: vec![],
            request_body: None,
            reply: Ok(ReplySeen { status, headers: vec![], body: body.into() }),
            took: std::time::Duration::ZERO,
        };
        of(&Contract::built_in(), &exchange)
    }

    fn field(id: &str) -> Option<TeachAim> {
        Some(TeachAim::Line(SentLine::Field(id.into())))
    }

    #[test]
    fn the_field_that_the_service_names_is_where_teaching_begins() {
        let login = |body| aim(Operation::Login, 400, body);
        assert_eq!(login(r#"{"message":"email não é um campo deste serviço."}"#), field("email"));
        assert_eq!(login(r#"{"errors":[{"path":"password"}]}"#), field("password"));
        assert_eq!(login("nada que se entenda"), None);
        let paid = |body| aim(Operation::Withdrawal, 422, body);
        assert_eq!(paid("Dados inválidos: pixKeyType é obrigatório."), field("key_kind"));
        let new = |name: &str| Some(TeachAim::NewField(name.into()));
        assert_eq!(paid("Dados inválidos: centro_custo é obrigatório."), new("centro_custo"));
        assert_eq!(paid(r#"{"field":"costCenter"}"#), new("costCenter"));
        let link = aim(Operation::CreateLink, 400, "amount must be an integer");
        assert_eq!(link, Some(TeachAim::Line(SentLine::Amounts)));
        assert_eq!(aim(Operation::CreateLink, 400, "centro_custo"), None);
    }

    #[test]
    fn a_status_alone_may_say_what_it_is_about() {
        let text = |name: &str| Some(TeachAim::Line(SentLine::Text(name.into())));
        assert_eq!(aim(Operation::Login, 404, ""), text("login.path"));
        let headers = SentLine::Texts("credential.jwt.headers".into());
        assert_eq!(aim(Operation::Domains, 401, "email"), Some(TeachAim::Line(headers)));
        let method = aim(Operation::Withdrawal, 405, "");
        let Some(TeachAim::Line(SentLine::Word { name, .. })) = method else {
            panic!("{method:?}")
        };
        assert_eq!(name, "withdrawal.method");
        let encoding = aim(Operation::CreateLink, 415, "amount");
        let Some(TeachAim::Line(SentLine::Word { name, .. })) = encoding else {
            panic!("{encoding:?}")
        };
        assert_eq!(name, "create_link.encoding");
        assert_eq!(aim(Operation::Login, 401, ""), None);
    }
}
