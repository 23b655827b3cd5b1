/**
 * The plugins and pipelines in a document: one object, a list of them, or `{plugins: […], pipelines: […]}`.
 * INVARIANT: an entity that is returned can be evaluated: its target is known, it is projected unless `raw`, and it is
 * within the limits.
 */
import {
  type Attributes,
  checkAttributes,
  completeEntity,
  type EntityKey,
  type EntityRef,
  effectiveAttributes,
  entityKeyOf,
  type Limits,
  parseFieldPath,
  projectEntity,
  projection,
  type Target,
  type UnresolvedToken,
  unknownKeys,
} from '@plumbline/engine'
import type { Diagnostic } from './diagnostic.js'
import type { Located, Path } from './located.js'
import { isRecord } from './record.js'
import { foreignKind, guessTarget } from './target.js'
import { UUID } from './uuid.js'

export interface SourceEntity {
  readonly target: Target
  /** What rules evaluate: the effective values of the record that a create or an upload would store. */
  readonly attributes: Attributes
  /** What the author wrote of them, for a server, which completes and resolves it. */
  readonly written: Attributes
  /** Tokens that have no value. */
  readonly unresolved: readonly UnresolvedToken[]
  /** What the file holds. */
  readonly input: Readonly<Record<string, unknown>>
  /** Its name, or its place in the file. For messages. */
  readonly name: string
  /** Its `id`, or else its name. It only distinguishes findings and does not affect a verdict. */
  readonly id: string | null
  /** Its `id` in the file, which the `entityId` of an exemption is compared with. */
  readonly recordId: string | null
  /** What the `entityKey` of an exemption is compared with; null if the file does not say. */
  readonly key: EntityKey | null
  readonly orgId: string | null
  readonly located: Located
  /** The path of the entity in its document. */
  readonly at: Path
  /** Position of the entity in its file, from 0. */
  readonly ordinal: number
  /** Top-level keys that rules do not see; empty when raw. */
  readonly unknownKeys: readonly string[]
}

export interface EntityOptions {
  readonly target?: Target
  readonly raw?: boolean
  readonly limits?: Limits
  /** How a document counts that lists nothing at all, such as `[]`. By default it is a problem. */
  readonly emptyList?: 'ok' | 'warn' | 'fail'
}

