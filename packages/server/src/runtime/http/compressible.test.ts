/** What is sent compressed is what was given, and only to who accepts it. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { bestCoding, compressible } from './compressible.js'

it.each([
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['BR', 'br'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['gzip;q=0', 'identity'],
  ['identity', 'identity'],
] as const)('reads Accept-Encoding %j as %s', (header, coding) => {
  expect(bestCoding(header)).toBe(coding)
})

it('sends the same content in each form, and 304 for the form that the client has', async () => {
  const text = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at })))
  const app = new Hono()
  const content = compressible(text)
  app.get('/', (c) => content.answer(c, { 'content-type': 'application/json' }))
  const ask = (headers: Record<string, string>) => app.request('/', { headers })
  const decoders = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync }
  const tags = new Set<string>()
  for (const [coding, decode] of Object.entries(decoders)) {
    const response = await ask({ 'accept-encoding': coding })
    expect(response.headers.get('content-encoding')).toBe(coding === 'identity' ? null : coding)
    expect(response.headers.get('vary')).toBe('accept-encoding')
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(decode(bytes).toString()).toBe(text)
    if (coding !== 'identity') expect(bytes.length).toBeLessThan(text.length / 2)
    const etag = response.headers.get('etag') ?? ''
    tags.add(etag)
    expect((await ask({ 'accept-encoding': coding, 'if-none-match': etag })).status).toBe(304)
  }
  expect(tags.size).toBe(3)
})

it('leaves small content as it is', async () => {
  const app = new Hono()
  const content = compressible('short')
  app.get('/', (c) => content.answer(c, {}))
  const response = await app.request('/', { headers: { 'accept-encoding': 'br' } })
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.text()).toBe('short')
})
