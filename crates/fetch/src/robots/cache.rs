//! A bounded map from origin to what is known of it.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use recrawl_model::Timestamp;
use tokio::sync::MutexGuard;

use super::stored::Stored;

/// One origin.
#[derive(Debug, Default)]
pub(super) struct Slot {
    stored: Mutex<Option<Arc<Stored>>>,
    /// Held by whoever asks the origin, so that nobody else does meanwhile.
    turn: tokio::sync::Mutex<()>,
}

impl Slot {
    /// What is known, if it need not be asked for again.
    pub(super) fn fresh(&self, now: Timestamp) -> Option<Arc<Stored>> {
        self.stored().filter(|stored| stored.is_fresh(now))
    }

    /// What is known, however old.
    pub(super) fn stored(&self) -> Option<Arc<Stored>> {
        let stored = self.stored.lock();
        stored.unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn store(&self, stored: &Arc<Stored>) {
        let mut place = self.stored.lock().unwrap_or_else(PoisonError::into_inner);
        *place = Some(Arc::clone(stored));
    }

    /// Waits until nobody else is asking the origin.
    pub(super) async fn turn(&self) -> MutexGuard<'_, ()> {
        self.turn.lock().await
    }
}

/// Origins in the order they were met; the first met are the first forgotten.
#[derive(Debug)]
pub(super) struct Cache {
    entries: HashMap<Arc<str>, Entry>,
    order: VecDeque<Arc<str>>,
    weight: usize,
    most_origins: usize,
    most_weight: usize,
}

#[derive(Debug)]
struct Entry {
    slot: Arc<Slot>,
    weight: usize,
}

impl Cache {
    pub(super) fn new(most_origins: usize, most_weight: usize) -> Self {
        Self {
            entries: HashMap::new(),
            order: VecDeque::new(),
            weight: 0,
            most_origins,
            most_weight,
        }
    }

    /// The slot of an origin, a new one where it was not met or is forgotten.
    pub(super) fn slot(&mut self, origin: &str) -> Arc<Slot> {
        if let Some(entry) = self.entries.get(origin) {
            return Arc::clone(&entry.slot);
        }
        let origin: Arc<str> = origin.into();
        let slot = Arc::new(Slot::default());
        let entry = Entry {
            slot: Arc::clone(&slot),
            weight: 0,
        };
        self.entries.insert(Arc::clone(&origin), entry);
        self.order.push_back(origin);
        self.shrink();
        slot
    }

    /// Accounts for the rules now stored in a slot, if it was not forgotten
    /// while they were fetched.
    pub(super) fn settle(&mut self, origin: &str, slot: &Arc<Slot>, weight: usize) {
        if let Some(entry) = self.entries.get_mut(origin)
            && Arc::ptr_eq(&entry.slot, slot)
        {
            self.weight = self.weight - entry.weight + weight;
            entry.weight = weight;
            self.shrink();
        }
    }

    fn shrink(&mut self) {
        while self.order.len() > self.most_origins
            || (self.weight > self.most_weight && self.order.len() > 1)
        {
            let Some(oldest) = self.order.pop_front() else {
                return;
            };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.weight -= entry.weight;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_keeps_its_slot_until_it_is_forgotten() {
        let mut cache = Cache::new(2, 100);
        let a = cache.slot("http://a");
        assert!(Arc::ptr_eq(&a, &cache.slot("http://a")));
        cache.slot("http://b");
        cache.slot("http://c");
        assert_eq!(cache.entries.len(), 2);
        assert!(!Arc::ptr_eq(&a, &cache.slot("http://a")));
    }

    #[test]
    fn heavy_rules_push_out_the_oldest() {
        let mut cache = Cache::new(10, 100);
        for origin in ["http://a", "http://b", "http://c"] {
            let slot = cache.slot(origin);
            cache.settle(origin, &slot, 45);
            cache.settle(origin, &slot, 40);
        }
        assert_eq!((cache.entries.len(), cache.weight), (2, 80));
        assert!(!cache.entries.contains_key("http://a"));
    }

    #[test]
    fn rules_of_a_forgotten_slot_are_not_counted() {
        let mut cache = Cache::new(1, 100);
        let a = cache.slot("http://a");
        cache.slot("http://b");
        cache.settle("http://a", &a, 50);
        assert_eq!(cache.weight, 0);
    }
}
