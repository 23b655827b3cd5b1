/**
 * Asks questions on the terminal; a secret is not echoed. Without a terminal each answer is the next line of standard
 * input.
 */
import { createInterface } from 'node:readline'
import { type Readable, Writable } from 'node:stream'
import { type Io, UsageError } from '../command.js'

/** Keeps the reader of standard input, because lines that it read ahead answer later questions. */
const piped = new WeakMap<Readable, AsyncIterator<string>>()

/** No answer is longer. Input without line ends must not fill the memory. */
const LINE_BYTES_MAX = 1 << 16

export const isOnTerminal = (io: Io): boolean => io.stderrIsTty && (io.stdin as NodeJS.ReadStream).isTTY === true

export async function ask(io: Io, question: string, options: { readonly secret?: boolean } = {}): Promise<string> {
  const answer = isOnTerminal(io) ? await onTerminal(io, question, options.secret === true) : await nextLine(io.stdin)
  if (answer !== null) return answer
  throw new UsageError(`no answer to \`${question.trim()}\``, 'give it on standard input')
}

async function nextLine(stdin: Readable): Promise<string | null> {
  let lines = piped.get(stdin)
  if (lines === undefined) {
    lines = linesOf(stdin)
    piped.set(stdin, lines)
  }
  const { value, done } = await lines.next()
  return done === true ? null : value
}

async function* linesOf(stdin: Readable): AsyncGenerator<string> {
  let rest = Buffer.alloc(0)
  for await (const chunk of stdin) {
    rest = Buffer.concat([rest, Buffer.from(chunk as Uint8Array)])
    for (let end = rest.indexOf(0x0a); end !== -1; end = rest.indexOf(0x0a)) {
      yield rest.toString('utf8', 0, end).replace(/\r$/, '')
      rest = rest.subarray(end + 1)
    }
    if (rest.length > LINE_BYTES_MAX) {
      throw new UsageError(
        `a line of standard input has more than ${LINE_BYTES_MAX} bytes`,
        'give one answer in a line',
      )
    }
  }
  if (rest.length > 0) yield rest.toString('utf8')
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
