//! Changes single settings in the seller's TOML files. Comments and the order of the lines stay as
//! they are.
//!
//! A file is not written if another program changed it after it was read.

use std::io::{self, ErrorKind};
use std::path::Path;

use toml_edit::{Array, DocumentMut, Item, RawString, Table, TableLike, Value};

use super::files::{read_text, replace_if};
use crate::contract::SettingValue;

/// The reason why a setting was not written to a file.
#[derive(Debug, thiserror::Error)]
pub enum EditError {
    #[error("{0}")]
    Syntax(String),
    /// A part of the setting's dotted name is a plain value in the file, although it should be a
    /// table. For example, `withdrawal.unit` cannot be set if the file has a number at
    /// `withdrawal`.
    #[error("`{0}` is no table")]
    NoTable(String),
    /// Another program changed the file after it was read.
    #[error("another program changed the file meanwhile")]
    Changed,
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// The TOML text with the setting `name` set to `value`. A name is a path such as
/// `["withdrawal", "unit"]`.
pub fn with_line(text: &str, name: &[&str], value: &SettingValue) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = name.split_last() else {
        return Ok(text.to_owned());
    };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, part) in parents.iter().enumerate() {
        let dotted = table.is_dotted() && depth > 0;
        let item = table.entry(part).or_insert_with(|| new_table(dotted));
        table = item
            .as_table_like_mut()
            .ok_or_else(|| EditError::NoTable(name[..=depth].join(".")))?;
    }
    let mut new_value = toml_value(value);
    match table.get_mut(key) {
        Some(Item::Value(old_value)) => {
            // Keep the spaces and the comment around the value that is replaced.
            *new_value.decor_mut() = old_value.decor().clone();
            *old_value = new_value;
        }
        Some(_) => return Err(EditError::NoTable(name.join("."))),
        None => {
            table.insert(key, Item::Value(new_value));
        }
    }
    Ok(restore_line_ends(text, document.to_string()))
}

/// The TOML text without the table `name`, such as `["profiles", "loja", "team"]`. The comments
/// above its heading stay. Without such a table, the text stays the same.
pub fn without_table(text: &str, name: &[&str]) -> Result<String, EditError> {
    let mut document = parse(text)?;
    let Some((key, parents)) = name.split_last() else {
        return Ok(text.to_owned());
    };
    let mut table: &mut dyn TableLike = document.as_table_mut();
    for (depth, part) in parents.iter().enumerate() {
        let Some(item) = table.get_mut(part) else {
            return Ok(text.to_owned());
        };
        table = item
            .as_table_like_mut()
            .ok_or_else(|| EditError::NoTable(name[..=depth].join(".")))?;
    }
    let Some(removed) = table.remove(key) else {
        return Ok(text.to_owned());
    };
    if let Some(removed) = removed.as_table() {
        keep_comments(&mut document, removed);
    }
    Ok(restore_line_ends(text, document.to_string()))
}

/// Moves the comments above the heading of a removed table to the next heading, or to the end.
fn keep_comments(document: &mut DocumentMut, removed: &Table) {
    let above = removed.decor().prefix().and_then(RawString::as_str);
    let Some(above) = above.filter(|text| text.contains('#')) else {
        return;
    };
    let mut positions = Vec::new();
    for_each_table(document.as_table_mut(), &mut |table| {
        positions.extend(table.position());
    });
    let next = positions
        .into_iter()
        .filter(|position| Some(*position) > removed.position())
        .min();
    let Some(next) = next else {
        let rest = document.trailing().as_str().unwrap_or_default();
        let text = format!("{above}{rest}");
        document.set_trailing(text);
        return;
    };
    for_each_table(document.as_table_mut(), &mut |table| {
        if table.position() == Some(next) {
            let prefix = table.decor().prefix().and_then(RawString::as_str);
            let text = format!("{above}{}", prefix.unwrap_or_default());
            table.decor_mut().set_prefix(text);
        }
    });
}

/// Calls a function for each table with a heading inside a table.
fn for_each_table(table: &mut Table, each: &mut impl FnMut(&mut Table)) {
    for (_, item) in table.iter_mut() {
        match item {
            Item::Table(table) => {
                each(table);
                for_each_table(table, each);
            }
            Item::ArrayOfTables(tables) => {
                for table in tables.iter_mut() {
                    each(table);
                    for_each_table(table, each);
                }
            }
            Item::None | Item::Value(_) => {}
        }
    }
}

fn parse(text: &str) -> Result<DocumentMut, EditError> {
    text.parse()
        .map_err(|error: toml_edit::TomlError| EditError::Syntax(error.message().to_owned()))
}

/// Restores CRLF line ends if all lines of the original text had them, because `toml_edit` writes
/// LF.
fn restore_line_ends(old_text: &str, new_text: String) -> String {
    let newlines = old_text.matches('\n').count();
    let crlf = old_text.matches("\r\n").count();
    if crlf > 0 && newlines == crlf {
        new_text.replace('\n', "\r\n")
    } else {
        new_text
    }
}

