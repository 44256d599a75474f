//! Checks the layers inside a top-level module. Code may use lower layers, but not higher layers.

use super::paths::{Names, PathResolver};
use super::source::{File, SourceTree};
use super::table::LAYERS;

/// A module's layer, and the entry of [`LAYERS`] that assigns this layer.
struct Place {
    layer: usize,
    /// The entry of [`LAYERS`] that matches the module. It may end with a `*`.
    named: &'static str,
    /// The text in `named`, but with the module's name instead of the `*`.
    part: String,
}

/// Returns a message for each forbidden use of a layer, for each file without a layer, and for each
/// entry of [`LAYERS`] that matches no file.
///
/// A `pub use` does not count as a use, because it only re-exports a name. A file may always use
/// its parent modules.
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

/// Returns true if the module must have a layer. This is the case if [`LAYERS`] contains its
/// top-level module.
fn has_layers(module: &[String]) -> bool {
    let is_test = module.iter().any(|word| word == "tests");
    let in_module = |part: &str| part.split("::").next() == Some(&module[0]);
    module.len() > 1 && !is_test && LAYERS.iter().copied().flatten().any(|part| in_module(part))
}

/// Returns the module's layer. If several entries of [`LAYERS`] match, the most specific entry
/// counts.
fn place(module: &[String]) -> Option<Place> {
    let all =
        LAYERS.iter().zip(0..).flat_map(|(parts, layer)| parts.iter().map(move |it| (*it, layer)));
    let (named, layer) = all.filter(|(part, _)| is_in(part, module)).max_by_key(|it| it.0.len())?;
    let part = module[..named.split("::").count()].join("::");
    Some(Place { layer, named, part })
}

/// Returns true if the module is `part` (an entry of [`LAYERS`]), or is inside this part.
fn is_in(part: &str, module: &[String]) -> bool {
    let part: Vec<&str> = part.split("::").collect();
    let fits = |(wanted, word): (&&str, &String)| *wanted == "*" || wanted == word;
    module.len() >= part.len() && part.iter().zip(module).all(fits)
}
