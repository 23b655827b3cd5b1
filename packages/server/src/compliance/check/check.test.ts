/**
 * Goal: a check gives the engine's verdict by the rules in force at that moment, and a live check is in the log before
 * its answer.
 */
import { evaluateRules, type Rule } from '@plumbline/engine'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { type ComplianceApp, memberOf, noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { giveCustomRole } from '../../../test/support/organizations.js'
import { type SignedIn, stepUp } from '../../../test/support/sign-in.js'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { TenantKey } from '../../runtime/store/db.js'

const BAD = { attributes: { version: 'latest' } }

await describeCompliance('checks', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
  })
  const call: ComplianceApp['call'] = (...parts) => kit.call(...parts)
  const logged = async (as: SignedIn, query = '') => (await call(as, 'GET', `/audit?limit=1000${query}`)).data.entries
  const isBlocked = async (as: SignedIn, body: object = BAD) =>
    (await call(as, 'POST', '/validate/plugin/dry-run', body)).data.blocked
  const newcomer = (name: string) => signUp(kit.app, name)

  it('a live check answers the verdict and has its entry; a dry run has none', async () => {
    const made = await call(ada, 'POST', '/rules', noLatest('no latest', { description: 'pin it' }))
    const dry = await call(ada, 'POST', '/validate/plugin/dry-run', BAD)
    expect(dry.status).toBe(200)
    expect(await logged(ada)).toEqual([])
    const live = await call(ada, 'POST', '/validate/plugin', { ...BAD, entityName: 'my plugin' })
    const { checkId, ...verdict } = live.data
    expect(verdict).toEqual(dry.data)
    expect(verdict).toMatchObject({
      passed: false,
      blocked: true,
      rulesEvaluated: 1,
      violations: [
        {
          ruleId: made.data.rule.id,
          ruleName: 'no latest',
          severity: 'error',
          field: 'version',
          expectedValue: 'latest',
          actualValue: 'latest',
          source: 'own',
        },
      ],
    })
    expect(await logged(ada)).toEqual([
      {
        id: checkId,
        orgId: ada.orgId,
        userId: ada.userId,
        target: 'plugin',
        action: 'upload',
        entityId: null,
        entityName: 'my plugin',
        result: 'block',
        violations: verdict.violations,
        observed: [],
        ruleCount: 1,
        rulesSkipped: 0,
        exemptionsApplied: [],
        attributesHash: expect.stringMatching(/^[0-9a-f]{64}$/),
        scanId: null,
        createdAt: '2026-11-21T10:00:00.000Z',
      },
    ])
  })

  it('a check without rules passes and has its entry too', async () => {
    const eve = await newcomer('eve')
    const answer = await call(eve, 'POST', '/validate/pipeline', { attributes: {} })
    expect(answer.data).toMatchObject({ passed: true, blocked: false, rulesEvaluated: 0 })
    expect(await logged(eve)).toMatchObject([{ target: 'pipeline', action: 'create', result: 'pass' }])
  })

  it('rollout: `warn` never blocks, `observe` stands apart', async () => {
    const rita = await newcomer('rita')
    const { data } = await call(rita, 'POST', '/rules', noLatest('soft', { severity: 'critical', mode: 'warn' }))
    const warned = await call(rita, 'POST', '/validate/plugin', BAD)
    expect(warned.data).toMatchObject({
      passed: false,
      blocked: false,
      violations: [{ severity: 'warning', declaredSeverity: 'critical' }],
      warnings: [{ severity: 'warning' }],
    })
    await call(rita, 'PUT', `/rules/${data.rule.id}`, { mode: 'observe' })
    const observed = await call(rita, 'POST', '/validate/plugin', BAD)
    expect(observed.data).toMatchObject({ passed: true, violations: [], observed: [{ severity: 'critical' }] })
    expect((await logged(rita)).map(({ result }: { result: string }) => result)).toEqual(['pass', 'warn'])
    expect(await logged(rita, `&ruleId=${data.rule.id}`)).toHaveLength(2)
    // What a rule only observed does not count as a violation, as in the summary.
    expect(await logged(rita, `&violatedRuleId=${data.rule.id}`)).toMatchObject([{ result: 'warn' }])
    const { rules } = (await call(rita, 'GET', '/summary')).data
    expect(rules).toMatchObject([{ ruleId: data.rule.id, checks: 1 }])
  })

  it('what is beyond the limits is refused with the limit', async () => {
    const keys = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1]))
    for (const path of ['/validate/plugin', '/validate/plugin/dry-run']) {
      expect(await call(ada, 'POST', path, { attributes: keys })).toMatchObject({
        status: 400,
        code: 'VALIDATION_ERROR',
        body: { details: { limit: 'keys', max: 100, actual: 101 } },
      })
    }
    let deep: unknown = 1
    for (let depth = 0; depth < 11; depth++) deep = [deep]
    expect((await call(ada, 'POST', '/validate/plugin', { attributes: { deep } })).body.details.limit).toBe('depth')
  })

  it('a dry run without attributes judges the stored record of the organization, as a scan reads it', async () => {
    const [tom, other] = [await newcomer('tom'), await newcomer('tim')]
    const id = '01a16d23-b8a0-77a1-8c31-000000000001'
    kit.inventory.set(recordKey(tom.orgId, 'plugin', id), { id, name: 'kept', revision: 1, ...BAD })
    await call(tom, 'POST', '/rules', noLatest('no latest'))
    expect(await isBlocked(tom, { entityId: id })).toBe(true)
    expect(await isBlocked(tom, { entityId: id, attributes: { version: '1.0.0' } })).toBe(false)
    const dry = (as: SignedIn, body: object) => call(as, 'POST', '/validate/plugin/dry-run', body)
    expect(await dry(other, { entityId: id })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect((await dry(tom, {})).body.details.issues).toMatchObject([{ path: '/body/attributes' }])
    const client = await kit.app.call('POST', `/organization/${tom.orgId}/service-principals`, {
      as: tom,
      headers: { 'x-org-id': tom.orgId, ...(await stepUp(kit.app, tom)) },
      body: { name: 'ci', scopes: ['compliance:validate'] },
    })
    const { clientId, clientSecret } = { ...client.data, ...client.data.servicePrincipal }
    const signIn = { grant_type: 'client_credentials', clientId, clientSecret }
    const token = await kit.app.call('POST', '/auth/token', { body: signIn })
    const program = { ...tom, accessToken: token.data?.accessToken ?? token.body?.access_token }
    expect((await dry(program, BAD)).data.blocked).toBe(true)
    expect(await dry(program, { ...BAD, complete: true })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('leave `complete` out') },
    })
    expect(await dry(program, { entityId: id })).toMatchObject({ status: 403, code: 'INSUFFICIENT_PERMISSIONS' })
  })

  it('a dry run completes attributes by the stored record, where that is asked for', async () => {
    const uma = await newcomer('uma')
    const id = '01a16d23-b8a0-77a1-8c31-000000000002'
    const attributes = { name: 'kept', version: '1.0.0', lifecycle: 'deprecated' }
    kit.inventory.set(recordKey(uma.orgId, 'plugin', id), { id, name: 'kept', revision: 1, attributes })
    const isProduction = { field: 'lifecycle', operator: 'neq', value: 'production' }
    await call(uma, 'POST', '/rules', noLatest('not in production', isProduction))
    const [stored, other] = [
      { name: 'kept', version: '1.0.0' },
      { name: 'kept', version: '2.0.0' },
    ]
    const verdicts = async (body: object) => [
      await isBlocked(uma, { attributes: stored, ...body }),
      await isBlocked(uma, { attributes: other, ...body }),
    ]
    expect(await verdicts({})).toEqual([false, false])
    expect(await verdicts({ entityId: id, complete: true })).toEqual([false, false])
    expect(await verdicts({ complete: true })).toEqual([false, true])
    expect(await isBlocked(uma, { attributes: { ...stored, lifecycle: 'production' }, complete: true })).toBe(true)
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`key${n}`, n]))
    const tooMany = await call(uma, 'POST', '/validate/plugin/dry-run', { attributes: many, complete: true })
    expect([tooMany.status, tooMany.body.details.limit]).toEqual([400, 'keys'])
  })

  it('what is secret by its name leaves redacted', async () => {
    const sam = await newcomer('sam')
    await call(sam, 'POST', '/rules', noLatest('env', { field: 'env.TOKEN', operator: 'notExists', value: null }))
    const answer = await call(sam, 'POST', '/validate/plugin', { attributes: { env: { TOKEN: 'hunter2-secret' } } })
    expect(answer.data.blocked).toBe(true)
    expect(JSON.stringify(answer.body) + JSON.stringify(await logged(sam))).not.toContain('hunter2-secret')
  })

  it('the organization of the system is held to nothing', async () => {
    const system = { ...kit.root, orgId: SYSTEM_ORG_ID }
    expect((await call(system, 'POST', '/rules', noLatest('own rule'))).status).toBe(201)
    expect(await isBlocked(system)).toBe(false)
  })

  it('a team is held to what its parent hands down, also if the same rule is loosened at home', async () => {
    const olga = await newcomer('olga')
    const team = await teamOf(kit, olga, 'Team of Olga')
    const other = await newcomer('otto')
    const { data } = await call(olga, 'POST', '/rules', noLatest('house rule', { propagateToChildren: true }))
    const answer = await call(team, 'POST', '/validate/plugin', BAD)
    expect(answer.data.violations).toMatchObject([{ ruleName: 'house rule', source: 'inherited' }])
    await call(team, 'POST', '/rules', noLatest('house rule', { severity: 'warning' }))
    expect(await isBlocked(team)).toBe(true)
    expect(await isBlocked(other)).toBe(false)
    await call(olga, 'PUT', `/rules/${data.rule.id}`, { propagateToChildren: false })
    expect(await isBlocked(team)).toBe(false)
    expect(await isBlocked(olga)).toBe(true)
  })

  it('the one who asks never changes the verdict; who may not write plugins asks for no live check', async () => {
    const member = await memberOf(kit, ada, 'reader')
    await giveCustomRole(kit.app, ada.orgId, member.userId, ['compliance:read'])
    expect(await isBlocked(member)).toBe(true)
    expect(await isBlocked({ ...kit.root, orgId: ada.orgId })).toBe(true)
  })

  it('a check whose entry cannot be written is not a check', async () => {
    const vera = await newcomer('vera')
    const { tenant } = kit.store
    Object.assign(kit.store, {
      tenant: (key: TenantKey) => ({
        ...tenant(key),
        write: () => Promise.reject(new Refusal('SERVICE_UNAVAILABLE', 'the disk is full')),
      }),
    })
    const answer = await call(vera, 'POST', '/validate/plugin', { attributes: {} })
    Object.assign(kit.store, { tenant })
    expect(answer).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(answer.data).toBeUndefined()
    expect(await logged(vera)).toEqual([])
  })

  it('the log is found by what happened', async () => {
    const zoe = await newcomer('zoe')
    await call(zoe, 'POST', '/rules', noLatest('z', { severity: 'warning' }))
    const entityId = '99999999-9999-7999-8999-999999999999'
    await call(zoe, 'POST', '/validate/plugin', { ...BAD, entityId, entityName: 'Alpha', action: 'update' })
    kit.app.clock.advance(60_000)
    await call(zoe, 'POST', '/validate/pipeline', { attributes: {} })
    for (const [query, expected] of [
      ['', 2],
      ['&target=plugin', 1],
      ['&result=warn', 1],
      ['&result=block', 0],
      ['&action=update', 1],
      [`&entityId=${entityId}`, 1],
      [`&entity=${entityId}`, 1],
      ['&entityName=alph', 1],
      [`&userId=${zoe.userId}`, 2],
      ['&dateFrom=2026-11-21T10:00:30.000Z', 1],
      ['&dateTo=2026-11-21T10:00:00.000Z', 1],
    ] as const) {
      expect(await logged(zoe, query), query).toHaveLength(expected)
    }
    kit.app.clock.advance(-60_000)
    expect((await call(zoe, 'GET', '/audit?result=fail')).status).toBe(400)
    expect((await call(zoe, 'GET', '/audit?dateFrom=2026-11-22T00:00:00Z&dateTo=2026-11-21T00:00:00Z')).status).toBe(
      400,
    )
  })

  it('is found by the severities that it violated, which are those of the summary', async () => {
    const sev = await newcomer('severities')
    const rules = [
      noLatest('a warning', { severity: 'warning' }),
      {
        name: 'critical meta',
        target: 'plugin',
        severity: 'critical',
        field: 'meta.mode',
        operator: 'neq',
        value: 'x',
      },
      { name: 'a loose one', target: 'plugin', severity: 'error', field: 'meta', operator: 'notExists', mode: 'warn' },
      { name: 'seen', target: 'plugin', severity: 'critical', field: 'version', operator: 'exists', mode: 'observe' },
    ]
    for (const rule of rules) expect((await call(sev, 'POST', '/rules', rule)).status).toBe(201)
    const check = async (attributes: object): Promise<void> => {
      const answer = await call(sev, 'POST', '/validate/plugin', { attributes, action: 'upload', entityName: 'a' })
      expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    }
    await check({ name: 'a', version: '1.0.0' })
    await check({ name: 'a', version: 'latest' })
    // What was found of an attribute looks like a violation.
    await check({ name: 'a', version: 'latest', meta: { severity: 'critical', mode: 'y' } })
    await check({ name: 'a', version: 'latest', meta: { mode: 'x', note: 'a\u0001b\ud800' } })
    const count = async (severity: string): Promise<number> => {
      const { entries, pagination } = (await call(sev, 'GET', `/audit?limit=100&severity=${severity}`)).data
      expect(entries).toHaveLength(pagination.total)
      return entries.length
    }
    const counted = Object.fromEntries(
      await Promise.all(
        ['warning', 'error', 'critical', 'any'].map(async (each) => [each, await count(each)] as const),
      ),
    )
    const { days, checks } = (await call(sev, 'GET', '/summary?days=1')).data
    const { any, ...bySeverity } = counted
    expect(bySeverity).toEqual(days[0].severities)
    expect([bySeverity, any]).toEqual([{ warning: 3, error: 0, critical: 1 }, checks.warn + checks.block])
    expect((await call(sev, 'GET', '/audit?severity=high')).status).toBe(400)
  })

  it('gives the verdict of the engine after every change of the rules', async () => {
    const root = await newcomer('walk')
    const team = await teamOf(kit, root, 'Team of the walk')
    const model = new Map<string, { readonly orgId: string; body: Rule }>()
    /** The rules that apply to the team and to the root, according to the written decisions alone. */
    const heldBy = (orgId: string): Rule[] =>
      [...model].flatMap(([id, { orgId: owner, body }]) => {
        const isOwn = owner === orgId
        const isInherited = orgId === team.orgId && owner === root.orgId && body.propagateToChildren === true
        if (body.isActive === false || !(isOwn || isInherited)) return []
        return [{ ...body, id, source: isOwn ? ('own' as const) : ('inherited' as const) }]
      })
    let names = 0
    await fc.assert(
      fc.asyncProperty(change, attributes, async ({ kind, who, draft, at }, entity) => {
        const as = who === 'team' ? team : root
        const own = [...model].filter(([, { orgId }]) => orgId === as.orgId)
        const [id, known] = own[at % Math.max(1, own.length)] ?? []
        if (kind === 'create' || id === undefined || known === undefined) {
          names += 1
          const body = { ...draft, name: `r${names}` } as Rule
          const answer = await call(as, 'POST', '/rules', body)
          expect(answer.status, JSON.stringify(answer.body)).toBe(201)
          model.set(answer.data.rule.id, { orgId: as.orgId, body })
        } else if (kind === 'delete') {
          expect((await call(as, 'DELETE', `/rules/${id}`)).status).toBe(200)
          model.delete(id)
        } else {
          const { target: _target, ...patch } = draft
          expect((await call(as, 'PUT', `/rules/${id}`, patch)).status).toBe(200)
          known.body = { ...known.body, ...patch } as Rule
        }
        for (const each of [team, root]) {
          const answer = await call(each, 'POST', '/validate/plugin/dry-run', { attributes: entity })
          const { issues: _issues, ...expected } = evaluateRules(heldBy(each.orgId), entity, {
            target: 'plugin',
            now: kit.app.clock.now(),
          })
          expect(answer.data).toEqual({ ...expected, observed: [] })
        }
      }),
      { numRuns: 40 },
    )
  })
})

