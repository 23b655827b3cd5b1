/**
 * Hides the values that a build was given in what it prints, whatever form they have and however the text was cut into pieces.
 * Pure. INVARIANT: what may be the beginning of a value waits until it is known not to be one.
 */

/** Shorter lines of a value are words that a log has anyway. */
const LINE_CHARS_MIN = 16
const FORM_CHARS_MIN = 6

/** A value as it is, in base64 at each of three places, URL-safe too, in hex, as a URL has it; and each of its long lines. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The characters that share bits with what stands beside it differ.
    return text.slice(before === 0 ? 0 : before + 1, -1)
  })
  const lines = value.split(/\r?\n/).filter((line) => line.length >= LINE_CHARS_MIN)
  const forms = [value, ...lines, ...base64, ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'))]
  const all = new Set([...forms, bytes.toString('hex'), encodeURIComponent(value)])
  return [...all].filter((form) => form.length >= FORM_CHARS_MIN).sort((a, b) => b.length - a.length)
}

export interface Hider {
  /** What waits; none of it was taken yet. */
  readonly held: string
  add(text: string): void
  /** The text that may be sent, of at most so many characters; at the end all that waits. */
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

/** Up to the last line's end; a line that is longer than is sent at once is sent as it is. */
function readyIn(held: string, charsMax: number): number {
  const end = held.lastIndexOf('\n') + 1
  return Math.max(end, held.length > charsMax ? held.length : 0)
}

/** The first place where what is there may be the beginning of a form. */
function beforeBeginnings(held: string, end: number, forms: readonly string[]): number {
  const longest = forms[0]?.length ?? 0
  // guard: the-beginning-of-a-value-waits
  for (let at = Math.max(0, held.length - longest + 1); at < end; at++) {
    const rest = held.slice(at)
    if (forms.some((form) => form.length > rest.length && form.startsWith(rest))) return at
  }
  return end
}
