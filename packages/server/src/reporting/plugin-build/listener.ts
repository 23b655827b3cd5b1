/** Stores each finished build, in the transaction of the queue that ended it. */
import type { BuildListener } from '../../runtime/records/finished-builds.js'
import { clean } from '../ingest/event.js'
import { reportingTables } from '../tables.js'

export const buildListener: BuildListener = {
  async finished(tx, { startedMs, error, ...build }) {
    const { reportBuilds: t } = reportingTables(tx)
    const row = {
      ...build,
      error: error === null ? null : clean(error),
      durationMs: startedMs === null ? null : Math.max(0, build.finishedMs - startedMs),
    }
    // A dead letter that is replayed and succeeds counts as one successful build.
    await tx
      .insert(t)
      .values(row)
      .onConflictDoUpdate({ target: [t.orgId, t.jobId], set: row })
  },
}
