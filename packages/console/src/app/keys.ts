/** Keyboard shortcuts of the whole page. Single keys can be switched off. */
import { useEffect } from 'react'
import { useGo } from '../data/go.js'
import { look } from '../data/look.js'
import { useOpenSections } from './sections.js'

type Opens = (dialog: 'palette' | 'keys') => void

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const GO_MS = 1500

const rowsOfList = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main tbody tr')]
const rowInFocus = (rows: readonly HTMLElement[]) => rows.findIndex((row) => row.contains(document.activeElement))

/** The first press leads to the first row. */
function moveTo(step: 1 | -1): void {
  const rows = rowsOfList()
  const at = rowInFocus(rows)
  const row = rows[at === -1 ? 0 : at + step]
  row?.querySelector<HTMLElement>('[data-primary] :is(a, button)')?.focus()
}

/** For the list of the screen. */
const ROW_KEYS: Readonly<Record<string, () => void>> = {
  j: () => moveTo(1),
  k: () => moveTo(-1),
  x() {
    const rows = rowsOfList()
    rows[rowInFocus(rows)]?.querySelector<HTMLElement>('.table-select input')?.click()
  },
  e: () => document.querySelector<HTMLElement>('main [data-key="e"]')?.click(),
}

/** `⌘K` works everywhere. `/`, `?`, `g` with a letter, and the keys of rows work outside of text fields. */
export function useKeys(open: Opens): void {
  const go = useGo()
  const sections = useOpenSections()
  useEffect(() => {
    let wentAt = Number.NEGATIVE_INFINITY
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        open('palette')
        return
      }
      const isPlain = !event.metaKey && !event.ctrlKey && !event.altKey
      if (
        !isPlain ||
        !look.get().shortcuts ||
        isTyping(event.target) ||
        document.querySelector('dialog[open]') !== null
      )
        return
      if (performance.now() - wentAt < GO_MS) {
        wentAt = Number.NEGATIVE_INFINITY
        const section = sections.find(({ key }) => key === event.key)
        if (section !== undefined) go(Object.keys(section.routes)[0] ?? section.id)
      } else if (event.key === 'g') wentAt = performance.now()
      else if (event.key === '/') {
        event.preventDefault()
        open('palette')
      } else if (event.key === '?') open('keys')
      else ROW_KEYS[event.key]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [open, go, sections])
}
