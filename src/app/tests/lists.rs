//! Tests of lists, paging, search, the palette, notices, HTTP exchanges and timers.

use super::*;
use crate::app::screen::ScreenBody;
use crate::app::store::paid::{self, HIGHLIGHT_MS};
use crate::app::store::picture::QR_DELAY_MS;
use crate::app::ui::Role;
use crate::app::ui::list::{PageRequest, WINDOW_ROWS};

fn page_request(effects: &[Effect]) -> &PageRequest {
    match effects {
        [.., Effect::LoadLinks(request)] => request,
        other => panic!("{other:?}"),
    }
}

/// Creates an HTTP exchange whose response was cut off. `n` is part of its URL.
fn cut_off_exchange(n: usize) -> Exchange {
    Exchange {
        url: format!("https://api.example/{n}").into(),
        reply: Err(Failure::NoAnswer(NoAnswer::Cut)),
        ..exchange(Operation::Domains, 0, "")
    }
}

#[test]
fn search_queries_on_each_letter_and_esc_clears_it() {
    let mut app = App::logged_in();
    assert_eq!(app.press("/"), vec![]);
    let effects = app.type_text("qn");
    assert_eq!(effects.len(), 2);
    assert_eq!(&*page_request(&effects).query, "qn");
    // Enter leaves the search field but keeps the search text.
    assert_eq!(app.press("Enter"), vec![]);
    assert!(!app.model.links.list.searching);
    let effects = app.press("/ Esc");
    assert_eq!(&*page_request(&effects).query, "");
    assert_eq!(app.press("Esc"), vec![]);
}

#[test]
fn pasted_search_is_one_query_without_line_ends() {
    let mut app = App::logged_in();
    app.press("/");
    let effects = app.paste("boné\r\n azul\n");
    assert_eq!(effects.len(), 1);
    assert_eq!(&*page_request(&effects).query, "boné azul");
}

#[test]
fn search_ends_on_pane_change_and_row_click() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    app.press("/ F1 2 1");
    assert!(!app.model.links.list.searching);
    app.press("/");
    let stamp = app.stamp();
    router::select_row(&mut app.model, 0, &stamp);
    assert!(matches!(app.top(), Layer::Link(_)));
}

#[test]
fn list_loads_next_window_at_its_edge() {
    let mut app = App::logged_in();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    app.load_links(rows.clone());
    let page = ListPage {
        rows: rows.into(),
        total: Some(1_000),
        first: 0,
    };
    app.model.links.list.page = page;
    assert_eq!(app.press("j k Down Up PgDn PgUp"), vec![]);
    let effects = app.press("G");
    assert_eq!(
        (page_request(&effects).first, page_request(&effects).rows),
        (899, WINDOW_ROWS)
    );
    assert_eq!(app.press("g"), vec![]);
}

#[test]
fn last_request_fills_window_after_fast_scroll() {
    let mut app = App::logged_in();
    let rows: Vec<PaymentLink> = vec![link("https://loja.example/x"); WINDOW_ROWS as usize];
    app.load_links(rows.clone());
    app.model.links.list.page.total = Some(1_000);
    app.model.links.list.cursor = 199;
    let effects = app.press("j j j");
    assert_eq!(effects.len(), 3);
    let PageRequest { ticket, first, .. } = *page_request(&effects);
    // Answer only the last of the three requests.
    let page = ListPage {
        rows: rows.into(),
        total: Some(1_000),
        first,
    };
    app.deliver(Msg::LinksLoaded {
        ticket,
        result: Ok(SalesPage {
            page,
            ..SalesPage::default()
        }),
    });
    assert_eq!((app.model.links.list.cursor, first), (202, 102));
    assert!(app.model.links.list.selected().is_some());
}

