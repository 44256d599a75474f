//! Where others look at the screen, no screen shows anything personal in full.

use balcao::app::Model;
use balcao::app::ui::input::Size;
use balcao::words::Lang;

use crate::models::{all, altered, buffer, rested, text};

/// Everything personal that the models have: keys, an e-mail address, names, a nickname.
const PERSONAL: [&str; 9] = [
    "111.444.777-35",
    "11144477735",
    "529.982.247-25",
    "ana@loja.example",
    "bia@loja.example",
    "x@ladrao.example",
    "ana@loja-da-ana.example",
    "BrunoLima",
    "ContaPJ",
];

/// The sizes at which lists have details beside them, and at which they have not.
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (46, 14)];

/// All of a screen without its blanks: what is broken over two rows is found too.
fn squeezed(model: &Model, (columns, rows): (u16, u16)) -> String {
    let size = Size { columns, rows };
    let model = rested(altered(model.clone(), |model| model.size = size));
    text(&buffer(&model, columns, rows)).chars().filter(|c| !c.is_whitespace()).collect()
}

/// The pages on which the seller agrees to lines of a contract file: no customer is in one.
fn is_of_contract(name: &str) -> bool {
    name.starts_with("consent")
}

#[test]
fn nothing_personal_is_shown_in_full_where_others_look() {
    let mut found = Vec::new();
    for lang in Lang::ALL {
        for (name, model) in all(lang).into_iter().filter(|(name, _)| !is_of_contract(name)) {
            let masked = altered(model, |model| model.masks = true);
            for size in SIZES {
                let shown = squeezed(&masked, size);
                let faults = PERSONAL.iter().filter(|personal| shown.contains(**personal));
                found
                    .extend(faults.map(|one| format!("{name} in {}, {size:?}: {one}", lang.tag())));
            }
        }
    }
    assert!(found.is_empty(), "{}: {}", found.len(), found.join("\n"));
}

#[test]
fn all_of_it_is_shown_where_only_its_owner_looks() {
    let mut missing = PERSONAL.to_vec();
    for (_, model) in all(Lang::Pt) {
        let shown = SIZES.map(|size| squeezed(&model, size)).concat();
        missing.retain(|personal| !shown.contains(personal));
    }
    assert!(missing.is_empty(), "{missing:?}");
}
