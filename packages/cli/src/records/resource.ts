/**
 * A kind of record of the server, as data: where it is, what it is called by, what is shown of it, what can be done with it.
 * Commands, help, completion, the reference and the requests follow from it.
 * INVARIANT: types alone; the tables are loaded at every start.
 */
import type { ArgumentSpec, CommandSpec, OptionSpec } from '../command.js'

export type JsonObject = Readonly<Record<string, unknown>>

/** Title of a column, and where its value is in the record: `nested.key`. */
export type Columns = Readonly<Record<string, string>>

export interface Flag extends OptionSpec {
  /** The name of the parameter or field that carries it; the flag's own in camel case when left out. */
  readonly sends?: string
  /** `--label team=web` for each of `label.team=web` (query) or `{ label: { team: 'web' } }` (body). */
  readonly isPairs?: boolean
  /** The values of the pairs are numbers. */
  readonly areNumbers?: boolean
  /** The value is an instant, or a date for its first moment. */
  readonly isInstant?: boolean
  /** `--addon seat_pack=2` for each of a list of records with these two fields; the number is 1 when left out. */
  readonly asList?: { readonly name: string; readonly count: string }
  /** What a switch sends; true unless said. */
  readonly value?: string | boolean
}

/** A name that people know a record by, instead of its id. */
export interface Key {
  readonly argument: ArgumentSpec
  /** For help. */
  readonly example: string
  /** The fields that make it up, in order. The last may be left out where `isLastOptional`. */
  readonly fields: readonly string[]
  readonly separator: string
  readonly isLastOptional?: boolean
  /** The filters of the list that find it; the fields themselves unless said. */
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
  /** The fields that `--sort-by` takes; the first is the server's default. */
  readonly sorts: readonly string[]
  /** Without the usual `list` and `get`. */
  readonly hasOwnActions?: boolean
  /** The server shows it in lists alone. */
  readonly isListedOnly?: boolean
  readonly actions: readonly Action[]
  readonly examples: CommandSpec['examples']
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What stands on the command line where: a key of the record, a parameter of the path or the query, a field of the body. */
export interface ActionArgument extends ArgumentSpec {
  readonly means: 'key' | 'path' | 'query' | 'body' | 'bodyKey' | 'bodyRecord'
  /** The parameter or field; `id` for a key. */
  readonly sends: string
  /** For `bodyRecord`: the field that carries a key which is not looked up, as the fields of the key. */
  readonly sendsKey?: string
  /** For `bodyRecord`: the argument before it that says of which kind the record is. */
  readonly kindFrom?: string
  /** The kinds of records that the key names, in the order in which they are looked through; this one unless said. */
  readonly of?: readonly Resource[]
}

export interface Current {
  /** The parameter of the path. */
  readonly sends: string
  /** What is read, and where the id is in the answer. */
  readonly path: string
  readonly at: string
  /** What is said where there is none, and what helps. */
  readonly otherwise: readonly [string, string]
}

/** One request, as a command. */
export interface Action {
  readonly name: string
  readonly summary: string
  readonly description?: string
  readonly method: Method
  /** With `{id}` and the like. */
  readonly path: string
  readonly arguments?: readonly ActionArgument[]
  /** Where the id of the path comes from when the command line has none, such as the account's own subscription. */
  readonly current?: Current
  readonly query?: readonly Flag[]
  /** Fixed parts of the query. */
  readonly asks?: Readonly<Record<string, string>>
  readonly body?: readonly Flag[]
  /** The body is this file, besides the flags that stand over it. */
  readonly bodyFile?: { readonly description: string; readonly isRequired: boolean }
  /** Fixed parts of the body. */
  readonly sends?: JsonObject
  /** Asks for the password again. */
  readonly stepUp?: boolean
  /** Asks on a terminal before it is sent, unless `--yes` is given. */
  readonly asksFirst?: boolean
  /** Creates something: sent with an `Idempotency-Key`, so that it can be tried again. */
  readonly creates?: boolean
  /** What is shown of the answer. */
  readonly shows: Shows
  readonly examples: CommandSpec['examples']
}

/** How a series is drawn: fields of its rows. The server draws it too. */
export interface Plot {
  readonly label: string
  /** Parts of a bar, by name. */
  readonly bars: Readonly<Record<string, string>>
  /** Percent that stands behind the bar. */
  readonly rate?: string
}

export type Shows =
  /** Months of billing, as bars. */
  | { readonly as: 'bill' }
  /** A list in pages, below a key. */
  | { readonly as: 'list'; readonly key: string; readonly columns: Columns; readonly sorts?: readonly string[] }
  /** Rows that come at once, below a key: `nested.key`. */
  | { readonly as: 'rows'; readonly key: string; readonly columns: Columns; readonly plot?: Plot }
  /** One record, below a key; as a table, a row for each member of `rows`, whose name is the column `nameAs`. */
  | {
      readonly as: 'members'
      readonly key: string
      readonly rows: string
      readonly nameAs: string
      readonly columns: Columns
      /** Columns in which -1 means that there is no limit. */
      readonly unlimited: readonly string[]
    }
  /** One record: below a key, or the data itself. */
  | { readonly as: 'record'; readonly key?: string }
  /** A document for `apply`: the kind, some of what was sent, and the data. */
  | { readonly as: 'document'; readonly kind: string; readonly sent: readonly string[] }
  /** A record; exit 1 unless its `valid` is true. */
  | { readonly as: 'verdict' }
  /** A line on standard error; `undo` is the command that takes it back, before the id. */
  | { readonly as: 'note'; readonly text: string; readonly undo?: string }

/** Commands below a name: `plumbline billing addons set`. */
export interface ActionGroup {
  readonly name: string
  readonly summary: string
  readonly examples: CommandSpec['examples']
  readonly actions: readonly Action[]
  readonly groups?: readonly ActionGroup[]
}
