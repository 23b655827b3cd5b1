/**
 * Goal: an export contains all findings of a scan exactly as in the check log, in every format, and only those of the
 * own organization.
 */
import { readFileSync } from 'node:fs'
import { compileRules, type Rule } from '@plumbline/engine'
import { Ajv } from 'ajv'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { memberOf, recordKey, signUp } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { enrol, giveCustomRole, runJobs } from '../../../test/support/organizations.js'
import type { SignedIn } from '../../../test/support/sign-in.js'
import { DAY_MS } from '../../runtime/clock.js'
import { scanJob } from '../scan/job.js'

const id = (n: number) => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`
const RULES = [
  { name: 'no latest', target: 'plugin', field: 'version', operator: 'neq', value: 'latest', description: 'pin it' },
  { name: 'described', target: 'plugin', severity: 'warning', field: 'description', operator: 'notEmpty' },
  { name: '=short("x")', target: 'plugin', severity: 'critical', field: 'name', operator: 'lengthLt', value: 12 },
  { name: 'observed', target: 'plugin', field: 'version', operator: 'exists', mode: 'observe' },
  { name: 'soft', target: 'pipeline', field: 'project', operator: 'neq', value: 'legacy', mode: 'warn' },
] as const
/** The schema against which the gate's reports are validated. */
const {
  id: _,
  $schema: __,
  ...schema
} = JSON.parse(readFileSync(new URL('../../../../cli/test/fixtures/sarif-2.1.0.schema.json', import.meta.url), 'utf8'))
const isValid = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(schema)

interface Line {
  readonly entityId: string
  readonly ruleId: string
  readonly severity: string
  readonly suppression: { readonly id: string } | null
  readonly fingerprint: string
}

await describeCompliance('findings', { stores: WITH_POSTGRESQL }, (kit) => {
  let ada: SignedIn
  let amy: SignedIn
  let bob: SignedIn
  const ruleIds = new Map<string, string>()
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    amy = await memberOf(kit, ada, 'amy')
    bob = await signUp(kit.app, 'bob')
    for (const { mode, ...rule } of RULES.map((each) => ({ mode: undefined, ...each }))) {
      const made = await kit.call(ada, 'POST', '/rules', {
        ...rule,
        ...(mode === undefined ? {} : { mode }),
      })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      ruleIds.set(rule.name, made.data.rule.id)
    }
    await waive('no latest', 2)
    await waive('observed', 1)
  })
  beforeEach(() => kit.inventory.clear())

  async function waive(rule: string, n: number): Promise<void> {
    const expiresAt = new Date(kit.app.clock.now() + DAY_MS).toISOString()
    const body = {
      ...{ ruleId: ruleIds.get(rule), entityType: 'plugin', entityId: id(n) },
      ...{ reason: '-1, "until" then', expiresAt },
    }
    const asked = await kit.call(amy, 'POST', '/exemptions', body)
    await kit.call(ada, 'PUT', `/exemptions/${asked.data.exemption.id}/review`, { status: 'approved' })
  }
  const put = (n: number, attributes: Record<string, unknown>, target: 'plugin' | 'pipeline' = 'plugin') => {
    const name = `${n % 3 === 0 ? 'a much longer name' : 'short'} ${n}`
    const entity = { id: id(n), name, revision: 1, attributes: { id: id(n), name, ...attributes } }
    kit.inventory.set(recordKey(ada.orgId, target, id(n)), entity)
    return { target, ...entity }
  }
  async function scan(body: object = { target: 'all' }): Promise<string> {
    const started = await kit.call(ada, 'POST', '/scans', body)
    await runJobs(kit.app, [scanJob])
    return started.data.scan.id
  }
  const download = async (path: string, as = ada) => {
    const response = await kit.app.http.request(`/api/compliance${path}`, {
      headers: { authorization: `Bearer ${as.accessToken}`, 'x-org-id': as.orgId },
    })
    return { response, text: await response.text() }
  }
  const linesOf = (text: string): Line[] =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))

  it('law: they are what the engine finds over the same records, waived ones marked', async () => {
    // More than one page, so that a finding that is skipped or repeated between pages shows.
    const entities = Array.from({ length: 421 }, (_, n) =>
      put(n, { version: n % 4 === 2 ? 'latest' : '1.0.0', ...(n % 5 === 0 ? {} : { description: 'd' }) }),
    )
    for (let n = 500; n < 520; n++) entities.push(put(n, { project: n % 2 === 0 ? 'legacy' : 'shop' }, 'pipeline'))
    const scanId = await scan()
    const found = linesOf((await download(`/scans/${scanId}/findings`)).text)
    const expected = entities.flatMap(({ target, id: entityId, attributes }) => {
      const rules = RULES.filter((rule) => rule.target === target && rule.name !== 'observed')
      const { violations } = compileRules(
        rules.map((rule) => ({ ...rule, id: ruleIds.get(rule.name) }) as unknown as Rule),
      ).evaluate(attributes)
      return violations.map(({ ruleId, ruleName, severity }) => {
        const isWaived = ruleName === 'no latest' && entityId === id(2)
        return `${entityId} ${ruleId} ${ruleName === 'soft' ? 'warning' : severity} ${isWaived}`
      })
    })
    expect(expected.length).toBeGreaterThan(300)
    const said = found.map(
      ({ entityId, ruleId, severity, suppression }) => `${entityId} ${ruleId} ${severity} ${suppression !== null}`,
    )
    expect(said.sort()).toEqual(expected.sort())
    expect(new Set(found.map(({ fingerprint }) => fingerprint)).size).toBe(found.length)

    const sarif = await download(`/scans/${scanId}/findings?format=sarif`)
    expect(sarif.response.headers.get('content-type')).toBe('application/sarif+json')
    expect(sarif.response.headers.get('content-disposition')).toBe('attachment; filename="findings.sarif"')
    const log = JSON.parse(sarif.text)
    expect(isValid(log), JSON.stringify(isValid.errors)).toBe(true)
    const [run] = log.runs
    expect(run.invocations).toMatchObject([{ executionSuccessful: true }])
    // biome-ignore lint/suspicious/noExplicitAny: read as a scanner does, by the names of the format
    const results = run.results.map((result: any) => [
      result['partialFingerprints']['plumblineEntityFinding/v1'],
      run.tool.driver.rules[result['ruleIndex']].id,
      result['level'],
      result['suppressions'].length,
    ])
    const levelOf = (severity: string) => (severity === 'warning' ? 'warning' : 'error')
    expect(results).toEqual(
      found.map(({ fingerprint, ruleId, severity, suppression }) => [
        fingerprint,
        ruleId,
        levelOf(severity),
        suppression === null ? 0 : 1,
      ]),
    )
    const waived = run.results.filter(({ suppressions }: { suppressions: unknown[] }) => suppressions.length > 0)
    expect(waived).toMatchObject([
      {
        suppressions: [{ status: 'accepted', justification: expect.stringContaining('-1, "until" then') }],
        locations: [{ physicalLocation: { artifactLocation: { uri: `plugins/${id(2)}` } } }],
      },
    ])

    const csv = await download(`/scans/${scanId}/findings?format=csv`)
    expect(csv.response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
    expect(csv.text.split('\r\n')).toHaveLength(found.length + 2)
    expect(csv.text).toContain(`"'=short(""x"")"`)
    expect(csv.text).toContain(`"'-1, ""until"" then"`)
    expect(csv.text).not.toMatch(/(^|,)"?[=+\-@\t]/m)
  })

  it('with their states they say why one is exempted, as those of the scan do', async () => {
    put(2, { version: 'latest' })
    const covered = linesOf((await download(`/scans/${await scan()}/findings`)).text).filter(
      ({ suppression }) => suppression !== null,
    )
    expect(covered).toMatchObject([{ suppression: { reason: expect.any(String), expiresAt: expect.any(String) } }])
    const stated = linesOf((await download('/findings/export')).text).filter(({ suppression }) => suppression !== null)
    expect(stated.map(({ fingerprint, suppression }) => [fingerprint, suppression])).toEqual(
      covered.map(({ fingerprint, suppression }) => [fingerprint, suppression]),
    )
    expect((await download('/findings/export?format=csv')).text).toContain(`"'-1, ""until"" then"`)
  })

  it('of the check log they are as many as were found, by its filters', async () => {
    put(2, { version: 'latest' })
    put(7, { version: 'latest' })
    const [first, second] = [await scan(), await scan({ target: 'plugin' })]
    const ids = async (query: string) => {
      const lines = linesOf((await download(`/audit/findings?${query}`)).text)
      return lines.map(({ entityId, suppression }) => `${entityId.at(-1)}${suppression === null ? '' : ' waived'}`)
    }
    const rule = `ruleId=${ruleIds.get('no latest')}`
    expect(await ids(`${rule}&scanId=${first}&entityId=${id(7)}`)).toEqual(['7', '7'])
    const both = (await ids(rule)).length
    expect(await ids(`scanId=${second}`)).toEqual(['2', '2 waived', '7', '7'])
    expect(await ids(`scanId=${second}&result=block`)).toEqual(['7', '7'])
    expect(both).toBeGreaterThanOrEqual(8)
    expect((await download('/audit/findings?format=xml')).response.status).toBe(400)
    expect(
      (await download('/audit/findings?dateFrom=2026-02-01T00:00:00Z&dateTo=2026-01-01T00:00:00Z')).response.status,
    ).toBe(400)
  })

  it('a dry run has none to give, and one that was cancelled says that it is not whole', async () => {
    put(2, { version: 'latest' })
    const dry = await scan({ target: 'plugin', dryRun: true })
    expect((await download(`/scans/${dry}/findings`)).response.status).toBe(409)
    const { id: cancelled } = (await kit.call(ada, 'POST', '/scans', { target: 'plugin' })).data.scan
    await kit.call(ada, 'POST', `/scans/${cancelled}/cancel`)
    await runJobs(kit.app, [scanJob])
    const [run] = JSON.parse((await download(`/scans/${cancelled}/findings?format=sarif`)).text).runs
    expect(run).toMatchObject({ results: [], invocations: [{ executionSuccessful: false }] })
  })

  it('are read with `compliance:read`, and in the own organization alone', async () => {
    put(7, { version: 'latest' })
    const scanId = await scan()
    expect((await download(`/scans/${scanId}/findings`, bob)).response.status).toBe(404)
    expect((await download(`/audit/findings?scanId=${scanId}`, bob)).text).toBe('')
    expect((await download('/audit/findings', bob)).text).toBe('')
    expect((await download(`/scans/${scanId}/findings`, amy)).response.status).toBe(200)
    const blind = await signUp(kit.app, 'blind')
    await enrol(kit.app, blind, ada.orgId, [])
    await giveCustomRole(kit.app, ada.orgId, blind.userId, ['plugins:read'])
    for (const path of [`/scans/${scanId}/findings`, '/audit/findings']) {
      expect((await download(path, { ...blind, orgId: ada.orgId })).response.status).toBe(403)
    }
  })
})
