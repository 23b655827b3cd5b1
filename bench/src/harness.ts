/**
 * Measures contenders against each other within one run: rounds are interleaved, so that a slow moment of the machine
 * falls on all of them, and the median round counts. Ratios are what to read; absolute figures belong to the machine.
 */
export interface BenchTable {
  readonly title: string
  /** What a figure means, for example `entities/s`. */
  readonly unit: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  readonly note?: string
}

export interface BenchOptions {
  /** A short run that shows that everything works; its figures are not published. */
  readonly quick: boolean
}

export interface BenchArea {
  readonly name: string
  readonly summary: string
  run(options: BenchOptions): Promise<BenchTable[]>
}

export interface Contender {
  readonly name: string
  /** Does one batch of work and returns how many units it did. */
  run(): number
}

export interface Measured {
  readonly name: string
  readonly perSecond: number
  /** To the first contender, which is the limit. */
  readonly ratio: number
  readonly perSecondMin: number
  readonly perSecondMax: number
}

export interface CompareOptions extends BenchOptions {
  readonly rounds?: number
  readonly roundMs?: number
}

/** Runs the contenders in turn, `rounds` times, each for `roundMs`; the first one is the limit (ratio 1). */
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

/** Milliseconds of one call, the median of `rounds` calls after one call to warm up. */
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

/** The rows of a usual comparison: name, rate, share of the limit. */
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
