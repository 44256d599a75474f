//! The template of the message that is sent to a buyer: text, and fields in braces.

use super::{Money, Untrusted};

/// The subject of a message: it decides which fields its template may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageKind {
    /// A payment link, by its address.
    Link,
    /// A direct payment, by its Pix code.
    Charge,
}

/// A field of the template, by its two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateField {
    Description,
    Amount,
    /// The address of a link, the Pix code of a direct payment.
    Payable,
    Buyer,
    Expiry,
}

/// The names of the fields that all messages have, in Portuguese and in English.
const NAMES: [(&str, TemplateField); 4] = [
    ("descricao", TemplateField::Description),
    ("description", TemplateField::Description),
    ("valor", TemplateField::Amount),
    ("amount", TemplateField::Amount),
];

/// The further names in a message about a link.
const LINK_NAMES: [(&str, TemplateField); 1] = [("url", TemplateField::Payable)];

/// The further names in a message about a direct payment.
const CHARGE_NAMES: [(&str, TemplateField); 6] = [
    ("codigo", TemplateField::Payable),
    ("code", TemplateField::Payable),
    ("comprador", TemplateField::Buyer),
    ("buyer", TemplateField::Buyer),
    ("vencimento", TemplateField::Expiry),
    ("expiry", TemplateField::Expiry),
];

/// A part of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(TemplateField),
}

/// The template of a message, line by line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate(Vec<Vec<Piece>>);

/// The values of a message's fields; an empty text is nothing known.
#[derive(Debug, Clone, Copy)]
pub struct MessageFields<'a> {
    /// The description.
    pub description: &'a str,
    /// The amount.
    pub amount: Money,
    /// The address or the Pix code.
    pub payable: &'a Untrusted,
    /// The buyer.
    pub buyer: &'a str,
    /// Until when it can be paid.
    pub expiry: &'a str,
}

/// The reason a text is no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// There is no field of this name.
    NoSuchField(String),
    /// A brace that was opened is not closed on its line.
    NotClosed,
    /// The address or the code is nowhere in it: the buyer could not pay.
    NothingToPay,
}

impl MessageTemplate {
    /// Reads the template of a message about this.
    pub fn parse(kind: MessageKind, text: &str) -> Result<MessageTemplate, TemplateError> {
        let lines: Result<Vec<_>, _> = text.split('\n').map(|line| pieces(kind, line)).collect();
        let template = MessageTemplate(lines?);
        let payable = Piece::Field(TemplateField::Payable);
        match template.0.iter().any(|line| line.contains(&payable)) {
            true => Ok(template),
            false => Err(TemplateError::NothingToPay),
        }
    }

    /// Returns the message with its fields filled; a line with a field that nothing is known for
    /// is left out.
    ///
    /// What is filled in is never read as a field again.
    pub fn fill(&self, with: &MessageFields<'_>) -> String {
        let line = |pieces: &Vec<Piece>| -> Option<String> {
            pieces.iter().map(|piece| part(piece, with)).collect()
        };
        self.0.iter().filter_map(line).collect::<Vec<_>>().join("\n")
    }
}

/// Divides a line into text and fields.
fn pieces(kind: MessageKind, line: &str) -> Result<Vec<Piece>, TemplateError> {
    let own: &[_] = match kind {
        MessageKind::Link => &LINK_NAMES,
        MessageKind::Charge => &CHARGE_NAMES,
    };
    let mut pieces = Vec::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or(TemplateError::NotClosed)?;
        let field = NAMES.iter().chain(own).find(|(known, _)| *known == name.trim());
        let (_, field) = field.ok_or_else(|| TemplateError::NoSuchField(name.to_owned()))?;
        pieces.push(Piece::Text(before.to_owned()));
        pieces.push(Piece::Field(*field));
        rest = behind;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    Ok(pieces)
}

