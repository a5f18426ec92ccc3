//! The methods by name, and what each is consistent for: [`Method`].

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A way from visits to the distribution of ages. M1 to M6 and G-M4 are those
/// of Li, Cline and Loguinov, "Temporal Update Dynamics under Blind Sampling".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Ages at the last visit before each change.
    M1,
    /// Ages at all visits.
    M2,
    /// Lengths between detected changes, constant visits.
    M3,
    /// Rounded-up ages at all visits, constant visits.
    M4,
    /// M4 from the lengths of complete runs alone, constant visits.
    M5,
    /// M4 stretched to any visits, which biases it.
    GM4,
    /// Share of pairs of visits with a change between, any visits.
    M6,
    /// Maximum likelihood under a falling density, any visits and dates.
    #[default]
    Npmle,
}

/// What a method's own curve tends to as visits go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimates {
    /// The distribution of the age of the page, `G_U`.
    Age,
    /// Neither ages nor lifetimes, unless updates are Poisson.
    Neither,
}

/// A word that names no method.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("`{0}` is no method; choose m1, m2, m3, m4, m5, m6, gm4, npmle or auto")]
pub struct MethodError(pub String);

impl Method {
    /// Every method, in the order of the paper, ours last.
    pub const ALL: [Self; 8] = [
        Self::M1,
        Self::M2,
        Self::M3,
        Self::M4,
        Self::M5,
        Self::GM4,
        Self::M6,
        Self::Npmle,
    ];

    /// The word used on the command line and in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::M1 => "m1",
            Self::M2 => "m2",
            Self::M3 => "m3",
            Self::M4 => "m4",
            Self::M5 => "m5",
            Self::GM4 => "gm4",
            Self::M6 => "m6",
            Self::Npmle => "npmle",
        }
    }

    /// What the method's own curve is consistent for.
    #[must_use]
    pub const fn estimates(self) -> Estimates {
        match self {
            Self::M1 | Self::M3 | Self::GM4 => Estimates::Neither,
            Self::M2 | Self::M4 | Self::M5 | Self::M6 | Self::Npmle => Estimates::Age,
        }
    }

    /// Whether the method assumes visits at a constant interval.
    #[must_use]
    pub const fn needs_constant_visits(self) -> bool {
        matches!(self, Self::M3 | Self::M4 | Self::M5)
    }

    /// Whether the method needs last-modified times.
    #[must_use]
    pub const fn needs_ages(self) -> bool {
        matches!(self, Self::M1 | Self::M2)
    }
}

impl Estimates {
    /// The word used in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Age => "age",
            Self::Neither => "neither",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `auto` is [`Method::Npmle`].
impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        if text == "auto" {
            return Ok(Self::default());
        }
        Self::ALL
            .into_iter()
            .find(|method| method.name() == text)
            .ok_or_else(|| MethodError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_reads_back_and_auto_is_npmle() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
        }
        assert_eq!("auto".parse(), Ok(Method::Npmle));
        assert_eq!("m7".parse::<Method>(), Err(MethodError("m7".to_owned())));
    }
}
