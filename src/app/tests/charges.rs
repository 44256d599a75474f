//! Tests of direct payments.

use std::collections::BTreeMap;

use super::amounts::page_text;
use super::*;
use crate::app::message::TaughtContract;
use crate::app::screen::sales::SaleDetails;
use crate::app::store::payable::PayableUse;
use crate::app::store::payable_warnings::PayableWarning;

/// A valid Pix code for R$ 49,90.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

/// Like [`CODE`], but for R$ 50,90.
const OTHER_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540550.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304D44F";

/// Like [`CODE`], but without an amount.
const NO_AMOUNT_CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    5204000053039865802BR5911LOJA DA ANA6008BRASILIA62070503***6304277B";

fn fill_charge_form(app: &mut App) {
    app.press("4 n");
    for text in [
        "4990",
        "Boné",
        "Bia Silva",
        "bia@example.com",
        "",
        "11144477735",
    ] {
        app.type_text(text);
        app.press("Tab");
    }
}

#[test]
fn direct_payment_request_uses_contract_fields() {
    let mut app = App::logged_in();
    fill_charge_form(&mut app);
    let effects = app.press("Ctrl-S");
    let [
        Effect::MakeCharge {
            ticket,
            request,
            body,
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(request.customer.as_deref(), Some("Bia Silva"));
    assert_eq!(
        (&*request.description, request.amount),
        ("Boné", brl(4_990))
    );
    assert_eq!(
        &**body,
        "{\"amount\":49.90,\"description\":\"Boné\",\"paymentMethod\":\"pix\",\"customer\":\
         {\"name\":\"Bia Silva\",\"email\":\"bia@example.com\",\"document\":\
         {\"number\":\"11144477735\",\"type\":\"cpf\"}}}"
    );
    let charge = charge(request, Some(CODE));
    app.deliver(charge_made(*ticket, Ok(charge)));
    let notice = Notice::WithKey("said-charge-made", Action::Copy);
    assert_eq!(app.model.notice.take(), Some(notice));
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::PixCode, CODE.into())]
    );
    assert_eq!(
        app.press("Q y"),
        vec![Effect::Copy(Clip::PixCode, CODE.into())]
    );
}

fn request_by_bia() -> ChargeRequest {
    let customer = Some("Bia".into());
    ChargeRequest {
        account: seller(),
        amount: brl(4_990),
        description: "Boné".into(),
        customer,
        buyer: BTreeMap::new(),
    }
}

impl App {
    fn load_charge(&mut self, charge: Charge) {
        self.press("Esc 4 r");
        let ticket = self.last_ticket();
        let page = page_of(vec![charge]);
        self.deliver(Msg::ChargesLoaded {
            ticket,
            result: Ok(page.into()),
        });
    }
}

fn open_question(app: &App) -> Option<&Question> {
    match app.top() {
        Layer::Dialog(dialog) => Some(&dialog.question),
        _ => None,
    }
}

fn is_asking_about(app: &App, payable_use: PayableUse) -> bool {
    matches!(open_question(app), Some(Question::UsePayable { to, .. }) if *to == payable_use)
}

