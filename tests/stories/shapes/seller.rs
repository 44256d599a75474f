//! A seller who connects the app to a service of another shape, by teaching alone: without an API
//! contract file, with the answers that the service's documentation gives.

use balcao::sandbox::{Dialect, Scene};

use crate::app::App;
use crate::screen_recorder::Frame;
use crate::test_env::{PASSWORD, TestEnv};

/// The Pix key of the seller's own bank account, to which all withdrawals go.
pub const PIX_KEY: &str = "11144477735";

/// The time in milliseconds after which a button that confirms can be pressed.
const READING_MS: u64 = 600;

/// The largest number of questions of the app before the story fails.
const MAX_QUESTIONS: usize = 40;

/// The question how much money of the last withdrawal arrived.
const ARRIVED: &str = "Quanto chegou?";

/// The part of a service's documentation that the app asks for.
#[derive(Clone, Copy, Default)]
pub struct Documentation {
    /// The members of replies: a part of the app's question, and the name of the member. A value
    /// without an entry is not in the reply.
    pub places: &'static [(&'static str, &'static str)],
    /// The answers to all other questions.
    pub answers: &'static [Answer],
    /// True if the seller looks at the domains before creating the first link. If the JWT is in
    /// another header, the app can learn this only from the list of domains.
    pub starts_with_domains: bool,
}

/// The answer to a question that does not ask for a place.
pub struct Answer {
    /// A text on the screen by which the seller recognizes the question.
    pub cue: &'static str,
    /// A text in the last row, which shows the keys. Distinguishes the question from other pages
    /// that show the same text.
    pub footer: &'static str,
    pub inputs: &'static [Input],
    /// The control keys with which an erring seller answers first, if the mistake can be corrected.
    pub wrong_keys: Option<&'static str>,
}

impl Answer {
    /// The answer to a question on a form.
    pub const fn in_form(cue: &'static str, inputs: &'static [Input]) -> Answer {
        Answer {
            cue,
            footer: "Ctrl-S usar",
            inputs,
            wrong_keys: None,
        }
    }

    /// The answer to a dialog, whose second button agrees.
    const fn yes_to(cue: &'static str) -> Answer {
        let inputs = &[Input::Keys("Tab Enter")];
        Answer {
            cue,
            footer: "Enter escolher",
            inputs,
            wrong_keys: Some("Enter"),
        }
    }
}

