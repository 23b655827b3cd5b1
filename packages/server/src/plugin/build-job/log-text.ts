/**
 * The text of a build's log as it may be kept: whole lines without control characters, without tokens, bounded. Pure, and
 * the same however the text was cut into pieces: a line is looked at when it is whole, so that no token is seen in halves.
 */
import { hideSecrets } from '../../runtime/log/redact.js'

/** Of a longer line the rest is left out. */
export const LINE_CHARS_MAX = 8192
/** Held of an unfinished line: enough to know a token that lies across the cut. */
const HELD_CHARS_MAX = LINE_CHARS_MAX + 4096

export interface LogStep {
  /** What may be kept now. */
  readonly text: string
  /** The unfinished line, for the next step. */
  readonly held: string
}

/** @param held of the step before; '' at the beginning. */
export function logStep(held: string, piece: string): LogStep {
  const whole = held + piece
  // A carriage return at the very end may be half of a line's end.
  const cut = Math.max(whole.lastIndexOf('\n'), whole.slice(0, -1).lastIndexOf('\r')) + 1
  const rest = whole.slice(cut)
  const bounded = rest.length > HELD_CHARS_MAX ? rest.slice(0, HELD_CHARS_MAX) : rest
  // Its end is kept, so that a carriage return that was left out is not taken for the end of another line.
  const isCut = bounded.length < rest.length && rest.endsWith('\r')
  return { text: cleanLines(whole.slice(0, cut)), held: isCut ? `${bounded}\r` : bounded }
}

/** The unfinished line as it is: nothing comes behind it any more. */
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
  // What touches the cut may be the beginning of a token.
  const kept = plain.slice(0, LINE_CHARS_MAX).replace(/(?<!\S)\S+$/, '')
  return `${hideSecrets(kept)}… (line cut)`
}
