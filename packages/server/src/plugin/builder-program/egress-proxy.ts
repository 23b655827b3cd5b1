/**
 * The only network access of a build: a proxy on a Unix socket, in a sandbox without a network. It connects only to the
 * hosts and ports of a list. A name is resolved once, all its addresses must be public, and the connection uses one of
 * them. For a host that is an address, such as 10.0.0.5:8081, the operator is responsible.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { isLinkLocal, notPublic } from '../../runtime/egress/address.js'
import { parseAddress } from '../../runtime/egress/parse-address.js'
import { dnsResolver, type Resolve } from '../../runtime/egress/resolve.js'

export interface EgressOptions {
  /** The socket in the sandbox. */
  readonly socket: string
  /** Each entry is a host and a port, such as deb.debian.org:80. */
  readonly allowed: readonly string[]
  /** Writes a line to the build's log for each connection. */
  note(line: string): void
  readonly resolve?: Resolve
}

export interface EgressProxy {
  close(): Promise<void>
}

const CONNECTIONS_MAX = 64
const IDLE_MS_MAX = 60_000
const LOOK_UP_MS_MAX = 10_000

class Refused extends Error {}

export async function openEgress({
  socket,
  allowed,
  note,
  resolve = dnsResolver(),
}: EgressOptions): Promise<EgressProxy> {
  const addressOf = vetting(allowed, resolve)
  const refusal = (what: string, error: unknown): string => {
    const why = error instanceof Refused ? error.message : 'no connection could be made'
    note(`[egress] ${what}: refused, ${why}\n`)
    return `${what}: ${why}\n`
  }

  const open = new Set<Duplex>()
  const kept = <T extends Duplex>(stream: T): T => {
    open.add(stream)
    stream.once('close', () => open.delete(stream))
    stream.on('error', () => stream.destroy())
    return stream
  }

  const server = createServer((asked, answer) => {
    forward(asked, answer, { addressOf, note, kept }).catch((error: unknown) => {
      const text = refusal(hostOf(asked.url), error)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(403, { 'content-type': 'text/plain', connection: 'close' }).end(text)
    })
  })

  server.on('connect', (asked: IncomingMessage, client: Socket, head: Buffer) => {
    kept(client)
    const [, host = '', port = ''] = /^(.*):(\d{1,5})$/.exec(asked.url ?? '') ?? []
    const refused = (error: unknown) => {
      const text = refusal(hostOf(asked.url), error)
      client.end(`HTTP/1.1 403 Forbidden\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
    }
    addressOf(plainHost(host), Number(port)).then((address) => {
      const there = kept(connect({ host: address, port: Number(port), allowHalfOpen: true }))
      there.setTimeout(IDLE_MS_MAX, () => there.destroy())
      there.once('error', refused)
      there.once('connect', () => {
        there.off('error', refused)
        note(`[egress] ${plainHost(host)}:${port}: let through\n`)
        client.write('HTTP/1.1 200 Connection established\r\n\r\n')
        there.write(head)
        client.pipe(there).pipe(client)
        client.once('close', () => there.destroy())
        there.once('close', () => client.destroy())
      })
    }, refused)
  })
  server.on('connection', (connection: Socket) => void kept(connection))
  server.on('clientError', (_error, connection) => connection.destroy())
  server.maxConnections = CONNECTIONS_MAX
  await new Promise<void>((ready, fail) => {
    server.once('error', fail)
    server.listen(socket, ready)
  })
  return {
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        for (const each of open) each.destroy()
      }),
  }
}

type AddressOf = (host: string, port: number) => Promise<string>

/** @returns a function that returns the address to connect to, or throws Refused. */
function vetting(allowed: readonly string[], resolve: Resolve): AddressOf {
  return async (host, port) => {
    // guard: a-build-reaches-what-is-listed
    if (!allowed.includes(`${host}:${port}`)) throw new Refused('it is not in the list of this builder (--egress)')
    if (parseAddress(host) !== null) {
      if (isLinkLocal(host)) throw new Refused('the address is link-local')
      return host
    }
    const addresses = await resolve(host, AbortSignal.timeout(LOOK_UP_MS_MAX))
    for (const address of addresses) {
      // guard: what-a-build-reaches-by-name-is-public
      if (notPublic(address) !== null) throw new Refused('the name has a private address')
    }
    const [first] = addresses
    if (first === undefined) throw new Refused('the name has no address')
    return first
  }
}

interface Forwarding extends Pick<EgressOptions, 'note'> {
  readonly addressOf: AddressOf
  kept(stream: Duplex): void
}

async function forward(
  asked: IncomingMessage,
  answer: ServerResponse,
  { addressOf, note, kept }: Forwarding,
): Promise<void> {
  if (!URL.canParse(asked.url ?? '')) throw new Refused('the request names no host')
  const url = new URL(asked.url ?? '')
  if (url.protocol !== 'http:') throw new Refused('only http is forwarded; https goes through CONNECT')
  const [host, port] = [plainHost(url.hostname), Number(url.port || 80)]
  const address = await addressOf(host, port)
  note(`[egress] ${host}:${port}: ${asked.method} let through\n`)
  const headers: IncomingMessage['headers'] = { ...asked.headers, host: url.host, connection: 'close' }
  for (const name of Object.keys(headers)) if (/^proxy-|^upgrade$|^keep-alive$/.test(name)) delete headers[name]
  await new Promise<void>((done, fail) => {
    const { method = 'GET' } = asked
    const options = {
      host: address,
      port,
      method,
      path: `${url.pathname}${url.search}`,
      headers,
      agent: false as const,
    }
    const sent = request(options, (got) => {
      answer.writeHead(got.statusCode ?? 502, { ...got.headers, connection: 'close' })
      got.pipe(answer).once('close', done)
      got.once('error', fail)
    })
    sent.setTimeout(IDLE_MS_MAX, () => sent.destroy())
    sent.once('socket', (socket) => kept(socket))
    sent.once('error', fail)
    answer.once('close', () => sent.destroy())
    asked.pipe(sent)
  })
}

const plainHost = (host: string): string =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase()

/** The host with its port for the log, without any characters that the build could inject. */
function hostOf(target = ''): string {
  const [, host = ''] = /^(?:[a-z]+:\/\/)?([^/?#@\s]*)/i.exec(target) ?? []
  return host.replace(/[^A-Za-z0-9.:[\]-]/g, '').slice(0, 260) || 'a request'
}

/** Runs in the sandbox: forwards 127.0.0.1:3128 to the socket of the proxy, and reports when it listens. */
export const RELAY = `import { createServer, connect } from 'node:net'
import { writeFileSync } from 'node:fs'
createServer({ allowHalfOpen: true }, (from) => {
  const to = connect({ path: '/proxy.sock', allowHalfOpen: true })
  from.on('error', () => to.destroy()).on('close', () => to.destroy())
  to.on('error', () => from.destroy()).on('close', () => from.destroy())
  from.pipe(to).pipe(from)
}).listen(3128, '127.0.0.1', () => writeFileSync('/w/run/relay', ''))
`
