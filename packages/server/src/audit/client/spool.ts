/**
 * Keeps events that could not be delivered. INVARIANT: an event in the spool is delivered, buried or counted as
 * dropped. A crash at any moment loses none; it may deliver one twice, which its key makes harmless.
 */
export interface SpoolEntry {
  /** Names the entry within the spool. */
  readonly id: string
  readonly text: string
}

export interface Spool {
  /** Stores an entry durably. @returns how many of the oldest entries were dropped for it. */
  put(text: string): Promise<number>
  /** The oldest entries. They count as in flight until they are acknowledged, requeued or buried. */
  take(count: number): Promise<readonly SpoolEntry[]>
  ack(entries: readonly SpoolEntry[]): Promise<void>
  /** Puts entries back at the head, in their order. */
  requeue(entries: readonly SpoolEntry[]): Promise<void>
  /** Moves entries that the server will never accept to the dead letters. */
  bury(entries: readonly SpoolEntry[]): Promise<void>
  /** Adds an event that was never in the spool to the dead letters. */
  buryNew(text: string): Promise<void>
  /** Makes the entries ready again that were in flight when the process died. Called once, at the start. */
  recover(): Promise<void>
  size(): Promise<number>
  deadSize(): Promise<number>
  close(): Promise<void>
}

export const SPOOL_MAX = 10_000
