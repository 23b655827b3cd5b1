/**
 * The routes of the server, by the segments of their paths.
 *
 * A request has one handler: the first that was added for its method, or for all methods, at the path that fits best. A
 * literal segment fits better than a parameter, whatever the method is. Hono's own routers find every handler that
 * could match, because handlers may be middlewares, and then run them as a chain.
 */
import type { Result, Router } from 'hono/router'
import { METHOD_NAME_ALL } from 'hono/router'

interface Route<T> {
  readonly handler: T
  /** Of the parameters, in the order of the path. */
  readonly names: readonly string[]
}

interface Place<T> {
  readonly literals: Map<string, Place<T>>
  parameter: Place<T> | null
  readonly byMethod: Map<string, Route<T>>
}

const PARAMETER = /^:[A-Za-z]+$/

const emptyPlace = <T>(): Place<T> => ({ literals: new Map(), parameter: null, byMethod: new Map() })

export class RouteTable<T> implements Router<T> {
  readonly name = 'RouteTable'
  readonly #root: Place<T> = emptyPlace()

  /** @throws Error for a path with wildcards, patterns or optional parameters, or with one name for two parameters. */
  add(method: string, path: string, handler: T): void {
    const names: string[] = []
    let place = this.#root
    for (const segment of path.slice(1).split('/')) {
      if (PARAMETER.test(segment)) {
        const name = segment.slice(1)
        if (names.includes(name)) throw new Error(`${path} is not a path of literals and parameters of different names`)
        names.push(name)
        place.parameter ??= emptyPlace()
        place = place.parameter
      } else {
        if (/[:*{}?]/.test(segment))
          throw new Error(`${path} is not a path of literals and parameters of different names`)
        let next = place.literals.get(segment)
        if (next === undefined) {
          next = emptyPlace()
          place.literals.set(segment, next)
        }
        place = next
      }
    }
    if (!place.byMethod.has(method)) place.byMethod.set(method, { handler, names })
  }

  match(method: string, path: string): Result<T> {
    const values: string[] = []
    const route = find(this.#root, method, path, 1, values)
    if (route === null) return [[]]
    const { handler, names } = route
    const parameters: Record<string, string> = {}
    for (let index = 0; index < names.length; index++) parameters[names[index] as string] = values[index] as string
    return [[[handler, parameters]]]
  }
}

/**
 * @param from The index at which the next segment begins.
 * @param values The values of the parameters so far; values are added to it.
 */
function find<T>(place: Place<T>, method: string, path: string, from: number, values: string[]): Route<T> | null {
  const slash = path.indexOf('/', from)
  const segment = slash === -1 ? path.slice(from) : path.slice(from, slash)
  const literal = place.literals.get(segment)
  if (literal !== undefined) {
    const found = slash === -1 ? routeOf(literal, method) : find(literal, method, path, slash + 1, values)
    if (found !== null) return found
  }
  const { parameter } = place
  if (parameter === null || segment === '') return null
  values.push(segment)
  const found = slash === -1 ? routeOf(parameter, method) : find(parameter, method, path, slash + 1, values)
  if (found === null) values.pop()
  return found
}

const routeOf = <T>({ byMethod }: Place<T>, method: string): Route<T> | null =>
  byMethod.get(method) ?? byMethod.get(METHOD_NAME_ALL) ?? null
