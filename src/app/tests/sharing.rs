//! Tests of links in a shared demo, which phones in the same network can open. Also tests the text
//! that is copied for a new link.

use super::payments::URL;
use super::*;
use crate::app::store::payable_warnings::{PayableWarning, url_warnings};
use crate::app::store::share_hint;
use crate::app::ui::PageItem;

/// The origin at which a shared demo serves its checkout pages.
const SHARED_ORIGIN: &str = "http://192.168.0.10:8080";

fn shared_demo_app(origin: &str) -> App {
    let mut app = App::logged_in();
    let shared = Some(origin.into());
    app.model.setup.demo = Some(DemoSetup {
        shared,
        ..DemoSetup::default()
    });
    app
}

#[test]
fn only_exact_shared_demo_address_is_not_odd() {
    let app = shared_demo_app(SHARED_ORIGIN);
    use PayableWarning::{Http, IpLiteral, NotWeb, ShellSigns, UnknownHost, UserInfo};
    let cases: [(&str, &[PayableWarning]); 10] = [
        ("http://192.168.0.10:8080/checkout/link-7f3k2q", &[]),
        (
            "http://192.168.0.10:8081/x",
            &[IpLiteral, Http, UnknownHost],
        ),
        ("http://192.168.0.10/x", &[IpLiteral, Http, UnknownHost]),
        (
            "http://192.168.0.11:8080/x",
            &[IpLiteral, Http, UnknownHost],
        ),
        ("https://192.168.0.10:8080/x", &[IpLiteral, UnknownHost]),
        (
            "ftp://192.168.0.10:8080/x",
            &[IpLiteral, NotWeb, UnknownHost],
        ),
        (
            "http://192.168.0.10.evil.example:8080/x",
            &[Http, UnknownHost],
        ),
        (
            "http://192.168.0.10:8080@evil.example/x",
            &[UserInfo, Http, UnknownHost],
        ),
        ("http://ana@192.168.0.10:8080/x", &[UserInfo]),
        ("http://192.168.0.10:8080/$(id)", &[ShellSigns]),
    ];
    for (url, warnings) in cases {
        assert_eq!(url_warnings(&app.model, &link(url)), warnings, "{url}");
    }
    // If the demo does not serve its pages to phones, this address causes the usual warnings.
    let url = cases[0].0;
    for demo in [None, Some(DemoSetup::default())] {
        let mut app = App::logged_in();
        app.model.setup.demo = demo;
        assert_eq!(
            url_warnings(&app.model, &link(url)),
            [IpLiteral, Http, UnknownHost]
        );
    }
    let over_ipv6 = shared_demo_app("http://[fd00::2]:8080");
    assert_eq!(
        url_warnings(&over_ipv6.model, &link("http://[fd00::2]:8080/x")),
        []
    );
    assert_eq!(
        url_warnings(&over_ipv6.model, &link("http://[fd00::3]:8080/x")),
        [IpLiteral, Http, UnknownHost]
    );
    // The shared address causes no warning, even if the API has the same IP address.
    let mut on_api_host = shared_demo_app("http://127.0.0.1:8080");
    on_api_host.model.setup.base_url = "http://127.0.0.1:8787".into();
    assert_eq!(
        url_warnings(&on_api_host.model, &link("http://127.0.0.1:8080/x")),
        []
    );
    assert_eq!(
        url_warnings(&on_api_host.model, &link("http://127.0.0.1:8081/x")),
        [PayableWarning::ApiHost]
    );
}

#[test]
fn demo_link_reachable_only_locally_shows_hint() {
    let warning = |app: &App, url: &str| {
        share_hint::local_only_warning(&app.model, Catalogue::of(Lang::Pt), &url.into())
    };
    let mut plain = App::logged_in();
    let shared = shared_demo_app(SHARED_ORIGIN);
    let shop = "http://loja-da-ana.localhost:1/x";
    let at_share = "http://192.168.0.10:8080/x";
    assert_eq!(warning(&plain, shop), None, "of a service nothing is known");
    plain.model.setup.demo = Some(DemoSetup::default());
    assert!(
        warning(&plain, shop)
            .unwrap()
            .ends_with("comece a demonstração com --share.")
    );
    assert!(warning(&shared, shop).unwrap().contains(SHARED_ORIGIN));
    assert_eq!(warning(&shared, at_share), None);
    // On a phone, a loopback address means the phone itself, so it causes a warning even in a
    // shared demo.
    for loopback in ["http://127.0.0.2:8080", "http://[::1]:8080"] {
        let app = shared_demo_app(loopback);
        for url in [shop, &format!("{loopback}/x")] {
            let text = warning(&app, url).unwrap();
            assert!(
                text.ends_with("o endereço deste computador na rede."),
                "{url}: {text}"
            );
        }
    }
    for elsewhere in ["https://loja.example/x", "00020126580014br.gov.bcb.pix"] {
        assert_eq!(warning(&plain, elsewhere), None, "{elsewhere}");
    }
}

