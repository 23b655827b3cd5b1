/**
 * The door of an organization that asks for its provider, for every operation: it is closed to a session without a proof alone, whatever
 * state the provider is in, and a confined session passes no other.
 */
import { eq } from 'drizzle-orm'
import type { App } from '../../src/app.js'
import { identityOf, makeTokenSet, openSession, proveSession, readStanding } from '../../src/identity/index.js'
import { identityTables } from '../../src/identity/tables.js'
import { isByHeader, type Operation } from '../../src/runtime/operation/operation.js'
import { ssoTables } from '../../src/sso/tables.js'
import type { World } from '../world/model.js'
import { pathOf, send } from './call.js'

const OWN = 0
const STRANGER = 1
const NOBODY = '99999999-9999-7999-8999-999999999999'
export const DOOR_CALLERS = ['plain', 'attached', 'confined', 'token'] as const
type Caller = (typeof DOOR_CALLERS)[number]
const STATES = {
  works: { enabled: true },
  broken: { enabled: true, issuer: 'https://broken.invalid' },
} as const

export interface Door {
  /** What is wrong with the doors of these operations of the organization's tenants. */
  closed(operations: readonly Operation[]): Promise<string[]>
  /** Where a confined session got past the door of another organization. */
  passed(operations: readonly Operation[]): Promise<string[]>
}

/** Sessions of the owner of the first organization, one of each kind. */
async function sessionsOf(world: World, app: App): Promise<ReadonlyMap<Caller, string>> {
  const found = (kind: string) => {
    const principal = world.principals.find((each) => each.kind === kind && each.home === OWN)
    if (principal === undefined) throw new Error(`no ${kind} of the first organization`)
    return principal
  }
  const [orgId, userId] = [world.organizations[OWN]?.id ?? '', found('owner').self]
  const { runtime } = app
  const tokens = new Map<Caller, string>([['token', found('personal token').token]])
  await runtime.store.system.write(async (tx) => {
    const { users } = identityTables(tx)
    const { identityProviders } = ssoTables(tx)
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    const [provider] = await tx.select().from(identityProviders).where(eq(identityProviders.orgId, orgId))
    if (user === undefined || provider === undefined) throw new Error('the world has no owner, or no provider of them')
    const standing = await readStanding(tx, runtime.settings, userId, orgId)
    const by = { orgId, providerId: provider.id, subject: 'owner', sid: null, hours: 1 }
    const request = { ip: '127.0.0.1', userAgent: null } as never
    const open = (more: object = {}) => openSession(tx, runtime, request, { user, standing, methods: ['pwd'], ...more })
    const [plain, attached, confined] = [await open(), await open(), await open({ by })]
    await proveSession(tx, { sessionId: attached.session.id, orgId, by, nowMs: runtime.clock.now() })
    for (const [name, parts] of Object.entries({ plain, attached, confined })) {
      tokens.set(name as Caller, (await makeTokenSet(runtime, parts)).accessToken)
    }
  })
  return tokens
}

type Answers = ReadonlyMap<string, string>

/** @param opened what each kind of caller was answered while the door was open. */
function wrongAt(state: string, caller: Caller, now: Answers, opened: Answers | undefined): string[] {
  return [...now].flatMap(([name, answer]) => {
    const before = opened?.get(name) ?? ''
    const isClosed = answer === '401 SSO_REQUIRED'
    // What nobody of a person's rights may do is refused as before.
    const wasRefused = before === '403 INSUFFICIENT_PERMISSIONS'
    const isWrong = caller === 'plain' ? !isClosed && !wasRefused : isClosed
    return isWrong ? [`enforced, the provider ${state}: ${caller} ${name} ${before} became ${answer}`] : []
  })
}

/** The world is reset by who called, once all is asked. */
export async function doorOf(world: World, app: App): Promise<Door> {
  const tokens = await sessionsOf(world, app)
  const organization = (index: number) => world.organizations[index]?.id ?? ''

  async function change(enforcedAtMs: number | null, provider: { enabled?: boolean; issuer?: string }): Promise<void> {
    const id = organization(OWN)
    await app.runtime.store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      const { identityProviders } = ssoTables(tx)
      await tx.update(organizations).set({ ssoEnforcedAtMs: enforcedAtMs }).where(eq(organizations.id, id))
      await tx.update(identityProviders).set(provider).where(eq(identityProviders.orgId, id))
    })
    identityOf(app).directory.drop({ orgId: id })
  }

  /** A request that gets past the door and does nothing: its body is refused, and its ids are nobody's. */
  async function knock(operation: Operation, caller: Caller, tenant = OWN): Promise<string> {
    const names = Object.keys(operation.input.path?.properties ?? {}).map((name) => [name, NOBODY])
    const path = Object.fromEntries(names)
    if (operation.tenant.from === 'path') path[operation.tenant.name] = organization(tenant)
    const { status, text } = await send(app, {
      method: operation.http.method.toUpperCase(),
      target: pathOf(operation, path),
      headers: {
        authorization: `Bearer ${tokens.get(caller)}`,
        'content-type': 'application/json',
        ...(isByHeader(operation.tenant) ? { 'x-org-id': organization(tenant) } : {}),
      },
      body: '{"unheardOf":1}',
    })
    // What is sent with success may be lines or a file.
    if (status < 400) return `${status} `
    const code = text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : undefined
    return `${status} ${code}`
  }

  const all = async (caller: Caller, operations: readonly Operation[]) => {
    const said = new Map<string, string>()
    for (const operation of operations) said.set(operation.name, await knock(operation, caller))
    return said
  }

  return {
    async closed(operations) {
      const opened = new Map<Caller, Map<string, string>>()
      for (const caller of DOOR_CALLERS) opened.set(caller, await all(caller, operations))
      const wrong: string[] = []
      for (const [caller, said] of opened) {
        for (const [name, answer] of said) if (answer.includes('SSO_REQUIRED')) wrong.push(`open: ${caller} ${name}`)
      }
      for (const [state, provider] of Object.entries(STATES)) {
        await change(1, provider)
        for (const caller of DOOR_CALLERS)
          wrong.push(...wrongAt(state, caller, await all(caller, operations), opened.get(caller)))
      }
      await change(null, { enabled: true })
      return wrong
    },
    async passed(operations) {
      const wrong: string[] = []
      for (const operation of operations) {
        const answer = await knock(operation, 'confined', STRANGER)
        if (!/^(404 NOT_FOUND|403 ORG_MISMATCH)$/.test(answer)) wrong.push(`elsewhere: ${operation.name} ${answer}`)
      }
      return wrong
    },
  }
}
