//! The facts about a withdrawal as labels and values: the destination, the values in the request
//! body, and other withdrawals that block it or need attention.

use std::mem::discriminant;

use crate::app::Store;
use crate::app::store::withdrawals::WhyRetype;
use crate::app::store::withdrawals::rules::{self, Ownership};
use crate::app::store::{confirming, nicknames};
use crate::app::ui::action::Action;
use crate::app::ui::parts::{LABEL_WIDTH, above, pair, wrapped};
use crate::app::ui::text::{columns, fit};
use crate::app::ui::{Line, Role, Span};
use crate::contract::{BodySpec, Encoding, FieldKind, Member, MemberValue, members};
use crate::trade::withdrawal::{Agreement, Clash, Destination};
use crate::trade::{self, Account, FigureSource, Money, Quote, Untrusted, Withdrawal};
use crate::words::failure::clash_id;
use crate::words::{Catalogue, Lang, names, personal};

/// Lays out the destination and the other values in the request body.
pub fn request_lines(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    let mut lines = destination_lines(store, agreement, width);
    lines.extend(member_lines(store, agreement, width));
    lines
}

pub fn destination_lines(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    let to = nicknames::destination_text(store, agreement);
    pair(&store.text("outcome-to"), &to, width)
}

/// The login that a withdrawal belongs to, or `None` if it belongs to the current login. If its
/// service address is another one too, the text also contains that address.
pub fn other_account(store: &Store, withdrawal: &Withdrawal) -> Option<String> {
    let Account { origin, identity } = &withdrawal.agreement.account;
    let login = personal::name(store.words(), identity).shown_within(80);
    let address = Untrusted::from(&*origin.0).shown_within(80);
    match rules::ownership(store, withdrawal) {
        Ownership::Here => None,
        Ownership::OtherLogin => Some(login),
        Ownership::OtherAddress => {
            Some(store.with("account-at", &[("who", &login), ("place", &address)]))
        }
    }
}

/// Lays out the other login or service address that a withdrawal belongs to, with a label. Returns
/// no lines if [`other_account`] returns `None`.
pub fn account_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let account = other_account(store, withdrawal);
    account
        .map(|account| pair(&store.text("outcome-account"), &account, width))
        .unwrap_or_default()
}

/// Lays out who prepared, sent and decided a withdrawal of a team. Without a team, returns no
/// lines.
pub fn team_lines(words: &Catalogue, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let mut sent = withdrawal.attempts.iter().rev();
    let last_attempt = sent.find(|attempt| attempt.may_have_been_sent());
    let approval = withdrawal.approvals.last_counting();
    let acts = [
        ("outcome-who.prepared", &withdrawal.prepared_by),
        (
            "outcome-who.approved",
            approval.map_or(&None, |approval| &approval.by),
        ),
        (
            "outcome-who.sent",
            last_attempt.map_or(&None, |attempt| &attempt.by),
        ),
        ("outcome-who.decided", &withdrawal.decided_by),
    ];
    let acts = acts.into_iter().filter_map(|(id, author)| {
        let who = names::author(words, author.as_ref()?);
        Some(words.with(id, &[("who", &who)]))
    });
    let text = acts.collect::<Vec<_>>().join(" · ");
    if text.is_empty() {
        return vec![];
    }
    pair(&words.text("outcome-who"), &text, width)
}

/// Lays out the idempotency key with the name of its HTTP header, because the service's support
/// knows the key by that name.
pub fn key_lines(words: &Catalogue, agreement: &Agreement, width: usize) -> Vec<Line> {
    let label = words.text("outcome-key");
    let key = agreement.key.to_string();
    let header = Untrusted::from(&*agreement.key_header_name);
    let header_note = format!("  ({})", header.shown_within(40));
    if LABEL_WIDTH + key.len() > width {
        // Keep the key on one line, so that it is easier to read out and to select.
        let label = fit(&format!("{label} {}", header_note.trim_start()), width);
        return above(&label, &key, width);
    }
    let fits = LABEL_WIDTH + key.len() + columns(&header_note) <= width;
    let mut lines = pair(&label, &key, width);
    if fits && let Some(line) = lines.first_mut() {
        line.push(Span::of(Role::Dim, header_note));
    }
    lines
}

