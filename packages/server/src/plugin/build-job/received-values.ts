/**
 * What the attempt of a build received: values that change or are withdrawn meanwhile must not be found in its image
 * either. Sealed like the secrets themselves, and forgotten when the attempt ends.
 */

import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import { createSecretBox } from '../../runtime/secret-box.js'
import type { BuildJobRow } from '../tables.js'
import type { GivenSecret } from './secrets.js'

const boxOf = perRuntime(({ settings }: Runtime) => createSecretBox(settings.SECRET_ENCRYPTION_KEYS ?? []))
const purposeOf = ({ id, orgId }: Pick<BuildJobRow, 'id' | 'orgId'>): string => `build-secrets\n${orgId}\n${id}`

export const sealGiven = (runtime: Runtime, job: BuildJobRow, given: readonly GivenSecret[]): string | null =>
  given.length === 0 ? null : boxOf(runtime).seal(JSON.stringify(given), purposeOf(job))

/** @throws Refusal 503 when the key that sealed it is gone. */
export const openGiven = (runtime: Runtime, job: BuildJobRow): readonly GivenSecret[] =>
  job.secretsGiven === null ? [] : JSON.parse(boxOf(runtime).open(job.secretsGiven, purposeOf(job)))
