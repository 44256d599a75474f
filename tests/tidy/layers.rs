//! Checks the layers inside a top-level module. Code may use lower layers, but not higher layers.

use super::paths::{FilePaths, PathResolver};
use super::source::{File, SourceTree};
use super::table::LAYERS;

/// A module's layer, and the entry of [`LAYERS`] that assigns this layer.
struct LayerPosition {
    layer: usize,
    /// The entry of [`LAYERS`] that matches the module. It may end with a `*`.
    pattern: &'static str,
    /// The text in `pattern`, but with the module's name instead of the `*`.
    part: String,
}

/// Returns a message for each forbidden use of a layer, for each file without a layer, and for each
/// entry of [`LAYERS`] that matches no file.
///
/// A `pub use` does not count as a use, because it only re-exports a name. A file may always use
/// its parent modules.
pub fn find_violations(
    tree: &SourceTree,
    paths_by_file: &[(&File, FilePaths)],
    resolver: &PathResolver<'_>,
) -> Vec<String> {
    let mut violations = Vec::new();
    for (file, file_paths) in paths_by_file {
        let path = &file.path;
        let module = file.module();
        let Some(position) = find_position(&module) else {
            if has_layers(&module) {
                violations.push(format!(
                    "{path}: on no layer of its module: LAYERS says where it stands"
                ));
            }
            continue;
        };
        let code_paths = file_paths
            .paths
            .iter()
            .filter(|it| !it.is_reexport && !it.in_test);
        for source_path in code_paths.filter(|it| !resolver.is_test(&it.module)) {
            for full_path in resolver
                .resolve(source_path)
                .iter()
                .filter(|it| it[0] == "crate")
            {
                let target = resolver.module_of(&full_path[1..]);
                let other = find_position(target).filter(|other| !position.may_use(other));
                if let Some(other) = other.filter(|_| !module.starts_with(target)) {
                    let part = &position.part;
                    let other = other.part;
                    let used = full_path.join("::");
                    let line = source_path.line;
                    violations.push(format!(
                        "{path}:{line}: `{part}` may not use `{other}`: {used}"
                    ));
                }
            }
        }
    }
    let parts = LAYERS.iter().copied().flatten();
    let is_empty = |part: &&&str| !tree.files.iter().any(|file| is_in(part, &file.module()));
    violations.extend(
        parts
            .filter(is_empty)
            .map(|part| format!("LAYERS: there is no `{part}`")),
    );
    violations
}

impl LayerPosition {
    fn may_use(&self, other: &LayerPosition) -> bool {
        let is_beside = self.layer == other.layer && !self.pattern.ends_with('*');
        other.part == self.part || other.layer < self.layer || is_beside
    }
}

/// Returns true if the module must have a layer, because [`LAYERS`] contains its top-level module.
fn has_layers(module: &[String]) -> bool {
    let is_test = module.iter().any(|word| word == "tests");
    let in_module = |part: &str| part.split("::").next() == Some(&module[0]);
    module.len() > 1 && !is_test && LAYERS.iter().copied().flatten().any(|part| in_module(part))
}

/// Returns the module's layer. If several entries of [`LAYERS`] match, the most specific entry
/// counts.
fn find_position(module: &[String]) -> Option<LayerPosition> {
    let entries = LAYERS
        .iter()
        .zip(0..)
        .flat_map(|(parts, layer)| parts.iter().map(move |it| (*it, layer)));
    let (pattern, layer) = entries
        .filter(|(part, _)| is_in(part, module))
        .max_by_key(|it| it.0.len())?;
    let part = module[..pattern.split("::").count()].join("::");
    Some(LayerPosition {
        layer,
        pattern,
        part,
    })
}

/// Returns true if the module is `part` (an entry of [`LAYERS`]), or is inside this part.
fn is_in(part: &str, module: &[String]) -> bool {
    let part: Vec<&str> = part.split("::").collect();
    let fits = |(expected, word): (&&str, &String)| *expected == "*" || expected == word;
    module.len() >= part.len() && part.iter().zip(module).all(fits)
}
