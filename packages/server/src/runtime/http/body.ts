/** JSON bodies: the limit is checked before anything is parsed, by the announced length and while the bytes arrive. */
import { invalidField, Refusal } from '../errors.js'
import type { SentHeaders } from './sent-headers.js'

/** 1 MiB (platform decisions 1.12). */
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

export async function readJson(request: Request, headers: SentHeaders, bytesMax: number): Promise<ReadJson> {
  const type = mediaType(headers)
  if (type !== 'application/json' && !(type.startsWith('application/') && type.endsWith('+json'))) {
    throw new Refusal('UNSUPPORTED_MEDIA_TYPE', 'send the body as `Content-Type: application/json`', {
      details: { accepted: ['application/json'] },
    })
  }
  checkAnnounced(headers, bytesMax)
  return parse(await readText(request, headers, bytesMax))
}

async function readText(request: Request, headers: SentHeaders, bytesMax: number): Promise<string> {
  // The HTTP parser holds a body to its announced length, and that was checked.
  if (headers.get('content-length') !== null) {
    const text = await request.text()
    // Held here too, for requests that no HTTP parser has seen. A UTF-16 unit is at least one byte.
    if (text.length > bytesMax) throw tooLarge(bytesMax)
    return text
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader = request.body?.getReader()
  for (;;) {
    const next = await reader?.read()
    if (next === undefined || next.done) break
    bytes += next.value.byteLength
    if (bytes > bytesMax) {
      await reader?.cancel()
      throw tooLarge(bytesMax)
    }
    chunks.push(next.value)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function parse(text: string): ReadJson {
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

function refuseProto(key: string, value: unknown): unknown {
  if (key === '__proto__') throw invalidField('/body', 'holds the key `__proto__`', 'unsafe_key')
  return value
}
