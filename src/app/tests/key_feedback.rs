//! Tests of key feedback: the notice after a copy, after a refresh, and for a key that works only
//! on another pane.

use super::*;
use crate::app::store::exchanges;
use crate::app::ui::{Line, PageItem};

const URL: &str = "https://loja.example/x";

/// Presses a copy key and reports success. Returns the kind of copied text and the number of copies
/// in a row, as shown in the notice.
fn copies(app: &mut App, keys: &str) -> (Clip, u32) {
    let wanted = app.keys(keys);
    let [Effect::Copy(clip, _)] = &wanted[..] else { panic!("{wanted:?}") };
    app.tell(Msg::Copied(*clip, Ok(Copied::Desktop)));
    match said(app) {
        Some(Notice::Copied { clip, how: Copied::Desktop, times, .. }) => (*clip, *times),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_copy_says_what_it_was_and_the_same_again_says_so() {
    let mut app = App::open();
    app.has_links(vec![link(URL), link("https://loja.example/y")]);
    assert_eq!(copies(&mut app, "y"), (Clip::Address, 1));
    assert_eq!(copies(&mut app, "y"), (Clip::Address, 2));
    assert_eq!(copies(&mut app, "y"), (Clip::Address, 3));
    assert_eq!(copies(&mut app, "Y"), (Clip::Message, 1));
    assert_eq!(copies(&mut app, "y"), (Clip::Address, 1));
    // Copying another link restarts the count.
    assert_eq!(copies(&mut app, "j y"), (Clip::Address, 1));
    // A failed copy does not increase the count.
    app.keys("y");
    app.tell(Msg::Copied(Clip::Address, Err(CopyTrouble::TooLong)));
    assert_eq!(said(&app), Some(&Notice::NotCopied(CopyTrouble::TooLong)));
    assert_eq!(copies(&mut app, "y"), (Clip::Address, 1));
}

#[test]
fn two_copies_under_way_are_told_by_their_own_names() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    app.keys("y Y");
    for clip in [Clip::Message, Clip::Address] {
        app.tell(Msg::Copied(clip, Ok(Copied::Tmux)));
        let copied = Notice::Copied { clip, how: Copied::Tmux, times: 1, advises: false };
        assert_eq!(said(&app), Some(&copied));
    }
}

#[test]
fn odd_address_and_its_message_counted_separately() {
    let mut app = App::open();
    app.has_links(vec![link("https://evil.example/x")]);
    assert_eq!(copies(&mut app, "y Tab Enter"), (Clip::Address, 1));
    assert_eq!(copies(&mut app, "Y Tab Enter"), (Clip::Message, 1));
    assert_eq!(copies(&mut app, "Y Tab Enter"), (Clip::Message, 2));
}

#[test]
fn withdrawal_key_copied_from_list_and_details() {
    let mut app = App::open();
    app.has_unknown(7, 10_010);
    let code = Effect::Copy(Clip::Key, key(7).to_string().as_str().into());
    app.keys("3");
    assert_eq!(app.keys("y"), vec![code.clone()]);
    assert_eq!(app.keys("Enter y"), vec![code]);
    let wanted = app.keys("c y");
    assert!(
        matches!(wanted[..], [Effect::Copy(Clip::LookupHint(LookupHintKind::Amount), _)]),
        "{wanted:?}"
    );
}

#[test]
fn copied_request_is_masked_in_list_and_details() {
    let mut app = App::open();
    app.keys("5");
    assert_eq!(app.keys("y"), vec![], "there is none");
    let headers = vec![("date".to_owned(), "now\u{7}".into())];
    let body = "{\"id\":\"\u{202e}1\"}\n";
    let seen = Exchange {
        request_headers: vec![("authorization".into(), "…".into())],
        request_body: Some("{\"amount\":1}".into()),
        reply: Ok(ReplySeen::new(200, headers, body)),
        ..exchange(Operation::Withdrawal, 200, "")
    };
    app.exchanges(seen.clone());
    let text = "POST https://api.example/\nauthorization: …\n\n{\"amount\":1}\n\n\
                HTTP 200\ndate: now␇\n\n{\"id\":\"‹U+202E›1\"}\n";
    let wanted = vec![Effect::Copy(Clip::Request, text.into())];
    assert_eq!(app.keys("y"), wanted);
    assert_eq!(app.keys("Enter y"), wanted);
    let alone = Exchange { reply: Err(Failure::Cancelled), ..seen };
    let alone = exchanges::text(app.model.words(), &alone);
    assert!(alone.raw().ends_with("{\"amount\":1}\n\nHTTP —\n"), "{:?}", alone.raw());
}

#[test]
fn refresh_notice_shown_only_after_manual_refresh() {
    let mut app = App::open();
    let links = |app: &mut App, keys: &str| match app.keys(keys)[..] {
        [.., Effect::LoadLinks(ref ask)] => ask.ticket,
        ref other => panic!("{other:?}"),
    };
    let loaded = |ticket| Msg::LinksLoaded { ticket, result: Ok(LinksRead::default()) };
    let ticket = links(&mut app, "r");
    assert_eq!(said(&app), None, "not before it is here");
    app.tell(loaded(ticket));
    assert_eq!(said(&app), Some(&Notice::Refreshed));
    // Switching panes also loads the list, but shows no notice.
    let ticket = links(&mut app, "2 1");
    app.tell(loaded(ticket));
    assert_eq!(said(&app), None);
    // If the refresh fails, the failure is shown instead of the notice.
    let ticket = links(&mut app, "r");
    let trouble = JournalTrouble::Io("x".into());
    app.tell(Msg::LinksLoaded { ticket, result: Err(trouble.clone()) });
    assert_eq!(said(&app), Some(&Notice::History(trouble)));
    // If the user has left the pane, no notice is shown.
    let ticket = links(&mut app, "r");
    app.keys("5");
    app.tell(loaded(ticket));
    assert_eq!(said(&app), None);
}

#[test]
fn refresh_notice_on_all_panes_and_withdrawal_details() {
    let mut app = App::open();
    app.has_unknown(7, 10_010);
    for keys in ["3 r", "Enter r"] {
        let wanted = app.keys(keys);
        let [.., Effect::Money(MoneyCommand::Load(ask))] = &wanted[..] else {
            panic!("{wanted:?}")
        };
        let page = app.model.withdrawals.list.page.clone();
        let open = app.model.withdrawals.open.clone();
        let result = Ok(Snapshot { page, open, ..Snapshot::default() });
        app.tell(Msg::WithdrawalsLoaded { ticket: ask.ticket, result });
        assert_eq!(said(&app), Some(&Notice::Refreshed), "{keys}");
    }
    app.keys("Esc");
    let wanted = app.keys("4 r");
    let [.., Effect::LoadCharges(ask)] = &wanted[..] else { panic!("{wanted:?}") };
    app.tell(Msg::ChargesLoaded { ticket: ask.ticket, result: Ok(ListPage::default()) });
    assert_eq!(said(&app), Some(&Notice::Refreshed));
    let wanted = app.keys("2 r");
    let [.., Effect::ListDomains(ticket)] = wanted[..] else { panic!("{wanted:?}") };
    app.tell(Msg::DomainsListed { ticket, result: Ok(vec![]) });
    assert_eq!(said(&app), Some(&Notice::Refreshed));
}

/// Returns the notice on the screen.
fn shown(app: &App) -> String {
    let page = chrome::page(&app.model, app.model.size);
    let lines = page.items.iter().map(|item| match item {
        PageItem::Lines(lines, _) => lines.iter().map(Line::to_string).collect(),
        _ => vec![],
    });
    let lines: Vec<String> = lines.flatten().collect();
    lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn idle_key_names_the_places_where_it_works() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    for (keys, notice) in [
        ("1 J", "J (colar JWT) funciona em 6 Conta."),
        ("6 v", "v (comprovante) funciona em 3 Saques."),
        ("5 n", "n (novo) funciona em 1 Links, 3 Saques, 4 Cobranças."),
        ("3 v", "v (comprovante) serve para ver o comprovante de um saque aceito."),
        ("1 Ctrl-N", "Ctrl-N (já usadas) funciona em formulários."),
        ("Enter n", "n (novo) funciona na lista: Esc volta a ela."),
        ("Tab", "Tab (próximo painel) funciona na lista: Esc volta a ela."),
        ("Left", "Shift-Tab (painel anterior) funciona na lista: Esc volta a ela."),
        ("Esc 2 Ctrl-R", "Ctrl-R (consultar a taxa de novo) funciona em formulários."),
        ("F8", "A história só existe na demonstração: balcao demo."),
    ] {
        assert_eq!(app.keys(keys).iter().filter(|did| !is_load(did)).count(), 0, "{keys}");
        assert!(shown(&app).contains(notice), "{keys}: {}", shown(&app));
    }
}

#[test]
fn key_of_the_details_says_that_it_works_there() {
    let mut app = App::open();
    app.has_unknown(1, 10_010);
    app.keys("3 f");
    assert!(shown(&app).contains("funciona nos detalhes: Enter os abre."), "{}", shown(&app));
}

#[test]
fn key_of_the_list_is_named_only_right_above_it() {
    let mut app = App::open();
    app.has_links(vec![link(URL)]);
    // The QR code is above the details page, not directly above the list, so no notice refers to
    // the list.
    app.keys("Enter Q n");
    assert!(!shown(&app).contains("funciona na lista"), "{}", shown(&app));
}

fn is_load(effect: &Effect) -> bool {
    !matches!(effect, Effect::Copy(..) | Effect::Browse(_) | Effect::LogIn { .. })
}

#[test]
fn tab_and_arrows_switch_panes_in_lists() {
    let mut app = App::open();
    for (keys, pane) in [
        ("Tab", Pane::Domains),
        ("Right", Pane::Withdrawals),
        ("Left Shift-Tab", Pane::Links),
        ("Left", Pane::Account),
        ("Tab", Pane::Links),
        // In the search field, Tab moves to the results.
        ("/ Tab", Pane::Links),
    ] {
        app.keys(keys);
        assert_eq!(app.model.pane, pane, "{keys}");
    }
}

#[test]
fn key_of_other_pane_shows_not_here_notice_once() {
    let mut app = App::open();
    for (key, action) in [("y", Action::Copy), ("n", Action::New), ("s", Action::Send)] {
        app.keys("5");
        assert_eq!(app.keys(key), vec![], "{key}");
        assert_eq!(said(&app), Some(&Notice::NotHere(action)), "{key}");
        assert_eq!(app.keys(key), vec![], "{key}");
        assert_eq!(said(&app), None, "{key}: it was said");
        // On another pane, the same key shows the notice again.
        app.keys("6");
        app.keys(key);
        assert_eq!(said(&app), Some(&Notice::NotHere(action)), "{key}");
    }
    // Typing in a search field and pressing an unbound key show no notice.
    app.keys("1 /");
    app.types("rs");
    assert_eq!(said(&app), None);
    app.keys("Esc z");
    assert_eq!(said(&app), None);
    // On the review screen of a withdrawal, no such notice appears, because it would distract.
    app.reviews("10010");
    app.keys("r y");
    assert_eq!(said(&app), None);
}

fn host(name: &str) -> DomainChoice {
    DomainChoice::Named(name.into())
}

#[test]
fn chosen_domain_stored_and_restored_at_next_start() {
    let mut app = App::open();
    let choice = host("loja.example");
    assert_eq!(app.keys("2 j Enter"), vec![Effect::KeepDomain(choice.clone())]);
    assert_eq!(app.keys("g Enter"), vec![Effect::KeepDomain(DomainChoice::Automatic)]);
    let mut next = App::closed();
    assert!(next.tell(Msg::Started).contains(&Effect::ReadDomain));
    assert_eq!(next.tell(Msg::DomainRead(Some("loja.example".into()))), vec![]);
    assert_eq!(next.model.domains.choice, choice);
    assert_eq!(said(&next), None, "nobody asked");
    // The stored domain is used only if the service lists it for the logged-in account.
    next.log_in();
    assert_eq!(next.model.domains.choice, choice);
    let mut other = App::closed();
    other.tell(Msg::DomainRead(Some("outra.example".into())));
    other.log_in();
    assert_eq!(other.model.domains.choice, DomainChoice::Automatic);
}

#[test]
fn late_stored_domain_does_not_override_choice() {
    let mut app = App::open();
    app.tell(Msg::DomainRead(Some("outra.example".into())));
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic, "it is not listed");
    app.keys("2 j Enter");
    app.tell(Msg::DomainRead(Some("outra.example".into())));
    assert_eq!(app.model.domains.choice, host("loja.example"), "it was chosen by hand");
    app.tell(Msg::DomainNotKept("x".into()));
    assert_eq!(said(&app), Some(&Notice::WithDetail("said-domain-not-kept", "x".into())));
}

