/**
 * Parses a model's text into a draft, within limits, and extracts the part of an unfinished draft that may be shown.
 *
 * INVARIANT: what `readDraft` returns fits the schema; nothing else of the text is passed on.
 */
import type { TSchema } from 'typebox'
import type { FieldIssue } from '../../runtime/errors.js'
import { nulIssues } from '../../runtime/http/nul.js'
import { problems } from '../../runtime/operation/schema.js'

export const DRAFT_BYTES_MAX = 256 * 1024
export const DRAFT_DEPTH_MAX = 20

/** A text that consists of one fenced block is unwrapped. */
const FENCED = /^\s*```[a-z]{0,10}[ \t]*\r?\n([\s\S]*?)\r?\n```\s*$/

export type Read<D> = { readonly draft: D } | { readonly faults: readonly FieldIssue[] }

const fault = (message: string, code: string): { readonly faults: readonly FieldIssue[] } => ({
  faults: [{ path: '', message, code }],
})

export function readDraft<D>(schema: TSchema, text: string): Read<D> {
  const bytes = Buffer.byteLength(text)
  // guard: a-draft-is-bounded
  if (bytes > DRAFT_BYTES_MAX) return fault(`has ${bytes} bytes, at most ${DRAFT_BYTES_MAX}`, 'size')
  const json = FENCED.exec(text)?.[1] ?? text
  // Checked before parsing, because deep nesting can exhaust the parser's stack.
  if (depthOf(json) > DRAFT_DEPTH_MAX) return fault(`has more than ${DRAFT_DEPTH_MAX} levels`, 'depth')
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return fault('is not one JSON object: answer with the object alone, complete and without other text', 'json')
  }
  // A create would refuse a body with a NUL before any schema check.
  // guard: a-draft-holds-no-nul
  const faults = [...nulIssues(value, ''), ...problems(schema, value, '')]
  return faults.length > 0 ? { faults } : { draft: value as D }
}

/** The deepest nesting of brackets outside of strings. */
function depthOf(json: string): number {
  let [depth, most, isText] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const char = json.charCodeAt(at)
    if (isText) {
      if (char === 92) at += 1
      else if (char === 34) isText = false
    } else if (char === 34) isText = true
    else if (char === 123 || char === 91) most = Math.max(most, ++depth)
    else if (char === 125 || char === 93) depth -= 1
  }
  return most
}

type Properties = Readonly<Record<string, TSchema>>

/**
 * The members of a draft that are complete so far, while the text grows. Each piece is scanned once. A member whose
 * value does not fit its schema is left out.
 */
export class Preview {
  readonly #properties: Properties
  #text = ''
  #at = 0
  #depth = 0
  #isText = false
  #start = -1
  readonly #shown: Record<string, unknown> = {}

  constructor(schema: TSchema) {
    this.#properties = (schema as { properties?: Properties }).properties ?? {}
  }

  /** @returns the members so far if this piece completed one, else null. */
  add(piece: string): Readonly<Record<string, unknown>> | null {
    if (this.#text.length + piece.length > DRAFT_BYTES_MAX) return null
    this.#text += piece
    let isMore = false
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charCodeAt(this.#at)
      if (this.#isText) {
        if (char === 92) {
          if (this.#at + 1 >= this.#text.length) break
          this.#at += 1
        } else if (char === 34) this.#isText = false
      } else if (char === 34) this.#isText = true
      else if (char === 123 || char === 91) {
        this.#depth += 1
        if (this.#depth === 1) this.#start = this.#at + 1
      } else if (char === 125 || char === 93) {
        if (this.#depth === 1) isMore = this.#take() || isMore
        this.#depth -= 1
      } else if (char === 44 && this.#depth === 1) isMore = this.#take() || isMore
    }
    return isMore ? { ...this.#shown } : null
  }

  #take(): boolean {
    const member = this.#text.slice(this.#start, this.#at)
    this.#start = this.#at + 1
    try {
      const [[name, value] = ['', null]] = Object.entries(JSON.parse(`{${member}}`) as object)
      const schema = Object.hasOwn(this.#properties, name) ? this.#properties[name] : undefined
      if (schema === undefined || problems(schema, value, '').length > 0) return false
      this.#shown[name] = value
      return true
    } catch {
      return false
    }
  }
}
