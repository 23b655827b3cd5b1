/** Tells the server why a builder cannot start, so that the status of the queue says it. */
import { aboutThisBuilder } from './about.js'
import { builderApi } from './api.js'
import type { BuilderFault } from './fault-reasons.js'
import type { BuilderOptions } from './run.js'

const TOLD_MS_MAX = 5000

/** @returns whether the server heard it: a builder that cannot start has nothing else to wait for. */
export async function tellFault(
  options: Pick<BuilderOptions, 'url' | 'clientId' | 'clientSecret' | 'name' | 'concurrency' | 'egress'>,
  fault: BuilderFault,
): Promise<boolean> {
  const api = builderApi(options, aboutThisBuilder(options, false))
  try {
    await api.claim(0, AbortSignal.timeout(TOLD_MS_MAX), fault)
    return true
  } catch {
    return false
  }
}
