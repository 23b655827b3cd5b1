/** Listing, showing and changing records: pages, formats, keys, uploads. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { main } from '../src/main.js'
import { type FakeServer, ORG, startFake } from './support/fake-records.js'
import { collector, memoryIo, runCli, type World } from './support/memory-io.js'
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

const cli = (argv: string[], world: World = {}) =>
  runCli(argv, { ...world, env: { PLUMBLINE_URL: fake.url, PLUMBLINE_TOKEN: 'plp_test', ...world.env } })

function seed(count: number): void {
  for (let at = 0; at < count; at++) {
    const id = `0190aaaa-0000-7000-8000-${String(at).padStart(12, '0')}`
    const project = `project-${String(at).padStart(4, '0')}`
    fake.pipelines.set(id, {
      id,
      orgId: ORG,
      revision: 1,
      project,
      organization: 'acme',
      pipelineName: `p${at}`,
      props: {},
    })
  }
}

describe('a list', () => {
  it('is a table, and says on stderr what it left out', async () => {
    seed(60)
    const { code, stdout, stderr } = await cli(['pipelines', 'list'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^PROJECT {2,}ORGANIZATION {2,}NAME {2,}/)
    expect([code, lines.length, stderr]).toEqual([0, 51, '1 to 50 of 60; --all shows all of them\n'])
    expect((await cli(['pipelines', 'list', '--quiet'])).stderr).toBe('')
  })

  it('fetches every page with --all, each record once', async () => {
    seed(2500)
    const { stdout } = await cli(['pipelines', 'list', '--all', '--format', 'json'])
    const ids = JSON.parse(stdout).map(({ id }: { id: string }) => id)
    expect([ids.length, new Set(ids).size]).toEqual([2500, 2500])
    expect(fake.seen.map(({ query }) => query.cursor)).toEqual([undefined, '1000', '2000'])
  })

  it('is the same in JSON and YAML, and to a file', async () => {
    seed(3)
    const json = JSON.parse((await cli(['pipelines', 'list', '-f', 'json'])).stdout)
    expect(parse((await cli(['pipelines', 'list', '-f', 'yaml'])).stdout)).toEqual(json)
    const { root, read } = workspace()
    const filed = await cli(['pipelines', 'list', '-f', 'json', '-o', 'out/list.json'], { cwd: root })
    expect([filed.stdout, JSON.parse(read('out/list.json'))]).toEqual(['', json])
    fake.pipelines.clear()
    for (const form of ['json', 'yaml']) expect((await cli(['pipelines', 'list', '-f', form])).stdout).toBe('[]\n')
  })

  it('fits the terminal, and is never cut in a pipe', async () => {
    seed(1)
    const wide = (await cli(['pipelines', 'list'])).stdout
    const narrow = (await cli(['pipelines', 'list'], { stdoutIsTty: true, columns: 60 })).stdout
    expect(wide).toContain('0190aaaa-0000-7000-8000-000000000000')
    for (const line of narrow.trimEnd().split('\n')) expect([...line].length).toBeLessThanOrEqual(60)
    expect(narrow).toContain('project-0000')
  })

  it('shows no control character of a record', async () => {
    seed(1)
    for (const record of fake.pipelines.values()) record.pipelineName = '\u001b[2Jgone\nnext'
    const { stdout } = await cli(['pipelines', 'list'])
    expect(stdout).not.toContain('\u001b')
    expect(stdout.trimEnd().split('\n')).toHaveLength(2)
  })

  it('sends its flags as filters', async () => {
    await cli(['pipelines', 'list', '--label', 'team=web', '--label', 'a.b=c=d', '--name', 'x~', '--active', 'all'])
    expect(fake.seen[0]?.query).toEqual({
      'label.team': 'web',
      'label.a.b': 'c=d',
      pipelineName: 'x~',
      isActive: 'all',
      limit: '50',
    })
  })
})

describe('one record', () => {
  it('is found by its name, without regard to case and punctuation, or by its id', async () => {
    seed(2)
    const byName = await cli(['pipelines', 'get', 'Project_0001/ACME'])
    expect(parse(byName.stdout)).toMatchObject({ project: 'project-0001', props: {} })
    const byId = await cli(['pipelines', 'get', '0190aaaa-0000-7000-8000-000000000001', '-f', 'json'])
    expect(JSON.parse(byId.stdout)).toEqual(parse(byName.stdout))
  })

  it('that is not there is exit 3, and a name that is none exit 2', async () => {
    expect(await cli(['pipelines', 'get', 'no/body'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/there is no pipeline `no\/body`\nhint: `plumbline pipelines list` shows/),
    })
    expect(await cli(['pipelines', 'get', 'nobody'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /`nobody` is neither the id of a pipeline nor project\/organization\nhint: give its id, or/,
      ),
    })
  })

  it('is deleted by its name', async () => {
    seed(2)
    const id = [...fake.pipelines.keys()][0]
    expect(await cli(['pipelines', 'delete', 'project-0000/acme'])).toMatchObject({
      code: 0,
      stderr: `deleted project-0000/acme; restore with \`plumbline pipelines restore ${id}\`\n`,
    })
    expect([...fake.pipelines.values()].map(({ project }) => project)).toEqual(['project-0001'])
  })
})

describe('on a terminal a deletion', () => {
  const answered = async (argv: string[], answer: string) => {
    seed(1)
    const [stdout, stderr] = [collector(), collector()]
    const env = { PLUMBLINE_URL: fake.url, PLUMBLINE_TOKEN: 'plp_test' }
    const io = memoryIo({ env }, stdout.stream, stderr.stream)
    const stdin = Object.assign(Readable.from([Buffer.from(answer)]), { isTTY: true })
    const code = await main(argv, { ...io, stdin, stderrIsTty: true })
    return { code, stderr: stderr.text(), left: fake.pipelines.size }
  }
  const argv = ['pipelines', 'delete', 'project-0000/acme']

  it('asks first, and does nothing without a yes', async () => {
    const refused = await answered(argv, 'n\n')
    expect(refused).toMatchObject({ code: 3, left: 1, stderr: expect.stringContaining('nothing was done') })
    expect(refused.stderr).toContain('delete pipeline project-0000/acme? [y/N]')
    expect(await answered(argv, '\n')).toMatchObject({ code: 3, left: 1 })
    expect(await answered(argv, 'y\n')).toMatchObject({ code: 0, left: 0 })
  })

  it('does not ask with --yes', async () => {
    const done = await answered([...argv, '--yes'], '')
    expect(done).toMatchObject({ code: 0, left: 0 })
    expect(done.stderr).not.toContain('[y/N]')
  })
})

describe('the budget of generation', () => {
  it('loses a limit that is taken away, and keeps the other', async () => {
    fake.intercept = () => ({ status: 200, body: { data: { config: { monthlyTokens: null, monthlyMicroUsd: 5 } } } })
    const { code, stdout } = await cli(['ai', 'budget', '--unlimited-tokens'])
    expect([code, parse(stdout)]).toEqual([0, { monthlyTokens: null, monthlyMicroUsd: 5 }])
    const [sent] = fake.seen.filter(({ method }) => method === 'PUT')
    expect(JSON.parse(String(sent?.body))).toEqual({ monthlyTokens: null })
    expect((await cli(['ai', 'budget', '--unlimited-tokens', '--tokens', '5'])).code).toBe(2)
  })
})

describe('what the server refuses with', () => {
  it('names missing inputs of a template as options, and who else decides', async () => {
    const issues = [{ path: '/body/inputs/repository', message: 'is required', code: 'required' }]
    fake.intercept = () => ({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: '/body/inputs/repository: is required', details: { issues } },
    })
    const id = '0190aaaa-0000-7000-8000-000000000009'
    const { stderr } = await cli(['templates', 'instantiate', id, '--project', 'a', '--organization', 'b'])
    expect(stderr).toContain('hint: give --input repository=…')
  })

  it('is told with code, message, every issue and the request id', async () => {
    const issues = [
      { path: '/query/limit', message: 'must be a number', code: 'type' },
      { path: '/query/q', message: 'is too long', code: 'length' },
    ]
    fake.intercept = () => ({
      status: 400,
      body: { code: 'VALIDATION_ERROR', message: '/query/limit: must be a number (and 1 more)', details: { issues } },
    })
    const { code, stderr } = await cli(['pipelines', 'list'])
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: --limit: must be a number (and 1 more) (VALIDATION_ERROR)\n' +
        '  --limit: must be a number\n  --search: is too long\n  request id: req-1\n',
    )
  })
})

describe('an upload', () => {
  const files = { 'plugin-spec.yaml': 'name: a\n', 'src/main.sh': 'echo 1\n', '.git/config': 'x', 'test/t.sh': 'x' }

  /** The entries of the archive in a multipart body. */
  function archiveIn(body: Buffer): Record<string, string> {
    const from = body.indexOf('PK\u0003\u0004')
    const to = body.lastIndexOf('\r\n--plumbline-')
    const entries = unzipSync(new Uint8Array(body.subarray(from, to)))
    return Object.fromEntries(Object.entries(entries).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]))
  }
  const accepted = { status: 201, body: { data: { pluginId: 'p', pluginName: 'a', version: '1.0.0' } } }

  it('zips a folder on the way, with its fields, and shows the answer', async () => {
    const { root } = workspace(files)
    fake.intercept = () => accepted
    const outcome = await cli(
      ['plugins', 'upload', '.', '--exclude', 'test/**', '--access', 'public', '--set-default'],
      { cwd: root },
    )
    expect([outcome.code, parse(outcome.stdout)]).toEqual([0, accepted.body.data])
    const [seen] = fake.seen
    expect(archiveIn(seen?.body ?? Buffer.alloc(0))).toEqual({
      'plugin-spec.yaml': 'name: a\n',
      'src/main.sh': 'echo 1\n',
    })
    expect(String(seen?.body)).toMatch(/name="accessModifier"\r\n\r\npublic[\s\S]*name="setDefault"\r\n\r\ntrue/)
    expect([seen?.method, seen?.path]).toEqual(['POST', '/plugins'])
  })

  it('is tried again under one key, with the same archive', async () => {
    const { root } = workspace(files)
    let times = 0
    fake.intercept = () => (++times === 1 ? { status: 0, hangUp: true } : times === 2 ? { status: 503 } : accepted)
    expect((await cli(['plugins', 'upload', '.'], { cwd: root })).code).toBe(0)
    const [first, second, third] = fake.seen
    expect(new Set([first, second, third].map((each) => each?.headers['idempotency-key'])).size).toBe(1)
    const archives = [first, second, third].map(({ body } = { body: Buffer.alloc(0) } as never) =>
      body.subarray(body.indexOf('PK\u0003\u0004'), body.lastIndexOf('\r\n--plumbline-')).toString('base64'),
    )
    expect(new Set(archives).size).toBe(1)
  })

  it('names the length of an archive, and refuses what is not an archive of files', async () => {
    const { root } = workspace({ ...files, 'a.zip': 'PK\u0003\u0004', 'other/x': '' })
    fake.intercept = () => accepted
    await cli(['plugins', 'upload', 'a.zip'], { cwd: root })
    expect(Number(fake.seen[0]?.headers['content-length'])).toBe(fake.seen[0]?.body.length)
    expect((await cli(['plugins', 'upload', 'other'], { cwd: root })).stderr).toContain('no plugin-spec.yaml')
    symlinkSync('/etc/hosts', join(root, 'hosts'))
    expect(await cli(['plugins', 'upload', '.'], { cwd: root })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('hosts is a link'),
    })
    expect(await cli(['plugins', 'upload', 'nowhere'], { cwd: root })).toMatchObject({ code: 2 })
    expect(fake.seen).toHaveLength(1)
  })

  it('that compliance blocks is exit 1, with the violations', async () => {
    const { root } = workspace(files)
    const violations = [{ ruleName: 'no-root', severity: 'critical', field: 'usesRootUser', message: 'runs as root' }]
    fake.intercept = () => ({
      status: 403,
      body: { code: 'COMPLIANCE_VIOLATION', message: 'blocked', details: { violations } },
    })
    expect(await cli(['plugins', 'upload', '.'], { cwd: root })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/plugin-spec\.yaml:1:1: critical {2}no-root {2}usesRootUser: runs as root/),
    })
  })
})

