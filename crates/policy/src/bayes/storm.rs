//! Storms: now and then much of a site changes at once, however seldom its
//! pages change otherwise.

/// Changes a page expects of a storm: 63 % of the pages change.
pub(super) const STORM: f64 = 1.0;

/// Cycles of sites in which one storm is expected before anything is seen.
const FIRST_CYCLES: f64 = 500.0;

/// Cycles of its own a site must be watched to have as much of a say as the
/// collection.
const COLLECTION_CYCLES: f32 = 50.0;

/// The chance of a storm in a cycle before anything is seen.
pub(super) const FIRST_CHANCE: f32 = (1.0 / FIRST_CYCLES) as f32;

/// The storms of a site.
#[derive(Debug, Clone, Copy)]
pub(super) struct Storms {
    /// As many as were seen, each by how sure it was.
    seen: f32,
    /// Cycles in which one would have been.
    watched: f32,
    /// Chance a cycle.
    chance: f32,
}

impl Storms {
    /// A site of a collection in which storms have that chance.
    pub(super) const fn new(chance: f32) -> Self {
        Self {
            seen: 0.0,
            watched: 0.0,
            chance,
        }
    }

    /// Chance that there was one in so many cycles.
    pub(super) fn over(&self, cycles: u32) -> f32 {
        1.0 - (1.0 - self.chance).powi(cycles.cast_signed())
    }

    /// Cycles of which it is known whether there was one: those it was awake in.
    pub(super) const fn watched(&self) -> f32 {
        self.watched
    }

    /// Takes in that there was one in so many cycles, with that chance.
    pub(super) fn learn(&mut self, chance: f32, cycles: f32) {
        self.seen += chance;
        self.watched += cycles;
    }

    /// Weighs the site's own storms with the collection's chance.
    pub(super) fn reweigh(&mut self, collection: f32) {
        let expected = collection * COLLECTION_CYCLES;
        self.chance = (expected + self.seen) / (COLLECTION_CYCLES + self.watched);
    }
}

/// The collection's chance of a storm in a cycle of a site.
pub(super) fn pooled(sites: impl Iterator<Item = Storms>) -> f32 {
    let (mut seen, mut watched) = (1.0, FIRST_CYCLES);
    for storms in sites {
        seen += f64::from(storms.seen);
        watched += f64::from(storms.watched);
    }
    (seen / watched) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_had_storms_expects_more_than_its_collection_and_others_fewer() {
        let mut calm = Storms::new(FIRST_CHANCE);
        let mut stormy = calm;
        for cycle in 0..100 {
            calm.learn(0.0, 1.0);
            stormy.learn(if cycle % 20 == 0 { 1.0 } else { 0.0 }, 1.0);
        }
        let collection = pooled([calm, stormy].into_iter());
        assert!((collection - 6.0 / 700.0).abs() < 1e-6, "{collection}");
        calm.reweigh(collection);
        stormy.reweigh(collection);
        assert!(stormy.chance > 0.03 && calm.chance < 0.005);
        assert!((stormy.over(2) - (1.0 - (1.0 - stormy.chance).powi(2))).abs() < 1e-6);
    }
}
