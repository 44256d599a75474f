//! Tests of `balcao support`, which saves a file with what a helper needs, and shows what is in
//! such a file.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use balcao::journal::requests::{RequestOwner, Requests};
use balcao::support::SupportFile;
use balcao::trade::{
    Exchange, ExchangeSubject, IdempotencyKey, MaskedReply, Operation, Origin, SupportMember, Wall,
};
use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::{Value, json};
use uuid::Uuid;

use super::seller::{create_link, launch_with_bank, paste_jwt, send_withdrawal, type_login};
use super::support::bank::Bank;
use super::support::in_play;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run;
use super::support::secrets::SecretSearch;

/// Personal data and credentials that a service may send back.
const CANARIES: [&str; 7] = [
    "529.982.247-25",
    "11.222.333/0001-81",
    "Josefina Quaresma",
    "josefina@loja.example",
    "(11) 91234-5678",
    "https://shop.example/checkout/kx81-a7pq-22",
    "chave-aleatoria-9f8e7d6c5b4a3210",
];

/// Noon UTC on 1 March 2026.
const MARCH: Wall = Wall(1_772_366_400_000);

/// The service of the stored requests. Nothing listens at this address.
const ORIGIN: &str = "http://127.0.0.1:9";

const SERVICE: [&str; 6] = ["--lang", "en", "--base-url", ORIGIN, "--vault", "memory"];

/// A reply that contains the canaries in many places and encodings.
fn reply_with_canaries() -> String {
    let texts = CANARIES.map(|text| json!({ "value": text, "message": format!("Conta {text}") }));
    let encoded = CANARIES.map(|text| BASE64_STANDARD.encode(text));
    let names = CANARIES.map(|text| (text.to_owned(), json!(1)));
    json!({
        "texts": texts,
        "encoded": encoded,
        "names": Value::Object(names.into_iter().collect()),
        "url": format!("{ORIGIN}/c?doc={}", CANARIES[0]),
    })
    .to_string()
}

/// Stores the request of withdrawal number `n`, with this body of the reply.
fn store_request(home: &TestHome, n: u128, body: &str) {
    let owner = RequestOwner {
        profile: "default".into(),
        origin: Origin(ORIGIN.into()),
    };
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let reply = Ok(MaskedReply::new(201, vec![], body));
    let url = format!("{ORIGIN}/api/v1/withdrawals/{}", CANARIES[6]);
    let key = IdempotencyKey(Uuid::from_u128(n));
    let exchange = Exchange {
        at: MARCH,
        subject: Some(ExchangeSubject::Withdrawal(key)),
        request_headers: vec![header("x-customer", CANARIES[2])],
        request_body: Some(body.into()),
        ..Exchange::new(Operation::Withdrawal, "POST", url, reply)
    };
    let mut requests = Requests::open(&home.state_dir().join("journal"), MARCH).expect("a file");
    requests.store(&owner, &exchange).expect("a stored request");
}

/// Runs `balcao support` without a terminal. Returns the exit code and the output.
fn run_support(home: &TestHome, args: &[&str]) -> (Option<i32>, String) {
    let args = [&SERVICE[..], &["support"], args].concat();
    let output = run::output(&mut run::command(home, &args));
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    (output.status.code(), text)
}

/// Reads a support file in which nothing may be wrong.
#[track_caller]
fn open(path: &Path) -> SupportFile {
    let (file, faults) = SupportFile::open(path).expect("a support file");
    assert_eq!(faults, []);
    let mode = fs::metadata(path).expect("a file").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    file
}

/// The names of the files in the working directory of the program.
fn file_names(home: &TestHome) -> Vec<String> {
    let entries = fs::read_dir(home.home_dir()).expect("a directory");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("text"))
        .collect();
    names.sort();
    names
}

