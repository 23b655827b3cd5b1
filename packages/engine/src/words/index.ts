/**
 * Suggestions for misspelled words. A separate entry point, so that a program that only parses its arguments does not
 * load the engine.
 */

const MAX_LENGTH = 64

/**
 * "Did you mean": returns the known word that needs the fewest edits, ignoring case, or null. Of equally near words the
 * first one is returned.
 *
 * A third of the word may differ; for short words two letters, and one letter for a word of three. Null for nonsense
 * and for a word of more than 64 characters.
 */
export const nearestWord = (word: string, known: Iterable<string>): string | null => {
  if (word.length > MAX_LENGTH) return null
  const wanted = word.toLowerCase()
  let best: string | null = null
  let bestDistance = (word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))) + 1
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** Levenshtein distance, one row at a time. */
const editDistance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replace = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[to.length] as number
}
