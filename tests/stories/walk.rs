//! Plays the demo's built-in story as a user would do. Follows the instructions in each caption,
//! and checks that the screen matches the caption.

use balcao::words::Lang;

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::TestEnv;

/// The number of captions in the story.
const CAPTIONS: usize = 17;

/// A simulated user who follows the instructions in the captions of the story.
struct Presenter {
    env: TestEnv,
    app: App,
}

impl Presenter {
    /// Waits for caption number `n`. Checks that the caption fits into two rows and mentions these
    /// keys.
    async fn is_told(&mut self, n: usize, keys: &str) {
        let number = format!("{n}/");
        let is_caption = |row: &String| {
            let total = row.trim_start().strip_prefix(&number).and_then(|row| row.split_once("  "));
            total.is_some_and(|(total, _)| total.parse::<usize>().is_ok())
        };
        let is_there = |rows: &[String]| rows.iter().any(is_caption);
        self.app.wait_until(&number, |frame| is_there(&frame.rows)).await;
        let rows = self.app.screen().rows;
        let at = rows.iter().position(is_caption).unwrap();
        let bar = rows[at..at + 2].join(" ");
        assert!(!bar.contains('…') && !bar.contains('{'), "{bar}");
        let said: Vec<&str> =
            bar.split(|c: char| c.is_whitespace() || ",.:;".contains(c)).collect();
        for key in keys.split(' ') {
            assert!(said.contains(&key), "{key} is not told in {bar}");
        }
    }

    /// Presses Space, which is the key that continues the story.
    async fn goes_on(&mut self) {
        self.app.press("Space").await;
    }

    /// Types an amount, and waits for the fee preview of this amount.
    async fn types_amount(&mut self, digits: &str) {
        let quotes = self.app.type_amount(&self.env, digits).await;
        self.app.wait_for_another_message("Quoted", quotes).await;
    }

    async fn link(&mut self) {
        self.is_told(1, "1 n Ctrl-S").await;
        self.app.press("1 n").await;
        self.app.type_text("4990").await;
        self.app.press("Tab").await;
        self.app.type_text("Camiseta azul M").await;
        self.app.press("Ctrl-S").await;
        self.is_told(2, "Q Esc").await;
        self.app.wait_for_word("said-link-copied-terminal").await;
        let url = self.env.ledger().links.last().unwrap().url.clone();
        assert_eq!(self.app.written(), crate::links::osc52(&url));
        self.app.press("Q").await;
        self.app.wait_for("▀").await;
        self.app.assert_sees(&url);
        // The caption is also shown above the full-screen QR code, and Space also continues the
        // story there.
        self.is_told(2, "Q Esc").await;
        self.goes_on().await;
        self.is_told(3, "1").await;
        self.app.press("Esc 1").await;
        let paid = self.app.words.text("links-paid");
        let is_paid = |row: &String| row.contains("Camiseta azul M") && row.contains(&paid);
        self.app.wait_until("the payment", |frame| frame.rows.iter().any(is_paid)).await;
    }

    async fn list(&mut self) {
        self.goes_on().await;
        self.is_told(4, "p P D H Esc").await;
        self.app.press("j p").await;
        self.app.wait_for_word("said-marked").await;
        self.app.press("P").await;
        self.app.wait_for_word("links-filter-unpaid").await;
        // Each filter hides some of the demo's payment links, because only some of them are marked
        // as paid.
        let is_marked = |frame: &Frame, n: &str| frame.rows.iter().any(|row| row.contains(n));
        self.app.wait_until("those without", |frame| is_marked(frame, " 2 links")).await;
        self.app.press("P").await;
        self.app.wait_until("those marked", |frame| is_marked(frame, "59 links")).await;
        self.app.press("D H").await;
        self.app.wait_until("the sum", |frame| frame.has("R$ 514,70")).await;
        self.app.press("Esc").await;
        self.app.wait_for("61 links").await;

        self.goes_on().await;
        self.is_told(5, "Y Q").await;
        self.app.press("g Y").await;
        self.app.wait_for_copy_of("clip-message").await;
        self.goes_on().await;
        self.is_told(6, "2").await;
        self.app.press("2").await;
        self.app.wait_until("it", |frame| frame.has("pending_ssl")).await;
        self.app.press("g j").await;
        self.app.wait_for_word("domain-lacks").await;
        self.goes_on().await;
    }

    async fn withdrawal(&mut self) {
        self.is_told(7, "3 n 100000").await;
        self.app.press("3 n").await;
        self.types_amount("100000").await;
        self.app.wait_for("988,50").await;
        self.is_told(8, "Tab Ctrl-N Ctrl-S").await;
        self.app.press("Tab Ctrl-N").await;
        self.app.wait_for("+5511987654321").await;
        self.is_told(8, "Ctrl-S").await;
        self.app.open_review().await;
        self.is_told(9, "Tab Enter").await;
        self.app.assert_sees_word("review-key");
        assert_eq!(self.env.ledger().payouts.len(), 5, "nothing left yet");
        self.app.clock.forward_ms(600);
        self.app.confirm().await;
        self.is_told(10, "v y").await;
        self.app.assert_sees_word("said-accepted");
        self.app.press("v").await;
        self.app.wait_for_word("receipt-title").await;
        self.app.written();
        self.app.press("y").await;
        self.app.wait_for_copy_of("clip-receipt").await;
        self.goes_on().await;
    }

