//! The scripted runs of the demo that produce the pictures.

use std::ffi::OsString;
use std::fs;

use super::{Walk, pictures_dir};

const WIDE: (u16, u16) = (120, 40);
const NARROW: (u16, u16) = (80, 24);

const DARK: [&str; 9] = [
    "links",
    "link-buyer",
    "link-qr",
    "link-new",
    "withdrawal-review",
    "withdrawal-unknown",
    "withdrawal-settled",
    "palette",
    "requests",
];
const LIGHT: [&str; 5] = ["domains", "account", "charges", "help", "story"];
const ENGLISH: [&str; 3] = ["links-en", "withdrawal-review-en", "withdrawal-unknown-en"];

#[test]
fn dark_pictures_match_the_app() {
    let mut walk = Walk::open("dark", "pt-BR", WIDE);
    // Wait for the list of domains, which is requested at startup, before logging in. The list of
    // requests then has the same order in every run.
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("5", "Resposta 200");
    walk.press("6", "L entrar");
    walk.press("L", "[ Entrar ]");
    walk.press("\r", "● sessão ativa");
    walk.press("2", "onde seus links abrem");
    walk.press("1", "Link de pagamento");
    walk.wait_for_details();
    walk.picture(
        "links",
        "The links: what they come to today, in seven days and this month, and one's details",
    );
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("comprador", "› comprador");
    walk.press("\r", "[ Pagar R$ 95,00 ]");
    walk.tui
        .wait_until("the QR code beside the page", |screen| {
            screen.contents().contains('▀')
        });
    walk.picture(
        "link-buyer",
        "The payment page as the buyer's phone shows it, beside the QR code that leads there",
    );
    walk.press("\x1b", "Link de pagamento");
    walk.resize(NARROW);
    walk.press("Q", "demonstração com --share");
    walk.picture("link-qr", "The QR code of a link on the whole screen");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("n", "Novo link de pagamento");
    walk.press("129,90", "R$ 129,90");
    walk.press("\tVestido de festa M", "Vestido de festa M");
    walk.picture(
        "link-new",
        "A new payment link: its amount, its description, its domain",
    );
    walk.press("\x1b", "Sair do formulário?");
    walk.press("\t", "[ Descartar e sair ]");
    walk.press("\r", "Ctrl-K tudo");
    walk.withdraw_without_reply(&super::PORTUGUESE);
    walk.picture(
        "withdrawal-unknown",
        "A withdrawal without an answer: what is known, and what can safely be done",
    );
    walk.press("s", "[ Voltar ]");
    walk.press("\t", "[ Reenviar R$ 1.000,00 ]");
    walk.press("\r", "ACEITO PELO SERVIÇO");
    walk.picture(
        "withdrawal-settled",
        "The same request, resent: accepted by the service, with both attempts",
    );
    walk.resize(WIDE);
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("falha", "› falha");
    walk.picture(
        "palette",
        "The palette: everything that can be done now, the sandbox's faults among it",
    );
    walk.press("\x1b", "Esc voltar");
    walk.tui.wait_until_gone("› falha");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("5", "idempotency-key:");
    walk.picture(
        "requests",
        "The requests to the service, with the secrets masked",
    );
    assert_eq!(walk.picture_names, DARK);
}

#[test]
fn light_pictures_match_the_app() {
    let mut walk = Walk::open_logged_in("light", "pt-BR", NARROW);
    walk.press("2", "onde seus links abrem");
    walk.picture(
        "domains",
        "The domains that links open on, and what each of them lacks",
    );
    walk.press("6", "Configuração");
    walk.picture(
        "account",
        "The account: until when its credentials are good, and where its data is",
    );
    walk.resize(WIDE);
    walk.press("4", "Pix Copia e Cola");
    walk.wait_for_details();
    walk.picture(
        "charges",
        "The direct charges, and the Pix code of one of them",
    );
    walk.press("?", "Ir e voltar");
    walk.picture("help", "The keys, grouped by what one wants to do");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("1", "Link de pagamento");
    walk.wait_for_details();
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("história", "História: começar");
    walk.press("\r", "1/5");
    walk.wait_for_details();
    walk.picture(
        "story",
        "The demo's story, in the bar above the list of links",
    );
    assert_eq!(walk.picture_names, LIGHT);
}

#[test]
fn english_pictures_match_the_app() {
    let mut walk = Walk::open_logged_in("light", "en", WIDE);
    walk.press("2", "where your links open");
    walk.press("1", "Payment link");
    walk.wait_for_details();
    walk.picture(
        "links-en",
        "The list of links in English, with the QR code of one beside it",
    );
    walk.resize(NARROW);
    walk.withdraw_without_reply(&super::ENGLISH);
    walk.picture(
        "withdrawal-unknown-en",
        "A withdrawal without an answer, in English",
    );
    assert_eq!(walk.picture_names, ENGLISH);
}

#[test]
fn every_stored_picture_is_tested() {
    let stored = fs::read_dir(pictures_dir()).unwrap();
    let mut stored: Vec<_> = stored.map(|file| file.unwrap().file_name()).collect();
    let expected = [&DARK[..], &LIGHT, &ENGLISH].concat();
    let mut expected: Vec<OsString> = expected
        .iter()
        .map(|name| format!("{name}.svg").into())
        .collect();
    stored.sort();
    expected.sort();
    assert_eq!(stored, expected);
}
