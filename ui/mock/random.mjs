/** A seeded generator (mulberry32), so that the mock shows the same collection each time. */
export function generator(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    whole: (below) => Math.floor(next() * below),
    pick: (list) => list[Math.floor(next() * list.length)],
    /** Spread evenly over the logarithm. */
    spread: (low, high) => Math.exp(Math.log(low) + next() * (Math.log(high) - Math.log(low))),
  };
}
