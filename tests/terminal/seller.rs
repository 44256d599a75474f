//! A seller at the keyboard: the ways through the screens that several tests go.

use super::support::bank::Bank;
use super::support::place::Place;
use super::support::pty::{Launch, Tui};

/// The submitting key of every form.
pub const SUBMIT: &str = "\x13";

impl Tui {
    /// Leaves with the key that leaves from everywhere.
    #[track_caller]
    pub fn leave(&mut self) {
        self.press("\x03");
        assert!(self.wait_exit().success(), "{}", self.text());
    }
}

/// Opens the demo and logs in with the one key that takes.
pub fn demo(place: &Place) -> Tui {
    logged_in(Launch::new(place).args(&["demo"]).start())
}

/// Logs in where everything is filled in.
pub fn logged_in(mut tui: Tui) -> Tui {
    tui.wait_for("[ Entrar ]");
    tui.press("\r");
    tui.wait_for("● sessão ativa");
    tui
}

/// The app on somebody else's sandbox, not yet started.
pub fn at(place: &Place, bank: &Bank) -> Launch {
    // Nobody waits half a minute here before a key is pressed again.
    let launch = Launch::new(place).env("BALCAO_TEST_RESEND_AT_ONCE", "1");
    launch.args(&["--base-url", &bank.url(), "--vault", "memory"])
}

/// Opens the app on a sandbox and types the login.
pub fn at_counter(place: &Place, bank: &Bank) -> Tui {
    let mut tui = at(place, bank).start();
    type_login(&mut tui, bank);
    tui
}

/// Types the login, and waits until it is in.
pub fn type_login(tui: &mut Tui, bank: &Bank) {
    submit_login(tui, bank.credentials());
    tui.wait_for("Você entrou na conta.");
}

/// Types this login.
pub fn submit_login(tui: &mut Tui, (email, password): (String, String)) {
    tui.wait_for("E-mail");
    tui.type_text(&email);
    tui.wait_for(&email);
    tui.type_text("\t");
    tui.type_text(&password);
    tui.wait_for(&"•".repeat(password.chars().count()));
    tui.press(SUBMIT);
}

/// Pastes the JWT for links, on the pane that is for it.
pub fn paste_jwt(tui: &mut Tui, bank: &Bank) {
    tui.press("6");
    tui.wait_for("JWT");
    tui.press("J");
    tui.wait_for("JWT dos links");
    tui.paste(&bank.jwt());
    tui.wait_for("••••••");
    tui.press(SUBMIT);
    tui.wait_for("JWT guardado.");
}

/// Leaves a form, and what was typed there, which shows this.
pub fn discard_form(tui: &mut Tui, shown: &str) {
    tui.press("\x1b");
    tui.wait_for("[ Continuar editando ]");
    tui.press("\t");
    tui.wait_for("[ Descartar e sair ]");
    tui.press("\r");
    tui.wait_gone(shown);
}

/// Logs out on the pane of the account, where this is said then.
pub fn log_out(tui: &mut Tui, said: &str) {
    tui.press("O");
    tui.wait_for("Sair da conta?");
    tui.press("\t");
    tui.wait_for("[ Sair da conta ]");
    tui.press("\r");
    tui.wait_for(said);
}

/// Makes a link of R$ 49,90 from the pane of links, and leaves its details open.
pub fn make_link(tui: &mut Tui, description: &str) {
    tui.press("1");
    tui.wait_for("n novo");
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90");
    tui.wait_for("R$ 49,90");
    tui.type_text("\t");
    tui.type_text(description);
    tui.wait_for(description);
    tui.press(SUBMIT);
    // The end of its address: beside a list it may stand on a line of its own.
    tui.wait_for("link-");
}

/// Types a withdrawal of R$ 100,00, and waits for its quote.
pub fn type_withdrawal(tui: &mut Tui) {
    tui.press("3");
    tui.wait_for("Nenhum saque por aqui ainda");
    tui.press("n");
    tui.wait_for("Novo saque");
    tui.type_text("100,00");
    tui.wait_for("R$ 97,95");
    tui.type_text("\t\t");
    tui.type_text("11144477735");
    tui.wait_for("11144477735");
}

/// Types it and opens its review, with the button chosen that confirms.
pub fn review_withdrawal(tui: &mut Tui) {
    type_withdrawal(tui);
    tui.press(SUBMIT);
    tui.wait_for("[ Voltar ]");
    tui.press("\t");
    // In round brackets as long as it is dead.
    tui.wait_for("[ Sacar R$ 100,00 ]");
}

/// Asks to send the withdrawal of R$ 100,00 that is in front, for the first time or again, and says
/// yes.
pub fn resend(tui: &mut Tui) {
    tui.press("s");
    tui.wait_for("[ Voltar ]");
    tui.press("\t");
    // In round brackets as long as it is dead.
    tui.wait_for("nviar R$ 100,00 ]");
    tui.press("\r");
}

/// Sends a withdrawal of R$ 100,00.
///
/// With one key: how long it is on its way depends on the bank, and a second one would go to
/// whatever screen comes next.
pub fn send_withdrawal(tui: &mut Tui) {
    review_withdrawal(tui);
    tui.press("\r");
}
