/**
 * The answer of a command in the form that was asked for: text for people, JSON or YAML for programs; to standard output
 * or to a file.
 * INVARIANT: no form passes on a character that a terminal obeys: JSON and YAML write it as an escape.
 */
import type { Invocation, Io } from '../command.js'
import { writeOutput } from './outputs.js'

export type Form = 'table' | 'json' | 'yaml'

export const formOf = ({ options }: Invocation, fallback: Form = 'table'): Form =>
  (options.format as Form | undefined) ?? fallback

/** `text` is called only where people read the answer. */
export async function printData(
  invocation: Invocation,
  io: Io,
  data: unknown,
  text: () => string | Promise<string>,
): Promise<void> {
  const form = formOf(invocation)
  const answer = form === 'json' ? `${jsonText(data)}\n` : form === 'yaml' ? (await yamlWriter())(data) : await text()
  await writeOutput(invocation.options.output, answer, io)
}

// JSON.stringify escapes the control characters below U+0020 itself.
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

const escaped = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `JSON.stringify` whose strings a terminal can show. */
export const jsonText = (value: unknown, indent: number | undefined = 2): string =>
  escaped(JSON.stringify(value, null, indent))

/** Loaded only where YAML is wanted. Long lines stay whole, so that what is applied again is the same text. */
export async function yamlWriter(): Promise<(value: unknown) => string> {
  const { Document, visit } = await import('./yaml-library.js')
  return (value) => {
    const document = new Document(value, { aliasDuplicateObjects: false })
    let isObeyed = false
    visit(document, {
      Scalar(_key, scalar) {
        if (typeof scalar.value !== 'string' || scalar.value.search(OBEYED) < 0) return
        scalar.type = 'QUOTE_DOUBLE'
        isObeyed = true
      },
    })
    const text = document.toString({ lineWidth: 0 })
    return isObeyed ? escaped(text) : text
  }
}

/** One event of a stream: a line for people, a line of JSON, or a YAML document. A line that is null is left out. */
export async function streamItem<T>(
  invocation: Invocation,
  lineOf: (event: T) => string | null,
): Promise<(event: T) => string> {
  const form = formOf(invocation)
  if (form === 'json') return (event) => `${jsonText(event, 0)}\n`
  if (form === 'yaml') {
    const yaml = await yamlWriter()
    return (event) => `---\n${yaml(event)}`
  }
  return (event) => {
    const line = lineOf(event)
    return line === null ? '' : `${line}\n`
  }
}
