/**
 * Receives the end of a browser sign-in (RFC 8252), on a port that the system chooses and a path that no other page
 * knows.
 * The grant is useless without the verifier, which never leaves this process.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NotDoneError } from '../command.js'

export interface Loopback {
  /** `http://127.0.0.1:49152/<path>` */
  readonly address: string
  readonly verifier: string
  /** SHA-256 of the verifier, in base64url. */
  readonly challenge: string
  /** The grant that the browser brought. @throws NotDoneError if none comes in time. */
  grant(): Promise<string>
  close(): void
}

/** As long as the server keeps a started sign-in. */
const WAIT_MS = 600_000
const GRANT = /^[A-Za-z0-9_-]{43}$/

export async function openLoopback(waitMs = WAIT_MS): Promise<Loopback> {
  const path = `/${randomBytes(16).toString('base64url')}`
  const verifier = randomBytes(32).toString('base64url')
  let came: (grant: string) => void = () => undefined
  const arrived = new Promise<string>((resolve) => {
    came = resolve
  })
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1')
    const grant = asked.searchParams.get('grant') ?? ''
    const isIt = request.method === 'GET' && asked.pathname === path && GRANT.test(grant)
    answer(response, isIt)
    if (isIt) came(grant)
  })
  await listening(server)
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    verifier,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    grant: () => inTime(arrived, waitMs),
    close() {
      server.close()
      server.closeIdleConnections()
    },
  }
}

const listening = (server: Server): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new NotDoneError(`no port of this machine is free: ${error.message}`)))
    server.listen(0, '127.0.0.1', resolve)
  })

function answer(response: ServerResponse, isIt: boolean): void {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  }
  const text = isIt ? 'You are signed in. Go back to the terminal and close this page.' : 'There is nothing here.'
  response.writeHead(isIt ? 200 : 404, headers).end(`<!doctype html><title>Plumbline</title><p>${text}</p>`)
}

async function inTime(arrived: Promise<string>, waitMs: number): Promise<string> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new NotDoneError('no sign-in arrived from the browser', 'run the command again, and sign in within 10 minutes'),
      )
    }, waitMs)
  })
  try {
    return await Promise.race([arrived, late])
  } finally {
    clearTimeout(timer)
  }
}
