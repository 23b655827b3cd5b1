/**
 * The names of the report formats. They are separate from their code, because command specifications and configuration
 * read them.
 */

export const formats = [
  'pretty',
  'compact',
  'json',
  'ndjson',
  'sarif',
  'junit',
  'github',
  'gitlab',
  'markdown',
] as const

export type FormatName = (typeof formats)[number]
