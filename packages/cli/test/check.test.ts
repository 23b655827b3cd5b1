import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runCli, type World } from './support/memory-io.js'
import { badPlugin, goodPlugin, rulesYaml, type Workspace, workspace } from './support/workspace.js'

const check = (space: Workspace, args: readonly string[], world: World = {}) =>
  runCli(['check', ...args], { cwd: space.root, ...world })

/** The findings of a run, as JSON. */
async function findingsOf(space: Workspace, args: readonly string[], world: World = {}) {
  const { stdout } = await check(space, [...args, '--format', 'json'], world)
  return (JSON.parse(stdout) as { findings: Record<string, unknown>[] }).findings
}

describe('plumbline check: findings', () => {
  it('says rule, place, expected and actual of every finding, and exits 1', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'bad.yaml': badPlugin, 'good.yaml': goodPlugin })
    const { code, stdout } = await check(space, ['bad.yaml', 'good.yaml', '--rules', 'rules.yaml'])
    expect(code).toBe(1)
    expect(stdout.replace(/\d+\.\d+ s$/m, '… s')).toMatchInlineSnapshot(`
      "bad.yaml
        1:1  warning   described  \`description\` must not be empty
             found nothing
        3:1  critical  no-root  \`runAsRoot\` must not equal true
             3 │ usesRootUser: true
               ╵ found true
             Containers do not run as root
        4:1  error     short-timeout  \`timeout\` must be at most 30
             4 │ timeout: 900
               ╵ found 900

      ✖ 3 findings (1 critical, 1 error, 1 warning) in 1 of 2 files
        2 files · 2 entities · 3 rules · 0 exempted · 0 hidden by baseline · … s
      "
    `)
  })

  it('says which rules need a built image, and judges a record that says what its image is', async () => {
    const rules = `- { name: no-root-image, target: plugin, field: builtImage.usesRootUser, operator: eq, value: false }\n`
    const built = `${goodPlugin}builtImage: { usesRootUser: true }\n`
    const space = workspace({ 'rules.yaml': rules, 'good.yaml': goodPlugin, 'built.yaml': built })
    const waits = await check(space, ['good.yaml', '--rules', 'rules.yaml'])
    expect([waits.code, waits.stderr]).toEqual([
      0,
      expect.stringContaining('this rule needs a built image: `no-root-image`'),
    ])
    const judged = await check(space, ['built.yaml', '--rules', 'rules.yaml'])
    expect([judged.code, judged.stderr]).toEqual([1, expect.not.stringContaining('needs a built image')])
  })

  it('places a finding on an aliased field at the key that was written', async () => {
    const space = workspace({
      'rules.yaml': rulesYaml,
      'bad.json': '{\n  "name": "web",\n  "usesRootUser": true,\n  "timeout": 1,\n  "description": "d"\n}\n',
    })
    expect(await findingsOf(space, ['bad.json', '-r', 'rules.yaml'])).toMatchObject([
      { ruleName: 'no-root', field: 'runAsRoot', line: 3, column: 3, endColumn: 23 },
    ])
  })

  it('reads several entities of a file: documents, lists, bundles and lines', async () => {
    const plugin = '{"name":"a","version":"1","timeout":99,"description":"d"}'
    const space = workspace({
      'rules.yaml': rulesYaml,
      'documents.yaml': 'name: a\ntimeout: 99\ndescription: d\n---\nname: b\ntimeout: 99\ndescription: d\n',
      'list.json': `[${plugin},\n${plugin}]`,
      'bundle.json': `{"plugins":[${plugin}],\n"pipelines":[{"name":"p","props":{}}]}`,
      'lines.ndjson': `${plugin}\n\n${plugin}\n`,
    })
    const findings = await findingsOf(space, [
      'documents.yaml',
      'list.json',
      'bundle.json',
      'lines.ndjson',
      '-r',
      'rules.yaml',
    ])
    expect(findings.map(({ file, line, ruleName }) => `${file}:${line} ${ruleName}`)).toEqual([
      'documents.yaml:2 short-timeout',
      'documents.yaml:6 short-timeout',
      'list.json:1 short-timeout',
      'list.json:2 short-timeout',
      'bundle.json:1 short-timeout',
      'bundle.json:2 has-stages',
      'lines.ndjson:1 short-timeout',
      'lines.ndjson:3 short-timeout',
    ])
    expect(new Set(findings.map(({ fingerprint }) => fingerprint)).size).toBe(findings.length)
  })

  it('reads standard input, with its format from the given name or the content', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml })
    const piped = await check(space, ['-', '-r', 'rules.yaml', '--format', 'compact'], { stdin: badPlugin })
    expect(piped.code).toBe(1)
    expect(piped.stdout).toContain('<stdin>:4:1: error short-timeout')
    const args = ['-', '-r', 'rules.yaml', '--stdin-filename', 'web.json', '--format', 'compact']
    expect((await check(space, args, { stdin: badPlugin })).code).toBe(3)
    expect((await check(space, args, { stdin: '{"name":"w","version":"1","timeout":31}' })).stdout).toContain(
      'web.json:1:',
    )
  })

  it('keeps fingerprints when lines move and the message changes, and changes them with rule, entity and field', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': badPlugin })
    const before = await findingsOf(space, ['a.yaml', '-r', 'rules.yaml'])
    space.write(
      'a.yaml',
      `# moved\n\n\nversion: 1.0.0\n${badPlugin.replace('version: 1.0.0\n', '').replace('900', '901')}`,
    )
    space.write('rules.yaml', rulesYaml.replace('value: 30', 'value: 20'))
    const after = await findingsOf(space, ['a.yaml', '-r', 'rules.yaml'])
    expect(after.map(({ fingerprint }) => fingerprint)).toEqual(before.map(({ fingerprint }) => fingerprint))
    expect(after.map(({ line }) => line)).not.toEqual(before.map(({ line }) => line))
    space.write('a.yaml', badPlugin.replace('web', 'other'))
    const renamed = await findingsOf(space, ['a.yaml', '-r', 'rules.yaml'])
    for (const { fingerprint } of renamed)
      expect(before.map((finding) => finding.fingerprint)).not.toContain(fingerprint)
  })

  it('gives a fingerprint that does not depend on the folder the run starts in', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'sub/a.yaml': badPlugin })
    space.git('init')
    const outer = await findingsOf(space, ['sub/a.yaml', '-r', 'rules.yaml'])
    const inner = await findingsOf(space, ['a.yaml', '-r', '../rules.yaml'], { cwd: join(space.root, 'sub') })
    expect(inner.map(({ fingerprint }) => fingerprint)).toEqual(outer.map(({ fingerprint }) => fingerprint))
  })

  it('shows no value of env, and no other value of the line', async () => {
    const rules = 'name: no-debug\ntarget: plugin\nfield: env.DEBUG\noperator: notExists\n'
    const length = 'name: key-length\ntarget: plugin\nfield: $length(labels.note)\noperator: lt\nvalue: 3\n'
    const plugin =
      '{"name":"a","version":"1","env":{"DEBUG":"hunter2"},"labels":{"note":"opensesame"},"password":"swordfish"}'
    const space = workspace({ 'rules/a.yaml': rules, 'rules/b.yaml': length, 'a.json': plugin })
    for (const format of ['pretty', 'compact', 'json', 'ndjson', 'sarif', 'junit', 'github', 'gitlab', 'markdown']) {
      const { stdout, code } = await check(space, ['a.json', '-r', 'rules', '--format', format])
      expect(code, format).toBe(1)
      expect(stdout, format).not.toMatch(/hunter2|opensesame|swordfish/)
    }
  })

  it('evaluates files as written with --raw, and names unseen keys once without it', async () => {
    const rules = 'name: signed\ntarget: plugin\nfield: signed\noperator: eq\nvalue: true\n'
    const space = workspace({
      'rules.yaml': rules,
      'a.yaml': 'name: a\nversion: 1\nsigned: true\n',
      'b.yaml': 'name: b\nversion: 1\nsigned: true\n',
    })
    const projected = await check(space, ['a.yaml', 'b.yaml', '-r', 'rules.yaml'])
    expect(projected.code).toBe(1)
    expect(projected.stderr.match(/`signed` \(2\)/g)).toHaveLength(1)
    const raw = await check(space, ['a.yaml', 'b.yaml', '-r', 'rules.yaml', '--raw'])
    expect(raw).toMatchObject({ code: 0, stderr: '' })
  })

  it('guesses the target from the content, and obeys --target', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': 'description: nothing else\n' })
    const unknown = await check(space, ['a.yaml', '-r', 'rules.yaml'])
    expect(unknown.code).toBe(3)
    expect(unknown.stdout).toContain('cannot tell whether this is a plugin or a pipeline')
    const named = await check(space, ['a.yaml', '-r', 'rules.yaml', '--target', 'pipeline'])
    expect(named.code).toBe(1)
    expect(named.stdout).toContain('has-stages')
  })

  it('neutralises escape sequences and line breaks that come from files', async () => {
    const plugin = 'name: "a\\e[31m\\n::error::owned"\nversion: "1"\ntimeout: 99\ndescription: "\\e]0;title\\a"\n'
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': plugin })
    for (const format of ['pretty', 'compact', 'github', 'markdown']) {
      const { stdout } = await check(space, ['a.yaml', '-r', 'rules.yaml', '--format', format])
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that must not come through
      expect(stdout, format).not.toMatch(/[\u001b\u0007]|^::error::owned/m)
    }
  })
})

