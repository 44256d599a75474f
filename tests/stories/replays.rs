//! Tests that a seller's problem can be reproduced from exported HTTP requests. A helper who
//! presses the same keys must see the same screens, without having a live journal.

use std::sync::Arc;

use balcao::contract::Contract;
use balcao::har::{StrictMask, file};
use balcao::replay::{self, Recording, ReplayOptions, ReplayServer};
use balcao::runtime::sandbox_secret;
use balcao::sandbox::{DomainSetup, Fault};
use balcao::service::BaseUrl;
use balcao::trade::Exchange;
use serde_json::Value;

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::{PASSWORD, TestEnv};

/// A run of the app. It is either the seller's run, whose HTTP requests are recorded, or the
/// helper's run.
struct Run {
    env: TestEnv,
    app: App,
    /// The JWT that is pasted if the story needs a JWT.
    jwt: String,
    screens: Vec<Frame>,
}

impl Run {
    /// Starts the seller's run. Its service is the sandbox.
    async fn of_seller(contract: Contract) -> Run {
        let mut env = TestEnv::new().await;
        (env.is_demo, env.contract) = (false, allow_immediate_resend(contract));
        let jwt = env.control.jwt().unwrap();
        Run {
            app: env.open().await,
            env,
            jwt,
            screens: vec![],
        }
    }

    /// Starts the helper's run. Its service is a server that replays the HAR file, which also
    /// contains the API contract.
    ///
    /// The sandbox of the test environment receives no requests.
    async fn of_helper(har: &str) -> (Run, ReplayServer) {
        let mut env = TestEnv::new().await;
        let recording = Recording::read(har.as_bytes()).unwrap();
        let lines = recording.contract_lines().join("\n");
        let contract = if lines.is_empty() {
            Contract::built_in()
        } else {
            Contract::with(&[("/helper/contract.toml", &lines)]).unwrap()
        };
        let secret = sandbox_secret::read_or_create(&env.state_dir).unwrap();
        let options = ReplayOptions {
            secret: Some(secret.expose().to_owned()),
            ..ReplayOptions::new("127.0.0.1:0".parse().unwrap(), recording)
        };
        let replay = replay::start(options).await.unwrap();
        (env.is_demo, env.requires_sandbox_proof, env.contract) =
            (false, true, allow_immediate_resend(contract));
        env.base_url = replay.base_url();
        // The origin and the lines of this user's own sandbox need no agreement.
        let origin = BaseUrl::parse(&env.base_url).unwrap().origin().clone();
        env.contract = env.contract.with_base_url(&origin.0);
        assert!(env.contract.needs_consent());
        let mut app = env.open().await;
        app.wait_for_localized("login-title").await;
        let jwt = replay.jwt().to_owned();
        (
            Run {
                app,
                env,
                jwt,
                screens: vec![],
            },
            replay,
        )
    }

    fn save_screen(&mut self) {
        self.screens.push(self.app.screen());
    }

    /// Pastes the JWT for payment links, and waits for the list of domains.
    async fn paste_jwt(&mut self) {
        self.app.press("6 J").await;
        self.app.wait_for_localized("jwt-title").await;
        self.app.paste(&self.jwt.clone()).await;
        self.app.press("Enter").await;
        self.app.wait_for_localized("said-jwt-kept").await;
        self.app.wait_for_message("DomainsListed").await;
    }
}

/// Removes the wait before a withdrawal can be sent again. An API contract file cannot do this,
/// because it must set a wait of at least 30 seconds.
fn allow_immediate_resend(mut contract: Contract) -> Contract {
    contract.withdrawal.resend_after = std::time::Duration::ZERO;
    contract
}

/// Exports the HTTP requests of a run, as a seller would do it.
fn export_har(exchanges: &[Arc<Exchange>], contract: &Contract) -> String {
    let all: Vec<&Exchange> = exchanges.iter().map(Arc::as_ref).collect();
    file(&all, contract, &mut StrictMask::new(contract, &[]))
}

