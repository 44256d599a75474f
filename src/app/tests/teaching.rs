//! Tests of teaching: correcting the contract from a response of the service. Teaching is not
//! possible while a withdrawal is being sent.

use super::*;
use crate::app::message::TaughtContract;
use crate::app::ui::form::Slot;
use crate::contract::{SettingValue, TaughtLine};

const NET: &str = r#"{"conta":{"sobra":97.95,"nome":"loja"}}"#;

fn refusal(status: u16) -> Refusal {
    Refusal { status, message: None, hint: None }
}

impl Counter {
    /// Delivers an exchange and opens its details.
    fn looks_at(&mut self, exchange: Exchange) {
        self.exchanges(exchange);
        self.keys("5 Enter");
    }

    /// Selects the net amount in the response to a fee preview, and saves the corrected contract
    /// line.
    fn saves_net(&mut self) -> (Ticket, Vec<TaughtLine>) {
        self.looks_at(exchange(Operation::FeePreview, 200, NET));
        self.keys("t Enter");
        let wanted = self.keys("Enter");
        let [Effect::Teach { ticket, lines }] = &wanted[..] else { panic!("{wanted:?}") };
        (*ticket, lines.clone())
    }

    /// Reports to the app that the contract lines are written and in force.
    fn learns(&mut self, ticket: Ticket, lines: &[TaughtLine]) {
        let before = self.model.setup.contract.clone();
        let agreed = before.agreed_by_teaching(self.model.agreed_lines.as_ref(), lines);
        let contract = Arc::new(before.taught(lines).unwrap());
        let file = Some("/srv/ana/balcao/loja.contract.toml".into());
        self.tell(Msg::Taught {
            ticket,
            result: Ok(TaughtContract { contract, agreed: Some(agreed), file }),
        });
    }

    fn is_taught(&self) -> bool {
        matches!(self.model.layers.last(), Some(Layer::Teach(_)))
    }
}

fn texts(name: &str, all: &[&str]) -> TaughtLine {
    let value = SettingValue::Texts(all.iter().map(|text| (*text).to_owned()).collect());
    TaughtLine { name: name.into(), value }
}

#[test]
fn taught_line_applies_only_once_written() {
    let mut counter = Counter::open();
    let (ticket, lines) = counter.saves_net();
    assert_eq!(lines, [texts("fee_preview.net", &["/conta/sobra"])]);
    let before = counter.model.setup.contract.clone();
    // While the corrected lines are being written, Enter does not save them again, and the contract
    // does not change.
    assert_eq!(counter.keys("Enter"), vec![]);
    assert_eq!(counter.model.setup.contract, before);
    counter.learns(ticket, &lines);
    assert!(!counter.is_taught());
    assert_eq!(said(&counter), Some(&Notice::good("said-taught")));
    assert_ne!(counter.model.setup.contract.lines(), before.lines());
}

#[test]
fn failed_write_changes_nothing_and_can_be_retried() {
    let mut counter = Counter::open();
    let (ticket, lines) = counter.saves_net();
    let before = counter.model.setup.contract.clone();
    let why = Untrusted::from("disk full");
    counter.tell(Msg::Taught { ticket, result: Err(why.clone()) });
    assert_eq!(said(&counter), Some(&Notice::WithDetail("said-not-taught", why)));
    assert_eq!(counter.model.setup.contract, before);
    let again = counter.keys("Enter");
    let [Effect::Teach { ticket: later, lines: same }] = &again[..] else { panic!("{again:?}") };
    assert_eq!(*same, lines);
    // A late reply to the first request does not close the teaching screen.
    counter.tell(Msg::Taught { ticket, result: Err("late".into()) });
    assert!(counter.is_taught());
    counter.learns(*later, &lines);
    assert!(!counter.is_taught());
}

#[test]
fn closing_while_writing_still_applies_taught_lines() {
    let mut counter = Counter::open();
    let (ticket, lines) = counter.saves_net();
    assert_eq!(counter.keys("Esc"), vec![], "what is being written is not cancelled");
    assert!(!counter.is_taught());
    counter.learns(ticket, &lines);
    assert_eq!(said(&counter), Some(&Notice::good("said-taught")));
}

#[test]
fn leaving_what_was_taught_and_not_saved_is_asked() {
    let mut counter = Counter::open();
    counter.looks_at(exchange(Operation::FeePreview, 200, NET));
    counter.keys("t Enter Esc");
    assert!(counter.is_taught());
    counter.keys("Esc");
    assert!(matches!(counter.top(), Layer::Dialog(ask) if ask.question == Question::DropForm));
    counter.keys("Esc");
    assert!(counter.is_taught());
    // Discard the selection. After that, nothing is selected, so leaving the screen asks nothing.
    counter.keys("Esc");
    counter.passes(1_000);
    counter.keys("Tab Enter");
    assert!(matches!(counter.top(), Layer::Exchange(_)), "{:?}", counter.top());
    counter.keys("t Esc Esc");
    assert!(matches!(counter.top(), Layer::Exchange(_)), "{:?}", counter.top());
}

#[test]
fn a_row_that_holds_nothing_of_the_kind_is_not_taken() {
    let mut counter = Counter::open();
    counter.looks_at(exchange(Operation::FeePreview, 200, NET));
    // This row contains the shop's name, which is not an amount, so it cannot be selected.
    counter.keys("t Down Enter");
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.keys("Up Enter");
    let wanted = counter.keys("Enter");
    assert!(matches!(&wanted[..], [Effect::Teach { .. }]), "{wanted:?}");
}

