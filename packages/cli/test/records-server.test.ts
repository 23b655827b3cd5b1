/** The commands of records against a real server in this process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@plumbline/server'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { runCli } from './memory-io.js'
import { workspace } from './workspace.js'

const PASSWORD = 'Correct-Horse-7'
let folder = ''
let server: RunningServer
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-records-'))
  const environment = {
    DATA_DIR: folder,
    PORT: '0',
    PLUMBLINE_DEMO: 'false',
    PASSWORD_HASH_COST: '4',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
  }
  server = await startServer({ environment, print: () => {} })
  await fetch(`${server.url}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      username: 'ann',
      email: 'ann@plumbline.test',
      password: PASSWORD,
      organizationName: 'Acme',
    }),
  })
  env = { PLUMBLINE_CREDENTIALS: join(folder, 'credentials.json'), PLUMBLINE_URL: server.url }
  await cli(['login'], `ann\n${PASSWORD}\n`)
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const cli = (argv: string[], stdin?: string, cwd = folder) =>
  runCli(argv, { env, cwd, now: new Date(), ...(stdin === undefined ? {} : { stdin }) })

/** Runs and reads what was printed. */
const read = async (argv: string[], stdin?: string) => {
  const outcome = await cli(argv, stdin)
  expect(outcome.code, outcome.stderr).toBe(0)
  return parse(outcome.stdout)
}

describe('quotas', () => {
  it('are shown to their organization, and all of them to nobody else', async () => {
    const quota = await read(['quotas', 'get'])
    expect(quota).toMatchObject({ slug: 'acme', quotas: { pipelines: { used: 0, kind: 'capacity' } } })
    expect(await read(['quotas', 'type', quota.orgId, 'plugins', '-f', 'json'])).toMatchObject({ quotaType: 'plugins' })
    const all = await cli(['quotas', 'list'])
    expect(all).toMatchObject({ code: 3, stderr: expect.stringContaining('INSUFFICIENT_PERMISSIONS') })
    expect((await cli(['quotas', 'type', quota.orgId, 'nonsense'])).code).toBe(2)
  })
})

describe('messages', () => {
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

/** Requests that change something, while the body runs. */
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
    expect((await cli(['apply', '-f', '-'], text)).stdout).toContain('updated    Plugin approve@1.0.0')
    expect(await writesOf(() => cli(['apply', '-f', '-'], text))).toEqual([])
    const missing = await cli(['apply', '-f', '-'], text.replace('1.0.0', '2.0.0'))
    expect([missing.code, missing.stdout]).toEqual([3, expect.stringContaining('plumbline plugins upload')])
    expect((await cli(['plugins', 'list', '--label', 'team=release'])).stdout).toContain('approve')
    expect(await read(['plugins', 'usage'])).toMatchObject({ counts: {} })
    expect((await cli(['plugins', 'queue', '-f', 'json'])).code).toBe(0)
    expect((await cli(['plugins', 'dead-builds'])).stdout).toMatch(/^PLUGIN/)
    expect((await cli(['plugins', 'delete', 'approve@1.0.0'])).code).toBe(0)
  })

  it('with a wrong specification are refused with every problem', async () => {
    const { root } = workspace({ 'plugin-spec.yaml': 'name: BAD NAME\nversion: one\nunknown: 1\n' })
    const { code, stderr } = await cli(['plugins', 'upload', '.'], undefined, root)
    expect(code).toBe(2)
    for (const word of ['name', 'version', 'unknown']) expect(stderr).toContain(word)
  })
})
