//! JSON Pointers (RFC 6901), and lists of them that are tried in order.

use serde_json::Value;

/// One place in a JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer(String);

impl Pointer {
    /// Reads a pointer; `None` when it is not one.
    pub fn parse(text: &str) -> Option<Pointer> {
        if !text.is_empty() && !text.starts_with('/') {
            return None;
        }
        let escapes_are_fine =
            text.split('~').skip(1).all(|rest| rest.starts_with('0') || rest.starts_with('1'));
        escapes_are_fine.then(|| Pointer(text.to_owned()))
    }

    /// The pointer to the reply itself, alone.
    pub(super) fn root() -> [Pointer; 1] {
        [Pointer(String::new())]
    }

    /// The pointer's own text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the member it points to.
    pub fn name(&self) -> String {
        let last = self.0.rsplit('/').next().unwrap_or_default();
        last.replace("~1", "/").replace("~0", "~")
    }
}

/// The places where one value may be in a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPaths {
    /// The places, in the order in which they are tried.
    pub pointers: Vec<Pointer>,
}

impl JsonPaths {
    /// Every pointer under every base: all of them under the first base, then under the next.
    pub(super) fn new(bases: &[Pointer], pointers: &[Pointer]) -> JsonPaths {
        let all = bases.iter().flat_map(|base| {
            pointers.iter().map(|pointer| Pointer([base.as_str(), pointer.as_str()].concat()))
        });
        JsonPaths { pointers: all.collect() }
    }

    /// Returns the result of `read` for the first place that it can read.
    pub fn find<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<T> {
        self.found(reply, read).map(|(_, found)| found)
    }

    /// The same, and where it stands.
    pub fn found<'v, T>(
        &self,
        reply: &'v Value,
        read: impl Fn(&'v Value) -> Option<T>,
    ) -> Option<(&Pointer, T)> {
        let at = |pointer| Some((pointer, read(reply.pointer(Pointer::as_str(pointer))?)?));
        self.pointers.iter().find_map(at)
    }

    /// Returns true when there is no place to look.
    pub fn is_empty(&self) -> bool {
        self.pointers.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn places(bases: &[&str], pointers: &[&str]) -> JsonPaths {
        let read = |texts: &[&str]| -> Vec<Pointer> {
            texts.iter().map(|text| Pointer::parse(text).unwrap()).collect()
        };
        JsonPaths::new(&read(bases), &read(pointers))
    }

    #[test]
    fn a_pointer_begins_with_a_slash_and_escapes_well() {
        for fine in ["", "/", "/a/b", "/a~1b/c~0d"] {
            assert!(Pointer::parse(fine).is_some(), "{fine}");
        }
        for wrong in ["a", "a/b", "/a~", "/a~2", "/~~0"] {
            assert!(Pointer::parse(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn the_first_place_that_can_be_read_wins() {
        let reply = json!({"error": {"message": "deep"}, "detail": "late", "data": {"a": "x"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = places(&[""], &["/error", "/error/message", "/detail"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("deep"));
        assert_eq!(places(&["", "/data"], &["/a"]).find(&reply, text).as_deref(), Some("x"));
        assert_eq!(places(&[""], &["/b"]).find(&reply, text), None);
    }

    #[test]
    fn a_base_nearer_to_the_front_wins_over_a_name_nearer_to_the_front() {
        let reply = json!({"b": "outer", "data": {"a": "inner"}});
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let found = places(&["", "/data"], &["/a", "/b"]).find(&reply, text);
        assert_eq!(found.as_deref(), Some("outer"));
    }
}
