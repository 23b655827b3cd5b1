/** The commands that talk to a server, against a server in this process, and the commands on the host of a server. */
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@plumbline/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqliteDriver } from '../../server/src/runtime/store/sqlite-driver.js'
import { runCli } from './support/memory-io.js'

const PASSWORD = 'Correct-Horse-7'
const now = new Date()
let folder = ''
let server: RunningServer
let env: Record<string, string>

const settings = (data: string) => ({
  DATA_DIR: data,
  PORT: '0',
  PLUMBLINE_DEMO: 'false',
  PASSWORD_HASH_COST: '4',
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
})

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-cli-'))
  server = await startServer({ environment: settings(join(folder, 'data')) })
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
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const kept = () => JSON.parse(readFileSync(env['PLUMBLINE_CREDENTIALS'] ?? '', 'utf8')).servers[server.url]

const cli = (argv: string[], stdin?: string, more: Record<string, string> = {}) =>
  runCli(argv, { env: { ...env, ...more }, now, ...(stdin === undefined ? {} : { stdin }) })

describe('the database of a newer build', () => {
  it('is refused with both versions, as what the user has to correct', async () => {
    const data = join(folder, 'newer')
    const environment = settings(data)
    await (await startServer({ environment })).stop()
    const database = new (sqliteDriver().Database)(join(data, 'plumbline.db'))
    database.exec("INSERT INTO schema_migrations VALUES (9999, 'tomorrow', 'x', 0)")
    database.close()
    const mask = process.umask()
    const outcome = await cli(['serve'], undefined, environment)
    process.umask(mask)
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toMatch(/the database has schema version 9999, this build knows \d+: start a newer build/)
  })
})

