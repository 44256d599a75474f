//! The members of a body, each on lines of its own: nothing that leaves is unsaid.

use crate::app::Store;
use crate::app::store::withdrawals::rules;
use crate::app::ui::parts::{LABEL, pair};
use crate::app::ui::text::columns;
use crate::app::ui::{Line, Role, Span};
use crate::contract::{BodySpec, Encoding, FieldKind, Member, MemberValue, members};
use crate::trade::withdrawal::Agreement;
use crate::trade::{Untrusted, personal};
use crate::words::{Lang, Words};

/// A member that the figures and the destination do not say already, as the seller reads it.
pub struct OtherMember {
    /// The contract's label of its field, or its name in the body.
    pub label: String,
    /// All of its value.
    pub value: String,
    /// True when the contract put it there.
    is_untyped: bool,
}

/// Every member that the figures and the destination do not say already.
pub fn others(store: &Store, agreement: &Agreement) -> Vec<OtherMember> {
    others_of(store.words(), &store.setup.contract.withdrawal.form, agreement)
}

/// The same, laid out as label and value.
pub fn lines(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    others(store, agreement).iter().flat_map(|other| line(store.words(), other, width)).collect()
}

fn others_of(say: &Words, form: &BodySpec, agreement: &Agreement) -> Vec<OtherMember> {
    if agreement.body.is_empty() {
        // It was purged: nothing is known of what was asked.
        return vec![];
    }
    let members = members(&agreement.body).into_iter();
    let unsaid = members.filter(|member| !is_said_above(form, agreement, member));
    let other = |member: Member| OtherMember {
        label: label(say, form, &member),
        value: said(say, kind(form, &member), &member.value),
        is_untyped: is_untyped(agreement, &member.pointer()),
    };
    unsaid.map(other).collect()
}

/// The amount exactly as these bytes have it, with its name.
pub fn amounts(form: &BodySpec, body: &str) -> Vec<String> {
    let members = members(body);
    let amounts = members.iter().filter(|member| kind(form, member) == Some(FieldKind::Amount));
    amounts
        .map(|member| {
            let name = member.path.last().map_or("", String::as_str);
            match Encoding::of(body) {
                Encoding::Json => {
                    format!("\"{}\":{}", shown(name), shown(&member.value.literal()))
                }
                Encoding::Form => format!("{}={}", shown(name), shown(member.value.text())),
            }
        })
        .collect()
}

/// Returns true when the destination on the screen is one that the seller did not type.
pub fn is_untyped_destination(form: &BodySpec, agreement: &Agreement) -> bool {
    let keys = form.fields.iter().filter(|field| field.kind == FieldKind::PixKey);
    keys.map(|field| field.pointer()).any(|pointer| is_untyped(agreement, &pointer))
}

fn kind(form: &BodySpec, member: &Member) -> Option<FieldKind> {
    member.field(form).map(|field| field.kind)
}

/// Returns true when the figures or the destination show this member exactly as the bytes have it.
fn is_said_above(form: &BodySpec, agreement: &Agreement, member: &Member) -> bool {
    let (Some(field), value) = (member.field(form), &member.value) else { return false };
    let key = agreement.destination.as_ref();
    match (field.kind, value) {
        (FieldKind::Amount, MemberValue::Text(text)) if form.encoding == Encoding::Form => {
            form.amounts.wire(agreement.amount).as_ref() == Some(text)
        }
        (FieldKind::Amount, value) => {
            form.amounts.literal(agreement.amount) == Some(value.literal())
        }
        (FieldKind::PixKey, MemberValue::Text(text)) => key.is_some_and(|key| rules::is(key, text)),
        (FieldKind::PixKeyKind, MemberValue::Text(word)) => {
            key.and_then(|key| field.key_word(key.kind())) == Some(word)
        }
        _ => false,
    }
}

fn is_untyped(agreement: &Agreement, pointer: &str) -> bool {
    agreement.untyped.iter().any(|untyped| **untyped == *pointer)
}

fn line(say: &Words, other: &OtherMember, width: usize) -> Vec<Line> {
    let OtherMember { label, value, is_untyped } = other;
    let mut lines = pair(label, value, width);
    if *is_untyped {
        remark(&mut lines, Role::Warn, say.text("review-untyped"), width);
    }
    lines
}

/// Puts a remark behind the last line, or below it where there is no room.
pub fn remark(lines: &mut Vec<Line>, role: Role, remark: String, width: usize) {
    match lines.last_mut() {
        Some(last) if last.width() + 3 + columns(&remark) <= width => {
            last.push(Span::of(Role::Text, "   "));
            last.push(Span::of(role, remark));
        }
        _ => {
            let indent = LABEL.min(width.saturating_sub(columns(&remark)));
            let indent = Span::of(Role::Text, " ".repeat(indent));
            lines.push(Line::from(vec![indent, Span::of(role, remark)]));
        }
    }
}

/// The contract's label of its field, or its name in the body.
fn label(say: &Words, form: &BodySpec, member: &Member) -> String {
    match (member.field(form), say.lang()) {
        (Some(field), Lang::Pt) => shown(&field.label_pt),
        (Some(field), Lang::En) => shown(&field.label_en),
        (None, _) if member.path.is_empty() => say.text("review-body"),
        (None, _) => shown(&member.name()),
    }
}

