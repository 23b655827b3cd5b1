/** The JSON Schema of each kind of file that people write, generated from the code that reads the file. */
import { conditionSchema, type JsonSchema, ruleSchema, rulesFileSchema } from '@plumbline/engine'
import { baselineSchema } from '../check/baseline-file.js'
import { configSchema } from '../config/fields.js'
import { exemptionsSchema } from '../input/exemptions.js'
import { documentsSchema } from '../records/apply/documents.js'
import { testFileSchema } from '../test/schema.js'
import type { SchemaKind } from './kinds.js'

const schemas: Readonly<Record<SchemaKind, () => JsonSchema>> = {
  rules: () => rulesFileSchema,
  rule: () => ruleSchema,
  condition: () => conditionSchema,
  test: () => testFileSchema,
  config: () => configSchema,
  exemptions: () => exemptionsSchema,
  baseline: () => baselineSchema,
  documents: documentsSchema,
}

export const schemaText = (kind: SchemaKind): string => `${JSON.stringify(schemas[kind](), null, 2)}\n`
