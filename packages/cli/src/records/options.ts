/** Options of every command that shows records. */
import type { OptionSpec } from '../command.js'
import type { Flag } from './resource.js'

/** Without what says how their values are sent. */
export const optionsOf = (flags: readonly Flag[] = []): OptionSpec[] =>
  flags.map(
    ({
      sends: _sends,
      isPairs: _isPairs,
      areNumbers: _areNumbers,
      isInstant: _isInstant,
      asList: _asList,
      value: _value,
      ...option
    }) => option,
  )
