/**
 * Keys are changed under a server that has secrets and people who are signed in: new key first, then `rotate-keys`, then the
 * old key goes. A server per step, as an operator restarts it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withHost } from '../src/host.js'
import { credentialTables } from '../src/identity/credential/tables.js'
import { rotateHostKeys } from '../src/identity/index.js'
import { readSecret } from '../src/identity/secret/rows.js'
import { identityOf } from '../src/identity/services.js'
import { identityTables } from '../src/identity/tables.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { MAIL_JOB } from '../src/runtime/mail/send.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { type RunningServer, startServer } from '../src/server.js'
import { TEST_ENVIRONMENT } from './support/settings.js'
import { PASSWORD } from './support/sign-in.js'

const key = (id: string, first: number) =>
  `${id}:${Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * 11) & 255)).toString('base64')}`
const [S1, S2, J1, J2] = [key('s-old', 1), key('s-new', 2), key('j-old', 3), key('j-new', 4)]

const folder = mkdtempSync(join(tmpdir(), 'plumbline-keys-'))
const environment = (secrets: string, tokens: string, more: Record<string, string> = {}) => ({
  ...TEST_ENVIRONMENT,
  DATA_DIR: folder,
  PORT: '0',
  SHUTDOWN_DELAY_MS: '0',
  // E-mails wait until a server with workers starts.
  PLUMBLINE_WORKERS: 'false',
  SECRET_ENCRYPTION_KEYS: secrets,
  JWT_KEYS: tokens,
  ...more,
})

let server: RunningServer | null = null
const printed: string[] = []
async function restart(...settings: Parameters<typeof environment>): Promise<void> {
  await server?.stop()
  server = null
  server = await startServer({ environment: environment(...settings), print: (text) => void printed.push(text) })
}
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function call(method: string, path: string, more: { token?: string; body?: unknown; stepUp?: string } = {}) {
  const response = await fetch(`${server?.url}/api${path}`, {
    method,
    headers: {
      ...(more.token === undefined ? {} : { authorization: `Bearer ${more.token}` }),
      ...(more.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(more.stepUp === undefined ? {} : { 'x-step-up-token': more.stepUp }),
    },
    ...(more.body === undefined ? {} : { body: JSON.stringify(more.body) }),
  })
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  return { status: response.status, body, data: body?.data }
}

let totp: string
/** A code is good once; that of the next half-minute is accepted too. */
const code = (shiftSeconds: 0 | 30) =>
  generateSync({ secret: totp, epoch: Math.floor(Date.now() / 1000) + shiftSeconds })
async function signIn(second: string) {
  const asked = await call('POST', '/auth/login', { body: { identifier: 'ada', password: PASSWORD } })
  const { challengeToken } = asked.body.details
  return call('POST', '/auth/login/mfa', { body: { challengeToken, code: second } })
}

const read = <T>(run: Parameters<Runtime['store']['system']['read']>[0]) =>
  server?.app.runtime.store.system.read(run) as Promise<T>
const stored = () =>
  read<string[]>(async (db) => {
    const { jobs } = jobTables(db)
    const mails = (await db.select().from(jobs)).filter(({ kind, state }) => kind === MAIL_JOB && state === 'waiting')
    return [
      ...(await db.select().from(identityTables(db).orgSecrets)).map(({ sealed }) => sealed),
      ...(await db.select().from(credentialTables(db).totpFactors)).map(({ sealedSecret }) => sealedSecret),
      ...mails.map(({ payload }) => (payload as { sealed: string }).sealed),
    ].map((sealed) => sealed.slice(0, sealed.lastIndexOf('.')))
  })
const secretOf = (name: string) =>
  read<string | null>(async (db) => {
    const { box } = identityOf({ runtime: server?.app.runtime as Runtime })
    const read = await readSecret(db, box, orgId, { name, pluginName: 'any' })
    return read === null || read === 'withheld' ? null : read.value
  })

let orgId: string
let oldToken: string
let recoveryCode: string
beforeAll(async () => {
  await restart(S1, J1)
  const account = { username: 'ada', email: 'ada@plumbline.test', password: PASSWORD }
  orgId = (await call('POST', '/auth/register', { body: account })).data.organization.id
  oldToken = (await call('POST', '/auth/login', { body: { identifier: 'ada', password: PASSWORD } })).data.accessToken
  const as = { token: oldToken }
  const stepUp = async () =>
    (await call('POST', '/auth/step-up', { ...as, body: { method: 'password', password: PASSWORD } })).data.stepUpToken
  const begun = await call('POST', '/auth/mfa/totp/enroll', { ...as, body: {}, stepUp: await stepUp() })
  totp = begun.data.secret
  const confirmed = await call('POST', '/auth/mfa/totp/confirm', {
    ...as,
    body: { code: code(0) },
    stepUp: await stepUp(),
  })
  expect(confirmed.status).toBe(200)
  recoveryCode = confirmed.data.recoveryCodes[0]
  const set = await call('PUT', `/organization/${orgId}/secrets/OLD`, {
    ...as,
    body: { value: 'set before', plugins: ['*'] },
  })
  expect(set.status).toBe(200)
  expect(new Set(await stored())).toEqual(new Set(['s-old']))
  expect(await stored()).toHaveLength(3)
})

it('goes on with the new key first: old tokens and secrets are good, new ones are under the new keys', async () => {
  await restart(`${S2},${S1}`, `${J2},${J1}`)
  expect((await call('GET', '/auth/me', { token: oldToken })).status).toBe(200)
  expect(await secretOf('OLD')).toBe('set before')
  expect(decodeProtectedHeader(oldToken).kid).toBe('j-old')
  const signedIn = await signIn(recoveryCode)
  expect(signedIn.status).toBe(200)
  const token: string = signedIn.data.accessToken
  expect(decodeProtectedHeader(token).kid).toBe('j-new')
  await call('PUT', `/organization/${orgId}/secrets/NEW`, { token, body: { value: 'set after', plugins: ['*'] } })
  expect((await stored()).sort()).toEqual(['s-new', 's-old', 's-old', 's-old'])
})

it('refuses what needs a key that went too early, and names the key and not what it is', async () => {
  await restart(S2, J2)
  expect(await secretOf('NEW')).toBe('set after')
  expect((await call('GET', '/auth/me', { token: oldToken })).body.code).toBe('TOKEN_INVALID')
  const refused = await signIn(code(30))
  expect(refused.status).toBe(503)
  expect(refused.body.message).toContain('the key s-old, which is not in SECRET_ENCRYPTION_KEYS')
  expect(JSON.stringify(refused.body)).not.toContain(S1.slice(6))
  const host = { environment: environment(S2, J2) }
  await expect(withHost(host, rotateHostKeys)).rejects.toThrow('the key s-old')
})

it('seals everything again under the first key, also what waits to be sent; then the old key may go', async () => {
  expect(await withHost({ environment: environment(`${S2},${S1}`, J2) }, rotateHostKeys)).toBe(4)
  await restart(S2, J2, { PLUMBLINE_WORKERS: 'false' })
  expect(await stored()).toEqual(Array(4).fill('s-new'))
  expect([await secretOf('OLD'), await secretOf('NEW')]).toEqual(['set before', 'set after'])
  expect((await signIn(code(30))).status).toBe(200)
  expect(printed.join('')).not.toContain('ada@plumbline.test')
  await restart(S2, J2, { PLUMBLINE_WORKERS: 'true' })
  await server?.app.background.worker.settle()
  expect(printed.join('')).toContain('ada@plumbline.test')
})
