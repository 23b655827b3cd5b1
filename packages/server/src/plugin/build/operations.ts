/** The operations on builds. */
import { deadBuilds, failedBuilds } from './failed.js'
import { getBuild, listBuilds } from './get.js'
import { getBuildLog } from './log.js'
import { purgeDeadBuilds } from './purge.js'
import { replayBuild } from './replay.js'
import { queueStatus } from './status.js'

export const buildOperations = [
  queueStatus,
  failedBuilds,
  deadBuilds,
  replayBuild,
  purgeDeadBuilds,
  listBuilds,
  getBuild,
  getBuildLog,
] as const
