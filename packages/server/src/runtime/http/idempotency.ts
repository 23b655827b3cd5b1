/**
 * `Idempotency-Key`: a retried request has its effect once and gets the same answer.
 *
 * A claim is committed first. The transaction of the effect sets it to `done` and stores the answer. So a crash leaves
 * a claim whose lease ends, and never an effect without its answer. Source: spec platform 1.14.
 */
import { createHash, hkdfSync } from 'node:crypto'
import { canonicalText, type JsonValue } from '@plumbline/audit-chain'
import { and, eq, inArray, lte } from 'drizzle-orm'
import { invalidField, Refusal } from '../errors.js'
import type { Principal, Runtime } from '../operation/context.js'
import type { AnyCommand } from '../operation/operation.js'
import { openWith, sealWith } from '../secret-box.js'
import type { StoreScope, Tx } from '../store/db.js'
import { insertNew } from '../store/prepared.js'
import type { Rendered } from './envelope.js'
import { type Call, type CheckedInput, scopeOf } from './execute.js'
import type { SentHeaders } from './sent-headers.js'
import { httpTables } from './tables.js'

const LEASE_MS = 60_000
const KEPT_MS = 86_400_000

/** The right of one request to run. */
export interface Claim {
  readonly key: string
  readonly keyHash: string
  readonly claimId: string
  /** The digest of the step-up token of the request; empty without one. */
  readonly stepUp: string
  readonly scope: StoreScope
}

export interface Replay {
  readonly answer: Rendered
  /** True when the request has the step-up token that the first request used up. */
  readonly hasSameStepUp: boolean
  /** True when the first request had a step-up token. */
  readonly wasConfirmed: boolean
}

export type Claimed = { readonly claim: Claim } | { readonly replayed: Replay }

/** The value of the header; null when the operation ignores the header for this caller. */
export function idempotencyKeyOf(operation: AnyCommand, principal: Principal, headers: SentHeaders): string | null {
  if (!operation.idempotent || principal.kind === 'anonymous') return null
  const key = headers.get('idempotency-key')
  if (key !== null && !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw invalidField('/headers/idempotency-key', 'is not 1 to 200 printable characters', 'idempotency_key')
  }
  return key
}

/**
 * @param stepUpToken The step-up token of the request.
 * @throws Refusal 422 for another request under the key, 409 while the first one runs.
 */
export async function claim(
  operation: AnyCommand,
  call: Call,
  input: CheckedInput,
  key: string,
  stepUpToken: string | null,
): Promise<Claimed> {
  const { runtime, principal, authority } = call
  const orgId = authority.org?.id ?? null
  const { method, path } = operation.http
  const route = `${method} ${path} ${canonicalText(input.path as JsonValue)}`
  const keyHash = sha256(orgId ?? '-', callerOf(principal), route, key)
  const requestHash = sha256(route, canonicalText(input.query as JsonValue), bodyText(input))
  const claimId = runtime.ids.next()
  const nowMs = runtime.clock.now()
  const scope = scopeOf(operation, call)
  const fresh = {
    orgId,
    requestHash,
    state: 'claimed',
    claimId,
    leaseUntilMs: nowMs + LEASE_MS,
    answer: null,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + KEPT_MS,
  }
  const stepUp = stepUpToken === null ? '' : sha256(stepUpToken)
  const mine: Claimed = { claim: { key, keyHash, claimId, stepUp, scope } }
  return scope.write(async (tx): Promise<Claimed> => {
    const { idempotencyKeys: t } = httpTables(tx)
    if (await insertNew(tx, t, { keyHash, ...fresh })) return mine
    const [row] = await tx.select().from(t).where(eq(t.keyHash, keyHash))
    if (row === undefined) throw stillRunning()
    const isOver = row.expiresAtMs <= nowMs
    if (!isOver) {
      if (row.requestHash !== requestHash) {
        throw new Refusal('IDEMPOTENCY_MISMATCH', 'this Idempotency-Key was used for another request: use a new one')
      }
      if (row.state === 'done' && row.answer !== null) {
        const kept = open(row.answer, key, keyHash)
        const wasConfirmed = kept.stepUp !== ''
        const hasSameStepUp = wasConfirmed && kept.stepUp === stepUp
        return { replayed: { answer: replay(kept.answer), hasSameStepUp, wasConfirmed } }
      }
      if (row.leaseUntilMs > nowMs) throw stillRunning()
    }
    const taken = await tx
      .update(t)
      .set(fresh)
      .where(and(eq(t.keyHash, keyHash), eq(t.claimId, row.claimId)))
      .returning({ id: t.claimId })
    if (taken.length === 0) throw stillRunning()
    return mine
  })
}

