//! Agreements, and a place on the disk, for the machines that have real files.

use std::path::Path;
use std::time::Duration;

use balcao::trade::withdrawal::Window;
use balcao::trade::{
    Account, Agreement, Clocks, IdempotencyKey, Money, Origin, PixKey, PixKeyKind, Quote,
};
use tempfile::TempDir;

/// The window that the program has unless it is told otherwise.
pub const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::from_secs(30),
};

/// The same without the wait before a resend, for the machines that are about other things.
pub const AT_ONCE: Window = Window { resend_after: Duration::ZERO, ..WINDOW };

/// Whose money, at the service that is here.
pub fn account(base: &str, identity: &str) -> Account {
    Account { origin: Origin(base.into()), identity: identity.into() }
}

/// A withdrawal of so many centavos, with a note in its body.
///
/// Who builds the body of the same withdrawal again, with another note, builds another body.
pub fn agreement(
    key: IdempotencyKey,
    account: Account,
    centavos: i64,
    agreed: Clocks,
    note: &str,
) -> Agreement {
    let amount = Money::from_centavos(centavos);
    let destination = PixKey::parse(PixKeyKind::Email, "ana@loja.example").expect("a PIX key");
    let to = destination.as_str();
    let body = format!(r#"{{ "amount":{}, "pixKey":"{to}","note":"{note}" }}"#, amount.wire());
    Agreement {
        key,
        profile: "loja".into(),
        method: "POST".into(),
        url: format!("{}/api/v1/integrations/withdrawals", account.origin.0).into(),
        key_header: key.to_string().into(),
        key_header_name: "Idempotency-Key".into(),
        untyped: vec![],
        body: body.into(),
        amount,
        destination: Some(destination),
        quote: Quote::new(amount, Some(Money::from_centavos(110)), None, agreed.wall).ok(),
        agreed,
        account,
    }
}

/// A directory of one's own, in memory where the system has such a place.
///
/// A killed process loses nothing that it wrote, on whatever disk: only a power cut does that.
pub fn place() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a temporary directory")
}
