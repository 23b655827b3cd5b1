/** The names of the report formats, apart from their code: command specifications and configuration read them. */

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
