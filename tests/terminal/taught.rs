//! Tests of a service whose API differs from the app's API contract. The seller corrects the
//! contract ("teaches" the app) with few key presses.

use std::fs;

use balcao::sandbox::{Dialect, Options};
use base64::prelude::{BASE64_STANDARD, Engine};

use super::seller::SUBMIT;
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

const TEACH: &str = "\x14";
const CLEAR: &str = "\x15";
const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const ESC: &str = "\x1b";
const TAB: &str = "\t";
const ENTER: &str = "\r";

/// The maximum number of key presses in the whole test. Typed values do not count.
const MAX_PRESSES: usize = 60;

/// The app in a terminal, with a count of the keys that were pressed.
struct KeyCounter {
    tui: Tui,
    presses: usize,
}

impl KeyCounter {
    /// Presses a key, and waits until the screen shows the text `expected`.
    fn press(&mut self, key: &str, expected: &str) {
        self.presses += 1;
        self.tui.press(key);
        self.tui.wait_for(expected);
    }

    /// Types a value, and waits until the screen shows the text `expected`. These key presses are
    /// not counted.
    fn type_value(&mut self, value: &str, expected: &str) {
        self.tui.type_text(value);
        self.tui.wait_for(expected);
    }

    /// Replaces the text in the field that has the focus.
    fn replace(&mut self, value: &str) {
        self.presses += 1;
        self.tui.press(CLEAR);
        self.type_value(value, value);
    }

    /// Logs in. Corrects the names of both login fields, and selects the tokens in the reply.
    fn log_in(&mut self, bank: &Bank) {
        let (email, password) = bank.credentials();
        self.tui.wait_for("E-mail");
        self.type_value(&email, &email);
        self.presses += 1;
        self.tui.press(TAB);
        self.type_value(&password, &"•".repeat(password.chars().count()));
        self.press(ENTER, "não é um campo deste serviço");
        self.press(TEACH, "Nome na solicitação");
        self.replace("usuario");
        self.press(SUBMIT, "login.field.email.name");
        self.press(ESC, "campo novo no corpo");
        self.press(ENTER, "Nome na tela");
        self.replace("frase");
        self.press(SUBMIT, "login.field.password.name");
        // The refused login is sent again.
        self.press(ENTER, "Não achei o token da API");
        self.press(TEACH, "Onde está o token da API?");
        self.press(DOWN, "Lido assim: valor oculto");
        self.press(ENTER, "Onde está o JWT?");
        self.press(ENTER, "Estas linhas vão para o formato");
        self.press(ENTER, "O aceite vale até você sair");
        self.press(ENTER, "Você entrou na conta.");
    }

    /// Corrects the header for the JWT. Then selects the JSON object in the reply that contains the
    /// list of domains.
    fn see_domains(&mut self) {
        self.press("2", "Credencial ausente");
        self.press("t", "Um cabeçalho por linha");
        self.replace("X-Chave-Links: {}");
        self.press(SUBMIT, "credential.jwt.headers");
        self.press(ENTER, "O aceite vale até você sair");
        self.tui.wait_for("Não achei a lista de domínios");
        self.press("t", "se o domínio está ativo?");
        self.press(ENTER, "domains.entries = \"members\"");
        self.press(ENTER, "O aceite vale até você sair");
    }

    /// Changes the unit of amounts to centavos, and then creates a payment link.
    fn make_link(&mut self, bank: &Bank) {
        self.press("1", "n novo");
        self.press("n", "Novo link de pagamento");
        self.type_value("10,00", "R$ 10,00");
        self.presses += 1;
        self.tui.press(TAB);
        self.type_value("Bolo", "Bolo");
        self.press(SUBMIT, "Ctrl-T ensinar");
        self.press(TEACH, "Unidade do valor");
        self.press(TAB, "Unidade do valor");
        self.press(RIGHT, "centavos");
        self.press(SUBMIT, "create_link.unit = \"centavos\"");
        // The refused link is sent again.
        self.press(ENTER, "Link criado e enviado à área de transferência");
        let links = bank.ledger().links;
        assert_eq!(links.len(), 1);
        assert_eq!(links[0].amount.to_string(), "10.00");
        let copied = BASE64_STANDARD.encode(&*links[0].url);
        self.tui
            .wait_for_output("the link for the clipboard", |bytes| {
                String::from_utf8_lossy(bytes).contains(&format!("]52;c;{copied}"))
            });
    }