describe('a build', () => {
  const JOB = '0190bbbb-0000-7000-8000-000000000001'
  const event = (id: number, name: string, data: object) =>
    `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`
  const build = { jobId: JOB, pluginName: 'a', version: '1.0.0', state: 'completed', error: null }
  const stream = (text: string, hangUp = false) => ({
    status: 200,
    text,
    hangUp,
    headers: { 'content-type': 'text/event-stream' },
  })
  /** Answers with the streams one after another, and with the build at the end. */
  const answering = (streams: (() => ReturnType<typeof fake.intercept>)[], at: object = build) => {
    fake.intercept = ({ method, path }) =>
      method === 'POST'
        ? { status: 202, body: { data: { pluginId: 'p', jobId: JOB } } }
        : path.endsWith('/logs')
          ? (streams.shift()?.() ?? { status: 503 })
          : { status: 200, body: { data: { build: at } } }
  }

  it('is followed from a folder to its end, over a lost connection', async () => {
    const { root } = workspace({ 'plugin-spec.yaml': 'name: a\n' })
    answering([
      () => stream(event(4, 'phase', { phase: 'building' }) + event(8, 'log', { text: 'one\n' }), true),
      () => stream(event(12, 'log', { text: 'two\n' }) + event(12, 'end', { state: 'completed', exhausted: false })),
    ])
    const { code, stdout, stderr } = await cli(['plugins', 'build', '.', '--watch', '--json'], { cwd: root })
    expect([code, JSON.parse(stdout)]).toEqual([0, build])
    expect(stderr).toBe(`build ${JOB}\n── building\none\ntwo\na 1.0.0 is ready\n`)
    expect(
      fake.seen.filter(({ path }) => path.endsWith('/logs')).map(({ headers }) => headers['last-event-id']),
    ).toEqual([undefined, '8'])
  })

  it('that rules block is exit 1, with the violations', async () => {
    const end = event(0, 'end', { state: 'dead', exhausted: true })
    const violations = [
      { ruleName: 'no-root', severity: 'critical', field: 'builtImage.usesRootUser', message: 'runs as root' },
    ]
    answering([() => stream(end)], { ...build, state: 'dead', error: 'blocked by no-root', violations })
    const { code, stdout, stderr } = await cli(['plugins', 'build', JOB, '--watch'])
    expect([code, parse(stdout).violations]).toEqual([1, violations])
    expect(stderr).toContain('a 1.0.0 was not built: blocked by no-root\n')
    expect(stderr).toMatch(/critical {2}no-root {2}builtImage\.usesRootUser: runs as root/)
  })

  it('is shown without --watch, and what names nothing is refused', async () => {
    answering([])
    const shown = await cli(['plugins', 'build', JOB])
    expect([shown.code, parse(shown.stdout)]).toEqual([0, build])
    expect(await cli(['plugins', 'build', 'nowhere'])).toMatchObject({ code: 2 })
  })

  it('that says nothing more is exit 3, and how to go on', async () => {
    answering(Array.from({ length: 3 }, () => () => stream(': nothing\n\n')))
    const { code, stderr } = await cli(['plugins', 'build', JOB, '--watch'])
    expect([code, stderr.includes(`plumbline plugins build ${JOB} --watch`)]).toEqual([3, true])
  })
})

