/**
 * The spool as an append-only file: one line for each entry, synced before `put` answers, and one line for each
 * finished entry. At the start the file is read again, and unfinished entries are ready. The file is rewritten when
 * many of its lines belong to finished entries. Each process needs its own file.
 */

import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { SPOOL_MAX, type Spool, type SpoolEntry } from './spool.js'

type Line = { readonly put: string; readonly text: string } | { readonly done: readonly string[] }

/** The file is rewritten when it has more finished lines than this. */
const GARBAGE_MAX = 1000

export async function fileSpool(folder: string, service: string, entriesMax = SPOOL_MAX): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const spool = new FileSpool(folder, encodeURIComponent(service), entriesMax)
  await spool.recover()
  return spool
}

class FileSpool implements Spool {
  readonly #folder: string
  readonly #file: string
  readonly #graves: string
  readonly #entriesMax: number
  readonly #inFlight = new Set<string>()
  #ready: SpoolEntry[] = []
  #next = 1
  #garbage = 0
  #handle: FileHandle | null = null
  #turn: Promise<unknown> = Promise.resolve()

  constructor(folder: string, name: string, entriesMax: number) {
    this.#folder = folder
    this.#file = join(folder, `${name}.jsonl`)
    this.#graves = join(folder, `${name}.dead.jsonl`)
    this.#entriesMax = entriesMax
  }

  put(text: string): Promise<number> {
    return this.#inTurn(async () => {
      const entry = { id: String(this.#next++), text }
      await this.#append({ put: entry.id, text })
      this.#ready.push(entry)
      const excess = this.#ready.length + this.#inFlight.size - this.#entriesMax
      const dropped = this.#ready.splice(0, Math.max(0, excess))
      await this.#done(dropped)
      return dropped.length
    })
  }

  take(count: number): Promise<readonly SpoolEntry[]> {
    return this.#inTurn(async () => {
      const taken = this.#ready.splice(0, count)
      for (const { id } of taken) this.#inFlight.add(id)
      return taken
    })
  }

  ack(gone: readonly SpoolEntry[]): Promise<void> {
    return this.#inTurn(() => this.#done(gone))
  }

  requeue(back: readonly SpoolEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      for (const { id } of back) this.#inFlight.delete(id)
      this.#ready.unshift(...back)
    })
  }

  bury(gone: readonly SpoolEntry[]): Promise<void> {
    return this.#inTurn(async () => {
      await this.#bury(gone.map(({ text }) => text))
      await this.#done(gone)
    })
  }

  buryNew(text: string): Promise<void> {
    return this.#inTurn(() => this.#bury([text]))
  }

  /** Reads the file: every unfinished entry becomes ready. Runs once, before the first call. */
  recover(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#handle !== null) return
      const { entries, last } = replay(await readOrEmpty(this.#file))
      this.#ready = entries
      this.#next = last + 1
      await this.#rewrite()
    })
  }

  async size(): Promise<number> {
    return this.#ready.length + this.#inFlight.size
  }

  async deadSize(): Promise<number> {
    return (await readOrEmpty(this.#graves)).split('\n').length - 1
  }

  close(): Promise<void> {
    return this.#inTurn(async () => this.#handle?.close())
  }

  /** One writer at a time. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(run)
    this.#turn = result.catch(() => undefined)
    return result
  }

  async #append(line: Line): Promise<void> {
    await this.#handle?.appendFile(`${JSON.stringify(line)}\n`)
    await this.#handle?.sync()
  }

  async #rewrite(): Promise<void> {
    const aside = `${this.#file}.partial`
    const fresh = await open(aside, 'w', 0o600)
    await fresh.appendFile(this.#ready.map(({ id, text }) => `${JSON.stringify({ put: id, text })}\n`).join(''))
    await fresh.sync()
    await fresh.close()
    await rename(aside, this.#file)
    const parent = await open(this.#folder, 'r')
    await parent.sync()
    await parent.close()
    await this.#handle?.close()
    this.#garbage = 0
    this.#handle = await open(this.#file, 'a', 0o600)
  }

  async #done(gone: readonly SpoolEntry[]): Promise<void> {
    if (gone.length === 0) return
    await this.#append({ done: gone.map(({ id }) => id) })
    this.#garbage += gone.length
    for (const { id } of gone) this.#inFlight.delete(id)
    // Only while nothing is in flight: entries in flight are not in `#ready`, and must stay in the file.
    if (this.#garbage > GARBAGE_MAX && this.#inFlight.size === 0) await this.#rewrite()
  }

  async #bury(texts: readonly string[]): Promise<void> {
    const grave = await open(this.#graves, 'a', 0o600)
    try {
      await grave.appendFile(texts.map((text) => `${text}\n`).join(''))
      await grave.sync()
    } finally {
      await grave.close()
    }
  }
}

/** The unfinished entries. A last line that a crash truncated was never acknowledged. */
function replay(text: string): { entries: SpoolEntry[]; last: number } {
  const entries = new Map<string, string>()
  let last = 0
  for (const line of text.split('\n')) {
    let parsed: Line
    try {
      parsed = JSON.parse(line) as Line
    } catch {
      continue
    }
    if ('put' in parsed) {
      entries.set(parsed.put, parsed.text)
      last = Math.max(last, Number(parsed.put))
    } else for (const id of parsed.done) entries.delete(id)
  }
  return { entries: [...entries].map(([id, entry]) => ({ id, text: entry })), last }
}

async function readOrEmpty(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
