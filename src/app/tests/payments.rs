//! Tests of payment links, direct payments and domains, and of passing a link's URL on to a buyer.

use super::*;
use crate::app::message::BuyerPage;
use crate::app::message::TaughtContract;
use crate::app::screens::buyer::Buyer;
use crate::app::store::payable::PayableUse;
use crate::app::store::payable_warnings::{self, PayableWarning, url_warnings};
use crate::app::store::story::StoryEvent;

pub const URL: &str = "https://loja.example/checkout/link-7f3k2q";

#[test]
fn a_link_is_asked_for_with_what_stands_in_the_form() {
    let mut app = App::open();
    let (ticket, request) = app.asks_for_link();
    assert_eq!(request.amount, brl(4_990));
    assert_eq!((&*request.description, request.domain.clone()), ("Boné", None));
    assert_eq!(app.keys("Enter Ctrl-S x"), vec![]);
    let wanted = app.tell(Msg::LinkMade { ticket, result: Ok(link(URL)) });
    assert!(matches!(&wanted[..], [Effect::LoadLinks(_), Effect::Copy(Clip::NewAddress, url)]
        if url.raw() == URL));
    assert!(matches!(app.top(), Layer::Link(_)));
    assert_eq!(app.keys("y"), vec![Effect::Copy(Clip::Address, URL.into())]);
}

#[test]
fn unsaved_link_kept_with_its_address_for_the_run() {
    let mut app = App::open();
    let (ticket, request) = app.asks_for_link();
    let made = PaymentLink { request: request.clone(), ..link(URL) };
    let as_saved = PaymentLink { outcome: LinkOutcome::Unknown, ..made.clone() };
    app.tell(Msg::NotSaved(Box::new(Sale::Link(made.clone()))));
    let wanted = app.tell(Msg::LinkMade { ticket, result: Ok(made.clone()) });
    let [Effect::LoadLinks(ask), Effect::Copy(..)] = &wanted[..] else { panic!("{wanted:?}") };
    // The history database still has the link with an unknown outcome, so the day's total does not
    // include it.
    let rows = ListPage { rows: [as_saved.clone()].into(), total: Some(1), first: 0 };
    let day = DayTotal { starts: Wall(0), count: 1, sum: brl(100), paid: brl(0) };
    let totals = LinkTotals { total: 1, days: vec![day.clone()], ..LinkTotals::default() };
    let rows = LinksRead { page: rows, totals: None };
    app.tell(Msg::LinksLoaded { ticket: ask.ticket, result: Ok(rows) });
    app.tell(Msg::LinksCounted { ticket: ask.ticket, result: Ok(totals) });
    app.keys("Esc");
    assert_eq!(&app.model.links.list.page.rows[..], std::slice::from_ref(&made));
    let total = DayTotal { count: 2, sum: brl(100 + 4_990), ..day };
    assert_eq!(app.model.links.totals().unwrap().days, [total]);
    assert_eq!(app.keys("y"), vec![Effect::Copy(Clip::Address, URL.into())]);
    // A row with the same id but another creation time is a different link.
    let ticket = app.ticket().next();
    app.keys("r");
    let other = PaymentLink { at: Wall(7), ..as_saved };
    let rows = ListPage { rows: [other.clone()].into(), total: Some(1), first: 0 };
    app.tell(Msg::LinksLoaded {
        ticket,
        result: Ok(LinksRead { page: rows, ..LinksRead::default() }),
    });
    assert_eq!(&app.model.links.list.page.rows[..], std::slice::from_ref(&other));
    // The unsaved link stays in the list, even if the history database cannot be read.
    let ticket = app.ticket().next();
    app.keys("r");
    let result = Err(JournalTrouble::Full("disk".into()));
    app.tell(Msg::LinksLoaded { ticket, result });
    assert_eq!(app.model.links.list.page.rows[..], [made, other]);
}

#[test]
fn enter_walks_the_fields_and_submits_behind_the_last() {
    let mut app = App::open();
    app.keys("n");
    app.types("4990");
    app.keys("Enter");
    app.types("Boné");
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(matches!(app.keys("Enter")[..], [Effect::MakeLink { .. }]));
}

#[test]
fn link_request_names_chosen_domain_unless_automatic() {
    let mut app = App::open();
    app.keys("2 Down Enter");
    assert_eq!(said(&app), Some(&Notice::DomainChosen));
    let (_, request) = app.asks_for_link();
    assert_eq!(request.domain, Some("loja.example".into()));
    let mut app = App::open();
    app.keys("2 Down Enter Up Enter");
    assert_eq!(app.asks_for_link().1.domain, None);
}

