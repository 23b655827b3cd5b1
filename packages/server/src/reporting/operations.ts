/** The operations that receive events about pipeline runs, and those that read reports. */
import type { Operation } from '../runtime/operation/operation.js'
import { listActionFailures } from './action-failure/list.js'
import { getBuildHealth } from './build-health/get.js'
import { listDeployments } from './deployment/list.js'
import { getDora } from './dora/get.js'
import { simulateDora } from './dora/simulate.js'
import { getDoraTrend } from './dora-trend/get.js'
import { getDuration } from './duration/get.js'
import { listEnvironments } from './environment/list.js'
import { listErrors } from './error/list.js'
import { ingestEvents } from './event/ingest.js'
import { countExecutions } from './execution/count.js'
import { listExecutions } from './execution/list.js'
import { getHealth } from './health/get.js'
import { reportHealth } from './health/report.js'
import { listIncidents } from './incident/list.js'
import { receiveAlertmanagerIncidents } from './incident/receive-alertmanager.js'
import { receiveDatadogIncidents } from './incident/receive-datadog.js'
import { receiveOpsgenieIncidents } from './incident/receive-opsgenie.js'
import { receivePagerdutyIncidents } from './incident/receive-pagerduty.js'
import { reportIncident } from './incident/report.js'
import { testIncident } from './incident/test.js'
import { getIncidentSettings } from './incident-settings/get.js'
import { updateIncidentSettings } from './incident-settings/update.js'
import { deleteLink } from './link/delete.js'
import { setLink } from './link/set.js'
import { deleteOutcome } from './outcome/delete.js'
import { markOutcome } from './outcome/mark.js'
import { listParked } from './parked/list.js'
import { listPipelineExecutions } from './pipeline-execution/list.js'
import { getPluginDistribution } from './plugin-distribution/get.js'
import { getPluginDuration } from './plugin-duration/get.js'
import { listPluginFailures } from './plugin-failure/list.js'
import { getPluginSuccessRate } from './plugin-success-rate/get.js'
import { getPluginSummary } from './plugin-summary/get.js'
import { listPluginVersions } from './plugin-version/list.js'
import { updateRetentionSync } from './retention-sync/update.js'
import { getScorecard } from './scorecard/get.js'
import { listScorecards } from './scorecard/list.js'
import { createSource } from './source/create.js'
import { deleteSource } from './source/delete.js'
import { listSources } from './source/list.js'
import { rotateSource } from './source/rotate.js'
import { updateSource } from './source/update.js'
import { listSourceDeliveries } from './source-delivery/list.js'
import { listStageBottlenecks } from './stage-bottleneck/list.js'
import { listStageFailures } from './stage-failure/list.js'
import { getSuccessRate } from './success-rate/get.js'

import { receiveWebhook } from './webhook/receive.js'
import { receiveTracesWebhook } from './webhook/receive-traces.js'

export const REPORTING_OPERATIONS: readonly Operation[] = [
  ingestEvents,
  reportHealth,
  getHealth,
  listParked,
  listSources,
  createSource,
  updateSource,
  rotateSource,
  deleteSource,
  listSourceDeliveries,
  receiveWebhook,
  receiveTracesWebhook,
  countExecutions,
  getSuccessRate,
  getDuration,
  listStageFailures,
  listStageBottlenecks,
  listErrors,
  getBuildHealth,
  listExecutions,
  listActionFailures,
  listEnvironments,
  listPipelineExecutions,
  getPluginSummary,
  getPluginSuccessRate,
  getPluginDuration,
  listPluginFailures,
  getPluginDistribution,
  listPluginVersions,
  getDora,
  getDoraTrend,
  simulateDora,
  listDeployments,
  updateRetentionSync,
  getScorecard,
  listScorecards,
  markOutcome,
  deleteOutcome,
  reportIncident,
  testIncident,
  listIncidents,
  receiveAlertmanagerIncidents,
  receivePagerdutyIncidents,
  receiveDatadogIncidents,
  receiveOpsgenieIncidents,
  setLink,
  deleteLink,
  getIncidentSettings,
  updateIncidentSettings,
]