const name = fc.constantFrom('a', 'b', 'c.d', '$count(c)', 'labels["x.y"]')
const check = fc.oneof(
  fc.record({ field: name, operator: fc.constantFrom('eq', 'neq'), value: fc.constantFrom('x', 1, true, null) }),
  fc.record({ field: name, operator: fc.constantFrom('gt', 'lte', 'countGt'), value: fc.integer({ min: 0, max: 3 }) }),
  fc.record({ field: name, operator: fc.constantFrom('exists', 'notExists', 'notEmpty'), value: fc.constant(null) }),
  fc.record({ field: name, operator: fc.constant('regex'), value: fc.constantFrom('^x', '[0-9]$') }),
)
const draft = fc
  .record({
    target: fc.constant('plugin'),
    severity: fc.constantFrom('warning', 'error', 'critical'),
    priority: fc.integer({ min: 0, max: 3 }),
    isActive: fc.boolean(),
    propagateToChildren: fc.boolean(),
    checks: fc.array(check, { minLength: 1, maxLength: 3 }),
    conditionMode: fc.constantFrom('all', 'any'),
  })
  .map(({ checks, ...more }) => ({ ...more, ...checks[0], conditions: checks.length > 1 ? checks : null }))
const change = fc.record({
  kind: fc.constantFrom('create', 'create', 'update', 'delete'),
  who: fc.constantFrom('team', 'root'),
  draft,
  at: fc.nat(20),
})
const value = fc.constantFrom<unknown>('x', '9', 1, 2, true, null, [], ['x', 1], { d: 'x' }, { d: 3 })
const attributes = fc.record({ a: value, b: value, c: value, labels: fc.constantFrom({}, { 'x.y': 'x' }) })
