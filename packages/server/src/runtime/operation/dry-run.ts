/**
 * A dry run: the command runs to its end, and its transaction is rolled back. So it checks what the change itself
 * would check, and cannot drift from it.
 */
import Type from 'typebox'
import type { AnyCommand } from './operation.js'

/** The query of a command that takes `dryRun`. Its `prepare` must change nothing, and it has no `settle`. */
export const DryRun = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({ description: 'Checks and answers as the change itself would, and changes nothing' }),
  ),
})

export const isDryRun = (
  operation: Pick<AnyCommand, 'input'>,
  { query }: { readonly query: Readonly<Record<string, unknown>> },
): boolean => operation.input.query === DryRun && query['dryRun'] === true