/// Runs a story (a scripted use of the app) with the sandbox, and exports its HTTP requests. Then
/// runs the story again with a server that replays this export, and compares the screens.
async fn assert_replay_shows_same_screens(contract: Contract, story: impl AsyncFn(&mut Run)) {
    let mut seller = Run::of_seller(contract).await;
    seller.app.type_login().await;
    story(&mut seller).await;
    let model = seller.app.close().await;
    let exchanges: Vec<_> = model.store.exchanges.iter().cloned().collect();
    let har = export_har(&exchanges, &seller.env.contract);

    let (mut helper, replay) = Run::of_helper(&har).await;
    helper.app.type_login().await;
    story(&mut helper).await;
    helper.app.close().await;
    assert_eq!(helper.env.proxy.request_count(), 0, "the sandbox was asked");
    assert_eq!(seller.screens.len(), helper.screens.len());
    let (shown, masks): (Vec<_>, Vec<_>) = masked_texts(&exchanges, &har).into_iter().unzip();
    for (seller, helper) in seller.screens.iter().zip(&helper.screens) {
        let screens = format!("{}\n{}", seller.text(), helper.text());
        assert_eq!(
            comparable_words(seller, &shown),
            comparable_words(helper, &masks),
            "{screens}"
        );
    }

    let state = &helper.env.state_dir;
    assert!(
        !state.join("journal").exists(),
        "the helper has a live journal"
    );
    let journals: Vec<_> = std::fs::read_dir(state.join("sandbox/journals"))
        .unwrap()
        .collect();
    assert_eq!(journals.len(), 1);
    replay.shutdown().await;
}

/// Returns the texts in replies that are masked in the HAR file, each with its mask. Leaves out
/// masks of hosts, and masks that also occur in the request, because the replay fills in their
/// values.
fn masked_texts(exchanges: &[Arc<Exchange>], har: &str) -> Vec<(String, String)> {
    let har: Value = serde_json::from_str(har).unwrap();
    let mut pairs = Vec::new();
    for (exchange, entry) in exchanges
        .iter()
        .zip(har["log"]["entries"].as_array().unwrap())
    {
        let Ok(reply) = &exchange.reply else { continue };
        let shown: Option<Value> = serde_json::from_str(reply.body.raw()).ok();
        let text = entry["response"]["content"]["text"].as_str().unwrap();
        let masked: Option<Value> = serde_json::from_str(text).ok();
        if let (Some(shown), Some(masked)) = (shown, masked) {
            let mut reply_pairs = Vec::new();
            collect_masked_pairs(&shown, &masked, &mut reply_pairs);
            let sent = entry["request"].to_string();
            reply_pairs.retain(|(_, mask)| !mask.starts_with("‹host") && !sent.contains(&**mask));
            pairs.extend(reply_pairs);
        }
    }
    pairs
}

fn collect_masked_pairs(shown: &Value, masked: &Value, pairs: &mut Vec<(String, String)>) {
    match (shown, masked) {
        (Value::Object(shown), Value::Object(masked)) => {
            shown
                .values()
                .zip(masked.values())
                .for_each(|(one, other)| collect_masked_pairs(one, other, pairs));
        }
        (Value::Array(shown), Value::Array(masked)) => {
            shown
                .iter()
                .zip(masked)
                .for_each(|(one, other)| collect_masked_pairs(one, other, pairs));
        }
        (Value::String(shown), Value::String(masked)) if masked.starts_with('‹') => {
            pairs.push((shown.clone(), masked.clone()));
        }
        _ => {}
    }
}

/// Returns the words of a screen without `texts`, because these texts differ between the runs.
/// Times, links and keys are replaced by fixed words.
///
/// QR codes are left out, too. Bodies that are quoted in full are also left out, because masks
/// change their line breaks.
fn comparable_words(screen: &Frame, texts: &[String]) -> Vec<String> {
    let mut text = screen.rows.join(" ").replace('│', " ");
    if let (Some(from), Some(to)) = (text.find("“{"), text.find("}”")) {
        text.replace_range(from..to, "");
    }
    let text = text.replace(['“', '”', '"', '▀', '▄', '█'], " ");
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for text in texts {
        let text: Vec<&str> = text.split_whitespace().collect();
        while let Some(positions) = find_word_positions(&text, &words) {
            for position in positions.into_iter().rev() {
                words.remove(position);
            }
        }
    }
    // A countdown may differ by a second, because the clock advances while the app waits for text.
    let is_number = |word: &str| word.bytes().all(|b| b.is_ascii_digit());
    let next_words = words.iter().skip(1).chain(&[""]);
    words
        .iter()
        .zip(next_words)
        .map(|(word, next)| match *next {
            "s" if is_number(word) => "SECONDS".to_owned(),
            _ => generalize(word),
        })
        .collect()
}

/// Returns a fixed word, such as `TIME`, for a word that differs between two runs. Returns other
/// words unchanged.
fn generalize(word: &str) -> String {
    let is_time = |part: &str| part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit());
    let is_key = word.len() == 36 && word.matches('-').count() == 4;
    match word {
        _ if word.contains("://") || word.contains(".localhost") => "LINK",
        _ if word.contains(':') && word.split(':').all(is_time) => "TIME",
        _ if is_key => "KEY",
        word => word,
    }
    .to_owned()
}

