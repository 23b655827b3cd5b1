/** The proxy of builds: listed hosts are reachable, and no others, in whichever way they are requested. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EgressProxy, openEgress } from './egress-proxy.js'

const lines: string[] = []
let answers: readonly string[] = []
let [folder, socket, listed] = ['', '', '']
let reached = 0
let there: Server
let proxy: EgressProxy
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-egress-'))
  there = createServer((asked, answer) => {
    reached += 1
    answer.setHeader('set-cookie', ['a=1', 'b=2'])
    answer.end(`${asked.method} ${asked.url} ${asked.headers.host} ${asked.headers['proxy-authorization']}`)
  })
  await new Promise<void>((ready) => there.listen(0, '127.0.0.1', ready))
  const { port } = there.address() as AddressInfo
  listed = `127.0.0.1:${port}`
  socket = join(folder, 's')
  const allowed = [listed, `mirror.example:${port}`, 'gone.example:80', '169.254.169.254:80']
  proxy = await openEgress({ socket, allowed, note: (line) => lines.push(line), resolve: async () => answers })
})
afterAll(async () => {
  await proxy.close()
  there.close()
  rmSync(folder, { recursive: true })
})

const get = (path: string): Promise<{ status: number | undefined; text: string; cookies: string[] | undefined }> =>
  new Promise((resolve, reject) => {
    const sent = request({ socketPath: socket, path, headers: { 'proxy-authorization': 'secret' } }, (answer) => {
      let text = ''
      answer.on('data', (piece) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode, text, cookies: answer.headers['set-cookie'] }))
    })
    sent.once('error', reject)
    sent.end()
  })

const tunnel = (target: string, say = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const client = connect(socket, () => client.write(`CONNECT ${target} HTTP/1.1\r\n\r\n`))
    client.on('data', (piece) => {
      text += piece
      if (text === 'HTTP/1.1 200 Connection established\r\n\r\n') client.write(say)
    })
    client.once('error', reject)
    client.once('close', () => resolve(text))
  })

it('lets through what is listed, and tells of it', async () => {
  const { status, text, cookies } = await get(`http://${listed}/a?b=c`)
  expect([status, text, cookies]).toEqual([200, `GET /a?b=c ${listed} undefined`, ['a=1', 'b=2']])
  const said = await tunnel(listed, `GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`)
  expect(said).toContain('GET /x h undefined')
  expect(lines).toEqual([`[egress] ${listed}: GET let through\n`, `[egress] ${listed}: let through\n`])
})

it('connects to nothing else', async () => {
  reached = 0
  const [, port = ''] = listed.split(':')
  const places = [
    `localhost:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    '127.0.0.1:1',
  ]
  for (const place of [
    ...places,
    '169.254.169.254:80',
    'gone.example:443',
    `${listed}@mirror.example:${port}`,
    ':',
    'x',
  ]) {
    expect([place, await tunnel(place)]).toEqual([place, expect.stringMatching(/^HTTP\/1\.1 (403|400)/)])
  }
  for (const url of [`http://localhost:${port}/`, `https://${listed}/`, 'ftp://x/', '/v1', 'http://169.254.169.254/']) {
    expect([url, (await get(url)).status]).toEqual([url, 403])
  }
  expect(reached).toBe(0)
  expect(lines.every((line) => line.split('\n').length === 2)).toBe(true)
})

it('vets every address of a listed name, and connects to what it vetted', async () => {
  reached = 0
  const [, port = ''] = listed.split(':')
  for (const all of [['127.0.0.1'], ['93.184.216.34', '10.0.0.1'], ['::1'], ['fd00::1'], ['169.254.169.254'], []]) {
    answers = all
    const { status, text } = await get(`http://mirror.example:${port}/`)
    expect([all, status, text]).toEqual([all, 403, expect.stringMatching(/private address|has no address/)])
    expect(await tunnel(`mirror.example:${port}`)).toContain('403')
  }
  expect(reached).toBe(0)
})
