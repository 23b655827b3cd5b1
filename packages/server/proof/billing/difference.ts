/** What differs between two states, in words. */

/** @returns null where they are the same. */
export function differenceOf(got: object, wanted: object): string | null {
  for (const [name, value] of Object.entries(wanted)) {
    const own = JSON.stringify((got as Record<string, unknown>)[name])
    if (own !== JSON.stringify(value)) return `${name}: ${own}, and not ${JSON.stringify(value)}`
  }
  return null
}
