//! What the looks of a cycle teach of a site once it is over.

use super::{
    Activity, CALIBRATED_BY, CALIBRATION_MOST, CALIBRATION_WEIGHT, KEPT, SiteRate, is_steady,
    mean_of,
};
use crate::bayes::burst_law::{LawWeights, laws_over, mixture, weigh};
use crate::bayes::levels::FINE;

impl Activity {
    /// Closes the cycle: judges the laws and whether the site is silent, and says how
    /// busy it was. The first cycle looked at counts as usual: only later ones can be
    /// compared.
    pub(in crate::bayes) fn close(&mut self, cycles: u32, known: SiteRate) -> f64 {
        if self.looked == 0 {
            return 1.0;
        }
        let laws = laws_over(cycles);
        let looks = self.likelihood(None);
        let likelihood = known.doubt.behind(&looks);
        let stormy = self.storms.over(cycles);
        let storm = stormy * looks[FINE - 1];
        let states = self.silence.over(cycles, known.falls);
        let mut silent = states.silent_levels();
        for (mass, likelihood) in silent.iter_mut().zip(&looks) {
            *mass *= likelihood;
        }
        let silent = self.sums(&silent);
        for (score, law) in self.scores.iter_mut().zip(laws) {
            let foretold: f32 = law.iter().zip(&likelihood).map(|(a, b)| a * b).sum();
            let foretold = states.awake * ((1.0 - stormy) * foretold + storm) + silent[0];
            *score = *score * KEPT + foretold.max(f32::MIN_POSITIVE).ln();
        }
        let law = mixture(laws, self.weights);
        let (mut mass, mut sum, mut usual, mut expected) = (0.0, 0.0, 0.0, 0.0);
        for (index, (prior, likelihood)) in law.iter().zip(&likelihood).enumerate() {
            let held = self.held(index);
            let at_most = held.min(CALIBRATED_BY * self.calibration);
            expected += prior * at_most;
            mass += prior * likelihood;
            sum += prior * likelihood * held;
            usual += prior * likelihood * at_most;
        }
        if mass <= 0.0 {
            (mass, sum, usual) = (1.0, self.calibration, expected);
        }
        if !self.met {
            self.met = true;
            self.storms.learn(0.0, cycles as f32);
            return 1.0;
        }
        let awake = (1.0 - stormy) * mass + storm;
        let stormed = storm / awake;
        let quiet = silent[0] / (states.awake * awake + silent[0]);
        if known.falls > 0.0 {
            self.silence.learn(quiet);
        }
        let watched = (1.0 - quiet) * cycles as f32;
        self.storms.learn((1.0 - quiet) * stormed, watched);
        let level = sum / mass / self.calibration;
        self.calibrate(usual / mass / expected, (1.0 - quiet) * (1.0 - stormed));
        let level = (1.0 - stormed) * level + stormed * self.held(FINE - 1);
        let fading = mean_of(silent).unwrap_or(0.0);
        f64::from((1.0 - quiet) * level + quiet * fading)
    }

    /// Takes in that the site was found so many times as busy as the laws expect,
    /// with so much weight.
    fn calibrate(&mut self, busier: f32, weight: f32) {
        self.calibrated = (self.calibrated + weight).min(CALIBRATION_MOST);
        let share = weight / (CALIBRATION_WEIGHT + self.calibrated);
        self.calibration *= 1.0 + share * (busier - 1.0);
    }

    /// Weighs the laws and storms anew, given those of the collection.
    pub(in crate::bayes) fn reweigh(&mut self, laws: LawWeights, storm: f32) {
        self.weights = weigh(laws, &self.scores);
        self.steady = is_steady(self.weights);
        self.storms.reweigh(storm);
    }
}
