//! Tests of steps and jumps.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;

#[test]
fn every_suffix_of_chunks_shows_the_same_screens() {
    let bytes = long(600);
    let all = screens(bytes.clone());
    assert_eq!(all.len(), 600);
    let starts = chunk_starts(&bytes);
    assert!(starts.len() >= 5, "{starts:?}");
    for start in starts {
        let suffix = screens(bytes[start..].to_vec());
        assert_eq!(suffix, all[all.len() - suffix.len()..]);
    }
}

/// A recording with frames and events in any order. Each item has the time since the one before,
/// and the row of a frame or `None` for an event. Long pauses make short chunks.
fn mixed(items: &[(u16, Option<u16>)]) -> Vec<u8> {
    file(|it| {
        let mut at = 0;
        for (n, (pause, y)) in items.iter().enumerate() {
            at += u64::from(*pause);
            match y {
                Some(y) => it.frame(ms(at), SIZE, [plain(*y, &n.to_string())]),
                None => it.event(ms(at), Event::Key("Enter".into())),
            }
            .unwrap();
        }
    })
}

fn walk(cursor: &mut Cursor, goal: &Goal, is_back: bool, steps: usize) -> usize {
    let mut take = |_: &usize| {
        let mut scan = cursor.from_here(goal.clone(), is_back);
        cursor.finish(&mut scan)
    };
    (0..steps).take_while(|step| take(step)).count()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn steps_back_then_forward_are_the_identity(
        items in prop::collection::vec((0..40_000u16, prop::option::of(0..4u16)), 1..40),
        start in 0..40usize,
        steps in 0..40usize,
        by_frame in any::<bool>(),
    ) {
        let mut cursor = open(mixed(&items));
        walk(&mut cursor, &Goal::Entry, false, start);
        let goal = if by_frame { Goal::Frame } else { Goal::Entry };
        let (entry, frame) = (cursor.entry().cloned(), cursor.frame());
        let screen = cursor.screen();
        let back = walk(&mut cursor, &goal, true, steps);
        prop_assert_eq!(walk(&mut cursor, &goal, false, back), back);
        prop_assert_eq!(cursor.screen(), screen);
        prop_assert_eq!(cursor.frame(), frame);
        if !by_frame {
            prop_assert_eq!(cursor.entry().cloned(), entry);
        }
    }
}

/// The time of the entry to which a search leads; `None` if there is no such entry.
fn time_of(cursor: &mut Cursor, goal: Goal, is_back: bool) -> Option<u32> {
    let mut scan = cursor.from_here(goal, is_back);
    let is_found = cursor.finish(&mut scan);
    is_found.then(|| cursor.entry().unwrap().at)
}

#[test]
fn jumps_lead_to_marks_errors_requests_and_texts() {
    let bytes = file(|it| {
        it.frame(ms(0), SIZE, [plain(0, "Links")]).unwrap();
        it.event(ms(100_000), Event::Mark).unwrap();
        it.event(ms(200_000), request(Outcome::Status(200)))
            .unwrap();
        it.frame(ms(300_000), SIZE, [plain(1, "Não confirmado")])
            .unwrap();
        it.event(ms(400_000), request(Outcome::Status(500)))
            .unwrap();
        it.event(ms(500_000), Event::Mark).unwrap();
    });
    assert_eq!(chunk_starts(&bytes).len(), 6);
    let mut cursor = open(bytes);
    let text = || Goal::text("NAO confirm");
    for (goal, is_back, expected) in [
        (Goal::Mark, false, Some(100_000)),
        (Goal::Mark, false, Some(500_000)),
        (Goal::Mark, false, None),
        (Goal::Error, true, Some(400_000)),
        (Goal::Error, true, None),
        (Goal::Request, true, Some(200_000)),
        (text(), false, Some(300_000)),
        (text(), false, None),
        (Goal::Event, false, Some(400_000)),
        (Goal::Frame, true, Some(0)),
        (Goal::Entry, false, Some(100_000)),
    ] {
        let found = time_of(&mut cursor, goal.clone(), is_back);
        assert_eq!(found, expected, "{goal:?}");
    }
    for (at, expected) in [(0, 0), (250_000, 200_000), (u32::MAX, 500_000)] {
        let mut scan = cursor.until(at);
        assert!(cursor.finish(&mut scan));
        assert_eq!(cursor.entry().unwrap().at, expected);
    }
    let mut scan = cursor.to_frame(2).unwrap();
    assert!(cursor.finish(&mut scan));
    assert_eq!(cursor.screen().text(), "Links\nNão confirmado\n\n\n");
    assert!(cursor.to_frame(0).is_none() && cursor.to_frame(3).is_none());
}

/// A recording of 20,000 entries, with a mark at one place.
static LARGE: LazyLock<Vec<u8>> = LazyLock::new(|| long(10_000));

#[test]
fn step_or_jump_unpacks_at_most_two_chunks() {
    let recording = Recording::open(LARGE.clone()).unwrap();
    assert!(recording.chunks() > 70, "{}", recording.chunks());
    let frames = recording.frames();
    let last = recording.last();
    let mut cursor = Cursor::new(recording);
    assert_eq!(cursor.unpack_count(), 1);
    let goals = [
        Goal::Frame,
        Goal::Entry,
        Goal::Event,
        Goal::Mark,
        Goal::Error,
    ];
    for n in 1..40 {
        let at = u32::try_from(n * 7_919 % u64::from(last)).unwrap();
        let mut scans = vec![
            cursor.until(at),
            cursor.to_frame(n * 7_919 % frames).unwrap(),
            cursor.from_end(Goal::Entry),
        ];
        for is_back in [false, true] {
            let here = |goal: &Goal| cursor.from_here(goal.clone(), is_back);
            scans.extend(goals.iter().map(here));
        }
        for scan in &mut scans {
            let before = cursor.unpack_count();
            cursor.finish(scan);
            let unpacked = cursor.unpack_count() - before;
            assert!(unpacked <= 2, "{unpacked}: {scan:?}");
        }
    }
}

#[test]
fn search_for_a_text_continues_where_it_paused() {
    let mut cursor = open(LARGE.clone());
    let mut scan = cursor.from_here(Goal::text("tela 9999"), false);
    let mut parts = 0;
    while cursor.advance(&mut scan, 4) == Progress::Unfinished {
        assert_eq!(cursor.frame(), 1, "the cursor waits");
        parts += 1;
    }
    assert!(parts > 15, "{parts}");
    assert_eq!(cursor.frame(), 10_000);
}