describe('plumbline check: severity and exemptions', () => {
  it.each([
    ['warning', 1],
    ['error', 0],
    ['none', 0],
  ])('with --fail-on %s a warning gives exit %i', async (failOn, code) => {
    const space = workspace({
      'rules.yaml': rulesYaml,
      'a.yaml': goodPlugin.replace('description: a good plugin\n', ''),
    })
    const outcome = await check(space, ['a.yaml', '-r', 'rules.yaml', '--fail-on', failOn])
    expect(outcome.code).toBe(code)
    expect(outcome.stdout).toContain('1 finding (1 warning)')
  })

  it('takes a finding out for an exemption that applies, counts it, and keeps it in machine formats', async () => {
    const exemptions =
      '- id: ex-1\n  ruleId: short-timeout\n  entityKey: { name: web, version: 1.0.0 }\n  reason: legacy\n  expiresAt: 2026-06-30\n'
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': badPlugin, 'exemptions.yaml': exemptions })
    const args = ['a.yaml', '-r', 'rules.yaml', '--exemptions', 'exemptions.yaml']
    const { stdout } = await check(space, args)
    expect(stdout).toContain('2 findings')
    expect(stdout).toContain('1 exempted')
    expect(stdout).not.toContain('short-timeout')
    expect(await findingsOf(space, args)).toContainEqual(
      expect.objectContaining({
        ruleName: 'short-timeout',
        suppression: { kind: 'exemption', id: 'ex-1', reason: 'legacy', expiresAt: '2026-06-30T00:00:00.000Z' },
      }),
    )
    // A name is not an identity: a finding has an `id` only where the file gives one.
    expect(await findingsOf(space, args)).toContainEqual(
      expect.objectContaining({ entity: expect.objectContaining({ id: null, name: expect.any(String) }) }),
    )
    const late = await check(space, [...args, '--as-of', '2026-07-01'])
    expect(late.stdout).toContain('short-timeout')
    expect(late.stderr).toContain('exemptions.yaml:1:3: exemption `ex-1` expired')
  })

  it.each([
    ['- id: a\n  ruleId: no-root\n  entityID: web\n', 'did you mean `entityId`?'],
    ['- id: a\n', '`ruleId` is missing'],
    ['- id: a\n  ruleId: x\n- id: a\n  ruleId: y\n', 'two exemptions have this id'],
    ['- id: a\n  ruleId: x\n  expiresAt: tomorrow\n', 'expected an instant'],
    ['exemptions: none\n', 'expected a list of exemptions'],
    ['- id: a\n  ruleId: x\n  entityKey: web\n', 'expected { project, organization } of a pipeline'],
    ['- id: a\n  ruleId: x\n  entityKey: { name: web }\n', 'or { name, version } of a plugin'],
    ['- id: a\n  ruleId: x\n  entityId: b\n  entityKey: { name: web, version: "*" }\n', 'exclude each other'],
    ['id: [', 'flow sequence'],
  ])('refuses the exemption file %j with exit 2 and the place', async (text, message) => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': badPlugin, 'exemptions.yaml': text })
    const { code, stdout, stderr } = await check(space, [
      'a.yaml',
      '-r',
      'rules.yaml',
      '--exemptions',
      'exemptions.yaml',
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/exemptions\.yaml:\d+:\d+: /)
    expect(stderr).toContain(message)
  })

  it('takes a rule of an exemption by its id or its name, as `explain` and `test` do', async () => {
    const withId = rulesYaml.replace('  - name: no-root\n', '  - name: no-root\n    id: r-1\n')
    for (const ruleId of ['r-1', 'no-root']) {
      const exemptions = `- { id: ex, ruleId: ${ruleId}, entityKey: { name: web, version: "*" } }\n`
      const space = workspace({ 'rules.yaml': withId, 'a.yaml': badPlugin, 'e.yaml': exemptions })
      const argv = ['-r', 'rules.yaml', '--exemptions', 'e.yaml']
      const { stdout, stderr } = await check(space, ['a.yaml', ...argv])
      expect(stdout).toContain('1 exempted')
      expect(stderr).toBe('')
      const explained = await runCli(['explain', 'no-root', 'a.yaml', ...argv], { cwd: space.root })
      expect(explained.stdout).toContain('ex')
      expect(explained.stdout).toMatch(/exempt/)
    }
  })

  it('takes a pattern as long as the configuration allows, and no longer', async () => {
    const rule = `rules:\n  - { name: long, target: plugin, severity: error, field: name, operator: regex, value: "^(${'a|'.repeat(75)}web)$" }\n`
    const files = { 'rules.yaml': rule, 'a.yaml': badPlugin }
    const refused = await check(workspace(files), ['a.yaml', '-r', 'rules.yaml'])
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('100')])
    const config = 'rules: rules.yaml\nlimits: { regexLength: 200 }\n'
    const taken = await check(workspace({ ...files, 'plumbline.config.yaml': config }), ['a.yaml'])
    expect([taken.code, taken.stderr]).toEqual([0, ''])
  })

  it('names the exemptions that waive nothing, and says why', async () => {
    const exemptions = [
      '- { id: meant, ruleId: no-root, entityId: web }',
      '- { id: typo, ruleId: no-root, entityKey: { name: webb, version: "*" } }',
      '- { id: needless, ruleId: no-root, entityKey: { name: good, version: 1.0.0 } }',
      '- { id: needed, ruleId: no-root, entityKey: { name: web, version: "*" } }',
      '- { id: other, ruleId: no-root, entityKey: { name: web, version: 2.0.0 } }',
      '- { id: twice, ruleId: no-root, entityKey: { name: web, version: "*" } }',
    ]
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': badPlugin, 'b.yaml': goodPlugin })
    space.write('e.yaml', `${exemptions.join('\n')}\n`)
    const argv = ['a.yaml', 'b.yaml', '-r', 'rules.yaml', '--exemptions', 'e.yaml']
    const { stderr, stdout } = await check(space, argv)
    expect(stdout).toContain('1 exempted')
    expect(stderr).toMatch(
      /e\.yaml:1:3: exemption `meant` is for none of the 2 .*: `web`; `entityId` is compared with `id`/,
    )
    expect(stderr).toContain(
      'e.yaml:2:3: exemption `typo` is for none of the 2 plugins and pipelines that were checked: {"name":"webb","version":"*"}; did you mean `web`?',
    )
    expect(stderr).toMatch(/exemption `other` is for none of the 2 .*; another version of `web` was checked/)
    expect(stderr).toContain('e.yaml:3:3: exemption `needless` waives nothing: the rule passes without it')
    expect(stderr).toContain('exemption `twice` waives nothing: `needed` covers the rule for this record already')
    expect(stderr).not.toContain('exemption `needed`')
    const json = JSON.parse((await check(space, [...argv, '--format', 'json'])).stdout)
    expect(json.summary.unusedExemptions).toEqual(['meant', 'typo', 'needless', 'other', 'twice'])
    space.write('plumbline.config.yaml', 'rules: rules.yaml\nfiles: [a.yaml, b.yaml]\nexemptions: e.yaml\n')
    const doctor = await runCli(['doctor'], { cwd: space.root })
    expect(doctor.stdout).toContain('6 exemptions, 3 without effect')
    expect(doctor.stdout).toContain('exemption `typo` is for none of the 2')
  })

  it('shows what an exemption waives behind a gate that is exempt as well, and calls neither unused', async () => {
    const rules = `rules:
  - { name: rooted, target: plugin, field: usesRootUser, operator: neq, value: true }
  - name: chained
    target: plugin
    conditions: [{ dependsOnRule: rooted }, { field: timeout, operator: exists }]
`
    const exemptions = ['rooted', 'chained'].map(
      (rule) => `- { id: x-${rule}, ruleId: ${rule}, entityKey: { name: web, version: "*" } }\n`,
    )
    const space = workspace({ 'rules.yaml': rules, 'a.yaml': 'name: web\nversion: 1.0.0\nusesRootUser: true\n' })
    const argv = ['a.yaml', '-r', 'rules.yaml', '--exemptions', 'e.yaml', '--format', 'json']
    space.write('e.yaml', exemptions.join(''))
    const both = await check(space, argv)
    const report = JSON.parse(both.stdout)
    expect([both.code, both.stderr, report.summary.unusedExemptions]).toEqual([0, '', []])
    expect(
      report.findings.map(({ ruleName, suppression }: never) => [ruleName, (suppression as { id: string }).id]),
    ).toEqual([
      ['rooted', 'x-rooted'],
      ['chained', 'x-chained'],
    ])
    // The gate stays closed, so the exemption of the chained rule has no effect.
    space.write('e.yaml', exemptions[1] ?? '')
    expect(JSON.parse((await check(space, argv)).stdout).summary.unusedExemptions).toEqual(['x-chained'])
  })

  it('reads what a token of a pipeline stands for, and names the rules that read one without a value', async () => {
    const pipeline = (branch: string, vars: string) =>
      `project: shop\norganization: acme\nprops:\n  vars: ${vars}\n  synth: { source: { options: { branch: "${branch}" } } }\n`
    const rules =
      'rules:\n  - { name: no-dev, target: pipeline, field: props.synth.source.options.branch, operator: neq, value: dev }\n'
    const space = workspace({
      'rules.yaml': rules,
      'dev.yaml': pipeline('{{ vars.b }}', '{ b: dev }'),
      'main.yaml': pipeline('{{ vars.b }}', '{ b: main }'),
      'none.yaml': pipeline('{{ vars.c }}', '{ b: dev }'),
      'text.yaml': pipeline('{{{{ vars.b }}', '{ b: dev }'),
    })
    const dev = await check(space, ['dev.yaml', '-r', 'rules.yaml'])
    expect(dev.code).toBe(1)
    expect(dev.stdout).toMatch(/5:33 +error +no-dev/)
    for (const [file, warned] of [
      ['main.yaml', false],
      ['none.yaml', true],
      ['text.yaml', false],
    ] as const) {
      const { code, stderr } = await check(space, [file, '-r', 'rules.yaml'])
      expect({ code, warned: stderr.includes('rule `no-dev` reads the token `{{ vars.c }}`') }).toEqual({
        code: 0,
        warned,
      })
    }
  })

  it('warns of an exemption that names no rule', async () => {
    const space = workspace({
      'rules.yaml': rulesYaml,
      'a.yaml': goodPlugin,
      'e.yaml': '- id: a\n  ruleId: nothing\n- id: b\n  ruleId: no-rot\n',
    })
    const { code, stderr } = await check(space, ['a.yaml', '-r', 'rules.yaml', '--exemptions', 'e.yaml'])
    expect(code).toBe(0)
    expect(stderr).toContain('exemption `a` names no rule: `nothing`\n')
    expect(stderr).toContain('exemption `b` names no rule: `no-rot`; did you mean `no-root`?')
  })
})

