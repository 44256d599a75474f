//! Tests of lists and their paging, search, the palette, notices, exchanges, and scheduled
//! wake-ups.

use super::*;
use crate::app::screen::ScreenBody;
use crate::app::store::paid::PULSE_MS;
use crate::app::store::picture::REST_MS;
use crate::app::ui::Role;
use crate::app::ui::list::{PageRequest, WINDOW_ROWS};

fn asked(wanted: &[Effect]) -> &PageRequest {
    match wanted {
        [.., Effect::LoadLinks(ask)] => ask,
        other => panic!("{other:?}"),
    }
}

/// Creates an exchange whose response was cut off, with this number in its URL.
fn cut(n: usize) -> Exchange {
    Exchange {
        url: format!("https://api.example/{n}").into(),
        reply: Err(Failure::NoAnswer(NoAnswer::Cut)),
        ..exchange(Operation::Domains, 0, "")
    }
}

#[test]
fn search_queries_on_each_letter_and_esc_clears_it() {
    let mut counter = Counter::open();
    assert_eq!(counter.keys("/"), vec![]);
    let wanted = counter.types("qn");
    assert_eq!(wanted.len(), 2);
    assert_eq!(&*asked(&wanted).query, "qn");
    // Enter leaves the search field and keeps the search.
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(!counter.model.links.list.searching);
    let wanted = counter.keys("/ Esc");
    assert_eq!(&*asked(&wanted).query, "");
    assert_eq!(counter.keys("Esc"), vec![]);
}

#[test]
fn pasted_search_is_one_query_without_line_ends() {
    let mut counter = Counter::open();
    counter.keys("/");
    let wanted = counter.pastes("boné\r\n azul\n");
    assert_eq!(wanted.len(), 1);
    assert_eq!(&*asked(&wanted).query, "boné azul");
}

#[test]
fn search_ends_on_pane_change_and_row_click() {
    let mut counter = Counter::open();
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.keys("/ F1 2 1");
    assert!(!counter.model.links.list.searching);
    counter.keys("/");
    let stamp = counter.stamp();
    router::select_row(&mut counter.model, 0, &stamp);
    assert!(matches!(counter.top(), Layer::Link(_)));
}

#[test]
fn list_loads_next_window_at_its_edge() {
    let mut counter = Counter::open();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    counter.has_links(rows.clone());
    let page = ListPage { rows: rows.into(), total: Some(1_000), first: 0 };
    counter.model.links.list.page = page;
    assert_eq!(counter.keys("j k Down Up PgDn PgUp"), vec![]);
    let wanted = counter.keys("G");
    assert_eq!((asked(&wanted).first, asked(&wanted).rows), (899, WINDOW_ROWS));
    assert_eq!(counter.keys("g"), vec![]);
}

#[test]
fn the_rows_arrive_when_a_flick_past_the_window_stops() {
    let mut counter = Counter::open();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    counter.has_links(rows.clone());
    counter.model.links.list.page.total = Some(1_000);
    counter.model.links.list.cursor = 199;
    let wanted = counter.keys("j j j");
    assert_eq!(wanted.len(), 3);
    let PageRequest { ticket, first, .. } = *asked(&wanted);
    // Answer only the last of the three requests.
    let page = ListPage { rows: rows.into(), total: Some(1_000), first };
    counter
        .tell(Msg::LinksLoaded { ticket, result: Ok(LinksRead { page, ..LinksRead::default() }) });
    assert_eq!((counter.model.links.list.cursor, first), (202, 102));
    assert!(counter.model.links.list.selected().is_some());
}

#[test]
fn stale_rows_and_stale_troubles_are_dropped() {
    let mut counter = Counter::open();
    counter.has_links(vec![link("https://loja.example/x")]);
    let old = asked(&counter.keys("r")).ticket;
    let new = asked(&counter.keys("r")).ticket;
    let trouble = || Err(JournalTrouble::Io("x".into()));
    counter.tell(Msg::LinksLoaded { ticket: old, result: trouble() });
    assert_eq!(counter.model.notice, None);
    counter.tell(Msg::LinksLoaded { ticket: old, result: Ok(LinksRead::default()) });
    assert_eq!(counter.model.links.list.page.total, Some(1));
    counter.tell(Msg::LinksLoaded { ticket: new, result: trouble() });
    let said = Notice::History(JournalTrouble::Io("x".into()));
    assert_eq!(counter.model.notice, Some(said));
}

