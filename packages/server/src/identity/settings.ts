/**
 * The settings of sign-in and authority, as values: whoever starts the process parses them from the environment. The
 * defaults are those of platform decisions 4; keys have none.
 */
import type { Catalogue, Tier } from '@plumbline/billing-core'
import { defaultCatalogue } from '@plumbline/billing-core'

export interface RingKey {
  /** Names the key in what it signed or sealed: 1 to 64 of `A-Z a-z 0-9 _ -`. */
  readonly kid: string
  /** 32 bytes or more for HS256; exactly 32 for EdDSA (the seed of the private key) and for encryption. */
  readonly key: Uint8Array
}

export interface ScryptCost {
  /** The base-2 logarithm of N. */
  readonly log2N: number
  readonly r: number
  readonly p: number
}

export interface IdentitySettings {
  readonly production: boolean
  /** The public base URL, the issuer of tokens. `JWT_ISSUER`, else `PUBLIC_URL`. */
  readonly issuer: string
  /** Where links in e-mails lead. `APP_URL`. */
  readonly appUrl: string
  /** Below which the routes are mounted, such as `/api`. `BASE_PATH`. */
  readonly basePath: string
  /** `JWT_ALG`. */
  readonly jwtAlg: 'HS256' | 'EdDSA'
  /** The first signs, all verify. `JWT_KEYS`. */
  readonly jwtKeys: readonly RingKey[]
  /** The first seals, all open. `SECRET_ENCRYPTION_KEYS`. */
  readonly encryptionKeys: readonly RingKey[]
  /** `JWT_EXPIRES_IN`, seconds. */
  readonly accessSeconds: number
  /** `JWT_EXPIRES_IN_<TIER>`, seconds. */
  readonly accessSecondsByTier: Readonly<Partial<Record<Tier, number>>>
  /** `REFRESH_TOKEN_EXPIRES_IN`: the end of a session that no use moves, seconds. */
  readonly refreshSeconds: number
  /** The end of a session that is not used, seconds. */
  readonly refreshIdleSeconds: number
  /** `STEP_UP_TTL_SECONDS`. */
  readonly stepUpSeconds: number
  /** `PASSWORD_MIN_LENGTH`, 8 to 128. */
  readonly passwordLengthMin: number
  readonly scrypt: ScryptCost
  /** How many passwords are hashed at once (32 MiB each), and how many may wait. */
  readonly hashesAtOnce: number
  readonly hashesWaitingMax: number
  /** `REGISTRATION`: who may open an account. */
  readonly registration: 'open' | 'invite' | 'closed'
  /** `BOOTSTRAP_SUPERADMIN_EMAILS`: become Super Admin once the address is verified. */
  readonly bootstrapSuperadminEmails: readonly string[]
  /** `ADMIN_IDENTIFIER` (an e-mail address) and `ADMIN_PASSWORD`: made at the first start, with a password to be changed. */
  readonly initialAdmin: { readonly identifier: string; readonly password: string } | null
  /** `BILLING_ENABLED`; false makes every organization `unlimited`. */
  readonly billingEnabled: boolean
  /** `DEFAULT_QUOTA_TIER`: the tier of a new organization while billing is enabled. */
  readonly defaultTier: Tier
  readonly catalogue: Catalogue
  /** True when mail leaves the server. Without it a development server logs the links. */
  readonly mailConfigured: boolean
}

export const SCRYPT_COST: ScryptCost = { log2N: 15, r: 8, p: 3 }

export const IDENTITY_DEFAULTS = {
  production: false,
  issuer: 'http://localhost:3000',
  appUrl: 'http://localhost:3000',
  basePath: '/api',
  jwtAlg: 'HS256',
  accessSeconds: 7200,
  accessSecondsByTier: {},
  refreshSeconds: 2_592_000,
  refreshIdleSeconds: 604_800,
  stepUpSeconds: 300,
  passwordLengthMin: 8,
  scrypt: SCRYPT_COST,
  hashesAtOnce: 2,
  hashesWaitingMax: 32,
  registration: 'open',
  bootstrapSuperadminEmails: [],
  initialAdmin: null,
  billingEnabled: false,
  defaultTier: 'developer',
  catalogue: defaultCatalogue,
  mailConfigured: false,
} as const satisfies Omit<IdentitySettings, 'jwtKeys' | 'encryptionKeys'>

const KID = /^[A-Za-z0-9_-]{1,64}$/

export interface SettingIssue {
  readonly name: string
  readonly message: string
}

/** Everything that is wrong with the settings; the process starts only when nothing is. Values are never repeated. */
export function identitySettingIssues(settings: IdentitySettings): SettingIssue[] {
  const issues: SettingIssue[] = []
  const report = (name: string, message: string) => void issues.push({ name, message })
  checkRing('JWT_KEYS', settings.jwtKeys, settings.jwtAlg === 'EdDSA' ? 'exactly' : 'at least', report)
  checkRing('SECRET_ENCRYPTION_KEYS', settings.encryptionKeys, 'exactly', report)
  if (settings.passwordLengthMin < 8 || settings.passwordLengthMin > 128) {
    report('PASSWORD_MIN_LENGTH', 'must be from 8 to 128')
  }
  if (settings.production) {
    const { log2N, r, p } = settings.scrypt
    if (log2N < SCRYPT_COST.log2N || r < SCRYPT_COST.r || p < SCRYPT_COST.p) {
      report('PASSWORD_SCRYPT_COST', 'must not be lower than the default in production: remove it')
    }
    const admin = settings.initialAdmin
    if (admin !== null && (admin.password.length < 12 || DEFAULT_PASSWORDS.test(admin.password))) {
      report('ADMIN_PASSWORD', 'must have 12 characters or more and not be a default: set one of your own')
    }
  }
  if (settings.billingEnabled && settings.defaultTier === 'unlimited') {
    report('DEFAULT_QUOTA_TIER', 'must not be unlimited while BILLING_ENABLED is true')
  }
  return issues
}

const DEFAULT_PASSWORDS =
  /^(admin|password|changeme|change-me|secret|plumbline|default|letmein|welcome)[-_!@#.]*\d*[-_!@#.]*$/i

function checkRing(
  name: string,
  ring: readonly RingKey[],
  mode: 'exactly' | 'at least',
  report: (name: string, message: string) => void,
): void {
  if (ring.length === 0) report(name, 'is not set: give `kid:base64` of 32 random bytes')
  if (new Set(ring.map(({ kid }) => kid)).size < ring.length) report(name, 'names a kid twice')
  for (const { kid, key } of ring) {
    if (!KID.test(kid)) report(name, 'has a kid that is not 1 to 64 of A-Z a-z 0-9 _ -')
    if (mode === 'exactly' ? key.length !== 32 : key.length < 32) {
      report(name, `has a key \`${KID.test(kid) ? kid : '?'}\` of ${key.length} bytes: it needs ${mode} 32`)
    }
  }
}
