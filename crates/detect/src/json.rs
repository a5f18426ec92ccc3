//! The values of a JSON document as text.

use serde_json::Value;

use crate::blocks::Collapsed;

/// A JSON document as lines: one a value, with its key, members of objects in
/// order of their keys. None if it is not JSON, or nested deeper than 127.
///
/// Order in arrays matters, white space and the order of keys do not. Numbers
/// are compared as 64-bit integers or floating-point numbers.
pub(crate) fn json_text(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_start_matches('\u{feff}');
    let value: Value = serde_json::from_str(text).ok()?;
    let mut lines = Collapsed::with_capacity(text.len());
    write(&mut lines, None, &value);
    Some(lines.finish())
}

/// One line for a plain value, a line for each end of an object or array. The
/// parser bounds the depth.
fn write(lines: &mut Collapsed, key: Option<&str>, value: &Value) {
    if let Some(key) = key {
        lines.text(quoted(key).as_bytes());
        lines.text(b": ");
    }
    match value {
        Value::Array(members) => {
            lines.text(b"[");
            lines.end_block();
            for member in members {
                write(lines, None, member);
            }
            lines.text(b"]");
        }
        Value::Object(members) => {
            lines.text(b"{");
            lines.end_block();
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            for (key, member) in members {
                write(lines, Some(key), member);
            }
            lines.text(b"}");
        }
        Value::String(text) => lines.text(quoted(text).as_bytes()),
        Value::Null | Value::Bool(_) | Value::Number(_) => {
            lines.text(value.to_string().as_bytes());
        }
    }
    lines.end_block();
}

/// Quotes and line ends escaped, so that no value looks like two.
fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str) -> String {
        String::from_utf8(json_text(json).expect("JSON")).expect("text")
    }

    #[test]
    fn order_of_keys_and_white_space_do_not_count() {
        assert_eq!(
            text(r#"{"a": 1, "b": [true, null]}"#),
            text("{\"b\":[true,null],\n\"a\":1}")
        );
        assert_eq!(
            text(r#"{"b":[1],"a":"x\ny"}"#),
            "{\n\"a\": \"x\\ny\"\n\"b\": [\n1\n]\n}"
        );
    }

    #[test]
    fn order_in_arrays_and_nesting_count() {
        assert_ne!(text("[1, 2]"), text("[2, 1]"));
        assert_ne!(text("[[1], [2]]"), text("[[1, 2]]"));
        assert_ne!(text(r#"["1"]"#), text("[1]"));
    }

    #[test]
    fn what_is_not_json_is_refused() {
        assert_eq!(json_text("{"), None);
        assert_eq!(json_text(&"[".repeat(100_000)), None);
    }
}
