//! Tests of accessible mode, in which the app is a stream of lines. The transcripts are reviewed by
//! a person.

use std::time::Duration;

use balcao::sandbox::Fault;

use super::in_flight::ENDLESS_DELAY;
use super::seller::launch_with_bank;
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// A little more than the time without input before an answer counts.
const QUIET_TIME: Duration = Duration::from_millis(1_200);

/// The stream of a running app.
struct Stream {
    tui: Tui,
    /// The length of the output before the last typed line.
    from: usize,
}

impl Stream {
    fn start(launch: Launch) -> Stream {
        let tui = launch.args(&["--accessible"]).start();
        Stream { tui, from: 0 }
    }

    /// Starts the app with the bank as its service, and logs in.
    fn log_in(launch: Launch, bank: &Bank, words: &Words) -> Stream {
        let mut stream = Stream::start(launch);
        let (email, password) = bank.credentials();
        stream.say(words.email, &email);
        stream.say(words.password, &password);
        stream.say(words.enter, "");
        stream.wait_for(words.logged_in);
        stream
    }

    /// Waits until the output since the last line contains this text and ends with a prompt.
    #[track_caller]
    fn wait_for(&self, text: &str) {
        let from = self.from;
        self.tui.wait_for_output(text, |bytes| {
            let new = String::from_utf8_lossy(&bytes[from..]);
            new.contains(text) && new.ends_with(['?', ':', ' '])
        });
    }

    /// Waits until the output ends with this prompt, and types a line.
    #[track_caller]
    fn say(&mut self, prompt: &str, line: &str) {
        self.wait_until_asked(prompt);
        self.from = self.tui.output_bytes().len();
        self.tui.type_text(&format!("{line}\r"));
    }

    #[track_caller]
    fn wait_until_asked(&self, prompt: &str) {
        let from = self.from;
        self.tui.wait_for_output(prompt, |bytes| {
            String::from_utf8_lossy(&bytes[from..]).ends_with(&format!("{prompt} "))
        });
    }

    /// Waits until the output since the last line contains this text and ends with a prompt, and
    /// types a line.
    #[track_caller]
    fn say_after(&mut self, text: &str, line: &str) {
        self.wait_for(text);
        self.from = self.tui.output_bytes().len();
        self.tui.type_text(&format!("{line}\r"));
    }

    /// Waits for this question and for the quiet time, and types the answer, one key at a time.
    #[track_caller]
    fn answer(&mut self, question: &str, line: &str) {
        self.wait_until_asked(question);
        self.tui.run_for(QUIET_TIME);
        self.from = self.tui.output_bytes().len();
        let from = self.from;
        for end in (1..=line.len()).filter(|end| line.is_char_boundary(*end)) {
            let typed = &line[..end];
            let start = typed.char_indices().next_back().map_or(0, |(n, _)| n);
            self.tui.type_text(&typed[start..]);
            self.tui
                .wait_for_output(typed, |bytes| bytes[from..] == *typed.as_bytes());
        }
        self.tui.type_text("\r");
    }

    /// Waits for this question and for the quiet time, and pastes a text.
    #[track_caller]
    fn paste(&mut self, question: &str, text: &str) {
        self.wait_until_asked(question);
        self.tui.run_for(QUIET_TIME);
        self.from = self.tui.output_bytes().len();
        self.tui.type_text(text);
    }

    /// Checks that the output has no escape sequence, and moves the cursor only by new lines.
    #[track_caller]
    fn assert_plain(&self) {
        let bytes = self.tui.output_bytes();
        let text = String::from_utf8(bytes).expect("UTF-8");
        let plain = text.replace("\r\n", "\n");
        let is_control = |c: char| c.is_control() && c != '\n';
        assert!(!plain.contains(is_control), "a control character:\n{plain}");
    }

    fn quit(&mut self, words: &Words) {
        self.say(words.command, words.quit);
        assert!(self.tui.wait_exit().success());
    }
}

