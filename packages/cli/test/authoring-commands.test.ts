import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, type Folder } from './support/folder.js'

const rules = `rules:
  - name: semver
    description: Versions are numbers.
    target: plugin
    priority: 5
    field: version
    operator: regex
    value: '^\\d+\\.\\d+\\.\\d+$'
  - name: released
    target: plugin
    severity: warning
    conditionMode: any
    conditions:
      - { dependsOnRule: semver }
      - { field: lifecycle, operator: neq, value: production }
      - { field: version, operator: regex, value: '^[1-9]' }
  - name: project
    target: pipeline
    field: project
    operator: notEmpty
`
const plugins = `name: good
version: 1.0.0
lifecycle: production
---
name: early
version: 0.1.0
lifecycle: production
---
name: moving
version: latest
lifecycle: production
`

let folder: Folder
beforeEach(async () => {
  folder = await createFolder({ 'rules/a.yaml': rules, 'plugins/p.yaml': plugins })
})
afterEach(() => folder.remove())

describe('plumbline explain', () => {
  it('says what a rule means: severity, conditions, gates, operators, place', async () => {
    const { code, stdout } = await folder.run(['explain', 'released', '-r', 'rules'])
    expect(code).toBe(0)
    expect(stdout).toContain(
      'released rules/a.yaml:9:5\nwarning for a plugin, priority 0: a violation is reported and does not block',
    )
    expect(stdout).toContain('Checked only when `semver` passed')
    expect(stdout).toContain('any of\n    `lifecycle` must not equal "production"\n    `version` must match `^[1-9]`')
    expect((await folder.run(['explain', 'semver', '-r', 'rules'])).stdout).toContain('Asked before: released')
  })

  it('explains the verdict on each entity of the target, with the rules that decide', async () => {
    const { code, stdout } = await folder.run(['explain', 'released', 'plugins', '-r', 'rules'])
    expect(code).toBe(0)
    const [good = '', early = '', moving = ''] = stdout.split('\n\n')
    expect(good).toContain('plugin good plugins/p.yaml:1\n')
    expect(good).toContain('✓ released')
    expect(early).toContain('✗ released')
    expect(early).toContain('✗ `version` must match `^[1-9]`: found "0.1.0"')
    expect(moving).toContain('- released [warning] skipped: a rule it depends on failed')
    expect(stdout).not.toContain('project')
  })

  it('gives the same as JSON', async () => {
    const { stdout } = await folder.run(['explain', 'semver', 'plugins/p.yaml', '-r', 'rules', '--format', 'json'])
    const explained = JSON.parse(stdout) as { name: string; rules: { outcome: string }[] }[]
    expect(explained.map(({ name, rules: steps }) => [name, steps[0]?.outcome])).toEqual([
      ['good', 'passed'],
      ['early', 'passed'],
      ['moving', 'failed'],
    ])
    expect(
      JSON.parse((await folder.run(['explain', 'semver', '-r', 'rules', '--format', 'json'])).stdout),
    ).toMatchObject({
      name: 'semver',
      blocks: true,
    })
  })

  it('honours exemptions and --as-of', async () => {
    await folder.write(
      'e.yaml',
      'exemptions: [{ id: w1, ruleId: semver, entityKey: { name: moving, version: latest }, expiresAt: "2026-06-01T00:00:00Z" }]\n',
    )
    const argv = ['explain', 'semver', 'plugins', '-r', 'rules', '--exemptions', 'e.yaml']
    expect((await folder.run(argv)).stdout).toContain('skipped: an exemption waives it (w1)')
    expect((await folder.run([...argv, '--as-of', '2026-07-01'])).stdout).not.toContain('w1')
    expect(await folder.run([...argv, '--as-of', 'soon'])).toMatchObject({ code: 2 })
  })

  it('suggests the nearest rule, and exits 2', async () => {
    const { code, stderr, stdout } = await folder.run(['explain', 'relaesed', '-r', 'rules'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('no rule is called `relaesed`, did you mean `released`?')
  })

  it('reads standard input, and exits 3 for what it cannot read', async () => {
    const stdin = '{"name": "x", "version": "latest"}'
    expect((await folder.run(['explain', 'semver', '-', '-r', 'rules'], { stdin })).stdout).toContain('✗ semver')
    await folder.write('plugins/broken.yaml', 'name: [')
    const { code, stdout, stderr } = await folder.run(['explain', 'semver', 'plugins', '-r', 'rules'])
    expect(code).toBe(3)
    expect(stdout).toContain('plugin good')
    expect(stderr).toContain('plugins/broken.yaml:1')
  })

  it('says so when no file holds an entity of the target', async () => {
    const { code, stderr } = await folder.run(['explain', 'project', 'plugins', '-r', 'rules'])
    expect(code).toBe(0)
    expect(stderr).toContain('rule `project` is for a pipeline, and none of the files holds one')
  })
})

describe('rules about the built image', () => {
  const rule = '- { name: no-root, target: plugin, field: builtImage.usesRootUser, operator: eq, value: false }\n'
  const built = `name: built\nversion: 1.0.0\nbuiltImage: { usesRootUser: true }\n---\n${plugins}`
  beforeEach(async () => {
    await folder.write('rules/a.yaml', rule)
    await folder.write('plugins/p.yaml', built)
  })

  it('wait for the image in `explain`, as in a check', async () => {
    const { stdout } = await folder.run(['explain', 'no-root', 'plugins', '-r', 'rules'])
    expect(stdout).toContain('✗ no-root [error] failed')
    expect(stdout.match(/- no-root \[error\] skipped: it needs a built image/g)).toHaveLength(3)
    const json = await folder.run(['explain', 'no-root', 'plugins', '-r', 'rules', '--format', 'json'])
    const explained = JSON.parse(json.stdout) as { rules: { outcome: string; needsBuiltImage?: boolean }[] }[]
    expect(explained.map(({ rules: [step] }) => [step?.outcome, step?.needsBuiltImage])).toEqual([
      ['failed', undefined],
      ...Array.from({ length: 3 }, () => ['skipped', true]),
    ])
    expect(stdout).not.toContain('at this time')
  })

  it('count plugins without one neither way in `impact`', async () => {
    const pretty = await folder.run(['impact', 'plugins', '-r', 'rules'])
    expect(pretty.stdout).toContain('1 of 4 plugins would fail no-root')
    expect(pretty.stdout).toContain('no-root waits for the built image of 3 of 4 plugins')
    const markdown = await folder.run(['impact', 'plugins', '-r', 'rules', '-f', 'markdown'])
    expect(markdown.stdout).toContain('`no-root` waits for the built image of 3 of 4 plugins.')
    const { stdout } = await folder.run(['impact', 'plugins', '-r', 'rules', '-f', 'json'])
    expect(JSON.parse(stdout)[0]).toMatchObject({ total: 4, wouldPass: 0, wouldFail: 1, waiting: 3 })
  })
})

describe('plumbline impact', () => {
  it('counts failures per rule, gates open by default', async () => {
    const { code, stdout } = await folder.run(['impact', 'plugins', '-r', 'rules'])
    expect(code).toBe(0)
    expect(stdout).toContain('1 of 3 plugins would fail semver\n    moving plugins/p.yaml:9 ')
    expect(stdout).toContain('2 of 3 plugins would fail released')
    expect(stdout).toContain('3 rules: 2 would fail something, 1 nothing')
  })

  it('speaks of one entity in the singular', async () => {
    await folder.write('one/p.yaml', 'name: one\nversion: latest\n')
    const { stdout } = await folder.run(['impact', 'one', '-r', 'rules', '--rule', 'semver'])
    expect(stdout).toContain('1 of 1 plugin would fail semver')
  })

  it('counts as rules are evaluated with --gates evaluate', async () => {
    const { stdout } = await folder.run(['impact', 'plugins', '-r', 'rules', '--gates', 'evaluate', '--format', 'json'])
    const impact = JSON.parse(stdout) as { ruleName: string; total: number; wouldPass: number; wouldFail: number }[]
    expect(impact.find(({ ruleName }) => ruleName === 'released')).toMatchObject({
      total: 3,
      wouldPass: 1,
      wouldFail: 1,
    })
  })

  it('asks about one rule, in Markdown', async () => {
    const { stdout } = await folder.run(['impact', 'plugins', '-r', 'rules', '--rule', 'semver', '-f', 'markdown'])
    expect(stdout).toBe(
      '| Rule | Target | Would fail | Such as |\n| --- | --- | --- | --- |\n| `semver` | plugin | 1 of 3 | moving |\n\n' +
        '1 rule: 1 would fail something, 0 nothing.\n',
    )
    expect(await folder.run(['impact', 'plugins', '-r', 'rules', '--rule', 'semverr'])).toMatchObject({ code: 2 })
  })

  it('takes files from the configuration, and exits 3 for what it cannot read', async () => {
    expect((await folder.run(['impact', '-r', 'rules'])).stderr).toContain('no plugins or pipelines are named')
    await folder.write('plumbline.config.yaml', 'rules: rules\nfiles: plugins\n')
    expect((await folder.run(['impact'])).code).toBe(0)
    await folder.write('plugins/empty.yaml', '')
    expect(await folder.run(['impact'])).toMatchObject({ code: 3 })
  })
})

describe('plumbline compile', () => {
  it('writes a module with the verdicts of the rules', async () => {
    const { code, stdout, stderr } = await folder.run([
      'compile',
      'rules',
      '--output',
      'out/rules.mjs',
      '--regex',
      'reject',
    ])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toContain('wrote out/rules.mjs; 3 rules, ')
    const module = (await import(pathToFileURL(join(folder.path, 'out/rules.mjs')).href)) as {
      evaluate: (attributes: object, context: object) => { blocked: boolean; violations: { ruleName: string }[] }
    }
    expect(module.evaluate({ version: '1.0.0', lifecycle: 'production' }, { target: 'plugin' }).blocked).toBe(false)
    const { violations } = module.evaluate({ version: 'x' }, { target: 'plugin' })
    expect(violations.map(({ ruleName }) => ruleName)).toEqual(['semver'])
  })

  it('writes to standard output, for one target alone', async () => {
    const { code, stdout } = await folder.run(['compile', 'rules', '--target', 'pipeline'])
    expect(code).toBe(0)
    expect(stdout).toContain('project')
    expect(stdout).not.toContain('semver')
  })

  it('refuses wrong rules with exit 2', async () => {
    await folder.write('rules/b.yaml', 'rules: [{ name: x, target: plugin, field: a, operator: equals }]\n')
    expect(await folder.run(['compile', 'rules'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('plumbline schema', () => {
  it('prints the schema of each kind of file, and writes it', async () => {
    for (const kind of [[], ['rules'], ['rule'], ['condition'], ['test']]) {
      const { code, stdout } = await folder.run(['schema', ...kind])
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toHaveProperty('$schema', 'https://json-schema.org/draft/2020-12/schema')
    }
    expect(await folder.run(['schema', 'rule', '-o', 'a/rule.json'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'wrote a/rule.json\n',
    })
    expect(JSON.parse(await folder.read('a/rule.json'))).toHaveProperty('properties.operator')
    expect(await folder.run(['schema', 'ruel'])).toMatchObject({ code: 2 })
  })
})

describe('plumbline init', () => {
  it('writes files that pass check, test and lint as they are, and keeps what exists', async () => {
    const { code, stdout } = await folder.run(['init', 'new'])
    expect(code).toBe(0)
    expect(stdout).toContain('wrote new/plumbline.config.yaml')
    expect(stdout).toContain('wrote new/.github/workflows/plumbline.yml')
    const world = { cwd: join(folder.path, 'new') }
    const tested = await folder.run(['test', '--threshold', '100', '--mutation-threshold', '100'], world)
    expect(tested.code, tested.stdout + tested.stderr).toBe(0)
    for (const argv of [['check'], ['check', '--fail-on', 'warning'], ['lint', '--fail-on', 'info']]) {
      expect(await folder.run(argv, world)).toMatchObject({ code: 0 })
    }
    expect((await folder.run(['impact'], world)).stdout).toContain('0 would fail something')

    await folder.write('new/plumbline.config.yaml', 'rules: mine\n')
    const again = await folder.run(['init', 'new'])
    expect(again.stdout).toContain('kept  new/plumbline.config.yaml'.replace('  ', ' '))
    expect(again.stderr).toContain('--force overwrites')
    expect(await folder.read('new/plumbline.config.yaml')).toBe('rules: mine\n')
    expect((await folder.run(['init', 'new', '--force'])).stdout).toContain('overwrote new/plumbline.config.yaml')
    expect(await folder.read('new/plumbline.config.yaml')).toContain('compliance/rules')
  })

  it('writes no configuration beside one of another name, which every command would refuse', async () => {
    await folder.write('json/plumbline.config.json', '{"rules":["mine"],"files":["ci"]}')
    await folder.write(
      'json/mine/few.yaml',
      'rules: [{ name: few, target: plugin, field: commands, operator: exists }]',
    )
    await folder.write('json/ci/web.yaml', 'name: web\nversion: 1.0.0\ncommands: [a]\n')
    for (const more of [[], ['--force']]) {
      const { stdout, stderr } = await folder.run(['init', 'json', ...more])
      expect(stdout).toMatch(/kept +json\/plumbline\.config\.json/)
      expect(stderr).toContain('is what `rules`, `tests` and `files` of plumbline.config.json name')
      expect(stderr).not.toContain('they are what `check` checks')
      expect(await folder.run(['check'], { cwd: join(folder.path, 'json') })).toMatchObject({ code: 0 })
    }
  })

  it('writes the CI file that was asked for, and nothing with --dry-run', async () => {
    expect((await folder.run(['init', 'empty', '--dry-run', '--ci', 'none'])).stdout).toContain('plugins/example.yaml')
    await expect(folder.read('empty/plumbline.config.yaml')).rejects.toThrow()
    await folder.write('empty/.gitlab-ci.yml', '')
    const { stdout, stderr } = await folder.run(['init', 'empty'])
    expect(stdout).toContain('wrote empty/.gitlab/plumbline.yml')
    expect(stderr).toContain('include: { local: .gitlab/plumbline.yml }')
    expect(stdout).toContain('wrote empty/pipelines/example.yaml')
  })
})
