/** Values as large as a body may be, of the shapes that cost most where something looks at them carelessly. */
import type { Schema } from '../requests/from-schema.js'

const BYTES = 1_000_000
const filled = (piece: string, tail = '') => piece.repeat(Math.floor(BYTES / piece.length)) + tail
/** A body of more values is not parsed. */
const VALUES = 60_000
/** And an object of more keys neither. */
const KEYS = 9999
const list = (item: (n: number) => string, length = VALUES) => `[${Array.from({ length }, (_, n) => item(n)).join()}]`

/** As JSON text, by what it is like. */
const TEXTS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    letters: filled('a'),
    'letters and a space': filled('a', ' '),
    'an address and a space': `http://${filled('a', ' ')}`,
    'spaces and a letter': filled(' ', 'a'),
    slashes: filled('/', 'a'),
    hyphens: filled('-', 'a'),
    dots: filled('a.', '!'),
    digits: filled('1', 'a'),
    'open braces': filled('${A:+'),
    'open tokens': filled('{{ a'),
    'beginnings of tokens': filled('-eyJaaaaaaaaaaaa'),
    'an address of mail': filled('a@'),
    commas: filled('a,'),
  }).map(([name, text]) => [name, JSON.stringify(text)]),
)
const LISTS: Readonly<Record<string, string>> = {
  numbers: list((n) => `${n}`),
  texts: list((n) => `"text-${n}"`),
  objects: list(() => '{}'),
  lists: list(() => '[]'),
  'too many values': list(() => '0', BYTES / 2),
}
const MAPS: Readonly<Record<string, string>> = {
  'many keys': `{${Array.from({ length: KEYS }, (_, n) => `"k${n}":1`).join()}}`,
  'objects of many keys': `[${Array.from({ length: 6 }, (_, at) => `{${Array.from({ length: KEYS }, (_, n) => `"k${at}-${n}":1`).join()}}`).join()}]`,
  'one long key': `{${JSON.stringify(filled('a', ' '))}:1}`,
  'deep objects': `${'{"a":'.repeat(VALUES)}1${'}'.repeat(VALUES)}`,
}

/** What is tried at a place of this schema, as JSON text by name. */
export function largeValues({ type, anyOf = [], enum: values }: Schema): Readonly<Record<string, string>> {
  const types = new Set([type, ...anyOf.map((form) => form.type)])
  // One look is enough where only some texts are let in.
  if (values !== undefined) return { letters: TEXTS['letters'] ?? '' }
  return {
    ...(types.has('string') && TEXTS),
    ...(types.has('array') && LISTS),
    ...(types.has('object') && MAPS),
    ...(type === undefined && anyOf.length === 0 && { ...LISTS, ...MAPS }),
  }
}

/** A body that is as large and holds nothing: what reading alone costs. */
export const HARMLESS = `{"unknown":${TEXTS['letters']}}`
