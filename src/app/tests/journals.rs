//! Several journals of withdrawals: one is picked, and nothing new leaves meanwhile.

use std::path::PathBuf;

use super::*;
use crate::app::store::notice::Notice;
use crate::app::store::withdrawals::answers::Refused;
use crate::app::ui::action::Action;
use crate::app::{Pane, router};
use crate::trade::{JournalTrouble, OtherJournal};

fn other(dir: &str, open: u64) -> OtherJournal {
    OtherJournal {
        dir: PathBuf::from(dir),
        owners: vec![seller()],
        withdrawals: 3,
        open,
        prepared: 0,
        recent: 0,
        last: Some(Wall(1)),
        trouble: None,
    }
}

/// A counter that shows the withdrawals, of which the journal said this.
fn counter_that_heard(result: Result<Snapshot, JournalTrouble>) -> Counter {
    let mut counter = Counter::open();
    counter.keys("3");
    let ticket = counter.model.ticket();
    counter.model.withdrawals.list.ask(ticket);
    counter.tell(Msg::WithdrawalsLoaded { ticket, result });
    counter
}

fn several() -> Counter {
    let all = vec![other("/s/live/a", 1), other("/s/live/b", 0)];
    counter_that_heard(Err(JournalTrouble::Several(all.into())))
}

fn beside() -> Counter {
    let beside = vec![other("/s/live/a", 1)].into();
    counter_that_heard(Ok(Snapshot { beside, ..Snapshot::default() }))
}

#[test]
fn of_several_one_is_picked_after_a_question() {
    let mut counter = several();
    assert_eq!(counter.model.pane, Pane::Withdrawals);
    assert!(router::actions(&counter.model).contains(&Action::Journals));
    assert!(!router::actions(&counter.model).contains(&Action::New));
    counter.keys("R G");
    assert!(matches!(counter.top(), Layer::Journals(journals) if journals.cursor == 1));
    assert_eq!(counter.keys("Enter"), vec![], "it is asked first");
    assert_eq!(counter.keys("Enter"), vec![], "on the harmless button");
    counter.keys("Enter Tab");
    counter.passes(1_000);
    assert_eq!(counter.keys("Enter"), vec![Effect::PickJournal("/s/live/b".into())]);
}

#[test]
fn another_that_holds_back_keeps_new_withdrawals_from_being_begun() {
    let mut counter = beside();
    assert!(!router::actions(&counter.model).contains(&Action::New));
    assert!(router::actions(&counter.model).contains(&Action::Journals));
    counter.keys("n");
    assert!(counter.model.layers.is_empty());
    // One that was begun before that was heard goes no further.
    let mut counter = Counter::open();
    counter.types_withdrawal("10010");
    counter.is_quoted();
    let ticket = counter.model.ticket();
    counter.model.withdrawals.list.ask(ticket);
    let beside = vec![other("/s/live/a", 1)].into();
    counter.tell(Msg::WithdrawalsLoaded {
        ticket,
        result: Ok(Snapshot { beside, ..Snapshot::default() }),
    });
    counter.keys("Ctrl-S");
    assert_eq!(counter.draft().refused, Some(Refused::OtherJournal));
}

#[test]
fn what_was_picked_is_read_and_nothing_of_before_is_shown() {
    let mut counter = several();
    counter.has_links(vec![link("https://loja.example/checkout/link-1")]);
    counter.keys("R");
    let wanted = counter.tell(Msg::JournalPicked(Ok(())));
    let loads = |effect: &&Effect| {
        matches!(effect, Effect::LoadLinks(_) | Effect::LoadWithdrawals(_) | Effect::LoadCharges(_))
    };
    assert_eq!(wanted.iter().filter(loads).count(), 3);
    assert_eq!(counter.model.notice, Some(Notice::JournalPicked));
    assert_eq!(counter.model.links.list.page.total, 0);
    assert_eq!(counter.model.withdrawals.trouble, None);
    assert!(counter.model.layers.is_empty());
}

#[test]
fn one_that_could_not_be_picked_is_said_and_all_is_read_again() {
    let mut counter = several();
    let why = JournalTrouble::Busy("another window has it open".into());
    let wanted = counter.tell(Msg::JournalPicked(Err(why.clone())));
    assert_eq!(counter.model.notice, Some(Notice::JournalNotPicked(why)));
    assert!(wanted.iter().any(|effect| matches!(effect, Effect::LoadWithdrawals(_))));
}

#[test]
fn when_there_is_nothing_to_pick_any_more_nobody_is_asked() {
    let mut counter = beside();
    counter.keys("R Enter");
    assert!(matches!(counter.top(), Layer::Dialog(_)));
    let ticket = counter.model.ticket();
    counter.model.withdrawals.list.ask(ticket);
    counter.tell(Msg::WithdrawalsLoaded { ticket, result: Ok(Snapshot::default()) });
    assert!(counter.model.layers.is_empty());
    assert!(router::actions(&counter.model).contains(&Action::New));
}