#[test]
fn new_link_copied_only_if_enabled_and_not_odd() {
    let odd_url = "https://evil.example/x";
    let hidden_url = "https://loja.example/\u{202e}x";
    let made_notice = Notice::WithKey("said-link-made", Action::Copy);
    let odd_notice = Notice::warn("said-link-made-odd");
    for (url, copies_new, made_notice) in [
        (URL, false, &made_notice),
        (odd_url, true, &odd_notice),
        (hidden_url, true, &odd_notice),
    ] {
        let mut app = App::logged_in();
        app.model.setup.links.copies_new = copies_new;
        let (ticket, _) = app.submit_link_form();
        let effects = app.deliver(link_made(ticket, Ok(link(url))));
        assert!(
            matches!(effects[..], [Effect::LoadLinks(_)]),
            "{url}: {effects:?}"
        );
        assert_eq!(shown_notice(&app), Some(made_notice), "{url}");
        assert!(matches!(app.top(), Layer::Link(_)));
    }
}

#[test]
fn new_link_not_copied_under_another_screen() {
    for keys in ["F1", "Ctrl-K"] {
        let mut app = App::logged_in();
        let (ticket, _) = app.submit_link_form();
        app.press(keys);
        let effects = app.deliver(link_made(ticket, Ok(link(URL))));
        assert!(
            matches!(effects[..], [Effect::LoadLinks(_)]),
            "{keys}: {effects:?}"
        );
        assert_eq!(shown_notice(&app), None, "{keys}");
        app.press("Esc");
        assert!(matches!(app.top(), Layer::Link(_)), "{keys}");
    }
}

#[test]
fn template_message_copied_and_shared_url_encoded() {
    let mut app = App::logged_in();
    let template = "{descricao} & mais?\n{url}#\u{1f600}";
    app.model.setup.links.message = MessageTemplate::parse(MessageKind::Link, template).unwrap();
    let url = "https://loja.example/c/1?a=b&c=%20";
    app.load_links(vec![link(url)]);
    let message = format!("Boné & mais?\n{url}#\u{1f600}");
    assert_eq!(
        app.press("Y"),
        vec![Effect::Copy(Clip::Message, message.into())]
    );
    let share = "https://wa.me/?text=Bon%C3%A9%20%26%20mais%3F%0A\
                 https%3A%2F%2Floja.example%2Fc%2F1%3Fa%3Db%26c%3D%2520%23%F0%9F%98%80";
    assert_eq!(app.press("W"), vec![Effect::Browse(share.into())]);
    assert_eq!(app.press("Enter W"), vec![Effect::Browse(share.into())]);
}

/// The addresses of the texts on the screen that lead to one, each with its text.
fn linked_texts(app: &App) -> Vec<(String, String)> {
    let items = chrome::page(&app.model, app.model.size).items;
    let lines = items.iter().flat_map(|item| match item {
        PageItem::Lines(lines, _) => &lines[..],
        _ => &[],
    });
    let spans = lines.flat_map(|line| &line.spans);
    let linked = spans.filter_map(|span| Some((span.link.as_ref()?.to_string(), span)));
    let mut texts: Vec<(String, String)> = vec![];
    for (address, span) in linked {
        match texts.last_mut().filter(|(last, _)| *last == address) {
            Some((_, text)) => text.push_str(span.text.trim()),
            None => texts.push((address, span.text.trim().to_owned())),
        }
    }
    texts
}

#[test]
fn only_addresses_copied_without_question_are_links() {
    let show = |url: &str, keys: &str, change: fn(&mut Model)| {
        let mut app = App::logged_in();
        app.model.setup.links_addresses = true;
        change(&mut app.model);
        app.load_links(vec![link(url)]);
        app.press(keys);
        linked_texts(&app)
    };
    let long = format!("https://loja.example/{}", "a".repeat(200));
    for (url, address) in [
        ("https://loja.example/c/1", "https://loja.example/c/1"),
        (&*long, &*long),
        (
            "https://loja.example/é?a=1&b=2",
            "https://loja.example/%C3%A9?a=1&b=2",
        ),
    ] {
        for keys in ["Enter", "Q"] {
            let texts = show(url, keys, |_| ());
            let Some((linked, text)) = texts.first() else {
                panic!("{url} after {keys}: no link")
            };
            assert_eq!((linked.as_str(), texts.len()), (address, 1), "{keys}");
            assert_eq!(text, url);
        }
    }
    let too_long = format!("https://loja.example/{}", "a".repeat(1_003));
    assert!(!show(&too_long[..1_023], "Enter", |_| ()).is_empty());
    for url in [
        &*too_long,
        "http://loja.example/c/1",
        "https://outra.example/c/1",
        "https://ana@loja.example/c/1",
        "https://loja.example/c/1;id",
        "https://loja.example/c/1\u{1b}]8;;x",
        "ftp://loja.example/c/1",
        "javascript:alert(1)",
    ] {
        for keys in ["", "Enter"] {
            assert_eq!(show(url, keys, |_| ()), [], "{url}");
        }
    }
    let url = "https://loja.example/c/1";
    assert_eq!(show(url, "Enter", |model| model.store.is_masked = true), []);
    assert_eq!(
        show(url, "Enter", |model| model.setup.links_addresses = false),
        []
    );
}
