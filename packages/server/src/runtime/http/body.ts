/**
 * JSON bodies: the limits are checked before anything is parsed. The size is checked by the announced length and while the bytes
 * arrive, the number of values by a look at the text: 300,000 objects take a hundred times as long as a text of their size.
 */
import { invalidField, Refusal } from '../errors.js'
import type { SentHeaders } from './sent-headers.js'

/** 1 MiB (spec platform 1.12). */
export const JSON_BYTES_MAX = 1_048_576

export function tooLarge(bytesMax: number): Refusal {
  return new Refusal('PAYLOAD_TOO_LARGE', `the body is larger than ${bytesMax} bytes`, { details: { bytesMax } })
}

/** True when the request says that it has no body. */
export function hasNoBody(request: Request, headers: SentHeaders): boolean {
  const length = headers.get('content-length')
  // Touching `body` makes the adapter build a whole Request, so only a request without a length is asked.
  return length === '0' || (length === null && request.body === null)
}

/** @throws Refusal 413 for an announced length above the limit, before a byte is read. */
export function checkAnnounced(headers: SentHeaders, bytesMax: number): void {
  const announced = headers.get('content-length')
  if (announced !== null && !(Number(announced) <= bytesMax)) throw tooLarge(bytesMax)
}

/** The type of `content-type` in lower case, without its parameters; empty when there is none. */
export function mediaType(headers: SentHeaders): string {
  const value = headers.get('content-type') ?? ''
  const end = value.indexOf(';')
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase()
}

export interface ReadJson {
  readonly value: unknown
  /** False where the text shows that there is none: JSON spells a NUL as an escape. */
  readonly mayHoldNul: boolean
}

export interface ReadOptions {
  readonly bytesMax: number
  /** Asked before anything beyond `LARGE_BYTES` is read; what it throws refuses the request. */
  readonly beforeLarge?: (() => Promise<void>) | undefined
}

/** Up to here a body is read before the caller has confirmed who they are. */
const LARGE_BYTES = 65_536

/** A body arrives at this speed or is cut; the first seconds are for connections that begin slowly. */
const FIRST_MS = 10_000
const BYTES_PER_SECOND_MIN = 16_384

const arrivesMs = (bytes: number): number => FIRST_MS + Math.ceil(bytes / BYTES_PER_SECOND_MIN) * 1000

/** @throws Refusal 400 for a body that breaks off, 408 for one that drips in, 413 and 415. */
export async function readJson(request: Request, headers: SentHeaders, options: ReadOptions): Promise<ReadJson> {
  const type = mediaType(headers)
  if (type !== 'application/json' && !(type.startsWith('application/') && type.endsWith('+json'))) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'send the body as `Content-Type: application/json`', {
      details: { accepted: ['application/json'] },
    })
  }
  checkAnnounced(headers, options.bytesMax)
  const announced = headers.get('content-length')
  if (announced === null) return parse(new TextDecoder().decode(await readPieces(request, options)), options.bytesMax)
  // guard: a-large-body-is-read-for-who-confirmed
  if (options.beforeLarge !== undefined && Number(announced) > LARGE_BYTES) await options.beforeLarge()
  // The HTTP parser holds a body to its announced length, and that was checked.
  const text = await inTime(request.text(), arrivesMs(Number(announced)))
  // Held here too, for requests that no HTTP parser has seen. A UTF-16 unit is at least one byte.
  if (text.length > options.bytesMax) throw tooLarge(options.bytesMax)
  return parse(text, options.bytesMax)
}

/** The bytes of a body of any type. @throws Refusal 400, 408 or 413 */
export async function readBytes(request: Request, headers: SentHeaders, bytesMax: number): Promise<Buffer> {
  checkAnnounced(headers, bytesMax)
  const announced = headers.get('content-length')
  if (announced === null) return readPieces(request, { bytesMax })
  const bytes = Buffer.from(await inTime(request.arrayBuffer(), arrivesMs(Number(announced))))
  if (bytes.byteLength > bytesMax) throw tooLarge(bytesMax)
  return bytes
}

