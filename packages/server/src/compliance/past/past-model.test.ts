/**
 * Goal: for an instant in the past, the server answers what it answered then. The oracle is the server itself: after
 * each of a random series of changes its current answers are stored, and at the end each instant is requested again.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { act, makePastWorld } from '../../../test/support/past-world.js'
import { toIso } from '../../runtime/clock.js'

interface Told {
  readonly atMs: number
  readonly answers: readonly unknown[]
}

await describeCompliance('the past', { stores: WITH_POSTGRESQL }, (kit, database) => {
  it('is told as it was', { timeout: 600_000 }, async () => {
    let runs = 0
    const counts = { answered: 0, refused: 0, changes: 0, blocked: 0 }
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 25, maxLength: 40 }), async (acts) => {
        runs += 1
        const world = await makePastWorld(kit, `${database}${runs}`)
        const told: Told[] = []
        const remember = async () => {
          const atMs = kit.app.clock.now()
          const answers = (await world.ask()).map(({ status, data }) => ({ status, data }))
          // Of several changes at one instant, only the last one counts.
          if (told.at(-1)?.atMs === atMs) told.pop()
          told.push({ atMs, answers })
        }
        await remember()
        for (const each of acts) {
          if ((await world.change(each)).status < 300) counts.changes += 1
          await remember()
          kit.app.clock.advance(each.restMs)
          // A change by time alone: effective dates begin and end, exemptions expire.
          if (each.restMs > 0 && each.flag) await remember()
        }
        kit.app.clock.advance(1)
        for (const { atMs, answers } of told) {
          const now = await world.ask(toIso(atMs))
          for (const [index, answer] of now.entries()) {
            const { status, data, body } = answer
            if (status === 409) {
              counts.refused += 1
              const earliestMs = Date.parse(body.details.earliest)
              expect(earliestMs).toBeGreaterThan(atMs)
              expect(earliestMs).toBeLessThanOrEqual(world.purgedUntilMs())
              continue
            }
            if (world.isOfPurgedRule(index)) {
              expect(status).toBe(404)
              continue
            }
            counts.answered += 1
            if (data?.blocked === true) counts.blocked += 1
            // A rule whose impact was not requested then did not exist yet.
            const was = answers[index] ?? { status: 404, data: undefined }
            expect({ status, data }, `at ${toIso(atMs)}, question ${index}`).toEqual(was)
          }
        }
      }),
      { numRuns: database === 'SQLite' ? 6 : 2, seed: 7, endOnFailure: true },
    )
    // The run must be meaningful: changes were made, verdicts blocked, records purged, and most instants could be
    // answered.
    expect(counts.changes).toBeGreaterThan(runs * 12)
    expect(counts.blocked).toBeGreaterThan(runs * 5)
    expect(counts.answered).toBeGreaterThan(counts.refused)
    if (database === 'SQLite') expect(counts.refused).toBeGreaterThan(0)
  })
})
