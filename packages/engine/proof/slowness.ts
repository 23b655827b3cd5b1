/**
 * How slow the machine is at this moment. Bounds on processor time are meant for one core of a server that does nothing
 * else; a host that lends half of its core to others takes twice as long for everything, and for fixed loops as well. One
 * loop computes, and one fills a table in memory, which others slow down more.
 */

/** The loops on that core. */
const LOOP_MS = 2.5
const LOOP_TURNS = 1_000_000
const TABLE_MS = 8
const TABLE_ROWS = 50_000
/** The least of so many, so that a pause of the garbage collection does not count as a slow machine. */
const TRIES = 3
const numbers = new Uint32Array(16_384)

/** How many times longer everything takes. At least 1: a fast machine keeps the bounds as they are. */
export function slowness(): number {
  return Math.max(1, leastOf(loop) / LOOP_MS, leastOf(fillTable) / TABLE_MS)
}

function leastOf(run: () => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < TRIES; tries++) least = Math.min(least, processorMs(run))
  return least
}

function loop(): void {
  for (let turn = 0, at = 1; turn < LOOP_TURNS; turn++) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0
    numbers[at & 16_383] = (numbers[at >>> 18] ?? 0) + at
  }
}

function fillTable(): Set<number> {
  const table = new Set<number>()
  for (let row = 0; row < TABLE_ROWS; row++) table.add(row)
  return table
}

/** The processor time of this process, in milliseconds. */
export function processorMs(run: () => unknown): number {
  const start = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
}