/// Lays out the idempotency key, the service's id and status, and the fee quote.
pub fn key_and_status_lines(words: &Catalogue, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    let mut lines = key_lines(words, &withdrawal.agreement, width);
    if let Some(id) = withdrawal.service_id() {
        lines.extend(pair(
            &words.text("outcome-id"),
            &personal::service_text(words, id).shown_within(120),
            width,
        ));
    }
    if let Some(status) = withdrawal.service_status() {
        let status_text = names::service_status(words, "outcome-status-theirs", status);
        lines.extend(pair(&words.text("outcome-status"), &status_text, width));
    }
    lines.extend(pair(
        &words.text("outcome-quote"),
        &confirmed_quote_text(words, &withdrawal.agreement),
        width,
    ));
    lines
}

/// Lays out the question of how much money arrived. The question is asked only while the unit of
/// amounts (reais or centavos) is not confirmed.
pub fn arrival_question_lines(store: &Store, withdrawal: &Withdrawal, width: usize) -> Vec<Line> {
    if !confirming::should_ask_arrived_amount(store, withdrawal) {
        return vec![];
    }
    let key = store.render_cx().first_key(Action::Arrived);
    wrapped(
        Role::Warn,
        &store.with("outcome-arrived", &[("key", key)]),
        width,
    )
}

/// The fee and the net amount that the seller saw when confirming.
pub fn confirmed_quote_text(words: &Catalogue, agreement: &Agreement) -> String {
    match &agreement.quote {
        Some(quote) => quote_text(words, quote),
        None => words.text("outcome-no-quote"),
    }
}

/// The fee and the net amount of a fee quote in one sentence.
pub fn quote_text(words: &Catalogue, quote: &Quote) -> String {
    let fee = format_figure(words, quote.fee, quote.fee_source, "figure-computed.fee");
    let net = format_figure(words, quote.net, quote.net_source, "figure-computed");
    words.with("outcome-quote-figures", &[("fee", &fee), ("net", &net)])
}

/// Formats an amount of money. If the program computed the amount itself, appends the text with the
/// id `computed`.
fn format_figure(words: &Catalogue, figure: Money, source: FigureSource, computed: &str) -> String {
    match source {
        FigureSource::Service => figure.to_string(),
        FigureSource::Computed => format!("{figure} ({})", words.text(computed)),
    }
}

/// Returns how often a destination was paid, and when it was last paid.
pub fn usage_text(store: &Store, destination: &Destination) -> String {
    let when = store.render_cx().day_of(destination.last);
    let is_date = when.starts_with(|c: char| c.is_ascii_digit());
    let id = if is_date {
        "known-used-on"
    } else {
        "known-used"
    };
    store
        .words()
        .count(id, destination.count, &[("when", &when)])
}

/// A value in the request body other than the amounts and the destination, which are shown
/// separately.
pub struct OtherMember {
    /// The label of the field, or the value's name in the request body.
    pub label: String,
    pub value: String,
    /// True if the value comes from the API contract and was not typed by the seller.
    is_untyped: bool,
}

/// The values in the request body other than the amounts and the destination, which are shown
/// separately.
pub fn other_members(store: &Store, agreement: &Agreement) -> Vec<OtherMember> {
    other_members_of(
        store.words(),
        &store.setup.contract.withdrawal.form,
        agreement,
    )
}

/// The first free text in the request body: the seller's description of the withdrawal.
pub fn description_text(store: &Store, agreement: &Agreement) -> Option<String> {
    let words = store.words();
    let form = &store.setup.contract.withdrawal.form;
    let members = members(&agreement.body);
    let text = members
        .iter()
        .find(|member| field_kind(form, member) == Some(FieldKind::Text))?;
    Some(masked_value(words, Some(FieldKind::Text), &text.value))
}