/// The texts that the seller hears and types in one language.
struct Words {
    lang: &'static str,
    email: &'static str,
    password: &'static str,
    enter: &'static str,
    logged_in: &'static str,
    command: &'static str,
    quit: &'static str,
    no_links: &'static str,
    withdrawals: &'static str,
    no_withdrawals: &'static str,
    new: &'static str,
    amount: &'static str,
    net: &'static str,
    key: &'static str,
    kind: &'static str,
    description: &'static str,
    review: &'static str,
    withdraw: &'static str,
    first_time: &'static str,
    unknown: &'static str,
    resend_offered: &'static str,
    resend: &'static str,
    resend_question: &'static str,
    accepted: &'static str,
}

const PT: Words = Words {
    lang: "pt_BR.UTF-8",
    email: "E-mail, 1 de 2:",
    password: "Senha, 2 de 2:",
    enter: "Entrar? Enter confirma; o número de um campo volta a ele. Resposta?",
    logged_in: "Você entrou na conta.",
    command: "O que fazer?",
    quit: "sair",
    no_links: "cria o primeiro",
    withdrawals: "saques",
    no_withdrawals: "começa um saque",
    new: "novo",
    amount: "Valor, 1 de 4:",
    net: "Valor líquido",
    key: "Chave Pix, 2 de 4:",
    kind: "5 chave aleatória:",
    description: "Descrição (opcional), 4 de 4:",
    review: "Conferir? Enter confirma; o número de um campo volta a ele. Resposta?",
    withdraw: "Sacar R$ 100,00? Digite o valor de novo e Enter. Só Enter volta. Valor?",
    first_time: "primeira vez",
    unknown: "RESULTADO DESCONHECIDO",
    resend_offered: "reenviar esta solicitação",
    resend: "reenviar",
    resend_question: "Reenviar R$ 100,00? Digite o valor de novo e Enter. Só Enter volta. Valor?",
    accepted: "ACEITO PELO SERVIÇO",
};

const EN: Words = Words {
    lang: "en_US.UTF-8",
    email: "E-mail, 1 of 2:",
    password: "Password, 2 of 2:",
    enter: "Log in? Enter confirms; the number of a field returns to it. Answer?",
    logged_in: "You are logged in.",
    command: "What next?",
    quit: "quit",
    no_links: "creates the first one",
    withdrawals: "withdrawals",
    no_withdrawals: "starts a withdrawal",
    new: "new",
    amount: "Amount, 1 of 4:",
    net: "Net amount",
    key: "Pix key, 2 of 4:",
    kind: "5 random key:",
    description: "Description (optional), 4 of 4:",
    review: "Review? Enter confirms; the number of a field returns to it. Answer?",
    withdraw: "Withdraw R$ 100,00? Type the amount again and Enter. Enter alone goes back. Amount?",
    first_time: "first time",
    unknown: "OUTCOME UNKNOWN",
    resend_offered: "resend this same request",
    resend: "resend",
    resend_question: "Resend R$ 100,00? Type the amount again and Enter. Enter alone goes back. \
                      Amount?",
    accepted: "ACCEPTED",
};

fn launch(home: &TestHome, bank: &Bank, words: &Words) -> Launch {
    launch_with_bank(home, bank).env("LANG", words.lang)
}

/// Fills in a withdrawal of R$ 100,00 and opens its review.
fn review_withdrawal(stream: &mut Stream, words: &Words) {
    stream.say_after(words.no_links, words.withdrawals);
    stream.say_after(words.no_withdrawals, words.new);
    stream.say(words.amount, "100,00");
    stream.wait_for(words.net);
    stream.say(words.key, "11144477735");
    stream.say(words.kind, "");
    stream.say(words.description, "");
    stream.say(words.review, "");
    stream.wait_for(words.first_time);
}

/// Sends a withdrawal whose answer is lost, and resends it.
fn tell_withdrawal(words: &Words) {
    let (home, bank) = (TestHome::new(), Bank::open());
    bank.inject_withdrawal_fault(Fault::DropAfter);
    let mut stream = Stream::log_in(launch(&home, &bank, words), &bank, words);
    review_withdrawal(&mut stream, words);
    stream.answer(words.withdraw, "100,00");
    stream.wait_for(words.unknown);
    stream.wait_for(words.resend_offered);
    stream.say(words.command, words.resend);
    stream.wait_for(words.first_time);
    stream.answer(words.resend_question, "100,00");
    stream.wait_for(words.accepted);
    stream.quit(words);
    assert_eq!(bank.ledger().payouts.len(), 1);
    stream.assert_plain();
}

