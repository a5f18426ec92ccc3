//! Ours beside the published number: [`Row`], and how it is judged.

use serde::{Deserialize, Serialize};

use crate::rounded;

/// Whether ours is what the paper prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Within the tolerance.
    #[serde(rename = "matches")]
    Matches,
    /// Outside it, but above and below the same others as printed.
    #[serde(rename = "same ordering, other level")]
    SameOrdering,
    /// Neither.
    #[serde(rename = "does not match")]
    DoesNotMatch,
}

impl Verdict {
    /// Every verdict, best first.
    pub const ALL: [Self; 3] = [Self::Matches, Self::SameOrdering, Self::DoesNotMatch];

    /// The words used in output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Matches => "matches",
            Self::SameOrdering => "same ordering, other level",
            Self::DoesNotMatch => "does not match",
        }
    }
}

/// One number of a paper beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What is compared.
    pub quantity: String,
    /// What the paper prints; `None` where the print is lost.
    pub published: Option<f64>,
    /// What the formula gives exactly, where ours is compared with that.
    pub exact: Option<f64>,
    /// What this run found; `None` where it found none.
    pub ours: Option<f64>,
    /// Absolute distance up to which ours matches.
    pub tolerance: f64,
    /// The judgement.
    pub verdict: Verdict,
    /// Why, in a sentence.
    pub reason: String,
}

/// What a judgement rests on.
#[derive(Debug, Clone, Copy)]
pub struct Grounds<'a> {
    /// Absolute distance up to which ours matches.
    pub tolerance: f64,
    /// What the tolerance stands for.
    pub basis: &'a str,
    /// Why ours differs, should it.
    pub because: &'a str,
}

/// A published number and ours, one of several that are ordered.
#[derive(Debug, Clone)]
pub struct Member {
    /// What is compared.
    pub quantity: String,
    /// What the paper prints.
    pub published: f64,
    /// What this run found.
    pub ours: f64,
}

/// Rows of one experiment as they are judged.
#[derive(Debug, Default)]
pub struct Judge {
    rows: Vec<Row>,
}

impl Judge {
    /// No rows yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A published number.
    pub fn published(
        &mut self,
        quantity: impl Into<String>,
        published: f64,
        ours: Option<f64>,
        grounds: Grounds<'_>,
    ) {
        let verdict = judge(published, ours, grounds.tolerance);
        self.push(
            quantity.into(),
            (Some(published), None),
            ours,
            verdict,
            grounds,
        );
    }

    /// A published level that comes with an ordering: outside the tolerance it
    /// keeps its ordering if the policies or methods it is compared with lie
    /// where the paper says.
    pub fn level(
        &mut self,
        quantity: impl Into<String>,
        published: f64,
        ours: f64,
        in_order: bool,
        grounds: Grounds<'_>,
    ) {
        let verdict = match judge(published, Some(ours), grounds.tolerance) {
            Verdict::DoesNotMatch if in_order && ours.is_finite() => Verdict::SameOrdering,
            verdict => verdict,
        };
        let said = (Some(published), None);
        self.push(quantity.into(), said, Some(ours), verdict, grounds);
    }

    /// A number whose print is lost, against the formula's exact value.
    pub fn exact(
        &mut self,
        quantity: impl Into<String>,
        exact: f64,
        ours: f64,
        grounds: Grounds<'_>,
    ) {
        let verdict = judge(exact, Some(ours), grounds.tolerance);
        self.push(
            quantity.into(),
            (None, Some(exact)),
            Some(ours),
            verdict,
            grounds,
        );
    }

    /// Published numbers whose order is a claim of its own: one that is not
    /// within the tolerance keeps its ordering if it lies above and below the
    /// same others as printed.
    pub fn family(&mut self, members: &[Member], grounds: Grounds<'_>) {
        for (place, member) in members.iter().enumerate() {
            let mut verdict = judge(member.published, Some(member.ours), grounds.tolerance);
            if verdict == Verdict::DoesNotMatch && keeps_order(members, place) {
                verdict = Verdict::SameOrdering;
            }
            self.push(
                member.quantity.clone(),
                (Some(member.published), None),
                Some(member.ours),
                verdict,
                grounds,
            );
        }
    }

    /// A claim in words, as the share of its comparisons that hold: the paper
    /// says all of them. Without a comparison there is nothing to say.
    pub fn claim(&mut self, quantity: impl Into<String>, holds: &[bool], because: &str) {
        if holds.is_empty() {
            return;
        }
        let held = holds.iter().filter(|&&holds| holds).count();
        let share = held as f64 / holds.len() as f64;
        let basis = format!("{held} of {} comparisons hold", holds.len());
        let because = format!("{basis}; {because}");
        let grounds = Grounds {
            tolerance: 0.0,
            basis: &basis,
            because: &because,
        };
        self.published(quantity, 1.0, Some(share), grounds);
    }

    /// The rows in the order they were judged.
    #[must_use]
    pub fn rows(self) -> Vec<Row> {
        self.rows
    }

