/** Settings: every mistake at once, nothing falls back silently, no secret leaves, the reference page is current. */
import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { TEST_ENVIRONMENT, testSettings } from '../../../test/support/settings.js'
import { loadConfig } from '../../config.js'
import { ENTRIES } from './catalogue.js'
import { loadSettings } from './load.js'
import { configPrint, settingsReference } from './print.js'

const load = (values: Record<string, string>) => loadSettings([{ origin: 'environment', values }])
const names = (loaded: ReturnType<typeof load>) => (loaded.ok ? [] : loaded.issues.map(({ name }) => name))
const folder = () => mkdtempSync(join(tmpdir(), 'plumbline-settings-'))

const PRODUCTION = {
  ...TEST_ENVIRONMENT,
  NODE_ENV: 'production',
  PASSWORD_HASH_COST: '15',
  PUBLIC_URL: 'https://p.example',
}

describe('settings', () => {
  it('have defaults that are valid, and print to what they are read from', () => {
    for (const [name, { type, default: value }] of ENTRIES) {
      if (value === null) continue
      const printed = type.print(value)
      if (printed !== '') expect(type.parse(printed), name).toEqual(value)
    }
  })

  it('reports every mistake at once, names each and shows no secret', () => {
    const loaded = load({
      PORT: '80a',
      BASE_PATH: 'api',
      JWT_KEYS: 'k:dG9vc2hvcnQ=',
      TRUST_PROXY: '-1',
      QUOTA_TIER_PRO_SEATS: 'many',
      EMAIL_PROVIDER: 'pigeon',
    })
    expect(names(loaded).sort()).toEqual([
      'BASE_PATH',
      'EMAIL_PROVIDER',
      'JWT_KEYS',
      'PORT',
      'QUOTA_TIER_PRO_SEATS',
      'TRUST_PROXY',
    ])
    expect(JSON.stringify(loaded)).not.toContain('dG9vc2hvcnQ')
  })

  it('reports what settings lack of each other together with wrong values, and says nothing of what a wrong one hides', () => {
    const loaded = load({
      ...TEST_ENVIRONMENT,
      PORT: '80a',
      TLS_CERT: 'a.pem',
      EMAIL_PROVIDER: 'smtp',
      MAIL_FROM: 'nowhere',
      BLOB_STORE: 's4',
    })
    expect(names(loaded).sort()).toEqual(['BLOB_STORE', 'MAIL_FROM', 'PORT', 'SMTP_HOST', 'TLS_CERT'])
  })

  it('says which entry of a list is wrong, and which was meant', () => {
    const loaded = load({ ...TEST_ENVIRONMENT, PLUMBLINE_MODULES: 'identity, complience', DEFAULT_QUOTA_TIER: 'pto' })
    const [tier, modules] = loaded.ok ? [] : loaded.issues.map(({ message }) => message)
    expect(modules).toMatch(
      /^PLUMBLINE_MODULES entry 2 must be one of identity, .*; did you mean compliance\? \(from environment\)$/,
    )
    expect(tier).toContain('did you mean pro?')
  })

  it.each([
    [{ TLS_CERT: 'a.pem' }, 'TLS_CERT'],
    [{ SMTP_USER: 'u' }, 'SMTP_USER'],
    [{ EMAIL_PROVIDER: 'smtp', MAIL_FROM: 'a@b.example' }, 'SMTP_HOST'],
    [{ ADMIN_IDENTIFIER: 'a@b.example' }, 'ADMIN_IDENTIFIER'],
  ])('refuses half a pair: %j', (values, name) => {
    expect(names(load({ ...TEST_ENVIRONMENT, ...values } as Record<string, string>))).toEqual([name])
  })

  it('refuses keys that are not seeds of EdDSA, by their ids', () => {
    const long = `k1:${Buffer.from(Array.from({ length: 33 }, (_, n) => n)).toString('base64')}`
    expect(names(load({ ...TEST_ENVIRONMENT, JWT_KEYS: long }))).toEqual([])
    const refused = load({ ...TEST_ENVIRONMENT, JWT_KEYS: long, JWT_ALG: 'EdDSA' })
    expect(names(refused)).toEqual(['JWT_KEYS'])
    expect(JSON.stringify(refused)).toContain('k1')
    expect(JSON.stringify(refused)).not.toContain(long.slice(3))
  })

  it.each(['DATABASE_TENANT_URL', 'DATABASE_SYSTEM_URL'])(
    'refuses %s without the owner of the same database',
    (name) => {
      const login = { [name]: 'postgres://web:hunter22@db.example/p' }
      expect(names(load({ ...TEST_ENVIRONMENT, ...login }))).toEqual([name])
      expect(names(load({ ...TEST_ENVIRONMENT, ...login, DATABASE_URL: 'sqlite:x.db' }))).toEqual([name])
      expect(names(load({ ...TEST_ENVIRONMENT, ...login, DATABASE_URL: 'postgres://db.example/p' }))).toEqual([])
    },
  )

  it('warns of an unknown name with one of our prefixes, and says which was meant', () => {
    const { warnings } = load({ PLUMBLINE_MODULE: 'audit', LIMITER_MAXX: '3', PATH: '/bin', PLUMBLINE_TEST_X: '1' })
    // Those of the command line stand in the same environment.
    expect(load({ PLUMBLINE_CREDENTIALS: '/c', PLUMBLINE_BACKUP_PASSPHRASE: 'p' }).warnings).toEqual([])
    expect(warnings.map(({ message }) => message)).toEqual([
      'PLUMBLINE_MODULE is not a setting; did you mean PLUMBLINE_MODULES?',
      'LIMITER_MAXX is not a setting; did you mean LIMITER_MAX?',
    ])
  })

  it('warns where compliance is mounted without the module that sends its notifications', () => {
    const warned = (modules: string) =>
      load({ ...TEST_ENVIRONMENT, PLUMBLINE_MODULES: modules }).warnings.map(({ name }) => name)
    expect(warned('identity,compliance')).toEqual(['PLUMBLINE_MODULES'])
    expect(warned('identity,compliance,notification')).toEqual([])
    expect(warned('identity,pipeline')).toEqual([])
  })

  it('refuses an unknown name of money, and says which was meant', () => {
    expect(names(load({ ...TEST_ENVIRONMENT, BILLING_ENABLD: 'true', BILLING_BUNDLE_FOO_MONTHLY: '1' }))).toEqual([
      'BILLING_BUNDLE_FOO_MONTHLY',
      'BILLING_ENABLD',
    ])
    expect(JSON.stringify(load({ BILLING_ENABLD: 'true' }))).toContain('did you mean BILLING_ENABLED?')
    // Those that the billing service will read are known, and checked there.
    expect(names(load({ ...TEST_ENVIRONMENT, BILLING_PROVIDER: 'stub' }))).toEqual([])
  })

  it('lets an earlier source stand over a later one, and says where each value is from', () => {
    const loaded = loadSettings([
      { origin: 'option', values: { PORT: '1' } },
      { origin: 'environment', values: { ...TEST_ENVIRONMENT, PORT: '2', HOST: '0.0.0.0' } },
    ])
    if (!loaded.ok) throw new Error('not loaded')
    expect(loaded.settings.PORT).toBe(1)
    const printed = new Map(configPrint(loaded).map((each) => [each.name, each]))
    expect(printed.get('PORT')).toMatchObject({ value: '1', origin: 'option' })
    expect(printed.get('HOST')).toMatchObject({ value: '0.0.0.0', origin: 'environment' })
    expect(printed.get('MAX_PAGE_LIMIT')).toMatchObject({ value: '1000', origin: 'default' })
  })

  it('prints no secret, and no password of an address', () => {
    const loaded = load({
      ...TEST_ENVIRONMENT,
      DATABASE_URL: 'postgres://plumb:hunter22@db.example/plumbline',
      METRICS_TOKEN: 'hunter33',
      SMTP_USER: 'u',
      SMTP_PASSWORD: 'hunter44',
    })
    if (!loaded.ok) throw new Error('not loaded')
    const text = JSON.stringify(configPrint(loaded))
    expect(text).not.toMatch(/hunter/)
    expect(text).not.toContain(TEST_ENVIRONMENT['JWT_KEYS']?.slice(3))
    expect(text).toContain('postgres://plumb:***@db.example/plumbline')
  })

  it('has the overrides of the tiers', () => {
    expect(testSettings({ QUOTA_TIER_PRO_SEATS: '7' }).tiers.tiers.pro.limits.seats).toBe(7)
  })

  it('is described by the reference page', () => {
    const page = readFileSync(new URL('../../../../../docs/reference/settings.md', import.meta.url), 'utf8')
    expect(page, 'run `npm run generate`').toBe(settingsReference())
  })
})

