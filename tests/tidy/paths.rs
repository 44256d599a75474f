//! Collects all paths in the source, and finds their targets by following `use` declarations.
//!
//! [`collect_paths`] collects the paths of a file. [`PathResolver::resolve`] finds the target of a
//! path across files.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::source::{File, SourceTree};

/// A path in the source, such as `std::fs::File`.
pub struct SourcePath {
    /// The module that contains the path.
    pub module: Vec<String>,
    /// The segments of the path. If the path is a glob, its last segment is `*`.
    pub segments: Vec<String>,
    /// True if the path begins with `::`.
    pub global: bool,
    /// True if the path is in test code.
    pub in_test: bool,
    /// True if the path is part of a `use` declaration.
    pub is_use: bool,
    /// True if the path is part of a re-export (`pub use`).
    pub is_reexport: bool,
    pub line: usize,
}

/// The paths and declarations in a source file.
#[derive(Default)]
pub struct FilePaths {
    pub paths: Vec<SourcePath>,
    /// The names that `use` declarations introduce. Each entry is the module, the name, the target
    /// path, and true if the target begins with `::`.
    pub imports: Vec<(Vec<String>, String, Vec<String>, bool)>,
    /// The modules that are declared in this file.
    pub modules: BTreeSet<Vec<String>>,
    /// The modules in this file that are compiled only for tests.
    pub test_modules: BTreeSet<Vec<String>>,
    /// Lines that these checks cannot analyze, because of `extern crate`, `#[path]` or `include!`,
    /// for example.
    pub opaque_lines: Vec<(usize, &'static str)>,
    /// The numbers of the lines that contain the type `&mut Model`.
    pub mut_model_lines: Vec<usize>,
}

/// Returns all source files, each with its paths and declarations.
pub fn collect_all_paths(tree: &SourceTree) -> Vec<(&File, FilePaths)> {
    tree.files
        .iter()
        .map(|file| (file, collect_paths(file)))
        .collect()
}

pub fn collect_paths(file: &File) -> FilePaths {
    let module = file.module();
    let found = FilePaths::default();
    let mut collector = PathCollector {
        module,
        in_test: false,
        is_use: false,
        in_reexport: false,
        found,
    };
    collector.visit_file(&file.syntax);
    collector.found
}

struct PathCollector {
    module: Vec<String>,
    in_test: bool,
    is_use: bool,
    in_reexport: bool,
    found: FilePaths,
}

impl PathCollector {
    fn add(&mut self, segments: Vec<String>, global: bool, line: usize) {
        self.found.paths.push(SourcePath {
            module: self.module.clone(),
            segments,
            global,
            in_test: self.in_test,
            is_use: self.is_use,
            is_reexport: self.is_use && self.in_reexport,
            line,
        });
    }

    fn visit_scope(&mut self, in_test: bool, visit: impl FnOnce(&mut PathCollector)) {
        let outer_in_test = self.in_test;
        self.in_test |= in_test;
        visit(self);
        self.in_test = outer_in_test;
    }

    fn add_use_tree(&mut self, tree: &syn::UseTree, mut segments: Vec<String>, global: bool) {
        let line = tree.span().start().line;
        let (name, imported_name) = match tree {
            syn::UseTree::Path(path) => {
                segments.push(ident_name(&path.ident));
                return self.add_use_tree(&path.tree, segments, global);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.add_use_tree(tree, segments.clone(), global);
                }
                return;
            }
            syn::UseTree::Glob(_) => ("*".to_owned(), "*".to_owned()),
            syn::UseTree::Name(name) => (ident_name(&name.ident), ident_name(&name.ident)),
            syn::UseTree::Rename(rename) => (ident_name(&rename.ident), ident_name(&rename.rename)),
        };
        let imported_name = match (name.as_str(), segments.last()) {
            ("self", Some(last)) if imported_name == "self" => last.clone(),
            ("self", _) => imported_name,
            _ => {
                segments.push(name);
                imported_name
            }
        };
        self.found
            .imports
            .push((self.module.clone(), imported_name, segments.clone(), global));
        self.is_use = true;
        self.add(segments, global, line);
        self.is_use = false;
    }

