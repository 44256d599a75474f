//! Tests of what the seller adds to a link: that it is put away, a note, and a reminder for the
//! buyer. Also tests the earlier links that the form for a new link offers.

use super::amounts::page_text;
use super::payments::URL;
use super::*;
use crate::app::store::payable::PayableUse;

const NOTE: &str = "Ana, retirada sexta";

fn app_with_link(link: PaymentLink) -> App {
    let mut app = App::logged_in();
    app.load_links(vec![link]);
    app
}

fn noted_link() -> PaymentLink {
    PaymentLink {
        note: Some(NOTE.into()),
        ..link(URL)
    }
}

fn put_away_link() -> PaymentLink {
    PaymentLink {
        put_away: Some(Wall(7)),
        ..link(URL)
    }
}

#[test]
fn link_is_put_away_only_after_question() {
    for place in ["", "Enter"] {
        let mut app = app_with_link(link(URL));
        assert_eq!(app.press(&format!("{place} X Enter")), vec![], "{place}");
        let now = app.now.wall;
        assert_eq!(
            app.press("X Tab Enter"),
            vec![Effect::History(HistoryCommand::PutAway {
                link: Box::new(link(URL)),
                since: Some(now),
            })]
        );
        let effects = app.deliver(Msg::PutAway(Ok(Arc::new(put_away_link().into()))));
        assert!(matches!(effects[..], [Effect::LoadLinks(_)]), "{effects:?}");
        let notice = Notice::WithKey("said-put-away", Action::FilterPutAway);
        assert_eq!(shown_notice(&app), Some(&notice));
        app.load_links(vec![]);
        let details_say_so = page_text(&app).contains("Guardado (");
        assert_eq!(details_say_so, place == "Enter");
    }
}

#[test]
fn put_away_link_is_brought_back_at_once() {
    let mut app = app_with_link(put_away_link());
    assert_eq!(
        app.press("X"),
        vec![Effect::History(HistoryCommand::PutAway {
            link: Box::new(put_away_link()),
            since: None,
        })]
    );
    app.deliver(Msg::PutAway(Ok(Arc::new(link(URL).into()))));
    let notice = Notice::good("said-brought-back");
    assert_eq!(shown_notice(&app), Some(&notice));
}

#[test]
fn unsaved_or_unknown_link_is_not_put_away() {
    let mut app = app_with_link(link(URL));
    app.deliver(Msg::NotSaved(Box::new(Sale::Link(link(URL)))));
    for action in [Action::Discard, Action::Note, Action::Remind] {
        assert!(!app.offers(action), "{action:?}");
    }
    let mut app = app_with_link(PaymentLink {
        outcome: LinkOutcome::Unknown,
        ..link(URL)
    });
    app.press("X");
    let Layer::Dialog(dialog) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert!(matches!(dialog.question, Question::RemoveSale(_)));
}

#[test]
fn put_away_filter_toggles_and_esc_clears_it() {
    let mut app = App::logged_in();
    app.load_links(vec![]);
    for expected in [true, false, true] {
        let effects = app.press("A");
        let [Effect::LoadLinks(request)] = &effects[..] else {
            panic!("{effects:?}")
        };
        assert_eq!(request.search.filter.put_away, expected);
    }
    app.load_links(vec![put_away_link()]);
    assert!(page_text(&app).contains("guardados"));
    app.press("Esc");
    assert!(app.model.links.filter.is_open());
}

#[test]
fn details_show_the_note_and_the_put_away_link() {
    let mut app = app_with_link(PaymentLink {
        put_away: Some(Wall(7)),
        ..noted_link()
    });
    app.press("Enter");
    assert!(page_text(&app).contains(NOTE));
    assert!(page_text(&app).contains("Guardado ("));
    app.model.is_masked = true;
    assert!(!page_text(&app).contains("retirada"));
}

#[test]
fn note_is_saved_removed_and_kept_if_not_changed() {
    let mut app = app_with_link(link(URL));
    app.press("b");
    app.type_text(NOTE);
    let effects = app.press("Enter");
    let [Effect::History(HistoryCommand::SetNote { ticket, link, note })] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!((link.note.as_deref(), note.as_deref()), (None, Some(NOTE)));
    app.deliver(Msg::NoteSaved {
        ticket: *ticket,
        result: Ok(Arc::new(noted_link().into())),
    });
    assert_eq!(shown_notice(&app), Some(&Notice::good("said-noted")));
    assert!(app.model.layers.is_empty());
    assert!(page_text(&app).contains(NOTE), "before the list is loaded");
    app.load_links(vec![noted_link()]);
    // The form has the present note. An empty field removes it.
    let effects = app.press("b Ctrl-U Enter");
    let [Effect::History(HistoryCommand::SetNote { note: None, .. })] = &effects[..] else {
        panic!("{effects:?}")
    };
}

#[test]
fn failed_note_keeps_the_form_and_its_text() {
    let mut app = app_with_link(link(URL));
    app.press("b");
    app.type_text(NOTE);
    app.press("Enter");
    let full = JournalTrouble::Full("disk".into());
    app.deliver(Msg::NoteSaved {
        ticket: app.last_ticket(),
        result: Err(Failure::Journal(full)),
    });
    let Layer::Note(form) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert_eq!(form.sent.form.value("note"), NOTE);
}

