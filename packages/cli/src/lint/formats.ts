/** The reports of `plumbline lint`. */

export const lintFormats = ['pretty', 'json', 'sarif', 'github'] as const

export type LintFormat = (typeof lintFormats)[number]
