//! Tests of the lists that commands print.

use super::*;
use crate::app::ui::text::columns;
use crate::journal::money::samples::{WINDOW, account, agreement, attempt_end, clocks};
use crate::rows::json_line::{amount_json, format_utc};
use crate::trade::withdrawal::{Attempt, AttemptEnd, Class, NotSent, Unclear};
use crate::trade::{
    Agreement, Author, ChargeOutcome, CreatedCharge, CreatedLink, LinkOutcome, LinkRequest, Money,
    PaidSource, Quote, Refusal, RowId, SaleAuthors,
};
use crate::words::Lang;

fn link(description: &str, outcome: LinkOutcome) -> PaymentLink {
    let request = LinkRequest {
        account: account("ana"),
        amount: Money::from_centavos(123_456),
        description: description.into(),
        domain: Some("loja.example".into()),
    };
    PaymentLink {
        id: RowId(1),
        at: Wall(1_795_000_000_000),
        request,
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

fn withdrawal(attempts: Vec<Attempt>) -> Withdrawal {
    let agreement = agreement(7, 10_010);
    let quote = Quote::new(
        agreement.amount,
        Some(Money::from_centavos(150)),
        None,
        Wall(0),
    );
    let agreement = Agreement {
        quote: quote.ok(),
        agreed: clocks(5),
        ..agreement
    };
    Withdrawal {
        agreement,
        attempts,
        decision: None,
        prepared_by: None,
        decided_by: None,
        approvals: Default::default(),
    }
}

fn attempt(n: u32, class: Class, status: Option<u16>) -> Attempt {
    Attempt {
        n,
        began: clocks(10),
        end: Some(AttemptEnd {
            status,
            ..attempt_end(12, class)
        }),
        by: None,
    }
}

/// The UTC offset of Brasília, in seconds.
const BRASILIA: i32 = -3 * 3_600;

#[test]
fn link_row_has_local_time_and_whole_address() {
    let words = Catalogue::of(Lang::Pt);
    let row = |link: &PaymentLink| link_row(words, link, BRASILIA);
    let url = "https://loja.example/checkout/l-1".into();
    let mut created = link("Camiseta azul", LinkOutcome::Created(CreatedLink { url }));
    assert_eq!(
        row(&created),
        "18/11/2026 08:06        R$ 1.234,56  Camiseta azul\n  \
             https://loja.example/checkout/l-1"
    );
    created.paid = Some(Paid {
        at: Wall(0),
        source: PaidSource::Seller,
    });
    assert!(
        row(&created).ends_with("/checkout/l-1\n  ✓ marcado como pago"),
        "{}",
        row(&created)
    );
    let mut dated = link("Camiseta azul", LinkOutcome::NotSent);
    dated.at = Wall(253_402_300_799_000);
    assert!(row(&dated).starts_with("31/12/9999 20:59  "));
    dated.at = Wall(1_795_000_000_999);
    assert_eq!(link_json(&dated)["at"], "2026-11-18T11:06:40.999Z");
    let hostile = row(&link("a\x1b[2J\n\u{202e}b", LinkOutcome::Unknown));
    assert!(hostile.contains("a␛[2J␊‹U+202E›b"), "{hostile}");
    // A refused payment link has no URL. Its row shows the reason for the refusal instead.
    let refused = LinkOutcome::Refused(Refusal {
        status: 400,
        message: None,
        hint: None,
        retry_after: None,
    });
    let last_lines = [refused, LinkOutcome::NotSent, LinkOutcome::Unknown].map(|outcome| {
        row(&link("x", outcome))
            .split_once('\n')
            .unwrap()
            .1
            .to_owned()
    });
    assert_eq!(
        last_lines,
        ["  × recusado", "  – não enviado", "  ? pode existir"]
    );
}

#[test]
fn plain_rows_fit_eighty_columns_in_any_language() {
    let long = "Camisetas azuis e verdes, tamanho grande, com estampa da loja ".repeat(2);
    for lang in Lang::ALL {
        let words = Catalogue::of(lang);
        let mut withdrawal = withdrawal(vec![]);
        withdrawal.agreement.amount = Money::from_centavos(99_999_999_999);
        let texts = SellerTexts {
            nickname: Some("x".repeat(30)),
            description: Some(long.clone()),
        };
        let state = withdrawal.state(&clocks(6), &WINDOW, false);
        let rows = [
            format_columns(&words.text("list-when"), &words.text("field-amount"), "x"),
            link_row(words, &link(&long, LinkOutcome::Unknown), BRASILIA),
            charge_row(words, &charge(&long), BRASILIA),
            withdrawal_row(words, &withdrawal, &state, &texts, BRASILIA),
        ];
        for line in rows.iter().flat_map(|row| row.lines()) {
            assert!(columns(line) <= LIST_WIDTH, "{line}");
        }
    }
}

fn charge(description: &str) -> Charge {
    let request = crate::trade::ChargeRequest {
        account: account("ana"),
        amount: Money::from_centavos(4_990),
        description: description.into(),
        customer: Some("Bia Souza".into()),
        buyer: Default::default(),
    };
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: Some("c-1".into()),
        status: Some("PENDING".into()),
        pix_code: Some("00020126".into()),
        expires: None,
    });
    Charge {
        id: RowId(1),
        at: Wall(1_795_000_000_000),
        request,
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

#[test]
fn charge_row_has_state_and_buyer_and_is_masked() {
    let row = |words| charge_row(words, &charge("Bolo"), BRASILIA);
    assert_eq!(
        row(Catalogue::of(Lang::Pt)),
        "18/11/2026 08:06           R$ 49,90  Bolo\n  aguardando · Bia Souza"
    );
    let masked = row(Catalogue::masking(Lang::Pt));
    assert!(
        !masked.contains("Souza") && !masked.contains("PENDING"),
        "{masked}"
    );
    let json = row_mask::masked_row(charge_json(&charge("Bolo")));
    assert_eq!(
        (&json["customer"], &json["pixCode"]),
        (&"B•••".into(), &"00020126".into())
    );
    assert_eq!(json["status"], "•••");
}

#[test]
fn marked_charge_row_and_json_have_the_mark() {
    let words = Catalogue::of(Lang::Pt);
    assert_eq!(charge_json(&charge("Bolo"))["markedPaid"], Value::Null);
    let paid = Some(Paid {
        at: Wall(0),
        source: PaidSource::Seller,
    });
    let marked = Charge {
        paid,
        ..charge("Bolo")
    };
    assert_eq!(
        charge_json(&marked)["markedPaid"],
        "1970-01-01T00:00:00.000Z"
    );
    let row = charge_row(words, &marked, BRASILIA);
    assert!(
        row.ends_with("\n  ✓ marcado como pago · Bia Souza"),
        "{row}"
    );
}

#[test]
fn redact_masks_personal_data_in_rows() {
    let message = Some("Ana tem R$ 12,00".into());
    let refused = LinkOutcome::Refused(Refusal {
        status: 400,
        message,
        hint: None,
        retry_after: None,
    });
    let row = || link_json(&link("Boné, fone 11 91234 5678", refused.clone()));
    assert_eq!(
        json_row(Catalogue::of(Lang::Pt), row()),
        json_line::to_line(&row())
    );
    let masked = row_mask::masked_row(row());
    assert_eq!(
        json_row(Catalogue::masking(Lang::Pt), row()),
        json_line::to_line(&masked)
    );
    assert_eq!(masked["account"], "a•••");
    assert_eq!(masked["description"], "Boné, fone •••");
    assert_eq!(
        (&masked["message"], &masked["outcome"]),
        (&"•••".into(), &"refused".into())
    );
    let url = "https://loja.example/checkout/link-12345678";
    let created = link(
        "Boné",
        LinkOutcome::Created(CreatedLink { url: url.into() }),
    );
    let masked = row_mask::masked_row(link_json(&created));
    assert_eq!(masked["url"], url, "it is made to be handed on");
    let words = Catalogue::masking(Lang::Pt);
    let line = Untrusted::masking(true, || link_row(words, &created, BRASILIA));
    assert!(line.contains(url), "{line}");
}

#[test]
fn a_link_is_one_line_of_json() {
    let url = "https://loja.example/\u{202e}l-1".into();
    assert_eq!(
        json_line::to_line(&link_json(&link(
            "Ação",
            LinkOutcome::Created(CreatedLink { url })
        ))),
        "{\"format\":1,\"at\":\"2026-11-18T11:06:40.000Z\",\"account\":\"ana\",\
             \"amount\":1234.56,\"description\":\"Ação\",\
             \"checkoutDomain\":\"loja.example\",\"state\":\"created\",\
             \"outcome\":\"created\",\"url\":\"https://loja.example/\\u202el-1\",\
             \"message\":null,\"markedPaid\":null,\"sandboxPaid\":null,\
             \"note\":null,\"putAway\":null}"
    );
    let paid = |source| Paid {
        at: Wall(0),
        source,
    };
    let marked = PaymentLink {
        paid: Some(paid(PaidSource::Seller)),
        ..link("x", LinkOutcome::Unknown)
    };
    assert_eq!(link_json(&marked)["markedPaid"], "1970-01-01T00:00:00.000Z");
    let reported = PaymentLink {
        paid: Some(paid(PaidSource::Sandbox)),
        ..marked
    };
    assert_eq!(
        link_json(&reported)["sandboxPaid"],
        "1970-01-01T00:00:00.000Z"
    );
    assert_eq!(link_json(&reported)["markedPaid"], Value::Null);
    let refusal = Refusal {
        status: 400,
        message: Some("não\u{9b}".into()),
        hint: None,
        retry_after: None,
    };
    for (outcome, name, message) in [
        (LinkOutcome::Unknown, "unknown", Value::Null),
        (LinkOutcome::NotSent, "not-sent", Value::Null),
        (LinkOutcome::Refused(refusal), "refused", "não\u{9b}".into()),
    ] {
        let json = link_json(&link("x", outcome));
        assert_eq!(
            (&json["outcome"], &json["message"]),
            (&name.into(), &message)
        );
        assert_eq!(json["url"], Value::Null);
    }
}

#[test]
fn sale_state_is_paid_or_the_outcome() {
    let url = "https://loja.example/l-1".into();
    let refusal = Refusal {
        status: 400,
        message: None,
        hint: None,
        retry_after: None,
    };
    let mut states = vec![];
    for outcome in [
        LinkOutcome::Created(CreatedLink { url }),
        LinkOutcome::Refused(refusal),
        LinkOutcome::NotSent,
        LinkOutcome::Unknown,
    ] {
        states.push(sale_state(&link("x", outcome)));
    }
    let paid = PaymentLink {
        paid: Some(Paid {
            at: Wall(0),
            source: PaidSource::Seller,
        }),
        ..link("x", LinkOutcome::Unknown)
    };
    states.push(sale_state(&paid));
    assert_eq!(
        states,
        ["created", "refused", "not-sent", "unknown", "paid"]
    );
    let accepted: std::collections::BTreeSet<_> = json_line::SALE_STATES.into();
    assert_eq!(accepted, states.into_iter().collect());
}

#[test]
fn every_withdrawal_state_can_be_filtered() {
    use crate::trade::withdrawal::{Alarm, WhyPerson};
    let states = [
        WithdrawalState::Prepared,
        WithdrawalState::Sending(1),
        WithdrawalState::Unknown,
        WithdrawalState::Accepted,
        WithdrawalState::Rejected,
        WithdrawalState::NeedsPerson(WhyPerson::KeyReused),
        WithdrawalState::Mismatch(Alarm::Amount {
            sent: Money::from_centavos(1),
            got: Money::from_centavos(2),
        }),
        WithdrawalState::Discarded,
        WithdrawalState::ResolvedPaid,
        WithdrawalState::ResolvedNotPaid,
    ];
    assert_eq!(states.map(|state| state.name()), WITHDRAWAL_STATES);
}

fn seller_texts() -> SellerTexts {
    let description = Some("Fornecedor, fone 11 91234 5678".to_owned());
    SellerTexts {
        nickname: Some("Maria".into()),
        description,
    }
}

#[test]
fn withdrawal_row_has_whole_key_and_nickname() {
    let withdrawal = withdrawal(vec![]);
    let state = withdrawal.state(&clocks(6), &WINDOW, false);
    let row = |words| withdrawal_row(words, &withdrawal, &state, &seller_texts(), BRASILIA);
    assert_eq!(
        row(Catalogue::of(Lang::Pt)),
        "31/12/1969 21:00          R$ 100,10  preparado\n  e-mail ana@loja.example\n  \
             Maria · Fornecedor, fone 11 91234 5678\n  \
             Código 00000000-0000-0000-0000-000000000007"
    );
    let masked = Untrusted::masking(true, || row(Catalogue::masking(Lang::Pt)));
    for personal in ["ana@", "Maria", "91234"] {
        assert!(!masked.contains(personal), "{masked}");
    }
}

#[test]
fn withdrawal_json_line_is_whole_unless_masked() {
    let bia = Author {
        role: "bia".into(),
        operator: "Bia Souza".into(),
        machine: "caixa-2".into(),
    };
    let attempts = vec![
        attempt(1, Class::NotSent(NotSent::Busy), None),
        attempt(2, Class::Unclear(Unclear::Timeout), Some(504)),
        Attempt {
            n: 3,
            began: clocks(20),
            end: None,
            by: Some(bia.clone()),
        },
    ];
    let mut withdrawal = withdrawal(attempts);
    withdrawal.prepared_by = Some(bia);
    let state = withdrawal.state(&clocks(21), &WINDOW, false);
    let json =
        |words: &Catalogue| withdrawal_json(words.masks(), &withdrawal, &state, &seller_texts());
    let line = json_row(Catalogue::of(Lang::Pt), json(Catalogue::of(Lang::Pt)));
    assert_eq!(
        line,
        "{\"format\":1,\"key\":\"00000000-0000-0000-0000-000000000007\",\
             \"state\":\"unknown\",\"serviceState\":null,\"open\":true,\
             \"agreed\":\"1970-01-01T00:00:05.000Z\",\"account\":\"ana\",\
             \"origin\":\"https://pay.example\",\"amount\":100.10,\"fee\":1.50,\"net\":98.60,\
             \"destination\":\"ana@loja.example\",\"nickname\":\"Maria\",\
             \"description\":\"Fornecedor, fone 11 91234 5678\",\"attempts\":[\
             {\"n\":1,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"not-sent\",\"status\":null,\
             \"by\":null},\
             {\"n\":2,\"began\":\"1970-01-01T00:00:10.000Z\",\
             \"ended\":\"1970-01-01T00:00:12.000Z\",\"class\":\"unclear\",\"status\":504,\
             \"by\":null},\
             {\"n\":3,\"began\":\"1970-01-01T00:00:20.000Z\",\"ended\":null,\"class\":null,\
             \"status\":null,\"by\":{\"operator\":\"Bia Souza\",\"role\":\"bia\",\
             \"machine\":\"caixa-2\"}}],\"preparedBy\":{\"operator\":\"Bia Souza\",\
             \"role\":\"bia\",\"machine\":\"caixa-2\"},\"approvedBy\":null,\
             \"decidedBy\":null}"
    );
    let masked = row_mask::masked_row(json(Catalogue::masking(Lang::Pt)));
    assert_eq!(masked["preparedBy"]["operator"], "B•••");
    assert_eq!(masked["destination"], "a***@loja.example");
    assert_eq!(
        (&masked["nickname"], &masked["account"]),
        (&"M•••".into(), &"a•••".into())
    );
    assert_eq!(masked["description"], "Fornecedor, fone •••");
}

#[test]
fn moments_in_json_have_one_width_and_sort() {
    let moments = [0, 1, 20, 300, 999, 1_000, 25_180, 52_500, 52_543]
        .map(Wall)
        .map(format_utc);
    assert!(moments.is_sorted(), "{moments:?}");
    assert!(moments.iter().all(|text| text.len() == 24), "{moments:?}");
    assert_eq!(moments[7], "1970-01-01T00:00:52.500Z");
}

#[test]
fn amounts_in_json_have_two_places_at_least() {
    for (text, json) in [
        ("100", "100.00"),
        ("2.5", "2.50"),
        ("97.500", "97.50"),
        ("1e3", "1000.00"),
        ("-0.1", "-0.10"),
        ("3.0029999", "3.0029999"),
    ] {
        let amount = Money::parse_wire(text).unwrap();
        assert_eq!(amount_json(amount).to_string(), json, "{text}");
    }
}
