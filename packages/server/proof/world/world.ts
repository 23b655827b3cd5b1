/**
 * Twenty organizations for the proofs: roots, some with teams, that know nothing of each other. Every record of each of
 * them holds a text that stands nowhere else (a canary), so that a byte that crosses a border is seen wherever it lands.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { type App, createApp } from '../../src/app.js'
import { sealBatch } from '../../src/audit/chain/seal-batch.js'
import { notificationTables } from '../../src/compliance/notification/tables.js'
import { grantSuperAdmin } from '../../src/identity/auth/bootstrap.js'
import { prepareFirstStart } from '../../src/identity/auth/first-start.js'
import { insertUser } from '../../src/identity/auth/insert-user.js'
import { hashPassword } from '../../src/identity/credential/password-hash.js'
import { insertMembership, insertOrganization } from '../../src/identity/organization/insert.js'
import { builtInRoleId } from '../../src/identity/role/built-in.js'
import { identityTables } from '../../src/identity/tables.js'
import { createBuildQueue } from '../../src/plugin/build/index.js'
import { heldClock } from '../../src/runtime/clock.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { createLog } from '../../src/runtime/log/log.js'
import type { Tx } from '../../src/runtime/store/db.js'
import { testSettings } from '../../test/settings.js'
import { type Engine, openProofDatabase, type ProofDatabase } from './database.js'
import { type Maker, makeDeadBuild, makeRecords, makeWaitingBuild } from './inventory.js'

export const ROOTS = 8
export const ORGANIZATIONS = 20
const ROOTS_WITH_TEAMS = 4
export const PASSWORD = 'Correct-Horse-7'
const START_MS = Date.parse('2026-11-21T10:00:00.000Z')

/** Kinds of things with an id, and the texts by which they are named. */
export type Kind =
  | 'organization'
  | 'user'
  | 'role'
  | 'invitation'
  | 'invitationToken'
  | 'principal'
  | 'client'
  | 'pat'
  | 'session'
  | 'secret'
  | 'rule'
  | 'policy'
  | 'exemption'
  | 'scan'
  | 'schedule'
  | 'slug'
  | 'email'
  | 'message'
  | 'attachment'
  | 'notification'
  | 'plugin'
  | 'pluginName'
  | 'build'
  | 'pipeline'
  | 'template'

export interface ProofOrganization {
  readonly index: number
  readonly id: string
  readonly slug: string
  readonly parent: number | null
  readonly children: readonly number[]
  readonly things: Record<Kind, string[]>
}

export type PrincipalKind =
  | 'owner'
  | 'admin'
  | 'member'
  | 'parent admin'
  | 'personal token'
  | 'removed member'
  | 'impersonator'
  | 'anonymous'
  | 'service'
  | 'system service'
  | 'super admin'

export interface ProofPrincipal {
  readonly kind: PrincipalKind
  /** Empty for whoever shows none. */
  readonly token: string
  /** Its own organization; null for those of the system. */
  readonly home: number | null
  /** The organizations whose records it may see. */
  readonly sees: ReadonlySet<number>
  /** Can confirm its identity by the password. */
  readonly canStepUp: boolean
  /** Its own id or client id: what it may always see of itself. */
  readonly self: string
}

/** Something that must not cross a border: an id or a canary, and the organizations whose members may see it. */
export interface Marked {
  readonly text: string
  readonly seenIn: ReadonlySet<number>
  /** The person or machine itself, who may always see it. */
  readonly owner?: string
}

export interface World {
  readonly database: ProofDatabase
  readonly organizations: readonly ProofOrganization[]
  readonly principals: readonly ProofPrincipal[]
  /** By text, in lower case. */
  readonly marks: ReadonlyMap<string, Marked>
  /** An app on the database as it is, with empty caches. */
  open(): App
  /** Brings the database back to its state after building, and makes apps forget what they read since. */
  reset(): Promise<void>
  /** What was logged since the last call. */
  takeLog(): string
  close(): Promise<void>
}

/** A canary: the organization's number and what it names. */
export const canary = (index: number, what: string): string => `cnr${String(index).padStart(2, '0')}x${what}`
export const CANARY = /cnr\d\dx[a-z0-9]+/gi

/** A token may be this much from the future (30 s), with room. */
const CLOCK_BACK_MS_MAX = 20_000

