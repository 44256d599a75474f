//! One name, one type: a name that stands twice is looked up twice, and found wrongly once.

use std::collections::BTreeMap;

use syn::visit::{self, Visit};

use super::source::House;
use super::table::SAME_NAMES;

/// Types that share their names, and exceptions that nothing needs any more.
pub fn complaints(house: &House) -> Vec<String> {
    against(house, SAME_NAMES)
}

/// The same, with another list of exceptions.
pub fn against(house: &House, exceptions: &[(&str, &str)]) -> Vec<String> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for file in &house.files {
        let mut types = Types { path: &file.path, all: &mut all };
        types.visit_file(&file.syntax);
    }
    let mut found = Vec::new();
    for (name, places) in all.iter().filter(|(_, places)| places.len() > 1) {
        if !exceptions.iter().any(|(known, why)| known == name && !why.trim().is_empty()) {
            let places = places.join(", ");
            found.push(format!("{places}: all are called `{name}`: one name, one type"));
        }
    }
    for (name, _) in exceptions {
        if all.get(*name).is_none_or(|places| places.len() < 2) {
            found.push(format!("SAME_NAMES: `{name}` stands twice no more: take its line out"));
        }
    }
    found
}

/// The types that are defined in a file, but not those inside a function's body.
struct Types<'a> {
    path: &'a str,
    all: &'a mut BTreeMap<String, Vec<String>>,
}

impl Types<'_> {
    fn note(&mut self, name: &syn::Ident) {
        let place = format!("{}:{}", self.path, name.span().start().line);
        self.all.entry(name.to_string()).or_default().push(place);
    }
}

impl<'ast> Visit<'ast> for Types<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Struct(item) => self.note(&item.ident),
            syn::Item::Enum(item) => self.note(&item.ident),
            syn::Item::Union(item) => self.note(&item.ident),
            syn::Item::Trait(item) => self.note(&item.ident),
            syn::Item::Type(item) => self.note(&item.ident),
            _ => {}
        }
        visit::visit_item(self, item);
    }

    /// A type inside a function is seen with everything that uses it.
    fn visit_block(&mut self, _: &'ast syn::Block) {}
}
