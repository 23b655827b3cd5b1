/**
 * What the layers of an image leave of the files that tell what is installed: a layer adds, replaces and takes away (OCI image
 * specification 1.1, layer). Of each file only what was read of it is held.
 */

const WHITEOUT = '.wh.'
const OPAQUE = '.wh..wh..opq'

export class LayerTree<T> {
  readonly #files = new Map<string, T>()
  /** Every folder above a file that was ever held: most entries take nothing away, and are found out here. */
  readonly #folders = new Set<string>()
  #added = new Map<string, T>()

  /** Files of one path replace one another, and what stood below. */
  add(path: string, value: T | null): void {
    this.#remove(path)
    this.#added.delete(path)
    if (value === null) return
    this.#added.set(path, value)
  }

  /** What the layer itself added stays: a whiteout is about the layers below it. @returns false for what is not one. */
  takeAway(path: string): boolean {
    const cut = path.lastIndexOf('/') + 1
    const name = path.slice(cut)
    if (!name.startsWith(WHITEOUT)) return false
    if (name === OPAQUE) this.#removeBelow(path.slice(0, cut))
    else this.#remove(path.slice(0, cut) + name.slice(WHITEOUT.length))
    return true
  }

  /** What the layer under way or those below it hold. */
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
