/**
 * What the flows of sign-on are played on: three server processes on PostgreSQL and Redis, two real providers, a name server
 * and a mailbox. People, organizations, providers, domains and invitations are made over HTTP.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { auditTables } from '../../src/audit/tables.js'
import { foldKey } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { type FakeSso, startFakeSso } from '../../src/sso/fake/start.js'
import { type Mailbox, openMailbox } from '../../test/support/mailbox.js'
import { began, came, cookieIn, signInAt, withProvider } from '../../test/support/oidc.js'
import { confirmed } from '../../test/support/organizations.js'
import { type Replicas, startReplicas } from '../../test/support/replica-processes.js'
import { type Answer, type CallOptions, type SignedIn, signUp, stepUp } from '../../test/support/sign-in.js'
import type { SsoApp } from '../../test/support/sso.js'

export const REPLICAS = 3
export const PUBLIC_URL = 'https://plumbline.test'
const MAIL_MS = 30_000
const LOOK_MS = 20

/** One replica, as a client calls it. */
export interface At {
  readonly replica: number
  readonly url: string
  call(method: string, path: string, more?: CallOptions): Promise<Answer>
  form(path: string, fields: Readonly<Record<string, string>>): Promise<Answer>
}

interface Company {
  readonly owner: SignedIn
  readonly orgId: string
  readonly idpId: string
  readonly domain: string
}

/** Counts by name. */
export const sorted = (counts: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)))

/** @throws Error that says what was wrong. */
export function same(what: string, actual: unknown, expected: unknown): void {
  const [told, wanted] = [actual, expected].map((each) => JSON.stringify(each))
  if (told !== wanted) throw new Error(`${what}: ${told}, expected ${wanted}`)
}

