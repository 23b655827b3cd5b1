/** Drafts stay in the tab: a reload or a lost connection takes nothing that was typed. */
import type { Draft } from './draft.js'

export function draftStore(organization: string, id: string) {
  const key = `plumbline.draft.${organization}.${id}`
  return {
    read(): Draft | null {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
        return typeof found === 'object' && found !== null ? (found as Draft) : null
      } catch {
        return null
      }
    },
    write: (draft: Draft) => sessionStorage.setItem(key, JSON.stringify(draft)),
    clear: () => sessionStorage.removeItem(key),
  }
}
