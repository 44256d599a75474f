//! Checks that the README's pictures and key table match the app.
//!
//! `cargo test --test terminal pictures` checks that the pictures are up to date.
//!
//! To update the README, run `BALCAO_WRITE_README=1 cargo test --test screens readme`.

use balcao::app::ui::action::Action;
use balcao::app::ui::keys::Keymap;
use balcao::trade::KeyTable;
use balcao::words::{Catalogue, Lang};

#[test]
fn the_readme_shows_real_pictures_and_the_real_keys() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let updated = update_generated_parts(&readme);
    if std::env::var_os("BALCAO_WRITE_README").is_some() {
        std::fs::write(path, &updated).unwrap();
    }
    assert!(
        readme == updated,
        "the README is out of date: BALCAO_WRITE_README=1 writes it anew"
    );
    assert!(readme.contains("<!-- keys -->"), "the README lost its keys");
    let pictures = [
        "links",
        "withdrawal-review",
        "withdrawal-unknown-en",
        "link-buyer",
    ];
    for picture in pictures {
        let expected = format!("<!-- picture {picture} -->");
        assert!(
            readme.contains(&expected),
            "the README lost its picture of {picture}"
        );
    }
}

/// Returns the README with its generated parts updated. These parts are between `<!-- NAME -->` and
/// `<!-- end -->`.
fn update_generated_parts(readme: &str) -> String {
    let mut updated = String::new();
    let mut rest = readme;
    while let Some((before, after)) = rest.split_once("<!-- ") {
        let (name, after) = after.split_once(" -->\n").expect("a closed comment");
        let (_, after) = after
            .split_once("<!-- end -->")
            .expect("an end for each beginning");
        updated += &format!("{before}<!-- {name} -->\n{}<!-- end -->", build_part(name));
        rest = after;
    }
    updated + rest
}

fn build_part(name: &str) -> String {
    match name.split_once(' ') {
        Some(("picture", picture)) => picture_markdown(picture),
        _ if name == "keys" => key_table(),
        _ => panic!("the README asks for {name}, which nothing makes"),
    }
}

/// Returns the Markdown for a picture. The title of the SVG is the alternative text.
fn picture_markdown(name: &str) -> String {
    let path = format!("assets/pictures/{name}.svg");
    let full_path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    let svg = std::fs::read_to_string(full_path).expect(&path);
    let (_, title) = svg.split_once("<title id=\"title\">").expect("a title");
    let (title, _) = title.split_once("</title>").expect("the end of a title");
    format!("![{title}]({path})\n")
}

/// The actions in the README's key table, which are the most important ones.
const IMPORTANT_ACTIONS: [Action; 12] = [
    Action::Palette,
    Action::Help,
    Action::New,
    Action::Open,
    Action::Search,
    Action::Copy,
    Action::Qr,
    Action::Send,
    Action::Teach,
    Action::Submit,
    Action::Back,
    Action::Leave,
];

fn key_table() -> String {
    let table: KeyTable = toml::from_str(include_str!("../../assets/keys.toml")).unwrap();
    let keymap = Keymap::from_table(&table).unwrap();
    let words = Catalogue::of(Lang::En);
    let mut rows = String::from("| keys | what they do |\n|---|---|\n");
    for action in IMPORTANT_ACTIONS {
        let keys: Vec<String> = keymap
            .keys(action)
            .iter()
            .map(|key| format!("`{key}`"))
            .collect();
        let explanation = action.help_text(action.label_text(Lang::En), words);
        rows += &format!("| {} | {explanation} |\n", keys.join(" "));
    }
    rows
}
