/** The record commands against a real server in this process. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { PASSWORD, PERSON, type PersonServer, personServer, remove } from './support/local-server.js'
import { runCli } from './support/memory-io.js'
import { workspace } from './support/workspace.js'

let folder = ''
let server: PersonServer

beforeAll(async () => {
  server = await personServer()
  folder = server.folder
  await cli(['login'], `${PERSON}\n${PASSWORD}\n`)
})
afterAll(() => remove(server))

const cli = (argv: string[], stdin?: string, cwd = folder) =>
  runCli(argv, { env: server.env, cwd, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })

/** Runs a command and parses its output. */
const read = async (argv: string[], stdin?: string) => {
  const outcome = await cli(argv, stdin)
  expect(outcome.code, outcome.stderr).toBe(0)
  return parse(outcome.stdout)
}

describe('quotas', () => {
  it('are shown to their organization, and all of them to nobody else', async () => {
    const quota = await read(['quotas', 'get', '-f', 'yaml'])
    const table = await cli(['quotas', 'get'])
    expect(table.stdout).toMatch(/^TYPE +USED +LIMIT +LEFT +RESETS\n/)
    expect(table.stdout).toMatch(/^pipelines +0 +(\d+|no limit)/m)
    expect(quota).toMatchObject({ slug: 'acme', quotas: { pipelines: { used: 0, kind: 'capacity' } } })
    expect(await read(['quotas', 'type', quota.orgId, 'plugins', '-f', 'json'])).toMatchObject({ quotaType: 'plugins' })
    const all = await cli(['quotas', 'list'])
    expect(all).toMatchObject({ code: 3, stderr: expect.stringContaining('INSUFFICIENT_PERMISSIONS') })
    expect((await cli(['quotas', 'type', quota.orgId, 'nonsense'])).code).toBe(2)
  })
})

describe('secrets', () => {
  it('are set from standard input, released by name, and never shown', async () => {
    expect((await cli(['secrets', 'list', '-f', 'json'])).stdout).toBe('[]\n')
    const set = await cli(['secrets', 'set', 'NPM_TOKEN', '--file', '-'], 'hunter2-hunter2\n')
    expect([set.code, set.stdout.includes('hunter2')]).toEqual([0, false])
    expect(parse(set.stdout)).toMatchObject({ name: 'NPM_TOKEN', plugins: [] })
    const released = ['secrets', 'set', 'NPM_TOKEN', '--keep-value', '--plugin', 'node-build', '--plugin', 'web']
    // This gives a stored value to a plugin, so the server asks for a confirmation of identity.
    expect((await cli(released, '')).stderr).toContain('to confirm')
    expect(await read(released, `${PASSWORD}\n`)).toMatchObject({ plugins: ['node-build', 'web'] })
    expect((await cli(['secrets', 'list'])).stdout).toMatch(/^NPM_TOKEN +node-build, web/m)
    expect(await read(['secrets', 'set', 'NPM_TOKEN', '--keep-value', '--no-plugins'])).toMatchObject({ plugins: [] })
    expect((await cli(['secrets', 'set', 'NPM_TOKEN', '--keep-value'])).code).toBe(2)
    expect((await cli(['secrets', 'set', 'NEW', '--keep-value', '--plugin', 'web'])).code).toBe(2)
    expect((await cli(['secrets', 'delete', 'NPM_TOKEN', '--yes'])).code).toBe(0)
    expect((await cli(['secrets', 'delete', 'NPM_TOKEN', '--yes'])).code).toBe(3)
  })
})

