/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { getToken } from './token/get.js'

export const registryOperations: readonly Operation[] = [getToken]
