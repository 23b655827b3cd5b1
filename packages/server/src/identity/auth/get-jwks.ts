/**
 * The public keys of access tokens as a bare JWK Set (RFC 7517), which is what libraries that verify them fetch. Empty
 * while tokens are signed with a shared secret.
 */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { identityOf } from '../services.js'

export const getJwks = query({
  name: 'identity.auth.get-jwks',
  summary: 'Get the public keys of access tokens',
  http: { method: 'get', path: '/auth/jwks' },
  access: anyone(),
  tenant: noTenant,
  media: 'application/jwk-set+json',
  input: {},
  output: strictObject({
    keys: Type.Array(
      strictObject({
        kty: Type.Literal('OKP'),
        crv: Type.Literal('Ed25519'),
        x: Type.String(),
        kid: Type.String(),
        alg: Type.Literal('EdDSA'),
        use: Type.Literal('sig'),
      }),
    ),
  }),
  errors: [],
  run: async (context) => ({ keys: [...identityOf(context).tokens.jwks] }),
})
