/** Names of the protocol (RFC 7643, RFC 7644). */
export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
export const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'

/** The path of an attribute as it is compared: lower case, without the schema prefix. */
export function foldPath(path: string, schema: string): string {
  const folded = path.toLowerCase()
  const prefix = `${schema.toLowerCase()}:`
  return folded.startsWith(prefix) ? folded.slice(prefix.length) : folded
}
