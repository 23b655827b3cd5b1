/** Parses an address in its usual text form to bytes. Any other notation is refused. */

/** 4 or 16 bytes. */
export type AddressBytes = Uint8Array

/** Four decimal numbers, or IPv6 (RFC 4291) without a zone; null for anything else. */
export const parseAddress = (text: string): AddressBytes | null => (text.includes(':') ? parseV6(text) : parseV4(text))

const OCTET = /^(0|[1-9][0-9]{0,2})$/

function parseV4(text: string): AddressBytes | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) <= 255)) return null
  return Uint8Array.from(parts, Number)
}

const GROUP = /^[0-9a-fA-F]{1,4}$/
const V6_GROUPS = 8

function parseV6(text: string): AddressBytes | null {
  const halves = text.split('::')
  if (halves.length > 2) return null
  const [head, tail] = [groups(halves[0] ?? '', halves.length === 1), groups(halves[1] ?? '', true)]
  if (head === null || tail === null) return null
  const missing = V6_GROUPS - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null
  const all = [...head, ...Array.from({ length: missing }, () => 0), ...tail]
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

/** The 16-bit numbers on one side of `::`. Four decimal numbers are allowed only at the end of the address. */
function groups(text: string, isEnd: boolean): number[] | null {
  if (text === '') return []
  const parts = text.split(':')
  const last = parts.at(-1) ?? ''
  const v4 = isEnd && last.includes('.') ? parseV4(last) : null
  const hex = v4 === null ? parts : parts.slice(0, -1)
  if (!hex.every((part) => GROUP.test(part))) return null
  const numbers = hex.map((part) => Number.parseInt(part, 16))
  if (v4 === null) return numbers
  const [a = 0, b = 0, c = 0, d = 0] = v4
  return [...numbers, a * 256 + b, c * 256 + d]
}
