//! Checks the paths in the source of each module. The module's row in the import table must allow
//! them.

use std::collections::BTreeSet;

use super::paths::{FilePaths, PathResolver, SourcePath};
use super::source::File;
use super::table::{COMMON_CRATES, Crates, EXCEPTIONS, ModuleUse, Modules, Row, find_row};

/// Returns a message for each entry of [`EXCEPTIONS`] that is not needed any more.
pub fn find_stale_exceptions(paths_by_file: &[(&File, FilePaths)]) -> Vec<String> {
    let uses = |file: &str, forbidden: &str| {
        let files = paths_by_file.iter().filter(|(it, _)| it.path == file);
        files
            .flat_map(|(_, it)| &it.paths)
            .any(|path| path.segments.join("::") == forbidden)
    };
    let stale = EXCEPTIONS
        .iter()
        .filter(|(file, forbidden, _)| !uses(file, forbidden));
    stale
        .map(|(file, forbidden, _)| format!("{file}: `{forbidden}` is excepted and not used"))
        .collect()
}

/// Returns a message for each path in the source that the import table does not allow.
pub fn find_violations(
    paths_by_file: &[(&File, FilePaths)],
    resolver: &PathResolver<'_>,
) -> Vec<String> {
    let mut violations = BTreeSet::new();
    for (file, file_paths) in paths_by_file {
        let module = file
            .module()
            .first()
            .cloned()
            .unwrap_or_else(|| "lib".to_owned());
        let Some(row) = find_row(&module) else {
            violations.insert(format!(
                "{}: the module `{module}` is not in the import table",
                file.path
            ));
            continue;
        };
        for (line, construct) in &file_paths.opaque_lines {
            violations.insert(format!(
                "{}:{line}: {construct} hides paths from this test",
                file.path
            ));
        }
        if module == "view" {
            for line in &file_paths.mut_model_lines {
                violations.insert(format!("{}:{line}: `view` only reads the Model", file.path));
            }
        }
        for path in &file_paths.paths {
            let in_test = path.in_test || resolver.is_test(&path.module);
            for target in resolver.resolve(path) {
                if let Some(reason) = refusal(row, &target, path, in_test, resolver) {
                    let target_path = target.join("::");
                    if is_excepted(&file.path, &target_path) {
                        continue;
                    }
                    violations.insert(format!(
                        "{}:{}: `{module}` may not use `{target_path}`: {reason}",
                        file.path, path.line
                    ));
                }
            }
        }
    }
    violations.into_iter().collect()
}

fn is_excepted(file: &str, path: &str) -> bool {
    let path: Vec<String> = path.split("::").map(str::to_owned).collect();
    EXCEPTIONS
        .iter()
        .any(|(excepted, forbidden, _)| *excepted == file && starts_with(&path, forbidden))
}

/// Returns the reason why the module of this row may not use a path, or `None` if it may use the
/// path.
fn refusal(
    row: &Row,
    target: &[String],
    path: &SourcePath,
    in_test: bool,
    resolver: &PathResolver<'_>,
) -> Option<&'static str> {
    if target[0] == "crate" {
        return module_refusal(row, &target[1..], path, in_test, resolver);
    }
    if in_test {
        return None;
    }
    if row
        .forbidden
        .iter()
        .copied()
        .flatten()
        .any(|forbidden| is_inside(target, forbidden))
    {
        return Some("its row says never");
    }
    let is_language = ["std", "f32", "f64"].contains(&target[0].as_str());
    match &row.crates {
        _ if is_language => None,
        Crates::Every => None,
        Crates::Listed(listed) => {
            let mut allowed = listed.iter().chain(COMMON_CRATES);
            (!allowed.any(|allowed| starts_with(target, allowed)))
                .then_some("this crate, or this part of it, is not in its row")
        }
    }
}

fn module_refusal(
    row: &Row,
    target: &[String],
    path: &SourcePath,
    in_test: bool,
    resolver: &PathResolver<'_>,
) -> Option<&'static str> {
    let other = target.first()?;
    if other == row.module {
        return None;
    }
    let Modules::Listed(modules) = &row.modules else {
        return None;
    };
    if other == "*" {
        return Some("a glob over the whole crate brings every module");
    }
    let is_module = resolver.is_module(&target[..1]);
    if !is_module {
        // Report only top-level modules, and only in a `use` declaration. After `use super::*`, any
        // other unknown name is resolved as if it were in the crate root.
        return (find_row(other).is_some() && path.is_use)
            .then_some("this module is not in its row");
    }
    let entry = modules.iter().find_map(|entry| match entry {
        ModuleUse::All(module) => (module == other).then_some((&[][..], true)),
        ModuleUse::Only(module, items) => (module == other).then_some((*items, false)),
        ModuleUse::AllBut(module, items) => (module == other).then_some((*items, true)),
    });
    let Some((items, is_exclusion)) = entry else {
        return Some("this module is not in its row");
    };
    let is_listed = target[1..]
        .iter()
        .any(|word| items.contains(&word.as_str()));
    // If only some items of a module are allowed, the whole module must not be imported.
    let is_whole_module =
        resolver.is_module(target) || target.last().is_some_and(|last| last == "*");
    match (is_exclusion, items.is_empty()) {
        (true, true) => None,
        // Tests may use all items of a module, even if other code may use only some of them.
        _ if in_test => None,
        _ if is_whole_module => Some("only items of this module are open to it, named one by one"),
        (true, false) => is_listed.then_some("this item of the module is closed to it"),
        (false, _) => (!is_listed).then_some("only the items in its row are open to it"),
    }
}

/// Returns true if a path is the path `forbidden` or is inside it. A glob that contains `forbidden`
/// counts, too. For example, `std::*` contains `std::fs`.
fn is_inside(target: &[String], forbidden: &str) -> bool {
    if starts_with(target, forbidden) {
        return true;
    }
    let Some((last, base)) = target.split_last() else {
        return false;
    };
    last == "*"
        && !base.is_empty()
        && format!("{forbidden}::").starts_with(&(base.join("::") + "::"))
}

fn starts_with(path: &[String], prefix: &str) -> bool {
    let prefix: Vec<&str> = prefix.split("::").collect();
    path.len() >= prefix.len()
        && path
            .iter()
            .zip(&prefix)
            .all(|(segment, expected)| segment == expected)
}
