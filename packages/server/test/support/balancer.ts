/** A minimal load balancer: each request goes to the next server that accepts connections. */
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Balancer {
  readonly url: string
  close(): Promise<void>
}

/**
 * @param targets URLs such as `http://127.0.0.1:3001`. A target that refuses the connection is skipped. A request that
 * breaks off after it was sent gets 502 and is not retried, because it may have had its effect.
 */
export async function balancer(targets: readonly string[]): Promise<Balancer> {
  let turn = 0
  const server: Server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => pass(turn++, targets.length))

    function pass(at: number, left: number): void {
      const target = targets[at % targets.length] ?? ''
      const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress ?? '' }
      const sent = request(`${target}${incoming.url}`, { method: incoming.method ?? 'GET', headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.on('error', () => outgoing.destroy())
        answer.pipe(outgoing)
      })
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (outgoing.headersSent) outgoing.destroy()
        else if (error.code === 'ECONNREFUSED' && left > 1) pass(at + 1, left - 1)
        else outgoing.writeHead(502).end()
      })
      sent.end(Buffer.concat(chunks))
    }
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', () => ready()))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((closed) => server.close(() => closed()))
    },
  }
}
