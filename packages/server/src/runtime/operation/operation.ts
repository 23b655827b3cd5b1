/**
 * An operation is one object: name, route, access, audit, input, output, errors, run. Validation, permission checks,
 * evidence, the OpenAPI document, the permission table, the typed client and the test matrix are derived from the list
 * of operations. Nothing is declared twice.
 */
import type { ActionName } from '@plumbline/audit-chain'
import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode, FieldIssue } from '../errors.js'
import type { Access } from './access.js'
import type { BucketName } from './buckets.js'
import type {
  Outcome,
  PrepareContext,
  ReadContext,
  Runtime,
  SettleContext,
  StreamContext,
  WriteContext,
} from './context.js'
import type { Dialect } from './dialect.js'
import type { AnswerForms } from './forms.js'
import type { RawBody, RawRule } from './raw.js'
import type { ServedFile } from './served-file.js'
import type { UploadedFile, UploadRule } from './upload.js'

export interface Input {
  /** The `:names` of the path, all of them. */
  readonly path?: TObject
  readonly query?: TObject
  /** A JSON body (the text fields of an upload). Unknown keys are refused. */
  readonly body?: TSchema
}

export type InputOf<I extends Input> = {
  readonly path: I['path'] extends TSchema ? Static<I['path']> : Record<never, never>
  readonly query: I['query'] extends TSchema ? Static<I['query']> : Record<never, never>
  readonly body: I['body'] extends TSchema ? Static<I['body']> : undefined
}

/**
 * Where the tenant comes from (spec platform 3.2).
 *
 * `header`: `x-org-id`, otherwise the active organization of the credential. `account`: the root of that organization;
 * permissions, features, row security and evidence are those of the root. `path`: the named path parameter; a caller
 * without access to it gets 404. `none`: the operation belongs to no organization and runs as the system.
 */
export type TenantSource =
  | { readonly from: 'header' }
  | { readonly from: 'account' }
  | { readonly from: 'path'; readonly name: string }
  | { readonly from: 'none' }

export const fromHeader: TenantSource = { from: 'header' }
export const fromAccount: TenantSource = { from: 'account' }
/** Whether `x-org-id` determines where an operation acts. */
export const isByHeader = ({ from }: TenantSource): boolean => from === 'header' || from === 'account'
export const fromPath = (name: string): TenantSource => ({ from: 'path', name })
export const noTenant: TenantSource = { from: 'none' }

interface Base<I extends Input, O extends TSchema> {
  /** `domain.noun.verb`; the operationId of OpenAPI and the method of the typed client. */
  readonly name: `${string}.${string}.${string}`
  /** One line in the imperative, for OpenAPI. */
  readonly summary: string
  readonly description?: string
  readonly access: Access
  readonly tenant: TenantSource
  /**
   * Why the rows of one tenant are not enough, such as seats that are counted over the teams of an account. The
   * operation then runs with the system's rights in the database, and every query of it must name its organizations.
   */
  readonly acrossOrganizations?: string
  /** Why system administrators read beyond their tenant here. Only for them it runs with the system's rights. */
  readonly acrossForSystemAdmins?: string
  /**
   * Why some requests read more than their tenant, and which requests these are. Only they run with the system's
   * rights.
   */
  readonly acrossWhen?: {
    readonly reason: string
    is(query: Readonly<Record<string, unknown>>, body: unknown): boolean
  }
  readonly input: I
  /** The schema of `data`; null for an answer without a body (204). */
  readonly output: O | null
  /** The codes with which `run` may refuse, in addition to those that follow from access and input. */
  readonly errors: readonly ErrorCode[]
  /** The protocol of its answers and errors, for clients of another protocol. */
  readonly dialect?: Dialect
  /** The answer contains a secret: it has no ETag and is never stored unencrypted for a replay. */
  readonly secretOutput?: boolean
  /** Path parameters that are secrets. Logs, traces and evidence contain only the template. */
  readonly secretPath?: readonly string[]
  /** Allowed for a user who must change the password first: the change itself, reading their own profile, signing out. */
  readonly duringPasswordChange?: boolean
  /** Why it does not count as an API call of the account. An operation without a tenant never counts. */
  readonly uncounted?: string
  /**
   * For an operation that anyone may call: why it does not count as a request without a credential. It counts its
   * requests itself.
   */
  readonly countsItself?: string
  /** An additional bucket in which its requests count. */
  readonly rateLimit?: BucketName
}

export interface Route<Method extends string> {
  readonly method: Method
  /** The path below the base path, such as `/organization/:id/roles`. */
  readonly path: `/${string}`
  /** Other spellings of the same path. */
  readonly aliases?: readonly `/${string}`[]
  /**
   * Other methods get the answer of a path that does not exist, for clients that try one method after the other until
   * then.
   */
  readonly isHiddenFromOthers?: boolean
  /** The status of success; 200 by default. */
  readonly status?: number
}

