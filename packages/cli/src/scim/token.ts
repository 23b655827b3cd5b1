/** `plumbline scim token` */
import { unwrap } from '@plumbline/client'
import { ExitCode, NotDoneError } from '../command.js'
import { argument } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { showRecord } from '../records/show.js'
import { confirm } from '../remote/confirm.js'
import { inOrganization } from '../remote/in-organization.js'
import type { Session } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'
import { print } from '../remote/table.js'

const DAY_S = 86_400

export const list = inOrganization(async ({ invocation, io, session, id }) => {
  const tokens = await tokensOf(session, id)
  const rows = tokens.map((each) => [
    each.name,
    each.id,
    `…${each.hint}`,
    each.expiresAt,
    each.lastUsedAt ?? 'never used',
  ])
  await print(invocation, io, tokens, rows)
  return ExitCode.clean
})

export const create = inOrganization(async ({ invocation, io, session, id }) => {
  const { name, idp, expiresDays } = invocation.options as { name?: string; idp?: string; expiresDays: number }
  const body = {
    expiresIn: expiresDays * DAY_S,
    ...(name === undefined ? {} : { name }),
    ...(idp === undefined ? {} : { idpId: idp }),
  }
  const made = await confirming(session, io, (header) =>
    unwrap(session.client.POST('/organization/{id}/scim-tokens', { params: { path: { id }, header }, body })),
  )
  await showRecord(invocation, io, { ...made.scimToken, token: made.token })
  await note(invocation, io, 'the token is shown only once: enter it at the directory\n')
  return ExitCode.clean
})

export const remove = inOrganization(async ({ invocation, io, session, id }) => {
  const wanted = argument(invocation, 0)
  const found = (await tokensOf(session, id)).filter((each) => each.id === wanted || each.name === wanted)
  const [token, other] = found
  if (token === undefined) {
    throw new NotDoneError(
      `the organization has no SCIM token \`${printable(wanted)}\``,
      'run `plumbline scim token list`',
    )
  }
  if (other !== undefined) {
    throw new NotDoneError(`two SCIM tokens are named \`${printable(wanted)}\``, 'name one by its id')
  }
  await confirm(`delete the SCIM token ${printable(token.name)}?`, invocation, io)
  await confirming(session, io, (header) =>
    unwrap(
      session.client.DELETE('/organization/{id}/scim-tokens/{tokenId}', {
        params: { path: { id, tokenId: token.id }, header },
      }),
    ),
  )
  await note(invocation, io, `deleted ${printable(token.name)}\n`)
  return ExitCode.clean
})

const tokensOf = async ({ client }: Session, id: string) =>
  (await unwrap(client.GET('/organization/{id}/scim-tokens', { params: { path: { id } } }))).tokens
