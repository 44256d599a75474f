//! The words: the same messages in both languages, with the same values in them, none unused.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use balcao::app::action::{Action, Place};
use balcao::view::Lang;

/// Every message (and `message.attribute`), with the names of the values in it.
fn messages(lang: Lang) -> BTreeMap<String, BTreeSet<String>> {
    let mut messages: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (_, source) in lang.files() {
        let (mut message, mut current) = (String::new(), String::new());
        for line in source.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, _)) = line.split_once(" =").filter(|_| !line.starts_with(' ')) {
                message = name.to_owned();
                current = message.clone();
                if line.trim_end().ends_with('=') {
                    // Only attributes follow, or lines of the message itself; both are met below.
                }
                messages.entry(current.clone()).or_default();
            } else if let Some((name, _)) =
                line.trim_start().strip_prefix('.').and_then(|rest| rest.split_once(" ="))
            {
                current = format!("{message}.{name}");
                messages.entry(current.clone()).or_default();
            }
            for value in line.split('$').skip(1) {
                let end = value.find(|c: char| !(c.is_alphanumeric() || c == '-' || c == '_'));
                let name = &value[..end.unwrap_or(value.len())];
                messages.entry(current.clone()).or_default().insert(name.to_owned());
            }
        }
    }
    messages
}

#[test]
fn both_languages_have_the_same_messages_with_the_same_values() {
    let (pt, en) = (messages(Lang::Pt), messages(Lang::En));
    let names = |of: &BTreeMap<String, _>| of.keys().cloned().collect::<BTreeSet<_>>();
    let odd: Vec<_> = names(&pt).symmetric_difference(&names(&en)).cloned().collect();
    assert!(odd.is_empty(), "in one language only: {odd:?}");
    for (name, values) in &pt {
        assert_eq!(values, &en[name], "values of `{name}`");
    }
}

#[test]
fn no_message_is_missing_and_none_is_unused() {
    let known = messages(Lang::Pt);
    let used = used();
    let missing: Vec<_> = used.iter().filter(|id| !known.contains_key(*id)).collect();
    assert!(missing.is_empty(), "used, but not in the words: {missing:?}");
    let literals = literals();
    let unused: Vec<_> =
        known.keys().filter(|id| !used.contains(*id) && !literals.contains(*id)).collect();
    assert!(unused.is_empty(), "in the words, but never used: {unused:?}");
}

/// The messages whose names are put together, each from the list it is put together from.
fn used() -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    for action in Action::ALL {
        used.insert(format!("action-{}", action.name()));
        used.insert(format!("action-{}.help", action.name()));
    }
    for (action, special) in [
        ("open", "pick"),
        ("open", "pay"),
        ("refresh", "send"),
        ("copy", "key"),
        ("copy", "code"),
        ("back", "leave"),
        ("back", "cancel"),
    ] {
        used.insert(format!("action-{action}.{special}"));
    }
    used.extend(Place::ALL.map(|place| format!("place-{}", place.name())));
    used
}

/// Every string in the source of the app and the view that could be the name of a message.
fn literals() -> BTreeSet<String> {
    let mut literals = BTreeSet::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for room in ["view", "app", "contract", "demo"] {
        read(&src.join(room), &mut literals);
    }
    literals
}

fn read(folder: &Path, literals: &mut BTreeSet<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            read(&path, literals);
        } else {
            let source = std::fs::read_to_string(path).unwrap();
            literals.extend(source.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
}
