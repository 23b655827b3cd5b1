/** Who may read plugins and their builds. */
import { either, permission, scope } from '../runtime/operation/access.js'

export const READ_PLUGINS = either(permission('plugins:read'), scope('plugins:read'))
