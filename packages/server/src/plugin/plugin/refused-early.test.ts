/**
 * An upload of a gigabyte without credentials, or by a caller who may not upload, is refused before its body is sent.
 */

import { type AddressInfo, connect } from 'node:net'
import { serve } from '@hono/node-server'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type PluginApp, pluginApp } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'

const GiB = 1024 ** 3

let app: PluginApp
let ann: SignedIn
let server: ReturnType<typeof serve>
beforeAll(async () => {
  app = await pluginApp(await sqliteStore())
  ann = await signUp(app, 'ann')
  server = serve({ fetch: app.http.fetch, port: 0, hostname: '127.0.0.1' })
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  await app.runtime.store.close()
})

/** Sends the head of a request whose body never comes. @returns the first line of the answer. */
function answerTo(headers: Readonly<Record<string, string>>): Promise<string> {
  const { port } = server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.on('error', reject)
    socket.once('data', (data) => {
      socket.destroy()
      resolve(data.toString('latin1').split('\r\n')[0] ?? '')
    })
    socket.write(`${['POST /api/plugins HTTP/1.1', 'host: plumbline.test', ...lines].join('\r\n')}\r\n\r\n`)
  })
}

const upload = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(GiB) }

it.each([
  ['nobody', {}, 401],
  ['a forged token', { authorization: 'Bearer forged' }, 401],
])('%s: 401', async (_who, headers, status) => {
  expect(await answerTo({ ...upload, ...headers })).toContain(` ${status} `)
})

it('somebody who may, with more than the limit: 413', async () => {
  expect(await answerTo({ ...upload, authorization: `Bearer ${ann.accessToken}` })).toContain(' 413 ')
})
