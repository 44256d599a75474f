//! The scripted runs of the demo that produce the pictures.

use std::ffi::OsString;
use std::fs;

use super::{Walk, directory};

const WIDE: (u16, u16) = (120, 40);
const USUAL: (u16, u16) = (80, 24);

const DARK: [&str; 8] = [
    "links",
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
fn dark_pictures_are_of_today() {
    let mut walk = Walk::open("dark", "pt-BR", WIDE);
    // Wait for the list of domains, which is requested at startup, before logging in. The list of
    // requests then has the same order in every run.
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("5", "Resposta 200");
    walk.press("6", "L entrar");
    walk.press("L", "[ Entrar ]");
    walk.press("\r", "● sessão ativa");
    walk.press("2", "Onde os seus links abrem");
    walk.press("1", "Link de pagamento");
    walk.wait_beside();
    walk.picture(
        "links",
        "The links: what they come to today, in seven days and this month, and one's details",
    );
    walk.size(USUAL);
    walk.press("Q", "demonstração com --share");
    walk.picture("link-qr", "The QR code of a link on the whole screen");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("n", "Novo link de pagamento");
    walk.press("129,90", "R$ 129,90");
    walk.press("\tVestido de festa M", "Vestido de festa M");
    walk.picture("link-new", "A new payment link: its amount, its description, its domain");
    walk.press("\x1b", "Sair do formulário?");
    walk.press("\t", "[ Descartar e sair ]");
    walk.press("\r", "Ctrl-K tudo");
    walk.loses_an_answer(&super::PORTUGUESE);
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
    walk.size(WIDE);
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("falha", "› falha");
    walk.picture(
        "palette",
        "The palette: everything that can be done now, the sandbox's faults among it",
    );
    walk.press("\x1b", "Esc voltar");
    walk.tui.wait_gone("› falha");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("5", "idempotency-key:");
    walk.picture("requests", "The requests to the service, with the secrets masked");
    assert_eq!(walk.made, DARK);
}

#[test]
fn light_pictures_are_of_today() {
    let mut walk = Walk::begin("light", "pt-BR", USUAL);
    walk.press("2", "Onde os seus links abrem");
    walk.picture("domains", "The domains that links open on, and what each of them lacks");
    walk.press("6", "Configuração");
    walk.picture(
        "account",
        "The account: until when its credentials are good, and where its data is",
    );
    walk.size(WIDE);
    walk.press("4", "Pix Copia e Cola");
    walk.wait_beside();
    walk.picture("charges", "The direct charges, and the Pix code of one of them");
    walk.press("?", "Ir e voltar");
    walk.picture("help", "The keys, grouped by what one wants to do");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("1", "Link de pagamento");
    walk.wait_beside();
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("roteiro", "Roteiro: começar");
    walk.press("\r", "1/17");
    walk.wait_beside();
    walk.picture("story", "The demo's story, in the bar above the list of links");
    assert_eq!(walk.made, LIGHT);
}

#[test]
fn english_pictures_are_of_today() {
    let mut walk = Walk::begin("light", "en", WIDE);
    walk.press("2", "Where your links open");
    walk.press("1", "Payment link");
    walk.wait_beside();
    walk.picture("links-en", "The list of links in English, with the QR code of one beside it");
    walk.size(USUAL);
    walk.loses_an_answer(&super::ENGLISH);
    walk.picture("withdrawal-unknown-en", "A withdrawal without an answer, in English");
    assert_eq!(walk.made, ENGLISH);
}

#[test]
fn every_picture_there_is_is_held_by_a_walk() {
    let there = fs::read_dir(directory()).unwrap();
    let mut there: Vec<_> = there.map(|file| file.unwrap().file_name()).collect();
    let walked = [&DARK[..], &LIGHT, &ENGLISH].concat();
    let mut walked: Vec<OsString> =
        walked.iter().map(|name| format!("{name}.svg").into()).collect();
    there.sort();
    walked.sort();
    assert_eq!(there, walked);
}
