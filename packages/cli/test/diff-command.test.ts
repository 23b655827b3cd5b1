import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, type Folder } from './support/folder.js'

const rules = `rules:
  - name: bounded
    target: plugin
    field: timeout
    operator: lte
    value: 60
  - name: named
    target: plugin
    severity: warning
    field: name
    operator: notEmpty
`
const stricter = rules.replace('value: 60', 'value: 30').replace('severity: warning', 'severity: "warning"')

let folder: Folder
beforeEach(async () => {
  folder = await createFolder({
    'before/a.yaml': rules,
    'after/a.yaml': stricter,
    'plugins/p.yaml': 'name: quick\nversion: 1.0.0\ntimeout: 5\n---\nname: slow\nversion: 1.0.0\ntimeout: 45\n',
  })
})
afterEach(() => folder.remove())

describe('plumbline diff', () => {
  it('says which rules changed in meaning and shows an entity that it matters for', async () => {
    const { code, stdout } = await folder.run(['diff', 'before', 'after'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^from before to after\n\n~ bounded changed\n/)
    expect(stdout).toMatch(/now violated by \{.*"timeout":.*\}/)
    expect(stdout).toContain('newly blocked: 1 (made up from the rules)')
    expect(stdout).toMatch(/0 added, 0 removed, 1 changed in meaning, 0 only in wording, 1 unchanged\n$/)
  })

  it('names the entities that become blocked or allowed', async () => {
    const forward = await folder.run(['diff', 'before', 'after', '--entities', 'plugins'])
    expect(forward.stdout).toContain(
      'newly blocked: 1 (of 2 entities)\n    slow plugins/p.yaml:5: clean → blocked by bounded',
    )
    const back = await folder.run(['diff', 'after', 'before', '--entities', 'plugins'])
    expect(back.stdout).toContain('newly allowed: 1 (of 2 entities)')
  })

  it('tells a change of writing from one of meaning', async () => {
    await folder.write(
      'after/a.yaml',
      rules.replace('operator: lte\n    value: 60', 'conditions: [{ field: timeout, operator: lte, value: "60" }]'),
    )
    const { code, stdout } = await folder.run(['diff', 'before', 'after', '--fail-on', 'any'])
    expect(stdout).toContain('= bounded cosmetic')
    expect(code).toBe(0)
  })

  it.each([
    ['none', 0, 0],
    ['blocked', 1, 0],
    ['allowed', 0, 1],
    ['any', 1, 1],
  ])('with --fail-on %s exits %i for stricter and %i for laxer rules, in every format', async (failOn, strict, lax) => {
    for (const format of ['pretty', 'markdown', 'json']) {
      const options = ['--fail-on', failOn, '--format', format]
      expect((await folder.run(['diff', 'before', 'after', ...options])).code).toBe(strict)
      expect((await folder.run(['diff', 'after', 'before', ...options])).code).toBe(lax)
    }
  })

  it('writes Markdown for a pull request, and JSON', async () => {
    const argv = ['diff', 'before', 'after', '-e', 'plugins', '--format', 'markdown=diff.md', '--format', 'json']
    const { stdout } = await folder.run(argv)
    expect(await folder.read('diff.md')).toMatch(/^## Rule changes\n/)
    expect(JSON.parse(stdout)).toMatchObject({ before: 'before', after: 'after', unchanged: 1, entities: 2 })
  })

  it('reads the rules of two git refs, and of the working tree', async () => {
    const git = (...args: string[]) =>
      execFileSync(
        'git',
        ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args],
        {
          cwd: folder.path,
          stdio: 'pipe',
        },
      )
    git('init', '--quiet', '--initial-branch=main')
    await folder.write('plumbline.config.yaml', 'rules: rules\n')
    git('add', '.')
    git('commit', '--quiet', '-m', 'no rules yet')
    await folder.write('rules/a.yaml', rules)
    git('add', '.')
    git('commit', '--quiet', '-m', 'rules')
    await folder.write('rules/a.yaml', stricter)
    const first = await folder.run(['diff', 'HEAD~1', 'HEAD'])
    expect(first.stdout).toContain('+ bounded added')
    expect(first.stderr).toContain('there are no rules yet at HEAD~1')
    const { stdout } = await folder.run(['diff', 'main'])
    expect(stdout).toContain('from main to the working tree')
    expect(stdout).toContain('~ bounded changed')
    await folder.write('main', 'a file that bears the name of the branch')
    expect((await folder.run(['diff', 'git:main'])).stdout).toEqual(stdout)
    expect(await folder.run(['diff', 'nonsense'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('says of a name that is neither a path nor a ref that it is neither', async () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder.path })
    const { code, stderr } = await folder.run(['diff', 'before', 'aftre'])
    expect(code).toBe(2)
    expect(stderr).toContain(
      '`aftre` is not a rule file or folder here, and no git ref either: git knows no commit `aftre`',
    )
  })

  it('refuses wrong rules with exit 2, and says with 3 what it could not read', async () => {
    await folder.write('plugins/broken.yaml', 'name: [')
    const { code, stderr, stdout } = await folder.run(['diff', 'before', 'after', '-e', 'plugins'])
    expect({ code, hasReport: stdout.includes('newly blocked') }).toEqual({ code: 3, hasReport: true })
    expect(stderr).toContain('plugins/broken.yaml:1')
    await folder.write('after/b.yaml', 'rules: [{ name: x, target: plugin, field: a, operator: equals }]\n')
    expect(await folder.run(['diff', 'before', 'after'])).toMatchObject({ code: 2, stdout: '' })
  })
})
