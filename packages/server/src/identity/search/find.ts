/** `GET /search`: finds records of the tenant by name or id, of each kind that the caller may list. */
import Type from 'typebox'
import { member, openToNarrowed } from '../../runtime/operation/access.js'
import { mayPass } from '../../runtime/operation/authorize.js'
import { type ReadContext, tenantKey } from '../../runtime/operation/context.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { nullable, strictObject } from '../../runtime/operation/schema.js'
import { bestFirst, SEARCH_KINDS, type SearchKind, type SearchSource } from '../../runtime/operation/search-source.js'

const LIMIT_DEFAULT = 5
const LIMIT_MAX = 20

const Kind = Type.Unsafe<SearchKind>({ type: 'string', enum: [...SEARCH_KINDS] })

export const findSearch = query({
  name: 'identity.search.find',
  summary: 'Find records by name or id',
  description:
    'Searches the kinds of record that the caller can list, for the whole id or a part of the name. The best matches of each kind come first: the id, the whole name, its beginning, a part of it. `finding` finds the records that have findings; `id` is that of the record. With very many records, a part of a name is searched only in the first ones by name, or in the newest ones.',
  http: { method: 'get', path: '/search' },
  access: openToNarrowed('any', member()),
  tenant: fromHeader,
  snapshot: true,
  input: {
    query: Type.Object({
      q: Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '\\S',
        'x-says': 'must have more than white space',
        description: 'A part of a name, or an id',
      }),
      kinds: Type.Optional(
        Type.Array(Kind, {
          minItems: 1,
          maxItems: SEARCH_KINDS.length,
          description: 'All by default; separated by commas',
        }),
      ),
      limit: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: LIMIT_MAX,
          default: LIMIT_DEFAULT,
          'x-clamp': true,
          description: 'Records of each kind; limited to its bounds',
        }),
      ),
    }),
  },
  output: strictObject({
    results: Type.Array(
      strictObject({
        kind: Type.Enum([...SEARCH_KINDS]),
        id: Type.String(),
        name: Type.String(),
        detail: nullable(
          Type.String({ description: 'Distinguishes it from others of its name: a version, a target, a state' }),
        ),
      }),
    ),
  }),
  errors: ['VALIDATION_ERROR'],
  async run(context, { query: { q, kinds = SEARCH_KINDS, limit = LIMIT_DEFAULT } }) {
    const { db, nowMs } = context
    const asked = { key: tenantKey(context), text: q.trim(), limit, nowMs }
    const wanted = searchesOf(context).filter(({ kind }) => kinds.includes(kind))
    const results = []
    for (const { kind, find } of wanted) {
      for (const found of bestFirst(await find(db, asked), asked)) results.push({ kind, ...found })
    }
    return { results }
  },
})

/** The search sources of this process's modules, in display order of their kinds. */
function searchesOf({ runtime: { domains, settings }, principal, authority }: ReadContext): SearchSource[] {
  const mounted: readonly string[] = settings.PLUMBLINE_MODULES
  const sources = domains.flatMap(({ name, searches = [] }) => (mounted.includes(name) ? searches : []))
  // guard: a-search-finds-what-the-caller-may-list
  const mayList = ({ access }: SearchSource) => mayPass(access, principal, authority)
  return sources.filter(mayList).sort((a, b) => SEARCH_KINDS.indexOf(a.kind) - SEARCH_KINDS.indexOf(b.kind))
}
