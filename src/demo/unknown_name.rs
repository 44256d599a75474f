//! A name in a script that means nothing, and the one that was probably meant.

use strsim::levenshtein;

/// The sentence about it: the name, the nearest one that means something, and all of them.
pub(super) fn unknown(key: &str, wrong: &str, names: impl Iterator<Item = &'static str>) -> String {
    let names: Vec<&str> = names.collect();
    let nearest = names.iter().map(|name| (levenshtein(name, wrong), *name)).min();
    let nearest = nearest.filter(|(distance, _)| *distance <= 3);
    let guess = nearest.map(|(_, name)| format!("; did you mean `{name}`?")).unwrap_or_default();
    format!("`{wrong}` means nothing to `{key}`{guess}; it takes {}", names.join(", "))
}
