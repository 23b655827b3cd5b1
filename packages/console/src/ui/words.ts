/**
 * The catalogue of texts: every text of the console has a name, and its form in English and in German. `{name}` is
 * replaced by a value, `{count|item|items}` by the form that fits the number.
 */
import { createStore, useStore } from './store.js'

export type Language = 'en' | 'de'
export type Pair = readonly [en: string, de: string]
export type Values = Readonly<Record<string, string | number>>

export const defineWords = <const W extends Readonly<Record<string, Pair>>>(words: W): W => words

/** The language to use, from those that the browser asks for in order of preference. */
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

/** The text for an enumeration value such as `enforce`, or the value itself if the catalogue does not have it. */
export function useLabel<W extends Readonly<Record<string, Pair>>>(words: W): (value: string | null) => string {
  const to = useLanguage()
  return (value) => {
    const pair = value === null ? undefined : words[value]
    return pair === undefined ? (value ?? '–') : say(pair, to)
  }
}