    /// Collects the paths in a macro call. They are read from the call's tokens, because `syn` does
    /// not parse the arguments of macros.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let mut segments: Vec<String> = Vec::new();
        let mut global = false;
        let mut colons = 0;
        let mut line = 0;
        let mut after_dot = false;
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.finish_path(&mut segments, &mut global, line);
                    } else if segments.is_empty() {
                        global = true;
                    }
                    if segments.is_empty() {
                        line = ident.span().start().line;
                    }
                    // An identifier after a dot is a field or a method, not a path.
                    if !after_dot {
                        segments.push(ident_name(&ident));
                    }
                    (colons, after_dot) = (0, false);
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Punct(punct) if punct.as_char() == '$' => {}
                other => {
                    if colons == 2 && matches!(&other, TokenTree::Punct(p) if p.as_char() == '*') {
                        segments.push("*".to_owned());
                    }
                    after_dot = matches!(&other, TokenTree::Punct(p) if p.as_char() == '.');
                    self.add_group(other, &segments, colons == 2);
                    self.finish_path(&mut segments, &mut global, line);
                    colons = 0;
                }
            }
        }
        self.finish_path(&mut segments, &mut global, line);
    }

    /// Reads a group of tokens. The group in `a::{b, c}` continues the path `a`. Any other group
    /// starts new paths.
    fn add_group(&mut self, tree: TokenTree, prefix: &[String], continues_path: bool) {
        let TokenTree::Group(group) = tree else {
            return;
        };
        if !(continues_path && group.delimiter() == Delimiter::Brace) {
            return self.add_tokens(group.stream());
        }
        let first = self.found.paths.len();
        self.add_tokens(group.stream());
        for path in &mut self.found.paths[first..] {
            path.segments.splice(0..0, prefix.iter().cloned());
        }
    }

    fn finish_path(&mut self, segments: &mut Vec<String>, global: &mut bool, line: usize) {
        if !segments.is_empty() {
            self.add(std::mem::take(segments), *global, line);
        }
        *global = false;
    }
}

impl<'ast> Visit<'ast> for PathCollector {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let in_test = is_test(&item.attrs);
        self.module.push(ident_name(&item.ident));
        self.found.modules.insert(self.module.clone());
        if in_test || self.in_test {
            self.found.test_modules.insert(self.module.clone());
        }
        self.visit_scope(in_test, |collector| visit::visit_item_mod(collector, item));
        self.module.pop();
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attrs = match item {
            syn::Item::Fn(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            _ => return visit::visit_item(self, item),
        };
        let in_test = is_test(attrs);
        self.visit_scope(in_test, |collector| visit::visit_item(collector, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let in_test = is_test(&item.attrs);
        self.visit_scope(in_test, |collector| {
            visit::visit_impl_item_fn(collector, item)
        });
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.in_reexport = !matches!(item.vis, syn::Visibility::Inherited);
        self.add_use_tree(&item.tree, Vec::new(), item.leading_colon.is_some());
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.found
            .opaque_lines
            .push((item.span().start().line, "`extern crate`"));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path
            .segments
            .iter()
            .map(|segment| ident_name(&segment.ident))
            .collect();
        self.add(
            segments,
            path.leading_colon.is_some(),
            path.span().start().line,
        );
        visit::visit_path(self, path);
    }

    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if let (Some(_), syn::Type::Path(to)) = (reference.mutability, &*reference.elem)
            && to
                .path
                .segments
                .last()
                .is_some_and(|last| last.ident == "Model")
        {
            self.found
                .mut_model_lines
                .push(reference.span().start().line);
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        if invoked.path.is_ident("include") {
            self.found
                .opaque_lines
                .push((invoked.span().start().line, "`include!`"));
        }
        self.visit_path(&invoked.path);
        self.add_tokens(invoked.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        if attribute.path().is_ident("path") {
            self.found
                .opaque_lines
                .push((attribute.span().start().line, "`#[path]`"));
        }
        self.visit_path(attribute.path());
        if let syn::Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
            // The string in `#[serde(with = "a::b")]` contains a path.
            for token in list.tokens.clone() {
                if let Ok(text) = syn::parse2::<syn::LitStr>(token.into())
                    && let Ok(path) = text.parse::<syn::Path>()
                {
                    self.visit_path(&path);
                }
            }
        }
    }
}

fn ident_name(ident: &proc_macro2::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Returns true if an item with these attributes is compiled only for tests.
pub fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path
            .segments
            .last()
            .is_some_and(|last| last.ident == "test"),
        syn::Meta::List(list) => {
            list.path.is_ident("cfg") && list.tokens.to_string() == "test"
                || list
                    .path
                    .segments
                    .last()
                    .is_some_and(|last| last.ident == "test")
        }
        syn::Meta::NameValue(_) => false,
    })
}

