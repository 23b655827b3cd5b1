/** Keeps drafts in the tab, so that a reload or a lost connection loses nothing that was typed. */
import type { Draft } from './draft.js'

/** A draft, and the version of its rule that it began with. */
export interface Kept {
  readonly base: Draft
  readonly draft: Draft
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function draftStore(organization: string, id: string) {
  const key = `plumbline.draft.${organization}.${id}`
  return {
    read(): Kept | null {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
        return isObject(found) && isObject(found.base) && isObject(found.draft) ? (found as unknown as Kept) : null
      } catch {
        return null
      }
    },
    write: (kept: Kept) => sessionStorage.setItem(key, JSON.stringify(kept)),
    clear: () => sessionStorage.removeItem(key),
  }
}
