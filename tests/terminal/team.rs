//! Tests of `balcao team`.

mod needs_tools;

use super::support::place::TestHome;
use super::support::run::{self, run};

/// The service address of the profile. The commands never contact it.
const SERVICE: &str = "https://pay.example";

/// Runs `balcao` with a line of text on standard input for each of `lines`. Returns the exit code,
/// standard output and standard error.
fn run_with_lines(home: &TestHome, args: &[&str], lines: &[&str]) -> (i32, String, String) {
    let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let output = run::output_with_input(&mut run::command(home, args), input);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code().expect("a code"),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn printed_sql_needs_no_server() {
    let home = TestHome::new();
    let args = [
        "team",
        "init",
        "--database",
        "postgres://postgres@db.invalid/loja",
        "--operator",
        "ana",
        "--purger",
        "eva",
        "--print",
    ];
    let output = run(&home, &args);
    assert!(output.status.success(), "{output:?}");
    let sql = String::from_utf8(output.stdout).unwrap();
    assert!(sql.starts_with("--") && sql.ends_with("COMMIT;\n"), "{sql}");
    for part in [
        "CREATE ROLE \"loja_operators\" NOLOGIN;",
        "GRANT \"loja_operators\" TO \"ana\";",
        "GRANT \"loja_purgers\" TO \"eva\";",
    ] {
        assert!(sql.contains(part), "{part}");
    }
}

#[test]
fn unusable_settings_of_a_team_are_explained() {
    let home = TestHome::new();
    home.write_config("config.toml", "[profiles.loja]\ntitle = 'Loja'\n");
    let url = "postgres://ana@db.invalid/loja";
    let join = ["team", "join", "--database", url];
    for (args, config, expected) in [
        (&["team", "check"][..], "", "não está em nenhuma equipe"),
        (&["team", "leave"], "", "não está em nenhuma equipe"),
        (&join, "", "base-url em [profiles.loja]"),
        (
            &["team", "join"],
            "base-url = 'https://pay.example'",
            "--database postgres://",
        ),
        (
            &join,
            "base-url = 'https://pay.example'\nvault = 'memory'",
            "--password-stdin",
        ),
        (
            &["team", "join", "--database", "postgres://ana:canario@db/x"],
            "base-url = 'https://pay.example'",
            "a senha não vai no endereço",
        ),
        (
            &["team", "join", "--database", url, "--ca", "/tmp/ca.pem"],
            "base-url = 'https://pay.example'",
            "pasta de configuração",
        ),
    ] {
        home.write_config("config.toml", &format!("[profiles.loja]\n{config}\n"));
        let output = run(&home, args);
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains(expected), "{args:?}: {text}");
        assert!(!text.contains("canario"), "{text}");
        assert!(!output.status.success(), "{args:?}");
    }
}
