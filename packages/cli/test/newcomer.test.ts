/**
 * The first steps in a new user's repository: what `init` finds, the change that introduces the gate, and files of
 * other tools.
 */
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { version } from '../src/program/version.js'
import { runCli } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, workspace } from './support/workspace.js'

const commit = (space: ReturnType<typeof workspace>, text: string) => {
  space.git('add', '-A')
  space.git('commit', '-q', '-m', text)
}

describe('plumbline init', () => {
  it('names the plugins and pipelines that are there, so that the first check looks at them', async () => {
    const space = workspace({
      'ci/plugins/web.yaml': 'name: web\npluginType: CodeBuildStep\ncommands: [make]\nusesRootUser: true\n',
      'ci/plugins/more.yaml': 'plugins:\n  - name: a\n    commands: [make]\n',
      'ci/shop.yaml': 'project: shop\norganization: acme\nprops: { stages: [] }\n',
      'ci/values.yaml': 'replicas: 2\n',
      'package.json': '{"name": "shop", "version": "1.0.0", "scripts": {}}',
      'deploy/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n',
      'broken.yaml': 'a: [\n',
      '.gitlab-ci.yml': 'stages: [build]\n',
    })
    const { code, stdout, stderr } = await runCli(['init'], { cwd: space.root })
    expect(code).toBe(0)
    expect(stdout).not.toContain('example.yaml')
    expect(stderr).toContain('found 2 plugins and 1 pipeline in ci/plugins, ci/shop.yaml')
    expect(space.read('plumbline.config.yaml')).toContain('files:\n  - ci/plugins\n  - ci/shop.yaml\n')
    const check = await runCli(['check'], { cwd: space.root })
    expect(check.code).toBe(1)
    expect(check.stdout).toContain('plugin-unprivileged')
  })

  it('counts no configuration of a build as a plugin', async () => {
    const space = workspace({ 'web/plugin-spec.yaml': goodPlugin, 'web/config.yaml': 'buildType: metadata_only\n' })
    const { stderr } = await runCli(['init'], { cwd: space.root })
    expect(stderr).toContain('found 1 plugin and 0 pipelines in web/plugin-spec.yaml')
    space.write('rules.yaml', rulesYaml)
    const check = await runCli(['check', 'web', '--rules', 'rules.yaml'], { cwd: space.root })
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('1 entity')])
    expect(check.stderr).toContain('this is the build configuration of a plugin')
  })

  it('in a folder of a repository says what the CI file there needs, because CI reads the root', async () => {
    const space = workspace({ 'services/shop/ci/web.yaml': goodPlugin })
    space.git('init', '-q')
    const github = await runCli(['init', 'services/shop'], { cwd: space.root })
    expect(github.stderr).toContain('move services/shop/.github/workflows/plumbline.yml to .github/workflows')
    expect(github.stderr).toContain('working-directory: services/shop')
    expect((await runCli(['init', '.', '--ci', 'github'], { cwd: space.root })).stderr).not.toContain('move')
    space.write('.gitlab-ci.yml', '')
    const gitlab = await runCli(['init', 'services/shop'], { cwd: space.root })
    expect(gitlab.stdout).toContain('services/shop/.gitlab/plumbline.yml')
    expect(gitlab.stderr).toContain('include: { local: services/shop/.gitlab/plumbline.yml }')
    expect(gitlab.stderr).toContain('`cd services/shop`')
  })

  it('runs the command line in the version that wrote the workflow', async () => {
    const space = workspace()
    await runCli(['init'], { cwd: space.root })
    const runs = space.read('.github/workflows/plumbline.yml').match(/npx .*/g) ?? []
    expect(runs.length).toBeGreaterThan(2)
    for (const run of runs) expect(run).toContain(`npx --yes @plumbline/cli@${version} `)
  })
})

