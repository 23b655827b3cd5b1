/** The TXT records of a name. "No records" is an answer of the name server; a missing answer is an error. */
import { Resolver } from 'node:dns/promises'
import { port } from '../../runtime/port.js'

export type TxtAnswer =
  | { readonly kind: 'answered'; readonly texts: readonly string[] }
  | { readonly kind: 'unanswered'; readonly reason: string }

export type ResolveTxt = (name: string) => Promise<TxtAnswer>

/** Replaces the name servers in tests and trials. */
export const resolverPort = port<ResolveTxt>('sso.resolver')

const PATIENCE = { tryMs: 3000, tries: 2 }
/** The name does not exist, or has no TXT record: both are answers of the name server. */
const NOTHING = ['ENOTFOUND', 'ENODATA']

/** @param servers such as `127.0.0.1:5353`; empty for the name servers of the host. */
export function txtResolver(servers: readonly string[], { tryMs, tries } = PATIENCE): ResolveTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: tryMs, tries })
    if (servers.length > 0) resolver.setServers([...servers])
    try {
      const records = await resolver.resolveTxt(name)
      // A text beyond 255 bytes comes in chunks.
      return { kind: 'answered', texts: records.map((chunks) => chunks.join('')) }
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? '')
      return NOTHING.includes(code) ? { kind: 'answered', texts: [] } : { kind: 'unanswered', reason: code }
    }
  }
}
