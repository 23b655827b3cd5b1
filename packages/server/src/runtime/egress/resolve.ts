/**
 * Resolves names by DNS alone: no hosts file and no short names of the local network. It does not use the thread pool,
 * where a slow name server would delay files and password hashes.
 */
import { Resolver } from 'node:dns/promises'

/** @throws when there is no answer. An empty list also means that the name has no address. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>

const TRY_MS = 2000
const TRIES = 2

/** @param servers Such as `127.0.0.1:5353`; by default those of the host. */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
      const [first] = found
      if (addresses.length === 0 && first.status === 'rejected') throw first.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
