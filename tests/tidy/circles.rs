//! Which file uses which, and the circles among them: of files that use each other in a loop none
//! can be read, moved or tested without the rest.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{Atlas, Named, Names, names_of};
use super::source::{File, House};

/// Which files a file uses, by the path of each, and one name that it takes there.
pub type Uses = BTreeMap<String, BTreeMap<String, String>>;

/// Files of one room that use each other.
pub fn complaints(house: &House) -> Vec<String> {
    let uses = uses(house);
    circles(&uses).iter().map(|circle| told(circle, &uses)).collect()
}

/// What each file outside tests takes from which other: items, where they are defined.
///
/// A `pub use` hands a name on, and uses nothing; a method is where its type is. A file in a folder
/// is a part of the file that the folder is named after, and may use what it is a part of.
pub fn uses(house: &House) -> Uses {
    let all: Vec<(&File, Names)> = house.files.iter().map(|file| (file, names_of(file))).collect();
    let atlas = Atlas::of(house, &all);
    let defined = definitions(house);
    let mut uses = Uses::new();
    for (file, names) in &all {
        let used = uses.entry(file.path.clone()).or_default();
        let own = |named: &&Named| !named.handed_on && !named.in_test;
        for named in names.paths.iter().filter(own).filter(|it| !atlas.is_test(&it.module)) {
            for meaning in atlas.meanings(named).iter().filter(|it| it[0] == "crate") {
                let inside = &meaning[1..];
                let item = (1..=inside.len()).find_map(|end| defined.get(&inside[..end]));
                if let Some(other) = item.filter(|other| !is_part(&file.path, other)) {
                    used.entry(other.clone()).or_insert_with(|| meaning.join("::"));
                }
            }
        }
    }
    uses
}

/// Whether a file is the other one, or in its folder.
fn is_part(file: &str, of: &str) -> bool {
    file == of || file.starts_with(&format!("{}/", of.trim_end_matches(".rs")))
}

/// The items of the house, each with the file that defines it.
fn definitions(house: &House) -> BTreeMap<Vec<String>, String> {
    let mut all = BTreeMap::new();
    for file in &house.files {
        items(&file.syntax.items, &file.module(), &file.path, &mut all);
    }
    all
}

fn items(of: &[syn::Item], module: &[String], path: &str, all: &mut BTreeMap<Vec<String>, String>) {
    for item in of {
        let name = match item {
            syn::Item::Mod(inner) => {
                if let Some((_, inside)) = &inner.content {
                    let module: Vec<_> =
                        module.iter().cloned().chain([inner.ident.to_string()]).collect();
                    items(inside, &module, path, all);
                }
                continue;
            }
            syn::Item::Struct(item) => &item.ident,
            syn::Item::Enum(item) => &item.ident,
            syn::Item::Union(item) => &item.ident,
            syn::Item::Trait(item) => &item.ident,
            syn::Item::Type(item) => &item.ident,
            syn::Item::Fn(item) => &item.sig.ident,
            syn::Item::Const(item) => &item.ident,
            syn::Item::Static(item) => &item.ident,
            _ => continue,
        };
        let name = name.to_string();
        all.insert(module.iter().cloned().chain([name]).collect(), path.to_owned());
    }
}

/// The first word of a file's module.
pub fn room(path: &str) -> &str {
    let inside = path.trim_start_matches("src/").trim_end_matches(".rs");
    inside.split('/').next().unwrap_or(inside)
}

/// Files of one room that reach each other in it, in groups of two and more.
fn circles(uses: &Uses) -> Vec<BTreeSet<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> = uses
        .keys()
        .map(|from| {
            let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
            while let Some(file) = open.pop() {
                let next = uses.get(file).into_iter().flat_map(BTreeMap::keys);
                open.extend(next.filter(|to| room(to) == room(file)).filter(|to| seen.insert(*to)));
            }
            (from, seen)
        })
        .collect();
    let both = |one: &String, other: &String| {
        reached[one].contains(other) && reached.get(other).is_some_and(|it| it.contains(one))
    };
    let mut found: Vec<BTreeSet<String>> = Vec::new();
    for file in uses.keys().filter(|file| reached[file].contains(file)) {
        if !found.iter().any(|circle| circle.contains(file)) {
            found.push(uses.keys().filter(|other| both(file, other)).cloned().collect());
        }
    }
    found
}

fn told(circle: &BTreeSet<String>, uses: &Uses) -> String {
    let mut lines = vec![format!("{} files use each other in a circle:", circle.len())];
    for from in circle {
        for (to, name) in uses[from].iter().filter(|(to, _)| circle.contains(*to)) {
            lines.push(format!("  {from} takes {name} from {to}"));
        }
    }
    lines.join("\n")
}