describe('plumbline check: wrong rule files give exit 2, with file, line, field and fix', () => {
  it.each([
    [
      'an unknown operator',
      'rules:\n  - name: a\n    target: plugin\n    field: name\n    operator: equals\n    value: x\n',
      /bad\.yaml:5:5: operator: rule `a`: .*; use one of eq, /,
    ],
    [
      'a typing mistake in a key',
      'rules:\n  - name: a\n    taget: plugin\n    field: name\n    operator: exists\n',
      /bad\.yaml:3:5: taget: .*; .*target/,
    ],
    ['no check', 'name: a\ntarget: plugin\n', /bad\.yaml:1:1: /],
    [
      'a wrong pattern',
      'name: a\ntarget: plugin\nfield: name\noperator: regex\nvalue: "(a+)+"\n',
      /bad\.yaml:5:1: value: .*; /,
    ],
    [
      'a wrong condition',
      'name: a\ntarget: plugin\nconditions:\n  - field: name\n    operator: exists\n  - field: x..y\n    operator: exists\n',
      /bad\.yaml:6:5: conditions\.1\.field: .*; /,
    ],
    ['text where a rule belongs', 'rules:\n  - just text\n', /bad\.yaml:2:5: rules\.0: expected a rule; /],
    ['a scalar document', '42\n', /bad\.yaml:1:1: expected a rule or a list of rules; /],
    ['a null document', '# nothing\n', /bad\.yaml:1:1: the document is null or empty; /],
    ['an empty file', '', /bad\.yaml: the file is empty; /],
    ['broken YAML', 'rules: [\n', /bad\.yaml:\d:\d: .*; correct the YAML/],
    [
      'an unknown key of the file',
      'ruels: []\nrules: []\n',
      /bad\.yaml:1:1: ruels: unknown key; did you mean `rules`\?/,
    ],
    [
      'a misspelled `rules` alone',
      'rule:\n  - { name: a, target: plugin, field: name, operator: exists }\n',
      /^error: a problem in a rule file\n {2}bad\.yaml:1:1: rule: unknown key; did you mean `rules`\?\n$/,
    ],
    [
      'a list under a name of its own',
      '$schema: x\npolicies:\n  - { name: a, target: plugin, field: name, operator: exists }\n',
      /^error: a problem in a rule file\n {2}bad\.yaml:2:1: policies: unknown key; use one of \$schema, rules\n$/,
    ],
    [
      'a rule that depends on itself, once',
      'name: a\ntarget: plugin\nconditions:\n  - dependsOnRule: a\n  - { field: name, operator: exists }\n',
      /^error: a problem in a rule file\n {2}bad\.yaml:4:5: conditions\.0\.dependsOnRule: rule `a`: the rule depends on itself; name another rule\n$/,
    ],
    ['a duplicate key', 'name: a\nname: b\n', /bad\.yaml:2:1: the key `name` appears twice; /],
  ])('%s', async (_, text, message) => {
    const space = workspace({ 'bad.yaml': text, 'a.yaml': goodPlugin })
    const { code, stdout, stderr } = await check(space, ['a.yaml', '-r', 'bad.yaml'])
    expect(stderr).toMatch(message)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('a cycle, naming each member where it stands', async () => {
    const rule = (name: string, on: string) =>
      `  - name: ${name}\n    target: plugin\n    conditions:\n      - dependsOnRule: ${on}\n      - field: name\n        operator: exists\n`
    const space = workspace({ 'rules.yaml': `rules:\n${rule('a', 'b')}${rule('b', 'a')}`, 'a.yaml': goodPlugin })
    const { code, stderr } = await check(space, ['a.yaml', '-r', 'rules.yaml'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/rules\.yaml:\d+:\d+: .*rule `a`.*cycle/)
    expect(stderr).toMatch(/rules\.yaml:\d+:\d+: .*rule `b`.*cycle/)
  })

  it('rules with one name, each but the first where it stands', async () => {
    const rule = 'name: same\ntarget: plugin\nfield: name\noperator: exists\n'
    const files = { 'rules/a.yaml': rule, 'rules/b.yaml': rule, 'rules/c.yaml': rule }
    const { code, stderr } = await check(workspace({ ...files, 'a.yaml': goodPlugin }), ['a.yaml', '-r', 'rules'])
    expect(code).toBe(2)
    expect(stderr.match(/rules\/.*?: /g)).toEqual(['rules/b.yaml:1:1: ', 'rules/c.yaml:1:1: '])
  })

  it('a rule without a name once, at its place, and problems from the top of the file down', async () => {
    const space = workspace({
      'rules.yaml': 'rules:\n  - target: plugin\n    operator: exists\n    field: a..b\n  - 17\n',
      'a.yaml': goodPlugin,
    })
    const { stderr } = await check(space, ['a.yaml', '-r', 'rules.yaml'])
    expect(stderr.split('\n').slice(0, -1)).toEqual([
      'error: 3 problems in a rule file',
      '  rules.yaml:2:5: name: the rule has no name; give the rule a name',
      expect.stringContaining('  rules.yaml:4:5: field: the field path has an empty segment'),
      expect.stringContaining('  rules.yaml:5:5: rules.1: expected a rule'),
    ])
  })

  it('reports every problem of every file at once', async () => {
    const space = workspace({
      'rules/a.yaml': 'name: a\ntarget: nothing\nfield: name\noperator: equals\n',
      'rules/b.json': '{"name": "b", }',
      'a.yaml': goodPlugin,
    })
    const { stderr } = await check(space, ['a.yaml', '-r', 'rules', '-r', 'missing'])
    expect(stderr).toContain('rules/a.yaml:2:1')
    expect(stderr).toContain('rules/a.yaml:4:1')
    expect(stderr).toContain('rules/b.json:1:15')
    expect(stderr).toContain('missing: no such rule file or folder')
    expect(stderr).toContain('4 problems in 3 rule files')
  })
})

describe('plumbline check: input that cannot be evaluated gives exit 3, and the rest is still checked', () => {
  const other = (space: Workspace) => ({ args: ['x.yaml', 'bad.yaml', '-r', 'rules.yaml'], space })

  it.each<[string, string | Uint8Array, string]>([
    ['empty', '', 'the file is empty'],
    ['a null document', 'null\n', 'the document is null or empty'],
    ['broken YAML', 'name: [1\n', 'correct the YAML'],
    ['a scalar', 'just text\n', 'expected a plugin or a pipeline, an object'],
    ['a list with a scalar', '- 1\n', 'expected a plugin or a pipeline, an object'],
    ['binary', new Uint8Array([110, 0, 1, 2]), 'the file is binary'],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x61, 0x00]), 'the file is UTF-16'],
    ['not UTF-8', new Uint8Array([0x61, 0x3a, 0x20, 0xc3, 0x28]), 'not valid UTF-8'],
    ['too deep', `name: a\nversion: 1\nmetadata: ${'{a: '.repeat(12)}1${'}'.repeat(12)}\n`, '10 are allowed'],
    ['too wide', `name: a\nversion: 1\nlinks: [${'1,'.repeat(20_001)}1]\n`, '20000 are allowed'],
    ['a duplicate key', 'name: a\nname: b\n', '2:1  not evaluated  the key `name` appears twice'],
    ['a key that is not a text', 'name: a\n? [b]\n: c\n', 'a key is a list or an object, keys are texts'],
  ])('%s', async (_, content, message) => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'bad.yaml': badPlugin, 'x.yaml': content })
    const { code, stdout } = await check(space, other(space).args)
    expect(code).toBe(3)
    expect(stdout).toContain(message)
    expect(stdout).toContain('short-timeout')
    expect(stdout).toContain('1 could not be evaluated')
  })

  it('an unreadable file', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'bad.yaml': badPlugin })
    // Nobody can read a folder as a file, not even root.
    space.write('glob/x.yaml/inner.yaml', goodPlugin)
    const { code } = await check(space, ['glob', '-r', 'rules.yaml'])
    expect(code).toBe(0)
    if (process.getuid?.() !== 0) {
      space.write('x.yaml', goodPlugin)
      chmodSync(join(space.root, 'x.yaml'), 0)
      const unreadable = await check(space, ['x.yaml', '-r', 'rules.yaml'])
      expect(unreadable.code).toBe(3)
      expect(unreadable.stdout).toContain('cannot be read (EACCES)')
    }
  })

  it('a file over the size limit, which configuration sets', async () => {
    const space = workspace({
      'rules.yaml': rulesYaml,
      'bad.yaml': badPlugin,
      'plumbline.config.yaml': 'maxFileBytes: 70\n',
    })
    space.write('x.yaml', goodPlugin.padEnd(200, '#'))
    const { code, stdout } = await check(space, ['x.yaml', 'bad.yaml', '-r', 'rules.yaml'])
    expect(code).toBe(3)
    expect(stdout).toContain('the file has 200 bytes, 70 are allowed')
  })

  it('one bad document among good ones', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'x.yaml': `${badPlugin}---\n` })
    const { code, stdout } = await check(space, ['x.yaml', '-r', 'rules.yaml'])
    expect(code).toBe(3)
    expect(stdout).toContain('short-timeout')
  })
})

