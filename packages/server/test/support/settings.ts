/** Settings for tests: the defaults, fixed keys, a cheap password hash, and the values of the test. */
import { loadSettings, type Settings } from '../../src/runtime/settings/load.js'

const key = (first: number) => Buffer.from(Array.from({ length: 32 }, (_, index) => (first + index * 7) & 255))

export const TEST_ENVIRONMENT: Readonly<Record<string, string>> = {
  NODE_ENV: 'test',
  PUBLIC_URL: 'http://plumbline.test',
  PASSWORD_HASH_COST: '4',
  JWT_KEYS: `k1:${key(1).toString('base64')}`,
  SECRET_ENCRYPTION_KEYS: `s1:${key(2).toString('base64')}`,
  AUDIT_CHECKPOINT_KEY: key(3).toString('base64'),
  LOG_LEVEL: 'silent',
}

/** @param values settings by name, as texts. */
export function testSettings(values: Readonly<Record<string, string>> = {}): Settings {
  const loaded = loadSettings([{ origin: 'test', values: { ...TEST_ENVIRONMENT, ...values } }])
  if (!loaded.ok) throw new Error(loaded.issues.map(({ message }) => message).join('\n'))
  return loaded.settings
}
