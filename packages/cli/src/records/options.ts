/** Turns flags into options of a command. */
import type { OptionSpec } from '../command.js'
import type { Flag } from './resource.js'

/** Leaves out the properties that say how a value is sent. */
export const optionsOf = (flags: readonly Flag[] = []): OptionSpec[] =>
  flags.map(
    ({
      sends: _sends,
      isPairs: _isPairs,
      areNumbers: _areNumbers,
      isInstant: _isInstant,
      nowAfter: _nowAfter,
      asList: _asList,
      value: _value,
      ...option
    }) => option,
  )