async function readPieces(request: Request, { bytesMax, beforeLarge }: ReadOptions): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let asked = beforeLarge === undefined
  const endsAtMs = performance.now() + arrivesMs(bytesMax)
  const reader = request.body?.getReader()
  try {
    while (reader !== undefined) {
      const next = await inTime(reader.read(), endsAtMs - performance.now())
      if (next.done) break
      bytes += next.value.byteLength
      // guard: the-size-of-a-body
      if (bytes > bytesMax) throw tooLarge(bytesMax)
      if (bytes > LARGE_BYTES && !asked) {
        asked = true
        await beforeLarge?.()
      }
      chunks.push(next.value)
    }
  } catch (error) {
    await reader?.cancel().catch(() => undefined)
    throw error
  }
  return Buffer.concat(chunks)
}

/** @throws Refusal 408 when the time is over, 400 when the client goes away in the middle. */
async function inTime<T>(reading: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new Refusal('REQUEST_TIMEOUT', 'the body arrives too slowly: send it at 16 KiB a second or faster', {
            // The rest of the body is not wanted any more, so the connection is not used again.
            headers: { Connection: 'close' },
          }),
        ),
      ms,
    )
  })
  // The client's going is not a fault of the server, and nothing that an operator could act on.
  const read = reading.catch(() => {
    throw invalidField('/body', 'broke off before its end', 'body')
  })
  try {
    // guard: a-body-that-drips-in-is-cut
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A body at the limit may have one value for so many of its bytes: 65,536 in a MiB. */
const BYTES_PER_VALUE_MIN = 16
/** Different keys cost most: 60,000 in one object take 50 ms. */
const KEYS_MAX = 10_000

function parse(text: string, bytesMax: number): ReadJson {
  const valuesMax = Math.floor(bytesMax / BYTES_PER_VALUE_MIN)
  // guard: a-body-of-too-many-values-is-not-parsed
  const tooMuch = tooMuchOf(text, valuesMax)
  if (tooMuch !== null) throw new Refusal('PAYLOAD_TOO_LARGE', `the body holds more than ${tooMuch}`)
  // guard: a-body-whose-text-may-spell-a-nul-is-looked-through
  const hasEscapes = text.includes('\\u')
  try {
    // Only a text that holds the name, or an escape that could spell it, is looked at key by key.
    const value = hasEscapes || text.includes('__proto__') ? JSON.parse(text, refuseProto) : JSON.parse(text)
    return { value, mayHoldNul: hasEscapes }
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    throw invalidField('/body', 'is not JSON', 'json')
  }
}

const COMMA = 44
const BACKSLASH = 92
const OPENING: ReadonlySet<number> = new Set([91, 123])
const CLOSING: ReadonlySet<number> = new Set([93, 125])
const BRACE = 123

/**
 * Each value but the first comes after a comma or the opening of a list or an object; what texts hold is passed over.
 *
 * @returns what there is too much of; null where the text may be parsed.
 */
export function tooMuchOf(text: string, valuesMax: number): string | null {
  // A value and what parts it from the next are two characters.
  if (text.length <= 2 * Math.min(valuesMax, KEYS_MAX)) return null
  const outside: number[] = []
  let values = 1
  /** Of the object that is read; without a bound in a list. */
  let keysLeft = Number.POSITIVE_INFINITY
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at)
    const end = quote === -1 ? text.length : quote
    for (; at < end; at++) {
      const char = text.charCodeAt(at)
      if (char === COMMA) {
        values += 1
        keysLeft -= 1
        if (keysLeft === 0) return `${KEYS_MAX} keys in one object`
      } else if (OPENING.has(char)) {
        values += 1
        outside.push(keysLeft)
        keysLeft = char === BRACE ? KEYS_MAX : Number.POSITIVE_INFINITY
      } else if (CLOSING.has(char)) keysLeft = outside.pop() ?? Number.POSITIVE_INFINITY
    }
    if (values > valuesMax) return `${valuesMax} values`
    at = quote === -1 ? end : endOfText(text, quote)
  }
  return null
}

/** Behind the quote that ends the text which begins at `quote`. */
function endOfText(text: string, quote: number): number {
  for (let at = quote + 1; ; ) {
    const end = text.indexOf('"', at)
    if (end === -1) return text.length
    let before = end
    while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 0) return end + 1
    at = end + 1
  }
}

/** A reviver for `JSON.parse`. @throws Refusal 400 for a key that could reach the prototype of an object. */
export function refuseProto(key: string, value: unknown): unknown {
  // guard: the-key-proto-in-a-body
  if (key === '__proto__') throw invalidField('/body', 'holds the key `__proto__`', 'unsafe_key')
  return value
}
