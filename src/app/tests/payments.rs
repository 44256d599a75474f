//! Tests of payment links and domains, and of passing a link's URL on to a buyer.

use super::*;
use crate::app::message::BuyerPage;
use crate::app::message::TaughtContract;
use crate::app::screens::buyer::Buyer;
use crate::app::store::payable::PayableUse;
use crate::app::store::payable_warnings::{self, PayableWarning, url_warnings};
use crate::app::store::story::StoryEvent;

pub const URL: &str = "https://loja.example/checkout/link-7f3k2q";

#[test]
fn link_request_uses_form_values() {
    let mut app = App::logged_in();
    let (ticket, request) = app.submit_link_form();
    assert_eq!(request.amount, brl(4_990));
    assert_eq!(
        (&*request.description, request.domain.clone()),
        ("Boné", None)
    );
    assert_eq!(app.press("Enter Ctrl-S x"), vec![]);
    let effects = app.deliver(link_made(ticket, Ok(link(URL))));
    assert!(
        matches!(&effects[..], [Effect::LoadLinks(_), Effect::Copy(Clip::NewAddress, url)]
        if url.raw() == URL)
    );
    assert!(matches!(app.top(), Layer::Link(_)));
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::Address, URL.into())]
    );
}

#[test]
fn unsaved_link_kept_with_its_address_for_the_run() {
    let mut app = App::logged_in();
    let (ticket, request) = app.submit_link_form();
    let unsaved = PaymentLink {
        request: request.clone(),
        ..link(URL)
    };
    let saved = PaymentLink {
        outcome: LinkOutcome::Unknown,
        ..unsaved.clone()
    };
    app.deliver(Msg::NotSaved(Box::new(Sale::Link(unsaved.clone()))));
    let effects = app.deliver(link_made(ticket, Ok(unsaved.clone())));
    let [Effect::LoadLinks(request), Effect::Copy(..)] = &effects[..] else {
        panic!("{effects:?}")
    };
    // The history database still has the link with an unknown outcome, so the day's total does not
    // include it.
    let rows = ListPage {
        rows: [saved.clone()].into(),
        total: Some(1),
        first: 0,
    };
    let day = DayTotal {
        starts: Wall(0),
        count: 1,
        sum: brl(100),
        paid: brl(0),
    };
    let totals = ListTotals {
        total: 1,
        days: vec![day.clone()],
        ..ListTotals::default()
    };
    let rows = SalesPage {
        page: rows,
        totals: None,
    };
    app.deliver(Msg::LinksLoaded {
        ticket: request.ticket,
        result: Ok(rows),
    });
    app.deliver(Msg::SalesCounted {
        ticket: request.ticket,
        result: Ok(totals),
    });
    app.press("Esc");
    assert_eq!(
        &app.model.links.list.page.rows[..],
        std::slice::from_ref(&unsaved)
    );
    let total = DayTotal {
        count: 2,
        sum: brl(100 + 4_990),
        ..day
    };
    assert_eq!(app.model.links.totals().unwrap().days, [total]);
    assert_eq!(
        app.press("y"),
        vec![Effect::Copy(Clip::Address, URL.into())]
    );
    // A row with the same id but another creation time is a different link.
    let ticket = app.last_ticket().next();
    app.press("r");
    let other = PaymentLink {
        at: Wall(7),
        ..saved
    };
    let rows = ListPage {
        rows: [other.clone()].into(),
        total: Some(1),
        first: 0,
    };
    app.deliver(Msg::LinksLoaded {
        ticket,
        result: Ok(SalesPage {
            page: rows,
            ..SalesPage::default()
        }),
    });
    assert_eq!(
        &app.model.links.list.page.rows[..],
        std::slice::from_ref(&other)
    );
    // The unsaved link stays in the list, even if the history database cannot be read.
    let ticket = app.last_ticket().next();
    app.press("r");
    let result = Err(JournalTrouble::Full("disk".into()));
    app.deliver(Msg::LinksLoaded { ticket, result });
    assert_eq!(app.model.links.list.page.rows[..], [unsaved, other]);
}

