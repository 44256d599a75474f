//! Tests of the keys that export a list, or a request as a curl command or as a HAR file.

use super::sales::{charge, outcome_with_code};
use super::*;
use crate::app::message::{HarExport, RequestExport};
use crate::app::store::clip::Clip;
use crate::app::store::list_export::{
    ExportFault, ExportedFile, ExportedRows, FileFormat, ListExport,
};
use crate::app::ui::Role;

/// Keys that open the list of requests, and keys that open a request's details.
const REQUEST_SCREENS: [&str; 2] = ["5", "5 Enter"];

fn app_with_request(place: &str) -> App {
    let mut app = App::logged_in();
    app.deliver_exchange(Exchange {
        at: Wall(1_795_273_200_123),
        ..exchange(Operation::Withdrawal, 200, "{}")
    });
    app.press(place);
    app
}

#[test]
fn curl_key_exports_the_shown_request() {
    for place in REQUEST_SCREENS {
        let mut app = app_with_request(place);
        let exchange = app.model.exchanges[0].clone();
        let lang = app.model.setup.lang;
        assert_eq!(
            app.press("Y"),
            [Effect::Export(RequestExport::Curl(exchange, lang))],
            "{place}"
        );
        for _ in 0..2 {
            app.deliver(Msg::Copied(Clip::Curl, Ok(Copied::Desktop)));
            let clip = Clip::Curl;
            let how = Copied::Desktop;
            let notice = Notice::Copied {
                clip,
                how,
                times: 1,
                shows_advice: false,
            };
            assert_eq!(shown_notice(&app), Some(&notice));
        }
    }
}

#[test]
fn copy_of_a_far_too_long_request_is_refused() {
    let mut app = App::logged_in();
    app.deliver_exchange(exchange(Operation::Domains, 200, "x".repeat(1024 * 1024)));
    app.press("5");
    for keys in ["y", "Enter y"] {
        let effects = app.press(keys);
        assert!(
            !effects
                .iter()
                .any(|effect| matches!(effect, Effect::Copy(..))),
            "{keys}"
        );
        assert_eq!(
            shown_notice(&app),
            Some(&Notice::NotCopied(CopyTrouble::TooLong))
        );
    }
}

#[test]
fn save_key_names_the_file_by_its_time() {
    for place in REQUEST_SCREENS {
        let mut app = app_with_request(place);
        app.model.setup.utc_offset_s = -3 * 3_600;
        let exchange = app.model.exchanges[0].clone();
        let name = "solicitacao-2026-11-21-120000".to_owned();
        let lang = app.model.setup.lang;
        let theme = app.model.setup.theme.clone();
        let export = HarExport {
            exchange,
            name,
            lang,
            theme,
            size: app.model.size,
        };
        assert_eq!(
            app.press("e"),
            [Effect::Export(RequestExport::Har(export))],
            "{place}"
        );
        let path = Untrusted::from("/srv/loja/solicitacao.har");
        app.deliver(Msg::RequestSaved(Ok(path.clone())));
        assert_eq!(shown_notice(&app), Some(&Notice::RequestSaved(path)));
        app.deliver(Msg::RequestSaved(Err("disk full".into())));
        assert_eq!(
            shown_notice(&app),
            Some(&Notice::system("said-request-not-saved", "disk full"))
        );
    }
}

/// The only effect, an export of a list.
fn list_export(effects: &[Effect]) -> &ListExport {
    match effects {
        [Effect::ExportList(export)] => export,
        other => panic!("{other:?}"),
    }
}

fn app_with_links() -> App {
    let mut app = App::logged_in();
    app.load_links(vec![link("https://loja.example/a")]);
    app
}

#[test]
fn list_is_exported_with_its_search_and_filter() {
    let mut app = app_with_links();
    app.press("1 P /");
    app.type_text("boné");
    app.press("Enter");
    app.load_links(vec![link("https://loja.example/a")]);
    assert_eq!(app.press("e"), []);
    let effects = app.press("Enter Enter");
    let export = list_export(&effects);
    let ExportedRows::Links(search) = &export.rows else {
        panic!("{export:?}")
    };
    assert_eq!(search.filter.paid, Some(false));
    assert_eq!(&*search.terms[0].text, "boné");
    assert_eq!((export.format, export.is_masked), (FileFormat::Csv, true));
    let date = app.model.now.wall.rfc3339(app.model.setup.utc_offset_s);
    let date = date.unwrap();
    assert_eq!(export.name, format!("links-{}", &date[..10]));
}

