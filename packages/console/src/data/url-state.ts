/**
 * Keeps the state of a screen in the address: filters, sort, page, tab, open sheet.
 * An invalid value falls back to the default, and the person is notified. A value that equals the default is left out,
 * so that the same view always has the same address.
 */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect } from 'react'
import { notify } from '../ui/toast.js'
import { defineWords, useWords } from '../ui/words.js'

export interface Param<T extends string | number> {
  readonly fallback: T
  readonly read: (text: string) => T | undefined
}
export type Spec = Readonly<Record<string, Param<string> | Param<number>>>
export type State<S extends Spec> = { readonly [K in keyof S]: S[K] extends Param<infer T> ? T : never }
export type RawSearch = Readonly<Record<string, string>>

export const text = (): Param<string> => ({ fallback: '', read: (value) => value })

/** A day of the calendar, such as `2026-11-30`. */
export const day = (): Param<string> => ({
  fallback: '',
  read: (value) => (/^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined),
})

export function oneOf<const T extends string>(values: readonly T[], fallback: NoInfer<T> | ''): Param<T | ''> {
  return { fallback, read: (value) => (value === '' ? undefined : values.find((each) => each === value)) }
}

const PAGE_MAX = 100_000
export const pageNumber = (): Param<number> => ({
  fallback: 1,
  read(value) {
    const page = /^\d{1,6}$/.test(value) ? Number(value) : 0
    return page >= 1 && page <= PAGE_MAX ? page : undefined
  },
})

export interface ReadState<S extends Spec> {
  readonly state: State<S>
  /** Names of parameters with an invalid value. */
  readonly wrong: readonly string[]
}

export function readState<S extends Spec>(spec: S, raw: RawSearch): ReadState<S> {
  const wrong: string[] = []
  const entries = Object.entries(spec).map(([name, param]) => {
    const given = raw[name]
    if (given === undefined) return [name, param.fallback]
    const value = param.read(given)
    if (value === undefined) wrong.push(name)
    return [name, value ?? param.fallback]
  })
  return { state: Object.fromEntries(entries) as State<S>, wrong }
}

/** Changing a filter returns to the first page. */
export function writeState<S extends Spec>(spec: S, raw: RawSearch, patch: Partial<State<S>>): RawSearch {
  const next: Record<string, string> = { ...raw }
  const isFilter = Object.keys(patch).some((name) => name !== 'page' && name !== 'sheet')
  const changes: Record<string, unknown> = isFilter && !('page' in patch) ? { ...patch, page: 1 } : patch
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === spec[name]?.fallback || spec[name] === undefined) delete next[name]
    else next[name] = String(value)
  }
  return next
}

export const parseSearch = (search: string): RawSearch => Object.fromEntries(new URLSearchParams(search))
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(search).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
  return query.size === 0 ? '' : `?${query}`
}

const words = defineWords({
  fellBack: [
    'The address held a value that means nothing here ({names}), so the default is shown.',
    'Die Adresse enthielt einen Wert ohne Bedeutung ({names}); gezeigt wird der Standard.',
  ],
})

export function useUrlState<S extends Spec>(spec: S): readonly [State<S>, (patch: Partial<State<S>>) => void] {
  const raw = useSearch({ strict: false }) as RawSearch
  const navigate = useNavigate()
  const t = useWords(words)
  const { state, wrong } = readState(spec, raw)
  const set = useCallback(
    (patch: Partial<State<S>>) =>
      void navigate({
        to: '.',
        search: ((now: RawSearch) => writeState(spec, now, patch)) as never,
        replace: !('sheet' in patch),
        resetScroll: false,
      }),
    [navigate, spec],
  )
  const names = wrong.join(', ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once for what was wrong, not once for a language
  useEffect(() => {
    if (names !== '') notify(t('fellBack', { names }))
  }, [names])
  return [state, set]
}