#[test]
fn stale_rows_and_stale_troubles_are_dropped() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    let old = page_request(&app.press("r")).ticket;
    let new = page_request(&app.press("r")).ticket;
    let trouble = || Err(JournalTrouble::Io("x".into()));
    app.deliver(Msg::LinksLoaded {
        ticket: old,
        result: trouble(),
    });
    assert_eq!(app.model.notice, None);
    app.deliver(Msg::LinksLoaded {
        ticket: old,
        result: Ok(SalesPage::default()),
    });
    assert_eq!(app.model.links.list.page.total, Some(1));
    app.deliver(Msg::LinksLoaded {
        ticket: new,
        result: trouble(),
    });
    let notice = Notice::History(JournalTrouble::Io("x".into()));
    assert_eq!(app.model.notice, Some(notice));
}

#[test]
fn unreadable_history_is_explained_until_it_is_read() {
    let mut app = App::logged_in();
    for pane in ["1", "4"] {
        app.press(pane);
        let ticket = app.press("r").iter().find_map(|effect| match effect {
            Effect::LoadLinks(request) | Effect::LoadCharges(request) => Some(request.ticket),
            _ => None,
        });
        let ticket = ticket.expect("it reads");
        let trouble = JournalTrouble::Io("not a directory".into());
        let answer = |result: Result<(), JournalTrouble>| match pane {
            "1" => Msg::LinksLoaded {
                ticket,
                result: result.map(|()| SalesPage::default()),
            },
            _ => Msg::ChargesLoaded {
                ticket,
                result: result.map(|()| SalesPage::default()),
            },
        };
        app.deliver(answer(Err(trouble.clone())));
        // The error stays in the model after its notice has disappeared.
        app.press("Down");
        assert_eq!(app.model.history_trouble, Some(trouble.clone()));
        app.press("n");
        let ScreenBody::Sent(sent) = app.top().screen().body() else {
            panic!("no form that is sent")
        };
        let failure = sent.failure.clone();
        assert_eq!(
            failure,
            Some(Failure::Journal(trouble)),
            "before anything is typed"
        );
        app.press("Esc");
        app.deliver(answer(Ok(())));
        assert_eq!(app.model.history_trouble, None);
    }
}

#[test]
fn a_notice_stays_until_the_next_key() {
    let mut app = App::logged_in();
    app.deliver(Msg::Copied(Clip::Address, Ok(Copied::SentToTerminal)));
    app.deliver(Msg::Pulse);
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 120,
        rows: 40,
    })));
    assert!(app.model.notice.is_some());
    app.press("j");
    assert_eq!(app.model.notice, None);
}

#[test]
fn exchanges_bounded_by_bytes_and_newest_kept() {
    let large_exchange = |n, kib: usize| Exchange {
        url: cut_off_exchange(n).url,
        ..exchange(Operation::Domains, 200, "x".repeat(kib * 1024))
    };
    let mut app = App::with_fixed_frame();
    app.press("5");
    for n in 0..10 {
        app.deliver_exchange(large_exchange(n, 1024));
    }
    app.press("G");
    let kept_urls = |app: &App| -> Vec<String> {
        app.model
            .exchanges
            .iter()
            .map(|exchange| exchange.url.to_string())
            .collect()
    };
    // The size limit for exchanges in memory includes their URLs. If it did not, eight of these
    // exchanges would fit.
    let urls: Vec<_> = (3..10)
        .rev()
        .map(|n| format!("https://api.example/{n}"))
        .collect();
    assert_eq!(kept_urls(&app), urls);
    app.deliver_exchange(large_exchange(10, 20 * 1024));
    assert_eq!(kept_urls(&app), ["https://api.example/10"]);
    app.deliver_exchange(cut_off_exchange(11));
    assert_eq!(kept_urls(&app), ["https://api.example/11"]);
}

fn set_palette_labels(app: &mut App) {
    let item = |command, name: &str| Item::new(command, name).with_guard_words(name);
    let labels = Action::ALL.iter().map(|a| item(Command::Do(*a), a.name()));
    let commands = [
        (Command::BuyersView, "buyer"),
        (Command::Fault("slow".into()), "slow"),
    ];
    let commands = commands.map(|(command, name)| item(command, name));
    app.model.setup.labels = labels.chain(commands).collect();
}

#[test]
fn palette_finds_and_runs_offered_actions() {
    let mut app = App::logged_in();
    set_palette_labels(&mut app);
    app.press(":");
    app.type_text("accou");
    app.press("Enter");
    assert_eq!(app.model.pane, Pane::Account);
    app.press("Ctrl-K");
    app.type_text("log-out");
    app.press("Enter");
    assert!(matches!(app.top(), Layer::Dialog(_)));
}