describe('the change that introduces the gate', () => {
  const start = (files = {}) => {
    const space = workspace({ 'plugins/a.yaml': goodPlugin, ...files })
    space.git('init', '-q')
    commit(space, 'before')
    space.git('branch', 'base')
    return space
  }
  const gate = { 'plumbline.config.yaml': 'rules: rules.yaml\nfiles: plugins\n', 'rules.yaml': rulesYaml }
  const add = (space: ReturnType<typeof workspace>, text: string) => {
    for (const [name, content] of Object.entries(gate)) space.write(name, content)
    commit(space, text)
  }
  const check = (space: ReturnType<typeof workspace>, env = {}) =>
    runCli(['check', '--policy-from', 'base'], { cwd: space.root, env })

  it('is judged by its own rules, and says so loudly', async () => {
    const space = start()
    add(space, 'the gate')
    const { code, stderr } = await check(space)
    expect(code).toBe(0)
    expect(stderr).toContain('base has no configuration and never had one')
    expect(stderr).toContain('its OWN configuration and rules (plumbline.config.yaml)')
    space.write('plugins/a.yaml', badPlugin)
    expect((await check(space)).code).toBe(1)
    const actions = await check(space, { GITHUB_ACTIONS: 'true' })
    expect(actions.stderr).toMatch(/^::warning title=plumbline::base has no configuration/m)
  })

  it('is refused where the base once had a configuration: removing it must not open the gate', async () => {
    const space = start(gate)
    space.remove('plumbline.config.yaml')
    commit(space, 'remove the gate')
    space.git('branch', '-f', 'base')
    add(space, 'another gate')
    const { code, stderr } = await check(space)
    expect(code).toBe(2)
    expect(stderr).toMatch(/base has no configuration any more: commit [0-9a-f]{10} removed it/)
    expect(stderr).toContain('restore it on the base branch')
  })

  it('is refused in a shallow clone, where nobody can tell', async () => {
    const space = start()
    add(space, 'the gate')
    const clone = join(space.root, 'clone')
    space.git('clone', '-q', '--depth', '1', `file://${space.root}`, clone)
    const { code, stderr } = await runCli(['check', '--policy-from', 'HEAD', '--config', 'new.yaml'], { cwd: clone })
    expect(code).toBe(2)
    expect(stderr).toContain('no such configuration file: new.yaml at HEAD')
    writeFileSync(join(clone, 'plumbline.config.yaml'), gate['plumbline.config.yaml'])
    space.git('-C', clone, 'rm', '-q', '--cached', 'plumbline.config.yaml')
    space.git('-C', clone, 'commit', '-q', '--amend', '-m', 'without')
    const shallow = await runCli(['check', '--policy-from', 'HEAD'], { cwd: clone })
    expect(shallow).toMatchObject({ code: 2, stderr: expect.stringContaining('fetch-depth: 0') })
  })

  it('says what to do where nobody has rules', async () => {
    const { code, stderr } = await check(start())
    expect(code).toBe(2)
    expect(stderr).toContain('there are no rules at base, and none in the working tree')
    expect(stderr).toContain('plumbline init')
  })
})

