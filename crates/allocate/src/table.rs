//! A smooth function of one positive number, by cubics on a logarithmic grid.

/// Cells of an octave, as a power of two: 64 cells make the cubic exact to
/// 2e-10 of the functions kept here, far below the rounding of `f32`.
const CELL_BITS: u32 = 6;

/// Bits of an `f64` below the cell's.
const SHIFT: u32 = 52 - CELL_BITS;

/// Mantissa bits within a cell.
const WITHIN: u64 = (1 << SHIFT) - 1;

/// A function on [2^low, 2^high), tabulated.
///
/// The cell is read off the bits of the argument: exponent and first mantissa
/// bits, which costs no logarithm. In each cell stands the cubic that takes
/// value and slope of the function at both ends.
pub(crate) struct OctaveTable {
    first_cell: u64,
    /// One by one, and a cell of zeros for all that is off the table.
    cells: Vec<[f64; 4]>,
}

impl OctaveTable {
    /// Tabulates `function` from 2^`low` to 2^`high`.
    pub(crate) fn new(low: i32, high: i32, function: impl Fn(f64) -> f64) -> Self {
        let first_cell = 2f64.powi(low).to_bits() >> SHIFT;
        let end = 2f64.powi(high).to_bits() >> SHIFT;
        let mut cells: Vec<_> = (first_cell..end)
            .map(|cell| {
                let edge = |cell: u64| f64::from_bits(cell << SHIFT);
                cubic(&function, edge(cell), edge(cell + 1))
            })
            .collect();
        cells.push([0.0; 4]);
        Self { first_cell, cells }
    }

    /// The function at `x`; 0 off the table, without a branch.
    #[inline(always)] // part of the loops over pages
    pub(crate) fn get(&self, x: f64) -> f64 {
        let bits = x.to_bits();
        let cell = (bits >> SHIFT).wrapping_sub(self.first_cell) as usize;
        let [c0, c1, c2, c3] = self.cells[cell.min(self.cells.len() - 1)];
        // The mantissa bits within the cell as a share of it: 1 + share - 1.
        let share = f64::from_bits(((bits & WITHIN) << CELL_BITS) | 1f64.to_bits()) - 1.0;
        c0 + share * (c1 + share * (c2 + share * c3))
    }
}

/// Coefficients of Hermite's cubic on [`start`, `end`] in the share of the way.
fn cubic(function: impl Fn(f64) -> f64, start: f64, end: f64) -> [f64; 4] {
    let width = end - start;
    // Slopes by Richardson's extrapolation of central differences.
    let slope = |x: f64| {
        let central = |step: f64| (function(x + step) - function(x - step)) / (2.0 * step);
        let step = x / 1024.0;
        (4.0 * central(step / 2.0) - central(step)) / 3.0 * width
    };
    let (from, to) = (function(start), function(end));
    let (leaves, arrives) = (slope(start), slope(end));
    [
        from,
        leaves,
        3.0 * (to - from) - 2.0 * leaves - arrives,
        2.0 * (from - to) + leaves + arrives,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_the_root_is_the_root_to_ten_digits() {
        let table = OctaveTable::new(-10, 10, f64::sqrt);
        for step in 0..20_000 {
            let x = 2f64.powf(-10.0 + f64::from(step) * 0.001);
            let ours = table.get(x);
            assert!((ours / x.sqrt() - 1.0).abs() < 4e-10, "{x} {ours}");
        }
    }

    #[test]
    fn a_table_ends_where_it_was_told() {
        let table = OctaveTable::new(-2, 3, |x| x);
        assert!((table.get(0.25) - 0.25).abs() < 1e-15);
        assert!((table.get(7.99) - 7.99).abs() < 1e-12);
        for off in [0.249, 8.0, 0.0, -1.0, f64::INFINITY, f64::NAN] {
            assert_eq!(table.get(off), 0.0, "{off}");
        }
    }
}
