/**
 * Sends requests of every kind of caller with the names of every other organization in every place that takes one, and
 * looks for foreign marks in all that leaves: answers, headers, log lines, e-mails, exports. After each change it asks the
 * database whose rows differ.
 *
 * INVARIANT: nobody is shown or changes a row of an organization in which they have no part.
 */
import fc from 'fast-check'
import type { App } from '../../src/app.js'
import { SYSTEM_ORG_ID } from '../../src/runtime/ids.js'
import { isByHeader, type Operation } from '../../src/runtime/operation/operation.js'
import { createSecretBox } from '../../src/runtime/secret-box.js'
import { confirmation, credential, headerText, pathOf, queryOf, send } from '../requests/call.js'
import { fileFor } from '../requests/files.js'
import { fromSchema, type Schema, type Slot } from '../requests/from-schema.js'
import type { Answer, ProofRequest } from '../requests/request.js'
import { kindOf } from '../requests/slots.js'
import { CANARY, type ProofOrganization, type ProofPrincipal, type World } from '../world/model.js'
import { createRandom, type Random } from '../world/random.js'

export interface IsolationReport {
  readonly requests: number
  /** Requests that were answered with success, of all and with a foreign name in them. */
  readonly succeeded: number
  readonly statuses: Readonly<Record<number, number>>
  readonly mails: number
  readonly failures: readonly string[]
}

const FAILURES_MAX = 10
const UUIDS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const CLIENTS = /plc_[0-9a-f]{24}/g

/** Whose name stands in a place, and in what spelling. */
const WHOSE = ['own', 'own', 'foreign', 'foreign', 'foreign', 'parent', 'child', 'absent'] as const
const SPELLINGS = ['plain', 'plain', 'plain', 'plain', 'plain', 'doubled', 'cased', 'spaced', 'encoded'] as const

export async function isolation(
  world: World,
  { requests, seed, failuresMax = FAILURES_MAX }: { requests: number; seed: number; failuresMax?: number },
): Promise<IsolationReport> {
  const app = world.open()
  const random = createRandom(seed)
  const makers = app.operations.map((operation, at) => ({
    operation,
    make: requestMaker(world, operation, random, seed * 131 + at),
  }))
  const failures: string[] = []
  const statuses: Record<number, number> = {}
  let [done, succeeded, mails] = [0, 0, 0]
  try {
    while (done < requests && failures.length < failuresMax) {
      const { operation, make } = makers[done % makers.length] as (typeof makers)[number]
      done += 1
      const principal = choosePrincipal(world, operation, random)
      const { request, tenant } = await make(app, principal)
      world.takeLog()
      const answer = await send(app, request)
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      const log = world.takeLog()
      let found = inspect(world, operation, principal, tenant, request, answer, log)
      if (answer.status < 300) succeeded += 1
      // Only where something is found: whom the request itself has made a member may be shown.
      if (found.length > 0 && answer.status < 300 && tenant !== null) {
        const members = await membersFromTheAccount(world, tenant)
        found = inspect(world, operation, principal, tenant, request, answer, log, members)
      }
      // Whatever the answer was, and of a query too.
      const written = (await world.database.touched()).filter((table) => !NOT_COMPARED.has(table))
      if (written.length > 0) {
        if (written.includes('jobs')) {
          const sent = await queuedMails(world, app)
          mails += sent.length
          found.push(...inspectMails(world, operation, principal, tenant, request, sent))
        }
        found.push(...(await inspectChanges(world, operation, principal, tenant, written)))
      }
      if (written.length > 0 || (answer.status < 300 && operation.kind === 'command')) await world.reset()
      if (found.length > 0) {
        failures.push(
          `#${done} ${operation.name} as ${principal.kind} of ${principal.home}: ${found.join('; ')}\n  ${request.method} ${request.target} ${JSON.stringify({ ...request.headers, authorization: '…' })} ${request.body ?? ''} ${request.file?.says ?? ''}\n  ${answer.status} ${answer.text.slice(0, 400)}`,
        )
      }
    }
  } finally {
    await app.close()
    await world.reset()
  }
  return { requests: done, succeeded, statuses, mails, failures }
}

/** Half of the time somebody whose kind can open the door, so that the operation itself is reached. */
function choosePrincipal({ principals }: World, { access }: Operation, random: Random): ProofPrincipal {
  if (random.next() < 0.4) return random.pick(principals)
  const isFor = (kind: string) => access.doors.some((door) => door.kind === kind)
  const kinds =
    isFor('permission') || isFor('owner') || isFor('member')
      ? ['owner', 'admin', 'parent admin', 'personal token']
      : isFor('scope')
        ? ['system service', 'service']
        : isFor('system-admin')
          ? ['super admin', 'owner']
          : ['owner', 'admin', 'member']
  const kind = random.pick(kinds)
  return random.pick(principals.filter((each) => each.kind === kind))
}

