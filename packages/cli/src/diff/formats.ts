/** The reports of `plumbline diff`. */

export const diffFormats = ['pretty', 'markdown', 'json'] as const

export type DiffFormat = (typeof diffFormats)[number]
