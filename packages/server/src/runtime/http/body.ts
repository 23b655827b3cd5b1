/**
 * Reads JSON bodies. All limits are checked before the body is parsed. The size is checked by the announced length and
 * while the bytes arrive. The number of values is counted in the text, because parsing 300,000 objects takes a hundred
 * times as long as parsing one text of the same size.
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
  // Reading `body` makes the adapter build a whole Request, so only a request without a length is asked.
  return length === '0' || (length === null && request.body === null)
}

/** @throws Refusal 413 when the announced length exceeds the limit, before a byte is read. */
export function checkAnnounced(headers: SentHeaders, bytesMax: number): void {
  const announced = headers.get('content-length')
  if (announced !== null && !(Number(announced) <= bytesMax)) throw tooLarge(bytesMax)
}

/** Returns the type of `content-type` in lower case without its parameters; empty when there is none. */
export function mediaType(headers: SentHeaders): string {
  const value = headers.get('content-type') ?? ''
  const end = value.indexOf(';')
  return (end === -1 ? value : value.slice(0, end)).trim().toLowerCase()
}

export interface ReadJson {
  readonly value: unknown
  /** False when the text proves that there is no NUL: JSON writes a NUL as an escape. */
  readonly mayHoldNul: boolean
}

export interface ReadOptions {
  readonly bytesMax: number
  /** The media types that a refusal names, the preferred one first; by default `application/json`. */
  readonly accepted?: readonly [string, ...string[]]
  /** Called before more than `LARGE_BYTES` are read. When it throws, the request is refused with that. */
  readonly beforeLarge?: (() => Promise<void>) | undefined
}

/** A body up to this size is read before the step-up of the caller is checked. */
const LARGE_BYTES = 65_536

/**
 * A body must arrive at this minimum speed, or the request is refused. The first seconds are an allowance for slow
 * connections.
 */
const FIRST_MS = 10_000
const BYTES_PER_SECOND_MIN = 16_384

const arrivesMs = (bytes: number): number => FIRST_MS + Math.ceil(bytes / BYTES_PER_SECOND_MIN) * 1000

/**
 * @throws Refusal 400 for a body that breaks off, 408 for one that arrives too slowly, 413 for one that is too large,
 * 415 for another type.
 */
export async function readJson(request: Request, headers: SentHeaders, options: ReadOptions): Promise<ReadJson> {
  const type = mediaType(headers)
  if (type !== 'application/json' && !(type.startsWith('application/') && type.endsWith('+json'))) {
    const { accepted = ['application/json'] } = options
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', `send the body as \`Content-Type: ${accepted[0]}\``, {
      details: { accepted },
    })
  }
  checkAnnounced(headers, options.bytesMax)
  const announced = headers.get('content-length')
  if (announced === null) return parse(new TextDecoder().decode(await readPieces(request, options)), options.bytesMax)
  // guard: a-large-body-is-read-for-who-confirmed
  if (options.beforeLarge !== undefined && Number(announced) > LARGE_BYTES) await options.beforeLarge()
  // The HTTP parser enforces the announced length, and that was checked.
  const text = await inTime(request.text(), arrivesMs(Number(announced)))
  // Checked here too, for requests that no HTTP parser has seen. A UTF-16 unit is at least one byte.
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

/** @throws Refusal 408 when the time is over, 400 when the client disconnects before the end. */
async function inTime<T>(reading: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () =>
        reject(
          new Refusal('REQUEST_TIMEOUT', 'the body arrives too slowly: send it at 16 KiB a second or faster', {
            // The rest of the body is not read, so the connection cannot be used again.
            headers: { Connection: 'close' },
          }),
        ),
      ms,
    )
  })
  // A client that disconnects is not a fault of the server, and an operator cannot act on it.
  const read = reading.catch(() => {
    throw invalidField('/body', 'ended early', 'body')
  })
  try {
    // guard: a-body-that-drips-in-is-cut
    return await Promise.race([read, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A body at the size limit may have one value for this many bytes: 65,536 values in a MiB. */
const BYTES_PER_VALUE_MIN = 16
/** Distinct keys are the most expensive: 60,000 in one object take 50 ms. */
const KEYS_MAX = 10_000

function parse(text: string, bytesMax: number): ReadJson {
  const valuesMax = Math.floor(bytesMax / BYTES_PER_VALUE_MIN)
  // guard: a-body-of-too-many-values-is-not-parsed
  const tooMuch = tooMuchOf(text, valuesMax)
  if (tooMuch !== null) throw new Refusal('PAYLOAD_TOO_LARGE', `the body contains more than ${tooMuch}`)
  // guard: a-body-whose-text-may-spell-a-nul-is-looked-through
  const hasEscapes = text.includes('\\u')
  try {
    // Only a text that contains the name, or an escape that could spell it, is examined key by key.
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
 * Counts the values of a text: each value but the first follows a comma or the start of a list or an object. The
 * content of strings is skipped.
 *
 * @returns What the text has too many of; null when the text may be parsed.
 */
export function tooMuchOf(text: string, valuesMax: number): string | null {
  // A value and its separator are at least two characters.
  if (text.length <= 2 * Math.min(valuesMax, KEYS_MAX)) return null
  const outside: number[] = []
  let values = 1
  /** The keys that the current object may still have; unlimited in a list. */
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

/** Returns the index after the closing quote of the string that begins at `quote`. */
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
  if (key === '__proto__') throw invalidField('/body', 'contains the key `__proto__`', 'unsafe_key')
  return value
}
