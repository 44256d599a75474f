//! The rules of the shared history, each in a test of its own.

use super::*;

fn pair() -> (MemoryRecords, [Machine; 2]) {
    let machines = ["Ana", "Bia"].map(Machine::of);
    (MemoryRecords::default(), machines)
}

/// Two machines that both have the same created link.
fn with_link() -> (MemoryRecords, [Machine; 2], PaymentLink) {
    let (mut log, mut machines) = pair();
    let link = machines[0].new_link("Boné azul", 1_000);
    sync_all(&mut machines, &mut log);
    (log, machines, link)
}

fn operator(author: Option<&Author>) -> Option<&'static str> {
    let author = author?;
    let names = ["Ana", "Bia", "Rita"];
    names
        .into_iter()
        .find(|name| author.operator == (*name).into())
}

#[test]
fn history_without_a_team_is_unchanged() {
    let (_dir, mut history) = new_history();
    assert_eq!(history.is_shared(), Ok(false));
    assert!(history.pending_records(9, 9).is_err());
    assert!(history.apply_records(&[]).is_ok());
    let select = "SELECT count(*) FROM sqlite_schema
         WHERE type IN ('trigger', 'view') OR name LIKE 'shared%'";
    let count = |history: &History| -> i64 {
        let count = history.connection.query_row(select, [], |row| row.get(0));
        count.unwrap()
    };
    assert_eq!(count(&history), 0);
    let id = history.begin(&link("Boné", 500), Wall(1_000)).unwrap();
    assert_eq!(id, RowId(1), "SQLite chooses the ids");
    let stored = history.all::<LinkRequest>().next().unwrap().unwrap();
    assert_eq!(stored.authors, SaleAuthors::default());
    history.share(&author("Ana")).unwrap();
    assert_eq!(history.is_shared(), Ok(true));
    assert!(count(&history) > 10);
}

#[test]
fn shared_history_is_opened_checked_and_rewritten() {
    let dir = tempfile::tempdir().unwrap();
    let mut history = open(dir.path());
    history.share(&author("Ana")).unwrap();
    history.begin(&link("Boné", 500), Wall(1_000)).unwrap();
    drop(history);
    let contents = crate::journal::history::examine(dir.path(), Wall(0)).unwrap();
    let DatabaseContents { schema, .. } = contents.unwrap();
    assert_eq!(schema, crate::journal::history::SCHEMA);
    let mut history = open(dir.path());
    assert_eq!(history.is_shared(), Ok(true));
    assert_eq!(history.overwrite_deleted(), Ok(true));
    assert_eq!(history.pending_records(9, 9_999).unwrap().len(), 1);
    let (mut other, _) = History::open(dir.path(), Wall(0)).unwrap();
    // Another window pushes the same record.
    let records = other.pending_records(9, 9_999).unwrap();
    assert_eq!(history.pending_records(9, 9_999).unwrap(), records);
    other.appended(&records).unwrap();
    history.appended(&records).unwrap();
    assert_eq!(history.last_record(), Ok(1));
}

#[test]
fn existing_rows_are_shared_once() {
    let mut log = MemoryRecords::default();
    let dir = tempfile::tempdir().unwrap();
    let mut history = open(dir.path());
    let id = history.begin_with_note(&link("Boné", 500), Some("x".into()), Wall(1_000));
    let settled = history.settle::<LinkRequest>(id.unwrap(), &created("a"));
    mark(&mut history, &settled.unwrap(), Some(Wall(2_000))).unwrap();
    history.begin(&charge(None), Wall(3_000)).unwrap();
    begin_batch(&mut history, 2, 4_000);
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let name = Nickname::parse("Mãe");
    let set = history.set_nickname(&account("ana"), &key, name.as_ref(), Wall(5));
    set.unwrap();
    history.share(&author("Ana")).unwrap();
    history.share(&author("Ana")).unwrap();
    let mut ana = Machine { _dir: dir, history };
    assert_eq!(ana.pending_count(), 8);
    let mut bia = Machine::of("Bia");
    ana.sync(&mut log);
    ana.history.share(&author("Ana")).unwrap();
    assert_eq!(ana.pending_count(), 0);
    assert_eq!(bia.sync(&mut log).applied, 8);
    let [of_ana, of_bia] = [&ana, &bia].map(|machine| machine.links().remove(0));
    assert_eq!(of_ana.id, RowId(1), "existing rows keep their ids");
    let expected = PaymentLink {
        id: of_bia.id,
        ..of_ana
    };
    assert_eq!(of_bia, expected);
    assert_eq!(bia.history.all_nicknames().count(), 1);
}

