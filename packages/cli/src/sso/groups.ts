/** `plumbline sso groups` */
import { ApiError, unwrap } from '@plumbline/client'
import { ExitCode, NotDoneError, UsageError } from '../command.js'
import { argument, text, texts } from '../program/invocation.js'
import { printable } from '../program/printable.js'
import { showRecord } from '../records/show.js'
import { confirm } from '../remote/confirm.js'
import { inOrganization, type Place } from '../remote/in-organization.js'
import { confirming } from '../remote/step-up.js'
import { print } from '../remote/table.js'

type Wanted = readonly { readonly name: string; readonly roleIds: readonly string[] }[]

export const list = inOrganization(async (place) => {
  const { invocation, io } = place
  const { groups, unmapped } = await mappingOf(place, await providerOf(place))
  const rows = [
    ...groups.map(({ name, roles, from, members }) => [
      name,
      roles.map((role) => (role.inForce ? role.name : `${role.name} (its author can no longer give it)`)).join(', '),
      `${members} by ${from}`,
    ]),
    ...unmapped.map((name) => [name, '', 'gives nothing']),
  ]
  await print(invocation, io, { groups, unmapped }, rows)
  return ExitCode.clean
})

export const set = inOrganization(async (place) => {
  const name = argument(place.invocation, 0)
  const names = texts(place.invocation, 'role')
  if (names.length === 0) throw new UsageError('no Role is named', 'name each with --role')
  const roleIds = await roleIdsOf(place, names)
  const provider = await providerOf(place)
  return change(place, provider, (groups) => [...groups.filter((group) => group.name !== name), { name, roleIds }])
})

export const remove = inOrganization(async (place) => {
  const { invocation, io } = place
  const name = argument(invocation, 0)
  const provider = await providerOf(place)
  const without = (groups: Wanted): Wanted => {
    const rest = groups.filter((group) => group.name !== name)
    if (rest.length < groups.length) return rest
    throw new NotDoneError(`no mapping names the group \`${printable(name)}\``, 'run `plumbline sso groups list`')
  }
  without((await wantedNow(place, provider)).groups)
  await confirm(`take the Roles of the group ${printable(name)} from its members?`, invocation, io)
  return change(place, provider, without)
})

/** The id of the provider that `--idp` names, or else of the default one. */
async function providerOf({ session, invocation, id }: Place): Promise<string> {
  const named = text(invocation, 'idp')
  if (named !== undefined) return named
  const { provider } = await unwrap(session.client.GET('/organization/{id}/idp', { params: { path: { id } } }))
  return provider.id
}

const mappingOf = ({ session, id }: Place, idpId: string) =>
  unwrap(session.client.GET('/organization/{id}/idps/{idpId}/groups', { params: { path: { id, idpId } } }))

async function wantedNow(place: Place, idpId: string): Promise<{ readonly groups: Wanted; readonly revision: number }> {
  const { groups, revision } = await mappingOf(place, idpId)
  return { groups: groups.map(({ name, roles }) => ({ name, roleIds: roles.map((role) => role.id) })), revision }
}

/** The mappings of other groups stay, also those that somebody else changes meanwhile: then it is read and changed again. */
async function change(place: Place, idpId: string, to: (groups: Wanted) => Wanted): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { groups, revision } = await wantedNow(place, idpId)
    try {
      return await put(place, idpId, to(groups), revision)
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412) || tries === TRIES_MAX) throw error
    }
  }
}
const TRIES_MAX = 5

/** @throws NotDoneError for a name that no Role of the organization has. */
async function roleIdsOf({ session, id }: Place, names: readonly string[]): Promise<string[]> {
  const { roles } = await unwrap(session.client.GET('/organization/{id}/roles', { params: { path: { id } } }))
  return names.map((name) => {
    const found = roles.find((role) => role.id === name || role.name.toLowerCase() === name.toLowerCase())
    if (found !== undefined) return found.id
    const known = roles.map((role) => printable(role.name)).join(', ')
    throw new NotDoneError(`the organization has no Role \`${printable(name)}\``, `there are: ${known}`)
  })
}

async function put(
  { invocation, io, session, id }: Place,
  idpId: string,
  groups: Wanted,
  revision: number,
): Promise<number> {
  const body = { groups: groups.map(({ name, roleIds }) => ({ name, roleIds: [...roleIds] })) }
  const mapping = await confirming(session, io, (header) =>
    unwrap(
      session.client.PUT('/organization/{id}/idps/{idpId}/groups', {
        params: { path: { id, idpId }, header: { ...header, 'if-match': `"${revision}"` } },
        body,
      }),
    ),
  )
  await showRecord(invocation, io, mapping)
  return ExitCode.clean
}
