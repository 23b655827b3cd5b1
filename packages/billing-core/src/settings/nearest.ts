/**
 * Returns the known name that is nearest to an unknown one, for "did you mean". At most a third of the name may differ.
 */
function nearest(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.floor(name.length / 3) + 1
  for (const candidate of known) {
    const distance = editDistance(name, candidate, bestDistance)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Returns the text to add to a message about an unknown name; empty when no name is near. */
export function didYouMean(name: unknown, known: Iterable<string>): string {
  const near = typeof name === 'string' ? nearest(name, known) : undefined
  return near === undefined ? '' : `; did you mean ${near}`
}

/** The Levenshtein distance, or `limit` as soon as the distance cannot be smaller. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const cost = Math.min(substitution, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least >= limit) return limit
    previous = row
  }
  return previous[b.length] ?? limit
}
