//! A seller who teaches the app to read the replies of a service with names of its own. Every
//! lesson from every row of its replies is tried, and taught before every send if it is allowed.

use balcao::contract::reply_setting::{WITHDRAWAL_ID, WITHDRAWAL_STATUS};
use balcao::contract::{Lesson, ReplySetting, ReplyTree};
use balcao::trade::withdrawal::Unclear;
use balcao::trade::{Exchange, MaskedReply, Operation};

use super::policy::TEACHING;
use super::*;

/// The reply of the bank to a payment.
pub const PAID: &str = r#"{"data":{"payout_code":"po_123","state":"QUEUED"},
    "meta":{"request_id":"req_1","served_at":"2026-11-21T13:42:07Z"}}"#;

/// The reply of the bank to a payment that it refuses, with a success status.
pub const REFUSED: &str = r#"{"data":{"payout_code":"po_124","state":"REJECTED"},
    "meta":{"request_id":"req_2","served_at":"2026-11-21T13:42:07Z"}}"#;

/// The reply of a gateway in front of the bank.
pub const GATEWAY: &str = r#"{"data":{"message":"accepted"},
    "meta":{"request_id":"req_3","served_at":"2026-11-21T13:42:07Z"}}"#;

/// The reply of a gateway that reports a failure where only [`CONTRACT`] looks for it.
pub const GATEWAY_FAILURE: &str =
    r#"{"andamento":"failed","data":{"payout_code":"po_125","state":"QUEUED"}}"#;

/// The seller's contract file before the lessons.
const CONTRACT: &str = "withdrawal.status = ['/status', '/andamento']";

/// All replies with a success status.
pub const REPLIES: [&str; 4] = [PAID, REFUSED, GATEWAY, GATEWAY_FAILURE];

#[test]
fn no_lesson_has_a_schedule_paying_twice() {
    let depth = match Effort::from_env() {
        Effort::Small => 2,
        Effort::Usual => 3,
        Effort::Long => 4,
    };
    let totals = search(TEACHING, depth);
    print_line(&format!(
        "depth {depth}, {}: {} schedules",
        TEACHING.name, totals.schedules
    ));
    assert!(totals.schedules > 1_000);
    assert_eq!(totals.double, 0, "double payouts after a lesson");
    assert_eq!(
        totals.wrong_states, 0,
        "states that say what is not so, after a lesson"
    );
}

/// Returns the seller's contract, and each contract that a lesson from one of the replies leads to.
/// A lesson chooses any row as the code, and any row or none as the state.
pub fn teachable_contracts(agreement: &Agreement) -> Vec<Contract> {
    let before = Contract::from_program_files(&[("own.toml", CONTRACT)]).expect("a contract");
    let mut contracts = vec![before];
    for body in REPLIES {
        let reply = MaskedReply::new(201, vec![], body);
        let exchange = Exchange {
            request_body: Some(agreement.body.to_string()),
            ..Exchange::new(Operation::Withdrawal, "POST", &*agreement.url, Ok(reply))
        };
        let tree = Arc::new(ReplyTree::read(&body.into()).expect("an object"));
        let lesson = Lesson::new(&exchange, tree.clone(), std::iter::empty());
        let states = tree.rows().iter().map(Some).chain([None]);
        for (code, state) in
            states.flat_map(|state| tree.rows().iter().map(move |code| (code, state)))
        {
            let mut taught = read_at(&contracts[0], WITHDRAWAL_ID, &code.pointer, &tree);
            if let Some(state) = state {
                taught = read_at(&taught, WITHDRAWAL_STATUS, &state.pointer, &tree);
            }
            let is_refused = lesson.fault(&contracts[0], &taught).is_some();
            if !is_refused && !contracts.contains(&taught) {
                contracts.push(taught);
            }
        }
    }
    assert_eq!(
        contracts.len(),
        2,
        "only the code and the state together can be taught"
    );
    contracts
}

fn read_at(
    contract: &Contract,
    setting: &ReplySetting,
    pointer: &str,
    tree: &ReplyTree,
) -> Contract {
    let lines = contract.settings_to_read_at(setting.name, pointer, tree);
    let taught = lines.and_then(|lines| contract.with_taught(&lines).ok());
    taught.unwrap_or_else(|| contract.clone())
}

impl Search {
    /// Continues the schedule with each contract that the seller can teach now, too.
    pub fn teach(&mut self, node: &Node, state: &WithdrawalState) {
        let is_no_sign = |attempt: &Attempt| {
            let class = attempt.end.as_ref().map(|end| &end.class);
            class == Some(&Class::Unclear(Unclear::NoSign))
        };
        let may_teach = node.contract == 0
            && *state == WithdrawalState::Unknown
            && node.withdrawal.attempts.iter().any(is_no_sign);
        for contract in (1..self.classes.len()).filter(|_| may_teach) {
            self.act(Node {
                contract,
                ..node.clone()
            });
        }
    }
}
