/** The audit log as configured: its name, the key that signs for it, and the keys that others may trust. */
import {
  AUDIT_KEY_NAME,
  createSigningKey,
  formatVerifierKey,
  parseVerifierKey,
  type SigningKey,
  type VerifierKey,
} from '@plumbline/audit-chain'
import { nodeCrypto } from '@plumbline/audit-chain/node'
import { Refusal } from '../runtime/errors.js'

/** The settings that this domain reads; `Settings` of the server has them all. */
export interface AuditSettings {
  readonly AUDIT_LOG_ORIGIN: string | null
  readonly PUBLIC_URL: string | null
  readonly AUDIT_CHECKPOINT_KEY: Uint8Array | null
  /** Verifier keys of former signing keys, whose checkpoints and anchors stay valid. */
  readonly AUDIT_FORMER_KEYS: readonly string[] | null
  readonly AUDIT_CHECKPOINT_DIR: string | null
  readonly AUDIT_CHECKPOINT_EVERY: number
  readonly AUDIT_CHECKPOINT_INTERVAL_MS: number
  readonly AUDIT_WITNESS_URL: string | null
  /** Verifier key of the witness: without it a cosignature cannot be verified. */
  readonly AUDIT_WITNESS_KEY: string | null
  readonly AUDIT_RETENTION_DAYS: number
}

export interface AuditLog {
  /** Deployment part of the origin line. */
  readonly origin: string
  readonly signingKey: SigningKey
  /** Keys of the log itself, the current one first. */
  readonly logKeys: readonly VerifierKey[]
  readonly witnessKey: VerifierKey | null
  /** All of these in text form, for bundles and `GET /audit/key`. */
  readonly keyTexts: readonly string[]
}

const known = new WeakMap<object, AuditLog>()

/** @throws Refusal `SERVICE_UNAVAILABLE` without a key to sign with. */
export function auditLog(settings: AuditSettings): AuditLog {
  let log = known.get(settings)
  if (log === undefined) {
    log = build(settings)
    known.set(settings, log)
  }
  return log
}

function build(settings: AuditSettings): AuditLog {
  const seed = settings.AUDIT_CHECKPOINT_KEY
  if (seed === null)
    throw new Refusal('SERVICE_UNAVAILABLE', 'AUDIT_CHECKPOINT_KEY is not set: no checkpoint is signed')
  const signingKey = createSigningKey(nodeCrypto, AUDIT_KEY_NAME, seed)
  const former = (settings.AUDIT_FORMER_KEYS ?? []).map((text) => verifierKey('AUDIT_FORMER_KEYS', text))
  const witnessText = settings.AUDIT_WITNESS_KEY
  const witnessKey = witnessText === null ? null : verifierKey('AUDIT_WITNESS_KEY', witnessText)
  const logKeys = [signingKey, ...former]
  return {
    origin:
      settings.AUDIT_LOG_ORIGIN ?? (settings.PUBLIC_URL === null ? 'localhost' : new URL(settings.PUBLIC_URL).host),
    signingKey,
    logKeys,
    witnessKey,
    keyTexts: [...logKeys, ...(witnessKey === null ? [] : [witnessKey])].map(formatVerifierKey),
  }
}

function verifierKey(setting: string, text: string): VerifierKey {
  const key = parseVerifierKey(nodeCrypto, text)
  if (key === null) throw new Error(`${setting} must hold verifier keys, \`name+id+base64\``)
  return key
}
