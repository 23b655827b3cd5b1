/** `plumbline rules findings` */
import type { CommandRun } from '../../command.js'
import { telling } from '../../remote/session.js'
import { queryOf } from '../call.js'
import { checkFilters } from './filters.js'
import { showFindings } from './show.js'

export const run: CommandRun = (invocation, io) =>
  telling(() => showFindings(invocation, io, '/compliance/audit/findings', queryOf(invocation, checkFilters, io)))