#[test]
fn different_parts_of_a_link_are_both_kept() {
    let (mut log, mut machines, link) = with_link();
    let [ana, bia] = &mut machines;
    mark(&mut ana.history, &link, Some(Wall(2_000))).unwrap();
    bia.history.set_note(&link, Some("retirada")).unwrap();
    sync_all(&mut machines, &mut log);
    for machine in &mut machines {
        let link = machine.links().remove(0);
        assert_eq!(link.paid.map(|paid| paid.at), Some(Wall(2_000)));
        assert_eq!(link.note.as_deref(), Some("retirada"));
        let SaleAuthors {
            created,
            paid,
            note,
        } = &link.authors;
        let who = [created, paid, note].map(|author| operator(author.as_ref()));
        assert_eq!(who, [Some("Ana"), Some("Ana"), Some("Bia")]);
        // The words of applied rows are searched.
        let history = &mut machine.history;
        assert_eq!(find_ids(history, "retirada").len(), 1);
        assert_eq!(find_ids(history, "bone azul").len(), 1);
    }
}

#[test]
fn later_record_of_the_same_part_wins() {
    let (mut log, mut machines, link) = with_link();
    let [ana, bia] = &mut machines;
    ana.history.set_note(&link, Some("da Ana")).unwrap();
    bia.history.set_note(&link, Some("da Bia")).unwrap();
    ana.sync(&mut log);
    bia.pull(&mut log);
    let note = |machine: &Machine| machine.links()[0].note.clone().unwrap();
    assert_eq!(note(bia), "da Bia", "its own record comes later");
    bia.sync(&mut log);
    ana.sync(&mut log);
    assert_eq!(note(ana), "da Bia");
    assert_eq!(operator(ana.links()[0].authors.note.as_ref()), Some("Bia"));
}

#[test]
fn creator_stays_after_another_settles_the_link() {
    let (mut log, mut machines) = pair();
    machines[0]
        .history
        .begin(&link("Boné", 500), Wall(1_000))
        .unwrap();
    sync_all(&mut machines, &mut log);
    let mut found = machines[1].links().remove(0);
    assert_eq!(found.outcome, LinkOutcome::Unknown);
    found.outcome = created("a");
    machines[1]
        .history
        .settle_after_lookup(&Sale::Link(found))
        .unwrap();
    sync_all(&mut machines, &mut log);
    for machine in &machines {
        let link = machine.links().remove(0);
        assert_eq!(link.outcome, created("a"));
        assert_eq!(operator(link.authors.created.as_ref()), Some("Ana"));
    }
}

#[test]
fn applied_records_are_not_pending() {
    let (_log, machines, _) = with_link();
    for machine in &machines {
        assert_eq!(machine.pending_count(), 0);
    }
}

#[test]
fn change_after_sending_stays_pending() {
    let (mut log, mut machines, link) = with_link();
    let [ana, _] = &mut machines;
    ana.history.set_note(&link, Some("um")).unwrap();
    let records = ana.history.pending_records(9, 9_999).unwrap();
    ana.history.set_note(&link, Some("dois")).unwrap();
    log.append_records(&records).unwrap();
    ana.history.appended(&records).unwrap();
    assert_eq!(ana.pending_count(), 1);
    sync_all(&mut machines, &mut log);
    assert_eq!(machines[1].links()[0].note.as_deref(), Some("dois"));
}

#[test]
fn lost_answer_appends_nothing_twice() {
    for (fault, count) in [(Fault::LostBefore, 2), (Fault::LostAfter, 2)] {
        let (mut log, mut machines, link) = with_link();
        machines[0].history.set_note(&link, Some("um")).unwrap();
        log.next_fault = Some(fault);
        sync_all(&mut machines, &mut log);
        assert_eq!(log.records.len(), count, "{fault:?}");
        assert_eq!(machines[1].links()[0].note.as_deref(), Some("um"));
    }
}

#[test]
fn late_confirmation_does_not_go_back() {
    let (mut log, mut machines, link) = with_link();
    let [ana, bia] = &mut machines;
    ana.history.set_note(&link, Some("um")).unwrap();
    let records = ana.history.pending_records(9, 9_999).unwrap();
    log.append_records(&records).unwrap();
    mark(&mut bia.history, &link, Some(Wall(5))).unwrap();
    bia.sync(&mut log);
    // Another window of the same machine has pulled in the meantime.
    ana.pull(&mut log);
    ana.history.appended(&records).unwrap();
    assert_eq!(ana.history.last_record(), Ok(3));
    assert_eq!(ana.pull(&mut log), Applied::default());
}