/// Lays out the values in the request body other than the amounts and the destination.
pub fn member_lines(store: &Store, agreement: &Agreement, width: usize) -> Vec<Line> {
    other_members(store, agreement)
        .iter()
        .flat_map(|other| lines_of_member(store.words(), other, width))
        .collect()
}

fn other_members_of(words: &Catalogue, form: &BodySpec, agreement: &Agreement) -> Vec<OtherMember> {
    if agreement.body.is_empty() {
        // The request body was deleted from the withdrawal journal.
        return vec![];
    }
    let members = members(&agreement.body).into_iter();
    let unshown = members.filter(|member| !is_shown_above(form, agreement, member));
    let other = |member: Member| OtherMember {
        label: member_label(words, form, &member),
        value: masked_value(words, field_kind(form, &member), &member.value),
        is_untyped: is_untyped(agreement, &member.pointer()),
    };
    unshown.map(other).collect()
}

/// The values of this kind exactly as written in the request body, with their names, such as
/// `"amount":10.50`.
pub fn literal_values(form: &BodySpec, body: &str, kind: FieldKind) -> Vec<String> {
    let members = members(body);
    let values = members
        .iter()
        .filter(|member| field_kind(form, member) == Some(kind));
    values
        .map(|member| {
            let name = member.path.last().map_or("", String::as_str);
            match Encoding::of(body) {
                Encoding::Json => {
                    format!(
                        "\"{}\":{}",
                        safe_text(name),
                        safe_text(&member.value.literal())
                    )
                }
                Encoding::Form => format!("{}={}", safe_text(name), safe_text(member.value.text())),
            }
        })
        .collect()
}

/// True if the API contract, and not the seller, set the destination.
pub fn is_untyped_destination(form: &BodySpec, agreement: &Agreement) -> bool {
    let keys = form
        .fields
        .iter()
        .filter(|field| field.kind == FieldKind::PixKey);
    keys.map(|field| field.pointer())
        .any(|pointer| is_untyped(agreement, &pointer))
}

fn field_kind(form: &BodySpec, member: &Member) -> Option<FieldKind> {
    member.field(form).map(|field| field.kind)
}

/// True if the amounts or the destination already show this value exactly as in the request body.
/// The value is then not shown again.
fn is_shown_above(form: &BodySpec, agreement: &Agreement, member: &Member) -> bool {
    let (Some(field), value) = (member.field(form), &member.value) else {
        return false;
    };
    let key = agreement.destination.as_ref();
    match (field.kind, value) {
        (FieldKind::Amount, MemberValue::Text(text)) if form.encoding == Encoding::Form => {
            form.amounts.wire(agreement.amount).as_ref() == Some(text)
        }
        (FieldKind::Amount, value) => {
            form.amounts.literal(agreement.amount) == Some(value.literal())
        }
        (FieldKind::PixKey, MemberValue::Text(text)) => {
            key.is_some_and(|key| rules::is_key_text(key, text))
        }
        (FieldKind::PixKeyKind, MemberValue::Text(word)) => {
            key.and_then(|key| field.key_word(key.kind())) == Some(word)
        }
        _ => false,
    }
}

fn is_untyped(agreement: &Agreement, pointer: &str) -> bool {
    agreement
        .untyped
        .iter()
        .any(|untyped| **untyped == *pointer)
}

fn lines_of_member(words: &Catalogue, member: &OtherMember, width: usize) -> Vec<Line> {
    let OtherMember {
        label,
        value,
        is_untyped,
    } = member;
    let mut lines = pair(label, value, width);
    if *is_untyped {
        append_remark(&mut lines, Role::Warn, words.text("review-untyped"), width);
    }
    lines
}

/// Appends a remark to the last line, or adds a line if the remark does not fit there.
pub fn append_remark(lines: &mut Vec<Line>, role: Role, remark: String, width: usize) {
    match lines.last_mut() {
        Some(last) if last.width() + 3 + columns(&remark) <= width => {
            last.push(Span::of(Role::Text, "   "));
            last.push(Span::of(role, remark));
        }
        _ => {
            let indent = LABEL_WIDTH.min(width.saturating_sub(columns(&remark)));
            let indent = Span::of(Role::Text, " ".repeat(indent));
            lines.push(Line::from(vec![indent, Span::of(role, remark)]));
        }
    }
}

