/** Forged tokens are not accepted, no matter how they are changed or made. */
import { createHmac, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_ENVIRONMENT } from '../../../test/support/settings.js'
import { type IdentityApp, identityApp, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import type { Store } from '../../runtime/store/db.js'
import { createKeyRing } from './key-ring.js'

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString('utf8'))
const SECRET = Buffer.from((TEST_ENVIRONMENT['JWT_KEYS'] ?? '').split(':')[1] ?? '', 'base64')

describe.each(['HS256', 'EdDSA'] as const)('tokens signed with %s', (alg) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  beforeAll(async () => {
    store = await sqliteStore()
    app = await identityApp(store, { settings: { JWT_ALG: alg } })
    ann = await signUp(app, 'ann')
  })
  afterAll(() => store.close())

  const status = async (token: string) => {
    const { status, code } = await app.call('GET', '/auth/me', { headers: { authorization: `Bearer ${token}` } })
    return `${status} ${code ?? ''}`.trim()
  }
  const parts = () => {
    const [header, payload, signature] = ann.accessToken.split('.')
    return { header: decode(header), payload: decode(payload), signature: signature ?? '' }
  }
  /** Signs any header and payload manually with the server's real key. */
  const resign = (header: object, payload: object): string => {
    const text = `${encode(header)}.${encode(payload)}`
    if (alg === 'HS256') return `${text}.${createHmac('sha256', SECRET).update(text).digest('base64url')}`
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), SECRET])
    return `${text}.${signWith(null, Buffer.from(text), { key: pkcs8, format: 'der', type: 'pkcs8' }).toString('base64url')}`
  }

  it('accepts its own, and one that is made by hand with its key: the forgeries below differ in one thing', async () => {
    const { header, payload } = parts()
    expect(await status(ann.accessToken)).toBe('200')
    expect(await status(resign(header, payload))).toBe('200')
    expect(Object.keys(header).sort()).toEqual(['alg', 'kid', 'typ'])
    expect(JSON.stringify(payload)).not.toContain(ann.email)
  })

  it('accepts none of which any one bit is flipped', async () => {
    const bytes = Buffer.from(ann.accessToken, 'latin1')
    let tried = 0
    for (let at = 0; at < bytes.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const flipped = Buffer.from(bytes)
        flipped[at] = (flipped[at] ?? 0) ^ (1 << bit)
        await expect(app.identity.tokens.verify('access', flipped.toString('latin1'))).rejects.toMatchObject({
          status: 401,
        })
        tried += 1
      }
    }
    expect(tried).toBe(bytes.length * 8)
  })

  it('accepts none that is cut short or made longer', async () => {
    const token = ann.accessToken
    for (let length = 0; length < token.length; length++) {
      await expect(app.identity.tokens.verify('access', token.slice(0, length))).rejects.toMatchObject({ status: 401 })
    }
    for (const tail of ['=', '==', '.', 'A', '.A', ' ', '\n', '%00']) {
      await expect(app.identity.tokens.verify('access', token + tail)).rejects.toMatchObject({ status: 401 })
    }
  })

  it('accepts none with another header', async () => {
    const { header, payload, signature } = parts()
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const jwk = publicKey.export({ format: 'jwk' })
    const body = encode(payload)
    const signedByStranger = (forged: object) => {
      const text = `${encode(forged)}.${body}`
      return `${text}.${signWith(null, Buffer.from(text), privateKey).toString('base64url')}`
    }
    const hmacWith = (forged: object, key: string | Buffer) => {
      const text = `${encode(forged)}.${body}`
      return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`
    }
    const publicText = publicKey.export({ format: 'pem', type: 'spki' }) as string
    const forgeries = [
      ...['none', 'None', 'NONE', 'nOnE', ''].flatMap((none) => [
        `${encode({ ...header, alg: none })}.${body}.`,
        `${encode({ ...header, alg: none })}.${body}.${signature}`,
      ]),
      ...['HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519']
        .filter((each) => each !== alg)
        .map((each) => resign({ ...header, alg: each }, payload)),
      ...['k2', '', '../k1', 'k1\u0000', "k1' OR '1'='1", '/dev/null', '__proto__', 'constructor'].map((kid) =>
        resign({ ...header, kid }, payload),
      ),
      resign({ alg: header.alg, typ: 'JWT' }, payload),
      resign({ ...header, kid: ['k1'] }, payload),
      resign({ ...header, kid: { toString: 'k1' } }, payload),
      ...['at+jwt', 'jwt', '', 1].map((typ) => resign({ ...header, typ }, payload)),
      resign({ ...header, crit: ['exp'] }, payload),
      resign({ ...header, crit: ['b64'], b64: false }, payload),
      resign({ ...header, jwk }, payload),
      signedByStranger({ ...header, alg: 'EdDSA', jwk }),
      signedByStranger({ ...header, alg: 'EdDSA' }),
      signedByStranger({ alg: 'EdDSA', typ: 'JWT', jku: 'https://evil.test/jwks', kid: 'k1' }),
      signedByStranger({ alg: 'EdDSA', typ: 'JWT', x5u: 'https://evil.test/x5u', kid: 'k1' }),
      signedByStranger({ alg: 'EdDSA', typ: 'JWT', x5c: ['MA=='], kid: 'k1' }),
      hmacWith(header, ''),
      hmacWith(header, 'secret'),
      hmacWith(header, publicText),
      hmacWith({ ...header, alg: 'HS256' }, Buffer.from(jwk.x ?? '', 'base64url')),
      hmacWith({ ...header, alg: 'HS256' }, createHmac('sha256', 'k').update(SECRET).digest()),
    ]
    for (const token of forgeries) expect(await status(token), token.slice(0, 90)).toBe('401 TOKEN_INVALID')
  })

  it('accepts none with other claims, though signed with the right key', async () => {
    const { header, payload } = parts()
    const { iat, exp } = payload
    const eve = await signUp(app, 'eve')
    const { tv } = decode(eve.accessToken.split('.')[1])
    const without = (name: string) => Object.fromEntries(Object.entries(payload).filter(([key]) => key !== name))
    const forgeries: object[] = [
      ...['aud', 'iss', 'sub', 'iat', 'exp', 'jti', 'typ', 'sid', 'tv'].map(without),
      ...['plumbline:step-up', 'plumbline:mfa', 'plumbline', '', 'PLUMBLINE:ACCESS', 'plumbline:access '].map(
        (aud) => ({
          ...payload,
          aud,
        }),
      ),
      { ...payload, aud: ['plumbline:access', 'plumbline:step-up'] },
      { ...payload, aud: ['plumbline:access'] },
      ...['http://evil.test', 'http://plumbline.test/', 'HTTP://PLUMBLINE.TEST', ''].map((iss) => ({
        ...payload,
        iss,
      })),
      { ...payload, iat: iat + 31, exp: exp + 31 },
      { ...payload, nbf: iat + 3600 },
      { ...payload, exp: iat },
      { ...payload, exp: String(exp) },
      { ...payload, exp: null },
      { ...payload, iat: String(iat) },
      { ...payload, typ: 'refresh' },
      { ...payload, sid: '99999999-9999-7999-8999-999999999999' },
      { ...payload, sub: '99999999-9999-7999-8999-999999999999' },
      // Another person, with a session that is not theirs.
      { ...payload, sub: eve.userId, tv },
      { ...payload, sub: 'service:nobody', scope: ['audit:ingest'] },
      { ...payload, tv: payload.tv - 1 },
      { ...payload, tv: payload.tv + 1 },
      { ...payload, imp: payload.sub },
      { ...payload, imp: '99999999-9999-7999-8999-999999999999', ro: false },
    ]
    for (const forged of forgeries) {
      expect(await status(resign(header, forged)), JSON.stringify(forged)).toMatch(
        /^401 TOKEN_(INVALID|EXPIRED|REVOKED)$/,
      )
    }
  })

  it('believes no claim about authority', async () => {
    const { header, payload } = parts()
    const token = resign(header, {
      ...payload,
      sa: true,
      role: 'owner',
      permissions: ['registry:write'],
      tier: 'unlimited',
    })
    const { data } = await app.call('GET', '/auth/me', { as: token })
    expect(data.permissions).not.toContain('registry:write')
    expect(data.user.isSuperAdmin).toBe(false)
  })

  it('takes no token for another purpose, and no header that is not one bearer token', async () => {
    const confirmed = await stepUp(app, ann)
    const others = [
      confirmed['x-step-up-token'],
      ann.refreshToken,
      'plp_x',
      `plp_${'A'.repeat(51)}`,
      'plk_x',
      'a.b.c',
      '..',
    ]
    for (const token of others) expect(await status(token)).toBe('401 TOKEN_INVALID')
    for (const authorization of [
      'Bearer',
      'Bearer ',
      `Basic ${ann.accessToken}`,
      `${ann.accessToken}`,
      `Bearer ${ann.accessToken}, Bearer ${ann.accessToken}`,
    ]) {
      const answer = await app.call('GET', '/auth/me', { headers: { authorization } })
      expect(answer.code, authorization).toBe('TOKEN_INVALID')
    }
    const cross = await app.call('DELETE', '/auth/me', { as: ann, headers: { 'x-step-up-token': ann.accessToken } })
    expect(cross.code).toBe('STEP_UP_INVALID')
  })

  it('ends at exp and 30 seconds, also for a token that is remembered', async () => {
    const bea = await signUp(app, 'bea')
    const { exp } = decode(bea.accessToken.split('.')[1])
    app.clock.set((exp + 29) * 1000)
    expect((await app.call('GET', '/auth/me', { as: bea })).status).toBe(200)
    app.clock.set((exp + 30) * 1000)
    expect((await app.call('GET', '/auth/me', { as: bea })).code).toBe('TOKEN_EXPIRED')
  })

  it('remembers verified tokens until the key ring changes', async () => {
    const cy = await signUp(app, 'cy')
    const use = () => app.call('GET', '/auth/me', { as: cy }).then(({ status }) => status)
    expect(await use()).toBe(200)
    const { verified } = app.identity.tokens.counts
    for (let n = 0; n < 5; n++) expect(await use()).toBe(200)
    expect(app.identity.tokens.counts.verified).toBe(verified)
    const old = { id: 'k1', key: Uint8Array.from(SECRET) }
    const next = { id: 'k2', key: Uint8Array.from(SECRET).reverse() }
    app.identity.tokens.replaceKeys(createKeyRing(alg, [next, old]))
    expect(await use()).toBe(200)
    expect(app.identity.tokens.counts.verified).toBe(verified + 1)
    app.identity.tokens.replaceKeys(createKeyRing(alg, [next]))
    expect(await use()).toBe(401)
    app.identity.tokens.replaceKeys(createKeyRing(alg, [old]))
  })

  it('publishes public keys, and never a shared secret', async () => {
    const { body } = await app.call('GET', '/auth/jwks')
    if (alg === 'HS256') expect(body).toEqual({ keys: [] })
    else {
      expect(body.keys).toHaveLength(1)
      expect(Object.keys(body.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
    }
  })
})