const SETTINGS = {
  AUTH_LIMITER_MAX: '0',
  STEP_UP_LIMITER_MAX: '0',
  INVITATION_LIMITER_MAX: '0',
  EXPORT_LIMITER_MAX: '0',
  AUDIT_EXPORT_LIMITER_MAX: '0',
  INGEST_RATE_MAX: '0',
  LIMITER_MAX: '0',
  MESSAGE_SEND_RATE_MAX: '0',
  MESSAGE_ATTACHMENT_RATE_MAX: '0',
  PLUGIN_UPLOAD_RATE_MAX: '0',
}

export async function buildWorld(engine: Engine): Promise<World> {
  const database = await openProofDatabase(engine)
  const clock = heldClock(START_MS)
  let logged = ''
  const keep = (line: string): void => {
    logged += line
  }
  const files = mkdtempSync(join(tmpdir(), 'plumbline-proof-files-'))
  const settings = testSettings({ ...SETTINGS, LOG_LEVEL: 'debug', DATA_DIR: files })
  const log = createLog({ level: 'debug', destination: { write: keep } })
  const open = (): App => {
    const app = createApp({ store: database.store, settings, log, clock, random: () => 0.5, print: () => {} })
    // Nothing is sealed while a proof runs: what callers wrote before would stand in their trails for good.
    Object.assign(app.runtime, { onEvidence: () => undefined })
    return app
  }
  const app = open()
  await prepareFirstStart(app.runtime)
  const built = await new Builder(app).build()
  await sealAll(app)
  await app.close()
  await database.remember()
  return {
    database,
    ...built,
    open,
    async reset() {
      await database.restore()
      // What was read at a later instant than now is not believed; the clock stays within the life of the tokens.
      const next = clock.now() - 1
      clock.set(next > START_MS - CLOCK_BACK_MS_MAX ? next : START_MS + CLOCK_BACK_MS_MAX)
    },
    takeLog() {
      const taken = logged
      logged = ''
      return taken
    },
    async close() {
      await database.close()
      rmSync(files, { recursive: true, force: true })
    },
  }
}

async function sealAll({ runtime }: App): Promise<void> {
  for (let left = true; left; ) left = (await runtime.store.system.write((tx) => sealBatch(tx), 'proof')).left
}

interface Person {
  readonly id: string
  readonly username: string
  readonly email: string
}

class Builder {
  readonly #app: App
  readonly #marks = new Map<string, Marked>()
  readonly #organizations: ProofOrganization[] = []
  readonly #principals: ProofPrincipal[] = []

  constructor(app: App) {
    this.#app = app
  }

