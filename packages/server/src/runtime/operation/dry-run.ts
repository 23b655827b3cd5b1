/**
 * A dry run: the command runs to its end, and its transaction is rolled back. So it checks what the change itself
 * would check, and cannot drift from it.
 */
import Type from 'typebox'
import type { AnyCommand } from './operation.js'

/** The query of a command that takes `dryRun`. Its `prepare` changes nothing then, and it has no `settle`. */
export const DryRun = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Checks and answers as the change itself would, and changes nothing' }),
  ),
})

/** A query may have more parameters than this one. Another parameter of the same name is not a dry run. */
export const takesDryRun = ({ input }: Pick<AnyCommand, 'input'>): boolean =>
  input.query?.properties['dryRun'] === DryRun.properties.dryRun

export const isDryRun = (
  operation: Pick<AnyCommand, 'input'>,
  { query }: { readonly query: Readonly<Record<string, unknown>> },
): boolean => takesDryRun(operation) && query['dryRun'] === true
