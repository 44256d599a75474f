//! The points at which the tests end the app, from its first frame to the details of an accepted
//! withdrawal.

use std::fmt;

use balcao::journal::LockGuard;
use balcao::sandbox::{BankOperation, Fault, Times};

use crate::keyboard::{SUBMIT, create_link, paste_jwt, resend, type_withdrawal};
use crate::scene::Scene;
use crate::support::gate::PausePoint;

/// A named state of the app, with a function that brings the app there.
pub struct Point {
    pub name: &'static str,
    pub withdrawal: WithdrawalAtExit,
    /// Brings a newly started app to this point. If it returns a lock, the test must hold the lock
    /// until the app exits.
    pub reach: fn(&mut Scene) -> Option<LockGuard>,
}

/// The state of the seller's withdrawal when the app is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithdrawalAtExit {
    /// No withdrawal was written to disk.
    Nothing,
    /// The withdrawal is in flight, because a test proxy holds it back on its way to the bank.
    InFlight,
    /// The withdrawal is in flight, but the seller has left the screen that shows it.
    InFlightHidden,
    /// The attempt to send the withdrawal ended with an unknown outcome.
    Unknown,
    /// The service has accepted the withdrawal.
    Accepted,
}

impl WithdrawalAtExit {
    pub fn is_in_flight(self) -> bool {
        matches!(
            self,
            WithdrawalAtExit::InFlight | WithdrawalAtExit::InFlightHidden
        )
    }

    /// Returns the state that the withdrawal must have on disk after the app has exited.
    /// `was_answered` is true if the app waited for the bank's reply.
    pub fn on_disk(self, was_answered: bool) -> Option<&'static str> {
        match self {
            WithdrawalAtExit::Nothing => None,
            WithdrawalAtExit::InFlight if was_answered => Some("accepted"),
            WithdrawalAtExit::InFlight
            | WithdrawalAtExit::InFlightHidden
            | WithdrawalAtExit::Unknown => Some("unknown"),
            WithdrawalAtExit::Accepted => Some("accepted"),
        }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

const fn new_point(
    name: &'static str,
    withdrawal: WithdrawalAtExit,
    reach: fn(&mut Scene) -> Option<LockGuard>,
) -> Point {
    Point {
        name,
        withdrawal,
        reach,
    }
}

use WithdrawalAtExit::{Accepted, InFlight, InFlightHidden, Nothing, Unknown};

pub const POINTS: [Point; 25] = [
    new_point("the first frame", Nothing, |scene| {
        wait_for_text(scene, "E-mail")
    }),
    new_point("logging in", Nothing, start_login),
    new_point("the links", Nothing, |scene| {
        scene.log_in();
        wait_for_text(scene, "Nenhum link por aqui ainda")
    }),
    new_point("a link's form", Nothing, |scene| {
        fill_link_form(scene);
        None
    }),
    new_point("a link on its way", Nothing, submit_link),
    new_point("a link's details", Nothing, show_new_link),
    new_point("a QR code", Nothing, |scene| {
        show_new_link(scene);
        scene.tui.press("Q");
        wait_for_text(scene, "▀")
    }),
    new_point("a search", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("/");
        scene.tui.type_text("bolo");
        wait_for_text(scene, "bolo")
    }),
    new_point("the palette", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("\x0b");
        wait_for_text(scene, "O que dá para fazer agora")
    }),
    new_point("a secret half typed", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("6");
        scene.tui.wait_for("JWT");
        scene.tui.press("J");
        scene.tui.wait_for("JWT dos links");
        scene.tui.type_text("abc");
        wait_for_text(scene, "•••")
    }),
    new_point("no withdrawals", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("3");
        wait_for_text(scene, "Nenhum saque por aqui ainda")
    }),
    new_point("a withdrawal's form", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("3");
        scene.tui.wait_for("Nenhum saque por aqui ainda");
        scene.tui.press("n");
        wait_for_text(scene, "Novo saque")
    }),
    new_point("a quote on its way", Nothing, request_quote),
    new_point("a quote", Nothing, |scene| {
        scene.log_in();
        type_withdrawal(&mut scene.tui);
        None
    }),
    new_point("the review", Nothing, |scene| {
        scene.log_in();
        type_withdrawal(&mut scene.tui);
        scene.tui.press(SUBMIT);
        wait_for_text(scene, "[ Voltar ]")
    }),
    new_point("the confirming button", Nothing, |scene| {
        scene.open_review();
        None
    }),
    new_point("being written down", Nothing, |scene| {
        scene.open_review();
        let lock = scene.lock_journal();
        scene.confirm_until("Gravando o saque de R$ 100,00");
        Some(lock)
    }),
    new_point("sending, unseen by the bank", InFlight, |scene| {
        send_and_hold(scene, PausePoint::Request)
    }),
    new_point("sending, paid", InFlight, |scene| {
        send_and_hold(scene, PausePoint::Reply)
    }),
    new_point("sending, half a reply here", InFlight, |scene| {
        send_and_hold(scene, PausePoint::HalfReply)
    }),
    new_point("asked whether to leave", InFlight, |scene| {
        send_and_hold(scene, PausePoint::Reply);
        scene.tui.press("\x03");
        wait_for_text(scene, "[ Ficar ]")
    }),
    new_point("the screen left", InFlightHidden, |scene| {
        send_and_hold(scene, PausePoint::Reply);
        scene.tui.press("\x03");
        scene.tui.wait_for("[ Ficar ]");
        scene.tui.press("\t");
        scene.tui.wait_for("[ Sair da tela ]");
        scene.tui.press("\r");
        wait_for_text(scene, "esperando a resposta")
    }),
    new_point("an outcome that nobody knows", Unknown, lose_reply),
    new_point("sending again", InFlight, |scene| {
        lose_reply(scene);
        scene.gate.pause_next(PausePoint::Reply);
        resend(&mut scene.tui);
        scene.tui.wait_for("Enviando o saque de R$ 100,00");
        scene.gate.wait_until_paused();
        None
    }),
    new_point("details of what was accepted", Accepted, |scene| {
        scene.open_review();
        scene.confirm_until("ACEITO PELO SERVIÇO");
        scene.tui.press("\x1b");
        scene.tui.wait_for("✓ aceito pelo serviço");
        scene.tui.press("\r");
        wait_for_text(scene, "ACEITO PELO SERVIÇO")
    }),
];

