/** Real accounts for any suite: an app with identity on a store, and people who have registered and signed in. */
import { asc, eq } from 'drizzle-orm'
import type { Hono } from 'hono'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { forgotPasswordJob } from '../../src/identity/auth/forgot-password.js'
import { type IdentityServices, identityOf } from '../../src/identity/services.js'
import { SIGN_IN_OPERATIONS } from '../../src/identity/sign-in-operations.js'
import { identityTables } from '../../src/identity/tables.js'
import { tenantKeyOf } from '../../src/identity/tenant-key.js'
import { capacityOfAccounts } from '../../src/quota/capacity/port.js'
import { apiCalls } from '../../src/quota/meter/api-calls.js'
import { createBackground } from '../../src/runtime/background.js'
import type { BlobStore } from '../../src/runtime/blob-store.js'
import { heldClock } from '../../src/runtime/clock.js'
import { createHttp } from '../../src/runtime/http/mount.js'
import { createIds } from '../../src/runtime/ids.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { busWakeUps } from '../../src/runtime/jobs/wake-ups.js'
import { silentLog } from '../../src/runtime/log/log.js'
import { MAIL_JOB } from '../../src/runtime/mail/send.js'
import { createMetrics } from '../../src/runtime/metrics/metrics.js'
import type { Limiter } from '../../src/runtime/operation/buckets.js'
import { callMeterPort } from '../../src/runtime/operation/call-meter.js'
import type { Runtime } from '../../src/runtime/operation/context.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import type { DomainRegistration } from '../../src/runtime/operation/registration.js'
import { Ports } from '../../src/runtime/port.js'
import { type CapacityPort, capacityPort } from '../../src/runtime/records/capacity.js'
import { type CompliancePort, compliancePort } from '../../src/runtime/records/compliance.js'
import { ownerPort } from '../../src/runtime/records/owners.js'
import { type PluginCatalogPort, pluginCatalogPort } from '../../src/runtime/records/plugin-catalog.js'
import type { Bus } from '../../src/runtime/redis/redis.js'
import { localBus } from '../../src/runtime/redis/redis.js'
import type { Store } from '../../src/runtime/store/db.js'
import { testSettings } from './settings.js'

export const PASSWORD = 'Correct-Horse-7'

export interface IdentityApp {
  readonly http: Hono
  readonly runtime: Runtime
  /** The ports of the runtime, so that a test can replace them. */
  readonly ports: Ports
  readonly identity: IdentityServices
  readonly clock: ReturnType<typeof heldClock>
  /** Writes the counted API calls to the store. */
  flushCalls(): Promise<void>
  /** Errors that were not refusals. At the end of a suite there must be none. */
  readonly errors: unknown[]
  call(method: string, path: string, more?: CallOptions): Promise<Answer>
}

export interface CallOptions {
  /** A signed-in person, or an access token. */
  readonly as?: Pick<SignedIn, 'accessToken'> | string | null
  readonly body?: unknown
  readonly headers?: Record<string, string>
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that its guarantee is about
  readonly data: any
  /** The code of a refusal. */
  readonly code: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any
  readonly headers: Headers
}

export interface AppSetup {
  /** Operations in addition to those of the sign-in. */
  readonly operations?: readonly Operation[]
  readonly domains?: readonly DomainRegistration[]
  /** Ports of other domains, such as a compliance port. */
  readonly ports?: Partial<Pick<Runtime, 'blobs' | 'entities'>> & {
    readonly compliance?: CompliancePort
    readonly plugins?: PluginCatalogPort
  }
  /** The bus between several processes. By default this process is alone. */
  readonly bus?: Bus
  /** Settings by name, as texts. */
  readonly settings?: Readonly<Record<string, string>>
  readonly limiter?: Limiter
  readonly blobs?: BlobStore
  /** Whether API calls are counted. */
  readonly callMeter?: boolean
  readonly capacity?: CapacityPort
  readonly startMs?: number
  /** How many entries of `x-forwarded-for` are trusted, so that a test can call from a chosen address. */
  readonly trustedProxyHops?: number
}

