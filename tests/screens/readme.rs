//! The README shows the program as it is: its screens and its key table are checked, not typed.
//!
//! `BALCAO_WRITE_README=1 cargo test --test screens readme` writes them anew.

use balcao::app::ui::action::{Action, Place};
use balcao::app::ui::keys::Keymap;
use balcao::trade::KeyTable;
use balcao::words::{Lang, Words};

use crate::models::{all, screen};

#[test]
fn the_readme_shows_real_screens_and_the_real_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let fresh = filled_in(&readme);
    if std::env::var_os("BALCAO_WRITE_README").is_some() {
        std::fs::write(path, &fresh).unwrap();
    }
    assert!(readme == fresh, "the README is out of date: BALCAO_WRITE_README=1 writes it anew");
    for wanted in ["screen links", "screen review", "keys"] {
        assert!(readme.contains(&format!("<!-- {wanted}")), "the README lost its {wanted}");
    }
}

/// The README with everything between `<!-- NAME -->` and `<!-- end -->` made anew.
fn filled_in(readme: &str) -> String {
    let mut fresh = String::new();
    let mut rest = readme;
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (name, after) = after.split_once(" -->\n").expect("a closed comment");
        let (_, after) = after.split_once("<!-- end -->").expect("an end for each beginning");
        fresh += &format!("{before}<!-- {name} -->\n{}<!-- end -->", made(name));
        rest = after;
    }
    fresh + rest
}

fn made(name: &str) -> String {
    match name.split_once(' ') {
        Some(("screen", screen)) => shown(screen, Lang::Pt),
        Some(("screen-en", screen)) => shown(screen, Lang::En),
        _ if name == "keys" => key_table(),
        _ => panic!("the README asks for {name}, which nothing makes"),
    }
}

fn shown(name: &str, lang: Lang) -> String {
    let models = all(lang);
    let (_, model) = models.iter().find(|(known, _)| *known == name).expect(name);
    let screen = screen(model);
    let lines: Vec<&str> = screen.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n", lines.join("\n").trim_end())
}

fn key_table() -> String {
    let table: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
    let keymap = Keymap::from_table(&table).unwrap();
    let words = Words::of(Lang::En);
    let mut rows = String::from("| where | keys | what they do |\n|---|---|---|\n");
    for place in Place::ALL {
        for action in Action::ALL.iter().filter(|action| action.place() == place) {
            let keys: Vec<String> =
                keymap.keys(*action).iter().map(|key| format!("`{key}`")).collect();
            let does = words.text(&format!("action-{}.help", action.name()));
            rows += &format!("| {} | {} | {does} |\n", place.name(), keys.join(" "));
        }
    }
    rows
}
