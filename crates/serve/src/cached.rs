//! Answers that are worth keeping for a while: [`Cached`].

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use recrawl_watch::{Clock, SystemClock};

/// Least time an answer is kept.
const LEAST: Duration = Duration::from_secs(1);

/// An answer is kept for so many times what it cost, so that making it takes a
/// twentieth of a core at most, however many ask.
const TIMES_COST: u32 = 20;

/// An answer and when it was made. Who asks for a stale one while another is
/// being made gets the stale one.
pub(crate) struct Cached<T> {
    kept: Mutex<Option<Kept<T>>>,
    making: tokio::sync::Mutex<()>,
}

struct Kept<T> {
    value: Arc<T>,
    made: Duration,
    cost: Duration,
}

impl<T> Default for Cached<T> {
    fn default() -> Self {
        Self {
            kept: Mutex::new(None),
            making: tokio::sync::Mutex::new(()),
        }
    }
}

impl<T: Send + Sync + 'static> Cached<T> {
    /// The answer, made by `make` on a thread for long work if it is missing or
    /// stale; the error is not kept.
    pub(crate) async fn get<E>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send + 'static,
    ) -> Result<Arc<T>, E>
    where
        E: From<tokio::task::JoinError> + Send + 'static,
    {
        if let Some(fresh) = self.known(true) {
            return Ok(fresh);
        }
        let _making = match self.making.try_lock() {
            Ok(guard) => guard,
            Err(_) => match self.known(false) {
                Some(stale) => return Ok(stale),
                None => self.making.lock().await,
            },
        };
        if let Some(fresh) = self.known(true) {
            return Ok(fresh); // made while waiting
        }
        let began = SystemClock.steady();
        let value = Arc::new(tokio::task::spawn_blocking(make).await??);
        let made = SystemClock.steady();
        let kept = Kept {
            value: Arc::clone(&value),
            made,
            cost: made.saturating_sub(began),
        };
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        Ok(value)
    }

    /// What is kept, if it is fresh or need not be.
    fn known(&self, fresh: bool) -> Option<Arc<T>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.as_ref()?;
        let age = SystemClock.steady().saturating_sub(kept.made);
        let good = age < LEAST.max(kept.cost * TIMES_COST);
        (good || !fresh).then(|| Arc::clone(&kept.value))
    }

    /// Forgets what is kept.
    pub(crate) fn clear(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}