    /// Corrects the header for the API token, and waits for a fee preview.
    fn see_fee(&mut self) {
        self.press("3", "Nenhum saque por aqui ainda");
        self.press("n", "Novo saque");
        self.type_value("100,00", "Ctrl-T ensinar");
        self.press(TEACH, "Um cabeçalho por linha");
        self.replace("X-Chave-Saques: {}");
        self.press(SUBMIT, "credential.api-token.headers");
        self.press(ENTER, "O aceite vale até você sair");
        self.tui.wait_for("R$ 97,95");
        self.tui.wait_for("R$ 2,05");
    }

    /// Confirms the withdrawal on its review screen.
    fn send(&mut self) {
        self.press(TAB, "[ Sacar R$ 100,00 ]");
        self.presses += 1;
        self.tui.press(ENTER);
    }

    /// Sends a withdrawal without a request field that the service requires. Then adds this field,
    /// and sends another withdrawal.
    fn withdraw(&mut self, bank: &Bank) {
        self.presses += 1;
        self.tui.press(TAB);
        self.type_value("11144477735", "11144477735");
        self.press(SUBMIT, "Conferir o saque");
        self.send();
        self.tui.wait_for("centro_custo");
        assert!(bank.ledger().payouts.is_empty());
        self.press(TEACH, "Nome na solicitação");
        self.press(SUBMIT, "withdrawal.field.centro_custo.name");
        self.press(ENTER, "O aceite vale até você sair");
        // The form of the withdrawal comes back filled in.
        self.tui.wait_for("R$ 97,95");
        self.press(SUBMIT, "preencha este campo");
        self.type_value("loja 7", "loja 7");
        self.press(SUBMIT, "Conferir o saque");
        // The review screen asks to type the amount again, because an identical withdrawal was made
        // just before.
        self.tui.wait_for("Digite o valor");
        self.type_value("100,00", "confere");
        self.send();
        self.tui.wait_for("aceito");
        let payouts = bank.ledger().payouts;
        assert_eq!(payouts.len(), 1);
        assert_eq!(payouts[0].amount.to_string(), "100.00");
    }
}

#[test]
fn unknown_service_shape_works_by_teaching_only() {
    let home = TestHome::new();
    let dialect = Dialect::read(include_str!("dialects/unknown.toml")).expect("a dialect");
    let bank = Bank::with(Options {
        dialect,
        ..Options::default()
    });
    let own_config = format!(
        "# A loja da Ana.\n[profiles.loja]\nbase-url = '{}' # o sandbox\nvault = 'memory'\n",
        bank.url()
    );
    home.write_config("config.toml", &own_config);
    // Start a terminal that answers no query. Otherwise, the app treats terms as seen only after
    // the terminal's answer.
    let url = bank.url();
    let launch = Launch::new(&home).args(&["--profile", "loja", "--base-url", &url]);
    let tui = launch.size(100, 70).without_replies().start();
    let mut seller = KeyCounter { tui, presses: 0 };
    seller.log_in(&bank);
    seller.see_domains();
    seller.make_link(&bank);
    seller.see_fee();
    seller.withdraw(&bank);
    assert!(seller.presses < MAX_PRESSES, "{} keys", seller.presses);
    // The app adds its API contract file to the profile in `config.toml`, and does not change the
    // seller's own lines.
    let written = fs::read_to_string(home.config_dir().join("config.toml")).unwrap();
    let mut missing_lines = own_config.lines().filter(|line| !written.contains(line));
    assert_eq!(missing_lines.next(), None, "{written}");
}
