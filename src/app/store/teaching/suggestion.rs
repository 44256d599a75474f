//! Guesses what the service complained about when it refused a request: a setting of the API
//! contract, or a field of the request body.

use super::complaint::{Cause, NamedField, key_kind_words};
use super::name_style::NameStyle;
use crate::app::store::exchanges::bodies::MAX_IMMEDIATE_BYTES;
use crate::contract::{
    Contract, FieldKind, NameFault, ReplyTree, RequestPart, TaughtField, TaughtSetting, TreeValue,
    members,
};
use crate::trade::{Exchange, MaskedReply, Operation, PixKeyKind, Untrusted};

/// The setting of the API contract, or the field of the request body, that the service complained
/// about.
#[derive(Debug, Clone, PartialEq)]
pub enum TeachSuggestion {
    /// A setting or a field that the request already uses.
    Line(RequestPart),
    /// The service requires values that the request has under other names.
    Rename(Vec<Renaming>),
    /// The service does not know a field that the request can leave out.
    LeaveOut(RequestPart),
    /// The service lists its words for the kinds of Pix key.
    KeyWords(RequestPart, Vec<(PixKeyKind, String)>),
    /// The name of a field that is missing in the request body.
    NewField(String),
    /// The service names a field that is not taught from a refusal.
    Untaught(String, NameFault),
}

/// A part of the request that the service calls by another name.
#[derive(Debug, Clone, PartialEq)]
pub struct Renaming {
    pub part: RequestPart,
    /// The service's name.
    pub name: String,
}

impl TeachSuggestion {
    /// The first part of the request that the suggestion is about.
    pub fn part(&self) -> Option<&RequestPart> {
        match self {
            TeachSuggestion::Line(part)
            | TeachSuggestion::LeaveOut(part)
            | TeachSuggestion::KeyWords(part, _) => Some(part),
            TeachSuggestion::Rename(renamings) => renamings.first().map(|it| &it.part),
            TeachSuggestion::NewField(_) | TeachSuggestion::Untaught(..) => None,
        }
    }

    /// True if the reply has the new name of the field as it is suggested, and not as a word with
    /// accents.
    pub fn is_literal(&self, exchange: &Exchange) -> bool {
        let TeachSuggestion::Rename(renamings) = self else {
            return true;
        };
        let Ok(reply) = &exchange.reply else {
            return false;
        };
        let name = renamings.first().and_then(|it| it.name.rsplit('/').next());
        name.is_some_and(|name| reply.body.raw().contains(name))
    }

    /// The settings that the seller only has to agree to. The list is empty if the seller must
    /// first choose something.
    pub fn settings(&self, contract: &Contract, operation: Operation) -> Vec<TaughtSetting> {
        match self {
            TeachSuggestion::Rename(renamings) => renamings
                .iter()
                .flat_map(|it| contract.rename_settings(operation, &it.part, &it.name))
                .collect(),
            TeachSuggestion::LeaveOut(part) => contract
                .leave_out_settings(operation, part)
                .unwrap_or_default(),
            TeachSuggestion::KeyWords(RequestPart::Field(id), words) => {
                let name = contract.part_name(operation, &RequestPart::Field(id.clone()));
                let name = name.unwrap_or_default();
                let field = TaughtField {
                    words: words.clone(),
                    ..TaughtField::asked(name)
                };
                contract.field_settings(operation, Some(id), &field)
            }
            _ => vec![],
        }
    }
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
    if matches!(reply.status, 404 | 405 | 415) {
        let key = match reply.status {
            404 => ".path",
            405 => ".method",
            _ => ".encoding",
        };
        return find_setting(&lines, |name| name.ends_with(key));
    }
    let named = NamedField::all_in(&body);
    if !matches!(reply.status, 401 | 403) {
        let suggestion = of_fields(contract, exchange.operation, &lines, &named);
        return suggestion.map(|suggestion| with_key_words(contract, suggestion, exchange, &body));
    }
    // A login without credentials may be refused with 401 because a field of it is missing.
    let is_missing = named.iter().any(|field| field.cause == Cause::Missing);
    if exchange.operation == Operation::Login && is_missing {
        return of_fields(contract, exchange.operation, &lines, &named);
    }
    find_setting(&lines, |name| name.starts_with("credential."))
}

/// True if the refusal has nothing to do with the API contract. A documented refusal, which says
/// what the seller can do, is ordinary.
pub fn is_ordinary_refusal(contract: &Contract, reply: &MaskedReply) -> bool {
    let body = reply.body.start(MAX_IMMEDIATE_BYTES);
    let hint = ReplyTree::read(&body).and_then(|tree| contract.hint_in(&tree));
    hint.is_some() || is_ordinary(reply.status, &body)
}

