/**
 * The keys that sign provenance (Ed25519). The first one signs. All are published, so that older statements can still
 * be verified.
 */
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'

export interface ProvenanceKey {
  /** As named in the setting. */
  readonly name: string
  /** SHA-256 of the public key in DER (SubjectPublicKeyInfo), in hex. */
  readonly keyId: string
  readonly privateKey: KeyObject
  readonly publicKeyPem: string
}

/** The prefix of the 32 bytes of a key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

export const provenanceKeys = perRuntime(({ settings }: Runtime): readonly ProvenanceKey[] =>
  (settings.PROVENANCE_KEYS ?? []).map(({ id, key }) => {
    const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, key]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(privateKey)
    const der = publicKey.export({ type: 'spki', format: 'der' })
    return {
      name: id,
      keyId: createHash('sha256').update(der).digest('hex'),
      privateKey,
      publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    }
  }),
)