#[test]
fn pending_records_are_limited_in_rows_and_bytes() {
    let (_, mut machines) = pair();
    let [ana, _] = &mut machines;
    for n in 0..5 {
        ana.new_link("Boné", 1_000 + n);
    }
    let count = |ana: &mut Machine, rows, bytes| {
        let records = ana.history.pending_records(rows, bytes).unwrap();
        let numbers: Vec<_> = records.iter().map(|record| record.n).collect();
        assert!(numbers.iter().copied().eq(1..=records.len() as i64));
        records.len()
    };
    assert_eq!(count(ana, 3, 99_999), 3);
    assert_eq!(count(ana, 9, 99_999), 5);
    assert_eq!(count(ana, 9, 1), 1, "at least one");
    assert_eq!(count(ana, 9, 0), 1);
}

#[test]
fn lists_have_the_same_order_on_every_machine() {
    let (mut log, mut machines) = pair();
    // The clock of the second machine is an hour ahead.
    for n in 0..20 {
        machines[0].new_link(&format!("a{n}"), 10_000_000 + 7 * n);
        machines[1].new_link(&format!("b{n}"), 13_600_000 + 7 * n);
        machines[0].new_link(&format!("c{n}"), 13_600_003 + 7 * n);
    }
    sync_all(&mut machines, &mut log);
    let links = machines.each_ref().map(Machine::links);
    assert_eq!(links[0], links[1]);
    assert!(links[0].is_sorted_by_key(|link| std::cmp::Reverse(link.at)));
    let page = |machine: &mut Machine, place| {
        let page = machine.history.sales::<LinkRequest>("", place, 9).unwrap();
        page.rows.to_vec()
    };
    for place in [PagePosition::Top, PagePosition::End] {
        let [ana, bia] = &mut machines;
        assert_eq!(page(ana, place), page(bia, place));
    }
    let near = PagePosition::Near {
        id: links[0][30].id,
        position: 30,
        first: 25,
    };
    assert_eq!(page(&mut machines[1], near), links[0][25..34]);
}

#[test]
fn batch_of_another_machine_is_only_seen() {
    let (mut log, mut machines) = pair();
    let batch = begin_batch(&mut machines[0].history, 3, 1_000);
    let line = machines[0]
        .history
        .take_line(batch.id, Wall(1_001))
        .unwrap();
    let line = line.unwrap();
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    let bia = &mut bia.history;
    let seen = bia.newest_batch_of(&account("ana")).unwrap().unwrap();
    assert!(seen.is_foreign);
    assert_eq!(operator(seen.author.as_ref()), Some("Ana"));
    assert_eq!(seen.source, batch.source);
    let states = |history: &History| {
        let lines = history.batch_lines(seen.id, 0, 9).unwrap();
        let states: Vec<_> = lines.iter().map(|line| line.state).collect();
        states
    };
    let expected = [LineState::Sending, LineState::Waiting, LineState::Waiting];
    assert_eq!(states(bia), expected);
    assert_eq!(bia.newest_batch(&account("ana"), FILE), Ok(None));
    assert_eq!(bia.take_line(seen.id, Wall(2_000)), Ok(None));
    assert_eq!(bia.end_lost_lines(seen.id), Ok(0));
    assert_eq!(bia.end_batch(seen.id, "fim"), Ok(0));
    assert_eq!(states(bia), expected);
    let ended = LineResult::Ended(LinkOutcome::Unknown);
    let history = &mut ana.history;
    history.settle_line(batch.id, &line, &ended, "").unwrap();
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    assert_eq!(states(&bia.history)[0], LineState::Unknown);
    assert_eq!(bia.history.send_line_again(seen.id, 1), Ok(false));
    let own = ana.history.newest_batch(&account("ana"), FILE).unwrap();
    assert!(!own.unwrap().is_foreign);
    assert_eq!(ana.history.send_line_again(batch.id, 1), Ok(true));
}

