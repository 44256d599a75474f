//! The keys that export a request: as a curl command or as a HAR file. The runtime writes both,
//! because only the runtime knows the secrets that must be removed from them.

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::message::{HarExport, RequestExport};
use crate::app::store::clip;
use crate::app::store::setup::Setup;
use crate::app::ui::{Action, Role};
use crate::app::{Effect, Notice, Store};
use crate::trade::Exchange;

/// The actions that export a request: copying it as a curl command, and saving it as a HAR file.
pub(super) const ACTIONS: [Action; 2] = [Action::CopyMessage, Action::Save];

/// Runs one of [`ACTIONS`].
pub(super) fn act(cx: &mut Cx, action: Action, exchange: &Arc<Exchange>) {
    let exchange = exchange.clone();
    match action {
        Action::CopyMessage => clip::copy_curl(cx, exchange),
        Action::Save if cx.store.setup.kiosk().is_some() => {
            cx.store
                .notify(Notice::Plain(Role::Text, "said-kiosk-no-file"));
        }
        Action::Save => {
            let name = file_name(cx.store, &exchange);
            let Setup { lang, theme, .. } = &cx.store.setup;
            let lang = *lang;
            let theme = theme.clone();
            let size = cx.store.size;
            let export = HarExport {
                exchange,
                name,
                lang,
                theme,
                size,
            };
            cx.perform(Effect::Export(RequestExport::Har(export)));
        }
        _ => {}
    }
}

/// The name of the HAR file without an extension: the local date and time of the request.
fn file_name(store: &Store, exchange: &Exchange) -> String {
    let at = exchange
        .at
        .rfc3339(store.setup.utc_offset_s)
        .unwrap_or_default();
    let at = at
        .get(..19)
        .unwrap_or_default()
        .replace('T', "-")
        .replace(':', "");
    let name = store.text("request-file");
    if at.is_empty() {
        name
    } else {
        format!("{name}-{at}")
    }
}