describe('notifications', () => {
  it('are set, and their webhook with a secret from standard input, which is never shown', async () => {
    expect(await read(['notifications', 'preferences'])).toMatchObject({ notifyOnWarning: false, webhookUrl: null })
    const set = await read(['notifications', 'set', '--warnings', '--digest', 'daily'])
    expect(set).toMatchObject({ notifyOnWarning: true, digestMode: 'daily', emailEnabled: false })
    const url = 'https://hooks.example.com/in'
    const hook = await cli(
      ['notifications', 'set-webhook', '--address', url, '--file', '-'],
      'webhookSecret: a secret of ours\n',
    )
    expect(hook.stdout).not.toContain('a secret of ours')
    expect(parse(hook.stdout)).toMatchObject({ webhookUrl: url, hasWebhookSecret: true, digestMode: 'daily' })
    expect((await cli(['notifications', 'set-webhook', '--address', 'https://127.0.0.1/'])).stderr).toContain(
      'not public',
    )
    expect((await cli(['notifications', 'remove-webhook'])).stderr).toBe('removed\n')
    expect(await read(['notifications', 'webhook'])).toMatchObject({ webhookUrl: null, hasWebhookSecret: false })
    expect((await cli(['notifications', 'deliveries', '--status', 'failed', '-f', 'json'])).stdout).toBe('[]\n')
    expect((await cli(['notifications', 'replay', '0190f000-0000-7000-8000-000000000000'])).stderr).toContain(
      'not found',
    )
  })
})

describe('compliance roles', () => {
  it('are granted, listed and revoked', async () => {
    const ask = async (path: string, init: RequestInit) => {
      const response = await fetch(`${server.url}/api${path}`, init)
      return (await response.json()) as { data: { accessToken: string; user: { id: string } } }
    }
    const login = await ask('/auth/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: 'ann', password: PASSWORD }),
    })
    const { user } = (await ask('/auth/me', { headers: { authorization: `Bearer ${login.data.accessToken}` } })).data
    expect(await read(['compliance-roles', 'grant', user.id, 'editor'])).toMatchObject({ role: 'editor' })
    await cli(['login'], `ann\n${PASSWORD}\n`)
    expect((await cli(['compliance-roles', 'list'])).stdout).toContain('editor')
    expect((await cli(['compliance-roles', 'revoke', user.id])).stderr).toBe('taken\n')
    await cli(['login'], `ann\n${PASSWORD}\n`)
    expect((await cli(['compliance-roles', 'grant', user.id, 'owner'])).code).not.toBe(0)
  })
})

describe('messages', () => {
  it('carry files, which are saved again and never over another, and come as they are sent', async () => {
    writeFileSync(join(folder, 'build.log'), 'all is well\n')
    const file = await read(['messages', 'attach', 'build.log'])
    expect(file).toMatchObject({ filename: 'build.log', contentType: 'text/plain', sizeBytes: 12 })
    const watching = cli(['messages', 'watch', '--json', '--count', '1'])
    await new Promise((resolve) => setTimeout(resolve, 500))
    const text = ['--subject', 'Log', '--content', 'attached']
    const sent = await read(['messages', 'send', '--to', 'support', ...text, '--attach', file.id])
    const events = (await watching).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events[0]).toMatchObject({ event: 'unread' })
    expect(events.at(-1)).toMatchObject({ event: 'message.new', data: { message: { id: sent.id, subject: 'Log' } } })
    expect(await read(['messages', 'attachments', sent.id, '-f', 'json'])).toMatchObject([{ id: file.id }])
    expect((await cli(['messages', 'download', file.id, '-o', '-'])).stdout).toBe('all is well\n')
    expect((await cli(['messages', 'download', file.id, '-o', 'saved.log'])).code).toBe(0)
    expect(readFileSync(join(folder, 'saved.log'), 'utf8')).toBe('all is well\n')
    writeFileSync(join(folder, 'saved.log'), 'mine')
    const refused = await cli(['messages', 'download', file.id, '-o', 'saved.log'])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') })
    expect(readFileSync(join(folder, 'saved.log'), 'utf8')).toBe('mine')
    expect((await cli(['messages', 'attach', 'nowhere.txt'])).code).toBe(2)
    expect((await cli(['messages', 'delete', sent.id])).code).toBe(0)
    expect((await cli(['messages', 'deleted'])).stdout).toContain('Log')
  })

  it('are written, listed, answered, read, deleted and restored', async () => {
    const sent = await read([
      'messages',
      'send',
      '--to',
      'support',
      '--subject',
      'Quota',
      '--content',
      'Please raise it.',
    ])
    expect((await cli(['messages', 'list'])).stdout).toMatch(/Quota .*conversation/)
    const answer = await read(['messages', 'reply', sent.id, '--file', '-'], 'content: |\n  And soon.\n')
    expect(answer).toMatchObject({ threadId: sent.id, content: 'And soon.\n' })
    const thread = await read(['messages', 'get', sent.id])
    expect(thread.messages.map(({ content }: { content: string }) => content)).toEqual([
      'Please raise it.',
      'And soon.\n',
    ])
    expect(await read(['messages', 'unread', '-f', 'json'])).toEqual({ count: 0 })
    expect((await cli(['messages', 'read-all'])).stderr).toBe('marked as read\n')
    expect((await cli(['messages', 'delete', sent.id])).code).toBe(0)
    expect((await cli(['messages', 'list', '-f', 'json'])).stdout).toBe('[]\n')
    expect(await cli(['messages', 'restore', sent.id], `${PASSWORD}\n`)).toMatchObject({ code: 0 })
    expect(JSON.parse((await cli(['messages', 'list', '-f', 'json'])).stdout)).toHaveLength(1)
  })

  it('that lack something are refused with every field', async () => {
    const outcome = await cli(['messages', 'send', '--to', 'support'])
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toMatch(/subject[\s\S]*content|content[\s\S]*subject/)
  })
})