    fn push(
        &mut self,
        quantity: String,
        (published, exact): (Option<f64>, Option<f64>),
        ours: Option<f64>,
        verdict: Verdict,
        grounds: Grounds<'_>,
    ) {
        let reason = match verdict {
            Verdict::Matches => grounds.basis.to_owned(),
            Verdict::SameOrdering => format!("ordered as printed; {}", grounds.because),
            Verdict::DoesNotMatch => grounds.because.to_owned(),
        };
        self.rows.push(Row {
            quantity,
            published,
            exact: exact.map(rounded),
            ours: ours.filter(|ours| ours.is_finite()).map(rounded),
            tolerance: rounded(grounds.tolerance),
            verdict,
            reason,
        });
    }
}

/// Whether a number is within the tolerance of what it should be, all three as
/// they are told; the rounding of a difference is forgiven.
fn judge(expected: f64, ours: Option<f64>, tolerance: f64) -> Verdict {
    let expected = rounded(expected);
    match ours.map(rounded) {
        Some(ours) if (ours - expected).abs() <= rounded(tolerance) + 1e-9 * expected.abs() => {
            Verdict::Matches
        }
        _ => Verdict::DoesNotMatch,
    }
}

/// Whether ours at `place` lies above and below the same others as printed;
/// others printed alike say nothing.
fn keeps_order(members: &[Member], place: usize) -> bool {
    let own = &members[place];
    let others = members
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != place);
    let mut compared = others
        .filter(|(_, other)| other.published != own.published)
        .map(|(_, other)| {
            (own.published > other.published) == (own.ours > other.ours) && own.ours != other.ours
        })
        .peekable();
    own.ours.is_finite() && compared.peek().is_some() && compared.all(|same| same)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROUNDS: Grounds<'_> = Grounds {
        tolerance: 0.1,
        basis: "noise",
        because: "other data",
    };

    fn member(published: f64, ours: f64) -> Member {
        Member {
            quantity: String::new(),
            published,
            ours,
        }
    }

    fn verdicts(members: &[Member]) -> Vec<Verdict> {
        let mut judge = Judge::new();
        judge.family(members, GROUNDS);
        judge.rows().into_iter().map(|row| row.verdict).collect()
    }

    #[test]
    fn within_the_tolerance_matches_and_outside_does_not() {
        let mut judge = Judge::new();
        judge.published("a", 1.0, Some(1.1), GROUNDS);
        judge.published("b", 1.0, Some(1.2), GROUNDS);
        judge.published("c", 1.0, None, GROUNDS);
        judge.exact("d", 1.0, f64::NAN, GROUNDS);
        let rows = judge.rows();
        let verdicts: Vec<_> = rows.iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts[0], Verdict::Matches);
        assert_eq!(verdicts[1..], [Verdict::DoesNotMatch; 3]);
        assert_eq!(rows[3].ours, None);
        assert_eq!(rows[0].reason, "noise");
        assert_eq!(rows[1].reason, "other data");
    }

    #[test]
    fn a_level_keeps_its_ordering_only_if_the_others_do() {
        let mut judge = Judge::new();
        judge.level("near", 1.0, 1.05, false, GROUNDS);
        judge.level("far, in order", 1.0, 2.0, true, GROUNDS);
        judge.level("far, out of order", 1.0, 2.0, false, GROUNDS);
        let verdicts: Vec<_> = judge.rows().iter().map(|row| row.verdict).collect();
        assert_eq!(verdicts, Verdict::ALL);
    }

    #[test]
    fn another_level_in_the_same_order_is_told_as_such() {
        let same = verdicts(&[member(1.0, 5.0), member(2.0, 7.0), member(3.0, 3.05)]);
        assert_eq!(
            same,
            [
                Verdict::DoesNotMatch,
                Verdict::DoesNotMatch,
                Verdict::Matches
            ]
        );
        let same = verdicts(&[member(1.0, 5.0), member(2.0, 7.0), member(3.0, 9.0)]);
        assert_eq!(same, [Verdict::SameOrdering; 3]);
    }

    #[test]
    fn breaking_one_member_breaks_the_order_of_those_it_passes() {
        let broken = verdicts(&[member(1.0, 5.0), member(2.0, 9.5), member(3.0, 9.0)]);
        assert_eq!(
            broken,
            [
                Verdict::SameOrdering,
                Verdict::DoesNotMatch,
                Verdict::DoesNotMatch
            ]
        );
    }

    #[test]
    fn a_single_number_or_a_tie_has_no_order_to_keep() {
        assert_eq!(verdicts(&[member(1.0, 5.0)]), [Verdict::DoesNotMatch]);
        let tied = verdicts(&[member(1.0, 5.0), member(2.0, 5.0)]);
        assert_eq!(tied, [Verdict::DoesNotMatch; 2]);
    }

    #[test]
    fn a_claim_matches_only_if_every_comparison_holds() {
        let mut judge = Judge::new();
        judge.claim("all", &[true, true], "");
        judge.claim("some", &[true, false], "one fails");
        judge.claim("none", &[], "never told");
        let rows = judge.rows();
        assert_eq!(rows.len(), 2);
        assert_eq!(rows[0].verdict, Verdict::Matches);
        assert_eq!(
            (rows[1].verdict, rows[1].ours),
            (Verdict::DoesNotMatch, Some(0.5))
        );
        assert_eq!(rows[1].reason, "1 of 2 comparisons hold; one fails");
    }
}
