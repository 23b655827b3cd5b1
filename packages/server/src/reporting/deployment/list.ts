/** `GET /reports/deployments`: deployments with their later marks, the newest first. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { choice, Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import { NoEnvironmentField, noEnvironment } from '../dora/advice.js'
import { DORA_ACCESS } from '../dora/get.js'
import { readHistory } from '../dora/history.js'
import { judge } from '../dora/judge.js'
import { suggestionsOf } from '../dora/rollback.js'
import { ExecutionPage } from '../execution/page.js'
import { groupBy } from '../group.js'
import { STATUSES } from '../ingest/event.js'
import { deployedKey, inOrder, isWithin, unitKey } from '../model.js'
import { report } from '../report/report.js'
import { tableOf } from '../report/table.js'

const Item = strictObject({
  pipelineId: Type.String(),
  orgId: Type.String(),
  pipelineName: nullable(Type.String()),
  executionId: Type.String(),
  attempt: Type.Integer({ minimum: 1 }),
  environment: Type.String(),
  status: choice(STATUSES),
  startedAt: Instant,
  completedAt: nullable(Instant),
  commitSha: nullable(Type.String()),
  commitRef: nullable(Type.String()),
  committedAt: nullable(Instant),
  failedLater: nullable(
    choice(['mark', 'incident', 'rollback'], { description: 'Why it counts as failed after it succeeded' }),
  ),
  restoredAt: nullable(Instant),
  redeploy: Type.Boolean({ description: 'Whether the environment had the commit before' }),
  rework: Type.Boolean(),
  suggestion: nullable(Type.String({ description: 'An older commit replaced it within 24 hours: it may have failed' })),
  incidents: Type.Array(Type.String()),
})

export const listDeployments = report({
  name: 'reporting.deployment.list',
  summary: 'List deployments with their later corrections, the newest first',
  path: '/reports/deployments',
  access: DORA_ACCESS,
  query: {
    status: Type.Optional(choice(STATUSES)),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 20 })),
    offset: Type.Optional(Type.Integer({ minimum: 0, default: 0 })),
  },
  output: { deployments: Type.Array(Item), pagination: ExecutionPage, nextStep: NoEnvironmentField },
  forms: {
    csv: ({ deployments }) =>
      tableOf(deployments, [
        'pipelineId',
        'orgId',
        'pipelineName',
        'executionId',
        'attempt',
        'environment',
        'status',
        'startedAt',
        'completedAt',
        'commitSha',
        'commitRef',
        'failedLater',
        'restoredAt',
        'redeploy',
        'rework',
        'incidents',
      ]),
  },
  async run(context, query, asked) {
    const { history } = await readHistory(context, query, asked)
    const judged = judge(history)
    const suggested = new Map(
      suggestionsOf(history.deployments).map(({ replaced, by }) => [unitKey(replaced), by.executionId]),
    )
    const restored = new Map(judged.restorations.map((each) => [deployedKey(each.restored), each.restored.atMs]))
    const incidents = groupBy(
      judged.links.filter(({ deployment }) => deployment !== null),
      ({ deployment }) => unitKey(deployment as never),
    )
    const all = history.deployments
      .filter(
        (each) =>
          isWithin(each.completedAtMs ?? each.startedAtMs, asked.range.window) &&
          (query.environment === undefined || each.environment === query.environment) &&
          (query.status === undefined || each.status === query.status),
      )
      .sort((a, b) => inOrder(b, a))
    const { limit = 20, offset = 0 } = query
    const deployments = all.slice(offset, offset + limit).map((each) => {
      const key = unitKey(each)
      const by = suggested.get(key)
      const restoredMs = restored.get(deployedKey(each))
      return {
        pipelineId: each.pipelineId,
        orgId: each.orgId,
        pipelineName: asked.scope.pipelines.get(each.pipelineId)?.pipelineName ?? null,
        executionId: each.executionId,
        attempt: each.attempt,
        environment: each.environment,
        status: each.status,
        startedAt: toIso(each.startedAtMs),
        completedAt: each.completedAtMs === null ? null : toIso(each.completedAtMs),
        commitSha: each.sha,
        commitRef: each.ref,
        committedAt: each.committedAtMs === null ? null : toIso(each.committedAtMs),
        failedLater: judged.flagged.get(key) ?? null,
        restoredAt: restoredMs === undefined ? null : toIso(restoredMs),
        redeploy: judged.redeployed.has(key),
        rework: judged.rework.has(key),
        suggestion:
          by === undefined
            ? null
            : `${by} brought an older commit back: plumbline reports mark ${each.executionId} failed`,
        incidents: (incidents.get(key) ?? []).map(({ incident }) => incident.incidentId),
      }
    })
    return {
      deployments,
      pagination: { total: all.length, limit, offset, hasMore: offset + limit < all.length },
      nextStep: noEnvironment(
        query.environment,
        history.deployments.map((each) => each.environment),
      ),
    }
  },
})
