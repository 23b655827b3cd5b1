/**
 * Content that does not change while the process runs, such as the API's description. It is sent as gzip or brotli to
 * clients that accept it, compressed once and off the main thread, with an entity tag for each form.
 */
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { isUnmodified } from './envelope.js'

export interface Compressible {
  /** Returns 200 with the content in the best form that the client accepts, or 304. */
  answer(c: Context, headers: Readonly<Record<string, string>>): Promise<Response>
}

type Coding = 'br' | 'gzip' | 'identity'

const CODERS: Readonly<Record<Exclude<Coding, 'identity'>, (content: Buffer) => Promise<Buffer>>> = {
  // Quality 9: within 3 % of 11 at a tenth of its time.
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  gzip: (content) => promisify(gzip)(content, { level: 9 }),
}

/** For smaller content, compression saves less than its header costs. */
const BYTES_MIN = 1024

export function compressible(content: string | Buffer): Compressible {
  const bytes = Buffer.from(content)
  const tag = hash('sha256', bytes, 'base64url').slice(0, 22)
  const forms = new Map<Coding, Promise<Buffer>>([['identity', Promise.resolve(bytes)]])
  return {
    async answer(c, headers) {
      const coding = bytes.length < BYTES_MIN ? 'identity' : bestCoding(c.req.raw.headers.get('accept-encoding') ?? '')
      const etag = coding === 'identity' ? `"${tag}"` : `"${tag}-${coding}"`
      const all = {
        ...headers,
        etag,
        vary: 'accept-encoding',
        ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
      }
      if (isUnmodified(c.req.raw.headers.get('if-none-match'), etag)) {
        return new Response(null, { status: 304, headers: all })
      }
      const form = forms.get(coding) ?? (coding === 'identity' ? Promise.resolve(bytes) : CODERS[coding](bytes))
      forms.set(coding, form)
      return new Response(new Uint8Array(await form), { headers: all })
    },
  }
}

/** Returns the smallest coding that `Accept-Encoding` allows (RFC 9110, 12.5.3); `q=0` forbids a coding. */
export function bestCoding(accepted: string): Coding {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((each): [string, number] => {
        const [name = '', ...parameters] = each.split(';').map((part) => part.trim())
        const weight = parameters.find((parameter) => parameter.startsWith('q='))
        return [name, weight === undefined ? 1 : Number(weight.slice(2))]
      }),
  )
  const isAccepted = (coding: string) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0
  return isAccepted('br') ? 'br' : isAccepted('gzip') ? 'gzip' : 'identity'
}
