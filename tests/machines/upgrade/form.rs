//! The form in which a journal is written: every field that stands in it, and of what type it is.
//!
//! A number of a schema says nothing of a field that came later and may be missing.

use std::collections::BTreeSet;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

/// The fields of all rows: table, kind of the event, and the way to the field.
pub type Form = BTreeSet<String>;

/// What is JSON in which file: the rows of a table by a name, and their column.
const JSON: [(&str, &str, &str, &str); 2] =
    [("money.db", "event", "kind", "plain"), ("money.db", "event", "kind", "personal")];

/// The form of the journal in a directory.
pub fn of(dir: &Path) -> Form {
    let mut form = Form::new();
    for (file, table, name, column) in JSON {
        let file = dir.join(file);
        let read_only = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let file = Connection::open_with_flags(file, read_only).expect("a database");
        let question = format!("SELECT {name}, {column} FROM {table} WHERE {column} IS NOT NULL");
        let mut rows = file.prepare(&question).expect("a table");
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
        for row in rows.expect("rows") {
            let (name, text): (String, String) = row.expect("a row");
            let value = serde_json::from_str(&text).expect("JSON");
            note(&mut form, &format!("{name} {column}"), &value);
        }
    }
    form
}

fn note(form: &mut Form, way: &str, value: &Value) {
    let is = match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                note(form, &format!("{way}.{name}"), value);
            }
            "an object"
        }
        Value::Array(values) => {
            values.iter().for_each(|value| note(form, &format!("{way}[]"), value));
            "a list"
        }
        Value::String(_) => "a text",
        Value::Number(_) => "a number",
        Value::Bool(_) => "true or false",
        Value::Null => "nothing",
    };
    form.insert(format!("{way}: {is}"));
}
