/** The filters of the check log, for `rules checks` and `rules findings`. */
import { VOCABULARY } from '../../api-facts.js'
import type { Flag } from '../resource.js'

export const checkFilters: readonly Flag[] = [
  { flags: '--target <kind>', description: 'for this kind of entity', choices: VOCABULARY.target },
  { flags: '--result <name>', description: 'with this verdict', choices: VOCABULARY.result },
  { flags: '--severity <name>', description: 'with a violation of this severity, or `any`' },
  {
    flags: '--action <name>',
    description: 'made on this occasion',
    choices: VOCABULARY.occasion,
  },
  { flags: '--entity <id>', description: 'of this record', sends: 'entityId' },
  { flags: '--name <text>', description: 'of records whose name contains this', sends: 'entityName' },
  { flags: '--rule <id>', description: 'of checks in which this rule was violated, or waived', sends: 'ruleId' },
  { flags: '--scan <id>', description: 'of this scan', sends: 'scanId' },
  { flags: '--user <id>', description: 'requested by this user', sends: 'userId' },
  { flags: '--from <instant>', description: 'from this ISO 8601 instant, or day of UTC', sends: 'dateFrom' },
  { flags: '--to <instant>', description: 'up to this ISO 8601 instant, or the end of this day', sends: 'dateTo' },
]
