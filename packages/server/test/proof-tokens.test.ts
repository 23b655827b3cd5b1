/** Forged credentials against every protected operation: none is let in, whatever the operation does first. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pathOf, send } from '../proof/requests/call.js'
import type { World } from '../proof/world/model.js'
import { buildWorld } from '../proof/world/world.js'
import type { App } from '../src/app.js'
import { isPublic } from '../src/runtime/operation/authorize.js'
import { TEST_ENVIRONMENT } from './support/settings.js'

let world: World
let app: App
beforeAll(async () => {
  world = await buildWorld('sqlite')
  app = world.open()
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const SECRET = Buffer.from((TEST_ENVIRONMENT['JWT_KEYS'] ?? '').split(':')[1] ?? '', 'base64')
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

function withKey(header: object, payload: object, key: Buffer | string = SECRET): string {
  const text = `${encode(header)}.${encode(payload)}`
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
}

/** Each differs from a good token in one thing. */
function forgeries(token: string): Record<string, string> {
  const [head = '', body = '', signature = ''] = token.split('.')
  const [header, payload] = [decode(head), decode(body)]
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const jwk = publicKey.export({ format: 'jwk' })
  const stranger = `${encode({ ...header, alg: 'EdDSA', jwk })}.${body}`
  const { exp, iat } = payload as { exp: number; iat: number }
  return {
    'no algorithm': `${encode({ ...header, alg: 'none' })}.${body}.`,
    'no algorithm with a signature': `${encode({ ...header, alg: 'None' })}.${body}.${signature}`,
    'another algorithm in the header': withKey({ ...header, alg: 'HS512' }, payload),
    'an asymmetric algorithm in the header': withKey({ ...header, alg: 'EdDSA' }, payload),
    'another key id': withKey({ ...header, kid: 'k2' }, payload),
    'a key id that is a path': withKey({ ...header, kid: '../k1' }, payload),
    'its own key': `${stranger}.${sign(null, Buffer.from(stranger), privateKey).toString('base64url')}`,
    'an empty key': withKey(header, payload, ''),
    'another audience': withKey(header, { ...payload, aud: 'plumbline:step-up' }),
    'another issuer': withKey(header, { ...payload, iss: 'http://evil.test' }),
    'a session that does not exist': withKey(header, { ...payload, sid: '99999999-9999-7999-8999-999999999999' }),
    'another person': withKey(header, { ...payload, sub: '99999999-9999-7999-8999-999999999999' }),
    'an older version': withKey(header, { ...payload, tv: (payload['tv'] as number) - 1 }),
    'an end in the past': withKey(header, { ...payload, iat: iat - 7200, exp: iat - 3600 }),
    'a beginning in the future': withKey(header, { ...payload, iat: iat + 3600, exp: exp + 3600 }),
    'a body that was changed': `${head}.${encode({ ...payload, org: world.organizations[1]?.id })}.${signature}`,
    'a bit flipped': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'the end cut off': token.slice(0, -1),
    'no signature': `${head}.${body}`,
    'a personal token that nobody has': `plp_${'A'.repeat(43)}`,
    'a refresh token': `plr_${'A'.repeat(43)}`,
    'a secret of a service': `plk_${'A'.repeat(43)}`,
    nothing: '',
  }
}

it('the real token is let in, so that the forgeries differ in one thing', async () => {
  const owner = world.principals.find(({ kind }) => kind === 'super admin')
  const [head, body] = (owner?.token ?? '').split('.')
  for (const token of [owner?.token ?? '', withKey(decode(head), decode(body))]) {
    const answer = await send(app, { method: 'GET', target: '/auth/me', headers: { authorization: `Bearer ${token}` } })
    expect(answer.status).toBe(200)
  }
})

it('no operation lets a forged credential in', async () => {
  const admin = world.principals.find(({ kind }) => kind === 'super admin')
  const forged = Object.entries(forgeries(admin?.token ?? ''))
  const accepted: string[] = []
  let tried = 0
  for (const operation of app.operations.filter(({ access }) => !isPublic(access))) {
    const names = Object.keys(operation.input.path?.properties ?? {})
    const target = pathOf(operation, Object.fromEntries(names.map((name) => [name, world.organizations[0]?.id])))
    for (const [name, token] of forged) {
      const answer = await send(app, {
        method: operation.http.method.toUpperCase(),
        target,
        headers: { authorization: `Bearer ${token}`, 'x-org-id': world.organizations[0]?.id ?? '' },
      })
      tried += 1
      if (answer.status !== 401 || !/"code":"TOKEN_(INVALID|EXPIRED|REVOKED)"/.test(answer.text)) {
        accepted.push(`${operation.name}, ${name}: ${answer.status} ${answer.text.slice(0, 120)}`)
      }
    }
  }
  expect(accepted).toEqual([])
  expect(tried).toBeGreaterThan(1000)
})
