import { describe, expect, it } from 'vitest'
import { runCli } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, workspace } from './support/workspace.js'

const project = () => {
  const space = workspace({
    'plumbline.config.yaml': 'rules: rules.yaml\nfiles: plugins\n',
    'rules.yaml': rulesYaml,
    'plugins/a.yaml': badPlugin,
    'plugins/b.yaml': badPlugin.replace('web', 'b'),
  })
  const run = (...argv: string[]) => runCli(argv, { cwd: space.root })
  return { space, run }
}

describe('plumbline baseline', () => {
  it('accepts what there is, and check then reports only what is new, and how many are hidden', async () => {
    const { space, run } = project()
    const created = await run('baseline', 'create')
    expect(created).toEqual({
      code: 0,
      stderr: '',
      stdout: 'plumbline.baseline.json: 6 findings accepted, 6 of them new\n',
    })
    const clean = await run('check')
    expect(clean.code).toBe(0)
    expect(clean.stdout).toContain('6 hidden by baseline')
    space.write('plugins/c.yaml', badPlugin.replace('web', 'c'))
    const grown = await run('check')
    expect(grown.code).toBe(1)
    expect(grown.stdout).toContain('plugins/c.yaml')
    expect(grown.stdout).not.toContain('plugins/a.yaml')
    expect((await run('check', '--no-baseline')).stdout).toContain('9 findings')
  })

  it('is written into a folder that does not exist yet, and refused where it cannot be', async () => {
    const { space, run } = project()
    expect((await run('baseline', 'create', '--baseline', 'gate/old/accepted.json')).code).toBe(0)
    expect((await run('check', '--baseline', 'gate/old/accepted.json')).code).toBe(0)
    const refused = await run('baseline', 'create', '--baseline', 'gate/old')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`cannot write ${space.root}`)])
  })

  it('survives moved lines, changed values and reworded rules', async () => {
    const { space, run } = project()
    await run('baseline', 'create')
    space.write('plugins/a.yaml', `# a comment\n\n${badPlugin.replace('900', '901')}`)
    space.write('rules.yaml', rulesYaml.replace('Containers do not run as root', 'Never run as root'))
    expect((await run('check')).code).toBe(0)
  })

  it('is the same file however it came about, and one entry a line', async () => {
    const { space, run } = project()
    await run('baseline', 'create')
    const text = space.read('plumbline.baseline.json')
    await run('baseline', 'create', 'plugins/b.yaml')
    await run('baseline', 'create', 'plugins/a.yaml')
    expect(space.read('plumbline.baseline.json')).toBe(text)
    expect(text.split('\n').filter((line) => line.includes('fingerprint'))).toHaveLength(6)
    expect(text).not.toMatch(/900|2026/)
  })

  it('says when accepted findings no longer occur, and prune forgets exactly these', async () => {
    const { space, run } = project()
    await run('baseline', 'create')
    space.write('plugins/a.yaml', goodPlugin.replace('good', 'web'))
    expect((await run('check')).stdout).toContain('3 accepted findings no longer occur: run `plumbline baseline prune`')
    space.remove('plugins/b.yaml')
    space.write('plugins/new.yaml', badPlugin.replace('web', 'new'))
    expect((await run('baseline', 'prune')).stdout).toBe('plumbline.baseline.json: 6 findings removed, 0 left\n')
    expect((await run('check')).stdout).toContain('3 findings')
  })

  it.each(['create', 'prune'])(
    '%s is a usage error where a name matches no file, and keeps what was accepted',
    async (command) => {
      const { space, run } = project()
      await run('baseline', 'create')
      const text = space.read('plumbline.baseline.json')
      const none = await run('baseline', command, 'plugins/*.yml')
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('nothing to check in plugins/*.yml')])
      expect((await run('baseline', command, 'plugins/*.yml', '--no-match', 'ok')).code).toBe(0)
      const absent = await run('baseline', command, 'plugins/no.yaml')
      expect([absent.code, absent.stderr]).toEqual([2, expect.stringContaining('no such file or folder')])
      expect(space.read('plumbline.baseline.json')).toBe(text)
    },
  )

  it('keeps the entries of a file that cannot be evaluated', async () => {
    const { space, run } = project()
    await run('baseline', 'create')
    space.write('plugins/a.yaml', 'name: [\n')
    const pruned = await run('baseline', 'prune')
    expect(pruned.code).toBe(3)
    expect(pruned.stdout).toContain('0 findings removed, 6 left')
    expect((await run('baseline', 'create')).code).toBe(3)
    expect((await run('baseline', 'show')).stdout).toContain('6 findings accepted')
  })

  it('shows what is accepted, for people and for programs', async () => {
    const { run } = project()
    await run('baseline', 'create')
    expect((await run('baseline', 'show')).stdout).toBe(
      'plumbline.baseline.json: 6 findings accepted\n     2  described (2 files)\n     2  no-root (2 files)\n     2  short-timeout (2 files)\n',
    )
    const { findings } = JSON.parse((await run('baseline', 'show', '--json')).stdout)
    expect(findings[0]).toEqual({
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      rule: 'described',
      file: 'plugins/a.yaml',
      entity: 'web',
      field: 'description',
    })
  })

  it.each([
    ['{', /plumbline\.baseline\.json:1:2/],
    ['{"version": 2, "findings": []}', /version: expected 1;/],
    ['{"version": 1}', /`findings` is missing/],
    ['{"version": 1, "findings": [{"fingerprint": "a"}]}', /findings\.0: `rule` is missing/],
  ])('refuses the file %j with exit 2', async (text, message) => {
    const { space, run } = project()
    space.write('plumbline.baseline.json', text)
    const { code, stderr } = await run('check')
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('refuses a named file that is missing, save to create it', async () => {
    const { run } = project()
    expect((await run('check', '--baseline', 'other.json')).code).toBe(2)
    expect((await run('baseline', 'show')).code).toBe(2)
    expect((await run('baseline', 'prune')).code).toBe(2)
    expect((await run('baseline', 'create', '--baseline', 'other.json')).code).toBe(0)
    expect((await run('check', '--baseline', 'other.json')).code).toBe(0)
  })
})
