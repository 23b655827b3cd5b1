/**
 * The checks of builder properties that a schema cannot express: every issue, each with its location. Source: spec
 * platform 8.2.
 */
import { hasToken, looseName, type Resolution, resolveTokens } from '@plumbline/engine'
import type { FieldIssue } from '../../runtime/errors.js'
import { problems } from '../../runtime/operation/schema.js'
import { findCredentials } from './credentials.js'
import { type Props, SOURCE_OPTIONS } from './schema.js'

export const PROPS_BYTES_MAX = 256 * 1024
export const PROPS_DEPTH_MAX = 20

/** The key for comparing names: `My-App` and `my_app` are one project. */
export const keyOf = looseName

export interface Named {
  readonly project: string
  readonly organization: string
}

export function checkProps(props: Props, named: Named | null, at: string): FieldIssue[] {
  // Properties that are nested too deeply are not checked any further.
  if (isDeeperThan(props, PROPS_DEPTH_MAX)) {
    return [{ path: at, message: `has more than ${PROPS_DEPTH_MAX} levels`, code: 'depth' }]
  }
  const bytes = Buffer.byteLength(JSON.stringify(props))
  if (bytes > PROPS_BYTES_MAX) {
    return [{ path: at, message: `has ${bytes} bytes as JSON, at most ${PROPS_BYTES_MAX}`, code: 'size' }]
  }
  return [
    ...(named === null ? [] : checkNames(props, named, at)),
    ...problems(SOURCE_OPTIONS[props.synth.source.type], props.synth.source.options, `${at}/synth/source/options`),
    ...checkSchedule(props.schedule, at),
    ...checkStages(props, at),
    // guard: credentials-stay-out-of-properties
    ...findCredentials(props, at),
  ]
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some((each) => isDeeperThan(each, levels - 1))
}

const checkNames = (props: Props, named: Named, at: string): FieldIssue[] =>
  (['project', 'organization'] as const).flatMap((name) => {
    const inner = props[name]
    return inner === undefined || keyOf(inner) === keyOf(named[name])
      ? []
      : [{ path: `${at}/${name}`, message: `does not match the ${name} of the pipeline`, code: 'same' }]
  })

const SCHEDULE = /^(?:rate\(\d{1,6} (?:minutes?|hours?|days?)\)|cron\([^()]{9,120}\)|(?:\S{1,40} ){4,5}\S{1,40})$/

const checkSchedule = (schedule: string | undefined, at: string): FieldIssue[] =>
  schedule === undefined || hasToken(schedule) || SCHEDULE.test(schedule)
    ? []
    : [{ path: `${at}/schedule`, message: 'is not a cron or rate expression, such as `rate(1 day)`', code: 'schedule' }]

function checkStages({ stages = [] }: Props, at: string): FieldIssue[] {
  const seen = new Set<string>()
  return stages.flatMap(({ stageName, steps }, n) => {
    const issues: FieldIssue[] = []
    if (seen.has(stageName)) {
      issues.push({
        path: `${at}/stages/${n}/stageName`,
        message: `is the name of two stages: ${stageName}`,
        code: 'unique',
      })
    }
    seen.add(stageName)
    for (const [step, { commands }] of steps.entries()) {
      if (commands === undefined) continue
      issues.push({
        path: `${at}/stages/${n}/steps/${step}/commands`,
        message: 'commands belong to the plugin: put commands of this step into `preCommands` or `postCommands`',
        code: 'commands_on_step',
      })
    }
    return issues
  })
}

/** The properties with their tokens replaced. */
export const resolveProps = (props: Props, at: string): Resolution =>
  resolveTokens(props, { metadata: props.metadata ?? {}, vars: props.vars ?? {} }, at)