#[test]
fn unreadable_history_is_explained_until_it_is_read() {
    let mut counter = Counter::open();
    for pane in ["1", "4"] {
        counter.keys(pane);
        let ticket = counter.keys("r").iter().find_map(|effect| match effect {
            Effect::LoadLinks(asked) | Effect::LoadCharges(asked) => Some(asked.ticket),
            _ => None,
        });
        let ticket = ticket.expect("it reads");
        let trouble = JournalTrouble::Io("not a directory".into());
        let answer = |result: Result<(), JournalTrouble>| match pane {
            "1" => Msg::LinksLoaded { ticket, result: result.map(|()| LinksRead::default()) },
            _ => Msg::ChargesLoaded { ticket, result: result.map(|()| ListPage::default()) },
        };
        counter.tell(answer(Err(trouble.clone())));
        // The error is remembered after its notice is gone.
        counter.keys("Down");
        assert_eq!(counter.model.history_trouble, Some(trouble.clone()));
        counter.keys("n");
        let ScreenBody::Sent(sent) = counter.top().screen().body() else {
            panic!("no form that is sent")
        };
        let shown = sent.failure.clone();
        assert_eq!(shown, Some(Failure::Journal(trouble)), "before anything is typed");
        counter.keys("Esc");
        counter.tell(answer(Ok(())));
        assert_eq!(counter.model.history_trouble, None);
    }
}

#[test]
fn a_notice_stays_until_the_next_key() {
    let mut counter = Counter::open();
    counter.tell(Msg::Copied(Clip::Address, Ok(Copied::SentToTerminal)));
    counter.tell(Msg::Pulse);
    counter.tell(Msg::Input(Input::Resize(Size { columns: 120, rows: 40 })));
    assert!(counter.model.notice.is_some());
    counter.keys("j");
    assert_eq!(counter.model.notice, None);
}

#[test]
fn exchanges_bounded_by_bytes_and_newest_kept() {
    let large = |n, kib: usize| Exchange {
        url: cut(n).url,
        ..exchange(Operation::Domains, 200, "x".repeat(kib * 1024))
    };
    let mut counter = Counter::in_one_frame();
    counter.keys("5");
    for n in 0..10 {
        counter.exchanges(large(n, 1024));
    }
    counter.keys("G");
    let kept = |counter: &Counter| -> Vec<String> {
        counter.model.exchanges.iter().map(|exchange| exchange.url.to_string()).collect()
    };
    // The URLs count towards the size limit: without them, eight of these exchanges would fit.
    let urls: Vec<_> = (3..10).rev().map(|n| format!("https://api.example/{n}")).collect();
    assert_eq!(kept(&counter), urls);
    counter.exchanges(large(10, 20 * 1024));
    assert_eq!(kept(&counter), ["https://api.example/10"]);
    assert_eq!(counter.model.exchange_cursor, 0);
    counter.exchanges(cut(11));
    assert_eq!(kept(&counter), ["https://api.example/11"]);
}

fn with_labels(counter: &mut Counter) {
    let named = |command, name: &str| Item::new(command, name).only(name);
    let labels = Action::ALL.iter().map(|a| named(Command::Do(*a), a.name()));
    let commands = [(Command::BuyersView, "buyer"), (Command::Fault("slow".into()), "slow")];
    let commands = commands.map(|(command, name)| named(command, name));
    counter.model.setup.labels = labels.chain(commands).collect();
}

#[test]
fn the_palette_finds_and_does_what_is_offered_here() {
    let mut counter = Counter::open();
    with_labels(&mut counter);
    counter.keys(":");
    counter.types("accou");
    counter.keys("Enter");
    assert_eq!(counter.model.pane, Pane::Account);
    counter.keys("Ctrl-K");
    counter.types("log-out");
    counter.keys("Enter");
    assert!(matches!(counter.top(), Layer::Dialog(_)));
}

#[test]
fn the_palette_offers_no_way_that_is_closed() {
    let mut counter = Counter::open();
    with_labels(&mut counter);
    let found = |counter: &mut Counter| {
        counter.keys("Ctrl-K");
        let Layer::Palette(palette) = counter.top() else { panic!() };
        let found = palette.found.clone();
        counter.keys("Esc");
        found
    };
    let here = found(&mut counter);
    assert!(here.contains(&Command::Do(Action::New)) && here.contains(&Command::Do(Action::Quit)));
    assert!(!here.contains(&Command::Do(Action::Found)) && !here.contains(&Command::BuyersView));
    assert!(!here.contains(&Command::Fault("slow".into())));
    assert!(!here.contains(&Command::Do(Action::ShowOther)));
    counter.keys("n 1");
    let here = found(&mut counter);
    assert!(here.contains(&Command::Do(Action::Submit)));
    assert!(!here.contains(&Command::Do(Action::Domains)));
    assert!(!here.contains(&Command::Do(Action::New)));
}

