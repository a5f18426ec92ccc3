//! A world that happened: [`RecordedWorld`].

use std::sync::Arc;

use recrawl_model::{PageId, Timestamp};

use crate::world::{TICKS, Tick};
use crate::{Event, Events, Histories, HistoriesError, Population, Window, World};

/// Which pages of the histories are in the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Membership {
    /// Every page that is alive at some moment of the window; pages join when
    /// born and leave when they die or their site ends.
    #[default]
    Everyone,
    /// Only pages that live through the whole window. A site's history reaches
    /// the end if it stops in the last cycle or later: the last update of a
    /// site is hardly ever at the very end.
    AliveThroughout,
}

/// Events of all cycles, sorted by cycle.
#[derive(Debug, Default)]
struct Calendar {
    /// Where the events of cycle i start; one more entry than cycles.
    starts: Vec<usize>,
    events: Vec<Event>,
}

impl Calendar {
    /// A stable counting sort by cycle: the order within a cycle is kept.
    fn new(cycles: u32, dated: &[(u32, Event)]) -> Self {
        let mut starts = vec![0usize; cycles as usize + 1];
        for (cycle, _) in dated {
            starts[*cycle as usize + 1] += 1;
        }
        for cycle in 1..starts.len() {
            starts[cycle] += starts[cycle - 1];
        }
        let mut next = starts.clone();
        let nothing = Event {
            page: PageId(0),
            at: Tick(0),
        };
        let mut events = vec![nothing; dated.len()];
        for &(cycle, event) in dated {
            events[next[cycle as usize]] = event;
            next[cycle as usize] += 1;
        }
        Self { starts, events }
    }

    fn cycle(&self, cycle: usize) -> &[Event] {
        match self.starts.get(cycle..cycle + 2) {
            Some(ends) => &self.events[ends[0]..ends[1]],
            None => &[],
        }
    }
}

/// What is the same for every run over the same window.
#[derive(Debug)]
struct Record {
    population: Arc<Population>,
    births: Calendar,
    changes: Calendar,
    deaths: Calendar,
    rates: Vec<f32>,
}

/// Update histories over a window. Cloning costs nothing and starts anew.
#[derive(Debug)]
pub struct RecordedWorld {
    record: Arc<Record>,
    cycle: usize,
}

impl Clone for RecordedWorld {
    fn clone(&self) -> Self {
        Self {
            record: Arc::clone(&self.record),
            cycle: 0,
        }
    }
}

impl RecordedWorld {
    /// The pages of `histories` that live in `window`.
    ///
    /// # Errors
    /// [`HistoriesError::NobodyStays`] if [`Membership::AliveThroughout`]
    /// leaves no page, [`HistoriesError::Empty`] if nobody lives in the window.
    pub fn new(
        histories: &Histories,
        window: Window,
        membership: Membership,
    ) -> Result<Self, HistoriesError> {
        let everyone = (0..histories.len() as u32).map(PageId);
        let mut members: Vec<PageId> = everyone
            .filter(|&page| belongs(histories, page, window, membership))
            .collect();
        // Pages alive at the start first, then in order of birth.
        members.sort_by_key(|page| histories.pages[page.index()].born.max(window.start));
        let mut recorder = Recorder::new(window, membership);
        for page in members {
            recorder.admit(histories, page);
        }
        if recorder.sites.is_empty() {
            return Err(match membership {
                Membership::Everyone => HistoriesError::Empty,
                Membership::AliveThroughout => HistoriesError::NobodyStays {
                    start: window.start,
                    end: window.end(),
                },
            });
        }
        Ok(Self {
            record: Arc::new(recorder.finish()),
            cycle: 0,
        })
    }
}

fn belongs(histories: &Histories, page: PageId, window: Window, membership: Membership) -> bool {
    let life = &histories.pages[page.index()];
    let (start, end) = (window.start, window.end());
    let until = life.watched_until;
    match membership {
        Membership::Everyone => {
            life.born < end
                && life.died.is_none_or(|died| died > start)
                && until.is_none_or(|stop| stop > start)
        }
        Membership::AliveThroughout => {
            life.born <= start
                && life.died.is_none_or(|died| died > end)
                && until.is_none_or(|stop| stop > window.last_cycle())
        }
    }
}

/// Collects the pages of a window and dates their events.
struct Recorder {
    window: Window,
    membership: Membership,
    sites: Vec<u32>,
    initial: usize,
    weights: Vec<f64>,
    bytes: Vec<u32>,
    births: Vec<(u32, Event)>,
    changes: Vec<(u32, Event)>,
    deaths: Vec<(u32, Event)>,
    rates: Vec<f32>,
}

