/**
 * Goal: pending notifications are sent once, in one digest per window, no matter how the clock and the preferences
 * change.
 */
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs, signInAgain } from '../../../test/support/organizations.js'
import { testSettings } from '../../../test/support/settings.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { type Announcement, announce } from '../../runtime/records/notification.js'
import { notifyJob } from '../delivery/notify.js'
import type { DigestMode } from '../preference/record.js'
import { digestJob, digestsJob, ITEMS_MAX, isDue } from './digest.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const sweepJob = digestsJob(testSettings())
const JOBS = [notifyJob, sweepJob, digestJob]

/** The rules of spec compliance 14, implemented with plain numbers. */
class Naive {
  mode: DigestMode = 'immediate'
  modeSince = 0
  last: number | null = null
  waiting: string[] = []
  sent: string[][] = []

  change(mode: DigestMode, now: number) {
    if (mode !== this.mode) this.modeSince = now
    this.mode = mode
  }
  tell(name: string) {
    if (this.mode === 'immediate') this.sent.push([name])
    else this.waiting.push(name)
  }
  sweep(now: number) {
    const start = Math.max(this.last ?? 0, this.modeSince)
    const days = { immediate: 0, daily: 1, weekly: 7 }[this.mode]
    const isSetBack = start > now + HOUR_MS
    if (this.waiting.length === 0 || !(now >= start + days * DAY_MS || isSetBack)) return
    this.sent.push(this.waiting)
    this.waiting = []
    this.last = now
  }
}

type Step =
  | { readonly tell: true }
  | { readonly mode: DigestMode }
  | { readonly pass: number }
  | { readonly sweep: true }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ tell: true } as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom('immediate', 'daily', 'weekly').map((mode) => ({ mode }) as { mode: DigestMode }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(
        1,
        HOUR_MS,
        DAY_MS - 1,
        DAY_MS,
        7 * DAY_MS,
        40 * DAY_MS,
        -1,
        -HOUR_MS,
        -2 * HOUR_MS,
        -DAY_MS,
        -40 * DAY_MS,
      )
      .map((pass) => ({ pass })),
  },
  { weight: 4, arbitrary: fc.constant({ sweep: true } as const) },
)

