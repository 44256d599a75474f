//! The template of the message that is sent to a buyer: text, and fields in braces.

use super::{Money, Untrusted};

/// A field of the template, by its two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplateField {
    Description,
    Amount,
    Address,
}

/// The names of the fields, in Portuguese and in English.
const NAMES: [(&str, TemplateField); 5] = [
    ("descricao", TemplateField::Description),
    ("description", TemplateField::Description),
    ("valor", TemplateField::Amount),
    ("amount", TemplateField::Amount),
    ("url", TemplateField::Address),
];

/// A part of the template.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(TemplateField),
}

/// The template of a message about a payment link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageTemplate(Vec<Piece>);

/// The reason a text is no template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TemplateError {
    /// There is no field of this name.
    NoSuchField(String),
    /// A brace that was opened is not closed.
    NotClosed,
    /// The address is nowhere in it: the buyer could not pay.
    NoAddress,
}

impl MessageTemplate {
    /// Reads a template.
    pub fn parse(text: &str) -> Result<MessageTemplate, TemplateError> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}').ok_or(TemplateError::NotClosed)?;
            let field = NAMES.iter().find(|(known, _)| *known == name.trim());
            let (_, field) = field.ok_or_else(|| TemplateError::NoSuchField(name.to_owned()))?;
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Field(*field));
            rest = behind;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        if !pieces.contains(&Piece::Field(TemplateField::Address)) {
            return Err(TemplateError::NoAddress);
        }
        Ok(MessageTemplate(pieces))
    }

    /// Returns the message for a link of this description, amount and address.
    ///
    /// What is filled in is never read as a field again.
    pub fn fill(&self, description: &str, amount: Money, address: &Untrusted) -> String {
        let amount = amount.to_string();
        let part = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Field(TemplateField::Description) => description.to_owned(),
            Piece::Field(TemplateField::Amount) => amount.clone(),
            Piece::Field(TemplateField::Address) => address.raw().to_owned(),
        };
        self.0.iter().map(part).collect()
    }
}

impl Default for MessageTemplate {
    /// What for, how much, and where.
    fn default() -> MessageTemplate {
        let line = || Piece::Text("\n".into());
        MessageTemplate(vec![
            Piece::Field(TemplateField::Description),
            line(),
            Piece::Field(TemplateField::Amount),
            line(),
            Piece::Field(TemplateField::Address),
        ])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> Result<String, TemplateError> {
        let template = MessageTemplate::parse(template)?;
        let amount = Money::from_centavos(4_990);
        Ok(template.fill("Boné {url}", amount, &"https://a.example/1".into()))
    }

    #[test]
    fn fields_are_filled_in_both_languages_and_what_is_filled_in_stays_text() {
        let said = "Olá! Boné {url}: R$ 49,90\nhttps://a.example/1 } até logo";
        let plain = |text: String| text.replace('\u{a0}', " ");
        for template in [
            "Olá! {descricao}: {valor}\n{url} } até logo",
            "Olá! {description}: { amount }\n{url} } até logo",
        ] {
            assert_eq!(filled(template).map(plain).as_deref(), Ok(said));
        }
    }

    #[test]
    fn without_more_a_message_says_what_for_how_much_and_where() {
        assert_eq!(
            MessageTemplate::parse("{descricao}\n{valor}\n{url}").unwrap().fill(
                "x",
                Money::ZERO,
                &"y".into()
            ),
            MessageTemplate::default().fill("x", Money::ZERO, &"y".into())
        );
    }

    #[test]
    fn what_is_no_template_is_refused_with_the_reason() {
        let no_field = |name: &str| Err(TemplateError::NoSuchField(name.into()));
        assert_eq!(filled("{url} {preco}"), no_field("preco"));
        assert_eq!(filled("{url} {}"), no_field(""));
        assert_eq!(filled("{url} {{valor}}"), no_field("{valor"));
        assert_eq!(filled("{url} {valor"), Err(TemplateError::NotClosed));
        assert_eq!(filled("{valor}"), Err(TemplateError::NoAddress));
        assert_eq!(filled(""), Err(TemplateError::NoAddress));
    }
}
