/** The reports of `plumbline test`. */

export const testFormats = ['pretty', 'json', 'junit'] as const

export type TestFormat = (typeof testFormats)[number]
