/** Names of schemas follow from operations and keys, and a reference means what stood in its place. */
import { describe, expect, it } from 'vitest'
import { nameSchemas } from './named-schemas.js'

type Json = Record<string, unknown>

const object = (properties: Record<string, Json>, more: Json = {}): Json => ({ type: 'object', properties, ...more })
const text: Json = { type: 'string' }
/** Long enough to be worth a name. */
const violation = object(
  Object.fromEntries(
    ['rule', 'field', 'operator', 'message', 'severity', 'expected', 'found'].map((key) => [key, text]),
  ),
)
const rule = object({ id: text, name: text })

const answer = (operationId: string, data: Record<string, Json>) => ({
  operationId,
  role: 'answer' as const,
  schema: object(data),
})
const body = (operationId: string, schema: Json) => ({ operationId, role: 'body' as const, schema })

/** The schema with every reference replaced by what it names. */
function expand(value: unknown, schemas: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(value)) return value.map((each) => expand(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as Json
  if (typeof $ref === 'string') {
    return { ...(expand(schemas[$ref.replace('#/components/schemas/', '')], schemas) as Json), ...rest }
  }
  return Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, expand(each, schemas)]))
}

describe('the names of schemas', () => {
  it('are those of the noun, of the body and of the repeated part', () => {
    const { schemas, refer } = nameSchemas(
      [
        answer('compliance.rule.get', { rule }),
        answer('compliance.rule.list', { rules: { type: 'array', items: rule } }),
        answer('compliance.check.get', { check: object({ violations: { type: 'array', items: violation } }) }),
        answer('compliance.scan.get', { scan: object({ id: text, violations: { type: 'array', items: violation } }) }),
        body('compliance.rule.create', object({ name: text })),
      ],
      new Set(),
    )
    expect(Object.keys(schemas)).toEqual(['Check', 'Rule', 'RuleCreateBody', 'Scan', 'Violation'])
    expect(refer({ ...rule, description: 'of the organization' })).toEqual({
      $ref: '#/components/schemas/Rule',
      description: 'of the organization',
    })
  })

  it('bear the domain where two domains have the noun', () => {
    const { schemas } = nameSchemas(
      [
        answer('identity.role.get', { role: object({ id: text }) }),
        answer('compliance.role.get', { role: object({ userId: text }) }),
        answer('pipeline.pipeline.get', { pipeline: object({ project: text }) }),
        answer('compliance.pipeline.validate', { blocked: text }),
      ],
      new Set(),
    )
    expect(Object.keys(schemas)).toEqual(['ComplianceRole', 'IdentityRole', 'Pipeline'])
  })

  it('stay with the domain that had the noun first', () => {
    const { schemas } = nameSchemas(
      [
        answer('compliance.scan.get', { scan: object({ id: text }) }),
        answer('plugin.scan.get', { scan: object({ tool: text }) }),
      ],
      new Set(),
    )
    expect(schemas).toEqual({ PluginScan: object({ tool: text }), Scan: object({ id: text }) })
  })

  it('do not take a name that is taken, and never one for two schemas', () => {
    const { schemas } = nameSchemas(
      [
        answer('compliance.rule.get', { rule }),
        answer('compliance.rule.list', { rules: { type: 'array', items: object({ id: text }) } }),
        answer('compliance.error.get', { error: object({ code: text }) }),
      ],
      new Set(['Error']),
    )
    expect(schemas).toEqual({ ErrorGet: object({ code: text }), Rule: rule, RuleList: object({ id: text }) })
  })

  it('stay when operations of other nouns come', () => {
    const before = [answer('compliance.rule.get', { rule }), body('compliance.rule.create', object({ name: text }))]
    const more = [
      answer('billing.invoice.get', { invoice: object({ id: text, number: text }), rule: object({ cents: text }) }),
      body('billing.invoice.create', object({ cents: text })),
    ]
    const names = Object.keys(nameSchemas([...more, ...before], new Set()).schemas)
    expect(names).toEqual(expect.arrayContaining(Object.keys(nameSchemas(before, new Set()).schemas)))
  })

  it('stand for exactly what was there', () => {
    const places = [
      answer('compliance.rule.get', {
        rule: object({ id: text, last: violation, other: { anyOf: [violation, { type: 'null' }] } }),
      }),
      answer('compliance.rule.list', { rules: { type: 'array', items: object({ last: violation }) } }),
      body('compliance.rule.create', object({ tests: { type: 'object', additionalProperties: violation } })),
    ]
    const { schemas, refer } = nameSchemas(places, new Set())
    for (const { schema } of places) expect(expand(refer(schema), schemas)).toEqual(schema)
  })

  it('leave alone what only looks like a schema: values of `enum`, `const` and examples', () => {
    const shown = object({ kind: text }, { examples: [{ properties: { kind: text } }] })
    const { refer, schemas } = nameSchemas([body('a.b.create', shown)], new Set())
    expect(refer(shown)).toEqual({ $ref: '#/components/schemas/BCreateBody' })
    expect(schemas).toEqual({ BCreateBody: shown })
  })
})
