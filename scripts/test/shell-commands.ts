/**
 * The simple commands of a piece of shell, as lists of words: what documentation shows is read this way without being run.
 * Quotes, comments, heredocs, redirections, assignments and command substitutions are understood; expansions stay as they
 * are written.
 */

export interface ShellCommand {
  readonly words: readonly string[]
  /** Of the text, from 0. */
  readonly line: number
}

const BREAKS = ';|&()\n'
const ASSIGNMENT = /^\w+=/

export function shellCommands(text: string): ShellCommand[] {
  const found: ShellCommand[] = []
  read(text, 0, null, found)
  return found
}

/** Reads up to `until`. @returns the position behind it. */
function read(text: string, from: number, until: string | null, found: ShellCommand[]): number {
  let words: string[] = []
  let word: string | null = null
  let line = 0
  let heredocs: string[] = []
  let isTarget = false
  const endWord = () => {
    if (word === null) return
    // The file of a redirection is not an argument, and what stands before a command is set for it.
    if (isTarget) isTarget = false
    else if (words.length > 0 || !ASSIGNMENT.test(word)) words.push(word)
    word = null
  }
  const endCommand = () => {
    endWord()
    if (words.length > 0) found.push({ words, line })
    words = []
  }
  let at = from
  while (at < text.length) {
    const char = text[at] ?? ''
    if (char === until) {
      endCommand()
      return at + 1
    }
    if (word === null && words.length === 0) line = lineOf(text, at)
    if (text.startsWith('$(', at)) {
      word = `${word ?? ''}$`
      at = read(text, at + 2, ')', found)
    } else if (char === '\\') {
      if (text[at + 1] !== '\n') word = `${word ?? ''}${text[at + 1] ?? ''}`
      at += 2
    } else if (char === "'") {
      const end = closing(text, "'", at + 1)
      word = `${word ?? ''}${text.slice(at + 1, end)}`
      at = end + 1
    } else if (char === '"') {
      word ??= ''
      at += 1
      while (at < text.length && text[at] !== '"') {
        if (text.startsWith('$(', at)) {
          word += '$'
          at = read(text, at + 2, ')', found)
        } else {
          if (text[at] === '\\') at += 1
          word += text[at] ?? ''
          at += 1
        }
      }
      at += 1
    } else if (char === '#' && word === null) {
      at = closing(text, '\n', at)
    } else if (char === '<' || char === '>') {
      if (/^\d$/.test(word ?? '')) word = null
      endWord()
      const heredoc = /^<<-?\s*'?(\w+)'?/.exec(text.slice(at))
      if (heredoc) {
        heredocs.push(heredoc[1] ?? '')
        at += heredoc[0].length
      } else {
        isTarget = true
        at += /^[<>]+&?/.exec(text.slice(at))?.[0].length ?? 1
      }
    } else if (BREAKS.includes(char)) {
      endCommand()
      at += 1
      if (char !== '\n') continue
      for (const end of heredocs) at = behindHeredoc(text, end, at)
      heredocs = []
    } else if (/\s/.test(char)) {
      endWord()
      at += 1
    } else {
      word = `${word ?? ''}${char}`
      at += 1
    }
  }
  endCommand()
  return at
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
