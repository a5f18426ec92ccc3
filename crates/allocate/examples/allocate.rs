//! Allocates visits to the pages of two columns, or follows pages that change,
//! and reports CPU time and accuracy as JSON. `bench/allocate.py` drives it.
//!
//! ```text
//! allocate columns DIR MEASURE BUDGET REPEATS   reads DIR/rates.f32, DIR/weights.f32
//! allocate drawn PAGES MEASURE REPEATS          draws the columns itself
//! allocate replan PAGES MEASURE                 a thousand pages learned anew
//! allocate sites PAGES SITES MEASURE            half of the sites bound by a cap
//! ```

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use recrawl_allocate::{Measure, Pages, Replanner, allocate, allocate_within_sites, solve};
use rustix::time::{ClockId, clock_gettime};

/// Visits a page and unit of time in the drawn problems.
const BUDGET_A_PAGE: f64 = 0.1;

/// Pages learned anew before a new plan.
const OBSERVATIONS: usize = 1_000;

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32).as_secs_f64()
}

/// Median CPU seconds of `repeats` runs.
fn median_seconds(repeats: usize, mut run: impl FnMut()) -> f64 {
    let mut seconds: Vec<f64> = (0..repeats.max(1))
        .map(|_| {
            let start = cpu_seconds();
            run();
            cpu_seconds() - start
        })
        .collect();
    seconds.sort_by(f64::total_cmp);
    seconds[seconds.len() / 2]
}

/// The most memory this process has had, in bytes, where Linux tells it.
fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

fn measure(name: &str) -> Result<Measure, Box<dyn Error>> {
    Ok(match name {
        "freshness" => Measure::Freshness,
        "age" => Measure::Age,
        "changes" => Measure::Changes,
        "memoryless" => Measure::MemorylessFreshness,
        "harmonic" => Measure::Harmonic,
        other => return Err(format!("no measure {other}").into()),
    })
}

fn read_column(path: &Path) -> Result<Vec<f32>, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let values = bytes.as_chunks::<4>().0;
    Ok(values
        .iter()
        .map(|&value| f32::from_le_bytes(value))
        .collect())
}

/// Rates log-uniform on [1e-3, 10], weights 1/(0.01 + uniform).
fn draw(pages: usize) -> (Vec<f32>, Vec<f32>) {
    let mut rng = rand_pcg::Pcg64::seed_from_u64(1);
    let (mut rates, mut weights) = (Vec::with_capacity(pages), Vec::with_capacity(pages));
    for _ in 0..pages {
        rates.push(10f32.powf(rng.random_range(-3.0..1.0)));
        weights.push((0.01 + rng.random::<f32>()).recip());
    }
    (rates, weights)
}

/// Runs the allocation; returns the visits and the report.
fn run(
    name: &str,
    (rates, weights): (&[f32], &[f32]),
    budget: f64,
    repeats: usize,
) -> Result<(Vec<f32>, String), Box<dyn Error>> {
    let pages = Pages::new(measure(name)?, rates, weights)?;
    let mut visits = vec![0.0; rates.len()];
    let found = allocate(&pages, budget, &mut visits)?;
    let seconds = median_seconds(repeats, || {
        black_box(allocate(&pages, budget, black_box(&mut visits)).is_ok());
    });
    let rounded: f64 = visits.iter().map(|&visits| f64::from(visits)).sum();
    let report = format!(
        "{{\"measure\":\"{name}\",\"pages\":{},\"seconds\":{seconds:e},\"price\":{:e},\
         \"error\":{:e},\"rounded_error\":{:e},\"peak_bytes\":{}}}",
        rates.len(),
        found.price.value(),
        (found.spent / budget - 1.0).abs(),
        (rounded / budget - 1.0).abs(),
        peak_bytes().unwrap_or(0),
    );
    Ok((visits, report))
}

