//! Collects all paths in the source, and finds their targets by following `use` declarations.
//!
//! [`names_of`] collects the paths of a file. [`PathResolver::meanings`] finds the target of a path
//! across files.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use super::source::{File, SourceTree};

/// A path in the source, such as `std::fs::File`.
pub struct Named {
    /// The module that contains the path.
    pub module: Vec<String>,
    /// The segments of the path. If the path is a glob, its last segment is `*`.
    pub words: Vec<String>,
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
pub struct Names {
    pub paths: Vec<Named>,
    /// The names that `use` declarations introduce. Each entry is the module, the name, the target
    /// path, and true if the target begins with `::`.
    pub bound: Vec<(Vec<String>, String, Vec<String>, bool)>,
    /// The modules that are declared in this file.
    pub modules: BTreeSet<Vec<String>>,
    /// The modules in this file that are compiled only for tests.
    pub test_modules: BTreeSet<Vec<String>>,
    /// Lines that these checks cannot analyze, because of `extern crate`, `#[path]` or `include!`,
    /// for example.
    pub opaque: Vec<(usize, &'static str)>,
    /// The numbers of the lines that contain the type `&mut Model`.
    pub model_borrows: Vec<usize>,
}

/// Returns all source files, each with its paths and declarations.
pub fn all_names(tree: &SourceTree) -> Vec<(&File, Names)> {
    tree.files.iter().map(|file| (file, names_of(file))).collect()
}

pub fn names_of(file: &File) -> Names {
    let module = file.module();
    let names = Names::default();
    let mut reader = Reader { module, in_test: false, is_use: false, handed_on: false, names };
    reader.visit_file(&file.syntax);
    reader.names
}

struct Reader {
    module: Vec<String>,
    in_test: bool,
    is_use: bool,
    handed_on: bool,
    names: Names,
}

impl Reader {
    fn add(&mut self, words: Vec<String>, global: bool, line: usize) {
        self.names.paths.push(Named {
            module: self.module.clone(),
            words,
            global,
            in_test: self.in_test,
            is_use: self.is_use,
            is_reexport: self.is_use && self.handed_on,
            line,
        });
    }

    fn within(&mut self, in_test: bool, visit: impl FnOnce(&mut Reader)) {
        let before = self.in_test;
        self.in_test |= in_test;
        visit(self);
        self.in_test = before;
    }

    fn use_tree(&mut self, tree: &syn::UseTree, mut words: Vec<String>, global: bool) {
        let line = tree.span().start().line;
        let (name, bound) = match tree {
            syn::UseTree::Path(path) => {
                words.push(plain(&path.ident));
                return self.use_tree(&path.tree, words, global);
            }
            syn::UseTree::Group(group) => {
                for tree in &group.items {
                    self.use_tree(tree, words.clone(), global);
                }
                return;
            }
            syn::UseTree::Glob(_) => ("*".to_owned(), "*".to_owned()),
            syn::UseTree::Name(name) => (plain(&name.ident), plain(&name.ident)),
            syn::UseTree::Rename(rename) => (plain(&rename.ident), plain(&rename.rename)),
        };
        let bound = match (name.as_str(), words.last()) {
            ("self", Some(last)) if bound == "self" => last.clone(),
            ("self", _) => bound,
            _ => {
                words.push(name);
                bound
            }
        };
        self.names.bound.push((self.module.clone(), bound, words.clone(), global));
        self.is_use = true;
        self.add(words, global, line);
        self.is_use = false;
    }

