/** What makes the records of one organization is given: the organization, and its owner's hands. */
import type { Kind } from './model.js'

export interface Maker {
  readonly index: number
  readonly id: string
  /** Its teams, which are shown what is public. */
  readonly children: readonly number[]
  readonly things: Record<Kind, string[]>
  /** A text that stands nowhere else. */
  named(what: string): string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  post(path: string, body: unknown): Promise<any>
  put(path: string, body: unknown): Promise<void>
  mark(text: string, seenIn: readonly number[]): void
}
