//! Tests of the demo: injecting faults from the command palette, guided stories, and starting over.

use balcao::sandbox::{BankOperation, DomainSetup, Fault, Times};
use balcao::trade::withdrawal::{Class, NotSent};

use crate::app::App;
use crate::faults::{is_paid_with_state, last_class};
use crate::test_env::TestEnv;

/// Opens a demo and logs in. The demo's story has only one caption.
async fn open_demo() -> (TestEnv, App) {
    let (env, app) = TestEnv::with_script("[[step]]\ncaption = { en = 'x' }")
        .await
        .into_logged_in()
        .await;
    (env, app)
}

impl App {
    /// Types `letters` into the command palette, and runs the first command in the result. Waits
    /// until the demo has performed this command.
    async fn run_demo_command(&mut self, letters: &str) {
        let done = self.message_count("DemoDone");
        self.run_command(letters).await;
        self.wait_for_another_message("DemoDone", done).await;
    }
}

/// Sends a withdrawal once after each fault command, and checks the result. A row of the table
/// contains the commands, the expected state of the withdrawal, and whether the sandbox must have
/// paid it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_fault_leads_to_expected_state() {
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
        let (env, mut app) = open_demo().await;
        for (n, command) in commands.iter().enumerate() {
            app.run_demo_command(&format!("falha {command}")).await;
            match n {
                0 => app.withdraw(&env, "10000").await,
                _ => app.send_again().await,
            }
        }
        assert_eq!(is_paid_with_state(&env, &app, state), paid, "{commands:?}");
        app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn slow_reply_shows_sending_state() {
    let (env, mut app) = open_demo().await;
    app.run_demo_command("falha demorar 5 s").await;
    app.review(&env, "10000").await;
    let ends = app.attempt_end_count();
    app.press("Tab Enter").await;
    app.wait_for_localized("state-sending").await;
    app.wait_for_attempt_end(ends).await;
    assert!(is_paid_with_state(&env, &app, "accepted"));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn withdrawal_is_sent_once_connections_are_accepted() {
    let (env, mut app) = open_demo().await;
    app.close().await;
    let env = env.without_proxy();
    app = env.open_logged_in().await;
    app.review(&env, "10000").await;
    app.run_demo_command("sandbox recusar").await;
    app.confirm().await;
    assert!(!is_paid_with_state(&env, &app, "prepared"));
    assert_eq!(last_class(&env), Class::NotSent(NotSent::Connect));
    app.run_demo_command("retirar as falhas").await;
    app.send_again().await;
    assert!(is_paid_with_state(&env, &app, "accepted"));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_minute_old_key_expires_for_app_and_sandbox() {
    let (env, mut app) = open_demo().await;
    app.run_demo_command("falha perder a resposta").await;
    app.withdraw(&env, "10000").await;
    assert!(is_paid_with_state(&env, &app, "unknown"));
    app.run_demo_command("adiantar o rel").await;
    assert!(is_paid_with_state(&env, &app, "needs-person"));
    app.press("s").await;
    app.settle().await;
    assert_eq!(app.attempt_count(), 1, "nothing is sent any more");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failed_or_inconsistent_quote_is_shown() {
    for (command, message) in [
        ("falha taxa responder 503", "Não deu para consultar a taxa"),
        ("falha não batem", "não pode ser confirmado assim"),
    ] {
        let (env, mut app) = open_demo().await;
        app.run_demo_command(command).await;
        app.type_withdrawal(&env, "10000").await;
        app.assert_shows(message);
        app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reset_renews_bank_and_journal() {
    let (mut env, mut app) = open_demo().await;
    app.run_demo_command("falha perder a resposta").await;
    app.withdraw(&env, "10000").await;
    assert!(is_paid_with_state(&env, &app, "unknown"));
    let before = env.only_withdrawal();
    app.run_demo_command("recomeçar").await;
    app.assert_shows_localized("said-started-over");
    // The example data of the new demo may be there already, so the ledger need not be empty.
    let old_key = before.agreement.key.to_string();
    let requests = env.ledger().requests;
    let is_known = requests
        .iter()
        .any(|request| request.key.as_deref() == Some(&*old_key));
    assert!(!is_known, "the new sandbox knows the old key: {requests:?}");
    assert_eq!(
        env.only_withdrawal(),
        before,
        "the old journal lies where it was, as it was"
    );

    // Starting over creates a new journal and a new sandbox. The new sandbox knows no old
    // idempotency keys. If the old journal was kept, its withdrawal could be sent again and would
    // be paid twice.
    env.journal_name = "journal-2";
    app.press("3").await;
    app.wait_for("R$ 18.000,00").await;
    app.assert_shows_no("R$ 100,00");
    // A new demo has past withdrawals, each either accepted or rejected. The sandbox must have paid
    // each accepted withdrawal.
    let past = env.withdrawals();
    assert_eq!(past.len(), 6);
    let states: Vec<_> = past
        .iter()
        .map(|withdrawal| env.state_name(withdrawal))
        .collect();
    assert!(
        states
            .iter()
            .all(|state| ["accepted", "rejected"].contains(state)),
        "{states:?}"
    );
    assert_eq!(env.ledger().payouts.len(), 5);
    app.withdraw(&env, "10000").await;
    assert_eq!(env.withdrawals().len(), 7);
    assert_eq!(
        env.ledger().payouts.len(),
        6,
        "the bank of now pays the one of now"
    );
    // The history contains the demo's payment links again, and the sandbox serves their checkout
    // pages.
    assert!(!env.links().is_empty());
    let url = env.links()[0].url().unwrap().raw().to_owned();
    assert!(env.control.checkout_page(&url).is_some());
    let model = app.close().await;
    assert!(model.withdrawals.open.is_empty() && model.session.is_logged_in());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_overs_leave_at_most_two_journals() {
    let (env, mut app) = open_demo().await;
    for _ in 0..3 {
        app.run_demo_command("recomeçar").await;
        app.wait_for_message("WithdrawalsLoaded").await;
    }
    let names = std::fs::read_dir(&env.state_dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.retain(|name| name.starts_with("journal") && !name.ends_with(".lock"));
    names.sort();
    // The first of these directories belongs to the test environment. The demo created the other
    // one.
    assert_eq!(names, ["journal", "journal-4"]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn story_goes_on_after_start_over() {
    let steps = "[[step]]\ncaption = { pt-BR = 'Faça um link.' }\n\
                 [[step]]\nafter = 'link'\ncaption = { pt-BR = 'Está pronto.' }";
    let (env, mut app) = TestEnv::with_script(steps).await.into_logged_in().await;
    app.run_command("história: come").await;
    app.wait_for("Faça um link.").await;
    app.run_demo_command("recomeçar").await;
    app.assert_shows("Faça um link.");
    app.create_link("4990", "Boné").await;
    app.wait_for("Está pronto.").await;
    assert!(
        env.ledger()
            .links
            .iter()
            .any(|link| link.description == "Boné")
    );
    assert!(!app.close().await.story.playing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_jwt_is_replaced_by_login() {
    let (env, mut app) = open_demo().await;
    app.run_demo_command("falha expirar o jwt").await;
    app.request_link("4990", "Boné").await;
    app.wait_for_localized("login-title").await;
    app.press("Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.press("Ctrl-S").await;
    app.wait_for_another_message("LinkMade", 1).await;
    assert_eq!(env.ledger().links.len(), 1);
    app.close().await;
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
async fn story_performs_and_captions_its_steps() {
    let (env, mut app) = TestEnv::with_script(STORY).await.into_logged_in().await;
    app.run_command("história: come").await;
    app.wait_for("Faça um link.").await;
    app.create_link("4990", "Camiseta azul M").await;
    app.wait_for("Agora um").await;
    app.assert_shows("[31msaque.");
    assert!(env.ledger().links[0].paid_at.is_some());
    assert_eq!(env.control.domains()[0].state, DomainSetup::SslPending);
    assert_eq!(env.control.armed().len(), 1);
    app.wait_for_message("SandboxPaymentsRecorded").await;
    app.withdraw(&env, "10000").await;
    assert!(is_paid_with_state(&env, &app, "unknown"));
    app.wait_for("A resposta se perdeu.").await;

    app.run_command("esconder").await;
    app.assert_shows_no("A resposta se perdeu.");
    app.run_command("mostrar as leg").await;
    app.assert_shows("A resposta se perdeu.");
    app.run_demo_command("história: parar").await;
    app.assert_shows_no("A resposta se perdeu.");
    app.press("6 L").await;
    app.log_in().await;
    assert_eq!(
        env.control.armed(),
        [],
        "a story that was stopped does nothing more"
    );
    app.close().await;
}

const SKIPPED_FAULT_STORY: &str = r#"
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
    let (env, mut app) = TestEnv::with_script(SKIPPED_FAULT_STORY)
        .await
        .into_logged_in()
        .await;
    // Arm a fault by hand. It must stay armed, because the story may remove only the faults that it
    // has armed itself.
    env.control
        .arm(Fault::slow(), BankOperation::CreateLink, Times::Next(1))
        .unwrap();
    app.run_command("história: come").await;
    app.wait_for("Agora um saque.").await;
    app.press("Space").await;
    app.wait_for("Leia com calma.").await;
    assert_eq!(env.control.armed().len(), 2, "it waits for what comes next");
    app.press("Space").await;
    app.wait_for("A porta fechou.").await;
    app.wait_for_message_with("FaultsArmed", "refuse").await;
    let faults: Vec<_> = env
        .control
        .armed()
        .into_iter()
        .map(|rule| rule.fault)
        .collect();
    assert_eq!(
        faults,
        [Fault::slow(), Fault::Refuse],
        "nobody made a withdrawal"
    );
    app.run_demo_command("história: parar").await;
    app.wait_until("the caption is gone", |frame| !frame.has("A porta fechou."))
        .await;
    app.press("2").await;
    let lists = app.message_count("DomainsListed");
    app.press("r").await;
    app.wait_for_another_message("DomainsListed", lists).await;
    app.assert_shows("loja-da-ana.localhost");
    app.withdraw(&env, "10000").await;
    assert!(
        is_paid_with_state(&env, &app, "accepted"),
        "no old fault surprises it"
    );
    app.close().await;
}

const PAID_ONCE_STORY: &str = r#"
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
async fn paid_once_caption_requires_a_payout() {
    let (env, mut app) = TestEnv::with_script(PAID_ONCE_STORY)
        .await
        .into_logged_in()
        .await;
    let armed = app.message_count("FaultsArmed");
    app.run_command("história: come").await;
    // Wait until the story has armed its fault. The next withdrawal is never paid, because it
    // exceeds the balance.
    app.wait_for_another_message("FaultsArmed", armed).await;
    app.assert_shows_no("falha ativada");
    app.withdraw(&env, "99999999").await;
    app.wait_for("E agora?").await;
    app.send_again().await;
    assert_eq!(env.ledger().requests.len(), 2);
    assert_eq!(env.ledger().payouts.len(), 0);
    app.settle().await;
    app.assert_shows_no("Pago uma vez só.");
    app.close().await;

    let (env, mut app) = TestEnv::with_script(PAID_ONCE_STORY)
        .await
        .into_logged_in()
        .await;
    let armed = app.message_count("FaultsArmed");
    app.run_command("história: come").await;
    app.wait_for_another_message("FaultsArmed", armed).await;
    app.withdraw(&env, "10000").await;
    app.wait_for("E agora?").await;
    app.send_again().await;
    app.wait_for("Pago uma vez só.").await;
    assert!(env.is_paid_once());
    app.close().await;
}

const SUCCESS_CAPTION_STORY: &str = r#"
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
async fn success_caption_waits_for_success() {
    let (env, mut app) = TestEnv::with_script(SUCCESS_CAPTION_STORY)
        .await
        .into_logged_in()
        .await;
    app.run_command("história: come").await;
    app.wait_for("Agora um saque.").await;
    // The story must continue only after an accepted withdrawal. It must not continue after a
    // rejected withdrawal, or after a paid withdrawal whose reply was lost.
    app.withdraw(&env, "99999999").await;
    app.wait_for_localized("said-rejected").await;
    app.press("Esc").await;
    app.run_demo_command("falha perder a resposta").await;
    app.withdraw(&env, "10000").await;
    app.settle().await;
    assert_eq!(env.ledger().payouts.len(), 1);
    app.assert_shows("Agora um saque.");
    app.send_again().await;
    app.wait_for("Aceito: agora um apelido.").await;
    // The story must continue only after a nickname was stored. Opening the form for the nickname
    // is not enough.
    app.press("a").await;
    app.wait_for_localized("nickname-title").await;
    app.settle().await;
    app.assert_shows("Aceito");
    app.type_text("Tecidos").await;
    app.press("Ctrl-S").await;
    app.wait_for("Guardado.").await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn link_paid_before_the_story_is_not_paid_again() {
    let steps = "[[step]]\nafter = 'link'\nuntil = 'qr'\ncaption = { pt-BR = 'Tecle Q.' }\n\
                 [[step]]\npay = 'last link'\ncaption = { pt-BR = 'Pago.' }";
    let (env, mut app) = TestEnv::with_script(steps).await.into_logged_in().await;
    app.run_command("história: come").await;
    app.create_link("4990", "Camiseta azul M").await;
    app.wait_for("Tecle Q.").await;
    env.control
        .pay_link(env.links()[0].url().unwrap().raw())
        .unwrap();
    app.press("Q").await;
    app.wait_for("Pago.").await;
    assert_eq!(app.message_count("Story(Failed"), 0);
    assert_eq!(env.ledger().payments.len(), 1);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn impossible_step_is_reported_and_story_continues() {
    let steps = "[[step]]\npay = 'last link'\n[[step]]\ncaption = { pt-BR = 'Adiante.' }";
    let env = TestEnv::with_script(steps).await;
    let mut app = env.open().await;
    app.wait_for("Só quer olhar?").await;
    app.run_command("história: come").await;
    app.wait_for("Adiante.").await;
    app.assert_shows_localized("said-step-failed");
    assert!(!app.close().await.story.playing);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn palette_shows_fault_until_used_or_removed() {
    let (env, mut app) = open_demo().await;
    app.run_demo_command("falha perder a resposta").await;
    app.run_demo_command("falha perder a resposta").await;
    app.press("Ctrl-K").await;
    app.wait_for("Ativa 2 vezes · Falha no saque: perder a resposta")
        .await;
    app.press("Esc").await;
    app.withdraw(&env, "10000").await;
    app.press("Ctrl-K").await;
    app.wait_for("Ativa · Falha no saque: perder a resposta")
        .await;
    app.press("Esc").await;
    app.run_demo_command("retirar as falhas").await;
    app.press("Ctrl-K").await;
    app.wait_until("nothing in wait", |frame| !frame.has("Ativa · "))
        .await;
    assert_eq!(env.control.armed(), []);
    assert_eq!(app.close().await.faults, []);
}

/// When a link is paid in the sandbox, every running instance of the app must show this, in its
/// list and in the details of the link.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn paid_sandbox_link_is_marked_in_every_window() {
    let (env, mut app) = open_demo().await;
    let mut other = env.open().await;
    other.press("1").await;
    other.wait_for_localized("links-empty-title").await;
    app.create_link("4990", "Camiseta azul M").await;
    app.press("Esc 1").await;
    app.assert_shows_no("pago (sandbox)");
    let url = env.links()[0].url().unwrap().raw().to_owned();
    env.control.pay_link(&url).unwrap();
    for window in [&mut app, &mut other] {
        window.wait_for("✓ pago (sandbox)").await;
        window.press("Enter").await;
        window.wait_for("Aqui o sandbox avisa").await;
    }
    other.close().await;
    app.close().await;
    let mut again = env.open().await;
    again.press("1").await;
    again.wait_for("✓ pago (sandbox)").await;
    again.close().await;
}

const SKIPPED_LOGIN_STORY: &str = r#"
    [[step]]
    chapter = true
    caption = { pt-BR = "Primeiro." }
    [[step]]
    after = "login"
    caption = { pt-BR = "Isto não aconteceu." }
    [[step]]
    after = "20min"
    chapter = true
    caption = { pt-BR = "O tempo não é esperado." }
    [[step]]
    after = "20min"
    caption = { pt-BR = "" }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn key_continues_story_and_skips_undone_steps() {
    let (_env, mut app) = TestEnv::with_script(SKIPPED_LOGIN_STORY)
        .await
        .into_logged_in()
        .await;
    app.run_command("história: come").await;
    app.wait_for("1/2  Primeiro.").await;
    app.press("6 Space").await;
    app.wait_for("2/2  O tempo não é esperado.").await;
    assert_eq!(app.message_count("Story(Caption"), 2);
    app.press("F8").await;
    app.wait_until("the caption is gone", |frame| !frame.has("O tempo não"))
        .await;
    assert!(!app.close().await.story.playing);
}

const WAITING_CAPTION_STORY: &str = r#"
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

fn domain_states(env: &TestEnv) -> Vec<DomainSetup> {
    env.control
        .domains()
        .into_iter()
        .map(|domain| domain.state)
        .collect()
}

/// Returns the number of rows with a domain that has no certificate yet.
fn count_pending(rows: &[String]) -> usize {
    rows.iter()
        .filter(|row| row.contains("pending_ssl"))
        .count()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn caption_waits_for_action_and_changes_are_undone() {
    let (env, mut app) = TestEnv::with_script(WAITING_CAPTION_STORY)
        .await
        .into_logged_in()
        .await;
    let before = domain_states(&env);
    app.run_command("história: come").await;
    app.wait_for("Tecle 5.").await;
    app.press("1 3").await;
    app.assert_shows("Tecle 5.");
    app.press("5").await;
    app.wait_for("Saiu do ar: tecle 2.").await;
    app.wait_for_message("Story(DomainsMoved").await;
    assert_eq!(app.message_count("Story(Caption"), 2);
    app.assert_shows_no("loja-da-ana");
    assert_eq!(domain_states(&env)[0], DomainSetup::SslPending);
    app.press("2").await;
    app.wait_until("two of them", |frame| count_pending(&frame.rows) == 2)
        .await;
    // The caption of this step is still shown, because the next step of the story begins only after
    // 20 minutes.
    app.assert_shows("Saiu do ar");

    app.run_demo_command("história: parar").await;
    app.wait_for_another_message("Story(DomainsMoved", 1).await;
    assert_eq!(domain_states(&env), before, "and only what it moved");
    app.wait_until("one of them", |frame| count_pending(&frame.rows) == 1)
        .await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reactivated_domains_regain_original_states() {
    let (env, mut app) = open_demo().await;
    let first = domain_states(&env);
    app.run_demo_command("desativar os dom").await;
    assert!(
        domain_states(&env)
            .iter()
            .all(|state| *state == DomainSetup::SslPending)
    );
    app.run_demo_command("reativar os dom").await;
    assert_eq!(domain_states(&env), first);
    assert!(first.contains(&DomainSetup::DnsPending));
    app.close().await;
}

const CONSEQUENCE_STORY: &str = r#"
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
    let (env, mut app) = TestEnv::with_script(CONSEQUENCE_STORY)
        .await
        .into_logged_in()
        .await;
    let before = domain_states(&env);
    app.run_command("história: come").await;
    app.wait_for("Faça um link.").await;
    app.press("6 Space").await;
    app.wait_for("Outra coisa.").await;
    assert_eq!(
        domain_states(&env),
        before,
        "what was for the link is put back"
    );
    app.press("Space").await;
    app.wait_for("Copiado ou não.").await;
    assert_eq!(app.message_count("Story(Caption"), 3);
    app.close().await;
}