describe('plumbline check: what is checked', () => {
  it('searches folders and globs, leaving out rules, tests of rules, exemptions and configuration', async () => {
    const space = workspace({
      'rules/a.yaml': rulesYaml,
      'rules/a.plumbline-test.yaml': 'tests: []\n',
      'e.yaml': '[]\n',
      'plumbline.config.yaml': 'rules: rules\nfiles: .\nexemptions: e.yaml\nignore: ["**/skip/**"]\n',
      'deep/er/a.yaml': badPlugin,
      'skip/b.yaml': badPlugin,
      'node_modules/c.yaml': badPlugin,
      '.hidden/d.yaml': badPlugin,
      'notes.txt': 'not yaml',
    })
    const { code, stdout } = await check(space, [])
    expect(code).toBe(1)
    expect(stdout).toContain('deep/er/a.yaml')
    expect(stdout).toContain('1 file ·')
    expect((await check(space, ['**/*.yaml', '--format', 'compact'])).stdout).toContain('1 file,')
  })

  it.each([
    [['missing.yaml'], 2, 'no such file or folder: missing.yaml'],
    [['none/**/*.yaml'], 2, 'nothing to check in none/**/*.yaml'],
    [['none/**/*.yaml', '--no-match', 'warn'], 0, 'warning: nothing to check'],
    [['none/**/*.yaml', '--no-match', 'ok'], 0, ''],
    [['empty'], 2, 'nothing to check in empty'],
  ])('%j gives exit %i', async (args, code, message) => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'empty/readme.txt': '' })
    const outcome = await check(space, [...args, '-r', 'rules.yaml'])
    expect(outcome.code).toBe(code)
    expect(outcome.stderr).toContain(message)
  })

  it.each(['[]\n', '{"plugins": [], "pipelines": []}', '{"plugins": []}'])(
    'says of %j that there is nothing to check in it, unless --no-match allows it',
    async (text) => {
      const space = workspace({ 'rules.yaml': rulesYaml, 'list.json': text, 'good.yaml': goodPlugin })
      const args = ['list.json', 'good.yaml', '-r', 'rules.yaml']
      const refused = await check(space, args)
      expect(refused.code).toBe(3)
      expect(refused.stdout).toContain('the list is empty: there is no plugin and no pipeline to check')
      expect(refused.stdout).toContain('--no-match ok')
      const warned = await check(space, [...args, '--no-match', 'warn'])
      expect(warned.code).toBe(0)
      expect(warned.stderr).toContain('warning: list.json:1:1: the list is empty')
      const allowed = await check(space, [...args, '--no-match', 'ok'])
      expect(allowed).toMatchObject({ code: 0, stderr: '' })
      expect(allowed.stdout).not.toContain('the list is empty')
    },
  )

  it('exits by precedence: usage over not evaluated over findings', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'bad.yaml': badPlugin, 'empty.yaml': '' })
    const code = async (...files: string[]) => (await check(space, [...files, '-r', 'rules.yaml'])).code
    expect(await code('bad.yaml', 'empty.yaml', 'missing.yaml')).toBe(2)
    expect(await code('bad.yaml', 'empty.yaml')).toBe(3)
    expect(await code('bad.yaml')).toBe(1)
  })

  it('warns when no rule is for a target, and fails when asked to', async () => {
    const space = workspace({
      'rules.yaml': rulesYaml.split('  - name: has-stages')[0] ?? '',
      'p.yaml': 'name: p\nstages: []\n',
    })
    const lenient = await check(space, ['p.yaml', '-r', 'rules.yaml'])
    expect(lenient.code).toBe(0)
    expect(lenient.stderr).toContain('no rule applies to pipelines')
    expect((await check(space, ['p.yaml', '-r', 'rules.yaml', '--fail-on-no-rules'])).code).toBe(2)
  })

  it('asks for rules and for files when there are none', async () => {
    const space = workspace({ 'a.yaml': goodPlugin, 'rules.yaml': rulesYaml })
    expect(await check(space, ['a.yaml'])).toMatchObject({ code: 2, stdout: '' })
    expect((await check(space, ['-r', 'rules.yaml'])).stderr).toContain('nothing to check')
  })

  it('keeps stderr to errors with --quiet', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'p.yaml': 'name: p\nstages: [1]\nextra: 1\n' })
    expect((await check(space, ['p.yaml', '-r', 'rules.yaml'])).stderr).toContain('extra')
    expect((await check(space, ['p.yaml', '-r', 'rules.yaml', '--quiet'])).stderr).toBe('')
  })
})

