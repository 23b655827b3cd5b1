/** The id of the organization of a command: the server resolves `--org` or the credential to it. */
import { unwrap } from '@plumbline/client'
import { UsageError } from '../command.js'
import type { Session } from './session.js'

export async function tenantOf({ client }: Session): Promise<{ readonly id: string; readonly slug: string }> {
  const { organization } = await unwrap(client.GET('/auth/me'))
  if (organization === null) throw new UsageError('no organization is chosen', 'name one with --org')
  return organization
}
