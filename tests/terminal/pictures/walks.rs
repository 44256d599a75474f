//! The walks through the demo on which the pictures are made.

use super::Walk;

const WIDE: (u16, u16) = (120, 40);
const USUAL: (u16, u16) = (80, 24);

#[test]
fn dark_pictures_are_of_today() {
    let mut walk = Walk::begin("dark", "pt-BR", WIDE);
    walk.press("2", "Onde os seus links abrem");
    walk.press("1", "Link de pagamento");
    walk.picture(
        "links",
        "A lista de links: o que somam hoje, em sete dias e no mês, e os detalhes",
    );
    walk.size(USUAL);
    walk.press("Q", "demonstração com --share");
    walk.picture("link-qr", "O QR Code de um link na tela inteira");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("n", "Novo link de pagamento");
    walk.press("12990", "R$ 129,90");
    walk.press("\tVestido de festa M", "Vestido de festa M");
    walk.picture("link-new", "Um novo link de pagamento, com o valor e a descrição");
    walk.press("\x1b", "Sair do formulário?");
    walk.press("\t", "[ Descartar e sair ]");
    walk.press("\r", "Ctrl-K tudo");
    walk.loses_an_answer(&super::PORTUGUESE);
    walk.picture("withdrawal-unknown", "Um saque sem resposta: o dinheiro pode ter saído ou não");
    walk.press("s", "[ Voltar ]");
    walk.press("\t", "[ Reenviar R$ 1.000,00 ]");
    walk.press("\r", "ACEITO PELO SERVIÇO");
    walk.picture("withdrawal-settled", "O mesmo pedido, reenviado: o serviço pagou uma vez só");
    walk.size(WIDE);
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("falha", "› falha");
    walk.picture("palette", "Tudo o que dá para fazer agora, as falhas do sandbox também");
    walk.press("\x1b", "Esc voltar");
    walk.tui.wait_gone("› falha");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("5", "idempotency-key:");
    walk.picture("requests", "As requisições ao serviço, com os segredos mascarados");
}

#[test]
fn light_pictures_are_of_today() {
    let mut walk = Walk::begin("light", "pt-BR", USUAL);
    walk.press("2", "Onde os seus links abrem");
    walk.picture("domains", "Os domínios em que os links abrem, e o que falta a cada um");
    walk.press("6", "Configuração");
    walk.picture("account", "A conta: até quando valem as credenciais, e onde estão os dados");
    walk.size(WIDE);
    walk.press("4", "Pix Copia e Cola");
    walk.picture("charges", "As cobranças diretas, e o Pix Copia e Cola de uma delas");
    walk.press("?", "Responder a uma pergunta");
    walk.picture("help", "As teclas, pelo que você quer fazer");
    walk.press("\x1b", "Ctrl-K tudo");
    walk.press("1", "Link de pagamento");
    walk.press("\x0b", "O que dá para fazer agora");
    walk.press("roteiro", "Roteiro: começar");
    walk.press("\r", "Nenhum dinheiro de verdade.");
    walk.picture("story", "O roteiro da demonstração, na barra acima da lista de links");
}

#[test]
fn english_pictures_are_of_today() {
    let mut walk = Walk::begin("light", "en", WIDE);
    walk.press("2", "Where your links open");
    walk.press("1", "Payment link");
    walk.picture("links-en", "The list of links: what they come to, and the details of one");
    walk.size(USUAL);
    walk.loses_an_answer(&super::ENGLISH);
    walk.picture("withdrawal-unknown-en", "A withdrawal without an answer");
}
