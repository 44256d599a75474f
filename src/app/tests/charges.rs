//! Tests of direct payments.

use std::collections::BTreeMap;

use super::*;
use crate::app::message::TaughtContract;
use crate::app::screens::charges::ChargeDetails;
use crate::app::store::payable::PayableUse;
use crate::app::store::payable_warnings::PayableWarning;

/// A valid Pix code for R$ 49,90.
const CODE: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540549.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304CA90";

/// Like [`CODE`], but for R$ 50,90.
const DEARER: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    520400005303986540550.905802BR5911LOJA DA ANA6008BRASILIA62070503***6304D44F";

/// Like [`CODE`], but without an amount.
const OPEN: &str = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000\
    5204000053039865802BR5911LOJA DA ANA6008BRASILIA62070503***6304277B";

fn types_charge(app: &mut App) {
    app.keys("4 n");
    for text in ["4990", "Boné", "Bia Silva", "bia@example.com", "", "11144477735"] {
        app.types(text);
        app.keys("Tab");
    }
}

#[test]
fn direct_payment_request_uses_contract_fields() {
    let mut app = App::open();
    types_charge(&mut app);
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeCharge { ticket, request, body }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(request.customer.as_deref(), Some("Bia Silva"));
    assert_eq!((&*request.description, request.amount), ("Boné", brl(4_990)));
    assert_eq!(
        &**body,
        "{\"amount\":49.90,\"description\":\"Boné\",\"paymentMethod\":\"pix\",\"customer\":\
         {\"name\":\"Bia Silva\",\"email\":\"bia@example.com\",\"document\":\
         {\"number\":\"11144477735\",\"type\":\"cpf\"}}}"
    );
    let charge = charge(request, Some(CODE));
    app.tell(Msg::ChargeMade { ticket: *ticket, result: Ok(charge) });
    let made = Notice::WithKey("said-charge-made", Action::Copy);
    assert_eq!(app.model.notice.take(), Some(made));
    assert_eq!(app.keys("y"), vec![Effect::Copy(Clip::PixCode, CODE.into())]);
    assert_eq!(app.keys("Q y"), vec![Effect::Copy(Clip::PixCode, CODE.into())]);
}

/// Returns the request for a direct payment of R$ 49,90 by the buyer Bia.
fn asked_of_bia() -> ChargeRequest {
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
    fn has_charge(&mut self, charge: Charge) {
        self.keys("Esc 4 r");
        let ticket = self.ticket();
        let page = page_of(vec![charge]);
        self.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
    }
}

/// Returns the question of the dialog that is open.
fn asked(app: &App) -> Option<&Question> {
    match app.top() {
        Layer::Dialog(dialog) => Some(&dialog.question),
        _ => None,
    }
}

fn asks_to(app: &App, way: PayableUse) -> bool {
    matches!(asked(app), Some(Question::UsePayable { to, .. }) if *to == way)
}

#[test]
fn odd_code_copied_or_shown_only_after_question() {
    let other = PayableWarning::OtherAmount { asked: brl(4_990), code: brl(5_090) };
    let cut = CODE.replace("CA90", "CA91");
    let dollars = CODE.replace("5303986", "5303840");
    for (code, odd) in [
        (DEARER, vec![other]),
        (&*cut, vec![PayableWarning::NotIntact]),
        (&*dollars, vec![PayableWarning::NotIntact, PayableWarning::NotInReais]),
        ("some other code", vec![PayableWarning::Unreadable]),
    ] {
        for place in ["", "Enter"] {
            for (key, clip, way) in
                [("y", Clip::PixCode, PayableUse::Copy), ("Y", Clip::Message, PayableUse::Message)]
            {
                let mut app = App::open();
                app.has_charge(charge(&asked_of_bia(), Some(code)));
                assert_eq!(app.keys(&format!("{place} {key}")), vec![], "{code} {place} {key}");
                let Some(Question::UsePayable { to, payable }) = asked(&app) else {
                    panic!("{code} {place} {key}")
                };
                assert_eq!((*to, &payable.warnings), (way, &odd));
                let wanted = app.keys("Tab Enter");
                let [Effect::Copy(kind, text)] = &wanted[..] else { panic!("{wanted:?}") };
                assert!(*kind == clip && text.raw().ends_with(code), "{wanted:?}");
            }
            let mut app = App::open();
            app.has_charge(charge(&asked_of_bia(), Some(code)));
            app.keys(&format!("{place} Q"));
            assert!(asks_to(&app, PayableUse::Qr), "{code}");
            app.keys("Tab Enter");
            assert!(matches!(app.top(), Layer::Qr(_)), "{code}");
            // The seller confirmed only showing the QR code, so copying the code needs another
            // confirmation.
            assert_eq!(app.keys("y"), vec![]);
            assert!(asks_to(&app, PayableUse::Copy), "{code}");
        }
    }
}

