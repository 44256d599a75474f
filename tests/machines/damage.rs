//! Damage: every truncation and a flipped bit in every byte of `money.db` and `money.head`.
//!
//! The journal holds 64 withdrawals in every state there is. Whatever is done to one of its two
//! files, opening it either says that it is damaged, and leaves both files as they are, or finds
//! every withdrawal, every attempt and every byte as they were: a send is never forgotten, and
//! nothing that could not be sent can be sent. One of the two brought back from an earlier day is
//! seen too. Both brought back together are not, by nobody: that is a snapshot of the machine.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use balcao::journal::OsDisk;
use balcao::journal::money::MoneyJournal;
use balcao::trade::withdrawal::{Alarm, AttemptEnd, Class, Decision, NotSent, Unclear};
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Money, Wall, Withdrawal};
use tempfile::TempDir;
use uuid::Uuid;

use crate::effort::{Effort, grouped, promised, say};
use crate::paper::{AT_ONCE, account, agreement, place};

const WITHDRAWALS: u128 = 64;

const THREADS: usize = 2;

const FILES: [&str; 2] = ["money.db", "money.head"];

/// What SQLite or an opening may leave beside them.
const BESIDE: [&str; 4] = ["money.db-journal", "money.db-wal", "money.db-shm", "money.head.new"];

/// What is done to the journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Damage {
    /// A bit of a byte is another one.
    Flipped { file: usize, at: usize, bit: u32 },
    /// A file ends here.
    Cut { file: usize, at: usize },
    /// A file is the one of so many events before.
    Old { file: usize, events: usize },
}

fn clocks(second: u64) -> Clocks {
    let ms = second * 1_000;
    Clocks { wall: Wall(1_795_268_527_000 + ms as i64), boot_ms: ms, boot_id: "boot".into() }
}

/// The two files as they stood after an event.
type Two = [Vec<u8>; 2];

fn read_two(dir: &Path) -> Two {
    FILES.map(|name| fs::read(dir.join(name)).expect("it is there"))
}

/// How a withdrawal came to stand where it stands; each is a state of its own.
const ROADS: [&str; 16] = [
    "prepared",
    "not sent",
    "no entry",
    "throttled",
    "under way",
    "unknown",
    "unknown twice",
    "other success",
    "echo differs",
    "accepted",
    "accepted later",
    "rejected",
    "redirected",
    "key reused",
    "mismatch",
    "decided",
];

/// A journal that is being filled, and its files after each event.
struct Filling {
    journal: MoneyJournal,
    dir: PathBuf,
    kept: Vec<Two>,
}

impl Filling {
    fn keep(&mut self) {
        self.kept.push(read_two(&self.dir));
    }

    fn prepare(&mut self, n: u128) {
        // One account each: nothing stands in the way of anything.
        let account = account("https://pay.example", &format!("seller {n}"));
        let key = IdempotencyKey(Uuid::from_u128(n));
        let paper = agreement(key, account, 1_000 + n as i64, clocks(1), "");
        self.journal.prepare(paper, None).expect("prepared");
        self.keep();
    }

    fn attempt(&mut self, n: u128, second: u64, class: Option<Class>) {
        let key = IdempotencyKey(Uuid::from_u128(n));
        let lock = self.journal.lock(key).expect("the lock");
        let permit = self.journal.begin(lock, key, &clocks(second), &AT_ONCE).expect("begun");
        self.keep();
        let (spent, _) = permit.spend();
        if let Some(class) = class {
            let end = AttemptEnd {
                at: clocks(second + 1).wall,
                boot_ms: clocks(second + 1).boot_ms,
                class,
                status: Some(400),
                server_date: Some(clocks(second).wall),
                message: Some("Saldo de ana@loja.example insuficiente.".into()),
                hint: None,
            };
            self.journal.settle(spent, &end).expect("settled");
            self.keep();
        }
    }

    fn decide(&mut self, n: u128, choice: Decision) {
        let key = IdempotencyKey(Uuid::from_u128(n));
        self.journal.decide(key, choice, &clocks(900), &AT_ONCE).expect("decided");
        self.keep();
    }