/// A path that is not resolved yet: the module that contains the path, and the path's segments.
/// `global` is true if the path begins with `::`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PendingPath {
    module: Vec<String>,
    segments: Vec<String>,
    global: bool,
}

/// The target of a `use` declaration: its segments, and true if it begins with `::`.
type ImportTarget = (Vec<String>, bool);

/// Finds the targets of paths. Contains an index of the crate's `use` declarations and modules.
pub struct PathResolver<'a> {
    tree: &'a SourceTree,
    /// The targets of `use` declarations. Each key is a module, and a name that a `use` declaration
    /// introduces in this module.
    imports: BTreeMap<(Vec<String>, String), Vec<ImportTarget>>,
    modules: BTreeSet<Vec<String>>,
    /// The modules that are compiled only for tests.
    pub test_modules: BTreeSet<Vec<String>>,
}

impl<'a> PathResolver<'a> {
    /// Builds the index from the paths and declarations of all files.
    pub fn of(tree: &'a SourceTree, paths_by_file: &[(&File, FilePaths)]) -> PathResolver<'a> {
        let mut resolver = PathResolver {
            tree,
            imports: BTreeMap::new(),
            modules: paths_by_file
                .iter()
                .map(|(file, _)| file.module())
                .collect(),
            test_modules: BTreeSet::new(),
        };
        for (_, file_paths) in paths_by_file {
            resolver.modules.extend(file_paths.modules.iter().cloned());
            resolver
                .test_modules
                .extend(file_paths.test_modules.iter().cloned());
            for (module, name, segments, global) in &file_paths.imports {
                let key = (module.clone(), name.clone());
                resolver
                    .imports
                    .entry(key)
                    .or_default()
                    .push((segments.clone(), *global));
            }
        }
        resolver
    }

    pub fn is_test(&self, module: &[String]) -> bool {
        (1..=module.len()).any(|depth| self.test_modules.contains(&module[..depth]))
    }

    pub fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains(path)
    }

