//! Why a number is what it is: [`Explanation`].

use std::fmt;

/// A number, what it means, and the numbers it was made from.
///
/// ```
/// use recrawl_model::Explanation;
///
/// let why = Explanation::new(1.1804, "expected gain = importance x P(changed)")
///     .because(Explanation::new(3.0, "importance, set by the user"))
///     .because(Explanation::new(0.3935, "P(changed) = 1 - exp(-rate x days unseen)"));
/// assert_eq!(
///     why.to_string(),
///     "1.1804  expected gain = importance x P(changed)\n  \
///      3.0000  importance, set by the user\n  \
///      0.3935  P(changed) = 1 - exp(-rate x days unseen)\n"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// The number.
    pub value: f64,
    /// What it means, in a few words.
    pub meaning: String,
    /// What it was made from.
    #[serde(rename = "because", skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Explanation>,
}

impl Explanation {
    /// A number and its meaning.
    #[must_use]
    pub fn new(value: f64, meaning: impl Into<String>) -> Self {
        Self {
            value,
            meaning: meaning.into(),
            parts: Vec::new(),
        }
    }

    /// The same with one more number it was made from.
    #[must_use]
    pub fn because(mut self, part: Self) -> Self {
        self.parts.push(part);
        self
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let indent = depth * 2;
        writeln!(f, "{:indent$}{:.4}  {}", "", self.value, self.meaning)?;
        self.parts
            .iter()
            .try_for_each(|part| part.write(f, depth + 1))
    }
}

/// One line a number, those it was made from below it and further in.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}
