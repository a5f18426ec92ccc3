//! Politeness: which host may be visited when, [`Hosts`].

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::time::Duration;

use recrawl_model::Timestamp;

/// How hosts are treated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    /// Least time between a visit's end and the next one's start at one host.
    pub gap: Duration,
    /// Visits at one host at a time.
    pub connections_a_host: u32,
    /// Visits at one registrable domain at a time, whatever its hosts.
    pub connections_a_domain: u32,
    /// First wait after a host said it is busy without saying for how long;
    /// doubles each time.
    pub busy_wait: Duration,
    /// First wait after a host failed; doubles each time.
    pub failed_wait: Duration,
    /// Longest wait of all, whatever a host asks for.
    pub longest_wait: Duration,
}

impl Default for Manners {
    /// A small server should not notice us: five seconds between visits, one
    /// at a time, four to a domain; a minute after "busy", a quarter of that
    /// after a failure, a day at most.
    fn default() -> Self {
        Self {
            gap: Duration::from_secs(5),
            connections_a_host: 1,
            connections_a_domain: 4,
            busy_wait: Duration::from_secs(60),
            failed_wait: Duration::from_secs(15),
            longest_wait: Duration::from_secs(86_400),
        }
    }
}

/// The number of a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostId(pub u32);

/// How a visit at a host ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answered {
    /// The host answered, whatever it said.
    Well,
    /// 429 or 503, with the wait it asked for.
    Busy(Option<Duration>),
    /// No answer: DNS, connection, TLS, time.
    Failed,
}

/// Visits that wait for their hosts. `T` is whatever a driver calls a visit.
#[derive(Debug)]
pub struct Hosts<T> {
    manners: Manners,
    numbers: HashMap<String, HostId>,
    entries: Vec<Host<T>>,
    domains: Vec<Domain>,
    domain_numbers: HashMap<String, usize>,
    /// Hosts that have something to do and room for it, by when they may.
    ready: BTreeSet<(Timestamp, HostId)>,
    waiting: usize,
}

#[derive(Debug)]
struct Host<T> {
    domain: usize,
    not_before: Timestamp,
    /// What robots.txt asks for, if more than our own gap.
    asked_gap: Duration,
    in_flight: u32,
    troubles: u32,
    queue: VecDeque<T>,
}

#[derive(Debug, Default)]
struct Domain {
    in_flight: u32,
    /// Hosts that could go but for the domain's limit.
    blocked: BTreeSet<HostId>,
}

impl<T> Hosts<T> {
    /// No hosts.
    #[must_use]
    pub fn new(manners: Manners) -> Self {
        Self {
            manners,
            numbers: HashMap::new(),
            entries: Vec::new(),
            domains: Vec::new(),
            domain_numbers: HashMap::new(),
            ready: BTreeSet::new(),
            waiting: 0,
        }
    }

    /// The number of a host; `domain` says which registrable domain a new one
    /// belongs to. It may be visited from `from` on.
    pub fn intern(
        &mut self,
        name: &str,
        from: Timestamp,
        domain: impl FnOnce(&str) -> String,
    ) -> HostId {
        if let Some(&host) = self.numbers.get(name) {
            return host;
        }
        let host = HostId(self.entries.len() as u32);
        let domain = domain(name);
        let domains = self.domain_numbers.len();
        let domain = *self.domain_numbers.entry(domain).or_insert(domains);
        if domain == self.domains.len() {
            self.domains.push(Domain::default());
        }
        self.entries.push(Host {
            domain,
            not_before: from,
            asked_gap: Duration::ZERO,
            in_flight: 0,
            troubles: 0,
            queue: VecDeque::new(),
        });
        self.numbers.insert(name.to_owned(), host);
        host
    }

    /// Visits that wait.
    #[must_use]
    pub const fn waiting(&self) -> usize {
        self.waiting
    }

    /// Puts a visit at the end of its host's queue.
    pub fn enqueue(&mut self, host: HostId, visit: T) {
        self.entries[host.0 as usize].queue.push_back(visit);
        self.waiting += 1;
        self.offer(host);
    }

