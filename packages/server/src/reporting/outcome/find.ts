/** Finds the deployment of a mark or a link: the last successful one of an execution in an environment. */
import { and, desc, eq } from 'drizzle-orm'
import { invalidField, notFound, Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { type DeploymentRow, reportingTables } from '../tables.js'

export interface Named {
  readonly orgId: string
  readonly executionId: string
  readonly pipelineId?: string | undefined
  readonly environment: string
}

/** @throws Refusal 404 for an unknown execution, 409 `AMBIGUOUS_EXECUTION` when several pipelines have one of that id. */
export async function findPipeline(db: Db, { orgId, executionId, pipelineId }: Omit<Named, 'environment'>) {
  const { reportSteps: s } = reportingTables(db)
  const known = await db
    .selectDistinct({ pipelineId: s.pipelineId })
    .from(s)
    .where(
      and(
        // guard: whose-execution-is-marked
        eq(s.orgId, orgId),
        eq(s.executionId, executionId),
        pipelineId === undefined ? undefined : eq(s.pipelineId, pipelineId),
      ),
    )
  const [only] = known
  if (only === undefined) {
    const advice =
      pipelineId === undefined
        ? 'no pipeline of this organization reported an execution of this id'
        : 'no pipeline of this organization with this `pipelineId` reported an execution of this id'
    throw notFound('Execution', `${advice}; \`plumbline reports runs\` lists executions`)
  }
  // guard: an-execution-of-two-pipelines-is-ambiguous
  if (known.length > 1) {
    const pipelineIds = known.map((each) => each.pipelineId).sort()
    throw new Refusal(
      'AMBIGUOUS_EXECUTION',
      'several pipelines have an execution of this id: name one by `pipelineId`',
      { details: { pipelineIds } },
    )
  }
  return only.pipelineId
}

/** @throws Refusal as `findPipeline`, and 409 when the execution did not succeed there. */
export async function findDeployed(
  db: Db,
  { environment, ...named }: Named,
  elsewhere: (names: string) => Refusal = (names) =>
    invalidField('/body/environment', `the execution did not deploy there, but to ${names}`, 'environment'),
): Promise<DeploymentRow> {
  const { reportDeployments: d } = reportingTables(db)
  const pipelineId = await findPipeline(db, named)
  const rows = await db
    .select()
    .from(d)
    .where(and(eq(d.orgId, named.orgId), eq(d.pipelineId, pipelineId), eq(d.executionId, named.executionId)))
    .orderBy(desc(d.attempt))
  const there = rows.filter((row) => row.environment === environment)
  const succeeded = there.find(({ status }) => status === 'succeeded')
  if (succeeded !== undefined) return succeeded
  if (there.length > 0) {
    throw new Refusal(
      'CONFLICT',
      `the deployment to ${environment} did not succeed: it already counts as ${there[0]?.status ?? 'failed'}`,
    )
  }
  const names = [...new Set(rows.map((row) => row.environment))]
  if (names.length === 0) {
    throw new Refusal(
      'CONFLICT',
      'the execution deployed to no environment: name the `environment` in the event of the stage that deploys',
    )
  }
  throw elsewhere(names.join(', '))
}