/** Stores the answer, in the transaction of the effect. */
export async function finish(tx: Tx, { key, keyHash, claimId, stepUp }: Claim, answer: Rendered): Promise<void> {
  const { idempotencyKeys: t } = httpTables(tx)
  const done = await tx
    .update(t)
    .set({ state: 'done', answer: seal({ answer, stepUp }, key, keyHash) })
    .where(and(eq(t.keyHash, keyHash), eq(t.claimId, claimId)))
    .returning({ id: t.claimId })
  // The lease ended and a retry took the claim over. This effect must not be committed in addition to that of the
  // retry.
  if (done.length === 0) throw stillRunning()
}

/**
 * Extends the claim by a minute, in the transaction of the effect, when the answer is stored only after it.
 *
 * @throws Refusal 409 when a retry took the claim over.
 */
export async function hold(tx: Tx, { keyHash, claimId }: Claim, nowMs: number): Promise<void> {
  const { idempotencyKeys: t } = httpTables(tx)
  const held = await tx
    .update(t)
    .set({ leaseUntilMs: nowMs + LEASE_MS })
    .where(and(eq(t.keyHash, keyHash), eq(t.claimId, claimId)))
    .returning({ id: t.claimId })
  // guard: an-effect-is-for-who-holds-the-claim
  if (held.length === 0) throw stillRunning()
}

/** True for a refusal that a retry would get again. A refusal that depends on the moment is not stored. */
export const isDefinite = ({ status }: Refusal): boolean =>
  status >= 400 && status < 500 && ![401, 403, 409, 429].includes(status)

/** Called after the effect was rolled back: stores a definite refusal, or frees the key for a retry. */
export async function settle(held: Claim, refusal: Rendered | null): Promise<void> {
  await held.scope.write(async (tx) => {
    if (refusal !== null) return finish(tx, held, refusal)
    const { idempotencyKeys: t } = httpTables(tx)
    await tx.delete(t).where(and(eq(t.keyHash, held.keyHash), eq(t.claimId, held.claimId), eq(t.state, 'claimed')))
  })
}

/**
 * Deletes answers older than a day, in transactions of bounded size.
 *
 * @returns The number of deleted rows.
 */
export async function sweepIdempotencyKeys({ store, clock }: Runtime, rowsMax = 1000): Promise<number> {
  for (let swept = 0; ; ) {
    const deleted = await store.system.write(async (tx) => {
      const { idempotencyKeys: t } = httpTables(tx)
      const over = tx.select({ keyHash: t.keyHash }).from(t).where(lte(t.expiresAtMs, clock.now())).limit(rowsMax)
      return tx.delete(t).where(inArray(t.keyHash, over)).returning({ keyHash: t.keyHash })
    })
    swept += deleted.length
    if (deleted.length < rowsMax) return swept
  }
}

const stillRunning = () =>
  new Refusal('CONFLICT', 'the first request with this Idempotency-Key is still running', {
    headers: { 'retry-after': '1' },
  })

const replay = (answer: Rendered): Rendered => ({
  ...answer,
  headers: { ...answer.headers, 'idempotency-replayed': 'true' },
})

/**
 * The credential, and not only the person: an answer, which may contain secrets, must not be given to another
 * credential with fewer rights.
 */
function callerOf(principal: Principal): string {
  if (principal.kind === 'anonymous') throw new Error('an anonymous caller cannot use an Idempotency-Key')
  if (principal.kind === 'service') return `service:${principal.clientId}`
  const { userId, sessionId, tokenId, impersonatorId } = principal
  // guard: a-stored-answer-is-for-the-credential-that-asked
  return JSON.stringify(['user', userId, sessionId, tokenId, impersonatorId])
}

/** For an upload: its text fields and the digest of its file. */
function bodyText({ body, file }: CheckedInput): string {
  try {
    return `${body === undefined ? '' : canonicalText(body as JsonValue)} ${file?.sha256 ?? ''}`
  } catch (cause) {
    throw invalidField('/body', `has no canonical form: ${cause instanceof Error ? cause.message : ''}`, 'canonical')
  }
}

/** Each part is preceded by its length, so that different lists of parts never give the same digest. */
function sha256(...parts: string[]): string {
  const digest = createHash('sha256')
  for (const part of parts) digest.update(`${part.length}:${part}`)
  return digest.digest('hex')
}

const sealKey = (key: string, keyHash: string) =>
  Buffer.from(hkdfSync('sha256', key, keyHash, 'plumbline idempotency answer', 32))

/** What is stored, under a key that only the client has. */
interface Kept {
  readonly answer: Rendered
  readonly stepUp: string
}

const seal = (kept: Kept, key: string, keyHash: string): string =>
  sealWith(sealKey(key, keyHash), JSON.stringify(kept), '')

const open = (text: string, key: string, keyHash: string): Kept =>
  JSON.parse(openWith(sealKey(key, keyHash), text, '')) as Kept