export interface EntitiesOfFile {
  readonly entities: readonly SourceEntity[]
  readonly problems: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

export function entitiesOf(documents: readonly Located[], options: EntityOptions = {}): EntitiesOfFile {
  const entities: SourceEntity[] = []
  const problems: Diagnostic[] = []
  const warnings: Diagnostic[] = []
  for (const located of documents) {
    const candidates = candidatesOf(located)
    if (candidates.length === 0 && options.emptyList === 'warn') warnings.push(nothingIn(located))
    else if (candidates.length === 0 && options.emptyList !== 'ok') problems.push(nothingIn(located))
    for (const candidate of candidates) {
      const foreign = foreignIn(candidate, options)
      if (foreign !== null) {
        warnings.push({
          file: located.file,
          position: located.positionOf(candidate.at),
          message: `this is ${foreign}, neither a plugin nor a pipeline: it is not checked`,
          fix: 'leave it out with `ignore`, or name it with --target',
        })
        continue
      }
      const read = readEntity(candidate, located, entities.length, options)
      if ('message' in read) problems.push(read)
      else entities.push(read)
    }
  }
  return { entities, problems, warnings }
}

/** A file of another tool is skipped only if neither the options nor the file say what its entities are. */
const foreignIn = ({ input, target }: Candidate, options: EntityOptions): string | null =>
  options.target === undefined && target === null && isRecord(input) ? foreignKind(input) : null

/** An empty list is a problem: a list that its author forgot to fill would otherwise pass every rule. */
function nothingIn(located: Located): Diagnostic {
  return {
    file: located.file,
    position: located.positionOf([]),
    message: 'the list is empty: there is no plugin and no pipeline to check',
    fix: 'add one or remove the file; `check --no-match ok` allows it',
  }
}

interface Candidate {
  readonly input: unknown
  readonly at: Path
  readonly target: Target | null
}

function candidatesOf(located: Located): Candidate[] {
  const { value } = located
  if (Array.isArray(value)) return value.map((input, index) => ({ input, at: [index], target: null }))
  if (!isBundle(value)) return [{ input: value, at: [], target: null }]
  const list = (key: string, target: Target): Candidate[] =>
    Array.isArray(value[key]) ? value[key].map((input: unknown, index) => ({ input, at: [key, index], target })) : []
  return [...list('plugins', 'plugin'), ...list('pipelines', 'pipeline')]
}

function isBundle(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false
  const keys = Object.keys(value).filter((key) => key !== '$schema')
  return keys.length > 0 && keys.every((key) => (key === 'plugins' || key === 'pipelines') && Array.isArray(value[key]))
}

function readEntity(
  { input, at, target: given }: Candidate,
  located: Located,
  ordinal: number,
  options: EntityOptions,
): SourceEntity | Diagnostic {
  const problem = (message: string, fix: string): Diagnostic => ({
    file: located.file,
    position: located.positionOf(at),
    ...(at.length > 0 ? { field: at.join('.') } : {}),
    message,
    fix,
  })
  if (!isRecord(input)) return problem('expected a plugin or a pipeline, an object', 'write `key: value` pairs')
  const target = options.target ?? given ?? guessTarget(input)
  if (target === null) {
    return problem(
      'cannot tell whether this is a plugin or a pipeline',
      'name it with --target plugin or --target pipeline',
    )
  }
  const written = options.raw === true ? input : projectEntity(target, input)
  const writtenExcess = checkAttributes(written, options.limits)
  const completed = options.raw === true || writtenExcess !== null ? written : completeEntity(target, written)
  const { attributes, unresolved } =
    writtenExcess === null ? effectiveAttributes(target, completed) : { attributes: written, unresolved: [] }
  const excess = writtenExcess ?? (attributes === written ? null : checkAttributes(attributes, options.limits))
  if (excess) {
    const unit = { keys: 'top-level keys', depth: 'levels of nesting', nodes: 'values' }[excess.limit]
    return problem(
      `${excess.actual} ${unit}, ${excess.max} are allowed`,
      `make it smaller or raise \`limits.${excess.limit}\``,
    )
  }
  const name = entityName(target, input)
  const recordId = textOf(input.id)
  const id = recordId ?? name
  return {
    target,
    attributes,
    written,
    unresolved,
    input,
    name: name ?? id ?? `${target} ${ordinal + 1}`,
    id,
    recordId,
    key: entityKeyOf(target, input),
    orgId: textOf(input.orgId),
    located,
    at,
    ordinal,
    unknownKeys: options.raw === true ? [] : unknownKeys(target, input).filter((key) => !expectedKeys.includes(key)),
  }
}

/** The id of the entity's record on a server, as the server writes it. Null when its `id` cannot be one. */
export const serverIdOf = ({ recordId }: Pick<SourceEntity, 'recordId'>): string | null =>
  recordId !== null && UUID.test(recordId) ? recordId.toLowerCase() : null

/**
 * The entity in the form that exemptions are compared with.
 *
 * @param isOfServer true for exemptions of a server, which name a record by its id there.
 */
export const entityRef = (entity: SourceEntity, isOfServer = false): EntityRef => {
  const { target, key, orgId } = entity
  const id = isOfServer ? serverIdOf(entity) : entity.recordId
  return { type: target, key, ...(id === null ? {} : { id }), ...(orgId === null ? {} : { orgId }) }
}

function entityName(target: Target, input: Readonly<Record<string, unknown>>): string | null {
  const keys = target === 'plugin' ? ['name'] : ['pipelineName', 'name', 'project']
  for (const key of keys) {
    const name = textOf(input[key])
    if (name !== null) return name
  }
  return null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null
}

/** Whether the document has something at a path. */
export function hasPath(root: unknown, path: Path): boolean {
  let value = root
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return false
    value = (value as Readonly<Record<string | number, unknown>>)[step]
  }
  return true
}

/**
 * Keys that rules never see and that are still expected: `orgId` names the owner, `$schema` is for the editor, `kind`
 * is for `apply`, and `templateId` and `templateVersion` name the template of a pipeline.
 */
const expectedKeys = ['orgId', '$schema', 'kind', 'templateId', 'templateVersion']

/**
 * The path in the document that a field of a rule reads. Computed functions are removed, and an alias that the
 * projection added becomes the keys that it stands for. For a field that cannot be parsed, this is the path of the
 * entity.
 */
export function sourcePath(entity: SourceEntity, field: string): Path {
  const parsed = parseFieldPath(field)
  if (!parsed.ok) return entity.at
  const [first, ...rest] = parsed.path.segments
  const isProjected = entity.written !== entity.input
  const alias = isProjected ? projection.aliases[entity.target].find((entry) => entry.alias === first) : undefined
  return [...entity.at, ...(alias ? [...alias.from, ...rest] : parsed.path.segments)]
}