/** Passwords are hashed at the lowest cost. Rates are limited only if a limiter is given. */
export async function identityApp(store: Store, setup: AppSetup = {}): Promise<IdentityApp> {
  const clock = heldClock(setup.startMs ?? Date.parse('2026-11-21T10:00:00.000Z'))
  const errors: unknown[] = []
  const ports = new Ports()
  const { compliance, plugins, ...inventory } = setup.ports ?? {}
  const runtime: Runtime = {
    clock,
    ids: createIds(clock),
    store,
    // The default is off, but most tests delete organizations themselves.
    settings: testSettings({ ORG_SELF_DELETE: 'true', ...setup.settings }),
    domains: setup.domains ?? [],
    ports,
    ...(setup.bus === undefined ? {} : { bus: setup.bus }),
    ...inventory,
    ...(setup.limiter === undefined ? {} : { limiter: setup.limiter }),
    ...(setup.blobs === undefined ? {} : { blobs: setup.blobs }),
  }
  const identity = identityOf({ runtime })
  const meter = apiCalls(runtime, (error) => void errors.push(error))
  ports
    .set(compliancePort, compliance)
    .set(pluginCatalogPort, plugins)
    .set(ownerPort, identity.owners)
    .set(capacityPort, setup.capacity ?? capacityOfAccounts(runtime))
    .set(callMeterPort, setup.callMeter ? meter : undefined)
  await prepareFirstStart(runtime)
  const operations = [...new Set([...SIGN_IN_OPERATIONS, ...(setup.operations ?? [])])]
  const http = createHttp({
    runtime,
    operations,
    authenticator: identity.authenticator,
    basePath: '/api',
    trustedProxyHops: setup.trustedProxyHops ?? 0,
    onError: (error) => void errors.push(error),
    checkResponses: true,
  })
  return {
    http,
    runtime,
    ports,
    identity,
    clock,
    errors,
    flushCalls: () => meter.flush(),
    async call(method, path, { as = null, body, headers = {} } = {}) {
      const token = typeof as === 'string' ? as : as?.accessToken
      const response = await http.request(`/api${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const parsed = text === '' ? undefined : JSON.parse(text)
      return {
        status: response.status,
        body: parsed,
        data: parsed?.data,
        code: parsed?.code,
        headers: response.headers,
      }
    },
  }
}

export interface SignedIn {
  readonly userId: string
  readonly username: string
  readonly email: string
  readonly accessToken: string
  readonly refreshToken: string
  /** The organization that the registration created. */
  readonly orgId: string
  readonly orgSlug: string
}

/** Registers `name` with a new organization, and signs in. The address is not verified. */
export async function signUp(app: IdentityApp, name: string): Promise<SignedIn> {
  const email = `${name}@plumbline.test`
  const registered = await app.call('POST', '/auth/register', {
    body: { username: name, email, password: PASSWORD, organizationName: `${name} org` },
  })
  if (registered.status !== 201) throw new Error(`register ${name}: ${JSON.stringify(registered.body)} ${app.errors}`)
  const { id: orgId, slug: orgSlug } = registered.data.organization
  const tokens = await signIn(app, name)
  return { userId: registered.data.user.id, username: name, email, orgId, orgSlug, ...tokens }
}

export async function signIn(
  app: IdentityApp,
  identifier: string,
  password: string = PASSWORD,
): Promise<Pick<SignedIn, 'accessToken' | 'refreshToken'>> {
  const answer = await app.call('POST', '/auth/login', { body: { identifier, password } })
  if (answer.status !== 200) throw new Error(`sign in ${identifier}: ${JSON.stringify(answer.body)} ${app.errors}`)
  return { accessToken: answer.data.accessToken, refreshToken: answer.data.refreshToken }
}

/** Confirms the identity of the person by password. @returns the header with the token. */
export async function stepUp(
  app: IdentityApp,
  as: Pick<SignedIn, 'accessToken'>,
  password: string = PASSWORD,
): Promise<{ readonly 'x-step-up-token': string }> {
  const answer = await app.call('POST', '/auth/step-up', { as, body: { method: 'password', password } })
  if (answer.status !== 200) throw new Error(`step-up: ${JSON.stringify(answer.body)} ${app.errors}`)
  return { 'x-step-up-token': answer.data.stepUpToken }
}

export interface QueuedMail {
  readonly template: string
  readonly to: string
  readonly values: Readonly<Record<string, string>>
}

/** The queued e-mails, oldest first. A job creates the links for forgotten passwords, so it runs first. */
export async function queuedMails({ runtime, identity }: IdentityApp): Promise<QueuedMail[]> {
  const { worker } = createBackground({
    runtime,
    jobs: [forgotPasswordJob],
    schedules: [],
    services: [],
    wakeUps: busWakeUps(localBus(), runtime.clock),
    metrics: createMetrics(),
    random: () => 0,
    tenantOf: (orgId) => tenantKeyOf(runtime.store, orgId),
    log: silentLog,
  })
  await worker.settle()
  return runtime.store.system.read(async (db) => {
    const { jobs } = jobTables(db)
    const rows = await db.select().from(jobs).where(eq(jobs.kind, MAIL_JOB)).orderBy(asc(jobs.id))
    return rows.map(({ payload }) => {
      const { template, sealed } = payload as { template: string; sealed: string }
      return { template, ...JSON.parse(identity.box.open(sealed, 'mail')) }
    })
  })
}

/** The token in the link of the newest e-mail to the address. */
export async function linkToken(app: IdentityApp, to: string): Promise<string> {
  const mail = (await queuedMails(app)).findLast((each) => each.to === to && each.values['link'] !== undefined)
  const token = new URL(mail?.values['link'] ?? 'x:').searchParams.get('token')
  if (token === null) throw new Error(`no link was sent to ${to}`)
  return token
}

export interface Evidence {
  readonly action: string
  readonly actorId: string
  readonly orgId: string | null
  readonly affectedOrgId: string | null
  readonly targetId: string | null
  readonly outcome: string | null
}

/** The audit events in the outbox, oldest first. */
export function evidence({ runtime }: IdentityApp): Promise<Evidence[]> {
  return runtime.store.system.read(async (db) => {
    const { auditOutbox } = jobTables(db)
    const rows = await db.select().from(auditOutbox).orderBy(asc(auditOutbox.position))
    return rows.map(({ event }) => event as unknown as Evidence)
  })
}

/** Marks the address of a person as verified, without the e-mail. */
export async function verifyAddress({ runtime, identity }: IdentityApp, userId: string): Promise<void> {
  await runtime.store.system.write(async (tx) => {
    const { users } = identityTables(tx)
    await tx.update(users).set({ emailVerifiedAtMs: runtime.clock.now() }).where(eq(users.id, userId))
  })
  identity.directory.drop({ userId })
}
