/**
 * Prints the answer of a command in the requested form: text for people, JSON or YAML for programs; to standard output
 * or to a file.
 * INVARIANT: control characters never reach a terminal. JSON and YAML write them as escapes.
 */
import type { Invocation, Io } from '../command.js'
import { writeAndSay } from './outputs.js'

export type Form = 'table' | 'json' | 'yaml'

export const formOf = ({ options }: Invocation, fallback: Form = 'table'): Form =>
  (options.format as Form | undefined) ?? fallback

/** @param text called only for the form for people. */
export async function printData(
  invocation: Invocation,
  io: Io,
  data: unknown,
  text: () => string | Promise<string>,
): Promise<void> {
  const form = formOf(invocation)
  const answer = form === 'json' ? `${jsonText(data)}\n` : form === 'yaml' ? (await yamlWriter())(data) : await text()
  await writeAndSay(invocation, io, answer)
}

// JSON.stringify escapes the control characters below U+0020 itself.
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g

/** JSON or YAML with quoted strings, in which every character that a terminal obeys is an escape. */
export const escaped = (text: string): string =>
  text.replace(OBEYED, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** `JSON.stringify`, with strings that are safe to show on a terminal. */
export const jsonText = (value: unknown, indent: number | undefined = 2): string =>
  escaped(JSON.stringify(value, null, indent))

/**
 * Loaded only if YAML is requested. Long lines are not folded, so that text stays the same when it is applied again.
 */
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

/** One event of a stream: a line for people, a line of JSON, or a YAML document. A null line is left out. */
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
