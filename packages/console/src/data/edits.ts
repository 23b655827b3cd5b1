/** A form over a stored record that others, or other parts of the same page, can change meanwhile. */
import { useState } from 'react'

type Fields = Readonly<Record<string, string | boolean>>

/** The edits that differ from what is stored. */
export const changesOf = <T extends Fields>(stored: T, edits: Partial<T>): Partial<T> =>
  Object.fromEntries(Object.entries(edits).filter(([name, value]) => value !== stored[name])) as Partial<T>

interface Edits<T extends Fields> {
  /** What the form shows: what the person typed, and elsewhere what is stored now. */
  readonly form: T
  readonly changes: Partial<T>
  readonly edit: (patch: Partial<T>) => void
  /** Forgets what is saved now. What the person typed while it was being saved stays. */
  readonly settle: (saved: Partial<T>) => void
}

export const unsaved = <T extends Fields>(edits: Partial<T>, saved: Partial<T>): Partial<T> =>
  Object.fromEntries(
    Object.entries(edits).filter(([name, value]) => !(name in saved) || saved[name] !== value),
  ) as Partial<T>

export function useEdits<T extends Fields>(stored: T): Edits<T> {
  const [edits, setEdits] = useState<Partial<T>>({})
  return {
    form: { ...stored, ...edits },
    changes: changesOf(stored, edits),
    edit: (patch) => setEdits((before) => ({ ...before, ...patch })),
    settle: (saved) => setEdits((now) => unsaved(now, saved)),
  }
}