    fn walk(&mut self, n: u128, road: &str) {
        let lost = || Some(Class::Unclear(Unclear::Timeout));
        let confirmed =
            || Some(Class::Confirmed { id: Some("w-1".into()), status: Some("done".into()) });
        let amount = Alarm::Amount { sent: Money::from_centavos(1), got: Money::from_centavos(2) };
        let to = Alarm::Destination { sent: "ana@loja.example".into(), got: "mallory".into() };
        self.prepare(n);
        match road {
            "prepared" => {}
            "not sent" => self.attempt(n, 2, Some(Class::NotSent(NotSent::Dns))),
            "no entry" => self.attempt(n, 2, Some(Class::Unauthorized)),
            "throttled" => self.attempt(n, 2, Some(Class::Throttled { retry_after: None })),
            "under way" => self.attempt(n, 2, None),
            "unknown" => self.attempt(n, 2, lost()),
            "other success" => self.attempt(n, 2, Some(Class::Unclear(Unclear::OtherSuccess))),
            "echo differs" => {
                self.attempt(n, 2, Some(Class::Unclear(Unclear::EchoDiffers(amount))));
            }
            "accepted" => self.attempt(n, 2, confirmed()),
            "rejected" => self.attempt(n, 2, Some(Class::DefiniteNo)),
            "redirected" => self.attempt(n, 2, Some(Class::Redirected)),
            "mismatch" => self.attempt(n, 2, Some(Class::Alarm(to))),
            "unknown twice" => {
                self.attempt(n, 2, lost());
                self.attempt(n, 40, None);
            }
            "accepted later" => {
                self.attempt(n, 2, lost());
                self.attempt(n, 40, confirmed());
            }
            "key reused" => {
                self.attempt(n, 2, lost());
                self.attempt(n, 40, Some(Class::KeyReused));
            }
            _ => match n % 3 {
                0 => self.decide(n, Decision::Discarded),
                1 => {
                    self.attempt(n, 2, lost());
                    self.decide(n, Decision::FoundPaid);
                }
                _ => {
                    self.attempt(n, 2, Some(Class::Redirected));
                    self.decide(n, Decision::StatedNotPaid);
                }
            },
        }
    }
}

/// The journal that is damaged: whole, and after each of its events.
struct Whole {
    kept: Vec<Two>,
    withdrawals: Vec<Withdrawal>,
}

impl Whole {
    fn make() -> Whole {
        let dir = place();
        let journal = MoneyJournal::open(dir.path(), OsDisk, false).expect("it opens");
        let mut filling = Filling { journal, dir: dir.path().to_owned(), kept: Vec::new() };
        filling.keep();
        for n in 0..WITHDRAWALS {
            // What was decided long ago is purged, and its place in the file is blank.
            if n == WITHDRAWALS / 2 {
                let purged = filling.journal.purge(clocks(300).wall, clocks(200_000).wall);
                assert!(purged.expect("purged") > 0);
            }
            filling.walk(n, ROADS[n as usize % ROADS.len()]);
        }
        let withdrawals = everything(&mut filling.journal).expect("it can be read");
        assert_eq!(withdrawals.len(), WITHDRAWALS as usize);
        let mut names = BTreeMap::new();
        for one in &withdrawals {
            *names.entry(one.state(&clocks(60), &AT_ONCE, false).name()).or_insert(0) += 1;
        }
        assert_eq!(names.len(), 9, "every state but sending: {names:?}");
        Whole { kept: filling.kept, withdrawals }
    }

    fn last(&self) -> &Two {
        self.kept.last().expect("it was filled")
    }

    fn damages(&self, effort: Effort) -> Vec<Damage> {
        let mut all = Vec::new();
        for (file, bytes) in self.last().iter().enumerate() {
            for at in 0..bytes.len() {
                let bits =
                    if effort == Effort::Long { 0..8 } else { at as u32 % 8..at as u32 % 8 + 1 };
                all.extend(bits.map(|bit| Damage::Flipped { file, at, bit }));
                all.push(Damage::Cut { file, at });
            }
            all.extend((1..self.kept.len()).map(|events| Damage::Old { file, events }));
        }
        if effort == Effort::Small {
            // All of the head, and of the database as much as takes a few seconds.
            let few = |(n, damage): &(usize, Damage)| match damage {
                Damage::Flipped { file: 1, .. } => true,
                Damage::Old { events, .. } => *events < 4 || events.is_multiple_of(10),
                _ => n.is_multiple_of(401),
            };
            all = all.into_iter().enumerate().filter(few).map(|(_, damage)| damage).collect();
        }
        all
    }
}