#[test]
fn a_no_passes_nothing_on() {
    let mut app = App::open();
    app.has_charge(charge(&asked_of_bia(), Some(DEARER)));
    for key in ["y", "Y", "Q"] {
        assert_eq!(app.keys(&format!("{key} Enter")), vec![], "{key}");
        assert!(app.model.layers.is_empty(), "{key}");
    }
}

#[test]
fn code_without_amount_or_with_other_scale_not_odd() {
    let mut app = App::open();
    app.has_charge(charge(&asked_of_bia(), Some(OPEN)));
    assert_eq!(app.keys("y"), vec![Effect::Copy(Clip::PixCode, OPEN.into())]);
    let amount = Money::parse_wire("49.900").unwrap();
    app.has_charge(charge(&ChargeRequest { amount, ..asked_of_bia() }, Some(CODE)));
    assert_eq!(app.keys("y"), vec![Effect::Copy(Clip::PixCode, CODE.into())]);
}

#[test]
fn message_fills_code_buyer_and_expiry_from_template() {
    let mut app = App::open();
    let made = Charge { outcome: created(CODE, Some("1970-01-02T00:30:00Z")), ..bare() };
    app.has_charge(made.clone());
    let copies = |text: &str| vec![Effect::Copy(Clip::Message, text.into())];
    let plain = format!("Boné\nR$ 49,90\n{CODE}");
    assert_eq!(app.keys("Y"), copies(&plain));
    let template = "{comprador}, pague até {vencimento}:\n{codigo}";
    app.model.setup.charge_message = MessageTemplate::parse(MessageKind::Charge, template).unwrap();
    let own = format!("Bia, pague até 02/01/1970, 00:30:\n{CODE}");
    assert_eq!(app.keys("Y"), copies(&own));
    assert_eq!(app.keys("Enter Y"), copies(&own));
    // If the expiry time cannot be parsed, the message to the buyer does not mention it.
    app.has_charge(Charge { outcome: created(CODE, Some("amanhã")), ..made });
    assert_eq!(app.keys("Y"), copies(CODE));
}

#[test]
fn expiry_countdown_ticks_only_while_visible() {
    let ms = |ms| Some(Duration::from_millis(ms));
    // The test's clock starts at 00:16:40, so this payment expires after a minute.
    let mut app = App::open();
    app.has_charge(Charge { outcome: created(CODE, Some("1970-01-01T00:17:40Z")), ..bare() });
    assert_eq!(next_deadline(&app.model), ms(60_000), "its row changes when it is over");
    app.model.size = Size { columns: 120, rows: 40 };
    assert_eq!(next_deadline(&app.model), ms(1_000), "beside the list it is");
    app.model.size = Size { columns: 80, rows: 24 };
    app.keys("Enter");
    app.passes(250);
    app.tell(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), ms(750));
    app.model.size = Size { columns: 20, rows: 5 };
    assert_eq!(next_deadline(&app.model), None, "too small to show it");
    app.model.size = Size { columns: 80, rows: 24 };
    app.keys("F1");
    assert_eq!(next_deadline(&app.model), None, "under the help");
    app.keys("Esc");
    app.passes(59_749);
    app.tell(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), ms(1));
    app.passes(1);
    app.tell(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), None, "it is over");
    for unread in [None, Some("amanhã"), Some("1970-01-01T00:17:40")] {
        app.has_charge(Charge { outcome: created(CODE, unread), ..bare() });
        app.keys("Enter");
        assert_eq!(next_deadline(&app.model), None, "{unread:?}");
    }
}

fn bare() -> Charge {
    charge(&asked_of_bia(), None)
}

fn created(code: &str, expires: Option<&str>) -> ChargeOutcome {
    let expires = expires.map(Into::into);
    ChargeOutcome::Created { id: None, status: None, pix_code: Some(code.into()), expires }
}