export interface Query<I extends Input = Input, O extends TSchema = TSchema, P = unknown> extends Base<I, O> {
  readonly kind: 'query'
  /** `post` is for a query whose input is too long for a URL, such as attributes to evaluate. */
  readonly http: Route<'get' | 'post'>
  /** Reads everything from one state of the database. */
  readonly snapshot?: boolean
  /** The answer is the data itself in this media type, without the envelope. For text, `output` is a string. */
  readonly media?:
    | 'application/json'
    | 'text/plain; charset=utf-8'
    | 'application/jwk-set+json'
    | 'application/vnd.cyclonedx+json'
    | 'application/vnd.dsse.envelope.v1+json'
  /** Other forms of the answer, for a client whose `Accept` prefers one to JSON. */
  readonly forms?: AnswerForms<Static<O>>
  /** Headers that follow from the answer, such as `Deprecation`. */
  headersOf?(data: Static<O>): Readonly<Record<string, string>>
  /**
   * For work with many reads, such as a pass over the whole inventory. Each read is a transaction of its own, so that
   * none stays open meanwhile.
   */
  prepare?(context: PrepareContext, input: InputOf<I>): Promise<P>
  run(context: ReadContext, input: InputOf<I>, prepared: P): Promise<Static<O>>
}

/** Why no evidence is written. The reason is printed in the permission table. */
export interface NoAudit {
  readonly none: string
}
export const none = (reason: string): NoAudit => ({ none: reason })

export interface Command<
  I extends Input = Input,
  O extends TSchema = TSchema,
  A extends ActionName = ActionName,
  P = unknown,
> extends Base<I, O> {
  readonly kind: 'command'
  readonly http: Route<'post' | 'put' | 'patch' | 'delete'>
  /** The actions that it may write. A command that changed something without writing one of them is rolled back. */
  readonly audit: readonly A[] | NoAudit
  /**
   * Which changes leave no evidence, for a command whose other changes do. The text is printed in the permission table.
   */
  readonly silentWhen?: string
  /** Creates something, so `Idempotency-Key` is honoured. */
  readonly idempotent?: boolean
  /**
   * For an update: the fields of the record that the server sets (`id`, `orgId`, `createdAt`, `revision`, …). A client
   * may send them back as they are stored. They are removed from the body before it is validated, and `run` must
   * compare them with `context.checkServerOwned(view)`.
   */
  readonly serverOwned?: readonly string[]
  /**
   * Returns issues of a body that its schema cannot express and that follow from the body alone. It is called when the
   * schema refuses the body, so that all issues are reported at once. When the body is valid, `prepare` and `run`
   * report them.
   */
  furtherIssues?(body: Readonly<Record<string, unknown>>, runtime: Pick<Runtime, 'settings'>): readonly FieldIssue[]
  readonly upload?: undefined
  readonly raw?: undefined
  /** The status of a success that depends on the answer, such as 202 while another service has not confirmed yet. */
  statusOf?(data: O extends TSchema ? Static<O> : null): number | undefined
  /** The statuses that `statusOf` may return, for the documentation. */
  readonly otherStatuses?: readonly number[]
  /**
   * Gets what is needed from outside (a password hash, a verdict) before the write and without a transaction. `run` has
   * no port to the network, to files or to timers.
   */
  prepare?(context: PrepareContext, input: InputOf<I>): Promise<P>
  /** `prepare` waits for something to take, and stops when the client disconnects, because nobody would get it. */
  readonly isWaiting?: boolean
  run(context: WriteContext<A>, input: InputOf<I>, prepared: P): Promise<Outcome<O extends TSchema ? Static<O> : null>>
  /**
   * Completes the answer after the commit, such as with a number that is only known then, or with the reply of another
   * service. The change stays whatever happens here. With `idempotent`, the answer is stored after this. When the
   * process dies in between, a claim is left whose lease ends, and `run` must recognize the retry by
   * `context.claimKey`.
   */
  settle?(
    context: SettleContext<A>,
    data: O extends TSchema ? Static<O> : null,
    prepared: P,
  ): Promise<O extends TSchema ? Static<O> : null>
}

/** A command whose body is multipart: text fields (`input.body`) and one file, which only `prepare` sees. */
export interface Upload<
  I extends Input = Input,
  O extends TSchema = TSchema,
  A extends ActionName = ActionName,
  P = unknown,
> extends Omit<Command<I, O, A, P>, 'prepare' | 'upload' | 'serverOwned'> {
  readonly upload: UploadRule
  readonly serverOwned?: undefined
  prepare(context: PrepareContext, input: InputOf<I>, file: UploadedFile): Promise<P>
}

/**
 * A command whose body is raw bytes, such as a signed delivery of another service. It has no tenant and no caller: the
 * bytes prove who sent them. `input.body` is undefined.
 */