const SHOP = `kind: Pipeline
project: Web-Shop
organization: Acme
description: the shop
keywords: [shop]
isDefault: true
labels: { repository: shop }
props:
  synth:
    source: { type: github, options: { repo: acme/shop, branch: main } }
    plugin: { name: synth, version: 1.0.0 }
  stages:
    - stageName: Build
      steps: [{ plugin: { name: node-build, version: 1.0.0 }, timeout: 5 }]
`

/** The requests that change something while `body` runs. */
async function writesOf(body: () => Promise<unknown>): Promise<string[]> {
  const writes: string[] = []
  const real = globalThis.fetch
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((request, init) => {
    const { method, url } = request as Request
    if (method !== 'GET') writes.push(`${method} ${new URL(url).pathname}`)
    return real(request, init)
  })
  await body()
  spy.mockRestore()
  return writes
}

describe('rules', () => {
  const text = `kind: Rule
name: has-keywords
target: pipeline
severity: error
field: keywords
operator: notEmpty
effectiveFrom: 2026-01-01T00:00:00Z
---
kind: Rule
name: gated
target: pipeline
conditions:
  - dependsOnRule: has-keywords
  - { field: description, operator: notEmpty }
`

  it('are applied with the rules that they depend on by name, once, and leave enforcement with a reason', async () => {
    const made = await cli(['apply', '-'], text)
    expect([made.code, made.stdout]).toEqual([0, 'created    Rule has-keywords\ncreated    Rule gated\n'])
    expect(await writesOf(() => cli(['apply', '-'], text))).toEqual([])
    const softer = text.replace('target: pipeline\nconditions', 'target: pipeline\nmode: warn\nconditions')
    expect((await cli(['apply', '-'], softer)).code).toBe(2)
    const told = softer.replace('mode: warn', 'mode: warn\nreason: a trial')
    expect((await cli(['apply', '-'], told)).stdout).toContain('mode: "enforce" → "warn"')
    expect(await writesOf(() => cli(['apply', '-'], told))).toEqual([])
    expect((await cli(['rules', 'enforced'])).stdout).toMatch(/gated +pipeline +error +warn +own/)
    expect((await cli(['rules', 'history', 'gated'])).stdout).toMatch(/updated[\s\S]*created/)
    expect((await cli(['rules', 'delete', 'gated'])).code).toBe(0)
  })

  it('and policies are refused by a dry run for what the server would refuse, and nothing is written', async () => {
    const rule = (name: string, more = '') =>
      `kind: Rule\nname: ${name}\ntarget: pipeline\nfield: project\noperator: exists\n${more}`
    const { root, write } = workspace({ 'taken.yaml': rule('tried one') })
    expect((await cli(['apply', 'taken.yaml'], undefined, root)).code).toBe(0)
    write(
      'new.yaml',
      [
        rule('tried two'),
        `kind: Rule\nname: tried three\ntarget: pipeline\nconditions:\n  - dependsOnRule: tried two\n`,
        `kind: Policy\nname: tried\nrules: [tried one, tried two]\n`,
        `kind: Policy\nname: tried too\nrules: [nobody]\n`,
        rule('tried four', 'policyId: 99999999-9999-7999-8999-999999999999\n'),
      ].join('---\n'),
    )
    write('taken.yaml', rule('tried one', 'mode: observe\n'))
    const before = await read(['rules', 'list', '-f', 'json', '--limit', '100'])
    const dry = await cli(['apply', '.', '--dry-run'], undefined, root)
    expect(dry.code).toBe(2)
    const told = (line: string) => expect(dry.stdout).toContain(line)
    told('created    Rule tried two  (dry run)')
    told('created    Rule tried three  (dry run)')
    told('cannot check this before the rule `tried two` exists, which this run would create')
    told('created    Policy tried')
    told('failed     Policy tried too')
    told('failed     Rule tried four  (dry run)')
    told('failed     Rule tried one  (dry run)')
    told('is required when `mode` leaves `enforce`')
    expect(await read(['rules', 'list', '-f', 'json', '--limit', '100'])).toEqual(before)
    expect((await cli(['rules', 'delete', 'tried one'])).code).toBe(0)
  })

  it('of the catalogue are subscribed to, switched on, pinned and copied', async () => {
    const [published] = JSON.parse((await cli(['catalog', 'list', '--limit', '1', '-f', 'json'])).stdout)
    const { name } = published
    expect(await read(['subscriptions', 'subscribe', name])).toMatchObject({ ruleId: published.id, isActive: false })
    expect(
      await read(['subscriptions', 'set', name, '--active', '--mode', 'observe', '--reason', 'trial']),
    ).toMatchObject({
      isActive: true,
      mode: 'observe',
    })
    expect(await read(['subscriptions', 'pin', name])).toMatchObject({ isPinned: true })
    expect(await read(['subscriptions', 'unpin', name])).toMatchObject({ isPinned: false })
    expect(await read(['subscriptions', 'set', name, '--inactive'])).toMatchObject({ isActive: false })
    expect((await cli(['subscriptions', 'list'])).stdout).toContain(name)
    expect(await read(['subscriptions', 'clone', name, '--name', 'ours'])).toMatchObject({
      name: 'ours',
      forkedFromRuleId: published.id,
    })
    expect((await cli(['rules', 'delete', 'ours'])).code).toBe(0)
    expect((await cli(['subscriptions', 'unsubscribe', name])).code).toBe(0)
  })
})

