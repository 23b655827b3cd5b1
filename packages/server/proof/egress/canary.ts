/**
 * In a network of our own every address is here: anyone who connects to one of them reaches this listener, which knows by the
 * address on its own side where the connection was meant to go. To a public address it answers as the case says; to any
 * other it is a canary that counts.
 */
import { createServer, type Socket } from 'node:net'
import type { Behaviour } from './cases.js'

export interface Canary {
  /** Connections to addresses that are not public, since the last call. */
  takeHits(): readonly string[]
  /** Connections to public ones. */
  readonly reached: number
  close(): void
}

const MAPPED = '::ffff:'

/** @param isPublic decides by a table of its own, not by that of the server. */
export async function canary(port: number, isPublic: (address: string) => boolean): Promise<Canary> {
  let hits: string[] = []
  let reached = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const local = socket.localAddress ?? ''
    const address = local.startsWith(MAPPED) && local.includes('.') ? local.slice(MAPPED.length) : local
    if (!isPublic(address)) {
      hits.push(`${address}:${socket.localPort}`)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
      return
    }
    reached += 1
    let head = ''
    socket.on('data', (part) => {
      if (head.includes('\r\n\r\n')) return
      head += part.toString('latin1')
      const behaviour = /^x-behaviour: (.*)$/im.exec(head)?.[1]?.trim()
      if (head.includes('\r\n\r\n')) behave(socket, JSON.parse(behaviour ?? '{"kind":"ok"}') as Behaviour)
    })
  })
  await new Promise<void>((resolve) => server.listen({ port, host: '::', ipv6Only: false }, resolve))
  return {
    takeHits() {
      const taken = hits
      hits = []
      return taken
    },
    get reached() {
      return reached
    },
    close: () => void server.close(),
  }
}

function behave(socket: Socket, behaviour: Behaviour): void {
  const trickle = (text: string, everyMs: number) => {
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write(text)), everyMs)
  }
  switch (behaviour.kind) {
    case 'ok':
      socket.end('HTTP/1.1 204 No Content\r\n\r\n')
      return
    case 'redirect':
      socket.end(`HTTP/1.1 ${behaviour.status} Moved\r\nLocation: ${behaviour.location}\r\nContent-Length: 0\r\n\r\n`)
      return
    case 'slow headers':
      socket.write('HTTP/1.1 200 OK\r\n')
      trickle('X-More: x\r\n', 10)
      return
    case 'slow body':
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n')
      trickle('x', 10)
      return
    case 'endless body': {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const pour = () => {
        while (!socket.destroyed && socket.write('x'.repeat(65_536)));
        if (!socket.destroyed) socket.once('drain', pour)
      }
      pour()
      return
    }
    case 'silent':
  }
}
