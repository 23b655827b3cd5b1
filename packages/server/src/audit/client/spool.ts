/**
 * Where events wait that could not be delivered. INVARIANT: an event that was put is delivered, buried or counted as
 * dropped; a crash at any moment may deliver one twice, which its key makes harmless, and loses none.
 */
export interface SpoolEntry {
  /** Names the entry within the spool. */
  readonly id: string
  readonly text: string
}

export interface Spool {
  /** Keeps an entry durably. @returns how many of the oldest were dropped for it. */
  put(text: string): Promise<number>
  /** The oldest entries, which count as in flight until they are acknowledged, requeued or buried. */
  take(count: number): Promise<readonly SpoolEntry[]>
  ack(entries: readonly SpoolEntry[]): Promise<void>
  /** Puts entries back at the head, in their order. */
  requeue(entries: readonly SpoolEntry[]): Promise<void>
  /** Moves entries that will never be accepted to the dead letters. */
  bury(entries: readonly SpoolEntry[]): Promise<void>
  /** Keeps an event that never was in the spool among the dead letters. */
  buryNew(text: string): Promise<void>
  /** Takes back what was in flight when the process died. Called once, at the start. */
  recover(): Promise<void>
  size(): Promise<number>
  deadSize(): Promise<number>
  close(): Promise<void>
}

export const SPOOL_MAX = 10_000