#[test]
fn palette_cursor_moves_enter_without_match_ignored() {
    let mut counter = Counter::open();
    with_labels(&mut counter);
    counter.keys("Ctrl-K Down Down Up Tab Shift-Tab");
    let Layer::Palette(palette) = counter.top() else { panic!() };
    assert_eq!(palette.cursor, 1);
    counter.types("zzzzzz");
    assert_eq!(counter.offered(), [Action::Back]);
    assert_eq!(counter.keys("Enter"), vec![]);
    let Layer::Palette(palette) = counter.top() else { panic!() };
    assert_eq!(palette.query.value(), "zzzzzz", "it can be typed anew");
}

#[test]
fn the_palette_pages_and_goes_to_its_ends() {
    let mut counter = Counter::open();
    with_labels(&mut counter);
    counter.keys("Ctrl-K");
    let at = |counter: &Counter| {
        let Layer::Palette(palette) = counter.top() else { panic!() };
        (palette.cursor, palette.found.len() - 1)
    };
    let last = at(&counter).1;
    for (key, cursor) in [("PgDn", 14.min(last)), ("End", last), ("Home", 0), ("PgUp", 0)] {
        counter.keys(key);
        assert_eq!(at(&counter), (cursor, last), "{key}");
    }
}

#[test]
fn idle_screens_want_no_time() {
    let mut counter = Counter::open();
    counter.has_links(vec![link("https://loja.example/x")]);
    counter.exchanges(cut(1));
    for place in [
        "1", "2", "3", "4", "5", "6", "1 n", "4 n", "3 n", "1 Enter", "1 Q", "5 Enter", "6 L",
        "6 J", "6 O", "F1", "Ctrl-K", "1 / x",
    ] {
        counter.keys("Esc Esc Tab Enter Esc Esc Esc");
        let mut here = Counter::at(counter.model.clone());
        here.model.layers.clear();
        here.keys(place);
        here.model.domains.wait = None;
        assert_eq!(next_deadline(&here.model), None, "{place}");
    }
}

#[test]
fn a_wait_on_the_screen_wants_each_of_its_seconds() {
    let mut counter = Counter::open();
    counter.keys("2 r");
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_secs(1)));
    counter.passes(1_250);
    counter.tell(Msg::Pulse);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(750)));
    counter.keys("1");
    assert_eq!(next_deadline(&counter.model), None);
}

#[test]
fn a_paid_link_is_the_sandboxs_word() {
    let mut counter = Counter::open();
    let description: Untrusted = "Boné".into();
    let url = "https://loja.example/paid".into();
    let paid = Msg::SandboxLinkPaid { url, description: description.clone(), amount: brl(4_990) };
    counter.tell(paid);
    let said = Notice::SandboxLinkPaid { description, amount: brl(4_990) };
    assert_eq!(counter.model.notice, Some(said));
    assert!(counter.model.links.list.page.rows.is_empty());
}

#[test]
fn sandbox_payment_highlighted_once_then_no_wakeups() {
    let mut counter = Counter::open();
    let (paid, other) = ("https://loja.example/paid", "https://loja.example/other");
    counter.has_links(vec![link(paid), link(other)]);
    let marked = |counter: &Counter| {
        let (store, at) = (&counter.model.store, counter.model.now.boot_ms);
        [paid, other]
            .map(|url| (store.paid.has(&link(url)), store.paid.stands_out(&url.into(), at)))
    };
    assert_eq!(marked(&counter), [(false, false); 2]);
    let (description, amount) = ("Boné".into(), brl(4_990));
    counter.tell(Msg::SandboxLinkPaid { url: paid.into(), description, amount });
    assert_eq!(marked(&counter), [(true, true), (false, false)]);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(PULSE_MS)));
    counter.rests(PULSE_MS);
    assert_eq!(marked(&counter), [(true, false), (false, false)]);
    assert_eq!(next_deadline(&counter.model), None);
    // The first full list of paid links highlights nothing, because its payments may be old. A
    // payment that is missing from the next list is dropped.
    counter.tell(Msg::SandboxPaidLinks([paid, other].map(Untrusted::from).into()));
    assert_eq!(marked(&counter), [(true, false), (true, false)]);
    counter.tell(Msg::SandboxPaidLinks([].into()));
    assert_eq!(marked(&counter), [(false, false); 2]);
}

