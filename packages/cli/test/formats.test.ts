/**
 * Every report format, read by an independent parser: the SARIF schema with ajv, xmldom for XML, the format that GitLab
 * documents, the grammar of GitHub's workflow commands.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOMParser } from '@xmldom/xmldom'
import { Ajv } from 'ajv'
import type { Log } from 'sarif'
import { describe, expect, it } from 'vitest'
import { formats } from '../src/report/format-name.js'
import { runCli, type World } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, type Workspace, workspace } from './support/workspace.js'

/** Findings of three severities, an exempted one, an accepted one, a broken file, hostile names. */
async function everything(): Promise<Workspace> {
  const space = workspace({
    'rules.yaml': rulesYaml,
    'accepted.yaml': badPlugin.replace('web', 'accepted'),
    'web.yaml': badPlugin,
    'odd, name: 100%.yaml': badPlugin.replace('web', `'<&"%,:|\`@user\`\\u0007 ]]>'`),
    'good.yaml': goodPlugin,
    'broken.yaml': 'name: [\n',
    'exemptions.yaml':
      '- id: ex-1\n  ruleId: no-root\n  entityKey: { name: web, version: 1.0.0 }\n  reason: "moves <soon> & safely"\n',
  })
  const created = await runCli(['baseline', 'create', 'accepted.yaml', '-r', 'rules.yaml'], { cwd: space.root })
  expect(created.code).toBe(0)
  return space
}

const files = ['accepted.yaml', 'web.yaml', 'odd, name: 100%.yaml', 'good.yaml', 'broken.yaml']

const report = (space: Workspace, format: string, world: World = {}) =>
  runCli(['check', ...files, '-r', 'rules.yaml', '--exemptions', 'exemptions.yaml', '--format', format], {
    cwd: space.root,
    ...world,
  })

describe('every format', () => {
  it.each([
    [0, ['good.yaml']],
    [1, ['good.yaml', 'web.yaml']],
    [2, ['web.yaml', 'broken.yaml', 'missing.yaml']],
    [3, ['web.yaml', 'broken.yaml']],
  ])('gives the same exit code %i', async (code, names) => {
    const space = await everything()
    for (const format of formats) {
      const outcome = await runCli(['check', ...names, '-r', 'rules.yaml', '--format', format], { cwd: space.root })
      expect(outcome.code, format).toBe(code)
    }
  })

  it('writes the same to a file as to standard output, and leaves no partial file', async () => {
    const space = await everything()
    for (const format of formats) {
      const direct = await report(space, format)
      const { stdout, stderr, code } = await report(space, `${format}=reports/out.${format}`)
      expect({ stdout, code }, format).toEqual({ stdout: '', code: direct.code })
      const duration = /\d+\.\d+ s$/m
      expect(space.read(`reports/out.${format}`).replace(duration, ''), format).toBe(
        direct.stdout.replace(duration, ''),
      )
      expect(stderr).toContain('findings')
      expect(readdirSync(join(space.root, 'reports')).filter((name) => name.includes('partial'))).toEqual([])
    }
  })

  it('is whole in its file when two runs write it at once, and nothing is left where a second one is refused', async () => {
    const space = await everything()
    const runs = await Promise.all([1, 2, 3].map(() => report(space, 'json=reports/out.json')))
    expect(new Set(runs.map(({ code }) => code)).size).toBe(1)
    JSON.parse(space.read('reports/out.json'))
    const folder = 'reports/out.json/no-folder.xml'
    const formats = ['--format', 'sarif=reports/a.sarif', '--format', `junit=${folder}`]
    const refused = await runCli(['check', 'web.yaml', '-r', 'rules.yaml', ...formats], { cwd: space.root })
    expect(refused.code).toBe(2)
    expect(readdirSync(join(space.root, 'reports'))).toEqual(['out.json'])
  })

  it('can be had together, one on standard output', async () => {
    const space = await everything()
    const args = [
      'check',
      'web.yaml',
      '-r',
      'rules.yaml',
      '--format',
      'compact',
      '--format',
      'sarif=a.sarif',
      '--format',
      'json=a.json',
    ]
    const { stdout, code } = await runCli(args, { cwd: space.root })
    expect(code).toBe(1)
    expect(stdout).toContain('web.yaml:4:1: error short-timeout')
    expect(JSON.parse(space.read('a.sarif'))).toHaveProperty('runs')
    expect(JSON.parse(space.read('a.json'))).toHaveProperty('summary.findings', 3)
  })

  it('refuses two reports to one place, and a place that cannot be written', async () => {
    const space = await everything()
    const run = (...formatNames: string[]) =>
      runCli(['check', 'good.yaml', '-r', 'rules.yaml', ...formatNames.flatMap((name) => ['--format', name])], {
        cwd: space.root,
      })
    expect((await run('json', 'sarif')).stderr).toContain('two reports go to standard output')
    expect((await run('json=a', 'sarif=./a')).code).toBe(2)
    expect((await run('json=good.yaml/a')).code).toBe(2)
  })

  it('stays plain without a terminal and is coloured with one', async () => {
    const space = await everything()
    for (const format of formats) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the start of a colour
      expect((await report(space, format)).stdout, format).not.toMatch(/\u001b/)
    }
    expect((await report(space, 'pretty', { colour: true })).stdout).toContain('\u001b[')
  })

  it('is github inside GitHub Actions, unless a terminal or a choice says otherwise', async () => {
    const space = await everything()
    const run = (args: readonly string[], world: World) =>
      runCli(['check', 'web.yaml', '-r', 'rules.yaml', ...args], {
        cwd: space.root,
        env: { GITHUB_ACTIONS: 'true' },
        ...world,
      })
    expect((await run([], {})).stdout).toMatch(/^::warning file=web\.yaml/)
    expect((await run([], { stdoutIsTty: true })).stdout).toMatch(/^web\.yaml\n/)
    expect((await run(['--format', 'pretty'], {})).stdout).toMatch(/^web\.yaml\n/)
  })
})