#[test]
fn open_link_form_takes_the_list_when_it_arrives() {
    let mut app = App::closed();
    app.tell(Msg::CredentialsRead {
        vault_status: VaultStatus::Kept(VaultKind::Keyring),
        api_token: held(SELLER),
        jwt: held("seller-1"),
    });
    app.keys("n");
    let arrives = |app: &mut App, hosts: &[&str]| {
        let listed = |host: &&str| CheckoutDomain {
            host: (*host).into(),
            state: DomainState::Active,
            is_default: false,
        };
        let (ticket, result) = (app.ticket(), Ok(hosts.iter().map(listed).collect()));
        app.tell(Msg::DomainsListed { ticket, result });
        let Layer::NewLink(new) = app.top() else { panic!() };
        (new.domains.len(), new.sent.form.value("domain"))
    };
    assert_eq!(arrives(&mut app, &["a.example", "b.example"]), (3, "".into()));
    // The domain that was chosen in an earlier run of the program arrives, too.
    app.tell(Msg::DomainRead(Some("b.example".into())));
    app.keys("Tab Tab Left");
    app.tell(Msg::Story(StoryEvent::DomainsMoved));
    let chosen = "a.example".to_owned();
    assert_eq!(arrives(&mut app, &["c.example", "b.example", "a.example"]), (4, chosen.clone()));
    // The seller's choice is kept in the form, even if the service no longer lists that domain.
    app.tell(Msg::Story(StoryEvent::DomainsMoved));
    assert_eq!(arrives(&mut app, &["b.example"]), (3, chosen));
}

#[test]
fn the_same_link_again_has_everything_filled_in() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    // The key works both in the list and on the details page.
    for keys in ["d", "Enter d"] {
        let mut app = App::at(app.model.clone());
        app.keys(keys);
        let wanted = app.keys("Ctrl-S");
        let [Effect::MakeLink { request, .. }] = &wanted[..] else { panic!("{wanted:?}") };
        assert_eq!(*request, link(URL).request);
    }
}

#[test]
fn a_refusal_stays_beside_what_was_typed() {
    let mut app = App::open();
    let (ticket, _) = app.asks_for_link();
    let refusal = Refusal {
        status: 400,
        message: Some("Domínio de checkout obrigatório.".into()),
        hint: None,
    };
    let failure = Failure::Refused(refusal);
    app.tell(Msg::LinkMade { ticket, result: Err(failure.clone()) });
    let Layer::NewLink(new) = app.top() else { panic!() };
    assert_eq!((new.sent.failure.clone(), new.sent.wait), (Some(failure), None));
    assert_eq!(new.sent.form.value("description"), "Boné");
}

fn unread(may_be_taught: bool) -> Failure {
    let looked_for = vec!["create_link.url".into()];
    Failure::Unreadable { status: 201, looked_for, may_be_taught, body: "{}".into() }
}

