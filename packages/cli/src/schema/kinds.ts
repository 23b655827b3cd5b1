/** What `plumbline schema` prints schemas of. */

export const schemaKinds = [
  'rules',
  'rule',
  'condition',
  'test',
  'config',
  'exemptions',
  'baseline',
  'documents',
] as const

export type SchemaKind = (typeof schemaKinds)[number]
