//! Tests of lists, paging, search, the palette, notices, HTTP exchanges and timers.

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

/// Creates an HTTP exchange whose response was cut off. `n` is part of its URL.
fn cut(n: usize) -> Exchange {
    Exchange {
        url: format!("https://api.example/{n}").into(),
        reply: Err(Failure::NoAnswer(NoAnswer::Cut)),
        ..exchange(Operation::Domains, 0, "")
    }
}

#[test]
fn search_queries_on_each_letter_and_esc_clears_it() {
    let mut app = App::open();
    assert_eq!(app.keys("/"), vec![]);
    let wanted = app.types("qn");
    assert_eq!(wanted.len(), 2);
    assert_eq!(&*asked(&wanted).query, "qn");
    // Enter leaves the search field but keeps the search text.
    assert_eq!(app.keys("Enter"), vec![]);
    assert!(!app.model.links.list.searching);
    let wanted = app.keys("/ Esc");
    assert_eq!(&*asked(&wanted).query, "");
    assert_eq!(app.keys("Esc"), vec![]);
}

#[test]
fn pasted_search_is_one_query_without_line_ends() {
    let mut app = App::open();
    app.keys("/");
    let wanted = app.pastes("boné\r\n azul\n");
    assert_eq!(wanted.len(), 1);
    assert_eq!(&*asked(&wanted).query, "boné azul");
}

#[test]
fn search_ends_on_pane_change_and_row_click() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    app.keys("/ F1 2 1");
    assert!(!app.model.links.list.searching);
    app.keys("/");
    let stamp = app.stamp();
    router::select_row(&mut app.model, 0, &stamp);
    assert!(matches!(app.top(), Layer::Link(_)));
}

#[test]
fn list_loads_next_window_at_its_edge() {
    let mut app = App::open();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    app.has_links(rows.clone());
    let page = ListPage { rows: rows.into(), total: Some(1_000), first: 0 };
    app.model.links.list.page = page;
    assert_eq!(app.keys("j k Down Up PgDn PgUp"), vec![]);
    let wanted = app.keys("G");
    assert_eq!((asked(&wanted).first, asked(&wanted).rows), (899, WINDOW_ROWS));
    assert_eq!(app.keys("g"), vec![]);
}

#[test]
fn the_rows_arrive_when_a_flick_past_the_window_stops() {
    let mut app = App::open();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    app.has_links(rows.clone());
    app.model.links.list.page.total = Some(1_000);
    app.model.links.list.cursor = 199;
    let wanted = app.keys("j j j");
    assert_eq!(wanted.len(), 3);
    let PageRequest { ticket, first, .. } = *asked(&wanted);
    // Answer only the last of the three requests.
    let page = ListPage { rows: rows.into(), total: Some(1_000), first };
    app.tell(Msg::LinksLoaded { ticket, result: Ok(LinksRead { page, ..LinksRead::default() }) });
    assert_eq!((app.model.links.list.cursor, first), (202, 102));
    assert!(app.model.links.list.selected().is_some());
}

#[test]
fn stale_rows_and_stale_troubles_are_dropped() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    let old = asked(&app.keys("r")).ticket;
    let new = asked(&app.keys("r")).ticket;
    let trouble = || Err(JournalTrouble::Io("x".into()));
    app.tell(Msg::LinksLoaded { ticket: old, result: trouble() });
    assert_eq!(app.model.notice, None);
    app.tell(Msg::LinksLoaded { ticket: old, result: Ok(LinksRead::default()) });
    assert_eq!(app.model.links.list.page.total, Some(1));
    app.tell(Msg::LinksLoaded { ticket: new, result: trouble() });
    let said = Notice::History(JournalTrouble::Io("x".into()));
    assert_eq!(app.model.notice, Some(said));
}