#[test]
fn taught_address_opens_page_of_same_link() {
    let mut app = App::open();
    let (ticket, request) = app.asks_for_link();
    let reply = exchange(Operation::CreateLink, 201, r#"{"ir":"https://loja.example/x"}"#);
    app.exchanges(reply.clone());
    app.tell(Msg::LinkMade { ticket, result: Err(unread(true)) });
    let wanted = app.keys("Ctrl-T Enter Enter");
    let [Effect::Teach { ticket: taught, lines, exchange }] = &wanted[..] else {
        panic!("{wanted:?}")
    };
    assert_eq!(**exchange, reply);
    let contract = Arc::new(app.model.setup.contract.taught(lines).unwrap());
    let result = Ok(TaughtContract { contract, agreed: None, file: None });
    app.tell(Msg::Taught { ticket: *taught, result });
    // Until the reply has been read again with the corrected API contract, the form warns that the
    // link may exist.
    let Layer::NewLink(new) = app.top() else { panic!("{:?}", app.top()) };
    assert_eq!(new.sent.failure, Some(unread(true)));
    let made = PaymentLink { request, ..link(URL) };
    let wanted = app.tell(Msg::LinkMade { ticket, result: Ok(made) });
    assert!(matches!(wanted[..], [Effect::LoadLinks(_), Effect::Copy(..)]), "{wanted:?}");
    assert!(matches!(app.top(), Layer::Link(_)), "{:?}", app.top());
}

#[test]
fn reply_without_address_does_not_offer_teaching() {
    let mut app = App::open();
    let (ticket, _) = app.asks_for_link();
    app.exchanges(exchange(Operation::CreateLink, 201, "{}"));
    app.tell(Msg::LinkMade { ticket, result: Err(unread(false)) });
    assert!(!app.offers(Action::Teach));
}

#[test]
fn refused_jwt_fixed_in_place_and_same_link_resent() {
    let mut app = App::open();
    let (ticket, request) = app.asks_for_link();
    app.tell(Msg::LinkMade { ticket, result: Err(unauthorized(CredentialKind::Jwt)) });
    assert!(matches!(app.top(), Layer::Jwt(_)));
    app.tell(Msg::SecretEdited { slot: "jwt/token".into(), len: 300 });
    app.keys("Enter");
    let ticket = app.ticket();
    app.tell(Msg::JwtKept { ticket, result: Ok(held("seller-1")) });
    // The form mentions the new JWT, and no longer shows that the old JWT was refused.
    let shown = |app: &App| {
        let items = chrome::page(&app.model, app.model.size).items;
        items.iter().map(|item| format!("{item:?}")).collect::<String>()
    };
    assert!(shown(&app).contains("Agora há um JWT novo"), "{}", shown(&app));
    assert!(!shown(&app).contains("não aceitou"), "{}", shown(&app));
    let wanted = app.keys("Ctrl-S");
    let [Effect::MakeLink { request: again, .. }] = &wanted[..] else { panic!("{wanted:?}") };
    assert_eq!(*again, request);
}

#[test]
fn without_its_credential_a_link_is_not_sent() {
    let mut app = App::open();
    app.model.session.jwt = Credential::Absent;
    app.types_link();
    assert_eq!(app.keys("Ctrl-S"), vec![]);
    let Layer::Jwt(jwt) = app.top() else { panic!() };
    assert_eq!(jwt.sent.failure, Some(Failure::NoCredential(CredentialKind::Jwt)));
}

#[test]
fn cancelled_link_unknown_late_answer_reloads_list() {
    let mut app = App::open();
    let (ticket, _) = app.asks_for_link();
    let wanted = app.keys("Esc");
    assert!(matches!(wanted[..], [Effect::Cancel(t), Effect::LoadLinks(_)] if t == ticket));
    let Layer::NewLink(new) = app.top() else { panic!() };
    assert_eq!(new.sent.failure, Some(Failure::NoAnswer(NoAnswer::Left)));
    let wanted = app.tell(Msg::LinkMade { ticket, result: Ok(link(URL)) });
    assert!(matches!(wanted[..], [Effect::LoadLinks(_)]));
    assert!(matches!(app.top(), Layer::NewLink(_)));
}

#[test]
fn inactive_listed_domain_reported_as_inactive_host() {
    let mut app = App::open();
    let listed = |host: &str, state| CheckoutDomain { host: host.into(), state, is_default: false };
    let domains = vec![
        listed("pronto.example", DomainState::Active),
        listed("parado.example", DomainState::Pending(None)),
        // If the service lists a domain twice, the first entry counts.
        listed("https://pronto.example/", DomainState::Pending(None)),
    ];
    app.model.domains.listed = Some(domains.into());
    let odd = |host: &str| url_warnings(&app.model, &link(&format!("https://{host}/x")));
    assert_eq!(odd("pronto.example"), []);
    assert_eq!(odd("PARADO.example"), [PayableWarning::InactiveHost]);
    assert_eq!(odd("outro.example"), [PayableWarning::UnknownHost]);
    // If no list has arrived, the domain that was chosen for the link is the only known domain.
    app.model.domains.listed = None;
    assert_eq!(url_warnings(&app.model, &link(URL)), []);
    let url = "https://outro.example/x".into();
    let mut other = link("https://outro.example/x");
    assert_eq!(url_warnings(&app.model, &other), [PayableWarning::UnknownHost]);
    other.request.domain = None;
    assert_eq!(url_warnings(&app.model, &other), []);
    assert_eq!(payable_warnings::url_warnings_of(&app.model, &url, None), []);
}

#[test]
fn address_with_a_masked_secret_goes_nowhere() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/?t=…")]);
    for key in ["y", "Y", "W", "o", "Q"] {
        assert_eq!(app.keys(key), vec![], "{key}");
        assert_eq!(said(&app), Some(&Notice::NotCopied(CopyTrouble::Masked)), "{key}");
        assert!(app.model.layers.is_empty());
    }
}

