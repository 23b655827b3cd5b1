/** `plumbline sso setup` */
import { ApiError, unwrap } from '@plumbline/client'
import { ExitCode, type Invocation, type Io, UsageError } from '../command.js'
import { flag, text, texts } from '../program/invocation.js'
import { note } from '../program/note.js'
import { printable } from '../program/printable.js'
import { secretIn } from '../program/secret-variable.js'
import { showRecord } from '../records/show.js'
import { ask } from '../remote/ask.js'
import { inOrganization } from '../remote/in-organization.js'
import type { Session } from '../remote/session.js'
import { confirming } from '../remote/step-up.js'

export const run = inOrganization(async ({ invocation, io, session, id }) => {
  const change = { ...changeOf(invocation), ...secretOf(invocation, io) }
  const isThere = await hasProvider(session, id)
  if (isThere && Object.keys(change).length === 0) {
    throw new UsageError('there is nothing to change', '`plumbline sso status` shows what is set up')
  }
  const body = isThere ? change : await firstOf(change, io)
  const { provider, warnings } = await confirming(session, io, async (headers) => {
    const method = isThere ? 'PATCH' : 'PUT'
    const path = `/organization/${id}/idp`
    return (await session.send<ChangedProvider>({ method, path, body, headers })).data
  })
  await showRecord(invocation, io, provider)
  await note(invocation, io, `enter at the provider as its redirect address: ${printable(provider.redirectUri)}\n`)
  for (const { message } of warnings) await note(invocation, io, `warning: ${printable(message)}\n`)
  return ExitCode.clean
})

interface ChangedProvider {
  readonly provider: { readonly redirectUri: string }
  readonly warnings: readonly { readonly message: string }[]
}

async function hasProvider({ client }: Session, id: string): Promise<boolean> {
  try {
    await unwrap(client.GET('/organization/{id}/idp', { params: { path: { id } } }))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return false
    throw error
  }
}

type Change = Readonly<Record<string, unknown>>

function changeOf(invocation: Invocation): Change {
  const lists = (name: string, option: string): Change => {
    const given = texts(invocation, option)
    return given.length === 0 ? {} : { [name]: given }
  }
  const one = (name: string): Change => {
    const given = invocation.options[name]
    return given === undefined ? {} : { [name]: given === 'yes' ? true : given === 'no' ? false : given }
  }
  const names = ['issuer', 'clientId', 'alg', 'groupsClaim', 'trustEmail', 'jit', 'sessionHours']
  return Object.assign({}, ...names.map(one), lists('scopes', 'scope'), lists('amr', 'amr'))
}

function secretOf(invocation: Invocation, io: Io): Change {
  if (flag(invocation, 'publicClient')) return { clientSecret: null }
  const variable = text(invocation, 'clientSecretEnv')
  return variable === undefined ? {} : { clientSecret: secretIn(io, variable, 'secret') }
}

async function firstOf(change: Change, io: Io): Promise<Change> {
  for (const [name, option] of Object.entries({ issuer: '--issuer', clientId: '--client-id' })) {
    if (change[name] === undefined) throw new UsageError(`no provider is set up yet: ${option} is required`)
  }
  if (change['clientSecret'] !== undefined) return change
  return { ...change, clientSecret: await ask(io, 'Client secret: ', { secret: true }) }
}
