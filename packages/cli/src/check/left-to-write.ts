/** Keys that only the write of a record gives a value, such as its owner: no gate knows them for a new record. */
import { parseFieldPath, projection, type Rule, SET_BY_THE_WRITE, type Target } from '@plumbline/engine'
import type { SourceEntity } from '../input/entities.js'
import type { FileResult } from '../report/finding.js'
import { namesText } from './names-text.js'

/** The keys that the entity leaves to the write. */
export const leftToWrite = ({ target, attributes }: SourceEntity): FileResult['leftToWrite'] =>
  SET_BY_THE_WRITE.filter((key) => attributes[key] === undefined).map((key) => ({ target, key }))

export class LeftToWrite {
  private readonly left = new Set<string>()

  add(result: FileResult): void {
    for (const { target, key } of result.leftToWrite) this.left.add(`${target} ${key}`)
  }

  /** @returns a line for each key that a rule reads, for the files that leave it out. */
  lines(rules: readonly Rule[]): string[] {
    return SET_BY_THE_WRITE.flatMap((key) => {
      const names = rules
        .filter((rule) => this.left.has(`${rule.target} ${key}`) && reads(rule, key))
        .map(({ name }) => name)
      if (names.length === 0) return []
      return [`the server sets \`${key}\` of a new record, so these rules read it as missing: ${namesText(names)}`]
    })
  }
}

function reads({ target, field, conditions }: Rule, key: string): boolean {
  const fields = conditions?.length ? conditions.map((each) => each.field) : [field]
  return fields.some((each) => typeof each === 'string' && keyOf(target, each) === key)
}

function keyOf(target: Target, field: string): string | undefined {
  const parsed = parseFieldPath(field)
  const first = parsed.ok ? parsed.path.segments[0] : undefined
  return projection.aliases[target].find(({ alias }) => alias === first)?.from[0] ?? first
}
