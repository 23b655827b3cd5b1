/** Who may read pipelines, their revisions, deployments and templates: people by permission, machines by scope. */
import { either, permission, scope } from '../runtime/operation/access.js'

export const READ_PIPELINES = either(permission('pipelines:read'), scope('pipelines:read'))
