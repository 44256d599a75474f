//! Checks the layers inside a top-level module. A part of the module may use lower layers, but not
//! higher ones.

use super::paths::{Atlas, Names};
use super::source::{File, House};
use super::table::FLOORS;

/// The layer of a module.
struct Place {
    floor: usize,
    /// The entry of [`FLOORS`] that matches the module. It may end in `*`.
    named: &'static str,
    /// The entry with the module's real name in place of `*`.
    part: String,
}

/// Returns a message for each forbidden use between layers, each file without a layer, and each
/// entry of [`FLOORS`] without a file.
///
/// A `pub use` does not count as a use, because it only re-exports a name. A file may always use
/// its parent modules.
pub fn complaints(house: &House, all: &[(&File, Names)], atlas: &Atlas<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for (file, names) in all {
        let (path, module) = (&file.path, file.module());
        let Some(place) = place(&module) else {
            if has_floors(&module) {
                found.push(format!("{path}: on no floor of its room: FLOORS says where it stands"));
            }
            continue;
        };
        let own = names.paths.iter().filter(|it| !it.handed_on && !it.in_test);
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
    let parts = FLOORS.iter().copied().flatten();
    let is_empty = |part: &&&str| !house.files.iter().any(|file| is_in(part, &file.module()));
    found.extend(parts.filter(is_empty).map(|part| format!("FLOORS: there is no `{part}`")));
    found
}

impl Place {
    fn may_use(&self, other: &Place) -> bool {
        let is_beside = self.floor == other.floor && !self.named.ends_with('*');
        other.part == self.part || other.floor < self.floor || is_beside
    }
}

/// Returns whether this module must be in a layer. This applies to all modules inside a top-level
/// module that [`FLOORS`] mentions.
fn has_floors(module: &[String]) -> bool {
    let is_test = module.iter().any(|word| word == "tests");
    let in_room = |part: &str| part.split("::").next() == Some(&module[0]);
    module.len() > 1 && !is_test && FLOORS.iter().copied().flatten().any(|part| in_room(part))
}

/// Returns the layer of a module, according to the most specific entry of [`FLOORS`] that matches
/// it.
fn place(module: &[String]) -> Option<Place> {
    let all =
        FLOORS.iter().zip(0..).flat_map(|(parts, floor)| parts.iter().map(move |it| (*it, floor)));
    let (named, floor) = all.filter(|(part, _)| is_in(part, module)).max_by_key(|it| it.0.len())?;
    let part = module[..named.split("::").count()].join("::");
    Some(Place { floor, named, part })
}

/// Returns whether a module is this part of the program or is inside it.
fn is_in(part: &str, module: &[String]) -> bool {
    let part: Vec<&str> = part.split("::").collect();
    let fits = |(wanted, word): (&&str, &String)| *wanted == "*" || wanted == word;
    module.len() >= part.len() && part.iter().zip(module).all(fits)
}