/// The label of a value in the request body: the label of its field, or else its name there.
fn member_label(words: &Catalogue, form: &BodySpec, member: &Member) -> String {
    match (member.field(form), words.lang()) {
        (Some(field), Lang::Pt) => safe_text(&field.label_pt),
        (Some(field), Lang::En) => safe_text(&field.label_en),
        (None, _) if member.path.is_empty() => words.text("review-body"),
        (None, _) => safe_text(&member.name()),
    }
}

/// A value of the request body, masked if other people can see the screen.
fn masked_value(words: &Catalogue, kind: Option<FieldKind>, member: &MemberValue) -> String {
    let text = displayed_value(member);
    match kind {
        _ if !words.masks() => text,
        Some(FieldKind::Amount | FieldKind::PixKeyKind | FieldKind::Choice) => text,
        Some(FieldKind::Text) => trade::personal::masked_text(&text),
        _ => trade::personal::MASKED.to_owned(),
    }
}

/// A value of the request body, in quotation marks if it contains spaces that would otherwise be
/// invisible.
fn displayed_value(value: &MemberValue) -> String {
    let text = safe_text(value.text());
    match value {
        MemberValue::Text(_) if text.trim() != text || text.is_empty() || text.contains("  ") => {
            format!("\"{text}\"")
        }
        MemberValue::Text(_) | MemberValue::Literal(_) => text,
    }
}

fn safe_text(text: &str) -> String {
    Untrusted::from(text).shown_whole()
}

/// A sentence that identifies another withdrawal by its time, amount, destination and state. If it
/// belongs to another login, the login is added.
fn describe_withdrawal(store: &Store, other: &Withdrawal) -> String {
    let agreement = &other.agreement;
    let values = [
        ("amount", &*agreement.amount.to_string()),
        ("to", &nicknames::destination_text(store, agreement)),
        ("when", &store.render_cx().moment(agreement.agreed.wall)),
        ("state", &store.state_word(other)),
    ];
    let description = store.with("other-named", &values);
    match other_account(store, other) {
        Some(account) => store.with("other-of", &[("other", &description), ("whose", &account)]),
        None => description,
    }
}

/// Lays out which other withdrawal blocks a draft, and which key opens that withdrawal.
pub fn clash_lines(store: &Store, clash: &Clash, width: usize) -> Vec<Line> {
    let id = clash_id(clash.kind);
    let mut lines = wrapped(Role::Bad, &store.text(&format!("{id}.refused")), width);
    let key = store.render_cx().first_key(Action::ShowOther);
    let description = describe_withdrawal(store, &clash.other);
    let hint = store.with("other-shows", &[("other", &description), ("key", key)]);
    lines.extend(wrapped(Role::Text, &hint, width));
    lines
}

