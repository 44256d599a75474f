//! The template of a message from a seller to a buyer: text with fields in braces, such as
//! `{amount}`.

use super::{Money, Untrusted};

/// The kind of a message to a buyer. It determines which fields the template may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// A message with the URL of a payment link.
    Link,
    /// A message that reminds a buyer of a payment link. It has the fields of
    /// [`MessageKind::Link`].
    Reminder,
    /// A message with the Pix code of a direct payment.
    Charge,
}

/// A field in a template, such as `{amount}`. Most fields have a Portuguese and an English name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateField {
    Description,
    Amount,
    /// The field for the URL of a payment link, or for the Pix code of a direct payment.
    Payable,
    Buyer,
    Expiry,
    /// The field for the seller's note about a payment link.
    Note,
}

/// The names of the fields that every message may contain, in Portuguese and English.
const COMMON_FIELDS: [(&str, TemplateField); 4] = [
    ("descricao", TemplateField::Description),
    ("description", TemplateField::Description),
    ("valor", TemplateField::Amount),
    ("amount", TemplateField::Amount),
];

/// The names of the fields that only a message about a payment link may contain.
const LINK_FIELDS: [(&str, TemplateField); 3] = [
    ("url", TemplateField::Payable),
    ("nota", TemplateField::Note),
    ("note", TemplateField::Note),
];

/// The names of the fields that only a message about a direct payment may contain.
const CHARGE_FIELDS: [(&str, TemplateField); 6] = [
    ("codigo", TemplateField::Payable),
    ("code", TemplateField::Payable),
    ("comprador", TemplateField::Buyer),
    ("buyer", TemplateField::Buyer),
    ("vencimento", TemplateField::Expiry),
    ("expiry", TemplateField::Expiry),
];

/// A piece of a template line: literal text, or a field such as `{amount}`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(TemplateField),
}

/// A parsed template: its lines, each split into literal text and fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate(Vec<Vec<Piece>>);

/// The values that replace the fields of a template. An empty string means that the field has no
/// value.
#[derive(Debug, Clone, Copy)]
pub struct MessageFields<'a> {
    /// The description of the payment.
    pub description: &'a str,
    /// The amount to pay.
    pub amount: Money,
    /// The URL of a payment link, or the Pix code of a direct payment.
    pub payable: &'a Untrusted,
    /// The name of the buyer.
    pub buyer: &'a str,
    /// The buyer's deadline for paying.
    pub expiry: &'a str,
    /// The seller's note about the payment link.
    pub note: &'a str,
}

/// The reason a template is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// The template contains a field that this kind of message does not have.
    NoSuchField(String),
    /// An opening brace has no closing brace on the same line.
    NotClosed,
    /// The template contains no URL and no Pix code, so the buyer could not pay.
    NothingToPay,
}

impl MessageTemplate {
    /// Parses a template for this kind of message.
    pub fn parse(kind: MessageKind, text: &str) -> Result<MessageTemplate, TemplateError> {
        let lines: Result<Vec<_>, _> = text
            .split('\n')
            .map(|line| parse_line(kind, line))
            .collect();
        let template = MessageTemplate(lines?);
        let payable = Piece::Field(TemplateField::Payable);
        if template.0.iter().any(|line| line.contains(&payable)) {
            Ok(template)
        } else {
            Err(TemplateError::NothingToPay)
        }
    }

