use super::*;
use crate::bayes::burst_law::first_weights;
use crate::bayes::storm::FIRST_CHANCE;

fn known() -> SiteRate {
    SiteRate {
        rate: 0.01,
        doubt: RateDoubt::of(1e6),
        falls: 0.0,
    }
}

fn conclude(activity: &mut Activity) {
    assert!(activity.refresh(1, known()));
}

fn opened() -> Activity {
    let storms = Storms::new(FIRST_CHANCE);
    let mut activity = Activity::new(first_weights(), storms, vec![0.0]);
    activity.open(1, 7.0, known());
    activity
}

fn page() -> GammaFilter {
    GammaFilter::new(2.0, 200.0).expect("positive")
}

#[test]
fn a_site_nobody_looked_at_is_about_as_busy_as_usual() {
    let activity = opened();
    // More by the bursts and storms it may have, unseen.
    let mean = activity.mean();
    assert!(mean > 1.0 && mean < 1.6, "{mean}");
    assert_eq!(activity.looked(), 0);
}

#[test]
fn changed_pages_make_a_site_busy_and_unchanged_ones_quiet() {
    let (mut busy, mut quiet) = (opened(), opened());
    for _ in 0..5 {
        busy.look(page(), 0.0, 7.0, true);
        quiet.look(page(), 0.0, 7.0, false);
    }
    conclude(&mut busy);
    conclude(&mut quiet);
    assert!(busy.mean() > 10.0, "{}", busy.mean());
    assert!(quiet.mean() < 1.0, "{}", quiet.mean());
}

#[test]
fn changes_long_past_do_not_make_a_site_busy_now() {
    let mut activity = opened();
    for _ in 0..5 {
        activity.look(page(), 2_000.0, 7.0, true);
    }
    conclude(&mut activity);
    let before = opened().mean();
    assert!(
        (activity.mean() - before).abs() < 0.05,
        "{}",
        activity.mean()
    );
}

#[test]
fn a_site_that_bursts_is_found_to() {
    let mut activity = opened();
    for cycle in 0..40 {
        activity.open(1, 7.0, known());
        for _ in 0..4 {
            activity.look(page(), 0.0, 7.0, cycle % 10 == 0);
        }
        activity.close(1, known());
        activity.reweigh(first_weights(), FIRST_CHANCE);
    }
    let bursty: f32 = activity.weights[4..].iter().sum();
    assert!(bursty > 0.9, "{:?}", activity.weights);
}

#[test]
fn a_storm_on_a_quiet_site_is_known_by_a_few_looks_and_no_sign_of_its_rate() {
    let quiet = SiteRate {
        rate: 1e-5,
        doubt: RateDoubt::of(1e6),
        falls: 0.0,
    };
    let belief = GammaFilter::new(2.0, 2e5).expect("positive");
    let mut activity = opened();
    let mut settled = Vec::new();
    for cycle in 0..30 {
        activity.open(1, 7.0, quiet);
        for _ in 0..4 {
            activity.look(belief, 0.0, 7.0, cycle == 20);
        }
        assert!(activity.refresh(1, quiet));
        if cycle == 20 {
            let changed = activity.mean() * quiet.rate * 7.0;
            assert!(changed > 0.5, "{changed}");
        }
        settled.push(activity.close(1, quiet));
        activity.reweigh(first_weights(), FIRST_CHANCE);
    }
    // The storm takes all its changes upon itself; it moves nothing else.
    assert!(settled[20] > 5_000.0, "{}", settled[20]);
    let after = settled[29] * quiet.rate * 7.0;
    assert!(after < 0.002, "{after}");
    assert!(activity.storms.over(1) > 2.0 * FIRST_CHANCE);
}

#[test]
fn a_lively_site_whose_pages_stay_as_they_are_is_found_silent() {
    let lively = SiteRate {
        rate: 0.1,
        doubt: RateDoubt::of(50.0),
        falls: 0.002,
    };
    let belief = GammaFilter::new(10.0, 100.0).expect("positive");
    let mut activity = opened();
    let mut chances = Vec::new();
    for cycle in 0..30 {
        activity.open(1, 7.0, lively);
        for page in 0..4 {
            // Half of them changes in a cycle, until they no more do.
            activity.look(belief, 0.0, 7.0, cycle < 20 && page % 2 == 0);
        }
        assert!(activity.refresh(1, lively));
        chances.push(activity.silence.now);
        activity.close(1, lively);
        activity.reweigh(first_weights(), FIRST_CHANCE);
    }
    assert!(
        chances[..20].iter().all(|&chance| chance < 0.01),
        "{chances:?}"
    );
    assert!(chances[29] > 0.95, "{chances:?}");
    // If it is awake, it is as busy as ever; it is not believed to be.
    assert!(
        activity.mean() < 0.1 && activity.awake() > 0.2,
        "{}",
        activity.awake()
    );
    // If it woke, pages that changed since the last look tell.
    activity.open(1, 7.0, lively);
    activity.look(belief, 0.0, 7.0, true);
    activity.look(belief, 0.0, 7.0, true);
    assert!(activity.refresh(1, lively));
    assert!(activity.silence.now < 0.2, "{}", activity.silence.now);
}

#[test]
fn pages_that_have_surely_changed_before_say_nothing_of_silence() {
    let lively = SiteRate {
        rate: 0.1,
        doubt: RateDoubt::of(50.0),
        falls: 0.002,
    };
    let belief = GammaFilter::new(10.0, 100.0).expect("positive");
    let mut activity = opened();
    activity.open(40, 280.0, lively);
    let before = activity.silence.now;
    for _ in 0..4 {
        activity.look(belief, 2_000.0, 280.0, true);
    }
    assert!(activity.refresh(40, lively));
    assert!(before > 0.07 && (activity.silence.now / before - 1.0).abs() < 0.01);
}