/// Guesses the setting or field from the fields that the refusal names.
fn of_fields(
    contract: &Contract,
    operation: Operation,
    lines: &[RequestPart],
    named: &[NamedField],
) -> Option<TeachSuggestion> {
    let sent_part = |field: &NamedField| {
        lines.iter().find(|line| {
            contract
                .part_name(operation, line)
                .is_some_and(|name| field.is_name_of(name))
        })
    };
    let mut renamings: Vec<Renaming> = vec![];
    let mut new_name = None;
    let mut untaught = None;
    for field in named
        .iter()
        .filter(|field| may_be_missing(field) && sent_part(field).is_none())
    {
        let name = field.name.clone();
        let is_named_missing = field.is_exact || field.cause == Cause::Missing;
        if is_named_missing && let Some(part) = contract.part_meant_by(operation, &name) {
            match contract.check_renaming(operation, &part, &name) {
                Ok(())
                    if renamings
                        .iter()
                        .any(|it| it.part == part || it.name == name) => {}
                Ok(()) => renamings.push(Renaming { part, name }),
                Err(fault) => _ = untaught.get_or_insert((name, fault)),
            }
        } else if contract.body_of(operation).is_some() && is_field_name(field) {
            match contract.check_new_name(operation, &name) {
                Ok(()) => _ = new_name.get_or_insert(name),
                Err(fault) if is_named_missing => _ = untaught.get_or_insert((name, fault)),
                Err(_) => {}
            }
        }
    }
    if !renamings.is_empty() {
        renamings.extend(in_same_style(contract, operation, &renamings));
        return Some(TeachSuggestion::Rename(renamings));
    }
    let unknown = named
        .iter()
        .filter(|field| field.cause == Cause::Unknown)
        .find_map(sent_part);
    if let Some(part) = unknown
        && contract.leave_out_settings(operation, part).is_some()
    {
        return Some(TeachSuggestion::LeaveOut(part.clone()));
    }
    // The lines are in the order of the form, and the first one that is named is suggested.
    let line = lines
        .iter()
        .find(|line| named.iter().any(|field| sent_part(field) == Some(*line)));
    if let Some(line) = line {
        return Some(TeachSuggestion::Line(line.clone()));
    }
    let untaught = untaught.map(|(name, fault)| TeachSuggestion::Untaught(name, fault));
    new_name.map(TeachSuggestion::NewField).or(untaught)
}

/// If the service writes the words of a renamed field in another style, suggests the same style for
/// the other required fields of the body whose names are not documented.
fn in_same_style(
    contract: &Contract,
    operation: Operation,
    renamings: &[Renaming],
) -> Vec<Renaming> {
    let mut styles = renamings.iter().filter_map(|renamed| {
        NameStyle::between(contract.part_name(operation, &renamed.part)?, &renamed.name)
    });
    let Some((form, style)) = contract.body_of(operation).zip(styles.next()) else {
        return vec![];
    };
    let others = form
        .fields
        .iter()
        .filter(|field| field.required && field.sent);
    let restyled = others.filter_map(|field| {
        let part = RequestPart::Field(field.id.clone());
        let name = style
            .apply(&field.name)
            .filter(|name| *name != field.name)?;
        let is_new = renamings
            .iter()
            .all(|it| it.part != part && it.name != name);
        let may_be_taught = is_new && contract.check_renaming(operation, &part, &name).is_ok();
        may_be_taught.then_some(Renaming { part, name })
    });
    restyled.collect()
}

/// If the service complained about the kind of the Pix key and lists its words for the kinds,
/// suggests these words. If no listed word is a new one for the kind that was sent, the change
/// would not help.
fn with_key_words(
    contract: &Contract,
    suggestion: TeachSuggestion,
    exchange: &Exchange,
    body: &Untrusted,
) -> TeachSuggestion {
    let TeachSuggestion::Line(RequestPart::Field(id)) = &suggestion else {
        return suggestion;
    };
    let Some(field) = contract.withdrawal.form.field(id) else {
        return suggestion;
    };
    let words = key_kind_words(body);
    if field.kind != FieldKind::PixKeyKind {
        return suggestion;
    }
    let sent = members(exchange.request_body.as_deref().unwrap_or_default());
    let sent = sent.iter().find(|member| member.name() == field.name);
    let sent = sent.map(|member| member.value.text());
    let helps = words.iter().any(|(kind, word)| {
        let old = field.key_word(*kind);
        old != Some(word) && (sent.is_none() || old == sent)
    });
    if !helps {
        return suggestion;
    }
    TeachSuggestion::KeyWords(RequestPart::Field(id.clone()), words)
}

/// True if the refusal may mean that the request lacks this field. A word of a sentence counts only
/// if the sentence says so.
fn may_be_missing(field: &NamedField) -> bool {
    match field.cause {
        Cause::Missing => true,
        Cause::Unknown => false,
        Cause::Other => field.is_exact || looks_like_field_name(&field.name),
    }
}