#[test]
fn odd_code_copied_or_shown_only_after_question() {
    let other = PayableWarning::OtherAmount {
        asked: brl(4_990),
        code: brl(5_090),
    };
    let damaged = CODE.replace("CA90", "CA91");
    let dollars = CODE.replace("5303986", "5303840");
    for (code, warnings) in [
        (OTHER_CODE, vec![other]),
        (&*damaged, vec![PayableWarning::NotIntact]),
        (
            &*dollars,
            vec![PayableWarning::NotIntact, PayableWarning::NotInReais],
        ),
        ("some other code", vec![PayableWarning::Unreadable]),
    ] {
        for place in ["", "Enter"] {
            for (key, clip, payable_use) in [
                ("y", Clip::PixCode, PayableUse::Copy),
                ("Y", Clip::Message, PayableUse::Message),
            ] {
                let mut app = App::logged_in();
                app.load_charge(charge(&request_by_bia(), Some(code)));
                assert_eq!(
                    app.press(&format!("{place} {key}")),
                    vec![],
                    "{code} {place} {key}"
                );
                let Some(Question::UsePayable { to, payable }) = open_question(&app) else {
                    panic!("{code} {place} {key}")
                };
                assert_eq!((*to, &payable.warnings), (payable_use, &warnings));
                let effects = app.press("Tab Enter");
                let [Effect::Copy(kind, text)] = &effects[..] else {
                    panic!("{effects:?}")
                };
                assert!(*kind == clip && text.raw().ends_with(code), "{effects:?}");
            }
            let mut app = App::logged_in();
            app.load_charge(charge(&request_by_bia(), Some(code)));
            app.press(&format!("{place} Q"));
            assert!(is_asking_about(&app, PayableUse::Qr), "{code}");
            app.press("Tab Enter");
            assert!(matches!(app.top(), Layer::Qr(_)), "{code}");
            // The seller confirmed showing the QR code. Copying needs its own confirmation.
            assert_eq!(app.press("y"), vec![]);
            assert!(is_asking_about(&app, PayableUse::Copy), "{code}");
        }
    }
}

#[test]
fn declined_question_copies_nothing() {
    let mut app = App::logged_in();
    app.load_charge(charge(&request_by_bia(), Some(OTHER_CODE)));
    for key in ["y", "Y", "Q"] {
        assert_eq!(app.press(&format!("{key} Enter")), vec![], "{key}");
        assert!(app.model.layers.is_empty(), "{key}");
    }
}

#[test]
fn code_without_amount_or_with_other_scale_not_odd() {
    let mut app = App::logged_in();
    app.load_charge(charge(&request_by_bia(), Some(NO_AMOUNT_CODE)));
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::PixCode, NO_AMOUNT_CODE.into())]
    );
    let amount = Money::parse_wire("49.900").unwrap();
    app.load_charge(charge(
        &ChargeRequest {
            amount,
            ..request_by_bia()
        },
        Some(CODE),
    ));
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::PixCode, CODE.into())]
    );
}

#[test]
fn message_fills_code_buyer_and_expiry_from_template() {
    let mut app = App::logged_in();
    let charge = Charge {
        outcome: outcome(CODE, Some("1970-01-02T00:30:00Z")),
        ..codeless()
    };
    app.load_charge(charge.clone());
    let copies = |text: &str| vec![Effect::Copy(Clip::Message, text.into())];
    let default_text = format!("Boné\nR$ 49,90\n{CODE}");
    assert_eq!(app.press("Y"), copies(&default_text));
    let template = "{comprador}, pague até {vencimento}:\n{codigo}";
    app.model.setup.charge_message = MessageTemplate::parse(MessageKind::Charge, template).unwrap();
    let custom_text = format!("Bia, pague até 02/01/1970, 00:30:\n{CODE}");
    assert_eq!(app.press("Y"), copies(&custom_text));
    assert_eq!(app.press("Enter Y"), copies(&custom_text));
    // If the expiry time cannot be parsed, the message to the buyer does not mention it.
    app.load_charge(Charge {
        outcome: outcome(CODE, Some("amanhã")),
        ..charge
    });
    assert_eq!(app.press("Y"), copies(CODE));
}

