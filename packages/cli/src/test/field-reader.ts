/**
 * Reads fields of a hand-written file, and collects every mistake with its position and its fix.
 * INVARIANT: a reader never throws. It returns null (or leaves the entry out) and records why.
 */
import { nearestWord } from '@plumbline/engine/words'
import { pointerTo } from './json-pointer.js'
import type { TestFileIssue } from './model.js'

export class FieldReader {
  readonly issues: TestFileIssue[] = []

  refuse(pointer: string, message: string, fix: string): void {
    this.issues.push({ pointer, message, fix })
  }

  checkKeys(value: Readonly<Record<string, unknown>>, pointer: string, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue
      const near = nearestWord(key, known)
      const fix = near === null ? `use one of ${known.join(', ')}` : `did you mean \`${near}\`?`
      this.refuse(pointerTo(pointer, key), `unknown key \`${key}\``, fix)
    }
  }

  /** `meaning` completes "expected …". */
  text(value: unknown, pointer: string, meaning: string): string | null {
    if (typeof value === 'string' && value !== '') return value
    const last = pointer.slice(pointer.lastIndexOf('/') + 1)
    const key = /\D/.test(last) ? last : null
    this.refuse(pointer, `expected ${meaning}`, `write a text that is not empty${key ? ` under \`${key}\`` : ''}`)
    return null
  }

  /** A text, or a list of texts. */
  textList(value: unknown, pointer: string, meaning: string): string[] {
    if (value === undefined) return []
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    return list.flatMap((entry, index) => {
      const at = Array.isArray(value) ? `${pointer}/${index}` : pointer
      const text = this.text(entry, at, meaning)
      return text === null ? [] : [text]
    })
  }

  instant(value: unknown, pointer: string): string | null {
    if (typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) && !Number.isNaN(Date.parse(value))) return value
    this.refuse(pointer, 'expected an instant', 'write ISO 8601 with a zone, such as 2026-01-31T12:00:00Z, in quotes')
    return null
  }

  oneOf<T extends string>(value: unknown, pointer: string, choices: readonly T[]): T | null {
    const found = choices.find((choice) => choice === value)
    if (found !== undefined) return found
    const near = typeof value === 'string' ? nearestWord(value, choices) : null
    const fix = near === null ? `use one of ${choices.join(', ')}` : `did you mean \`${near}\`?`
    const got = typeof value === 'string' ? `, got \`${value}\`` : ''
    this.refuse(pointer, `expected one of ${choices.join(', ')}${got}`, fix)
    return null
  }
}
