/** The reports of `plumbline impact`. */

export const impactFormats = ['pretty', 'markdown', 'json'] as const

export type ImpactFormat = (typeof impactFormats)[number]