/// Checks that no member contains a canary or a secret, in any encoding.
#[track_caller]
fn assert_nothing_private(path: &Path, canaries: &[&str]) {
    let search = SecretSearch::for_personal_data(canaries.iter().copied());
    let packed = fs::read(path).expect("a file");
    let file = open(path);
    let members = file.members();
    let members = members.map(|(member, bytes)| (member.file_name(), bytes));
    for (name, bytes) in members.chain([("the zip", &*packed)]) {
        let found = search.find_in(bytes);
        assert_eq!(found, None, "{name}: {}", String::from_utf8_lossy(bytes));
        in_play::assert_no_secret_in(name, bytes);
    }
}

#[test]
fn saved_file_contains_no_personal_data() {
    let home = TestHome::new();
    let reply = reply_with_canaries();
    let search = SecretSearch::for_personal_data(CANARIES);
    assert!(search.find_in(reply.as_bytes()).is_some());
    store_request(&home, 1, &reply);
    store_request(&home, 2, "{}");
    home.write_config("config.toml", "[profiles.default]\ncontract = 'own.toml'\n");
    let own = format!(
        "[withdrawal.field.loja]\nname = 'loja'\nkind = 'text'\nlabel.en = '{}'\n",
        CANARIES[2]
    );
    home.write_config("own.toml", &own);
    let path = home.home_dir().join("a.zip");
    let (code, output) = run_support(&home, &["save", "a.zip", "--yes"]);
    assert_eq!(code, Some(0), "{output}");
    assert_nothing_private(&path, &CANARIES);
    assert_eq!(search.find_in(output.as_bytes()), None, "{output}");

    let file = open(&path);
    let members: Vec<_> = file
        .members()
        .map(|(member, _)| member.file_name())
        .collect();
    let expected = [
        "requests.har",
        "doctor.json",
        "contract.toml",
        "settings.json",
        "about.json",
    ];
    assert_eq!(members, expected);
    for member in expected {
        assert!(output.contains(&format!("  {member} ")), "{output}");
    }
    for text in [
        "2 requests with their replies",
        "Masked: 1 CPF, 1 CNPJ, 1 phone number",
    ] {
        assert!(output.contains(text), "{text}: {output}");
    }
    let json = |member| -> Value {
        serde_json::from_slice(file.bytes(member).expect("a member")).expect("JSON")
    };
    let har = json(SupportMember::Requests);
    assert_eq!(har["log"]["entries"].as_array().map(Vec::len), Some(2));
    let settings = json(SupportMember::Settings);
    for name in ["theme", "timeZone", "utcOffsetSeconds", "settings"] {
        assert_eq!(settings[name], har["log"]["_environment"][name], "{name}");
    }
    assert_eq!(settings["timeZone"], "America/Sao_Paulo");
    let lines = har["log"]["_contract"].as_array().expect("lines").iter();
    let lines: String = lines
        .map(|line| format!("{}\n", line.as_str().expect("text")))
        .collect();
    assert_eq!(file.bytes(SupportMember::Contract), Some(lines.as_bytes()));
    let doctor = json(SupportMember::Doctor);
    let findings = doctor["findings"].as_array().expect("a list");
    let has_finding = |id| findings.iter().any(|finding| finding["id"] == id);
    assert!(
        has_finding("network.service") && has_finding("vault.kind"),
        "{doctor}"
    );
    let about = file.about().expect("about.json");
    assert_eq!((&*about.language, about.size), ("en", None));
    assert_eq!(about.version, env!("CARGO_PKG_VERSION"));
}

/// A file that is no recording is refused before anything is written.
#[test]
fn recording_is_added_as_it_is() {
    let home = TestHome::new();
    let recording = super::play::record(&home);
    let path = recording.to_str().unwrap();
    let (code, output) = run_support(&home, &["save", "a.zip", "--yes", "--recording", path]);
    assert_eq!(code, Some(0), "{output}");
    let saved = open(&home.home_dir().join("a.zip"));
    let bytes = fs::read(&recording).unwrap();
    assert_eq!(saved.bytes(SupportMember::Recording), Some(&*bytes));

    fs::write(&recording, "no recording").unwrap();
    let (code, output) = run_support(&home, &["save", "b.zip", "--yes", "--recording", path]);
    assert_ne!(code, Some(0), "{output}");
    assert!(output.contains("is not a recording"), "{output}");
    assert!(!file_names(&home).contains(&"b.zip".to_owned()));
}