#[test]
fn line_has_the_link_of_the_same_machine() {
    let (mut log, mut machines) = pair();
    // The ids of the rows differ between the machines.
    machines[1].new_link("outro", 500);
    let [ana, _] = &mut machines;
    let batch = begin_batch(&mut ana.history, 2, 1_000);
    ana.push(&mut log);
    let line = ana
        .history
        .take_line(batch.id, Wall(1_001))
        .unwrap()
        .unwrap();
    let made = LineResult::Ended(created("feito"));
    ana.history.settle_line(batch.id, &line, &made, "").unwrap();
    sync_all(&mut machines, &mut log);
    let history = &machines[1].history;
    let seen = history.newest_batch_of(&account("ana")).unwrap().unwrap();
    let line = history.batch_lines(seen.id, 0, 1).unwrap().remove(0);
    assert_eq!(line.state, LineState::Made);
    let url = created("feito").created().unwrap().url.clone();
    assert_eq!(line.url, Some(url));
}

#[test]
fn purge_reaches_every_machine() {
    let (mut log, mut machines, old) = with_link();
    let [ana, bia] = &mut machines;
    mark_from_statement(&mut ana.history, 1, &Sale::Link(old.clone()), 1_500);
    begin_batch(&mut ana.history, 2, 1_600);
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let name = Nickname::parse("Mãe");
    let set = bia
        .history
        .set_nickname(&account("ana"), &key, name.as_ref(), Wall(1_700));
    set.unwrap();
    ana.new_link("novo", 9_000);
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    // This change of a purged link is dropped.
    bia.history.set_note(&old, Some("x")).unwrap();
    assert_eq!(ana.history.prune(Wall(5_000)), Ok(3));
    sync_all(&mut machines, &mut log);
    for machine in &machines {
        assert_eq!(machine.links().len(), 1);
        assert_eq!(machine.pending_count(), 0);
        for table in ["batch", "batch_line", "nickname", "statement_line"] {
            assert_eq!(machine.count(table), 0, "{table}");
        }
        assert_eq!(machine.count("link_words"), 1);
        assert_eq!(machine.count("shared_row WHERE kind = 'nickname'"), 0);
        assert_eq!(machine.count("shared_author"), 1, "of the new link");
    }
    let deleted = log.records.iter().filter(|record| record.part == "deleted");
    let mut kinds: Vec<_> = deleted.map(|record| &*record.kind).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["batch", "link", "nickname", "statement_line"]);
}

/// After a purge, the log no longer contains the states of the deleted rows.
#[test]
fn new_machine_follows_a_purged_log() {
    let (mut log, mut machines, _) = with_link();
    machines[0].new_link("novo", 9_000);
    sync_all(&mut machines, &mut log);
    machines[0].history.prune(Wall(5_000)).unwrap();
    sync_all(&mut machines, &mut log);
    let deleted = log.records.iter().find(|record| record.part == "deleted");
    let row = deleted.unwrap().row;
    for record in log.records.iter_mut().filter(|record| record.row == row) {
        record.state = None;
    }
    let mut late = Machine::of("Caio");
    assert_eq!(late.pull(&mut log).skipped, 0);
    assert_eq!(late.links(), machines[0].links());
}

#[test]
fn deleted_link_does_not_come_back() {
    let (mut log, mut machines) = pair();
    machines[0]
        .history
        .begin(&link("Boné", 500), Wall(1_000))
        .unwrap();
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    let removed = ana.links().remove(0);
    ana.history.set_note(&removed, Some("x")).unwrap();
    ana.history.remove_sale(&Sale::Link(removed)).unwrap();
    assert_eq!(ana.pending_count(), 1, "only the deletion");
    bia.history.set_note(&bia.links()[0], Some("y")).unwrap();
    bia.sync(&mut log);
    let id = bia.links()[0].id;
    bia.history
        .settle::<LinkRequest>(id, &created("a"))
        .unwrap();
    assert_eq!(ana.sync(&mut log), Applied::default());
    assert_eq!(bia.sync(&mut log).skipped, 0);
    assert_eq!(ana.sync(&mut log), Applied::default());
    assert!(ana.links().is_empty() && bia.links().is_empty());
    assert_eq!(bia.pending_count(), 0);
}

#[test]
fn nickname_set_on_two_machines_is_one_row() {
    let (mut log, mut machines) = pair();
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let names = ["Mãe", "Dona Rosa"].map(|name| Nickname::parse(name).unwrap());
    let set = |machine: &mut Machine, name: Option<&Nickname>| {
        let set = machine
            .history
            .set_nickname(&account("ana"), &key, name, Wall(5));
        set.unwrap();
    };
    let [ana, bia] = &mut machines;
    set(ana, Some(&names[0]));
    set(bia, Some(&names[1]));
    ana.sync(&mut log);
    bia.sync(&mut log);
    ana.sync(&mut log);
    let stored = |machine: &Machine| machine.history.nickname(&account("ana"), &key).unwrap();
    assert_eq!(stored(ana), Some(names[1].clone()));
    set(ana, None);
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    assert_eq!([stored(ana), stored(bia)], [None, None]);
    for name in [Some(&names[0]), None, Some(&names[0])] {
        set(bia, name);
    }
    sync_all(&mut machines, &mut log);
    assert_eq!(stored(&machines[0]), Some(names[0].clone()));
}

