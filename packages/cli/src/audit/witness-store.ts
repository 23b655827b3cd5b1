/**
 * What a witness cosigned, in one small file. A new state is written to a temporary file, synced and renamed over the
 * old one, so that the file always holds either state.
 * INVARIANT: a size never decreases, and a state that this process did not write or read is never overwritten.
 * Otherwise two witnesses that share a key and a file could cosign two histories.
 */
import { closeSync, existsSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import type { WitnessedTree } from '@plumbline/audit-chain'
import { UsageError } from '../command.js'
import { readBytes } from '../input/read-bytes.js'

export class WitnessStore {
  readonly #file: string
  readonly #trees: Map<string, WitnessedTree>
  /** The file as this process read or wrote it last; null when there is none yet. */
  #text: string | null

  constructor(file: string) {
    this.#file = file
    this.#text = textOf(file)
    this.#trees = new Map(this.#text === null ? [] : Object.entries(parse(this.#text, file)))
  }

  last(origin: string): WitnessedTree | null {
    return this.#trees.get(origin) ?? null
  }

  /** Durable when it returns. */
  put(origin: string, tree: WitnessedTree): void {
    const before = this.#trees.get(origin)
    if (before !== undefined && tree.size < before.size)
      throw new Error(`refused to replace the state of ${origin} by an older one`)
    if (textOf(this.#file) !== this.#text) throw new Error(`another process changed \`${this.#file}\``)
    const next = new Map(this.#trees).set(origin, { size: tree.size, root: tree.root })
    const text = `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`
    const partial = `${this.#file}.partial`
    const handle = openSync(partial, 'w', 0o600)
    try {
      writeSync(handle, text)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
    renameSync(partial, this.#file)
    syncFolder(dirname(this.#file))
    this.#text = text
    this.#trees.set(origin, tree)
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

const textOf = (file: string): string | null => (existsSync(file) ? readBytes(file).toString('utf8') : null)

/** A witness that forgot its past could cosign a fork, so a damaged file is never taken for an empty one. */
function parse(text: string, file: string): Record<string, WitnessedTree> {
  try {
    const state = JSON.parse(text) as Record<string, WitnessedTree>
    const isObject = typeof state === 'object' && !Array.isArray(state)
    const fits = Object.values(state).every(
      ({ size, root }) => Number.isSafeInteger(size) && size >= 0 && /^[0-9a-f]{64}$/.test(root),
    )
    if (isObject && fits) return state
  } catch {
    // The error below covers this, and JSON that is not a state.
  }
  throw new UsageError(
    `\`${file}\` is not a witness state`,
    'restore it from a backup: an empty state would let a log rewrite its past',
  )
}