describe('a repository with other files', () => {
  const config = { 'plumbline.config.yaml': 'rules: rules.yaml\n', 'rules.yaml': rulesYaml }

  it('is checked without the files of other tools, which are named', async () => {
    const space = workspace({
      ...config,
      'plugins/a.yaml': goodPlugin,
      'package.json': '{"name": "shop", "version": "1.0.0", "dependencies": {}}',
      'deploy/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: { name: web }\n',
      'compose.yaml': 'services: { web: { image: nginx } }\n',
    })
    const { code, stdout, stderr } = await runCli(['check', '.'], { cwd: space.root })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('1 entity') })
    expect(stderr).toContain('compose.yaml:1:1: this is a Compose file')
    expect(stderr).toContain('deploy/service.yaml:1:1: this is a Kubernetes object')
    expect(stderr).toContain('package.json:1:1: this is a package manifest')
    const alone = await runCli(['check', 'compose.yaml'], { cwd: space.root })
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('nothing was checked') })
  })

  it('is checked as a whole after `init`, which wrote JSON Schemas into it', async () => {
    const space = workspace({})
    expect((await runCli(['init'], { cwd: space.root })).code).toBe(0)
    const { code, stdout, stderr } = await runCli(['check', '.'], { cwd: space.root })
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('2 entities') })
    expect(stderr).toContain('compliance/schemas/rules.json:1:1: this is a JSON Schema')
  })

  it('takes a plugin for one, whatever else it holds', async () => {
    const evasive = `${badPlugin}pluginType: CodeBuildStep\nscripts: {}\n`
    const space = workspace({ ...config, 'plugins/a.yaml': evasive })
    expect((await runCli(['check', 'plugins'], { cwd: space.root })).code).toBe(1)
  })

  it('follows no link out of the repository, and says which it left', async () => {
    const outside = workspace({ 'secret.yaml': 'name: web\nversion: s3cret-value\nusesRootUser: true\n' })
    const space = workspace({ ...config, 'plugins/a.yaml': goodPlugin, 'shared/b.yaml': goodPlugin })
    space.git('init', '-q')
    symlinkSync(join(outside.root, 'secret.yaml'), join(space.root, 'plugins/leak.yaml'))
    symlinkSync(outside.root, join(space.root, 'plugins/more'))
    symlinkSync(join(space.root, 'gone.yaml'), join(space.root, 'plugins/dangling.yaml'))
    symlinkSync(join(space.root, 'shared'), join(space.root, 'plugins/shared'))
    for (const argv of [['plugins'], ['plugins/**/*.yaml'], ['plugins/leak.yaml']]) {
      const { code, stdout, stderr } = await runCli(['check', ...argv], { cwd: space.root })
      expect(code, argv.join(' ')).toBe(3)
      expect(stderr).toContain('plugins/leak.yaml is a link that leads out of the repository')
      expect(stdout + stderr).not.toContain('s3cret-value')
    }
    const { stdout, stderr } = await runCli(['check', 'plugins'], { cwd: space.root })
    expect(stderr).toContain('plugins/dangling.yaml is a link that leads to nothing')
    expect(stderr).toContain('plugins/more is a link that leads out of the repository')
    expect(stdout).toContain('2 files')
  })

  it('follows no link out of the repository to rules, exemptions, tests or documents either', async () => {
    const outside = workspace({ 'secret.yaml': 'name: web\ns3cret-value: [s3cret-value]\n' })
    const space = workspace({ ...config, 'plugins/a.yaml': goodPlugin })
    space.git('init', '-q')
    const link = (name: string) => {
      space.write(name, '')
      space.remove(name)
      symlinkSync(join(outside.root, 'secret.yaml'), join(space.root, name))
      return name
    }
    const calls = [
      ['check', 'plugins/a.yaml', '--rules', link('more/leak.yaml')],
      ['check', 'plugins/a.yaml', '--rules', 'more'],
      ['check', 'plugins/a.yaml', '--exemptions', link('waivers.yaml')],
      ['lint', 'more/leak.yaml'],
      ['compile', 'more/leak.yaml'],
      ['diff', 'more/leak.yaml', 'rules.yaml'],
      ['test', link('rules.plumbline-test.yaml')],
      ['explain', 'no-root', link('plugins/leak.yaml')],
      ['explain', 'no-root', 'plugins'],
      ['impact', 'plugins'],
      ['apply', '--dry-run', 'plugins'],
    ]
    const env = { PLUMBLINE_URL: 'http://127.0.0.1:1', PLUMBLINE_TOKEN: 'plb_none' }
    for (const argv of calls) {
      const { code, stdout, stderr } = await runCli(argv, { cwd: space.root, env })
      expect(code, argv.join(' ')).not.toBe(0)
      expect(stderr, argv.join(' ')).toContain('is a link that leads out of the repository')
      expect(stdout + stderr, argv.join(' ')).not.toContain('s3cret-value')
    }
    space.write('plumbline.config.yaml', 'rules: rules.yaml\nfiles: plugins\n')
    const { stdout } = await runCli(['doctor'], { cwd: space.root })
    expect(stdout).toContain('nothing matches plugins/leak.yaml')
  })

  it('says that nothing was checked where there is nothing', async () => {
    const space = workspace(config)
    const { code, stdout } = await runCli(['check', 'none.yaml'], { cwd: space.root })
    expect(code).toBe(2)
    expect(stdout).toContain('nothing was checked')
    expect(stdout).not.toContain('no findings')
  })

  it('with a file named like a workflow command begins no line with it', async () => {
    const space = workspace({ ...config, '::add-mask::a.yaml': badPlugin })
    for (const format of ['pretty', 'compact']) {
      const { stdout } = await runCli(['check', './::add-mask::a.yaml', '-f', format], { cwd: space.root })
      expect(stdout).toContain('./::add-mask::a.yaml')
      expect(stdout).not.toMatch(/^::/m)
    }
  })
})

