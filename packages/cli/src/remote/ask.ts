/** Asks on the terminal; a secret is not echoed. Without a terminal the answer is the first line of standard input. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type Io, UsageError } from '../command.js'

export async function ask(io: Io, question: string, options: { readonly secret?: boolean } = {}): Promise<string> {
  const isTerminal = io.stderrIsTty && (io.stdin as NodeJS.ReadStream).isTTY === true
  if (isTerminal) io.stderr.write(question)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: io.stdin,
    output: options.secret ? silent : io.stderr,
    terminal: isTerminal,
  })
  try {
    for await (const line of lines) {
      if (isTerminal && options.secret) io.stderr.write('\n')
      return line
    }
  } finally {
    lines.close()
  }
  throw new UsageError(`no answer to \`${question.trim()}\``, 'give it on standard input')
}
