/**
 * Reports what `apply` did, one line per document. Violations that stopped a change are shown as `check` shows them.
 */
import { ApiError } from '@plumbline/client'
import pc from 'picocolors'
import type { Io } from '../../command.js'
import { printable } from '../../program/printable.js'
import { prettyReporter } from '../../report/pretty.js'
import { count } from '../../report/reporter.js'
import type { JsonObject } from '../resource.js'
import { violationResult } from '../violations.js'
import type { ActionTaken, Outcome } from './apply-one.js'
import { changeText } from './difference.js'
import { errorLines, noteLine } from './problems.js'

const WIDTH = 'unchanged'.length

export function outcomeText(outcome: Outcome, io: Io, isDryRun: boolean): string {
  const { kind, name, action, changes, notes, error, document } = outcome
  const colours = pc.createColors(io.colour)
  const paint = { unchanged: colours.dim, skipped: colours.dim, blocked: colours.red, failed: colours.red } as Partial<
    Record<ActionTaken, (text: string) => string>
  >
  const word = (paint[action] ?? colours.green)(action.padEnd(WIDTH))
  const lines = [`${word}  ${kind} ${printable(name)}${asideOf(action, isDryRun)}`]
  lines.push(...changes.map((change) => `  ${colours.dim(printable(changeText(change)))}`))
  lines.push(...notes.map((note) => `  ${colours.yellow(`warning: ${noteLine(note, document)}`)}`))
  if (error !== null && action === 'failed') {
    lines.push(...errorLines(error, document).map((line) => `  ${colours.red(line)}`))
  }
  return `${lines.join('\n')}\n${violationText(outcome, io)}`
}

function asideOf(action: ActionTaken, isDryRun: boolean): string {
  if (action === 'skipped') return '  (of the platform: every organization has it)'
  return isDryRun && action !== 'unchanged' ? '  (dry run)' : ''
}

function violationText({ violations, warnings, document }: Outcome, io: Io): string {
  if (document === null || violations.length + warnings.length === 0) return ''
  const reporter = prettyReporter()
  reporter.begin({ ...EMPTY_RUN, colour: io.colour, columns: io.columns })
  // If a change was refused, `violations` includes the warnings. If it was made, only `warnings` has them.
  const held = new Set(violations.map((each) => each.ruleId))
  const more = warnings.filter(({ ruleId }) => !held.has(ruleId))
  return reporter.file(violationResult([...violations, ...more], document))
}

const EMPTY_RUN = {
  version: '',
  asOf: '',
  rules: [],
  failOn: 'error',
  policy: null,
  hasBaseline: false,
  rootPrefix: '',
}

/** For programs. */
export function outcomeJson({ kind, name, action, changes, violations, warnings, notes, error }: Outcome): JsonObject {
  return {
    kind,
    name,
    action,
    changes: changes.map((change) => ({ path: change.path, text: changeText(change) })),
    violations,
    warnings,
    notes,
    error:
      error === null
        ? null
        : error instanceof ApiError
          ? { code: error.code, message: error.message, details: error.details, requestId: error.requestId }
          : { message: error.message },
  }
}

/** `2 created, 1 unchanged`. */
export function summaryText(outcomes: readonly Outcome[], isDryRun: boolean): string {
  const order: readonly ActionTaken[] = ['created', 'updated', 'unchanged', 'skipped', 'deleted', 'blocked', 'failed']
  const parts = order.flatMap((action) => {
    const times = outcomes.filter((outcome) => outcome.action === action).length
    return times === 0 ? [] : [`${times} ${action}`]
  })
  return `${count(outcomes.length, 'record')}: ${parts.join(', ')}${isDryRun ? ' (dry run: nothing was changed)' : ''}\n`
}
