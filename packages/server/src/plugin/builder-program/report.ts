/** The log of one build on its way to the server: the values that the build was given are hidden, whatever form they have. */
import type { BuilderApi, ClaimedJob } from './api.js'
import { NotHeld } from './api.js'

const SENT_EVERY_MS = 1000
const SENT_CHARS_MAX = 32_768
/** What a build prints faster than it is sent is left out. */
const HELD_CHARS_MAX = 262_144

/** A value as it is, in base64 at each of three places, URL-safe too, in hex, and as a URL has it. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value)
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '')
    // The characters that share bits with what stands beside it differ.
    return text.slice(before === 0 ? 0 : before + 1, -1)
  })
  const forms = [value, ...base64, ...base64.map((each) => each.replaceAll('+', '-').replaceAll('/', '_'))]
  return [...new Set([...forms, bytes.toString('hex'), encodeURIComponent(value)])].filter((form) => form.length >= 6)
}

export interface Report {
  phase: string
  write(text: string): void
  /** The last lines. */
  readonly tail: string
  /** Sends what is left. */
  close(): Promise<void>
}

/** @param onStop told once when the server wants the build no more. */
export function reportOf(
  api: BuilderApi,
  job: ClaimedJob,
  secrets: readonly { readonly value: string }[],
  onStop: (reason: Error) => void,
): Report {
  const forms = secrets.flatMap(({ value }) => formsOf(value)).sort((a, b) => b.length - a.length)
  const longest = forms[0]?.length ?? 0
  let held = ''
  let tail = ''
  let place = 0
  let omitted = false
  const hidden = (text: string) => hide(text, forms)

  function take(isEnd: boolean): string {
    held = hidden(held)
    const text = held.slice(0, isEnd ? SENT_CHARS_MAX : readyIn(held, longest))
    held = held.slice(text.length)
    return text
  }

  async function send(isEnd: boolean): Promise<void> {
    const text = take(isEnd)
    if (text === '') return
    tail = `${tail}${text}`.slice(-4000)
    await api.log(job, place, text)
    place += Buffer.byteLength(text)
  }

  let beatAt = 0
  let working = Promise.resolve()
  const report: Report & { phase: string } = {
    phase: 'fetching',
    get tail() {
      return `${tail}${hidden(held)}`.slice(-4000)
    },
    write(text) {
      if (held.length > HELD_CHARS_MAX) {
        omitted = true
        return
      }
      held += omitted ? `\n[… left out …]\n${text}` : text
      omitted = false
    },
    async close() {
      clearInterval(timer)
      await working
      while (held !== '') await send(true)
    },
  }
  let phase = ''
  const tick = async () => {
    try {
      await send(false)
      if (phase === report.phase && Date.now() - beatAt < 4000) return
      phase = report.phase
      beatAt = Date.now()
      if (await api.heartbeat(job, report.phase)) onStop(new NotHeld('the build was cancelled'))
    } catch (error) {
      // A server that is away for a moment is asked again; one that gave the build to another is believed.
      if (error instanceof NotHeld) onStop(error)
    }
  }
  const timer = setInterval(() => {
    working = working.then(tick)
  }, SENT_EVERY_MS)
  return report
}

const hide = (text: string, forms: readonly string[]): string =>
  forms.reduce((all, form) => all.replaceAll(form, '[hidden]'), text)

/** Up to the last line's end; of a line without one all but what may be half of a value. */
function readyIn(held: string, longest: number): number {
  const end = held.lastIndexOf('\n') + 1
  return Math.min(Math.max(end, held.length > SENT_CHARS_MAX ? held.length - longest : 0), SENT_CHARS_MAX)
}
