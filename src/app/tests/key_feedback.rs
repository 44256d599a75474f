//! Tests of key feedback: the notice after a copy, after a refresh, and for a key that works only
//! on another pane.

use super::*;
use crate::app::store::exchanges;
use crate::app::ui::{Line, PageItem};

const URL: &str = "https://loja.example/x";

/// Presses a copy key and reports that the text was copied. From the notice that then appears,
/// returns the kind of text and how many times in a row it was copied.
fn copy_and_report(app: &mut App, keys: &str) -> (Clip, u32) {
    let effects = app.press(keys);
    let [Effect::Copy(clip, _)] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver(Msg::Copied(*clip, Ok(Copied::Desktop)));
    match shown_notice(app) {
        Some(Notice::Copied {
            clip,
            how: Copied::Desktop,
            times,
            ..
        }) => (*clip, *times),
        other => panic!("{other:?}"),
    }
}

#[test]
fn copy_notice_names_text_and_counts_repeats() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL), link("https://loja.example/y")]);
    assert_eq!(copy_and_report(&mut app, "y"), (Clip::Address, 1));
    assert_eq!(copy_and_report(&mut app, "y"), (Clip::Address, 2));
    assert_eq!(copy_and_report(&mut app, "y"), (Clip::Address, 3));
    assert_eq!(copy_and_report(&mut app, "Y"), (Clip::Message, 1));
    assert_eq!(copy_and_report(&mut app, "y"), (Clip::Address, 1));
    // Copying another link restarts the count.
    assert_eq!(copy_and_report(&mut app, "j y"), (Clip::Address, 1));
    // A failed copy does not increase the count.
    app.press("y");
    app.deliver(Msg::Copied(Clip::Address, Err(CopyTrouble::TooLong)));
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::NotCopied(CopyTrouble::TooLong))
    );
    assert_eq!(copy_and_report(&mut app, "y"), (Clip::Address, 1));
}

#[test]
fn concurrent_copies_are_named_separately() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    app.press("y Y");
    for clip in [Clip::Message, Clip::Address] {
        app.deliver(Msg::Copied(clip, Ok(Copied::Tmux)));
        let notice = Notice::Copied {
            clip,
            how: Copied::Tmux,
            times: 1,
            shows_advice: false,
        };
        assert_eq!(shown_notice(&app), Some(&notice));
    }
}

#[test]
fn odd_address_and_its_message_counted_separately() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://evil.example/x")]);
    assert_eq!(copy_and_report(&mut app, "y Tab Enter"), (Clip::Address, 1));
    assert_eq!(copy_and_report(&mut app, "Y Tab Enter"), (Clip::Message, 1));
    assert_eq!(copy_and_report(&mut app, "Y Tab Enter"), (Clip::Message, 2));
}

#[test]
fn withdrawal_key_copied_from_list_and_details() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_010);
    let copy = Effect::Copy(Clip::Key, key(7).to_string().as_str().into());
    app.press("3");
    assert_eq!(app.press("y"), vec![copy.clone()]);
    assert_eq!(app.press("Enter y"), vec![copy]);
    let effects = app.press("c y");
    assert!(
        matches!(
            effects[..],
            [Effect::Copy(Clip::LookupHint(LookupHintKind::Amount), _)]
        ),
        "{effects:?}"
    );
}

#[test]
fn copied_request_is_masked_in_list_and_details() {
    let mut app = App::logged_in();
    app.press("5");
    assert_eq!(app.press("y"), vec![], "there is none");
    let headers = vec![("date".to_owned(), "now\u{7}".into())];
    let body = "{\"id\":\"\u{202e}1\"}\n";
    let recorded = Exchange {
        request_headers: vec![("authorization".into(), Untrusted::MASKED.into())],
        request_body: Some("{\"amount\":1}".into()),
        reply: Ok(MaskedReply::new(200, headers, body)),
        ..exchange(Operation::Withdrawal, 200, "")
    };
    app.deliver_exchange(recorded.clone());
    let text = "POST https://api.example/\nauthorization: …\n\n{\"amount\":1}\n\n\
                HTTP 200\ndate: now␇\n\n{\"id\":\"‹U+202E›1\"}\n";
    let effects = vec![Effect::Copy(Clip::Request, text.into())];
    assert_eq!(app.press("y"), effects);
    assert_eq!(app.press("Enter y"), effects);
    let unanswered = Exchange {
        reply: Err(Failure::Cancelled),
        ..recorded
    };
    let unanswered = exchanges::text(app.model.words(), &unanswered);
    assert!(
        unanswered.raw().ends_with("{\"amount\":1}\n\nHTTP —\n"),
        "{:?}",
        unanswered.raw()
    );
}

