/** What a directory may do to people, as evidence names it. */
import { LEAVING } from '../../identity/index.js'
import type { WriteContext } from '../../runtime/operation/context.js'

export const PROVISIONING = ['scim.user.create', 'scim.user.update', 'identity.sso.link', ...LEAVING] as const
export type Provisioning = WriteContext<(typeof PROVISIONING)[number]>