describe('plumbline check: git', () => {
  const repository = () => {
    const space = workspace({
      'plumbline.config.yaml': 'rules: rules\nfiles: plugins\n',
      'rules/a.yaml': rulesYaml,
      'plugins/old.yaml': badPlugin,
      'plugins/new.yaml': goodPlugin,
    })
    space.git('init')
    space.git('add', '.')
    space.git('commit', '-m', 'base')
    space.git('tag', 'base')
    return space
  }

  it('--since checks only what changed, committed or not, tracked or not', async () => {
    const space = repository()
    expect((await check(space, ['--since', 'base'])).stderr).toContain('none of the 2 files changed since base')
    space.write('plugins/new.yaml', badPlugin)
    space.write('plugins/untracked.yaml', badPlugin)
    const { code, stdout } = await check(space, ['--since', 'base', '--format', 'compact'])
    expect(code).toBe(1)
    expect(stdout).toContain('plugins/new.yaml:')
    expect(stdout).toContain('plugins/untracked.yaml:')
    expect(stdout).not.toContain('plugins/old.yaml:')
  })

  it('--since warns when the rules changed too', async () => {
    const space = repository()
    space.write('rules/a.yaml', rulesYaml.replace('30', '31'))
    expect((await check(space, ['--since', 'base'])).stderr).toContain('rules changed since base')
    // The rules of the base branch are in force, and they did not change.
    const { stderr } = await check(space, ['--since', 'base', '--policy-from', 'base'])
    expect(stderr).not.toContain('rules changed since base')
  })

  it('--policy-from judges with the rules of the ref, and reports what the change altered', async () => {
    const space = repository()
    space.write('rules/a.yaml', rulesYaml.replace('value: 30', 'value: 10000'))
    space.write('rules/more.yaml', 'name: more\ntarget: plugin\nfield: name\noperator: exists\n')
    space.write('plumbline.baseline.json', '{"version": 1, "findings": []}')
    space.write('plumbline.config.yaml', 'rules: rules\nfiles: plugins\nfailOn: none\n')
    expect((await check(space, [])).code).toBe(0)
    const { code, stdout, stderr } = await check(space, ['--policy-from', 'base'])
    expect(code).toBe(1)
    expect(stdout).toContain('`timeout` must be at most 30')
    for (const change of [
      'modified configuration: plumbline.config.yaml',
      'modified rules: rules/a.yaml',
      'added rules: rules/more.yaml',
      'added baseline: plumbline.baseline.json',
    ]) {
      expect(stdout).toContain(change)
    }
    expect(stderr).toContain('rules modified by this change: rules/a.yaml')
  })

  it('refuses refs that do not exist or look like options, and folders outside a repository', async () => {
    const space = repository()
    for (const option of ['--since', '--policy-from']) {
      const unknown = await check(space, [`${option}=nowhere`])
      expect(unknown.code).toBe(2)
      expect(unknown.stderr).toContain('git knows no commit `nowhere`')
      expect((await check(space, [`${option}=--output=x`])).stderr).toContain('is not a git ref')
      const outside = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': goodPlugin })
      const outcome = await check(outside, ['a.yaml', '-r', 'rules.yaml', option, 'main'])
      expect(outcome.code).toBe(2)
      expect(outcome.stderr).toContain('not in a git repository')
    }
  })
})