/// The text of a piece; `None` where nothing is known.
fn part(piece: &Piece, with: &MessageFields<'_>) -> Option<String> {
    let field = match piece {
        Piece::Text(text) => return Some(text.clone()),
        Piece::Field(field) => field,
    };
    let text = match field {
        TemplateField::Description => with.description.to_owned(),
        TemplateField::Amount => with.amount.to_string(),
        TemplateField::Payable => with.payable.raw().to_owned(),
        TemplateField::Buyer => with.buyer.to_owned(),
        TemplateField::Expiry => with.expiry.to_owned(),
    };
    (!text.is_empty()).then_some(text)
}

impl Default for MessageTemplate {
    /// What for, how much, and what to pay it with.
    fn default() -> MessageTemplate {
        let fields = [TemplateField::Description, TemplateField::Amount, TemplateField::Payable];
        MessageTemplate(fields.map(|field| vec![Piece::Field(field)]).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [(MessageKind, &str); 2] =
        [(MessageKind::Link, "url"), (MessageKind::Charge, "codigo")];

    fn filled(template: &str) -> Result<String, TemplateError> {
        let payable = "https://a.example/1".into();
        fill(MessageKind::Link, template, ("Boné {url}", &payable, "", ""))
    }

    fn fill(
        kind: MessageKind,
        template: &str,
        (description, payable, buyer, expiry): (&str, &Untrusted, &str, &str),
    ) -> Result<String, TemplateError> {
        let template = MessageTemplate::parse(kind, template)?;
        let amount = Money::from_centavos(4_990);
        let filled = template.fill(&MessageFields { description, amount, payable, buyer, expiry });
        Ok(filled)
    }

    #[test]
    fn fields_of_both_languages_are_filled_as_plain_text() {
        let said = "Olá! Boné {url}: R$ 49,90\nhttps://a.example/1 } até logo";
        for template in [
            "Olá! {descricao}: {valor}\n{url} } até logo",
            "Olá! {description}: { amount }\n{url} } até logo",
        ] {
            assert_eq!(filled(template).as_deref(), Ok(said));
        }
    }

    #[test]
    fn charge_lines_with_unknown_fields_are_omitted() {
        let code = "0002".into();
        for template in [
            "Olá, {comprador}!\n{valor}\nPague até {vencimento}\n\n{codigo}",
            "Olá, {buyer}!\n{amount}\nPague até {expiry}\n\n{code}",
        ] {
            let said = |buyer, expiry| {
                fill(MessageKind::Charge, template, ("", &code, buyer, expiry)).unwrap()
            };
            assert_eq!(said("Bia", "11:42"), "Olá, Bia!\nR$ 49,90\nPague até 11:42\n\n0002");
            assert_eq!(said("Bia", ""), "Olá, Bia!\nR$ 49,90\n\n0002");
            assert_eq!(said("", ""), "R$ 49,90\n\n0002");
        }
        let no_field = |name: &str| Err(TemplateError::NoSuchField(name.into()));
        assert_eq!(fill(MessageKind::Charge, "{url}", ("", &code, "", "")), no_field("url"));
        assert_eq!(filled("{url} {codigo}"), no_field("codigo"));
    }

    #[test]
    fn default_has_description_amount_and_payable() {
        for (kind, payable) in KINDS {
            let written = format!("{{descricao}}\n{{valor}}\n{{{payable}}}");
            let payable = &"y".into();
            let (amount, buyer, expiry) = (Money::ZERO, "", "");
            let with = MessageFields { description: "x", amount, payable, buyer, expiry };
            assert_eq!(
                MessageTemplate::parse(kind, &written).unwrap().fill(&with),
                MessageTemplate::default().fill(&with)
            );
        }
    }

    #[test]
    fn invalid_template_is_refused_with_the_reason() {
        let no_field = |name: &str| Err(TemplateError::NoSuchField(name.into()));
        assert_eq!(filled("{url} {preco}"), no_field("preco"));
        assert_eq!(filled("{url} {}"), no_field(""));
        assert_eq!(filled("{url} {{valor}}"), no_field("{valor"));
        assert_eq!(filled("{url} {valor"), Err(TemplateError::NotClosed));
        assert_eq!(filled("{url} {\nvalor}"), Err(TemplateError::NotClosed));
        assert_eq!(filled("{valor}"), Err(TemplateError::NothingToPay));
        assert_eq!(filled(""), Err(TemplateError::NothingToPay));
    }
}
