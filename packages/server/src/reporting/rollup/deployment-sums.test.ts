/**
 * Delivery metrics from daily sums equal those of all deployments, no matter in which order events arrive and when sums
 * are built.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { worlds } from '../../../proof/reports/world.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { rebuildDays } from './rebuild.js'

const NAMES = ['one', 'two'] as const
const DAY = 86_400_000

await describeStores('sums of deployments', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let count = 0
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const newTeam = async () => {
    const person = await signUp(app, `sums${++count}`)
    const ids = new Map<string, string>()
    for (const name of NAMES) ids.set(name, await newPipeline(app, person, name))
    return { person, ids, token: await forwarder(app, person.orgId) }
  }
  const send = async (token: string, events: readonly object[]) => {
    const answer = await app.call('POST', '/reports/events', { as: token, body: { events } })
    expect(answer.data).toMatchObject({ skipped: 0 })
  }
  const rollUp = async ({ orgId }: SignedIn) => {
    while ((await store.system.write((tx) => rebuildDays(tx, orgId, 3))) > 0);
  }
  const without = (answer: unknown): unknown =>
    JSON.parse(JSON.stringify(answer, (key, value) => (key === 'explain' ? undefined : value)))
  /** With `explain`, reports are made from the individual deployments. */
  const isSame = async (as: SignedIn) => {
    const now = app.clock.now()
    const window = `from=${new Date(now - 5 * DAY - 12_345).toISOString()}&to=${new Date(now - DAY / 2).toISOString()}`
    for (const report of ['dora?', 'dora/trend?interval=day&']) {
      const path = `/reports/execution/${report}${window}`
      const { data } = await app.call('GET', path, { as })
      expect(data).toEqual(without((await app.call('GET', `${path}&explain=true`, { as })).data))
    }
  }

  it('say what all facts say after each batch', async () => {
    const drawn = fc.record({
      world: worlds({ pipelines: [...NAMES], untilMs: app.clock.now(), runsMax: 14 }),
      order: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(drawn, async ({ world, order }) => {
        const { person, ids, token } = await newTeam()
        const events = world.events
          .map((event, at) => ({
            event: { ...event, pipelineId: ids.get(event.pipelineId) },
            key: order[at % 60] ?? 0,
          }))
          .sort((a, b) => a.key - b.key)
          .map(({ event }) => event)
        for (let at = 0; at < events.length; at += 7) {
          await send(token, events.slice(at, at + 7))
          await rollUp(person)
          await isSame(person)
        }
      }),
      { numRuns: 6 },
    )
  })

  const at = (hours: number) => new Date(app.clock.now() - hours * 3_600_000).toISOString()
  const deploy = (pipelineId: string | undefined, executionId: string, hours: number, more: object = {}) => ({
    pipelineId,
    executionId,
    eventType: 'STAGE',
    stageName: 'Deploy',
    status: 'SUCCEEDED',
    environment: 'production',
    startedAt: at(hours + 0.1),
    completedAt: at(hours),
    ...more,
  })

  it.each([
    ['a failure before a success makes it rework and a repair', { status: 'FAILED' }],
    ['an earlier success of the commit makes a later one a redeploy', { commitSha: 'aaaaaaa' }],
    ['an earlier time of a commit makes the lead time longer', { commitSha: 'bbbbbbb', commitTimestamp: 100 }],
  ])('follow what is told of later: %s', async (_, told: Record<string, string | number>) => {
    const { commitTimestamp: hours } = told
    const more = hours === undefined ? told : { ...told, commitTimestamp: at(Number(hours)) }
    const { person, ids, token } = await newTeam()
    const [one, two] = NAMES.map((name) => ids.get(name))
    await send(token, [
      deploy(one, 'later', 40, { commitSha: 'aaaaaaa', commitTimestamp: at(50) }),
      deploy(two, 'other', 41, { commitSha: 'bbbbbbb', commitTimestamp: at(50) }),
    ])
    await rollUp(person)
    await send(token, [deploy(one, 'before', 90, more)])
    await rollUp(person)
    await isSame(person)
  })

  it('follow the names of refs that are rework', async () => {
    const { person, ids, token } = await newTeam()
    await send(token, [deploy(ids.get('one'), 'run', 40, { commitRef: 'fix/1' })])
    await rollUp(person)
    const settings = await app.call('PUT', '/reports/settings/incidents', {
      as: person,
      body: { reworkRefs: ['fix/'] },
    })
    expect(settings.status).toBe(200)
    await rollUp(person)
    await isSame(person)
    const { data } = await app.call('GET', '/reports/execution/dora', { as: person })
    expect(data.dora.environments[0].reworkRate.rework).toBe(1)
  })
})
