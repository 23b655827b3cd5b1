/**
 * Splits a piece of shell into simple commands, as lists of words, so that documentation can be checked without running
 * it.
 * It handles quotes, comments, heredocs, redirections, assignments and command substitutions. Expansions stay as
 * written.
 */

export interface ShellCommand {
  readonly words: readonly string[]
  /** Line in the text, from 0. */
  readonly line: number
}

const BREAKS = ';|&()\n'
const ASSIGNMENT = /^\w+=/

export function shellCommands(text: string): ShellCommand[] {
  const found: ShellCommand[] = []
  new Reader(text, 0, found).readTo(null)
  return found
}

/** Reads the commands of one level. A command substitution is a separate level. */
class Reader {
  at: number
  readonly #text: string
  readonly #found: ShellCommand[]
  #words: string[] = []
  #word: string | null = null
  #line = 0
  #heredocs: string[] = []
  #isTarget = false

  constructor(text: string, from: number, found: ShellCommand[]) {
    this.#text = text
    this.at = from
    this.#found = found
  }

  /** Reads up to `until`, and moves past it. */
  readTo(until: string | null): void {
    const text = this.#text
    while (this.at < text.length) {
      const char = text[this.at] ?? ''
      if (char === until) {
        this.at += 1
        break
      }
      if (this.#word === null && this.#words.length === 0) this.#line = lineOf(text, this.at)
      this.#step(char)
    }
    this.#endCommand()
  }

  #step(char: string): void {
    const text = this.#text
    if (text.startsWith('$(', this.at)) this.#substitute()
    else if (char === '\\') {
      if (text[this.at + 1] !== '\n') this.#add(text[this.at + 1] ?? '')
      this.at += 2
    } else if (char === "'") {
      const end = closing(text, "'", this.at + 1)
      this.#add(text.slice(this.at + 1, end))
      this.at = end + 1
    } else if (char === '"') this.#quoted()
    else if (char === '#' && this.#word === null) this.at = closing(text, '\n', this.at)
    else if (char === '<' || char === '>') this.#redirect()
    else if (BREAKS.includes(char)) this.#break(char)
    else {
      if (/\s/.test(char)) this.#endWord()
      else this.#add(char)
      this.at += 1
    }
  }

  #add(piece: string): void {
    this.#word = `${this.#word ?? ''}${piece}`
  }

  #substitute(): void {
    this.#add('$')
    const inner = new Reader(this.#text, this.at + 2, this.#found)
    inner.readTo(')')
    this.at = inner.at
  }

  #quoted(): void {
    const text = this.#text
    this.#add('')
    this.at += 1
    while (this.at < text.length && text[this.at] !== '"') {
      if (text.startsWith('$(', this.at)) this.#substitute()
      else {
        if (text[this.at] === '\\') this.at += 1
        this.#add(text[this.at] ?? '')
        this.at += 1
      }
    }
    this.at += 1
  }

  #redirect(): void {
    if (/^\d$/.test(this.#word ?? '')) this.#word = null
    this.#endWord()
    const rest = this.#text.slice(this.at)
    const heredoc = /^<<-?\s*'?(\w+)'?/.exec(rest)
    if (heredoc) {
      this.#heredocs.push(heredoc[1] ?? '')
      this.at += heredoc[0].length
    } else {
      this.#isTarget = true
      this.at += /^[<>]+&?/.exec(rest)?.[0].length ?? 1
    }
  }

  #break(char: string): void {
    this.#endCommand()
    this.at += 1
    if (char !== '\n') return
    for (const end of this.#heredocs) this.at = behindHeredoc(this.#text, end, this.at)
    this.#heredocs = []
  }

  #endWord(): void {
    if (this.#word === null) return
    // The file of a redirection is not an argument, and assignments before a command are not part of it.
    if (this.#isTarget) this.#isTarget = false
    else if (this.#words.length > 0 || !ASSIGNMENT.test(this.#word)) this.#words.push(this.#word)
    this.#word = null
  }

  #endCommand(): void {
    this.#endWord()
    if (this.#words.length > 0) this.#found.push({ words: this.#words, line: this.#line })
    this.#words = []
  }
}

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length - 1

function closing(text: string, char: string, from: number): number {
  const end = text.indexOf(char, from)
  return end === -1 ? text.length : end
}

function behindHeredoc(text: string, end: string, from: number): number {
  let at = from
  while (at < text.length) {
    const lineEnd = closing(text, '\n', at)
    const line = text.slice(at, lineEnd)
    at = lineEnd + 1
    if (line.trim() === end) break
  }
  return at
}