describe('production', () => {
  it('starts with everything that it needs', () => {
    expect(names(load(PRODUCTION))).toEqual([])
  })

  it.each(['JWT_KEYS', 'SECRET_ENCRYPTION_KEYS', 'PUBLIC_URL'])('refuses to start without %s', (name) => {
    const { [name]: _, ...rest } = PRODUCTION as Record<string, string>
    expect(names(load(rest))).toEqual([name])
  })

  const zeros = Buffer.alloc(32).toString('base64')
  it.each([
    ['JWT_KEYS', `k:${zeros}`],
    ['SECRET_ENCRYPTION_KEYS', `k:${zeros}`],
    ['METRICS_TOKEN', 'changeme'],
    ['AUTH_LIMITER_MAX', '0'],
    ['STEP_UP_LIMITER_MAX', '0'],
    ['PASSWORD_HASH_COST', '14'],
  ])('refuses %s=%s', (name, value) => {
    expect(names(load({ ...PRODUCTION, [name]: value }))).toEqual([name])
  })

  it('refuses a short first password, and PostgreSQL without a shared checkpoint key', () => {
    expect(names(load({ ...PRODUCTION, ADMIN_IDENTIFIER: 'a@b.example', ADMIN_PASSWORD: 'Short1234' }))).toEqual([
      'ADMIN_PASSWORD',
    ])
    const { AUDIT_CHECKPOINT_KEY: _, ...rest } = PRODUCTION as Record<string, string>
    expect(names(load({ ...rest, DATABASE_URL: 'postgres://db.example/p' }))).toEqual(['AUDIT_CHECKPOINT_KEY'])
  })

  it('makes no keys of its own', () => {
    const loaded = loadConfig({
      environment: { NODE_ENV: 'production', PUBLIC_URL: 'https://p.example', DATA_DIR: folder() },
    })
    expect(names(loaded)).toEqual(['JWT_KEYS', 'SECRET_ENCRYPTION_KEYS'])
  })
})