#[test]
fn unreadable_history_is_explained_until_it_is_read() {
    let mut app = App::open();
    for pane in ["1", "4"] {
        app.keys(pane);
        let ticket = app.keys("r").iter().find_map(|effect| match effect {
            Effect::LoadLinks(asked) | Effect::LoadCharges(asked) => Some(asked.ticket),
            _ => None,
        });
        let ticket = ticket.expect("it reads");
        let trouble = JournalTrouble::Io("not a directory".into());
        let answer = |result: Result<(), JournalTrouble>| match pane {
            "1" => Msg::LinksLoaded { ticket, result: result.map(|()| LinksRead::default()) },
            _ => Msg::ChargesLoaded { ticket, result: result.map(|()| ListPage::default()) },
        };
        app.tell(answer(Err(trouble.clone())));
        // The error stays in the model after its notice has disappeared.
        app.keys("Down");
        assert_eq!(app.model.history_trouble, Some(trouble.clone()));
        app.keys("n");
        let ScreenBody::Sent(sent) = app.top().screen().body() else {
            panic!("no form that is sent")
        };
        let shown = sent.failure.clone();
        assert_eq!(shown, Some(Failure::Journal(trouble)), "before anything is typed");
        app.keys("Esc");
        app.tell(answer(Ok(())));
        assert_eq!(app.model.history_trouble, None);
    }
}

#[test]
fn a_notice_stays_until_the_next_key() {
    let mut app = App::open();
    app.tell(Msg::Copied(Clip::Address, Ok(Copied::SentToTerminal)));
    app.tell(Msg::Pulse);
    app.tell(Msg::Input(Input::Resize(Size { columns: 120, rows: 40 })));
    assert!(app.model.notice.is_some());
    app.keys("j");
    assert_eq!(app.model.notice, None);
}

#[test]
fn exchanges_bounded_by_bytes_and_newest_kept() {
    let large = |n, kib: usize| Exchange {
        url: cut(n).url,
        ..exchange(Operation::Domains, 200, "x".repeat(kib * 1024))
    };
    let mut app = App::in_one_frame();
    app.keys("5");
    for n in 0..10 {
        app.exchanges(large(n, 1024));
    }
    app.keys("G");
    let kept = |app: &App| -> Vec<String> {
        app.model.exchanges.iter().map(|exchange| exchange.url.to_string()).collect()
    };
    // URLs count toward the size limit. If they did not, eight of these exchanges would fit.
    let urls: Vec<_> = (3..10).rev().map(|n| format!("https://api.example/{n}")).collect();
    assert_eq!(kept(&app), urls);
    app.exchanges(large(10, 20 * 1024));
    assert_eq!(kept(&app), ["https://api.example/10"]);
    app.exchanges(cut(11));
    assert_eq!(kept(&app), ["https://api.example/11"]);
}

fn with_labels(app: &mut App) {
    let named = |command, name: &str| Item::new(command, name).only(name);
    let labels = Action::ALL.iter().map(|a| named(Command::Do(*a), a.name()));
    let commands = [(Command::BuyersView, "buyer"), (Command::Fault("slow".into()), "slow")];
    let commands = commands.map(|(command, name)| named(command, name));
    app.model.setup.labels = labels.chain(commands).collect();
}