const OPENED_BY_SYSTEM: ReadonlySet<string> = new Set([
  'message.inbox.list',
  'message.message.get',
  'message.thread.get',
  'message.attachment.list',
  'message.attachment.get',
])

/** What the caller may see in the answer to this request: organizations by number. */
function visible(
  operation: Operation,
  principal: ProofPrincipal,
  tenant: ProofOrganization | null,
): ReadonlySet<number> {
  if (operation.tenant.from === 'none') return principal.sees
  if (operation.acrossForSystemAdmins !== undefined && principal.kind === 'super admin') return principal.sees
  // Without a header a system administrator works in the system organization, whose members may open any conversation (ADR 73).
  if (tenant === null && principal.kind === 'super admin' && OPENED_BY_SYSTEM.has(operation.name)) return principal.sees
  if (tenant === null) return principal.home === null ? new Set() : principal.sees
  const family = [tenant.index, ...tenant.children]
  return new Set(family.filter((index) => principal.sees.has(index)))
}

function inspect(
  world: World,
  operation: Operation,
  principal: ProofPrincipal,
  tenant: ProofOrganization | null,
  request: ProofRequest,
  answer: Answer,
  log: string,
  members: ReadonlySet<string> = new Set(),
): string[] {
  const isOpen = operation.access.doors.some(({ kind }) => kind === 'public')
  const seen = isOpen ? new Set<number>() : visible(operation, principal, tenant)
  const found: string[] = []
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n')
  const sent = known(request)
  for (const [where, text] of [
    ['the answer', answer.text],
    ['a header', headers],
    ['the log', log],
  ] as const) {
    const foreign = foreignMarks(
      world,
      text,
      seen,
      principal,
      isOpen && !text.startsWith('{"success":false') ? '' : sent,
      members,
    )
    if (foreign.length > 0 && !(isOpen && showsWhatATokenOpens(request))) {
      found.push(`${where} holds ${foreign.join(', ')}`)
    }
  }
  if (answer.status < 300 && tenant !== null && operation.tenant.from !== 'none' && !principal.sees.has(tenant.index)) {
    found.push(`acts in organization ${tenant.index}, in which the caller has no part`)
  }
  return found
}

/** Anyone who holds the link of an invitation, or a person's password, is shown what it opens. */
const showsWhatATokenOpens = ({ body, target }: ProofRequest): boolean =>
  /"token"|password|clientSecret|refreshToken/.test(body ?? '') || /^\/invitation\//.test(target)

/** Who is a member of the organization now and comes from its account: a team takes in people of its account by name. */
async function membersFromTheAccount(world: World, { id, index, parent }: ProofOrganization): Promise<Set<string>> {
  const root = parent ?? index
  const account = world.organizations.filter((each) => each.index === root || each.parent === root)
  const people = new Set(account.flatMap(({ things }) => things.user))
  const rows = await world.database.rows(`SELECT user_id FROM memberships WHERE org_id = '${id}'`)
  return new Set(rows.map((row) => String(row['user_id'])).filter((userId) => people.has(userId)))
}

/** Marks in a text that none of the seen organizations has, and that the request did not bring itself. */
function foreignMarks(
  { marks }: World,
  text: string,
  seen: ReadonlySet<number>,
  principal: ProofPrincipal,
  sent: string,
  members: ReadonlySet<string> = new Set(),
): string[] {
  const candidates = new Set([CANARY, UUIDS, CLIENTS].flatMap((pattern) => text.match(pattern) ?? []))
  return [...candidates].filter((candidate) => {
    const mark = marks.get(candidate.toLowerCase())
    if (mark === undefined || mark.owner === principal.self || mark.text === principal.self) return false
    if (mark.owner !== undefined && members.has(mark.owner)) return false
    if ([...mark.seenIn].some((index) => seen.has(index))) return false
    return !sent.includes(candidate.toLowerCase())
  })
}

/** The text of a request as its parts may come back in an answer. */
function known({ target, headers, body = '', file }: ProofRequest): string {
  let decoded = target
  try {
    decoded = decodeURIComponent(target)
  } catch {
    // As it was sent, then.
  }
  return `${target} ${decoded} ${headers['x-org-id'] ?? ''} ${body} ${file?.says ?? ''}`.toLowerCase()
}