/// A new table. Its `[heading]` is written only if the table itself contains a value, not just
/// other tables.
fn new_table(dotted: bool) -> Item {
    let mut table = Table::new();
    table.set_implicit(true);
    table.set_dotted(dotted);
    Item::Table(table)
}

fn toml_value(value: &SettingValue) -> Value {
    match value {
        SettingValue::Text(text) => text.as_str().into(),
        SettingValue::Flag(flag) => (*flag).into(),
        SettingValue::Whole(number) => (*number).into(),
        SettingValue::Texts(texts) => Value::Array(texts.iter().collect::<Array>()),
        SettingValue::Wholes(numbers) => Value::Array(numbers.iter().copied().collect::<Array>()),
    }
}

/// The number of tries to change a file that other programs change at the same time.
const MAX_TRIES: usize = 3;

/// Replaces the text of a file with the result of `edit`, which gets the current text. A missing
/// file counts as empty. If another program changes the file meanwhile, its new text is edited.
pub fn edit_file(
    path: &Path,
    edit: impl Fn(&str) -> Result<String, EditError>,
) -> Result<(), EditError> {
    for _ in 0..MAX_TRIES {
        let before = read_if_any(path)?;
        let old_text = before.as_deref().unwrap_or_default();
        let text = edit(old_text)?;
        if text == old_text {
            return Ok(());
        }
        match replace_file(path, before.as_deref(), &text) {
            Err(EditError::Changed) => {}
            result => return result,
        }
    }
    Err(EditError::Changed)
}

