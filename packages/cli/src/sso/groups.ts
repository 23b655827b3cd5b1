/** `plumbline sso groups` */
import { unwrap } from '@plumbline/client'
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
  const rest = (await wantedNow(place, provider)).filter((group) => group.name !== name)
  return put(place, provider, [...rest, { name, roleIds }])
})

export const remove = inOrganization(async (place) => {
  const { invocation, io } = place
  const name = argument(invocation, 0)
  const provider = await providerOf(place)
  const now = await wantedNow(place, provider)
  const rest = now.filter((group) => group.name !== name)
  if (rest.length === now.length) {
    throw new NotDoneError(`no mapping names the group \`${printable(name)}\``, 'run `plumbline sso groups list`')
  }
  await confirm(`take the Roles of the group ${printable(name)} from its members?`, invocation, io)
  return put(place, provider, rest)
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

async function wantedNow(place: Place, idpId: string): Promise<Wanted> {
  const { groups } = await mappingOf(place, idpId)
  return groups.map(({ name, roles }) => ({ name, roleIds: roles.map((role) => role.id) }))
}

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

async function put({ invocation, io, session, id }: Place, idpId: string, groups: Wanted): Promise<number> {
  const body = { groups: groups.map(({ name, roleIds }) => ({ name, roleIds: [...roleIds] })) }
  const mapping = await confirming(session, io, (header) =>
    unwrap(
      session.client.PUT('/organization/{id}/idps/{idpId}/groups', { params: { path: { id, idpId }, header }, body }),
    ),
  )
  await showRecord(invocation, io, mapping)
  return ExitCode.clean
}