/// True if the name is certainly one of a field, and not an ordinary word or a URL.
fn is_field_name(field: &NamedField) -> bool {
    let is_missing = field.is_exact && field.cause == Cause::Missing;
    looks_like_field_name(&field.name) || is_missing && !field.name.contains('/')
}

/// Parts of words that appear in an error text if a limit is exceeded or the balance is too low.
const LIMIT_WORDS: [&str; 6] = [
    "insufficient",
    "insuficiente",
    "saldo",
    "balance",
    "funds",
    "limit",
];

/// Parts of words that appear in an error text if an amount is too small or too large.
const BOUND_WORDS: [&str; 6] = ["mínim", "minim", "máxim", "maxim", "exced", "exceed"];

/// True if the reply mentions a limit, a smallest or largest amount, or the balance.
pub fn mentions_limit(exchange: &Exchange) -> bool {
    let Ok(reply) = &exchange.reply else {
        return false;
    };
    let text = error_text(&reply.body.start(MAX_IMMEDIATE_BYTES));
    LIMIT_WORDS
        .iter()
        .chain(&BOUND_WORDS)
        .any(|word| text.contains(word))
}

/// Words for objects at the service, such as payment links. A 404 reply with one of these words and
/// one of `NOT_FOUND_WORDS` means that an object was not found.
const RECORD_WORDS: &str = "link charge payment cobrança cobranca pagamento";
const NOT_FOUND_WORDS: [&str; 3] = ["found", "encontrad", "exist"];

/// True if the refusal has nothing to do with the API contract: a limit was exceeded, or an object
/// at the service was not found.
fn is_ordinary(status: u16, body: &Untrusted) -> bool {
    let error_text = error_text(body);
    if status != 404 {
        return LIMIT_WORDS.iter().any(|word| error_text.contains(word));
    }
    let words = error_text
        .split_whitespace()
        .filter(|word| !word.contains('/'));
    let mut words = words.flat_map(|word| word.split(|c: char| !c.is_alphanumeric()));
    NOT_FOUND_WORDS.iter().any(|word| error_text.contains(word))
        && words.any(|word| RECORD_WORDS.split(' ').any(|record| record == word))
}

/// All texts of an error reply in lower case.
fn error_text(body: &Untrusted) -> String {
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
    texts.join("\n").to_lowercase()
}

/// The first setting of the API contract whose name satisfies the condition.
fn find_setting(parts: &[RequestPart], is_match: impl Fn(&str) -> bool) -> Option<TeachSuggestion> {
    parts
        .iter()
        .find(|part| matches!(part, RequestPart::Setting { name, .. } if is_match(name)))
        .cloned()
        .map(TeachSuggestion::Line)
}

