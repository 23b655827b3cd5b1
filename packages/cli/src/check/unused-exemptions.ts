/**
 * Exemptions in files that have no effect, because of a mistake or because they are no longer needed.
 * INVARIANT: this changes no verdict and no exit code.
 */
import type { Exemption, Rule } from '@plumbline/engine'
import { nearestWord } from '@plumbline/engine/words'
import type { LoadedExemption } from '../input/exemptions.js'
import { parseInstant } from '../input/record.js'
import { ruleId } from '../input/rules.js'

export interface IdleExemption {
  readonly id: string
  readonly file: string
  readonly line: number
  readonly column: number
  readonly reason: 'unknown_rule' | 'expired' | 'not_approved' | 'unknown_entity' | 'not_needed'
  readonly message: string
}

/** Problems of exemptions that can be found without looking at an entity. */
export function idleByThemselves(
  exemptions: readonly LoadedExemption[],
  rules: readonly Rule[],
  nowMs: number,
): IdleExemption[] {
  const ids = new Set(rules.map((rule) => ruleId(rule)))
  return exemptions.flatMap((loaded): IdleExemption[] => {
    const { ruleId: waived, expiresAt, status = 'approved' } = loaded.exemption
    const expires = typeof expiresAt === 'string' ? parseInstant(expiresAt) : null
    return [
      ...(ids.has(waived) ? [] : [idle(loaded, 'unknown_rule', `names no rule: \`${waived}\`${meant(waived, ids)}`)]),
      ...(expires !== null && expires.getTime() <= nowMs
        ? [idle(loaded, 'expired', `expired at ${expires.toISOString()}`)]
        : []),
      ...(status === 'approved' ? [] : [idle(loaded, 'not_approved', `is ${status}: it waives nothing`)]),
    ]
  })
}

/** What a run checked, and which exemptions had an effect there. */
export interface Seen {
  /** Names of every entity: an exemption may hold a name in `entityId` by mistake. */
  readonly names: ReadonlySet<string>
  readonly entities: number
  readonly covering: ReadonlySet<string>
  readonly applied: ReadonlySet<string>
}

/** Exemptions without another problem that waived nothing in the run. */
export function idleAfter(
  exemptions: readonly LoadedExemption[],
  faulty: readonly IdleExemption[],
  { names, entities, covering, applied }: Seen,
): IdleExemption[] {
  const known = new Set(faulty.map(({ id }) => id))
  return exemptions.flatMap((loaded): IdleExemption[] => {
    const { id } = loaded.exemption
    if (known.has(id) || applied.has(id)) return []
    if (covering.has(id)) {
      const other = exemptions.find((each) => applied.has(each.exemption.id) && isForTheSame(each, loaded))
      const why =
        other === undefined
          ? 'the rule passes without it'
          : `\`${other.exemption.id}\` covers the rule for this record already`
      return [idle(loaded, 'not_needed', `waives nothing: ${why}`)]
    }
    const message = `is for none of the ${entities} plugins and pipelines that were checked: ${recordText(loaded.exemption)}`
    return [idle(loaded, 'unknown_entity', `${message}${entityHint(loaded.exemption, names)}`)]
  })
}

function entityHint({ entityId, entityKey }: Exemption, names: ReadonlySet<string>): string {
  if (typeof entityId === 'string')
    return names.has(entityId) ? '; `entityId` is compared with `id`, not with names: write `entityKey`' : ''
  const name = entityKey != null && 'name' in entityKey ? entityKey.name : ''
  return names.has(name) ? `; another version of \`${name}\` was checked` : meant(name, names)
}

const meant = (word: string, known: ReadonlySet<string>): string => {
  const near = nearestWord(word, known)
  return near === null ? '' : `; did you mean \`${near}\`?`
}

const isForTheSame = ({ exemption: a }: LoadedExemption, { exemption: b }: LoadedExemption): boolean =>
  a.ruleId === b.ruleId && recordText(a) === recordText(b)

const recordText = ({ entityId, entityKey }: Exemption): string =>
  entityKey ? JSON.stringify(entityKey) : `\`${entityId ?? 'every record'}\``

const idle = (
  { exemption, file, position }: LoadedExemption,
  reason: IdleExemption['reason'],
  message: string,
): IdleExemption => ({ id: exemption.id, file, line: position.line, column: position.column, reason, message })

/** One line for a log. */
export const idleText = ({ id, file, line, column, message }: IdleExemption): string =>
  `${file}:${line}:${column}: exemption \`${id}\` ${message}`