export interface Stage {
  readonly replicas: Replicas
  /** For everything before and after the steps of a flow. */
  readonly app: SsoApp
  readonly fake: FakeSso
  /** A provider whose keys change. */
  readonly turning: FakeSso
  /** Has a provider, and a token for a directory. */
  readonly open: Company & { readonly scimToken: string }
  /** Asks everybody for its provider. The session of its owner has the proof. */
  readonly closed: Company
  readonly failures: string[]
  at(replica: number): At
  /** Asks each replica that runs. */
  every<T>(ask: (at: At) => Promise<T>): Promise<T[]>
  /** Resolves when each replica that runs gives this answer. @throws Error when one still gives another after the time. */
  everyWithin(ms: number, what: string, expected: unknown, ask: (at: At) => Promise<unknown>): Promise<void>
  /** Kills a replica. Nobody calls it until it is back. @returns when it is back. */
  kill(replica: number): Promise<void>
  /** An account with a verified address, an organization of its own and a session by password. */
  person(name: string): Promise<SignedIn>
  company(name: string, domain: string, provider: FakeSso): Promise<Company>
  /** The token of an invitation to the organization of a company, as it was mailed. */
  invited(company: Company, email: string): Promise<string>
  /** The person is at the provider and back, with the callback at one replica. */
  signsIn(at: At, company: Company, name: string): Promise<Answer>
  /** Audit events about these records or by them: how often each action. */
  actsOf(ids: readonly string[]): Promise<Record<string, number>>
  accountsOf(email: string): Promise<number>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const mailbox = await openMailbox()
  const [fake, turning] = [await startFakeSso({ domain: 'open.test' }), await startFakeSso()]
  const replicas = await startReplicas(REPLICAS, {
    ...fake.settings,
    IDP_ALLOWED_ORIGINS: `${fake.url},${turning.url}`,
    BILLING_ENABLED: 'false',
    PUBLIC_URL,
    EMAIL_PROVIDER: 'smtp',
    SMTP_REQUIRE_TLS: 'false',
    MAIL_FROM: 'Plumbline <noreply@plumbline.test>',
    ...mailbox.settings,
  })
  const close = async () => {
    await replicas.stop()
    await Promise.all([fake.close(), turning.close(), mailbox.close()])
  }
  try {
    return { ...(await setUp({ replicas, fake, turning, mailbox })), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface Parts extends Pick<Stage, 'replicas' | 'fake' | 'turning'> {
  readonly mailbox: Mailbox
}

async function setUp({ replicas, fake, turning, mailbox }: Parts): Promise<Omit<Stage, 'close'>> {
  const failures: string[] = []
  const down = new Set<number>()
  const at = (replica: number): At => calling(replicas, replica, failures)
  const running = () => [...Array(REPLICAS).keys()].filter((replica) => !down.has(replica)).map(at)
  const every: Stage['every'] = (ask) => Promise.all(running().map(ask))
  const app = { ...replicas.app, call: (...asked: Parameters<At['call']>) => at(0).call(...asked) } as SsoApp
  const making = makingOf(app, fake, mailbox)
  const open = await making.company('open', 'open.test', fake)
  const scim = await confirmed(app, 'POST', `/organization/${open.orgId}/scim-tokens`, { as: open.owner, body: {} })
  return {
    ...{ replicas, app, fake, turning, failures, at, every, ...making, ...inspecting(replicas) },
    open: { ...open, scimToken: scim.data.token },
    closed: await making.closedCompany('closed', 'closed.test'),
    async everyWithin(ms, what, expected, ask) {
      const endsAtMs = Date.now() + ms
      for (;;) {
        const answers = await every(ask)
        const others = answers.filter((answer) => JSON.stringify(answer) !== JSON.stringify(expected))
        if (others.length === 0) return
        if (Date.now() > endsAtMs) return same(`${what} after ${ms} ms`, answers, Array(answers.length).fill(expected))
        await sleep(LOOK_MS)
      }
    },
    async kill(replica) {
      down.add(replica)
      await replicas.restart(replica)
      down.delete(replica)
    },
  }
}

/** Whatever is asked, no replica may fail. */
function calling(replicas: Replicas, replica: number, failures: string[]): At {
  const url = replicas.urls[replica] ?? ''
  const looked = (method: string, path: string, answer: Answer): Answer => {
    const { status, body } = answer
    if (status >= 500) failures.push(`replica ${replica} answers ${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return answer
  }
  return {
    replica,
    url,
    call: async (method, path, more) => looked(method, path, await replicas.at(replica).call(method, path, more)),
    async form(path, fields) {
      const response = await fetch(`${url}/api${path}`, { method: 'POST', body: new URLSearchParams(fields) })
      const text = await response.text()
      const body = text === '' ? undefined : JSON.parse(text)
      const { status, headers } = response
      return looked('POST', path, { status, headers, body, data: body?.data, code: body?.code })
    },
  }
}

function makingOf(app: SsoApp, fake: FakeSso, mailbox: Mailbox) {
  async function mailed(to: string, path: string): Promise<string> {
    const isOne = ({ text }: { text: string }) => text.includes(path)
    for (const endsAtMs = Date.now() + MAIL_MS; Date.now() < endsAtMs; await sleep(LOOK_MS)) {
      const mail = mailbox.received.findLast((each) => each.to === to && isOne(each))
      const token = /[?]token=([\w%-]+)/.exec(mail?.text ?? '')?.[1]
      if (token !== undefined) return decodeURIComponent(token)
    }
    throw new Error(`no mail with ${path} reached ${to}`)
  }

  async function person(name: string): Promise<SignedIn> {
    const made = await signUp(app, name)
    const answer = await app.call('POST', '/auth/verify-email', {
      body: { token: await mailed(made.email, '/verify-email') },
    })
    same(`the address of ${name}`, answer.status, 204)
    return made
  }

  async function company(name: string, domain: string, provider: FakeSso): Promise<Company> {
    const owner = await person(name)
    const path = `/organization/${owner.orgId}/domains`
    const added = await confirmed(app, 'POST', path, { as: owner, body: { domain } })
    const { id, record } = added.data.domain
    fake.records.set(record.name, [record.value])
    const proved = await app.call('POST', `${path}/${id}/verify`, { as: owner })
    same(`the domain ${domain}`, proved.data?.domain?.status, 'verified')
    const idpId = await withProvider(app, owner, provider.url, { clientSecret: provider.clientSecret, jit: true })
    return { owner, orgId: owner.orgId, idpId, domain }
  }

  /** What enforcement asks for: a second factor of the owner and a test of their own, then their proof. */
  async function closedCompany(name: string, domain: string): Promise<Company> {
    const made = await company(name, domain, fake)
    const { owner, orgId, idpId } = made
    await secondFactor(app, owner)
    fake.people.set(name, { email: `${name}@${domain}`, email_verified: true })
    const test = await app.call('POST', `/organization/${orgId}/idp/test`, { as: owner })
    const ticket = new URL(test.data.url).searchParams.get('ticket')
    const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
    await came(app, idpId, cookieIn(started), await signInAt(started.data.url, name))
    const enforced = await confirmed(app, 'PUT', `/organization/${orgId}/idp/enforcement`, {
      as: owner,
      body: { enforced: true },
    })
    same(`${name} asks for its provider`, enforced.data?.enforcement?.enforced, true)
    const proof = await began(app, orgId, { as: owner, headers: await stepUp(app, owner) })
    const attached = await came(app, idpId, proof.cookie, await signInAt(proof.url.href, name))
    same(`the proof of the owner of ${name}`, attached.data?.kind, 'attached')
    return made
  }

  return {
    person,
    company,
    closedCompany,
    async invited({ owner, orgId }: Company, email: string): Promise<string> {
      const headers = { 'x-org-id': orgId }
      const sent = await app.call('POST', '/invitation/send', { as: owner, headers, body: { email } })
      same(`the invitation of ${email}`, sent.status, 201)
      return mailed(email, '/invite/accept')
    },
    async signsIn(at: At, { orgId, idpId }: Company, name: string): Promise<Answer> {
      const begun = await at.call('POST', `/auth/sso/${orgId}/authorize`, { body: {} })
      const body = await signInAt(begun.data.url, name)
      return at.call('POST', `/auth/sso/${idpId}/callback`, { body, headers: { cookie: cookieIn(begun) } })
    },
  }
}

async function secondFactor(app: SsoApp, owner: SignedIn): Promise<void> {
  const enrolled = await confirmed(app, 'POST', '/auth/mfa/totp/enroll', { as: owner, body: {} })
  const code = generateSync({ secret: enrolled.data.secret, epoch: Math.floor(Date.now() / 1000) })
  const done = await confirmed(app, 'POST', '/auth/mfa/totp/confirm', { as: owner, body: { code } })
  same('the second factor', done.status, 200)
}

/** Reads what the replicas wrote. */
const inspecting = ({ store }: Replicas) => ({
  async actsOf(ids: readonly string[]): Promise<Record<string, number>> {
    const events = await store.system.snapshot(async (db) => {
      const sealed = await db.select().from(auditTables(db).auditEvents)
      const waiting = await db.select().from(jobTables(db).auditOutbox)
      return [...sealed, ...waiting.map(({ event }) => event as unknown as (typeof sealed)[number])]
    })
    const counts = new Map<string, number>()
    for (const { action, actorId, targetId } of events) {
      if (ids.includes(actorId) || ids.includes(targetId ?? '')) counts.set(action, (counts.get(action) ?? 0) + 1)
    }
    return sorted(Object.fromEntries(counts))
  },
  accountsOf: (email: string): Promise<number> =>
    store.system.read((db) => {
      const { users } = identityTables(db)
      return db.$count(users, eq(users.emailKey, foldKey(email)))
    }),
})
