/** Senders as they are often written. Each must hit canaries, or the proof could not see a fault. */
import { request } from 'node:http'
import { isIP } from 'node:net'
import { notPublic } from '../../src/runtime/egress/address.js'
import { createEgress } from '../../src/runtime/egress/egress.js'
import type { Resolve } from '../../src/runtime/egress/resolve.js'
import type { Target } from '../../src/runtime/egress/target.js'
import type { Send } from './run.js'

/** The URL taken apart without any question. */
function unvetted(url: string): Target | string {
  if (!URL.canParse(url)) return 'is not a URL'
  const { hostname, port, pathname } = new URL(url)
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  return { url, isTls: false, host, port: port === '' ? 443 : Number(port), path: pathname, isAllowed: false }
}

export const withoutVetting = (resolve: Resolve): Send => {
  const egress = createEgress({ resolve, vet: () => null })
  return async (url, headers, timeoutMs) => {
    const target = unvetted(url)
    if (typeof target !== 'string') await egress.post(target, { headers, body: '{}', timeoutMs })
  }
}

/** Vets what one look-up says, and connects to what the next one says. */
export const withSecondLookUp = (resolve: Resolve): Send => {
  const egress = createEgress({ resolve, vet: () => null })
  return async (url, headers, timeoutMs) => {
    const target = unvetted(url)
    if (typeof target === 'string') return
    const seen = isIP(target.host) > 0 ? [target.host] : await resolve(target.host, AbortSignal.timeout(timeoutMs))
    if (seen.every((address) => notPublic(address) === null)) {
      await egress.post(target, { headers, body: '{}', timeoutMs })
    }
  }
}

/** Vets the first address, and goes wherever the answer points. */
export const withRedirects = (resolve: Resolve): Send => {
  const send = async (
    url: string,
    headers: Record<string, string>,
    timeoutMs: number,
    isFirst: boolean,
  ): Promise<void> => {
    const target = unvetted(url)
    if (typeof target === 'string') return
    const addresses =
      isIP(target.host) > 0 ? [target.host] : await resolve(target.host, AbortSignal.timeout(timeoutMs)).catch(() => [])
    const [host] = addresses
    if (host === undefined || (isFirst && addresses.some((address) => notPublic(address) !== null))) return
    const location = await new Promise<string | undefined>((done) => {
      const asked = request({ host, port: target.port, path: target.path, headers, agent: false, timeout: timeoutMs })
      asked.once('response', (response) => {
        done(response.headers.location)
        response.destroy()
      })
      asked.once('timeout', () => asked.destroy())
      asked.on('error', () => done(undefined))
      asked.end()
    })
    if (location !== undefined) await send(location, headers, timeoutMs, false)
  }
  return (url, headers, timeoutMs) => send(url, headers, timeoutMs, true)
}
