//! Tests of the commands that list payment links and withdrawals for scripts. The listed data comes
//! from an earlier run of the app.

use serde_json::Value;

use super::seller::{create_link, log_in_to_demo, paste_jwt, send_withdrawal, start_logged_in};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{self, run_json_lines};

#[test]
fn links_and_withdrawals_are_listed_for_scripts() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Pão de açúcar");
    tui.press("\x1b");
    tui.wait_for("1 link");
    send_withdrawal(&mut tui);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.quit();

    let url = bank.url();
    let links = run_json_lines(&home, &["--base-url", &url, "links", "list", "--json"]);
    assert_eq!(links.len(), 1, "{links:?}");
    assert_eq!(links[0]["url"], bank.ledger().links[0].url.as_str());
    assert_eq!(links[0]["amount"].to_string(), "49.90");
    assert_eq!(links[0]["description"], "Pão de açúcar");
    assert_eq!(links[0]["checkoutDomain"], Value::Null);
    let withdrawals = run_json_lines(
        &home,
        &["--base-url", &url, "withdrawals", "list", "--json"],
    );
    assert_eq!(withdrawals.len(), 1, "{withdrawals:?}");
    assert_eq!(withdrawals[0]["state"], "accepted");
    assert_eq!(withdrawals[0]["amount"].to_string(), "100.00");
    assert_eq!(withdrawals[0]["key"], bank.ledger().payouts[0].key.as_str());

    // The service address may be given without `http://`.
    let address = url.strip_prefix("http://").unwrap();
    let print_list = |list: &str| {
        let output = run::run(&home, &["--base-url", address, list, "list"]);
        String::from_utf8(output.stdout).unwrap()
    };
    let text = print_list("links");
    assert!(text.starts_with("Data e hora"), "{text}");
    assert!(
        text.contains("Pão de açúcar\n") && text.contains("/checkout/link-"),
        "{text}"
    );
    let text = print_list("withdrawals");
    let key = &bank.ledger().payouts[0].key;
    assert!(
        text.starts_with("Data e hora") && text.contains(key.as_str()),
        "{text}"
    );
    assert_eq!(print_list("charges"), "Nenhuma cobrança por aqui ainda\n");
}

#[test]
fn kept_demo_can_be_listed() {
    let home = TestHome::new();
    let kept_dir = home.home_dir().join("kept");
    let kept_dir = kept_dir.to_str().expect("a path");
    let start = Launch::new(&home)
        .args(&["demo", "--keep", kept_dir])
        .start();
    let mut tui = log_in_to_demo(start);
    create_link(&mut tui, "Bolo");
    tui.quit();
    let links = run_json_lines(&home, &["links", "list", "--json", "--journal", kept_dir]);
    assert!(links.len() > 1, "the demo comes with a history: {links:?}");
    assert_eq!(links[0]["description"], "Bolo");
    assert_eq!(links[0]["outcome"], "created");
    let withdrawals = run_json_lines(
        &home,
        &["withdrawals", "list", "--json", "--journal", kept_dir],
    );
    assert_eq!(
        withdrawals.len(),
        6,
        "it comes with withdrawals too: {withdrawals:?}"
    );
    assert!(
        withdrawals
            .iter()
            .all(|withdrawal| withdrawal["open"] == false),
        "{withdrawals:?}"
    );
    let print_links = |options: &[&str]| {
        let list = [options, &["links", "list", "--journal", kept_dir]].concat();
        String::from_utf8(run::run(&home, &list).stdout).unwrap()
    };
    let unicode = print_links(&[]);
    let ascii = print_links(&["--ascii"]);
    assert!(unicode.contains("✓ pago"), "{unicode}");
    assert!(ascii == unicode.replace('✓', "ok"), "{ascii}");
    let charges = run_json_lines(&home, &["charges", "list", "--json", "--journal", kept_dir]);
    assert!(
        charges.iter().any(|charge| charge["pixCode"].is_string()),
        "{charges:?}"
    );

    let restarted = log_in_to_demo(
        Launch::new(&home)
            .args(&["demo", "--keep", kept_dir])
            .start(),
    );
    restarted.wait_for("Bolo");
    restarted.kill();
    assert!(!restarted.wait_exit().success());
    let listed_again = run_json_lines(&home, &["links", "list", "--json", "--journal", kept_dir]);
    assert_eq!(listed_again, links, "a second start changes nothing");
    let listed_again = run_json_lines(
        &home,
        &["withdrawals", "list", "--json", "--journal", kept_dir],
    );
    assert_eq!(listed_again, withdrawals, "the past is made once");
}

/// A list command must not create a journal. A new, empty journal would hide that the old journal
/// was lost.
#[test]
fn list_command_creates_no_journal() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    paste_jwt(&mut tui, &bank);
    create_link(&mut tui, "Bolo");
    tui.quit();
    // Delete the live journal. The app used it because the local server does not prove that it is
    // the sandbox.
    let journal = home.state_dir().join("journal");
    for name in ["money.db", "money.head"] {
        let _ = std::fs::remove_file(journal.join(name));
    }
    let args = ["--base-url", &bank.url(), "withdrawals", "list", "--json"];
    assert_eq!(run_json_lines(&home, &args), Vec::<Value>::new());
    assert!(!journal.join("money.db").exists());
    assert!(!journal.join("money.head").exists());
}

#[test]
fn profile_with_address_is_listed_without_flags() {
    let home = TestHome::new();
    let run_lists = |args: &[&str]| {
        [["links", "list"], ["withdrawals", "list"]].map(|list| {
            let output = run::run(&home, &[args, &list].concat());
            (
                output.status.code(),
                String::from_utf8(output.stderr).unwrap(),
            )
        })
    };
    let success = || [(Some(0), String::new()), (Some(0), String::new())];
    let loja = "[profiles.loja]\nbase-url = 'https://api.example'\n";
    home.write_config("config.toml", loja);
    assert_eq!(run_lists(&["--profile", "loja"]), success());
    assert_eq!(run_lists(&[]), success(), "there is only this one");
    let other = "[profiles.outra]\nbase-url = 'https://other.example'\n";
    home.write_config("config.toml", &format!("profile = 'outra'\n{loja}{other}"));
    assert_eq!(run_lists(&[]), success(), "the file says which");
    // The user has to name a profile, because there are two profiles and no default profile.
    home.write_config("config.toml", &format!("{loja}{other}"));
    for (code, stderr) in run_lists(&[]) {
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.contains("--profile") && stderr.contains("loja, outra"),
            "{stderr}"
        );
    }
    home.write_config("config.toml", "[profiles.loja]\ntitle = 'x'\n");
    for (code, stderr) in run_lists(&["--profile", "loja"]) {
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.contains("[profiles.loja]") && stderr.contains("base-url"),
            "{stderr}"
        );
    }
}
