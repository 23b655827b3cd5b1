/** `GET /registry/provenance-keys`. */
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { provenanceKeys } from './keys.js'

export const listProvenanceKeys = query({
  name: 'plugin.provenance.list-keys',
  summary: 'Get the public keys that verify provenance',
  description:
    'The first key signs now, the others signed before. Get them once through a channel that you trust, and keep them: keys that come with a statement prove nothing. Empty when this server signs nothing.',
  http: { method: 'get', path: '/registry/provenance-keys' },
  access: anyone(),
  tenant: noTenant,
  input: {},
  output: strictObject({
    keys: Type.Array(
      strictObject({
        name: Type.String(),
        keyid: Type.String({ description: 'SHA-256 of the public key in DER, in hex' }),
        algorithm: Type.Literal('ed25519'),
        publicKeyPem: Type.String(),
        isCurrent: Type.Boolean(),
      }),
    ),
  }),
  errors: [],
  run: async ({ runtime }) => ({
    keys: provenanceKeys(runtime).map(({ name, keyId, publicKeyPem }, index) => ({
      ...{ name, keyid: keyId, algorithm: 'ed25519' as const, publicKeyPem, isCurrent: index === 0 },
    })),
  }),
})