describe('json and ndjson', () => {
  it('carry everything, twice the same bytes', async () => {
    const space = await everything()
    const { stdout } = await report(space, 'json')
    expect((await report(space, 'json')).stdout).toBe(stdout)
    const parsed = JSON.parse(stdout)
    expect(parsed).toMatchObject({
      plumbline: expect.any(String),
      schema: 1,
      asOf: '2026-03-01T12:00:00.000Z',
      failOn: 'error',
      policy: null,
      problems: [{ file: 'broken.yaml', line: 2, column: 1, message: expect.any(String), fix: 'correct the YAML' }],
      summary: {
        files: 5,
        entities: 4,
        rules: 3,
        findings: 5,
        exempted: 1,
        hiddenByBaseline: 3,
        unusedExemptions: [],
        notEvaluated: 1,
        exitCode: 3,
      },
    })
    expect(Object.keys(parsed.findings[0])).toEqual([
      'ruleId',
      'ruleName',
      'description',
      'severity',
      'message',
      'file',
      'line',
      'column',
      'endColumn',
      'document',
      'entity',
      'field',
      'operator',
      'expected',
      'actual',
      'issue',
      'fingerprint',
      'entityFingerprint',
      'suppression',
    ])
    expect(parsed.findings).toHaveLength(9)
  })

  it('say the same, as one document and as lines', async () => {
    const space = await everything()
    const json = JSON.parse((await report(space, 'json')).stdout)
    const lines = (await report(space, 'ndjson')).stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    const of = (type: string) => lines.filter((line) => line.type === type).map(({ type: _, ...rest }) => rest)
    expect(of('finding')).toEqual(json.findings)
    expect(of('problem')).toEqual(json.problems)
    expect(of('summary')).toEqual([json.summary])
  })

  it('json without findings is valid too', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'good.yaml': goodPlugin })
    const { stdout } = await runCli(['check', 'good.yaml', '-r', 'rules.yaml', '-f', 'json'], { cwd: space.root })
    expect(JSON.parse(stdout)).toMatchObject({ findings: [], problems: [] })
  })
})