export interface Mail {
  readonly to: string
  readonly text: string
}

export async function queuedMails({ database }: World, { runtime }: App): Promise<Mail[]> {
  const box = createSecretBox(runtime.settings.SECRET_ENCRYPTION_KEYS ?? [])
  const rows = await database.rows(
    "SELECT payload FROM jobs WHERE kind = 'mail.send' AND id NOT IN (SELECT id FROM kept_jobs)",
  )
  return rows.map(({ payload }) => {
    const { sealed } = (typeof payload === 'string' ? JSON.parse(payload) : payload) as { sealed: string }
    const text = box.open(sealed, 'mail')
    return { to: (JSON.parse(text) as { to: string }).to, text }
  })
}

/** An e-mail may tell what its sender and its recipient may know. */
function inspectMails(
  world: World,
  operation: Operation,
  principal: ProofPrincipal,
  tenant: ProofOrganization | null,
  request: ProofRequest,
  mails: readonly Mail[],
): string[] {
  return mails.flatMap(({ to, text }) => {
    const seen = new Set(visible(operation, principal, tenant))
    for (const { index, things } of world.organizations) if (things.email.includes(to)) seen.add(index)
    const foreign = foreignMarks(world, text, seen, principal, known(request))
    return foreign.length === 0 ? [] : [`an e-mail to ${to} holds ${foreign.join(', ')}`]
  })
}

/** What a person has with them, and evidence, also of refusals that came before: no change of an organization's records. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'personal_access_tokens',
  'sessions',
  'refresh_tokens',
  'audit_outbox',
])

async function inspectChanges(
  world: World,
  operation: Operation,
  principal: ProofPrincipal,
  tenant: ProofOrganization | null,
  written: readonly string[],
): Promise<string[]> {
  const mayChange = operation.tenant.from === 'none' ? principal.sees : visible(operation, principal, tenant)
  // The tier and the seats of a team are its account's, and only who stands above all accounts sets them.
  const isAboveAccounts = principal.kind === 'super admin' || principal.kind === 'system service'
  // A link or a password that was sent along is the right itself.
  if (operation.access.doors.some(({ kind }) => kind === 'public')) return []
  const byId = new Map(world.organizations.map((each) => [each.id, each.index]))
  const changes = await world.database.changes(written)
  return changes.flatMap(({ table, orgId }) => {
    const index = orgId === null ? undefined : byId.get(orgId)
    if (index === undefined || mayChange.has(index) || (isAboveAccounts && index === tenant?.parent)) return []
    return [`rows of ${table} of organization ${index} were changed`]
  })
}

export type RequestMaker = (
  app: App,
  principal: ProofPrincipal,
) => Promise<{ request: ProofRequest; tenant: ProofOrganization | null }>

const ABSENT = '99999999-9999-7999-8999-999999999999'

/** Chooses the names that one request holds, and how each is spelt. */
class NameChooser {
  home: ProofOrganization
  // In half of the requests one place alone is not the caller's own: a second foreign name would hide its effect.
  #placesBefore = 0
  #only = -1

  constructor(
    readonly world: World,
    readonly operation: Operation,
    readonly random: Random,
    readonly isAllOwn: boolean,
  ) {
    this.home = world.organizations[0] as ProofOrganization
  }

  begin(principal: ProofPrincipal): void {
    const { organizations } = this.world
    this.home = organizations[principal.home ?? this.random.below(organizations.length)] as ProofOrganization
    this.#placesBefore = 0
    this.#only = this.random.next() < 0.5 ? this.random.below(3) : -1
  }

  organization(): ProofOrganization | null {
    const { home, random } = this
    const { organizations } = this.world
    const whose = this.isAllOwn ? 'own' : random.pick(WHOSE)
    if (whose === 'own') return home
    if (whose === 'parent') return home.parent === null ? home : (organizations[home.parent] ?? home)
    if (whose === 'child')
      return home.children.length === 0 ? home : (organizations[random.pick(home.children)] ?? home)
    return whose === 'absent' ? null : random.pick(organizations)
  }

  spell(text: string): string {
    const { random } = this
    switch (this.isAllOwn ? 'plain' : random.pick(SPELLINGS)) {
      case 'doubled':
        return random.next() < 0.5 ? `${text},${random.pick(this.world.organizations).id}` : `${text}${text}`
      case 'cased':
        return text.toUpperCase()
      case 'spaced':
        return ` ${text}\t`
      case 'encoded':
        return `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`
      default:
        return text
    }
  }

