//! A walk through the demo with a clock that stands, written down frame by frame.

use balcao::sandbox::{BankOperation, Fault, Times};

use crate::counter::Counter;
use crate::recorder;
use crate::shop::Shop;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn record_a_walk_through_the_demo() {
    let recording = Walk::through((80, 24)).await;
    recorder::keep("walk-80x24", &recording);
    match recorder::wanted() {
        Some(_) => recorder::keep("walk-120x40", &Walk::through((120, 40)).await),
        // Two walks of one program are the same, or they compare nothing.
        None => assert_eq!(recording, Walk::through((80, 24)).await),
    }
}

/// Somebody who walks through the demo, and what they saw.
struct Walk {
    shop: Shop,
    counter: Counter,
    seen: String,
}

impl Walk {
    async fn through(size: (u16, u16)) -> String {
        let shop = Shop { size, ..Shop::new().await };
        shop.clock.stop();
        let counter = shop.open().await;
        let mut walk = Walk { shop, counter, seen: String::new() };
        walk.look("the login").await;
        walk.counter.log_in().await;
        walk.look("logged in").await;
        walk.panes().await;
        walk.links().await;
        walk.charges().await;
        walk.withdrawals().await;
        walk.what_lies_over_them().await;
        let Walk { counter, seen, .. } = walk;
        counter.close().await;
        seen
    }

    /// Writes down what is on the screen once every question is answered.
    async fn look(&mut self, at: &str) {
        self.counter.wait_for_answers().await;
        let frame = masked(&self.counter.screen().cells);
        self.seen.push_str(&format!("=== {at}\n{frame}\n"));
    }

    /// Presses keys, each of which only changes what is shown, and looks after each.
    async fn press(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.counter.press(key).await;
            self.look(&format!("{key} of {keys}")).await;
        }
    }

    async fn type_text(&mut self, text: &str) {
        self.counter.type_text(text).await;
        self.look(&format!("typed {text}")).await;
    }

    async fn wait_for_word(&mut self, word: &str) {
        self.counter.wait_for_word(word).await;
        self.look(word).await;
    }

    async fn panes(&mut self) {
        self.press("2 j j k 3 4 5 6 j j G g 1").await;
    }

    async fn links(&mut self) {
        self.press("n Tab Tab Shift-Tab Esc n").await;
        self.type_text("4990").await;
        self.press("Tab").await;
        self.type_text("Camisa 🇧🇷 azul").await;
        self.counter.press("Ctrl-S").await;
        self.wait_for_word("link-host").await;
        self.press("y y Q Esc j Esc /").await;
        self.type_text("camisa").await;
        self.press("Esc Enter Esc").await;
    }

    async fn charges(&mut self) {
        self.counter.ask_for_charge("4990", "Conserto").await;
        self.wait_for_word("charge-code").await;
        self.press("Q Esc Esc").await;
    }

    async fn withdrawals(&mut self) {
        self.counter.type_withdrawal(&self.shop, "10000").await;
        self.look("a withdrawal typed").await;
        self.counter.open_review().await;
        self.look("its review").await;
        self.shop.clock.forward_ms(600);
        self.press("Tab").await;
        self.counter.press("Shift-Tab").await;
        self.counter.confirm().await;
        self.look("sent").await;
        self.press("Esc").await;
        let lost = Fault::DropAfter;
        self.shop.control.arm(lost, BankOperation::Withdrawal, Times::Next(1)).unwrap();
        self.counter.withdraw(&self.shop, "5000").await;
        self.look("no answer").await;
        self.press("j j G g ? Esc").await;
        let reviews = self.counter.heard("Reviewed");
        self.counter.press("s").await;
        self.counter.wait_to_hear_more("Reviewed", reviews).await;
        self.look("to be sent again").await;
        self.press("Esc Esc 1 3 Enter Esc").await;
    }

    async fn what_lies_over_them(&mut self) {
        self.press("Ctrl-K").await;
        self.type_text("saq").await;
        self.press("Down Esc ? j G Esc 5 Enter Esc 6 C Esc L Esc").await;
    }
}

/// What is asked of the world, and what answers it; both name the same ticket.
const QUESTIONS: [(&str, &str); 6] = [
    ("ListDomains", "DomainsListed"),
    ("LoadLinks", "LinksLoaded"),
    ("LoadCharges", "ChargesLoaded"),
    ("LoadWithdrawals", "WithdrawalsLoaded"),
    ("LoadDestinations", "DestinationsLoaded"),
    ("Quote", "Quoted"),
];

impl Counter {
    /// Waits until the last question of each kind is answered, and the answers are on the screen.
    async fn wait_for_answers(&mut self) {
        let effects: Vec<String> = self.effects().iter().map(|one| format!("{one:?}")).collect();
        for (question, answer) in QUESTIONS {
            let asked = effects.iter().rfind(|effect| effect.starts_with(question));
            if let Some(ticket) = asked.and_then(|asked| ticket(asked)) {
                self.wait_to_hear_of(answer, ticket).await;
                if self.heard_of("LinksLoaded", &[ticket, "totals: None"]) {
                    self.wait_to_hear_of("LinksCounted", ticket).await;
                }
            }
        }
        let copies = effects.iter().filter(|effect| effect.starts_with("Copy(")).count();
        if copies > 0 {
            self.wait_to_hear_more("Copied(", copies - 1).await;
        }
        self.settle().await;
    }
}

/// The number of a question, as it prints itself.
fn ticket(said: &str) -> Option<&str> {
    let from = said.find("Ticket(")?;
    said[from..].split_inclusive(')').next()
}

/// A frame without what is there by chance: ports, the pictures that hold them, keys, the names of
/// temporary directories, and how many milliseconds an answer took.
fn masked(cells: &str) -> String {
    let mut said = String::new();
    let mut is_timed = false;
    for row in cells.lines() {
        let is_style = row.starts_with("  ");
        // A style ends with its words; and the styles of a picture are the picture.
        if is_style && (is_timed || row.contains("Indexed(231)")) {
            continue;
        }
        is_timed = row.contains(" ms");
        said.push_str(&masked_row(row));
        said.push('\n');
    }
    said
}

fn masked_row(row: &str) -> String {
    let row = without_times(&row.replace(['▀', '▄', '█'], " "));
    let row = without_directory(&row);
    let is_address = row.contains("://") || row.contains("/checkout") || row.contains("localhost");
    let hide = |c: char| if is_address && c.is_ascii_digit() { '0' } else { c };
    let is_key = |word: &str| word.len() >= 36 && word.matches('-').count() >= 4;
    let words = row.split_inclusive(|c: char| !(c.is_ascii_hexdigit() || c == '-'));
    let words = words.map(|word| match is_key(word) {
        true => word.replace(|c: char| c.is_ascii_hexdigit(), "0"),
        false => word.chars().map(hide).collect(),
    });
    words.collect()
}

/// The name of a temporary directory as one that is always the same, as long as it is.
fn without_directory(row: &str) -> String {
    let Some((before, name)) = row.split_once("/.tmp") else { return row.to_owned() };
    let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
    format!("{before}/.tmp{}{}", "0".repeat(end), &name[end..])
}

/// Every "12 ms" as " ms", whichever column it began in.
fn without_times(row: &str) -> String {
    let mut parts: Vec<&str> = row.split(" ms").collect();
    let last = parts.len() - 1;
    for part in &mut parts[..last] {
        *part = part.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end();
    }
    let is_timed = last > 0;
    let row = parts.join(" ms");
    // Where it was wider, less room is left behind it.
    if is_timed { row.trim_end_matches(['|', ' ']).to_owned() } else { row }
}
