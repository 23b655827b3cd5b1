/**
 * Law: a scan of stored records and the gate on the same records as files give the same fingerprints, levels and
 * suppressions in SARIF. Findings of a scan and of the check log are available in every format.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log, Result } from 'sarif'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoServer, demoServer, remove } from './support/local-server.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
type Answer = any
let server: DemoServer
beforeAll(async () => {
  server = await demoServer({ LIMITER_MAX: '0' })
})
afterAll(() => remove(server))

const cli = (...argv: string[]) => server.as('demo-owner', ...argv)
async function read(...argv: string[]): Promise<Answer> {
  const outcome = await cli(...argv)
  expect(outcome.code, outcome.stderr).toBe(0)
  return JSON.parse(outcome.stdout)
}
async function api(method: string, path: string, body?: object, as = 'demo-owner'): Promise<Answer> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${await server.tokenOf(as)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, ...rest } = (await answer.json()) as Answer
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(rest)}`)
  return data
}

it('law: the gate and a scan name the same finding alike', async () => {
  const pipelines: Answer[] = []
  for (const project of ['web', 'shop', 'parts']) {
    const plugin = { name: 'node-build' }
    const synth = { source: { type: 'github', options: { repo: `acme/${project}` } }, plugin }
    const body = { project, organization: 'Acme', description: 'builds it', props: { synth } }
    pipelines.push((await api('POST', '/pipelines', body)).pipeline)
  }
  const rules = [
    { name: 'with stages', field: '$count(stages)', operator: 'countGt', value: 0 },
    { name: 'short', field: 'project', operator: 'lengthLt', value: 4, severity: 'warning' },
  ].map((rule) => ({ ...rule, target: 'pipeline' }))
  const made: string[] = []
  for (const rule of rules) made.push((await api('POST', '/compliance/rules', rule)).rule.id)
  const asked = { ruleId: made[0], entityType: 'pipeline', entityId: pipelines[0].id, reason: 'made long ago' }
  const { exemption } = await api('POST', '/compliance/exemptions', asked, 'demo-admin')
  await api('PUT', `/compliance/exemptions/${exemption.id}/review`, { status: 'approved' })

  const started = await cli('scans', 'start', '--target', 'pipeline', '--watch', '--format', 'json')
  const scan = JSON.parse(started.stdout)
  expect(scan).toMatchObject({ status: 'completed', processedEntities: expect.any(Number) })
  const scanned: Log = await read('scans', 'findings', scan.id, '--format', 'sarif')

  // The same records as the server returns them.
  for (const { pipeline } of await Promise.all(pipelines.map(({ id }) => api('GET', `/pipelines/${id}`)))) {
    writeFileSync(join(server.folder, `pipeline-${pipeline.id}.json`), JSON.stringify(pipeline))
  }
  writeFileSync(join(server.folder, 'audit.pub'), await (await fetch(`${server.url}/api/audit/key`)).text())
  await cli('bundle', 'fetch', '-o', 'rules.bundle.json')
  const way = ['check', 'pipeline-*.json', '--target', 'pipeline', '--format', 'sarif']
  const byBundle = JSON.parse((await cli(...way, '--bundle', 'rules.bundle.json', '--key', 'audit.pub')).stdout) as Log
  const byServer = JSON.parse((await cli(...way, '--org', scan.orgId)).stdout) as Log

  const told = ({ runs: [run] }: Log) =>
    (run?.results ?? [])
      .filter(({ ruleId = '' }) => made.includes(ruleId))
      .map(({ partialFingerprints, level, suppressions, ruleId }: Result) =>
        JSON.stringify([partialFingerprints?.['plumblineEntityFinding/v1'], ruleId, level, suppressions]),
      )
      .sort()
  const own = told(scanned)
  expect(own).toHaveLength(5)
  expect(own.some((each) => each.includes('made long ago'))).toBe(true)
  expect(told(byBundle)).toEqual(own)
  expect(told(byServer)).toEqual(own)

  const listed = await read('scans', 'findings', scan.id, '--format', 'json')
  expect(listed).toHaveLength(scanned.runs[0]?.results?.length ?? -1)
  const table = await cli('scans', 'findings', scan.id)
  expect(table.stdout).toMatch(/^SEVERITY +TARGET +ENTITY +RULE/)
  expect((await cli('scans', 'findings', scan.id, '--format', 'csv', '-o', 'findings.csv')).code).toBe(0)
  const csv = readFileSync(join(server.folder, 'findings.csv'), 'utf8')
  expect(csv.split('\r\n')).toHaveLength(listed.length + 2)
  expect(await cli('scans', 'findings', '00000000-0000-7000-8000-000000000000')).toMatchObject({ code: 3 })

  // The check log gives the same findings for this scan. With further filters it gives exactly what they select.
  const since = ['--from', scan.createdAt]
  const ofChecks: Log = await read('rules', 'findings', '--scan', scan.id, ...since, '--format', 'sarif')
  expect(told(ofChecks)).toEqual(own)
  expect(await read('rules', 'findings', '--scan', scan.id, '--format', 'json')).toEqual(listed)
  const blocked = await read('rules', 'findings', '--result', 'block', '--rule', made[0] ?? '', '--format', 'json')
  expect(blocked.length).toBeGreaterThan(0)
  expect(blocked.some(({ ruleId }: Answer) => ruleId === made[0])).toBe(true)
  const one = ['--entity', pipelines[1].id, '--scan', scan.id, '--target', 'pipeline', '--action', 'scan']
  expect((await read('rules', 'findings', ...one, '--format', 'json')).length).toBeGreaterThan(0)
  expect((await read('rules', 'findings', '--to', '2020-01-01', '--format', 'json')).length).toBe(0)
  expect((await cli('rules', 'findings')).stdout).toMatch(/^SEVERITY +TARGET +ENTITY +RULE/)
  expect((await cli('rules', 'findings', '--scan', scan.id, '--format', 'csv', '-o', 'checks.csv')).code).toBe(0)
  expect(readFileSync(join(server.folder, 'checks.csv'), 'utf8')).toBe(csv)
  expect(await cli('rules', 'findings', '--from', 'yesterday')).toMatchObject({ code: 2 })
  expect(await cli('rules', 'findings', '--from', '2026-11-02', '--to', '2026-11-01')).toMatchObject({ code: 2 })
  const dry = JSON.parse((await cli('scans', 'start', '--dry-run', '--watch', '--format', 'json')).stdout)
  expect((await cli('scans', 'findings', dry.id)).stderr).toContain('a dry run stores only counts')
})
