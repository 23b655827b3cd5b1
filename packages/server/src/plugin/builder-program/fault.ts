/**
 * What is wrong with a builder, for its operator: why it gave a build back, or why it cannot start. A fault of the
 * builder is not the plugin's.
 */
import { ServerAway } from './api.js'
import { BaseRefused, RegistryAway } from './base-refused.js'
import { isDiskFull } from './disk.js'
import { Failed } from './failed.js'
import { type BuilderFault, type FaultReason, Faulty } from './fault-reasons.js'
import { NoImage, PushFailed } from './push.js'

/** The server takes no longer message. */
const MESSAGE_CHARS_MAX = 4000

/** For the server, which takes no text with a NUL. */
export function faultOf(error: unknown): BuilderFault {
  const message = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '')
  return { reason: reasonOf(error), message: message.slice(0, MESSAGE_CHARS_MAX) }
}

function reasonOf(error: unknown): FaultReason {
  if (error instanceof Faulty) return error.reason
  if (error instanceof RegistryAway) return 'registry'
  return error instanceof ServerAway ? 'server' : 'other'
}

/** A full disk that is the builder's, in words; every other error as it is. */
export function orDiskFull(thrown: unknown, root: string): unknown {
  const isOwn = [Failed, BaseRefused, NoImage, PushFailed].some((own) => thrown instanceof own)
  if (isOwn || !isDiskFull(thrown)) return thrown
  return new Faulty('disk-full', `the disk of the builder is full: free space in ${root}, or choose another --scratch`)
}