    /// Collects the paths in a macro call. They are read from the call's tokens, because `syn` does
    /// not parse the arguments of macros.
    fn tokens(&mut self, tokens: TokenStream) {
        let mut words: Vec<String> = Vec::new();
        let (mut global, mut colons, mut line, mut after_dot) = (false, 0, 0, false);
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    if colons != 2 {
                        self.end(&mut words, &mut global, line);
                    } else if words.is_empty() {
                        global = true;
                    }
                    if words.is_empty() {
                        line = ident.span().start().line;
                    }
                    // An identifier after a dot is a field or a method, not a path.
                    if !after_dot {
                        words.push(plain(&ident));
                    }
                    (colons, after_dot) = (0, false);
                }
                TokenTree::Punct(punct) if punct.as_char() == ':' => colons += 1,
                TokenTree::Punct(punct) if punct.as_char() == '$' => {}
                other => {
                    if colons == 2 && matches!(&other, TokenTree::Punct(p) if p.as_char() == '*') {
                        words.push("*".to_owned());
                    }
                    after_dot = matches!(&other, TokenTree::Punct(p) if p.as_char() == '.');
                    self.tree(other, &words, colons == 2);
                    self.end(&mut words, &mut global, line);
                    colons = 0;
                }
            }
        }
        self.end(&mut words, &mut global, line);
    }

    /// Reads a group of tokens. The group in `a::{b, c}` continues the path `a`. Any other group
    /// starts new paths.
    fn tree(&mut self, tree: TokenTree, before: &[String], continues: bool) {
        let TokenTree::Group(group) = tree else { return };
        if !(continues && group.delimiter() == Delimiter::Brace) {
            return self.tokens(group.stream());
        }
        let from = self.names.paths.len();
        self.tokens(group.stream());
        for named in &mut self.names.paths[from..] {
            named.words.splice(0..0, before.iter().cloned());
        }
    }

    fn end(&mut self, words: &mut Vec<String>, global: &mut bool, line: usize) {
        if !words.is_empty() {
            self.add(std::mem::take(words), *global, line);
        }
        *global = false;
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let in_test = is_test(&item.attrs);
        self.module.push(plain(&item.ident));
        self.names.modules.insert(self.module.clone());
        if in_test || self.in_test {
            self.names.test_modules.insert(self.module.clone());
        }
        self.within(in_test, |reader| visit::visit_item_mod(reader, item));
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
        self.within(in_test, |reader| visit::visit_item(reader, item));
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        let in_test = is_test(&item.attrs);
        self.within(in_test, |reader| visit::visit_impl_item_fn(reader, item));
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.handed_on = !matches!(item.vis, syn::Visibility::Inherited);
        self.use_tree(&item.tree, Vec::new(), item.leading_colon.is_some());
    }

    fn visit_item_extern_crate(&mut self, item: &'ast syn::ItemExternCrate) {
        self.names.opaque.push((item.span().start().line, "`extern crate`"));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let words = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
        self.add(words, path.leading_colon.is_some(), path.span().start().line);
        visit::visit_path(self, path);
    }

    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        if let (Some(_), syn::Type::Path(to)) = (reference.mutability, &*reference.elem)
            && to.path.segments.last().is_some_and(|last| last.ident == "Model")
        {
            self.names.model_borrows.push(reference.span().start().line);
        }
        visit::visit_type_reference(self, reference);
    }

    fn visit_macro(&mut self, invoked: &'ast syn::Macro) {
        if invoked.path.is_ident("include") {
            self.names.opaque.push((invoked.span().start().line, "`include!`"));
        }
        self.visit_path(&invoked.path);
        self.tokens(invoked.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &'ast syn::Attribute) {
        if attribute.path().is_ident("doc") {
            return;
        }
        if attribute.path().is_ident("path") {
            self.names.opaque.push((attribute.span().start().line, "`#[path]`"));
        }
        self.visit_path(attribute.path());
        if let syn::Meta::List(list) = &attribute.meta {
            self.tokens(list.tokens.clone());
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

fn plain(ident: &proc_macro2::Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

/// Returns true if an item with these attributes is compiled only for tests.
pub fn is_test(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.segments.last().is_some_and(|last| last.ident == "test"),
        syn::Meta::List(list) => {
            list.path.is_ident("cfg") && list.tokens.to_string() == "test"
                || list.path.segments.last().is_some_and(|last| last.ident == "test")
        }
        syn::Meta::NameValue(_) => false,
    })
}

/// A path whose target is to be found: the module that contains the path, and the path's segments.
/// `global` is true if the path begins with `::`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Step {
    module: Vec<String>,
    words: Vec<String>,
    global: bool,
}

/// The target of a `use` declaration: its segments, and true if it begins with `::`.
type Bound = (Vec<String>, bool);

/// Finds the targets of paths. Contains an index of the crate's `use` declarations and modules.
pub struct PathResolver<'a> {
    tree: &'a SourceTree,
    /// The targets of `use` declarations. The key is the module, and the name that is introduced in
    /// it.
    bound: BTreeMap<(Vec<String>, String), Vec<Bound>>,
    modules: BTreeSet<Vec<String>>,
    /// The modules that are compiled only for tests.
    pub test_modules: BTreeSet<Vec<String>>,
}