describe('plumbline check: configuration', () => {
  it('is found upwards to the root of the repository, and its paths are relative to it', async () => {
    const space = workspace({
      'plumbline.config.json': '{"rules": "rules.yaml", "failOn": "none"}',
      'rules.yaml': rulesYaml,
      'sub/dir/a.yaml': badPlugin,
    })
    const cwd = join(space.root, 'sub/dir')
    expect((await check(space, ['a.yaml'], { cwd })).code).toBe(2)
    space.git('init')
    expect((await check(space, ['a.yaml'], { cwd })).code).toBe(0)
    expect((await check(space, ['a.yaml', '--fail-on', 'error'], { cwd })).code).toBe(1)
  })

  it.each([
    ['rulez: x\n', /plumbline\.config\.yaml:1:1: rulez: unknown key; did you mean `rules`\?/],
    [
      'rules: x\nfailOn: often\n',
      /plumbline\.config\.yaml:2:9: failOn: expected one of warning, error, critical, none/,
    ],
    ['format: sarrif\n', /`sarrif` is not one of pretty/],
    ['jobs: 0\n', /expected a whole number from 1 to 64/],
    ['limits: {depht: 3}\n', /unknown limit `depht`/],
    ['- 1\n', /expected an object/],
    ['a: 1\n---\nb: 2\n', /a configuration is one document/],
  ])('refuses %j with exit 2 and the place', async (text, message) => {
    const space = workspace({ 'plumbline.config.yaml': text, 'rules.yaml': rulesYaml, 'a.yaml': goodPlugin })
    const { code, stderr } = await check(space, ['a.yaml', '-r', 'rules.yaml'])
    expect(code).toBe(2)
    expect(stderr).toMatch(message)
  })

  it('runs code only when --config names it', async () => {
    const space = workspace({ 'rules.yaml': rulesYaml, 'a.yaml': badPlugin })
    writeFileSync(
      join(space.root, 'plumbline.config.mjs'),
      "export default { rules: ['rules.yaml'], failOn: 'none' }\n",
    )
    expect((await check(space, ['a.yaml'])).stderr).toContain('no rules are named')
    expect((await check(space, ['a.yaml', '--config', 'plumbline.config.mjs'])).code).toBe(0)
    expect((await check(space, ['a.yaml', '--config', 'missing.yaml'])).stderr).toContain(
      'no such configuration file: missing.yaml',
    )
  })

  it('refuses two configuration files in one folder', async () => {
    const space = workspace({
      'plumbline.config.yaml': 'raw: true\n',
      'plumbline.config.json': '{}',
      'a.yaml': goodPlugin,
    })
    expect((await check(space, ['a.yaml'])).stderr).toContain('several configuration files')
  })
})
