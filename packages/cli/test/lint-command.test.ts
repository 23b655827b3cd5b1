import { readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import type { Log } from 'sarif'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, type Folder } from './support/folder.js'

const rules = `# Rules of the house.
rules:
  - name: at-least
    target: plugin
    tags: [time, cost,  time]   # one too many
    field: timeout
    operator: gte
    value: "5"   # minutes

  - name: at-most
    target: plugin
    severity: warning
    field: timeout
    operator: lt
    value: 5

  # Images.
  - name: exact
    target: plugin
    field: lifecycle
    operator: regex
    value: '^stable$'
`

let folder: Folder
beforeEach(async () => {
  folder = await createFolder({ 'rules/a.yaml': rules })
})
afterEach(() => folder.remove())

describe('plumbline lint', () => {
  it('shows what is wrong, where, why, and what to do, and exits 1', async () => {
    const { code, stdout } = await folder.run(['lint', 'rules'])
    expect(code).toBe(1)
    expect(stdout).toContain('contradictory')
    expect(stdout).toContain('see at-least rules/a.yaml:3')
    expect(stdout).toMatch(/rules\/a\.yaml:5:\d+ info duplicate-tag/)
    expect(stdout).toContain('(--fix does it)')
    expect(stdout).toMatch(/3 rules: 1 error, \d+ warnings?, \d+ info\n$/)
  })

  it('exits by --fail-on, the same for every format', async () => {
    await folder.write('rules/a.yaml', rules.replace('operator: lt\n', 'operator: neq\n').replace('"5"', '5'))
    for (const format of ['pretty', 'json', 'sarif', 'github']) {
      expect((await folder.run(['lint', 'rules', '--format', format])).code, format).toBe(0)
      expect((await folder.run(['lint', 'rules', '--format', format, '--fail-on', 'info'])).code, format).toBe(1)
    }
    await folder.write('rules/a.yaml', rules)
    expect((await folder.run(['lint', 'rules', '--fail-on', 'none'])).code).toBe(0)
  })

  it('repairs what is certain and leaves every other character as it was', async () => {
    const { code, stdout, stderr } = await folder.run(['lint', 'rules', '--fix'])
    expect(await folder.read('rules/a.yaml')).toBe(
      rules
        .replace('[time, cost,  time]', '[time, cost]')
        .replace('"5"', '5')
        .replace("operator: regex\n    value: '^stable$'", "operator: eq\n    value: 'stable'"),
    )
    expect(stderr).toContain('note: rules/a.yaml: 3 changes made')
    expect(stdout).toContain('3 fixed')
    expect(code).toBe(1)
    expect((await folder.run(['lint', 'rules', '--fix'])).stderr).toBe('')
  })

  it('says of each finding whether --fix makes the change, and makes exactly those', async () => {
    const shared = `rules:
  - { name: a, target: plugin, field: timeout, operator: gte, value: &bound "5", tags: [x, x] }
  - { name: b, target: plugin, field: weight, operator: gte, value: *bound, tags: &both [y, y] }
  - { name: c, target: plugin, field: size, operator: gte, value: "7", tags: *both }
`
    await folder.write('rules/a.yaml', shared)
    const notes = async () => {
      const { stdout } = await folder.run(['lint', 'rules'])
      const found = stdout.matchAll(
        /^rules\/a\.yaml:(\d+):.*\n(?: {2}(?!→).*\n)* {2}→ .*\((--fix does it|not by --fix)/gm,
      )
      return [...found].map(([, line, note]) => `${line}: ${note}`)
    }
    expect((await notes()).sort()).toEqual([
      '2: --fix does it',
      '2: not by --fix',
      // The tags of the third rule are an alias, so they are reported at their anchor.
      ...['3: not by --fix', '3: not by --fix', '3: not by --fix'],
      '4: --fix does it',
    ])
    const { stderr } = await folder.run(['lint', 'rules', '--fix'])
    expect(stderr).toContain('rules/a.yaml: 2 changes made')
    expect(await folder.read('rules/a.yaml')).toBe(shared.replace('[x, x]', '[x]').replace('"7"', '7'))
    expect((await notes()).map((note) => note.slice(3))).toEqual(Array(4).fill('not by --fix'))
  })

  it('keeps every verdict when it repairs', async () => {
    await folder.write(
      'plugins/a.yaml',
      'name: a\nlifecycle: stable\nversion: "1"\ntimeout: 5\n---\nname: b\nlifecycle: unstable\nversion: "1"\ntimeout: 4\n',
    )
    const verdicts = async () => {
      const { stdout } = await folder.run(['check', 'plugins', '-r', 'rules', '-f', 'json'])
      const { findings } = JSON.parse(stdout) as { findings: { ruleName: string; entity: { name: string } }[] }
      return findings.map(({ ruleName, entity }) => `${entity.name}: ${ruleName}`)
    }
    const before = await verdicts()
    expect(before).toContain('b: exact')
    await folder.run(['lint', 'rules', '--fix'])
    expect(await verdicts()).toEqual(before)
  })

  it('gives JSON with places, witness and proof', async () => {
    const { stdout } = await folder.run(['lint', 'rules', '--format', 'json'])
    const { findings, summary } = JSON.parse(stdout) as {
      findings: Record<string, unknown>[]
      summary: { rules: number }
    }
    expect(summary.rules).toBe(3)
    expect(findings.find(({ code }) => code === 'contradictory')).toMatchObject({
      status: 'proved',
      place: { file: 'rules/a.yaml', line: 10 },
      related: [{ ruleName: 'at-least', line: 3 }],
    })
  })

  it('gives SARIF that validates against the schema of SARIF 2.1.0', async () => {
    const schema = JSON.parse(readFileSync(new URL('fixtures/sarif-2.1.0.schema.json', import.meta.url), 'utf8'))
    const { id: _, $schema: __, ...draft } = schema
    const options = { strict: false, validateFormats: false, unicodeRegExp: false }
    const validate = new Ajv(options).compile(draft)
    const log: unknown = JSON.parse((await folder.run(['lint', 'rules', '--format', 'sarif'])).stdout)
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true)
  })

  it('gives SARIF with a rule, a place and a fingerprint that survives moved lines', async () => {
    const results = async () => {
      const log = JSON.parse((await folder.run(['lint', 'rules', '--format', 'sarif'])).stdout) as Log
      const [run] = log.runs
      for (const result of run?.results ?? []) {
        expect(run?.tool.driver.rules?.[result.ruleIndex ?? -1]?.id).toBe(result.ruleId)
        expect(result.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe('rules/a.yaml')
      }
      return (run?.results ?? []).map((result) => result.partialFingerprints?.['plumblineLint/v1'])
    }
    const before = await results()
    expect(new Set(before).size).toBe(before.length)
    await folder.write('rules/a.yaml', `\n\n${rules}`)
    expect(await results()).toEqual(before)
  })

  it('annotates for GitHub without letting a name start a command', async () => {
    await folder.write('rules/a.yaml', rules.replace('name: at-most', 'name: "x%0A::error::y"'))
    const { stdout } = await folder.run(['lint', 'rules', '--format', 'github'])
    expect(stdout).toMatch(/^::error file=rules\/a\.yaml,line=10,col=5,title=rule contradictory::/m)
    expect(stdout).not.toMatch(/^::error::y/m)
    expect(stdout).toContain('x%250A')
  })

  it('takes rules from the configuration, and refuses wrong ones with exit 2', async () => {
    expect(await folder.run(['lint'])).toMatchObject({ code: 2, stdout: '' })
    await folder.write('plumbline.config.yaml', 'rules: rules\n')
    expect((await folder.run(['lint'])).code).toBe(1)
    await folder.write('rules/b.yaml', 'rules: [{ name: x, target: plugin, field: a, operator: equals }]\n')
    const { code, stderr } = await folder.run(['lint', '--fix'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/rules\/b\.yaml:1:\d+/)
    expect(await folder.read('rules/a.yaml')).toBe(rules)
  })
})