#[test]
fn expiry_countdown_ticks_only_while_visible() {
    let ms = |ms| Some(Duration::from_millis(ms));
    // The test's clock starts at 00:16:40, so this payment expires after a minute.
    let mut app = App::logged_in();
    app.load_charge(Charge {
        outcome: outcome(CODE, Some("1970-01-01T00:17:40Z")),
        ..codeless()
    });
    assert_eq!(
        next_deadline(&app.model),
        ms(60_000),
        "its row changes when it is over"
    );
    app.model.size = Size {
        columns: 120,
        rows: 40,
    };
    assert_eq!(
        next_deadline(&app.model),
        ms(1_000),
        "beside the list it is"
    );
    app.model.size = Size {
        columns: 80,
        rows: 24,
    };
    app.press("Enter");
    app.advance_ms(250);
    app.deliver(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), ms(750));
    app.model.size = Size {
        columns: 20,
        rows: 5,
    };
    assert_eq!(next_deadline(&app.model), None, "too small to show it");
    app.model.size = Size {
        columns: 80,
        rows: 24,
    };
    app.press("F1");
    assert_eq!(next_deadline(&app.model), None, "under the help");
    app.press("Esc");
    app.advance_ms(59_749);
    app.deliver(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), ms(1));
    app.advance_ms(1);
    app.deliver(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), None, "it is over");
    for unreadable in [None, Some("amanhã"), Some("1970-01-01T00:17:40")] {
        app.load_charge(Charge {
            outcome: outcome(CODE, unreadable),
            ..codeless()
        });
        app.press("Enter");
        assert_eq!(next_deadline(&app.model), None, "{unreadable:?}");
    }
}

fn codeless() -> Charge {
    charge(&request_by_bia(), None)
}

fn outcome(code: &str, expires: Option<&str>) -> ChargeOutcome {
    let expires = expires.map(Into::into);
    ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code: Some(code.into()),
        expires,
    })
}

fn charge(request: &ChargeRequest, code: Option<&str>) -> Charge {
    let outcome = ChargeOutcome::Created(CreatedCharge {
        id: None,
        status: None,
        pix_code: code.map(Into::into),
        expires: None,
    });
    Charge {
        id: RowId(1),
        at: Wall(0),
        request: request.clone(),
        outcome,
        paid: None,
        note: None,
        put_away: None,
        authors: SaleAuthors::default(),
    }
}

fn deliver_taught_contract(app: &mut App, effects: &[Effect]) {
    let [Effect::Teach { ticket, lines, .. }] = effects else {
        panic!("{effects:?}")
    };
    let contract = Arc::new(app.model.setup.contract.with_taught(lines).unwrap());
    let result = Ok(TaughtContract {
        contract,
        agreed: None,
        file: None,
    });
    app.deliver(Msg::Taught {
        ticket: *ticket,
        result,
    });
}

