/** Shared by the requests of a builder: the job in the path, and the fence that proves that the builder holds it. */
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import type { PrepareContext, StreamContext } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Held } from '../build/queue.js'
import { anyJob } from '../build/visible.js'
import { FAULT_REASONS } from '../builder-program/fault-reasons.js'
import { oneOf } from '../manifest/schema.js'
import type { BuildJobRow } from '../tables.js'

export const BUILDERS = scope('builds:work')
export const NO_EVIDENCE = none('a build writes one event, when it ends')
export const onJob = { path: Type.Object({ jobId: Uuid }) }
export const HELD_ERRORS = ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'] as const
export const Done = strictObject({ done: Type.Boolean() })

export const Fault = strictObject({
  reason: oneOf(FAULT_REASONS),
  message: Type.String({ maxLength: 4000, description: 'Shown to system administrators, with tokens hidden' }),
})

export const Base = strictObject({
  name: name(1, 301, 'As the Dockerfile has it'),
  digest: Type.String({
    pattern: '^sha256:[0-9a-f]{64}$',
    'x-says': 'must be `sha256:` and 64 digits',
    examples: [`sha256:${'0'.repeat(64)}`],
    description: 'Of the manifest',
  }),
})

/** The credential of the builder that sends the request. */
export function holderOf({ principal }: Pick<PrepareContext | StreamContext, 'principal'>): string {
  if (principal.kind !== 'service') throw new TypeError('a builder is a service principal')
  return principal.clientId
}

/** @throws Refusal 400 without a fence. */
export function heldBy(
  context: Pick<PrepareContext | StreamContext, 'request' | 'principal'>,
  jobId: string,
): Held & { readonly holder: string } {
  const fence = context.request.headers?.get('x-build-fence') ?? ''
  if (/^[1-9]\d{0,8}$/.test(fence)) return { jobId, fence: Number(fence), holder: holderOf(context) }
  throw invalidField('/headers/x-build-fence', 'is required: the `fence` from the answer to the claim', 'required')
}

export const stale = (): Refusal =>
  new Refusal('CONFLICT', 'the build no longer belongs to you: stop it, and claim another one')

/** The job that a builder holds. @throws Refusal 404 when it does not exist, 409 for another fence. */
export async function heldJob(
  context: Pick<StreamContext, 'request' | 'read' | 'principal'>,
  jobId: string,
): Promise<BuildJobRow> {
  const held = heldBy(context, jobId)
  const job = await context.read((db) => anyJob(db, jobId))
  // guard: a-builder-reaches-the-jobs-that-it-holds
  if (job.state !== 'active' || job.fence !== held.fence || job.holder !== held.holder) throw stale()
  return job
}

/** @throws Refusal 404 for a build that does not exist, 409 when the builder no longer holds it. */
export async function orStale<T>(context: PrepareContext, held: Held, answer: Promise<T | false>): Promise<T> {
  const told = await answer
  if (told !== false) return told
  await context.read((db) => anyJob(db, held.jobId))
  throw stale()
}
