/**
 * What a process with NODE_ENV=production refuses: secrets that are missing, published or too weak, and switches that
 * are only for tests. Source: spec platform 4.1, 4.5.
 */
import type { RingKey } from '../setting/types.js'
import { ENTRIES, type SettingName, type SettingValues } from './catalogue.js'
import { lookUp, type SettingMessage, type SettingSource } from './sources.js'

/** Values that public documents and examples contain. */
const PUBLISHED =
  /^(change[-_ ]?me|changeit|secret|password|passw0rd|admin|administrator|default|example|test|letmein|securepassword123!?)$/i

export function productionMistakes(
  values: SettingValues,
  sources: readonly SettingSource[],
  earlier: readonly SettingMessage[],
): SettingMessage[] {
  if (values.NODE_ENV !== 'production') return []
  const found: SettingMessage[] = []
  const refuse = (name: SettingName, message: string) => {
    if (!earlier.some((each) => each.name === name)) found.push({ name, message: `${name} ${message}` })
  }
  for (const [name, setting] of ENTRIES) {
    const text = lookUp(sources, name)?.text
    if (setting.neededInProduction && text === undefined) refuse(name, 'is required in production')
    if (setting.secret && text !== undefined && PUBLISHED.test(text)) refuse(name, 'is a published value')
  }
  for (const name of ['JWT_KEYS', 'SECRET_ENCRYPTION_KEYS'] as const) {
    if ((values[name] ?? []).some(isGuessable))
      refuse(name, 'has a key that can be guessed; create one with `openssl rand -base64 32`')
  }
  if (values.ADMIN_PASSWORD !== null && values.ADMIN_PASSWORD.length < 12) {
    refuse('ADMIN_PASSWORD', 'needs 12 characters or more in production')
  }
  const isShared = /^postgres/.test(values.DATABASE_URL ?? '')
  if (isShared && values.AUDIT_CHECKPOINT_KEY === null) {
    refuse('AUDIT_CHECKPOINT_KEY', 'is required in production on PostgreSQL, because replicas share it')
  }
  for (const name of ['AUTH_LIMITER_MAX', 'STEP_UP_LIMITER_MAX'] as const) {
    if (values[name] === 0) refuse(name, 'cannot be switched off in production')
  }
  if (values.PASSWORD_HASH_COST < 15) refuse('PASSWORD_HASH_COST', 'must be 15 or more in production')
  return found
}

/** True for fewer than eight different bytes: zeros, a repeated word, the start of a counter. */
const isGuessable = ({ key }: RingKey): boolean => new Set(key).size < 8 || PUBLISHED.test(Buffer.from(key).toString())
