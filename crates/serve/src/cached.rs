//! Answers that are worth keeping for a while: [`Cached`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use recrawl_watch::{Clock, SystemClock};

/// Least time an answer is kept.
const LEAST: Duration = Duration::from_secs(1);

/// An answer is kept for so many times what it cost, so that making it takes a
/// twentieth of a core at most, however many ask.
const TIMES_COST: u32 = 20;

/// An answer that costs more is told though it is stale, while another is made.
const WAITED_FOR: Duration = Duration::from_millis(20);

/// How long such an answer is told, beyond ten times as long as it is kept.
const TOLD: Duration = Duration::from_secs(30);

/// An answer and when it was made. A stale one is made anew and waited for
/// where that is cheap, or where it is too old to be told; otherwise who asks gets
/// the stale one at once, and the next one asks a new one.
pub(crate) struct Cached<T>(Arc<Slot<T>>);

struct Slot<T> {
    kept: Mutex<Option<Kept<T>>>,
    making: tokio::sync::Mutex<()>,
    /// How often something changed.
    changes: AtomicU64,
}

struct Kept<T> {
    value: Arc<T>,
    made: Duration,
    cost: Duration,
    stale: bool,
}

/// How an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Fresh,
    /// To be told, and to be made anew.
    Stale,
    /// Not to be told any more.
    Old,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self(Arc::new(Slot {
            kept: Mutex::new(None),
            making: tokio::sync::Mutex::new(()),
            changes: AtomicU64::new(0),
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
            Some((fresh, State::Fresh)) => Ok(fresh),
            Some((stale, State::Stale)) => {
                let slot = Arc::clone(&self.0);
                tokio::spawn(async move {
                    if let Ok(_making) = slot.making.try_lock() {
                        let _ = slot.make(make).await; // the next one asks again
                    }
                });
                Ok(stale)
            }
            None | Some((_, State::Old)) => {
                // On a task of its own: it is not lost when who asked goes away.
                let slot = Arc::clone(&self.0);
                let making = tokio::spawn(async move {
                    let _making = slot.making.lock().await;
                    match slot.known() {
                        Some((made_meanwhile, State::Fresh | State::Stale)) => Ok(made_meanwhile),
                        None | Some((_, State::Old)) => slot.make(make).await,
                    }
                });
                making.await?
            }
        }
    }

    /// Something changed that the answer does not know. A cheap answer is
    /// forgotten, a dear one is made anew when it is next asked for.
    pub(crate) fn changed(&self) {
        let mut slot = self.0.lock();
        self.0.changes.fetch_add(1, Ordering::AcqRel);
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

    /// What is kept, and how it is.
    fn known(&self) -> Option<(Arc<T>, State)> {
        let kept = self.lock();
        let kept = kept.as_ref()?;
        let age = SystemClock.steady().saturating_sub(kept.made);
        let keep = LEAST.max(kept.cost * TIMES_COST);
        let state = if !kept.stale && age < keep {
            State::Fresh
        } else if kept.cost > WAITED_FOR && age < TOLD + keep * 10 {
            State::Stale
        } else {
            State::Old
        };
        Some((Arc::clone(&kept.value), state))
    }

    async fn make<E>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<Arc<T>, E>
    where
        E: From<tokio::task::JoinError> + Send + 'static,
    {
        let began = SystemClock.steady();
        let changes = self.changes.load(Ordering::Acquire);
        let value = Arc::new(tokio::task::spawn_blocking(make).await??);
        let made = SystemClock.steady();
        *self.lock() = Some(Kept {
            value: Arc::clone(&value),
            made,
            cost: made.saturating_sub(began),
            stale: changes != self.changes.load(Ordering::Acquire),
        });
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

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

    #[tokio::test]
    async fn an_answer_of_last_night_is_not_told() {
        for (cost, age) in [(WAITED_FOR * 2, TOLD * 1_000), (WAITED_FOR / 2, LEAST * 2)] {
            let cached = Cached::default();
            *cached.0.lock() = Some(Kept {
                value: Arc::new("old"),
                made: SystemClock.steady().saturating_sub(age),
                cost,
                stale: false,
            });
            let quick = || Ok::<_, tokio::task::JoinError>("new");
            assert_eq!(*cached.get(quick).await.expect("no error"), "new");
        }
    }
}