/// True if a word looks like a field name, such as `centro_custo` or `costCenter`, and not like
/// ordinary text.
fn looks_like_field_name(word: &str) -> bool {
    let starts_lowercase = word.starts_with(|c: char| c.is_ascii_lowercase());
    let is_camel_case = word.chars().zip(word.chars().skip(1));
    let is_camel_case = is_camel_case
        .into_iter()
        .any(|(a, b)| a.is_ascii_lowercase() && b.is_ascii_uppercase());
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
        assert_eq!(
            login(r#"{"message":"email não é um campo deste serviço."}"#),
            field("email")
        );
        assert_eq!(
            login(r#"{"errors":[{"path":"password"}]}"#),
            field("password")
        );
        assert_eq!(login("nada que se entenda"), None);
        let withdrawal = |body| suggestion(Operation::Withdrawal, 422, body);
        assert_eq!(
            withdrawal("Dados inválidos: pixKeyType é obrigatório."),
            field("key_kind")
        );
        let new_field = |name: &str| Some(TeachSuggestion::NewField(name.into()));
        assert_eq!(
            withdrawal("Dados inválidos: centro_custo é obrigatório."),
            new_field("centro_custo")
        );
        assert_eq!(
            withdrawal(r#"{"field":"costCenter"}"#),
            new_field("costCenter")
        );
        let link = suggestion(Operation::CreateLink, 400, "amount must be an integer");
        assert_eq!(link, Some(TeachSuggestion::Line(RequestPart::Amounts)));
        assert_eq!(suggestion(Operation::CreateLink, 400, "centro_custo"), None);
    }

    /// The renamed fields with their new names.
    fn renamed(operation: Operation, body: &str) -> Vec<(String, String)> {
        let Some(TeachSuggestion::Rename(renamings)) = suggestion(operation, 422, body) else {
            return vec![];
        };
        let id = |part| match part {
            RequestPart::Field(id) => id,
            part => format!("{part:?}"),
        };
        renamings
            .into_iter()
            .map(|it| (id(it.part), it.name))
            .collect()
    }

    #[test]
    fn missing_field_is_read_from_usual_refusals() {
        // The kind of key gets the same style.
        let key = &[("key", "pix_key"), ("key_kind", "pix_key_type")][..];
        for (body, expected) in [
            ("pix_key is required", key),
            (r#"{"message":"O campo pix_key é obrigatório."}"#, key),
            (
                r#"{"message":"unknown field pixKey, pix_key is required"}"#,
                key,
            ),
            (
                r#"{"title":"x","invalid-params":[{"name":"pix_key","reason":"is missing"}]}"#,
                key,
            ),
            (
                r#"{"errors":[{"detail":"required",
                    "source":{"pointer":"/data/attributes/pix_key"}}]}"#,
                key,
            ),
            (
                r#"{"error":{"code":"required","message":"Falta um campo","field":"pix_key"}}"#,
                key,
            ),
            (
                r#"{"errors":{"pix_key":["The pix key field is required."]}}"#,
                key,
            ),
            (
                r#"{"errors":{"$.pix_key":["could not be converted"]}}"#,
                key,
            ),
            (
                r#"{"detail":[{"loc":["body","pix_key"],"msg":"field required"}]}"#,
                key,
            ),
            (
                r#"{"message":["pix_key should not be empty","pix_key must be a string"]}"#,
                key,
            ),
            ("chave_pix is required", &[("key", "chave_pix")]),
            (
                "The PixKey field is required.",
                &[("key", "PixKey"), ("key_kind", "PixKeyType")],
            ),
            (
                r#"{"errors":{"tipo_chave":["obrigatório"],"chave":["obrigatório"]}}"#,
                &[("key_kind", "tipo_chave"), ("key", "chave")],
            ),
            // These are labels on a screen, or another kind of key.
            ("Chave Pix é obrigatória", &[]),
            ("Tipo de chave é obrigatório", &[]),
            ("An API key is required", &[]),
            ("pixKeyType is required when key is random", &[]),
        ] {
            let names: Vec<_> = renamed(Operation::Withdrawal, body);
            let names: Vec<_> = names.iter().map(|(id, name)| (&**id, &**name)).collect();
            assert_eq!(names, expected, "{body}");
        }
        let login = renamed(Operation::Login, "usuario e senha são obrigatórios");
        assert_eq!(login.len(), 2, "{login:?}");
    }

    #[test]
    fn unknown_field_is_left_out_if_it_may_be() {
        let withdrawal = |body| suggestion(Operation::Withdrawal, 400, body);
        let kind = TeachSuggestion::LeaveOut(RequestPart::Field("key_kind".into()));
        for body in [
            "unknown field pixKeyType",
            r#"{"message":"campo pixKeyType desconhecido"}"#,
            r#"{"message":["property pixKeyType should not exist"]}"#,
        ] {
            assert_eq!(withdrawal(body), Some(kind.clone()), "{body}");
        }
        assert_eq!(withdrawal("unknown field pixKey"), field("key"));
        assert_eq!(withdrawal("campo amount desconhecido"), field("amount"));
    }

    #[test]
    fn listed_words_must_help_the_kind_that_was_sent() {
        let suggested = |list: &str| {
            let body = format!(r#"{{"message":"pixKeyType must be one of {list}"}}"#);
            let exchange = Exchange {
                request_body: Some(r#"{"amount":10.00,"pixKeyType":"cpf","pixKey":"x"}"#.into()),
                ..Exchange::new(
                    Operation::Withdrawal,
                    "POST",
                    "https://x.example/",
                    Ok(MaskedReply::new(422, vec![], &*body)),
                )
            };
            of(&Contract::built_in(), &exchange)
        };
        let part = RequestPart::Field("key_kind".into());
        let Some(TeachSuggestion::KeyWords(_, words)) = suggested("document, PHONE, MAIL, RANDOM")
        else {
            panic!("no words");
        };
        let document = |kind| words.contains(&(kind, "document".to_owned()));
        assert!(
            document(PixKeyKind::Cpf) && document(PixKeyKind::Cnpj),
            "{words:?}"
        );
        for list in ["PERSON, PHONE, MAIL, RANDOM", "cpf, PHONE, MAIL, RANDOM"] {
            assert_eq!(
                suggested(list),
                Some(TeachSuggestion::Line(part.clone())),
                "{list}"
            );
        }
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
        assert_eq!(
            suggestion(Operation::Withdrawal, 422, body),
            Some(new_field)
        );
        let body = r#"{"detail":[{"loc":["body","amount"],"msg":"field required"}]}"#;
        assert_eq!(
            suggestion(Operation::Withdrawal, 422, body),
            field("amount")
        );
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
            assert!(
                suggestion(Operation::CreateLink, 404, body).is_some(),
                "{body}"
            );
        }
    }
}