describe('pipelines', () => {
  it('are brought to what files say, and a second run writes nothing', async () => {
    const { root, write } = workspace({ 'shop.yaml': SHOP })
    const run = () => cli(['apply', '.'], undefined, root)
    const dry = await cli(['apply', '.', '--dry-run'], undefined, root)
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('created    Pipeline Web-Shop/Acme  (dry run)')])
    expect(await writesOf(run)).toEqual(['POST /api/pipelines'])
    expect(
      await writesOf(async () => expect((await run()).stdout).toBe('unchanged  Pipeline Web-Shop/Acme\n')),
    ).toEqual([])
    write('shop.yaml', SHOP.replace('timeout: 5', 'timeout: 9'))
    const writes = await writesOf(async () => {
      expect((await run()).stdout).toContain('props.stages[0].steps[0].timeout: 5 → 9')
    })
    expect(writes).toEqual([expect.stringMatching(/^PUT \/api\/pipelines\//)])
    expect(await writesOf(run)).toEqual([])
  })

  it('are found by name, fetched, applied again unchanged, and tell their history', async () => {
    const { root, write } = workspace()
    const got = await cli(['pipelines', 'get', 'web_shop/acme'])
    expect(parse(got.stdout)).toMatchObject({ project: 'Web-Shop', revision: 2 })
    write('got.yaml', got.stdout)
    expect((await cli(['pipelines', 'apply', 'got.yaml'], undefined, root)).stdout).toContain('unchanged')
    expect((await cli(['pipelines', 'list', '--label', 'repository=shop', '--plugin', 'node-build'])).stdout).toContain(
      'Web-Shop',
    )
    expect((await cli(['pipelines', 'list', '--label', 'repository=else', '-f', 'json'])).stdout).toBe('[]\n')
    expect(await read(['pipelines', 'revisions', 'web-shop/acme', '-f', 'json'])).toMatchObject([
      { revision: 2, change: 'updated' },
      { revision: 1, change: 'created' },
    ])
    expect((await cli(['pipelines', 'diff', 'web-shop/acme', '2'])).stdout).toMatch(
      /replace +\/props\/stages\/0\/steps\/0\/timeout +5 +9/,
    )
  })

  it('that compliance blocks are exit 1, with the violation at its line', async () => {
    const { root } = workspace({ 'bad.yaml': SHOP.replace('Web-Shop', 'other').replace('[shop]', '[]') })
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout } = await cli(['apply', 'bad.yaml', ...more], undefined, root)
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/blocked {4}Pipeline other\/Acme[\s\S]*5:1 {2}error {2}has-keywords/),
      ])
    }
    const validated = await cli(
      ['pipelines', 'validate', '--file', 'good.yaml'],
      undefined,
      workspace({ 'good.yaml': SHOP.replace(/kind.*\n|isDefault.*\n/g, '') }).root,
    )
    expect([validated.code, parse(validated.stdout)]).toMatchObject([0, { valid: true, action: 'update' }])
  })

  it('are pruned by a selector, listed as deleted, and restored', async () => {
    const { root } = workspace({ 'new.yaml': SHOP.replace('Web-Shop', 'new-shop') })
    const pruned = await cli(['apply', '.', '--prune', '-l', 'repository=shop'], undefined, root)
    expect(pruned.stdout).toContain('created    Pipeline new-shop/Acme')
    expect(pruned.stdout).toContain('deleted    Pipeline Web-Shop/Acme')
    const [deleted] = await read(['pipelines', 'deleted', '-f', 'json'])
    expect(await cli(['pipelines', 'restore', deleted.id], `${PASSWORD}\n`)).toMatchObject({ code: 0 })
    expect(await cli(['pipelines', 'delete', 'new-shop/acme'])).toMatchObject({ code: 0 })
    expect(await cli(['pipelines', 'get', 'new-shop/acme'])).toMatchObject({ code: 3 })
  })
})

