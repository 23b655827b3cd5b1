/** Members of the organization, as `GET /search` finds them. */
import { either, member, permission } from '../../runtime/operation/access.js'
import { type FoundRecord, idIn, type SearchAsked, type SearchSource } from '../../runtime/operation/search-source.js'
import type { Db } from '../../runtime/store/db.js'
import { type MemberRecord, selectMembers } from '../membership/record.js'

async function findMembers(db: Db, { key: { orgId }, text, limit }: SearchAsked): Promise<FoundRecord[]> {
  const page = { limit, offset: 0 }
  const org = { id: orgId, ownerId: null }
  const { members } = await selectMembers(db, org, { search: text, sortBy: 'username' }, page)
  const userId = idIn(text)
  const byId = userId === null ? [] : (await selectMembers(db, org, { userId }, page)).members
  return [...byId, ...members].map(({ id, username, email }: MemberRecord) => ({ id, name: username, detail: email }))
}

export const MEMBER_SEARCH: SearchSource = {
  kind: 'member',
  access: either(member(), permission('members:manage')),
  find: findMembers,
}
