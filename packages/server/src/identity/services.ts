/**
 * The services that identity operations share in one process: tokens, passwords, the directory, the secret box. They
 * are created once per runtime and found through it, so that an operation stays a plain object.
 */
import { and, eq, isNull, lt, or } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import type { Authenticator } from '../runtime/http/authenticator.js'
import type { Runtime } from '../runtime/operation/context.js'
import { perRuntime } from '../runtime/per-runtime.js'
import type { OwnerPort } from '../runtime/records/owners.js'
import type { Bus } from '../runtime/redis/redis.js'
import { createSecretBox, type SecretBox } from '../runtime/secret-box.js'
import { createAuthenticator } from './authenticator.js'
import { createPasswords, PASSWORDS_AT_ONCE, PASSWORDS_WAITING_MAX, type Passwords } from './credential/passwords.js'
import { credentialTables } from './credential/tables.js'
import { createDirectory, type Directory, type StaleChannel } from './directory.js'
import { ownersIn } from './owners.js'
import { provisioningTables } from './provisioning-tables.js'
import { createKeyRing } from './token/key-ring.js'
import { createTokens, type Tokens } from './token/tokens.js'

export interface IdentityServices {
  readonly tokens: Tokens
  readonly passwords: Passwords
  readonly directory: Directory
  readonly box: SecretBox
  readonly authenticator: Authenticator
  readonly owners: OwnerPort
  /** Waits for pending writes of usage marks and changes; called before the store is closed. */
  settle(): Promise<void>
}

/** Scrypt's block size and parallelism; only the cost is a setting (spec platform 4.5). */
const SCRYPT_R = 8
const SCRYPT_P = 3

const USE_MARK_MS = 60_000

const servicesOf = perRuntime((runtime): IdentityServices => {
  const { settings, bus } = runtime
  const tokens = createTokens({
    clock: runtime.clock,
    ids: runtime.ids,
    issuer: issuerOf(runtime),
    keys: createKeyRing(settings.JWT_ALG, settings.JWT_KEYS ?? []),
  })
  const directory = createDirectory(runtime, bus === undefined ? undefined : staleChannel(bus))
  const markedAtMs = new LRUCache<string, number>({ max: 20_000 })
  const marking = new Set<Promise<void>>()
  const mark = (id: string, write: typeof markUse): void => {
    const nowMs = runtime.clock.now()
    if (nowMs - (markedAtMs.get(id) ?? 0) < USE_MARK_MS) return
    markedAtMs.set(id, nowMs)
    // A failed write of a usage mark must not fail the request.
    const marked = write(runtime, id, nowMs).catch(() => undefined)
    marking.add(marked)
    void marked.then(() => marking.delete(marked))
  }
  return {
    tokens,
    directory,
    owners: ownersIn(directory),
    passwords: createPasswords({
      cost: { log2N: settings.PASSWORD_HASH_COST, r: SCRYPT_R, p: SCRYPT_P },
      atOnce: PASSWORDS_AT_ONCE,
      waitingMax: PASSWORDS_WAITING_MAX,
    }),
    box: createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []),
    authenticator: createAuthenticator({
      runtime,
      directory,
      tokens,
      onUse: (tokenId) => mark(tokenId, markUse),
      onScimUse: (tokenId) => mark(tokenId, markScimUse),
      onSessionUse: (sessionId) => mark(sessionId, markSessionUse),
    }),
    async settle() {
      await Promise.all(marking)
      await directory.settle()
    },
  }
})

const STALE = 'identity.stale'

const staleChannel = (bus: Bus): StaleChannel => ({
  publish: (stale) => bus.publish(STALE, stale),
  subscribe: (listener) => bus.subscribe(STALE, (message) => listener(message as Parameters<typeof listener>[0])),
})

async function markUse(runtime: Runtime, tokenId: string, nowMs: number): Promise<void> {
  await runtime.store.system.write(async (tx) => {
    const { personalAccessTokens: table } = credentialTables(tx)
    const isOld = or(isNull(table.lastUsedAtMs), lt(table.lastUsedAtMs, nowMs - USE_MARK_MS + 1))
    await tx
      .update(table)
      .set({ lastUsedAtMs: nowMs })
      .where(and(eq(table.id, tokenId), isOld))
  })
}

async function markScimUse(runtime: Runtime, tokenId: string, nowMs: number): Promise<void> {
  await runtime.store.system.write(async (tx) => {
    const { scimTokens: table } = provisioningTables(tx)
    const isOld = or(isNull(table.lastUsedAtMs), lt(table.lastUsedAtMs, nowMs - USE_MARK_MS + 1))
    await tx
      .update(table)
      .set({ lastUsedAtMs: nowMs })
      .where(and(eq(table.id, tokenId), isOld))
  })
}

async function markSessionUse(runtime: Runtime, sessionId: string, nowMs: number): Promise<void> {
  await runtime.store.system.write(async (tx) => {
    const { sessions } = credentialTables(tx)
    await tx
      .update(sessions)
      .set({ lastUsedAtMs: nowMs })
      .where(and(eq(sessions.id, sessionId), lt(sessions.lastUsedAtMs, nowMs - USE_MARK_MS + 1)))
  })
}

export const identityOf = ({ runtime }: { readonly runtime: Runtime }): IdentityServices => servicesOf(runtime)

/** The public base URL: the issuer of tokens. */
export const issuerOf = ({ settings }: Pick<Runtime, 'settings'>): string =>
  settings.JWT_ISSUER ?? settings.PUBLIC_URL ?? `http://${settings.HOST}:${settings.PORT}`