#[test]
fn palette_hides_unavailable_commands() {
    let mut app = App::logged_in();
    set_palette_labels(&mut app);
    let found = |app: &mut App| {
        app.press("Ctrl-K");
        let Layer::Palette(palette) = app.top() else {
            panic!()
        };
        let found = palette.matches.clone();
        app.press("Esc");
        found
    };
    let here = found(&mut app);
    assert!(here.contains(&Command::Do(Action::New)) && here.contains(&Command::Do(Action::Quit)));
    assert!(!here.contains(&Command::Do(Action::Found)) && !here.contains(&Command::BuyersView));
    assert!(!here.contains(&Command::Fault("slow".into())));
    assert!(!here.contains(&Command::Do(Action::ShowOther)));
    app.press("n 1");
    let here = found(&mut app);
    assert!(here.contains(&Command::Do(Action::Submit)));
    assert!(!here.contains(&Command::Do(Action::Domains)));
    assert!(!here.contains(&Command::Do(Action::New)));
}

#[test]
fn palette_cursor_moves_enter_without_match_ignored() {
    let mut app = App::logged_in();
    set_palette_labels(&mut app);
    app.press("Ctrl-K Down Down Up Tab Shift-Tab");
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    assert_eq!(palette.cursor, 1);
    app.type_text("zzzzzz");
    assert_eq!(app.offered_actions(), [Action::Back]);
    assert_eq!(app.press("Enter"), vec![]);
    let Layer::Palette(palette) = app.top() else {
        panic!()
    };
    assert_eq!(palette.query.value(), "zzzzzz", "it can be typed anew");
}

#[test]
fn palette_pages_and_jumps_to_its_ends() {
    let mut app = App::logged_in();
    set_palette_labels(&mut app);
    app.press("Ctrl-K");
    let cursor_and_last = |app: &App| {
        let Layer::Palette(palette) = app.top() else {
            panic!()
        };
        (palette.cursor, palette.matches.len() - 1)
    };
    let last = cursor_and_last(&app).1;
    for (key, cursor) in [
        ("PgDn", 14.min(last)),
        ("End", last),
        ("Home", 0),
        ("PgUp", 0),
    ] {
        app.press(key);
        assert_eq!(cursor_and_last(&app), (cursor, last), "{key}");
    }
}

#[test]
fn idle_screens_set_no_deadline() {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/x")]);
    app.deliver_exchange(cut_off_exchange(1));
    for place in [
        "1", "2", "3", "4", "5", "6", "1 n", "4 n", "3 n", "1 Enter", "1 Q", "5 Enter", "6 L",
        "6 J", "6 O", "F1", "Ctrl-K", "1 / x",
    ] {
        app.press("Esc Esc Tab Enter Esc Esc Esc");
        let mut here = App::with_model(app.model.clone());
        here.model.layers.clear();
        here.press(place);
        here.model.domains.wait = None;
        assert_eq!(next_deadline(&here.model), None, "{place}");
    }
}

#[test]
fn shown_wait_sets_a_deadline_every_second() {
    let mut app = App::logged_in();
    app.press("2 r");
    assert_eq!(next_deadline(&app.model), Some(Duration::from_secs(1)));
    app.advance_ms(1_250);
    app.deliver(Msg::Pulse);
    assert_eq!(next_deadline(&app.model), Some(Duration::from_millis(750)));
    app.press("1");
    assert_eq!(next_deadline(&app.model), None);
}

/// Reports that these links were paid in the sandbox, and then that the history database contains
/// the payments. Returns the effects of both messages.
fn report_paid_links(app: &mut App, urls: &[&str]) -> Vec<Effect> {
    let links = urls.iter().map(|url| Untrusted::from(*url)).collect();
    let effects = app.deliver(Msg::SandboxPaidLinks(links));
    let new = effects.iter().find_map(|effect| match effect {
        Effect::RecordPaid { new, .. } => new.clone(),
        _ => None,
    });
    let new = new.map(|url| {
        let link = link("https://loja.example");
        let outcome = LinkOutcome::Created(CreatedLink { url });
        Arc::new(Sale::Link(PaymentLink { outcome, ..link }))
    });
    [effects, app.deliver(Msg::SandboxPaymentsRecorded(Ok(new)))].concat()
}