/// Reads a text file. Returns `None` if the file does not exist.
pub fn read_if_any(path: &Path) -> io::Result<Option<String>> {
    match read_text(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Replaces the text of a file, if the file still contains `old_text`.
pub fn replace_file(path: &Path, old_text: Option<&str>, text: &str) -> Result<(), EditError> {
    let is_replaced = replace_if(path, text, || Ok(read_if_any(path)?.as_deref() == old_text))?;
    if is_replaced {
        Ok(())
    } else {
        Err(EditError::Changed)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn text(value: &str) -> SettingValue {
        SettingValue::Text(value.into())
    }

    fn set(before: &str, name: &str, value: &SettingValue) -> String {
        let name: Vec<&str> = name.split('.').collect();
        let after = with_line(before, &name, value).unwrap();
        // Check that the value can be read back under its name.
        let mut value_read: toml::Value = toml::from_str(&after).unwrap();
        for part in &name {
            value_read = value_read[*part].clone();
        }
        let expected: toml::Value = toml::from_str(&format!("a = {}", toml_value(value))).unwrap();
        assert_eq!(value_read, expected["a"], "{after}");
        after
    }

    #[test]
    fn existing_line_changes_and_nothing_around_it() {
        let before =
            "# my shop\n[fee_preview]\nfee = [ \"/taxa\" ]  # theirs\n\n# keep\nnet=['/n']\n";
        let after = set(
            before,
            "fee_preview.net",
            &SettingValue::Texts(vec!["/liquido".into()]),
        );
        assert_eq!(after, before.replace("['/n']", "[\"/liquido\"]"));
        let after = set(
            before,
            "fee_preview.fee",
            &SettingValue::Texts(vec!["/f".into()]),
        );
        assert_eq!(after, before.replace("[ \"/taxa\" ]", "[\"/f\"]"));
    }

    #[test]
    fn new_line_is_added_to_its_table() {
        let before = "[login]\npath = '/in' # theirs\n\n[withdrawal]\npath = '/out'\n";
        let after = set(before, "login.method", &text("PUT"));
        assert_eq!(
            after,
            before.replace("# theirs\n", "# theirs\nmethod = \"PUT\"\n")
        );
        let after = set("", "withdrawal.unit", &text("centavos"));
        assert_eq!(after, "[withdrawal]\nunit = \"centavos\"\n");
        let after = set("", "withdrawal.field.centre.name", &text("centro_custo"));
        assert_eq!(
            after,
            "[withdrawal.field.centre]\nname = \"centro_custo\"\n"
        );
        let after = set(
            "lang = 'en'\n",
            "profiles.loja.base-url",
            &text("https://x"),
        );
        assert_eq!(
            after,
            "lang = 'en'\n\n[profiles.loja]\nbase-url = \"https://x\"\n"
        );
    }

    #[test]
    fn line_ends_of_another_system_stay() {
        let before = "# my shop\r\n[login]\r\npath = '/in' # theirs\r\n";
        let after = set(before, "login.method", &text("PUT"));
        assert_eq!(after, format!("{before}method = \"PUT\"\r\n"));
    }

    #[test]
    fn dotted_names_and_inline_tables_edited_in_place() {
        let before = "withdrawal.unit = 'reais' # said so\nwithdrawal.field.key.name = 'k'\n";
        let after = set(before, "withdrawal.field.key.name", &text("chave"));
        assert_eq!(after, before.replace("'k'", "\"chave\""));
        let after = set(before, "withdrawal.field.centre.name", &text("c"));
        assert!(after.starts_with(before.lines().next().unwrap()), "{after}");
        let inline = "[withdrawal]\nfield.key = { name = 'k', kind = 'text' }\n";
        let after = set(inline, "withdrawal.field.key.name", &text("chave"));
        assert_eq!(after, inline.replace("'k'", "\"chave\""));
        set(
            inline,
            "withdrawal.field.key.required",
            &SettingValue::Flag(true),
        );
        set(
            inline,
            "withdrawal.success",
            &SettingValue::Wholes(vec![202]),
        );
        set(
            inline,
            "withdrawal.retention_seconds",
            &SettingValue::Whole(1_200),
        );
    }

    #[test]
    fn non_table_parent_and_broken_file_are_errors() {
        let unit = |before| with_line(before, &["withdrawal", "unit"], &text("reais"));
        assert!(matches!(unit("withdrawal = 3"), Err(EditError::NoTable(_))));
        assert!(matches!(
            unit("withdrawal.unit.a = 3"),
            Err(EditError::NoTable(_))
        ));
        assert!(matches!(unit("withdrawal = ["), Err(EditError::Syntax(_))));
    }

    proptest::proptest! {
        #[test]
        fn any_text_value_reads_back_and_rest_is_unchanged(
            value in ".{0,40}", name in "[a-z_-]{1,12}",
        ) {
            let before = "# a\n[create_link]\nurl = ['/u'] # b\n\n[domains]\nlist = 'x'\n";
            let after = set(before, &format!("create_link.{name}"), &text(&value));
            let mut edited: toml::Table = toml::from_str(&after).unwrap();
            let mut original: toml::Table = toml::from_str(before).unwrap();
            for table in [&mut edited, &mut original] {
                table["create_link"].as_table_mut().unwrap().remove(&name);
            }
            proptest::prop_assert_eq!(edited, original);
            proptest::prop_assert!(after.contains("# a\n") && after.contains("# b\n"));
        }
    }

    #[test]
    fn removed_table_leaves_the_rest_and_its_comments() {
        let name = ["profiles", "loja", "team"];
        let table = "[profiles.loja.team]\nid = 'x' # of the team\ndatabase = 'y'\n";
        for (before, after) in [
            ("# a\n[profiles.loja]\nbase-url = 'u' # b\n\n", ""),
            (
                "[profiles.loja]\nbase-url = 'u'\n# above\n",
                "\n# c\n[links]\ncopy = true\n",
            ),
            ("", "[profiles.feira.team]\nid = 'z'\n# end\n"),
        ] {
            let text = format!("{before}{table}{after}");
            let text = without_table(&text, &name).unwrap();
            let comments = before.contains("above").then_some("# above\n\n# c\n");
            assert!(text.contains(comments.unwrap_or_default()), "{text}");
            let rest: toml::Table = text.parse().unwrap();
            let mut expected: toml::Table = format!("{before}{after}").parse().unwrap();
            expected
                .entry("profiles")
                .or_insert(toml::Table::new().into());
            assert_eq!(rest.get("profiles"), expected.get("profiles"), "{text}");
            for comment in ["# a\n", "# b\n", "# end\n"] {
                let is_given = before.contains(comment) || after.contains(comment);
                assert_eq!(text.contains(comment), is_given, "{text}");
            }
            assert!(!text.contains("of the team"), "{text}");
            assert_eq!(without_table(&text, &name).unwrap(), text);
        }
        for same in [
            "profiles.loja.team.id = 'x'\n",
            "profiles.loja.team = { id = 'x' }\n",
        ] {
            let text = without_table(&format!("{same}lang = 'en'\n"), &name).unwrap();
            assert_eq!(text.trim(), "lang = 'en'", "{same}");
        }
        let last = format!(
            "[profiles.loja]\r\n# mine\r\n{}",
            table.replace('\n', "\r\n")
        );
        let text = without_table(&last, &name).unwrap();
        assert_eq!(text, "[profiles.loja]\r\n# mine\r\n");
        assert!(matches!(
            without_table("profiles = 3", &name),
            Err(EditError::NoTable(_))
        ));
    }

    #[test]
    fn edit_sees_the_change_of_another_program() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        let is_first = std::cell::Cell::new(true);
        let edit = |text: &str| {
            // Another program writes its setting after the first read.
            if is_first.replace(false) {
                fs::write(&path, "theirs = 1\n").unwrap();
            }
            with_line(text, &["mine"], &SettingValue::Whole(2))
        };
        edit_file(&path, edit).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "theirs = 1\nmine = 2\n");
    }

    #[test]
    fn file_changed_by_others_is_not_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        fs::write(&path, "theirs = 1\n").unwrap();
        for old_text in [None, Some("mine = 1\n")] {
            let result = replace_file(&path, old_text, "mine = 2\n");
            assert!(matches!(result, Err(EditError::Changed)), "{result:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs = 1\n");
        }
    }
}
