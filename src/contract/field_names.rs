//! The names of fields in requests: what a name means by its words, and which names that a refusal
//! mentions may be taught.
//!
//! A service that refuses a request can name any field. A hostile service could choose a name so
//! that the money goes elsewhere, or that a secret is stored as ordinary text. So a name is offered
//! to the seller only if it passes the checks in this file.

use super::field::names_collide;
use super::settings::{Provenance, SettingValue};
use super::{
    BodySpec, Contract, FieldKind, FieldSpec, FieldUse, RequestPart, TaughtField, TaughtSetting,
};
use crate::trade::{Operation, PixKeyError, key_readings, likely_error};

/// The reason why a name is not taught, or why a text may not be in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFault {
    /// The name is too long, or has characters that may look like others.
    Unreadable,
    /// The documentation gives the name of this field.
    Documented,
    /// Another field has this name.
    Taken,
    /// The name asks for a secret, which only the login may send.
    Secret,
    /// The field could name another receiver of the money.
    Destination,
    /// The field could contain another amount.
    Amount,
}

/// The maximum length of a name that a refusal may teach, in characters.
const MAX_NAME_LENGTH: usize = 60;

/// Parts of names that ask for a secret, separated by spaces.
const SECRET_PARTS: &str =
    "secret senha password token pin otp passphrase segredo passwd passcode pwd cvv mfa 2fa";

/// Parts of names that may mean a receiver of money.
const DESTINATION_PARTS: &str = "chave key pix dest receb benef conta";

const AMOUNT_PARTS: &str = "valor amount total";

/// The words of names that mean the same as a field, in lower case and without accents, separated
/// by spaces.
///
/// A name means the field only if it consists of these words. So `refund_key` and `payer_key` are
/// not taken for the Pix key.
struct Vocabulary {
    /// The name contains at least one of these words.
    main: &'static str,
    /// Other words that the name may contain.
    other: &'static [&'static str],
}

const PIX_KEY: &str = "pix chave key";
const KIND: &str = "tipo type kind";
const RECEIVER: &str = "dest destino destination destinatario receiver recebedor beneficiary \
                        beneficiario favorecido address addressing";
const PERSON: &str =
    "cliente customer comprador buyer pagador payer consumidor consumer devedor debtor";
const PAYMENT: &str =
    "pagamento payment cobranca charge saque withdrawal payout transacao transaction";
const DOCUMENT: &str = "documento document doc cpf cnpj taxid";
const LINKING: &str = "de do da of the e ou or";

impl Vocabulary {
    /// The words for the values of a field. Returns `None` if no other name is ever taken for this
    /// field.
    fn of_field(form: &BodySpec, field: &FieldSpec) -> Option<Vocabulary> {
        let is_identity = form.identity.as_ref() == Some(&field.id);
        Some(match field.kind {
            FieldKind::PixKey => Vocabulary {
                main: PIX_KEY,
                other: &[RECEIVER],
            },
            FieldKind::PixKeyKind => Vocabulary {
                main: KIND,
                other: &[PIX_KEY, RECEIVER],
            },
            FieldKind::Amount => Vocabulary::AMOUNT,
            FieldKind::Secret => Vocabulary {
                main: "senha password passphrase secret segredo passwd pass pwd pin",
                other: &["usuario user cliente client conta account login acesso access"],
            },
            FieldKind::Text | FieldKind::Email if is_identity => Vocabulary {
                main: "usuario user login email mail cliente client conta account loja merchant \
                       seller identificador identifier",
                other: &["nome name id code codigo", DOCUMENT],
            },
            FieldKind::Email => Vocabulary {
                main: "email mail",
                other: &[PERSON, "endereco"],
            },
            FieldKind::Phone => Vocabulary {
                main: "telefone phone celular mobile cel",
                other: &[PERSON, "numero number"],
            },
            FieldKind::Document => Vocabulary {
                main: DOCUMENT,
                other: &[PERSON, "numero number"],
            },
            FieldKind::DocumentKind => Vocabulary {
                main: KIND,
                other: &[DOCUMENT, PERSON],
            },
            FieldKind::Text => {
                let known = [Vocabulary::DESCRIPTION, Vocabulary::PERSON_NAME];
                return known
                    .into_iter()
                    .find(|vocabulary| vocabulary.fits(&field.id));
            }
            FieldKind::Choice | FieldKind::Fixed | FieldKind::RequestKey => return None,
        })
    }

    const AMOUNT: Vocabulary = Vocabulary {
        main: "valor amount value quantia montante total price preco",
        other: &[PAYMENT, "brl"],
    };