/// Lays out the reasons why the seller must retype the amount. If a reason applies to several
/// withdrawals, names the first and counts the others.
pub fn reason_lines(store: &Store, reasons: &[WhyRetype], width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for same_reasons in
        reasons.chunk_by(|first, second| discriminant(first) == discriminant(second))
    {
        let mut text = match &same_reasons[0] {
            WhyRetype::AnotherOpen(_) => store.text("review-retype-another-open"),
            WhyRetype::SameOpenElsewhere(_) => store.text("review-retype-same-open-elsewhere"),
            WhyRetype::SameWithinADay(_) => store.text("review-retype-same"),
            WhyRetype::ArrivalUnknown => store.text("review-retype-not-arrived"),
            WhyRetype::NoQuote => store.text("review-retype-no-quote"),
            WhyRetype::NothingArrives { net } => {
                store.with("review-retype-nothing", &[("net", &net.to_string())])
            }
            WhyRetype::FinerThanCentavos { .. } => store.text("review-retype-finer"),
        };
        if same_reasons.len() > 1 {
            let others_text = store
                .words()
                .count("other-more", same_reasons.len() as u64 - 1, &[]);
            text = format!("{text} {others_text}");
        }
        lines.extend(wrapped(Role::Warn, &text, width));
        if let Some(other) = same_reasons[0].other_withdrawal() {
            lines.extend(wrapped(
                Role::Text,
                &describe_withdrawal(store, other),
                width,
            ));
        }
    }
    lines
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
            account: Account {
                origin: Origin("https://api.example".into()),
                identity: "a".into(),
            },
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
            agreed: Clocks {
                wall: Wall(0),
                boot_ms: 0,
                boot_id: "b".into(),
            },
        }
    }

    fn without_whitespace(text: &str) -> String {
        text.chars().filter(|c| !c.is_whitespace()).collect()
    }

    /// The displayed values of the request body as one string without whitespace.
    fn rendered_members(form: &BodySpec, agreement: &Agreement, width: usize) -> String {
        let words = Catalogue::of(Lang::Pt);
        let others = other_members_of(words, form, agreement);
        let lines = others
            .iter()
            .flat_map(|other| lines_of_member(words, other, width));
        without_whitespace(
            &lines
                .map(|line| line.to_string())
                .collect::<Vec<_>>()
                .join("\n"),
        )
    }

    #[test]
    fn members_shown_elsewhere_are_not_repeated() {
        let form = Contract::built_in().withdrawal.form;
        let body = r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#;
        assert_eq!(
            rendered_members(&form, &agreement(body.into(), vec![]), 76),
            ""
        );
    }

    #[test]
    fn member_that_differs_from_terms_is_shown() {
        let form = Contract::built_in().withdrawal.form;
        let body =
            r#"{"amount":100.1,"pixKeyType":"cnpj","pixKey":"x@thief","pixKey":"11144477735"}"#;
        let rendered = rendered_members(&form, &agreement(body.into(), vec![]), 76);
        for text in ["100.1", "cnpj", "x@thief"] {
            assert!(rendered.contains(text), "{text}: {rendered}");
        }
        assert!(!rendered.contains("11144477735"), "{rendered}");
    }

    #[test]
    fn untyped_members_are_marked_as_untyped_once() {
        let form = Contract::built_in().withdrawal.form;
        let body = r#"{"webhook":"https://x.example/","description":" dois  espaços "}"#;
        let rendered =
            rendered_members(&form, &agreement(body.into(), vec!["/webhook".into()]), 76);
        let mark = without_whitespace(&Catalogue::of(Lang::Pt).text("review-untyped"));
        assert_eq!(rendered.matches(&mark).count(), 1, "{rendered}");
        assert!(rendered.contains("\"doisespaços\""), "{rendered}");
    }

    fn any_text() -> impl Strategy<Value = String> {
        prop_oneof![
            ".{0,40}",
            "[a-z]{60,200}",
            "[ -~]{0,40}[\u{202e}\u{200b}\u{1b}\r\n\u{301}é日]{1,4}[ -~]{0,9}",
        ]
    }

    proptest! {
        #[test]
        fn every_body_member_is_shown_in_full(
            names in prop::collection::vec(prop_oneof![
                Just("amount".to_owned()), Just("pixKey".to_owned()), Just("pixKeyType".to_owned()),
                Just("description".to_owned()), any_text(),
            ], 1..5),
            texts in prop::collection::vec(any_text(), 1..5),
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
            let rendered = rendered_members(&form, &agreement, width);
            for member in &all {
                let value = without_whitespace(&safe_text(member.value.text()));
                let is_shown =
                    rendered.contains(&value) || is_shown_above(&form, &agreement, member);
                prop_assert!(is_shown, "{:?} is not in {}", member, rendered);
                if member.field(&form).is_none() {
                    let name = without_whitespace(&safe_text(&member.name()));
                    prop_assert!(rendered.contains(&name), "{:?} is not in {}", name, rendered);
                }
            }
        }
    }
}