#[test]
fn proposed_name_has_date_and_code_of_withdrawal() {
    let home = TestHome::new();
    store_request(&home, 0x1234_5678 << 96, "{}");
    store_request(&home, 7, "{}");
    let key = Uuid::from_u128(0x1234_5678 << 96).to_string();
    for (args, requests) in [(&[][..], 2), (&["--of", &key], 1), (&["--of", &key], 1)] {
        let (code, output) = run_support(&home, &[&["save", "--yes"], args].concat());
        assert_eq!(code, Some(0), "{output}");
        let count = format!("{requests} request");
        assert!(output.contains(&count), "{output}");
    }
    let mut names = file_names(&home);
    names.retain(|name| name.starts_with("balcao-help-20"));
    assert_eq!(names.len(), 3, "{names:?}");
    for ending in ["-12345678.zip", "-12345678-2.zip"] {
        let name = names.iter().find(|name| name.ends_with(ending));
        let path = home.home_dir().join(name.expect(ending));
        assert_eq!(open(&path).about().expect("about.json").code, "12345678");
    }
    let (code, output) = run_support(&home, &["save", "--yes", "--of", "link-8"]);
    assert!(
        code == Some(1) && output.contains("has the code link-8"),
        "{output}"
    );
    assert_eq!(file_names(&home).len(), names.len());
}

#[test]
fn existing_file_is_never_replaced() {
    let home = TestHome::new();
    let at = |name: &str| home.home_dir().join(name);
    fs::write(at("a.zip"), "mine").expect("a file");
    symlink(at("elsewhere"), at("b.zip")).expect("a link");
    for name in ["a.zip", "b.zip"] {
        let (code, output) = run_support(&home, &["save", name, "--yes"]);
        assert!(
            code == Some(2) && output.contains("is there already"),
            "{output}"
        );
    }
    assert_eq!(fs::read_to_string(at("a.zip")).expect("a file"), "mine");
    assert_eq!(file_names(&home), ["a.zip", "b.zip"]);
}

#[test]
fn unwritable_directory_is_a_clear_error() {
    let home = TestHome::new();
    let dir = home.home_dir().join("closed");
    fs::create_dir(&dir).expect("a directory");
    fs::set_permissions(&dir, fs::Permissions::from_mode(0o500)).expect("permissions");
    // The superuser may write everywhere.
    let is_superuser = fs::write(dir.join("probe"), "").is_ok();
    let names: &[&str] = if is_superuser {
        &["none/a.zip"]
    } else {
        &["closed/a.zip", "none/a.zip"]
    };
    for name in names {
        let (code, output) = run_support(&home, &["save", name, "--yes"]);
        assert_eq!(code, Some(1), "{output}");
        assert!(output.contains("The file could not be saved"), "{output}");
    }
}

#[test]
fn file_is_saved_without_requests_and_valid_settings() {
    let home = TestHome::new();
    home.write_config("config.toml", "theme = 7\n");
    let (code, output) = run_support(&home, &["save", "a.zip", "--yes"]);
    assert_eq!(code, Some(0), "{output}");
    let file = open(&home.home_dir().join("a.zip"));
    assert!(file.bytes(SupportMember::Requests).is_none());
    let doctor = String::from_utf8_lossy(file.bytes(SupportMember::Doctor).expect("a member"));
    assert!(doctor.contains("configuration.settings"), "{doctor}");

    home.write_config("config.toml", "[requests]\nkeep = false\n");
    let (code, output) = run_support(&home, &["save", "b.zip", "--yes"]);
    assert!(
        code == Some(0) && output.contains("keep = false"),
        "{output}"
    );
}

