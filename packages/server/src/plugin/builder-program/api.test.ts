/** Goal: a server that goes while a builder fetches an archive costs no attempt, and the builder's own faults stay its own. */
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { builderApi, type ClaimedJob, ServerAway, untilAnswered } from './api.js'

const ARCHIVE = Buffer.alloc(300_000, 'a')
const JOB = { id: 'j', fence: 1 } as ClaimedJob

let folder = ''
let server: Server
let cuts = 0
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-archive-'))
  cuts = 1
  server = createServer((request, response) => {
    if (request.url?.endsWith('/auth/token')) {
      response.end(JSON.stringify({ data: { accessToken: 't', expiresIn: 900 } }))
      return
    }
    response.writeHead(200, { 'content-length': ARCHIVE.length })
    if (cuts-- <= 0) return void response.end(ARCHIVE)
    response.write(ARCHIVE.subarray(0, 100_000), () => request.socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

const fetched = (path: string) => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const api = builderApi({ url, clientId: 'c', clientSecret: 's', name: 'b' })
  const { signal } = new AbortController()
  return untilAnswered(signal, () => api.archiveTo(JOB, path, signal))
}

it('fetches an archive again that broke off, as a whole', async () => {
  const path = join(folder, 'archive.zip')
  await fetched(path)
  expect(readFileSync(path).equals(ARCHIVE)).toBe(true)
})

it('fetches no archive again that cannot be written', async () => {
  cuts = 0
  const failed = await fetched(join(folder, 'missing', 'archive.zip')).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'ENOENT' })
  expect(failed).not.toBeInstanceOf(ServerAway)
})