await describeCompliance('digests', { stores: BOTH_DATABASES }, (kit, name) => {
  let ada: SignedIn
  let startMs = 0
  let people = 0
  beforeAll(async () => {
    startMs = kit.app.clock.now()
  })

  const fresh = async () => {
    people += 1
    kit.app.clock.set(startMs)
    ada = await signUp(kit.app, `digest${people}`)
    return ada
  }
  const prefer = (body: object) => kit.call(ada, 'PUT', '/notification-preferences', body)
  const tell = async (subject: string, more: Partial<Announcement> = {}) => {
    const announcement: Announcement = {
      event: 'compliance.block',
      onceKey: subject,
      priority: 'high',
      relatedCheckId: null,
      occurredAtMs: kit.app.clock.now(),
      fields: { target: 'plugin', entityId: null, entityName: subject, action: 'upload', violations: [] },
      ...more,
    }
    await kit.store.system.write((tx) => enqueue(tx, kit.app.runtime, announce(ada.orgId, announcement)))
    await runJobs(kit.app, JOBS)
  }
  const sweep = () => runJobs(kit.app, JOBS, [sweepJob.kind])
  const entries = async (channel: string) =>
    (
      (await kit.call(ada, 'GET', `/notification-log?limit=1000&channel=${channel}`)).data.entries as {
        event: string
        status: string
        payload: {
          entityName?: string
          items?: { entityName: string }[]
          count?: number
          truncated?: boolean
          mode?: string
        }
      }[]
    ).toReversed()
  /** The content of the inbox, message by message. */
  const told = async () =>
    (await entries('in-app')).map(
      ({ payload }) => payload.items?.map(({ entityName }) => entityName) ?? [payload.entityName],
    )

  it('agree with the naive model, step by step, over clocks that jump', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 14 }), async (steps) => {
        await fresh()
        const model = new Naive()
        model.modeSince = startMs
        let offset = 0
        let count = 0
        for (const each of steps) {
          const nowMs = startMs + offset
          if ('pass' in each) offset += each.pass
          else if ('mode' in each) {
            kit.app.clock.set(nowMs)
            const now = { ...(await signInAgain(kit.app, ada)), orgId: ada.orgId }
            expect((await kit.call(now, 'PUT', '/notification-preferences', { digestMode: each.mode })).status).toBe(
              200,
            )
            kit.app.clock.set(startMs)
            model.change(each.mode, nowMs)
          } else if ('tell' in each) {
            kit.app.clock.set(nowMs)
            await tell(`${people}-${count}`)
            model.tell(`${people}-${count++}`)
            kit.app.clock.set(startMs)
          } else {
            kit.app.clock.set(nowMs)
            await sweep()
            model.sweep(nowMs)
            kit.app.clock.set(startMs)
          }
        }
        const sorted = (all: unknown[][]) => all.map((list) => list.join()).sort()
        expect(sorted(await told())).toEqual(sorted(model.sent))
        expect((await entries('digest')).filter(({ status }) => status === 'pending')).toHaveLength(
          model.waiting.length,
        )
      }),
      { numRuns: name === 'SQLite' ? 25 : 5 },
    )
  }, 180_000)

  it('hold the newest window, what waited in order, and its highest priority', async () => {
    await fresh()
    await prefer({ digestMode: 'daily', notifyOnWarning: true })
    await tell('first', { priority: 'normal' })
    await tell('second')
    await sweep()
    expect(await told()).toEqual([])
    kit.app.clock.set(startMs + DAY_MS)
    await sweep()
    await sweep()
    kit.app.clock.set(startMs)
    const [digest, ...more] = await entries('in-app')
    expect(more).toEqual([])
    expect(digest).toMatchObject({
      event: 'compliance.digest',
      status: 'sent',
      payload: {
        mode: 'daily',
        count: 2,
        truncated: false,
        from: new Date(startMs).toISOString(),
        to: new Date(startMs + DAY_MS).toISOString(),
        items: [{ entityName: 'first' }, { entityName: 'second' }],
      },
    })
    expect((await kit.call(ada, 'GET', '/notification-preferences')).data.preference.lastDigestAt).toBe(
      new Date(startMs + DAY_MS).toISOString(),
    )
  })

  it('show the first of very many, and count all', async () => {
    await fresh()
    await prefer({ digestMode: 'weekly' })
    await kit.store.system.write(async (tx) => {
      for (let n = 0; n < ITEMS_MAX + 5; n++) {
        const fields = { target: 'plugin', entityId: null, entityName: `e${n}`, action: 'upload', violations: [] }
        const announcement: Announcement = {
          event: 'compliance.block',
          onceKey: `many${n}`,
          priority: 'high',
          relatedCheckId: null,
          occurredAtMs: startMs,
          fields,
        }
        await enqueue(tx, kit.app.runtime, announce(ada.orgId, announcement))
      }
    })
    await runJobs(kit.app, JOBS)
    kit.app.clock.set(startMs + 7 * DAY_MS)
    await sweep()
    kit.app.clock.set(startMs)
    const [digest] = await entries('in-app')
    expect(digest?.payload).toMatchObject({ count: ITEMS_MAX + 5, truncated: true })
    expect(digest?.payload.items).toHaveLength(ITEMS_MAX)
    expect((await entries('digest')).filter(({ status }) => status === 'pending')).toEqual([])
  })

  it('two sweeps at once make one digest', async () => {
    await fresh()
    await prefer({ digestMode: 'daily' })
    await tell('once')
    kit.app.clock.set(startMs + DAY_MS)
    for (let n = 0; n < 2; n++) {
      await kit.store.system.write((tx) =>
        enqueue(tx, kit.app.runtime, { kind: digestJob.kind, orgId: ada.orgId, payload: {} }),
      )
    }
    await Promise.all([runJobs(kit.app, JOBS), runJobs(kit.app, JOBS)])
    kit.app.clock.set(startMs)
    expect(await told()).toEqual([['once']])
  })
})

describe('a window', () => {
  it.each([
    ['daily', 0, DAY_MS - 1, false],
    ['daily', 0, DAY_MS, true],
    ['weekly', 0, 7 * DAY_MS - 1, false],
    ['weekly', 0, 7 * DAY_MS, true],
    ['immediate', 0, 0, true],
    // A slightly faster clock of another replica does not count as a clock that was set back.
    ['daily', 5000, 0, false],
    ['daily', 2 * HOUR_MS, 0, true],
  ])('of mode %s that began at %i is over at %i: %s', (digestMode, start, now, due) => {
    const base = 1_000_000_000_000
    expect(isDue({ digestMode, lastDigestAtMs: base + start, modeSinceMs: 0 }, base + now)).toBe(due)
  })
})
