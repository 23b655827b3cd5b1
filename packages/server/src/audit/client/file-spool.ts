/**
 * The spool as an append-only file: a line for each entry, synced before `put` answers, and a line for each one that is
 * done. At the start the file is read again; what is not done is ready. It is written again when most of it is done.
 * One process has one file.
 */

import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { SPOOL_MAX, type Spool, type SpoolEntry } from './spool.js'

type Line = { readonly put: string; readonly text: string } | { readonly done: readonly string[] }

/** Done lines beyond which the file is written again. */
const GARBAGE_MAX = 1000

export async function fileSpool(folder: string, service: string, entriesMax = SPOOL_MAX): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, `${encodeURIComponent(service)}.jsonl`)
  const graves = join(folder, `${encodeURIComponent(service)}.dead.jsonl`)
  const { entries, last } = replay(await readOrEmpty(file))
  const ready: SpoolEntry[] = entries
  const inFlight = new Set<string>()
  let next = last + 1
  let garbage = 0
  let handle = await rewrite(null)
  let turn: Promise<unknown> = Promise.resolve()

  /** One writer at a time. */
  function inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = turn.then(run)
    turn = result.catch(() => undefined)
    return result
  }

  async function append(line: Line): Promise<void> {
    await handle.appendFile(`${JSON.stringify(line)}\n`)
    await handle.sync()
  }

  async function rewrite(old: FileHandle | null): Promise<FileHandle> {
    const aside = `${file}.partial`
    const fresh = await open(aside, 'w', 0o600)
    await fresh.appendFile(ready.map(({ id, text }) => `${JSON.stringify({ put: id, text })}\n`).join(''))
    await fresh.sync()
    await fresh.close()
    await rename(aside, file)
    const parent = await open(folder, 'r')
    await parent.sync()
    await parent.close()
    await old?.close()
    garbage = 0
    return open(file, 'a', 0o600)
  }

  async function done(gone: readonly SpoolEntry[]): Promise<void> {
    if (gone.length === 0) return
    await append({ done: gone.map(({ id }) => id) })
    garbage += gone.length
    // Only while nothing is in flight: what is taken is not in `ready`, and must stay in the file.
    for (const { id } of gone) inFlight.delete(id)
    if (garbage > GARBAGE_MAX && inFlight.size === 0) handle = await rewrite(handle)
  }

  async function bury(texts: readonly string[]): Promise<void> {
    const grave = await open(graves, 'a', 0o600)
    try {
      await grave.appendFile(texts.map((text) => `${text}\n`).join(''))
      await grave.sync()
    } finally {
      await grave.close()
    }
  }

  return {
    put: (text) =>
      inTurn(async () => {
        const entry = { id: String(next++), text }
        await append({ put: entry.id, text })
        ready.push(entry)
        const dropped = ready.splice(0, Math.max(0, ready.length + inFlight.size - entriesMax))
        await done(dropped)
        return dropped.length
      }),
    take: (count) =>
      inTurn(async () => {
        const taken = ready.splice(0, count)
        for (const { id } of taken) inFlight.add(id)
        return taken
      }),
    ack: (gone) => inTurn(() => done(gone)),
    requeue: (back) =>
      inTurn(async () => {
        for (const { id } of back) inFlight.delete(id)
        ready.unshift(...back)
      }),
    bury: (gone) =>
      inTurn(async () => {
        await bury(gone.map(({ text }) => text))
        await done(gone)
      }),
    buryNew: (text) => inTurn(() => bury([text])),
    // Reading the file at the start has made everything ready that was not done.
    recover: async () => undefined,
    size: async () => ready.length + inFlight.size,
    deadSize: async () => (await readOrEmpty(graves)).split('\n').length - 1,
    close: () => inTurn(() => handle.close()),
  }
}

/** What the lines leave. A last line that a crash cut was never acknowledged. */
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
