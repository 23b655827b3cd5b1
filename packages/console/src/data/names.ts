/** The names of people, for ids that the API gives. */
import { useRead } from './api.js'
import { useSession } from './session.js'

/** Larger organizations show the ends of the other ids. */
const MEMBERS_MAX = 1000
const END = 8

/** @param ids those that the screen shows. Members are read only for an id that is not one's own. */
export function useNames(ids: readonly (string | null)[]): (id: string) => string {
  const { organization, user } = useSession()
  const isNeeded = ids.some((id) => id !== null && id !== user.id)
  const query = { limit: MEMBERS_MAX }
  const members = useRead(
    ['members', 'names'],
    (api, signal) =>
      api.GET('/organization/{id}/members', { params: { path: { id: organization.id }, query }, signal }),
    { enabled: isNeeded, aside: true },
  )
  const names = new Map(members.data?.members.map(({ id, username }) => [id, username]))
  return (id) => (id === user.id ? user.username : (names.get(id) ?? id.slice(-END)))
}
