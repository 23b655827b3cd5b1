/**
 * Runs one operation for an authorized caller: a query in the scope of its tenant, a command in one transaction with
 * its evidence. A command that reports a change and wrote no evidence of its declared actions is rolled back.
 *
 * INVARIANT: business rows, evidence and queued jobs of a command are committed together or not at all.
 */
import type { ActionName } from '@plumbline/audit-chain'
import { SYSTEM_ORG_ID } from '../ids.js'
import { enqueue } from '../jobs/enqueue.js'
import { writeEvidence } from '../jobs/evidence.js'
import { Conditions } from '../operation/conditions.js'
import type {
  ActorRecord,
  Authority,
  Outcome,
  PrepareContext,
  Principal,
  ReadContext,
  RequestInfo,
  Runtime,
  SettleContext,
  WriteContext,
} from '../operation/context.js'
import { isDryRun } from '../operation/dry-run.js'
import type { AnyCommand, NoAudit, Operation, Query } from '../operation/operation.js'
import type { RawBody } from '../operation/raw.js'
import type { UploadedFile } from '../operation/upload.js'
import type { StoreScope, Tx } from '../store/db.js'
import { tenantKeyFor } from '../store/tenant-key.js'

export interface Call {
  readonly runtime: Runtime
  readonly principal: Principal
  readonly authority: Authority
  readonly actor: ActorRecord
  readonly request: RequestInfo
  readonly nowMs: number
  /** The request. Work that takes long enough watches its signal. */
  readonly sent?: Pick<Request, 'signal'>
}

/** Input as it was validated. */
export interface CheckedInput {
  readonly path: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  /** Fields that only the server sets and that the client sent back. */
  readonly serverOwned?: Readonly<Record<string, unknown>>
  /** The revision of `If-Match`. */
  readonly expectedRevision?: number | null
  /** The received file of an upload. */
  readonly file?: UploadedFile
  /** The bytes of a raw command. */
  readonly raw?: RawBody
  /** Digest of the `Idempotency-Key`. */
  readonly claimKey?: string
}

/** Joins the transaction of a command after its effect, such as the row of an Idempotency-Key. */
export type JoinTransaction = (tx: Tx, outcome: Outcome<unknown>) => Promise<void>

/** The part of the store that the call may touch. */
export function scopeOf(
  operation: Operation,
  { runtime, authority }: Call,
  { query, body }: Partial<Pick<CheckedInput, 'query' | 'body'>> = {},
): StoreScope {
  if (operation.tenant.from === 'none' || authority.org === null || operation.acrossOrganizations !== undefined) {
    return runtime.store.system
  }
  if (operation.acrossForSystemAdmins !== undefined && authority.isSuperAdmin) return runtime.store.system
  if (operation.acrossWhen?.is(query ?? {}, body) === true) return runtime.store.system
  return runtime.store.tenant(tenantKeyFor(authority.org.id, authority.org.parentOrgId))
}

export function execute(
  operation: Query | AnyCommand,
  call: Call,
  input: CheckedInput,
  join?: JoinTransaction,
): Promise<Outcome<unknown>> {
  return operation.kind === 'query' ? runQuery(operation, call, input) : runCommand(operation, call, input, join)
}

// The input was checked against the operation's own schemas, which its `run` is typed by.
type Loose = never

async function runQuery(operation: Query, call: Call, input: CheckedInput): Promise<Outcome<unknown>> {
  const scope = scopeOf(operation, call, input)
  const prepared =
    operation.prepare && (await operation.prepare(prepareContext(call, scope, call.sent), input as Loose))
  const read = operation.snapshot ? scope.snapshot : scope.read
  // Written out: see `answerHeaders` for what a copy with one more property costs.
  const { runtime, principal, authority, actor, request, nowMs } = call
  const data = await read((db) =>
    operation.run(
      { runtime, principal, authority, actor, request, nowMs, db } satisfies ReadContext,
      input as Loose,
      prepared as Loose,
    ),
  )
  if (operation.headersOf === undefined) return { changed: false, data }
  return { changed: false, data, headers: operation.headersOf(data as Loose) }
}

async function runCommand(
  operation: AnyCommand,
  call: Call,
  input: CheckedInput,
  join: JoinTransaction | undefined,
): Promise<Outcome<unknown>> {
  const scope = scopeOf(operation, call)
  const prepared =
    operation.prepare &&
    (await operation.prepare(
      prepareContext(call, scope, operation.isWaiting === true ? call.sent : undefined),
      input as Loose,
      (input.file ?? input.raw) as Loose,
    ))
  const outcome = await (isDryRun(operation, input) ? rolledBack : committed)(scope, operation.name, async (tx) => {
    const done = await runInTransaction(operation, call, tx, input, prepared)
    if (done.refusal === undefined) await join?.(tx, done)
    return done
  })
  if (outcome.refusal !== undefined) throw outcome.refusal
  if (operation.settle === undefined) return outcome
  return {
    ...outcome,
    data: await operation.settle(settleContext(operation, call, scope, input), outcome.data, prepared as Loose),
  }
}

