//! Tests that each warning or refusal states its real reason.

use super::*;
use crate::app::store::payable_warnings::{PayableWarning, url_warnings};

#[test]
fn address_over_4096_bytes_refused_as_too_long() {
    for (length, trouble) in [(4096, None), (4097, Some(CopyTrouble::NotInFull))] {
        let start = "https://loja.example/";
        let url = format!("{start}{}", "x".repeat(length - start.len()));
        let mut app = App::open();
        app.has_links(vec![link(&url)]);
        for key in ["y", "Y", "o", "Q"] {
            let wanted = app.keys(key);
            let said = trouble.clone().map(Notice::NotCopied);
            assert_eq!(app.model.notice, said, "{key} of {length}");
            assert_eq!(wanted.is_empty(), said.is_some() || key == "Q", "{key} of {length}");
            app.model.layers.clear();
        }
    }
}

#[test]
fn domain_listed_as_an_address_is_known_by_its_host() {
    let mut app = App::open();
    let odd = |app: &App, chosen: Option<&str>, url: &str| {
        let mut link = link(url);
        link.request.domain = chosen.map(Into::into);
        url_warnings(&app.model, &link)
    };
    let url = "https://loja0.example.com.br/checkout/1";
    let spellings = [
        "https://loja0.example.com.br",
        "http://LOJA0.example.com.br/",
        "loja0.example.com.br/",
        "loja0.example.com.br.",
        "  loja0.example.com.br\n",
        "loja0.example.com.br:8443",
        "https://loja0.example.com.br.:8443/checkout?a=1",
        "//loja0.example.com.br",
    ];
    for listed in spellings {
        app.model.domains.listed = None;
        assert_eq!(odd(&app, Some(listed), url), [], "{listed:?} chosen");
        assert_eq!(odd(&app, Some(listed), "https://loja0.example.com.br./x"), []);
        let (host, is_default) = (listed.into(), false);
        let domain = CheckoutDomain { host, state: DomainState::Active, is_default };
        app.model.domains.listed = Some(vec![domain].into());
        assert_eq!(odd(&app, None, url), [], "{listed:?} listed");
        let other = odd(&app, Some(listed), "https://loja0.example.com.br.evil.example/");
        assert_eq!(other, [PayableWarning::UnknownHost], "{listed:?}");
    }
    for listed in ["https://x@loja0.example.com.br", "loja0 .example.com.br", "", "https://"] {
        app.model.domains.listed = None;
        assert_eq!(odd(&app, Some(listed), url), [PayableWarning::UnknownHost], "{listed:?}");
    }
}

#[test]
fn only_what_is_of_the_web_can_be_encrypted_or_not() {
    let app = App::open();
    let table: [(&str, &[PayableWarning]); 5] = [
        ("http://loja.example/x", &[PayableWarning::Http]),
        ("ftp://loja.example/x", &[PayableWarning::NotWeb]),
        ("FTP://loja.example/x", &[PayableWarning::NotWeb]),
        ("ssh://loja.example/x", &[PayableWarning::NotWeb]),
        // Loopback addresses may use `http`, but `ftp` still causes a warning.
        ("ftp://127.0.0.1/x", &[PayableWarning::NotWeb, PayableWarning::UnknownHost]),
    ];
    for (url, odd) in table {
        assert_eq!(url_warnings(&app.model, &link(url)), odd, "{url}");
    }
}

#[test]
fn fresh_fee_requested_again_by_key() {
    let mut app = App::open();
    app.keys("3 n");
    app.types("1000");
    let (ticket, _) = app.asks_fee();
    let first = quote(brl(1_000), app.now.wall);
    app.tell(Msg::Quoted { ticket, result: Ok(first) });
    assert_eq!(app.rests(12_000), vec![]);
    app.keys("Ctrl-R");
    let ticket = app.ticket().next();
    assert_eq!(app.rests(0), vec![Effect::Quote { ticket, amount: brl(1_000) }]);
    assert!(matches!(app.draft().quote, QuoteState::Asking { .. }));
    // A fee request that is still running is not repeated.
    assert_eq!(app.keys("Ctrl-R Ctrl-R"), vec![]);
    assert_eq!(app.rests(0), vec![]);
    let second = quote(brl(1_000), app.now.wall);
    app.tell(Msg::Quoted { ticket, result: Ok(second.clone()) });
    assert_eq!(app.draft().quote, QuoteState::Shown(second));
}

fn nth(n: usize, operation: Operation, kib: usize) -> Exchange {
    let mut nth =
        Exchange { at: Wall(n as i64), ..exchange(operation, 200, "x".repeat(kib * 1024)) };
    if kib == 0 {
        nth.reply = Err(Failure::NoAnswer(NoAnswer::Cut));
    }
    nth
}

fn kept(app: &App, operation: Operation) -> usize {
    app.model.exchanges.iter().filter(|one| one.operation == operation).count()
}

#[test]
fn withdrawal_exchange_not_evicted_by_refreshes() {
    let mut app = App::in_one_frame();
    app.exchanges(nth(0, Operation::Withdrawal, 0));
    app.exchanges(nth(1, Operation::CreateLink, 0));
    for n in 2..3 * EXCHANGES_KEPT {
        let operation = [Operation::FeePreview, Operation::Domains, Operation::Login][n % 3];
        app.exchanges(nth(n, operation, 0));
    }
    assert_eq!(app.model.exchanges.len(), EXCHANGES_KEPT);
    assert_eq!(kept(&app, Operation::Withdrawal), 1);
    assert_eq!(kept(&app, Operation::CreateLink), 1);
    // A few large HTTP exchanges do not displace the exchange of the withdrawal.
    for n in 0..10 {
        app.exchanges(nth(n, Operation::Domains, 2 * 1024));
    }
    assert_eq!(kept(&app, Operation::Withdrawal), 1);
    assert!(kept(&app, Operation::Domains) < 5);
}

#[test]
fn withdrawal_exchanges_bounded_and_kept_on_refresh() {
    let mut app = App::in_one_frame();
    for n in 0..2 * EXCHANGES_KEPT {
        app.exchanges(nth(n, Operation::Withdrawal, 0));
    }
    assert_eq!(kept(&app, Operation::Withdrawal), EXCHANGES_KEPT);
    for n in 0..3 {
        app.exchanges(nth(n, Operation::Domains, 0));
        assert_eq!(kept(&app, Operation::Withdrawal), EXCHANGES_KEPT);
        assert_eq!(kept(&app, Operation::Domains), 1, "the newest is there to be looked at");
    }
}