fn charge(request: &ChargeRequest, code: Option<&str>) -> Charge {
    let outcome = ChargeOutcome::Created {
        id: None,
        status: None,
        pix_code: code.map(Into::into),
        expires: None,
    };
    Charge { id: RowId(1), at: Wall(0), request: request.clone(), outcome, paid: None }
}

fn learns(app: &mut App, wanted: &[Effect]) {
    let [Effect::Teach { ticket, lines, .. }] = wanted else { panic!("{wanted:?}") };
    let contract = Arc::new(app.model.setup.contract.taught(lines).unwrap());
    let result = Ok(TaughtContract { contract, agreed: None, file: None });
    app.tell(Msg::Taught { ticket: *ticket, result });
}

#[test]
fn taught_code_opens_page_of_same_charge() {
    let mut app = App::open();
    types_charge(&mut app);
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeCharge { ticket, request, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    app.exchanges(exchange(Operation::DirectPayment, 201, r#"{"pagar":"000201"}"#));
    let unread = Failure::Unreadable {
        status: 201,
        looked_for: vec!["direct_payment.pix_code".into()],
        may_be_taught: true,
        body: "{}".into(),
    };
    app.tell(Msg::ChargeMade { ticket: *ticket, result: Err(unread.clone()) });
    let wanted = app.keys("Ctrl-T Enter Enter");
    learns(&mut app, &wanted);
    let Layer::NewCharge(new) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(new.sent.failure, Some(unread));
    app.tell(Msg::ChargeMade { ticket: *ticket, result: Ok(charge(request, Some(CODE))) });
    assert!(matches!(app.top(), Layer::Charge(one) if one.0.pix_code().is_some()));
}

#[test]
fn charge_without_code_is_taught_and_shows_it() {
    let mut app = App::open();
    let with_id = |code| {
        let mut charge = charge(&asked_of_bia(), code);
        let ChargeOutcome::Created { id, .. } = &mut charge.outcome else { panic!() };
        *id = Some("ch_1".into());
        charge
    };
    let body = |id: &str| format!(r#"{{"id":"{id}","pagar":"000201"}}"#);
    app.exchanges(exchange(Operation::DirectPayment, 201, body("ch_2")));
    app.has_charge(with_id(None));
    app.keys("Enter");
    assert!(!app.offers(Action::Teach), "the reply is about another payment");
    app.exchanges(exchange(Operation::DirectPayment, 201, body("ch_1")));
    let wanted = app.keys("t Enter Enter");
    learns(&mut app, &wanted);
    app.tell(Msg::ChargeMade { ticket: Ticket(1), result: Ok(with_id(Some(CODE))) });
    assert!(matches!(app.top(), Layer::Charge(one) if one.0.pix_code().is_some()));
}

#[test]
fn a_code_is_copied_from_the_list_too() {
    let mut app = App::open();
    app.keys("4");
    let request = asked_of_bia();
    for (code, wanted) in
        [(Some(CODE), vec![Effect::Copy(Clip::PixCode, CODE.into())]), (None, vec![])]
    {
        let ticket = app.ticket();
        let rows = vec![charge(&request, code)].into();
        let page = ListPage { total: Some(1), rows, first: 0 };
        app.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
        assert_eq!(app.keys("y"), wanted);
        app.keys("r");
    }
}

#[test]
fn a_code_that_is_not_clean_is_not_copied() {
    let mut app = App::open();
    let request = ChargeRequest { customer: None, ..asked_of_bia() };
    for (code, trouble) in [("0002\u{7}", CopyTrouble::NotClean), ("0002…", CopyTrouble::Masked)]
    {
        let odd = charge(&request, Some(code));
        app.model.layers = vec![Layer::Charge(Box::new(ChargeDetails(odd)))];
        for key in ["y", "Q"] {
            assert_eq!(app.keys(key), vec![]);
            assert_eq!(said(&app), Some(&Notice::NotCopied(trouble.clone())));
            assert_eq!(app.model.layers.len(), 1);
        }
    }
}

/// Submits the form of this contract after typing these values. Returns the effects.
fn submitted(contract: &str, values: [&str; 3]) -> Vec<Effect> {
    let mut app = App::with_contract(Contract::own(&[("own.toml", contract)]).unwrap());
    app.log_in();
    app.keys("4 n");
    for text in values {
        app.types(text);
        app.keys("Tab");
    }
    app.keys("Ctrl-S")
}

#[test]
fn contract_may_rename_direct_payment_fields() {
    let own = "[direct_payment]\nbody = [\"amount\", \"name\", \"what\"]\n\
               [direct_payment.field.what]\nname = \"info\"\nkind = \"text\"\n\
               label = { pt-BR = \"O quê\", en = \"What\" }\nrequired = true\n";
    let wanted = submitted(own, ["100", "Bia", "Boné"]);
    let [Effect::MakeCharge { request, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!((&*request.description, request.customer.as_deref()), ("Boné", Some("Bia")));
}

#[test]
fn each_amount_field_sends_its_own_value() {
    let own = "[direct_payment]\nbody = [\"amount\", \"freight\", \"name\"]\n\
               [direct_payment.field.freight]\nname = \"freight\"\nkind = \"amount\"\n\
               label = { pt-BR = \"Frete\", en = \"Freight\" }\nrequired = true\n";
    let wanted = submitted(own, ["4990", "1500", "Bia"]);
    let [Effect::MakeCharge { request, body, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert!(body.starts_with("{\"amount\":49.90,\"freight\":15.00,"), "{body}");
    assert_eq!(request.amount, brl(4_990));
}

#[test]
fn cancelled_charge_unknown_and_missing_jwt_requested() {
    let mut app = App::open();
    types_charge(&mut app);
    app.keys("Ctrl-S");
    let ticket = app.ticket();
    let wanted = app.keys("Esc");
    assert!(matches!(wanted[..], [Effect::Cancel(t), Effect::LoadCharges(_)] if t == ticket));
    let Layer::NewCharge(new) = app.top() else { panic!() };
    assert_eq!(new.sent.failure, Some(Failure::NoAnswer(NoAnswer::Left)));
    app.model.session.jwt = Credential::Absent;
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    assert!(matches!(app.top(), Layer::Jwt(_)));
}

/// Returns everything on the current page as text.
fn page_text(app: &App) -> String {
    format!("{:?}", chrome::page(&app.model, app.model.size).items)
}

#[test]
fn list_read_after_first_charge_is_not_called_empty() {
    let mut app = App::open();
    app.keys("4");
    let ticket = app.ticket();
    app.tell(Msg::ChargesLoaded { ticket, result: Ok(page_of(vec![])) });
    assert!(page_text(&app).contains("Nenhuma cobrança por aqui ainda"));
    types_charge(&mut app);
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeCharge { ticket, request, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    let made = charge(request, Some(CODE));
    app.tell(Msg::ChargeMade { ticket: *ticket, result: Ok(made.clone()) });
    app.keys("Esc");
    let said = page_text(&app);
    assert!(said.contains("lendo o histórico") && !said.contains("Nenhuma cobrança"), "{said}");
    let ticket = app.ticket();
    app.tell(Msg::ChargesLoaded { ticket, result: Ok(page_of(vec![made])) });
    assert!(page_text(&app).contains("Boné"));
}

#[test]
fn expired_charge_passed_on_only_after_question() {
    for place in ["", "Enter"] {
        for (key, way) in [
            ("y", PayableUse::Copy),
            ("Y", PayableUse::Message),
            ("Q", PayableUse::Qr),
            ("W", PayableUse::WhatsApp),
        ] {
            let mut app = App::open();
            // The test's clock starts at 00:16:40, so this payment expires after a minute.
            let expires = Some("1970-01-01T00:17:40Z");
            app.has_charge(Charge { outcome: created(CODE, expires), ..bare() });
            app.keys(place);
            app.passes(59_999);
            assert_eq!(app.keys(key).len(), usize::from(way != PayableUse::Qr), "{place} {key}");
            app.model.layers.retain(|layer| !matches!(layer, Layer::Qr(_)));
            app.passes(1);
            assert_eq!(app.keys(key), vec![], "{place} {key}");
            let Some(Question::UsePayable { to, payable }) = asked(&app) else {
                panic!("{place} {key}")
            };
            assert_eq!((*to, &payable.warnings[..]), (way, &[PayableWarning::Expired][..]));
            assert!(page_text(&app).contains("já venceu"), "{place} {key}");
        }
    }
}

fn field(app: &App, id: &str) -> String {
    let Layer::NewCharge(new) = app.top() else { panic!("{:?}", app.top()) };
    new.sent.form.value(id)
}

/// The buyer Bia's data, as the form's field ids and values.
fn bia() -> BTreeMap<String, String> {
    let values = [("name", "Bia"), ("email", "bia@example.com"), ("document", "11144477735")];
    values.map(|(id, value)| (id.to_owned(), value.to_owned())).into()
}

#[test]
fn repeated_charge_fills_amount_description_and_buyer() {
    for keys in ["d", "Enter d"] {
        let mut app = App::open();
        let request = ChargeRequest { buyer: bia(), ..asked_of_bia() };
        app.has_charge(charge(&request, Some(CODE)));
        app.keys(keys);
        let filled = ["description", "name", "email", "document"].map(|id| field(&app, id));
        assert_eq!(filled, ["Boné", "Bia", "bia@example.com", "11144477735"]);
        assert!(!app.top().screen().was_typed(), "leaving asks nothing");
        let wanted = app.keys("Ctrl-S");
        let [Effect::MakeCharge { request: again, .. }] = &wanted[..] else { panic!("{wanted:?}") };
        let ChargeRequest { account, .. } = again.clone();
        assert_eq!(*again, ChargeRequest { account, ..request });
    }
    // A payment recorded by an earlier version of the program has only the buyer's name.
    let mut app = App::open();
    app.has_charge(charge(&asked_of_bia(), Some(CODE)));
    app.keys("d");
    assert_eq!((&*field(&app, "name"), &*field(&app, "email")), ("Bia", ""));
}

#[test]
fn charge_message_opens_whatsapp() {
    for keys in ["W", "Enter W"] {
        let mut app = App::open();
        app.has_charge(charge(&asked_of_bia(), Some(CODE)));
        let wanted = app.keys(keys);
        let [Effect::Browse(url)] = &wanted[..] else { panic!("{wanted:?}") };
        assert!(url.raw().starts_with("https://wa.me/?text=Bon%C3%A9%0AR%24%"), "{url:?}");
    }
    let mut app = App::open();
    app.has_charge(charge(&asked_of_bia(), Some(DEARER)));
    assert_eq!(app.keys("W"), vec![]);
    assert!(asks_to(&app, PayableUse::WhatsApp));
}

/// Opens the form for a new direct payment, and delivers the earlier buyers that it requests.
fn form_with_buyers() -> App {
    let mut app = App::open();
    let wanted = app.keys("4 n");
    let load = |effect: &Effect| match effect {
        Effect::History(HistoryCommand::LoadBuyers { ticket, .. }) => Some(*ticket),
        _ => None,
    };
    let ticket = wanted.iter().find_map(load).unwrap();
    let known = |customer: &str, buyer| KnownBuyer {
        customer: customer.into(),
        buyer,
        count: 1,
        last: Wall(0),
    };
    let buyers = vec![known("Bia", bia()), known("Caio Braga", BTreeMap::new())];
    app.tell(Msg::BuyersLoaded { ticket, result: Ok(buyers) });
    app
}

#[test]
fn earlier_buyers_offered_in_their_fields() {
    let mut app = form_with_buyers();
    assert!(!app.offers(Action::NextKnown), "the amount is no buyer");
    app.keys("Tab Tab");
    assert!(app.offers(Action::NextKnown));
    app.keys("Ctrl-N");
    assert_eq!((&*field(&app, "name"), &*field(&app, "email")), ("Bia", "bia@example.com"));
    // The second buyer replaces all fields: the first buyer's e-mail address is not kept.
    app.keys("Ctrl-N");
    assert_eq!((&*field(&app, "name"), &*field(&app, "email")), ("Caio Braga", ""));
    app.keys("Ctrl-P");
    assert_eq!(field(&app, "document"), "11144477735");
    app.keys("Ctrl-U");
    app.types("brág");
    app.keys("Ctrl-N");
    assert_eq!(field(&app, "name"), "Caio Braga");
    app.keys("Ctrl-U");
    app.types("zé");
    assert!(!app.offers(Action::NextKnown));
}

#[test]
fn offered_buyers_masked_while_others_look() {
    let mut app = form_with_buyers();
    app.keys("Tab Tab");
    assert!(page_text(&app).contains("Caio Braga") && page_text(&app).contains("bia@example.com"));
    app.model.masks = true;
    let said = page_text(&app);
    assert!(!said.contains("Caio Braga") && !said.contains("bia@example.com"), "{said}");
}
