/**
 * Law: for one record the gate on files, a dry run, a check and the write itself give the same verdict, and a scan
 * finds the same. This includes exemptions by key (also for every version), tokens with and without a value, and what an
 * author leaves out.
 */
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { projection, SET_BY_THE_WRITE } from '@plumbline/engine'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DemoServer, demoServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
type Answer = any
let server: DemoServer

const send = async (method: string, path: string, body?: unknown, as = 'demo-owner') => {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await server.tokenOf(as)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Answer }
}
async function api(method: string, path: string, body?: unknown, as?: string): Promise<Answer> {
  const answer = await send(method, path, body, as)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

beforeAll(async () => {
  server = await demoServer({ LIMITER_MAX: '0' })
})
afterAll(() => remove(server))

async function exempt(ruleId: string, entityType: string, entityKey: object): Promise<void> {
  const asked = { ruleId, entityType, entityKey, reason: 'until it moves' }
  const { exemption } = await api('POST', '/compliance/exemptions', asked, 'demo-admin')
  await api('PUT', `/compliance/exemptions/${exemption.id}/review`, { status: 'approved' })
}

/** Runs the gate on a file outside any repository, with the same rule and exemption as files. */
async function gate(rule: object, entity: object, target: string, exemption: object | null) {
  const file = (name: string, value: unknown) => writeFileSync(join(server.folder, name), JSON.stringify(value))
  file('rules.json', { rules: [rule] })
  file('entity.json', entity)
  file('waived.json', exemption === null ? [] : [{ id: 'waiver', ruleId: (rule as Answer).name, ...exemption }])
  const argv = ['check', 'entity.json', '--raw', '--target', target, '-r', 'rules.json', '--exemptions', 'waived.json']
  const { code, stderr } = await server.as('demo-owner', ...argv)
  expect([0, 1], stderr).toContain(code)
  return { isBlocked: code === 1, isUnresolved: stderr.includes('{{ vars.') }
}

async function scanned(target: string, id: string): Promise<string | undefined> {
  const { scan } = await api('POST', '/compliance/scans', { target })
  for (;;) {
    const { status } = (await api('GET', `/compliance/scans/${scan.id}`)).scan
    if (status === 'completed') break
    expect(status).not.toBe('failed')
    await new Promise((later) => setTimeout(later, 20))
  }
  return (await api('GET', `/compliance/audit?scanId=${scan.id}&entityId=${id}`)).entries[0]?.result
}

it('law: pipelines, by the branch that takes effect, and waived by project and organization', async () => {
  const field = 'props.synth.source.options.branch'
  let run = 0
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('dev', 'main', '{{ vars.b }}', "{{ vars.none | default: 'dev' }}", '{{ vars.none }}'),
      fc.constantFrom('dev', 'main'),
      fc.constantFrom('none', 'key', 'other'),
      async (branch, b, exempted) => {
        const project = `Gate ${++run}`
        const attributes = {
          project,
          organization: 'Acme',
          props: {
            vars: { b },
            synth: {
              source: { type: 'github', options: { repo: 'acme/shop', branch } },
              plugin: { name: 'build' },
            },
          },
        }
        const rule = {
          name: `no dev ${run}`,
          target: 'pipeline',
          severity: 'critical',
          field,
          operator: 'neq',
          value: 'dev',
        }
        const entityKey = {
          project: exempted === 'other' ? `Gate ${run} b` : project.toUpperCase(),
          organization: 'acme',
        }
        const effective = branch.replace('{{ vars.b }}', b).replace(/^{{.*'(\w+)'.*$/, '$1')
        const isBlocked = effective === 'dev' && exempted !== 'key'
        const isUnresolved = branch === '{{ vars.none }}' && exempted !== 'key'
        const told = `${branch} ${b} ${exempted}`
        const asFile = await gate(rule, attributes, 'pipeline', exempted === 'none' ? null : { entityKey })
        expect(asFile, told).toEqual({ isBlocked, isUnresolved })
        // Created before the rule, so that a scan finds it whatever the verdict is. A record with an unresolved token
        // cannot be stored.
        const isStorable = branch !== '{{ vars.none }}'
        const stored = await send('POST', '/pipelines', { ...attributes, project: `${project} c` })
        expect(stored.status, told).toBe(isStorable ? 201 : 400)
        const ruleId = (await api('POST', '/compliance/rules', rule)).rule.id
        if (exempted !== 'none') await exempt(ruleId, 'pipeline', entityKey)
        if (exempted === 'key') await exempt(ruleId, 'pipeline', { project: `${project} C`, organization: 'Acme' })
        const dry = await api('POST', '/compliance/validate/pipeline/dry-run', { attributes })
        const checked = await api('POST', '/compliance/validate/pipeline', { attributes, action: 'create' })
        const made = await send('POST', '/pipelines', attributes)
        expect([dry.blocked, checked.blocked, made.status], told).toEqual([
          isBlocked,
          isBlocked,
          isBlocked ? 403 : isStorable ? 201 : 400,
        ])
        expect([dry.unresolved !== undefined, checked.unresolved !== undefined], told).toEqual([
          isUnresolved,
          isUnresolved,
        ])
        if (isStorable) {
          const result = await scanned('pipeline', stored.body.data.pipeline.id)
          expect(result, told).toBe(isBlocked ? 'block' : 'pass')
        }
        await api('DELETE', `/compliance/rules/${ruleId}`)
        seen.add(`${exempted} ${isBlocked ? 'blocked' : 'passed'}`)
      },
    ),
    {
      numRuns: 14,
      examples: [
        ['{{ vars.b }}', 'dev', 'none'],
        ['{{ vars.b }}', 'dev', 'key'],
        ['{{ vars.b }}', 'dev', 'other'],
        ['{{ vars.none }}', 'dev', 'none'],
        ['{{ vars.none }}', 'dev', 'other'],
      ],
    },
  )
  expect([...seen]).toEqual(expect.arrayContaining(['none blocked', 'none passed', 'key passed', 'other blocked']))
}, 240_000)

it('plugins are waived by name and version, and by every version where that is asked for', async () => {
  const rule = { name: 'described', target: 'plugin', severity: 'critical', field: 'description', operator: 'notEmpty' }
  const ruleId = (await api('POST', '/compliance/rules', rule)).rule.id
  const verdicts = async (entityKey: object | null, name: string, version: string) => {
    const attributes = { name, version, commands: ['make'] }
    const { isBlocked } = await gate(rule, attributes, 'plugin', entityKey === null ? null : { entityKey })
    const dry = await api('POST', '/compliance/validate/plugin/dry-run', { attributes })
    const checked = await api('POST', '/compliance/validate/plugin', { attributes, action: 'upload' })
    return [isBlocked, dry.blocked, checked.blocked]
  }
  expect(await verdicts(null, 'one', '1.0.0')).toEqual([true, true, true])
  const one = { name: 'one', version: '1.0.0' }
  await exempt(ruleId, 'plugin', one)
  expect(await verdicts(one, 'one', '1.0.0')).toEqual([false, false, false])
  expect(await verdicts(one, 'one', '1.0.1')).toEqual([true, true, true])
  expect(await verdicts(one, 'one-b', '1.0.0')).toEqual([true, true, true])
  const every = { name: 'every', version: '*' }
  await exempt(ruleId, 'plugin', every)
  for (const version of ['1.0.0', '2.3.4'])
    expect(await verdicts(every, 'every', version)).toEqual([false, false, false])
  expect(await verdicts(every, 'every-b', '1.0.0')).toEqual([true, true, true])
  await api('DELETE', `/compliance/rules/${ruleId}`)
})

it('an entity that the server refuses is a problem of its file, at its key, and the others are checked', async () => {
  const file = (name: string, value: string) => writeFileSync(join(server.folder, name), value)
  file('a-big.json', JSON.stringify({ name: 'big', commands: ['x'.repeat(2 << 20)] }))
  file('b-nul.json', '{"name": "nul",\n "metadata": {"a":\n "\\u0000"}}')
  file('c-proto.json', '{"name": "proto", "metadata": {"__proto__": 1}}')
  file('d-good.json', JSON.stringify({ name: 'good', version: '1.0.0' }))
  const names = ['a-big.json', 'b-nul.json', 'c-proto.json', 'd-good.json']
  const { code, stdout } = await server.as('demo-owner', 'check', ...names, '--target', 'plugin', '--org', '-f', 'json')
  const { problems, summary } = JSON.parse(stdout)
  expect([code, summary.entities]).toEqual([3, 1])
  expect(problems.map(({ file, line, message, fix }: Answer) => [file, line, message, fix])).toEqual([
    [
      'a-big.json',
      1,
      expect.stringContaining('big: the body is larger than'),
      expect.stringContaining('make it smaller'),
    ],
    ['b-nul.json', 2, 'nul: metadata.a: must not contain a NUL character', expect.stringContaining('correct it')],
    ['c-proto.json', 1, 'proto: contains the key `__proto__`', expect.stringContaining('correct it')],
  ])
})

it('a dry run that the server puts off is sent again', async () => {
  let times = 0
  const busy = createServer((request, response) => {
    const isAsked = request.method === 'POST'
    const status = isAsked && ++times < 3 ? 503 : 200
    const data = isAsked ? { violations: [] } : { rules: [] }
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ success: status === 200, data }))
  }).listen(0, '127.0.0.1')
  await once(busy, 'listening')
  const env = { PLUMBLINE_URL: `http://127.0.0.1:${(busy.address() as AddressInfo).port}`, PLUMBLINE_TOKEN: 'plp_x' }
  const stdin = JSON.stringify({ name: 'good', version: '1.0.0' })
  const { code, stderr } = await runCli(['check', '-', '--target', 'plugin', '--org'], { env, stdin })
  busy.close()
  expect([code, times], stderr).toEqual([0, 3])
})

