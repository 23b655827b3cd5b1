/** The id of the organization of a command: the server resolves `--org` or the credential to it. */
import { unwrap } from '@plumbline/client'
import type { Session } from './session.js'

export async function tenantOf({ client }: Session): Promise<{ readonly id: string; readonly slug: string }> {
  const { organization } = await unwrap(client.GET('/auth/me'))
  if (organization !== null) return organization
  // A session keeps its account although the organization is closed to it; this request is refused with the reason.
  return (await unwrap(client.GET('/organization'))).organization
}
