//! The points at which the tests end the app, from its first frame to the details of an accepted
//! withdrawal.

use std::fmt;

use balcao::journal::LockGuard;
use balcao::sandbox::{BankOperation, Fault, Times};

use crate::keyboard::{SUBMIT, make_link, paste_jwt, resend, type_withdrawal};
use crate::scene::Scene;
use crate::support::gate::Hold;

/// A named state of the app, with a function that brings the app there.
pub struct Point {
    pub name: &'static str,
    pub leaves: Leaves,
    /// Brings a newly started app to this point. If it returns a lock, the test must hold the lock
    /// until the app exits.
    pub reach: fn(&mut Scene) -> Option<LockGuard>,
}

/// The state of the seller's withdrawal when the app is ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// No withdrawal was written to disk.
    Nothing,
    /// The withdrawal is in flight, because a test proxy holds it back on its way to the bank.
    InFlight,
    /// The withdrawal is in flight, but the seller has left the screen that shows it.
    InFlightLeft,
    /// The attempt to send the withdrawal ended with an unknown outcome.
    Unknown,
    /// The service has accepted the withdrawal.
    Accepted,
}

impl Leaves {
    pub fn is_in_flight(self) -> bool {
        matches!(self, Leaves::InFlight | Leaves::InFlightLeft)
    }

    /// Returns the state that the withdrawal must have on disk after the app has exited. `replied`
    /// is true if the app waited for the bank's reply.
    pub fn on_disk(self, replied: bool) -> Option<&'static str> {
        match self {
            Leaves::Nothing => None,
            Leaves::InFlight if replied => Some("accepted"),
            Leaves::InFlight | Leaves::InFlightLeft | Leaves::Unknown => Some("unknown"),
            Leaves::Accepted => Some("accepted"),
        }
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.name)
    }
}

const fn point(
    name: &'static str,
    leaves: Leaves,
    reach: fn(&mut Scene) -> Option<LockGuard>,
) -> Point {
    Point { name, leaves, reach }
}

use Leaves::{Accepted, InFlight, InFlightLeft, Nothing, Unknown};

pub const POINTS: [Point; 25] = [
    point("the first frame", Nothing, |scene| seen(scene, "E-mail")),
    point("logging in", Nothing, logging_in),
    point("the links", Nothing, |scene| {
        scene.log_in();
        seen(scene, "Nenhum link por aqui ainda")
    }),
    point("a link's form", Nothing, |scene| {
        type_link(scene);
        None
    }),
    point("a link on its way", Nothing, link_on_its_way),
    point("a link's details", Nothing, with_link),
    point("a QR code", Nothing, |scene| {
        with_link(scene);
        scene.tui.press("Q");
        seen(scene, "▀")
    }),
    point("a search", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("/");
        scene.tui.type_text("bolo");
        seen(scene, "bolo")
    }),
    point("the palette", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("\x0b");
        seen(scene, "O que dá para fazer agora")
    }),
    point("a secret half typed", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("6");
        scene.tui.wait_for("JWT");
        scene.tui.press("J");
        scene.tui.wait_for("JWT dos links");
        scene.tui.type_text("abc");
        seen(scene, "•••")
    }),
    point("no withdrawals", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("3");
        seen(scene, "Nenhum saque por aqui ainda")
    }),
    point("a withdrawal's form", Nothing, |scene| {
        scene.log_in();
        scene.tui.press("3");
        scene.tui.wait_for("Nenhum saque por aqui ainda");
        scene.tui.press("n");
        seen(scene, "Novo saque")
    }),
    point("a quote on its way", Nothing, quote_on_its_way),
    point("a quote", Nothing, |scene| {
        scene.log_in();
        type_withdrawal(&mut scene.tui);
        None
    }),
    point("the review", Nothing, |scene| {
        scene.log_in();
        type_withdrawal(&mut scene.tui);
        scene.tui.press(SUBMIT);
        seen(scene, "[ Voltar ]")
    }),
    point("the confirming button", Nothing, |scene| {
        scene.review();
        None
    }),
    point("being written down", Nothing, |scene| {
        scene.review();
        let held = scene.hold_journal();
        scene.confirm_until("Gravando o saque de R$ 100,00");
        Some(held)
    }),
    point("sending, unseen by the bank", InFlight, |scene| sending(scene, Hold::Request)),
    point("sending, paid", InFlight, |scene| sending(scene, Hold::Reply)),
    point("sending, half a reply here", InFlight, |scene| sending(scene, Hold::HalfReply)),
    point("asked whether to leave", InFlight, |scene| {
        sending(scene, Hold::Reply);
        scene.tui.press("\x03");
        seen(scene, "[ Ficar ]")
    }),
    point("the screen left", InFlightLeft, |scene| {
        sending(scene, Hold::Reply);
        scene.tui.press("\x03");
        scene.tui.wait_for("[ Ficar ]");
        scene.tui.press("\t");
        scene.tui.wait_for("[ Sair da tela ]");
        scene.tui.press("\r");
        seen(scene, "esperando a resposta")
    }),
    point("an outcome that nobody knows", Unknown, unknown),
    point("sending again", InFlight, |scene| {
        unknown(scene);
        scene.gate.hold(Hold::Reply);
        resend(&mut scene.tui);
        scene.tui.wait_for("Enviando o saque de R$ 100,00");
        scene.gate.wait_held();
        None
    }),
    point("details of what was accepted", Accepted, |scene| {
        scene.review();
        scene.confirm_until("ACEITO PELO SERVIÇO");
        scene.tui.press("\x1b");
        scene.tui.wait_for("✓ aceito pelo serviço");
        scene.tui.press("\r");
        seen(scene, "ACEITO PELO SERVIÇO")
    }),
];