#[test]
fn enter_moves_through_fields_then_submits() {
    let mut app = App::logged_in();
    app.press("n");
    app.type_text("4990");
    app.press("Enter");
    app.type_text("Boné");
    assert_eq!(app.press("Enter Enter"), vec![]);
    assert!(matches!(app.press("Enter")[..], [Effect::MakeLink { .. }]));
}

#[test]
fn link_request_names_chosen_domain_unless_automatic() {
    let mut app = App::logged_in();
    app.press("2 Down Enter");
    assert_eq!(shown_notice(&app), Some(&Notice::DomainChosen));
    let (_, request) = app.submit_link_form();
    assert_eq!(request.domain, Some("loja.example".into()));
    let mut app = App::logged_in();
    app.press("2 Down Enter Up Enter");
    assert_eq!(app.submit_link_form().1.domain, None);
}

#[test]
fn open_link_form_takes_the_list_when_it_arrives() {
    let mut app = App::new();
    app.deliver(Msg::CredentialsRead {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: credential(SELLER),
        jwt: credential("seller-1"),
    });
    let first_ticket = app.last_ticket();
    app.press("n");
    let deliver_domains = |app: &mut App, ticket: Ticket, hosts: &[&str]| {
        let domain = |host: &&str| CheckoutDomain {
            host: (*host).into(),
            state: DomainState::Active,
            is_default: false,
        };
        let result = Ok(hosts.iter().map(domain).collect::<Vec<_>>().into());
        app.deliver(Msg::DomainsListed { ticket, result });
        let Layer::NewLink(new) = app.top() else {
            panic!()
        };
        (new.domains.len(), new.sent.form.value("domain"))
    };
    assert_eq!(
        deliver_domains(&mut app, first_ticket, &["a.example", "b.example"]),
        (3, "".into())
    );
    // The app also learns which domain was chosen in an earlier run.
    app.deliver(Msg::DomainRead(Some("b.example".into())));
    app.press("Tab Tab Left");
    app.deliver(Msg::Story(StoryEvent::DomainsMoved));
    let chosen = "a.example".to_owned();
    let ticket = app.last_ticket();
    assert_eq!(
        deliver_domains(&mut app, ticket, &["c.example", "b.example", "a.example"]),
        (4, chosen.clone())
    );
    // The seller's choice is kept in the form, even if the service no longer lists that domain.
    app.deliver(Msg::Story(StoryEvent::DomainsMoved));
    let ticket = app.last_ticket();
    assert_eq!(
        deliver_domains(&mut app, ticket, &["b.example"]),
        (3, chosen)
    );
}

#[test]
fn repeated_link_form_is_filled_in() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    // The key works both in the list and on the details page.
    for keys in ["d", "Enter d"] {
        let mut app = App::with_model(app.model.clone());
        app.press(keys);
        let effects = app.press("Ctrl-S");
        let [Effect::MakeLink { request, .. }] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert_eq!(*request, link(URL).request);
    }
}

#[test]
fn refusal_keeps_typed_text() {
    let mut app = App::logged_in();
    let (ticket, _) = app.submit_link_form();
    let refusal = Refusal {
        status: 400,
        message: Some("Domínio de checkout obrigatório.".into()),
        hint: None,
        retry_after: None,
    };
    let failure = Failure::Refused(refusal);
    app.deliver(link_made(ticket, Err(failure.clone())));
    let Layer::NewLink(new) = app.top() else {
        panic!()
    };
    assert_eq!(
        (new.sent.failure.clone(), new.sent.wait),
        (Some(failure), None)
    );
    assert_eq!(new.sent.form.value("description"), "Boné");
}

