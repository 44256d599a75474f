//! A story with a hostile service. Its refusals name fields with which it tries to move the money
//! or to see a secret, and the seller answers every question with yes.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::app::App;
use crate::test_env::{PASSWORD, TestEnv};
use crate::withdrawals::WITHDRAWALS;

const LOGIN: &str = "/api/v1/api-auth/login";

/// The fields that the service names in its refusals. Some of them it really wants.
const NAMES: [&str; 30] = [
    "refund_key",
    "chave_destino",
    "valor_total",
    "senha_saque",
    "source_pix_key",
    "payer_key",
    "api_key",
    "idempotencyKey",
    "conta_destino",
    "beneficiario_final",
    "recebedor",
    "destination",
    "chave_pix_2",
    "pixKey2",
    "pix/key",
    "pixKey/value",
    "amount2",
    "amount/value",
    "total_amount",
    "valor_liquido",
    "otp_saque",
    "userToken",
    "pin_do_cartao",
    "passcode",
    "tipo_chave",
    "centro_custo",
    "codigo_interno",
    "pix_k\u{435}y",
    "am\u{43e}unt",
    "sigla_filial",
];

impl App {
    /// Agrees to the question of the teaching screen, as soon as its button is enabled.
    async fn say_yes(&mut self) {
        self.wait_for("O serviço quer").await;
        self.settle().await;
        self.clock.advance_ms(600);
        self.press("Enter").await;
    }
}

/// A service that records the bodies of its requests.
struct HostileService {
    base_url: String,
    requests: Arc<Mutex<Vec<(String, String)>>>,
}

impl HostileService {
    async fn start() -> HostileService {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let recorded = requests.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(answer(client, recorded.clone()));
            }
        });
        HostileService { base_url, requests }
    }

    /// Returns the bodies that were sent to this path.
    fn bodies(&self, path: &str) -> Vec<Value> {
        let requests = self.requests.lock().unwrap();
        let to_path = requests.iter().filter(|(requested, _)| requested == path);
        to_path
            .map(|(_, body)| serde_json::from_str(body).unwrap())
            .collect()
    }
}

/// Reads a request, and sends the reply to it.
async fn answer(mut client: TcpStream, requests: Arc<Mutex<Vec<(String, String)>>>) {
    let mut text = String::new();
    let mut bytes = [0; 4096];
    while !is_complete(&text) {
        let Ok(n @ 1..) = client.read(&mut bytes).await else {
            return;
        };
        text.push_str(&String::from_utf8_lossy(&bytes[..n]));
    }
    let target = text.split(' ').nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default().to_owned();
    let body = text
        .split_once("\r\n\r\n")
        .map_or("", |(_, body)| body)
        .to_owned();
    let count = {
        let mut requests = requests.lock().unwrap();
        requests.push((path.clone(), body));
        requests
            .iter()
            .filter(|(requested, _)| *requested == path)
            .count()
    };
    let (status, reply) = reply_to(&path, count);
    let reply = reply.to_string();
    let head =
        format!("HTTP/1.1 {status} -\r\nConnection: close\r\nContent-Type: application/json");
    let reply = format!("{head}\r\nContent-Length: {}\r\n\r\n{reply}", reply.len());
    let _ = client.write_all(reply.as_bytes()).await;
}

fn is_complete(request: &str) -> bool {
    let Some((head, body)) = request.split_once("\r\n\r\n") else {
        return false;
    };
    let head = head.to_ascii_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length:"));
    body.len()
        >= length
            .and_then(|length| length.trim().parse().ok())
            .unwrap_or(0)
}

/// Returns the status and the body of the reply to the request with this number for a path.
fn reply_to(path: &str, count: usize) -> (u16, Value) {
    let required = |names: &[&str]| {
        let errors = names
            .iter()
            .map(|name| ((*name).to_owned(), json!(["is required"])));
        json!({ "errors": errors.collect::<serde_json::Map<_, _>>() })
    };
    match (path, count) {
        (LOGIN, 1) => (422, required(&[&NAMES[..], &["usuario", "senha"]].concat())),
        (LOGIN, 2) => (401, required(&["otp"])),
        (LOGIN, _) => (200, json!({"token": "token-of-the-hostile-service"})),
        (WITHDRAWALS, 1) => (422, required(&NAMES)),
        (WITHDRAWALS, _) => (201, json!({"id": "w-1", "status": "processing"})),
        (path, _) if path.ends_with("fee-preview") => (200, json!({"fee": 2.05})),
        _ => (200, json!(["loja.example"])),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_names_move_no_money_and_see_no_secret() {
    let service = HostileService::start().await;
    let mut env = TestEnv::new().await;
    env.base_url.clone_from(&service.base_url);
    let mut app = env.open().await;
    app.wait_for_localized("login-title").await;
    app.press("Enter").await;
    app.wait_for_message("LoggedIn").await;
    app.say_yes().await;
    // The login is sent again, and the service now wants one secret more.
    app.wait_for_another_message("LoggedIn", 1).await;
    app.press("Ctrl-T").await;
    app.wait_for_localized("teach-field-name").await;
    app.press("Ctrl-S Enter").await;
    app.wait_for_another_message("Taught", 1).await;
    app.type_text(PASSWORD).await;
    app.press("Ctrl-S").await;
    app.wait_for_localized("said-logged-in").await;
    let login = service.bodies(LOGIN).pop().unwrap();
    assert_eq!(
        (&login["senha"], &login["otp"]),
        (&json!(PASSWORD), &json!(PASSWORD))
    );

    app.withdraw(&env, "10000").await;
    app.say_yes().await;
    app.wait_for_another_message("Taught", 2).await;
    app.wait_for("R$ 97,95").await;
    app.press("Ctrl-S").await;
    app.wait_for("Digite o valor").await;
    app.type_text("10000").await;
    app.confirm().await;
    app.assert_shows_localized("state-accepted");

    let bodies = service.bodies(WITHDRAWALS);
    let [first, second] = &bodies[..] else {
        panic!("{bodies:?}")
    };
    assert_eq!(first["amount"].to_string(), second["amount"].to_string());
    let values = |body: &Value| {
        body.as_object()
            .unwrap()
            .values()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert!(values(second).contains(&first["pixKey"]), "{second}");
    assert_eq!(
        values(first).len(),
        values(second).len(),
        "nothing else is sent: {second}"
    );
    // At the end, all files, frames and exports are searched for the password.
    app.close().await;
}