fn seen(scene: &mut Scene, text: &str) -> Option<LockGuard> {
    scene.tui.wait_for(text);
    None
}

/// Delays the bank's next reply to this operation for ten minutes, which is longer than the test
/// runs.
fn never(scene: &Scene, operation: BankOperation) {
    let fault = Fault::Delay(std::time::Duration::from_secs(600));
    let armed = scene.bank.control().arm(fault, operation, Times::Next(1));
    armed.expect("a fault that makes sense");
}

fn logging_in(scene: &mut Scene) -> Option<LockGuard> {
    never(scene, BankOperation::Login);
    let (email, password) = scene.bank.credentials();
    scene.tui.wait_for("E-mail");
    scene.tui.type_text(&format!("{email}\t{password}"));
    scene.tui.wait_for(&"•".repeat(password.chars().count()));
    scene.tui.press(SUBMIT);
    seen(scene, "Entrando…")
}

fn link_on_its_way(scene: &mut Scene) -> Option<LockGuard> {
    never(scene, BankOperation::CreateLink);
    type_link(scene);
    scene.tui.press(SUBMIT);
    seen(scene, "Criando o link…")
}

/// Fills in the form for a new payment link. Logs in and enters a JWT first, because links need a
/// JWT.
fn type_link(scene: &mut Scene) {
    scene.log_in();
    paste_jwt(&mut scene.tui, &scene.bank);
    scene.tui.press("1");
    scene.tui.wait_for("n novo");
    scene.tui.press("n");
    scene.tui.wait_for("Novo link de pagamento");
    scene.tui.type_text("49,90\tBolo");
    scene.tui.wait_for("Bolo");
}

fn with_link(scene: &mut Scene) -> Option<LockGuard> {
    scene.log_in();
    paste_jwt(&mut scene.tui, &scene.bank);
    make_link(&mut scene.tui, "Bolo");
    None
}

fn quote_on_its_way(scene: &mut Scene) -> Option<LockGuard> {
    scene.log_in();
    never(scene, BankOperation::FeePreview);
    scene.tui.press("3");
    scene.tui.wait_for("Nenhum saque por aqui ainda");
    scene.tui.press("n");
    scene.tui.wait_for("Novo saque");
    scene.tui.type_text("100,00");
    seen(scene, "Consultando a taxa para sacar R$ 100,00")
}

fn sending(scene: &mut Scene, hold: Hold) -> Option<LockGuard> {
    scene.gate.hold(hold);
    scene.review();
    scene.confirm_until("Enviando o saque de R$ 100,00");
    scene.gate.wait_held();
    None
}

fn unknown(scene: &mut Scene) -> Option<LockGuard> {
    scene.bank.next_withdrawal(Fault::DropAfter);
    scene.review();
    scene.confirm_until("RESULTADO DESCONHECIDO");
    None
}
