//! Tests that each warning or refusal states its real reason.

use super::*;
use crate::app::store::payable_warnings::{PayableWarning, url_warnings};

#[test]
fn address_over_4096_bytes_refused_as_too_long() {
    for (length, trouble) in [(4096, None), (4097, Some(CopyTrouble::NotInFull))] {
        let start = "https://loja.example/";
        let url = format!("{start}{}", "x".repeat(length - start.len()));
        let mut app = App::logged_in();
        app.load_links(vec![link(&url)]);
        for key in ["y", "Y", "o", "Q"] {
            let effects = app.press(key);
            let notice = trouble.clone().map(Notice::NotCopied);
            assert_eq!(app.model.notice, notice, "{key} of {length}");
            assert_eq!(
                effects.is_empty(),
                notice.is_some() || key == "Q",
                "{key} of {length}"
            );
            app.model.layers.clear();
        }
    }
}

#[test]
fn domain_listed_as_an_address_is_known_by_its_host() {
    let mut app = App::logged_in();
    let warnings = |app: &App, chosen: Option<&str>, url: &str| {
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
        assert_eq!(warnings(&app, Some(listed), url), [], "{listed:?} chosen");
        assert_eq!(
            warnings(&app, Some(listed), "https://loja0.example.com.br./x"),
            []
        );
        let host = listed.into();
        let is_default = false;
        let domain = CheckoutDomain {
            host,
            state: DomainState::Active,
            is_default,
        };
        app.model.domains.listed = Some(vec![domain].into());
        assert_eq!(warnings(&app, None, url), [], "{listed:?} listed");
        let other = warnings(
            &app,
            Some(listed),
            "https://loja0.example.com.br.evil.example/",
        );
        assert_eq!(other, [PayableWarning::UnknownHost], "{listed:?}");
    }
    for listed in [
        "https://x@loja0.example.com.br",
        "loja0 .example.com.br",
        "",
        "https://",
    ] {
        app.model.domains.listed = None;
        assert_eq!(
            warnings(&app, Some(listed), url),
            [PayableWarning::UnknownHost],
            "{listed:?}"
        );
    }
}

#[test]
fn non_web_scheme_warns_not_web_instead_of_http() {
    let app = App::logged_in();
    let cases: [(&str, &[PayableWarning]); 5] = [
        ("http://loja.example/x", &[PayableWarning::Http]),
        ("ftp://loja.example/x", &[PayableWarning::NotWeb]),
        ("FTP://loja.example/x", &[PayableWarning::NotWeb]),
        ("ssh://loja.example/x", &[PayableWarning::NotWeb]),
        // Loopback addresses may use `http`, but `ftp` still causes a warning.
        (
            "ftp://127.0.0.1/x",
            &[PayableWarning::NotWeb, PayableWarning::UnknownHost],
        ),
    ];
    for (url, warnings) in cases {
        assert_eq!(url_warnings(&app.model, &link(url)), warnings, "{url}");
    }
}

#[test]
fn fresh_fee_requested_again_by_key() {
    let mut app = App::logged_in();
    app.press("3 n");
    app.type_text("1000");
    let (ticket, _) = app.expect_quote_request();
    let first = quote(brl(1_000), app.now.wall);
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(first),
    });
    assert_eq!(app.pulse_after_ms(12_000), vec![]);
    app.press("Ctrl-R");
    let ticket = app.last_ticket().next();
    assert_eq!(
        app.pulse_after_ms(0),
        vec![Effect::Quote {
            ticket,
            amount: brl(1_000),
            has_probe: true
        }]
    );
    assert!(matches!(app.draft().quote, QuoteState::Asking { .. }));
    // A fee request that is still running is not repeated.
    assert_eq!(app.press("Ctrl-R Ctrl-R"), vec![]);
    assert_eq!(app.pulse_after_ms(0), vec![]);
    let second = quote(brl(1_000), app.now.wall);
    app.deliver(Msg::Quoted {
        ticket,
        result: Ok(second.clone()),
    });
    assert_eq!(app.draft().quote, QuoteState::Arrived(second));
}

fn numbered_exchange(n: usize, operation: Operation, kib: usize) -> Exchange {
    let mut nth = Exchange {
        at: Wall(n as i64),
        ..exchange(operation, 200, "x".repeat(kib * 1024))
    };
    if kib == 0 {
        nth.reply = Err(Failure::NoAnswer(NoAnswer::Cut));
    }
    nth
}

fn kept_count(app: &App, operation: Operation) -> usize {
    app.model
        .exchanges
        .iter()
        .filter(|one| one.operation == operation)
        .count()
}

#[test]
fn withdrawal_exchange_not_evicted_by_refreshes() {
    let mut app = App::with_fixed_frame();
    app.deliver_exchange(numbered_exchange(0, Operation::Withdrawal, 0));
    app.deliver_exchange(numbered_exchange(1, Operation::CreateLink, 0));
    for n in 2..3 * MAX_EXCHANGES {
        let operation = [Operation::FeePreview, Operation::Domains, Operation::Login][n % 3];
        app.deliver_exchange(numbered_exchange(n, operation, 0));
    }
    assert_eq!(app.model.exchanges.len(), MAX_EXCHANGES);
    assert_eq!(kept_count(&app, Operation::Withdrawal), 1);
    assert_eq!(kept_count(&app, Operation::CreateLink), 1);
    // A few large HTTP exchanges do not displace the exchange of the withdrawal.
    for n in 0..10 {
        app.deliver_exchange(numbered_exchange(n, Operation::Domains, 2 * 1024));
    }
    assert_eq!(kept_count(&app, Operation::Withdrawal), 1);
    assert!(kept_count(&app, Operation::Domains) < 5);
}

#[test]
fn withdrawal_exchanges_bounded_and_kept_on_refresh() {
    let mut app = App::with_fixed_frame();
    for n in 0..2 * MAX_EXCHANGES {
        app.deliver_exchange(numbered_exchange(n, Operation::Withdrawal, 0));
    }
    assert_eq!(kept_count(&app, Operation::Withdrawal), MAX_EXCHANGES);
    for n in 0..3 {
        app.deliver_exchange(numbered_exchange(n, Operation::Domains, 0));
        assert_eq!(kept_count(&app, Operation::Withdrawal), MAX_EXCHANGES);
        assert_eq!(
            kept_count(&app, Operation::Domains),
            1,
            "the newest is there to be looked at"
        );
    }
}
