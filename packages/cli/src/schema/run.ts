/** Runs `plumbline schema`. */
import { conditionSchema, type JsonSchema, ruleSchema, rulesFileSchema } from '@plumbline/engine'
import { writeOutput } from '../authoring/outputs.js'
import { type CommandRun, ExitCode } from '../command.js'
import { testFileSchema } from '../test/schema.js'
import type { SchemaKind } from './command.js'

const schemas: Readonly<Record<SchemaKind, JsonSchema>> = {
  rules: rulesFileSchema,
  rule: ruleSchema,
  condition: conditionSchema,
  test: testFileSchema,
}

export const run: CommandRun = async (invocation, io) => {
  const kind = (invocation.arguments[0] as SchemaKind | undefined) ?? 'rules'
  const text = `${JSON.stringify(schemas[kind], null, 2)}\n`
  await writeOutput(invocation.options.output, text, io)
  return ExitCode.clean
}
