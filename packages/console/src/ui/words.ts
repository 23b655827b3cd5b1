/**
 * Every text of the console is in a catalogue: a name, and the text in English and in German. `{name}` stands for a
 * value, `{count|item|items}` for the form that goes with a number.
 */
import { createStore, useStore } from './store.js'

export type Language = 'en' | 'de'
export type Pair = readonly [en: string, de: string]
export type Values = Readonly<Record<string, string | number>>

export const defineWords = <const W extends Readonly<Record<string, Pair>>>(words: W): W => words

/** Languages that the browser asks for, the best first. */
export const preferredLanguage = (wanted: readonly string[]): Language =>
  wanted
    .map((each) => each.slice(0, 2).toLowerCase())
    .find((each): each is Language => each === 'de' || each === 'en') ?? 'en'

export const language = createStore<Language>('en')
export const useLanguage = (): Language => useStore(language)

const PLACE = /\{([a-zA-Z]+)(?:\|([^{}|]*)\|([^{}|]*))?\}/g

export function say([en, de]: Pair, to: Language, values: Values = {}): string {
  const text = to === 'de' ? de : en
  return text.replace(PLACE, (whole, name: string, one?: string, other?: string) => {
    const value = values[name]
    if (value === undefined) return whole
    if (one !== undefined && other !== undefined)
      return new Intl.PluralRules(to).select(Number(value)) === 'one' ? one : other
    return typeof value === 'number' ? new Intl.NumberFormat(to).format(value) : value
  })
}

export type Say<W> = (name: keyof W, values?: Values) => string

export function useWords<W extends Readonly<Record<string, Pair>>>(words: W): Say<W> {
  const to = useLanguage()
  return (name, values) => {
    const pair = words[name]
    return pair === undefined ? String(name) : say(pair, to, values)
  }
}

/** The words of a value such as `enforce`; the value itself when the catalogue does not know it. */
export function useLabel<W extends Readonly<Record<string, Pair>>>(words: W): (value: string | null) => string {
  const to = useLanguage()
  return (value) => {
    const pair = value === null ? undefined : words[value]
    return pair === undefined ? (value ?? '–') : say(pair, to)
  }
}
