//! The clocks of a live driver: [`Clock`].

use std::time::Duration;

use recrawl_model::Timestamp;

/// Where a driver reads time. The watcher has [`SystemClock`]; the demo one
/// that runs faster, tests one they turn by hand.
pub trait Clock: Send + Sync {
    /// What the wall clock says.
    fn wall(&self) -> Timestamp;

    /// What a clock says that nobody sets: time since some moment, suspended
    /// time included.
    fn steady(&self) -> Duration;

    /// How long a real wait is in which this clock moves on by `span`.
    fn real(&self, span: Duration) -> Duration;
}

/// The clocks of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn wall(&self) -> Timestamp {
        #[expect(clippy::disallowed_methods, reason = "a driver reads the clock")]
        let now = std::time::SystemTime::now();
        let since = now.duration_since(std::time::UNIX_EPOCH);
        let micros = since.map_or(0, |since| since.as_micros());
        Timestamp::from_micros(i64::try_from(micros).unwrap_or(i64::MAX))
    }

    fn steady(&self) -> Duration {
        let now = rustix::time::clock_gettime(STEADY);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        let nanos = u32::try_from(now.tv_nsec).unwrap_or(0);
        Duration::new(seconds, nanos)
    }

    fn real(&self, span: Duration) -> Duration {
        span
    }
}

/// Runs on while the machine sleeps, so that a laptop's cycles end on time.
#[cfg(target_os = "linux")]
const STEADY: rustix::time::ClockId = rustix::time::ClockId::Boottime;
#[cfg(not(target_os = "linux"))]
const STEADY: rustix::time::ClockId = rustix::time::ClockId::Monotonic;

/// The machine's clocks, `speed` times as fast from when it was made.
#[derive(Debug, Clone, Copy)]
pub struct FastClock {
    began: Timestamp,
    steady: Duration,
    speed: f64,
}

impl FastClock {
    /// A clock that shows `began` now.
    #[must_use]
    pub fn new(began: Timestamp, speed: f64) -> Self {
        Self {
            began,
            steady: SystemClock.steady(),
            speed,
        }
    }
}

impl Clock for FastClock {
    fn wall(&self) -> Timestamp {
        self.began.after(self.steady())
    }

    fn steady(&self) -> Duration {
        let passed = SystemClock.steady().saturating_sub(self.steady);
        passed.mul_f64(self.speed)
    }

    fn real(&self, span: Duration) -> Duration {
        span.div_f64(self.speed)
    }
}
