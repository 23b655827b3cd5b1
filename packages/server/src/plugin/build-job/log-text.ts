/**
 * Cleans the text of a build's log: whole lines, without control characters and tokens, of bounded length. Pure, and
 * independent of how the text was split into pieces: a line is cleaned when it is complete, so that no token is seen in
 * two halves.
 */
import { hideSecrets } from '../../runtime/log/redact.js'

/** The rest of a longer line is left out. */
export const LINE_CHARS_MAX = 8192
/** Characters kept of an unfinished line: enough to recognise a token that crosses the line limit. */
const HELD_CHARS_MAX = LINE_CHARS_MAX + 4096

export interface LogStep {
  /** The cleaned text that can be stored now. */
  readonly text: string
  /** The unfinished line, for the next step. */
  readonly held: string
}

/** @param held the unfinished line of the previous step; '' at the beginning. */
export function logStep(held: string, piece: string): LogStep {
  const whole = held + piece
  // A carriage return at the very end may be the first half of a line break.
  const cut = Math.max(whole.lastIndexOf('\n'), whole.slice(0, -1).lastIndexOf('\r')) + 1
  const rest = whole.slice(cut)
  const bounded = rest.length > HELD_CHARS_MAX ? rest.slice(0, HELD_CHARS_MAX) : rest
  // A trailing carriage return is kept, so that a line feed at the start of the next piece does not count as another
  // line break.
  const isCut = bounded.length < rest.length && rest.endsWith('\r')
  return { text: cleanLines(whole.slice(0, cut)), held: isCut ? `${bounded}\r` : bounded }
}

/** Cleans the unfinished line as it is: no further text follows. */
export const logEnd = (held: string): string => cleanLines(held)

function cleanLines(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').split('\n')
  return lines.map(cleanLine).join('\n')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const SEQUENCES = /\x1b(?:\[[0-?]{0,64}[ -/]{0,64}[@-~]|\][^\x07\x1b]{0,1024}(?:\x07|\x1b\\))/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu

function cleanLine(line: string): string {
  const plain = line.slice(0, HELD_CHARS_MAX).replace(SEQUENCES, '').replace(CONTROLS, '')
  // guard: no-secret-in-a-build-log
  const hidden = hideSecrets(plain)
  if (line.length <= LINE_CHARS_MAX) return hidden
  // The word at the cut may be the beginning of a token, so it is left out.
  const kept = plain.slice(0, LINE_CHARS_MAX).replace(/(?<!\S)\S+$/, '')
  return `${hideSecrets(kept)}… (line cut)`
}