  readonly slot: Slot = (name, schema) => {
    const kind = kindOf(this.operation, name, schema)
    if (kind === null && name !== 'search') return null
    return () => {
      const isOwn = this.#only >= 0 && this.#placesBefore++ !== this.#only
      const things = (isOwn ? this.home : this.organization())?.things
      if (things === undefined) return ABSENT
      const from = kind === 'any' || kind === null ? Object.values(things).flat() : things[kind]
      if (from.length === 0) return ABSENT
      return isOwn ? this.random.pick(from) : this.spell(this.random.pick(from))
    }
  }

  /** Now and then the query repeats its first filter, with the name of another organization's thing. */
  again(query: string): string {
    const { random } = this
    const [, name] = /^\?(\w+)=/.exec(query) ?? []
    if (name === undefined || this.isAllOwn || random.next() < 0.9) return query
    const things = Object.values(random.pick(this.world.organizations).things).flat()
    return `${query}&${name}=${encodeURIComponent(random.pick(things))}`
  }

  header(): string {
    const { random, home } = this
    const org = random.next() < 0.5 ? home : this.organization()
    return headerText(this.spell(org === null ? ABSENT : random.next() < 0.7 ? org.id : org.slug))
  }

  /** The body of an upload has a real file, which names things of other organizations too. */
  bodyOf(body: unknown): Pick<ProofRequest, 'body' | 'file'> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const { operation, random } = this
    if (operation.kind !== 'command' || operation.upload === undefined) return { body: text }
    const naming = () => random.pick((this.organization() ?? this.home).things.pluginName)
    return { body: text, file: fileFor(operation, naming, random) }
  }
}

/** @param isOwn names nothing but what the caller's own organization has, in the spelling that it has. */
export function requestMaker(
  world: World,
  operation: Operation,
  random: Random,
  seed: number,
  { isOwn: isAllOwn = false } = {},
): RequestMaker {
  const names = new NameChooser(world, operation, random, isAllOwn)
  const part = (schema: unknown) => (schema === undefined ? null : fromSchema(schema as Schema, names.slot))
  const parts = [operation.input.path, operation.input.query, operation.input.body].map(part)
  let count = 0
  const sample = (arbitrary: fc.Arbitrary<unknown> | null | undefined): unknown => {
    if (arbitrary === null || arbitrary === undefined) return undefined
    count += 1
    return fc.sample(arbitrary, { seed: seed * 8209 + count, numRuns: 1 })[0]
  }

  return async (app, principal) => {
    names.begin(principal)
    const [path, query, body] = parts.map(sample)
    const values = { ...(path as Record<string, unknown>) }
    // Many filters at once find nothing: half of the requests have none.
    const filters = random.next() < 0.5 ? {} : (query ?? {})
    // The tenant of the path is often the caller's own, so that foreign names reach the code behind it.
    if (operation.tenant.from === 'path' && (isAllOwn || random.next() < 0.5))
      values[operation.tenant.name] = names.home.id
    const headers: Record<string, string> = {
      ...credential(principal),
      ...(await confirmation(app, operation, principal)),
    }
    if (body !== undefined) headers['content-type'] = 'application/json'
    if (operation.kind === 'stream' && random.next() < 0.5) headers['accept'] = 'text/event-stream'
    if (random.next() < (isByHeader(operation.tenant) ? 0.8 : 0.1)) headers['x-org-id'] = names.header()
    return {
      request: {
        method: operation.http.method.toUpperCase(),
        target: `${pathOf(operation, values)}${names.again(queryOf(filters as Record<string, unknown>))}`,
        headers,
        ...names.bodyOf(body),
      },
      tenant: tenantOf(world, operation, values, headers['x-org-id'], principal),
    }
  }
}

/** The organization that the request means; null for one outside the world, such as the system's. */
function tenantOf(
  { organizations }: World,
  { tenant }: Operation,
  path: Record<string, unknown>,
  header: string | undefined,
  principal: ProofPrincipal,
): ProofOrganization | null {
  if (tenant.from === 'path') return organizations.find(({ id }) => id === path[tenant.name]) ?? null
  if (tenant.from === 'none') return null
  if (header === undefined) return principal.home === null ? null : (organizations[principal.home] ?? null)
  const name = header.trim().toLowerCase()
  if (name === 'system' || name === SYSTEM_ORG_ID) return null
  return organizations.find(({ id, slug }) => id === name || slug === name) ?? null
}
