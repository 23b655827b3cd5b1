/**
 * The seal of a backup. The digests in the manifest reveal damage, but a person who changes a part can also write new
 * digests. Writing a new seal needs the passphrase or the checkpoint key. INVARIANT: the seal covers the bytes of
 * `manifest.json`, and the manifest lists every entry of the archive except itself and the seal.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { checkNote, parseNote, type SigningKey, signNote, type VerifierKey } from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import Type from 'typebox'
import { nullable, problems as problemsOf, strictObject } from '../runtime/operation/schema.js'
import { KDF, passphraseKey } from './sealed-keys.js'

const HMAC_LABEL = 'plumbline-backup-manifest-1\n'
/**
 * First line of the signed text. A checkpoint has a number on its second line, so the one cannot be mistaken for the
 * other.
 */
const NOTE_TITLE = 'plumbline-backup-1'

const Seal = strictObject({
  /** HMAC-SHA-256 with a key derived from the passphrase; null for a backup without a passphrase. */
  passphrase: nullable(strictObject({ kdf: Type.Literal(KDF), salt: Type.String(), hmac: Type.String() })),
  /** A note signed with the checkpoint key; null on a server without such a key. */
  signature: nullable(Type.String()),
})

/** What the caller can check a seal with. */
export interface SealProofs {
  /**
   * Called at most once, and only for a backup that is sealed with a passphrase. Null when the caller does not have it.
   */
  readonly passphrase: () => Promise<string | null>
  /** Keys that the caller trusts. */
  readonly keys: readonly VerifierKey[]
}

export interface SealCheck {
  readonly problems: readonly string[]
  /**
   * `passphrase`, and `key <name>+<id>`. When it is empty, it is unknown whether the backup was changed since it was
   * made.
   */
  readonly provenBy: readonly string[]
  /** The kinds of seal that the backup has. */
  readonly seals: { readonly passphrase: boolean; readonly signature: boolean }
}

export function sealManifest(manifest: string, passphrase: string | null, key: SigningKey | null): string {
  const salt = randomBytes(16).toString('base64')
  const seal = {
    passphrase:
      passphrase === null ? null : { kdf: KDF, salt, hmac: hmacOf(manifest, passphrase, salt).toString('base64') },
    signature: key === null ? null : signNote(nodeCrypto, noteText(manifest), [key]),
  }
  return `${JSON.stringify(seal, null, 2)}\n`
}

/** @param content the content of the seal; null when the archive has none. */
export async function checkSeal(manifest: string, content: string | null, proofs: SealProofs): Promise<SealCheck> {
  const seals = { passphrase: false, signature: false }
  if (content === null) return { problems: [], provenBy: [], seals }
  const seal = readSeal(content)
  if (seal === null) return { problems: ['seal.json was changed'], provenBy: [], seals }
  const problems: string[] = []
  const provenBy: string[] = []
  const passphrase = seal.passphrase === null ? null : await proofs.passphrase()
  if (seal.passphrase !== null && passphrase !== null) {
    const { salt, hmac } = seal.passphrase
    // guard: the-seal-under-the-passphrase
    if (isEqual(Buffer.from(hmac, 'base64'), hmacOf(manifest, passphrase, salt))) provenBy.push('passphrase')
    else problems.push('the passphrase does not match the seal: it is wrong, or the backup was changed')
  }
  if (seal.signature !== null) {
    const note = parseNote(seal.signature)
    // guard: the-manifest-that-was-signed
    if (note?.text !== noteText(manifest)) problems.push('manifest.json differs from the signed one')
    else {
      // Keys of witnesses are left out: a witness cosigns checkpoints and never signs a backup.
      const keys = proofs.keys.filter(({ type }) => type === 'ed25519')
      const { verified, failed } = checkNote(nodeCrypto, note, keys)
      provenBy.push(...verified.map(({ key }) => `key ${key.name}+${key.id}`))
      problems.push(...failed.map(({ name, id }) => `the signature of the key ${name}+${id} is invalid`))
    }
  }
  return {
    problems,
    provenBy: problems.length === 0 ? provenBy : [],
    seals: { passphrase: seal.passphrase !== null, signature: seal.signature !== null },
  }
}

function readSeal(content: string): Type.Static<typeof Seal> | null {
  try {
    const value: unknown = JSON.parse(content)
    return problemsOf(Seal, value, 'seal.json').length === 0 ? (value as Type.Static<typeof Seal>) : null
  } catch {
    return null
  }
}

const noteText = (manifest: string): string =>
  `${NOTE_TITLE}\nmanifest sha256 ${createHash('sha256').update(manifest).digest('hex')}\n`

const hmacOf = (manifest: string, passphrase: string, salt: string): Buffer =>
  createHmac('sha256', passphraseKey(passphrase, Buffer.from(salt, 'base64')))
    .update(HMAC_LABEL)
    .update(manifest)
    .digest()

const isEqual = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
