//! Tests of the commands that list payment links and withdrawals for scripts. The listed data comes
//! from an earlier run of the app.

use serde_json::Value;

use super::seller::{at_counter, logged_in, make_link, paste_jwt, send_withdrawal};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Launch;
use super::support::run::{self, json_lines};

#[test]
fn links_and_withdrawals_are_listed_for_scripts() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = at_counter(&place, &bank);
    paste_jwt(&mut tui, &bank);
    make_link(&mut tui, "Pão de açúcar");
    tui.press("\x1b");
    tui.wait_for("1 link");
    send_withdrawal(&mut tui);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.leave();

    let url = bank.url();
    let links = json_lines(&place, &["--base-url", &url, "links", "list", "--json"]);
    assert_eq!(links.len(), 1, "{links:?}");
    assert_eq!(links[0]["url"], bank.ledger().links[0].url.as_str());
    assert_eq!(links[0]["amount"].to_string(), "49.90");
    assert_eq!(links[0]["description"], "Pão de açúcar");
    assert_eq!(links[0]["checkoutDomain"], Value::Null);
    let withdrawals = json_lines(&place, &["--base-url", &url, "withdrawals", "list", "--json"]);
    assert_eq!(withdrawals.len(), 1, "{withdrawals:?}");
    assert_eq!(withdrawals[0]["state"], "accepted");
    assert_eq!(withdrawals[0]["amount"].to_string(), "100.00");
    assert_eq!(withdrawals[0]["key"], bank.ledger().payouts[0].key.as_str());

    // The service address may be given without `http://`.
    let short = url.strip_prefix("http://").unwrap();
    let listed = |list: &str| {
        let output = run::run(&place, &["--base-url", short, list, "list"]);
        String::from_utf8(output.stdout).unwrap()
    };
    let text = listed("links");
    assert!(text.starts_with("Data e hora"), "{text}");
    assert!(text.contains("Pão de açúcar\n") && text.contains("/checkout/link-"), "{text}");
    let text = listed("withdrawals");
    let key = &bank.ledger().payouts[0].key;
    assert!(text.starts_with("Data e hora") && text.contains(key.as_str()), "{text}");
    assert_eq!(listed("charges"), "Nenhuma cobrança por aqui ainda\n");
}

#[test]
fn a_demo_that_was_kept_can_be_listed() {
    let place = TestHome::new();
    let kept = place.home().join("kept");
    let kept = kept.to_str().expect("a path");
    let start = Launch::new(&place).args(&["demo", "--keep", kept]).start();
    let mut tui = logged_in(start);
    make_link(&mut tui, "Bolo");
    tui.leave();
    let links = json_lines(&place, &["links", "list", "--json", "--journal", kept]);
    assert!(links.len() > 1, "the demo comes with a history: {links:?}");
    assert_eq!(links[0]["description"], "Bolo");
    assert_eq!(links[0]["outcome"], "created");
    let paid = json_lines(&place, &["withdrawals", "list", "--json", "--journal", kept]);
    assert_eq!(paid.len(), 6, "it comes with withdrawals too: {paid:?}");
    assert!(paid.iter().all(|withdrawal| withdrawal["open"] == false), "{paid:?}");
    let drawn = |look: &[&str]| {
        let list = [look, &["links", "list", "--journal", kept]].concat();
        String::from_utf8(run::run(&place, &list).stdout).unwrap()
    };
    let (all, plain) = (drawn(&[]), drawn(&["--ascii"]));
    assert!(all.contains("✓ pago"), "{all}");
    assert!(plain == all.replace('✓', "ok"), "{plain}");
    let charges = json_lines(&place, &["charges", "list", "--json", "--journal", kept]);
    assert!(charges.iter().any(|charge| charge["pixCode"].is_string()), "{charges:?}");

    let again = logged_in(Launch::new(&place).args(&["demo", "--keep", kept]).start());
    again.wait_for("Bolo");
    again.kill();
    assert!(!again.wait_exit().success());
    let same = json_lines(&place, &["links", "list", "--json", "--journal", kept]);
    assert_eq!(same, links, "a second start changes nothing");
    let same = json_lines(&place, &["withdrawals", "list", "--json", "--journal", kept]);
    assert_eq!(same, paid, "the past is made once");
}

/// A list command must not create a journal. A new, empty journal would hide that the old journal
/// was lost.
#[test]
fn listing_makes_no_journal() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = at_counter(&place, &bank);
    paste_jwt(&mut tui, &bank);
    make_link(&mut tui, "Bolo");
    tui.leave();
    // Delete the live journal. The app used it because the local server does not prove that it is
    // the sandbox.
    let journal = place.state().join("journal");
    for name in ["money.db", "money.head"] {
        let _ = std::fs::remove_file(journal.join(name));
    }
    let args = ["--base-url", &bank.url(), "withdrawals", "list", "--json"];
    assert_eq!(json_lines(&place, &args), Vec::<Value>::new());
    assert!(!journal.join("money.db").exists());
    assert!(!journal.join("money.head").exists());
}

#[test]
fn profile_with_address_is_listed_without_flags() {
    let place = TestHome::new();
    let listed = |args: &[&str]| {
        [["links", "list"], ["withdrawals", "list"]].map(|list| {
            let output = run::run(&place, &[args, &list].concat());
            (output.status.code(), String::from_utf8(output.stderr).unwrap())
        })
    };
    let good = || [(Some(0), String::new()), (Some(0), String::new())];
    let loja = "[profiles.loja]\nbase-url = 'https://api.example'\n";
    place.configure("config.toml", loja);
    assert_eq!(listed(&["--profile", "loja"]), good());
    assert_eq!(listed(&[]), good(), "there is only this one");
    let other = "[profiles.outra]\nbase-url = 'https://other.example'\n";
    place.configure("config.toml", &format!("profile = 'outra'\n{loja}{other}"));
    assert_eq!(listed(&[]), good(), "the file says which");
    // The user has to name a profile, because there are two profiles and no default profile.
    place.configure("config.toml", &format!("{loja}{other}"));
    for (code, said) in listed(&[]) {
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("--profile") && said.contains("loja, outra"), "{said}");
    }
    place.configure("config.toml", "[profiles.loja]\ntitle = 'x'\n");
    for (code, said) in listed(&["--profile", "loja"]) {
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains("[profiles.loja]") && said.contains("base-url"), "{said}");
    }
}