#[test]
fn refresh_notice_shown_only_after_manual_refresh() {
    let mut app = App::logged_in();
    let links = |app: &mut App, keys: &str| match app.press(keys)[..] {
        [.., Effect::LoadLinks(ref ask)] => ask.ticket,
        ref other => panic!("{other:?}"),
    };
    let loaded = |ticket| Msg::LinksLoaded {
        ticket,
        result: Ok(SalesPage::default()),
    };
    let ticket = links(&mut app, "r");
    assert_eq!(shown_notice(&app), None, "not before it is here");
    app.deliver(loaded(ticket));
    assert_eq!(shown_notice(&app), Some(&Notice::Refreshed));
    // Switching panes also loads the list, but shows no notice.
    let ticket = links(&mut app, "2 1");
    app.deliver(loaded(ticket));
    assert_eq!(shown_notice(&app), None);
    // If the refresh fails, the failure is shown instead of the notice.
    let ticket = links(&mut app, "r");
    let trouble = JournalTrouble::Io("x".into());
    app.deliver(Msg::LinksLoaded {
        ticket,
        result: Err(trouble.clone()),
    });
    assert_eq!(shown_notice(&app), Some(&Notice::History(trouble)));
    // If the user has left the pane, no notice is shown.
    let ticket = links(&mut app, "r");
    app.press("5");
    app.deliver(loaded(ticket));
    assert_eq!(shown_notice(&app), None);
}

#[test]
fn refresh_notice_on_all_panes_and_withdrawal_details() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(7, 10_010);
    for keys in ["3 r", "Enter r"] {
        let effects = app.press(keys);
        let [.., Effect::Money(MoneyCommand::Load(ask))] = &effects[..] else {
            panic!("{effects:?}")
        };
        let page = app.model.withdrawals.list.page.clone();
        let open = app.model.withdrawals.open.clone();
        let result = Ok(Snapshot {
            page,
            open,
            ..Snapshot::default()
        });
        app.deliver(Msg::WithdrawalsLoaded {
            ticket: ask.ticket,
            result,
        });
        assert_eq!(shown_notice(&app), Some(&Notice::Refreshed), "{keys}");
    }
    app.press("Esc");
    let effects = app.press("4 r");
    let [.., Effect::LoadCharges(ask)] = &effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver(Msg::ChargesLoaded {
        ticket: ask.ticket,
        result: Ok(ListPage::default().into()),
    });
    assert_eq!(shown_notice(&app), Some(&Notice::Refreshed));
    let effects = app.press("2 r");
    let [.., Effect::ListDomains(ticket)] = effects[..] else {
        panic!("{effects:?}")
    };
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Ok(vec![].into()),
    });
    assert_eq!(shown_notice(&app), Some(&Notice::Refreshed));
}

fn screen_text(app: &App) -> String {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().map(|item| match item {
        PageItem::Lines(lines, _) => lines.iter().map(Line::to_string).collect(),
        _ => vec![],
    });
    let lines: Vec<String> = lines.flatten().collect();
    lines
        .join(" ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn idle_key_names_the_places_where_it_works() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    for (keys, notice) in [
        ("1 J", "J (colar JWT) funciona em 6 Conta."),
        ("6 v", "v (comprovante) funciona em 3 Saques."),
        (
            "5 n",
            "n (novo) funciona em 1 Links, 3 Saques, 4 Cobranças.",
        ),
        (
            "3 v",
            "v (comprovante) serve para ver o comprovante de um saque aceito.",
        ),
        ("1 Ctrl-N", "Ctrl-N (já usadas) funciona em formulários."),
        ("Enter n", "n (novo) funciona na lista: Esc volta a ela."),
        (
            "Tab",
            "Tab (próximo painel) funciona na lista: Esc volta a ela.",
        ),
        (
            "Left",
            "Shift-Tab (painel anterior) funciona na lista: Esc volta a ela.",
        ),
        (
            "Esc 2 Ctrl-R",
            "Ctrl-R (consultar a taxa de novo) funciona em formulários.",
        ),
        ("F8", "A história só existe na demonstração: balcao demo."),
    ] {
        assert_eq!(
            app.press(keys)
                .iter()
                .filter(|effect| !is_load(effect))
                .count(),
            0,
            "{keys}"
        );
        assert!(
            screen_text(&app).contains(notice),
            "{keys}: {}",
            screen_text(&app)
        );
    }
}

