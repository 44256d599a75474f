//! Checks the layers inside a top-level module: code may use lower layers, but not higher ones.

use super::paths::{Names, PathResolver};
use super::source::{File, SourceTree};
use super::table::LAYERS;

/// A module's layer, with the entry of [`LAYERS`] that defines it.
struct Place {
    layer: usize,
    /// The matching entry of [`LAYERS`], possibly with a `*` at its end.
    named: &'static str,
    /// The matching entry of [`LAYERS`], with the module's name instead of `*`.
    part: String,
}

/// Returns a message for each forbidden use of a layer, each file without a layer, and each entry
/// of [`LAYERS`] without a file.
///
/// A `pub use` only re-exports a name, so it does not count as a use. A file may always use its
/// parent modules.
pub fn complaints(
    tree: &SourceTree,
    all: &[(&File, Names)],
    atlas: &PathResolver<'_>,
) -> Vec<String> {
    let mut found = Vec::new();
    for (file, names) in all {
        let (path, module) = (&file.path, file.module());
        let Some(place) = place(&module) else {
            if has_layers(&module) {
                found.push(format!(
                    "{path}: on no layer of its module: LAYERS says where it stands"
                ));
            }
            continue;
        };
        let own = names.paths.iter().filter(|it| !it.is_reexport && !it.in_test);
        for named in own.filter(|it| !atlas.is_test(&it.module)) {
            for meaning in atlas.meanings(named).iter().filter(|it| it[0] == "crate") {
                let target = atlas.module_of(&meaning[1..]);
                let other = self::place(target).filter(|other| !place.may_use(other));
                if let Some(other) = other.filter(|_| !module.starts_with(target)) {
                    let (own, other, used) = (&place.part, other.part, meaning.join("::"));
                    let line = named.line;
                    found.push(format!("{path}:{line}: `{own}` may not use `{other}`: {used}"));
                }
            }
        }
    }
    let parts = LAYERS.iter().copied().flatten();
    let is_empty = |part: &&&str| !tree.files.iter().any(|file| is_in(part, &file.module()));
    found.extend(parts.filter(is_empty).map(|part| format!("LAYERS: there is no `{part}`")));
    found
}

impl Place {
    fn may_use(&self, other: &Place) -> bool {
        let is_beside = self.layer == other.layer && !self.named.ends_with('*');
        other.part == self.part || other.layer < self.layer || is_beside
    }
}

/// Returns true if the module must have a layer, because [`LAYERS`] mentions its top-level module.
fn has_layers(module: &[String]) -> bool {
    let is_test = module.iter().any(|word| word == "tests");
    let in_module = |part: &str| part.split("::").next() == Some(&module[0]);
    module.len() > 1 && !is_test && LAYERS.iter().copied().flatten().any(|part| in_module(part))
}

/// Returns a module's layer, according to the most specific entry of [`LAYERS`] that matches.
fn place(module: &[String]) -> Option<Place> {
    let all =
        LAYERS.iter().zip(0..).flat_map(|(parts, layer)| parts.iter().map(move |it| (*it, layer)));
    let (named, layer) = all.filter(|(part, _)| is_in(part, module)).max_by_key(|it| it.0.len())?;
    let part = module[..named.split("::").count()].join("::");
    Some(Place { layer, named, part })
}

/// Returns true if the module matches `part` (an entry of [`LAYERS`]) or is inside such a module.
fn is_in(part: &str, module: &[String]) -> bool {
    let part: Vec<&str> = part.split("::").collect();
    let fits = |(wanted, word): (&&str, &String)| *wanted == "*" || wanted == word;
    module.len() >= part.len() && part.iter().zip(module).all(fits)
}