describe('templates', () => {
  it('of the system are filled in to a document that is applied', async () => {
    const made = await cli([
      'templates',
      'instantiate',
      'Static site',
      '--project',
      'site',
      '--organization',
      'acme',
      '-i',
      'repository=acme/site',
      '-i',
      'target=site-bucket',
    ])
    expect(made.code, made.stderr).toBe(0)
    expect(parse(made.stdout)).toMatchObject({ kind: 'Pipeline', project: 'site', templateVersion: 1 })
    const applied = await cli(['apply', '-'], made.stdout)
    expect([applied.code, applied.stdout]).toEqual([0, expect.stringContaining('created    Pipeline site/acme')])
    expect((await cli(['apply', '-'], made.stdout)).stdout).toContain('unchanged')
  })

  it('of your own are applied, once', async () => {
    const [{ props }] = [await read(['templates', 'get', 'Static site'])]
    const inputs = (await read(['templates', 'get', 'Static site'])).inputs
    const text = JSON.stringify({ kind: 'PipelineTemplate', name: 'mine', description: 'ours', props, inputs })
    expect((await cli(['apply', '-'], text)).stdout).toBe('created    PipelineTemplate mine\n')
    expect(await writesOf(() => cli(['apply', '-'], text))).toEqual([])
    expect((await cli(['templates', 'list', '--scope', 'own'])).stdout).toContain('mine')
    expect((await cli(['templates', 'delete', 'mine'])).code).toBe(0)
  })
})