export interface RawCommand<
  I extends Input = Input,
  O extends TSchema = TSchema,
  A extends ActionName = ActionName,
  P = unknown,
> extends Omit<Command<I, O, A, P>, 'prepare' | 'run' | 'raw' | 'serverOwned' | 'furtherIssues' | 'idempotent'> {
  readonly raw: RawRule
  readonly serverOwned?: undefined
  readonly furtherIssues?: undefined
  readonly idempotent?: undefined
  prepare?(context: PrepareContext, input: InputOf<I>, raw: RawBody): Promise<P>
  run(
    context: WriteContext<A>,
    input: InputOf<I>,
    prepared: P,
    raw: RawBody,
  ): Promise<Outcome<O extends TSchema ? Static<O> : null>>
}

/** One server-sent event. With its `id` a client resumes after it. */
export interface StreamEvent<T = unknown> {
  readonly id?: string
  readonly event: string
  readonly data: T
}

/** The name and the type of a file. */
export interface Download {
  readonly media: string
  readonly fileName: string
  /** A file name that includes the organization. */
  nameFor?(org: { readonly slug: string }): string
  /** What such a file looks like, for the documentation. */
  readonly example: string
}

/** Several forms of one file, and how a request selects one. */
export interface DownloadChoice<I extends Input = Input> {
  readonly forms: readonly Download[]
  /** The events themselves are one of the forms; `choose` returns null for them. */
  readonly orEvents?: boolean
  choose(input: InputOf<I>, asked: Asked): Download | null
}

export interface Asked {
  /** Whether the header `Accept` names this media type. */
  accepts(media: string): boolean
}

/**
 * A stream of server-sent events. `output` is the schema of each event's `data`. It changes something only when it
 * declares `audit`.
 */
export interface Stream<I extends Input = Input, O extends TSchema = TSchema, A extends ActionName = ActionName>
  extends Base<I, O> {
  readonly kind: 'stream'
  /** The actions that its writes may record. A stream without it changes nothing, so read-only sessions may open it. */
  readonly audit?: readonly A[] | NoAudit
  /** A last line after the last event, such as `[DONE]`, which clients of other services expect. */
  readonly lastData?: string
  readonly http: Route<'get' | 'post'>
  readonly output: O
  /**
   * The answer is a file instead of events: the `data` of each event is a piece of its text. An error breaks the
   * connection, so that the client does not take half a file for a whole one.
   */
  readonly download?: Download | DownloadChoice<I>
  /** May refuse. After it returned, an error ends the stream with an event `error`. */
  open(context: StreamContext<A>, input: InputOf<I>): Promise<AsyncIterable<StreamEvent<Static<O>>>>
}

/** A stored file. The operation changes nothing, and `Range` is honoured. See `file`. */
export interface FileOperation<I extends Input = Input> extends Base<I, TSchema> {
  readonly kind: 'file'
  readonly http: Route<'get'>
  readonly output: null
  open(context: Omit<StreamContext, 'write'>, input: InputOf<I>): Promise<ServedFile>
}

// biome-ignore-start lint/suspicious/noExplicitAny: a list of operations forgets each one's own types; `run` is reached through the schemas
export type AnyCommand = Command<any, any, any, any> | Upload<any, any, any, any> | RawCommand<any, any, any, any>
export type Operation = Query<any, any, any> | AnyCommand | Stream<any, any, any> | FileOperation<any>
// biome-ignore-end lint/suspicious/noExplicitAny: as above

export const query = <I extends Input, O extends TSchema, P = undefined>(
  definition: Omit<Query<I, O, P>, 'kind'>,
): Query<I, O, P> => ({ kind: 'query', ...definition })

export const command = <I extends Input, O extends TSchema, A extends ActionName, P = undefined>(
  definition: Omit<Command<I, O, A, P>, 'kind'>,
): Command<I, O, A, P> => ({ kind: 'command', ...definition })

export const upload = <I extends Input, O extends TSchema, A extends ActionName, P>(
  definition: Omit<Upload<I, O, A, P>, 'kind'>,
): Upload<I, O, A, P> => ({ kind: 'command', ...definition })

export const rawCommand = <I extends Input, O extends TSchema, A extends ActionName, P = undefined>(
  definition: Omit<RawCommand<I, O, A, P>, 'kind'>,
): RawCommand<I, O, A, P> => ({ kind: 'command', ...definition })

export const stream = <I extends Input, O extends TSchema, A extends ActionName = never>(
  definition: Omit<Stream<I, O, A>, 'kind'>,
): Stream<I, O, A> => ({
  kind: 'stream',
  ...definition,
})

/** Whether the operation may change something: a command, and a stream that writes. */
export const isChange = (operation: Operation): boolean =>
  operation.kind === 'command' || (operation.kind === 'stream' && operation.audit !== undefined)

/** The names after a colon in a path. */
export const pathNames = (path: string): string[] => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name)
