/**
 * Names the schemas of the OpenAPI document: every JSON body, every record in an answer, and every part that is
 * repeated.
 *
 * A name follows from the operation (`RuleCreateBody`), from the key in the answer (`rules` contains a `Rule`), or from
 * the key of the part (`Violation`), so that generated clients get named types.
 */

type Json = Record<string, unknown>

/** A place in the document that has a whole schema. */
interface Place {
  readonly operationId: string
  readonly role: 'body' | 'answer'
  readonly schema: Json
}

export interface NamedSchemas {
  /** The components, sorted by name. */
  readonly schemas: Readonly<Record<string, Json>>
  /** Returns the schema with references to the named schemas. */
  refer(schema: Json): Json
}

/** Smaller repeated parts stay inline, because a reference would be less readable. */
const PART_LENGTH_MIN = 160

export function nameSchemas(places: readonly Place[], taken: ReadonlySet<string>): NamedSchemas {
  const found = find(places)
  const names = choose(found, placesOfNouns(places), taken)
  const refer = (schema: Json): Json => {
    const name = names.get(keyOf(schema))
    if (name === undefined) return within(schema, refer)
    const { description } = schema
    return { $ref: `#/components/schemas/${name}`, ...(description === undefined ? {} : { description }) }
  }
  const entries = [...names]
    .map(([key, name]): [string, Json] => [name, within(JSON.parse(key) as Json, refer)])
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return { schemas: Object.fromEntries(entries), refer }
}

/** The schema without the description of this one place. */
const keyOf = ({ description: _, ...rest }: Json): string => JSON.stringify(rest)

/** Replaces the parts of a schema. Data in it is left unchanged. */
function within(schema: Json, refer: (part: Json) => Json): Json {
  const one = (value: unknown): unknown => (isSchema(value) ? refer(value) : value)
  const map = (value: unknown) =>
    Object.fromEntries(Object.entries(value as Json).map(([key, each]) => [key, one(each)]))
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties' || keyword === 'patternProperties') return [keyword, map(value)]
      if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, one(value)]
      if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf')
        return [keyword, (value as unknown[]).map(one)]
      return [keyword, value]
    }),
  )
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

interface Use {
  readonly operationId: string
  /** A whole body; what `data.<key>` shows; a part of another schema. */
  readonly role: 'body' | 'record' | 'part'
  /** The key of the schema, in the singular for a list; empty for a body. */
  readonly key: string
  /** The key of the enclosing schema, used for the name. */
  readonly around: string
}

type Found = ReadonlyMap<string, readonly Use[]>

function find(places: readonly Place[]): Found {
  const found = new Map<string, Use[]>()
  const add = (schema: Json, use: Use): void => {
    const key = keyOf(schema)
    found.set(key, [...(found.get(key) ?? []), use])
  }
  for (const { operationId, role, schema } of places) {
    const visit = (part: Json, key: string, around: string, depth: number): void => {
      const isBody = role === 'body' && depth === 0
      const isObject = part['properties'] !== undefined && Object.keys(part['properties'] as Json).length > 0
      const isEnum = Array.isArray(part['enum'])
      if (isObject || isEnum || isBody) {
        const isRecord = role === 'answer' && depth === 1 && isObject
        add(part, { operationId, role: isBody ? 'body' : isRecord ? 'record' : 'part', key: singular(key), around })
      }
      const next = isObject ? keyOf(part) : around
      const deeper = isObject || isBody ? depth + 1 : depth
      for (const [name, each] of Object.entries((part['properties'] ?? {}) as Record<string, Json>)) {
        visit(each, name, next, deeper)
      }
      for (const each of Object.values((part['patternProperties'] ?? {}) as Record<string, Json>)) {
        visit(each, key, next, deeper)
      }
      for (const keyword of ['items', 'additionalProperties'] as const) {
        if (isSchema(part[keyword])) visit(part[keyword], key, next, deeper)
      }
      for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
        for (const each of (part[keyword] ?? []) as Json[]) visit(each, key, next, deeper)
      }
    }
    visit(schema, '', '', 0)
  }
  return found
}

