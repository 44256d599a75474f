//! Tests of the help texts in both languages, and of the messages for invalid commands.

use super::support::place::TestHome;
use super::support::run;

const PT: &str = "pt_BR.UTF-8";

/// Runs each command line, and returns the outputs of all of them. Help must be printed to standard
/// output. Errors must be printed to standard error, with exit code 2.
fn printed(place: &TestHome, lang: &str, lines: &[&str]) -> String {
    let mut printed = String::new();
    for line in lines {
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = run::output(run::command(place, &args).env("LANG", lang));
        let [out, err] = [output.stdout, output.stderr].map(|it| String::from_utf8(it).unwrap());
        let code = output.status.code().unwrap();
        assert!(out.is_empty() || err.is_empty(), "{line}: {out}{err}");
        // A command that prints help exits with 0, and an invalid command exits with 2.
        assert_eq!(out.is_empty(), code == 2, "{line}: {code}");
        printed += &format!("$ balcao {}\n{out}{err}\n", line.escape_debug());
    }
    let config = place.environment().into_iter().find(|(name, _)| *name == "BALCAO_CONFIG_DIR");
    printed.replace(&config.unwrap().1.display().to_string(), "[config]")
}

const HELPS: [&str; 12] = [
    "--help",
    "-h",
    "help",
    "demo --help",
    "sandbox -h",
    "journal verify --help",
    "help journal",
    "data purge --help",
    "requests export --help",
    "requests check --help",
    "contract share --help",
    "contract check -h",
];

const MISTAKES: [&str; 15] = [
    "dmeo",
    "nothing-like-it",
    "journal verfy",
    "journal",
    "journal --lang pt-BR",
    "--profil loja",
    "links list all",
    "links list --json=3",
    "--lang",
    "--vault pocket",
    "--theme dark --theme light",
    "data purge",
    "data purge --before 21/11/2026",
    "sandbox --listen here",
    "--\u{1b}[2J",
];

#[test]
fn the_help_is_in_the_language_of_the_locale() {
    insta::assert_snapshot!("help-pt-BR", printed(&TestHome::new(), PT, &HELPS));
    insta::assert_snapshot!("help-en", printed(&TestHome::new(), "en_US.UTF-8", &HELPS));
}

#[test]
fn a_mistake_is_told() {
    insta::assert_snapshot!("mistakes-pt-BR", printed(&TestHome::new(), PT, &MISTAKES));
}

const COMPLAINTS: [&str; 22] = [
    "",
    "--base-url loja",
    "--base-url ftp://example.com",
    "--base-url http://example.com",
    "--base-url https://ana:pw@example.com",
    "--base-url https://example.com/?a=b",
    "--base-url https://example.com/#a",
    "--base-url http://127.0.0.1:9 --lang klingon",
    "--base-url http://127.0.0.1:9 --theme neon",
    "--profile loja",
    "demo",
    "sandbox --faults nowhere.toml",
    "sandbox --dialect snake_case",
    "demo --dialect espanhol",
    "sandbox --listen 0.0.0.0:0",
    "sandbox --delays",
    "sandbox --from-har nowhere.har",
    "sandbox --from-har nowhere.har --faults faults.toml",
    "sandbox --from-har nowhere.har --dialect centavos --data bank.json",
    "links list --journal nowhere",
    "data purge --before 2999-12-31 --journal .",
    "requests check nowhere.har 12",
];

/// Runs a command line with this configuration file. Returns the output.
fn complaint(file: &str, text: &str, line: &str) -> String {
    let place = TestHome::new();
    place.configure(file, text);
    printed(&place, PT, &[line])
}

#[test]
fn invalid_commands_are_explained() {
    let mut said = printed(&TestHome::new(), PT, &COMPLAINTS);
    let profiles = "[profiles.feira]\n[profiles.ana]\n";
    said += &complaint("config.toml", profiles, "--profile loja");
    said += &complaint("keys.toml", "[lists]\nnwe = ['i']\n", "demo");
    said +=
        &complaint("bank.json", "{}", "sandbox --listen 127.0.0.1:0 --data ../config/bank.json");
    for (file, text) in [("a.har", "{}"), ("b.har", r#"{"log":{"entries":[]}}"#)] {
        said += &complaint(file, text, &format!("sandbox --from-har ../config/{file}"));
    }
    said += &complaint("config.toml", "theem = 'dark'\n", "links list");
    insta::assert_snapshot!("complaints-pt-BR", said);
}

#[test]
fn language_flag_and_file_override_the_locale() {
    let place = TestHome::new();
    let help = |args: &[&str]| {
        let output = run::output(run::command(&place, args).env("LANG", "en_US.UTF-8"));
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(help(&["--help"]).contains("Usage:"));
    assert!(help(&["--lang", "pt-BR", "--help"]).contains("Uso:"));
    assert!(help(&["dmeo", "--lang=pt-BR"]).contains("Você quis dizer demo?"));
    place.configure("config.toml", "lang = 'pt-BR'\n");
    assert!(help(&["--help"]).contains("Uso:"));
    assert!(help(&["--lang", "en", "--help"]).contains("Usage:"));
    // Help must be shown even if the configuration file is invalid.
    place.configure("config.toml", "lnag = 'pt-BR'\n");
    assert!(help(&["--help"]).contains("Usage:"));
}