describe('many findings', () => {
  const space = () =>
    workspace({
      'plumbline.config.yaml': 'rules: rules.yaml\n',
      'rules.yaml': rulesYaml,
      'plugins/a.yaml': badPlugin,
      'plugins/b.yaml': badPlugin,
    })
  const check = (...argv: string[]) => runCli(['check', 'plugins', ...argv], { cwd: space().root })

  it('are shown from a severity on, at most so many, and by rule; what is left out is said', async () => {
    const all = await check()
    const limited = await check('--max-findings', '1')
    expect(limited.stdout).toMatch(/\d+ more findings? not shown \(--max-findings 1\)/)
    expect(limited.stdout).not.toContain('plugins/b.yaml')
    const grave = await check('--only', 'critical')
    expect(grave.stdout).toContain('below critical not shown')
    const grouped = await check('--group-by', 'rule')
    expect(grouped.stdout).toMatch(/^ +2 {2}\w+ +[\w-]+ {2}\(2 files, first plugins\/a\.yaml:\d+\)$/m)
    const headline = /✖ .*/.exec(all.stdout)?.[0]
    for (const { code, stdout } of [limited, grave, grouped]) {
      expect(code).toBe(all.code)
      expect(stdout).toContain(headline)
    }
  })

  it('are all in the formats for programs', async () => {
    const findings = async (...argv: string[]) => JSON.parse((await check('--json', ...argv)).stdout).findings
    expect(await findings('--max-findings', '1', '--only', 'critical')).toEqual(await findings())
  })
})

describe('a mistake on the command line', () => {
  it.each([
    [['chek', 'plugins', '--rules', 'rules'], {}, 'unknown command `chek`, did you mean `check`?'],
    [['whoami'], { PLUMBLINE_URL: 'localhost:3000', PLUMBLINE_TOKEN: 'x' }, 'http://localhost:3000 on this machine'],
    [['diff', 'rules-before', 'rules-after'], {}, 'name two rule files, folders or git refs'],
  ])('%j leads to what was meant', async (argv, env, message) => {
    const { root } = workspace()
    const { code, stderr } = await runCli(argv, { cwd: root, env })
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })

  it('a folder behind --org is not taken for an organization', async () => {
    const { root } = workspace({ 'plugins/a.yaml': goodPlugin })
    const { code, stderr } = await runCli(['check', '--org', 'plugins'], { cwd: root })
    expect(code).toBe(2)
    expect(stderr).toContain('name files first: `plumbline check plugins --org`')
  })

  it.each([['version'], ['-v']])('%s prints the version', async (word) => {
    expect(await runCli([word])).toMatchObject({ code: 0, stdout: `plumbline ${version}\n` })
  })
})
