//! Sample accounts and withdrawals for tests, and a temporary directory.

use std::path::Path;
use std::time::Duration;

use balcao::trade::withdrawal::Window;
use balcao::trade::{
    Account, Agreement, Clocks, IdempotencyKey, Money, Origin, PixKey, PixKeyKind, Quote,
};
use tempfile::TempDir;

/// The app's default limits for sending a withdrawal again.
pub const WINDOW: Window = Window {
    retention: Duration::from_secs(600),
    deadline: Duration::from_secs(30),
    resend_after: Duration::from_secs(30),
};

/// Like [`WINDOW`], but a withdrawal may be sent again immediately.
pub const IMMEDIATE_RESEND: Window = Window {
    resend_after: Duration::ZERO,
    ..WINDOW
};

pub fn account(base: &str, identity: &str) -> Account {
    Account {
        origin: Origin(base.into()),
        identity: identity.into(),
    }
}

/// Creates the terms of a withdrawal whose request body contains `note`.
///
/// Each process of a test passes a different note. The note in a request then shows which process
/// built its body. A restarted process must read the body from disk instead of building it again.
pub fn agreement(
    key: IdempotencyKey,
    account: Account,
    centavos: i64,
    agreed: Clocks,
    note: &str,
) -> Agreement {
    let amount = Money::from_centavos(centavos);
    let destination = PixKey::parse(PixKeyKind::Email, "ana@loja.example").expect("a PIX key");
    let pix_key = destination.as_str();
    let body = format!(
        r#"{{ "amount":{}, "pixKey":"{pix_key}","note":"{note}" }}"#,
        amount.wire()
    );
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

/// Creates a temporary directory, in memory (`/dev/shm`) if possible.
///
/// Memory is enough for these tests, because SIGKILL never loses written data, unlike a power cut.
pub fn temp_dir() -> TempDir {
    let memory = Path::new("/dev/shm");
    let dir = if memory.is_dir() {
        tempfile::tempdir_in(memory)
    } else {
        tempfile::tempdir()
    };
    dir.expect("a temporary directory")
}
