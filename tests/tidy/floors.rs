//! The floors inside a room: which of its parts may use which other.

use super::circles::{room, uses};
use super::source::{File, House};
use super::table::FLOORS;

/// Where a file stands.
struct Place {
    floor: usize,
    /// As the table has it.
    named: &'static str,
    /// The same, with its own word where a star stands.
    part: String,
}

/// Uses that no floor allows, files on no floor, and parts without a file.
pub fn complaints(house: &House) -> Vec<String> {
    let mut found = Vec::new();
    for (from, used) in uses(house) {
        let Some(place) = place(&from) else {
            if has_floors(&from) {
                found.push(format!("{from}: on no floor of its room: FLOORS says where it stands"));
            }
            continue;
        };
        for (to, name) in &used {
            if let Some(other) = self::place(to).filter(|other| !place.may_use(other)) {
                let (own, other) = (&place.part, other.part);
                found.push(format!("{from}: `{own}` may not use `{other}`: {name}"));
            }
        }
    }
    let parts = FLOORS.iter().copied().flatten();
    let is_empty = |part: &&&str| !house.files.iter().any(|file| is_in(part, &module(&file.path)));
    found.extend(parts.filter(is_empty).map(|part| format!("FLOORS: there is no `{part}`")));
    found
}

impl Place {
    fn may_use(&self, other: &Place) -> bool {
        let is_beside = self.floor == other.floor && !self.named.ends_with('*');
        other.part == self.part || other.floor < self.floor || is_beside
    }
}

/// Whether a part of this file's room stands on a floor; the room's own file hands names on.
fn has_floors(path: &str) -> bool {
    let module = module(path);
    let is_test = module.iter().any(|word| word == "tests");
    let in_room = |part: &str| part.split("::").next() == Some(room(path));
    module.len() > 1 && !is_test && FLOORS.iter().copied().flatten().any(|part| in_room(part))
}

/// Where the part stands that names a file most exactly.
fn place(path: &str) -> Option<Place> {
    let module = module(path);
    let all =
        FLOORS.iter().zip(0..).flat_map(|(parts, floor)| parts.iter().map(move |it| (*it, floor)));
    let (named, floor) =
        all.filter(|(part, _)| is_in(part, &module)).max_by_key(|it| it.0.len())?;
    let part = module[..named.split("::").count()].join("::");
    Some(Place { floor, named, part })
}

/// Whether a module is this part, or inside it.
fn is_in(part: &str, module: &[String]) -> bool {
    let part: Vec<&str> = part.split("::").collect();
    let fits = |(wanted, word): (&&str, &String)| *wanted == "*" || wanted == word;
    module.len() >= part.len() && part.iter().zip(module).all(fits)
}

fn module(path: &str) -> Vec<String> {
    File::parse(path, "").module()
}
