/** `plumbline policies diff` */
import { type CommandRun, ExitCode, NotDoneError, UsageError } from '../../command.js'
import { text } from '../../program/invocation.js'
import { printable } from '../../program/printable.js'
import { openSession, type Session, telling } from '../../remote/session.js'
import { readKey } from '../keys.js'
import { everyRecord } from '../pages.js'
import { policies } from '../policies.js'
import type { JsonObject } from '../resource.js'
import { showRecord } from '../show.js'

export const run: CommandRun = (invocation, io) =>
  telling(async () => {
    const session = openSession(invocation, io)
    const named = String(invocation.arguments[0])
    const [version, other, target] = [
      text(invocation, 'version'),
      text(invocation, 'against'),
      text(invocation, 'target'),
    ]
    const id = await versionOf(session, named, version)
    const against = other === undefined ? undefined : await otherOf(session, named, other)
    const { data } = await session.send<JsonObject>({
      method: 'GET',
      path: `${policies.path}/${encodeURIComponent(id)}/diff`,
      query: { ...(against === undefined ? {} : { against }), ...(target === undefined ? {} : { target }) },
    })
    await showRecord(invocation, io, data)
    return ExitCode.clean
  })

/** @throws UsageError if the name has several versions and `version` is undefined. */
async function versionOf(session: Session, named: string, version: string | undefined): Promise<string> {
  const key = readKey(policies, named)
  if ('id' in key && key.id !== undefined) return key.id
  const found = (await versionsOf(session, named)).filter((each) => version === undefined || each.version === version)
  const [first] = found
  if (first === undefined) {
    throw new NotDoneError(`there is no policy \`${printable(named)}\`${version === undefined ? '' : ` ${version}`}`)
  }
  if (found.length === 1) return String(first.id)
  const versions = found.map((each) => String(each.version)).join(', ')
  throw new UsageError(
    `\`${printable(named)}\` has several versions: ${printable(versions)}`,
    'name one with --version',
  )
}

const otherOf = async (session: Session, named: string, other: string): Promise<string> => {
  const key = readKey(policies, other)
  if ('id' in key && key.id !== undefined) return key.id
  const own = readKey(policies, named)
  if (!('id' in own)) return versionOf(session, named, other)
  throw new UsageError('--against wants an id where the policy is named by its id', 'name the policy instead')
}

/** The organization's own versions, or the templates if there are none. */
async function versionsOf(session: Session, name: string): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = []
  for await (const record of everyRecord(session, policies.path, policies.name, { name, isActive: 'all' })) {
    if (record.name === name) found.push(record)
  }
  const own = found.filter(({ isTemplate }) => isTemplate !== true)
  return own.length > 0 ? own : found
}