#[test]
fn newly_listed_paid_link_highlighted_once() {
    let mut counter = Counter::open();
    let urls = ["https://loja.example/1", "https://loja.example/2", "https://loja.example/3"];
    counter.has_links(urls.map(link).into());
    let mut told = |paid: &[usize]| {
        let links = paid.iter().map(|n| urls[*n].into()).collect();
        counter.tell(Msg::SandboxPaidLinks(links));
        let (store, at) = (&counter.model.store, counter.model.now.boot_ms);
        (urls.map(|url| store.paid.stands_out(&url.into(), at)), counter.model.notice.take())
    };
    assert_eq!(told(&[0]), ([false; 3], None), "paid before the window was opened");
    let said = Notice::SandboxLinkPaid { description: "Boné".into(), amount: brl(4_990) };
    assert_eq!(told(&[0, 1]), ([false, true, false], Some(said)));
    assert_eq!(told(&[0, 1]), ([false, true, false], None), "once");
    told(&[]);
    assert_eq!(told(&[0, 2]).1, None, "another ledger");
}

#[test]
fn qr_code_built_after_cursor_rests_not_on_key_press() {
    let mut counter = Counter::open();
    let urls = ["https://loja.example/1", "https://loja.example/2"];
    counter.has_links(urls.map(link).into());
    let has = |counter: &Counter| urls.map(|url| counter.model.picture.of(&url.into()).is_some());
    assert_eq!(next_deadline(&counter.model), None, "nothing stands beside a narrow list");
    counter.tell(Msg::Input(Input::Resize(Size { columns: 120, rows: 40 })));
    counter.keys("Down Up");
    assert_eq!(has(&counter), [false, false]);
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(REST_MS)));
    counter.rests(REST_MS);
    assert_eq!(has(&counter), [true, false]);
    assert_eq!(next_deadline(&counter.model), None, "asleep once it is made");
    counter.keys("Down");
    assert_eq!(has(&counter), [true, false]);
    // The details show their QR code without a delay.
    counter.keys("Enter");
    assert_eq!(has(&counter), [false, true]);
    assert_eq!(next_deadline(&counter.model), None);
}

#[test]
fn domain_keeps_time_since_its_state_was_first_seen() {
    let mut counter = Counter::open();
    let domain = |host: &str, state| CheckoutDomain { host: host.into(), state, is_default: false };
    let mut lists = |state: DomainState| {
        counter.passes(60_000);
        counter.keys("2 r");
        let ticket = counter.model.domains.wait.unwrap().ticket;
        let listed = vec![domain("a.example", DomainState::Active), domain("b.example", state)];
        let noted = counter.tell(Msg::DomainsListed { ticket, result: Ok(listed.clone()) });
        let account = counter.model.account();
        assert_eq!(noted, [Effect::NoteDomains { account, listed }]);
        let domains = &counter.model.domains;
        let since = domains.seen_since.iter().map(|(_, since)| *since);
        (since.collect::<Vec<_>>(), domains.listed_at.unwrap())
    };
    let (first, at) = lists(DomainState::Pending(None));
    assert_eq!(first, [at, at]);
    let (second, later) = lists(DomainState::Pending(None));
    assert_eq!((second, later > at), (vec![at, at], true));
    let (third, last) = lists(DomainState::Active);
    assert_eq!(third, [at, last]);
    // An earlier time from the history is used only if the account and the state are the same.
    let account = counter.model.account();
    let seen = |state, at| vec![(domain("b.example", state), Wall(at))];
    let other = Account { identity: "bia".into(), ..account.clone() };
    counter.tell(Msg::DomainsNoted { account: other, seen: seen(DomainState::Active, 1) });
    let waiting = seen(DomainState::Pending(None), 2);
    counter.tell(Msg::DomainsNoted { account: account.clone(), seen: waiting });
    assert_eq!(counter.model.domains.seen_since[1].1, last);
    counter.tell(Msg::DomainsNoted { account, seen: seen(DomainState::Active, 3) });
    assert_eq!(counter.model.domains.seen_since[1].1, Wall(3));
    counter.keys("n");
    assert_eq!(
        counter.model.notice,
        Some(Notice::Plain(Role::Text, "said-domain-added-at-service"))
    );
    assert!(counter.model.layers.is_empty());
}