#[test]
fn without_terminal_the_flag_yes_is_needed() {
    let home = TestHome::new();
    let (code, output) = run_support(&home, &["save", "a.zip"]);
    assert!(code == Some(2) && output.contains("--yes"), "{output}");
    assert_eq!(file_names(&home), [""; 0]);
}

#[test]
fn show_lists_members_and_names_what_is_wrong() {
    let home = TestHome::new();
    let path = home.home_dir().join("a.zip");
    let (code, output) = run_support(&home, &["save", "a.zip", "--yes"]);
    assert_eq!(code, Some(0), "{output}");
    let (code, output) = run_support(&home, &["show", "a.zip"]);
    assert_eq!(code, Some(0), "{output}");
    let lines: Vec<_> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].starts_with("  doctor.json "), "{output}");

    let mut bytes = fs::read(&path).expect("a file");
    bytes[60] ^= 0x10;
    fs::write(&path, &bytes).expect("a damaged file");
    let (code, output) = run_support(&home, &["show", "a.zip"]);
    let expected = "Left out: doctor.json is damaged.";
    assert!(code == Some(0) && output.contains(expected), "{output}");
    for (content, expected) in [
        (&bytes[..bytes.len() - 9], "is incomplete"),
        (b"{}", "is not a support file"),
    ] {
        fs::write(&path, content).expect("a file");
        let (code, output) = run_support(&home, &["show", "a.zip"]);
        assert!(code == Some(2) && output.contains(expected), "{output}");
    }
}

/// The only support file in the working directory of the program.
fn proposed_file(home: &TestHome) -> PathBuf {
    let mut names = file_names(home);
    names.retain(|name| name.ends_with(".zip"));
    assert_eq!(names.len(), 1, "{names:?}");
    home.home_dir().join(&names[0])
}

#[test]
fn seller_saves_a_file_after_a_day_of_work() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = launch_with_bank(&home, &bank).start();
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Bolo da Josefina Quaresma");
    send_withdrawal(&mut tui);
    tui.wait_for("aceito");
    tui.quit();

    let url = bank.url();
    let args = ["--base-url", &url, "--vault", "memory", "support", "save"];
    for is_agreed in [false, true] {
        let mut tui = Launch::new(&home).args(&args).size(100, 40).start();
        tui.wait_for("Em uma frase: o que deu errado?");
        tui.type_text("O saque de hoje não chegou\r");
        tui.wait_for("a frase, como foi digitada: “O saque de hoje não chegou”");
        tui.wait_for("solicitações com as respostas");
        tui.wait_for("Mascarado: 1 CPF,");
        tui.wait_for("Enter salva");
        tui.type_text(if is_agreed { "\r" } else { "x\r" });
        assert_eq!(tui.wait_exit().success(), is_agreed, "{}", tui.text());
        assert_eq!(file_names(&home).is_empty(), !is_agreed);
    }
    let path = proposed_file(&home);
    let file = open(&path);
    let words = file.bytes(SupportMember::Words);
    assert_eq!(words, Some("O saque de hoje não chegou\n".as_bytes()));
    assert_eq!(file.about().expect("about.json").size, Some([100, 40]));
    let har = String::from_utf8_lossy(file.bytes(SupportMember::Requests).expect("a member"));
    for operation in ["login", "create_link", "withdrawal"] {
        assert!(
            har.contains(&format!(r#""_operation": "{operation}""#)),
            "{har}"
        );
    }
    let (email, _) = bank.credentials();
    let links = bank.ledger().links;
    let link = format!("{:?}", links.last());
    assert!(link.contains("Josefina"), "{link}");
    assert_nothing_private(&path, &["111.444.777-35", "Josefina Quaresma", &email]);
}