fn everything(journal: &mut MoneyJournal) -> Result<Vec<Withdrawal>, JournalTrouble> {
    Ok(journal.page(None, "", 0, 1_000)?.rows.to_vec())
}

/// What came of the damages.
#[derive(Debug, Default)]
struct Tally {
    flips_seen: u64,
    flips_harmless: u64,
    cuts_seen: u64,
    cuts_harmless: u64,
    old_seen: u64,
    old_harmless: u64,
}

/// A place where one thread does damage.
struct Bench<'a> {
    dir: TempDir,
    whole: &'a Whole,
}

impl Bench<'_> {
    fn damaged(&self, damage: Damage) -> Two {
        let mut two = self.whole.last().clone();
        match damage {
            Damage::Flipped { file, at, bit } => two[file][at] ^= 1 << bit,
            Damage::Cut { file, at } => two[file].truncate(at),
            Damage::Old { file, events } => {
                let before = self.whole.kept.len() - 1 - events;
                two[file].clone_from(&self.whole.kept[before][file]);
            }
        }
        two
    }

    fn put(&self, two: &Two) {
        for (name, bytes) in FILES.iter().zip(two) {
            fs::write(self.dir.path().join(name), bytes).expect("written");
        }
        for name in BESIDE {
            let _ = fs::remove_file(self.dir.path().join(name));
        }
    }

    /// Does it, and opens the journal to write and to read; whether the damage was seen.
    fn try_out(&self, damage: Damage, look: bool) -> bool {
        let two = self.damaged(damage);
        self.put(&two);
        if look {
            // A start that may not write sees as much, or more.
            let opened = MoneyJournal::open_to_read(self.dir.path(), JournalTrouble::Missing);
            let read = opened.map(|mut look| everything(&mut look.journal));
            self.judge(damage, read.and_then(|read| read));
            assert_eq!(read_two(self.dir.path()), two, "{damage:?}: looking changed it");
        }
        let opened = MoneyJournal::open(self.dir.path(), OsDisk, true);
        let seen = self.judge(damage, opened.and_then(|mut journal| everything(&mut journal)));
        if seen {
            assert_eq!(read_two(self.dir.path()), two, "{damage:?}: what is damaged was changed");
        }
        seen
    }

    /// Said to be damaged, or nothing is lost.
    fn judge(&self, damage: Damage, read: Result<Vec<Withdrawal>, JournalTrouble>) -> bool {
        match read {
            Ok(read) => {
                assert!(read == self.whole.withdrawals, "{damage:?}: it opens, and is another one");
                false
            }
            // Where the database says how it was made, a bit can make it one of a later program.
            Err(JournalTrouble::Damaged(_) | JournalTrouble::OtherVersion { .. }) => true,
            Err(other) => panic!("{damage:?}: {other:?}"),
        }
    }
}

#[test]
fn no_damage_makes_it_forget_a_send() {
    let whole = Whole::make();
    let effort = Effort::wanted();
    let damages = whole.damages(effort);
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let work = || {
        let bench = Bench { dir: place(), whole: &whole };
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(damage) = damages.get(at).copied() else { break };
            let seen = bench.try_out(damage, at.is_multiple_of(4));
            let mut tally = tally.lock().expect("no panic");
            match (damage, seen) {
                (Damage::Flipped { .. }, true) => tally.flips_seen += 1,
                (Damage::Flipped { .. }, false) => tally.flips_harmless += 1,
                (Damage::Cut { .. }, true) => tally.cuts_seen += 1,
                (Damage::Cut { .. }, false) => tally.cuts_harmless += 1,
                (Damage::Old { .. }, true) => tally.old_seen += 1,
                (Damage::Old { .. }, false) => tally.old_harmless += 1,
            }
        }
    };
    thread::scope(|scope| {
        (0..THREADS).for_each(|_| drop(scope.spawn(work)));
    });
    let tally = tally.into_inner().expect("no panic");
    let [db, head] = whole.last().each_ref().map(Vec::len);
    say(&format!("damage of {db} and {head} bytes, {} tried: {tally:?}", damages.len()));
    promised(&format!("some {} damaged journals", grouped(damages.len() as u64 / 1_000 * 1_000)));
    assert_eq!(tally.cuts_harmless, 0, "a file that is cut is seen");
    // A head one event behind is what a kill between the two files leaves.
    assert_eq!(tally.old_harmless, 1);
    assert!(tally.flips_seen > tally.flips_harmless, "{tally:?}");
}
