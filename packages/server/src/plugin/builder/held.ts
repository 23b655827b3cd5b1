/** What the requests of a builder have in common: the job in the path, and the fence by which it is the builder's. */
import Type from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import { scope } from '../../runtime/operation/access.js'
import type { PrepareContext, StreamContext } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Held } from '../build/queue.js'
import { anyJob } from '../build/seen.js'
import type { BuildJobRow } from '../tables.js'

export const BUILDERS = scope('builds:work')
export const NO_EVIDENCE = none('a build leaves one event, at its end')
export const onJob = { path: Type.Object({ jobId: Uuid }) }
export const HELD_ERRORS = ['NOT_FOUND', 'CONFLICT', 'VALIDATION_ERROR'] as const
export const Done = strictObject({ done: Type.Boolean() })

/** @throws Refusal 400 without a fence. */
export function heldBy({ request }: Pick<PrepareContext | StreamContext, 'request'>, jobId: string): Held {
  const fence = request.headers?.get('x-build-fence') ?? ''
  if (/^[1-9]\d{0,8}$/.test(fence)) return { jobId, fence: Number(fence) }
  throw invalidField('/headers/x-build-fence', 'is required: the `fence` that the claim answered', 'required')
}

export const stale = (): Refusal =>
  new Refusal('CONFLICT', 'the build is not yours any more: stop it, and claim another one')

/** The job that a builder holds. @throws Refusal 404 for none, 409 for another fence. */
export async function heldJob(context: Pick<StreamContext, 'request' | 'read'>, jobId: string): Promise<BuildJobRow> {
  const held = heldBy(context, jobId)
  const job = await context.read((db) => anyJob(db, jobId))
  // guard: a-builder-reaches-the-jobs-that-it-holds
  if (job.state !== 'active' || job.fence !== held.fence) throw stale()
  return job
}

/** @throws Refusal 404 for no build, 409 where the queue says that it is not the builder's. */
export async function orStale<T>(context: PrepareContext, held: Held, answer: Promise<T | false>): Promise<T> {
  const told = await answer
  if (told !== false) return told
  await context.read((db) => anyJob(db, held.jobId))
  throw stale()
}
