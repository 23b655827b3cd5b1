/**
 * The setting `dts` of a package's build, by the kind of build that `scripts/workspace.mjs` wants (PLUMBLINE_BUILD): `run`
 * makes no declarations, `types` makes nothing else and leaves the other files as they are, anything else makes everything.
 */
import type { Options } from 'tsup'

type Declarations = Exclude<Options['dts'], boolean | string | undefined>

export function declarations(options: Declarations = {}): Declarations | false {
  const kind = process.env['PLUMBLINE_BUILD']
  if (kind === 'run') return false
  return kind === 'types' ? { ...options, only: true } : options
}
