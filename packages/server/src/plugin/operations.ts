/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { cancelBuild } from './build/cancel.js'
import { getBuild } from './build/get.js'
import { getBuildLog } from './build/get-log.js'
import { listBuilds } from './build/list.js'
import { claimBuild } from './builder/claim.js'
import { completeBuild } from './builder/complete.js'
import { failBuild } from './builder/fail.js'
import { getBuildArchive } from './builder/get-archive.js'
import { getBuildSecrets } from './builder/get-secrets.js'
import { getBuildToken } from './builder/get-token.js'
import { heartbeatBuild } from './builder/heartbeat.js'
import { logBuild } from './builder/log.js'
import { releaseBuild } from './builder/release.js'
import { listDeadBuilds } from './dlq/list.js'
import { purgeDeadBuilds } from './dlq/purge.js'
import { replayDeadBuild } from './dlq/replay.js'
import { bulkDeletePlugins } from './plugin/bulk-delete.js'
import { bulkUpdatePlugins } from './plugin/bulk-update.js'
import { deletePlugin } from './plugin/delete.js'
import { deployGeneratedPlugin } from './plugin/deploy-generated.js'
import { findPlugin } from './plugin/find.js'
import { getPlugin } from './plugin/get.js'
import { listPlugins } from './plugin/list.js'
import { listDeletedPlugins } from './plugin/list-deleted.js'
import { lookupPlugin } from './plugin/lookup.js'
import { purgePlugin } from './plugin/purge.js'
import { restorePlugin } from './plugin/restore.js'
import { updatePlugin } from './plugin/update.js'
import { uploadPlugin } from './plugin/upload.js'
import { getProvenance } from './provenance/get.js'
import { listProvenanceKeys } from './provenance/list-keys.js'
import { getQueueStatus } from './queue/get-status.js'
import { listFailedBuilds } from './queue/list-failed.js'
import { retryBuild } from './queue/retry.js'
import { triageBuilds } from './queue/triage.js'
import { getSbom } from './sbom/get.js'
import { putScan } from './scan/put.js'
import { getUsage } from './usage/get.js'

export const pluginOperations: readonly Operation[] = [
  listPlugins,
  findPlugin,
  lookupPlugin,
  getUsage,
  listDeletedPlugins,
  uploadPlugin,
  deployGeneratedPlugin,
  getPlugin,
  updatePlugin,
  bulkUpdatePlugins,
  deletePlugin,
  bulkDeletePlugins,
  restorePlugin,
  purgePlugin,
  putScan,
  getSbom,
  getProvenance,
  listProvenanceKeys,
  getQueueStatus,
  listFailedBuilds,
  triageBuilds,
  retryBuild,
  listDeadBuilds,
  replayDeadBuild,
  purgeDeadBuilds,
  listBuilds,
  getBuild,
  getBuildLog,
  cancelBuild,
  claimBuild,
  getBuildArchive,
  getBuildSecrets,
  getBuildToken,
  heartbeatBuild,
  logBuild,
  completeBuild,
  failBuild,
  releaseBuild,
]