#[test]
fn refusal_with_200_says_the_link_does_not_exist() {
    let said = Refusal {
        status: 200,
        message: Some("Sem saldo".into()),
        hint: None,
        retry_after: None,
    };
    for (failure, is_created) in [
        (Failure::Refused(said.clone()), "O link não foi criado."),
        (Failure::Contradicted(said), "O link pode ter sido criado."),
    ] {
        let mut app = App::logged_in();
        let (ticket, _) = app.submit_link_form();
        app.deliver(link_made(ticket, Err(failure)));
        let page = format!("{:?}", chrome::page(&app.model, app.model.size).items);
        assert!(
            page.contains("Sem saldo") && page.contains(is_created),
            "{page}"
        );
    }
}

fn unreadable_reply(can_be_taught: bool) -> Failure {
    let expected_settings = vec!["create_link.url".into()];
    Failure::Unreadable {
        status: 201,
        expected_settings,
        can_be_taught,
        body: "{}".into(),
    }
}

#[test]
fn taught_address_opens_page_of_same_link() {
    let mut app = App::logged_in();
    let (ticket, request) = app.submit_link_form();
    let reply = exchange(
        Operation::CreateLink,
        201,
        r#"{"ir":"https://loja.example/x"}"#,
    );
    app.deliver_exchange(reply.clone());
    app.deliver(link_made(ticket, Err(unreadable_reply(true))));
    let effects = app.press("Ctrl-T Enter Enter");
    let [
        Effect::Teach {
            ticket: teach_ticket,
            lines,
            exchange,
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(
        **exchange,
        Exchange {
            id: exchange.id,
            ..reply
        }
    );
    let contract = Arc::new(app.model.setup.contract.with_taught(lines).unwrap());
    let result = Ok(TaughtContract {
        contract,
        agreed: None,
        file: None,
    });
    app.deliver(Msg::Taught {
        ticket: *teach_ticket,
        result,
    });
    // The reply has not been read again with the corrected API contract yet. Until then, the form
    // warns that the link may exist.
    let Layer::NewLink(new) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(new.sent.failure, Some(unreadable_reply(true)));
    let new_link = PaymentLink {
        request,
        ..link(URL)
    };
    let effects = app.deliver(link_made(ticket, Ok(new_link)));
    assert!(
        matches!(effects[..], [Effect::LoadLinks(_), Effect::Copy(..)]),
        "{effects:?}"
    );
    assert!(matches!(app.top(), Layer::Link(_)), "{:?}", app.top());
}

#[test]
fn reply_without_address_does_not_offer_teaching() {
    let mut app = App::logged_in();
    let (ticket, _) = app.submit_link_form();
    app.deliver_exchange(exchange(Operation::CreateLink, 201, "{}"));
    app.deliver(link_made(ticket, Err(unreadable_reply(false))));
    assert!(!app.offers(Action::Teach));
}

#[test]
fn refused_jwt_fixed_in_place_and_same_link_resent() {
    let mut app = App::logged_in();
    let (ticket, request) = app.submit_link_form();
    app.deliver(link_made(ticket, Err(unauthorized(CredentialKind::Jwt))));
    assert!(matches!(app.top(), Layer::Jwt(_)));
    app.deliver(Msg::SecretEdited {
        slot: "jwt/token".into(),
        len: 300,
    });
    app.press("Enter");
    let ticket = app.last_ticket();
    app.deliver(Msg::JwtKept {
        ticket,
        result: Ok(credential("seller-1")),
    });
    // The form mentions the new JWT, and no longer shows that the old JWT was refused.
    let screen_text = |app: &App| {
        let items = chrome::page(&app.model, app.model.size).items;
        items
            .iter()
            .map(|item| format!("{item:?}"))
            .collect::<String>()
    };
    assert!(
        screen_text(&app).contains("Você recebeu um JWT novo"),
        "{}",
        screen_text(&app)
    );
    assert!(
        !screen_text(&app).contains("não aceitou"),
        "{}",
        screen_text(&app)
    );
    let effects = app.press("Ctrl-S");
    let [
        Effect::MakeLink {
            request: resent, ..
        },
    ] = &effects[..]
    else {
        panic!("{effects:?}")
    };
    assert_eq!(*resent, request);
}

#[test]
fn without_its_credential_a_link_is_not_sent() {
    let mut app = App::logged_in();
    app.model.session.jwt = Credential::Absent;
    app.fill_link_form();
    assert_eq!(app.press("Ctrl-S"), vec![]);
    let Layer::Jwt(jwt) = app.top() else { panic!() };
    assert_eq!(
        jwt.sent.failure,
        Some(Failure::NoCredential(CredentialKind::Jwt))
    );
}

#[test]
fn cancelled_link_unknown_late_answer_reloads_list() {
    let mut app = App::logged_in();
    let (ticket, _) = app.submit_link_form();
    let effects = app.press("Esc");
    assert!(matches!(effects[..], [Effect::Cancel(t), Effect::LoadLinks(_)] if t == ticket));
    let Layer::NewLink(new) = app.top() else {
        panic!()
    };
    assert_eq!(new.sent.failure, Some(Failure::NoAnswer(NoAnswer::Left)));
    let effects = app.deliver(link_made(ticket, Ok(link(URL))));
    assert!(matches!(effects[..], [Effect::LoadLinks(_)]));
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn inactive_listed_domain_reported_as_inactive_host() {
    let mut app = App::logged_in();
    let domain = |host: &str, state| CheckoutDomain {
        host: host.into(),
        state,
        is_default: false,
    };
    let domains = vec![
        domain("pronto.example", DomainState::Active),
        domain("parado.example", DomainState::Pending(None)),
        // If the service lists a domain twice, the first entry counts.
        domain("https://pronto.example/", DomainState::Pending(None)),
    ];
    app.model.domains.listed = Some(domains.into());
    let warnings = |host: &str| url_warnings(&app.model, &link(&format!("https://{host}/x")));
    assert_eq!(warnings("pronto.example"), []);
    assert_eq!(warnings("PARADO.example"), [PayableWarning::InactiveHost]);
    assert_eq!(warnings("outro.example"), [PayableWarning::UnknownHost]);
    // If no list has arrived, the domain that was chosen for the link is the only known domain.
    app.model.domains.listed = None;
    assert_eq!(url_warnings(&app.model, &link(URL)), []);
    let url = "https://outro.example/x".into();
    let mut other = link("https://outro.example/x");
    assert_eq!(
        url_warnings(&app.model, &other),
        [PayableWarning::UnknownHost]
    );
    other.request.domain = None;
    assert_eq!(url_warnings(&app.model, &other), []);
    assert_eq!(
        payable_warnings::url_warnings_of(&app.model, &url, None),
        []
    );
}

#[test]
fn address_with_masked_secret_is_not_shared() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/?t=\u{FDEF}")]);
    for key in ["y", "Y", "W", "o", "Q"] {
        assert_eq!(app.press(key), vec![], "{key}");
        assert_eq!(
            shown_notice(&app),
            Some(&Notice::NotCopied(CopyTrouble::Masked)),
            "{key}"
        );
        assert!(app.model.layers.is_empty());
    }
}

#[test]
fn odd_address_is_shared_only_after_question() {
    let mut app = App::logged_in();
    let cases: [(&str, &[PayableWarning]); 17] = [
        (URL, &[]),
        ("https://LOJA.example/x", &[]),
        (
            "not an address",
            &[PayableWarning::NotAnAddress, PayableWarning::ShellSigns],
        ),
        ("mailto:ana@loja.example", &[PayableWarning::NotAnAddress]),
        ("https://ana@loja.example/x", &[PayableWarning::UserInfo]),
        ("https://:pw@loja.example/x", &[PayableWarning::UserInfo]),
        ("http://loja.example/x", &[PayableWarning::Http]),
        (
            "https://10.0.0.1/x",
            &[PayableWarning::IpLiteral, PayableWarning::UnknownHost],
        ),
        (
            "https://[2001:db8::1]/x",
            &[PayableWarning::IpLiteral, PayableWarning::UnknownHost],
        ),
        ("http://127.0.0.1:8787/x", &[PayableWarning::UnknownHost]),
        ("https://api.example/checkout/x", &[PayableWarning::ApiHost]),
        ("https://evil.example/x", &[PayableWarning::UnknownHost]),
        ("https://loja.example/x y", &[PayableWarning::ShellSigns]),
        (
            "https://loja.example/x\u{a0}",
            &[PayableWarning::ShellSigns],
        ),
        ("https://loja.example/$(id)", &[PayableWarning::ShellSigns]),
        (
            "https://loja.example/x;id|sh",
            &[PayableWarning::ShellSigns],
        ),
        // These characters are common in URLs, though a shell interprets some of them.
        ("https://loja.example/~ana/x?a=1&b=%20+[2],@#top", &[]),
    ];
    for (url, warnings) in cases {
        assert_eq!(url_warnings(&app.model, &link(url)), warnings, "{url}");
        app.load_links(vec![link(url)]);
        let effects = app.press("y");
        if warnings.is_empty() {
            assert_eq!(effects, vec![Effect::Copy(Clip::Address, url.into())]);
        } else {
            assert_eq!(effects, vec![], "{url}");
            assert_eq!(
                app.press("Enter y Tab Enter"),
                vec![Effect::Copy(Clip::Address, url.into())]
            );
            // The other ways of sharing the URL need a confirmation, too.
            let message = Untrusted::from(format!("Boné\nR$ 49,90\n{url}"));
            assert_eq!(app.press("Y"), vec![], "{url}");
            assert_eq!(
                app.press("Enter Y Tab Enter"),
                vec![Effect::Copy(Clip::Message, message)]
            );
            assert_eq!(app.press("W"), vec![], "{url}");
            let effects = app.press("Enter W Tab Enter");
            assert!(
                matches!(&effects[..], [Effect::Browse(share)]
                    if share.raw().starts_with("https://wa.me/?text=Bon%C3%A9%0AR%24")),
                "{effects:?}"
            );
            assert_eq!(app.press("o"), vec![], "{url}");
            assert_eq!(
                app.press("Enter o Tab Enter"),
                vec![Effect::Browse(url.into())]
            );
            assert_eq!(app.press("Q"), vec![], "{url}");
            assert!(matches!(app.top(), Layer::Dialog(_)), "{url}");
            assert_eq!(app.press("Enter Q Tab Enter"), vec![]);
            assert!(matches!(app.top(), Layer::Qr(shown) if shown.code.text.raw() == url));
            assert_eq!(app.press("y"), vec![], "{url}: asked here too");
            assert_eq!(app.press("Esc Esc"), vec![]);
        }
    }
}

#[test]
fn odd_address_asks_from_qr_or_buyer_page() {
    let odd_url = "https://evil.example/x";
    let mut app = App::logged_in();
    app.load_links(vec![link(odd_url)]);
    app.press("Q Tab Enter");
    assert!(matches!(app.top(), Layer::Qr(_)));
    assert_eq!(app.press("y"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
    for (url, asks) in [(odd_url, true), ("https://loja.example/\u{202e}x", false)] {
        let mut app = App::logged_in();
        let buyer = Buyer {
            url: url.into(),
            page: None,
            wait: None,
        };
        app.model.layers.push(Layer::Buyer(Box::new(buyer)));
        assert_eq!(app.press("y"), vec![]);
        assert_eq!(matches!(app.top(), Layer::Dialog(_)), asks);
    }
}

#[test]
fn unclean_address_is_not_copied_shared_or_opened() {
    for url in [
        "https://loja.example/\u{202e}x",
        "https://loja.example/\n",
        "https://l\u{200b}.x/",
    ] {
        let mut app = App::logged_in();
        app.load_links(vec![link(url)]);
        for key in ["y", "Y", "W", "o", "Q"] {
            assert_eq!(app.press(key), vec![], "{key}");
            assert_eq!(
                shown_notice(&app),
                Some(&Notice::NotCopied(CopyTrouble::NotClean)),
                "{key}"
            );
            assert!(app.model.layers.is_empty());
        }
    }
}

#[test]
fn message_contains_text_amount_and_address() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    assert_eq!(
        app.press("Y"),
        vec![Effect::Copy(
            Clip::Message,
            format!("Boné\nR$ 49,90\n{URL}").into()
        )]
    );
    assert_eq!(app.press("o"), vec![Effect::Browse(URL.into())]);
    assert_eq!(
        app.press("Q y"),
        vec![Effect::Copy(Clip::Address, URL.into())]
    );
}

#[test]
fn link_without_address_cannot_be_shared() {
    let mut app = App::logged_in();
    let mut lost = link(URL);
    lost.outcome = LinkOutcome::Unknown;
    app.load_links(vec![lost]);
    assert_eq!(app.press("y Y W o Q"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn address_spaces_shown_and_shell_signs_listed() {
    let marked = |text: &str| payable_warnings::mark_unsafe_characters(&text.into()).shown();
    assert_eq!(
        marked("https://loja.example/a b\u{a0}c"),
        "https://loja.example/a␣b␣c"
    );
    assert_eq!(marked(URL), URL);
    let message = "Boné azul\nR$ 49,90\nhttps://loja.example/a b";
    assert_eq!(
        marked(message),
        "Boné azul␊R$ 49,90␊https://loja.example/a␣b"
    );
    assert_eq!(payable_warnings::shell_characters(&message.into()), "␣");
    assert_eq!(
        payable_warnings::shell_characters(&"https://loja.example/;$(id); x".into()),
        "; $ ( ) ␣"
    );
}

#[test]
fn buyers_view_only_in_demo_and_pay_only_if_unpaid() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    app.model.setup.labels = [Item::new(Command::BuyersView, "buyer")]
        .into_iter()
        .collect();
    assert_eq!(app.press("Ctrl-K Enter Esc"), vec![]);
    app.model.setup.demo = Some(DemoSetup::default());
    assert!(matches!(
        app.press("Ctrl-K Enter")[..],
        [Effect::Buyer { pay: false, .. }]
    ));
    let ticket = app.last_ticket();
    assert_eq!(app.press("Enter"), vec![]);
    for (paid, offered) in [(false, true), (true, false)] {
        let page = BuyerPage::Open {
            host: "loja.example".into(),
            amount: brl(4_990),
            description: "Boné".into(),
            paid,
        };
        let ticket = if paid { app.last_ticket() } else { ticket };
        app.deliver(Msg::BuyerPage { ticket, page });
        let open = crate::app::ui::action::Action::Open;
        assert_eq!(app.offered_actions().contains(&open), offered);
        let effects = app.press("Enter");
        assert_eq!(
            matches!(effects[..], [Effect::Buyer { pay: true, .. }]),
            offered
        );
    }
}

#[test]
fn buyers_view_uses_link_in_front() {
    let mut app = App::logged_in();
    app.model.setup.demo = Some(DemoSetup::default());
    app.model.setup.labels = [Item::new(Command::BuyersView, "buyer")]
        .into_iter()
        .collect();
    let older = "https://loja.example/checkout/older";
    app.load_links(vec![link(URL), link(older)]);
    let mut buyer_url = |keys: &str| match &app.press(keys)[..] {
        [.., Effect::Buyer { url, .. }] => url.raw().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(buyer_url("Ctrl-K Enter"), URL);
    // The command uses the link under the cursor or the link whose details are shown.
    assert_eq!(buyer_url("Esc j Ctrl-K Enter"), older);
    assert_eq!(buyer_url("Esc Enter Ctrl-K Enter"), older);
    // From another pane, the command uses the newest link.
    assert_eq!(buyer_url("Esc Esc 2 Ctrl-K Enter"), URL);
}

#[test]
fn copy_question_states_its_reasons() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://evil.example/x")]);
    app.press("Y");
    let Layer::Dialog(ask) = app.top() else {
        panic!()
    };
    let Question::UsePayable {
        to: PayableUse::Message,
        payable,
    } = &ask.question
    else {
        panic!()
    };
    assert_eq!(payable.warnings, [PayableWarning::UnknownHost]);
    assert!((ask.buttons.focus == Focus::Back));
}