fn wait_for_text(scene: &mut Scene, text: &str) -> Option<LockGuard> {
    scene.tui.wait_for(text);
    None
}

/// Delays the bank's next reply to this operation for ten minutes, which is longer than the test
/// runs.
fn delay_reply(scene: &Scene, operation: BankOperation) {
    let fault = Fault::Delay(std::time::Duration::from_secs(600));
    let result = scene.bank.control().arm(fault, operation, Times::Next(1));
    result.expect("a fault that makes sense");
}

fn start_login(scene: &mut Scene) -> Option<LockGuard> {
    delay_reply(scene, BankOperation::Login);
    let (email, password) = scene.bank.credentials();
    scene.tui.wait_for("E-mail");
    scene.tui.type_text(&format!("{email}\t{password}"));
    scene.tui.wait_for(&"•".repeat(password.chars().count()));
    scene.tui.press(SUBMIT);
    wait_for_text(scene, "Entrando…")
}

fn submit_link(scene: &mut Scene) -> Option<LockGuard> {
    delay_reply(scene, BankOperation::CreateLink);
    fill_link_form(scene);
    scene.tui.press(SUBMIT);
    wait_for_text(scene, "Criando o link…")
}

/// Fills in the form for a new payment link. Logs in and enters a JWT first, because links need a
/// JWT.
fn fill_link_form(scene: &mut Scene) {
    scene.log_in();
    paste_jwt(&mut scene.tui, &scene.bank);
    scene.tui.press("1");
    scene.tui.wait_for("n novo");
    scene.tui.press("n");
    scene.tui.wait_for("Novo link de pagamento");
    scene.tui.type_text("49,90\tBolo");
    scene.tui.wait_for("Bolo");
}

fn show_new_link(scene: &mut Scene) -> Option<LockGuard> {
    scene.log_in();
    paste_jwt(&mut scene.tui, &scene.bank);
    create_link(&mut scene.tui, "Bolo");
    None
}

fn request_quote(scene: &mut Scene) -> Option<LockGuard> {
    scene.log_in();
    delay_reply(scene, BankOperation::FeePreview);
    scene.tui.press("3");
    scene.tui.wait_for("Nenhum saque por aqui ainda");
    scene.tui.press("n");
    scene.tui.wait_for("Novo saque");
    scene.tui.type_text("100,00");
    wait_for_text(scene, "Consultando a taxa para sacar R$ 100,00")
}

fn send_and_hold(scene: &mut Scene, hold: PausePoint) -> Option<LockGuard> {
    scene.gate.pause_next(hold);
    scene.open_review();
    scene.confirm_until("Enviando o saque de R$ 100,00");
    scene.gate.wait_until_paused();
    None
}

fn lose_reply(scene: &mut Scene) -> Option<LockGuard> {
    scene.bank.inject_withdrawal_fault(Fault::DropAfter);
    scene.open_review();
    scene.confirm_until("RESULTADO DESCONHECIDO");
    None
}
