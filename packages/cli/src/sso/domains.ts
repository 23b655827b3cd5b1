/** `plumbline sso domains` */
import { unwrap } from '@plumbline/client'
import { ExitCode, NotDoneError } from '../command.js'
import { argument } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { write } from '../program/write.js'
import { showRecord } from '../records/show.js'
import { confirm } from '../remote/confirm.js'
import { inOrganization } from '../remote/in-organization.js'
import type { Session } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'
import { print } from '../remote/table.js'

export const list = inOrganization(async ({ invocation, io, session, id }) => {
  const domains = await domainsOf(session, id)
  const rows = domains.map(({ domain, status, record }) => [domain, status, record.name, record.value])
  await print(invocation, io, domains, rows)
  return ExitCode.clean
})

export const add = inOrganization(async ({ invocation, io, session, id }) => {
  const { domain } = await confirming(session, io, (header) =>
    unwrap(
      session.client.POST('/organization/{id}/domains', {
        params: { path: { id }, header },
        body: { domain: argument(invocation, 0) },
      }),
    ),
  )
  await showRecord(invocation, io, domain)
  const { name, value } = domain.record
  await note(
    invocation,
    io,
    `enter this TXT record in the DNS, then run \`plumbline sso domains verify ${printable(domain.domain)}\`:\n${printable(name)} TXT ${printable(value)}\n`,
  )
  return ExitCode.clean
})

export const verify = inOrganization(async ({ invocation, io, session, id }) => {
  const found = await domainNamed(session, id, argument(invocation, 0))
  const { domain } = await unwrap(
    session.client.POST('/organization/{id}/domains/{domainId}/verify', {
      params: { path: { id, domainId: found.id } },
    }),
  )
  await showRecord(invocation, io, domain)
  if (domain.status === 'verified') return ExitCode.clean
  await write(
    io.stderr,
    `the record is not there: enter TXT ${printable(domain.record.value)} at ${printable(domain.record.name)}\n`,
  )
  return ExitCode.findings
})

export const remove = inOrganization(async ({ invocation, io, session, id }) => {
  const found = await domainNamed(session, id, argument(invocation, 0))
  await confirm(`delete the domain ${printable(found.domain)}?`, invocation, io)
  await confirming(session, io, (header) =>
    unwrap(
      session.client.DELETE('/organization/{id}/domains/{domainId}', {
        params: { path: { id, domainId: found.id }, header },
      }),
    ),
  )
  await note(invocation, io, `deleted ${printable(found.domain)}\n`)
  return ExitCode.clean
})

async function domainsOf({ client }: Session, id: string) {
  return (await unwrap(client.GET('/organization/{id}/domains', { params: { path: { id } } }))).domains
}

async function domainNamed(session: Session, id: string, name: string) {
  const wanted = name.toLowerCase()
  const found = (await domainsOf(session, id)).find((each) => each.domain === wanted || each.id === wanted)
  if (found !== undefined) return found
  throw new NotDoneError(
    `the organization has no domain \`${printable(name)}\``,
    '`plumbline sso domains list` shows those that it has; `plumbline sso domains add` adds one',
  )
}
