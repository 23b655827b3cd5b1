/**
 * A kind of record of the server, as data: its route, its names, its columns and its actions.
 * Commands, help, completion, the reference and the requests follow from it.
 * INVARIANT: only types are here, because the tables are loaded at every start.
 */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** Title of a column, and where its value is in the record: `nested.key`. */
export type Columns = Readonly<Record<string, string>>

export interface Flag extends OptionSpec {
  /** The name of the parameter or field that carries it. By default it is the flag's own name in camel case. */
  readonly sends?: string
  /** Pairs: `--label team=web` is sent as `label.team=web` (query) or `{ label: { team: 'web' } }` (body). */
  readonly isPairs?: boolean
  /** The values of the pairs are numbers. */
  readonly areNumbers?: boolean
  /** The value is an instant. A date means its first moment. */
  readonly isInstant?: boolean
  /** If only the flag of this name is given, the instant of now is sent for this one. */
  readonly nowAfter?: string
  /** `--addon seat_pack=2` is one record of a list with these two fields. Without a number the count is 1. */
  readonly asList?: { readonly name: string; readonly count: string }
  /** The value names an environment variable, and this is what the variable holds, such as `key`: that is sent. */
  readonly holds?: string
  /** The value that a switch sends; true by default. Null removes what is stored. */
  readonly value?: string | boolean | null
}

/** A name that people know a record by, instead of its id. */
export interface Key {
  readonly argument: ArgumentSpec
  /** For help. */
  readonly example: string
  /** The fields of the key, in order. With `isLastOptional` the last may be left out. */
  readonly fields: readonly string[]
  readonly separator: string
  readonly isLastOptional?: boolean
  /** The query parameters of the list that find the record. By default they are the fields. */
  readonly filters?: Readonly<Record<string, string>>
  /** Compared without case and punctuation, as the server does. */
  readonly isLoose?: boolean
}

export interface Resource {
  /** `pipelines`: the command, and the key of its list in answers unless `listKey` says otherwise. */
  readonly name: string
  /** `pipeline`: the key of one record in answers. */
  readonly one: string
  readonly summary: string
  /** `/pipelines`. */
  readonly path: string
  readonly listKey?: string
  readonly key: Key
  readonly columns: Columns
  readonly filters: readonly Flag[]
  /** The table has no standard `list` and `get`. */
  readonly hasOwnActions?: boolean
  /** The server has a list, but no route for a single record. */
  readonly isListedOnly?: boolean
  readonly actions: readonly Action[]
  readonly examples: CommandSpec['examples']
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What an argument means: a key of the record, a parameter of the path or the query, or a field of the body. */
export interface ActionArgument extends ArgumentSpec {
  readonly means: 'key' | 'path' | 'query' | 'body' | 'bodyKey' | 'bodyRecord'
  /** The parameter or field; `id` for a key. */
  readonly sends: string
  /** For `bodyRecord`: the field that carries a key as its fields, without looking it up. */
  readonly sendsKey?: string
  /** For `bodyRecord`: the field of an earlier argument that gives the kind of the record. */
  readonly kindFrom?: string
  /** The kinds of records that the key may name, in the order of the search. By default only this kind. */
  readonly of?: readonly Resource[]
}

export interface Current {
  /** The parameter of the path. */
  readonly sends: string
  /** The route to read, and where the id is in its answer. */
  readonly path: string
  readonly at: string
  /** The error and its hint if there is none. */
  readonly otherwise: readonly [string, string]
}

/** One request, as a command. */
export interface Action {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly method: Method
  /** With parameters such as `{id}`. */
  readonly path: string
  readonly arguments?: readonly ActionArgument[]
  /** Where the id of the path comes from if it is not an argument, such as the account's own subscription. */
  readonly current?: Current
  readonly query?: readonly Flag[]
  /** Fixed parts of the query. */
  readonly asks?: Readonly<Record<string, string>>
  readonly body?: readonly Flag[]
  /** The body is this file. Flags override its fields. */
  readonly bodyFile?: { readonly description: string; readonly isRequired: boolean }
  /** Fixed parts of the body. */
  readonly sends?: JsonObject
  /** The command asks for confirmation on a terminal, unless `--yes` is given. */
  readonly asksFirst?: boolean
  /** What is shown of the answer. */
  readonly shows: Shows
  /** The request that `--all` makes instead, without an argument. Flags that only it has need `--all`. */
  readonly all?: Action
  readonly examples: CommandSpec['examples']
}

/** The fields of the rows that a chart shows. The server draws the same chart. */
export interface Plot {
  readonly label: string
  /** The parts of a bar: name and field. */
  readonly bars: Readonly<Record<string, string>>
  /** The field of the percentage that is printed after the bar. */
  readonly rate?: string
}

/** The line on standard error that says what can follow. */
export type Next = (record: JsonObject) => string

export type Shows =
  /** Months of billing, as bars. */
  | { readonly as: 'bill' }
  /** A list in pages, below a key. */
  | { readonly as: 'list'; readonly key: string; readonly columns: Columns }
  /** Rows in one answer, below a key: `nested.key`. */
  | { readonly as: 'rows'; readonly key: string; readonly columns: Columns; readonly plot?: Plot }
  /**
   * One record, below a key. As a table it has a row for each member of `rows`, with its name in the column `nameAs`.
   */
  | {
      readonly as: 'members'
      readonly key: string
      readonly rows: string
      readonly nameAs: string
      readonly columns: Columns
      /** Columns in which -1 means that there is no limit. */
      readonly unlimited: readonly string[]
    }
  /** One record: below a key, or the data itself. With columns it is a table of one row, unless a format is given. */
  | { readonly as: 'record'; readonly key?: string; readonly columns?: Columns; readonly next?: Next }
  /** A document for `apply`: the kind, some of the fields that were sent, and the data. */
  | { readonly as: 'document'; readonly kind: string; readonly sent: readonly string[] }
  /** A record; exit 1 unless its `valid` is true. */
  | { readonly as: 'verdict' }
  /** A line on standard error. `undo` is the command that reverts the action; the id is appended to it. */
  | { readonly as: 'note'; readonly text: string; readonly undo?: string }

/** A named group of commands: `plumbline billing addons set`. */
export interface ActionGroup {
  readonly name: string
  readonly summary: string
  readonly examples: CommandSpec['examples']
  readonly actions: readonly Action[]
  readonly groups?: readonly ActionGroup[]
}