#[test]
fn the_palette_finds_and_does_what_is_offered_here() {
    let mut app = App::open();
    with_labels(&mut app);
    app.keys(":");
    app.types("accou");
    app.keys("Enter");
    assert_eq!(app.model.pane, Pane::Account);
    app.keys("Ctrl-K");
    app.types("log-out");
    app.keys("Enter");
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn the_palette_offers_no_way_that_is_closed() {
    let mut app = App::open();
    with_labels(&mut app);
    let found = |app: &mut App| {
        app.keys("Ctrl-K");
        let Layer::Palette(palette) = app.top() else { panic!() };
        let found = palette.found.clone();
        app.keys("Esc");
        found
    };
    let here = found(&mut app);
    assert!(here.contains(&Command::Do(Action::New)) && here.contains(&Command::Do(Action::Quit)));
    assert!(!here.contains(&Command::Do(Action::Found)) && !here.contains(&Command::BuyersView));
    assert!(!here.contains(&Command::Fault("slow".into())));
    assert!(!here.contains(&Command::Do(Action::ShowOther)));
    app.keys("n 1");
    let here = found(&mut app);
    assert!(here.contains(&Command::Do(Action::Submit)));
    assert!(!here.contains(&Command::Do(Action::Domains)));
    assert!(!here.contains(&Command::Do(Action::New)));
}

#[test]
fn palette_cursor_moves_enter_without_match_ignored() {
    let mut app = App::open();
    with_labels(&mut app);
    app.keys("Ctrl-K Down Down Up Tab Shift-Tab");
    let Layer::Palette(palette) = app.top() else { panic!() };
    assert_eq!(palette.cursor, 1);
    app.types("zzzzzz");
    assert_eq!(app.offered(), [Action::Back]);
    assert_eq!(app.keys("Enter"), vec![]);
    let Layer::Palette(palette) = app.top() else { panic!() };
    assert_eq!(palette.query.value(), "zzzzzz", "it can be typed anew");
}

#[test]
fn the_palette_pages_and_goes_to_its_ends() {
    let mut app = App::open();
    with_labels(&mut app);
    app.keys("Ctrl-K");
    let at = |app: &App| {
        let Layer::Palette(palette) = app.top() else { panic!() };
        (palette.cursor, palette.found.len() - 1)
    };
    let last = at(&app).1;
    for (key, cursor) in [("PgDn", 14.min(last)), ("End", last), ("Home", 0), ("PgUp", 0)] {
        app.keys(key);
        assert_eq!(at(&app), (cursor, last), "{key}");
    }
}

#[test]
fn idle_screens_want_no_time() {
    let mut app = App::open();
    app.has_links(vec![link("https://loja.example/x")]);
    app.exchanges(cut(1));
    for place in [
        "1", "2", "3", "4", "5", "6", "1 n", "4 n", "3 n", "1 Enter", "1 Q", "5 Enter", "6 L",
        "6 J", "6 O", "F1", "Ctrl-K", "1 / x",
    ] {
        app.keys("Esc Esc Tab Enter Esc Esc Esc");
        let mut here = App::at(app.model.clone());
        here.model.layers.clear();
        here.keys(place);
        here.model.domains.wait = None;
        assert_eq!(next_deadline(&here.model), None, "{place}");
    }
}

#[test]
fn a_wait_on_the_screen_wants_each_of_its_seconds() {
    let mut app = App::open();
    app.keys("2 r");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.passes(1_250);
    app.tell(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(750)));
    app.keys("1");
    assert_eq!(next_deadline(&app.model), None);
}

/// Reports that the sandbox's links were paid, and then that the payments are recorded. Returns the
/// effects of both messages.
fn reported(app: &mut App, urls: &[&str]) -> Vec<Effect> {
    let links = urls.iter().map(|url| Untrusted::from(*url)).collect();
    let asked = app.tell(Msg::SandboxPaidLinks(links));
    let new = asked.iter().find_map(|effect| match effect {
        Effect::RecordPaid { new, .. } => new.clone(),
        _ => None,
    });
    let new = new.map(|url| {
        let link = link("https://loja.example");
        Box::new(PaymentLink { outcome: LinkOutcome::Created { url }, ..link })
    });
    [asked, app.tell(Msg::SandboxPaymentsRecorded(Ok(new)))].concat()
}

#[test]
fn sandbox_payments_are_recorded_and_list_reloaded() {
    let mut app = App::open();
    let url = "https://loja.example/paid";
    app.has_links(vec![link(url)]);
    let wanted = reported(&mut app, &[url]);
    let links = [Untrusted::from(url)].into();
    assert_eq!(wanted[0], Effect::RecordPaid { links, new: None });
    assert!(matches!(wanted[1..], [Effect::LoadLinks(_)]), "{wanted:?}");
    assert_eq!(app.model.notice, None, "it may have been paid long ago");
    assert_eq!(reported(&mut app, &[]).len(), 1, "nothing to record");
}

#[test]
fn payments_that_cannot_be_recorded_are_said() {
    let mut app = App::open();
    let full = JournalTrouble::Full("disk".into());
    assert_eq!(app.tell(Msg::SandboxPaymentsRecorded(Err(full.clone()))), vec![]);
    assert_eq!(app.model.notice, Some(Notice::History(full)));
}

