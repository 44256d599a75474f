//! Exports HTTP requests as curl commands and HAR files. Both are masked strictly: all secrets that
//! this process knows are hidden.

use std::sync::Arc;

use tokio::task::{JoinError, spawn_blocking};

use super::{RealWorld, WorldContext};
use crate::app::Msg;
use crate::app::message::{HarExport, RequestExport};
use crate::app::store::clip::Clip;
use crate::har::{self, CurlWords, StrictMask};
use crate::runtime::doctor::CheckupTargets;
use crate::runtime::export_environment::{ScreenLook, collect_environment};
use crate::runtime::receipt_files;
use crate::trade::{Exchange, Secret, Untrusted};
use crate::words::{Catalogue, Lang};

impl RealWorld {
    /// Starts an export. The secrets to mask include the current content of the password and token
    /// fields.
    pub(super) fn export(&mut self, request: RequestExport) {
        let typed = self.secrets.all();
        self.spawn(None, |context| export(context, typed, request));
    }
}

async fn export(context: Arc<WorldContext>, typed: Vec<Secret>, request: RequestExport) -> Msg {
    let mask = build_mask(&context, typed).await;
    match request {
        RequestExport::Curl(exchange, lang) => copy_curl(context, mask, exchange, lang).await,
        RequestExport::Har(export) => save_har(context, mask, export).await,
    }
}

/// Copies an HTTP request to the clipboard as a curl command.
async fn copy_curl(
    context: Arc<WorldContext>,
    mut mask: StrictMask,
    exchange: Arc<Exchange>,
    lang: Lang,
) -> Msg {
    let contract = context.contract.current();
    // If the background task fails, the text is empty. The app then reports that nothing was
    // copied.
    let text = spawn_blocking(move || {
        let texts = ["curl-warning", "curl-key", "curl-destination"];
        let [warning, key, destination] = texts.map(|id| Catalogue::of(lang).text(id));
        let words = CurlWords {
            warning: &warning,
            key: &key,
            destination: &destination,
        };
        har::command(&exchange, &contract, &mut mask, words)
    })
    .await
    .unwrap_or_default();
    let to_terminal = &context.setup.to_terminal;
    Msg::Copied(
        Clip::Curl,
        context
            .clipboard
            .copy(&text, |bytes| to_terminal(bytes))
            .await,
    )
}

/// Saves an HTTP request as a HAR file in the directory for receipts.
async fn save_har(
    context: Arc<WorldContext>,
    mut mask: StrictMask,
    HarExport {
        exchange,
        name,
        lang,
        theme,
        size,
    }: HarExport,
) -> Msg {
    let contract = context.contract.current();
    let look = ScreenLook {
        lang,
        theme,
        size: Some([size.columns, size.rows]),
    };
    let targets = CheckupTargets {
        contract: Some(contract.clone()),
        base: Some(context.service.base().clone()),
        location: Some(context.stores.money.location().clone()),
        ..CheckupTargets::default()
    };
    let now = context.setup.clock.now().wall;
    let examiner = &context.setup.examiner;
    let environment = collect_environment(examiner, targets, look, now).await;
    let saved = spawn_blocking(move || {
        let text = har::file_with(&environment, &[&exchange], &contract, &mut mask);
        let dir = std::path::absolute(&context.setup.receipts_dir)?;
        receipt_files::save_file(&dir, (&name, "har"), &text)
    })
    .await;
    let saved = saved.map_err(|error: JoinError| error.to_string());
    let saved = saved.and_then(|saved| saved.map_err(|error| error.to_string()));
    Msg::RequestSaved(saved.map(|path| Untrusted::from(path.display().to_string())))
}

/// Creates the mask for one export, which hides both the stored secrets and the typed ones.
async fn build_mask(context: &WorldContext, typed: Vec<Secret>) -> StrictMask {
    let mut secrets = context.vault.secrets().await;
    secrets.extend(typed);
    StrictMask::new(&context.contract.current(), &secrets)
}