#[test]
fn sandbox_payments_are_recorded_and_list_reloaded() {
    let mut app = App::logged_in();
    let url = "https://loja.example/paid";
    app.load_links(vec![link(url)]);
    let effects = report_paid_links(&mut app, &[url]);
    let links = [Untrusted::from(url)].into();
    assert_eq!(effects[0], Effect::RecordPaid { links, new: None });
    assert!(
        matches!(effects[1..], [Effect::LoadLinks(_)]),
        "{effects:?}"
    );
    assert_eq!(app.model.notice, None, "it may have been paid long ago");
    assert_eq!(
        report_paid_links(&mut app, &[]).len(),
        1,
        "nothing to record"
    );
}

#[test]
fn unrecorded_payments_show_a_notice() {
    let mut app = App::logged_in();
    let full = JournalTrouble::Full("disk".into());
    assert_eq!(
        app.deliver(Msg::SandboxPaymentsRecorded(Err(full.clone()))),
        vec![]
    );
    assert_eq!(app.model.notice, Some(Notice::History(full)));
}

#[test]
fn new_payment_is_announced_once_then_no_wakeups() {
    let mut app = App::logged_in();
    let urls = [
        "https://loja.example/1",
        "https://loja.example/2",
        "https://loja.example/3",
    ];
    app.load_links(urls.map(link).into());
    let report = |app: &mut App, paid: &[usize]| {
        report_paid_links(app, &paid.iter().map(|n| urls[*n]).collect::<Vec<_>>());
        let store = &app.model.store;
        let at = app.model.now.boot_ms;
        let highlighted = urls.map(|url| store.paid.is_highlighted(&url.into(), at));
        (highlighted, app.model.notice.take())
    };
    assert_eq!(
        report(&mut app, &[0]),
        ([false; 3], None),
        "paid before the window was opened"
    );
    let notice = Notice::SandboxLinkPaid {
        description: "Boné".into(),
        amount: brl(4_990),
    };
    assert_eq!(
        report(&mut app, &[0, 1]),
        ([false, true, false], Some(notice))
    );
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(HIGHLIGHT_MS))
    );
    assert_eq!(
        report(&mut app, &[0, 1]),
        ([false, true, false], None),
        "once"
    );
    app.pulse_after_ms(HIGHLIGHT_MS);
    assert_eq!(report(&mut app, &[0, 1]), ([false; 3], None));
    assert_eq!(next_deadline(&app.model), None);
    report(&mut app, &[]);
    assert_eq!(report(&mut app, &[0, 2]).1, None, "another ledger");
}

#[test]
fn check_mark_draws_itself_then_no_wakeups() {
    let url = "https://loja.example/1";
    let paid = |moves: bool| {
        let mut app = App::logged_in();
        app.model.setup.motion = moves;
        app.load_links(vec![link(url)]);
        report_paid_links(&mut app, &[]);
        report_paid_links(&mut app, &[url]);
        app
    };
    let mark = |app: &App| paid::state_text(&app.model.store, Some(&url.into()), "links-paid");
    let until_still = |app: &mut App| {
        let mut frames = vec![];
        while let Some(due) = next_deadline(&app.model) {
            let due_ms = u64::try_from(due.as_millis()).unwrap();
            frames.push((mark(app), due_ms));
            app.pulse_after_ms(due_ms);
        }
        assert_eq!(mark(app), "✓ pago (sandbox)");
        frames
    };
    let frame = |sign: &str, due_ms| (format!("{sign} pago (sandbox)"), due_ms);
    let still = || vec![frame("✓", HIGHLIGHT_MS)];
    assert_eq!(until_still(&mut paid(false)), still());
    let expected = [
        frame("⠄", 130),
        frame("⡠", 130),
        frame("✓", HIGHLIGHT_MS - 260),
    ];
    assert_eq!(until_still(&mut paid(true)), expected);
    let mut app = paid(true);
    app.deliver(Msg::Focused(false));
    assert_eq!(
        until_still(&mut app),
        still(),
        "another window has the focus"
    );
    let mut app = paid(true);
    app.deliver(Msg::Focused(false));
    app.deliver(Msg::Focused(true));
    assert_eq!(until_still(&mut app), expected);
    let mut app = paid(true);
    app.press("2");
    assert_eq!(app.model.pane, Pane::Domains, "no key waits");
}

