/** What a fault of the registry is to a caller. */
import { Refusal } from '../runtime/errors.js'
import { RegistryFault } from './client.js'

export const REGISTRY_ERRORS = ['REGISTRY_NOT_CONFIGURED', 'UPSTREAM_ERROR'] as const

/** @throws Refusal 502 for a registry that is away, says no, or answers what cannot be. */
export async function orUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RegistryFault)) throw error
    throw new Refusal('UPSTREAM_ERROR', error.message, { cause: error })
  }
}
