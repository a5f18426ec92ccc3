//! Work that is done beside requests, once at a time: [`Job`].

use std::sync::{Arc, Mutex, PoisonError};

/// Long work and what it came to last.
pub(crate) struct Job<T>(Arc<Mutex<Progress<T>>>);

struct Progress<T> {
    running: bool,
    made: Option<Arc<T>>,
}

impl<T> Default for Job<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(Progress {
            running: false,
            made: None,
        })))
    }
}

impl<T: Send + Sync + 'static> Job<T> {
    /// What it came to last, unless it is being done anew.
    pub(crate) fn known(&self) -> Option<Arc<T>> {
        let progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        progress.made.clone().filter(|_| !progress.running)
    }

    /// Starts it on a thread for long work, unless it runs.
    pub(crate) fn start(&self, work: impl FnOnce() -> T + Send + 'static) {
        let mut progress = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut progress.running, true) {
            return;
        }
        let slot = Arc::clone(&self.0);
        tokio::task::spawn_blocking(move || {
            let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            let mut progress = slot.lock().unwrap_or_else(PoisonError::into_inner);
            progress.running = false;
            if let Ok(made) = made {
                progress.made = Some(Arc::new(made));
            }
        });
    }
}