describe('a list of a report', () => {
  it('says on stderr what to do about an environment that does not exist', async () => {
    const nextStep = 'no pipeline deploys to prodution; did you mean production?'
    fake.intercept = () => ({ status: 200, body: { data: { deployments: [], nextStep } } })
    const { stdout, stderr } = await cli(['reports', 'deployments', '--environment', 'prodution', '--format', 'json'])
    expect([stdout, stderr]).toEqual(['[]\n', `${nextStep}\n`])
    expect((await cli(['reports', 'deployments', '--quiet'])).stderr).toBe('')
  })
})

describe('the window of a report', () => {
  const asked = async (...flags: string[]) => {
    fake.intercept = () => ({ status: 200, body: { data: { pipelines: [] } } })
    fake.seen.length = 0
    const { code } = await cli(['reports', 'count', ...flags], { now: new Date('2026-11-28T12:00:00.000Z') })
    const { from, to } = fake.seen.at(-1)?.query ?? {}
    return { code, from, to }
  }

  it('ends now when only its start is given', async () => {
    const from = '2026-11-01T00:00:00.000Z'
    expect(await asked('--from', '2026-11-01')).toEqual({ code: 0, from, to: '2026-11-28T12:00:00.000Z' })
    const to = '2026-11-10T00:00:00.000Z'
    expect(await asked('--from', '2026-11-01', '--to', '2026-11-10')).toEqual({ code: 0, from, to })
    expect(await asked('--to', '2026-11-10')).toEqual({ code: 0, from: undefined, to })
    expect(await asked()).toEqual({ code: 0, from: undefined, to: undefined })
  })
})