#[test]
fn charges_and_withdrawals_are_exported_too() {
    let mut app = App::logged_in();
    let ticket = app.model.next_ticket();
    app.model.charges.list.request_rows(ticket);
    app.deliver(Msg::ChargesLoaded {
        ticket,
        result: Ok(page_of(vec![charge(outcome_with_code(None))]).into()),
    });
    app.press("4 e");
    let effects = app.press("Ctrl-S");
    let export = list_export(&effects);
    assert!(
        matches!(export.rows, ExportedRows::Charges(_)),
        "{export:?}"
    );
    assert!(export.name.starts_with("cobrancas-"), "{}", export.name);

    let mut app = App::logged_in();
    app.send_withdrawal("10000");
    let sent = app.model.withdrawals.in_flight.unwrap();
    app.press("Esc");
    app.model.layers.clear();
    let listed = app.model.withdrawals.find(sent).cloned().unwrap();
    app.model.withdrawals.list.page = page_of(vec![listed]);
    app.press("3 e");
    let effects = app.press("Ctrl-S");
    let ExportedRows::Withdrawals(_, facts) = &list_export(&effects).rows else {
        panic!("{effects:?}")
    };
    assert_eq!(facts.in_flight, [sent]);
}

#[test]
fn personal_data_is_unmasked_only_if_chosen() {
    let mut app = app_with_links();
    app.press("1 e");
    app.press("Right Tab Right");
    let effects = app.press("Ctrl-S");
    let export = list_export(&effects);
    assert_eq!((export.format, export.is_masked), (FileFormat::Json, false));
    assert_eq!(app.press("Ctrl-S"), [], "until it is written");
    // Going back cancels the export.
    let ticket = export.ticket;
    assert_eq!(app.press("Esc"), [Effect::Cancel(ticket)]);
    app.press("Esc");
    assert!(app.model.layers.is_empty());
}

#[test]
fn end_of_an_export_is_reported() {
    let mut app = app_with_links();
    app.press("1 e");
    let ticket = list_export(&app.press("Ctrl-S")).ticket;
    let fault = ExportFault::File("No space left on device".into());
    app.deliver(Msg::ListExported {
        ticket,
        result: Err(fault),
    });
    let text = |app: &App| format!("{:?}", chrome::page(&app.model, app.model.size));
    assert!(text(&app).contains("No space left on device"));
    let ticket = list_export(&app.press("Ctrl-S")).ticket;
    let file = ExportedFile {
        path: "/srv/loja/links-2026-11-21.csv".into(),
        rows: 3,
        put_away: 2,
    };
    let outdated = Msg::ListExported {
        ticket: ticket.next(),
        result: Ok(file.clone()),
    };
    app.deliver(outdated);
    assert_eq!(app.model.layers.len(), 1);
    app.deliver(Msg::ListExported {
        ticket,
        result: Ok(file.clone()),
    });
    assert!(app.model.layers.is_empty());
    assert_eq!(shown_notice(&app), Some(&Notice::ListExported(file)));
}

#[test]
fn read_only_exports_and_empty_list_or_kiosk_does_not() {
    let mut app = app_with_links();
    app.model.setup.read_only = true;
    app.press("1 e");
    list_export(&app.press("Ctrl-S"));

    let mut app = App::logged_in();
    app.press("1 e");
    assert!(app.model.layers.is_empty(), "there are no rows");

    let mut app = app_with_links();
    app.model.setup.demo = Some(DemoSetup {
        kiosk: Some(Kiosk { for_room: false }),
        ..DemoSetup::default()
    });
    app.press("1");
    assert!(!app.offers(Action::Save));
    app.press("e");
    assert!(app.model.layers.is_empty());
    let notice = Notice::Plain(Role::Text, "said-kiosk-withheld");
    assert_eq!(shown_notice(&app), Some(&notice));
}