#[test]
fn note_of_a_new_link_is_not_in_its_request() {
    let mut app = App::logged_in();
    app.fill_link_form();
    app.press("Tab Tab");
    app.type_text(NOTE);
    let effects = app.press("Enter");
    let [Effect::MakeLink { request, note, .. }] = &effects[..] else {
        panic!("{effects:?}")
    };
    assert_eq!(note.as_deref(), Some(NOTE));
    assert!(!format!("{request:?}").contains(NOTE));
}

#[test]
fn note_fills_the_template_of_the_message() {
    let mut app = app_with_link(noted_link());
    let template = MessageTemplate::parse(MessageKind::Link, "{nota}: {url}");
    app.model.setup.links.message = template.unwrap();
    let message = format!("{NOTE}: {URL}");
    assert_eq!(
        app.press("Y"),
        vec![Effect::Copy(Clip::Message, message.into())]
    );
}

#[test]
fn reminder_is_shown_before_the_browser_opens() {
    let mut app = app_with_link(noted_link());
    assert_eq!(app.press("z"), vec![]);
    let Layer::Dialog(dialog) = app.top() else {
        panic!("{:?}", app.top())
    };
    assert!(matches!(
        dialog.question,
        Question::UsePayable {
            to: PayableUse::Remind,
            ..
        }
    ));
    assert!(page_text(&app).contains("Se você já pagou"));
    let effects = app.press("Tab Enter");
    let [Effect::Browse(url)] = &effects[..] else {
        panic!("{effects:?}")
    };
    let begin = "https://wa.me/?text=Oi%21%20Passando%20para%20lembrar";
    assert!(url.raw().starts_with(begin), "{url:?}");
    assert!(!url.raw().contains("Ana"), "{url:?}");
}

#[test]
fn reminder_closes_once_the_link_is_paid() {
    let mut app = app_with_link(noted_link());
    app.press("z");
    let paid = Some(Paid {
        at: Wall(5),
        source: PaidSource::Seller,
    });
    app.load_links(vec![noted_link()]);
    assert!(matches!(app.top(), Layer::Dialog(_)), "not paid yet");
    app.load_links(vec![PaymentLink {
        paid,
        ..noted_link()
    }]);
    assert!(app.model.layers.is_empty(), "{:?}", app.top());
}

#[test]
fn reminder_is_filled_from_its_template() {
    let mut app = app_with_link(noted_link());
    let template = MessageTemplate::parse(MessageKind::Reminder, "{nota}\n{url}");
    app.model.setup.links.reminder = template.ok();
    app.press("Enter z");
    assert!(page_text(&app).contains(NOTE));
    app.model.is_masked = true;
    assert!(!page_text(&app).contains("retirada"));
    app.model.is_masked = false;
    let effects = app.press("Tab Enter");
    let sent = "https://wa.me/?text=Ana%2C%20retirada%20sexta%0A\
                https%3A%2F%2Floja.example%2Fcheckout%2Flink-7f3k2q";
    assert_eq!(effects, vec![Effect::Browse(sent.into())]);
}

#[test]
fn only_unpaid_created_link_has_a_reminder() {
    let paid = Some(Paid {
        at: Wall(5),
        source: PaidSource::Seller,
    });
    let app = app_with_link(PaymentLink { paid, ..link(URL) });
    assert!(!app.offers(Action::Remind));
    let app = app_with_link(PaymentLink {
        outcome: LinkOutcome::NotSent,
        ..link(URL)
    });
    assert!(!app.offers(Action::Remind));
    assert!(app.offers(Action::Note));
}

/// Opens the form for a new link, and delivers the earlier links that it requests.
fn form_with_earlier_links() -> App {
    let mut app = App::logged_in();
    let effects = app.press("n");
    let load = |effect: &Effect| match effect {
        Effect::History(HistoryCommand::LoadKnownLinks { ticket, .. }) => Some(*ticket),
        _ => None,
    };
    let ticket = effects.iter().find_map(load).unwrap();
    let known = |description: &str, centavos| KnownLink {
        description: description.into(),
        amount: brl(centavos),
        count: 2,
        last: Wall(0),
    };
    let links = vec![known("Boné azul", 4_990), known("Ímã de geladeira", 900)];
    app.deliver(Msg::KnownLinksLoaded {
        ticket,
        result: Ok(links),
    });
    app
}

fn values(app: &App) -> (String, String) {
    let Layer::NewLink(new) = app.top() else {
        panic!("{:?}", app.top())
    };
    let form = &new.sent.form;
    (form.value("description"), form.value("amount"))
}

#[test]
fn earlier_link_fills_description_and_empty_amount() {
    let mut app = form_with_earlier_links();
    assert!(!app.offers(Action::NextKnown), "the amount has the focus");
    app.press("Tab");
    app.type_text("IMA");
    assert!(page_text(&app).contains("geladeira"));
    app.press("Ctrl-N");
    let first = ("Ímã de geladeira".into(), "9.00".into());
    assert_eq!(values(&app), first);
    // A word in the middle finds a description too. Its amount replaces the amount of the first.
    app.press("Ctrl-U");
    app.type_text("azu");
    app.press("Ctrl-N");
    assert_eq!(values(&app), ("Boné azul".into(), "49.90".into()));
    app.press("Ctrl-U");
    app.type_text("zul");
    assert!(!app.offers(Action::NextKnown));
}

#[test]
fn earlier_link_keeps_a_typed_amount() {
    let mut app = form_with_earlier_links();
    app.type_text("1000");
    app.press("Tab Ctrl-N");
    assert_eq!(values(&app), ("Boné azul".into(), "10.00".into()));
    app.press("Ctrl-N");
    assert_eq!(values(&app), ("Ímã de geladeira".into(), "10.00".into()));
}
