/** The settings of appearance. They are stored in the browser and applied to the root element. */
import { createStore, useStore } from '../ui/store.js'
import { type Language, language, preferredLanguage } from '../ui/words.js'

export type Theme = 'auto' | 'light' | 'dark'
export type Density = 'normal' | 'compact'

export interface Look {
  readonly theme: Theme
  readonly density: Density
  readonly language: Language | 'auto'
  /** Whether single-key shortcuts are on (WCAG 2.1.4). */
  readonly shortcuts: boolean
}

const KEY = 'plumbline.look'
const DEFAULT: Look = { theme: 'auto', density: 'normal', language: 'auto', shortcuts: true }

export const look = createStore<Look>(DEFAULT)
export const useLook = (): Look => useStore(look)

export function readLook(text: string | null): Look {
  try {
    const found: unknown = JSON.parse(text ?? '{}')
    if (typeof found !== 'object' || found === null) return DEFAULT
    const { theme, density, language: to, shortcuts } = found as Record<string, unknown>
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      density: density === 'compact' ? 'compact' : 'normal',
      language: to === 'de' || to === 'en' ? to : 'auto',
      shortcuts: shortcuts !== false,
    }
  } catch {
    return DEFAULT
  }
}

function apply({ theme, density, language: wanted }: Look): void {
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.density = density
  const to = wanted === 'auto' ? preferredLanguage(navigator.languages) : wanted
  language.set(to)
  document.documentElement.lang = to
}

export function startLook(): void {
  look.set(readLook(localStorage.getItem(KEY)))
  apply(look.get())
}

export function changeLook(patch: Partial<Look>): void {
  const next = { ...look.get(), ...patch }
  look.set(next)
  localStorage.setItem(KEY, JSON.stringify(next))
  apply(next)
}
