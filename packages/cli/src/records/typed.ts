/** What a user typed for a field of a request: a refusal of the server names the option or the argument. */
import type { Invocation } from '../command.js'
import { optionNames } from '../program/option-names.js'
import type { Typed } from '../remote/refusal.js'
import { sentAs } from './described.js'
import type { Action, ActionArgument, Flag } from './resource.js'

const PART: Readonly<Record<ActionArgument['means'], 'path' | 'query' | 'body'>> = {
  key: 'path',
  path: 'path',
  query: 'query',
  body: 'body',
  bodyKey: 'body',
  bodyRecord: 'body',
}

const LIST_OPTIONS = { limit: '--limit', offset: '--offset', sortBy: '--sort-by', sortOrder: '--sort-order' }

/**
 * `--label team` for a member of what was typed. A place in a list says nothing to a user who repeated an option.
 * @param names `path.jobId`: `<job>`
 */
export const typedAs =
  (names: Readonly<Record<string, string>>): Typed =>
  (part, [field = '', ...rest]) => {
    const name = names[`${part}.${field}`]
    if (name === undefined) return null
    return rest.length === 0 || /^\d+$/.test(rest[0] ?? '') ? name : `${name} ${rest.join('.')}`
  }

/** A body from a file has fields that no option gave: those keep their names. */
export function typedFor(action: Action, { options }: Pick<Invocation, 'options'>): Typed {
  const { arguments: given = [], query = [], body = [], bodyFile, shows } = action
  const isFromFile = bodyFile !== undefined && options.file !== undefined
  const flagsOf = (part: string, flags: readonly Flag[]) =>
    flags.flatMap((flag) => {
      const { key, long } = optionNames(flag)
      return isFromFile && options[key] === undefined ? [] : [[`${part}.${sentAs(flag)}`, long]]
    })
  return typedAs(
    Object.fromEntries([
      ...(shows.as === 'list' ? Object.entries(LIST_OPTIONS).map(([field, long]) => [`query.${field}`, long]) : []),
      ...flagsOf('query', query),
      ...flagsOf('body', body),
      ...given.map(({ means, sends, syntax }) => [`${PART[means]}.${sends}`, syntax]),
    ]),
  )
}
