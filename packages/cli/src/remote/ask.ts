/**
 * Asks questions on the terminal; a secret is not echoed. Without a terminal each answer is the next line of standard
 * input.
 */
import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { type Io, UsageError } from '../command.js'

/** Keeps the reader of standard input, because lines that it read ahead answer later questions. */
const piped = new WeakMap<Readable, AsyncIterator<string>>()

export const isOnTerminal = (io: Io): boolean => io.stderrIsTty && (io.stdin as NodeJS.ReadStream).isTTY === true

export async function ask(io: Io, question: string, options: { readonly secret?: boolean } = {}): Promise<string> {
  const answer = isOnTerminal(io) ? await onTerminal(io, question, options.secret === true) : await nextLine(io.stdin)
  if (answer !== null) return answer
  throw new UsageError(`no answer to \`${question.trim()}\``, 'give it on standard input')
}

async function nextLine(stdin: Readable): Promise<string | null> {
  let lines = piped.get(stdin)
  if (lines === undefined) {
    lines = createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]()
    piped.set(stdin, lines)
  }
  const { value, done } = await lines.next()
  return done === true ? null : value
}

function onTerminal(io: Io, question: string, isSecret: boolean): Promise<string | null> {
  io.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: isSecret ? silent : io.stderr, terminal: true })
  return new Promise((resolve) => {
    let answer: string | null = null
    lines.once('line', (line) => {
      answer = line
      lines.close()
    })
    lines.once('close', () => {
      if (isSecret) io.stderr.write('\n')
      resolve(answer)
    })
  })
}