#[test]
fn key_of_the_details_says_that_it_works_there() {
    let mut app = App::logged_in();
    app.load_unknown_withdrawal(1, 10_010);
    app.press("3 f");
    assert!(
        screen_text(&app).contains("funciona nos detalhes: Enter os abre."),
        "{}",
        screen_text(&app)
    );
}

#[test]
fn key_of_the_list_is_named_only_right_above_it() {
    let mut app = App::logged_in();
    app.load_links(vec![link(URL)]);
    // The QR code covers the details page, not the list, so no notice says that the key works on
    // the list.
    app.press("Enter Q n");
    assert!(
        !screen_text(&app).contains("funciona na lista"),
        "{}",
        screen_text(&app)
    );
}

fn is_load(effect: &Effect) -> bool {
    !matches!(
        effect,
        Effect::Copy(..) | Effect::Browse(_) | Effect::LogIn { .. }
    )
}

#[test]
fn tab_and_arrows_switch_panes_in_lists() {
    let mut app = App::logged_in();
    for (keys, pane) in [
        ("Tab", Pane::Domains),
        ("Right", Pane::Withdrawals),
        ("Left Shift-Tab", Pane::Links),
        ("Left", Pane::Account),
        ("Tab", Pane::Links),
        // In the search field, Tab moves to the results.
        ("/ Tab", Pane::Links),
    ] {
        app.press(keys);
        assert_eq!(app.model.pane, pane, "{keys}");
    }
}

#[test]
fn key_of_other_pane_shows_not_here_notice_once() {
    let mut app = App::logged_in();
    for (key, action) in [("y", Action::Copy), ("n", Action::New), ("s", Action::Send)] {
        app.press("5");
        assert_eq!(app.press(key), vec![], "{key}");
        assert_eq!(shown_notice(&app), Some(&Notice::NotHere(action)), "{key}");
        assert_eq!(app.press(key), vec![], "{key}");
        assert_eq!(shown_notice(&app), None, "{key}: it was said");
        // On another pane, the same key shows the notice again.
        app.press("6");
        app.press(key);
        assert_eq!(shown_notice(&app), Some(&Notice::NotHere(action)), "{key}");
    }
    // Typing in a search field and pressing an unbound key show no notice.
    app.press("1 /");
    app.type_text("rs");
    assert_eq!(shown_notice(&app), None);
    app.press("Esc S");
    assert_eq!(shown_notice(&app), None);
    // On the review screen of a withdrawal, keys that do nothing show no notice, because it would
    // distract.
    app.open_review("10010");
    app.press("r y");
    assert_eq!(shown_notice(&app), None);
}

fn named_domain(name: &str) -> DomainChoice {
    DomainChoice::Named(name.into())
}

#[test]
fn chosen_domain_stored_and_restored_at_next_start() {
    let mut app = App::logged_in();
    let choice = named_domain("loja.example");
    assert_eq!(
        app.press("2 j Enter"),
        vec![Effect::KeepDomain(choice.clone())]
    );
    assert_eq!(
        app.press("g Enter"),
        vec![Effect::KeepDomain(DomainChoice::Automatic)]
    );
    let mut next = App::new();
    assert!(next.deliver(Msg::Started).contains(&Effect::ReadDomain));
    assert_eq!(
        next.deliver(Msg::DomainRead(Some("loja.example".into()))),
        vec![]
    );
    assert_eq!(next.model.domains.choice, choice);
    assert_eq!(shown_notice(&next), None, "nobody asked");
    // The stored domain is used only if the service lists it for the logged-in account.
    next.log_in();
    assert_eq!(next.model.domains.choice, choice);
    let mut other = App::new();
    other.deliver(Msg::DomainRead(Some("outra.example".into())));
    other.log_in();
    assert_eq!(other.model.domains.choice, DomainChoice::Automatic);
}