describe('sarif', () => {
  const schema = JSON.parse(readFileSync(new URL('fixtures/sarif-2.1.0.schema.json', import.meta.url), 'utf8'))
  const { id: _, $schema: __, ...draft } = schema
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false, unicodeRegExp: false }).compile(
    draft,
  )

  it('validates against the schema of SARIF 2.1.0', async () => {
    const space = await everything()
    for (const format of ['sarif']) {
      const log = JSON.parse((await report(space, format)).stdout)
      expect(validate(log), JSON.stringify(validate.errors?.slice(0, 5))).toBe(true)
    }
    const empty = await runCli(['check', 'good.yaml', '-r', 'rules.yaml', '-f', 'sarif'], { cwd: space.root })
    expect(validate(JSON.parse(empty.stdout))).toBe(true)
    expect(validate({ version: '2.1.0', runs: [{ results: 1 }] })).toBe(false)
  })

  it('has rules, places, stable fingerprints and suppressions', async () => {
    const space = await everything()
    const log = JSON.parse((await report(space, 'sarif')).stdout) as Log
    const [run] = log.runs
    expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(['no-root', 'short-timeout', 'described', 'has-stages'])
    const results = run?.results ?? []
    expect(results).toHaveLength(9)
    for (const { ruleId, ruleIndex, partialFingerprints, suppressions } of results) {
      expect(run?.tool.driver.rules?.[ruleIndex ?? -1]?.id).toBe(ruleId)
      expect(partialFingerprints?.['plumblineFinding/v1']).toMatch(/^[0-9a-f]{32}$/)
      expect(suppressions).toBeDefined()
    }
    const suppressed = results.filter(({ suppressions }) => suppressions?.length)
    expect(
      suppressed.map(
        ({ ruleId, baselineState, suppressions }) => `${ruleId} ${baselineState} ${suppressions?.[0]?.justification}`,
      ),
    ).toEqual([
      'described unchanged accepted in the baseline',
      'no-root unchanged accepted in the baseline',
      'short-timeout unchanged accepted in the baseline',
      'no-root new exemption ex-1: moves <soon> & safely',
    ])
    const odd = results.find(({ ruleId, locations }) => {
      const uri = locations?.[0]?.physicalLocation?.artifactLocation?.uri
      return ruleId === 'no-root' && uri?.startsWith('odd') === true
    })
    expect(odd?.locations?.[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: 'odd%2C%20name%3A%20100%25.yaml' },
      region: { startLine: 3, startColumn: 1, endLine: 3, endColumn: 19 },
    })
    expect(run?.invocations?.[0]).toMatchObject({ exitCode: 3, executionSuccessful: false })
    expect(run?.invocations?.[0]?.toolExecutionNotifications).toHaveLength(1)
  })

  it('names files from the root of the repository, wherever the run starts', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'sub/a.yaml': badPlugin })
    space.git('init')
    for (const format of ['sarif', 'github', 'gitlab']) {
      const args = ['check', 'a.yaml', '-r', '../rules.yaml', '-f', format]
      expect((await runCli(args, { cwd: join(space.root, 'sub') })).stdout, format).toContain('sub/a.yaml')
    }
  })
})

describe('junit', () => {
  it('parses, counts what it holds, and fails exactly where the exit code does', async () => {
    const space = await everything()
    const { stdout } = await report(space, 'junit')
    const errors: string[] = []
    const document = new DOMParser({ onError: (_level, message) => errors.push(String(message)) }).parseFromString(
      stdout,
      'text/xml',
    )
    expect(errors).toEqual([])
    const suites = Array.from(document.getElementsByTagName('testsuite'))
    expect(suites.map((suite) => suite.getAttribute('name'))).toEqual(files)
    for (const suite of suites) {
      const counted = (name: string) => String(suite.getElementsByTagName(name).length)
      expect(suite.getAttribute('tests')).toBe(counted('testcase'))
      expect(suite.getAttribute('failures')).toBe(counted('failure'))
      expect(suite.getAttribute('errors')).toBe(counted('error'))
      expect(suite.getAttribute('skipped')).toBe(counted('skipped'))
    }
    expect(
      suites.map((suite) => ['failures', 'errors', 'skipped'].map((name) => suite.getAttribute(name)).join()),
    ).toEqual(['0,0,3', '1,0,1', '2,0,0', '0,0,0', '0,1,0'])
    const names = Array.from(suites[2]?.getElementsByTagName('testcase') ?? []).map((test) => test.getAttribute('name'))
    expect(names[0]).toBe('plugin <&"%,:|`@user`\\u0007 ]]>: described')
    expect(suites[4]?.getElementsByTagName('error')[0]?.getAttribute('type')).toBe('not-evaluated')
  })
})

