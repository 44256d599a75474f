//! Checks the paths in the source of each module. The module's row in the import table must allow
//! them.

use std::collections::BTreeSet;

use super::paths::{Named, Names, PathResolver};
use super::source::File;
use super::table::{Crates, EVERYWHERE, EXCEPTIONS, Modules, Other, Row, row};

/// Returns a message for each entry of [`EXCEPTIONS`] that is not needed any more.
pub fn stale_exceptions(all: &[(&File, Names)]) -> Vec<String> {
    let uses = |file: &str, used: &str| {
        let files = all.iter().filter(|(it, _)| it.path == file);
        files.flat_map(|(_, it)| &it.paths).any(|named| named.words.join("::") == used)
    };
    let stale = EXCEPTIONS.iter().filter(|(file, used, _)| !uses(file, used));
    stale.map(|(file, used, _)| format!("{file}: `{used}` is excepted and not used")).collect()
}

/// Returns a message for each path in the source that the import table does not allow.
pub fn complaints(all: &[(&File, Names)], atlas: &PathResolver<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    for (file, names) in all {
        let module = file.module().first().cloned().unwrap_or_else(|| "lib".to_owned());
        let Some(row) = row(&module) else {
            found
                .insert(format!("{}: the module `{module}` is not in the import table", file.path));
            continue;
        };
        for (line, what) in &names.opaque {
            found.insert(format!("{}:{line}: {what} hides paths from this test", file.path));
        }
        if module == "view" {
            for line in &names.model_borrows {
                found.insert(format!("{}:{line}: `view` only reads the Model", file.path));
            }
        }
        for named in &names.paths {
            let in_test = named.in_test || atlas.is_test(&named.module);
            for meaning in atlas.meanings(named) {
                if let Some(why) = refusal(row, &meaning, named, in_test, atlas) {
                    let path = meaning.join("::");
                    if excepted(&file.path, &path) {
                        continue;
                    }
                    found.insert(format!(
                        "{}:{}: `{module}` may not use `{path}`: {why}",
                        file.path, named.line
                    ));
                }
            }
        }
    }
    found.into_iter().collect()
}

fn excepted(file: &str, path: &str) -> bool {
    let path: Vec<String> = path.split("::").map(str::to_owned).collect();
    EXCEPTIONS.iter().any(|(excepted, used, _)| *excepted == file && begins(&path, used))
}

/// Returns the reason why the module of this row may not use a path, or `None` if it may use the
/// path.
fn refusal(
    row: &Row,
    meaning: &[String],
    named: &Named,
    in_test: bool,
    atlas: &PathResolver<'_>,
) -> Option<&'static str> {
    if meaning[0] == "crate" {
        return module_refusal(row, &meaning[1..], named, in_test, atlas);
    }
    if in_test {
        return None;
    }
    if row.never.iter().copied().flatten().any(|never| touches(meaning, never)) {
        return Some("its row says never");
    }
    let is_language = ["std", "f32", "f64"].contains(&meaning[0].as_str());
    match &row.crates {
        _ if is_language => None,
        Crates::Every => None,
        Crates::These(these) => {
            let mut allowed = these.iter().chain(EVERYWHERE);
            (!allowed.any(|allowed| begins(meaning, allowed)))
                .then_some("this crate, or this part of it, is not in its row")
        }
    }
}

fn module_refusal(
    row: &Row,
    inside: &[String],
    named: &Named,
    in_test: bool,
    atlas: &PathResolver<'_>,
) -> Option<&'static str> {
    let other = inside.first()?;
    if other == row.module {
        return None;
    }
    let Modules::These(modules) = &row.modules else { return None };
    if other == "*" {
        return Some("a glob over the whole crate brings every module");
    }
    let is_module = atlas.is_module(&inside[..1]);
    if !is_module {
        // Report only top-level modules in a `use` declaration. After `use super::*` in a top-level
        // file, any unknown name could be in the crate root.
        return (super::table::row(other).is_some() && named.is_use)
            .then_some("this module is not in its row");
    }
    let entry = modules.iter().find_map(|entry| match entry {
        Other::All(module) => (module == other).then_some((&[][..], true)),
        Other::Only(module, items) => (module == other).then_some((*items, false)),
        Other::AllBut(module, items) => (module == other).then_some((*items, true)),
    });
    let Some((items, but)) = entry else { return Some("this module is not in its row") };
    let has = inside[1..].iter().any(|word| items.contains(&word.as_str()));
    // If only some items of a module are allowed, the whole module must not be imported.
    let whole = atlas.is_module(inside) || inside.last().is_some_and(|last| last == "*");
    match (but, items.is_empty()) {
        (true, true) => None,
        // Tests may use all items of a module, even if other code may use only some of them.
        _ if in_test => None,
        _ if whole => Some("only items of this module are open to it, named one by one"),
        (true, false) => has.then_some("this item of the module is closed to it"),
        (false, _) => (!has).then_some("only the items in its row are open to it"),
    }
}

/// Returns true if a path is the forbidden path `never` or is inside it. A glob that contains
/// `never` counts, too.
fn touches(meaning: &[String], never: &str) -> bool {
    if begins(meaning, never) {
        return true;
    }
    let Some((last, base)) = meaning.split_last() else { return false };
    last == "*" && !base.is_empty() && format!("{never}::").starts_with(&(base.join("::") + "::"))
}

fn begins(meaning: &[String], with: &str) -> bool {
    let with: Vec<&str> = with.split("::").collect();
    meaning.len() >= with.len() && meaning.iter().zip(&with).all(|(word, with)| word == with)
}