#[test]
fn withdrawal_and_resend_are_told_in_portuguese() {
    tell_withdrawal(&PT);
}

#[test]
fn withdrawal_and_resend_are_told_in_english() {
    tell_withdrawal(&EN);
}

/// Says these lines, each after the text beside it was told.
fn say_all(stream: &mut Stream, lines: &[(&str, &str)]) {
    for (text, line) in lines {
        stream.say_after(text, line);
    }
}

#[test]
fn link_and_charge_are_told_in_portuguese() {
    let (home, bank) = (TestHome::new(), Bank::open());
    let mut stream = Stream::log_in(launch(&home, &bank, &PT), &bank, &PT);
    let jwt = bank.jwt();
    let lines = [
        ("cria o primeiro", "conta"),
        ("Versões", "J"),
        ("JWT, 1 de 1", &jwt),
        ("Salvar?", ""),
        // The form for a link offers the domains, so they must have been read.
        ("JWT salvo.", "domínios"),
        ("loja-da-ana", "links"),
        ("cria o primeiro", "novo"),
        ("Valor, 1 de 4", "49,90"),
        ("Descrição, 2 de 4", "Camiseta azul"),
        ("Domínio, 3 de 4", "2"),
        ("Bilhete (opcional), 4 de 4", ""),
        ("Criar link?", ""),
        ("Não copiado", "cobranças"),
        ("cria a primeira", "nova"),
        ("Valor, 1 de 6", "1234"),
        ("Digite com vírgula", "49,90"),
        ("Descrição, 2 de 6", "Camiseta azul"),
        ("Nome do comprador, 3 de 6", "Bia Souza"),
        ("E-mail do comprador, 4 de 6", "bia@example.com"),
        ("Telefone do comprador", ""),
        ("CPF ou CNPJ do comprador", "11144477735"),
        ("Criar cobrança?", ""),
        ("Pix Copia e Cola", "voltar"),
        ("Bia Souza", "ajuda"),
        ("Sempre", "sair"),
    ];
    say_all(&mut stream, &lines);
    assert!(stream.tui.wait_exit().success());
    stream.assert_plain();
}

#[test]
fn link_and_charge_are_told_in_english() {
    let (home, bank) = (TestHome::new(), Bank::open());
    let mut stream = Stream::log_in(launch(&home, &bank, &EN), &bank, &EN);
    let jwt = bank.jwt();
    let lines = [
        ("creates the first one", "account"),
        ("Versions", "J"),
        ("JWT, 1 of 1", &jwt),
        ("Enter confirms", ""),
        ("JWT saved.", "domains"),
        ("loja-da-ana", "links"),
        ("creates the first one", "new"),
        ("1 of 4", "49,90"),
        ("2 of 4", "Blue shirt"),
        ("3 of 4", "2"),
        ("4 of 4", ""),
        ("Enter confirms", ""),
        ("Not copied", "charges"),
        ("creates the first one", "new"),
        ("1 of 6", "49,90"),
        ("2 of 6", "Blue shirt"),
        ("3 of 6", "Bia Souza"),
        ("4 of 6", "bia@example.com"),
        ("5 of 6", ""),
        ("6 of 6", "11144477735"),
        ("Enter confirms", ""),
        ("Pix", "back"),
        ("Bia Souza", "help"),
        ("Always", "quit"),
    ];
    say_all(&mut stream, &lines);
    assert!(stream.tui.wait_exit().success());
    stream.assert_plain();
}

