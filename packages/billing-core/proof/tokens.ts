/** Discount tokens under attack: every bit of every byte, every other spelling, other keys and versions. */
import {
  type CryptoPort,
  cents,
  type KeyRing,
  openToken,
  parseKeyRing,
  percent,
  sealToken,
  type TokenPayload,
} from '../src/index.js'
import { encodeBase64 } from '../src/text/base64.js'
import { must, Random } from './random.js'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

export function proveTokens(ports: readonly CryptoPort[], tokens: number, seed: number): number {
  const random = new Random(seed)
  let attacks = 0
  for (let index = 0; index < tokens; index++) {
    const crypto = ports[index % ports.length] as CryptoPort
    attacks += attack(crypto, random)
  }
  return attacks
}

function attack(crypto: CryptoPort, random: Random): number {
  const ring = ringOf(random, [1, 2, 10])
  const payload = randomPayload(random)
  const token = seal(crypto, ring, payload, random.bytes(12))
  const opened = openToken(crypto, ring, token)
  must(opened.ok && sorted(opened.value) === sorted(payload), () => `${token} does not open`)
  must(token.startsWith('v10.'), () => 'the highest version seals, by number')
  must(seal(crypto, ring, payload, random.bytes(12)) !== token, () => 'two seals are equal')
  let attacks = 0
  const refused = (forged: unknown, on: KeyRing | null = ring): void => {
    const result = openToken(crypto, on, forged)
    must(!result.ok && result.refusal.code === 'DISCOUNT_NOT_FOUND', () => `${String(forged)} opened`)
    attacks++
  }
  const body = token.slice(4)
  // Every single bit: each character of the body stands for six, each of which is turned.
  for (let at = 0; at < body.length; at++) {
    const value = ALPHABET.indexOf(body[at] as string)
    for (let bit = 0; bit < 6; bit++) {
      refused(`v10.${body.slice(0, at)}${ALPHABET[value ^ (1 << bit)]}${body.slice(at + 1)}`)
    }
  }
  // Every other spelling of the same bytes, and every truncation.
  for (const other of [
    `${token}=`,
    `${token}A`,
    ` ${token}`,
    `${token}\n`,
    `v010.${body}`,
    `V10.${body}`,
    `v10${body}`,
  ])
    refused(other)
  refused(`v10.${body.replace(/-/g, '+').replace(/_/g, '/')}=`)
  for (let length = 0; length < token.length; length++) refused(token.slice(0, length))
  // Another version of the ring, an unknown one, another ring, none.
  for (const version of [1, 2, 3, 0, 11]) refused(`v${version}.${body}`)
  refused(token, ringOf(random, [1, 2, 10]))
  refused(token, ringOf(random, [1]))
  refused(token, null)
  // The bytes under another version's key with its own additional data differ from those under this one.
  const moved = { newest: 2, keys: new Map([[2, ring.keys.get(10) as Uint8Array]]) }
  refused(`v2.${body}`, moved)
  for (const hostile of [null, 7, {}, [], '', '.', 'v1.', 'v1..', 'x'.repeat(1_025), `v1.${'A'.repeat(1_021)}`])
    refused(hostile)
  return attacks
}

function seal(crypto: CryptoPort, ring: KeyRing, payload: TokenPayload, iv: Uint8Array): string {
  const sealed = sealToken(crypto, ring, payload, iv)
  if (!sealed.ok) throw new Error(sealed.refusal.message)
  return sealed.value
}

function ringOf(random: Random, versions: readonly number[]): KeyRing {
  const text = versions.map((version) => `v${version}:${encodeBase64(random.bytes(32))}`).join(',')
  const ring = parseKeyRing(text)
  if (!ring.ok) throw new Error(ring.refusal.message)
  return ring.value
}

function randomPayload(random: Random): TokenPayload {
  const target = random.chance(0.5) ? { targetOrgId: `org_${random.whole(1, 9)}–ä` } : {}
  const kind = random.pick(['onetime', 'recurring', 'credit'] as const)
  const id = `disc_${random.whole(1, 1e9)}`
  return random.chance(0.5)
    ? { id, value: percent(random.whole(1, 100)), unit: 'percent', kind, ...target }
    : { id, value: cents(random.whole(1, 1e9)), unit: 'dollar', kind, ...target }
}

function sorted(payload: TokenPayload): string {
  return JSON.stringify(Object.entries(payload).sort())
}
