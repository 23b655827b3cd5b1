/**
 * How settings are parsed and printed. Each type parses a text strictly, so that nothing falls back to a default
 * silently.
 */

import { nearestWord } from '@plumbline/engine/words'

export interface SettingType<T> {
  /** For the reference page. */
  readonly describe: string
  /** @throws SettingMistake that says what is expected. The message does not contain the value. */
  parse(text: string): T
  /** The text of a value, for the reference page and `config print`. */
  print(value: T): string
}

export class SettingMistake extends Error {}

const fail = (message: string): never => {
  throw new SettingMistake(message)
}

const WHOLE = /^(-1|0|[1-9][0-9]{0,15})$/

export const whole = (min: number, max = Number.MAX_SAFE_INTEGER): SettingType<number> => ({
  describe: max === Number.MAX_SAFE_INTEGER ? `whole number from ${min}` : `whole number ${min} to ${max}`,
  parse(text) {
    const value = WHOLE.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : fail(`must be a ${this.describe}`)
  },
  print: String,
})

export const flag: SettingType<boolean> = {
  describe: '`true` or `false`',
  parse: (text) => (text === 'true' || text === 'false' ? text === 'true' : fail('must be true or false')),
  print: String,
}

export const text = (max = 1000): SettingType<string> => ({
  describe: 'text',
  parse: (value) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    value.trim() !== '' && value.length <= max && !/[\u0000-\u001f\u007f]/.test(value)
      ? value
      : fail(`must be 1 to ${max} characters without control characters`),
  print: (value) => value,
})

/** A text of a form that has a name. */
export const matching = (form: RegExp, describe: string): SettingType<string> => ({
  describe,
  parse: (value) => (form.test(value) ? value : fail(`must be: ${describe}`)),
  print: (value) => value,
})

export const choice = <const T extends string>(...choices: readonly T[]): SettingType<T> => ({
  describe: choices.map((each) => `\`${each}\``).join(', '),
  parse(value) {
    const found = choices.find((each) => each === value)
    if (found !== undefined) return found
    const near = nearestWord(value, choices)
    return fail(`must be one of ${choices.join(', ')}${near === null ? '' : `; did you mean ${near}?`}`)
  },
  print: (value) => value,
})

/** Words separated by commas. The type of one word checks each. A mistake names the word by its place, as it may be secret. */
export const list = <T>(of: SettingType<T>): SettingType<readonly T[]> => ({
  describe: `comma list of: ${of.describe}`,
  parse: (value) =>
    value
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
      .map((entry, index, { length }) => {
        try {
          return of.parse(entry)
        } catch (error) {
          if (!(error instanceof SettingMistake) || length === 1) throw error
          return fail(`entry ${index + 1} ${error.message}`)
        }
      }),
  print: (values) => values.map((value) => of.print(value)).join(','),
})

/** A URL with one of the protocols. The text is kept as given, without a slash at the end. */
export const address = (...protocols: readonly string[]): SettingType<string> => ({
  describe: `URL (${protocols.join(', ')})`,
  parse(value) {
    const protocol = /^([a-z][a-z0-9+]*):/.exec(value)?.[1]
    if (protocol === undefined || !protocols.includes(protocol))
      fail(`must be a URL that begins with ${protocols.map((each) => `${each}:`).join(' or ')}`)
    if (protocol !== 'sqlite' && !URL.canParse(value)) fail('must be a URL')
    return value.replace(/(?<!\/)\/+$/, '')
  },
  // A password in a URL is a secret, in a setting that is not one.
  print: (value) => value.replace(/\/\/([^/@:]*):[^/@]*@/, '//$1:***@'),
})

/** A JSON object. The code that reads it checks its content. */
export const jsonObject: SettingType<Readonly<Record<string, unknown>>> = {
  describe: 'JSON object',
  parse(value) {
    try {
      const parsed = JSON.parse(value) as unknown
      if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
        return parsed as Record<string, unknown>
    } catch {
      // Said below.
    }
    return fail('must be a JSON object')
  },
  print: (value) => JSON.stringify(value),
}

/** `monthly`, or a number of days. */
export type QuotaPeriod = 'monthly' | number

/** A calendar month in UTC, or so many days. */
export const quotaPeriod: SettingType<QuotaPeriod> = {
  describe: '`monthly`, or 1 to 366 days such as `7d`',
  parse(value) {
    if (value === 'monthly') return value
    const days = /^([1-9][0-9]{0,2})d$/.exec(value)?.[1]
    return days !== undefined && Number(days) <= 366 ? Number(days) : fail(`must be ${this.describe}`)
  },
  print: (value) => (value === 'monthly' ? value : `${value}d`),
}

/** An e-mail address, or a name with the address in angle brackets. */
export const mailbox: SettingType<string> = {
  describe: '`name@host`, or `Name <name@host>`',
  parse: (value) =>
    /^([^<>\r\n"]{1,100} )?<?[^\s<>@]+@[^\s<>@]+>?$/.test(value) ? value : fail('must be an e-mail address'),
  print: (value) => value,
}

export interface RingKey {
  readonly id: string
  readonly key: Uint8Array
}

/** Named keys: the first signs or encrypts, and every key verifies or decrypts. */
export const keyRing: SettingType<readonly RingKey[]> = {
  describe: '`<id>:<base64 of at least 32 bytes>`, separated by commas',
  parse(value) {
    const ring = value.split(',').map((entry) => {
      const [, id, base64] = /^([A-Za-z0-9._-]{1,64}):([A-Za-z0-9+/_-]+={0,2})$/.exec(entry.trim()) ?? []
      if (id === undefined || base64 === undefined) return fail(`must be ${this.describe}`)
      const key = Buffer.from(base64, 'base64')
      if (key.length < 32) fail(`has a key of ${key.length} bytes; at least 32 are needed`)
      return { id, key: Uint8Array.from(key) }
    })
    if (new Set(ring.map(({ id }) => id)).size < ring.length) fail('has a key id twice')
    return ring
  },
  print: (ring) => ring.map(({ id }) => `${id}:***`).join(','),
}

/** Like `keyRing`, for keys that are Ed25519 seeds. */
export const signingRing: SettingType<readonly RingKey[]> = {
  describe: '`<id>:<base64 of 32 bytes>`, separated by commas',
  parse(value) {
    const ring = keyRing.parse(value)
    const wrong = ring.find(({ key }) => key.length !== 32)
    return wrong === undefined ? ring : fail(`has a key of ${wrong.key.length} bytes; an Ed25519 seed has 32`)
  },
  print: keyRing.print,
}

export const seed: SettingType<Uint8Array> = {
  describe: 'base64 of 32 bytes',
  parse(value) {
    const bytes = Buffer.from(value, 'base64')
    return bytes.length === 32 ? Uint8Array.from(bytes) : fail(`must be ${this.describe}`)
  },
  print: () => '***',
}
