/** A secret from an environment variable: on the command line it would be in the history and in the list of processes. */
import { type Io, UsageError } from '../command.js'

/** @throws UsageError for a variable that is not set, or empty. @param what such as `key` */
export function secretIn(io: Io, variable: string, what: string, otherwise = 'name another'): string {
  const value = io.env[variable]
  if (value !== undefined && value !== '') return value
  throw new UsageError(`the variable ${variable} holds no ${what}`, `set it, or ${otherwise}`)
}