impl<'a> PathResolver<'a> {
    /// Builds the index from the paths and declarations of all files.
    pub fn of(tree: &'a SourceTree, all: &[(&File, Names)]) -> PathResolver<'a> {
        let mut atlas = PathResolver {
            tree,
            bound: BTreeMap::new(),
            modules: all.iter().map(|(file, _)| file.module()).collect(),
            test_modules: BTreeSet::new(),
        };
        for (_, names) in all {
            atlas.modules.extend(names.modules.iter().cloned());
            atlas.test_modules.extend(names.test_modules.iter().cloned());
            for (module, name, words, global) in &names.bound {
                let key = (module.clone(), name.clone());
                atlas.bound.entry(key).or_default().push((words.clone(), *global));
            }
        }
        atlas
    }

    pub fn is_test(&self, module: &[String]) -> bool {
        (1..=module.len()).any(|depth| self.test_modules.contains(&module[..depth]))
    }

    pub fn is_module(&self, path: &[String]) -> bool {
        self.modules.contains(path)
    }

    /// Returns the longest beginning of a path that is a module.
    pub fn module_of<'p>(&self, path: &'p [String]) -> &'p [String] {
        let ends = (1..=path.len()).rev();
        ends.map(|end| &path[..end]).find(|it| self.is_module(it)).unwrap_or_default()
    }

    /// Returns every path that this path can mean. If the path leads through several `use`
    /// declarations, the result contains the path after each declaration.
    ///
    /// A resolved path begins with `crate`, `std` or the name of a dependency, or it is a float
    /// type.
    pub fn meanings(&self, named: &Named) -> BTreeSet<Vec<String>> {
        let mut found = BTreeSet::new();
        let (module, words) = (named.module.clone(), named.words.clone());
        let mut open = vec![Step { module, words, global: named.global }];
        let mut seen = BTreeSet::new();
        while let Some(step) = open.pop() {
            if step.words.len() > 32 || !seen.insert(step.clone()) {
                continue;
            }
            if let Some(meaning) = self.first_word(&step, named.is_use, &mut open) {
                if meaning[0] == "crate" {
                    self.follow(&meaning[1..], &mut open);
                }
                found.insert(meaning);
            }
        }
        found
    }

    /// Resolves the first segment of a path. If a `use` declaration introduces this segment, adds
    /// the declaration's target to `open` instead.
    fn first_word(&self, step: &Step, is_use: bool, open: &mut Vec<Step>) -> Option<Vec<String>> {
        let Step { module, words, global } = step;
        let first = words.first()?.as_str();
        let inside = |base: &[String], rest: &[String]| {
            let root = std::iter::once("crate".to_owned());
            Some(root.chain(base.iter().cloned()).chain(rest.iter().cloned()).collect())
        };
        let is_main = module.first().is_some_and(|module| module == "main");
        match first {
            _ if *global => {}
            "crate" if is_main => return inside(&["main".to_owned()], &words[1..]),
            "crate" => return inside(&[], &words[1..]),
            "self" => return inside(module, &words[1..]),
            "super" => {
                let ups = words.iter().take_while(|word| *word == "super").count();
                let base = &module[..module.len().saturating_sub(ups)];
                return inside(base, &words[ups..]);
            }
            _ if self.is_bound_here(module, words, open) => return None,
            _ => {}
        }
        match first {
            "balcao" => inside(&[], &words[1..]),
            "core" | "alloc" | "std" => {
                let std = std::iter::once("std".to_owned());
                Some(std.chain(words[1..].iter().cloned()).collect())
            }
            "f32" | "f64" => Some(words.to_vec()),
            // A single segment is a variable. The only exception is a crate in a `use` declaration.
            _ if words.len() == 1 && !is_use => None,
            _ if self.tree.crates.iter().any(|name| name == first) => Some(words.to_vec()),
            _ => None,
        }
    }

    fn is_bound_here(&self, module: &[String], words: &[String], open: &mut Vec<Step>) -> bool {
        let mut child = module.to_vec();
        child.push(words[0].clone());
        if self.modules.contains(&child) {
            let own = std::iter::once("self".to_owned()).chain(words.iter().cloned());
            open.push(Step { module: module.to_vec(), words: own.collect(), global: false });
            return true;
        }
        let binds = |to: &&Bound| to.0 != words[..1] || to.1;
        let key = (module.to_vec(), words[0].clone());
        let direct: Vec<_> = self.bound.get(&key).into_iter().flatten().filter(binds).collect();
        for (to, global) in &direct {
            let on = to.iter().chain(&words[1..]).cloned().collect();
            // In `use open::open`, the first segment is the crate `open`. Treat the path as global,
            // because otherwise this segment would be resolved again and again.
            let global = *global || to.first() == words.first();
            open.push(Step { module: module.to_vec(), words: on, global });
        }
        if direct.is_empty() {
            self.through_globs(module, words, open);
        }
        // The name that `use open::open` introduces is also the name of a crate. The declaration
        // must not hide the crate, because the name can still mean the crate.
        direct.iter().any(|(to, _)| to.first() != words.first())
    }

    /// Resolves names that a glob such as `use super::*` imports.
    fn through_globs(&self, module: &[String], words: &[String], open: &mut Vec<Step>) {
        let key = (module.to_vec(), "*".to_owned());
        for (to, global) in self.bound.get(&key).into_iter().flatten() {
            let base = &to[..to.len() - 1];
            if base.first().is_some_and(|first| ["super", "self", "crate"].contains(&&**first)) {
                let on = base.iter().chain(words).cloned().collect();
                open.push(Step { module: module.to_vec(), words: on, global: *global });
            }
        }
    }

    /// Resolves the rest of a path. Follows the `use` declarations of the module at the beginning
    /// of the path.
    fn follow(&self, inside: &[String], open: &mut Vec<Step>) {
        for depth in (0..inside.len()).rev() {
            let (module, rest) = inside.split_at(depth);
            if self.modules.contains(module) || module.is_empty() {
                let mut scratch = Vec::new();
                if self.is_bound_here(module, rest, &mut scratch) || !scratch.is_empty() {
                    scratch.retain(|step| step.words.first().is_none_or(|word| word != "self"));
                    open.append(&mut scratch);
                }
                return;
            }
        }
    }
}
