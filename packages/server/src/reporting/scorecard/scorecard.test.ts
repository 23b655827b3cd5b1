/** Scorecards over HTTP: both halves, the promise of the best fix, the list, and permissions. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { HeldRules } from '../../../test/support/pipelines.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { type ComplianceVerdict, compliancePort } from '../../runtime/records/compliance.js'
import type { Store } from '../../runtime/store/db.js'

const HOUR = 3_600_000

await describeStores('scorecards', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let token: string
  let shop: string
  let blog: string
  const rules = new HeldRules()
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    app.ports.set(compliancePort, rules)
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    token = await forwarder(app, ada.orgId)
    shop = await newPipeline(app, ada, 'shop')
    blog = await newPipeline(app, ada, 'blog')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
  const deploy = async (executionId: string, hours: number, more: object = {}) => {
    const event = {
      pipelineId: shop,
      executionId,
      eventType: 'STAGE',
      stageName: 'Deploy',
      status: 'SUCCEEDED',
      environment: 'production',
      startedAt: at(hours + 0.5),
      completedAt: at(hours),
      ...more,
    }
    const answer = await app.call('POST', '/reports/events', { as: token, body: { events: [event] } })
    expect(answer.data).toMatchObject({ inserted: 1 })
  }
  const card = async (id = shop, as = ada) =>
    (await app.call('GET', `/pipelines/${id}/scorecard`, { as })).data.scorecard
  const verdict = (names: readonly string[], warned: readonly string[] = []): ComplianceVerdict => {
    const all = [...names, ...warned].map((name) => ({
      ruleId: name,
      ruleName: name,
      message: `do ${name}`,
      severity: warned.includes(name) ? 'warning' : 'error',
    }))
    const violations = [...all, ...all] as never
    return { passed: false, blocked: true, violations, warnings: [], rulesEvaluated: 4 }
  }

  it('have no score where nothing is known, and say so', async () => {
    rules.answer = () => ({ passed: true, blocked: false, violations: [], warnings: [], rulesEvaluated: 0 })
    expect(await card()).toMatchObject({
      score: null,
      grade: null,
      compliance: null,
      checks: [],
      nextBestFix: [],
      degraded: [],
    })
    expect(rules.asked.at(-1)).toMatchObject({ target: 'pipeline', entityId: shop, isDryRun: true })
    expect((await card()).history).toHaveLength(12)
  })

  it('count each rule once, and are the other half where one is not known', async () => {
    rules.answer = () => verdict(['a'], ['b'])
    expect(await card()).toMatchObject({
      score: 63,
      grade: 'C',
      compliance: { score: 63, rulesEvaluated: 4, violations: 1, warnings: 1 },
      dora: { score: null, basis: null },
      nextBestFix: [
        { kind: 'rule', name: 'a', newScore: 88, gain: 25, how: 'do a' },
        { kind: 'rule', name: 'b', newScore: 75, gain: 12 },
      ],
    })
    rules.answer = () => {
      throw new Error('away')
    }
    expect(await card()).toMatchObject({ score: null, degraded: ['compliance'] })
  })

  it('give the promised score once the fix is made', async () => {
    rules.answer = () => verdict(['a', 'c'])
    for (let n = 0; n < 3; n++)
      await deploy(`run-${n}`, 20 + 40 * n, { commitSha: `aaaaaa${n}`, commitTimestamp: at(21 + 40 * n) })
    await deploy('bad', 10, { status: 'FAILED' })
    const before = await card()
    // Delivery: medium, low and elite; compliance: two of four rules.
    expect(before).toMatchObject({
      score: 56,
      dora: {
        basis: 'deploy',
        environment: 'production',
        deploymentFrequency: 'medium',
        changeFailureRate: 'low',
        leadTime: 'elite',
        score: 61.7,
      },
    })
    const sum = before.checks.reduce((total: number, { points }: { points: number }) => total + points, 0)
    expect(Math.round(sum)).toBe(before.score)
    const [best] = before.nextBestFix
    expect(best).toMatchObject({ kind: 'rule', name: 'a', newScore: 68 })
    rules.answer = () => verdict(['c'])
    const after = await card()
    expect(after.score).toBe(best.newScore)
    const metric = after.nextBestFix.find(({ name }: { name: string }) => name === 'deploymentFrequency')
    expect(metric.how).toBe('2 more deployments: high')
    for (const n of [1, 2]) await deploy(`more-${n}`, n)
    const done = await card()
    expect(done.dora.deploymentFrequency).toBe('high')
    expect(done.history.at(-1).score).toBeNull()
  })

  it('list all pipelines, the worst first, those without a score last', async () => {
    rules.answer = ({ entityId }) =>
      entityId === shop
        ? verdict(['c'])
        : { passed: true, blocked: false, violations: [], warnings: [], rulesEvaluated: 0 }
    const list = async (query = '') => (await app.call('GET', `/reports/scorecards${query}`, { as: ada })).data
    const { scorecards, pagination } = await list()
    expect(scorecards.map(({ pipelineId }: { pipelineId: string }) => pipelineId)).toEqual([shop, blog])
    expect(scorecards[0]).toEqual(await card())
    expect(pagination).toMatchObject({ total: 2, hasMore: false })
    expect((await list('?sortBy=project')).scorecards.map(({ project }: { project: string }) => project)).toEqual([
      'blog',
      'shop',
    ])
    expect((await list('?limit=1')).pagination.hasMore).toBe(true)
    expect((await app.call('GET', '/reports/scorecards', { as: bob })).data.scorecards).toEqual([])
    expect((await app.call('GET', `/pipelines/${shop}/scorecard`, { as: bob })).status).toBe(404)
  })

  it('promise what the deployments of a fix do to every metric', async () => {
    for (const name of ['leadTime', 'changeFailureRate']) {
      rules.answer = () => ({ ...verdict([]), passed: true, blocked: false })
      const own = await newPipeline(app, ada, name.toLowerCase())
      rules.answer = () => verdict(['c'])
      const sent = (id: string, hours: number, more: object) => deploy(id, hours, { pipelineId: own, ...more })
      for (let n = 0; n < 3; n++)
        await sent(`run-${n}`, 20 + 40 * n, { commitSha: `bbbbbb${n}`, commitTimestamp: at(240 + 20 + 40 * n) })
      if (name === 'changeFailureRate') await sent('bad', 10, { status: 'FAILED' })
      const read = () => card(own)
      const before = await read()
      expect(before.dora).toMatchObject({ deploymentFrequency: 'medium', leadTime: 'medium' })
      const fix = before.nextBestFix.find((each: { name: string }) => each.name === name)
      const [, count, hours] = /^(\d+) more .*deployments(?: (\d+) h)?/.exec(fix.how) ?? []
      for (let n = 0; n < Number(count); n++)
        await sent(
          `more-${n}`,
          1,
          hours === undefined ? {} : { commitSha: `cccccc${n}`, commitTimestamp: at(1 + Number(hours)) },
        )
      const after = await read()
      expect([after.dora.deploymentFrequency, after.score]).toEqual(['high', fix.newScore])
    }
  })
})
