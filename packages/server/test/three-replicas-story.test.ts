/**
 * The story of identity over three replicas behind a balancer: each request goes to the next process, e-mails are sent and
 * organizations purged by whichever takes the job, and time goes by for all of them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { asc } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { auditTables } from '../src/audit/tables.js'
import { identityTables } from '../src/identity/tables.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { identityStory, STORY_SETTINGS } from './support/identity-story.js'
import { type Mailbox, openMailbox } from './support/mailbox.js'
import { type MovableClock, movableClock } from './support/movable-clock.js'
import { NOTICED_MS, type Replicas, startReplicas } from './support/replica-processes.js'
import { postgresMissing, redisMissing } from './support/stores.js'

const missing = (await postgresMissing()) ?? (await redisMissing())

describe.skipIf(missing !== null)(`a story over three replicas${missing ? ` (${missing})` : ''}`, () => {
  let replicas: Replicas
  let mailbox: Mailbox
  let clock: MovableClock
  beforeAll(async () => {
    mailbox = await openMailbox()
    clock = movableClock()
    replicas = await startReplicas(3, { ...STORY_SETTINGS, ...mailbox.settings }, () => ({}), clock.flags)
  })
  afterAll(async () => {
    await replicas?.stop()
    await mailbox.close()
    clock.remove()
  })

  it('goes from registration to purge', { timeout: 180_000 }, () => {
    const { app, store } = replicas
    return identityStory({
      app,
      nowMs: clock.now,
      advance: clock.advance,
      mail: (to, isOne) => vi.waitFor(() => mailbox.newest(to, isOne), { timeout: 180_000, interval: 50 }),
      noticed: () => sleep(NOTICED_MS),
      // The schedule is due by itself when a week has gone by.
      purge: (gone, kept) =>
        vi.waitFor(
          async () => {
            const { organizations } = identityTables(store)
            const ids = (await store.system.read((db) => db.select().from(organizations))).map(({ id }) => id)
            expect(ids).toContain(kept)
            expect(ids).not.toContain(gone)
          },
          { timeout: 180_000, interval: 200 },
        ),
      evidence: () =>
        store.system.snapshot(async (db) => {
          const { auditEvents } = auditTables(db)
          const { auditOutbox } = jobTables(db)
          const sealed = await db.select().from(auditEvents).orderBy(asc(auditEvents.createdAt), asc(auditEvents.id))
          const waiting = await db.select().from(auditOutbox).orderBy(asc(auditOutbox.position))
          return [...sealed, ...waiting.map(({ event }) => event as never)]
        }),
    })
  })
})