describe('the commands of a signed-in person', () => {
  it('say who to be before anybody has signed in', async () => {
    const outcome = await cli(['whoami'])
    expect(outcome).toMatchObject({ code: 2, stdout: '' })
    expect(outcome.stderr).toContain('plumbline login')
  })

  it('refuse a wrong password with the words of the server, and keep nothing', async () => {
    const outcome = await cli(['login', '--user', 'ann'], 'Wrong-Horse-7\n')
    expect(outcome.code).toBe(3)
    expect(outcome.stderr).toContain('UNAUTHORIZED')
    expect(outcome.stderr).toMatch(/request id: \S+/)
    expect(() => statSync(env['PLUMBLINE_CREDENTIALS'] ?? '')).toThrow()
  })

  it('keep the credentials where nobody else reads them, and never print them', async () => {
    const outcome = await cli(['login'], `ann\n${PASSWORD}\n`)
    expect(outcome.stderr).toContain('signed in')
    expect(outcome.code).toBe(0)
    const file = env['PLUMBLINE_CREDENTIALS'] ?? ''
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const { token, refreshToken } = kept()
    for (const secret of [token, refreshToken, PASSWORD]) expect(outcome.stdout + outcome.stderr).not.toContain(secret)
  })

  it('show the person, the organizations and the members', async () => {
    expect((await cli(['whoami'])).stdout).toMatch(/user +ann <ann@plumbline.test>/)
    expect((await cli(['orgs'])).stdout).toMatch(/\* +acme +owner +Acme/)
    expect(JSON.parse((await cli(['members', '--json'])).stdout)).toMatchObject([{ username: 'ann', role: 'owner' }])
  })

  it('invite somebody, with the link where no e-mail is sent', async () => {
    const outcome = await cli(['invite', 'bob@plumbline.test'])
    expect(outcome.stdout).toContain('bob@plumbline.test')
    expect(outcome.stderr).toMatch(/token=/)
  })

  const post = async (path: string, body: object, token?: string) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    expect(response.status, `${path}: ${await response.clone().text()}`).toBeLessThan(300)
    type Answer = { data: { accessToken: string; organization: { id: string; slug: string } } }
    return ((await response.json()) as Answer).data
  }
  const joined = async (username: string, ...role: string[]) => {
    // The server asks for the password if an invitation grants more than the Role Member.
    const { stderr } = await cli(['invite', `${username}@plumbline.test`, ...role], `${PASSWORD}\n`)
    const [, token] = /token=(\S+)/.exec(stderr) ?? []
    await post('/invitation/accept-new', { token, username, password: PASSWORD })
  }
  const memberNames = async () =>
    JSON.parse((await cli(['members', 'list', '--json'])).stdout).map(({ username }: { username: string }) => username)

  it('deactivate, reactivate and remove members by name, and pass their teams on', async () => {
    await joined('carl', '--role', 'admin')
    await joined('dora', '--role', 'admin')
    const { accessToken, organization } = await post('/auth/login', { identifier: 'carl', password: PASSWORD })
    const team = await post('/organization', { name: 'Crew', parentOrgId: organization.id }, accessToken)
    const ownerOfTeam = async () => {
      const shown = await cli(['members', '--json', '--org', team.organization.slug])
      return JSON.parse(shown.stdout).find(({ isOwner }: { isOwner: boolean }) => isOwner).username
    }
    expect(await ownerOfTeam()).toBe('carl')
    const off = await cli(['members', 'deactivate', 'DORA@plumbline.test', '--json'])
    expect([off.code, JSON.parse(off.stdout)]).toMatchObject([0, { username: 'dora', isActive: false }])
    const on = await cli(['members', 'reactivate', 'dora'], `${PASSWORD}\n`)
    expect([on.code, on.stdout]).toEqual([0, 'dora  dora@plumbline.test  admin  active\n'])
    const passing = ['members', 'remove', 'carl', '--teams-to', 'dora', '--records-to', 'ann']
    const removed = await cli(passing, `${PASSWORD}\n`)
    expect([removed.code, removed.stdout, removed.stderr]).toEqual([0, '', expect.stringMatching(/removed carl\n$/)])
    expect(await memberNames()).toEqual(['ann', 'dora'])
    expect(await ownerOfTeam()).toBe('dora')
  })

  it('say which name is nobody, and pass on what the server refuses', async () => {
    const unknown = await cli(['members', 'remove', 'nobody'])
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('`nobody` is not a member')])
    const heir = await cli(['members', 'remove', 'dora', '--teams-to', 'nobody'])
    expect([heir.code, heir.stderr]).toEqual([2, expect.stringContaining('`nobody` is not a member')])
    const owner = await cli(['members', 'deactivate', 'ann'])
    expect([owner.code, owner.stderr]).toEqual([3, expect.stringContaining('OWNER_PROTECTED')])
    expect(await memberNames()).toEqual(['ann', 'dora'])
  })

  it('show and change the settings of the organization', async () => {
    expect((await cli(['orgs', 'settings', 'get'])).stdout).toBe('memberWriteScope  own\ndefaultRoleIds    none\n')
    const changed = await cli(['orgs', 'settings', 'set', '--member-write-scope', 'org'])
    expect([changed.code, changed.stdout]).toEqual([0, expect.stringContaining('memberWriteScope  org\n')])
    expect(JSON.parse((await cli(['orgs', 'settings', 'get', '--json'])).stdout)).toMatchObject({
      memberWriteScope: 'org',
    })
    await cli(['orgs', 'settings', 'set', '--member-write-scope', 'own'])
    expect((await cli(['orgs', 'settings', 'set', '--member-write-scope', 'all'])).code).toBe(2)
    expect((await cli(['orgs', 'settings', 'set'])).code).toBe(2)
    expect((await cli(['orgs', 'list'])).stdout).toBe((await cli(['orgs'])).stdout)
  })

  it('make a token that works from the environment alone, list it and revoke it', async () => {
    const made = await cli(['tokens', 'create', 'ci', '--permission', 'audit:read'], `${PASSWORD}\n`)
    expect(made.stdout).toMatch(/^plp_\S+\n$/)
    const alone = { PLUMBLINE_TOKEN: made.stdout.trim(), PLUMBLINE_CREDENTIALS: join(folder, 'none') }
    expect((await cli(['whoami'], undefined, alone)).code).toBe(0)
    const listed = await cli(['tokens', 'list'])
    const id = listed.stdout.split(' ')[0] ?? ''
    expect(listed.stdout).not.toContain(made.stdout.trim())
    expect((await cli(['tokens', 'revoke', id])).code).toBe(0)
    expect((await cli(['whoami'], undefined, alone)).stderr).toContain('TOKEN_REVOKED')
  })

  it('renew a session that is about to end, once', async () => {
    const before = kept()
    const ending = { ...before, expiresAtMs: now.getTime() + 1000 }
    const file = { current: server.url, servers: { [server.url]: ending } }
    writeFileSync(env['PLUMBLINE_CREDENTIALS'] ?? '', JSON.stringify(file), { mode: 0o600 })
    expect((await cli(['whoami'])).code).toBe(0)
    expect(kept().refreshToken).not.toBe(before.refreshToken)
  })

  it('refuse credentials that others can read, and a token in the clear over the network', async () => {
    const file = join(folder, 'open.json')
    writeFileSync(file, '{}', { mode: 0o644 })
    expect((await cli(['whoami'], undefined, { PLUMBLINE_CREDENTIALS: file })).stderr).toContain('chmod 600')
    expect((await cli(['login', '--url', 'http://plumbline.example.com'])).stderr).toContain('PLUMBLINE_ALLOW_HTTP')
    // If it is allowed, the request gets as far as the network.
    const allowed = { PLUMBLINE_ALLOW_HTTP: 'true', PLUMBLINE_TOKEN: 'plp_x', PLUMBLINE_URL: 'http://127.0.0.2:9' }
    expect((await cli(['whoami'], undefined, allowed)).code).toBe(3)
    expect((await cli(['whoami'], undefined, { ...allowed, PLUMBLINE_ALLOW_HTTP: 'false' })).code).toBe(2)
    expect((await cli(['login', '--url', 'ftp://plumbline.example.com'])).stderr).toContain('not an http or https')
  })

  it('never send the credentials of one server to another', async () => {
    const asked: string[] = []
    const other = createHttpServer((request, response) => {
      asked.push(request.headers.authorization ?? 'nobody')
      response.writeHead(500).end('{}')
    }).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`
    const outcomes = [await cli(['whoami', '--url', url]), await cli(['whoami'], undefined, { PLUMBLINE_URL: url })]
    other.close()
    expect(asked).toEqual([])
    for (const { code, stderr } of outcomes) expect([code, stderr]).toEqual([2, expect.stringContaining(url)])
  })

  it('say why there is no organization, and which command opens the closed one', async () => {
    const me = JSON.parse((await cli(['whoami', '--json'])).stdout)
    const [closedBy, open] = [{ id: me.organization.id, slug: 'acme' }, null].map((each) => ({
      success: true,
      data: { ...me, organization: null, permissions: [], closedBy: each },
    }))
    let answer = closedBy
    const closed = createHttpServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer))
    }).listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const url = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`
    const token = { PLUMBLINE_TOKEN: 'any' }
    const said = await cli(['whoami', '--url', url], undefined, token)
    answer = open
    const none = await cli(['whoami', '--url', url], undefined, token)
    closed.close()
    expect(said.stdout).toMatch(
      /organization +none: acme requires its single sign-on, run `plumbline login --sso acme`/,
    )
    expect(none.stdout).toMatch(/organization +none$/m)
  })

  it('find the API of a server with another base path at the path of its address', async () => {
    const environment = { ...settings(join(folder, 'base')), BASE_PATH: '/base/api', PLUMBLINE_DEMO: 'true' }
    const shown: string[] = []
    const other = await startServer({ environment, print: (text) => void shown.push(text) })
    try {
      const token = { PLUMBLINE_TOKEN: /plp_[\w-]+/.exec(shown.join(''))?.[0] ?? '' }
      const [, address = ''] = /plumbline login --url (\S+)/.exec(shown.join('')) ?? []
      const whoami = await cli(['whoami', '--url', address], undefined, token)
      expect([whoami.code, whoami.stdout]).toEqual([0, expect.stringContaining('demo-owner')])
      // A download and a list make their requests in a way of their own.
      const trail = await cli(['audit', 'export', '--url', `${address}/`], undefined, token)
      expect([trail.code, trail.stdout]).toEqual([0, expect.stringContaining('"seq"')])
      const rules = await cli(['rules', 'list', '--url', address], undefined, token)
      expect([rules.code, rules.stdout]).toEqual([0, expect.stringContaining('NAME')])
      const wrong = await cli(['whoami', '--url', other.url], undefined, token)
      expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('BASE_PATH')])
    } finally {
      await other.stop()
    }
  })

  it('take an address that was copied with a page of the console or of the API', async () => {
    const { PLUMBLINE_URL: url } = env
    for (const path of ['/', '/api', '/api/', '/api/docs', '/console', '/console/acme/rules']) {
      const outcome = await cli(['whoami', '--url', `${url}${path}`])
      expect([path, outcome.code, outcome.stderr]).toEqual([path, 0, ''])
    }
  })

  it('say 3 when the server is away', async () => {
    const away = { PLUMBLINE_TOKEN: 'plp_x', PLUMBLINE_URL: 'http://127.0.0.1:9' }
    const outcome = await cli(['whoami'], undefined, away)
    expect(outcome).toMatchObject({ code: 3, stdout: '' })
    expect(outcome.stderr).toContain('cannot be reached')
    expect(outcome.stderr).toContain('plumbline serve')
  })

  it('say where the organizations of somebody are, who names another one', async () => {
    const outcome = await cli(['members'], undefined, { PLUMBLINE_ORG: '0190a1b2-0000-7000-8000-0000000000aa' })
    expect([outcome.code, outcome.stderr]).toEqual([3, expect.stringMatching(/ORG_MISMATCH[\s\S]*`plumbline orgs`/)])
    const checked = await cli(['check', '--org', 'nope'])
    expect([checked.code, checked.stderr]).toEqual([3, expect.stringContaining('`--org` is `nope`, which is not')])
  })

  it('show the newest events, and verify the whole log without believing the server', async () => {
    const tail = await cli(['audit', 'tail', '-n', '50'])
    expect(tail.stdout).toContain('invitation.send')
    const key = await (await fetch(`${server.url}/api/audit/key`)).text()
    writeFileSync(join(folder, 'audit.pub'), key)
    await server.app.drain(5000)
    const verified = await cli(['audit', 'verify', '--server', '--key', join(folder, 'audit.pub')])
    expect(verified.stdout).toMatch(/valid/i)
    expect(verified.code).toBe(0)
  })

  it('write the log to a file that verifies, whole or not at all', async () => {
    const file = join(folder, 'log.jsonl')
    const made = await cli(['audit', 'export', '--server', server.url, '--output', file])
    expect([made.code, made.stdout]).toEqual([0, ''])
    expect(made.stderr).toContain('plumbline audit verify')
    const verified = await cli(['audit', 'verify', file, '--key', join(folder, 'audit.pub')])
    expect(verified.code).toBe(0)
    expect((await cli(['audit', 'export'])).stdout.split('\n')).toHaveLength(
      readFileSync(file, 'utf8').split('\n').length,
    )
    const nowhere = await cli(['audit', 'export', '--output', join(folder, 'no', 'log.jsonl')])
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('cannot be written (ENOENT)')])
  })

  it('keep nothing of a log whose end did not arrive', async () => {
    const file = join(folder, 'short.jsonl')
    const whole = readFileSync(join(folder, 'log.jsonl'), 'utf8').trimEnd().split('\n')
    const short = createHttpServer((_request, response) => response.end(`${whole.slice(0, -1).join('\n')}\n`))
    await new Promise<void>((resolve) => short.listen(0, '127.0.0.1', resolve))
    const { port } = short.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const env = { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: 'any' }
    const outcome = await cli(['audit', 'export', '--output', file], undefined, env)
    short.close()
    expect([outcome.code, outcome.stderr]).toEqual([3, expect.stringContaining('ended early')])
    expect(readdirSync(folder).filter((name) => name.startsWith('short'))).toEqual([])
  })

  it('end the session on the server too', async () => {
    const { refreshToken } = kept()
    expect((await cli(['logout'])).code).toBe(0)
    const again = await fetch(`${server.url}/api/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
    expect(again.status).toBe(401)
  })

  it('forget the credentials of a session that has ended, and of a server that is away', async () => {
    const file = join(folder, 'left.json')
    const left = { token: 'a', refreshToken: 'plr_none', expiresAtMs: 0 }
    const away = 'http://127.0.0.1:9'
    const servers = { [server.url]: { ...left, url: server.url }, [away]: { ...left, url: away } }
    writeFileSync(file, JSON.stringify({ current: server.url, servers }), { mode: 0o600 })
    const out = (url: string) => cli(['logout', '--url', url], undefined, { PLUMBLINE_CREDENTIALS: file })
    expect(await out(server.url)).toMatchObject({ code: 0, stderr: `signed out of ${server.url}\n` })
    const unreached = await out(away)
    expect(unreached.code).toBe(0)
    expect(unreached.stderr).toMatch(/cannot be reached: .*: the session may stay active until it expires\nsigned out/)
    expect(readdirSync(folder)).not.toContain('left.json')
  })
})

describe('the commands on the host', () => {
  const host = (argv: string[]) => runCli(argv, { env: settings(join(folder, 'data')), now })

  it('help people beside a running server, and leave evidence', async () => {
    expect((await host(['admin', 'verify-email', 'ann'])).stdout).toContain('verified')
    // The settings of the command name no port: the address is that of the server that runs on these data.
    expect((await host(['admin', 'reset-link', 'ann'])).stdout).toContain(`${server.url}/reset-password?token=`)
    expect((await host(['admin', 'set-tier', 'acme', 'pro'])).stdout).toContain('to pro')
    expect((await host(['admin', 'rotate-keys'])).code).toBe(0)
    const loaded = JSON.parse((await host(['admin', 'load-content', '--json'])).stdout)
    expect(loaded).toMatchObject({ added: [], changed: [], taken: [], refused: [] })
    expect(loaded.unchanged).toContain('standard-plugin-version-fixed')
    const unknown = await host(['admin', 'reset-link', 'nobody'])
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toContain('nobody')
  })

  it('make the credential of another process, with scopes of the system alone', async () => {
    const made = await host(['service-principals', 'create', 'audit', '--system', '--scope', 'audit:ingest', '--json'])
    const { clientId, clientSecret } = JSON.parse(made.stdout)
    const answer = await fetch(`${server.url}/api/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'client_credentials', clientId, clientSecret }),
    })
    expect(answer.status).toBe(200)
    const outcome = await cli(['audit', 'tail'], undefined, {
      PLUMBLINE_SERVICE_CLIENT_ID: clientId,
      PLUMBLINE_SERVICE_CLIENT_SECRET: clientSecret,
    })
    expect([outcome.code, outcome.stderr]).toEqual([3, expect.stringContaining('INSUFFICIENT_PERMISSIONS')])
    const wrong = await host(['service-principals', 'create', 'x', '--system', '--scope', 'org:everything'])
    expect(wrong.stderr).toContain('audit:ingest')
    expect(wrong.code).toBe(2)
  })

  it('back up a running server, check the copy, and restore it into an empty place only', async () => {
    const file = join(folder, 'a.backup')
    expect((await host(['backup', 'create', file, '--no-keys'])).code).toBe(0)
    const key = join(folder, 'audit.pub')
    writeFileSync(key, await (await fetch(`${server.url}/api/audit/key`)).text())
    const unproven = await host(['backup', 'verify', file])
    expect([unproven.code, unproven.stdout]).toEqual([
      3,
      expect.stringContaining('nothing proves that it is unchanged'),
    ])
    const proven = await host(['backup', 'verify', file, '--key', key])
    expect([proven.code, proven.stdout]).toEqual([0, expect.stringMatching(/^sound: .* by: key plumbline-audit\+/)])
    const elsewhere = join(folder, 'restored')
    const refused = await runCli(['restore', file, '--no-keys', '--data', elsewhere], { env: settings(elsewhere), now })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('nothing proves')])
    const restored = await runCli(['restore', file, '--no-keys', '--key', key, '--data', elsewhere], {
      env: settings(elsewhere),
      now,
    })
    expect(restored.stderr).toBe('')
    expect(restored.code).toBe(0)
    const again = await runCli(['restore', file, '--no-keys', '--unverified', '--data', elsewhere], {
      env: settings(elsewhere),
      now,
    })
    expect(again.code).toBe(2)
    const bytes = readFileSync(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    writeFileSync(file, bytes)
    expect((await host(['backup', 'verify', file])).code).toBe(1)
    const keyed = join(folder, 'keyed.backup')
    const asked = { env: settings(join(folder, 'data')), now }
    const passphrase = 'correct horse battery'
    expect((await runCli(['backup', 'create', keyed], { ...asked, stdin: `${passphrase}\n` })).code).toBe(0)
    const sound = await runCli(['backup', 'verify', keyed], { ...asked, stdin: `${passphrase}\n` })
    expect([sound.code, sound.stdout]).toEqual([0, expect.stringMatching(/^sound: .* by: passphrase$/m)])
    const other = { ...asked, env: { ...asked.env, PLUMBLINE_BACKUP_PASSPHRASE: 'the passphrase is wrong' } }
    expect((await runCli(['backup', 'verify', keyed], other)).code).toBe(1)
    expect((await runCli(['backup', 'verify', keyed], asked)).stdout).toContain('give its passphrase')
  })

  it('print the settings with their origins and without a secret, and say whether the server is ready', async () => {
    const secret = `k1:${Buffer.alloc(32, 7).toString('base64')}`
    const world = { env: { ...settings(join(folder, 'data')), JWT_KEYS: secret }, now }
    const printed = await runCli(['config', 'print', '--server'], world)
    expect(printed.stdout).toMatch(/^JWT_KEYS +\(set, not shown\) +environment$/m)
    expect(printed.stdout).not.toContain(secret)
    const doctor = await runCli(['doctor', '--server'], world)
    expect(doctor.stdout).toContain(`ready at ${server.url}/readyz`)
    expect(doctor.stdout).not.toContain(secret)
    const wrong = await runCli(['doctor', '--server'], { env: { ...settings(folder), PORT: 'x', TRUST_PROXY: 'y' } })
    expect(wrong.code).toBe(2)
    expect(wrong.stdout).toMatch(/PORT[\s\S]*TRUST_PROXY|TRUST_PROXY[\s\S]*PORT/)
  })

  it('name every wrong setting, without a stack trace', async () => {
    const outcome = await runCli(['serve', '--empty'], {
      env: { ...settings(folder), JWT_EXPIRES_IN: 'soon', HOST: '' },
    })
    expect(outcome.code).toBe(2)
    expect(outcome.stderr).toContain('JWT_EXPIRES_IN')
    expect(outcome.stderr).not.toMatch(/\n\s+at /)
  })
})