#[test]
fn only_a_calm_line_with_the_amount_sends() {
    let (home, bank) = (TestHome::new(), Bank::open());
    let mut stream = Stream::log_in(launch(&home, &bank, &PT), &bank, &PT);
    review_withdrawal(&mut stream, &PT);
    // These keys are typed before the person can have read the question. The first of them may be
    // discarded before it is read.
    stream.wait_until_asked(PT.withdraw);
    stream.from = stream.tui.output_bytes().len();
    while !stream.tui.output_bytes()[stream.from..].contains(&b'1') {
        stream.tui.type_text("1");
        stream.tui.run_for(Duration::from_millis(10));
    }
    stream.tui.type_text("\r");
    stream.wait_for("Cedo demais");
    stream.answer(PT.withdraw, "10,00");
    stream.wait_for("R$ 10,00 não é o valor perguntado");
    stream.answer(PT.withdraw, "100");
    stream.wait_for("Digite com vírgula");
    stream.answer(PT.withdraw, "aceito");
    for paste in ["100,00\r", "100,00\r100,00"] {
        stream.paste(PT.withdraw, paste);
        stream.wait_for("Cedo demais");
    }
    for line in ["", "s", "sim", "y", "yes"] {
        stream.answer(PT.withdraw, line);
        stream.say(PT.review, "");
    }
    stream.answer(PT.withdraw, "voltar");
    stream.wait_until_asked(PT.review);
    assert_eq!(bank.ledger().payouts.len(), 0);
}

/// Keys that were typed before the question, and kept by the terminal, are no part of the answer.
#[test]
fn text_before_the_question_is_no_answer() {
    let (home, bank) = (TestHome::new(), Bank::open());
    let mut stream = Stream::log_in(launch(&home, &bank, &PT), &bank, &PT);
    review_withdrawal(&mut stream, &PT);
    stream.answer(PT.withdraw, "");
    stream.wait_until_asked(PT.review);
    // The key Ctrl-D passes the amount on without a line end.
    stream.wait_until_asked(PT.review);
    stream.from = stream.tui.output_bytes().len();
    stream.tui.type_text("\r100,00\x04");
    stream.answer(PT.withdraw, "");
    stream.wait_until_asked(PT.review);
    assert_eq!(bank.ledger().payouts.len(), 0);
}

/// In other programs that read lines, the terminal would stop or end the program at once.
#[test]
fn keys_of_the_terminal_ask_while_money_is_in_flight() {
    let (home, bank) = (TestHome::new(), Bank::open());
    bank.inject_withdrawal_fault(Fault::Delay(ENDLESS_DELAY));
    let mut stream = Stream::log_in(launch(&home, &bank, &PT), &bank, &PT);
    review_withdrawal(&mut stream, &PT);
    stream.answer(PT.withdraw, "100,00");
    stream.tui.wait_for("Enviando o saque de R$ 100,00");
    stream.tui.press("\x1a");
    stream.tui.wait_for("suspenda quando ele terminar");
    for key in ["\x04", "\x03"] {
        stream.from = stream.tui.output_bytes().len();
        stream.tui.press(key);
        stream.wait_for("Digite aceito e Enter");
        stream.from = stream.tui.output_bytes().len();
        stream.tui.press("\r");
    }
    assert!(!stream.tui.has_exited());
}

#[test]
fn interrupt_key_asks_before_a_form_is_lost() {
    let (home, bank) = (TestHome::new(), Bank::open());
    let mut stream = Stream::log_in(launch(&home, &bank, &PT), &bank, &PT);
    stream.say_after(PT.no_links, PT.withdrawals);
    stream.say_after(PT.no_withdrawals, PT.new);
    stream.say(PT.amount, "100,00");
    stream.wait_for(PT.net);
    stream.from = stream.tui.output_bytes().len();
    stream.tui.type_text("111\x03");
    stream.wait_for("Digite aceito e Enter");
    stream.say("Resposta?", "");
    stream.tui.type_text("\x03\x03");
    assert!(stream.tui.wait_exit().success());
}

#[test]
fn settings_and_variables_choose_the_mode() {
    let bank = Bank::open();
    for name in ["ACCESSIBLE", "BALCAO_ACCESSIBLE"] {
        let home = TestHome::new();
        let tui = launch_with_bank(&home, &bank).env(name, "1").start();
        tui.wait_for("balcão em modo acessível");
    }
    let home = TestHome::new();
    let tui = launch_with_bank(&home, &bank)
        .env("ACCESSIBLE", "0")
        .start();
    tui.wait_for("1 Links");
    home.write_config("config.toml", "accessible = true\n");
    let tui = launch_with_bank(&home, &bank).start();
    tui.wait_for("balcão em modo acessível");
    home.write_config("config.toml", "accessible = false\n");
    let tui = launch_with_bank(&home, &bank)
        .env("ACCESSIBLE", "1")
        .start();
    tui.wait_for("1 Links");
}
