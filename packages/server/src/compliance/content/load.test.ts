/**
 * Goal: the content is loaded at the first start, loading it again changes nothing, and no operator's choice is undone.
 */
import { libraryPolicies, libraryRules } from '@plumbline/rules'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { evidence } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { loadContent, loadFirstContent } from './load.js'

const names = libraryRules.map(({ rule }) => rule.name)
const policies = libraryPolicies.map(({ name }) => name)
const NAME = 'standard-plugin-version-fixed'

await describeCompliance('the content', { stores: BOTH_DATABASES }, (kit) => {
  const system = (method: string, path: string, body?: unknown) =>
    kit.call(kit.root, method, path, body, { headers: { 'x-org-id': SYSTEM_ORG_ID } })
  const ruleNamed = async (name: string) =>
    (await system('GET', `/rules?name=${name}`)).data.rules.find((rule: { name: string }) => rule.name === name)
  /** Notifications of a change of a published rule, for its subscribers. */
  const noticesQueued = () =>
    kit.store.system.read((db) => db.$count(jobTables(db).jobs, eq(jobTables(db).jobs.kind, 'compliance.rule-change')))
  const load = () => loadContent(kit.app.runtime, 'host:ann')

  it('is published whole at the first start, once, also when replicas start together', async () => {
    const loads = await Promise.all([loadFirstContent(kit.app.runtime), loadFirstContent(kit.app.runtime)])
    expect(loads.filter((loaded) => loaded !== null).map(({ added }) => added)).toEqual([names])
    expect(await loadFirstContent(kit.app.runtime)).toBeNull()
    const made = (await evidence(kit.app)).filter(({ action }) => action === 'compliance.rule.create')
    expect(made.length).toBe(names.length)
    expect(made[0]).toMatchObject({ actorId: 'system', orgId: SYSTEM_ORG_ID })
  })

  it('stores rules as the library says, with references by id', async () => {
    const [fixed, semantic] = [await ruleNamed(NAME), await ruleNamed('standard-plugin-version-semantic')]
    const { rule } = libraryRules.find((entry) => entry.rule.name === NAME) ?? {}
    expect(fixed).toMatchObject({ ...rule, version: 1, isActive: true, mode: 'enforce', createdBy: 'system' })
    expect(semantic.conditions[0]).toEqual({ dependsOnRule: fixed.id })
    expect((await system('GET', `/rules/${fixed.id}/history`)).data.history).toHaveLength(1)
  })

  it('is unchanged when it is loaded again', async () => {
    const before = (await evidence(kit.app)).length
    expect(await load()).toEqual({
      added: [],
      changed: [],
      unchanged: names,
      taken: [],
      refused: [],
      policies: { added: [], changed: [], unchanged: policies },
    })
    expect((await evidence(kit.app)).length).toBe(before)
  })

  it('groups its rules in nine policies, of which the five of the starter can be copied', async () => {
    const { policies: stored } = (await system('GET', '/policies?limit=100')).data
    expect(stored.map(({ name }: { name: string }) => name).sort()).toEqual([...policies].sort())
    for (const policy of libraryPolicies) {
      const { rules, ...rest } = stored.find(({ name }: { name: string }) => name === policy.name)
      const { library: _library, rules: wanted, ...told } = policy
      expect(rest).toMatchObject({ ...told, isActive: true })
      expect(rules.map(({ name }: { name: string }) => name).sort()).toEqual([...wanted].sort())
    }
    const templates = (await system('GET', '/policies?isTemplate=true')).data.policies
    expect(templates.map(({ name }: { name: string }) => name).sort()).toEqual([
      'cost-optimization',
      'naming-conventions',
      'production-readiness',
      'quality-standards',
      'security-baseline',
    ])
    const cora = await signUp(kit.app, 'cora')
    const copied = await kit.call(cora, 'POST', `/policies/${templates[0].id}/clone`, {})
    expect(copied).toMatchObject({ status: 201, data: { policy: { orgId: cora.orgId, isTemplate: false } } })
  })

  it('a policy that was edited is brought back, and stays switched off', async () => {
    const [policy] = (await system('GET', '/policies?name=best-practices')).data.policies
    const edited = { description: 'Another text.', isActive: false, rules: [NAME] }
    expect((await system('PUT', `/policies/${policy.id}`, edited)).status).toBe(200)
    expect((await load()).policies.changed).toEqual(['best-practices'])
    const again = (await system('GET', `/policies/${policy.id}`)).data.policy
    expect(again).toMatchObject({ description: policy.description, isActive: false, revision: policy.revision + 2 })
    expect(again.rules).toHaveLength(policy.rules.length)
    expect((await load()).policies.changed).toEqual([])
  })

  it('becomes a new version where it differs, and keeps what the operator switched', async () => {
    const { id } = await ruleNamed(NAME)
    const edited = { description: 'Another text.', severity: 'critical', suppressNotification: true }
    expect((await system('PUT', `/rules/${id}`, edited)).status).toBe(200)
    const told = await noticesQueued()
    expect((await load()).changed).toEqual([NAME])
    expect(await noticesQueued()).toBe(told + 1)
    const { rule } = libraryRules.find((entry) => entry.rule.name === NAME) ?? {}
    expect(await ruleNamed(NAME)).toMatchObject({
      ...rule,
      id,
      version: 3,
      suppressNotification: true,
      updatedBy: 'host:ann',
    })
    expect((await load()).changed).toEqual([])
  })

  it('comes back where it was deleted, and does not take a name that means something else', async () => {
    const { id } = await ruleNamed('starter-plugin-moderate-compute')
    await system('DELETE', `/rules/${id}`)
    const own = { name: 'starter-plugin-moderate-compute', target: 'plugin', field: 'name', operator: 'notEmpty' }
    expect((await system('POST', '/rules', own)).status).toBe(201)
    expect(await load()).toMatchObject({ added: [], changed: [], taken: [own.name] })
    await system('DELETE', `/rules/${(await ruleNamed(own.name)).id}`)
    expect((await load()).added).toEqual([own.name])
  })

  it('leaves out what the settings refuse', async () => {
    const settings = { ...kit.app.runtime.settings, COMPLIANCE_MAX_REGEX_LENGTH: 60 }
    const strict: Runtime = { ...kit.app.runtime, settings }
    const { refused, unchanged } = await loadContent(strict, 'host:ann')
    expect(refused).toContain('standard-pipeline-checks-something')
    expect(refused.length + unchanged.length).toBe(names.length)
  })

  it('holds for anyone who switches a rule on', async () => {
    const bob = await signUp(kit.app, 'bob')
    const attributes = { version: '1.0.0', baseImage: 'node:latest' }
    const verdict = async () => (await kit.call(bob, 'POST', '/validate/plugin/dry-run', { attributes })).data
    const { id: ruleId } = await ruleNamed('starter-plugin-fixed-image-tag')
    // A new organization has the starter rules, inactive.
    expect((await kit.call(bob, 'POST', '/subscriptions', { ruleId })).status).toBe(200)
    expect((await verdict()).blocked).toBe(false)
    expect((await kit.call(bob, 'PATCH', `/subscriptions/${ruleId}`, { isActive: true })).status).toBe(200)
    expect(await verdict()).toMatchObject({ blocked: true, violations: [{ ruleId, severity: 'error' }] })
  })

  it('is nobody’s but for reading', async () => {
    const ada = await signUp(kit.app, 'ada')
    const { id } = await ruleNamed(NAME)
    expect((await kit.call(ada, 'PUT', `/rules/${id}`, { severity: 'warning' })).status).toBe(404)
    expect((await kit.call(ada, 'DELETE', `/rules/${id}`)).status).toBe(404)
  })
})
