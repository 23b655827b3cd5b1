/**
 * Scorecards, what-if and the runs of one pipeline over teams: for those with `reports:rollup`, by the rules and
 * settings that the team itself has.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { enrol } from '../../../test/support/organizations.js'
import { HeldRules, passed, violating } from '../../../test/support/pipelines.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import { type CheckContext, type ComplianceRequest, compliancePort } from '../../runtime/records/compliance.js'
import type { Store } from '../../runtime/store/db.js'

const HOUR = 3_600_000

/** Rules of an organization of its own: what the check of each organization answers. */
class RulesByOrganization extends HeldRules {
  readonly breaking = new Set<string>()
  override async check(context: unknown, request: ComplianceRequest) {
    this.asked.push(request)
    const { authority } = context as CheckContext
    return { verdict: this.breaking.has(authority.org?.id ?? '') ? violating('error') : passed }
  }
}

await describeStores('reports of one pipeline over teams', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let eve: SignedIn
  let shop: string
  let team: string
  let ofTeam: string
  const rules = new RulesByOrganization()

  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    app.ports.set(compliancePort, rules)
    ada = await signUp(app, 'ada')
    eve = await signUp(app, 'eve')
    await enrol(app, eve, ada.orgId, ['Member'])
    shop = await newPipeline(app, ada, 'shop')
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
    ofTeam = await newPipeline(app, ada, 'of-team', { orgId: team })
    const at = (hours: number) => new Date(app.clock.now() - hours * HOUR).toISOString()
    const events = [shop, ofTeam].flatMap((pipelineId, of) => [
      {
        pipelineId,
        executionId: 'run',
        eventType: 'PIPELINE',
        status: 'SUCCEEDED',
        startedAt: at(9),
        completedAt: at(8),
      },
      ...Array.from({ length: 1 + 4 * of }, (_, n) => ({
        pipelineId,
        executionId: `deploy-${n}`,
        eventType: 'STAGE',
        stageName: 'Deploy',
        status: 'SUCCEEDED',
        environment: of === 0 ? 'production' : 'live',
        startedAt: at(20 + n),
        completedAt: at(19 + n),
      })),
    ])
    const as = await forwarder(app, ada.orgId)
    const answer = await app.call('POST', '/reports/events', { as, body: { events } })
    if (answer.data?.inserted !== events.length) throw new Error(JSON.stringify(answer.body))
    // The team has a headline environment of its own.
    const set = await app.call('PUT', '/reports/settings/incidents', {
      as: ada,
      headers: { 'x-org-id': team },
      body: { headlineEnvironments: ['live'] },
    })
    if (set.status !== 200) throw new Error(JSON.stringify(set.body))
    rules.breaking.add(team)
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const get = async (path: string, { as = ada, orgId = ada.orgId } = {}) =>
    app.call('GET', path, { as, headers: { 'x-org-id': orgId } })
  const idsOf = (cards: readonly { pipelineId: string }[]) => cards.map(({ pipelineId }) => pipelineId).sort()

  it('has the cards of teams where they are asked for, each with its organization', async () => {
    const { data: own } = await get('/reports/scorecards')
    expect(idsOf(own.scorecards)).toEqual([shop])
    const { data: all } = await get('/reports/scorecards?includeDescendants=true')
    expect(idsOf(all.scorecards)).toEqual([shop, ofTeam].sort())
    expect(all).toMatchObject({ pagination: { total: 2 }, leftOut: 0 })
    expect(Object.fromEntries(all.scorecards.map((each: never) => [each['pipelineId'], each['orgId']]))).toEqual({
      [shop]: ada.orgId,
      [ofTeam]: team,
    })
  })

  it('shows the card that the team itself sees: by its rules, its settings and its deployments', async () => {
    const cards = (await get('/reports/scorecards?includeDescendants=true')).data.scorecards
    const seen = (await get(`/pipelines/${ofTeam}/scorecard`, { orgId: team })).data.scorecard
    expect(seen).toMatchObject({ compliance: { score: 0, violations: 1 }, dora: { environment: 'live' } })
    expect(cards.find(({ pipelineId }: { pipelineId: string }) => pipelineId === ofTeam)).toEqual(seen)
    expect((await get(`/pipelines/${ofTeam}/scorecard?includeDescendants=true`)).data.scorecard).toEqual(seen)
    expect(cards.find(({ pipelineId }: { pipelineId: string }) => pipelineId === shop)).toEqual(
      (await get(`/pipelines/${shop}/scorecard`)).data.scorecard,
    )
  })

  it('filters the cards without changing them', async () => {
    const all = (await get('/reports/scorecards?includeDescendants=true')).data.scorecards
    const only = async (filter: string) =>
      (await get(`/reports/scorecards?includeDescendants=true&${filter}`)).data.scorecards
    for (const filter of [`pipelineId=${ofTeam}`, 'project=OF-TEAM']) {
      expect(await only(filter)).toEqual(all.filter((each: { pipelineId: string }) => each.pipelineId === ofTeam))
    }
    expect(await only('label=tier=gold')).toEqual([])
    expect((await get(`/reports/scorecards?pipelineId=${ofTeam}`)).status).toBe(404)
  })

  it('reads the runs of a pipeline of a team, and says of each deployment whose it is', async () => {
    expect((await get(`/pipelines/${ofTeam}/executions`)).status).toBe(404)
    const { data } = await get(`/pipelines/${ofTeam}/executions?includeDescendants=true`)
    expect(data.executions).toMatchObject([{ executionId: 'run', orgId: team }])
    const { deployments } = (await get('/reports/deployments?includeDescendants=true&limit=100')).data
    const owners = new Set(deployments.map((each: never) => `${each['pipelineId']} ${each['orgId']}`))
    expect(owners).toEqual(new Set([`${shop} ${ada.orgId}`, `${ofTeam} ${team}`]))
  })

  it('takes `includeDescendants` of a what-if where its other filters are, and beside the address', async () => {
    const ask = async (query: string, body: object) =>
      (await app.call('POST', `/reports/execution/dora/what-if${query}`, { as: ada, body })).data.whatIf
    const ofAll = await ask('', { includeDescendants: true, environment: 'live' })
    expect(ofAll.deploymentFrequency.value).toBe(0.17)
    expect(await ask('?includeDescendants=true', { environment: 'live' })).toEqual(ofAll)
    expect((await ask('', { environment: 'live' })).deploymentFrequency.value).toBeNull()
    expect((await ask('', { includeDescendants: false, environment: 'live' })).deploymentFrequency.value).toBeNull()
  })

  it('refuses teams to those who may not roll up, before any rule of a team is asked', async () => {
    const refusal = { statusCode: 403, details: { reason: 'permission', required: ['reports:rollup'] } }
    const asked = rules.asked.length
    for (const path of ['/reports/scorecards', `/pipelines/${ofTeam}/scorecard`, `/pipelines/${ofTeam}/executions`]) {
      expect((await get(`${path}?includeDescendants=true`, { as: eve })).body).toMatchObject(refusal)
    }
    const whatIf = await app.call('POST', '/reports/execution/dora/what-if', {
      as: eve,
      headers: { 'x-org-id': ada.orgId },
      body: { includeDescendants: true },
    })
    expect(whatIf.body).toMatchObject(refusal)
    expect(rules.asked.length).toBe(asked)
    expect((await get('/reports/scorecards', { as: eve })).status).toBe(200)
  })

  it('has no card of a team while it is deleted, and has it again once it is back', async () => {
    const known = async () => idsOf((await get('/reports/scorecards?includeDescendants=true')).data.scorecards)
    const mark = (deletedAtMs: number | null) =>
      store.system.write((tx) => {
        const { organizations: t } = identityTables(tx)
        return tx.update(t).set({ deletedAtMs }).where(eq(t.id, team))
      })
    await mark(app.clock.now())
    expect(await known()).toEqual([shop])
    expect((await get(`/pipelines/${ofTeam}/scorecard?includeDescendants=true`)).status).toBe(404)
    await mark(null)
    expect(await known()).toEqual([shop, ofTeam].sort())
  })
})
