//! One live journal, however many an earlier build left.

use super::*;
use crate::journal::money::samples::*;
use crate::trade::{Agreement, LinkRequest, Money};

/// A moment long after every sample withdrawal.
const LATER: Wall = Wall(48 * 60 * 60 * 1_000);

struct StateDir {
    dir: tempfile::TempDir,
}

impl StateDir {
    fn new() -> StateDir {
        StateDir { dir: tempfile::tempdir().unwrap() }
    }

    fn home(&self) -> Home {
        Home { state: self.dir.path().to_owned(), earlier: vec![], elsewhere: None }
    }

    /// The journal that an earlier build kept for an address.
    fn earlier(&self, name: &str) -> PathBuf {
        self.dir.path().join("live").join(name)
    }

    /// Withdrawal `n` of an earlier build, with this end.
    fn has_sent(&self, name: &str, n: u128, class: crate::trade::withdrawal::Class) -> PathBuf {
        let dir = self.earlier(name);
        attempted(&mut open(&dir), n, 100 * n as i64, class);
        dir
    }

    fn has_link(&self, name: &str) -> PathBuf {
        let dir = self.earlier(name);
        let (mut history, _) = History::open(&dir, Wall(1)).unwrap();
        let link = LinkRequest {
            account: account("ana"),
            amount: Money::from_centavos(100),
            description: "Boné".into(),
            domain: None,
        };
        history.begin_link(&link, Wall(1)).unwrap();
        dir
    }

    fn live_keys(&self) -> Vec<crate::trade::IdempotencyKey> {
        let mut journal = open(&self.home().dir());
        let page = journal.page(None, "", 0, 99).unwrap();
        page.rows.iter().map(|one| one.agreement.key).collect()
    }
}

fn several(trouble: JournalTrouble) -> Vec<PathBuf> {
    match trouble {
        JournalTrouble::Several(all) => all.iter().map(|one| one.dir.clone()).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_seller_who_begins_has_the_one_place() {
    let state = StateDir::new();
    let pinned = state.home().pin(LATER).unwrap();
    assert_eq!(pinned.dir, state.dir.path().join("journal"));
    assert!(!pinned.dir.exists(), "nothing is made before it is wanted");
}

#[test]
fn the_only_journal_of_an_earlier_build_becomes_the_live_one_with_its_history() {
    let state = StateDir::new();
    let old = state.has_sent("https-pay.example", 1, lost());
    state.has_link("https-pay.example");
    // Addresses that were only looked at have files too, with nothing in them.
    drop(open(&state.earlier("https-other.example")));
    History::open(&state.earlier("https-other.example"), Wall(1)).unwrap();
    let pinned = state.home().pin(LATER).unwrap();
    assert!(!old.exists());
    assert_eq!(state.live_keys(), [key(1)]);
    assert!(History::holds_anything(&pinned.dir));
    drop(pinned);
    let again = state.home().pin(LATER).unwrap();
    assert_eq!(again.dir, state.home().dir());
}

#[test]
fn of_several_none_is_taken_until_one_is_picked() {
    let state = StateDir::new();
    let one = state.has_sent("a", 1, confirmed());
    let two = state.has_sent("b", 2, confirmed());
    let found = several(state.home().pin(LATER).unwrap_err());
    assert_eq!(found, [one.clone(), two.clone()]);
    assert!(one.exists() && two.exists() && !state.home().dir().exists());
    state.home().pick(&two, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(2)]);
    assert!(state.home().pin(LATER).is_ok());
    // The other one holds nothing back: it is kept, and out of the way.
    assert!(!one.exists());
    let aside: Vec<_> = fs::read_dir(state.dir.path().join("set-aside")).unwrap().collect();
    assert_eq!(aside.len(), 1);
    assert_eq!(state.home().others(LATER), []);
}

#[test]
fn links_alone_are_something_too() {
    let state = StateDir::new();
    let one = state.has_sent("a", 1, confirmed());
    let two = state.has_link("b");
    assert_eq!(several(state.home().pin(LATER).unwrap_err()), [one, two]);
}

#[test]
fn another_one_holds_back_while_anything_in_it_is_open_prepared_or_new() {
    let state = StateDir::new();
    let open_one = state.has_sent("open", 1, lost());
    let paid = state.has_sent("paid", 2, confirmed());
    let prepared = state.earlier("prepared");
    open(&prepared).prepare(agreement(3, 100), None).unwrap();
    let holds = |now: Wall| {
        let others = state.home().others(now);
        let holding = others.iter().filter(|other| other.holds_back());
        holding.map(|other| other.dir.clone()).collect::<Vec<_>>()
    };
    assert_eq!(holds(Wall(3_000)), [open_one.clone(), paid.clone(), prepared.clone()]);
    assert_eq!(holds(LATER), [open_one.clone(), prepared]);
    let other = &state.home().others(Wall(3_000))[1];
    assert_eq!((other.withdrawals, other.open, other.recent), (1, 0, 1));
    assert_eq!(other.owners, [account("ana")]);
    // What nobody can read may hold anything.
    fs::write(paid.join("money.db"), b"not a journal at all, and longer than nothing").unwrap();
    assert_eq!(holds(LATER).len(), 3);
    // Picked, it is the live one, and the one before is another.
    state.home().pick(&open_one, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(1)]);
    assert_eq!(holds(LATER).len(), 2);
}