    const DESCRIPTION: Vocabulary = Vocabulary {
        main: "descricao description desc memo observacao",
        other: &[PAYMENT],
    };

    const PERSON_NAME: Vocabulary = Vocabulary {
        main: "nome name",
        other: &[PERSON, "completo full"],
    };

    const CHECKOUT_DOMAIN: Vocabulary = Vocabulary {
        main: "dominio domain",
        other: &["checkout"],
    };

    fn fits(&self, name: &str) -> bool {
        let name = letters(name);
        let other = self
            .other
            .iter()
            .chain([&LINKING])
            .flat_map(|words| words.split(' '));
        let words: Vec<&str> = self.main.split(' ').chain(other).collect();
        // For each position, whether the name up to there consists of words.
        let mut is_word_end = vec![false; name.len() + 1];
        is_word_end[0] = true;
        for start in 0..name.len() {
            let rest = name
                .get(start..)
                .filter(|_| is_word_end[start])
                .unwrap_or_default();
            for word in words.iter().filter(|word| rest.starts_with(**word)) {
                is_word_end[start + word.len()] = true;
            }
        }
        is_word_end[name.len()] && contains_part(&name, self.main)
    }
}

/// The letters and digits of a text in lower case.
pub(super) fn letters(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// True if a text contains one of these parts, which are separated by spaces.
pub(super) fn contains_part(text: &str, parts: &str) -> bool {
    parts.split(' ').any(|part| text.contains(part))
}

/// True if a field with this name asks for a secret, such as a password.
pub(super) fn asks_for_secret(name: &str) -> bool {
    contains_part(&letters(name), SECRET_PARTS)
}

/// The fault of a text that may not be in a withdrawal's additional fields: it is a Pix key or an
/// amount, so the service could pay another receiver, or more.
pub(super) fn payment_text_fault(text: &str) -> Option<NameFault> {
    let is_pix_code = likely_error(text) == Some(PixKeyError::PixCode);
    if is_pix_code || !key_readings(text).is_empty() {
        return Some(NameFault::Destination);
    }
    let (has_symbol, number) = match text.trim().strip_prefix("R$") {
        Some(number) => (true, number.trim()),
        None => (false, text.trim()),
    };
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
    let decimals = number
        .rsplit_once(['.', ','])
        .map(|(_, decimals)| decimals.len());
    (is_number && (has_symbol || decimals == Some(2))).then_some(NameFault::Amount)
}

impl Contract {
    /// The name of a part in a request. Returns `None` for a setting that is not about a member of
    /// the body or the query.
    pub fn part_name(&self, operation: Operation, part: &RequestPart) -> Option<&str> {
        if let RequestPart::Field(id) = part {
            return self
                .body_of(operation)?
                .field(id)
                .map(|field| field.name.as_str());
        }
        match self.value(&self.name_setting(operation, part)?)? {
            SettingValue::Text(name) => Some(name),
            _ => None,
        }
    }

    /// The name of the setting that determines what a part is called in a request.
    fn name_setting(&self, operation: Operation, part: &RequestPart) -> Option<String> {
        match part {
            RequestPart::Field(id) => Some(format!("{}.field.{id}.name", operation.name())),
            RequestPart::Amounts => self.amount_name(operation),
            RequestPart::Setting { name, .. } => {
                (name.ends_with(".description") || name.ends_with(".domain")).then(|| name.clone())
            }
        }
    }

    /// The part of the request whose value a service means by this name, if any.
    pub fn part_meant_by(&self, operation: Operation, name: &str) -> Option<RequestPart> {
        self.request_parts(operation).into_iter().find(|part| {
            self.vocabulary(operation, part)
                .is_some_and(|vocabulary| vocabulary.fits(name))
        })
    }

    fn vocabulary(&self, operation: Operation, part: &RequestPart) -> Option<Vocabulary> {
        match part {
            RequestPart::Field(id) => {
                let form = self.body_of(operation)?;
                Vocabulary::of_field(form, form.field(id)?)
            }
            RequestPart::Amounts => self.amount_name(operation).map(|_| Vocabulary::AMOUNT),
            RequestPart::Setting { name, .. } if name.ends_with(".description") => {
                Some(Vocabulary::DESCRIPTION)
            }
            RequestPart::Setting { name, .. } if name.ends_with(".domain") => {
                Some(Vocabulary::CHECKOUT_DOMAIN)
            }
            RequestPart::Setting { .. } => None,
        }
    }

    /// Checks that a refusal may teach this name for a part of the request.
    ///
    /// # Errors
    ///
    /// Returns the reason why the name is not taught.
    pub fn check_renaming(
        &self,
        operation: Operation,
        part: &RequestPart,
        name: &str,
    ) -> Result<(), NameFault> {
        check_readable(name)?;
        let setting = self.name_setting(operation, part);
        let is_documented =
            setting.is_some_and(|name| self.provenance(&name) == Provenance::Documented);
        let field = self.field_of(operation, part);
        // The documentation gives the name of a withdrawal's amount. A contract file may change it,
        // but a refusal may not.
        let is_withdrawn = operation == Operation::Withdrawal
            && field.is_some_and(|field| field.kind == FieldKind::Amount);
        if is_documented || is_withdrawn {
            return Err(NameFault::Documented);
        }
        let is_secret = field.is_some_and(|field| field.kind == FieldKind::Secret);
        if is_secret != asks_for_secret(name) {
            return Err(NameFault::Secret);
        }
        let mut others = self
            .request_parts(operation)
            .into_iter()
            .filter(|other| other != part);
        if others.any(|other| {
            self.part_name(operation, &other)
                .is_some_and(|taken| names_collide(taken, name))
        }) {
            return Err(NameFault::Taken);
        }
        Ok(())
    }

    /// Checks a field that the body does not have yet.
    ///
    /// # Errors
    ///
    /// Returns the reason why the field is not taught: its name or its constant value could move
    /// money elsewhere, or reveal a secret.
    pub fn check_new_field(
        &self,
        operation: Operation,
        field: &TaughtField,
    ) -> Result<(), NameFault> {
        let name = letters(&field.name);
        if asks_for_secret(&name)
            && (operation != Operation::Login || field.becomes == FieldUse::Fixed)
        {
            return Err(NameFault::Secret);
        }
        if operation == Operation::Login {
            return Ok(());
        }
        if contains_part(&name, DESTINATION_PARTS) {
            return Err(NameFault::Destination);
        }
        if contains_part(&name, AMOUNT_PARTS) {
            return Err(NameFault::Amount);
        }
        let is_constant = operation == Operation::Withdrawal && field.becomes == FieldUse::Fixed;
        let fault = is_constant
            .then(|| payment_text_fault(&field.value))
            .flatten();
        fault.map_or(Ok(()), Err)
    }

    /// Checks that a refusal may teach a new field with this name.
    ///
    /// # Errors
    ///
    /// Returns the reason why the name is not taught.
    pub fn check_new_name(&self, operation: Operation, name: &str) -> Result<(), NameFault> {
        check_readable(name)?;
        self.check_new_field(operation, &TaughtField::asked(name))
    }

    fn field_of(&self, operation: Operation, part: &RequestPart) -> Option<&FieldSpec> {
        let RequestPart::Field(id) = part else {
            return None;
        };
        self.body_of(operation)?.field(id)
    }

    /// The settings with which the request has a part under another name. The service requires the
    /// part, so a field of the body is required from now on.
    pub fn rename_settings(
        &self,
        operation: Operation,
        part: &RequestPart,
        name: &str,
    ) -> Vec<TaughtSetting> {
        let Some(setting) = self.name_setting(operation, part) else {
            return vec![];
        };
        let Some(field) = self.field_of(operation, part) else {
            return vec![TaughtSetting::text(setting, name)];
        };
        // A login name may be something else than an e-mail address.
        let is_user_name = operation == Operation::Login
            && field.kind == FieldKind::Email
            && !letters(name).contains("mail");
        let label = is_user_name.then(|| name.to_owned());
        let taught = TaughtField {
            label,
            ..TaughtField::asked(name)
        };
        let mut settings = self.field_settings(operation, Some(&field.id), &taught);
        if is_user_name {
            let name = format!("{}.field.{}.kind", operation.name(), field.id);
            settings.push(TaughtSetting::text(name, "text"));
        }
        settings
    }

    /// The settings with which the request leaves out a field. Returns `None` if a refusal may not
    /// leave out this part, such as the amount or the Pix key.
    pub fn leave_out_settings(
        &self,
        operation: Operation,
        part: &RequestPart,
    ) -> Option<Vec<TaughtSetting>> {
        let field = self.field_of(operation, part)?;
        let is_needed = matches!(
            field.kind,
            FieldKind::Amount | FieldKind::PixKey | FieldKind::Secret
        ) || self.body_of(operation)?.identity.as_ref() == Some(&field.id);
        let taught = TaughtField {
            becomes: FieldUse::Absent,
            ..TaughtField::asked(&field.name)
        };
        (!is_needed).then(|| self.field_settings(operation, Some(&field.id), &taught))
    }
}

impl TaughtField {
    /// Creates a field that is always asked for, without a label of its own.
    pub fn asked(name: &str) -> TaughtField {
        TaughtField {
            name: name.to_owned(),
            label: None,
            becomes: FieldUse::Required,
            value: String::new(),
            words: vec![],
        }
    }
}

fn check_readable(name: &str) -> Result<(), NameFault> {
    let is_readable = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || "_-/".contains(c))
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.len() <= MAX_NAME_LENGTH
        && !name.split('/').any(str::is_empty);
    if is_readable {
        Ok(())
    } else {
        Err(NameFault::Unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::FieldInput;
    use crate::trade::Money;

    /// The field that a missing name means, or `None` for a new field.
    fn verdict(
        contract: &Contract,
        operation: Operation,
        name: &str,
    ) -> Result<Option<String>, NameFault> {
        match contract.part_meant_by(operation, name) {
            None => contract.check_new_name(operation, name).map(|()| None),
            Some(part) => contract
                .check_renaming(operation, &part, name)
                .map(|()| match part {
                    RequestPart::Field(id) => Some(id),
                    part => Some(format!("{part:?}")),
                }),
        }
    }

    #[test]
    fn names_are_judged_by_their_words() {
        use NameFault::{Amount, Destination, Documented, Secret, Unreadable};
        let long = "a".repeat(200);
        let table = [
            (
                Operation::Withdrawal,
                &[
                    ("pix_key", Ok(Some("key"))),
                    ("chavePix", Ok(Some("key"))),
                    ("chave_destino", Ok(Some("key"))),
                    ("pix_key_type", Ok(Some("key_kind"))),
                    ("tipoDaChave", Ok(Some("key_kind"))),
                    ("descricao", Ok(Some("description"))),
                    ("centro_custo", Ok(None)),
                    ("valor", Err(Documented)),
                    ("valor_total", Err(Documented)),
                    ("total_pago", Err(Amount)),
                    ("refund_key", Err(Destination)),
                    ("source_key", Err(Destination)),
                    ("payer_pix_key", Err(Destination)),
                    ("chave_api", Err(Destination)),
                    ("apiKey", Err(Destination)),
                    ("idempotency_key", Err(Destination)),
                    ("conta_receb", Err(Destination)),
                    ("beneficiario", Err(Destination)),
                    ("senha_saque", Err(Secret)),
                    ("userToken", Err(Secret)),
                    ("OTP", Err(Secret)),
                    (&long, Err(Unreadable)),
                    ("pix_k\u{435}y", Err(Unreadable)),
                    ("chave\u{200b}pix", Err(Unreadable)),
                    ("pix key", Err(Unreadable)),
                    ("a//b", Err(Unreadable)),
                ][..],
            ),
            (
                Operation::Login,
                &[
                    ("usuario", Ok(Some("email"))),
                    ("client_id", Ok(Some("email"))),
                    ("senha", Ok(Some("password"))),
                    ("user_password", Ok(Some("password"))),
                    ("clientSecret", Ok(Some("password"))),
                    ("otp", Ok(None)),
                    ("loja_filial", Ok(None)),
                ],
            ),
            (
                Operation::DirectPayment,
                &[
                    ("valor", Ok(Some("amount"))),
                    ("cliente/nome", Ok(Some("name"))),
                    ("customer/tax_id", Ok(Some("document"))),
                    ("payer/email", Ok(Some("email"))),
                    ("cpf_cnpj", Ok(Some("document"))),
                    ("conta_destino", Err(Destination)),
                    ("pin", Err(Secret)),
                ],
            ),
            (
                Operation::CreateLink,
                &[
                    ("valor", Err(Documented)),
                    ("descricao", Err(Documented)),
                    ("dominio", Err(Documented)),
                ],
            ),
            (Operation::FeePreview, &[("valor", Ok(Some("Amounts")))]),
        ];
        let contract = Contract::built_in();
        for (operation, rows) in table {
            for (name, expected) in rows {
                let expected = expected.map(|id: Option<&str>| id.map(str::to_owned));
                assert_eq!(verdict(&contract, operation, name), expected, "{name}");
            }
        }
    }

    #[test]
    fn refusal_never_swaps_secrets_or_shares_a_name() {
        let file = "withdrawal.field.description.name = 'chave'\n\
                    withdrawal.field.amount.name = 'valor'";
        let contract = Contract::with(&[("c", file)]).unwrap();
        let field = |id: &str| RequestPart::Field(id.into());
        for (operation, id, name, fault) in [
            (
                Operation::Withdrawal,
                "description",
                "senha",
                NameFault::Secret,
            ),
            (Operation::Login, "email", "senha", NameFault::Secret),
            (Operation::Login, "password", "usuario", NameFault::Secret),
            (Operation::Withdrawal, "key", "chave", NameFault::Taken),
            (Operation::Withdrawal, "key", "chave/pix", NameFault::Taken),
            (
                Operation::Withdrawal,
                "amount",
                "total",
                NameFault::Documented,
            ),
        ] {
            assert_eq!(
                contract.check_renaming(operation, &field(id), name),
                Err(fault),
                "{name}"
            );
        }
        for id in ["amount", "key"] {
            assert_eq!(
                contract.leave_out_settings(Operation::Withdrawal, &field(id)),
                None
            );
        }
        for id in ["email", "password"] {
            assert_eq!(
                contract.leave_out_settings(Operation::Login, &field(id)),
                None
            );
        }
    }

    #[test]
    fn new_login_field_with_a_secret_name_is_a_secret() {
        let contract = Contract::built_in();
        for (name, kind) in [("otp", FieldKind::Secret), ("filial", FieldKind::Text)] {
            let field = TaughtField::asked(name);
            let lines = contract.field_settings(Operation::Login, None, &field);
            let form = contract.with_taught(&lines).unwrap().login.form;
            assert_eq!(form.field(name).unwrap().kind, kind);
        }
        let constant = TaughtField {
            becomes: FieldUse::Fixed,
            ..TaughtField::asked("otp")
        };
        let fault = contract.check_new_field(Operation::Login, &constant);
        assert_eq!(
            fault,
            Err(NameFault::Secret),
            "it would be stored in a file"
        );
        let thief = TaughtField {
            becomes: FieldUse::Fixed,
            value: "ladrao@x.example".into(),
            ..TaughtField::asked("nota")
        };
        let fault = contract.check_new_field(Operation::Withdrawal, &thief);
        assert_eq!(fault, Err(NameFault::Destination));
    }

    #[test]
    fn other_texts_may_be_no_key_and_no_amount() {
        use NameFault::{Amount, Destination};
        for (text, fault) in [
            ("111.444.777-35", Some(Destination)),
            ("11988887777", Some(Destination)),
            ("+12125551234", Some(Destination)),
            ("chave: ana@loja.example", Some(Destination)),
            ("123e4567-e89b-12d3-a456-426655440000", Some(Destination)),
            ("R$ 10", Some(Amount)),
            ("1.234,56", Some(Amount)),
            ("10.00", Some(Amount)),
            ("7", None),
            ("loja 7", None),
            ("NF 1.234", None),
            ("", None),
        ] {
            assert_eq!(payment_text_fault(text), fault, "{text}");
        }
    }

    #[test]
    fn key_without_its_kind_is_sent_with_plus() {
        for (file, expected) in [
            (
                "field.key_kind.sent = false\nfield.key.plus = false",
                "+12125551234",
            ),
            ("field.key_kind.sent = false", "+12125551234"),
            ("field.key.plus = false", "12125551234"),
        ] {
            let contract = Contract::with(&[("c", &format!("[withdrawal]\n{file}"))]).unwrap();
            let body = contract.withdrawal.form.body(|field| match field.kind {
                FieldKind::Amount => Some(FieldInput::Amount(Money::from_centavos(100))),
                FieldKind::PixKeyKind => Some(FieldInput::Text("phone")),
                FieldKind::PixKey => Some(FieldInput::Text("+1 212 555 1234")),
                _ => None,
            });
            let body = body.unwrap();
            assert_eq!(body.input_text("key"), Some(expected), "{file}");
        }
    }

    #[test]
    fn word_may_serve_cpf_and_cnpj_only() {
        let with_words = |words: &str| {
            Contract::with(&[("c", &format!("withdrawal.field.key_kind.words = {words}"))])
        };
        let shared = with_words("{cpf = 'DOC', cnpj = 'doc', random = ''}").unwrap();
        let kinds = shared
            .withdrawal
            .form
            .field("key_kind")
            .unwrap()
            .key_kinds();
        assert_eq!(kinds.len(), 4, "{kinds:?}");
        for words in ["{cpf = 'A', phone = 'a'}", "{email = 'A', random = 'A'}"] {
            assert!(with_words(words).is_err(), "{words}");
        }
    }
}
