/** The specification in `docs/specification`: its numbered sections, and the citations of them in sources and pages. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const specificationFolder = fileURLToPath(new URL('../docs/specification', import.meta.url))

/** The pages that sources cite. The other pages are generated. */
export const CITED_PAGES = ['compliance', 'platform', 'billing-audit'] as const

/** `spec <page> <number>` of every section, in the order of the page. */
export function sectionsOf(page: string): string[] {
  const text = readFileSync(join(specificationFolder, `${page}.md`), 'utf8')
  return [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)?[a-z]?)\.? /gm)].map(([, number]) => `spec ${page} ${number}`)
}

const NUMBER = String.raw`\d+(?:\.\d+)?[a-z]?\b(?!\.\d)`
const CITATION = new RegExp(String.raw`\bspec ([a-z-]+) (${NUMBER}(?:(?:, | and | to )${NUMBER})*)`, 'g')

/** Every citation of a text, one for each number: a comment may break a citation over two lines. */
export function citationsOf(text: string): string[] {
  const flat = text.replaceAll(/\n[ \t]*(?:\*|\/\/|#)?[ \t]*/g, ' ')
  return [...flat.matchAll(CITATION)].flatMap(([, page, list = '']) =>
    list.split(/, | and | to /).map((number) => `spec ${page} ${number}`),
  )
}