  async build(): Promise<Pick<World, 'organizations' | 'principals' | 'marks'>> {
    for (let index = 0; index < ORGANIZATIONS; index++) await this.#organization(index)
    for (const { kind, home, token } of [...this.#principals]) {
      const organization = this.#organizations[home ?? -1]
      if (kind === 'owner' && organization !== undefined) await makeWaitingBuild(this.#maker(organization, token))
    }
    await this.#system()
    return { organizations: this.#organizations, principals: this.#principals, marks: this.#marks }
  }

  async #organization(index: number): Promise<void> {
    const parent = index < ROOTS ? null : (index - ROOTS) % ROOTS_WITH_TEAMS
    const children =
      index < ROOTS_WITH_TEAMS
        ? Array.from({ length: ORGANIZATIONS - ROOTS }, (_, at) => ROOTS + at).filter(
            (team) => (team - ROOTS) % ROOTS_WITH_TEAMS === index,
          )
        : []
    const people = await this.#people(index, ['owner', 'admin', 'member'])
    const [owner, admin, member] = people as [Person, Person, Person]
    const slug = canary(index, 'slug')
    const row = await this.#write((tx) =>
      insertOrganization(tx, this.#app.runtime, {
        name: canary(index, 'name'),
        displayName: canary(index, 'display'),
        description: canary(index, 'description'),
        slug,
        tier: 'enterprise',
        ownerId: owner.id,
        ...(parent === null ? {} : { parentOrgId: this.#organizations[parent]?.id ?? '' }),
      }),
    )
    await this.#write(async (tx) => {
      for (const [person, role] of [[admin, 'Admin'] as const, [member, 'Member'] as const]) {
        const roleIds = [await builtInRoleId(tx, row.id, role)]
        await insertMembership(tx, this.#app.runtime, { orgId: row.id, userId: person.id, roleIds })
      }
      const { users, organizations } = identityTables(tx)
      for (const { id } of people) await tx.update(users).set({ activeOrgId: row.id }).where(eq(users.id, id))
      await tx.update(organizations).set({ seatLimit: 1000 }).where(eq(organizations.id, row.id))
    })
    const organization: ProofOrganization = {
      index,
      id: row.id,
      slug,
      parent,
      children,
      things: {
        organization: [row.id],
        user: people.map(({ id }) => id),
        role: [],
        invitation: [],
        invitationToken: [],
        principal: [],
        client: [],
        pat: [],
        session: [],
        secret: [],
        rule: [],
        policy: [],
        exemption: [],
        scan: [],
        schedule: [],
        slug: [slug],
        email: people.map(({ email }) => email),
        message: [],
        attachment: [],
        notification: [],
        plugin: [],
        pluginName: [],
        build: [],
        pipeline: [],
        template: [],
      },
    }
    this.#organizations.push(organization)
    // A root and its teams know each other by id and names, not by anything else.
    const family = [index, ...children, ...(parent === null ? [] : [parent])]
    for (const what of ['name', 'display', 'slug']) this.#mark(canary(index, what), family)
    this.#mark(canary(index, 'description'), [index])
    this.#mark(row.id, family)
    // Who administers a root may act in its teams, and stands in their trail then.
    for (const person of [owner, admin]) this.#markPerson(person, [index, ...children])
    this.#markPerson(member, [index])
    const sees = new Set([index, ...children])
    const tokens: string[] = []
    for (const [person, kind] of [
      [owner, 'owner'],
      [admin, children.length > 0 ? 'parent admin' : 'admin'],
      [member, 'member'],
    ] as const) {
      const token = await this.#signIn(person)
      tokens.push(token)
      this.#principals.push({
        kind,
        token,
        home: index,
        sees: kind === 'member' ? new Set([index]) : sees,
        canStepUp: true,
        self: person.id,
      })
    }
    const [asOwner = '', asAdmin = ''] = tokens
    await this.#records(organization, asOwner, asAdmin, sees, admin)
    await this.#compliance(organization, asOwner)
    await this.#notified(organization, asOwner)
    await makeRecords(this.#maker(organization, asOwner))
    await makeDeadBuild(this.#maker(organization, asOwner), createBuildQueue(this.#app.runtime))
    await this.#removed(organization, asOwner)
  }

  #maker({ index, id, children, things }: ProofOrganization, token: string): Maker {
    return {
      index,
      children,
      things,
      named: (what) => canary(index, what),
      post: (path, body) => this.#call('POST', path, token, body, { 'x-org-id': id }),
      mark: (text, seenIn) => this.#mark(text, seenIn),
    }
  }

