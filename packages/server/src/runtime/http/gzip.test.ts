/** Lists travel as gzip where the client accepts it; what may hold a secret, and what is small, never. */
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { smaller } from './gzip.js'

const body = JSON.stringify({
  rules: Array.from({ length: 200 }, (_, at) => ({ name: `rule ${at}`, target: 'pipeline' })),
})
const list = { status: 200, body, headers: { etag: 'W/"abc"', vary: 'Accept' } }

describe('a list', () => {
  it.each(['gzip', 'gzip, deflate, br', 'br;q=0, gzip', '*'])(
    'goes as gzip to a client that accepts %s',
    async (accepted) => {
      const { body: small, headers } = await smaller(list, accepted)
      expect(headers).toEqual({ etag: 'W/"abc"', vary: 'Accept, Accept-Encoding', 'content-encoding': 'gzip' })
      expect((small as Uint8Array).length).toBeLessThan(body.length / 5)
      expect(gunzipSync(small as Uint8Array).toString()).toBe(body)
    },
  )

  it.each([null, 'identity', 'gzip;q=0, br;q=0', ''])(
    'goes as it is to a client that says %s, and says that it varies',
    async (accepted) => {
      const as = await smaller(list, accepted)
      expect(as.body).toBe(body)
      expect(as.headers).toEqual({ etag: 'W/"abc"', vary: 'Accept, Accept-Encoding' })
    },
  )
})

it.each([
  ['an answer with a secret, which has no tag', { ...list, headers: { 'cache-control': 'no-store' } }],
  ['one record, whose tag stands for one form', { ...list, headers: { etag: '"3.abc"' } }],
  ['a small list', { ...list, body: '{"rules":[]}' }],
])('%s goes as it is', async (_, rendered) => expect(await smaller(rendered, 'gzip, br')).toBe(rendered))
