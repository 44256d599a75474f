//! Places in a JSON value: names with dots between.

use serde_json::{Map, Value};

/// The value at a place.
pub(super) fn at<'v>(value: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('.').try_fold(value, |value, name| value.as_object()?.get(name))
}

/// Puts a value at a place.
pub(super) fn put(value: &mut Value, place: &str, new: Value) {
    let mut names = place.split('.').peekable();
    let mut inside = value;
    while let Some(name) = names.next() {
        if !inside.is_object() {
            *inside = Value::Object(Map::new());
        }
        let Some(members) = inside.as_object_mut() else { return };
        let member = members.entry(name).or_insert(Value::Null);
        if names.peek().is_none() {
            *member = new;
            return;
        }
        inside = member;
    }
}

/// Takes the value at a place away; objects that are empty then go with it.
pub(super) fn take(value: &mut Value, place: &str) -> Option<Value> {
    let members = value.as_object_mut()?;
    let Some((name, rest)) = place.split_once('.') else { return members.shift_remove(place) };
    let inside = members.get_mut(name)?;
    let taken = take(inside, rest);
    if inside.as_object().is_some_and(Map::is_empty) {
        members.shift_remove(name);
    }
    taken
}
