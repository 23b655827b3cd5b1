/**
 * Goal: a record gets the same verdict in every operation: create, validate, update, scan, re-check, dry run. An
 * exemption covers that record alone, and rules read the effective values.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { enrol, organizationApp, runJobs } from '../../../test/support/organizations.js'
import { PROPS } from '../../../test/support/pipelines.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { pipelineEntities } from '../../pipeline/entities.js'
import { PIPELINE_OPERATIONS } from '../../pipeline/operations.js'
import { pipelineRegistration } from '../../pipeline/registration.js'
import { quotaRegistration } from '../../quota/registration.js'
import type { Store } from '../../runtime/store/db.js'
import { complianceOperations } from '../operations.js'
import { inProcessCompliance } from '../port/in-process.js'
import { recheckJob } from '../recheck/job.js'
import { complianceRegistration } from '../registration.js'
import { scanJob } from '../scan/job.js'

await describeStores('one verdict', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let amy: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...PIPELINE_OPERATIONS, ...complianceOperations],
      domains: [identityRegistration, quotaRegistration, pipelineRegistration, complianceRegistration],
      ports: { compliance: inProcessCompliance, entities: [pipelineEntities] },
    })
    ada = await signUp(app, 'ada')
    amy = { ...(await enrol(app, await signUp(app, 'amy'), ada.orgId, ['Member', 'Admin'])), orgId: ada.orgId }
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const call = (method: string, path: string, body?: unknown, as = ada) =>
    app.call(method, path, { as, headers: { 'x-org-id': as.orgId }, ...(body === undefined ? {} : { body }) })
  const rule = async (name: string, check: object): Promise<string> => {
    const body = { name, target: 'pipeline', severity: 'critical', ...check }
    const made = await call('POST', '/compliance/rules', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.data.rule.id
  }
  const exempt = async (ruleId: string, named: object) => {
    const body = { ruleId, entityType: 'pipeline', ...named, reason: 'until the next release' }
    const asked = await call('POST', '/compliance/exemptions', body)
    expect(asked.status, JSON.stringify(asked.body)).toBe(201)
    expect(
      (await call('PUT', `/compliance/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' }, amy))
        .status,
    ).toBe(200)
  }
  const drop = (id: string) => call('DELETE', `/compliance/rules/${id}`)
  const named = (project: string, organization: string, more: object = {}) => ({
    ...{ project, organization, pipelineName: 'legacy-pipe', props: PROPS },
    ...more,
  })
  const checks = async (ruleId: string, more: string) =>
    (await call('GET', `/compliance/audit?ruleId=${ruleId}&${more}`)).data.entries

  it('a pipeline is not waived because another one has its name', async () => {
    const stored = await call('POST', '/pipelines', named('legacy', 'Acme'))
    const { id } = stored.data.pipeline
    const ruleId = await rule('described', { field: 'description', operator: 'notEmpty' })
    await exempt(ruleId, { entityId: id })
    const other = named('evil', 'Other')
    const refused = await call('POST', '/pipelines', other)
    expect(refused).toMatchObject({ status: 403, code: 'COMPLIANCE_VIOLATION' })
    expect(await checks(ruleId, 'action=create')).toMatchObject([{ result: 'block', entityId: null }])
    expect((await call('POST', '/pipelines/validate', other)).data.compliance.blocked).toBe(true)
    const bulk = await call('POST', '/pipelines/bulk/create', { pipelines: [other, named('LEGACY', 'acme')] })
    expect(bulk.data.items).toMatchObject([{ code: 'COMPLIANCE_VIOLATION' }, { status: 'updated', id }])
    expect(await checks(ruleId, 'action=create&result=pass')).toMatchObject([{ entityId: id }])
    expect(await checks(ruleId, 'action=create&result=block')).toMatchObject([{ entityId: null }, { entityId: null }])
    // A check without an id refers to the record with the same key, whatever its name.
    const dry = async (attributes: object) =>
      (await call('POST', '/compliance/validate/pipeline/dry-run', { attributes })).data.blocked
    expect(await dry({ project: 'Legacy', organization: 'ACME', pipelineName: 'renamed' })).toBe(false)
    expect(await dry({ project: 'evil', organization: 'Other', pipelineName: 'legacy-pipe' })).toBe(true)
    await drop(ruleId)
  })

  it('an exemption by key covers the create and everything after it, and no other project', async () => {
    const ruleId = await rule('described by key', { field: 'description', operator: 'notEmpty' })
    await exempt(ruleId, { entityKey: { project: 'Web Shop', organization: 'Acme' } })
    expect((await call('POST', '/pipelines', named('web_shops', 'Acme'))).status).toBe(403)
    const made = await call('POST', '/pipelines', named('web-shop', 'ACME'))
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id } = made.data.pipeline
    expect((await call('PUT', `/pipelines/${id}`, { pipelineName: 'renamed' })).status).toBe(200)
    expect(await checks(ruleId, 'action=update')).toMatchObject([{ result: 'pass', entityId: id }])
    await runJobs(app, [recheckJob])
    const rechecks = await checks(ruleId, `action=recheck&entityId=${id}`)
    expect(rechecks.map(({ result }: { result: string }) => result)).toEqual(['pass', 'pass'])
    // A pipeline cannot change its project and organization, so no exemption moves with it to another key.
    expect((await call('PUT', `/pipelines/${id}`, { project: 'other' })).status).toBeGreaterThanOrEqual(400)
    await drop(ruleId)
  })

  const withBranch = (branch: string, vars: object) => ({
    ...PROPS,
    vars,
    synth: { ...PROPS.synth, source: { type: 'github', options: { ...PROPS.synth.source.options, branch } } },
  })

  it('a record is found by a part of its name in any case, for a scan and in what was found', async () => {
    const check = { field: 'description', operator: 'notEmpty', severity: 'warning' }
    const ruleId = await rule('ÄLTERE sind beschrieben', check)
    const policy = { name: 'ÖFFENTLICH' }
    expect((await call('POST', '/compliance/policies', policy)).status).toBe(201)
    const { id } = (await call('POST', '/pipelines', named('Büro', 'Acme', { pipelineName: 'ÜBERGABE' }))).data.pipeline
    const count = async (path: string, key: string, part: string): Promise<number> =>
      (await call('GET', `/compliance${path}=${encodeURIComponent(part)}`)).data[key].length
    for (const part of ['ÜBERGABE', 'überg', 'ÜBER', 'Überg']) {
      const { id: scanId } = (await call('POST', '/compliance/scans', { target: 'pipeline', filter: { name: part } }))
        .data.scan
      await runJobs(app, [scanJob])
      const { scan } = (await call('GET', `/compliance/scans/${scanId}`)).data
      expect(scan, part).toMatchObject({ status: 'completed', totalEntities: 1, warnCount: 1 })
      expect(await count(`/findings?entityId=${id}&q`, 'findings', part), part).toBe(1)
      expect(await count(`/audit?scanId=${scanId}&entityName`, 'entries', part), part).toBe(1)
    }
    for (const part of ['ÄLTERE', 'ältere', 'Älter']) {
      expect(await count(`/findings?entityId=${id}&q`, 'findings', part), part).toBe(1)
      expect(await count('/rules?name', 'rules', part), part).toBe(1)
    }
    for (const part of ['öffent', 'ÖFFENTLICH']) expect(await count('/policies?name', 'policies', part), part).toBe(1)
    for (const part of ['%', '_', 'Abergabe']) expect(await count('/policies?name', 'policies', part), part).toBe(0)
    await drop(ruleId)
  })

  it('rules read what a token stands for, and not the token', async () => {
    const noDev = await rule('no dev', {
      field: 'props.synth.source.options.branch',
      operator: 'notIn',
      value: ['dev'],
    })
    const plugin = await rule('allowed', { field: 'props.synth.plugin.name', operator: 'neq', value: 'forbidden' })
    const isMain = await rule('pattern', {
      field: 'props.synth.source.options.branch',
      operator: 'regex',
      value: '^(main|dev)$',
    })
    const create = (project: string, props: object) => call('POST', '/pipelines', named(project, 'Tokens', { props }))
    expect((await create('plain', withBranch('dev', {}))).status).toBe(403)
    expect((await create('token', withBranch('{{ vars.b }}', { b: 'dev' }))).status).toBe(403)
    expect((await create('twice', withBranch('{{ vars.a }}', { a: '{{ vars.b }}', b: 'dev' }))).status).toBe(403)
    const byPlugin = { ...PROPS, vars: { p: 'forbidden' }, synth: { ...PROPS.synth, plugin: { name: '{{ vars.p }}' } } }
    expect((await create('plugin', byPlugin)).status).toBe(403)
    const good = await create('good', withBranch("{{ vars.none | default: 'main' }}", {}))
    expect(good.status, JSON.stringify(good.body)).toBe(201)
    const shown = await call('GET', `/pipelines/${good.data.pipeline.id}?resolve=true`)
    expect(shown.data.pipeline.props.synth.source.options.branch).toBe('main')
    const { id } = good.data.pipeline
    expect((await call('PUT', `/pipelines/${id}`, { props: withBranch('{{ vars.b }}', { b: 'dev' }) })).status).toBe(
      403,
    )
    const dry = await call('POST', '/compliance/validate/pipeline/dry-run', {
      attributes: { props: withBranch('{{ vars.b }}', { b: 'dev' }) },
    })
    expect(dry.data.violations.map(({ ruleName }: { ruleName: string }) => ruleName)).toEqual(['no dev'])
    expect(dry.data).not.toHaveProperty('unresolved')
    const impact = async (field: string, value: string) =>
      (
        await call('POST', '/compliance/subscriptions/preview/impact', {
          rule: { name: 'tried', target: 'pipeline', field, operator: 'neq', value },
        })
      ).data.wouldFail
    expect(await impact('props.synth.source.options.branch', "{{ vars.none | default: 'main' }}")).toBe(0)
    for (const each of [noDev, plugin, isMain]) await drop(each)
  })

  it('a token without a value stays text, and the verdict names who read it', async () => {
    const ruleId = await rule('branch', { field: 'props.synth.source.options.branch', operator: 'neq', value: 'dev' })
    const dry = await call('POST', '/compliance/validate/pipeline/dry-run', {
      attributes: { props: withBranch('{{ vars.b }}', {}) },
    })
    const field = 'props.synth.source.options.branch'
    expect(dry.data).toMatchObject({
      passed: true,
      unresolved: [{ ruleId, ruleName: 'branch', field, token: '{{ vars.b }}' }],
    })
    // The check log shows it to its readers too.
    const logged = async (b: object) => {
      const attributes = { props: withBranch('{{ vars.b }}', b) }
      const { checkId } = (await call('POST', '/compliance/validate/pipeline', { attributes })).data
      const { entries } = (await call('GET', '/compliance/audit?limit=5')).data
      return entries.find(({ id }: { id: string }) => id === checkId)
    }
    expect(await logged({})).toMatchObject({
      result: 'pass',
      unresolved: [{ ruleId, ruleName: 'branch', field, token: '{{ vars.b }}' }],
    })
    const without = await logged({ b: 'main' })
    expect([without.result, without]).toEqual(['pass', expect.not.objectContaining({ unresolved: expect.anything() })])
    await drop(ruleId)
  })

  it('law: create, validate, dry run and re-check agree, whatever exempts and whatever tokens stand there', async () => {
    const ruleId = await rule('law', { field: 'props.synth.source.options.branch', operator: 'notIn', value: ['dev'] })
    let run = 0
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('dev', 'main', '{{ vars.b }}', "{{ vars.none | default: 'dev' }}", '{{{{ vars.b }}'),
        fc.constantFrom('dev', 'main'),
        fc.constantFrom('none', 'id', 'key', 'other'),
        async (branch, b, exempted) => {
          const project = `law ${store.database} ${++run}`
          const body = named(project, 'Law', { props: withBranch(branch, { b }) })
          const expected =
            exempted === 'key' || exempted === 'id'
              ? true
              : !/^dev$/.test(branch === '{{ vars.b }}' ? b : branch.replace(/.*'(\w+)'.*/, '$1'))
          const id =
            exempted === 'id' ? (await call('POST', '/pipelines', named(project, 'Law'))).data.pipeline.id : undefined
          if (exempted === 'id') await exempt(ruleId, { entityId: id })
          if (exempted === 'key')
            await exempt(ruleId, { entityKey: { project: project.toUpperCase(), organization: 'law' } })
          if (exempted === 'other')
            await exempt(ruleId, { entityKey: { project: `${project} 2`, organization: 'law' } })
          const told = await call('POST', '/pipelines/validate', body)
          const dry = await call('POST', '/compliance/validate/pipeline/dry-run', { attributes: body })
          const made = await call('POST', '/pipelines', body)
          expect(
            [!told.data.compliance.blocked, !dry.data.blocked, made.status < 300],
            `${branch} ${b} ${exempted}`,
          ).toEqual([expected, expected, expected])
          seen.add(`${exempted} ${expected}`)
          if (!expected) return
          await runJobs(app, [recheckJob])
          const [entry] = (
            await call('GET', `/compliance/audit?action=recheck&entityId=${made.data.pipeline.id}&limit=1`)
          ).data.entries
          expect(entry.result).toBe('pass')
        },
      ),
      { numRuns: 30 },
    )
    expect([...seen].sort()).toEqual(['id true', 'key true', 'none false', 'none true', 'other false', 'other true'])
    await drop(ruleId)
  })
})
