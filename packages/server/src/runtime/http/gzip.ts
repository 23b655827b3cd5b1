/**
 * Sends lists as gzip to clients that accept it. Lists are the large answers, and their weak entity tag is valid for
 * both forms. An answer with a secret has no tag, so it is never compressed: its compressed length could reveal the
 * secret when an attacker controls other content.
 */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { bestCoding } from './compressible.js'
import type { Answered } from './envelope.js'

/** For smaller content, compression saves less than its header costs. */
const BYTES_MIN = 1024
/** At level 4 a list is a tenth of its size; higher levels take twice the time for a few percent. */
const LEVEL = 4

const compress = promisify(gzip)

export function smaller(rendered: Answered, accepted: string | null): Answered | Promise<Answered> {
  const { body, headers } = rendered
  const tag = headers['etag']
  const isList = typeof tag === 'string' && tag.startsWith('W/')
  // guard: no-secret-is-compressed
  if (!isList || typeof body !== 'string' || body.length < BYTES_MIN) return rendered
  const vary = [headers['vary'], 'Accept-Encoding'].filter((each) => each !== undefined).join(', ')
  if (accepted === null || bestCoding(accepted) === 'identity') return { ...rendered, headers: { ...headers, vary } }
  return compress(body, { level: LEVEL }).then((small) => ({
    ...rendered,
    body: new Uint8Array(small),
    headers: { ...headers, vary, 'content-encoding': 'gzip' },
  }))
}
