//! Plays the demo's built-in story as a user would do. Follows the instructions in each caption,
//! and checks that the screen matches the caption.

use balcao::words::Lang;

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::TestEnv;

/// The number of chapters in the story.
const CHAPTERS: usize = 5;

/// Returns the texts of caption number `n` between the names of its keys.
fn caption_texts(lang: Lang, n: usize) -> Vec<String> {
    let story: toml::Table = include_str!("../../assets/demo.toml").parse().unwrap();
    let steps = story["step"].as_array().unwrap();
    let captions = steps
        .iter()
        .filter_map(|step| step.get("caption")?.get(lang.tag())?.as_str());
    let caption = captions
        .filter(|caption| !caption.is_empty())
        .nth(n - 1)
        .unwrap();
    let parts = caption.split('{');
    let texts = parts.map(|part| part.split_once('}').map_or(part, |(_, text)| text).trim());
    texts
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

/// A simulated user who follows the instructions in the captions of the story.
struct Presenter {
    env: TestEnv,
    app: App,
}

impl Presenter {
    /// Waits for caption number `n`. Checks that the caption fits into two rows and mentions these
    /// keys.
    async fn wait_for_caption(&mut self, n: usize, keys: &str) {
        let texts = caption_texts(self.app.words.lang(), n);
        let chapter = format!("/{CHAPTERS}  ");
        let caption_row = |rows: &[String]| {
            rows.windows(2).position(|pair| {
                let bar = pair
                    .join(" ")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                let has = |text: &String| {
                    let start: String = text.chars().take(12).collect();
                    bar.contains(start.trim_end())
                };
                pair[0].contains(&chapter) && texts.iter().all(has)
            })
        };
        let texts_shown = texts.join("…");
        self.app
            .wait_until(&texts_shown, |frame| caption_row(&frame.rows).is_some())
            .await;
        let rows = self.app.screen().rows;
        let row_index = caption_row(&rows).unwrap();
        let bar = rows[row_index..row_index + 2].join(" ");
        assert!(!bar.contains('…') && !bar.contains('{'), "{bar}");
        let caption_words: Vec<&str> = bar
            .split(|c: char| c.is_whitespace() || ",.:;".contains(c))
            .collect();
        for key in keys.split(' ') {
            assert!(caption_words.contains(&key), "{key} is not told in {bar}");
        }
    }

    async fn continue_story(&mut self) {
        self.app.press("Space").await;
    }

    /// Types an amount, and waits for its fee preview.
    async fn type_amount_and_wait(&mut self, digits: &str) {
        let quotes = self.app.type_amount(&self.env, digits).await;
        self.app.wait_for_another_message("Quoted", quotes).await;
    }

    async fn play_link(&mut self) {
        self.wait_for_caption(1, "1 n Ctrl-S").await;
        self.app.press("1 n").await;
        self.app.type_text("4990").await;
        self.app.press("Tab").await;
        self.app.type_text("Camiseta azul M").await;
        self.app.press("Ctrl-S").await;
        self.wait_for_caption(2, "Q Esc").await;
        self.app
            .wait_for_localized("said-link-copied-terminal")
            .await;
        let url = self.env.ledger().links.last().unwrap().url.clone();
        assert_eq!(self.app.take_terminal_output(), crate::links::osc52(&url));
        self.app.press("Q").await;
        self.app.wait_for("▀").await;
        self.app.assert_shows(&url);
        // The caption is also shown above the full-screen QR code, and Space also continues the
        // story there.
        self.wait_for_caption(2, "Q Esc").await;
        self.continue_story().await;
        self.wait_for_caption(3, "1").await;
        self.app.press("Esc 1").await;
        let paid = self.app.words.text("links-paid");
        let is_paid = |row: &String| row.contains("Camiseta azul M") && row.contains(&paid);
        self.app
            .wait_until("the payment", |frame| frame.rows.iter().any(is_paid))
            .await;
    }

    async fn play_list(&mut self) {
        self.continue_story().await;
        self.wait_for_caption(4, "p P").await;
        self.app.press("j p").await;
        self.app.wait_for_localized("said-marked").await;
        self.app.press("P").await;
        self.app.wait_for_localized("links-filter-unpaid").await;
        // Each filter hides some of the demo's payment links, because only some of them are marked
        // as paid.
        let is_marked = |frame: &Frame, n: &str| frame.rows.iter().any(|row| row.contains(n));
        self.app
            .wait_until("those without", |frame| is_marked(frame, " 2 links"))
            .await;
        self.app.press("P").await;
        self.app
            .wait_until("those marked", |frame| is_marked(frame, "59 links"))
            .await;
        self.app.press("D H").await;
        self.app
            .wait_until("the sum", |frame| frame.has("R$ 514,70"))
            .await;
        self.app.press("Esc").await;
        self.app.wait_for("61 links").await;

        self.continue_story().await;
        self.wait_for_caption(5, "Y Q").await;
        self.app.press("g Y").await;
        self.app.wait_for_copy_notice("clip-message").await;
        self.continue_story().await;
        self.wait_for_caption(6, "2").await;
        self.app.press("2").await;
        self.app
            .wait_until("it", |frame| frame.has("pending_ssl"))
            .await;
        self.app.press("g j").await;
        self.app.wait_for_localized("domain-lacks").await;
        self.continue_story().await;
    }

    async fn play_withdrawal(&mut self) {
        self.wait_for_caption(7, "3 n 100000").await;
        self.app.press("3 n").await;
        self.type_amount_and_wait("100000").await;
        self.app.wait_for("988,50").await;
        self.wait_for_caption(8, "Tab Ctrl-N Ctrl-S").await;
        self.app.press("Tab").await;
        self.app.wait_for("+55 11 98765-4321").await;
        self.app.press("Ctrl-N").await;
        self.app.wait_for("+5511987654321").await;
        self.wait_for_caption(8, "Ctrl-S").await;
        self.app.open_review().await;
        self.wait_for_caption(9, "Tab Enter").await;
        self.app.assert_shows_localized("review-key");
        assert_eq!(self.env.ledger().payouts.len(), 5, "nothing left yet");
        self.app.clock.advance_ms(600);
        self.app.confirm().await;
        self.wait_for_caption(10, "v y").await;
        self.app.assert_shows_localized("said-accepted");
        self.app.press("v").await;
        self.app.wait_for_localized("receipt-title").await;
        self.app.take_terminal_output();
        self.app.press("y").await;
        self.app.wait_for_copy_notice("clip-receipt").await;
        self.continue_story().await;
    }

    async fn play_lost_reply(&mut self) {
        self.wait_for_caption(11, "Esc d Ctrl-S").await;
        self.app.press("Esc d").await;
        self.type_amount_and_wait("20000").await;
        self.app.open_review().await;
        self.app.assert_shows("98765-4321");
        self.app.clock.advance_ms(600);
        self.app.confirm().await;
        self.wait_for_caption(12, "s").await;
        self.app.wait_for_localized("said-unknown").await;
        self.app.send_again().await;
        self.wait_for_caption(13, "a Ctrl-S").await;
        self.app.assert_shows_localized("said-accepted");
        let (requests, payouts) = self.count_requests_and_payouts("200.00");
        assert_eq!((requests, payouts), (2, 1));
        self.app.press("a").await;
        self.app.wait_for_localized("nickname-title").await;
        self.app.type_text("Tecidos").await;
        self.app.press("Ctrl-S").await;
        self.app.wait_for_localized("said-nicknamed").await;
        self.app.wait_for("· Tecidos").await;
        self.continue_story().await;
    }

    /// Returns how often the withdrawal of this amount was requested, and how often it was paid.
    fn count_requests_and_payouts(&self, amount: &str) -> (usize, usize) {
        let withdrawals = self.env.withdrawals();
        let of_amount = withdrawals
            .iter()
            .filter(|withdrawal| withdrawal.agreement.amount.wire() == amount);
        let [withdrawal] = of_amount.collect::<Vec<_>>()[..] else {
            panic!("one of {amount}")
        };
        let key = &*withdrawal.agreement.key_header;
        let ledger = self.env.ledger();
        let requests = ledger
            .requests
            .iter()
            .filter(|request| request.key.as_deref() == Some(key));
        (
            requests.count(),
            ledger
                .payouts
                .iter()
                .filter(|payout| payout.key == key)
                .count(),
        )
    }

    async fn play_charge(&mut self) {
        self.wait_for_caption(14, "4 n 111 444 Ctrl-S").await;
        self.app.request_charge("6500", "Bolo de cenoura").await;
        self.app.wait_for_message("ChargeMade").await;
        self.wait_for_caption(15, "y Q Esc").await;
        self.app.take_terminal_output();
        self.app.press("y").await;
        self.app.wait_for_copy_notice("clip-pix-code").await;
        self.app.press("Q").await;
        self.app.wait_for("▀").await;
        // The QR code covers the caption. Space must not continue the story while the caption is
        // hidden.
        self.continue_story().await;
        self.app.press("Esc").await;
        self.wait_for_caption(15, "y Q").await;
        self.continue_story().await;
    }

    async fn play_last_steps(&mut self) {
        self.wait_for_caption(16, "5 y").await;
        self.app.press("Esc 5").await;
        self.app.wait_for(" 201 ").await;
        self.app.take_terminal_output();
        self.app.press("y").await;
        self.app.wait_for_copy_notice("clip-request").await;
        self.continue_story().await;
        self.wait_for_caption(17, "6 ? Ctrl-K").await;
        self.app.press("6").await;
        self.app.wait_for_localized("account-profile").await;
        self.app.press("?").await;
        self.app.wait_for_localized("help-title").await;
        self.app.press("Esc Ctrl-K").await;
        self.app.wait_for_localized("palette-title").await;
        self.app.press("Esc").await;
        self.continue_story().await;
        let end = format!("{CHAPTERS}/{CHAPTERS}");
        self.app
            .wait_until("the end", |frame| !frame.has(&end))
            .await;
    }
}

/// Plays the whole story. When it ends, no fault may be armed, and no withdrawal may be open.
async fn play_story(lang: Lang) {
    let env = TestEnv::full_demo(lang).await;
    let app = env.open().await;
    let mut presenter = Presenter { env, app };
    presenter.app.log_in().await;
    presenter
        .app
        .run_command(if lang == Lang::Pt {
            "história: come"
        } else {
            "story: begin"
        })
        .await;
    presenter.play_link().await;
    presenter.play_list().await;
    presenter.play_withdrawal().await;
    presenter.play_lost_reply().await;
    presenter.play_charge().await;
    presenter.play_last_steps().await;
    assert_eq!(
        presenter.env.control.armed(),
        [],
        "no fault is left in wait"
    );
    let states: Vec<_> = presenter
        .env
        .withdrawals()
        .iter()
        .map(|one| presenter.env.state_name(one))
        .collect();
    assert!(
        states
            .iter()
            .all(|state| ["accepted", "rejected"].contains(state)),
        "{states:?}"
    );
    assert_eq!(states.len(), 8);
    assert!(!presenter.app.close().await.story.playing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captions_guide_through_story_in_portuguese() {
    play_story(Lang::Pt).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn captions_guide_through_story_in_english() {
    play_story(Lang::En).await;
}

/// A caption that depends on an earlier step must not be shown if the user has skipped this step.
/// The test skips every step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipping_every_step_shows_only_valid_captions() {
    let env = TestEnv::full_demo(Lang::Pt).await;
    let app = env.open().await;
    let mut presenter = Presenter { env, app };
    presenter.app.log_in().await;
    let payments = presenter.env.ledger().payments.len();
    presenter.app.run_command("história: come").await;
    // The captions of skipped steps are left out.
    for (n, keys) in [
        (1, "1"),
        (4, "p"),
        (5, "Y"),
        (6, "2"),
        (7, "3"),
        (14, "4"),
        (16, "5"),
    ] {
        presenter.wait_for_caption(n, keys).await;
        assert_eq!(presenter.env.control.armed(), [], "{n}");
        presenter.continue_story().await;
    }
    presenter.wait_for_caption(17, "6").await;
    assert_eq!(
        presenter.env.ledger().payments.len(),
        payments,
        "no buyer pays an old link"
    );
    assert_eq!(
        presenter.env.control.domains(),
        presenter.env.control.initial_domains()
    );
    presenter.app.close().await;
}
