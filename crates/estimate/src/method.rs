//! Methods by name, and the settings they share.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use thiserror::Error;

use crate::{
    Auto, Category, CategoryError, Cho, Confidence, DateVariant, Duane, DuaneVariant, Estimator,
    Gamma, GammaFilter, LastModified, Matloff, MaximumLikelihood, Naive, Placement, Weibull,
    WeibullVariant,
};

/// Every method, by the name users give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// [`Auto`].
    Auto,
    /// [`Naive`].
    Naive,
    /// [`Cho`].
    Cho,
    /// [`Matloff`].
    Matloff,
    /// [`MaximumLikelihood`].
    Mle,
    /// [`LastModified`].
    LastModified,
    /// [`Category`].
    Category,
    /// [`Gamma`].
    Gamma,
    /// [`Weibull`].
    Weibull,
    /// [`Duane`].
    Duane,
}

impl Method {
    /// Every method, in the order of the documentation.
    pub const ALL: [Self; 10] = [
        Self::Auto,
        Self::Naive,
        Self::Cho,
        Self::Matloff,
        Self::Mle,
        Self::LastModified,
        Self::Category,
        Self::Gamma,
        Self::Weibull,
        Self::Duane,
    ];

    /// The name users give.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Naive => "naive",
            Self::Cho => "cho",
            Self::Matloff => "matloff",
            Self::Mle => "mle",
            Self::LastModified => "last-modified",
            Self::Category => "category",
            Self::Gamma => "gamma",
            Self::Weibull => "weibull",
            Self::Duane => "duane",
        }
    }

    /// The estimator with these settings.
    ///
    /// # Errors
    /// [`CategoryError`] if the classes of [`Method::Category`] make no sense.
    pub fn build(self, settings: &Settings) -> Result<Box<dyn Estimator>, CategoryError> {
        let confidence = settings.confidence;
        let placement = settings.placement;
        Ok(match self {
            Self::Auto => Box::new(Auto::new(confidence)),
            Self::Naive => Box::new(Naive::new(confidence)),
            Self::Cho => Box::new(Cho::new(confidence)),
            Self::Matloff => Box::new(Matloff::new(confidence)),
            Self::Mle => Box::new(MaximumLikelihood::new(confidence)),
            Self::LastModified => Box::new(LastModified::new(settings.dates, confidence)),
            Self::Category => {
                let prior = settings.category_prior.as_deref();
                Box::new(Category::new(&settings.categories, prior, confidence)?)
            }
            Self::Gamma => Box::new(Gamma {
                prior: settings.prior,
                half_life: settings.half_life,
                confidence,
            }),
            Self::Weibull => Box::new(Weibull::new(settings.weibull, placement, confidence)),
            Self::Duane => Box::new(Duane::new(settings.duane, placement, confidence)),
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no method.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no method `{name}`; choose one of {}", Method::ALL.map(Method::name).join(", "))]
pub struct UnknownMethod {
    /// The name given.
    pub name: String,
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let found = Self::ALL.into_iter().find(|method| method.name() == name);
        found.ok_or_else(|| UnknownMethod {
            name: name.to_owned(),
        })
    }
}

/// Settings of all methods; each takes what it knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Probability with which intervals hold the truth. Default 0.95.
    pub confidence: Confidence,
    /// Which form of `last-modified`. Default corrected.
    pub dates: DateVariant,
    /// Which form of `weibull`. Default check.
    pub weibull: WeibullVariant,
    /// Which form of `duane`. Default cumulative.
    pub duane: DuaneVariant,
    /// Where updates without a date are placed. Default the middle.
    pub placement: Placement,
    /// Mean times between changes of the classes of `category`. Default a day,
    /// a week, 30 days, a year.
    pub categories: Vec<Duration>,
    /// Prior weight of each class. Default all alike.
    pub category_prior: Option<Vec<f64>>,
    /// Prior of `gamma`. Default half a change in half a mean interval.
    pub prior: Option<GammaFilter>,
    /// Time in which `gamma` forgets half. Default never.
    pub half_life: Option<Duration>,
}

impl Default for Settings {
    fn default() -> Self {
        const DAY: Duration = Duration::from_secs(86_400);
        Self {
            confidence: Confidence::default(),
            dates: DateVariant::default(),
            weibull: WeibullVariant::default(),
            duane: DuaneVariant::default(),
            placement: Placement::default(),
            categories: vec![DAY, DAY * 7, DAY * 30, DAY * 365],
            category_prior: None,
            prior: None,
            half_life: None,
        }
    }
}

/// A form of one method, by the name users give to `--variant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Variant {
    /// Of `last-modified`.
    Dates(DateVariant),
    /// Of `weibull`.
    Weibull(WeibullVariant),
    /// Of `duane`.
    Duane(DuaneVariant),
}

/// Every variant by name.
const VARIANTS: [(&str, Variant); 9] = [
    ("corrected", Variant::Dates(DateVariant::Corrected)),
    ("raw", Variant::Dates(DateVariant::Raw)),
    ("hat", Variant::Weibull(WeibullVariant::Hat)),
    ("tilde", Variant::Weibull(WeibullVariant::Tilde)),
    ("check", Variant::Weibull(WeibullVariant::Check)),
    ("bar", Variant::Weibull(WeibullVariant::Bar)),
    ("cumulative", Variant::Duane(DuaneVariant::Cumulative)),
    ("instantaneous", Variant::Duane(DuaneVariant::Instantaneous)),
    ("two-point", Variant::Duane(DuaneVariant::TwoPoint)),
];

/// A name that is no variant.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error(
    "there is no variant `{name}`; choose corrected or raw (last-modified), hat, tilde, check or bar (weibull), cumulative, instantaneous or two-point (duane)"
)]
pub struct UnknownVariant {
    /// The name given.
    pub name: String,
}

impl Variant {
    /// The method it is a form of.
    #[must_use]
    pub const fn method(self) -> Method {
        match self {
            Self::Dates(_) => Method::LastModified,
            Self::Weibull(_) => Method::Weibull,
            Self::Duane(_) => Method::Duane,
        }
    }

    /// Puts the variant into `settings`.
    pub fn apply(self, settings: &mut Settings) {
        match self {
            Self::Dates(variant) => settings.dates = variant,
            Self::Weibull(variant) => settings.weibull = variant,
            Self::Duane(variant) => settings.duane = variant,
        }
    }
}

impl FromStr for Variant {
    type Err = UnknownVariant;

    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        let found = VARIANTS.into_iter().find(|(known, _)| *known == name);
        found
            .map(|(_, variant)| variant)
            .ok_or_else(|| UnknownVariant {
                name: name.to_owned(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_method() {
        for method in Method::ALL {
            assert_eq!(method.name().parse(), Ok(method));
            let built = method
                .build(&Settings::default())
                .expect("defaults are sound");
            assert_eq!(built.name(), method.name());
        }
        let refused = "chow"
            .parse::<Method>()
            .expect_err("no such method")
            .to_string();
        assert!(
            refused.contains("`chow`") && refused.contains("last-modified"),
            "{refused}"
        );
    }

    #[test]
    fn a_variant_changes_only_its_method() {
        let mut settings = Settings::default();
        let variant: Variant = "tilde".parse().expect("a variant");
        variant.apply(&mut settings);
        assert_eq!(variant.method(), Method::Weibull);
        assert_eq!(
            settings,
            Settings {
                weibull: WeibullVariant::Tilde,
                ..Settings::default()
            }
        );
    }
}