#[test]
fn taught_code_opens_page_of_same_charge() {
    let mut app = App::logged_in();
    fill_charge_form(&mut app);
    let effects = app.press("Ctrl-S");
    let [
        Effect::MakeCharge {
            ticket, request, ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    app.deliver_exchange(exchange(
        Operation::DirectPayment,
        201,
        r#"{"pagar":"000201"}"#,
    ));
    let unread = Failure::Unreadable {
        status: 201,
        expected_settings: vec!["direct_payment.pix_code".into()],
        can_be_taught: true,
        body: "{}".into(),
    };
    app.deliver(charge_made(*ticket, Err(unread.clone())));
    let effects = app.press("Ctrl-T Enter Enter");
    deliver_taught_contract(&mut app, &effects);
    let Layer::NewCharge(new) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(new.sent.failure, Some(unread));
    app.deliver(charge_made(*ticket, Ok(charge(request, Some(CODE)))));
    assert!(matches!(app.top(), Layer::Charge(details) if details.0.pix_code().is_some()));
}

#[test]
fn charge_without_code_is_taught_and_shows_it() {
    let mut app = App::logged_in();
    let with_id = |code| {
        let mut charge = charge(&request_by_bia(), code);
        let ChargeOutcome::Created(CreatedCharge { id, .. }) = &mut charge.outcome else {
            panic!()
        };
        *id = Some("ch_1".into());
        charge
    };
    let body = |id: &str| format!(r#"{{"id":"{id}","pagar":"000201"}}"#);
    app.deliver_exchange(exchange(Operation::DirectPayment, 201, body("ch_2")));
    app.load_charge(with_id(None));
    app.press("Enter");
    assert!(
        !app.offers(Action::Teach),
        "the reply is about another payment"
    );
    app.deliver_exchange(exchange(Operation::DirectPayment, 201, body("ch_1")));
    let effects = app.press("t Enter Enter");
    deliver_taught_contract(&mut app, &effects);
    app.deliver(charge_made(Ticket(1), Ok(with_id(Some(CODE)))));
    assert!(matches!(app.top(), Layer::Charge(details) if details.0.pix_code().is_some()));
}

#[test]
fn code_is_copied_from_list() {
    let mut app = App::logged_in();
    app.press("4");
    let request = request_by_bia();
    for (code, expected) in [
        (Some(CODE), vec![Effect::Copy(Clip::PixCode, CODE.into())]),
        (None, vec![]),
    ] {
        let ticket = app.last_ticket();
        let rows = vec![charge(&request, code)].into();
        let page = ListPage {
            total: Some(1),
            rows,
            first: 0,
        };
        app.deliver(Msg::ChargesLoaded {
            ticket,
            result: Ok(page.into()),
        });
        assert_eq!(app.press("y"), expected);
        app.press("r");
    }
}

#[test]
fn code_with_hidden_characters_is_not_copied() {
    let mut app = App::logged_in();
    let request = ChargeRequest {
        customer: None,
        ..request_by_bia()
    };
    for (code, trouble) in [
        ("0002\u{7}", CopyTrouble::NotClean),
        ("0002\u{FDEF}", CopyTrouble::Masked),
    ] {
        let unclean_charge = charge(&request, Some(code));
        app.model.layers = vec![Layer::Charge(Box::new(SaleDetails(unclean_charge)))];
        for key in ["y", "Q"] {
            assert_eq!(app.press(key), vec![]);
            assert_eq!(
                shown_notice(&app),
                Some(&Notice::NotCopied(trouble.clone()))
            );
            assert_eq!(app.model.layers.len(), 1);
        }
    }
}

#[test]
fn code_with_an_ellipsis_of_its_own_is_copied() {
    let mut app = App::logged_in();
    let unusual_charge = charge(
        &ChargeRequest {
            customer: None,
            ..request_by_bia()
        },
        Some("Bolo…"),
    );
    app.model.layers = vec![Layer::Charge(Box::new(SaleDetails(unusual_charge)))];
    app.press("y");
    assert_ne!(
        shown_notice(&app),
        Some(&Notice::NotCopied(CopyTrouble::Masked))
    );
}

/// Submits the form of this contract after typing these values. Returns the effects.
fn submit_charge_form(contract: &str, values: [&str; 3]) -> Vec<Effect> {
    let mut app =
        App::with_contract(Contract::from_program_files(&[("own.toml", contract)]).unwrap());
    app.log_in();
    app.press("4 n");
    for text in values {
        app.type_text(text);
        app.press("Tab");
    }
    app.press("Ctrl-S")
}

#[test]
fn contract_may_rename_direct_payment_fields() {
    let contract = "[direct_payment]\nbody = [\"amount\", \"name\", \"what\"]\n\
               [direct_payment.field.what]\nname = \"info\"\nkind = \"text\"\n\
               label = { pt-BR = \"O quê\", en = \"What\" }\nrequired = true\n";
    let effects = submit_charge_form(contract, ["100", "Bia", "Boné"]);
    let [Effect::MakeCharge { request, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(
        (&*request.description, request.customer.as_deref()),
        ("Boné", Some("Bia"))
    );
}

#[test]
fn each_amount_field_sends_its_own_value() {
    let contract = "[direct_payment]\nbody = [\"amount\", \"freight\", \"name\"]\n\
               [direct_payment.field.freight]\nname = \"freight\"\nkind = \"amount\"\n\
               label = { pt-BR = \"Frete\", en = \"Freight\" }\nrequired = true\n";
    let effects = submit_charge_form(contract, ["4990", "1500", "Bia"]);
    let [Effect::MakeCharge { request, body, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert!(
        body.starts_with("{\"amount\":49.90,\"freight\":15.00,"),
        "{body}"
    );
    assert_eq!(request.amount, brl(4_990));
}

#[test]
fn cancelled_charge_unknown_and_missing_jwt_requested() {
    let mut app = App::logged_in();
    fill_charge_form(&mut app);
    app.press("Ctrl-S");
    let ticket = app.last_ticket();
    let effects = app.press("Esc");
    assert!(matches!(effects[..], [Effect::Cancel(t), Effect::LoadCharges(_)] if t == ticket));
    let Layer::NewCharge(new) = app.top() else {
        panic!()
    };
    assert_eq!(new.sent.failure, Some(Failure::NoAnswer(NoAnswer::Left)));
    app.model.session.jwt = Credential::Absent;
    assert_eq!(app.press("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

#[test]
fn list_read_after_first_charge_is_not_called_empty() {
    let mut app = App::logged_in();
    app.press("4");
    let ticket = app.last_ticket();
    app.deliver(Msg::ChargesLoaded {
        ticket,
        result: Ok(page_of(vec![]).into()),
    });
    assert!(page_text(&app).contains("Nenhuma cobrança por aqui ainda"));
    fill_charge_form(&mut app);
    let effects = app.press("Ctrl-S");
    let [
        Effect::MakeCharge {
            ticket, request, ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    let new_charge = charge(request, Some(CODE));
    app.deliver(charge_made(*ticket, Ok(new_charge.clone())));
    app.press("Esc");
    let text = page_text(&app);
    assert!(
        text.contains("lendo o histórico") && !text.contains("Nenhuma cobrança"),
        "{text}"
    );
    let ticket = app.last_ticket();
    app.deliver(Msg::ChargesLoaded {
        ticket,
        result: Ok(page_of(vec![new_charge]).into()),
    });
    assert!(page_text(&app).contains("Boné"));
}

#[test]
fn expired_charge_passed_on_only_after_question() {
    for place in ["", "Enter"] {
        for (key, usage) in [
            ("y", PayableUse::Copy),
            ("Y", PayableUse::Message),
            ("Q", PayableUse::Qr),
            ("W", PayableUse::WhatsApp),
        ] {
            let mut app = App::logged_in();
            // The test's clock starts at 00:16:40, so this payment expires after a minute.
            let expires = Some("1970-01-01T00:17:40Z");
            app.load_charge(Charge {
                outcome: outcome(CODE, expires),
                ..codeless()
            });
            app.press(place);
            app.advance_ms(59_999);
            assert_eq!(
                app.press(key).len(),
                usize::from(usage != PayableUse::Qr),
                "{place} {key}"
            );
            app.model
                .layers
                .retain(|layer| !matches!(layer, Layer::Qr(_)));
            app.advance_ms(1);
            assert_eq!(app.press(key), vec![], "{place} {key}");
            let Some(Question::UsePayable { to, payable }) = open_question(&app) else {
                panic!("{place} {key}")
            };
            assert_eq!(
                (*to, &payable.warnings[..]),
                (usage, &[PayableWarning::Expired][..])
            );
            assert!(page_text(&app).contains("já venceu"), "{place} {key}");
        }
    }
}

fn field(app: &App, id: &str) -> String {
    let Layer::NewCharge(new) = app.top() else {
        panic!("{:?}", app.top())
    };
    new.sent.form.value(id)
}

/// The buyer Bia's data, as the form's field ids and values.
fn bia() -> BTreeMap<String, String> {
    let values = [
        ("name", "Bia"),
        ("email", "bia@example.com"),
        ("document", "11144477735"),
    ];
    values
        .map(|(id, value)| (id.to_owned(), value.to_owned()))
        .into()
}

#[test]
fn repeated_charge_fills_amount_description_and_buyer() {
    for keys in ["d", "Enter d"] {
        let mut app = App::logged_in();
        let request = ChargeRequest {
            buyer: bia(),
            ..request_by_bia()
        };
        app.load_charge(charge(&request, Some(CODE)));
        app.press(keys);
        let filled = ["description", "name", "email", "document"].map(|id| field(&app, id));
        assert_eq!(filled, ["Boné", "Bia", "bia@example.com", "11144477735"]);
        assert!(!app.top().screen().was_typed(), "leaving asks nothing");
        let effects = app.press("Ctrl-S");
        let [
            Effect::MakeCharge {
                request: repeated, ..
            },
        ] = &effects[..]
        else {
            panic!("{effects:?}")
        };
        let ChargeRequest { account, .. } = repeated.clone();
        assert_eq!(*repeated, ChargeRequest { account, ..request });
    }
    // A payment recorded by an earlier version of the program has only the buyer's name.
    let mut app = App::logged_in();
    app.load_charge(charge(&request_by_bia(), Some(CODE)));
    app.press("d");
    assert_eq!((&*field(&app, "name"), &*field(&app, "email")), ("Bia", ""));
}

#[test]
fn charge_message_opens_whatsapp() {
    for keys in ["W", "Enter W"] {
        let mut app = App::logged_in();
        app.load_charge(charge(&request_by_bia(), Some(CODE)));
        let effects = app.press(keys);
        let [Effect::Browse(url)] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert!(
            url.raw()
                .starts_with("https://wa.me/?text=Bon%C3%A9%0AR%24%"),
            "{url:?}"
        );
    }
    let mut app = App::logged_in();
    app.load_charge(charge(&request_by_bia(), Some(OTHER_CODE)));
    assert_eq!(app.press("W"), vec![]);
    assert!(is_asking_about(&app, PayableUse::WhatsApp));
}

/// Opens the form for a new direct payment, and delivers the earlier buyers that it requests.
fn form_with_buyers() -> App {
    let mut app = App::logged_in();
    let effects = app.press("4 n");
    let load = |effect: &Effect| match effect {
        Effect::History(HistoryCommand::LoadBuyers { ticket, .. }) => Some(*ticket),
        _ => None,
    };
    let ticket = effects.iter().find_map(load).unwrap();
    let known = |customer: &str, buyer| KnownBuyer {
        customer: customer.into(),
        buyer,
        count: 1,
        last: Wall(0),
    };
    let buyers = vec![known("Bia", bia()), known("Caio Braga", BTreeMap::new())];
    app.deliver(Msg::BuyersLoaded {
        ticket,
        result: Ok(buyers),
    });
    app
}

#[test]
fn earlier_buyers_offered_in_their_fields() {
    let mut app = form_with_buyers();
    assert!(!app.offers(Action::NextKnown), "the amount is no buyer");
    app.press("Tab Tab");
    assert!(app.offers(Action::NextKnown));
    app.press("Ctrl-N");
    assert_eq!(
        (&*field(&app, "name"), &*field(&app, "email")),
        ("Bia", "bia@example.com")
    );
    // The second buyer replaces all fields: the first buyer's e-mail address is not kept.
    app.press("Ctrl-N");
    assert_eq!(
        (&*field(&app, "name"), &*field(&app, "email")),
        ("Caio Braga", "")
    );
    app.press("Ctrl-P");
    assert_eq!(field(&app, "document"), "11144477735");
    app.press("Ctrl-U");
    app.type_text("brág");
    app.press("Ctrl-N");
    assert_eq!(field(&app, "name"), "Caio Braga");
    app.press("Ctrl-U");
    app.type_text("zé");
    assert!(!app.offers(Action::NextKnown));
}

#[test]
fn offered_buyers_are_masked() {
    let mut app = form_with_buyers();
    app.press("Tab Tab");
    assert!(page_text(&app).contains("Caio Braga") && page_text(&app).contains("bia@example.com"));
    app.model.is_masked = true;
    let text = page_text(&app);
    assert!(
        !text.contains("Caio Braga") && !text.contains("bia@example.com"),
        "{text}"
    );
}
