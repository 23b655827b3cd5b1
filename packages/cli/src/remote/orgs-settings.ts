/** `plumbline orgs settings get` and `set` */
import { unwrap } from '@plumbline/client'
import { type CommandRun, ExitCode, type Invocation, type Io } from '../command.js'
import { required } from '../program/invocation.js'
import { openSession, type Session, telling } from './session.js'
import { print } from './table.js'
import { tenantOf } from './tenant.js'

type Settings = Readonly<Record<string, unknown>>

const settingsBy =
  (ask: (session: Session, id: string, invocation: Invocation) => Promise<Settings>): CommandRun =>
  (invocation: Invocation, io: Io) =>
    telling(async () => {
      const session = openSession(invocation, io)
      const { id } = await tenantOf(session)
      const settings = await ask(session, id, invocation)
      const rows = Object.entries(settings).map(([name, value]) => [name, textOf(value)])
      await print(invocation, io, settings, rows)
      return ExitCode.clean
    })

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(', ') || 'none' : String(value))

export const get = settingsBy(async ({ client }, id) => {
  const { organization } = await unwrap(client.GET('/organization/{id}', { params: { path: { id } } }))
  return organization.settings
})

export const set = settingsBy(async ({ client }, id, invocation) => {
  const memberWriteScope = required(invocation, 'memberWriteScope') as 'own' | 'org'
  const { organization } = await unwrap(
    client.PATCH('/organization/{id}/settings', { params: { path: { id } }, body: { memberWriteScope } }),
  )
  return organization.settings
})