/// An input of the seller.
pub enum Input {
    /// Control keys, separated by spaces.
    Keys(&'static str),
    /// Typed data.
    Text(&'static str),
    /// A word in the row to which the cursor is moved.
    Row(&'static str),
}

/// The running app and its seller, who counts the pressed keys.
pub struct Seller {
    pub env: TestEnv,
    pub app: App,
    documentation: Documentation,
    /// The number of pressed keys, except for the characters of typed data.
    pub control_keys: usize,
    /// True if the seller answers each question wrongly once.
    pub errs: bool,
    /// The questions that the seller has already answered wrongly.
    wrongly_answered: Vec<String>,
    /// The question in the present lesson that the seller has answered wrongly, if any.
    mistake: Option<String>,
}

impl Seller {
    /// Opens the app for the first time, at a service that uses this API dialect.
    pub async fn arrive(dialect: &str, scene: Scene, documentation: Documentation) -> Seller {
        let mut env = TestEnv::with_service(Dialect::read(dialect).unwrap(), scene).await;
        env.size = (100, 50);
        let app = env.open().await;
        Seller {
            env,
            app,
            documentation,
            control_keys: 0,
            errs: false,
            wrongly_answered: vec![],
            mistake: None,
        }
    }

    /// Lets the seller answer each question wrongly once.
    pub fn erring(self) -> Seller {
        Seller { errs: true, ..self }
    }

    async fn press(&mut self, keys: &str) {
        self.control_keys += keys.split(' ').count();
        self.app.press(keys).await;
    }

    /// Answers the app's questions until the screen shows one of these texts. Returns the index of
    /// this text.
    pub async fn reach(&mut self, goals: &[&str]) -> usize {
        let documentation = self.documentation;
        for _ in 0..MAX_QUESTIONS {
            let shows_step = |frame: &Frame| Step::on(frame, goals, documentation).is_some();
            self.app.wait_until(&goals.join(" or "), shows_step).await;
            self.app.settle().await;
            let frame = self.app.screen();
            match Step::on(&frame, goals, documentation) {
                Some(Step::Goal(goal)) => return goal,
                Some(Step::Place(question)) => self.point(&question, &frame).await,
                Some(Step::Offer(key)) => self.press(key).await,
                // The seller who sees a mistake before it is saved starts the lesson again.
                Some(Step::Save) if self.mistake.take().is_some() => self.press("Esc Esc").await,
                Some(Step::Save) => self.press("Enter").await,
                Some(Step::Answer(answer)) => self.answer(answer).await,
                Some(Step::Arrived) => self.tell_arrived_amount().await,
                None => {}
            }
        }
        panic!("the app asks without end\n{}", self.app.screen().text());
    }

    /// Returns true if the seller errs and sees this question for the first time.
    fn answers_wrongly(&mut self, question: &str) -> bool {
        let may_err = self.errs && self.mistake.is_none();
        let is_first = may_err && !self.wrongly_answered.iter().any(|known| known == question);
        if is_first {
            self.wrongly_answered.push(question.to_owned());
        }
        is_first
    }

    async fn answer(&mut self, answer: &Answer) {
        if let Some(keys) = answer
            .wrong_keys
            .filter(|_| self.answers_wrongly(answer.cue))
        {
            return self.press(keys).await;
        }
        // A button that confirms does nothing until the seller had time to read the question.
        self.env.clock.advance_ms(READING_MS);
        for input in answer.inputs {
            match input {
                Input::Keys(keys) => self.press(keys).await,
                Input::Text(text) => self.app.type_text(text).await,
                Input::Row(word) => {
                    let has_word = |words: &[&str]| words.contains(word);
                    let (key, moves) = moves_to_row(&self.app.screen(), has_word);
                    for _ in 0..moves {
                        self.press(key).await;
                    }
                }
            }
        }
    }

    /// Types the amount that arrived, or a wrong one first if the seller errs.
    async fn tell_arrived_amount(&mut self) {
        let net = self
            .env
            .ledger()
            .payouts
            .last()
            .unwrap()
            .net
            .to_string()
            .replace('.', "");
        let is_corrected = self.wrongly_answered.iter().any(|known| known == ARRIVED);
        let digits = if self.answers_wrongly(ARRIVED) {
            "777"
        } else {
            &*net
        };
        if is_corrected {
            self.press("Ctrl-U").await;
        }
        self.app.type_text(digits.trim_start_matches('0')).await;
        self.press("Ctrl-S").await;
    }

    /// Moves the cursor to the member that the question asks for, and picks it.
    async fn point(&mut self, question: &str, frame: &Frame) {
        let places = self.documentation.places;
        let place = places.iter().find(|(what, _)| question.contains(what));
        // After a mistake, the app may ask for a value that cannot be read any more.
        let is_other = |mistake: &String| mistake != question;
        let is_misled =
            frame.has("Isto não pode ser") && self.mistake.as_ref().is_some_and(is_other);
        let Some((_, name)) = place.filter(|_| !is_misled) else {
            return self.press("Esc").await;
        };
        let (key, mut moves) = moves_to_row(frame, |words| words.first() == Some(name));
        // A seller who errs picks the neighbour of the right row.
        if self.answers_wrongly(question) {
            self.mistake = Some(question.to_owned());
            moves = moves.checked_sub(1).unwrap_or(1);
        } else {
            self.mistake.take_if(|mistake| mistake == question);
        }
        for _ in 0..moves {
            self.press(key).await;
        }
        self.press("Enter").await;
    }
}

/// Returns the key that moves the cursor to the first row for which `is_sought` returns true, and
/// how often it is pressed. `is_sought` gets the words of a row.
fn moves_to_row(frame: &Frame, is_sought: impl Fn(&[&str]) -> bool) -> (&'static str, usize) {
    let is_sought = |row: &String| {
        let words: Vec<&str> = row
            .split([' ', '▌'])
            .filter(|word| !word.is_empty())
            .collect();
        is_sought(&words)
    };
    let cursor = frame.rows.iter().position(|row| row.contains('▌'));
    let row = frame.rows.iter().position(is_sought);
    let (Some(cursor), Some(row)) = (cursor, row) else {
        panic!("no such row in\n{}", frame.text());
    };
    (
        if row < cursor { "Up" } else { "Down" },
        row.abs_diff(cursor),
    )
}

/// The answers that are the same at every service.
const USUAL_ANSWERS: &[Answer] = &[
    // A field of the request has another name, or is not known.
    Answer {
        inputs: &[Input::Keys("Enter")],
        wrong_keys: Some("Esc"),
        ..Answer::yes_to("Sim, mudar")
    },
    Answer::yes_to("Tentar com o JWT?"),
    Answer::yes_to("Tentar com o token da API?"),
    Answer::yes_to("Responde sempre assim?"),
    // The seller who has noticed a mistake starts the lesson again.
    Answer {
        wrong_keys: None,
        ..Answer::yes_to("Descartar e sair")
    },
];

/// The next step of the seller.
enum Step {
    /// The screen shows what the seller waits for. Contains the index of the text.
    Goal(usize),
    /// The app asks for the place of a value in a reply. Contains the text of the question.
    Place(String),
    Answer(&'static Answer),
    /// The app asks how much of the last withdrawal arrived.
    Arrived,
    /// The app shows what was taught, before it saves this.
    Save,
    /// The app offers to teach, to go back, or to submit a form again. Contains the key that
    /// accepts the offer.
    Offer(&'static str),
}

impl Step {
    fn on(frame: &Frame, goals: &[&str], documentation: Documentation) -> Option<Step> {
        if frame.has("Gravando…") {
            return None;
        }
        let footer = frame.rows.last()?;
        // The amount that arrived has shown that the unit is wrong.
        if frame.has("É cerca de 100 vezes maior ou menor que o esperado") {
            return Some(Step::Offer("Ctrl-T"));
        }
        if frame.has(ARRIVED) && footer.contains("Ctrl-S conferir") {
            return Some(Step::Arrived);
        }
        let is_asked = |answer: &&Answer| frame.has(answer.cue) && footer.contains(answer.footer);
        if let Some(answer) = documentation
            .answers
            .iter()
            .chain(USUAL_ANSWERS)
            .find(is_asked)
        {
            return Some(Step::Answer(answer));
        }
        let is_place = |row: &&String| row.contains("Onde está ") || row.contains("Onde diz se ");
        if let Some(row) = frame
            .rows
            .iter()
            .find(is_place)
            .filter(|_| footer.contains("é este"))
        {
            return Some(Step::Place(row.trim().to_owned()));
        }
        if frame.has("Estas linhas vão para o formato") {
            return Some(Step::Save);
        }
        if let Some(goal) = goals.iter().position(|goal| frame.has(goal)) {
            return Some(Step::Goal(goal));
        }
        // After a lesson, the app reads the reply to a link again, or requests the link again.
        if frame.has("Aprendido") && footer.contains("Ctrl-S criar link") {
            return None;
        }
        // The login and a withdrawal are submitted again.
        let is_quoted = footer.contains("Ctrl-S conferir") && frame.has("consultada há");
        let is_login = footer.contains("Enter entrar");
        if frame.has("Aprendido") && (is_quoted || is_login) {
            return Some(Step::Offer("Ctrl-S"));
        }
        // A notice may cover the keys in the footer.
        let offers_lesson = footer.contains("Ctrl-T ensinar") || footer.contains(" t ensinar");
        let is_covered = frame.has("Ensine onde procurar") || frame.has("Ctrl-T: ensinar a ler");
        if offers_lesson || is_covered {
            return Some(Step::Offer("Ctrl-T"));
        }
        // There is nothing left to teach.
        footer.contains("Enter mudar").then_some(Step::Offer("Esc"))
    }
}

/// The tasks of the seller.
impl Seller {
    pub async fn log_in(&mut self) {
        self.app.wait_for_localized("login-title").await;
        self.app.type_text("ana@loja-da-ana.example").await;
        self.press("Enter").await;
        self.app.type_text(PASSWORD).await;
        self.press("Enter").await;
        self.reach(&["Você entrou na conta."]).await;
    }

    pub async fn see_domains_and_make_link(&mut self) {
        if self.documentation.starts_with_domains {
            self.see_domains().await;
            self.press("1").await;
            self.make_link().await;
        } else {
            self.make_link().await;
            self.see_domains().await;
        }
    }

    /// Opens the list of domains, and teaches the app until it shows all of them.
    async fn see_domains(&mut self) {
        self.press("2").await;
        let domains = self.env.control.domains();
        self.reach(&[&format!("○ {}", domains.last().unwrap().host)])
            .await;
        for domain in &domains {
            self.app.assert_shows(&domain.host);
        }
    }

    /// Creates a payment link. Pastes the JWT, if the login does not provide it.
    async fn make_link(&mut self) {
        self.press("n").await;
        if self
            .reach(&["Novo link de pagamento", "JWT dos links"])
            .await
            == 1
        {
            let jwt = self.env.control.jwt().unwrap();
            self.app.paste(&jwt).await;
            self.press("Enter").await;
            self.reach(&["Novo link de pagamento"]).await;
        }
        self.app.type_text("4990").await;
        self.press("Enter").await;
        self.app.type_text("Bolo").await;
        self.press("Ctrl-S").await;
        self.reach(&["Link criado", "Abre em"]).await;
        // The notice about the copied address would cover the keys of the next page.
        self.app.wait_for("Link criado e enviado").await;
        let links = self.env.ledger().links;
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].amount.to_string(), "49.90");
    }

    /// Fills in the form for a withdrawal, and teaches the app until it shows the net amount.
    pub async fn fill_in_withdrawal(&mut self, digits: &str, net: &str) {
        self.press("3 n").await;
        self.app.wait_for("Ctrl-S conferir").await;
        self.app.type_amount(&self.env, digits).await;
        self.press("Enter").await;
        self.app.type_text(PIX_KEY).await;
        self.reach(&[net]).await;
    }

    /// Repeats the withdrawal on the screen with another amount.
    pub async fn repeat_withdrawal(&mut self, digits: &str, net: &str) {
        self.press("d").await;
        self.app.wait_for("Ctrl-S conferir").await;
        self.app.type_amount(&self.env, digits).await;
        self.reach(&[net]).await;
    }

    /// Submits the filled-in form, and confirms the withdrawal on the review screen. After each
    /// lesson from a refusal, a new review opens and must be confirmed. Returns the index of the
    /// text in `ends` that the screen then shows.
    pub async fn send_withdrawal(&mut self, digits: &str, ends: &[&str]) -> usize {
        let mut reviews = self.app.message_count("Reviewed");
        self.press("Ctrl-S").await;
        loop {
            self.reach(&["Conferir o saque"]).await;
            self.app.wait_for_another_message("Reviewed", reviews).await;
            reviews = self.app.message_count("Reviewed");
            self.env.clock.advance_ms(READING_MS);
            if self.app.shows("Digite o valor") {
                self.app.type_text(digits).await;
            }
            let previous = self.app.attempt_end_count();
            self.press("Tab Enter").await;
            self.app.wait_for_attempt_end(previous).await;
            let goals = [ends, &["Conferir o saque"]].concat();
            let end = self.reach(&goals).await;
            if end < ends.len() {
                return end;
            }
        }
    }

    /// Teaches the app from the reply to a withdrawal whose outcome is unknown, if the reply has a
    /// code. Then declares that the withdrawal was paid.
    pub async fn decide_unknown(&mut self) {
        if self
            .documentation
            .places
            .iter()
            .any(|(what, _)| *what == "código do saque")
        {
            self.app.wait_for("Onde está o código do saque?").await;
            self.press("Ctrl-T").await;
            self.reach(&["RESULTADO DESCONHECIDO"]).await;
        }
        self.press("f").await;
        self.app.wait_for("Foi pago").await;
        self.env.clock.advance_ms(READING_MS);
        let decisions = self.app.message_count("Decided");
        self.press("Tab Enter").await;
        self.app
            .wait_for_another_message("Decided", decisions)
            .await;
        self.reach(&["PAGO (DECLARADO POR VOCÊ)"]).await;
    }
}