type Write = (tx: Tx) => Promise<Outcome<unknown>>

const committed = (scope: StoreScope, name: string, write: Write) => scope.write(write, name)

class RolledBack extends Error {
  constructor(readonly outcome: Outcome<unknown>) {
    super('a dry run is rolled back')
  }
}

async function rolledBack(scope: StoreScope, name: string, write: Write): Promise<Outcome<unknown>> {
  try {
    return await scope.write(async (tx) => {
      // guard: a-dry-run-changes-nothing
      throw new RolledBack(await write(tx))
    }, name)
  } catch (error) {
    if (error instanceof RolledBack) return error.outcome
    throw error
  }
}

function settleContext(operation: AnyCommand, call: Call, scope: StoreScope, input: CheckedInput): SettleContext {
  return {
    ...prepareContext(call, scope),
    claimKey: input.claimKey ?? null,
    write: writerOf(operation, call, scope),
  }
}

/** The properties of an operation that decide about its evidence. */
type Recorded = Pick<AnyCommand, 'name' | 'tenant' | 'access' | 'audit'>

/** For writes outside of `run`: each is a transaction of its own, at its own instant. */
export const writerOf =
  (operation: Recorded, call: Call, scope: StoreScope): SettleContext['write'] =>
  (run) =>
    scope.write((tx) => {
      const nowMs = call.runtime.clock.now()
      const { audit } = recorder(operation, { ...call, nowMs }, tx)
      return run({ tx, nowMs, audit, enqueue: enqueuer(call, tx) })
    }, operation.name)

const enqueuer =
  (call: Call, tx: Tx): WriteContext['enqueue'] =>
  (message) =>
    enqueue(tx, call.runtime, message, call.request.traceparent)

/** Writes evidence, of declared actions only, and remembers which actions were written. */
function recorder(operation: Recorded, call: Call, tx: Tx): { audit: WriteContext['audit']; written: ActionName[] } {
  const written: ActionName[] = []
  const declared: readonly ActionName[] | NoAudit = operation.audit
  // What only system administrators do, in no organization, is an event of the system.
  const isOperators =
    operation.tenant.from === 'none' && operation.access.doors.every(({ kind }) => kind === 'system-admin')
  return {
    written,
    async audit(action, entry) {
      if ('none' in declared || !declared.includes(action)) {
        throw new Error(`${operation.name} wrote ${action}, which it does not declare`)
      }
      written.push(action)
      await writeEvidence(tx, call, action, isOperators ? { orgId: SYSTEM_ORG_ID, ...entry } : entry)
    },
  }
}

function prepareContext(call: Call, { read }: StoreScope, sent?: Call['sent']): PrepareContext {
  const { runtime, principal, authority, actor, request, nowMs } = call
  // guard: a-question-that-nobody-waits-for-ends
  return { runtime, principal, authority, actor, request, nowMs, read, signal: sent?.signal ?? NEVER }
}

const NEVER = new AbortController().signal

/** The part of a command that runs in its transaction. Jobs run theirs through it too. */
async function runInTransaction(
  operation: AnyCommand,
  call: Call,
  tx: Tx,
  input: CheckedInput,
  prepared: unknown,
): Promise<Outcome<unknown>> {
  const { audit, written } = recorder(operation, call, tx)
  const declared: readonly ActionName[] | NoAudit = operation.audit
  const conditions = new Conditions(input)
  const { runtime, principal, authority, actor, request, nowMs } = call
  const context: WriteContext = {
    runtime,
    principal,
    authority,
    actor,
    request,
    nowMs,
    tx,
    claimKey: input.claimKey ?? null,
    get expectedRevision() {
      return conditions.readExpectedRevision()
    },
    checkRevision: (revision) => conditions.checkRevision(revision),
    checkServerOwned: (view) => conditions.checkServerOwned(view),
    audit,
    enqueue: enqueuer(call, tx),
  }
  const outcome = (await operation.run(
    context,
    input as Loose,
    prepared as Loose,
    input.raw as Loose,
  )) as Outcome<unknown>
  const maySaySo = !('none' in declared) && operation.silentWhen === undefined
  if (outcome.changed && maySaySo && written.length === 0) {
    throw new Error(`${operation.name} changed something without evidence; it declares ${declared.join(', ')}`)
  }
  if (!outcome.changed && written.length > 0) {
    throw new Error(`${operation.name} wrote ${written.join(', ')} and says that nothing changed`)
  }
  if (outcome.refusal === undefined) conditions.assertCompared(operation.name, outcome.changed)
  return outcome
}
