//! Direct payments.

use super::*;
use crate::app::CopyTrouble;
use crate::app::screens::charges::ChargeDetails;
use crate::app::store::clip::Clip;
use crate::app::store::notice::Notice;
use crate::trade::{Charge, ChargeOutcome, ChargeRequest, Failure, NoAnswer};

fn types_charge(counter: &mut Counter) {
    counter.keys("4 n");
    for text in ["4990", "Boné", "Bia Silva", "bia@example.com", "", "11144477735"] {
        counter.types(text);
        counter.keys("Tab");
    }
}

#[test]
fn a_direct_payment_is_asked_for_with_the_contracts_fields() {
    let mut counter = Counter::open();
    types_charge(&mut counter);
    let wanted = counter.keys("Ctrl-S");
    let [Effect::MakeCharge { ticket, request, body }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(request.customer.as_deref(), Some("Bia Silva"));
    assert_eq!((&*request.description, request.amount), ("Boné", brl(4_990)));
    assert_eq!(
        &**body,
        "{\"amount\":49.90,\"description\":\"Boné\",\"paymentMethod\":\"pix\",\"customer\":\
         {\"name\":\"Bia Silva\",\"email\":\"bia@example.com\",\"document\":\
         {\"number\":\"11144477735\",\"type\":\"cpf\"}}}"
    );
    let charge = charge(request, Some("00020126"));
    counter.tell(Msg::ChargeMade { ticket: *ticket, result: Ok(charge) });
    assert_eq!(counter.keys("y"), vec![Effect::Copy(Clip::PixCode, "00020126".into())]);
    assert_eq!(counter.keys("Q y"), vec![Effect::Copy(Clip::PixCode, "00020126".into())]);
}

fn charge(request: &ChargeRequest, code: Option<&str>) -> Charge {
    let outcome = ChargeOutcome::Created {
        id: None,
        status: None,
        pix_code: code.map(Into::into),
        expires: None,
    };
    Charge { id: RowId(1), at: Wall(0), request: request.clone(), outcome }
}

#[test]
fn a_code_is_copied_from_the_list_too() {
    let mut counter = Counter::open();
    counter.keys("4");
    let request =
        ChargeRequest { account: seller(), amount: brl(1), description: "".into(), customer: None };
    for (code, wanted) in
        [(Some("0002"), vec![Effect::Copy(Clip::PixCode, "0002".into())]), (None, vec![])]
    {
        let ticket = counter.ticket();
        let rows = vec![charge(&request, code)].into();
        let page = ListPage { total: 1, rows, first: 0 };
        counter.tell(Msg::ChargesLoaded { ticket, result: Ok(page) });
        assert_eq!(counter.keys("y"), wanted);
        counter.keys("r");
    }
}

#[test]
fn a_code_that_is_not_clean_is_not_copied() {
    let mut counter = Counter::open();
    let request =
        ChargeRequest { account: seller(), amount: brl(1), description: "".into(), customer: None };
    let odd = charge(&request, Some("0002\u{7}"));
    counter.model.layers.push(Layer::Charge(Box::new(ChargeDetails(odd))));
    for key in ["y", "Q"] {
        assert_eq!(counter.keys(key), vec![]);
        assert_eq!(said(&counter), Some(&Notice::NotCopied(CopyTrouble::NotClean)));
        assert_eq!(counter.model.layers.len(), 1);
    }
}

#[test]
fn a_contract_may_name_the_fields_of_a_payment_as_it_likes() {
    let own = "[direct_payment]\nbody = [\"amount\", \"name\", \"what\"]\n\
               [direct_payment.field.what]\nname = \"info\"\nkind = \"text\"\n\
               label = { pt-BR = \"O quê\", en = \"What\" }\nrequired = true\n";
    let mut counter = Counter::with_contract(Contract::with(&[("own.toml", own)]).unwrap());
    counter.log_in();
    counter.keys("4 n");
    for text in ["100", "Bia", "Boné"] {
        counter.types(text);
        counter.keys("Tab");
    }
    let wanted = counter.keys("Ctrl-S");
    let [Effect::MakeCharge { request, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!((&*request.description, request.customer.as_deref()), ("Boné", Some("Bia")));
}

#[test]
fn a_cancelled_payment_is_unknown_and_a_form_without_its_token_waits_for_it() {
    let mut counter = Counter::open();
    types_charge(&mut counter);
    counter.keys("Ctrl-S");
    let ticket = counter.ticket();
    let wanted = counter.keys("Esc");
    assert!(matches!(wanted[..], [Effect::Cancel(t), Effect::LoadCharges(_)] if t == ticket));
    let Layer::NewCharge(new) = counter.top() else { panic!() };
    assert_eq!(new.sent.failure, Some(Failure::NoAnswer(NoAnswer::Left)));
    counter.model.session.jwt = Credential::Absent;
    assert_eq!(counter.keys("Ctrl-S"), vec![]);
    assert!(matches!(counter.top(), Layer::Jwt(_)));
}
