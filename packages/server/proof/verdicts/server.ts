/** Two replicas on one database, asked as callers ask: a change through the one must hold in the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, createApp } from '../../src/app.js'
import { giveSuperAdmin } from '../../src/identity/auth/bootstrap.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { heldClock } from '../../src/runtime/clock.js'
import { createLog } from '../../src/runtime/log/log.js'
import { testSettings } from '../../test/support/settings.js'
import { type Engine, openProofDatabase } from '../world/database.js'

export interface Person {
  readonly name: string
  readonly userId: string
  /** The organization of the registration. */
  readonly orgId: string
}

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  readonly data: any
  readonly text: string
}

export interface Asking {
  readonly as: Person
  readonly org: string
  readonly stepUp?: boolean
}

export interface Replicas {
  readonly clock: ReturnType<typeof heldClock>
  readonly root: Person
  readonly requests: { sent: number; changes: number; refused: number }
  signUp(name: string): Promise<Person>
  /** Through one replica or the other. */
  call(replica: number, asking: Asking, method: string, path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

export const START_MS = Date.parse('2026-11-21T10:00:00.000Z')
const PASSWORD = 'Correct-Horse-7'
/** Tokens live longer; a clock that steps back makes them ones from the future. */
const TOKEN_MS = 5 * 60_000
const NO_LIMITS = Object.fromEntries(
  [
    ...['AUTH_LIMITER_MAX', 'STEP_UP_LIMITER_MAX', 'INVITATION_LIMITER_MAX', 'EXPORT_LIMITER_MAX', 'INGEST_RATE_MAX'],
    ...['LIMITER_MAX', 'MESSAGE_SEND_RATE_MAX', 'MESSAGE_ATTACHMENT_RATE_MAX', 'AUDIT_EXPORT_LIMITER_MAX'],
  ].map((name) => [name, '0']),
)

interface Requests {
  sent: number
  changes: number
  refused: number
}

/** Sends a request to one of the replicas, and counts it. @throws Error for a status of 500 or more. */
const senderOf = (apps: readonly App[], requests: Requests) =>
  async function raw(replica: number, token: string | null, method: string, path: string, body: unknown, more = {}) {
    requests.sent += 1
    const response = await (apps[replica % apps.length] as App).http.fetch(
      new Request(`http://plumbline.test/api${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...more,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    if (method !== 'GET') requests.changes += 1
    if (response.status >= 400) requests.refused += 1
    return { status: response.status, data: text === '' ? undefined : JSON.parse(text).data, text }
  }

export async function openReplicas(engine: Engine): Promise<Replicas> {
  const database = await openProofDatabase(engine)
  const clock = heldClock(START_MS)
  const files = mkdtempSync(join(tmpdir(), 'plumbline-proof-files-'))
  const settings = testSettings({ ...NO_LIMITS, LOG_LEVEL: 'error', DATA_DIR: files })
  const log = createLog({ level: 'error', destination: { write: (line: string) => void process.stderr.write(line) } })
  const open = (): App => {
    const app = createApp({ store: database.store, settings, log, clock, random: () => 0.5, print: () => {} })
    Object.assign(app.runtime, { onEvidence: () => undefined })
    return app
  }
  const apps = [open(), open()] as const
  await prepareFirstStart(apps[0].runtime)
  const requests = { sent: 0, changes: 0, refused: 0 }
  const tokens = new Map<string, { readonly token: string; readonly atMs: number }>()

  const raw = senderOf(apps, requests)

  async function tokenOf({ name }: Person): Promise<string> {
    const known = tokens.get(name)
    const ageMs = known === undefined ? -1 : clock.now() - known.atMs
    if (known !== undefined && ageMs >= 0 && ageMs < TOKEN_MS) return known.token
    const { data, text } = await raw(0, null, 'POST', '/auth/login', { identifier: name, password: PASSWORD })
    if (data?.accessToken === undefined) throw new Error(`sign in: ${text}`)
    tokens.set(name, { token: data.accessToken, atMs: clock.now() })
    return data.accessToken
  }

  async function signUp(name: string): Promise<Person> {
    const made = await raw(0, null, 'POST', '/auth/register', {
      ...{ username: name, email: `${name}@plumbline.test`, password: PASSWORD, organizationName: `${name} org` },
    })
    if (made.status !== 201) throw new Error(`register: ${made.text}`)
    return { name, userId: made.data.user.id, orgId: made.data.organization.id }
  }

  async function call(
    replica: number,
    { as, org, stepUp = false }: Asking,
    method: string,
    path: string,
    body?: unknown,
  ) {
    const token = await tokenOf(as)
    const headers: Record<string, string> = { 'x-org-id': org }
    if (stepUp) {
      const { data } = await raw(replica, token, 'POST', '/auth/step-up', { method: 'password', password: PASSWORD })
      headers['x-step-up-token'] = data.stepUpToken
    }
    return raw(replica, token, method, path, body, headers)
  }

  const root = await signUp('root')
  // As `plumbline admin grant-superadmin` on the host does it: the one thing that no request brings about.
  await apps[0].runtime.store.system.write((tx) => giveSuperAdmin(tx, apps[0].runtime, root.userId), 'proof')
  tokens.clear()
  return {
    clock,
    root,
    requests,
    signUp,
    call,
    async close() {
      for (const app of apps) await app.close()
      await database.close()
      rmSync(files, { recursive: true, force: true })
    },
  }
}
