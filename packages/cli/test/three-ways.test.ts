/**
 * Law: a dry run over HTTP, `check --org` and `check --bundle` give the same verdicts for random rules, plugins and
 * pipelines, with inherited, subscribed and pinned rules, rollouts and exemptions. All three show what an exemption
 * covers, with its id and reason.
 * `check --org --as-of` still gives the same verdicts after those rules are gone. A bundle that differs from what was
 * signed is refused.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoServer, demoServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
type Answer = any
let folder = ''
let server: DemoServer
let root = ''
let team = ''

async function api(
  method: string,
  path: string,
  body?: unknown,
  { as = 'demo-owner', org = team } = {},
): Promise<Answer> {
  const answer = await fetch(`${server.url}/api${path}`, {
    method,
    headers: {
      authorization: `Bearer ${await server.tokenOf(as)}`,
      'x-org-id': org,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, ...rest } = (await answer.json()) as Answer
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(rest)}`)
  return data
}
const cli = (...argv: string[]) => server.as('demo-owner', ...argv)

beforeAll(async () => {
  server = await demoServer({ LIMITER_MAX: '0' })
  folder = server.folder
  const me = await fetch(`${server.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${await server.tokenOf('demo-owner')}` },
  })
  const said = (await me.json()) as Answer
  if (!me.ok) throw new Error(JSON.stringify(said))
  const idOf = (wanted: string): string =>
    said.data.memberships.find(({ slug }: Answer) => slug === wanted)?.organizationId ?? ''
  root = idOf('demo')
  team = idOf('demo-team')
  const key = await fetch(`${server.url}/api/audit/key`)
  writeFileSync(join(folder, 'audit.pub'), await key.text())
})
afterAll(() => remove(server))

const more = {
  severity: fc.constantFrom('warning', 'error', 'critical'),
  mode: fc.constantFrom('enforce', 'enforce', 'warn', 'observe'),
  inherited: fc.boolean(),
}
const description = fc.constantFrom('', 'Builds a service for the shop.')
const PLUGIN = {
  draft: fc.record({
    check: fc.constantFrom(
      { field: 'version', operator: 'neq', value: 'latest' },
      { field: 'timeout', operator: 'lte', value: 60 },
      { field: '$count(secrets)', operator: 'countLt', value: 2 },
      { field: 'description', operator: 'notEmpty' },
      { field: 'env.TOKEN', operator: 'notExists' },
    ),
    ...more,
  }),
  entity: fc.record(
    {
      version: fc.constantFrom('latest', '1.0.0'),
      timeout: fc.constantFrom(30, 90),
      secrets: fc.constantFrom([], ['a'], ['a', 'b', 'c']),
      description,
      env: fc.constantFrom({}, { TOKEN: 'x' }),
      baseImage: fc.constantFrom('node:latest', 'node:22.1'),
    },
    { requiredKeys: ['version'] },
  ),
}
const PIPELINE = {
  draft: fc.record({
    check: fc.constantFrom(
      { field: 'project', operator: 'neq', value: 'legacy' },
      { field: '$count(props.stages)', operator: 'countLt', value: 3 },
      { field: 'description', operator: 'notEmpty' },
      { field: 'accessModifier', operator: 'eq', value: 'private' },
      { field: 'props.token', operator: 'notExists' },
    ),
    ...more,
  }),
  entity: fc.record(
    {
      project: fc.constantFrom('legacy', 'shop'),
      accessModifier: fc.constantFrom('private', 'public'),
      description,
      props: fc.constantFrom({}, { stages: ['a', 'b', 'c'] }, { stages: ['a'], token: 'x' }),
    },
    { requiredKeys: ['project'] },
  ),
}
const scenarioOf = (target: 'plugin' | 'pipeline', { draft, entity }: typeof PLUGIN | typeof PIPELINE) =>
  fc.record({
    target: fc.constant(target),
    drafts: fc.array<Answer>(draft, { minLength: 1, maxLength: 3 }),
    subscribed: fc.array(
      fc.record({ at: fc.nat(9), pin: fc.boolean(), mode: fc.constantFrom('enforce', 'warn', 'observe') }),
      { maxLength: 2 },
    ),
    /** Exemptions for the first entity: of no rule, of the first own rule, or of the first subscribed rule as well. */
    exempted: fc.constantFrom('none', 'own', 'both'),
    entities: fc.array<Answer>(entity, { minLength: 1, maxLength: 2 }),
  })

const told = (violations: readonly Answer[]) =>
  violations.map(({ ruleName, severity, field, message }) => `${ruleName} ${severity} ${field} ${message}`).sort()

/** A waived violation in an answer of the server, in the form of a report. */
const asFinding = ({ violation, exemptionId, ...why }: Answer) => ({
  ...violation,
  suppression: { kind: 'exemption', id: exemptionId, ...why },
})
const toldOfWaived = (findings: readonly Answer[]) =>
  findings.map(({ suppression, ...finding }) => `${told([finding])} ${JSON.stringify(suppression)}`).sort()

const scenario = fc.oneof(scenarioOf('plugin', PLUGIN), scenarioOf('pipeline', PIPELINE))

