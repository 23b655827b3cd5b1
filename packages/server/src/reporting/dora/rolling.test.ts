/** Tallies of overlapping windows equal those of each window by itself. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DAY_MS } from '../../runtime/clock.js'
import { medianSeconds, partOf, type Sample } from '../metric/sample.js'
import { DEFAULT_DORA_SETTINGS, type Deployment } from '../model.js'
import type { DeploymentSums } from '../rollup/deployment-sums.js'
import { summed } from './deliveries.js'

const FIRST = Date.parse('2026-03-02T00:00:00Z')
const ENVIRONMENT = 'production'
const day = fc.integer({ min: 0, max: 40 })

const sums = fc.array(
  fc
    .record({
      day,
      environment: fc.constantFrom(ENVIRONMENT, 'staging'),
      succeeded: fc.nat(20),
      failed: fc.nat(5),
      values: fc.array(fc.oneof(fc.constantFrom(0, 1, 86_400_000), fc.nat(2_000_000_000)), { maxLength: 12 }),
      isBinned: fc.boolean(),
    })
    .map(
      ({ day, values, isBinned, ...rest }): DeploymentSums => ({
        ...rest,
        pipelineId: 'p',
        dayMs: FIRST + day * DAY_MS,
        canceled: 0,
        rework: 0,
        undated: 0,
        production: 0,
        firstMs: FIRST,
        leads: {
          ...partOf([...values].sort((a, b) => a - b)),
          // Sums of closed days may have bins alone.
          ...(isBinned && values.length > 9 ? { values: null, bins: [3, values.length] } : {}),
        },
        repairs: partOf([]),
      }),
    ),
  { maxLength: 60 },
)
const windows = fc.array(
  fc.tuple(day, fc.integer({ min: 1, max: 35 })).map(([from, days]) => {
    const fromMs = FIRST + (from - 3) * DAY_MS
    return { fromMs, toMs: fromMs + days * DAY_MS }
  }),
  { minLength: 1, maxLength: 8 },
)
const flagged = fc.array(
  fc
    .tuple(day, fc.nat(DAY_MS - 1), fc.constantFrom(ENVIRONMENT, 'staging'))
    .map(([at, ms, environment]) => ({ environment, completedAtMs: FIRST + at * DAY_MS + ms }) as Deployment),
  { maxLength: 10 },
)

const median = (sample: Sample) => (sample.count === 0 ? null : medianSeconds(sample))

it('counts each window as its own tally does, with the same median', () => {
  fc.assert(
    fc.property(sums, flagged, windows, (all, failures, asked) => {
      const deliveries = summed({
        environments: [],
        settings: DEFAULT_DORA_SETTINGS,
        said: { links: [], restorations: [], flagged: failures },
        sums: all,
        open: [],
        nowMs: FIRST + 60 * DAY_MS,
      })
      const isBinned = all.some(({ environment, leads }) => environment === ENVIRONMENT && leads.bins !== null)
      const rolling = deliveries.rolling(ENVIRONMENT, asked)
      for (const [at, window] of asked.entries()) {
        const { succeeded, failed, flagged: marked, leads } = deliveries.tally(ENVIRONMENT, window)
        expect(rolling[at]).toMatchObject({ succeeded, failed, flagged: marked })
        expect(median(rolling[at]?.leads as Sample)).toBe(median(leads))
        if (!isBinned) expect(rolling[at]?.leads.count).toBe(Math.min(leads.count, 2 - (leads.count % 2)))
      }
    }),
    { numRuns: 400 },
  )
})