impl Recorder {
    fn new(window: Window, membership: Membership) -> Self {
        Self {
            window,
            membership,
            sites: Vec::new(),
            initial: 0,
            weights: Vec::new(),
            bytes: Vec::new(),
            births: Vec::new(),
            changes: Vec::new(),
            deaths: Vec::new(),
            rates: Vec::new(),
        }
    }

    /// The cycle and tick of a moment in (start, end]: the end of a cycle
    /// belongs to it.
    fn date(&self, at: Timestamp) -> Option<(u32, Tick)> {
        let micros = at.micros().checked_sub(self.window.start.micros())?;
        let length = i64::try_from(self.window.cycle.as_micros()).ok()?;
        let cycle = micros.checked_sub(1)?.div_euclid(length);
        let inside = micros - cycle * length; // in 1..=length
        let share = inside as f64 / length as f64;
        let tick = Tick((share * TICKS) as u32); // the end itself is the last tick
        (0..i64::from(self.window.cycles))
            .contains(&cycle)
            .then_some((cycle as u32, tick))
    }

    fn admit(&mut self, histories: &Histories, page: PageId) {
        let life = &histories.pages[page.index()];
        let id = PageId(self.sites.len() as u32);
        let event = |at| Event { page: id, at };
        self.sites.push(life.site);
        self.weights.push(life.weight);
        self.bytes.extend(life.bytes);
        let unborn = life.born > self.window.start;
        self.initial += usize::from(!unborn);
        let born = self.date(life.born).filter(|_| unborn);
        self.births
            .extend(born.map(|(cycle, at)| (cycle, event(at))));
        // A site's history holds up to and including its end, a page is gone
        // from the moment of its death on.
        let stop = life.watched_until.map(|end| end.after(MICROSECOND));
        let left = [life.died, stop].into_iter().flatten().min();
        let stays = self.membership == Membership::AliveThroughout;
        let left = left.filter(|_| !stays).and_then(|at| self.date(at));
        self.deaths
            .extend(left.map(|(cycle, at)| (cycle, event(at))));
        let (mut cycles_changed, mut last) = (0u32, None);
        for &at in histories.updates(page) {
            if let Some((cycle, tick)) = self.date(at) {
                self.changes.push((cycle, event(tick)));
                cycles_changed += u32::from(last != Some(cycle));
                last = Some(cycle);
            }
        }
        let first_cycle = born.map_or(0, |(cycle, _)| cycle);
        let last_cycle = left.map_or(self.window.cycles, |(cycle, _)| cycle + 1);
        self.rates.push(rate_of(
            cycles_changed,
            last_cycle.saturating_sub(first_cycle),
        ));
    }

    fn finish(self) -> Record {
        let mut population = Population::new(self.sites)
            .with_initial(self.initial)
            .with_weights(self.weights);
        if self.bytes.len() == population.len() {
            population = population.with_bytes(self.bytes);
        }
        let cycles = self.window.cycles;
        Record {
            population: Arc::new(population),
            births: Calendar::new(cycles, &self.births),
            changes: Calendar::new(cycles, &self.changes),
            deaths: Calendar::new(cycles, &self.deaths),
            rates: self.rates,
        }
    }
}

const MICROSECOND: std::time::Duration = std::time::Duration::from_micros(1);

/// `-ln(1 - X/n)`, X = cycles with a change, n = cycles lived, in changes per
/// cycle. Where every cycle saw a change it would be infinite; X is then held
/// at n - 1/2.
pub(crate) fn rate_of(changed: u32, cycles: u32) -> f32 {
    if cycles == 0 {
        return 0.0;
    }
    let most = f64::from(cycles) - 0.5;
    let share = f64::from(changed).min(most) / f64::from(cycles);
    -(-share).ln_1p() as f32
}

impl World for RecordedWorld {
    fn population(&self) -> &Arc<Population> {
        &self.record.population
    }

    fn next_cycle(&mut self) -> Events<'_> {
        let cycle = self.cycle;
        self.cycle += 1;
        Events {
            births: self.record.births.cycle(cycle),
            changes: self.record.changes.cycle(cycle),
            deaths: self.record.deaths.cycle(cycle),
            ..Events::default()
        }
    }

    fn rate(&self, page: PageId) -> f64 {
        f64::from(self.record.rates[page.index()])
    }
}
