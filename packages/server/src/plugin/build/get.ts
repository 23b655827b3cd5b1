/** `GET /plugins/builds/:jobId`. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { READ_PLUGINS } from '../read-access.js'
import { pluginTables } from '../tables.js'
import { Build, buildView } from './record.js'
import { shownState } from './shown-state.js'
import { jobOf } from './visible.js'

export const getBuild = query({
  name: 'plugin.build.get',
  summary: 'Get a build',
  http: { method: 'get', path: '/plugins/builds/:jobId' },
  access: READ_PLUGINS,
  tenant: fromHeader,
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ build: Build }),
  errors: ['NOT_FOUND'],
  async run(context, { path: { jobId } }) {
    const job = await jobOf(context, context.db, jobId)
    const { buildJobs: t } = pluginTables(context.db)
    const [shown] = await context.db
      .select({ state: shownState(context) })
      .from(t)
      .where(and(eq(t.id, job.id), eq(t.orgId, job.orgId)))
    return { build: buildView({ ...job, ...shown }) }
  },
})