    /// The next visit that may be made at `now`; it is in flight from here on.
    pub fn next(&mut self, now: Timestamp) -> Option<(HostId, T)> {
        while let Some(&(at, host)) = self.ready.first() {
            if at > now {
                return None;
            }
            self.ready.pop_first();
            let entry = &mut self.entries[host.0 as usize];
            let domain = &mut self.domains[entry.domain];
            if domain.in_flight >= self.manners.connections_a_domain {
                domain.blocked.insert(host);
                continue;
            }
            let Some(visit) = entry.queue.pop_front() else {
                continue;
            };
            entry.in_flight += 1;
            domain.in_flight += 1;
            self.waiting -= 1;
            let gap = self.manners.gap.max(entry.asked_gap);
            entry.not_before = now.after(gap);
            self.offer(host);
            return Some((host, visit));
        }
        None
    }

    /// When [`Self::next`] is worth asking again; `None` if only the end of a
    /// visit or a new one can change its answer.
    #[must_use]
    pub fn wake(&self) -> Option<Timestamp> {
        self.ready.first().map(|&(at, _)| at)
    }

    /// Ends a visit. Returns until when the host is left alone.
    pub fn done(&mut self, host: HostId, now: Timestamp, answered: Answered) -> Timestamp {
        let manners = self.manners;
        let entry = &mut self.entries[host.0 as usize];
        entry.in_flight = entry.in_flight.saturating_sub(1);
        let wait = match answered {
            Answered::Well => {
                entry.troubles = 0;
                Duration::ZERO
            }
            Answered::Busy(Some(asked)) => {
                entry.troubles += 1;
                asked
            }
            Answered::Busy(None) => entry.doubled(manners.busy_wait),
            Answered::Failed => entry.doubled(manners.failed_wait),
        };
        let gap = manners.gap.max(entry.asked_gap);
        let until = now.after(wait.min(manners.longest_wait).max(gap));
        let domain = entry.domain;
        self.hold(host, until);
        self.domains[domain].in_flight = self.domains[domain].in_flight.saturating_sub(1);
        for blocked in std::mem::take(&mut self.domains[domain].blocked) {
            self.offer(blocked);
        }
        until
    }

    /// Leaves a host alone until then, if it would be visited sooner.
    pub fn hold(&mut self, host: HostId, until: Timestamp) {
        let entry = &mut self.entries[host.0 as usize];
        self.ready.remove(&(entry.not_before, host));
        entry.not_before = entry.not_before.max(until);
        self.offer(host);
    }

    /// What robots.txt asks for between two visits.
    pub fn ask_gap(&mut self, host: HostId, gap: Duration) {
        self.entries[host.0 as usize].asked_gap = gap;
    }

    /// Takes out the visits that cannot be made before `end`, last ones first.
    pub fn give_up_beyond(&mut self, end: Timestamp) -> Vec<T> {
        let mut out = Vec::new();
        for number in 0..self.entries.len() {
            let entry = &mut self.entries[number];
            if entry.queue.is_empty() {
                continue;
            }
            let gap = self.manners.gap.max(entry.asked_gap);
            let fit = if entry.not_before >= end {
                0
            } else {
                let gaps = end.since(entry.not_before).as_micros() / gap.as_micros().max(1);
                usize::try_from(gaps)
                    .unwrap_or(usize::MAX)
                    .saturating_add(1)
            };
            if entry.queue.len() > fit {
                out.extend(entry.queue.drain(fit..));
                if fit == 0 {
                    let host = HostId(number as u32);
                    self.ready.remove(&(entry.not_before, host));
                }
            }
        }
        self.waiting -= out.len();
        out
    }

    /// Takes out all visits that wait.
    pub fn clear(&mut self) -> Vec<T> {
        self.ready.clear();
        self.waiting = 0;
        for domain in &mut self.domains {
            domain.blocked.clear();
        }
        let queues = self.entries.iter_mut();
        queues.flat_map(|host| host.queue.drain(..)).collect()
    }

    /// Lists the host as ready if it has something to do and room for it.
    fn offer(&mut self, host: HostId) {
        let entry = &self.entries[host.0 as usize];
        if !entry.queue.is_empty() && entry.in_flight < self.manners.connections_a_host {
            self.ready.insert((entry.not_before, host));
        }
    }
}

impl<T> Host<T> {
    /// `first` doubled with each trouble in a row.
    fn doubled(&mut self, first: Duration) -> Duration {
        let wait = first.saturating_mul(1 << self.troubles.min(20));
        self.troubles += 1;
        wait
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_seconds(seconds)
    }

    fn hosts(names: &[&str]) -> Hosts<u32> {
        let mut hosts = Hosts::new(Manners::default());
        for name in names {
            hosts.intern(name, at(0), |name| {
                name.split_once('.')
                    .map_or(name, |(_, rest)| rest)
                    .to_owned()
            });
        }
        hosts
    }