it('law: a dry run, --org and --bundle give the same verdicts, and --as-of when the rules are gone', async () => {
  const catalogue = (await api('GET', '/compliance/published-rules?limit=1000')).rules.filter(
    ({ tags }: Answer) => !tags.some((tag: string) => tag.startsWith('set:')),
  )
  let run = 0
  const seen = { plugin: 0, pipeline: 0, waivedPlugin: 0, waivedPipeline: 0 }
  await fc.assert(
    fc.asyncProperty(scenario, async ({ target, drafts, subscribed, exempted, entities }) => {
      run++
      const made: { id: string; org: string; name: string }[] = []
      for (const [at, { check, inherited, ...more }] of drafts.entries()) {
        const org = inherited ? root : team
        const body = { name: `rule ${run}-${at}`, target, ...check, ...more, propagateToChildren: inherited }
        made.push({ ...(await api('POST', '/compliance/rules', body, { org })).rule, org })
      }
      const published = catalogue.filter((rule: Answer) => rule.target === target)
      const chosen = new Map<string, (typeof subscribed)[number]>(
        subscribed.map((each) => [published[each.at % published.length].id, each]),
      )
      for (const [ruleId, { pin, mode }] of chosen) {
        await api('POST', '/compliance/subscriptions', { ruleId })
        await api('PATCH', `/compliance/subscriptions/${ruleId}`, { isActive: true, mode, reason: 'trial' })
        if (pin) await api('POST', `/compliance/subscriptions/${ruleId}/pin`)
      }
      const listed = entities.map((attributes, at) => ({
        id: `0190a1b2-0000-7000-8000-${String(run * 10 + at).padStart(12, '0')}`,
        [target === 'plugin' ? 'name' : 'pipelineName']: `${target}-${run}-${at}`,
        ...attributes,
      }))
      const own = made.find(({ org }) => org === team)?.id
      const waived = exempted === 'none' ? [] : [own, exempted === 'both' ? [...chosen.keys()][0] : undefined]
      for (const ruleId of waived.filter((each) => each !== undefined)) {
        const asked = { ruleId, entityType: target, entityId: listed[0]?.id, reason: `trial of ${run}` }
        const { exemption } = await api('POST', '/compliance/exemptions', asked, { as: 'demo-admin' })
        await api('PUT', `/compliance/exemptions/${exemption.id}/review`, { status: 'approved' })
      }
      await cli('bundle', 'fetch', '--org', team, '-o', 'rules.bundle.json')
      const then = new Date().toISOString()
      const verdicts: Answer[] = []
      const check = ['check', 'entity.json', '--raw', '--target', target, '--format', 'json', '--org', team]
      const agrees = (answer: Answer, { code, stdout, stderr }: Awaited<ReturnType<typeof cli>>) => {
        expect(code, stderr).toBe(answer.blocked ? 1 : 0)
        const { findings } = JSON.parse(stdout)
        const counted = findings.filter(({ suppression }: Answer) => suppression === null)
        expect(told(counted)).toEqual(told(answer.violations))
        const covered = findings.filter(({ suppression }: Answer) => suppression !== null)
        expect(toldOfWaived(covered)).toEqual(toldOfWaived((answer.exempted ?? []).map(asFinding)))
      }
      for (const each of listed) {
        const { id: entityId, ...attributes } = each
        const answer = await api('POST', `/compliance/validate/${target}/dry-run`, { attributes, entityId })
        writeFileSync(join(folder, 'entity.json'), JSON.stringify(each))
        agrees(answer, await cli(...check))
        agrees(answer, await cli(...check, '--bundle', 'rules.bundle.json', '--key', 'audit.pub'))
        verdicts.push(answer)
        seen[target] += answer.violations.length
        seen[target === 'plugin' ? 'waivedPlugin' : 'waivedPipeline'] += answer.exempted?.length ?? 0
      }
      for (const { id, org } of made) await api('DELETE', `/compliance/rules/${id}`, undefined, { org })
      for (const ruleId of chosen.keys()) await api('DELETE', `/compliance/subscriptions/${ruleId}`)
      for (const [at, answer] of verdicts.entries()) {
        writeFileSync(join(folder, 'entity.json'), JSON.stringify(listed[at]))
        agrees(answer, await cli(...check, '--as-of', then))
      }
    }),
    { numRuns: 24 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0)
}, 240_000)

it('a bundle that was changed, is of somebody else, or is over, is not used', async () => {
  await cli('bundle', 'fetch', '--org', team, '-o', 'good.json')
  const verify = (file: string, ...more: string[]) => cli('bundle', 'verify', file, '--key', 'audit.pub', ...more)
  expect(await verify('good.json', '--org', team)).toMatchObject({ code: 0 })
  expect((await verify('good.json', '--org', root)).stderr).toContain('other_organization')
  expect((await cli('bundle', 'verify', 'good.json')).stderr).toContain('--key is required')
  const good = JSON.parse(readFileSync(join(folder, 'good.json'), 'utf8'))
  const altered = { ...good, content: { ...good.content, rules: [{ rule: {}, mode: 'observe' }] } }
  const later = { ...good, content: { ...good.content, expiresAt: '2099-01-01T00:00:00.000Z' } }
  const forged = { ...later, note: good.note.replace(good.content.expiresAt, later.content.expiresAt) }
  for (const [value, problem] of [
    [altered, 'content_altered'],
    [later, 'content_altered'],
    [forged, 'bad_signature'],
    [{}, 'malformed'],
  ]) {
    writeFileSync(join(folder, 'bad.json'), JSON.stringify(value))
    expect(await verify('bad.json')).toMatchObject({ code: 2, stderr: expect.stringContaining(`(${problem})`) })
    const check = await cli('check', 'entity.json', '--bundle', 'bad.json', '--key', 'audit.pub')
    expect(check).toMatchObject({ code: 2, stdout: '' })
  }
  const after = new Date(Date.parse(good.content.expiresAt))
  const expired = await runCli(['bundle', 'verify', 'good.json', '--key', 'audit.pub'], { cwd: folder, now: after })
  expect(expired.stderr).toContain('(expired)')
  await cli('audit', 'keygen', 'other.key')
  expect((await cli('bundle', 'verify', 'good.json', '--key', 'other.key.pub')).stderr).toContain('(unknown_key)')
  expect((await cli('bundle', 'show', 'good.json', '--key', 'audit.pub')).code).toBe(0)
})
