//! Tests the features for presenting the demo: faults armed from the command palette, scripted
//! stories, and the reset.

use balcao::sandbox::{BankOperation, DomainSetup, Fault, Times};
use balcao::trade::withdrawal::{Class, NotSent};

use crate::counter::Counter;
use crate::faults::{agree, last_class};
use crate::shop::Shop;

/// Opens a demo whose story script has a single caption, and logs in.
async fn presented() -> (Shop, Counter) {
    let (shop, counter) =
        Shop::with_script("[[step]]\ncaption = { en = 'x' }").await.entered().await;
    (shop, counter)
}

impl Counter {
    /// Runs the first demo command that the palette finds for these letters.
    async fn grant(&mut self, letters: &str) {
        let done = self.heard("DemoDone");
        self.command(letters).await;
        self.wait_to_hear_more("DemoDone", done).await;
    }
}

/// Each row of the table contains the fault commands to run, the state that the withdrawal must
/// reach, and whether the sandbox must have paid it. The withdrawal is sent once after each
/// command.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_fault_of_the_palette_leads_to_its_state() {
    let table: [(&[&str], &str, bool); 12] = [
        (&["saque: expirar o token"], "prepared", false),
        (&["429"], "prepared", false),
        (&["cair antes"], "unknown", false),
        (&["responder 500"], "unknown", false),
        (&["cortar o json"], "unknown", true),
        (&["409"], "unknown", true),
        (&["perder a resposta", "responder 400"], "unknown", true),
        (&["Content-Type"], "accepted", true),
        (&["422"], "rejected", false),
        (&["307"], "needs-person", false),
        (&["cair antes", "422"], "needs-person", false),
        (&["outro valor"], "mismatch", true),
    ];
    for (commands, state, paid) in table {
        let (shop, mut counter) = presented().await;
        for (n, command) in commands.iter().enumerate() {
            counter.grant(&format!("falha {command}")).await;
            match n {
                0 => counter.withdraw(&shop, "10000").await,
                _ => counter.send_again().await,
            }
        }
        assert_eq!(agree(&shop, &counter, state), paid, "{commands:?}");
        counter.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sending_is_seen_while_the_reply_is_slow() {
    let (shop, mut counter) = presented().await;
    counter.grant("falha demorar 5 s").await;
    counter.review(&shop, "10000").await;
    let ends = counter.ends();
    counter.press("Tab Enter").await;
    counter.wait_for_word("state-sending").await;
    counter.wait_for_end(ends).await;
    assert!(agree(&shop, &counter, "accepted"));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn withdrawal_is_sent_once_connections_are_accepted() {
    let (shop, mut counter) = presented().await;
    counter.close().await;
    let shop = shop.untapped();
    counter = shop.enter().await;
    counter.review(&shop, "10000").await;
    counter.grant("sandbox recusar").await;
    counter.confirm().await;
    assert!(!agree(&shop, &counter, "prepared"));
    assert_eq!(last_class(&shop), Class::NotSent(NotSent::Connect));
    counter.grant("retirar as falhas").await;
    counter.send_again().await;
    assert!(agree(&shop, &counter, "accepted"));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_minute_old_key_expires_for_app_and_sandbox() {
    let (shop, mut counter) = presented().await;
    counter.grant("falha perder a resposta").await;
    counter.withdraw(&shop, "10000").await;
    assert!(agree(&shop, &counter, "unknown"));
    counter.grant("adiantar o rel").await;
    assert!(agree(&shop, &counter, "needs-person"));
    counter.press("s").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 1, "nothing is sent any more");
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_or_inconsistent_quote_is_shown() {
    for (command, said) in [
        ("falha taxa responder 503", "Não deu para consultar a taxa"),
        ("falha não batem", "não pode ser confirmado assim"),
    ] {
        let (shop, mut counter) = presented().await;
        counter.grant(command).await;
        counter.type_withdrawal(&shop, "10000").await;
        counter.assert_sees(said);
        counter.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reset_renews_bank_and_journal() {
    let (mut shop, mut counter) = presented().await;
    counter.grant("falha perder a resposta").await;
    counter.withdraw(&shop, "10000").await;
    assert!(agree(&shop, &counter, "unknown"));
    let before = shop.only_withdrawal();
    counter.grant("recomeçar").await;
    counter.assert_sees_word("said-started-over");
    assert!(shop.ledger().payouts.is_empty() && shop.ledger().requests.is_empty());
    assert_eq!(shop.only_withdrawal(), before, "the old journal lies where it was, as it was");

    // The reset starts a new journal and a new sandbox. If the old journal were kept, the
    // withdrawal could be sent again, and the new sandbox would pay it a second time.
    shop.journal_name = "journal-2";
    counter.press("3").await;
    counter.wait_for("R$ 18.000,00").await;
    counter.assert_sees_no("R$ 100,00");
    // A new demo begins with past withdrawals, all accepted or rejected. The sandbox must have a
    // payout for each accepted one.
    let past = shop.journal();
    assert_eq!(past.len(), 6);
    let states: Vec<_> = past.iter().map(|one| shop.state(one)).collect();
    assert!(states.iter().all(|state| ["accepted", "rejected"].contains(state)), "{states:?}");
    assert_eq!(shop.ledger().payouts.len(), 5);
    counter.withdraw(&shop, "10000").await;
    assert_eq!(shop.journal().len(), 7);
    assert_eq!(shop.ledger().payouts.len(), 6, "the bank of now pays the one of now");
    // The history contains the demo's links again, and the sandbox serves their checkout pages.
    assert!(!shop.links().is_empty());
    let url = shop.links()[0].url().unwrap().raw().to_owned();
    assert!(shop.control.page(&url).is_some());
    let model = counter.close().await;
    assert!(model.withdrawals.open.is_empty() && model.session.is_in());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_jwt_that_expires_is_put_right_by_logging_in() {
    let (shop, mut counter) = presented().await;
    counter.grant("falha expirar o jwt").await;
    counter.ask_for_link("4990", "Boné").await;
    counter.wait_for_word("login-demo").await;
    counter.press("Enter").await;
    counter.wait_for_word("said-logged-in").await;
    counter.press("Ctrl-S").await;
    counter.wait_to_hear_more("LinkMade", 1).await;
    assert_eq!(shop.ledger().links.len(), 1);
    counter.close().await;
}

const STORY: &str = r#"
    [[step]]
    caption = { pt-BR = "Faça um link." }
    [[step]]
    after = "link"
    pay = "last link"
    caption = { pt-BR = "Um comprador paga." }
    [[step]]
    after = "link-paid"
    domain = "loja-da-ana.localhost=ssl-pending"
    [[step]]
    fault = "lose-answer"
    caption = { pt-BR = "Agora um \u001b[31msaque." }
    [[step]]
    after = "withdrawal"
    caption = { pt-BR = "A resposta se perdeu." }
    [[step]]
    after = "login"
    fault = "answer-500"
    caption = { pt-BR = "" }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_story_says_and_does_what_its_steps_say() {
    let (shop, mut counter) = Shop::with_script(STORY).await.entered().await;
    counter.command("roteiro: come").await;
    counter.wait_for("Faça um link.").await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.wait_for("Agora um").await;
    counter.assert_sees("[31msaque.");
    assert!(shop.ledger().links[0].paid_at.is_some());
    assert_eq!(shop.control.domains()[0].state, DomainSetup::SslPending);
    assert_eq!(shop.control.armed().len(), 1);
    counter.wait_to_hear("SandboxLinkPaid").await;
    counter.withdraw(&shop, "10000").await;
    assert!(agree(&shop, &counter, "unknown"));
    counter.wait_for("A resposta se perdeu.").await;

    counter.command("esconder").await;
    counter.assert_sees_no("A resposta se perdeu.");
    counter.command("mostrar as leg").await;
    counter.assert_sees("A resposta se perdeu.");
    counter.grant("roteiro: parar").await;
    counter.assert_sees_no("A resposta se perdeu.");
    counter.press("6 L").await;
    counter.log_in().await;
    assert_eq!(shop.control.armed(), [], "a story that was stopped does nothing more");
    counter.close().await;
}

const LEFT_OUT: &str = r#"
    [[step]]
    fault = "lose-answer"
    caption = { pt-BR = "Agora um saque." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "Leia com calma." }
    [[step]]
    after = "withdrawal"
    caption = { pt-BR = "A resposta se perdeu." }
    [[step]]
    after = "20min"
    fault = "refuse"
    caption = { pt-BR = "A porta fechou." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "" }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipped_step_or_stopped_story_disarms_its_fault() {
    let (shop, mut counter) = Shop::with_script(LEFT_OUT).await.entered().await;
    // The presenter arms this fault. The story must not remove it, because the story did not arm
    // it.
    shop.control.arm(Fault::slow(), BankOperation::CreateLink, Times::Next(1)).unwrap();
    counter.command("roteiro: come").await;
    counter.wait_for("1/4  Agora um saque.").await;
    counter.press("Space").await;
    counter.wait_for("2/4  Leia com calma.").await;
    assert_eq!(shop.control.armed().len(), 2, "it waits for what comes next");
    counter.press("Space").await;
    counter.wait_for("4/4  A porta fechou.").await;
    counter.wait_to_hear_of("FaultsInWait", "refuse").await;
    let faults: Vec<_> = shop.control.armed().into_iter().map(|rule| rule.fault).collect();
    assert_eq!(faults, [Fault::slow(), Fault::Refuse], "nobody made a withdrawal");
    counter.grant("roteiro: parar").await;
    counter.wait_until("the caption is gone", |frame| !frame.has("4/4")).await;
    counter.press("2").await;
    let lists = counter.heard("DomainsListed");
    counter.press("r").await;
    counter.wait_to_hear_more("DomainsListed", lists).await;
    counter.assert_sees("loja-da-ana.localhost");
    counter.withdraw(&shop, "10000").await;
    assert!(agree(&shop, &counter, "accepted"), "no old fault surprises it");
    counter.close().await;
}

const PAID_ONCE: &str = r#"
    [[step]]
    fault = "lose-answer"
    [[step]]
    after = "withdrawal"
    caption = { pt-BR = "E agora?" }
    [[step]]
    after = "paid-once"
    caption = { pt-BR = "Pago uma vez só." }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caption_says_paid_once_of_what_was_paid_once() {
    let (shop, mut counter) = Shop::with_script(PAID_ONCE).await.entered().await;
    let told = counter.heard("FaultsInWait");
    counter.command("roteiro: come").await;
    // This amount is above the balance, so the sandbox refuses the withdrawal each time it is sent.
    counter.wait_to_hear_more("FaultsInWait", told).await;
    counter.assert_sees_no("falha ativada");
    counter.withdraw(&shop, "99999999").await;
    counter.wait_for("E agora?").await;
    counter.send_again().await;
    assert_eq!(shop.ledger().requests.len(), 2);
    assert_eq!(shop.ledger().payouts.len(), 0);
    counter.settle().await;
    counter.assert_sees_no("Pago uma vez só.");
    counter.close().await;

    let (shop, mut counter) = Shop::with_script(PAID_ONCE).await.entered().await;
    let told = counter.heard("FaultsInWait");
    counter.command("roteiro: come").await;
    counter.wait_to_hear_more("FaultsInWait", told).await;
    counter.withdraw(&shop, "10000").await;
    counter.wait_for("E agora?").await;
    counter.send_again().await;
    counter.wait_for("Pago uma vez só.").await;
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

const ACCEPTED: &str = r#"
    [[step]]
    caption = { pt-BR = "Agora um saque." }
    [[step]]
    after = "withdrawal"
    caption = { pt-BR = "Aceito: agora um apelido." }
    until = "give-nickname"
    [[step]]
    fault = "lose-answer"
    caption = { pt-BR = "Guardado." }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caption_that_says_it_was_done_waits_until_it_was() {
    let (shop, mut counter) = Shop::with_script(ACCEPTED).await.entered().await;
    counter.command("roteiro: come").await;
    counter.wait_for("1/3  Agora um saque.").await;
    // The story continues only after an accepted withdrawal. Neither a withdrawal that exceeds the
    // balance nor a paid withdrawal whose reply was lost counts.
    counter.withdraw(&shop, "99999999").await;
    counter.wait_for_word("said-rejected").await;
    counter.press("Esc").await;
    counter.grant("falha perder a resposta").await;
    counter.withdraw(&shop, "10000").await;
    counter.settle().await;
    assert_eq!(shop.ledger().payouts.len(), 1);
    counter.assert_sees("1/3  Agora um saque.");
    counter.send_again().await;
    counter.wait_for("2/3  Aceito: agora um apelido.").await;
    // The story continues only when a nickname is stored. Opening the nickname form does not count.
    counter.press("a").await;
    counter.wait_for_word("nickname-title").await;
    counter.settle().await;
    counter.assert_sees("2/3  Aceito");
    counter.type_text("Tecidos").await;
    counter.press("Ctrl-S").await;
    counter.wait_for("3/3  Guardado.").await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_buyer_who_was_quicker_than_the_story_has_paid() {
    let steps = "[[step]]\nafter = 'link'\nuntil = 'qr'\ncaption = { pt-BR = 'Tecle Q.' }\n\
                 [[step]]\npay = 'last link'\ncaption = { pt-BR = 'Pago.' }";
    let (shop, mut counter) = Shop::with_script(steps).await.entered().await;
    counter.command("roteiro: come").await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.wait_for("Tecle Q.").await;
    shop.control.pay_link(shop.links()[0].url().unwrap().raw()).unwrap();
    counter.press("Q").await;
    counter.wait_for("Pago.").await;
    assert_eq!(counter.heard("Story(Failed"), 0);
    assert_eq!(shop.ledger().payments.len(), 1);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impossible_step_is_reported_and_story_continues() {
    let steps = "[[step]]\npay = 'last link'\n[[step]]\ncaption = { pt-BR = 'Adiante.' }";
    let shop = Shop::with_script(steps).await;
    let mut counter = shop.open().await;
    counter.wait_for("Só quer olhar?").await;
    counter.command("roteiro: come").await;
    counter.wait_for("Adiante.").await;
    counter.assert_sees_word("said-step-failed");
    assert!(!counter.close().await.story.playing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_shows_fault_until_used_or_removed() {
    let (shop, mut counter) = presented().await;
    counter.grant("falha perder a resposta").await;
    counter.grant("falha perder a resposta").await;
    counter.press("Ctrl-K").await;
    counter.wait_for("Ativa 2 vezes · Falha no saque: perder a resposta").await;
    counter.press("Esc").await;
    counter.withdraw(&shop, "10000").await;
    counter.press("Ctrl-K").await;
    counter.wait_for("Ativa · Falha no saque: perder a resposta").await;
    counter.press("Esc").await;
    counter.grant("retirar as falhas").await;
    counter.press("Ctrl-K").await;
    counter.wait_until("nothing in wait", |frame| !frame.has("Ativa · ")).await;
    assert_eq!(shop.control.armed(), []);
    assert_eq!(counter.close().await.faults, []);
}

/// If a link is paid in the sandbox, every running instance of the app shows the payment, both in
/// the list and in the link's details.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paid_sandbox_link_is_marked_in_every_window() {
    let (shop, mut counter) = presented().await;
    let mut other = shop.open().await;
    other.press("1").await;
    other.wait_for_word("links-empty-title").await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.press("Esc 1").await;
    counter.assert_sees_no("pago (sandbox)");
    let url = shop.links()[0].url().unwrap().raw().to_owned();
    shop.control.pay_link(&url).unwrap();
    for window in [&mut counter, &mut other] {
        window.wait_for("✓ pago (sandbox)").await;
        window.press("Enter").await;
        window.wait_for("Só o sandbox diz isso").await;
    }
    other.close().await;
    counter.close().await;
    let mut again = shop.open().await;
    again.press("1").await;
    again.wait_for("✓ pago (sandbox)").await;
    again.close().await;
}

const GOES_ON: &str = r#"
    [[step]]
    caption = { pt-BR = "Primeiro." }
    [[step]]
    after = "login"
    caption = { pt-BR = "Isto não aconteceu." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "O tempo não é esperado." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "" }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn key_continues_story_and_skips_undone_steps() {
    let (_shop, mut counter) = Shop::with_script(GOES_ON).await.entered().await;
    counter.command("roteiro: come").await;
    counter.wait_for("1/3  Primeiro.").await;
    counter.press("6 Space").await;
    counter.wait_for("3/3  O tempo não é esperado.").await;
    assert_eq!(counter.heard("Story(Caption"), 2);
    counter.press("F8").await;
    counter.wait_until("the caption is gone", |frame| !frame.has("3/3")).await;
    assert!(!counter.close().await.story.playing);
}

const STAYS: &str = r#"
    [[step]]
    caption = { pt-BR = "Tecle 5." }
    until = "exchanges"
    [[step]]
    domain = "loja-da-ana.localhost=ssl-pending"
    caption = { pt-BR = "Saiu do ar: tecle 2." }
    until = "domains"
    [[step]]
    after = "20min"
    caption = { pt-BR = "E agora?" }
"#;

fn states(shop: &Shop) -> Vec<DomainSetup> {
    shop.control.domains().into_iter().map(|domain| domain.state).collect()
}

/// Returns the number of rows on the screen that show a domain without a certificate.
fn pending(rows: &[String]) -> usize {
    rows.iter().filter(|row| row.contains("pending_ssl")).count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caption_waits_for_action_and_changes_are_undone() {
    let (shop, mut counter) = Shop::with_script(STAYS).await.entered().await;
    let before = states(&shop);
    counter.command("roteiro: come").await;
    counter.wait_for("1/3  Tecle 5.").await;
    counter.press("1 3").await;
    counter.assert_sees("1/3  Tecle 5.");
    counter.press("5").await;
    counter.wait_for("2/3  Saiu do ar: tecle 2.").await;
    counter.wait_to_hear("Story(DomainsMoved").await;
    assert_eq!(counter.heard("Story(Caption"), 2);
    counter.assert_sees_no("loja-da-ana");
    assert_eq!(states(&shop)[0], DomainSetup::SslPending);
    counter.press("2").await;
    counter.wait_until("two of them", |frame| pending(&frame.rows) == 2).await;
    // The next step of the story begins 20 minutes later, so the caption is still shown.
    counter.assert_sees("2/3  Saiu do ar");

    counter.grant("roteiro: parar").await;
    counter.wait_to_hear_more("Story(DomainsMoved", 1).await;
    assert_eq!(states(&shop), before, "and only what it moved");
    counter.wait_until("one of them", |frame| pending(&frame.rows) == 1).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn domains_that_come_back_are_as_they_were_at_first() {
    let (shop, mut counter) = presented().await;
    let first = states(&shop);
    counter.grant("desativar os dom").await;
    assert!(states(&shop).iter().all(|state| *state == DomainSetup::SslPending));
    counter.grant("reativar os dom").await;
    assert_eq!(states(&shop), first);
    assert!(first.contains(&DomainSetup::DnsPending));
    counter.close().await;
}

const FOLLOWS: &str = r#"
    [[step]]
    domain = "loja-da-ana.localhost=dns-pending"
    caption = { pt-BR = "Faça um link." }
    [[step]]
    after = "link"
    caption = { pt-BR = "O link está pronto." }
    [[step]]
    after = "20min"
    follows = true
    domain = "atelie-da-ana.localhost=dns-pending"
    caption = { pt-BR = "Um comprador pagou." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "Outra coisa." }
    until = "copy"
    [[step]]
    caption = { pt-BR = "Copiado ou não." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "" }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn skipped_step_also_skips_its_consequences() {
    let (shop, mut counter) = Shop::with_script(FOLLOWS).await.entered().await;
    let before = states(&shop);
    counter.command("roteiro: come").await;
    counter.wait_for("1/5  Faça um link.").await;
    counter.press("6 Space").await;
    counter.wait_for("4/5  Outra coisa.").await;
    assert_eq!(states(&shop), before, "what was for the link is put back");
    counter.press("Space").await;
    counter.wait_for("5/5  Copiado ou não.").await;
    assert_eq!(counter.heard("Story(Caption"), 3);
    counter.close().await;
}