/// The value of a member as it may be read here.
fn said(say: &Words, kind: Option<FieldKind>, member: &MemberValue) -> String {
    let whole = value(member);
    match kind {
        _ if !say.masks() => whole,
        Some(FieldKind::Amount | FieldKind::PixKeyKind | FieldKind::Choice) => whole,
        Some(FieldKind::Text) => personal::masked_text(&whole),
        _ => personal::MASKED.to_owned(),
    }
}

/// The value of a member; in quotation marks where part of it would not be seen without them.
fn value(value: &MemberValue) -> String {
    let text = shown(value.text());
    match value {
        MemberValue::Text(_) if text.trim() != text || text.is_empty() || text.contains("  ") => {
            format!("\"{text}\"")
        }
        MemberValue::Text(_) | MemberValue::Literal(_) => text,
    }
}

fn shown(text: &str) -> String {
    Untrusted::from(text).shown_whole()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contract::Contract;
    use crate::trade::{Account, Clocks, IdempotencyKey, Money, Origin, PixKey, PixKeyKind, Wall};

    fn agreement(body: String, untyped: Vec<String>) -> Agreement {
        Agreement {
            key: IdempotencyKey(uuid::Uuid::from_u128(1)),
            account: Account { origin: Origin("https://api.example".into()), identity: "a".into() },
            profile: "default".into(),
            method: "POST".into(),
            url: "https://api.example/w".into(),
            key_header: "k".into(),
            key_header_name: "Idempotency-Key".into(),
            body: body.into(),
            untyped: untyped.into_iter().map(Into::into).collect(),
            amount: Money::from_centavos(10_010),
            destination: PixKey::parse(PixKeyKind::Cpf, "11144477735").ok(),
            quote: None,
            agreed: Clocks { wall: Wall(0), boot_ms: 0, boot_id: "b".into() },
        }
    }

    fn squeezed(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// All of the lines, as one text without its breaks.
    fn said(form: &BodySpec, agreement: &Agreement, width: usize) -> String {
        let say = Words::of(Lang::Pt);
        let others = others_of(say, form, agreement);
        let lines = others.iter().flat_map(|other| line(say, other, width));
        squeezed(&lines.map(|line| line.to_string()).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn what_figures_and_destination_say_is_not_said_twice() {
        let form = Contract::built_in().withdrawal.form;
        let body = r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
        assert_eq!(said(&form, &agreement(body.into(), vec![]), 76), "");
    }

    #[test]
    fn a_member_that_says_something_else_is_said() {
        let form = Contract::built_in().withdrawal.form;
        let body =
            r#"{"amount":100.1,"pixKeyType":"cnpj","pixKey":"x@thief","pixKey":"11144477735"}"#;
        let said = said(&form, &agreement(body.into(), vec![]), 76);
        for text in ["100.1", "cnpj", "x@thief"] {
            assert!(said.contains(text), "{text}: {said}");
        }
        assert!(!said.contains("11144477735"), "{said}");
    }

    #[test]
    fn who_typed_nothing_is_told_so() {
        let form = Contract::built_in().withdrawal.form;
        let body = r#"{"webhook":"https://x.example/","description":" dois  espaços "}"#;
        let said = said(&form, &agreement(body.into(), vec!["/webhook".into()]), 76);
        let fixed = squeezed(&Words::of(Lang::Pt).text("review-untyped"));
        assert_eq!(said.matches(&fixed).count(), 1, "{said}");
        assert!(said.contains("\"doisespaços\""), "{said}");
    }

    fn text() -> impl Strategy<Value = String> {
        prop_oneof![
            ".{0,40}",
            "[a-z]{60,200}",
            "[ -~]{0,40}[\u{202e}\u{200b}\u{1b}\r\n\u{301}é日]{1,4}[ -~]{0,9}",
        ]
    }

    proptest! {
        #[test]
        fn every_member_of_every_body_is_there_and_whole(
            names in prop::collection::vec(prop_oneof![
                Just("amount".to_owned()), Just("pixKey".to_owned()), Just("pixKeyType".to_owned()),
                Just("description".to_owned()), text(),
            ], 1..5),
            texts in prop::collection::vec(text(), 1..5),
            nested: bool,
            declared: bool,
            untyped: bool,
            width in 30_usize..100,
        ) {
            use serde_json::{Map, Value};
            let pairs = names.iter().cloned().zip(texts.iter().cloned().map(Value::from));
            let mut body = Value::Object(pairs.collect::<Map<_, _>>());
            if nested {
                body = serde_json::json!({"inside": body, "n": 12.50, "list": [true, null, "x"]});
            }
            let mut form = Contract::built_in().withdrawal.form;
            if !declared {
                form.fields.clear();
            }
            let body = body.to_string();
            let all = members(&body);
            let pointers = if untyped { all.iter().map(Member::pointer).collect() } else { vec![] };
            let agreement = agreement(body, pointers);
            let said = said(&form, &agreement, width);
            for member in &all {
                let shown = squeezed(&shown(member.value.text()));
                let is_there = said.contains(&shown) || is_said_above(&form, &agreement, member);
                prop_assert!(is_there, "{:?} is not in {}", member, said);
                if member.field(&form).is_none() {
                    let name = squeezed(&super::shown(&member.name()));
                    prop_assert!(said.contains(&name), "{:?} is not in {}", name, said);
                }
            }
        }
    }
}
