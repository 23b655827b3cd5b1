/** Finds a member of the organization by username, e-mail address or id. */
import { unwrap } from '@plumbline/client'
import { UsageError } from '../command.js'
import type { Session } from './session.js'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** More people than can match one search text. */
const PAGE = 1000
const SEARCH_MAX = 100

export interface Named {
  readonly id: string
  readonly name: string
}

/**
 * @throws UsageError for a name that no member has. An id is not looked up: the owner of a team need not be a member of
 * it.
 */
export async function memberNamed({ client }: Session, orgId: string, named: string): Promise<Named> {
  const key = named.toLowerCase()
  if (UUID.test(key)) return { id: key, name: named }
  const { members } = await unwrap(
    client.GET('/organization/{id}/members', {
      params: { path: { id: orgId }, query: { search: named.slice(0, SEARCH_MAX), limit: PAGE } },
    }),
  )
  const found = members.find(({ username, email }) => [username, email].some((each) => each.toLowerCase() === key))
  if (found !== undefined) return { id: found.id, name: found.username }
  throw new UsageError(`\`${named}\` is not a member of the organization`, 'run `plumbline members` for their names')
}
