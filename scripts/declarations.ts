/**
 * The setting `dts` of a package's build. It depends on the kind of build that `scripts/workspace.mjs` requests in
 * PLUMBLINE_BUILD: `run` creates no declarations, `types` creates only declarations and keeps the other files, anything
 * else creates both.
 */
import type { Options } from 'tsup'

type Declarations = Exclude<Options['dts'], boolean | string | undefined>

export function declarations(options: Declarations = {}): Declarations | false {
  const kind = process.env['PLUMBLINE_BUILD']
  if (kind === 'run') return false
  return kind === 'types' ? { ...options, only: true } : options
}
