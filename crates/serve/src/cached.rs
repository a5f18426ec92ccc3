//! Answers that are worth keeping for a while: [`Cached`].

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use recrawl_watch::{Clock, SystemClock};

/// Least time an answer is kept.
const LEAST: Duration = Duration::from_secs(1);

/// An answer is kept for so many times what it cost, so that making it takes a
/// twentieth of a core at most, however many ask.
const TIMES_COST: u32 = 20;

/// An answer that costs more is not waited for, not even by who knows that it
/// is stale.
const WAITED_FOR: Duration = Duration::from_millis(200);

/// An answer and when it was made. Who asks for a stale one gets it at once,
/// and a new one is made beside; only the first is waited for.
pub(crate) struct Cached<T>(Arc<Slot<T>>);

struct Slot<T> {
    kept: Mutex<Option<Kept<T>>>,
    making: tokio::sync::Mutex<()>,
}

struct Kept<T> {
    value: Arc<T>,
    made: Duration,
    cost: Duration,
    stale: bool,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Arc::new(Slot {
            kept: Mutex::new(None),
            making: tokio::sync::Mutex::new(()),
        }))
    }
}

impl<T: Send + Sync + 'static> Cached<T> {
    /// The answer, made by `make` on a thread for long work if it is missing or
    /// stale; an error is not kept.
    pub(crate) async fn get<E>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<Arc<T>, E>
    where
        E: From<tokio::task::JoinError> + Send + 'static,
    {
        match self.0.known() {
            Some((fresh, true)) => Ok(fresh),
            Some((stale, false)) => {
                let slot = Arc::clone(&self.0);
                tokio::spawn(async move {
                    if let Ok(_making) = slot.making.try_lock() {
                        let _ = slot.make(make).await; // the next one asks again
                    }
                });
                Ok(stale)
            }
            None => {
                let _making = self.0.making.lock().await;
                match self.0.known() {
                    Some((made_meanwhile, _)) => Ok(made_meanwhile),
                    None => self.0.make(make).await,
                }
            }
        }
    }

    /// Something changed that the answer does not know. A cheap answer is
    /// forgotten, a dear one is made anew when it is next asked for.
    pub(crate) fn changed(&self) {
        let mut slot = self.0.lock();
        let dear = |kept: &Kept<T>| kept.cost > WAITED_FOR;
        match &mut *slot {
            Some(kept) if dear(kept) => kept.stale = true,
            _ => *slot = None,
        }
    }
}

impl<T: Send + Sync + 'static> Slot<T> {
    fn lock(&self) -> MutexGuard<'_, Option<Kept<T>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept, and whether it is fresh.
    fn known(&self) -> Option<(Arc<T>, bool)> {
        let kept = self.lock();
        let kept = kept.as_ref()?;
        let age = SystemClock.steady().saturating_sub(kept.made);
        let fresh = !kept.stale && age < LEAST.max(kept.cost * TIMES_COST);
        Some((Arc::clone(&kept.value), fresh))
    }

    async fn make<E>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<Arc<T>, E>
    where
        E: From<tokio::task::JoinError> + Send + 'static,
    {
        let began = SystemClock.steady();
        let value = Arc::new(tokio::task::spawn_blocking(make).await??);
        let made = SystemClock.steady();
        *self.lock() = Some(Kept {
            value: Arc::clone(&value),
            made,
            cost: made.saturating_sub(began),
            stale: false,
        });
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn an_answer_is_made_once_until_something_changes() {
        let made = Arc::new(AtomicU32::new(0));
        let cached = Cached::default();
        let ask = async || {
            let made = Arc::clone(&made);
            let make = move || Ok::<_, tokio::task::JoinError>(made.fetch_add(1, Ordering::SeqCst));
            *cached.get(make).await.expect("no error")
        };
        assert_eq!((ask().await, ask().await), (0, 0));
        cached.changed();
        assert_eq!(ask().await, 1);
    }

    #[tokio::test]
    async fn a_dear_answer_that_is_stale_is_told_while_another_is_made() {
        let cached = Cached::default();
        *cached.0.lock() = Some(Kept {
            value: Arc::new("old"),
            made: SystemClock.steady(),
            cost: WAITED_FOR * 2,
            stale: false,
        });
        cached.changed();
        let quick = || Ok::<_, tokio::task::JoinError>("new");
        assert_eq!(*cached.get(quick).await.expect("no error"), "old");
        while *cached.get(quick).await.expect("no error") == "old" {
            tokio::task::yield_now().await;
        }
    }
}
