//! Tests of the keys that export a request as a curl command or as a HAR file.

use super::*;
use crate::app::message::RequestExport;
use crate::app::store::clip::Clip;

/// The keys that open the list of requests, and the keys that open a request's details.
const PLACES: [&str; 2] = ["5", "5 Enter"];

fn with_request(place: &str) -> App {
    let mut app = App::open();
    app.exchanges(Exchange {
        at: Wall(1_795_273_200_123),
        ..exchange(Operation::Withdrawal, 200, "{}")
    });
    app.keys(place);
    app
}

#[test]
fn curl_key_asks_for_the_shown_request() {
    for place in PLACES {
        let mut app = with_request(place);
        let exchange = app.model.exchanges[0].clone();
        let lang = app.model.setup.lang;
        assert_eq!(app.keys("Y"), [Effect::Export(RequestExport::Curl(exchange, lang))], "{place}");
        for _ in 0..2 {
            app.tell(Msg::Copied(Clip::Curl, Ok(Copied::Desktop)));
            let (clip, how) = (Clip::Curl, Copied::Desktop);
            let copied = Notice::Copied { clip, how, times: 1, advises: false };
            assert_eq!(said(&app), Some(&copied));
        }
    }
}

#[test]
fn copy_of_a_far_too_long_request_is_refused() {
    let mut app = App::open();
    app.exchanges(exchange(Operation::Domains, 200, "x".repeat(1024 * 1024)));
    app.keys("5");
    for keys in ["y", "Enter y"] {
        let wanted = app.keys(keys);
        assert!(!wanted.iter().any(|effect| matches!(effect, Effect::Copy(..))), "{keys}");
        assert_eq!(said(&app), Some(&Notice::NotCopied(CopyTrouble::TooLong)));
    }
}

#[test]
fn save_key_names_the_file_by_its_time() {
    for place in PLACES {
        let mut app = with_request(place);
        app.model.setup.utc_offset_s = -3 * 3_600;
        let exchange = app.model.exchanges[0].clone();
        let name = "requisicao-2026-11-21-120000".to_owned();
        assert_eq!(app.keys("e"), [Effect::Export(RequestExport::Har(exchange, name))], "{place}");
        let path = Untrusted::from("/srv/loja/requisicao.har");
        app.tell(Msg::RequestSaved(Ok(path.clone())));
        assert_eq!(said(&app), Some(&Notice::RequestSaved(path)));
        app.tell(Msg::RequestSaved(Err("disk full".into())));
        assert_eq!(said(&app), Some(&Notice::system("said-request-not-saved", "disk full")));
    }
}
