/** A link in the answer. */
import type { Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import type { Link } from '../dora/link.js'
import type { Deployment } from '../model.js'
import type { LinkField } from './schema.js'

const deployed = ({ pipelineId, executionId, environment, completedAtMs }: Deployment) => ({
  pipelineId,
  executionId,
  environment,
  completedAt: toIso(completedAtMs ?? 0),
})

export const presentLink = ({
  kind,
  deployment,
  candidates,
}: Pick<Link, 'kind' | 'deployment' | 'candidates'>): Static<typeof LinkField> => ({
  kind,
  deployment: deployment === null ? null : deployed(deployment),
  candidates: candidates.map(deployed),
})
