/** Repository names in paths. */
import Type from 'typebox'

export const NAME_IN_PATH = Type.String({
  maxLength: 255,
  description: 'The repository, with `%2F` for each slash, such as `system%2Ftools`',
  examples: ['system/tools'],
})
export const REFERENCE_IN_PATH = Type.String({
  maxLength: 128,
  description: 'A tag or a digest',
  examples: ['1.0.0'],
})
