/** Keeps drafts in the tab, so that a reload or a lost connection loses nothing that was typed. */
import { isCase, type RuleCase } from './cases.js'
import type { Draft, Language } from './draft.js'

/** A draft, and the version of its rule that it began with. */
export interface Kept {
  readonly base: Draft
  readonly draft: Draft
  readonly unread: Unread | null
}

/** Text that does not parse. The draft is the last one that did. */
export interface Unread {
  readonly language: Language
  readonly text: string
  readonly problem: string
}

const isUnread = (value: unknown): value is Unread =>
  isObject(value) &&
  (value.language === 'json' || value.language === 'yaml') &&
  typeof value.text === 'string' &&
  typeof value.problem === 'string'

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

export function draftStore(organization: string, id: string) {
  const key = `plumbline.draft.${organization}.${id}`
  const casesKey = `plumbline.tests.${organization}.${id}`
  return {
    /** The tests of the rule. They stay in the tab when the draft is saved. */
    readCases(): readonly RuleCase[] {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(casesKey) ?? '[]')
        return Array.isArray(found) ? found.filter(isCase) : []
      } catch {
        return []
      }
    },
    writeCases: (cases: readonly RuleCase[]) => sessionStorage.setItem(casesKey, JSON.stringify(cases)),
    clearCases: () => sessionStorage.removeItem(casesKey),
    read(): Kept | null {
      try {
        const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
        if (!isObject(found) || !isObject(found.base) || !isObject(found.draft)) return null
        return { base: found.base, draft: found.draft, unread: isUnread(found.unread) ? found.unread : null }
      } catch {
        return null
      }
    },
    write: (kept: Kept) => sessionStorage.setItem(key, JSON.stringify(kept)),
    clear: () => sessionStorage.removeItem(key),
  }
}