#[test]
fn line_of_a_statement_is_used_on_every_machine() {
    let (mut log, mut machines, link) = with_link();
    let line = EntryId([1; 16]);
    let sale = Sale::Link(link.clone());
    mark_from_statement(&mut machines[0].history, 1, &sale, 2_000);
    sync_all(&mut machines, &mut log);
    let used = |machine: &Machine| machine.history.used_lines(&[line]).unwrap().len();
    assert_eq!(machines.each_ref().map(used), [1, 1]);
    let marked = machines[1].links().remove(0);
    assert_eq!(
        marked.paid.map(|paid| paid.source),
        Some(PaidSource::Statement(20_001))
    );
    let undone = machines[1].history.undo_statement().unwrap().unwrap();
    assert_eq!((undone.removed, undone.kept), (1, 0));
    sync_all(&mut machines, &mut log);
    assert_eq!(machines.each_ref().map(used), [0, 0]);
    assert_eq!(machines[0].links()[0].paid, None);
}

/// A machine marks from a statement while another one removes a mark of the same link.
#[test]
fn line_of_a_removed_mark_is_free() {
    let (mut log, mut machines, link) = with_link();
    let [ana, bia] = &mut machines;
    mark_from_statement(&mut ana.history, 1, &Sale::Link(link.clone()), 2_000);
    mark(&mut bia.history, &link, Some(Wall(3_000))).unwrap();
    mark(&mut bia.history, &link, None).unwrap();
    ana.sync(&mut log);
    bia.sync(&mut log);
    ana.sync(&mut log);
    let unmarked = ana.links().remove(0);
    assert_eq!(unmarked.paid, None);
    let used = ana.history.used_lines(&[EntryId([1; 16])]).unwrap();
    assert!(used.is_empty());
    let again = mark_from_statement(&mut ana.history, 1, &Sale::Link(unmarked), 4_000);
    assert_eq!(again, 1);
}

#[test]
fn changes_are_by_the_person_who_made_them() {
    let (mut log, mut machines, link) = with_link();
    machines[0].history.set_note(&link, Some("x")).unwrap();
    machines[0].history.share(&author("Rita")).unwrap();
    let marked = mark(&mut machines[0].history, &link, Some(Wall(5))).unwrap();
    let Sale::Link(marked) = marked else {
        panic!("{marked:?}");
    };
    assert_eq!(operator(marked.authors.paid.as_ref()), Some("Rita"));
    sync_all(&mut machines, &mut log);
    let seen = machines[1].links().remove(0).authors;
    let who = [&seen.created, &seen.paid, &seen.note].map(|who| operator(who.as_ref()));
    assert_eq!(who, [Some("Ana"), Some("Rita"), Some("Ana")]);
}

/// A state that is too long for the log is kept on this machine, and does not stop the others.
#[test]
fn state_too_long_for_the_log_is_not_shared() {
    let (mut log, mut machines) = pair();
    machines[0].new_link(&"x".repeat(70_000), 1_000);
    machines[0].new_link("Boné", 2_000);
    sync_all(&mut machines, &mut log);
    assert_eq!(machines[0].pending_count(), 0);
    assert_eq!(machines[0].links().len(), 2);
    assert_eq!(machines[1].links().len(), 1);
}

/// The line of a statement marks another link here, and that link is purged elsewhere.
#[test]
fn line_of_a_purged_link_is_free_everywhere() {
    let (mut log, mut machines, old) = with_link();
    let new = machines[0].new_link("novo", 9_000);
    mark_from_statement(&mut machines[0].history, 1, &Sale::Link(new), 9_500);
    sync_all(&mut machines, &mut log);
    let [ana, bia] = &mut machines;
    bia.history.undo_statement().unwrap().unwrap();
    mark_from_statement(&mut bia.history, 1, &Sale::Link(old), 9_600);
    ana.history.prune(Wall(5_000)).unwrap();
    ana.sync(&mut log);
    sync_all(&mut machines, &mut log);
    for machine in &machines {
        assert_eq!(machine.count("statement_line"), 0);
        assert_eq!(machine.links()[0].paid, None);
    }
}
