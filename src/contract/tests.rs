use super::*;
use crate::contract::reply_setting::{ERROR_HINT, ERROR_MESSAGE, JWT};
use crate::trade::{
    Account, IdempotencyKey, LinkRequest, Money, Origin, PixKeyError, PixKeyKind, Secret, Untrusted,
};

fn with(text: &str) -> Result<Contract, ContractError> {
    Contract::with(&[("mine.toml", text)])
}

fn error_text(text: &str) -> String {
    with(text).unwrap_err().to_string()
}

mod settings;

#[test]
fn confirmed_list_in_a_seller_file_is_ignored() {
    for claim in [
        "['withdrawal.unit']",
        "['withdrawal.echo_amount']",
        "['nothing']",
        "7",
        "'x'",
    ] {
        let claimed = with(&format!(
            "confirmed = {claim}\nwithdrawal.unit = 'centavos'"
        ))
        .unwrap();
        for name in ["withdrawal.unit", "withdrawal.echo_amount"] {
            assert_eq!(claimed.provenance(name), Provenance::Assumed, "{claim}");
        }
        assert!(claimed.claims_confirmed());
    }
    assert!(
        !with("withdrawal.unit = 'centavos'")
            .unwrap()
            .claims_confirmed()
    );
    let confirmed_table = with("[confirmed]\nx = 1").unwrap();
    assert_eq!(confirmed_table.settings().get("confirmed.x"), None);
}

mod bodies;
