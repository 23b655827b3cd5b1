/**
 * The API's description as OpenAPI 3.0, for the documentation page. Swagger UI resolves a whole 3.1 document before it
 * shows anything, but a 3.0 document group by group when a group is opened. That shows the first line in a quarter of
 * the time.
 */

type Json = Record<string, unknown>

export function forDocsPage(document: Json): Json {
  return { ...(older(document) as Json), openapi: '3.0.3' }
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older)
  if (typeof value !== 'object' || value === null) return value
  const { const: only, anyOf, examples, ...rest } = value as Json
  const forms = Array.isArray(anyOf) ? (anyOf as Json[]).filter(({ type }) => type !== 'null') : []
  const [form] = forms
  return {
    ...Object.fromEntries(Object.entries(rest).map(([key, each]) => [key, key === 'example' ? each : older(each)])),
    ...(only === undefined ? {} : { enum: [only] }),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples === undefined ? {} : { examples }),
    ...(!Array.isArray(anyOf)
      ? {}
      : forms.length === anyOf.length
        ? { anyOf: anyOf.map(older) }
        : form !== undefined && forms.length === 1
          ? { ...(older(form) as Json), nullable: true }
          : { anyOf: forms.map(older), nullable: true }),
  }
}