describe('github', () => {
  it('escapes properties and data, and writes one command a line', async () => {
    const space = await everything()
    const { stdout } = await report(space, 'github')
    const lines = stdout.trimEnd().split('\n')
    const last = lines.pop()
    expect(last).toMatch(/^5 findings \(1 critical, 2 errors, 2 warnings\)/)
    for (const line of lines) {
      expect(line).toMatch(
        /^::(error|warning|notice) file=[^:,]+,line=\d+,(endLine=\d+,)?col=\d+,(endColumn=\d+,)?title=[^:,]+::[^\r\n]+$/,
      )
    }
    expect(lines).toHaveLength(6)
    expect(stdout).toContain('file=odd%2C name%3A 100%25.yaml,line=3,')
    expect(stdout).toContain('found true%0AContainers do not run as root')
  })
})

describe('gitlab', () => {
  it('has the documented shape, unique fingerprints and no suppressed finding', async () => {
    const space = await everything()
    const schema = {
      type: 'array',
      items: {
        type: 'object',
        required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
        properties: {
          description: { type: 'string', minLength: 1 },
          check_name: { type: 'string', minLength: 1 },
          fingerprint: { type: 'string', pattern: '^[0-9a-f]{32}$' },
          severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
          location: {
            type: 'object',
            required: ['path', 'lines'],
            properties: {
              path: { type: 'string', pattern: '^[^./]' },
              lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
            },
          },
        },
      },
    }
    const entries = JSON.parse((await report(space, 'gitlab')).stdout)
    const validate = new Ajv().compile(schema)
    expect(validate(entries), JSON.stringify(validate.errors)).toBe(true)
    expect(entries.map(({ severity }: { severity: string }) => severity).sort()).toEqual([
      'blocker',
      'critical',
      'major',
      'major',
      'minor',
      'minor',
    ])
    expect(new Set(entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(entries.length)
    const clean = await runCli(['check', 'good.yaml', '-r', 'rules.yaml', '-f', 'gitlab'], { cwd: space.root })
    expect(JSON.parse(clean.stdout)).toEqual([])
  })
})

describe('markdown', () => {
  it('keeps every row a row, whatever the names hold', async () => {
    const space = await everything()
    const { stdout } = await report(space, 'markdown')
    expect(stdout).toMatch(/^## Plumbline: 5 findings \(1 critical, 2 errors, 2 warnings\), 1 not evaluated\n/)
    const rows = stdout.split('\n').filter((line) => line.startsWith('|'))
    for (const row of rows) expect(row.replaceAll('\\|', '').split('|').length).toBeGreaterThanOrEqual(4)
    expect(stdout).not.toMatch(/(?<!`[^`\n]*)@user/)
    expect(stdout).toContain('1 exempted · 3 hidden by baseline')
  })

  it('is bounded, and counts what it leaves out', async () => {
    const entity = '{"name":"a","version":"1","timeout":99,"description":"d"}'
    const space = workspace({ 'rules.yaml': rulesYaml, 'many.ndjson': `${entity}\n`.repeat(200) })
    const { stdout } = await runCli(['check', 'many.ndjson', '-r', 'rules.yaml', '-f', 'markdown'], { cwd: space.root })
    expect(stdout).toContain('… and 50 more.')
    expect(stdout.length).toBeLessThan(65_536)
  })
})