    async fn lost_answer(&mut self) {
        self.is_told(11, "Esc d Ctrl-S").await;
        self.app.press("Esc d").await;
        self.types_amount("20000").await;
        self.app.open_review().await;
        self.app.assert_sees("98765-4321");
        self.app.clock.forward_ms(600);
        self.app.confirm().await;
        self.is_told(12, "s").await;
        self.app.wait_for_word("said-unknown").await;
        self.app.send_again().await;
        self.is_told(13, "a Ctrl-S").await;
        self.app.assert_sees_word("said-accepted");
        let (asked, paid) = self.asked_and_paid("200.00");
        assert_eq!((asked, paid), (2, 1));
        self.app.press("a").await;
        self.app.wait_for_word("nickname-title").await;
        self.app.type_text("Tecidos").await;
        self.app.press("Ctrl-S").await;
        self.app.wait_for_word("said-nicknamed").await;
        self.app.wait_for("· Tecidos").await;
        self.goes_on().await;
    }

    /// Returns the number of requests and the number of payouts for the withdrawal of this amount.
    fn asked_and_paid(&self, amount: &str) -> (usize, usize) {
        let journal = self.env.journal();
        let of_amount = journal.iter().filter(|one| one.agreement.amount.wire() == amount);
        let [one] = of_amount.collect::<Vec<_>>()[..] else { panic!("one of {amount}") };
        let (key, ledger) = (&*one.agreement.key_header, self.env.ledger());
        let asked = ledger.requests.iter().filter(|request| request.key.as_deref() == Some(key));
        (asked.count(), ledger.payouts.iter().filter(|payout| payout.key == key).count())
    }

    async fn charge(&mut self) {
        self.is_told(14, "4 n 111 444 Ctrl-S").await;
        self.app.ask_for_charge("6500", "Bolo de cenoura").await;
        self.app.wait_for_message("ChargeMade").await;
        self.is_told(15, "y Q Esc").await;
        self.app.written();
        self.app.press("y").await;
        self.app.wait_for_copy_of("clip-pix-code").await;
        self.app.press("Q").await;
        self.app.wait_for("▀").await;
        // The QR code covers the caption. Space must not continue the story while the caption is
        // hidden.
        self.goes_on().await;
        self.app.press("Esc").await;
        self.is_told(15, "y Q").await;
        self.goes_on().await;
    }

    async fn looks_around(&mut self) {
        self.is_told(16, "5 y").await;
        self.app.press("Esc 5").await;
        self.app.wait_for(" 201 ").await;
        self.app.written();
        self.app.press("y").await;
        self.app.wait_for_copy_of("clip-request").await;
        self.goes_on().await;
        self.is_told(17, "6 ? Ctrl-K").await;
        self.app.press("6").await;
        self.app.wait_for_word("account-profile").await;
        self.app.press("?").await;
        self.app.wait_for_word("help-title").await;
        self.app.press("Esc Ctrl-K").await;
        self.app.wait_for_word("palette-title").await;
        self.app.press("Esc").await;
        self.goes_on().await;
        let end = format!("{CAPTIONS}/{CAPTIONS}");
        self.app.wait_until("the end", |frame| !frame.has(&end)).await;
    }
}

/// Plays the whole story. When it ends, no fault may be armed, and no withdrawal may be open.
async fn walk(lang: Lang) {
    let env = TestEnv::of_demo(lang).await;
    let app = env.open().await;
    let mut all = Presenter { env, app };
    all.app.log_in().await;
    all.app.command(if lang == Lang::Pt { "roteiro: come" } else { "story: begin" }).await;
    all.link().await;
    all.list().await;
    all.withdrawal().await;
    all.lost_answer().await;
    all.charge().await;
    all.looks_around().await;
    assert_eq!(all.env.control.armed(), [], "no fault is left in wait");
    let states: Vec<_> = all.env.journal().iter().map(|one| all.env.state(one)).collect();
    assert!(states.iter().all(|state| ["accepted", "rejected"].contains(state)), "{states:?}");
    assert_eq!(states.len(), 8);
    assert!(!all.app.close().await.story.playing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_story_is_walked_by_its_captions_in_portuguese() {
    walk(Lang::Pt).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_story_is_walked_by_its_captions_in_english() {
    walk(Lang::En).await;
}

/// A caption that depends on an earlier step must not be shown if the user has skipped this step.
/// The test skips every step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipping_every_step_shows_only_valid_captions() {
    let env = TestEnv::of_demo(Lang::Pt).await;
    let app = env.open().await;
    let mut all = Presenter { env, app };
    all.app.log_in().await;
    let payments = all.env.ledger().payments.len();
    all.app.command("roteiro: come").await;
    for (n, keys) in [(1, "1"), (2, "p"), (3, "Y"), (4, "2"), (5, "3"), (6, "4"), (7, "5")] {
        all.is_told(n, keys).await;
        assert_eq!(all.env.control.armed(), [], "{n}");
        all.goes_on().await;
    }
    all.is_told(8, "6").await;
    assert_eq!(all.env.ledger().payments.len(), payments, "no buyer pays an old link");
    assert_eq!(all.env.control.domains(), all.env.control.first_domains());
    all.app.close().await;
}
