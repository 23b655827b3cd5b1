/**
 * The package databases that remain after all layers of an image: a layer adds, replaces and deletes files (OCI image
 * specification 1.1, layer). Only the parsed result of each file is kept.
 */

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..wh..opq'

export class LayerTree<T> {
  readonly #files = new Map<string, T>()
  /** Every folder above a file that was ever added. Most entries delete nothing, and this set shows that quickly. */
  readonly #folders = new Set<string>()
  #added = new Map<string, T>()

  /** A file replaces an earlier file of the same path, and everything below that path. */
  add(path: string, value: T | null): void {
    this.#remove(path)
    this.#added.delete(path)
    if (value === null) return
    this.#added.set(path, value)
  }

  /**
   * Applies a whiteout, which deletes files of the layers below but none that this layer added. @returns false for a
   * path that is not a whiteout.
   */
  takeAway(path: string): boolean {
    const cut = path.lastIndexOf('/') + 1
    const name = path.slice(cut)
    if (!name.startsWith(WHITEOUT)) return false
    if (name === OPAQUE) this.#removeBelow(path.slice(0, cut))
    else this.#remove(path.slice(0, cut) + name.slice(WHITEOUT.length))
    return true
  }

  /** The file in the current layer or the layers below it. */
  get(path: string): T | undefined {
    return this.#added.get(path) ?? this.#files.get(path)
  }

  endLayer(): void {
    for (const [path, value] of this.#added) {
      this.#files.set(path, value)
      for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) this.#folders.add(path.slice(0, at + 1))
    }
    this.#added = new Map()
  }

  get files(): ReadonlyMap<string, T> {
    return this.#files
  }

  #remove(path: string): void {
    this.#files.delete(path)
    if (this.#folders.has(`${path}/`)) this.#removeBelow(`${path}/`)
  }

  #removeBelow(folder: string): void {
    // guard: a-whiteout-takes-away-what-is-below
    for (const path of this.#files.keys()) if (path.startsWith(folder)) this.#files.delete(path)
  }
}
