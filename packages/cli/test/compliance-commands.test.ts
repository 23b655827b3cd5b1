/** Goal: policies, exemptions and subscriptions on the command line, used by two people on a real server. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DemoServer, demoServer, remove } from './support/local-server.js'

const ENTITY = '0190a1b2-0000-7000-8000-0000000000aa'
let server: DemoServer

beforeAll(async () => {
  server = await demoServer()
})
afterAll(() => remove(server))

const as = (who: string, ...argv: string[]) => server.as(who, ...argv)
const cli = (...argv: string[]) => as('demo-owner', ...argv)
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
async function read(...argv: string[]): Promise<any> {
  const outcome = await cli(...argv, '--format', 'json')
  expect(outcome.code, outcome.stderr).toBe(0)
  return JSON.parse(outcome.stdout)
}
const put = (file: string, text: string) => writeFileSync(join(server.folder, file), text)

const RULE = (name: string, more = '') =>
  `kind: Rule\nname: ${name}\ntarget: plugin\nfield: version\noperator: neq\nvalue: latest\n${more}`

it('a policy in a file groups rules; a second run changes nothing, a member less is a change', async () => {
  const policy = (rules: string) => `---\nkind: Policy\nname: release\ntags: [ours]\nrules: [${rules}]\n`
  put('compliance.yaml', `${RULE('no-latest')}---\n${RULE('no-beta')}${policy('no-latest, no-beta')}`)
  expect((await cli('apply', 'compliance.yaml')).stdout).toMatch(/created .*Policy|Policy .*created/)
  expect((await cli('apply', 'compliance.yaml')).stdout).not.toMatch(/created|updated/)
  expect((await read('policies', 'members', 'release')).map(({ name }: { name: string }) => name).sort()).toEqual([
    'no-beta',
    'no-latest',
  ])
  put('policy.yaml', policy('no-latest'))
  expect((await cli('policies', 'apply', 'policy.yaml')).code).toBe(0)
  expect(await read('policies', 'members', 'release')).toMatchObject([{ name: 'no-latest' }])
  // A fetched policy can be applied as it is.
  put('fetched.yaml', `kind: Policy\n${(await cli('policies', 'get', 'release')).stdout}`)
  expect((await cli('apply', 'fetched.yaml')).stdout).not.toMatch(/created|updated/)
})

it('a file of rules as `check` reads it goes to the server as it is, and what is wrong in it has its line', async () => {
  const rule = (name: string, operator = 'neq') =>
    `  - name: ${name}\n    target: plugin\n    field: version\n    operator: ${operator}\n    value: latest\n`
  put('gate.yaml', `rules:\n${rule('gate-one')}${rule('gate-two')}`)
  expect((await cli('rules', 'apply', 'gate.yaml')).stdout).toMatch(/created .*gate-one[\s\S]*created .*gate-two/)
  expect((await cli('apply', 'gate.yaml')).stdout).toMatch(/unchanged .*gate-one[\s\S]*unchanged .*gate-two/)
  put('gate.yaml', `rules:\n${rule('gate-one')}  - nme: gate-two\n    target: plugin\n`)
  const { code, stderr } = await cli('rules', 'apply', 'gate.yaml')
  expect([code, stderr]).toEqual([2, expect.stringContaining('gate.yaml:7:')])
  await cli('rules', 'delete', 'gate-one', '--yes')
  await cli('rules', 'delete', 'gate-two', '--yes')
})

it('an inactive policy holds its rules back; delete, list and copy', async () => {
  const held = async (...asOf: string[]) =>
    (await read('rules', 'enforced', ...asOf)).map(({ name }: { name: string }) => name)
  expect(await held()).toContain('no-latest')
  const then = new Date().toISOString()
  await read('policies', 'update', 'release', '--inactive')
  expect(await held()).not.toContain('no-latest')
  expect(await held('--as-of', then)).toContain('no-latest')
  expect(await read('rules', 'impact', 'no-latest', '--as-of', then)).toMatchObject({ ruleName: 'no-latest' })
  expect(await cli('rules', 'enforced', '--as-of', 'last spring')).toMatchObject({ code: 2 })
  const early = await cli('rules', 'enforced', '--as-of', '2020-01-31')
  expect([early.code, early.stderr]).toEqual([3, expect.stringContaining('the earliest instant is 20')])
  await read('policies', 'update', 'release', '--active')
  put('other.yaml', 'name: other\nrules: [no-beta]\n')
  expect(await read('policies', 'create', '--file', 'other.yaml')).toMatchObject({ rules: [{ name: 'no-beta' }] })
  expect((await cli('policies', 'delete', 'other')).code).toBe(0)
  expect(await read('policies', 'deleted')).toMatchObject([{ name: 'other' }])
  const [template] = await read('policies', 'list', '--templates')
  const copied = await read('policies', 'clone', template.name, '--name', 'our copy')
  expect(copied.policy).toMatchObject({ name: 'our copy', isTemplate: false })
})

it('a version of a policy is tried on what is stored, against another one and against what is in force', async () => {
  put('pipeline-rules.yaml', 'kind: Rule\nname: staged\ntarget: pipeline\nfield: stages\noperator: exists\n')
  expect((await cli('apply', 'pipeline-rules.yaml')).code).toBe(0)
  put('one.yaml', 'name: staging\nversion: 1.0.0\nrules: []\n')
  put('two.yaml', 'name: staging\nversion: 2.0.0\nisActive: false\nrules: [staged]\n')
  const one = await read('policies', 'create', '--file', 'one.yaml')
  await read('policies', 'create', '--file', 'two.yaml')
  const version = ['policies', 'diff', 'staging', '--version', '2.0.0']
  expect(await read(...version, '--against', '1.0.0')).toMatchObject({
    policy: { name: 'staging', version: '2.0.0' },
    against: { id: one.id, version: '1.0.0' },
    addedRules: [{ name: 'staged', target: 'pipeline' }],
  })
  // The only version that lists this rule is inactive, so the rule is not in force yet.
  const inForce = await read(...version, '--target', 'pipeline')
  expect(inForce).toMatchObject({ against: null, addedRules: [{ name: 'staged' }], removedRules: [] })
  // A document with a version updates that version, even if another one is newer.
  for (const [version, isOn] of [
    ['1.0.0', 'false'],
    ['2.0.0', 'true'],
  ]) {
    put('version.yaml', `kind: Policy\nname: staging\nversion: ${version}\nisActive: ${isOn}\n`)
    expect((await cli('apply', 'version.yaml')).stdout).toMatch(/updated .*Policy/)
    expect((await cli('apply', 'version.yaml')).stdout).toMatch(/unchanged .*Policy/)
  }
  const versions = await read('policies', 'list', '--name', 'staging', '--active', 'all')
  expect(versions.map(({ version, isActive }: { version: string; isActive: boolean }) => [version, isActive])).toEqual(
    expect.arrayContaining([
      ['1.0.0', false],
      ['2.0.0', true],
    ]),
  )
  const several = await cli('policies', 'diff', 'staging')
  expect([several.code, several.stderr]).toEqual([2, expect.stringMatching(/1\.0\.0, 2\.0\.0|2\.0\.0, 1\.0\.0/)])
  expect((await cli('policies', 'diff', 'nowhere')).code).toBe(3)
  await cli('policies', 'delete', one.id)
  await cli('rules', 'delete', 'staged', '--yes')
})

it('an exemption is asked for by one person and decided by another', async () => {
  const ask = ['exemptions', 'request', 'no-latest', 'plugin', ENTITY, '--reason', 'until the next release']
  const asked = await read(...ask, '-f', 'yaml')
  expect(asked).toMatchObject({ status: 'pending', reason: 'until the next release' })
  const wordless = await cli('exemptions', 'request', 'no-latest', 'plugin', 'web', '--reason', 'r')
  expect([wordless.code, wordless.stderr]).toEqual([
    2,
    'error: `web` is neither the id of a plugin nor name@version\nhint: give its id; or, stored or not, name@version (name@* for every version), or project/organization\n',
  ])
  expect(await cli('exemptions', 'approve', asked.id)).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('another owner or administrator'),
  })
  expect(await as('demo-admin', 'exemptions', 'approve', asked.id)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^STATUS +RULE .*\napproved +no-latest /),
  })
  expect(await read('exemptions', 'list', '--status', 'approved')).toMatchObject([{ id: asked.id }])
  expect((await cli('exemptions', 'list')).stdout).toMatch(/approved +no-latest /)
  expect((await cli('exemptions', 'revoke', asked.id)).code).toBe(0)
  const people = await cli(...ask)
  const [again = { id: '' }] = await read('exemptions', 'list', '--status', 'pending')
  expect(people).toMatchObject({
    stdout: expect.stringMatching(/^STATUS +RULE .*\npending +no-latest /),
    stderr: `another owner or administrator decides: \`plumbline exemptions approve ${again.id}\`, or \`exemptions reject\`\n`,
  })
  expect((await as('demo-admin', 'exemptions', 'reject', again.id, '--reason', 'fix it')).code).toBe(0)
  expect(await read('exemptions', 'list', '--status', 'rejected')).toMatchObject([{ rejectionReason: 'fix it' }])
  put(
    'waivers.yaml',
    `exemptions:\n  - { ruleId: ${asked.ruleId}, entityType: plugin, entityId: ${ENTITY}, reason: r }\n`,
  )
  expect(await read('exemptions', 'request-all', '--file', 'waivers.yaml')).toMatchObject([
    { index: 0, status: 'created' },
  ])
})

it('a published rule is tried, subscribed to, switched on, pinned and left', async () => {
  const published = await read('catalog', 'list', '--target', 'plugin', '--all')
  const { name } = published.find(({ tags }: { tags: string[] }) => !tags.some((tag) => tag.startsWith('set:')))
  put('sample.yaml', 'sampleAttributes: {}\n')
  expect(await read('subscriptions', 'preview', name, '--file', 'sample.yaml')).toHaveProperty('preview.passed')
  expect(await read('subscriptions', 'impact', name)).toMatchObject({ ruleName: name, target: 'plugin' })
  put('draft.yaml', 'rule: { name: draft, target: plugin, field: version, operator: exists }\n')
  expect(await read('rules', 'impact', '--file', 'draft.yaml')).toMatchObject({ ruleId: null, ruleName: 'draft' })
  expect(await read('subscriptions', 'subscribe', name)).toMatchObject({ isActive: false })
  expect(await read('subscriptions', 'activate', name)).toMatchObject({ isActive: true })
  expect(await read('subscriptions', 'pin', name)).toMatchObject({ isPinned: true })
  expect(await read('subscriptions', 'list', '--active', 'true')).toMatchObject([{ rule: { name } }])
  expect(await read('subscriptions', 'enforced', '--target', 'plugin')).toContainEqual(
    expect.objectContaining({ name, source: 'subscribed', pinned: true }),
  )
  expect(await read('subscriptions', 'unpin', name)).toMatchObject({ isPinned: false })
  expect(await read('subscriptions', 'deactivate', name)).toMatchObject({ isActive: false })
  expect((await cli('subscriptions', 'unsubscribe', name)).code).toBe(0)
  const left = await read('subscriptions', 'list', '--all')
  expect(left.map(({ rule }: { rule: { name: string } }) => rule.name)).not.toContain(name)
})