/// Times a thousand pages learned anew and the plan after them.
fn replan(name: &str, count: usize) -> Result<String, Box<dyn Error>> {
    let measure = measure(name)?;
    let (mut rates, weights) = draw(count);
    let budget = BUDGET_A_PAGE * count as f64;
    let mut planner = Replanner::new(measure, budget)?;
    planner.extend(&Pages::new(measure, &rates, &weights)?)?;
    let afresh = median_seconds(1, || {
        black_box(planner.price());
    });
    let mut rng = rand_pcg::Pcg64::seed_from_u64(2);
    let seconds = median_seconds(21, || {
        for _ in 0..OBSERVATIONS {
            let page = rng.random_range(0..count);
            let (old, weight) = (rates[page], f64::from(weights[page]));
            rates[page] = (old * rng.random_range(0.5..2.0)).clamp(1e-4, 100.0);
            planner.remove(f64::from(old), weight);
            black_box(planner.insert(f64::from(rates[page]), weight).is_ok());
        }
        black_box(planner.price());
    });
    let price = planner.price();
    let exact = solve(&[Pages::new(measure, &rates, &weights)?], budget)?.value();
    let pages = rates.iter().zip(&weights);
    let spent: f64 = pages
        .map(|(&rate, &weight)| price.visits(measure, f64::from(rate), f64::from(weight)))
        .sum();
    Ok(format!(
        "{{\"measure\":\"{name}\",\"pages\":{count},\"seconds\":{seconds:e},\
         \"first_price_seconds\":{afresh:e},\"price_error\":{:e},\"budget_error\":{:e}}}",
        (price.value() / exact - 1.0).abs(),
        (spent / budget - 1.0).abs(),
    ))
}

/// Times an allocation in which every other site may have half of its part.
fn sites(name: &str, count: usize, sites: usize) -> Result<String, Box<dyn Error>> {
    let (rates, weights) = draw(count);
    let pages = Pages::new(measure(name)?, &rates, &weights)?;
    let budget = BUDGET_A_PAGE * count as f64;
    let starts: Vec<usize> = (0..=sites).map(|site| count * site / sites).collect();
    let half = budget / sites as f64 / 2.0;
    let caps: Vec<f64> = (0..sites)
        .map(|site| if site % 2 == 0 { half } else { f64::INFINITY })
        .collect();
    let mut visits = vec![0.0; count];
    let found = allocate_within_sites(&pages, &starts, &caps, budget, &mut visits)?;
    let prices = found.site_prices.iter();
    let bound = prices
        .filter(|price| price.value() > found.price.value())
        .count();
    let seconds = median_seconds(3, || {
        let again = allocate_within_sites(&pages, &starts, &caps, budget, &mut visits);
        black_box(again.is_ok());
    });
    Ok(format!(
        "{{\"measure\":\"{name}\",\"pages\":{count},\"sites\":{sites},\"bound\":{bound},\
         \"seconds\":{seconds:e},\"error\":{:e}}}",
        (found.spent / budget - 1.0).abs(),
    ))
}

#[expect(clippy::print_stdout, reason = "a benchmark reports")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["columns", folder, name, budget, repeats] => {
            let folder = Path::new(folder);
            let rates = read_column(&folder.join("rates.f32"))?;
            let weights = read_column(&folder.join("weights.f32"))?;
            let (visits, report) =
                run(name, (&rates, &weights), budget.parse()?, repeats.parse()?)?;
            let bytes: Vec<u8> = visits
                .iter()
                .flat_map(|visits| visits.to_le_bytes())
                .collect();
            fs::write(folder.join(format!("{name}.f32")), bytes)?;
            println!("{report}");
        }
        ["drawn", pages, name, repeats] => {
            let (rates, weights) = draw(pages.parse()?);
            let budget = BUDGET_A_PAGE * rates.len() as f64;
            println!(
                "{}",
                run(name, (&rates, &weights), budget, repeats.parse()?)?.1
            );
        }
        ["replan", pages, name] => println!("{}", replan(name, pages.parse()?)?),
        ["sites", pages, number, name] => {
            println!("{}", sites(name, pages.parse()?, number.parse()?)?);
        }
        _ => return Err("see the head of examples/allocate.rs for what to ask".into()),
    }
    Ok(())
}
