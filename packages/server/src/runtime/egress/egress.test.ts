/** Goal: a request goes to a vetted address or nowhere, takes bounded time, and believes nothing that the other side says. */
import { createServer, type RequestListener, type Server } from 'node:http'
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createEgress, EgressFailed } from './egress.js'
import { readTarget, type Target } from './target.js'

const closes: (() => void)[] = []
afterEach(() => {
  for (const close of closes.splice(0)) close()
})

async function listening<S extends Server | SocketServer>(server: S): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closes.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
const serve = (listener: RequestListener) => listening(createServer(listener))
/** Writes as it likes. */
const raw = (speak: (socket: Socket) => void) =>
  listening(
    createSocketServer((socket) => {
      socket.on('error', () => undefined)
      speak(socket)
    }),
  )

const named = (port: number, host = 'hooks.example.com'): Target => ({
  url: `http://${host}:${port}/`,
  isTls: false,
  host,
  port,
  path: '/hook?a=1',
  isAllowed: false,
})
const posted = { headers: { 'X-Test': 'yes' }, body: '{"a":"ü"}', timeoutMs: 2000 }
/** A name that is here, for whom loopback is as good as public. */
const here = () => createEgress({ resolve: async () => ['127.0.0.1'], vet: () => null })

describe('egress', () => {
  it('posts the body to the address of the name, and tells the status', async () => {
    const seen: unknown[] = []
    const port = await serve((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        seen.push([request.method, request.url, request.headers.host, request.headers['x-test'], body])
        response.writeHead(202).end('thanks')
      })
    })
    expect(await here().post(named(port), posted)).toEqual({ kind: 'answered', status: 202 })
    expect(seen).toEqual([['POST', '/hook?a=1', `hooks.example.com:${port}`, 'yes', posted.body]])
  })

  it('refuses when any address of the answer is not public, and connects to none', async () => {
    let hits = 0
    const port = await raw(() => {
      hits += 1
    })
    for (const addresses of [['127.0.0.1'], ['::ffff:127.0.0.1'], ['::1'], ['x']]) {
      const egress = createEgress({ resolve: async () => addresses })
      expect(await egress.post(named(port), posted)).toMatchObject({ kind: 'refused' })
    }
    const vet = (address: string) => (address === '127.0.0.1' ? null : 'private')
    const mixed = createEgress({ resolve: async () => ['127.0.0.1', '127.0.0.2'], vet })
    expect(await mixed.post(named(port), posted)).toMatchObject({ kind: 'refused' })
    for (const host of ['127.0.0.1', '::1']) {
      expect(await createEgress().post(named(port, host), posted)).toMatchObject({ kind: 'refused' })
    }
    expect(hits).toBe(0)
  })

  it('asks for the addresses of a name once: a second answer would be another', async () => {
    let asked = 0
    const port = await serve((_request, response) => response.writeHead(200).end())
    const egress = createEgress({
      resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['127.0.0.9']),
      vet: (address) => (address === '127.0.0.1' ? null : 'private'),
    })
    expect(await egress.post(named(port), posted)).toEqual({ kind: 'answered', status: 200 })
    expect(asked).toBe(1)
    // A new request is a new look, and a new verdict.
    expect(await egress.post(named(port), posted)).toMatchObject({ kind: 'refused' })
  })

  it('follows no redirect', async () => {
    let hits = 0
    const canary = await raw(() => {
      hits += 1
    })
    for (const status of [301, 302, 303, 307, 308]) {
      const port = await serve((_request, response) =>
        response.writeHead(status, { location: `http://127.0.0.1:${canary}/` }).end(),
      )
      expect(await here().post(named(port), posted)).toEqual({ kind: 'answered', status })
    }
    expect(hits).toBe(0)
  })

  it('ends in time, whatever the other side does', async () => {
    const quick = { ...posted, timeoutMs: 300 }
    const head = 'HTTP/1.1 '
    const silent = await raw(() => undefined)
    const slow = await raw((socket) => {
      socket.write(head)
      setInterval(() => socket.write('X'), 20).unref()
    })
    const hints = await raw((socket) => {
      setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 20).unref()
    })
    for (const port of [silent, slow, hints]) {
      expect(await here().post(named(port), quick)).toMatchObject({ kind: 'failed' })
    }
    const stuck = createEgress({ resolve: () => new Promise(() => undefined) })
    expect(await stuck.post(named(silent), quick)).toEqual({ kind: 'failed', reason: 'no answer within 300 ms' })
  })

  it('reads no more than the status: an endless body, too many headers, no HTTP', async () => {
    const endless = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write('ffff\r\n'.padEnd(0xffff, 'x')));
        socket.once('drain', more)
      }
      more()
    })
    expect(await here().post(named(endless), posted)).toEqual({ kind: 'answered', status: 200 })
    const wordy = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let n = 0; n < 1000 && !socket.destroyed; n++) socket.write(`X-${n}: ${'x'.repeat(100)}\r\n`)
    })
    expect(await here().post(named(wordy), posted)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('too long'),
    })
    const other = await raw((socket) => socket.end('220 mail ready\r\n'))
    expect(await here().post(named(other), posted)).toMatchObject({ kind: 'failed' })
    const gone = await raw((socket) => socket.destroy())
    expect(await here().post(named(gone), posted)).toMatchObject({ kind: 'failed' })
  })

  it('an origin that the operator vouches for may be here, but never where clouds keep their metadata', async () => {
    const port = await serve((_request, response) => response.writeHead(204).end())
    const origin = `http://127.0.0.1:${port}`
    const target = readTarget(`${origin}/hook`, [origin]) as Target
    expect(await createEgress().post(target, posted)).toEqual({ kind: 'answered', status: 204 })
    // Without a zone nothing leaves for it, also when it is not refused.
    const metadata = { ...target, host: 'fe80::1' }
    expect(await createEgress().post(metadata, posted)).toMatchObject({ kind: 'refused' })
  })

  it('tells nothing of addresses when it fails', async () => {
    const port = await serve(() => undefined)
    closes.splice(0).forEach((close) => {
      close()
    })
    const answered = await here().post(named(port), posted)
    expect(answered).toEqual({ kind: 'failed', reason: 'the connection was refused' })
  })

  it('rejects when it is told to stop', async () => {
    const port = await raw(() => undefined)
    const stop = new AbortController()
    const post = here().post(named(port), { ...posted, signal: stop.signal })
    stop.abort(new Error('the worker is stopping'))
    await expect(post).rejects.toThrow('the worker is stopping')
  })

  it('gets an answer with its body up to 64 KiB, and none that is larger', async () => {
    const sizes: Record<string, number> = { '/small': 10, '/most': 65_536, '/more': 65_537 }
    const port = await serve((request, response) => {
      response.writeHead(200)
      response.end('x'.repeat(sizes[request.url ?? ''] ?? 0))
    })
    const get = (path: string, more = {}) => here().get({ ...named(port), path }, { timeoutMs: 2000, ...more })
    expect(await get('/small')).toEqual({ kind: 'answered', status: 200, body: Buffer.from('x'.repeat(10)) })
    expect(await get('/most')).toMatchObject({ kind: 'answered', body: { length: 65_536 } })
    const tooLarge = { kind: 'failed', reason: 'the answer is too large' }
    expect(await get('/more')).toEqual(tooLarge)
    expect(await get('/more', { bytesMax: 1_000_000 })).toEqual(tooLarge)
    expect(await get('/small', { bytesMax: 9 })).toEqual(tooLarge)
  })

  it('gets from vetted addresses alone, follows no redirect, and ends in time', async () => {
    let hits = 0
    const canary = await raw(() => {
      hits += 1
    })
    const egress = createEgress({ resolve: async () => ['127.0.0.1'] })
    expect(await egress.get(named(canary), { timeoutMs: 300 })).toMatchObject({ kind: 'refused' })
    expect(await createEgress().get(named(canary, '::1'), { timeoutMs: 300 })).toMatchObject({ kind: 'refused' })
    const moved = await serve((_request, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${canary}/` }).end(),
    )
    expect(await here().get(named(moved), { timeoutMs: 2000 })).toMatchObject({ kind: 'answered', status: 302 })
    expect(hits).toBe(0)
    const endless = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      setInterval(() => socket.write('1\r\nx\r\n'), 20).unref()
    })
    expect(await here().get(named(endless), { timeoutMs: 300 })).toEqual({
      kind: 'failed',
      reason: 'no answer within 300 ms',
    })
  })

  describe('fetch', () => {
    const LIMITS = { bytesMax: 65_536, timeoutMs: 2000 }
    const get = { method: 'GET', headers: {} } as const
    const failure = async (fetched: Promise<Response>) => {
      const error = await fetched.then((answer) => answer.text()).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(EgressFailed)
      return (error as EgressFailed).kind
    }

    it('answers with status, headers and the body as it arrives', async () => {
      let more: () => void = () => undefined
      const port = await serve((request, response) => {
        response.writeHead(429, { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] })
        response.write(`${request.method} `)
        more = () => response.end('second')
      })
      const init = { method: 'POST', headers: { 'x-key': 'k' }, body: 'sent' } as const
      const answer = await here().fetch(named(port), init, LIMITS)
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.getSetCookie().length]).toEqual([
        429,
        '7',
        2,
      ])
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader()
      const text = async () => Buffer.from((await reader.read()).value ?? []).toString()
      expect(await text()).toBe('POST ')
      more()
      expect(await text()).toBe('second')
      expect((await reader.read()).done).toBe(true)
    })

    it('connects to no closed address, in whatever notation and whatever a second look-up would say', async () => {
      let hits = 0
      const port = await raw(() => {
        hits += 1
      })
      const texts = [
        '127.0.0.1',
        '2130706433',
        '0x7f.1',
        '0177.0.0.1',
        '127.1',
        '[::1]',
        '[::ffff:7f00:1]',
        'localhost',
      ]
      for (const text of texts) {
        const target = readTarget(`https://${text}:${port}/`, [])
        expect(typeof target, text).toBe('string')
        const host = new URL(`https://${text}/`).hostname.replace(/^\[|\]$/g, '')
        const egress = createEgress({ resolve: async () => ['127.0.0.1'] })
        expect(await failure(egress.fetch(named(port, host), get, LIMITS)), text).toBe('refused')
      }
      let asked = 0
      const lying = createEgress({
        resolve: async () => (asked++ === 0 ? ['192.0.2.9'] : ['127.0.0.1']),
        vet: (address) => (address === '192.0.2.9' ? 'documentation' : null),
      })
      expect(await failure(lying.fetch(named(port), get, LIMITS))).toBe('refused')
      expect([asked, hits]).toEqual([1, 0])
    })

    it('fails on a redirect, and the second host gets nothing', async () => {
      let hits = 0
      const canary = await raw(() => {
        hits += 1
      })
      for (const status of [301, 302, 303, 307, 308]) {
        const port = await serve((_request, response) =>
          response.writeHead(status, { location: `http://127.0.0.1:${canary}/` }).end('x'),
        )
        expect(await failure(here().fetch(named(port), get, LIMITS))).toBe('redirect')
      }
      expect(hits).toBe(0)
    })

    it('ends at its bytes, whether they are announced, endless or packed', async () => {
      const announced = await serve((_request, response) => response.end('x'.repeat(100_000)))
      const endless = await serve((_request, response) => {
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(65_536)));
          response.once('drain', more)
        }
        more()
      })
      const packed = await serve((_request, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      )
      expect(await failure(here().fetch(named(announced), get, LIMITS))).toBe('too-large')
      expect(await failure(here().fetch(named(endless), get, { ...LIMITS, bytesMax: 1_000_000 }))).toBe('too-large')
      expect(await failure(here().fetch(named(packed), get, LIMITS))).toBe('failed')
    })

    it('ends at its time, before the head and in the middle of the body', async () => {
      const limits = { ...LIMITS, timeoutMs: 300 }
      const silent = await raw(() => undefined)
      const dripping = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
        setInterval(() => socket.write('1\r\nx\r\n'), 20).unref()
      })
      // Such a body ends with its connection, so one that the time limit closed looks complete.
      const withoutLength = await raw((socket) => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        setInterval(() => socket.write('x'), 20).unref()
      })
      for (const port of [silent, dripping, withoutLength]) {
        expect(await failure(here().fetch(named(port), get, limits))).toBe('late')
      }
      const got = await here().get(named(withoutLength), { timeoutMs: 300 })
      expect(got).toEqual({ kind: 'failed', reason: 'no answer within 300 ms' })
      const broken = await raw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'))
      expect(await failure(here().fetch(named(broken), get, LIMITS))).toBe('failed')
    })

    it('stops when it is told to, also while the body is read', async () => {
      const port = await raw((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx'))
      const stop = new AbortController()
      const answer = await here().fetch(named(port), { ...get, signal: stop.signal }, LIMITS)
      const reading = answer.text()
      stop.abort(new Error('the client went'))
      await expect(reading).rejects.toThrow('the client went')
    })
  })
})
