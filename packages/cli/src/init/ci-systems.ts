/** The systems that `plumbline init` writes a pipeline for. */

export const ciSystems = ['github', 'gitlab', 'none'] as const

export type CiSystem = (typeof ciSystems)[number]
