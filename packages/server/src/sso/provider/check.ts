/** Checks of a provider before it is stored, in addition to its schema. */

import { readTarget } from '../../runtime/egress/target.js'
import { invalidField } from '../../runtime/errors.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { withWayOut } from '../oidc/metadata.js'

/** @throws Refusal 400 when the address cannot be that of a provider. */
export function checkIssuer(runtime: Pick<Runtime, 'settings'>, issuer: string): void {
  const target = readTarget(issuer, runtime.settings.IDP_ALLOWED_ORIGINS)
  if (typeof target === 'string') throw invalidField('/body/issuer', withWayOut(target), 'invalid_address')
  if (issuer.includes('?')) throw invalidField('/body/issuer', 'must not have a query: leave it out', 'invalid_address')
}