const NEVER = 'a value that nothing has'

/** A rule for each attribute, violated by every value, so that a violation shows the value that was judged. */
const SHOWING = (['plugin', 'pipeline'] as const).flatMap((target) =>
  projection.keys[target].map((field) => ({
    ...{ name: `shows ${target} ${field}`, target, severity: 'warning', field, operator: 'eq', value: NEVER },
  })),
)

interface Shown {
  readonly ruleName: string
  readonly field: string
  readonly actual?: unknown
  readonly actualValue?: unknown
}
/** The attributes that a verdict shows, by name. */
const shownBy = (violations: readonly Shown[], without: readonly string[] = []): Record<string, unknown> =>
  Object.fromEntries(
    violations
      .filter(({ ruleName, field }) => ruleName.startsWith('shows ') && !without.includes(field))
      .map(({ field, actual, actualValue }) => [field, actual ?? actualValue ?? null]),
  )

/** What the gate judges: by rules in files, and by those of the organization. */
async function judgedByGate(target: string, entity: object) {
  writeFileSync(join(server.folder, 'showing.json'), JSON.stringify({ rules: SHOWING }))
  writeFileSync(join(server.folder, 'entity.json'), JSON.stringify(entity))
  const asked = ['check', 'entity.json', '--target', target, '-f', 'json']
  const found: Shown[][] = []
  for (const by of [['-r', 'showing.json'], ['--org']]) {
    const { stdout, stderr } = await server.as('demo-owner', ...asked, ...by)
    expect(stdout, stderr).toContain('"findings"')
    found.push(JSON.parse(stdout).findings)
  }
  const [byFiles = [], byOrg = []] = found
  return { byFiles, byOrg }
}

