/**
 * Import cycles between folders: inside each folder, its files and folders must import each other in one direction
 * only. Imports of types count, because a reader follows them too. Declarations of domains do not count: all code may
 * import them (docs/decisions/0101-domain-manifests.md).
 */
import { readFileSync } from 'node:fs'
import { posix } from 'node:path'

export interface Import {
  readonly from: string
  readonly to: string
}

export interface Circle {
  /** The folder whose children import each other. */
  readonly folder: string
  readonly children: readonly string[]
  /** Every import between two of the children. */
  readonly imports: readonly Import[]
}

const IMPORT = /^(?:import|export)\b[^'"`;]*?\bfrom '(\.[^']+)'|^import '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm
const GROUND = /^packages\/server\/src\/(?:\w[\w-]*\/)?declarations\.ts$/

/** The imports between source files, as paths. */
export function importsOf(files: readonly string[], read = (file: string) => readFileSync(file, 'utf8')): Import[] {
  const known = new Set(files)
  return files.flatMap((from) =>
    [...read(from).matchAll(IMPORT)].flatMap(([, fromName, aloneName, dynamicName]) => {
      const specifier = fromName ?? aloneName ?? dynamicName ?? ''
      const to = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts')
      return known.has(to) && to !== from && !GROUND.test(to) ? [{ from, to }] : []
    }),
  )
}

export function folderCircles(imports: readonly Import[]): Circle[] {
  return [...byFolder(imports)].flatMap(([folder, inside]) => {
    const next = new Map<string, Set<string>>()
    for (const { from, to } of inside) {
      const child = childOf(folder, from)
      next.set(child, (next.get(child) ?? new Set()).add(childOf(folder, to)))
    }
    return tied(next).map((children) => ({
      folder,
      children: [...children].sort(),
      imports: inside.filter(
        ({ from, to }) => children.has(childOf(folder, from)) && children.has(childOf(folder, to)),
      ),
    }))
  })
}

/** Assigns each import to the deepest folder that contains both files. */
function byFolder(imports: readonly Import[]): Map<string, Import[]> {
  const found = new Map<string, Import[]>()
  for (const each of imports) {
    const [from, to] = [each.from.split('/'), each.to.split('/')]
    const folder = from
      .slice(
        0,
        from.findIndex((part, at) => part !== to[at]),
      )
      .join('/')
    found.set(folder, [...(found.get(folder) ?? []), each])
  }
  return found
}

const childOf = (folder: string, file: string): string => file.slice(folder.length + 1).split('/')[0] ?? ''

/** The strongly connected components with more than one node. */
function tied(next: ReadonlyMap<string, ReadonlySet<string>>): Set<string>[] {
  const reach = new Map([...next.keys()].map((node) => [node, reachable(node)]))
  const parts: Set<string>[] = []
  for (const [node, reached] of reach) {
    if (!reached.has(node) || parts.some((part) => part.has(node))) continue
    parts.push(new Set([...reached].filter((other) => reach.get(other)?.has(node) === true)))
  }
  return parts

  function reachable(start: string): Set<string> {
    const seen = new Set<string>()
    const open = [...(next.get(start) ?? [])]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (seen.has(node)) continue
      seen.add(node)
      open.push(...(next.get(node) ?? []))
    }
    return seen
  }
}
