/**
 * Hides the secret values of a build in its output, whatever their encoding and however the text was split into pieces.
 * Pure. INVARIANT: text that may be the beginning of a value is held back until it is known not to be one.
 */

/** Shorter lines of a value may be ordinary words of a log. */
const LINE_CHARS_MIN = 16
const FORM_CHARS_MIN = 6

/**
 * A value as it is, in base64 at each of three alignments, in URL-safe base64, in hex and URL-encoded; and each of its
 * long lines.
 */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // Characters that share bits with neighbouring bytes are cut off, because they vary.
    return text.slice(before === 0 ? 0 : before + 1, -1)
  })
  const lines = value.split(/\r?\n/).filter((line) => line.length >= LINE_CHARS_MIN)
  const all = new Set([
    // guard: a-value-is-hidden
    value,
    // guard: a-line-of-a-value-is-hidden
    ...lines,
    // guard: a-value-in-base64-is-hidden
    ...base64,
    // guard: a-value-in-base64-of-urls-is-hidden
    ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_')),
    // guard: a-value-in-hex-is-hidden
    bytes.toString('hex'),
    // guard: a-value-as-urls-have-it-is-hidden
    encodeURIComponent(value),
  ])
  return [...all].filter((form) => form.length >= FORM_CHARS_MIN).sort((a, b) => b.length - a.length)
}

export interface Hider {
  /** Text that is held back. */
  readonly held: string
  add(text: string): void
  /** The text that may be sent, at most `charsMax` characters; at the end, everything that was held back. */
  take(charsMax: number, isEnd: boolean): string
}

export function createHider(values: readonly string[]): Hider {
  const forms = values.flatMap(formsOf).sort((a, b) => b.length - a.length)
  let held = ''
  const hidden = () => {
    held = forms.reduce((all, form) => all.replaceAll(form, '[hidden]'), held)
    return held
  }
  return {
    get held() {
      return hidden()
    },
    add(text) {
      held += text
    },
    take(charsMax, isEnd) {
      hidden()
      const ends = isEnd ? held.length : readyIn(held, charsMax)
      const text = held.slice(0, Math.min(charsMax, isEnd ? ends : beforeBeginnings(held, ends, forms)))
      held = held.slice(text.length)
      return text
    },
  }
}

/** Up to the end of the last complete line. A line that is longer than one send is sent in part. */
function readyIn(held: string, charsMax: number): number {
  const end = held.lastIndexOf('\n') + 1
  return Math.max(end, held.length > charsMax ? held.length : 0)
}

/** The first position where the text may be the beginning of a form. */
function beforeBeginnings(held: string, end: number, forms: readonly string[]): number {
  const longest = forms[0]?.length ?? 0
  // guard: the-beginning-of-a-value-waits
  for (let at = Math.max(0, held.length - longest + 1); at < end; at++) {
    const rest = held.slice(at)
    if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return at
  }
  return end
}
