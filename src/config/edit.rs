//! Changes single settings in the seller's TOML files. Comments and the order of the lines stay as
//! they are.
//!
//! A file is not written if another program changed it after it was read.

use std::io::{self, ErrorKind};
use std::path::Path;

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value};

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
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| EditError::Syntax(error.message().to_owned()))?;
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