#[test]
fn withdrawal_lines_not_taught_while_one_is_open() {
    let mut counter = Counter::open();
    let refused = exchange(Operation::Withdrawal, 422, r#"{"campo":"centro_custo"}"#);
    counter.has_unknown(7, 100);
    counter.looks_at(refused.clone());
    counter.keys("t");
    assert!(!counter.is_taught());
    assert_eq!(said(&counter), Some(&Notice::warn("said-not-taught-now")));
    counter.has_open(vec![]);
    counter.keys("t");
    assert!(counter.is_taught());
    // If another window opens a withdrawal, the teaching screen closes.
    counter.has_unknown(7, 100);
    assert!(!counter.is_taught(), "{:?}", counter.top());
    // Contract lines of another operation can still be taught.
    counter.keys("Esc");
    counter.looks_at(exchange(Operation::Domains, 200, r#"{"lojas":["a.example"]}"#));
    counter.keys("t");
    assert!(counter.is_taught());
}

#[test]
fn nothing_at_all_is_taught_while_money_is_on_its_way() {
    let mut counter = Counter::open();
    counter.exchanges(exchange(Operation::FeePreview, 200, NET));
    let sent = counter.sends("10000");
    assert!(matches!(counter.top(), Layer::Withdraw(Flow::Sending { .. })), "{:?}", counter.top());
    counter.keys("t Ctrl-T");
    assert!(!counter.is_taught());
    // The withdrawal is still being sent while the user opens other screens.
    counter.keys("Esc 5 Enter");
    assert!(matches!(counter.top(), Layer::Exchange(_)), "{:?}", counter.top());
    counter.keys("t");
    assert!(!counter.is_taught());
    assert_eq!(said(&counter), Some(&Notice::warn("said-not-taught-now")));
    counter.keys("Esc");
    counter.settles(&sent, ACCEPTED);
    counter.keys("Esc 5 Enter t");
    assert!(counter.is_taught());
}

#[test]
fn refused_withdrawal_teaches_field_for_next_form() {
    let mut counter = Counter::open();
    let sent = counter.sends("10000");
    let body = r#"{"message":"centro_custo é obrigatório"}"#;
    let its_own = Exchange {
        request_headers: vec![("Idempotency-Key".into(), sent.agreement.key_header.to_string())],
        ..exchange(Operation::Withdrawal, 422, body)
    };
    counter.exchanges(its_own);
    counter.settles(&sent, Class::DefiniteNo);
    counter.keys("t");
    assert!(counter.is_taught(), "{:?}", counter.top());
    let wanted = counter.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines }] = &wanted[..] else { panic!("{wanted:?}") };
    counter.learns(*ticket, lines);
    counter.keys("d");
    let names: Vec<_> = counter.draft().form.fields.iter().map(|field| &*field.name).collect();
    assert!(names.contains(&"centro_custo"), "{names:?}");
}

/// Returns the slots of the typed password, which is kept outside the model.
fn password_slot(counter: &Counter) -> Vec<Slot> {
    counter.top().screen().form().unwrap().secret_slots()
}

#[test]
fn typed_values_survive_teaching_a_field() {
    let mut counter = Counter::closed();
    let out = Credential::Absent;
    let keeper = Keeper::Kept(VaultKind::Keyring);
    counter.tell(Msg::CredentialsRead { keeper, api_token: out.clone(), jwt: out });
    counter.types("ana@loja.example");
    counter.keys("Tab");
    let slot = password_slot(&counter);
    counter.tell(Msg::SecretEdited { slot: slot[0].clone(), len: 7 });
    let ticket = match &counter.keys("Enter")[..] {
        [Effect::LogIn { ticket, .. }] => *ticket,
        other => panic!("{other:?}"),
    };
    let body = r#"{"message":"email não é um campo"}"#;
    counter.exchanges(exchange(Operation::Login, 400, body));
    counter.tell(Msg::LoggedIn { ticket, result: Err(Failure::Refused(refusal(400))) });
    counter.keys("Ctrl-T Ctrl-U");
    counter.types("usuario");
    let wanted = counter.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(lines[0].name, "login.field.email.name");
    counter.learns(*ticket, lines);
    let form = counter.top().screen().form().unwrap();
    assert_eq!(form.value("email"), "ana@loja.example");
    assert!(slot == password_slot(&counter), "the secret is where it was");
}

#[test]
fn refused_credential_retried_with_taught_header() {
    let mut counter = Counter::open();
    counter.keys("2");
    let refused =
        Failure::Unauthorized { credential: Some(CredentialKind::Jwt), refusal: refusal(401) };
    let ticket = counter.keys("r").iter().find_map(|effect| match effect {
        Effect::ListDomains(ticket) => Some(*ticket),
        _ => None,
    });
    counter.exchanges(exchange(Operation::Domains, 401, "{}"));
    counter.tell(Msg::DomainsListed { ticket: ticket.unwrap(), result: Err(refused) });
    assert!(matches!(counter.model.session.jwt, Credential::Refused(_)));
    counter.keys("t Ctrl-U");
    counter.types("X-Chave: {}");
    let wanted = counter.keys("Ctrl-S Enter");
    let [Effect::Teach { ticket, lines }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(*lines, [texts("credential.jwt.headers", &["X-Chave: {}"])]);
    let lines = lines.clone();
    let before = counter.model.setup.contract.clone();
    let agreed = Some(before.agreed_by_teaching(None, &lines));
    let contract = Arc::new(before.taught(&lines).unwrap());
    let result = Ok(TaughtContract { contract, agreed, file: None });
    let asked = counter.tell(Msg::Taught { ticket: *ticket, result });
    assert!(matches!(counter.model.session.jwt, Credential::Held(_)));
    assert!(asked.iter().any(|one| matches!(one, Effect::ListDomains(_))), "{asked:?}");
    assert_eq!(said(&counter), Some(&Notice::warn("said-taught-for-run")));
}
