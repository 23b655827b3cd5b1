/** `GET /builder/jobs/:jobId/secrets`: the secrets of the build, once per attempt. */
import { and, eq, ne } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { livePlugin } from '../build/plugin-state.js'
import { sealGiven } from '../build-job/received-values.js'
import { type GivenSecret, secretsOf } from '../build-job/secrets.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { BUILDERS, HELD_ERRORS, heldJob, onJob } from './held.js'

export const getBuildSecrets = query({
  name: 'plugin.builder.get-secrets',
  summary: 'Get the secrets of a build, as its builder; once per attempt',
  http: { method: 'get', path: '/builder/jobs/:jobId/secrets' },
  access: BUILDERS,
  tenant: noTenant,
  secretOutput: true,
  input: onJob,
  output: strictObject({
    secrets: Type.Array(strictObject({ name: Type.String(), value: Type.String() }), {
      description: 'Those that the plugin declares and that are released to it',
    }),
  }),
  errors: [...HELD_ERRORS, 'SERVICE_UNAVAILABLE'],
  async prepare(context, { path: { jobId } }) {
    const job = await heldJob(context, jobId)
    const plugin = await context.read((db) => livePlugin(db, job))
    if (plugin === null) throw new Refusal('CONFLICT', 'the plugin was deleted: release the build')
    const { given } = await context.read((db) => secretsOf(db, context.runtime, plugin))
    await markTaken(context.runtime, job, given)
    return given
  },
  run: async (_context, _input, given) => ({ secrets: given.map(({ name, value }) => ({ name, value })) }),
})

/** Marked before they are sent: a lost answer costs an attempt, but the secrets are never sent twice. */
async function markTaken(runtime: Runtime, job: BuildJobRow, given: readonly GivenSecret[]): Promise<void> {
  const { id, fence } = job
  const taken = await runtime.store.system.write(async (tx) => {
    const { buildJobs: t } = pluginTables(tx)
    // guard: secrets-are-handed-out-once
    return tx
      .update(t)
      .set({ secretsFence: fence, secretsGiven: sealGiven(runtime, job, given) })
      .where(and(eq(t.id, id), eq(t.fence, fence), ne(t.secretsFence, fence)))
      .returning({ id: t.id })
  }, 'plugin.build')
  if (taken.length > 0) return
  throw new Refusal('CONFLICT', 'the secrets of this attempt were taken already: release the build')
}
