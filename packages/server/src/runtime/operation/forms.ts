/**
 * One answer in several forms: JSON for programs, CSV for spreadsheets, SVG for pages, HTML and PDF for people. The
 * client selects the form with `Accept` (RFC 9110, 12.5.1). JSON is the default.
 *
 * INVARIANT: every form is a pure function of the same data, so that two forms never disagree.
 */
import { type Cell, csvRow } from '../csv.js'
import { Refusal } from '../errors.js'

export interface CsvTable {
  readonly columns: readonly string[]
  readonly rows: Iterable<readonly Cell[]>
}

export interface AnswerForms<D> {
  csv?(data: D): CsvTable
  /** An image without scripts. Every text in it is escaped. */
  svg?(data: D): string
  /** A whole page without scripts. Every text in it is escaped. */
  html?(data: D): string
  /** @throws Refusal 503 when the PDF writer is not installed. */
  pdf?(data: D): Promise<Uint8Array<ArrayBuffer>>
}

export const FORM_MEDIA = {
  csv: 'text/csv; charset=utf-8; header=present',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  pdf: 'application/pdf',
} as const
export type FormName = keyof typeof FORM_MEDIA

/** An example of each form, for the documentation. */
export const FORM_EXAMPLES: Readonly<Record<FormName, string>> = {
  csv: '"period","succeeded"\r\n"2026-11-16","12"\r\n',
  svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 240"></svg>',
  html: '<!doctype html><title>Invoice</title>',
  pdf: '%PDF-1.7',
}

/** What a browser may do with a form besides showing it. A page may use its own styles and nothing else. */
export const FORM_POLICIES: Partial<Record<FormName, string>> = {
  html: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

// biome-ignore lint/suspicious/noExplicitAny: a list of operations forgets the type of each answer
type AnyForms = AnswerForms<any>

export const formNames = (forms: AnyForms): FormName[] =>
  (Object.keys(FORM_MEDIA) as FormName[]).filter((name) => forms[name] !== undefined)

/**
 * Returns the form that the client prefers; null for JSON. Another form is sent only when `Accept` names its media
 * type.
 */
export function chosenForm(forms: AnyForms, accept: string | null): FormName | null {
  if (accept === null || accept.length > ACCEPT_CHARS_MAX) return null
  const wanted = accept.split(',').map(weighed)
  const weightOf = (...media: readonly string[]) =>
    Math.max(0, ...wanted.filter(([name]) => media.includes(name)).map(([, weight]) => weight))
  let best: FormName | null = null
  let weight = weightOf('application/json')
  for (const name of formNames(forms)) {
    const own = weightOf(mediaOf(name))
    if (own > weight) [best, weight] = [name, own]
  }
  return best
}

/**
 * @throws Refusal 406 when `Accept` names only forms that the answer does not have. Otherwise a client that wants a
 * picture would save JSON as one. Any other `Accept` gets JSON.
 */
export function requireForm(forms: AnyForms, accept: string | null): void {
  if (accept === null || accept.length > ACCEPT_CHARS_MAX) return
  const wanted = accept
    .split(',')
    .map(weighed)
    .filter(([, weight]) => weight > 0)
  const has = formNames(forms).map(mediaOf)
  const lacks = Object.keys(FORM_MEDIA)
    .map((name) => mediaOf(name as FormName))
    .filter((media) => !has.includes(media))
  // guard: a-form-that-does-not-exist-is-not-answered-as-json
  if (wanted.length === 0 || !wanted.every(([media]) => lacks.includes(media))) return
  const accepted = ['application/json', ...has]
  const asked = wanted.map(([media]) => media).join(', ')
  throw new Refusal(
    'NOT_ACCEPTABLE',
    `the answer does not exist as ${asked}: send \`Accept\` with one of ${accepted.join(', ')}`,
    {
      details: { accepted },
    },
  )
}

const mediaOf = (name: FormName): string => FORM_MEDIA[name].split(';')[0] ?? ''

const ACCEPT_CHARS_MAX = 1000

function weighed(range: string): readonly [media: string, weight: number] {
  const [media = '', ...parameters] = range.split(';').map((each) => each.trim().toLowerCase())
  const q = parameters.find((each) => each.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return [media, Number.isFinite(weight) ? weight : 0]
}

export function inForm(forms: AnyForms, name: Exclude<FormName, 'pdf'>, data: unknown): string {
  if (name === 'html') return forms.html?.(data) ?? ''
  if (name === 'svg') return forms.svg?.(data) ?? ''
  const { columns, rows } = forms.csv?.(data) ?? { columns: [], rows: [] }
  const lines = [csvRow(columns)]
  for (const row of rows) lines.push(csvRow(row))
  return lines.join('')
}