    #[test]
    fn a_host_is_visited_one_at_a_time_with_a_gap() {
        let mut hosts = hosts(&["a.x"]);
        hosts.enqueue(HostId(0), 1);
        hosts.enqueue(HostId(0), 2);
        assert_eq!(hosts.next(at(0)), Some((HostId(0), 1)));
        assert_eq!((hosts.next(at(100)), hosts.wake()), (None, None));
        hosts.done(HostId(0), at(100), Answered::Well);
        assert_eq!((hosts.next(at(104)), hosts.wake()), (None, Some(at(105))));
        assert_eq!(hosts.next(at(105)), Some((HostId(0), 2)));
        assert_eq!(hosts.waiting(), 0);
    }

    #[test]
    fn hosts_of_one_domain_share_its_connections() {
        let mut hosts = hosts(&["a.x", "b.x", "c.x", "d.x", "e.x", "a.y"]);
        for host in 0..6 {
            hosts.enqueue(HostId(host), host);
        }
        let started: Vec<u32> = std::iter::from_fn(|| hosts.next(at(0)))
            .map(|(_, visit)| visit)
            .collect();
        assert_eq!(started, [0, 1, 2, 3, 5]);
        hosts.done(HostId(2), at(1), Answered::Well);
        assert_eq!(hosts.next(at(1)), Some((HostId(4), 4)));
    }

    #[test]
    fn a_busy_host_is_left_alone_as_long_as_it_asks_or_longer_each_time() {
        let mut hosts = hosts(&["a.x"]);
        assert_eq!(
            hosts.done(
                HostId(0),
                at(0),
                Answered::Busy(Some(Duration::from_secs(90)))
            ),
            at(90)
        );
        assert_eq!(
            hosts.done(HostId(0), at(100), Answered::Busy(None)),
            at(220)
        );
        assert_eq!(
            hosts.done(HostId(0), at(300), Answered::Busy(None)),
            at(540)
        );
        assert_eq!(hosts.done(HostId(0), at(600), Answered::Failed), at(720));
        assert_eq!(hosts.done(HostId(0), at(800), Answered::Well), at(805));
        assert_eq!(hosts.done(HostId(0), at(900), Answered::Failed), at(915));
        let year = Duration::from_secs(365 * 86_400);
        let until = hosts.done(HostId(0), at(1_000), Answered::Busy(Some(year)));
        assert_eq!(until, at(1_000 + 86_400));
    }

    #[test]
    fn visits_that_cannot_be_made_in_time_are_given_up() {
        let mut hosts = hosts(&["a.x", "b.x"]);
        for visit in 0..5 {
            hosts.enqueue(HostId(0), visit);
        }
        hosts.enqueue(HostId(1), 9);
        hosts.hold(HostId(1), at(50));
        hosts.ask_gap(HostId(0), Duration::from_secs(10));
        assert_eq!(hosts.give_up_beyond(at(20)), [3, 4, 9]);
        assert_eq!((hosts.waiting(), hosts.wake()), (3, Some(at(0))));
        assert_eq!(hosts.clear(), [0, 1, 2]);
        assert_eq!((hosts.waiting(), hosts.next(at(99))), (0, None));
    }

    proptest! {
        #[test]
        fn every_visit_comes_out_once_and_never_too_soon(
            queued in proptest::collection::vec(0u32..5, 1..60), gap in 0u64..8,
        ) {
            let manners = Manners { gap: Duration::from_secs(gap), ..Manners::default() };
            let mut hosts: Hosts<usize> = Hosts::new(manners);
            for name in ["a", "b", "c", "d", "e"] {
                hosts.intern(name, at(0), |_| "one".to_owned());
            }
            for (visit, &host) in queued.iter().enumerate() {
                hosts.enqueue(HostId(host), visit);
            }
            let mut now = at(0);
            let mut last = [None::<Timestamp>; 5];
            let mut out = Vec::new();
            while let Some(wake) = hosts.wake() {
                now = now.max(wake);
                while let Some((host, visit)) = hosts.next(now) {
                    if let Some(last) = last[host.0 as usize] {
                        prop_assert!(now >= last.after(manners.gap));
                    }
                    out.push(visit);
                    hosts.done(host, now, Answered::Well);
                    last[host.0 as usize] = Some(now);
                }
            }
            out.sort_unstable();
            prop_assert_eq!(out, (0..queued.len()).collect::<Vec<_>>());
        }
    }
}