#[test]
fn everything_odd_about_an_address_is_seen() {
    let mut app = App::open();
    let table: [(&str, &[PayableWarning]); 17] = [
        (URL, &[]),
        ("https://LOJA.example/x", &[]),
        ("not an address", &[PayableWarning::NotAnAddress, PayableWarning::ShellSigns]),
        ("mailto:ana@loja.example", &[PayableWarning::NotAnAddress]),
        ("https://ana@loja.example/x", &[PayableWarning::UserInfo]),
        ("https://:pw@loja.example/x", &[PayableWarning::UserInfo]),
        ("http://loja.example/x", &[PayableWarning::Http]),
        ("https://10.0.0.1/x", &[PayableWarning::IpLiteral, PayableWarning::UnknownHost]),
        ("https://[2001:db8::1]/x", &[PayableWarning::IpLiteral, PayableWarning::UnknownHost]),
        ("http://127.0.0.1:8787/x", &[PayableWarning::UnknownHost]),
        ("https://api.example/checkout/x", &[PayableWarning::ApiHost]),
        ("https://evil.example/x", &[PayableWarning::UnknownHost]),
        ("https://loja.example/x y", &[PayableWarning::ShellSigns]),
        ("https://loja.example/x\u{a0}", &[PayableWarning::ShellSigns]),
        ("https://loja.example/$(id)", &[PayableWarning::ShellSigns]),
        ("https://loja.example/x;id|sh", &[PayableWarning::ShellSigns]),
        // These characters are common in URLs, though a shell interprets some of them.
        ("https://loja.example/~ana/x?a=1&b=%20+[2],@#top", &[]),
    ];
    for (url, odd) in table {
        assert_eq!(url_warnings(&app.model, &link(url)), odd, "{url}");
        app.has_links(vec![link(url)]);
        let wanted = app.keys("y");
        if odd.is_empty() {
            assert_eq!(wanted, vec![Effect::Copy(Clip::Address, url.into())]);
        } else {
            assert_eq!(wanted, vec![], "{url}");
            assert_eq!(
                app.keys("Enter y Tab Enter"),
                vec![Effect::Copy(Clip::Address, url.into())]
            );
            // The other ways of sharing the URL need a confirmation, too.
            let message = Untrusted::from(format!("Boné\nR$ 49,90\n{url}"));
            assert_eq!(app.keys("Y"), vec![], "{url}");
            assert_eq!(app.keys("Enter Y Tab Enter"), vec![Effect::Copy(Clip::Message, message)]);
            assert_eq!(app.keys("W"), vec![], "{url}");
            let wanted = app.keys("Enter W Tab Enter");
            assert!(
                matches!(&wanted[..], [Effect::Browse(share)]
                    if share.raw().starts_with("https://wa.me/?text=Bon%C3%A9%0AR%24")),
                "{wanted:?}"
            );
            assert_eq!(app.keys("o"), vec![], "{url}");
            assert_eq!(app.keys("Enter o Tab Enter"), vec![Effect::Browse(url.into())]);
            assert_eq!(app.keys("Q"), vec![], "{url}");
            assert!(matches!(app.top(), Layer::Dialog(_)), "{url}");
            assert_eq!(app.keys("Enter Q Tab Enter"), vec![]);
            assert!(matches!(app.top(), Layer::Qr(shown) if shown.code.text.raw() == url));
            assert_eq!(app.keys("y"), vec![], "{url}: asked here too");
            assert_eq!(app.keys("Esc Esc"), vec![]);
        }
    }
}

#[test]
fn odd_address_asked_about_from_qr_or_buyer_page() {
    let odd = "https://evil.example/x";
    let mut app = App::open();
    app.has_links(vec![link(odd)]);
    app.keys("Q Tab Enter");
    assert!(matches!(app.top(), Layer::Qr(_)));
    assert_eq!(app.keys("y"), vec![]);
    assert!(matches!(app.top(), Layer::Dialog(_)));
    for (url, asks) in [(odd, true), ("https://loja.example/\u{202e}x", false)] {
        let mut app = App::open();
        let buyer = Buyer { url: url.into(), page: None, wait: None };
        app.model.layers.push(Layer::Buyer(Box::new(buyer)));
        assert_eq!(app.keys("y"), vec![]);
        assert_eq!(matches!(app.top(), Layer::Dialog(_)), asks);
    }
}

