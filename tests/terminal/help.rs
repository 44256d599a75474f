//! Tests of the help texts in both languages, and of the messages for invalid commands.

use super::support::place::TestHome;
use super::support::run;

const PT: &str = "pt_BR.UTF-8";

/// Runs each command line, and returns the outputs of all of them. Help must be printed to standard
/// output. Errors must be printed to standard error, with exit code 2.
fn run_command_lines(home: &TestHome, lang: &str, lines: &[&str]) -> String {
    let mut outputs = String::new();
    for line in lines {
        let args: Vec<&str> = line.split_whitespace().collect();
        let output = run::output(run::command(home, &args).env("LANG", lang));
        let [out, err] =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        let code = output.status.code().unwrap();
        assert!(out.is_empty() || err.is_empty(), "{line}: {out}{err}");
        // A command that prints help exits with 0, and an invalid command exits with 2.
        assert_eq!(out.is_empty(), code == 2, "{line}: {code}");
        outputs += &format!("$ balcao {}\n{out}{err}\n", line.escape_debug());
    }
    let config = home
        .environment()
        .into_iter()
        .find(|(name, _)| *name == "BALCAO_CONFIG_DIR");
    outputs.replace(&config.unwrap().1.display().to_string(), "[config]")
}

const HELP_COMMANDS: [&str; 17] = [
    "--help",
    "-h",
    "help",
    "demo --help",
    "sandbox -h",
    "withdrawals list --help",
    "domains list -h",
    "journal verify --help",
    "help journal",
    "data purge --help",
    "team --help",
    "team join --help",
    "help team init",
    "requests export --help",
    "requests check --help",
    "contract share --help",
    "contract check -h",
];

const INVALID_COMMANDS: [&str; 18] = [
    "dmeo",
    "nothing-like-it",
    "journal verfy",
    "journal",
    "journal --lang pt-BR",
    "--profil loja",
    "links list all",
    "links list --json=3",
    "links list --state pending",
    "withdrawals list --since yesterday",
    "charges list --limit 0",
    "--lang",
    "--vault pocket",
    "--theme dark --theme light",
    "data purge",
    "data purge --before 21/11/2026",
    "sandbox --listen here",
    "--\u{1b}[2J",
];

#[test]
fn help_uses_the_language_of_the_locale() {
    insta::assert_snapshot!(
        "help-pt-BR",
        run_command_lines(&TestHome::new(), PT, &HELP_COMMANDS)
    );
    insta::assert_snapshot!(
        "help-en",
        run_command_lines(&TestHome::new(), "en_US.UTF-8", &HELP_COMMANDS)
    );
}

#[test]
fn invalid_command_is_explained() {
    insta::assert_snapshot!(
        "mistakes-pt-BR",
        run_command_lines(&TestHome::new(), PT, &INVALID_COMMANDS)
    );
}

const REFUSED_COMMANDS: [&str; 22] = [
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
fn run_with_file(file: &str, text: &str, line: &str) -> String {
    let home = TestHome::new();
    home.write_config(file, text);
    run_command_lines(&home, PT, &[line])
}

#[test]
fn invalid_commands_are_explained() {
    let mut output = run_command_lines(&TestHome::new(), PT, &REFUSED_COMMANDS);
    let profiles = "[profiles.feira]\n[profiles.ana]\n";
    output += &run_with_file("config.toml", profiles, "--profile loja");
    output += &run_with_file("keys.toml", "[lists]\nnwe = ['i']\n", "demo");
    output += &run_with_file(
        "bank.json",
        "{}",
        "sandbox --listen 127.0.0.1:0 --data ../config/bank.json",
    );
    for (file, text) in [("a.har", "{}"), ("b.har", r#"{"log":{"entries":[]}}"#)] {
        output += &run_with_file(file, text, &format!("sandbox --from-har ../config/{file}"));
    }
    output += &run_with_file("config.toml", "theem = 'dark'\n", "links list");
    insta::assert_snapshot!("complaints-pt-BR", output);
}

#[test]
fn language_flag_and_file_override_the_locale() {
    let home = TestHome::new();
    let help = |args: &[&str]| {
        let output = run::output(run::command(&home, args).env("LANG", "en_US.UTF-8"));
        String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
    };
    assert!(help(&["--help"]).contains("Usage:"));
    assert!(help(&["--lang", "pt-BR", "--help"]).contains("Uso:"));
    assert!(help(&["dmeo", "--lang=pt-BR"]).contains("Você quis dizer demo?"));
    home.write_config("config.toml", "lang = 'pt-BR'\n");
    assert!(help(&["--help"]).contains("Uso:"));
    assert!(help(&["--lang", "en", "--help"]).contains("Usage:"));
    // Help must be shown even if the configuration file is invalid.
    home.write_config("config.toml", "lnag = 'pt-BR'\n");
    assert!(help(&["--help"]).contains("Usage:"));
}