describe('plugins', () => {
  const spec = 'name: approve\nversion: 1.0.0\npluginType: ManualApprovalStep\ndescription: waits for a person\n'

  it('are uploaded from a folder, found by name and version, described by a document, and deleted', async () => {
    const { root } = workspace({ 'plugin-spec.yaml': spec, 'config.yaml': 'buildType: metadata_only\n' })
    const uploaded = await cli(['plugins', 'upload', '.'], undefined, root)
    expect(uploaded.code, uploaded.stderr).toBe(0)
    expect(parse(uploaded.stdout)).toMatchObject({ pluginName: 'approve', version: '1.0.0', created: true })
    expect(await read(['plugins', 'get', 'approve@1.0.0'])).toMatchObject({ description: 'waits for a person' })
    expect((await read(['plugins', 'get', 'approve'])).version).toBe('1.0.0')
    const text = 'kind: Plugin\nname: approve\nversion: 1.0.0\nlabels: { team: release }\n'
    expect((await cli(['apply', '-'], text)).stdout).toContain('updated    Plugin approve@1.0.0')
    expect(await writesOf(() => cli(['apply', '-'], text))).toEqual([])
    const missing = await cli(['apply', '-'], text.replace('1.0.0', '2.0.0'))
    expect([missing.code, missing.stdout]).toEqual([
      3,
      expect.stringContaining('give `dockerfile`, or `buildType: metadata_only`'),
    ])
    expect((await cli(['plugins', 'list', '--label', 'team=release'])).stdout).toContain('approve')
    expect(await read(['plugins', 'usage'])).toMatchObject({ counts: expect.any(Object) })
    expect((await cli(['plugins', 'queue', '-f', 'json'])).code).toBe(0)
    expect((await cli(['plugins', 'dead-builds'])).stdout).toMatch(/^PLUGIN/)
    expect((await cli(['plugins', 'delete', 'approve@1.0.0'])).code).toBe(0)
  })

  it('are tried with their archive by a dry run, and nothing is uploaded', async () => {
    const document = (version: string, more = '') =>
      `kind: Plugin\nname: tried\nversion: ${version}\npluginType: ManualApprovalStep\ncommands: []\nbuildType: metadata_only\n${more}`
    const rule = 'kind: Rule\nname: no twos\ntarget: plugin\nfield: version\noperator: neq\nvalue: 2.0.0\n'
    expect((await cli(['apply', '-'], rule)).code).toBe(0)
    const dry = await cli(['apply', '-', '--dry-run'], [document('1.0.0'), document('2.0.0')].join('---\n'))
    expect(dry.code).not.toBe(0)
    expect(dry.stdout).toContain('created    Plugin tried@1.0.0  (dry run)')
    expect(dry.stdout).toContain('blocked    Plugin tried@2.0.0  (dry run)')
    expect(dry.stdout).toContain('no twos')
    const odd = await cli(['apply', '-', '--dry-run'], document('3.0.0', 'criticality: whatever\n'))
    expect(odd.stdout).toContain('criticality')
    expect((await cli(['plugins', 'list', '--name', 'tried', '-f', 'json'])).stdout).not.toContain('tried')
    expect((await cli(['rules', 'delete', 'no twos'])).code).toBe(0)
  })

  it('with a wrong specification are refused with every problem', async () => {
    const { root } = workspace({ 'plugin-spec.yaml': 'name: BAD NAME\nversion: one\nunknown: 1\n' })
    const { code, stderr } = await cli(['plugins', 'upload', '.'], undefined, root)
    expect(code).toBe(2)
    for (const word of ['name', 'version', 'unknown']) expect(stderr).toContain(word)
  })
})