#[test]
fn unclean_address_is_not_copied_shared_or_opened() {
    for url in ["https://loja.example/\u{202e}x", "https://loja.example/\n", "https://l\u{200b}.x/"]
    {
        let mut app = App::open();
        app.has_links(vec![link(url)]);
        for key in ["y", "Y", "W", "o", "Q"] {
            assert_eq!(app.keys(key), vec![], "{key}");
            assert_eq!(said(&app), Some(&Notice::NotCopied(CopyTrouble::NotClean)), "{key}");
            assert!(app.model.layers.is_empty());
        }
    }
}

#[test]
fn the_message_holds_what_for_how_much_and_where() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    assert_eq!(
        app.keys("Y"),
        vec![Effect::Copy(Clip::Message, format!("Boné\nR$ 49,90\n{URL}").into())]
    );
    assert_eq!(app.keys("o"), vec![Effect::Browse(URL.into())]);
    assert_eq!(app.keys("Q y"), vec![Effect::Copy(Clip::Address, URL.into())]);
}

#[test]
fn without_an_address_nothing_of_it_is_offered() {
    let mut app = App::open();
    let mut lost = link(URL);
    lost.outcome = LinkOutcome::Unknown;
    app.has_links(vec![lost]);
    assert_eq!(app.keys("y Y W o Q"), vec![]);
    assert!(app.model.layers.is_empty());
}

#[test]
fn address_spaces_shown_and_shell_signs_listed() {
    let marked = |text: &str| payable_warnings::marked(&text.into()).shown();
    assert_eq!(marked("https://loja.example/a b\u{a0}c"), "https://loja.example/a␣b␣c");
    assert_eq!(marked(URL), URL);
    let message = "Boné azul\nR$ 49,90\nhttps://loja.example/a b";
    assert_eq!(marked(message), "Boné azul␊R$ 49,90␊https://loja.example/a␣b");
    assert_eq!(payable_warnings::shell_characters(&message.into()), "␣");
    assert_eq!(
        payable_warnings::shell_characters(&"https://loja.example/;$(id); x".into()),
        "; $ ( ) ␣"
    );
}

#[test]
fn buyers_view_only_in_demo_and_pay_only_if_unpaid() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    app.model.setup.labels = [Item::new(Command::BuyersView, "buyer")].into_iter().collect();
    assert_eq!(app.keys("Ctrl-K Enter Esc"), vec![]);
    app.model.setup.demo = Some(DemoSetup::default());
    assert!(matches!(app.keys("Ctrl-K Enter")[..], [Effect::Buyer { pay: false, .. }]));
    let ticket = app.ticket();
    assert_eq!(app.keys("Enter"), vec![]);
    for (paid, offered) in [(false, true), (true, false)] {
        let page = BuyerPage::Open {
            host: "loja.example".into(),
            amount: brl(4_990),
            description: "Boné".into(),
            paid,
        };
        let ticket = if paid { app.ticket() } else { ticket };
        app.tell(Msg::BuyerPage { ticket, page });
        let open = crate::app::ui::action::Action::Open;
        assert_eq!(app.offered().contains(&open), offered);
        let wanted = app.keys("Enter");
        assert_eq!(matches!(wanted[..], [Effect::Buyer { pay: true, .. }]), offered);
    }
}

#[test]
fn the_buyer_sees_the_link_that_is_in_front() {
    let mut app = App::open();
    app.model.setup.demo = Some(DemoSetup::default());
    app.model.setup.labels = [Item::new(Command::BuyersView, "buyer")].into_iter().collect();
    let older = "https://loja.example/checkout/older";
    app.has_links(vec![link(URL), link(older)]);
    let mut seen = |keys: &str| match &app.keys(keys)[..] {
        [.., Effect::Buyer { url, .. }] => url.raw().to_owned(),
        other => panic!("{other:?}"),
    };
    assert_eq!(seen("Ctrl-K Enter"), URL);
    // The command uses the link under the cursor or the link whose details are shown.
    assert_eq!(seen("Esc j Ctrl-K Enter"), older);
    assert_eq!(seen("Esc Enter Ctrl-K Enter"), older);
    // From another pane, the command uses the newest link.
    assert_eq!(seen("Esc Esc 2 Ctrl-K Enter"), URL);
}

#[test]
fn a_question_about_copying_is_asked_with_its_reasons() {
    let mut app = App::open();
    app.has_links(vec![link("https://evil.example/x")]);
    app.keys("Y");
    let Layer::Dialog(ask) = app.top() else { panic!() };
    let Question::UsePayable { to: PayableUse::Message, payable } = &ask.question else { panic!() };
    assert_eq!(payable.warnings, [PayableWarning::UnknownHost]);
    assert!((ask.buttons.focus == Focus::Back));
}