/// Finds the words of `text` in `words`, in the same order. Other words may be between them,
/// because a screen can have several columns. Returns the positions that are closest together.
fn find_word_positions(text: &[&str], words: &[&str]) -> Option<Vec<usize>> {
    let from = |start: usize| {
        let mut positions = Vec::new();
        let mut next = start;
        for expected in text {
            next += words[next..].iter().position(|word| word == expected)?;
            positions.push(next);
            next += 1;
        }
        Some(positions)
    };
    let matches = (0..words.len())
        .filter_map(from)
        .filter(|positions| !positions.is_empty());
    matches.min_by_key(|positions| positions.last().unwrap_or(&0) - positions[0])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_domain_is_replayed() {
    assert_replay_shows_same_screens(Contract::built_in(), async |run| {
        for domain in run.env.control.domains() {
            run.env
                .control
                .set_domain(&domain.host, DomainSetup::DnsPending)
                .unwrap();
        }
        run.paste_jwt().await;
        run.app.request_link("4990", "Camiseta azul M").await;
        run.app.wait_for("Domínio de checkout obrigatório.").await;
        run.save_screen();
        run.app.press("Esc").await;
        run.save_screen();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_withdrawal_reply_is_replayed() {
    assert_replay_shows_same_screens(Contract::built_in(), async |run| {
        run.env.inject_withdrawal_fault(Fault::DropAfter);
        run.app.withdraw(&run.env, "10000").await;
        run.app.assert_shows_localized("state-unknown");
        run.save_screen();
        run.app.send_again().await;
        run.app.assert_shows_localized("state-accepted");
        run.save_screen();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_token_is_replayed() {
    assert_replay_shows_same_screens(Contract::built_in(), async |run| {
        run.env.inject_withdrawal_fault(Fault::ExpiredToken);
        run.app.withdraw(&run.env, "10000").await;
        run.app.assert_shows_localized("state-refused");
        run.save_screen();
        run.app.press("r L").await;
        run.app.wait_for_localized("login-title").await;
        // Type only the password, because the form still contains the e-mail address.
        run.app.type_text(PASSWORD).await;
        run.app.press("Enter").await;
        run.app.wait_for_another_message("LoggedIn", 1).await;
        run.app.send_again().await;
        run.app.assert_shows_localized("state-accepted");
        run.save_screen();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unreadable_reply_is_replayed_and_taught() {
    // With this API contract, the app looks in the wrong place of the reply for the URL of a link.
    let blind =
        Contract::from_program_files(&[("own.toml", "create_link.url = ['/nada']")]).unwrap();
    assert_replay_shows_same_screens(blind, async |run| {
        run.paste_jwt().await;
        run.app.request_link("4990", "Camiseta azul M").await;
        run.app.wait_for_localized("unreadable-link").await;
        run.save_screen();
        run.app.press("Ctrl-T").await;
        run.app.settle().await;
        run.save_screen();
        run.app.press("Enter Enter").await;
        run.app.wait_for_localized("link-host").await;
        run.app.wait_for_message("Copied").await;
        run.app.wait_for_message("Taught").await;
        // Press a key that removes the notice. The link was copied and the contract setting was
        // saved at the same time, so either notice may be shown.
        run.app.press("Down").await;
        run.save_screen();
    })
    .await;
}

/// The exported file masks the names of these headers, because they contain digits.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn withdrawal_with_masked_headers_is_replayed() {
    let lines = "request.headers = ['X-Store-123456: 12']\n\
                 withdrawal.failed_words = ['Falha da Ana']\n\
                 withdrawal.field.description.pattern = 'A-Za-z0-9 '";
    let own = Contract::from_program_files(&[("own.toml", lines)]).unwrap();
    assert_replay_shows_same_screens(own, async |run| {
        run.app.withdraw(&run.env, "10000").await;
        run.app.assert_shows_localized("state-accepted");
        run.save_screen();
    })
    .await;
}

/// The replay must refuse a withdrawal that is not in the recording. The app then knows that no
/// money has moved.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unrecorded_withdrawal_is_refused() {
    let mut seller = Run::of_seller(Contract::built_in()).await;
    seller.app.type_login().await;
    seller.app.type_withdrawal(&seller.env, "10000").await;
    let model = seller.app.close().await;
    let exchanges: Vec<_> = model.store.exchanges.iter().cloned().collect();
    let har = export_har(&exchanges, &seller.env.contract);
    let (mut helper, _replay) = Run::of_helper(&har).await;
    helper.app.type_login().await;
    helper.app.withdraw(&helper.env, "10000").await;
    helper.app.assert_shows_localized("state-rejected");
    helper.app.assert_shows("not in this recording");
    helper.app.close().await;
}
