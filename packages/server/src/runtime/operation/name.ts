/**
 * Names that people give to records and read in lists, e-mails, logs and terminals.
 *
 * INVARIANT: a stored name is one line of visible characters in Unicode's form NFC, without surrounding spaces. Two
 * texts that look alike because they are composed differently are one name.
 */
import { notInNames } from '@plumbline/engine'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import Type, { type TString } from 'typebox'

export { nameKey } from '@plumbline/engine'

/** The character class without its brackets. */
const REFUSED = notInNames.source.slice(1, -1)
const SAYS = 'must be one line without control characters and invisible characters'

/** The keyword of a schema whose texts are normalised before they are stored. */
const NORMALIZED = 'x-normalized'

// guard: characters-that-are-not-shown-in-a-name
const normalized = { [NORMALIZED]: 'NFC, without spaces around it', pattern: `^[^${REFUSED}]*$`, 'x-says': SAYS }

/** The schema of a name of this many characters. */
export const name = (minLength: number, maxLength: number, description?: string): TString =>
  Type.String({ minLength, maxLength, ...normalized, ...(description === undefined ? {} : { description }) })

/** An identifier that another program chose, kept exactly as it was sent. */
export const identifier = (maxLength: number, description: string): TString =>
  Type.String({ minLength: 1, maxLength, pattern: `^[^${REFUSED}]*$`, 'x-says': SAYS, description })

/** A name that is compared by its letters and digits. It must contain at least one. */
export const nameWithLetter = (maxLength: number, description?: string): TString =>
  Type.String({
    minLength: 1,
    maxLength,
    ...normalized,
    pattern: `^[^\\p{L}\\p{N}${REFUSED}]*[\\p{L}\\p{N}][^${REFUSED}]*$`,
    'x-says': `must have a letter or a digit, and ${SAYS}`,
    ...(description === undefined ? {} : { description }),
  })

/** A name whose length is checked elsewhere. */
export const nameOfAnyLength = (description?: string): TString =>
  Type.String({ ...normalized, ...(description === undefined ? {} : { description }) })

const SPACE = /^\p{Zs}$/u
/** No name is longer than this. A longer text is refused unchanged, before it costs anything. */
const LONGEST = 4096

function normalForm(text: string): string {
  if (text.length > LONGEST) return text
  let from = 0
  let to = text.length
  while (from < to && SPACE.test(text.charAt(from))) from += 1
  while (to > from && SPACE.test(text.charAt(to - 1))) to -= 1
  // guard: names-are-stored-composed
  return text.slice(from, to).normalize('NFC')
}

/** Makes a validator normalise names before it checks their length and characters. */
export function addNormalForm(ajv: Ajv2020): void {
  ajv.addKeyword({
    keyword: NORMALIZED,
    type: 'string',
    before: 'maxLength',
    modifying: true,
    errors: false,
    validate: (
      _says: unknown,
      text: string,
      _schema?: unknown,
      at?: { readonly parentData: Record<string | number, unknown>; readonly parentDataProperty: string | number },
    ) => {
      const form = normalForm(text)
      if (at !== undefined && form !== text) at.parentData[at.parentDataProperty] = form
      return true
    },
  })
}
