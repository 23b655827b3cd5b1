/** A seal of the check log as exports show it. */
import { toIso } from '../../runtime/clock.js'
import type { CheckSealRow } from '../tables.js'

export const sealRecord = ({ ordinal, fromMs, throughMs, manifest }: CheckSealRow) => ({
  ordinal,
  from: toIso(fromMs),
  through: toIso(throughMs),
  manifest,
})

/** The lines of a stored manifest, each without its line feed. */
export const manifestLines = (manifest: string): string[] => manifest.split('\n').slice(0, -1)