  /** Who was a member: of every other organization with the token from then, of the rest signed in again. */
  async #removed({ index, id }: ProofOrganization, owner: string): Promise<void> {
    const [person] = (await this.#people(index, ['former'])) as [Person]
    await this.#write(async (tx) => {
      const roleIds = [await builtInRoleId(tx, id, 'Admin')]
      await insertMembership(tx, this.#app.runtime, { orgId: id, userId: person.id, roleIds })
      await tx
        .update(identityTables(tx).users)
        .set({ activeOrgId: id })
        .where(eq(identityTables(tx).users.id, person.id))
    })
    this.#markPerson(person, [index])
    const before = await this.#signIn(person)
    await this.#call('DELETE', `/organization/${id}/members/${person.id}`, owner, undefined)
    const token = index % 2 === 0 ? before : await this.#signIn(person)
    const sees = new Set<number>()
    this.#principals.push({ kind: 'removed member', token, home: index, sees, canStepUp: false, self: person.id })
  }

  /** Everything else that an organization has, made as its people make it. */
  async #records(
    { index, id, things }: ProofOrganization,
    owner: string,
    admin: string,
    sees: ReadonlySet<number>,
    adminPerson: Person,
  ): Promise<void> {
    const at = `/organization/${id}`
    for (let n = 0; n < 2; n++) {
      const named = (what: string) => canary(index, `${what}${n}`)
      const mark = (...texts: string[]) => {
        for (const text of texts) this.#mark(text, [index])
      }
      const role = await this.#call('POST', `${at}/roles`, owner, {
        name: named('role'),
        description: named('roletext'),
        permissions: ['pipelines:read'],
      })
      things.role.push(role.data.role?.id ?? role.data.id)
      const invited = `${named('invited')}@plumbline.test`
      const invitation = await this.#call(
        'POST',
        '/invitation/send',
        owner,
        { email: invited, message: named('message') },
        { 'x-org-id': id },
      )
      const sent = invitation.data.invitation ?? invitation.data
      things.invitation.push(sent.id)
      if (typeof invitation.data.token === 'string') things.invitationToken.push(invitation.data.token)
      await this.#call('PUT', `${at}/secrets/${named('secret')}`, owner, { value: named('value') })
      things.secret.push(named('secret'))
      mark(
        named('role'),
        named('roletext'),
        named('invited'),
        named('message'),
        named('secret'),
        named('value'),
        things.role.at(-1) ?? '',
        sent.id,
      )
    }
    await this.#messages({ index, id, things }, owner, adminPerson)
    const principal = await this.#call(
      'POST',
      `${at}/service-principals`,
      owner,
      { name: canary(index, 'service'), scopes: ['reporting:ingest', 'pipelines:read'], includeTeams: true },
      await this.#stepUp(owner),
    )
    const made = principal.data.servicePrincipal ?? principal.data.principal ?? principal.data
    const secret = principal.data.clientSecret ?? principal.data.secret
    things.principal.push(made.id)
    things.client.push(made.clientId)
    const token = await this.#call('POST', '/auth/token', null, {
      grant_type: 'client_credentials',
      clientId: made.clientId,
      clientSecret: secret,
    })
    this.#principals.push({
      kind: 'service',
      token: token.data.accessToken,
      home: index,
      sees,
      canStepUp: false,
      self: made.clientId,
    })
    const pat = await this.#call(
      'POST',
      '/auth/pats',
      admin,
      { name: canary(index, 'pat'), organizationId: id },
      await this.#stepUp(admin),
    )
    things.pat.push(pat.data.pat.id)
    this.#principals.push({
      kind: 'personal token',
      token: pat.data.token,
      home: index,
      // Bound to its organization; the account of the person stays visible to it.
      sees,
      canStepUp: false,
      self: adminPerson.id,
    })
    const sessions = await this.#call('GET', '/auth/sessions', admin, undefined)
    const listed = sessions.data.sessions ?? sessions.data
    things.session.push(...listed.map((each: { id?: string; sid?: string }) => each.id ?? each.sid))
    // The principal is let into the teams too.
    for (const text of [canary(index, 'service'), made.clientId]) this.#mark(text, [...sees])
    for (const text of [canary(index, 'pat'), made.id, ...things.pat, ...things.session]) this.#mark(text, [index])
  }

  /** Two rules, of which the first is handed down to the teams, and a check that each of them blocks. */
  async #compliance({ index, things, children }: ProofOrganization, owner: string): Promise<void> {
    for (let n = 0; n < 2; n++) {
      const seenIn = n === 0 ? [index, ...children] : [index]
      const texts = ['rule', 'ruletext', 'rulevalue', 'ruletag'].map((what) => canary(index, `${what}${n}`))
      const [name, description, value, tag] = texts
      const made = await this.#call('POST', '/compliance/rules', owner, {
        name,
        description,
        target: 'plugin',
        field: 'description',
        operator: 'neq',
        value,
        tags: [tag],
        propagateToChildren: n === 0,
      })
      things.rule.push(made.data.rule.id)
      for (const text of [...texts, made.data.rule.id]) this.#mark(text, seenIn)
      const policy = await this.#call('POST', '/compliance/policies', owner, {
        name: canary(index, `policy${n}`),
        description: canary(index, `policytext${n}`),
        ruleIds: [made.data.rule.id],
      })
      things.policy.push(policy.data.policy.id)
      const exemption = await this.#call('POST', '/compliance/exemptions', owner, {
        ruleId: made.data.rule.id,
        entityType: 'plugin',
        entityId: `00000000-0000-7000-8000-0000000${String(index).padStart(4, '0')}${n}`,
        entityName: canary(index, `waived${n}`),
        reason: canary(index, `waiver${n}`),
      })
      things.exemption.push(exemption.data.exemption.id)
      for (const what of ['policy', 'policytext', 'waived', 'waiver']) this.#mark(canary(index, `${what}${n}`), [index])
      this.#mark(exemption.data.exemption.id, [index])
      // A team sees the id beside the rule that is handed down, and nothing else of the policy.
      this.#mark(policy.data.policy.id, seenIn)
      const entityName = canary(index, `checked${n}`)
      this.#mark(entityName, [index])
      await this.#call('POST', '/compliance/validate/plugin', owner, { attributes: { description: value }, entityName })
      const target = n === 0 ? 'plugin' : 'pipeline'
      const scan = await this.#call('POST', '/compliance/scans', owner, {
        target,
        filter: { name: canary(index, `scan${n}`) },
      })
      const schedule = await this.#call('POST', '/compliance/scan-schedules', owner, {
        target,
        cronExpression: '30 2 * * *',
      })
      things.scan.push(scan.data.scan.id)
      things.schedule.push(schedule.data.schedule.id)
      for (const text of [canary(index, `scan${n}`), scan.data.scan.id, schedule.data.schedule.id])
        this.#mark(text, [index])
    }
  }

  /** A webhook whose secret nobody ever sees again, a compliance role, and a delivery that failed. */
  async #notified({ index, id: orgId, things }: ProofOrganization, owner: string): Promise<void> {
    const webhookUrl = `https://hooks.example.com/${canary(index, 'hook')}`
    const webhookSecret = canary(index, 'hooksecret')
    await this.#call('PUT', '/compliance/notification-preferences', owner, { webhookUrl, webhookSecret })
    this.#mark(canary(index, 'hook'), [index])
    this.#mark(webhookSecret, [])
    const { ids, clock } = this.#app.runtime
    const [id, deliveryId, attemptId] = [ids.next(), ids.next(), ids.next()]
    const nowMs = clock.now()
    const event = 'compliance.block'
    const [entityName, error] = [canary(index, 'told'), canary(index, 'undelivered')]
    await this.#write(async (tx) => {
      // Past the route, which would end the tokens of the member.
      const role = { id: ids.next(), orgId, userId: things.user.at(-1) ?? '', role: 'viewer', grantedBy: null }
      await tx.insert(identityTables(tx).complianceRoles).values({ ...role, createdAtMs: nowMs, updatedAtMs: nowMs })
      const t = notificationTables(tx)
      const payload = { id, event, orgId, entityName }
      const common = { orgId, createdAtMs: nowMs }
      await tx
        .insert(t.notifications)
        .values({ ...common, id, onceKey: id, event, priority: 'high', payload, relatedCheckId: null })
      const delivery = { ...common, id: deliveryId, notificationId: id, channel: 'webhook', state: 'failed' }
      await tx.insert(t.deliveries).values({ ...delivery, attempts: 1, attemptsBefore: 0, updatedAtMs: nowMs })
      const attempt = {
        ...common,
        id: attemptId,
        notificationId: id,
        deliveryId,
        event,
        channel: 'webhook',
        attempt: 1,
      }
      await tx
        .insert(t.attempts)
        .values({ ...attempt, status: 'failed', responseCode: 404, error, nextRetryAtMs: null })
    })
    things.notification.push(attemptId)
    for (const text of [id, deliveryId, attemptId, entityName, error]) this.#mark(text, [index])
  }

  /** To the organization itself: one with a file for everybody in it, one for a single member, and an upload that waits. */
  async #messages(
    { index, id, things }: Pick<ProofOrganization, 'index' | 'id' | 'things'>,
    owner: string,
    { id: recipientUserId }: Person,
  ): Promise<void> {
    const files: string[] = []
    for (const what of ['filea', 'fileb']) {
      const form = new FormData()
      form.set('file', new File([canary(index, what)], `${canary(index, `${what}name`)}.txt`, { type: 'text/plain' }))
      const { data } = await this.#call('POST', '/messages/attachments', owner, form, { 'x-org-id': id })
      files.push(data.attachment.id)
      for (const text of [canary(index, what), canary(index, `${what}name`), data.attachment.id])
        this.#mark(text, [index])
    }
    const [linked = '', waiting = ''] = files
    things.attachment.push(waiting, linked)
    for (const [n, more] of [{ recipientUserId }, { attachmentIds: [linked] }].entries()) {
      const [subject, content] = [canary(index, `subject${n}`), canary(index, `content${n}`)]
      const message = { recipientOrgId: id, subject, content, channel: canary(index, `channel${n}`), ...more }
      const { data } = await this.#call('POST', '/messages', owner, message, { 'x-org-id': id })
      things.message.push(data.message.id)
      for (const text of [subject, content, message.channel, data.message.id]) this.#mark(text, [index])
    }
  }

  async #system(): Promise<void> {
    const everywhere = new Set(this.#organizations.map(({ index }) => index))
    const [admin] = (await this.#people(99, ['super'])) as [Person]
    await this.#write((tx) => grantSuperAdmin(tx, this.#app.runtime, admin.id))
    const token = await this.#signIn(admin)
    this.#principals.push({
      kind: 'super admin',
      token,
      home: null,
      sees: everywhere,
      canStepUp: true,
      self: admin.id,
    })
    for (const { self, home, sees } of this.#principals.filter(({ kind }) => kind === 'owner')) {
      const reason = { reason: 'a question of support' }
      const acting = await this.#call('POST', `/admin/impersonate/${self}`, token, reason, await this.#stepUp(token))
      this.#principals.push({
        kind: 'impersonator',
        token: acting.data.accessToken,
        home,
        sees,
        canStepUp: false,
        self,
      })
    }
    this.#principals.push({
      kind: 'anonymous',
      token: '',
      home: null,
      sees: new Set(),
      canStepUp: false,
      self: 'nobody',
    })
    const made = await this.#call(
      'POST',
      `/organization/${SYSTEM_ORG_ID}/service-principals`,
      token,
      {
        name: 'billing',
        scopes: ['seats:sync', 'members:probe', 'audit:ingest', 'quota:increment', 'quota:reset', 'messages:notify'],
      },
      await this.#stepUp(token),
    )
    const principal = made.data.servicePrincipal ?? made.data.principal ?? made.data
    const access = await this.#call('POST', '/auth/token', null, {
      grant_type: 'client_credentials',
      clientId: principal.clientId,
      clientSecret: made.data.clientSecret ?? made.data.secret,
    })
    this.#principals.push({
      kind: 'system service',
      token: access.data.accessToken,
      home: null,
      sees: everywhere,
      canStepUp: false,
      self: principal.clientId,
    })
  }

  async #people(index: number, names: readonly string[]): Promise<Person[]> {
    const passwordHash = await hashPassword(PASSWORD, { log2N: 4, r: 8, p: 3 })
    const made: Person[] = []
    for (const name of names) {
      const username = canary(index, name)
      const email = `${canary(index, `${name}mail`)}@plumbline.test`
      const { id } = await this.#write((tx) =>
        insertUser(tx, this.#app.runtime, { username, email, passwordHash, isEmailVerified: true }),
      )
      made.push({ id, username, email })
    }
    return made
  }

  #markPerson({ id, username, email }: Person, seenIn: readonly number[]): void {
    for (const text of [id, username, email.replace(/@.*/, '')]) this.#mark(text, seenIn, id)
  }

  #mark(text: string, seenIn: readonly number[], owner?: string): void {
    if (text === '') throw new Error('nothing to mark')
    this.#marks.set(text.toLowerCase(), { text, seenIn: new Set(seenIn), ...(owner !== undefined && { owner }) })
  }

  #write<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#app.runtime.store.system.write(run, 'proof')
  }

  async #signIn({ username }: Person): Promise<string> {
    const { data } = await this.#call('POST', '/auth/login', null, { identifier: username, password: PASSWORD })
    return data.accessToken
  }

  async #stepUp(token: string): Promise<Record<string, string>> {
    const { data } = await this.#call('POST', '/auth/step-up', token, { method: 'password', password: PASSWORD })
    return { 'x-step-up-token': data.stepUpToken }
  }

  async #call(
    method: string,
    path: string,
    token: string | null,
    body: unknown,
    headers: Record<string, string> = {},
    // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  ): Promise<any> {
    const response = await this.#app.http.fetch(
      new Request(`http://plumbline.test/api${path}`, {
        method,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
      }),
    )
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? {} : JSON.parse(text)
  }
}
