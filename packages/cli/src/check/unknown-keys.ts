/** Top-level keys that the projection leaves out. Each is named once per run, however many files have it. */
import type { FileResult } from '../report/finding.js'

const shownMax = 10

export class UnknownKeys {
  private readonly counts = new Map<string, Map<string, number>>()

  add(result: FileResult): void {
    for (const { target, key } of result.unknownKeys) {
      const keys = this.counts.get(target) ?? new Map<string, number>()
      this.counts.set(target, keys.set(key, (keys.get(key) ?? 0) + 1))
    }
  }

  /** One line per target, with the most frequent keys first. */
  lines(): string[] {
    return [...this.counts].map(([target, keys]) => {
      const sorted = [...keys].sort(([left, leftCount], [right, rightCount]) => {
        return rightCount - leftCount || (left < right ? -1 : 1)
      })
      const shown = sorted.slice(0, shownMax).map(([key, count]) => `\`${key}\` (${count})`)
      const rest = sorted.length > shownMax ? ` and ${sorted.length - shownMax} more` : ''
      return `rules do not see these keys of ${target}s: ${shown.join(', ')}${rest}; --raw evaluates files as written`
    })
  }
}
