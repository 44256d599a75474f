//! Tests of the keys that export a request as a curl command or as a HAR file.

use super::*;
use crate::app::message::{HarExport, RequestExport};
use crate::app::store::clip::Clip;

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