const catalogArbitrary = {
  lifecycle: fc.constantFrom('experimental', 'production', 'deprecated'),
  criticality: fc.constantFrom('low', 'critical'),
  labels: fc.constantFrom({}, { team: 'web' }, { tier: 1, team: 'core' }),
  links: fc.constantFrom([], [{ title: 'docs', url: 'https://docs.example.com' }]),
}
const keywords = fc.constantFrom([], ['build'], ['a', 'b'])

describe('what a file leaves out is judged as the server stores it', () => {
  let rules: string[] = []
  beforeAll(async () => {
    for (const rule of SHOWING) rules.push((await api('POST', '/compliance/rules', rule)).rule.id)
  })
  afterAll(async () => {
    for (const id of rules) await api('DELETE', `/compliance/rules/${id}`)
    rules = []
  })

  const pipeline = fc.record(
    {
      description: fc.constantFrom('', 'builds the shop'),
      keywords,
      pipelineName: fc.constantFrom('shop', ' shop '),
      accessModifier: fc.constant('private'),
      ...catalogArbitrary,
    },
    { requiredKeys: [] },
  )
  const props = {
    vars: { b: 'main' },
    synth: {
      source: { type: 'github', options: { repo: 'acme/shop', branch: '{{ vars.b }}' } },
      plugin: { name: 'build' },
    },
  }

  it('law: of pipelines, new ones and stored ones', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(pipeline, fc.option(pipeline), async (file, stored) => {
        const key = { project: `Left out ${++run}`, organization: 'Acme' }
        if (stored !== null) await api('POST', '/pipelines', { ...key, ...stored, props })
        const written = { ...key, ...file, props }
        const { byFiles, byOrg } = await judgedByGate('pipeline', written)
        const report = (await api('POST', '/pipelines/validate', written)).compliance
        const shown = [...report.violations, ...report.warnings] as Shown[]
        const isNew = stored === null ? SET_BY_THE_WRITE : []
        expect(shownBy(byOrg, isNew)).toEqual(shownBy(shown, isNew))
        // Without a server the file counts as a new record.
        if (stored === null) expect(shownBy(byFiles, isNew)).toEqual(shownBy(shown, isNew))
        const values = shownBy(shown)
        expect(values.lifecycle).toBe(file.lifecycle ?? stored?.lifecycle ?? 'production')
      }),
      {
        numRuns: 10,
        examples: [
          [{}, null],
          [{}, { lifecycle: 'experimental', labels: { team: 'web' }, criticality: 'low' }],
        ],
      },
    )
  })

  const plugin = fc.record(
    {
      description: fc.constantFrom('', 'lints'),
      keywords,
      category: fc.constantFrom('quality', 'build'),
      computeType: fc.constantFrom('SMALL', 'LARGE'),
      failureBehavior: fc.constantFrom('fail', 'warn'),
      timeout: fc.constantFrom(5, 60),
      env: fc.constantFrom({}, { CI: 'true' }),
      secrets: fc.constantFrom([], [{ name: 'TOKEN' }]),
      metadata: fc.constantFrom({}, { a: 1 }),
    },
    { requiredKeys: [] },
  )
  const upload = async (
    spec: object,
    beside: Readonly<Record<string, unknown>>,
    isDryRun: boolean,
  ): Promise<Shown[]> => {
    const form = new FormData()
    for (const [name, value] of Object.entries(beside)) {
      form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
    }
    const archive = zipSync({ 'plugin-spec.yaml': strToU8(JSON.stringify(spec)) })
    form.set('plugin', new File([new Uint8Array(archive)], 'plugin.zip', { type: 'application/zip' }))
    const headers = { authorization: `Bearer ${await server.tokenOf('demo-owner')}` }
    const answer = await fetch(`${server.url}/api/plugins${isDryRun ? '?dryRun=true' : ''}`, {
      ...{ method: 'POST', headers, body: form },
    })
    const { data, ...refused } = (await answer.json()) as Answer
    expect(answer.status, JSON.stringify(refused)).toBeLessThan(300)
    return data.complianceWarnings
  }

  it('law: of plugins, new versions and stored ones', async () => {
    let run = 0
    await fc.assert(
      fc.asyncProperty(plugin, fc.option(fc.record(catalogArbitrary, { requiredKeys: [] })), async (file, stored) => {
        const spec = { name: `left-out-${++run}`, version: '1.0.0', pluginType: 'ManualApprovalStep', ...file }
        if (stored !== null) await upload(spec, stored, false)
        const { byFiles, byOrg } = await judgedByGate('plugin', spec)
        const shown = await upload(spec, {}, true)
        const isNew = stored === null ? SET_BY_THE_WRITE : []
        expect(shownBy(byOrg, isNew)).toEqual(shownBy(shown, isNew))
        if (stored === null) expect(shownBy(byFiles, isNew)).toEqual(shownBy(shown, isNew))
      }),
      {
        numRuns: 10,
        examples: [
          [{}, null],
          [{}, { lifecycle: 'deprecated', criticality: 'critical', labels: {}, links: [] }],
        ],
      },
    )
  })

  it('but who owns a new record is known to the write alone, which the gate says', async () => {
    const entity = { project: 'nobody', organization: 'Acme', props }
    writeFileSync(join(server.folder, 'entity.json'), JSON.stringify(entity))
    const rule = { name: 'owned', target: 'pipeline', severity: 'warning', field: 'owner', operator: 'exists' }
    writeFileSync(join(server.folder, 'owned.json'), JSON.stringify({ rules: [rule] }))
    const { stderr } = await server.as('demo-owner', 'check', 'entity.json', '-r', 'owned.json')
    expect(stderr).toContain('the server sets `ownerId` of a new record, so these rules read it as missing: `owned`')
    expect(stderr).not.toContain('sets `id`')
    writeFileSync(
      join(server.folder, 'entity.json'),
      JSON.stringify({ ...entity, ownerId: 'somebody', ownerType: 'user' }),
    )
    expect((await server.as('demo-owner', 'check', 'entity.json', '-r', 'owned.json')).stderr).not.toContain('sets `')
  })

  it('and as it is written with --raw', async () => {
    writeFileSync(join(server.folder, 'entity.json'), JSON.stringify({ project: 'raw', organization: 'Acme', props }))
    const asked = ['check', 'entity.json', '--raw', '--target', 'pipeline', '-f', 'json']
    for (const by of [['-r', 'showing.json'], ['--org']]) {
      const { stdout } = await server.as('demo-owner', ...asked, ...by)
      expect(shownBy(JSON.parse(stdout).findings)).toMatchObject({
        lifecycle: null,
        keywords: null,
        pipelineName: null,
      })
    }
  })
})
