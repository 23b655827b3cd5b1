/**
 * Measures contenders against each other in one run. Rounds are interleaved, so that a slow moment of the machine
 * affects all of them, and the median round counts. Compare the ratios: absolute figures depend on the machine.
 */
export interface BenchTable {
  readonly title: string
  /** The unit of a figure, such as `entities/s`. */
  readonly unit: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly note?: string
}

export interface BenchOptions {
  /** A short run that only shows that everything works. Its figures are not published. */
  readonly quick: boolean
}

export interface BenchArea {
  readonly name: string
  readonly summary: string
  run(options: BenchOptions): Promise<BenchTable[]>
}

export interface Contender {
  readonly name: string
  /** Does one batch of work and returns the number of units. */
  run(): number
}

export interface Measured {
  readonly name: string
  readonly perSecond: number
  /** Compared with the first contender, which is the limit. */
  readonly ratio: number
  readonly perSecondMin: number
  readonly perSecondMax: number
}

export interface CompareOptions extends BenchOptions {
  readonly rounds?: number
  readonly roundMs?: number
}

/** Runs the contenders in turn, `rounds` times, each for `roundMs`. The first one is the limit (ratio 1). */
export function compare(contenders: readonly Contender[], options: CompareOptions): Measured[] {
  const rounds = options.quick ? 2 : (options.rounds ?? 9)
  const roundMs = options.quick ? 20 : (options.roundMs ?? 250)
  for (const contender of contenders) runFor(contender, roundMs)
  const rates = contenders.map(() => [] as number[])
  for (let round = 0; round < rounds; round++) {
    contenders.forEach((contender, index) => {
      rates[index]?.push(runFor(contender, roundMs))
    })
  }
  const limit = median(rates[0] ?? [])
  return contenders.map((contender, index) => {
    const own = rates[index] ?? []
    const perSecond = median(own)
    return {
      name: contender.name,
      perSecond,
      ratio: perSecond / limit,
      perSecondMin: Math.min(...own),
      perSecondMax: Math.max(...own),
    }
  })
}

/** Duration of one call in milliseconds: the median of `rounds` calls, after one call to warm up. */
export function time(run: () => void, options: BenchOptions, rounds = 7): number {
  const count = options.quick ? 1 : rounds
  run()
  const samples: number[] = []
  for (let round = 0; round < count; round++) {
    const start = performance.now()
    run()
    samples.push(performance.now() - start)
  }
  return median(samples)
}

/** The rows of a typical comparison: name, rate, ratio to the limit. */
export function comparisonRows(measured: readonly Measured[]): (string | number)[][] {
  return measured.map((each) => [each.name, formatRate(each.perSecond), each.ratio.toPrecision(3)])
}

export function formatRate(perSecond: number): string {
  const digits = perSecond >= 100 ? 0 : perSecond >= 1 ? 1 : 4
  return perSecond.toLocaleString('en-US', { maximumFractionDigits: digits })
}

function runFor(contender: Contender, ms: number): number {
  let units = 0
  const start = performance.now()
  let elapsed = 0
  do {
    units += contender.run()
    elapsed = performance.now() - start
  } while (elapsed < ms)
  return (units / elapsed) * 1000
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? Number.NaN) + high) / 2
}
