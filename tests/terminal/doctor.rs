//! Tests of `balcao doctor`, which checks the installation and suggests fixes without showing
//! personal data.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Output;
use std::sync::Arc;
use std::thread;

use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use serde_json::Value;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::helper_vault::Helper;
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;

/// Returns a command's exit code and its standard output. Its standard error must be empty.
fn code_and_output(output: &Output) -> (i32, String) {
    assert!(output.stderr.is_empty(), "{output:?}");
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout.clone()).unwrap(),
    )
}

fn run_doctor(home: &TestHome, args: &[&str], variables: &[(&str, &str)]) -> (i32, String) {
    let args = [&["doctor"], args].concat();
    let mut command = run::command(home, &args);
    code_and_output(&run::output(command.envs(variables.iter().copied())))
}

/// Returns the verdict and the facts of the finding with this id, from the output of
/// `doctor --json`.
fn find_finding(text: &str, id: &str) -> (String, Value) {
    let report: Value = serde_json::from_str(text).expect("one object");
    let finding = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .find(|finding| finding["id"] == id);
    let finding = finding.unwrap_or_else(|| panic!("{id} in {text}"));
    (
        finding["verdict"].as_str().unwrap().to_owned(),
        finding["facts"].clone(),
    )
}

fn closed_port_url() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[test]
fn working_setup_is_fine_with_exit_code_zero() {
    let home = TestHome::new();
    let bank = Bank::open();
    let helper = Helper::of(&home, &bank);
    let (user, password) = bank.credentials();
    let login = [
        "login",
        "--vault",
        "helper",
        "--user",
        &user,
        "--password-stdin",
    ];
    let output = run::output_with_input(&mut run::command(&home, &login), format!("{password}\n"));
    assert!(output.status.success(), "{output:?}");

    let (code, text) = run_doctor(&home, &[], &[]);
    assert_eq!(code, 0, "{text}");
    for part in [
        "[ok]        lugar: comando do perfil ~/helper/keeps (o do último login); responde",
        "[ok]        token da API: vale até",
        "[aviso]     JWT dos links: não há",
        "[ok]        serviço: está no ar (código 404)",
        "[ok]        relógio: a diferença para o serviço é de 0 s",
        "[ok]        saques: ainda não há nenhum",
        "[ok]        leitura: sem erros; 1 perfil",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let ledger = bank.ledger();
    assert!(ledger.links.is_empty() && ledger.charges.is_empty() && ledger.payouts.is_empty());
    assert_eq!(helper.entry_count(), 1, "only the login is kept");
    assert!(
        !home.state_dir().join("journal").exists(),
        "no journal is begun"
    );
}

/// Starts a server with a certificate for 127.0.0.1, and returns its URL. The issuer's certificate
/// is written to this file.
fn start_tls_server(root_file: &Path) -> String {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let root_key = KeyPair::generate().unwrap();
    fs::write(root_file, params.self_signed(&root_key).unwrap().pem()).unwrap();
    let issuer = Issuer::new(params, root_key);
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["127.0.0.1".to_owned()]).unwrap();
    let certificate = params.signed_by(&key, &issuer).unwrap().der().clone();
    let key = PrivatePkcs8KeyDer::from(key.serialize_der());
    let config = ServerConfig::builder().with_no_client_auth();
    let config = Arc::new(
        config
            .with_single_cert(vec![certificate], key.into())
            .unwrap(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming().map_while(Result::ok) {
            let session = ServerConnection::new(config.clone()).unwrap();
            let mut stream = StreamOwned::new(session, connection);
            // A client that does not trust the certificate ends the handshake.
            if stream.read(&mut [0; 4_096]).is_ok() {
                let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n");
            }
        }
    });
    url
}

#[test]
fn certificate_variables_are_ignored_and_named() {
    let home = TestHome::new();
    let dir = home.home_dir().join("certificates");
    fs::create_dir(&dir).unwrap();
    let root = home.config_dir().join("root.pem");
    let url = start_tls_server(&root);
    fs::copy(&root, dir.join("root.pem")).unwrap();
    let [root, dir] = [&root, &dir].map(|path| path.to_str().unwrap());
    let both = [("SSL_CERT_FILE", root), ("SSL_CERT_DIR", dir)];
    for variables in [&both[..1], &both[1..], &both] {
        let (_, text) = run_doctor(&home, &["--json", "--base-url", &url], variables);
        let (verdict, facts) = find_finding(&text, "network.service");
        assert_eq!(
            (&*verdict, &facts["certificate"]),
            ("broken", &"unknown-issuer".into())
        );
        let (verdict, facts) = find_finding(&text, "network.variables");
        let names: Vec<_> = variables.iter().map(|(name, _)| *name).collect();
        assert_eq!((&*verdict, &facts["ignored"]), ("note", &names.into()));
    }
    let (_, text) = run_doctor(&home, &["--base-url", &url], &both);
    assert!(
        text.contains("sem efeito aqui: SSL_CERT_FILE, SSL_CERT_DIR"),
        "{text}"
    );
    assert!(
        text.contains("peça o certificado dela e diga o arquivo em `ca-file`"),
        "{text}"
    );
    let (_, text) = run_doctor(&home, &["--json", "--base-url", &url], &[]);
    assert!(!text.contains("network.variables"), "{text}");

    let profile = format!("[profiles.loja]\nbase-url = '{url}'\nca-file = 'root.pem'\n");
    home.write_config("config.toml", &profile);
    let (_, text) = run_doctor(&home, &["--json"], &both);
    let (verdict, facts) = find_finding(&text, "network.service");
    assert_eq!((&*verdict, &facts["status"]), ("fine", &204.into()));
}

