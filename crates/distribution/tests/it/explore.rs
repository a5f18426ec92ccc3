use crate::simulated::{Law, pareto_age, visit};
use recrawl_distribution::npmle::Npmle;
use recrawl_distribution::{Grid, Method, estimate};
#[test]
fn explore() {
    for until in [300.0, 1000.0, 5000.0, 20000.0] {
        let mut ks = vec![]; let mut ks6=vec![]; let mut m6=vec![]; let mut mean = vec![]; let mut steps = vec![]; let mut small=vec![]; let mut fks=vec![]; let mut fks2=vec![];
        let begin = std::time::Instant::now();
        for seed in 0..20 {
            let s = visit(Law::Pareto, Law::Exponential(1.0), until, 100+seed, false);
            let fit = Npmle::fit(&s);
            let mut k: f64 = 0.0; let mut f:f64=0.0; let mut f2:f64=0.0;
            let g = Grid::new(0.05, 10.0, s.unit()).unwrap();
            for x in g.xs() { k = k.max((fit.age_cdf(x) - pareto_age(x)).abs()); f=f.max((fit.update_cdf(x)-1.0+(1.0+x).powi(-3)).abs()); f2=f2.max((fit.stepped_update_cdf(x)-1.0+(1.0+x).powi(-3)).abs()); }
            ks.push(k); fks.push(f); fks2.push(f2);
            mean.push(1.0/fit.rate()); steps.push((fit.steps, fit.gap)); small.push(fit.smallest_lifetime());
            if until < 6000.0 || seed < 3 {
                let d = estimate(Method::M6, &s, &g).unwrap();
                ks6.push(d.points.iter().map(|p| (p.age_cdf.unwrap()-pareto_age(p.x)).abs()).fold(0.0, f64::max));
                m6.push(d.mean_update.unwrap_or(f64::NAN));
            }
        }
        let el = begin.elapsed();
        let med = |v: &Vec<f64>| { let mut v=v.clone(); v.sort_by(f64::total_cmp); v[v.len()/2] };
        eprintln!("T={until} KS med {:.4} max {:.4} | m6 {:.4} | F smooth {:.4} step {:.4} | mean med {:.4} [{:.3} {:.3}] m6mean {:.3} | lmin {:.4} | steps {:?} gap {:.1e} | {:?}", med(&ks), ks.iter().cloned().fold(0.0,f64::max), med(&ks6), med(&fks), med(&fks2), med(&mean), mean.iter().cloned().fold(9.0,f64::min), mean.iter().cloned().fold(0.0,f64::max), med(&m6), med(&small), steps.iter().map(|s|s.0).max(), steps.iter().map(|s|s.1).fold(0.0,f64::max), el);
    }
}