    /// The message for the buyer: the template with each field replaced by its value. Lines with a
    /// field that has no value are left out.
    ///
    /// Braces inside a value are not treated as fields.
    pub fn fill(&self, values: &MessageFields<'_>) -> String {
        let lines = self.0.iter().filter_map(|pieces| {
            let pieces = pieces.iter().map(|piece| fill_piece(piece, values));
            pieces.collect::<Option<String>>()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// Splits a template line into literal text and fields.
fn parse_line(kind: MessageKind, line: &str) -> Result<Vec<Piece>, TemplateError> {
    let kind_fields: &[_] = match kind {
        MessageKind::Link | MessageKind::Reminder => &LINK_FIELDS,
        MessageKind::Charge => &CHARGE_FIELDS,
    };
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after_brace)) = rest.split_once('{') {
        let (name, after_field) = after_brace
            .split_once('}')
            .ok_or(TemplateError::NotClosed)?;
        let field = COMMON_FIELDS
            .iter()
            .chain(kind_fields)
            .find(|(field_name, _)| *field_name == name.trim());
        let (_, field) = field.ok_or_else(|| TemplateError::NoSuchField(name.to_owned()))?;
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(Piece::Field(*field));
        rest = after_field;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

/// The text that replaces one piece of a template line; `None` if it is a field without a value.
fn fill_piece(piece: &Piece, values: &MessageFields<'_>) -> Option<String> {
    let field = match piece {
        Piece::Text(text) => return Some(text.clone()),
        Piece::Field(field) => field,
    };
    let text = match field {
        TemplateField::Description => values.description.to_owned(),
        TemplateField::Amount => values.amount.to_string(),
        TemplateField::Payable => values.payable.raw().to_owned(),
        TemplateField::Buyer => values.buyer.to_owned(),
        TemplateField::Expiry => values.expiry.to_owned(),
        TemplateField::Note => values.note.to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

impl Default for MessageTemplate {
    /// The default template: description, amount, and the URL or Pix code, each on its own line.
    fn default() -> MessageTemplate {
        let fields = [
            TemplateField::Description,
            TemplateField::Amount,
            TemplateField::Payable,
        ];
        MessageTemplate(fields.map(|field| vec![Piece::Field(field)]).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [(MessageKind, &str); 2] =
        [(MessageKind::Link, "url"), (MessageKind::Charge, "codigo")];

    fn fill_link(template: &str) -> Result<String, TemplateError> {
        let payable = "https://a.example/1".into();
        fill(
            MessageKind::Link,
            template,
            ("Boné {url}", &payable, "", ""),
        )
    }

    fn fill(
        kind: MessageKind,
        template: &str,
        (description, payable, buyer, expiry): (&str, &Untrusted, &str, &str),
    ) -> Result<String, TemplateError> {
        let template = MessageTemplate::parse(kind, template)?;
        let amount = Money::from_centavos(4_990);
        let message = template.fill(&MessageFields {
            description,
            amount,
            payable,
            buyer,
            expiry,
            note: "Ana, sexta",
        });
        Ok(message)
    }

    #[test]
    fn fields_of_both_languages_are_filled_as_plain_text() {
        let expected = "Olá! Boné {url}: R$ 49,90\nhttps://a.example/1 } até logo";
        for template in [
            "Olá! {descricao}: {valor}\n{url} } até logo",
            "Olá! {description}: { amount }\n{url} } até logo",
        ] {
            assert_eq!(fill_link(template).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn charge_lines_with_unknown_fields_are_omitted() {
        let code = "0002".into();
        for template in [
            "Olá, {comprador}!\n{valor}\nPague até {vencimento}\n\n{codigo}",
            "Olá, {buyer}!\n{amount}\nPague até {expiry}\n\n{code}",
        ] {
            let message = |buyer, expiry| {
                fill(MessageKind::Charge, template, ("", &code, buyer, expiry)).unwrap()
            };
            assert_eq!(
                message("Bia", "11:42"),
                "Olá, Bia!\nR$ 49,90\nPague até 11:42\n\n0002"
            );
            assert_eq!(message("Bia", ""), "Olá, Bia!\nR$ 49,90\n\n0002");
            assert_eq!(message("", ""), "R$ 49,90\n\n0002");
        }
        let no_field = |name: &str| Err(TemplateError::NoSuchField(name.into()));
        assert_eq!(
            fill(MessageKind::Charge, "{url}", ("", &code, "", "")),
            no_field("url")
        );
        assert_eq!(fill_link("{url} {codigo}"), no_field("codigo"));
    }

    #[test]
    fn note_is_a_field_of_links_only() {
        let expected = Ok("https://a.example/1 (Ana, sexta)");
        for template in ["{url} ({nota})", "{url} ({note})"] {
            assert_eq!(fill_link(template).as_deref(), expected);
        }
        let code = "0002".into();
        let of_charge = fill(MessageKind::Charge, "{codigo} {nota}", ("", &code, "", ""));
        assert_eq!(of_charge, Err(TemplateError::NoSuchField("nota".into())));
    }

    #[test]
    fn default_has_description_amount_and_payable() {
        for (kind, payable) in KINDS {
            let template = format!("{{descricao}}\n{{valor}}\n{{{payable}}}");
            let payable = &"y".into();
            let amount = Money::ZERO;
            let buyer = "";
            let expiry = "";
            let values = MessageFields {
                description: "x",
                amount,
                payable,
                buyer,
                expiry,
                note: "",
            };
            assert_eq!(
                MessageTemplate::parse(kind, &template)
                    .unwrap()
                    .fill(&values),
                MessageTemplate::default().fill(&values)
            );
        }
    }

    #[test]
    fn invalid_template_is_refused_with_the_reason() {
        let no_field = |name: &str| Err(TemplateError::NoSuchField(name.into()));
        assert_eq!(fill_link("{url} {preco}"), no_field("preco"));
        assert_eq!(fill_link("{url} {}"), no_field(""));
        assert_eq!(fill_link("{url} {{valor}}"), no_field("{valor"));
        assert_eq!(fill_link("{url} {valor"), Err(TemplateError::NotClosed));
        assert_eq!(fill_link("{url} {\nvalor}"), Err(TemplateError::NotClosed));
        assert_eq!(fill_link("{valor}"), Err(TemplateError::NothingToPay));
        assert_eq!(fill_link(""), Err(TemplateError::NothingToPay));
    }
}
