const SHOWN_MAX = 10

/** The names, each once and sorted: the first of them, and how many more there are. */
export function namesText(names: Iterable<string>): string {
  const all = [...new Set(names)].sort()
  const shown = all.slice(0, SHOWN_MAX).map((name) => `\`${name}\``)
  return all.length > shown.length ? `${shown.join(', ')} and ${all.length - shown.length} more` : shown.join(', ')
}