/** The domains that have a noun, so that a noun of two domains is named with its domain. */
function placesOfNouns(places: readonly Place[]): ReadonlyMap<string, ReadonlySet<string>> {
  const domains = new Map<string, Set<string>>()
  for (const { operationId } of places) {
    const [domain = '', noun = ''] = operationId.split('.')
    domains.set(noun, (domains.get(noun) ?? new Set()).add(domain))
  }
  return domains
}

const ROLES = ['body', 'record', 'part'] as const
/** Which record gets the plain name when two operations of a noun return different ones. */
const VERBS = ['get', 'list', 'create']
const rankOf = ({ operationId }: Use): number => {
  const at = VERBS.indexOf(operationId.split('.')[2] ?? '')
  return at < 0 ? VERBS.length : at
}

/** Nouns that another domain used later. The plain name stays with the first domain, so that clients keep their types. */
const OWNERS: Readonly<Record<string, string>> = { scan: 'compliance' }

function choose(found: Found, domains: ReadonlyMap<string, ReadonlySet<string>>, taken: ReadonlySet<string>) {
  const nounOf = (operationId: string): string => {
    const [domain = '', noun = ''] = operationId.split('.')
    const isShared = (domains.get(noun)?.size ?? 0) > 1 && domain !== noun && OWNERS[noun] !== domain
    return isShared ? pascal(domain) + pascal(noun) : pascal(noun)
  }
  const wanted = [...found]
    .map(([key, uses]) => ({ key, ...best(uses), uses }))
    .filter(({ key, use: { role }, uses }) => role !== 'part' || (uses.length > 1 && key.length >= PART_LENGTH_MIN))
    .sort((a, b) => order(a.use, b.use) || (a.key < b.key ? -1 : 1))
  const names = new Map<string, string>()
  const used = new Set(taken)
  for (const { key, use, uses } of wanted) {
    const verb = pascal(use.operationId.split('.')[2] ?? '')
    const noun = nounOf(use.operationId)
    const own = pascal(use.key)
    const around = names.get(use.around) ?? `${noun}${verb}`
    const isOneKey = uses.every((each) => each.key === use.key)
    const choices =
      use.role === 'body'
        ? [`${noun}${verb}Body`]
        : use.role === 'record'
          ? isOwn(use)
            ? [noun, `${noun}${verb}`]
            : [...(isOfManyNouns(uses) ? [own] : []), `${noun}${own}`, `${noun}${verb}${own}`]
          : own === ''
            ? [`${noun}${verb}Answer`]
            : [...(isOneKey ? [own] : []), `${around}${own}`, `${noun}${verb}${own}`]
    const free = choices.find((name) => !used.has(name)) ?? numbered(choices.at(-1) ?? own, used)
    used.add(free)
    names.set(key, free)
  }
  return names
}

function numbered(name: string, used: ReadonlySet<string>): string {
  for (let at = 2; ; at += 1) if (!used.has(`${name}${at}`)) return `${name}${at}`
}

/** The use that gives a schema its name. */
function best(uses: readonly Use[]): { readonly use: Use } {
  const [use] = [...uses].sort(order)
  if (use === undefined) throw new Error('a schema without a use')
  return { use }
}

const order = (a: Use, b: Use): number =>
  ROLES.indexOf(a.role) - ROLES.indexOf(b.role) ||
  Number(isOwn(b)) - Number(isOwn(a)) ||
  rankOf(a) - rankOf(b) ||
  (a.operationId < b.operationId ? -1 : a.operationId > b.operationId ? 1 : 0)

/** Whether a record is under the name of its noun, such as `rules` in the answer of `compliance.rule.list`. */
const isOwn = ({ operationId, key }: Use): boolean => pascal(operationId.split('.')[1] ?? '') === pascal(key)

/** True for parts such as `pagination`, which the lists of every noun have. */
const isOfManyNouns = (uses: readonly Use[]): boolean =>
  new Set(uses.map(({ operationId }) => operationId.split('.').slice(0, 2).join('.'))).size > 1

const pascal = (name: string): string =>
  name
    .split(/[-_.\s$]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

function singular(key: string): string {
  if (key.endsWith('ies')) return `${key.slice(0, -3)}y`
  if (/(ss|us|is)$/.test(key)) return key
  if (/(ses|xes|ches)$/.test(key)) return key.slice(0, -2)
  return key.endsWith('s') ? key.slice(0, -1) : key
}