describe('development keys', () => {
  it('are made once, for the owner alone, and found again', () => {
    const DATA_DIR = folder()
    const first = loadConfig({ environment: { DATA_DIR } })
    const second = loadConfig({ environment: { DATA_DIR } })
    if (!first.ok || !second.ok) throw new Error('not loaded')
    expect(statSync(join(DATA_DIR, 'keys.json')).mode & 0o777).toBe(0o600)
    expect(second.settings.JWT_KEYS).toEqual(first.settings.JWT_KEYS)
    expect(first.settings.JWT_KEYS).not.toEqual(first.settings.SECRET_ENCRYPTION_KEYS)
    expect(first.origins.get('JWT_KEYS')).toBe('keys.json')
  })

  it('are not made by a process that does not start, or that only looks', () => {
    for (const options of [{ environment: { PORT: 'x' } }, { environment: {}, createKeys: false }]) {
      const DATA_DIR = folder()
      loadConfig({ ...options, environment: { ...options.environment, DATA_DIR } })
      expect(() => statSync(join(DATA_DIR, 'keys.json'))).toThrow(/ENOENT/)
    }
  })

  it('are not made again over a file that cannot be read', () => {
    const DATA_DIR = folder()
    writeFileSync(join(DATA_DIR, 'keys.json'), '{ half')
    expect(loadConfig({ environment: { DATA_DIR } })).toMatchObject({
      ok: false,
      issues: [{ name: 'DATA_DIR', message: expect.stringContaining('keys.json') }],
    })
    expect(readFileSync(join(DATA_DIR, 'keys.json'), 'utf8')).toBe('{ half')
  })
})

it.each([
  ['is where the process listens', {}, 4100],
  ['is where the process with the compliance module listens', { PLUMBLINE_MODULES: 'compliance,identity' }, 4100],
  ['is nothing to a process without it', { PLUMBLINE_MODULES: 'identity,message' }, 3000],
  ['stands below PORT', { PORT: '4200' }, 4200],
])('COMPLIANCE_SERVICE_PORT %s', (_, more, port) => {
  const loaded = load({ ...TEST_ENVIRONMENT, ...more, COMPLIANCE_SERVICE_PORT: '4100' })
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.issues))
  expect(loaded.settings.PORT).toBe(port)
  expect(loaded.warnings.filter(({ name }) => name === 'COMPLIANCE_SERVICE_PORT')).toEqual([])
})

describe('the setting file', () => {
  it('is read below the environment; a bad line is named', () => {
    const file = join(folder(), 'plumbline.env')
    writeFileSync(file, '# comment\n\nPORT = "4000"\nHOST=0.0.0.0\n')
    const loaded = loadConfig({ environment: { PLUMBLINE_CONFIG: file, HOST: '::1', DATA_DIR: folder() } })
    if (!loaded.ok) throw new Error('not loaded')
    expect([loaded.settings.PORT, loaded.settings.HOST]).toEqual([4000, '::1'])
    writeFileSync(file, 'PORT=1\nnot a setting\n')
    const bad = loadConfig({ environment: { PLUMBLINE_CONFIG: file } })
    expect(bad.ok ? [] : bad.issues).toEqual([{ name: 'PLUMBLINE_CONFIG', message: `${file}:2 is not NAME=value` }])
  })
})
