//! Tests of the checkout domains: loading the list, searching it and picking a domain.

use super::*;
use crate::app::screens::domains::StateTexts;

#[test]
fn unlisted_domain_is_no_longer_chosen() {
    let mut app = App::logged_in();
    app.press("2 Down Enter");
    let [Effect::ListDomains(ticket)] = app.press("r")[..] else {
        panic!()
    };
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Ok(vec![].into()),
    });
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
    assert_eq!(app.model.domains.cursor, 0);
}

#[test]
fn domains_requested_once_and_stale_answer_dropped() {
    let mut app = App::logged_in();
    app.model.domains.listed = None;
    let [Effect::ListDomains(first)] = app.press("2")[..] else {
        panic!()
    };
    assert_eq!(app.press("2 2"), vec![]);
    let effects = app.press("r");
    let second = app.last_ticket();
    assert_eq!(
        effects,
        vec![Effect::Cancel(first), Effect::ListDomains(second)]
    );
    app.deliver(Msg::DomainsListed {
        ticket: first,
        result: Ok(vec![].into()),
    });
    assert_eq!(app.model.domains.listed, None);
    app.deliver(Msg::DomainsListed {
        ticket: second,
        result: Ok(vec![].into()),
    });
    assert_eq!(app.model.domains.listed, Some(vec![].into()));
}

#[test]
fn domain_found_by_its_name_and_state_and_picked() {
    let mut app = App::logged_in();
    let listed = ["a.example", "b.example", "c.example"].map(|host| CheckoutDomain {
        host: host.into(),
        state: DomainState::Active,
        is_default: host == "b.example",
    });
    app.model.domains.listed = Some(listed.to_vec().into());
    let rows = |app: &App| -> Vec<usize> {
        (0..)
            .map_while(|index| app.model.domains.row(index))
            .collect()
    };
    for (typed, found) in [
        ("b.ex", &[2][..]),
        ("EXAMPLE padr", &[2]),
        ("automatico", &[0]),
        ("zz", &[]),
        ("", &[0, 1, 2, 3]),
    ] {
        app.press("2 /");
        app.type_text(typed);
        assert_eq!(rows(&app), found, "{typed}");
        app.press("Esc");
        assert_eq!(rows(&app), [0, 1, 2, 3], "{typed}");
    }
    app.press("/");
    app.type_text("c");
    // The cursor stops at the last row, and Enter chooses the domain in that row.
    app.press("Enter End Down Enter");
    assert_eq!(
        app.model.domains.choice,
        DomainChoice::Named("c.example".into())
    );
    // After the search is closed, the cursor is still on the chosen domain.
    app.press("/ Esc");
    assert_eq!(app.model.domains.cursor, 3);
    // A list that arrives while a search is open is searched too.
    app.press("/");
    app.type_text("d.ex");
    let [Effect::ListDomains(ticket)] = app.press("Enter r")[..] else {
        panic!()
    };
    assert!(!app.offers(Action::Open) && app.press("Enter").is_empty());
    let new = CheckoutDomain {
        host: "d.example".into(),
        ..listed[0].clone()
    };
    app.deliver(Msg::DomainsListed {
        ticket,
        result: Ok(vec![new].into()),
    });
    assert_eq!(rows(&app), [1]);
}

#[test]
fn state_texts_are_formatted_once_for_many_domains() {
    let mut app = App::logged_in();
    let domain = |n: usize| CheckoutDomain {
        host: format!("loja-{n}.example").as_str().into(),
        state: if n.is_multiple_of(3) {
            DomainState::Active
        } else {
            DomainState::Pending(None)
        },
        is_default: n == 5,
    };
    app.model.domains.listed = Some((0..1_000).map(domain).collect::<Vec<_>>().into());
    app.model.domains.choice = DomainChoice::Named("loja-6.example".into());
    let mut states = StateTexts::default();
    let texts: Vec<String> = (0..=1_000)
        .map(|n| states.of(&app.model.store, n).to_owned())
        .collect();
    assert_eq!(
        states.count(),
        5,
        "automatic, active, pending, the default and the chosen one"
    );
    assert!(texts[7].contains("ativo") && texts[7] != texts[4] && texts[4] == texts[10]);
}
