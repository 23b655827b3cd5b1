/** Edge cases: internal faults, links in a cycle, endless input, hostile refs and configuration. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Io } from '../src/command.js'
import { diskTree, gitTree, type StrayLink } from '../src/input/file-tree.js'
import { findFiles, strayProblem } from '../src/input/find-files.js'
import { main } from '../src/main.js'
import { collector, memoryIo, runCli } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, workspace } from './support/workspace.js'

describe('an internal fault', () => {
  const faulty = (env: Io['env']) => {
    const stderr = collector()
    const io = memoryIo({ env }, new Writable(), stderr.stream)
    const broken = Object.defineProperty({ ...io }, 'cwd', {
      get: () => {
        throw new RangeError('the disk is made of cheese')
      },
    })
    return { run: () => main(['check', 'a.yaml'], broken), text: stderr.text }
  }

  it('gives exit 70 and its message, without a stack', async () => {
    const { run, text } = faulty({})
    expect(await run()).toBe(70)
    expect(text()).toContain('internal fault: the disk is made of cheese')
    expect(text()).not.toContain('robustness.test')
  })

  it('shows its stack with PLUMBLINE_DEBUG', async () => {
    const { run, text } = faulty({ PLUMBLINE_DEBUG: '1' })
    expect(await run()).toBe(70)
    expect(text()).toContain('robustness.test')
  })
})

describe('a folder that cannot be read', () => {
  it('is named, and does not hide what else is there', async () => {
    const strays: StrayLink[] = []
    const { root } = workspace({})
    expect(await diskTree.list(join(root, 'gone'), null, strays)).toEqual([])
    expect(strays).toEqual([{ path: join(root, 'gone'), leads: 'unreadable' }])
    const [stray] = strays
    expect(stray === undefined ? '' : strayProblem(stray, root).message).toContain('a folder that cannot be read')
  })
})

describe('what a checked file says', () => {
  it('starts no line of its own in a message, which a CI runner would obey', async () => {
    const hostile = 'a\\n::error file=ok.yaml::fake\\u001b[31m'
    const { root: cwd } = workspace({ 'rules.yaml': rulesYaml, 'plugin.yaml': `${goodPlugin}\n"${hostile}": 1\n` })
    const { stderr, stdout } = await runCli(['check', 'plugin.yaml', '--rules', 'rules.yaml'], { cwd })
    expect(`${stdout}${stderr}`).toContain('::error file=ok.yaml::fake')
    expect(`${stdout}\n${stderr}`).not.toMatch(/^\s*::error/m)
    expect(`${stdout}${stderr}`).not.toContain('\u001b[31m')
  })
})

describe('standard input', () => {
  it('is refused beyond the limit, however long it goes on', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'plumbline.config.yaml': 'maxFileBytes: 100\n' })
    const { code, stdout } = await runCli(['check', '-', '-r', 'rules.yaml'], {
      cwd: space.root,
      stdin: goodPlugin.repeat(50),
    })
    expect(code).toBe(3)
    expect(stdout).toContain('more than the 100 bytes that are allowed')
  })

  it('can be checked together with files', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': goodPlugin })
    const { stdout } = await runCli(['check', '-', 'a.yaml', '-r', 'rules.yaml'], { cwd: space.root, stdin: badPlugin })
    expect(stdout).toContain('<stdin>')
    expect(stdout).toContain('in 1 of 2 files')
  })
})

it.skipIf(!existsSync('/proc/self/mem'))(
  'a rule file that breaks off while it is read is named, with exit 2',
  async () => {
    const space = workspace({ 'good.yaml': goodPlugin })
    const { code, stderr } = await runCli(['check', 'good.yaml', '-r', '/proc/self/mem'], { cwd: space.root })
    expect(code).toBe(2)
    expect(stderr).toMatch(/proc\/self\/mem: the file cannot be read \(EIO\)/)
  },
)

describe('finding files', () => {
  it('visits each folder once, also when links lead back up', async () => {
    const space = workspace({ 'a/b/c.yaml': goodPlugin, 'a/d.json': '{}' })
    symlinkSync(space.root, join(space.root, 'a/b/up'))
    symlinkSync(join(space.root, 'nowhere'), join(space.root, 'a/broken.yaml'))
    const { files } = await findFiles(diskTree, ['a'], { cwd: space.root })
    expect(files).toEqual([join(space.root, 'a/b/c.yaml'), join(space.root, 'a/d.json')])
  })

  it('names a file once, however it is named', async () => {
    const space = workspace({ 'a/b.yaml': goodPlugin })
    const { files } = await findFiles(diskTree, ['a/b.yaml', 'a', '**/*.yaml', './a/../a/b.yaml'], { cwd: space.root })
    expect(files).toEqual([join(space.root, 'a/b.yaml')])
  })

  it('is the same on disk and at a commit', async () => {
    const space = workspace({
      'rules/a.yaml': rulesYaml,
      'rules/deep/b.json': '{}',
      'rules/.hidden/c.yaml': '',
      'rules/node_modules/d.yaml': '',
      'other/e.yaml': 'grün: ü\n',
    })
    space.git('init')
    space.git('add', '-f', '.')
    space.git('commit', '-m', 'all')
    for (const cwd of [space.root, join(space.root, 'rules')]) {
      const tree = await gitTree(cwd, 'HEAD')
      for (const names of [['.'], ['rules'], ['**/*.yaml'], ['rules/**'], ['missing'], ['deep', 'a.yaml']]) {
        expect(await findFiles(tree, names, { cwd }), names.join()).toEqual(await findFiles(diskTree, names, { cwd }))
      }
      expect(await tree.readText(join(space.root, 'other/e.yaml'))).toBe('grün: ü\n')
      await expect(tree.readText(join(space.root, 'other/f.yaml'))).rejects.toThrow('does not exist at HEAD')
    }
  })
})

