//! Tests of the checkout domains: loading the list, searching it and picking a domain.

use super::*;

#[test]
fn a_domain_that_is_listed_no_more_is_not_asked_for() {
    let mut app = App::open();
    app.keys("2 Down Enter");
    let [Effect::ListDomains(ticket)] = app.keys("r")[..] else { panic!() };
    app.tell(Msg::DomainsListed { ticket, result: Ok(vec![]) });
    assert_eq!(app.model.domains.choice, DomainChoice::Automatic);
    assert_eq!(app.model.domains.cursor, 0);
}

#[test]
fn domains_requested_once_and_stale_answer_dropped() {
    let mut app = App::open();
    app.model.domains.listed = None;
    let [Effect::ListDomains(first)] = app.keys("2")[..] else { panic!() };
    assert_eq!(app.keys("2 2"), vec![]);
    let wanted = app.keys("r");
    let second = app.ticket();
    assert_eq!(wanted, vec![Effect::Cancel(first), Effect::ListDomains(second)]);
    app.tell(Msg::DomainsListed { ticket: first, result: Ok(vec![]) });
    assert_eq!(app.model.domains.listed, None);
    app.tell(Msg::DomainsListed { ticket: second, result: Ok(vec![]) });
    assert_eq!(app.model.domains.listed, Some(vec![].into()));
}

#[test]
fn domain_found_by_its_name_and_state_and_picked() {
    let mut app = App::open();
    let listed = ["a.example", "b.example", "c.example"].map(|host| CheckoutDomain {
        host: host.into(),
        state: DomainState::Active,
        is_default: host == "b.example",
    });
    app.model.domains.listed = Some(listed.to_vec().into());
    let rows =
        |app: &App| -> Vec<usize> { (0..).map_while(|at| app.model.domains.row(at)).collect() };
    for (typed, found) in [
        ("b.ex", &[2][..]),
        ("EXAMPLE padr", &[2]),
        ("automatico", &[0]),
        ("zz", &[]),
        ("", &[0, 1, 2, 3]),
    ] {
        app.keys("2 /");
        app.types(typed);
        assert_eq!(rows(&app), found, "{typed}");
        app.keys("Esc");
        assert_eq!(rows(&app), [0, 1, 2, 3], "{typed}");
    }
    app.keys("/");
    app.types("c");
    // The cursor stops at the last row, and Enter chooses the domain in that row.
    app.keys("Enter End Down Enter");
    assert_eq!(app.model.domains.choice, DomainChoice::Named("c.example".into()));
    // After the search is closed, the cursor is still on the chosen domain.
    app.keys("/ Esc");
    assert_eq!(app.model.domains.cursor, 3);
    // A list that arrives while a search is open is searched too.
    app.keys("/");
    app.types("d.ex");
    let [Effect::ListDomains(ticket)] = app.keys("Enter r")[..] else { panic!() };
    assert!(!app.offers(Action::Open) && app.keys("Enter").is_empty());
    let new = CheckoutDomain { host: "d.example".into(), ..listed[0].clone() };
    app.tell(Msg::DomainsListed { ticket, result: Ok(vec![new]) });
    assert_eq!(rows(&app), [1]);
}
