import type { Format } from '../../ui/format.js'

const MICRO_IN_CENT = 10_000

/** Millionths of a dollar, rounded up to the cent, so that the spending never looks lower than it is. */
export const microUsd = (micro: number, format: Format): string => format.money(Math.ceil(micro / MICRO_IN_CENT))

export const microOfCents = (cents: number): number => cents * MICRO_IN_CENT
export const centsOfMicro = (micro: number): number => Math.floor(micro / MICRO_IN_CENT)