#[test]
fn new_payment_is_announced_once_then_no_wakeups() {
    let mut app = App::open();
    let urls = ["https://loja.example/1", "https://loja.example/2", "https://loja.example/3"];
    app.has_links(urls.map(link).into());
    let told = |app: &mut App, paid: &[usize]| {
        reported(app, &paid.iter().map(|n| urls[*n]).collect::<Vec<_>>());
        let (store, at) = (&app.model.store, app.model.now.boot_ms);
        let highlighted = urls.map(|url| store.paid.is_highlighted(&url.into(), at));
        (highlighted, app.model.notice.take())
    };
    assert_eq!(told(&mut app, &[0]), ([false; 3], None), "paid before the window was opened");
    let said = Notice::SandboxLinkPaid { description: "Boné".into(), amount: brl(4_990) };
    assert_eq!(told(&mut app, &[0, 1]), ([false, true, false], Some(said)));
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(PULSE_MS)));
    assert_eq!(told(&mut app, &[0, 1]), ([false, true, false], None), "once");
    app.rests(PULSE_MS);
    assert_eq!(told(&mut app, &[0, 1]), ([false; 3], None));
    assert_eq!(next_deadline(&app.model), None);
    told(&mut app, &[]);
    assert_eq!(told(&mut app, &[0, 2]).1, None, "another ledger");
}

#[test]
fn qr_code_built_after_cursor_rests_not_on_key_press() {
    let mut app = App::open();
    let urls = ["https://loja.example/1", "https://loja.example/2"];
    app.has_links(urls.map(link).into());
    let has = |app: &App| urls.map(|url| app.model.picture.of(&url.into()).is_some());
    assert_eq!(next_deadline(&app.model), None, "nothing stands beside a narrow list");
    app.tell(Msg::Input(Input::Resize(Size { columns: 120, rows: 40 })));
    app.keys("Down Up");
    assert_eq!(has(&app), [false, false]);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(REST_MS)));
    app.rests(REST_MS);
    assert_eq!(has(&app), [true, false]);
    assert_eq!(next_deadline(&app.model), None, "asleep once it is made");
    app.keys("Down");
    assert_eq!(has(&app), [true, false]);
    // On the details page, the QR code is built at once.
    app.keys("Enter");
    assert_eq!(has(&app), [false, true]);
    assert_eq!(next_deadline(&app.model), None);
}

#[test]
fn domain_keeps_time_since_its_state_was_first_seen() {
    let mut app = App::open();
    let domain = |host: &str, state| CheckoutDomain { host: host.into(), state, is_default: false };
    let mut lists = |state: DomainState| {
        app.passes(60_000);
        app.keys("2 r");
        let ticket = app.model.domains.wait.unwrap().ticket;
        let listed = vec![domain("a.example", DomainState::Active), domain("b.example", state)];
        let noted = app.tell(Msg::DomainsListed { ticket, result: Ok(listed.clone()) });
        let account = app.model.account();
        assert_eq!(noted, [Effect::NoteDomains { account, listed }]);
        let domains = &app.model.domains;
        let since = domains.seen_since.iter().map(|(_, since)| *since);
        (since.collect::<Vec<_>>(), domains.listed_at.unwrap())
    };
    let (first, at) = lists(DomainState::Pending(None));
    assert_eq!(first, [at, at]);
    let (second, later) = lists(DomainState::Pending(None));
    assert_eq!((second, later > at), (vec![at, at], true));
    let (third, last) = lists(DomainState::Active);
    assert_eq!(third, [at, last]);
    // The earlier time from the database is used only if the account and the domain's state are
    // unchanged.
    let account = app.model.account();
    let seen = |state, at| vec![(domain("b.example", state), Wall(at))];
    let other = Account { identity: "bia".into(), ..account.clone() };
    app.tell(Msg::DomainsNoted { account: other, seen: seen(DomainState::Active, 1) });
    let waiting = seen(DomainState::Pending(None), 2);
    app.tell(Msg::DomainsNoted { account: account.clone(), seen: waiting });
    assert_eq!(app.model.domains.seen_since[1].1, last);
    app.tell(Msg::DomainsNoted { account, seen: seen(DomainState::Active, 3) });
    assert_eq!(app.model.domains.seen_since[1].1, Wall(3));
    app.keys("n");
    assert_eq!(app.model.notice, Some(Notice::Plain(Role::Text, "said-domain-added-at-service")));
    assert!(app.model.layers.is_empty());
}
