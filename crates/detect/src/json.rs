//! The values of a JSON document as text.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::lines::Lines;

/// Largest document that is read as JSON, in bytes. Reading takes up to about
/// ten times as much memory.
const MAX_JSON_BYTES: usize = 8 << 20;

/// A JSON document as lines: one a value, with its key, members of objects in
/// order of their keys. None if it is not JSON, nested deeper than 127, or
/// larger than 8 MiB.
///
/// Order in arrays matters, white space between values and the order of keys do
/// not. Numbers are compared as 64-bit integers or floating-point numbers.
pub(crate) fn json_text(text: &str) -> Option<Lines> {
    let text = text.trim_start_matches('\u{feff}');
    if text.len() > MAX_JSON_BYTES {
        return None;
    }
    let mut lines = Vec::with_capacity(text.len());
    let mut parser = serde_json::Deserializer::from_str(text);
    Writer(&mut lines).deserialize(&mut parser).ok()?;
    parser.end().ok()?;
    lines.pop(); // the end of the last line
    Some(Lines::of(lines))
}

/// Writes one value as it is read: a line for a plain one, a line for each end
/// of an object or array and those of its members between them.
struct Writer<'a>(&'a mut Vec<u8>);

impl Writer<'_> {
    fn line(self, text: &str) {
        self.0.extend_from_slice(text.as_bytes());
        self.0.push(b'\n');
    }
}

impl<'de> DeserializeSeed<'de> for Writer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, parser: D) -> Result<(), D::Error> {
        parser.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Writer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.line("null");
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.line(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.line(&value.to_string());
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.line(&value.to_string());
        Ok(())
    }

    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        self.line(&value.to_string());
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.line(&quoted(value));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        Writer(self.0).line("[");
        while members.next_element_seed(Writer(self.0))?.is_some() {}
        self.line("]");
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut written: Vec<(String, Vec<u8>)> = Vec::new();
        while let Some(key) = members.next_key::<String>()? {
            let mut lines = format!("{}: ", quoted(&key)).into_bytes();
            members.next_value_seed(Writer(&mut lines))?;
            written.push((key, lines));
        }
        written.sort_by(|(one, _), (other, _)| one.cmp(other));
        Writer(self.0).line("{");
        for (_, lines) in written {
            self.0.extend(lines);
        }
        self.line("}");
        Ok(())
    }
}

/// Quotes and line ends escaped, so that no value looks like two.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> String {
        String::from_utf8(json_text(json).expect("JSON").text).expect("text")
    }

    #[test]
    fn order_of_keys_and_white_space_do_not_count() {
        assert_eq!(
            text(r#"{"a": 1, "b": [true, null]}"#),
            text("\u{feff}{\"b\":[true,null],\n\"a\":1}\n")
        );
        assert_eq!(
            text(r#"{"b":[1, -2, 0.5],"a":"x\n\"y"}"#),
            "{\n\"a\": \"x\\n\\\"y\"\n\"b\": [\n1\n-2\n0.5\n]\n}"
        );
    }

    #[test]
    fn order_in_arrays_nesting_and_strings_count() {
        assert_ne!(text("[1, 2]"), text("[2, 1]"));
        assert_ne!(text("[[1], [2]]"), text("[[1, 2]]"));
        assert_ne!(text(r#"["1"]"#), text("[1]"));
        assert_ne!(text(r#"["a b"]"#), text(r#"["a  b"]"#));
    }

    #[test]
    fn what_is_not_json_is_refused() {
        for wrong in ["", "{", "[1] 2", "nul", "{\"a\" 1}"] {
            assert_eq!(json_text(wrong), None, "{wrong}");
        }
        assert_eq!(json_text(&"[".repeat(100_000)), None);
        assert_eq!(json_text(&" ".repeat(9 << 20)), None);
    }
}
