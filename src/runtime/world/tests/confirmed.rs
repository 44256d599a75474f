//! Tests that confirmed contract settings are stored for the next start. If the vault cannot store
//! them, they are kept in memory.

use super::*;
use crate::contract::{ConfirmedSettings, SettingValue, TaughtSetting};
use crate::trade::{Exchange, Operation};

fn unit_settings() -> ConfirmedSettings {
    Contract::built_in().unit_settings()
}

/// Waits for the message that contract settings were confirmed, and returns these settings.
async fn wait_for_confirmed(inbox: &mut mpsc::Receiver<Msg>) -> ConfirmedSettings {
    loop {
        match inbox.recv().await {
            Some(Msg::SettingsConfirmed(lines)) => return lines,
            Some(_) => {}
            None => panic!("the world is gone"),
        }
    }
}

#[tokio::test]
async fn confirmed_line_stays_confirmed_after_restart() {
    let first = tempfile::tempdir().unwrap();
    let second = tempfile::tempdir().unwrap();
    let vault = VaultHandle::memory();
    let (mut world, mut inbox) = build(builder(first.path(), vault.clone()));
    world.perform(Effect::Confirm(unit_settings()));
    assert_eq!(wait_for_confirmed(&mut inbox).await, unit_settings());
    assert!(!world.context.contract.current().unit_is_assumed());

    let (mut world, mut inbox) = build(builder(second.path(), vault));
    assert!(world.context.contract.current().unit_is_assumed());
    world.perform(Effect::ReadCredentials);
    assert_eq!(wait_for_confirmed(&mut inbox).await, unit_settings());
    assert!(!world.context.contract.current().unit_is_assumed());
}

#[tokio::test]
async fn confirmation_not_stored_lasts_for_the_run() {
    let dir = tempfile::tempdir().unwrap();
    let broken = VaultHandle::on_thread(VaultKind::Keyring, || panic!("a keyring that is broken"));
    let (mut world, mut inbox) = build(builder(dir.path(), broken));
    world.perform(Effect::Confirm(unit_settings()));
    assert_eq!(wait_for_confirmed(&mut inbox).await, unit_settings());
    assert!(!world.context.contract.current().unit_is_assumed());
}

fn exchange() -> Exchange {
    let reply = Err(Failure::Cancelled);
    Exchange::new(Operation::FeePreview, "GET", "https://api.example/", reply)
}

#[tokio::test]
async fn retaught_line_is_assumed_and_others_confirmed() {
    let dir = tempfile::tempdir().unwrap();
    let (mut world, mut inbox) = world(dir.path());
    world.perform(Effect::Confirm(unit_settings()));
    wait_for_confirmed(&mut inbox).await;
    let lines = |name: &str, value: &str| {
        vec![TaughtSetting {
            name: name.into(),
            value: SettingValue::Text(value.into()),
        }]
    };
    for (name, value, is_assumed) in [
        ("fee_preview.unit", "centavos", false),
        ("withdrawal.unit", "centavos", true),
        // If the seller chooses the confirmed value again, it counts as confirmed again.
        ("withdrawal.unit", "reais", false),
    ] {
        world.perform(Effect::Teach {
            ticket: Ticket(1),
            lines: lines(name, value),
            exchange: Arc::new(exchange()),
        });
        loop {
            match inbox.recv().await {
                Some(Msg::Taught { result, .. }) => break drop(result.unwrap()),
                Some(_) => {}
                None => panic!("the world is gone"),
            }
        }
        assert_eq!(
            world.context.contract.current().unit_is_assumed(),
            is_assumed,
            "{name} {value}"
        );
    }
}
