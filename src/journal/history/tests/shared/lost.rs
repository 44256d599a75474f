//! Mirrors whose log lost records, and mirrors that were restored from a copy.

use super::*;

/// The log has lost its last records.
fn lose(log: &mut MemoryRecords, count: usize) {
    log.records.truncate(log.records.len() - count);
}

/// Two machines that both have a link. The log then loses a note that Ana's machine wrote.
fn with_lost_note() -> (MemoryRecords, [Machine; 2]) {
    let mut log = MemoryRecords::default();
    let mut machines = ["Ana", "Bia"].map(Machine::of);
    machines[0].new_link("Bolo", 1);
    sync_all(&mut machines, &mut log);
    let link = machines[0].links().remove(0);
    machines[0].history.set_note(&link, Some("lilás")).unwrap();
    machines[0].sync(&mut log);
    lose(&mut log, 1);
    (log, machines)
}

fn note(machine: &Machine) -> Option<String> {
    machine.links().remove(0).note
}

#[test]
fn lost_note_is_put_back() {
    let (mut log, mut machines) = with_lost_note();
    let count = log.records.len();
    sync_all(&mut machines, &mut log);
    assert_eq!(note(&machines[0]).as_deref(), Some("lilás"));
    assert_eq!(note(&machines[1]).as_deref(), Some("lilás"));
    assert_eq!(log.records.len(), count + 1, "only the lost part is sent");
}

#[test]
fn newer_note_wins_over_a_lost_one() {
    let (mut log, mut machines) = with_lost_note();
    let link = machines[1].links().remove(0);
    machines[1].history.set_note(&link, Some("azul")).unwrap();
    machines[1].sync(&mut log);
    let count = log.records.len();
    sync_all(&mut machines, &mut log);
    assert_eq!(note(&machines[0]).as_deref(), Some("azul"));
    assert_eq!(note(&machines[1]).as_deref(), Some("azul"));
    assert_eq!(log.records.len(), count, "nothing is sent");
}

/// The lost link is put back before the note, which needs it.
#[test]
fn lost_row_comes_before_newer_changes() {
    let mut log = MemoryRecords::default();
    let mut machines = ["Ana", "Bia"].map(Machine::of);
    let link = machines[0].new_link("Bolo", 1);
    machines[0].sync(&mut log);
    log.records.clear();
    machines[0].history.set_note(&link, Some("lilás")).unwrap();
    sync_all(&mut machines, &mut log);
    assert_eq!(note(&machines[1]).as_deref(), Some("lilás"));
}

#[test]
fn lost_deletion_of_a_nickname_is_put_back() {
    let mut log = MemoryRecords::default();
    let mut machines = ["Ana", "Bia"].map(Machine::of);
    let key = PixKey::parse(PixKeyKind::Cpf, "11144477735").unwrap();
    let name = Nickname::parse("Fornecedor");
    let account = account("ana");
    let set = |machine: &mut Machine, name: Option<&Nickname>| {
        let history = &mut machine.history;
        history.set_nickname(&account, &key, name, Wall(1)).unwrap();
    };
    set(&mut machines[0], name.as_ref());
    sync_all(&mut machines, &mut log);
    set(&mut machines[0], None);
    machines[0].sync(&mut log);
    lose(&mut log, 1);
    sync_all(&mut machines, &mut log);
    let counts = machines.each_ref().map(|machine| machine.count("nickname"));
    assert_eq!(counts, [0, 0]);
}

/// The lines that were sent after the copy was made are not sent again.
#[test]
fn restored_history_learns_which_lines_were_sent() {
    let mut log = MemoryRecords::default();
    let mut ana = Machine::of("Ana");
    let batch = begin_batch(&mut ana.history, 3, 5);
    ana.sync(&mut log);
    let copy = tempfile::tempdir().unwrap();
    let file = copy.path().join("history.db");
    let vacuum = format!("VACUUM INTO '{}'", file.display());
    ana.history.connection.execute_batch(&vacuum).unwrap();
    let line = ana.history.take_line(batch.id, Wall(6)).unwrap().unwrap();
    let made = LineResult::Ended(created("1"));
    let settled = ana.history.settle_line(batch.id, &line, &made, "");
    settled.unwrap();
    ana.sync(&mut log);

    let mut restored = Machine {
        history: History::open_temporary(copy.path()).unwrap(),
        _dir: copy,
    };
    restored.sync(&mut log);
    let next = restored.history.take_line(batch.id, Wall(7)).unwrap();
    assert_eq!(next.map(|line| line.number), Some(2));
    assert_eq!(restored.links().len(), 2);
}
