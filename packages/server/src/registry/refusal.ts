/** Maps a fault of the registry to an answer for the caller. */
import { Refusal } from '../runtime/errors.js'
import { RegistryFault } from './client.js'

export const REGISTRY_ERRORS = ['REGISTRY_NOT_CONFIGURED', 'UPSTREAM_ERROR'] as const

/** @throws Refusal 502 when the registry does not answer, refuses, or answers invalid data. */
export async function orUpstream<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof RegistryFault)) throw error
    throw new Refusal('UPSTREAM_ERROR', error.message, { cause: error })
  }
}
