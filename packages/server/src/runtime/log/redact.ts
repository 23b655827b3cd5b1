/**
 * What the log never contains, at any depth: values of keys that name a secret, tokens anywhere in a text, passwords in
 * addresses, and the parameters of SQL statements.
 */

/** Compared without case, hyphens and underscores. */
const SECRET_KEYS = new Set([
  'password',
  'currentpassword',
  'newpassword',
  'passwordhash',
  'passphrase',
  'secret',
  'clientsecret',
  'secrethash',
  'totpsecret',
  'sharedsecret',
  'token',
  'accesstoken',
  'refreshtoken',
  'idtoken',
  'steptoken',
  'stepuptoken',
  'challengetoken',
  'xstepuptoken',
  'tokenhash',
  'authorization',
  'proxyauthorization',
  'cookie',
  'setcookie',
  'xcsrf',
  'apikey',
  'privatekey',
  'key',
  'keys',
  'seed',
  'recoverycodes',
  'code',
  'otp',
  'idempotencykey',
  'accepturl',
  'reseturl',
  'verifyurl',
  'link',
  'params',
  'payload',
])

const HIDDEN = '[hidden]'
const DEPTH_MAX = 8
const TEXT_MAX = 4000

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Opaque tokens of this server.
  [/\bpl[a-z]_[A-Za-z0-9_-]{16,}/g, HIDDEN],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${HIDDEN}`],
  [/([?&#](?:token|code|state|secret|password|key)=)[^&#\s"']+/gi, `$1${HIDDEN}`],
  [/(:\/\/[^/\s:@]*:)[^/\s@]+@/g, `$1${HIDDEN}@`],
]

/** Each match must begin at the start of a word, so that no character is read more than three times. */
const THREE_PARTS = /(?<![\w-])[\w-]{11,}\.[\w-]+\.[\w-]*/g

/** How a web token begins: `{"` in base64. */
const WEB_TOKEN = 'eyJ'

/** Hides tokens and passwords in a text of any length, and leaves the rest as it is. */
export function hideSecrets(text: string): string {
  let result = text
  // Few texts have a web token, and to look for words of three parts takes most of the time.
  if (text.includes(WEB_TOKEN)) {
    result = text.replace(THREE_PARTS, (word) => word.replace(/\beyJ[\w-]{8}.*$/s, HIDDEN))
  }
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement)
  return result
}

/** A text for a line of the log. */
export function redactText(text: string): string {
  const cut = text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text
  // The query builder adds the parameters of a failed statement to its message.
  return hideSecrets(cut).replace(/\nparams: [\s\S]*$/, `\nparams: ${HIDDEN}`)
}

export const isSecretKey = (key: string): boolean => SECRET_KEYS.has(key.toLowerCase().replaceAll(/[-_]/g, ''))

/** Returns a copy of the value that may be logged. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value)
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value
  if (depth >= DEPTH_MAX) return '[deeper]'
  if (value instanceof Error) return redactError(value, depth)
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.slice(0, 100).map((entry) => redact(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      isSecretKey(key) && entry !== null ? HIDDEN : redact(entry, depth + 1),
    ]),
  )
}

/** An error with its causes. Of its other fields only the code is kept, because drivers add rows and parameters. */
function redactError(error: Error & { code?: unknown }, depth: number): Record<string, unknown> {
  return {
    name: error.name,
    ...(typeof error.code === 'string' ? { code: error.code } : {}),
    message: redactText(error.message),
    stack: redactText(error.stack ?? ''),
    ...(error.cause === undefined ? {} : { cause: redact(error.cause, depth + 1) }),
  }
}
