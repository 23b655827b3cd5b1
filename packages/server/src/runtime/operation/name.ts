/**
 * Names that people give to things and read in lists, mails, logs and terminals.
 *
 * INVARIANT: a stored name is one line of visible characters in Unicode's form NFC, without spaces around it. Two texts that
 * are drawn alike because they are composed differently are one name.
 */
import { notInNames } from '@plumbline/engine'
import type { Ajv2020 } from 'ajv/dist/2020.js'
import Type, { type TString } from 'typebox'

export { nameKey } from '@plumbline/engine'

/** Without the brackets. */
const REFUSED = notInNames.source.slice(1, -1)
const SAYS = 'must be one line without control characters and invisible characters'

/** The keyword of a schema whose texts are stored in their normal form. */
const NORMALIZED = 'x-normalized'

// guard: characters-that-are-not-shown-in-a-name
const normalized = { [NORMALIZED]: 'NFC, without spaces around it', pattern: `^[^${REFUSED}]*$`, 'x-says': SAYS }

/** The schema of a name of this many characters. */
export const name = (minLength: number, maxLength: number, description?: string): TString =>
  Type.String({ minLength, maxLength, ...normalized, ...(description === undefined ? {} : { description }) })

/** A name that is compared by its letters and digits, of which it needs one. */
export const nameWithLetter = (maxLength: number, description?: string): TString =>
  Type.String({
    minLength: 1,
    maxLength,
    ...normalized,
    pattern: `^[^\\p{L}\\p{N}${REFUSED}]*[\\p{L}\\p{N}][^${REFUSED}]*$`,
    'x-says': `must hold a letter or a digit, and ${SAYS}`,
    ...(description === undefined ? {} : { description }),
  })

/** A name whose length something else judges. */
export const nameOfAnyLength = (description?: string): TString =>
  Type.String({ ...normalized, ...(description === undefined ? {} : { description }) })

const SPACE = /^\p{Zs}$/u
/** No name is this long: what is longer is refused as it was sent, and costs nothing before. */
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

/** Puts each name that a validator passes into its normal form, before its length and its characters are looked at. */
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