#[test]
fn domain_listed_as_an_address_is_found_again() {
    for listed in ["https://loja.example:8443/", "loja.example.", " loja.example "] {
        let mut app = App::closed();
        app.tell(Msg::DomainRead(Some(listed.into())));
        assert_eq!(app.model.domains.choice, host(listed));
    }
}

#[test]
fn invalid_stored_domain_falls_back_to_automatic() {
    for hostile in ["", "a\u{202e}b", "a b", "10.0.0.1", "[::1]", "a\n/b", "ana@a.example", "a:x"] {
        let mut app = App::closed();
        app.tell(Msg::DomainRead(Some(Untrusted::from(hostile))));
        assert_eq!(app.model.domains.choice, DomainChoice::Automatic, "{hostile:?}");
    }
    let long = format!("{}.example", "x".repeat(300));
    let mut app = App::closed();
    app.tell(Msg::DomainRead(Some(long.into())));
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
}

#[test]
fn a_demo_keeps_no_domain() {
    let mut app = App::open();
    app.model.setup.demo = Some(DemoSetup::default());
    assert_eq!(app.keys("2 j Enter"), vec![]);
    assert!(!app.tell(Msg::Started).contains(&Effect::ReadDomain));
}

#[test]
fn first_uncertain_copy_says_what_to_do() {
    let mut app = App::open();
    let mut tell = |how| {
        app.tell(Msg::Copied(Clip::Address, how));
        matches!(said(&app), Some(Notice::Copied { advises: true, .. }))
    };
    assert!(!tell(Ok(Copied::Desktop)), "a program has taken it");
    assert!(!tell(Ok(Copied::Tmux)));
    assert!(tell(Ok(Copied::SentToTerminal)));
    assert!(!tell(Ok(Copied::SentToTerminal)));
    assert!(!tell(Err(CopyTrouble::Nothing)));
    assert!(!tell(Ok(Copied::SentToTerminal)), "once in a run");
}
