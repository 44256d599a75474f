//! Key sequences of a seller that several tests use, for example for a login or a withdrawal.

use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// The key Ctrl-S, which submits every form.
pub const SUBMIT: &str = "\x13";

impl Tui {
    /// Quits with Ctrl-C.
    #[track_caller]
    pub fn quit(&mut self) {
        self.press("\x03");
        assert!(self.wait_exit().success(), "{}", self.text());
    }
}

/// Starts the demo and logs in.
pub fn start_demo(home: &TestHome) -> Tui {
    log_in_to_demo(Launch::new(home).args(&["demo"]).start())
}

/// Presses the button of a login page whose fields are already filled in. Waits until the login has
/// succeeded.
pub fn log_in_to_demo(mut tui: Tui) -> Tui {
    tui.wait_for("[ Entrar ]");
    tui.press("\r");
    tui.wait_for("● sessão ativa");
    tui
}

/// Prepares to start the app with this bank as its service. The app treats it as a live service,
/// not as the sandbox.
pub fn launch_with_bank(home: &TestHome, bank: &Bank) -> Launch {
    // Let the app send a withdrawal again without the usual wait of 30 seconds.
    let launch = Launch::new(home).env("BALCAO_TEST_RESEND_AT_ONCE", "1");
    launch.args(&["--base-url", &bank.url(), "--vault", "memory"])
}

/// Starts the app with this bank as its service, and logs in.
pub fn start_logged_in(home: &TestHome, bank: &Bank) -> Tui {
    let mut tui = launch_with_bank(home, bank).start();
    type_login(&mut tui, bank);
    tui
}

/// Accepts the address of the service, which comes from the settings file, and waits for the login
/// page.
pub fn accept_address(tui: &mut Tui) {
    tui.wait_for("Endereço do serviço: confira antes de usar");
    tui.wait_until("an active button", |screen| {
        !screen.contents().contains("( Aceitar estas linhas )")
    });
    tui.press("\t");
    tui.wait_for("[ Aceitar estas linhas ]");
    tui.press("\r");
    tui.wait_for("E-mail");
}

/// Types and submits the bank's credentials, and waits until the login has succeeded.
pub fn type_login(tui: &mut Tui, bank: &Bank) {
    submit_login(tui, bank.credentials());
    tui.wait_for("Você entrou na conta.");
}

/// Types an e-mail address and a password into the login form, and submits it.
pub fn submit_login(tui: &mut Tui, (email, password): (String, String)) {
    tui.wait_for("E-mail");
    tui.type_text(&email);
    tui.wait_for(&email);
    tui.type_text("\t");
    tui.type_text(&password);
    tui.wait_for(&"•".repeat(password.chars().count()));
    tui.press(SUBMIT);
}

/// Opens the account pane, pastes the JWT for payment links, and submits it.
pub fn paste_jwt(tui: &mut Tui, bank: &Bank) {
    tui.press("6");
    tui.wait_for("JWT");
    tui.press("J");
    tui.wait_for("JWT dos links");
    tui.paste(&bank.jwt());
    tui.wait_for("••••••");
    tui.press(SUBMIT);
    tui.wait_for("JWT salvo.");
}

/// Discards a form that contains text. Waits until `form_text`, a text in this form, is no
/// longer on the screen.
pub fn discard_form(tui: &mut Tui, form_text: &str) {
    tui.press("\x1b");
    tui.wait_for("[ Continuar editando ]");
    tui.press("\t");
    tui.wait_for("[ Descartar e sair ]");
    tui.press("\r");
    tui.wait_until_gone(form_text);
}

/// Logs out on the account pane, and waits until the screen shows this text.
pub fn log_out(tui: &mut Tui, expected: &str) {
    tui.press("O");
    tui.wait_for("Sair da conta?");
    tui.press("\t");
    tui.wait_for("[ Sair da conta ]");
    tui.press("\r");
    tui.wait_for(expected);
}

/// Creates a payment link of R$ 49,90. Afterwards, the screen shows the details of the link.
pub fn create_link(tui: &mut Tui, description: &str) {
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
    // Wait only for the last part of the link's URL, because the URL may wrap before this part.
    tui.wait_for("link-");
}

/// Fills in a withdrawal of R$ 100,00, and waits for the fee preview.
pub fn type_withdrawal(tui: &mut Tui) {
    type_amount(tui, "Nenhum saque por aqui ainda");
    tui.wait_for("R$ 97,95");
    type_destination(tui);
}

/// Opens the form for a withdrawal when the list shows `list_text`, types R$ 100,00, and waits for
/// the fee preview.
pub fn type_amount(tui: &mut Tui, list_text: &str) {
    tui.press("3");
    tui.wait_for(list_text);
    tui.press("n");
    tui.wait_for("Novo saque");
    tui.type_text("100,00");
    tui.wait_for("consultada há");
}

/// Types the destination of a withdrawal.
pub fn type_destination(tui: &mut Tui) {
    tui.type_text("\t");
    tui.type_text("11144477735");
    tui.wait_for("11144477735");
}

/// Fills in the withdrawal form, opens the review screen, and moves the focus to its confirm
/// button.
pub fn review_withdrawal(tui: &mut Tui) {
    type_withdrawal(tui);
    open_review_and_focus_confirm(tui);
}

/// Opens the review screen of a filled-in form, and moves the focus to the confirm button.
pub fn open_review_and_focus_confirm(tui: &mut Tui) {
    tui.press(SUBMIT);
    tui.wait_for("[ Voltar ]");
    tui.press("\t");
    // The button has square brackets when it is enabled, and is in reverse video when it has the
    // focus.
    tui.wait_for("[ Sacar R$ 100,00 ]");
}

/// Sends or resends the withdrawal on the screen. Opens the dialog for this, and confirms it.
pub fn resend(tui: &mut Tui) {
    tui.press("s");
    tui.wait_for("[ Voltar ]");
    tui.press("\t");
    // The button has square brackets when it is enabled, and is in reverse video when it has the
    // focus.
    tui.wait_for("nviar R$ 100,00 ]");
    tui.press("\r");
}

/// Fills in, reviews and confirms a withdrawal of R$ 100,00.
///
/// Presses Enter only once, because a second key press would act on the next screen.
pub fn send_withdrawal(tui: &mut Tui) {
    review_withdrawal(tui);
    tui.press("\r");
}
