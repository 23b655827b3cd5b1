/** `plumbline apply` changes what differs, once, and nothing else. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type FakeServer, startFake } from './support/fake-records.js'
import { runCli, type World } from './support/memory-io.js'
import { workspace } from './support/workspace.js'

let fake: FakeServer
beforeAll(async () => {
  fake = await startFake()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.pipelines.clear()
  fake.seen.length = 0
  fake.intercept = () => null
})

const pipeline = (project: string, more = '') => `kind: Pipeline
project: ${project}
organization: acme
labels: { repository: shop }
props:
  image: node
  stages:
    - stageName: Build
      steps: [{ plugin: { name: node-build }, timeout: 5 }]
${more}`

const cli = (argv: string[], world: World = {}) =>
  runCli(argv, { ...world, env: { PLUMBLINE_URL: fake.url, PLUMBLINE_TOKEN: 'plp_test', ...world.env } })

describe('plumbline apply', () => {
  it('creates, then changes nothing, then writes only what differs', async () => {
    const { root, write } = workspace({ 'a.yaml': `${pipeline('web')}---\n${pipeline('api')}` })
    const first = await cli(['apply', '.'], { cwd: root })
    expect(first.stdout).toBe('created    Pipeline web/acme\ncreated    Pipeline api/acme\n')
    expect([first.code, first.stderr]).toEqual([0, '2 records: 2 created\n'])
    expect(fake.writes()).toHaveLength(2)

    const second = await cli(['apply', '.'], { cwd: root })
    expect(second.stdout).toBe('unchanged  Pipeline web/acme\nunchanged  Pipeline api/acme\n')
    expect(fake.writes()).toHaveLength(2)

    write(
      'a.yaml',
      `${pipeline('web', 'description: The shop\n').replace('timeout: 5', 'timeout: 9')}---\n${pipeline('api')}`,
    )
    const third = await cli(['apply', 'a.yaml'], { cwd: root })
    expect(third.stdout).toContain('props.stages[0].steps[0].timeout: 5 → 9')
    expect(third.stdout).toContain('unchanged  Pipeline api/acme')
    const [put, ...more] = fake.writes().slice(2)
    expect(more).toEqual([])
    expect([put?.method, put?.headers['if-match']]).toEqual(['PUT', '"1"'])
    expect(Object.keys(JSON.parse(String(put?.body)))).toEqual(['description', 'props'])
  })

  it('makes no copy of a record of the platform, which lists show to every organization', async () => {
    const { root } = workspace({
      'a.yaml': `${pipeline('web', 'orgId: 00000000-0000-7000-8000-000000000001\n')}---\n${pipeline('api', 'orgId: 0190f000-0000-7000-8000-00000000000a\n')}`,
    })
    const { code, stdout, stderr } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect(stdout).toBe(
      'skipped    Pipeline web/acme  (of the platform: every organization has it)\ncreated    Pipeline api/acme\n',
    )
    expect([code, stderr]).toEqual([0, '2 records: 1 created, 1 skipped\n'])
    expect(fake.writes()).toHaveLength(1)
  })

  it('shows each finding of a refused change once', async () => {
    const finding = (ruleId: string, severity: string) => ({
      ruleId,
      ruleName: ruleId,
      severity,
      field: 'props.image',
      message: `says ${ruleId}`,
    })
    const warning = finding('tag', 'warning')
    fake.intercept = ({ method, path }) =>
      method === 'POST' && path === '/pipelines'
        ? {
            status: 403,
            body: {
              code: 'COMPLIANCE_VIOLATION',
              message: 'blocked',
              details: { violations: [finding('image', 'error'), warning], warnings: [warning] },
            },
          }
        : null
    const { root } = workspace({ 'a.yaml': pipeline('web') })
    const { stdout } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect([stdout.split('says image').length, stdout.split('says tag').length]).toEqual([2, 2])
  })

  it('shows each problem of a refused document at the field that its author wrote', async () => {
    const issues = [
      { path: '/body/props/stages/0/steps', message: 'must have a step', code: 'minItems' },
      {
        path: '/body/plugin/plugin-spec.yaml/labels',
        message: 'line 9, column 1: must be text',
        code: 'type',
        line: 9,
      },
    ]
    fake.intercept = ({ method, path }) =>
      method === 'POST' && path === '/pipelines'
        ? {
            status: 400,
            body: { code: 'VALIDATION_ERROR', message: '/body/props: … (and 1 more)', details: { issues } },
          }
        : null
    const { root } = workspace({ 'a.yaml': pipeline('web') })
    const { code, stdout } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect([code, stdout]).toEqual([
      2,
      `failed     Pipeline web/acme
  the server refuses the document (VALIDATION_ERROR)
  a.yaml:9:7: props.stages.0.steps: must have a step
  a.yaml:4:1: labels: must be text
  request id: req-1
`,
    ])
  })

  it('shows the problems of a dry run, and remarks about a field, at the field', async () => {
    const issue = { path: '/body/props/image', message: 'is not allowed', code: 'VALUE' }
    fake.intercept = ({ path }) =>
      path === '/pipelines/validate' ? { status: 200, body: { data: { issues: [issue], warnings: [issue] } } } : null
    const { root } = workspace({ 'a.yaml': pipeline('web') })
    const { stdout } = await cli(['apply', 'a.yaml', '--dry-run'], { cwd: root })
    expect(stdout).toBe(`failed     Pipeline web/acme  (dry run)
  warning: a.yaml:6:3: props.image: is not allowed (VALUE)
  a.yaml:6:3: props.image: is not allowed
`)
  })

  it('leaves alone what a document does not name, and matches names as the server does', async () => {
    const { root } = workspace({ 'a.yaml': pipeline('Web-Shop') })
    await cli(['apply', 'a.yaml'], { cwd: root })
    const [record] = [...fake.pipelines.values()]
    fake.pipelines.set(String(record?.id), { ...record, project: 'web_shop', description: 'by hand', ownerId: 'ann' })
    expect((await cli(['apply', 'a.yaml'], { cwd: root })).stdout).toContain('unchanged')
    expect(fake.pipelines.size).toBe(1)
  })

  it('takes a name without the space around it, as the server stores it', async () => {
    const { root, write } = workspace({ 'a.yaml': 'kind: PipelineTemplate\nname: " shop "\nprops: {}\n' })
    const names: unknown[] = []
    fake.intercept = ({ method, path, query, body }) => {
      if (path !== '/pipeline-templates') return null
      if (method === 'GET') names.push(query.name)
      else names.push(JSON.parse(String(body)).name)
      return method === 'GET' ? null : { status: 201, body: { data: { template: { name: 'shop' } } } }
    }
    expect((await cli(['apply', 'a.yaml'], { cwd: root })).stdout).toContain('created    PipelineTemplate shop\n')
    expect(new Set(names)).toEqual(new Set(['shop']))
    write('b.yaml', 'kind: PipelineTemplate\nname: shop\nprops: {}\n')
    expect((await cli(['apply', '.'], { cwd: root })).stderr).toContain(
      'PipelineTemplate shop stands in a.yaml:1 already',
    )
  })

  it('reads every document before it sends anything, and says all that is wrong', async () => {
    const { root } = workspace({
      'a.yaml': pipeline('web'),
      'b.yaml': 'kind: Pipline\nproject: x\n---\nproject: y\n---\nkind: Pipeline\nproject: z\npropz: 1\n',
      'c.yaml': pipeline('WEB'),
    })
    const { code, stderr } = await cli(['apply', '.'], { cwd: root })
    expect(code).toBe(2)
    for (const text of [
      'b.yaml:1:1: kind: unknown kind, did you mean `Pipeline`?',
      'b.yaml:4:1: the document does not say its kind',
      'b.yaml:8:1: propz: unknown key; did you mean `props`?',
      '`organization` is missing',
      'c.yaml:1:1: Pipeline WEB/acme stands in a.yaml:1 already',
    ]) {
      expect(stderr).toContain(text)
    }
    expect(fake.seen).toEqual([])
  })

  it('exits 1 when compliance blocks, shows the violation at its line, and applies the others', async () => {
    const { root } = workspace({
      'a.yaml': `${pipeline('web').replace('image: node', 'image: bad')}---\n${pipeline('api')}`,
    })
    const { code, stdout } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect(code).toBe(1)
    expect(stdout).toMatchInlineSnapshot(`
      "blocked    Pipeline web/acme
      a.yaml
        6:3  error  no-bad-image  the image is forbidden
             6 │ image: bad
               ╵ found "bad"

      created    Pipeline api/acme
      "
    `)
    expect(fake.pipelines.size).toBe(1)
    const json = await cli(['apply', 'a.yaml', '--format', 'json'], { cwd: root })
    expect(JSON.parse(json.stdout)).toMatchObject([
      { name: 'web/acme', action: 'blocked', violations: [{ ruleName: 'no-bad-image' }] },
      { name: 'api/acme', action: 'unchanged' },
    ])
  })

  it('shows with --dry-run what would happen and what compliance says, and writes nothing', async () => {
    const { root, write } = workspace({ 'a.yaml': pipeline('web') })
    const made = await cli(['apply', 'a.yaml', '--dry-run'], { cwd: root })
    expect(made.stdout).toBe('created    Pipeline web/acme  (dry run)\n')
    write('a.yaml', pipeline('web').replace('image: node', 'image: bad'))
    expect((await cli(['apply', 'a.yaml', '--dry-run'], { cwd: root })).code).toBe(1)
    expect(fake.writes()).toEqual([])
  })

  it('sends no change with --dry-run to a server whose description does not know it', async () => {
    const rule = 'kind: Rule\nname: few\ntarget: plugin\nfield: commands\noperator: exists\n'
    const plugin = 'kind: Plugin\nname: lint\nversion: 1.0.0\ncommands: [lint]\n'
    const { root } = workspace({ 'a.yaml': `${rule}---\n${plugin}` })
    const dryRun = { parameters: [{ name: 'dryRun', in: 'query' }] }
    const onlyCreates = { '/compliance/rules': { post: dryRun }, '/plugins': { post: {} } }
    for (const text of ['not JSON', '{}', JSON.stringify({ paths: onlyCreates })]) {
      fake.intercept = ({ path }) => (path === '/openapi.json' ? { status: 200, text } : null)
      const { code, stderr } = await cli(['apply', 'a.yaml', '--dry-run'], { cwd: root })
      expect([code, stderr]).toEqual([3, expect.stringContaining('no dry run for Rule, Plugin: it could make')])
    }
    fake.intercept = () => null
    expect((await cli(['apply', 'a.yaml', '--dry-run'], { cwd: root })).stderr).toContain('no dry run for Rule, Plugin')
    expect(fake.writes()).toEqual([])
  })

  it('never overwrites a change made meanwhile: looks again, once', async () => {
    const { root, write } = workspace({ 'a.yaml': pipeline('web') })
    await cli(['apply', 'a.yaml'], { cwd: root })
    write('a.yaml', pipeline('web', 'description: mine\n'))
    let times = 1
    fake.intercept = ({ method }) => {
      if (method !== 'PUT' || times-- <= 0) return null
      const [record] = [...fake.pipelines.values()]
      fake.pipelines.set(String(record?.id), { ...record, revision: 7, keywords: ['theirs'] })
      return null
    }
    expect((await cli(['apply', 'a.yaml'], { cwd: root })).stdout).toContain('updated')
    expect([...fake.pipelines.values()]).toMatchObject([{ description: 'mine', keywords: ['theirs'], revision: 8 }])
  })

  it('deletes with --prune only what the selector selects and no document names', async () => {
    const { root, write } = workspace({
      'a.yaml': pipeline('web'),
      'b.yaml': pipeline('old'),
      'other.yaml': pipeline('other').replace('shop', 'else'),
    })
    await cli(['apply', '.'], { cwd: root })
    write('b.yaml', pipeline('web2'))
    expect((await cli(['apply', 'a.yaml', '--prune'], { cwd: root })).stderr).toContain('needs a selector')
    const wrong = await cli(['apply', '.', '--prune', '-l', 'repository=shop'], { cwd: root })
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('other.yaml:1: Pipeline other/acme')])
    const args = ['apply', 'a.yaml', 'b.yaml', '--prune', '-l', 'repository=shop']
    expect((await cli([...args, '--dry-run'], { cwd: root })).stdout).toContain(
      'deleted    Pipeline old/acme  (dry run)',
    )
    expect((await cli(args, { cwd: root })).stdout).toContain('deleted    Pipeline old/acme\n')
    expect([...fake.pipelines.values()].map(({ project }) => project).sort()).toEqual(['other', 'web', 'web2'])
  })

  it('prunes nothing after a failure', async () => {
    const { root, write } = workspace({ 'a.yaml': pipeline('web'), 'b.yaml': pipeline('old') })
    await cli(['apply', '.'], { cwd: root })
    write('a.yaml', pipeline('web').replace('image: node', 'image: bad'))
    const { code } = await cli(['apply', 'a.yaml', '--prune', '-l', 'repository=shop'], { cwd: root })
    expect([code, fake.pipelines.size]).toEqual([1, 2])
  })

  it('goes on after a refusal, and exits 3 with code, message and request id', async () => {
    const { root } = workspace({ 'a.yaml': `${pipeline('web')}---\n${pipeline('api')}` })
    fake.intercept = ({ method, body }) =>
      method === 'POST' && String(body).includes('"web"')
        ? {
            status: 429,
            body: { code: 'QUOTA_EXCEEDED', message: 'no pipeline is left', details: { quota: { limit: 5 } } },
          }
        : null
    const { code, stdout } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect(code).toBe(3)
    expect(stdout).toContain('failed     Pipeline web/acme\n  no pipeline is left (QUOTA_EXCEEDED)')
    expect(stdout).toContain('quota: {"limit":5}')
    expect(stdout).toContain('request id: req-1')
    expect(stdout).toContain('created    Pipeline api/acme')
  })

  it('reads standard input, lists of records, and below `pipelines` documents without a kind', async () => {
    const records = [{ id: 'x', revision: 3, project: 'web', organization: 'acme', props: { image: 'node' } }]
    const outcome = await cli(['pipelines', 'apply', '-'], { stdin: JSON.stringify(records) })
    expect([outcome.stdout, outcome.code]).toEqual(['created    Pipeline web/acme\n', 0])
    expect(JSON.parse(String(fake.writes()[0]?.body))).toEqual({
      project: 'web',
      organization: 'acme',
      props: { project: 'web', organization: 'acme', image: 'node' },
    })
    expect((await cli(['apply', '-'], { stdin: JSON.stringify(records) })).code).toBe(2)
  })

  it('never shows values of env', async () => {
    const { root, write } = workspace({ 'a.yaml': pipeline('web', 'description: a\n') })
    const withEnv = (value: string) => pipeline('web').replace('timeout: 5', `env: { TOKEN: ${value} }`)
    write('a.yaml', withEnv('first-secret'))
    await cli(['apply', 'a.yaml'], { cwd: root })
    write('a.yaml', withEnv('second-secret'))
    const { stdout } = await cli(['apply', 'a.yaml'], { cwd: root })
    expect(stdout).toContain('env.TOKEN: (hidden) → (hidden)')
    expect(stdout).not.toContain('secret')
  })
})