#[test]
fn late_stored_domain_does_not_override_choice() {
    let mut app = App::logged_in();
    app.deliver(Msg::DomainRead(Some("outra.example".into())));
    assert_eq!(
        app.model.domains.choice,
        DomainChoice::Automatic,
        "it is not listed"
    );
    app.press("2 j Enter");
    app.deliver(Msg::DomainRead(Some("outra.example".into())));
    assert_eq!(
        app.model.domains.choice,
        named_domain("loja.example"),
        "it was chosen by hand"
    );
    app.deliver(Msg::DomainNotSaved("x".into()));
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::WithDetail("said-domain-not-kept", "x".into()))
    );
}

#[test]
fn domain_listed_as_an_address_is_found_again() {
    for listed in [
        "https://loja.example:8443/",
        "loja.example.",
        " loja.example ",
    ] {
        let mut app = App::new();
        app.deliver(Msg::DomainRead(Some(listed.into())));
        assert_eq!(app.model.domains.choice, named_domain(listed));
    }
}

#[test]
fn invalid_stored_domain_falls_back_to_automatic() {
    for hostile in [
        "",
        "a\u{202e}b",
        "a b",
        "10.0.0.1",
        "[::1]",
        "a\n/b",
        "ana@a.example",
        "a:x",
    ] {
        let mut app = App::new();
        app.deliver(Msg::DomainRead(Some(Untrusted::from(hostile))));
        assert_eq!(
            app.model.domains.choice,
            DomainChoice::Automatic,
            "{hostile:?}"
        );
    }
    let long = format!("{}.example", "x".repeat(300));
    let mut app = App::new();
    app.deliver(Msg::DomainRead(Some(long.into())));
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
}

#[test]
fn demo_stores_no_domain() {
    let mut app = App::logged_in();
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(app.press("2 j Enter"), vec![]);
    assert!(!app.deliver(Msg::Started).contains(&Effect::ReadDomain));
}

#[test]
fn first_uncertain_copy_says_what_to_do() {
    let mut app = App::logged_in();
    let mut advises_after = |how| {
        app.deliver(Msg::Copied(Clip::Address, how));
        matches!(
            shown_notice(&app),
            Some(Notice::Copied {
                shows_advice: true,
                ..
            })
        )
    };
    assert!(
        !advises_after(Ok(Copied::Desktop)),
        "a program has taken it"
    );
    assert!(!advises_after(Ok(Copied::Tmux)));
    assert!(advises_after(Ok(Copied::SentToTerminal)));
    assert!(!advises_after(Ok(Copied::SentToTerminal)));
    assert!(!advises_after(Err(CopyTrouble::Nothing)));
    assert!(!advises_after(Ok(Copied::SentToTerminal)), "once in a run");
}

#[test]
fn new_withdrawal_opens_the_one_that_locks() {
    let mut app = App::logged_in();
    let alarm = Alarm::Amount {
        sent: brl(100),
        got: brl(200),
    };
    let now = app.now.clone();
    let alarming = with_attempt(&unknown_withdrawal(7, 500, &now), &now, Class::Alarm(alarm));
    app.fill_withdrawal_form("10010");
    app.deliver_quote();
    app.load_open_withdrawals(vec![alarming]);
    // The form that is already open shows the refusal, and a notice answers the next key press.
    app.press("Ctrl-S");
    assert_eq!(shown_notice(&app), None);
    app.press("Ctrl-S");
    assert_eq!(
        shown_notice(&app),
        Some(&Notice::warn("said-still-refused"))
    );
    app.model.layers.clear();
    app.press("3 n");
    let Layer::Withdrawal(details) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(details.withdrawal.agreement.key, key(7));
    assert_eq!(shown_notice(&app), Some(&Notice::warn("said-decide-first")));
}