#[test]
fn without_dbus_utf8_and_network_each_says_what_to_do() {
    let home = TestHome::new();
    let variables = [
        ("LC_ALL", "C"),
        ("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/at/all"),
    ];
    let args = [
        "--lang",
        "en",
        "--vault",
        "keyring",
        "--base-url",
        &closed_port_url(),
    ];
    let (code, text) = run_doctor(&home, &args, &variables);
    assert_eq!(code, 1, "{text}");
    for part in [
        "[note]      letters: plain letters only: the locale C is not UTF-8",
        "such as pt_BR.UTF-8.",
        "[problem]   place: keyring of the system (chosen by --vault). No keyring is available",
        "Unlock or install a keyring",
        "[problem]   service: no connection could be made",
        "Check this computer's internet",
        "2 problems need to be solved.",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn silent_dbus_does_not_delay_other_checks() {
    let home = TestHome::new();
    let socket = home.home_dir().join("bus");
    let bus = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    let address = format!("unix:path={}", socket.display());
    let variables = [("DBUS_SESSION_BUS_ADDRESS", &*address)];
    let args = [
        "--json",
        "--vault",
        "keyring",
        "--base-url",
        &closed_port_url(),
    ];
    let (code, text) = run_doctor(&home, &args, &variables);
    assert_eq!(code, 1, "{text}");
    let (verdict, facts) = find_finding(&text, "vault.kind");
    assert_eq!((&*verdict, &facts["trouble"]), ("broken", &"hangs".into()));
    assert_eq!(find_finding(&text, "program.versions").0, "fine");
    drop(bus);
}

#[test]
fn invalid_settings_are_a_finding_and_rest_is_checked() {
    let bank = Bank::open();
    for (file, text, part, message) in [
        (
            "config.toml",
            "theem = 'dark'\n",
            "files",
            "unknown field `theem`",
        ),
        ("config.toml", "theme = 'neon'\n", "appearance", "neon"),
        ("config.toml", "profile = 'loja'\n", "profile", "loja"),
        (
            "config.toml",
            "[profiles.x]\ncontract = 'none'\n",
            "contract",
            "none",
        ),
        (
            "config.toml",
            "[profiles.x]\nvault = 'helper'\n",
            "vault",
            "vault-helper",
        ),
        ("keys.toml", "[lists]\nnwe = ['i']\n", "keys", "nwe"),
    ] {
        let home = TestHome::new();
        home.write_config(file, text);
        let profile = if text.contains("[profiles.x]") {
            &["--profile", "x"][..]
        } else {
            &[]
        };
        let url = bank.url();
        let args = [&["--base-url", &*url][..], profile].concat();
        let (code, output) = run_doctor(&home, &args, &[]);
        assert_eq!(code, 1, "{output}");
        assert!(output.contains(message), "{message}: {output}");
        assert!(
            output.contains("[ok]        serviço: está no ar (código 404)"),
            "{output}"
        );
        let (_, json) = run_doctor(&home, &[&args[..], &["--json"]].concat(), &[]);
        let (verdict, facts) = find_finding(&json, "configuration.settings");
        assert_eq!(
            (&*verdict, &facts["part"]),
            ("broken", &part.into()),
            "{json}"
        );
    }
}

#[test]
fn broken_network_settings_skip_the_service_check() {
    let home = TestHome::new();
    let bank = Bank::open();
    let file = format!(
        "[profiles.x]\nbase-url = '{}'\nca-file = 'none.pem'\n",
        bank.url()
    );
    home.write_config("config.toml", &file);
    let (code, text) = run_doctor(&home, &["--json", "--vault", "memory"], &[]);
    assert_eq!(code, 1, "{text}");
    assert_eq!(
        find_finding(&text, "configuration.settings").1["part"],
        "network"
    );
    assert_eq!(
        find_finding(&text, "configuration.ca-file").1["state"],
        "absent"
    );
    assert_eq!(
        find_finding(&text, "network.address").1["origin"],
        bank.url().as_str()
    );
    assert!(!text.contains("network.service"), "{text}");
}

#[test]
fn a_file_that_others_can_change_is_a_problem() {
    let home = TestHome::new();
    home.write_config("config.toml", "lang = 'en'\n");
    let file = home.config_dir().join("config.toml");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    let (code, text) = run_doctor(&home, &["--vault", "memory"], &[]);
    assert_eq!(code, 1, "{text}");
    assert!(
        text.contains("anybody on this computer can change "),
        "{text}"
    );
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let (code, text) = run_doctor(&home, &["--vault", "memory"], &[]);
    assert_eq!(code, 0, "{text}");
}

#[test]
fn support_report_has_no_names_or_secrets() {
    let home = TestHome::new();
    let home_dir = home.home_dir();
    for (name, text) in [
        (
            "config.toml",
            "[profiles.canary-shop]\ntitle = 'canary-title'\ncontract = 'canary-shop.toml'\n",
        ),
        (
            "canary-shop.toml",
            "withdrawal.field.key.default = 'canary@loja.example'\n",
        ),
    ] {
        fs::write(home_dir.join(name), text).unwrap();
    }
    let url = closed_port_url();
    let variables = [
        ("BALCAO_CONFIG_DIR", home_dir.to_str().unwrap()),
        ("BALCAO_TOKEN", "canary-token-0123456789"),
        ("BALCAO_LOGIN", "canary@loja.example"),
        ("BALCAO_ORIGIN", &url),
        ("USER", "canary-person"),
        ("HOSTNAME", "canary-machine"),
    ];
    let args = [
        "--vault",
        "env",
        "--profile",
        "canary-shop",
        "--base-url",
        &url,
    ];
    for more in [&["--json"][..], &[]] {
        let (_, text) = run_doctor(&home, &[&args[..], more].concat(), &variables);
        // The text report shows the name of the seller's API contract file, but the JSON report
        // hides it.
        let own_file = if more.is_empty() {
            "~/canary-shop.toml"
        } else {
            "~/….toml"
        };
        assert!(text.contains(own_file), "{text}");
        assert!(!text.replace(own_file, "").contains("canary"), "{text}");
        assert!(!text.contains(home_dir.to_str().unwrap()), "{text}");
        assert!(
            text.contains("~/config.toml") && text.contains("127.0.0.1"),
            "{text}"
        );
    }
    // The report must not contain names from an invalid configuration file or from the service
    // address.
    fs::write(
        home_dir.join("config.toml"),
        "title = 'canary@loja.example'\n",
    )
    .unwrap();
    let (code, text) = run_doctor(&home, &[&args[..], &["--json"]].concat(), &variables);
    assert_eq!((code, text.contains("canary")), (1, false), "{text}");
    let args = ["--json", "--base-url", "https://canary:canary@x.example"];
    let (code, text) = run_doctor(&home, &args, &[]);
    assert_eq!((code, text.contains("canary")), (1, false), "{text}");
    assert_eq!(
        find_finding(&text, "configuration.settings").1["part"],
        "address"
    );
}

#[test]
fn long_text_wraps_under_its_first_line() {
    let home = TestHome::new();
    let args = [
        "doctor",
        "--vault",
        "memory",
        "--base-url",
        &closed_port_url(),
    ];
    let tui = Launch::new(&home).args(&args).size(80, 60).start();
    tui.wait_for("não cria nada nem");
    for part in [
        "  [ok]        tamanho: 80 colunas por 60 linhas",
        "              Confira a internet deste computador, se o endereço e a porta estão\n",
        "\n              certos e se o serviço está no ar.",
    ] {
        assert!(tui.text().contains(part), "{part}: {}", tui.text());
    }
    assert_eq!(tui.wait_exit().exit_code(), 1);
}

#[test]
fn agreement_in_memory_of_the_app_is_not_denied() {
    let home = TestHome::new();
    home.write_config("config.toml", "[profiles.loja]\ncontract = 'loja.toml'\n");
    home.write_config("loja.toml", "withdrawal.field.key.label.en = 'Key'\n");
    let url = closed_port_url();
    let args = ["--vault", "memory", "--profile", "loja", "--base-url", &url];
    let (_, text) = run_doctor(&home, &args, &[]);
    let answer = "1 linha diferente do padrão; o aceite vale até você sair";
    assert!(text.contains(answer) && !text.contains("aceita:"), "{text}");
    let (_, text) = run_doctor(&home, &[&args[..], &["--json"]].concat(), &[]);
    let (verdict, facts) = find_finding(&text, "contract.lines");
    assert_eq!(
        (&*verdict, &facts["pending"], &facts["kept"]),
        ("note", &Value::Null, &false.into())
    );
}
