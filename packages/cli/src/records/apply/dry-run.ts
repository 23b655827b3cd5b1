/**
 * INVARIANT: a dry run sends a change only to a server whose API description has the parameter `dryRun` for it. An
 * older server would ignore the parameter and make the change.
 */
import { NotDoneError } from '../../command.js'
import { isRecord } from '../../input/record.js'
import { replyOf, type Session } from '../../remote/session.js'
import type { Kind } from './kinds.js'

interface Described {
  readonly paths?: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly { readonly name?: string }[] }>>>
  >
}

/** @throws NotDoneError if the server might make a change that it is asked to try. */
export async function requireDryRun(kinds: readonly Kind[], session: Session): Promise<void> {
  const needed = kinds.filter(({ hasDryRun, archive }) => hasDryRun === true || archive !== undefined)
  if (needed.length === 0) return
  const { paths = {} } = await descriptionOf(session)
  const knows = (path: string, method: 'post' | 'put') =>
    paths[path]?.[method]?.parameters?.some(({ name }) => name === 'dryRun') === true
  const without = needed.filter(
    ({ createPath, resource, hasDryRun }) =>
      !knows(createPath, 'post') || (hasDryRun === true && !knows(`${resource.path}/{id}`, 'put')),
  )
  if (without.length === 0) return
  throw new NotDoneError(
    `the API description of this server has no dry run for ${without.map(({ name }) => name).join(', ')}: it could make the change`,
    'update the server, or leave these documents out; nothing was sent',
  )
}

/** Empty if the server, or a proxy in front of it, does not show one. */
async function descriptionOf(session: Session): Promise<Described> {
  const response = await session.fetch('/openapi.json')
  if (response.status === 404) return {}
  if (!response.ok) await replyOf(response)
  const description: unknown = await response.json().catch(() => null)
  return isRecord(description) ? description : {}
}
