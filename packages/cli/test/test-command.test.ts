import { DOMParser } from '@xmldom/xmldom'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFolder, type Folder } from './support/folder.js'

const rules = `rules:
  - name: bounded
    target: plugin
    conditions:
      - { field: timeout, operator: gte, value: 1 }
      - { field: timeout, operator: lte, value: 60 }
  - name: named
    target: plugin
    severity: warning
    field: name
    operator: notEmpty
`
const thorough = `rules: ../rules
target: plugin
tests:
  - rule: bounded
    pass:
      low: { timeout: 1 }
      high: { timeout: 60 }
    fail:
      too low: { timeout: 0 }
      too high: { timeout: 61 }
  - rule: named
    pass:
      a name: { name: a }
    fail:
      empty: { name: "" }
`

let folder: Folder
beforeEach(async () => {
  folder = await createFolder({ 'rules/a.yaml': rules, 'tests/a.plumbline-test.yaml': thorough })
})
afterEach(() => folder.remove())

describe('plumbline test', () => {
  it('finds test files below the working folder and passes', async () => {
    expect(await folder.run(['test'])).toEqual({ code: 0, stdout: '6 tests, all passed\n', stderr: '' })
  })

  it('takes the folder of tests and the rules from the configuration', async () => {
    await folder.write('plumbline.config.yaml', 'rules: rules\ntests: [checks]\n')
    await folder.write(
      'checks/b.plumbline-test.yaml',
      'tests: [{ rule: named, pass: { one: { name: a } }, target: plugin }]\n',
    )
    expect((await folder.run(['test'])).stdout).toBe('1 test, all passed\n')
  })

  it('exits 1 when a test fails, and shows expectation, outcome, reason and place', async () => {
    const wrong = thorough.replace('high: { timeout: 60 }', 'high: { timeout: 90 }')
    await folder.write('tests/a.plumbline-test.yaml', wrong)
    const { code, stdout } = await folder.run(['test', 'tests'])
    expect(code).toBe(1)
    expect(stdout).toBe(
      [
        '✗ bounded: high',
        '  tests/a.plumbline-test.yaml:7:7',
        '    outcome: expected pass, got fail',
        '    because `timeout` must be at most 60, got 90',
        '',
        '6 tests, 1 failed',
        '',
      ].join('\n'),
    )
  })

  it('shows which rules of an entity were missed and which were not expected', async () => {
    const test = '{ name: n, given: { timeout: 5 }, expect: { verdict: warn, violations: [bounded] } }'
    await folder.write('tests/b.plumbline-test.yaml', `rules: ../rules\ntarget: plugin\ntests: [${test}]\n`)
    const { code, stdout } = await folder.run(['test', 'tests/b.plumbline-test.yaml'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      '    - bounded was expected and did not happen\n    + named happened and was not expected\n',
    )
  })

  it('measures coverage, names what was not seen, and holds it against the threshold', async () => {
    const poor = thorough.replace('      too high: { timeout: 61 }\n', '')
    await folder.write('tests/a.plumbline-test.yaml', poor)
    const { code, stdout } = await folder.run(['test', '--threshold', '100'])
    expect(code).toBe(1)
    expect(stdout).toContain('○ bounded\n  rules/a.yaml:2:5\n    timeout lte 60: never seen to fail\n')
    expect(stdout).toContain('condition coverage 83.3 % (5 of 6 outcomes seen), below the threshold of 100 %')
    expect((await folder.run(['test', '--threshold', '83'])).code).toBe(0)
  })

  it('scores mutation, and points at the line that could be wrong unnoticed', async () => {
    expect(await folder.run(['test', '--mutation-threshold', '100'])).toMatchObject({ code: 0 })
    await folder.write('tests/a.plumbline-test.yaml', thorough.replace('      too high: { timeout: 61 }\n', ''))
    const { code, stdout } = await folder.run(['test', '--mutation-threshold', '100'])
    expect(code).toBe(1)
    expect(stdout).toContain(
      '~ bounded: the bound moved from 60 to 61, and no test notices\n  rules/a.yaml:6:42\n    fail: {"timeout":',
    )
  })

  it('leaves out mistakes that change nothing, and suggests a case that would notice the others', async () => {
    await folder.write(
      'rules/a.yaml',
      `rules:
  - name: counted
    target: plugin
    conditions:
      - { field: $count(keywords), operator: gte, value: 1 }
      - { field: keywords, operator: exists }
`,
    )
    const tests =
      'rules: ../rules\ntarget: plugin\ntests: [{ rule: counted, pass: { one: { keywords: [a] } }, fail: { none: {} } }]\n'
    await folder.write('tests/a.plumbline-test.yaml', tests)
    const { stdout } = await folder.run(['test', '--mutate', '--format', 'json'])
    const { mutation } = JSON.parse(stdout) as {
      mutation: {
        equivalent: number
        survivors: { change: string; suggestion: { outcome: string; given: object } | null }[]
      }
    }
    // If a list has an entry, it exists, so some mutants are equivalent.
    expect(mutation.equivalent).toBeGreaterThan(0)
    for (const { suggestion } of mutation.survivors) {
      if (suggestion === null) continue
      const more = `  - { rule: counted, ${suggestion.outcome}: { found: ${JSON.stringify(suggestion.given)} } }\n`
      await folder.write('tests/b.plumbline-test.yaml', `rules: ../rules\ntarget: plugin\ntests:\n${more}`)
      expect((await folder.run(['test'])).code, more).toBe(0)
    }
  })

  it.each(['pretty', 'json', 'junit'])('answers the same exit code as %s', async (format) => {
    expect((await folder.run(['test', '--format', format])).code).toBe(0)
    await folder.write('tests/a.plumbline-test.yaml', thorough.replace('timeout: 61', 'timeout: 5'))
    expect((await folder.run(['test', '--format', format])).code).toBe(1)
  })

  it('writes several reports, and refuses two on standard output', async () => {
    const { code, stdout } = await folder.run(['test', '--format', 'pretty', '--format', 'json=out/report.json'])
    expect(code).toBe(0)
    expect(stdout).toBe('6 tests, all passed\n')
    expect(JSON.parse(await folder.read('out/report.json'))).toMatchObject({ ok: true, tests: 6, passed: 6, failed: 0 })
    expect(await folder.run(['test', '--format', 'json', '--format', 'junit'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('writes JUnit that an XML parser reads, names and thresholds included', async () => {
    const named = thorough.replace('too high:', '"<too> & \\"high\\" \\x01":').replace('timeout: 61', 'timeout: 5')
    await folder.write('tests/a.plumbline-test.yaml', named)
    const { stdout } = await folder.run(['test', '--format', 'junit', '--threshold', '100'])
    const errors: string[] = []
    const document = new DOMParser({ onError: (_, message) => errors.push(message) }).parseFromString(
      stdout,
      'text/xml',
    )
    expect(errors.filter((message) => !message.includes('replacement character'))).toEqual([])
    const cases = [...document.getElementsByTagName('testcase')]
    expect(cases.map((node) => node.getAttribute('name'))).toContain('bounded: <too> & "high" \ufffd')
    expect(document.documentElement?.getAttribute('failures')).toBe('2')
    expect(cases.at(-1)?.getAttribute('classname')).toBe('thresholds')
  })

  it('lets --rules replace what the files name', async () => {
    await folder.write('other.yaml', rules.replace('value: 60', 'value: 61'))
    const { code, stdout } = await folder.run(['test', 'tests', '--rules', 'other.yaml'])
    expect(code).toBe(1)
    expect(stdout).toContain('✗ bounded: too high')
  })

  it('projects attributes as the platform does, unless raw', async () => {
    await folder.write('rules/b.yaml', 'rules: [{ name: image, target: plugin, field: image, operator: exists }]\n')
    const test = 'rules: ../rules\ntests: [{ rule: image, RAWpass: { base: { baseImage: a } } }]\n'
    await folder.write('tests/a.plumbline-test.yaml', test.replace('RAW', ''))
    expect((await folder.run(['test'])).code).toBe(0)
    expect((await folder.run(['test', '--raw'])).code).toBe(1)
    await folder.write('tests/a.plumbline-test.yaml', test.replace('RAW', 'raw: true, '))
    expect((await folder.run(['test'])).code).toBe(1)
  })

  it('tests templates and rules that are switched off as if they were in force', async () => {
    await folder.write(
      'rules/b.yaml',
      'rules: [{ name: off, target: plugin, field: a, operator: exists, isActive: false }]\n',
    )
    await folder.write(
      'tests/a.plumbline-test.yaml',
      'rules: ../rules\nraw: true\ntests: [{ rule: off, pass: { one: { a: 1 } }, fail: { none: {} } }]\n',
    )
    expect(await folder.run(['test'])).toMatchObject({ code: 0 })
  })

  it('lets rules about an image wait until a case has one, as the gate and the server do', async () => {
    await folder.write(
      'rules/a.yaml',
      `rules:
  - { name: unprivileged, target: plugin, field: builtImage.usesRootUser, operator: eq, value: false }
  - name: small
    target: plugin
    conditions: [{ dependsOnRule: unprivileged }, { field: builtImage.sizeBytes, operator: lt, value: 100 }]
`,
    )
    const tests = (first: string) => `rules: ../rules
target: plugin
tests:
  - rule: unprivileged
    pass: { a user: { builtImage: { usesRootUser: false } } }
    fail: { root: { builtImage: { usesRootUser: true } }, an image without a user: { builtImage: {} } }
    ${first}: { no image yet: { name: a } }
  - rule: small
    pass: { small: { builtImage: { usesRootUser: false, sizeBytes: 99 } } }
    fail: { large: { builtImage: { usesRootUser: false, sizeBytes: 100 } } }
    skip: { no image yet: { name: a }, root: { builtImage: { usesRootUser: true, sizeBytes: 1 } } }
  - name: an upload
    given: { name: a }
    expect:
      verdict: pass
      skipped: [{ rule: unprivileged, reason: not_effective }, { rule: small, reason: not_effective }]
`
    await folder.write('tests/a.plumbline-test.yaml', tests('skip'))
    const both = ['test', '--threshold', '100', '--mutation-threshold', '100']
    expect(await folder.run(both)).toMatchObject({ code: 0, stderr: '' })
    const wrong = tests('skip').replace('    skip: { no image yet: { name: a } }\n', '')
    await folder.write(
      'tests/a.plumbline-test.yaml',
      wrong.replace('an image without', 'no image: { name: a }, an image without'),
    )
    const { code, stdout } = await folder.run(['test'])
    expect(code).toBe(1)
    expect(stdout).toContain('the rule waits for an image: give the case `builtImage`')
    // What is suggested has an image, because nothing else would be noticed.
    await folder.write(
      'tests/a.plumbline-test.yaml',
      'rules: ../rules\ntests: [{ rule: small, target: plugin, skip: { none: {} } }]\n',
    )
    expect((await folder.run(['test', '--mutate'])).stdout).toMatch(/fail[^\n]*builtImage/)
  })

  it('honours exemptions and the instant of a test', async () => {
    await folder.write(
      'rules/b.yaml',
      'rules: [{ name: later, target: plugin, field: name, operator: exists, effectiveFrom: "2027-01-01T00:00:00Z" }]\n',
    )
    await folder.write(
      'tests/a.plumbline-test.yaml',
      `rules: ../rules
tests:
  - rule: later
    fail:
      without an instant: {}
  - rule: later
    now: "2026-12-31T23:59:59Z"
    skip:
      the day before: {}
  - name: waived
    rule: later
    given: {}
    exemptions: [later]
    expect: { outcome: skip, reason: exempt }
`,
    )
    expect(await folder.run(['test'])).toMatchObject({ code: 0, stdout: '3 tests, all passed\n' })
  })

  it('reads entities from files, and asks which one when a file holds several', async () => {
    await folder.write('p.yaml', 'name: one\nversion: 1.0.0\ntimeout: 5\n---\nname: two\nversion: 1.0.0\ntimeout: 90\n')
    const test = (more: string) => `rules: ../rules\ntests: [{ name: n, file: ../p.yaml, expect: block${more} }]\n`
    await folder.write('tests/a.plumbline-test.yaml', test(', entity: two'))
    expect((await folder.run(['test'])).code).toBe(0)
    await folder.write('tests/a.plumbline-test.yaml', test(''))
    expect((await folder.run(['test'])).stderr).toContain('add `entity:` with one of `one`, `two`')
    await folder.write('tests/a.plumbline-test.yaml', test(', entity: three'))
    expect((await folder.run(['test'])).stderr).toContain('no entity of the file is called `three`')
  })

  it('names every mistake of every test file with its line, and exits 2', async () => {
    await folder.write(
      'tests/b.plumbline-test.yaml',
      'rules: ../rules\ntests:\n  - rule: bounded\n    pas: {}\n    fail: {}\n',
    )
    await folder.write(
      'tests/c.plumbline-test.yaml',
      'rules: ../rules\ntests:\n  - { name: n, given: {}, expect: blok }\n',
    )
    const { code, stdout, stderr } = await folder.run(['test'])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toContain('tests/b.plumbline-test.yaml:4:5: unknown key `pas`; did you mean `pass`?')
    expect(stderr).toContain('tests/c.plumbline-test.yaml:3:')
  })

  it.each([
    ['an unknown rule', 'tests: [{ rule: boundde, target: plugin, pass: { a: {} } }]', 'did you mean `bounded`?'],
    ['another target', 'tests: [{ rule: bounded, target: pipeline, pass: { a: {} } }]', 'the rule is for a plugin'],
    ['no target', 'tests: [{ name: n, given: {}, expect: pass }]', 'cannot tell whether'],
    ['a missing file', 'tests: [{ name: n, file: x.yaml, expect: pass }]', 'x.yaml'],
    ['an exemption of no rule', 'tests: [{ rule: named, exemptions: [x], pass: { a: {} } }]', 'no rule is called `x`'],
  ])('refuses %s with exit 2', async (_, text, message) => {
    await folder.write('tests/a.plumbline-test.yaml', `rules: ../rules\n${text}\n`)
    const { code, stderr } = await folder.run(['test'])
    expect(stderr).toContain(message)
    expect(code).toBe(2)
  })

  it('exits 2 without test files, with a wrong rule file, and without rules', async () => {
    expect(await folder.run(['test', 'rules'])).toMatchObject({ code: 2, stdout: '' })
    expect(await folder.run(['test', 'nowhere'])).toMatchObject({ code: 2 })
    await folder.write('tests/a.plumbline-test.yaml', 'tests: [{ rule: bounded, pass: { a: {} } }]\n')
    expect((await folder.run(['test'])).stderr).toContain('no rules are named')
    await folder.write('rules/b.yaml', 'rules: [{ name: x, target: plugin, field: a, operator: equals }]\n')
    await folder.write('tests/a.plumbline-test.yaml', thorough)
    expect((await folder.run(['test'])).stderr).toMatch(/rules\/b\.yaml:1:\d+/)
  })
})
