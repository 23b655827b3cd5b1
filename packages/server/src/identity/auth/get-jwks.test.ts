/** The answer has the public keys without an envelope, as libraries that verify tokens expect them. */
import { expect, it } from 'vitest'
import { identityApp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'

it.each([
  { alg: 'EdDSA', keys: [{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig', kid: 'k1', x: expect.any(String) }] },
  { alg: 'HS256', keys: [] },
])('answers a JWK Set without an envelope, and no secret: $alg', async ({ alg, keys }) => {
  const store = await sqliteStore()
  const app = await identityApp(store, { settings: { JWT_ALG: alg } })
  const response = await app.http.request('/api/auth/jwks')
  expect(response.headers.get('content-type')).toBe('application/jwk-set+json')
  expect(await response.json()).toEqual({ keys })
  expect(app.errors).toEqual([])
  await store.close()
})