#[test]
fn qr_code_built_after_cursor_rests_not_on_key_press() {
    let mut app = App::logged_in();
    let urls = ["https://loja.example/1", "https://loja.example/2"];
    app.load_links(urls.map(link).into());
    let has_qr_code =
        |app: &App| urls.map(|url| app.model.qr_code.built_code(&url.into()).is_some());
    assert_eq!(
        next_deadline(&app.model),
        None,
        "nothing stands beside a narrow list"
    );
    app.deliver(Msg::Input(Input::Resize(Size {
        columns: 120,
        rows: 40,
    })));
    app.press("Down Up");
    assert_eq!(has_qr_code(&app), [false, false]);
    assert_eq!(
        next_deadline(&app.model),
        Some(Duration::from_millis(QR_DELAY_MS))
    );
    app.pulse_after_ms(QR_DELAY_MS);
    assert_eq!(has_qr_code(&app), [true, false]);
    assert_eq!(next_deadline(&app.model), None, "asleep once it is made");
    app.press("Down");
    assert_eq!(has_qr_code(&app), [true, false]);
    // On the details page, the QR code is built at once.
    app.press("Enter");
    assert_eq!(has_qr_code(&app), [false, true]);
    assert_eq!(next_deadline(&app.model), None);
}

#[test]
fn domain_keeps_time_since_its_state_was_first_seen() {
    let mut app = App::logged_in();
    let domain = |host: &str, state| CheckoutDomain {
        host: host.into(),
        state,
        is_default: false,
    };
    let mut deliver_domains = |state: DomainState| {
        app.advance_ms(60_000);
        app.press("2 r");
        let ticket = app.model.domains.wait.unwrap().ticket;
        let listed = vec![
            domain("a.example", DomainState::Active),
            domain("b.example", state),
        ];
        let effects = app.deliver(Msg::DomainsListed {
            ticket,
            result: Ok(listed.clone().into()),
        });
        let account = app.model.account();
        assert_eq!(effects, [Effect::NoteDomains { account, listed }]);
        let domains = &app.model.domains;
        let since = domains.first_seen.iter().map(|(_, since)| *since);
        (since.collect::<Vec<_>>(), domains.listed_at.unwrap())
    };
    let (first, at) = deliver_domains(DomainState::Pending(None));
    assert_eq!(first, [at, at]);
    let (second, later) = deliver_domains(DomainState::Pending(None));
    assert_eq!((second, later > at), (vec![at, at], true));
    let (third, last) = deliver_domains(DomainState::Active);
    assert_eq!(third, [at, last]);
    // An earlier time from the database is used only if it belongs to the same account and the same
    // state of the domain.
    let account = app.model.account();
    let seen = |state, at| vec![(domain("b.example", state), Wall(at))];
    let other = Account {
        identity: "bia".into(),
        ..account.clone()
    };
    app.deliver(Msg::DomainsNoted {
        account: other,
        seen: seen(DomainState::Active, 1),
    });
    let waiting = seen(DomainState::Pending(None), 2);
    app.deliver(Msg::DomainsNoted {
        account: account.clone(),
        seen: waiting,
    });
    assert_eq!(app.model.domains.first_seen[1].1, last);
    app.deliver(Msg::DomainsNoted {
        account,
        seen: seen(DomainState::Active, 3),
    });
    assert_eq!(app.model.domains.first_seen[1].1, Wall(3));
    app.press("n");
    assert_eq!(
        app.model.notice,
        Some(Notice::Plain(Role::Text, "said-domain-added-at-service"))
    );
    assert!(app.model.layers.is_empty());
}
