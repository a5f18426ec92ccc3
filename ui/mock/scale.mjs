/** With `--fast` a second stands for a day, as in `recrawl demo`. */
const fast = process.argv.includes("--fast");

/** Milliseconds of what the made-up collection calls a day. */
export const DAY = fast ? 1000 : 86_400_000;

/** Of those, how many a true day has. */
export const DAYS_A_DAY = 86_400_000 / DAY;