describe('--policy-from', () => {
  it('runs no code from the ref', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': goodPlugin, 'c.mjs': "throw new Error('ran')\n" })
    space.git('init')
    space.git('add', '.')
    space.git('commit', '-m', 'all')
    const { code, stderr } = await runCli(['check', 'a.yaml', '--config', 'c.mjs', '--policy-from', 'HEAD'], {
      cwd: space.root,
    })
    expect(code).toBe(2)
    expect(stderr).toContain('code is not run from a git ref')
  })

  it('takes exemptions and baseline of the ref, not those that the change brings along', async () => {
    const space = workspace({
      'plumbline.config.yaml': 'rules: rules.yaml\nfiles: a.yaml\nexemptions: e.yaml\n',
      'rules.yaml': rulesYaml,
      'a.yaml': badPlugin,
      'e.yaml': '[]\n',
    })
    space.git('init')
    space.git('add', '.')
    space.git('commit', '-m', 'base')
    space.write('e.yaml', '- {id: mine, ruleId: no-root}\n- {id: mine2, ruleId: short-timeout}\n')
    expect((await runCli(['check'], { cwd: space.root })).code).toBe(0)
    expect((await runCli(['check', '--policy-from', 'HEAD'], { cwd: space.root })).code).toBe(1)
    space.write('e.yaml', '[]\n')
    await runCli(['baseline', 'create'], { cwd: space.root })
    expect((await runCli(['check'], { cwd: space.root })).code).toBe(0)
    expect((await runCli(['check', '--policy-from', 'HEAD'], { cwd: space.root })).code).toBe(1)
  })
})

it('says of a repository without a commit that it has none, and how to make the first one past a hook', async () => {
  const files = {
    'plumbline.config.yaml': 'rules: rules.yaml\nfiles: a.yaml\n',
    'rules.yaml': rulesYaml,
    'a.yaml': badPlugin,
  }
  const space = workspace(files)
  space.git('init')
  expect(await runCli(['check', '--since', 'HEAD', '--no-match', 'ok'], { cwd: space.root })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/no commit `HEAD`: the repository has no commit yet\nhint: .*--no-verify/),
  })
})

describe('--policy-from and exemptions that the change brings along', () => {
  const NOTE =
    'exemptions that this change adds or edits are not counted in this check: they take effect when the change is merged into'

  it.each(['pretty', 'markdown', 'github'])(
    'names the file, and says in %s that it is not counted and when it takes effect',
    async (format) => {
      const space = workspace({
        'plumbline.config.yaml': 'rules: rules.yaml\nfiles: a.yaml\n',
        'rules.yaml': rulesYaml,
        'a.yaml': badPlugin,
      })
      space.git('init')
      space.git('add', '.')
      space.git('commit', '-m', 'base')
      const check = () => runCli(['check', '--policy-from', 'HEAD', '--format', format], { cwd: space.root })
      expect((await check()).stdout).not.toMatch(/not counted/)
      // The base branch names no exemptions: the change adds the file and its name in the configuration.
      space.write('plumbline.config.yaml', 'rules: rules.yaml\nfiles: a.yaml\nexemptions: e.yaml\n')
      space.write('e.yaml', '- {id: mine, ruleId: no-root}\n')
      const { code, stdout, stderr } = await check()
      expect(code).toBe(1)
      expect(stdout).toContain('e.yaml')
      expect(stdout.toLowerCase().replaceAll('`', '')).toContain(`${NOTE} head`)
      expect(stderr).toContain(`${NOTE} HEAD`)
      space.git('add', '.')
      space.git('commit', '-m', 'waive')
      space.git('rm', '-q', 'e.yaml')
      expect((await check()).stdout).not.toMatch(/not counted/)
    },
  )
})

describe('--policy-from with a baseline', () => {
  it('hides what the baseline of the ref accepts, not what the change adds to it', async () => {
    const space = workspace({
      'plumbline.config.yaml': 'rules: rules.yaml\nfiles: plugins\n',
      'rules.yaml': rulesYaml,
      'plugins/old.yaml': badPlugin,
    })
    await runCli(['baseline', 'create'], { cwd: space.root })
    space.git('init')
    space.git('add', '.')
    space.git('commit', '-m', 'base')
    expect((await runCli(['check', '--policy-from', 'HEAD'], { cwd: space.root })).code).toBe(0)
    space.write('plugins/new.yaml', badPlugin.replace('web', 'new'))
    await runCli(['baseline', 'create'], { cwd: space.root })
    expect((await runCli(['check'], { cwd: space.root })).code).toBe(0)
    const { code, stdout } = await runCli(['check', '--policy-from', 'HEAD'], { cwd: space.root })
    expect(code).toBe(1)
    expect(stdout).toContain('3 hidden by baseline')
  })
})

describe('rules and names from strangers', () => {
  it('a file full of prototype keys changes nothing and is judged by its own keys', async () => {
    const text =
      '{"name":"a","version":"1","__proto__":{"timeout":99},"constructor":{"prototype":{"x":1}},"description":"d"}'
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.json': text, 'b.yaml': text })
    const { code, stdout } = await runCli(['check', 'a.json', 'b.yaml', '-r', 'rules.yaml'], { cwd: space.root })
    expect(code, stdout).toBe(1)
    // The timeout is absent, so the rule fails. If `__proto__` were read, it would be 99.
    expect(stdout).not.toContain('99')
    expect({}).not.toHaveProperty('x')
    expect({}).not.toHaveProperty('timeout')
  })
})