#[test]
fn the_live_one_becomes_another_when_a_person_picks_again() {
    let state = StateDir::new();
    let one = state.has_sent("a", 1, lost());
    let two = state.has_sent("b", 2, lost());
    state.home().pick(&one, LATER).unwrap();
    state.home().pick(&two, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(2)]);
    let others = state.home().others(LATER);
    assert_eq!((others.len(), others[0].open), (1, 1));
    let first = others[0].dir.clone();
    state.home().pick(&first, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(1)]);
    assert_eq!(state.home().pick(&first, LATER), Err(JournalTrouble::Missing));
}

#[test]
fn nothing_is_moved_while_a_window_has_the_place_or_sends() {
    let state = StateDir::new();
    let one = state.has_sent("a", 1, lost());
    let two = state.has_sent("b", 2, lost());
    state.home().pick(&one, LATER).unwrap();
    let window = state.home().pin(LATER).unwrap();
    let other_window = state.home().pin(LATER).unwrap();
    drop(window);
    let refused = state.home().pick(&two, LATER).unwrap_err();
    assert!(matches!(refused, JournalTrouble::Busy(_)), "{refused:?}");
    drop(other_window);
    // An earlier build holds no place, and its withdrawal on the way is seen all the same.
    let mut journal = open(&two);
    journal.prepare(Agreement { account: account("bia"), ..agreement(3, 300) }, None).unwrap();
    let sending = journal.lock(key(3)).unwrap();
    let refused = state.home().pick(&two, LATER).unwrap_err();
    assert!(matches!(refused, JournalTrouble::Busy(_)), "{refused:?}");
    drop(sending);
    assert_eq!(state.home().pick(&two, LATER), Ok(()));
}

#[test]
fn one_that_was_kept_elsewhere_is_offered_and_never_taken_unasked() {
    let (state, other_state) = (StateDir::new(), StateDir::new());
    attempted(&mut open(&other_state.home().dir()), 1, 100, lost());
    let elsewhere = other_state.home().dir();
    let home = Home { elsewhere: Some(elsewhere.clone()), ..state.home() };
    let offered = several(home.pin(LATER).unwrap_err());
    assert_eq!(offered, std::slice::from_ref(&elsewhere));
    home.pick(&elsewhere, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(1)]);
    assert!(!elsewhere.exists());
}

#[test]
fn a_move_that_was_cut_short_is_picked_up_again() {
    let state = StateDir::new();
    let one = state.has_sent("a", 1, lost());
    let two = state.has_sent("b", 2, lost());
    state.home().pick(&one, LATER).unwrap();
    // Killed between the two renames of picking the other one.
    fs::rename(state.home().dir(), state.earlier("journal-then")).unwrap();
    let found = several(state.home().pin(LATER).unwrap_err());
    assert_eq!(found, [two.clone(), state.earlier("journal-then")]);
    state.home().pick(&two, LATER).unwrap();
    assert_eq!(state.live_keys(), [key(2)]);
}

#[test]
fn who_only_reads_moves_nothing() {
    let state = StateDir::new();
    assert_eq!(state.home().dir_to_read(LATER), Ok(state.home().dir()));
    let one = state.has_sent("a", 1, lost());
    assert_eq!(state.home().dir_to_read(LATER), Ok(one.clone()));
    let two = state.has_sent("b", 2, lost());
    assert_eq!(several(state.home().dir_to_read(LATER).unwrap_err()), [one.clone(), two]);
    assert!(one.exists());
}