    /// Returns the longest prefix of a path that is a module, such as `trade` for `trade::Money`.
    pub fn module_of<'p>(&self, path: &'p [String]) -> &'p [String] {
        let ends = (1..=path.len()).rev();
        ends.map(|end| &path[..end])
            .find(|it| self.is_module(it))
            .unwrap_or_default()
    }

    /// Returns every path that this path can mean. If the path leads through several `use`
    /// declarations, the result contains the path after each declaration.
    ///
    /// A resolved path begins with `crate`, `std` or the name of a dependency, or it is a float
    /// type.
    pub fn resolve(&self, path: &SourcePath) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::new();
        let module = path.module.clone();
        let segments = path.segments.clone();
        let mut pending = vec![PendingPath {
            module,
            segments,
            global: path.global,
        }];
        let mut visited = BTreeSet::new();
        while let Some(next) = pending.pop() {
            if next.segments.len() > 32 || !visited.insert(next.clone()) {
                continue;
            }
            if let Some(target) = self.resolve_first_segment(&next, path.is_use, &mut pending) {
                if target[0] == "crate" {
                    self.follow_reexports(&target[1..], &mut pending);
                }
                found.insert(target);
            }
        }
        found
    }

    /// Resolves the first segment of a path. If a `use` declaration introduces this segment, adds
    /// the declaration's target to `pending` instead.
    fn resolve_first_segment(
        &self,
        path: &PendingPath,
        is_use: bool,
        pending: &mut Vec<PendingPath>,
    ) -> Option<Vec<String>> {
        let PendingPath {
            module,
            segments,
            global,
        } = path;
        let first = segments.first()?.as_str();
        let path_in_crate = |base: &[String], rest: &[String]| {
            let root = std::iter::once("crate".to_owned());
            Some(
                root.chain(base.iter().cloned())
                    .chain(rest.iter().cloned())
                    .collect(),
            )
        };
        let is_main = module.first().is_some_and(|module| module == "main");
        match first {
            _ if *global => {}
            "crate" if is_main => return path_in_crate(&["main".to_owned()], &segments[1..]),
            "crate" => return path_in_crate(&[], &segments[1..]),
            "self" => return path_in_crate(module, &segments[1..]),
            "super" => {
                let super_count = segments
                    .iter()
                    .take_while(|segment| *segment == "super")
                    .count();
                let base = &module[..module.len().saturating_sub(super_count)];
                return path_in_crate(base, &segments[super_count..]);
            }
            _ if self.resolve_in_module(module, segments, pending) => return None,
            _ => {}
        }
        match first {
            "balcao" => path_in_crate(&[], &segments[1..]),
            "core" | "alloc" | "std" => {
                let std = std::iter::once("std".to_owned());
                Some(std.chain(segments[1..].iter().cloned()).collect())
            }
            "f32" | "f64" => Some(segments.to_vec()),
            // A path with a single segment is a variable, unless it is a crate in a `use`
            // declaration.
            _ if segments.len() == 1 && !is_use => None,
            _ if self.tree.crates.iter().any(|name| name == first) => Some(segments.to_vec()),
            _ => None,
        }
    }

    fn resolve_in_module(
        &self,
        module: &[String],
        segments: &[String],
        pending: &mut Vec<PendingPath>,
    ) -> bool {
        let mut child = module.to_vec();
        child.push(segments[0].clone());
        if self.modules.contains(&child) {
            let in_module = std::iter::once("self".to_owned()).chain(segments.iter().cloned());
            pending.push(PendingPath {
                module: module.to_vec(),
                segments: in_module.collect(),
                global: false,
            });
            return true;
        }
        let leads_elsewhere = |target: &&ImportTarget| target.0 != segments[..1] || target.1;
        let key = (module.to_vec(), segments[0].clone());
        let targets: Vec<_> = self
            .imports
            .get(&key)
            .into_iter()
            .flatten()
            .filter(leads_elsewhere)
            .collect();
        for (target, global) in &targets {
            let rest = target.iter().chain(&segments[1..]).cloned().collect();
            // In `use open::open`, the first segment is the crate `open`. Treat the path as global,
            // because otherwise this segment would be resolved again and again.
            let global = *global || target.first() == segments.first();
            pending.push(PendingPath {
                module: module.to_vec(),
                segments: rest,
                global,
            });
        }
        if targets.is_empty() {
            self.resolve_through_globs(module, segments, pending);
        }
        // The name that `use open::open` introduces is also the name of a crate. The declaration
        // must not hide the crate, because the name can still mean the crate.
        targets
            .iter()
            .any(|(target, _)| target.first() != segments.first())
    }

    /// Resolves names that a glob such as `use super::*` imports.
    fn resolve_through_globs(
        &self,
        module: &[String],
        segments: &[String],
        pending: &mut Vec<PendingPath>,
    ) {
        let key = (module.to_vec(), "*".to_owned());
        for (target, global) in self.imports.get(&key).into_iter().flatten() {
            let base = &target[..target.len() - 1];
            if base
                .first()
                .is_some_and(|first| ["super", "self", "crate"].contains(&&**first))
            {
                let rest = base.iter().chain(segments).cloned().collect();
                pending.push(PendingPath {
                    module: module.to_vec(),
                    segments: rest,
                    global: *global,
                });
            }
        }
    }

    /// Resolves a path that begins with a module, by following the `use` declarations in this
    /// module. Adds the results to `pending`.
    fn follow_reexports(&self, path: &[String], pending: &mut Vec<PendingPath>) {
        for depth in (0..path.len()).rev() {
            let (module, rest) = path.split_at(depth);
            if self.modules.contains(module) || module.is_empty() {
                let mut found = Vec::new();
                if self.resolve_in_module(module, rest, &mut found) || !found.is_empty() {
                    found.retain(|next| {
                        next.segments
                            .first()
                            .is_none_or(|segment| segment != "self")
                    });
                    pending.append(&mut found);
                }
                return;
            }
        }
    }
}
