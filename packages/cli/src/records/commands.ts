/** The commands of a kind of record: list, get, its actions, apply. They are data made from data, and load no code. */
import type { CommandSpec, OptionSpec } from '../command.js'
import { formatOption, outputOption } from '../program/output-options.js'
import { serverOptions, yesOption } from '../remote/options.js'
import { generations } from './ai.js'
import { applyCommand, applyKindCommand } from './apply/command.js'
import { attachCommand, downloadCommand, watchCommand } from './attachment/commands.js'
import { provenanceCommand, sbomCommand, scanImageCommand } from './attestation/command.js'
import { billing } from './billing.js'
import { billingGroups } from './billing-groups.js'
import { buildCommand } from './build/command.js'
import { buildLogsCommand } from './build-logs.js'
import { factsOf, withChoices } from './described.js'
import { fakeCommand, fromUrlCommand, generateCommand } from './draft/command.js'
import { exemptions } from './exemptions.js'
import { checkFindingsCommand, scanFindingsCommand } from './finding/command.js'
import { images } from './images.js'
import { messages } from './messages.js'
import { complianceRoles, notifications } from './notifications.js'
import { optionsOf } from './options.js'
import { pipelines } from './pipelines.js'
import { plugins } from './plugins.js'
import { policies } from './policies.js'
import { diffPolicyCommand } from './policy/command.js'
import { quotas } from './quotas.js'
import { reportSources } from './report-sources.js'
import { reports } from './reports.js'
import type { Action, ActionArgument, ActionGroup, Resource, Shows } from './resource.js'
import { catalog, rules } from './rules.js'
import { startScanCommand, watchScanCommand } from './scan/command.js'
import { scans, schedules } from './scans.js'
import { secretsCommand } from './secret/command.js'
import { subscriptions } from './subscriptions.js'
import { templates } from './templates.js'
import { uploadCommand } from './upload/command.js'

/** @param more commands that take more than one request. */
function resourceCommand(resource: Resource, more: readonly CommandSpec[] = []): CommandSpec {
  const { name, summary, examples } = resource
  return {
    name,
    summary,
    examples,
    subcommands: [...recordActions(resource).map((action) => actionCommand(resource, action)), ...more],
  }
}

/** All actions of a table: its own, and `list` and `get` unless it replaces or excludes them. */
export function recordActions(resource: Resource): Action[] {
  const shown = resource.isListedOnly === true ? [listAction(resource)] : [listAction(resource), getAction(resource)]
  const usual = resource.hasOwnActions === true ? [] : shown
  return [...usual.filter(({ name }) => resource.actions.every((each) => each.name !== name)), ...resource.actions]
}

function listAction({ name, path, listKey = name, columns, filters }: Resource): Action {
  return {
    name: 'list',
    summary: `list the ${name} that you can see`,
    method: 'GET',
    path,
    query: filters,
    shows: { as: 'list', key: listKey, columns },
    examples: [
      { command: `plumbline ${name} list`, explanation: 'the newest ones, in a table' },
      { command: `plumbline ${name} list --all --format json`, explanation: 'all of them, for a program' },
    ],
  }
}

function getAction({ name, one, path, key }: Resource): Action {
  return {
    name: 'get',
    summary: `show one ${one}`,
    method: 'GET',
    path: `${path}/{id}`,
    arguments: [{ ...key.argument, means: 'key', sends: 'id' }],
    shows: { as: 'record', key: one },
    examples: [
      {
        command: `plumbline ${name} get ${key.example}`,
        explanation: 'as YAML; --format json for a program',
      },
    ],
  }
}

function actionCommand(resource: Resource, action: Action): CommandSpec {
  const facts = factsOf(action)
  return {
    name: action.name,
    summary: action.summary,
    ...(action.description === undefined ? {} : { description: action.description }),
    ...(action.arguments === undefined ? {} : { arguments: action.arguments.map((each) => completed(resource, each)) }),
    options: [
      ...bodyFileOptions(action),
      ...optionsOf(withChoices(action.query, facts)),
      ...optionsOf(withChoices(action.body, facts)),
      ...allOptions(action),
      ...listOptions(action.shows, facts.choices?.['sortBy']),
      ...(action.asksFirst === true ? [yesOption] : []),
      ...formOptions(action),
      ...drawOptions(action.shows),
      ...serverOptions,
    ],
    examples: action.examples,
    load: () => import('./call.js').then(({ call }) => ({ run: call(resource, action) })),
  }
}

/** Lets a shell complete keys that are names, with names from the server. */
function completed(resource: Resource, argument: ActionArgument): ActionArgument {
  const { means, of: [{ name, key } = resource] = [] } = argument
  const isName = (means === 'key' || means === 'bodyKey') && key.fields.some((field) => !/(^id|Id)$/.test(field))
  return isName ? { ...argument, completes: name } : argument
}

const bodyFileOptions = ({ bodyFile }: Action): OptionSpec[] =>
  bodyFile === undefined
    ? []
    : [{ flags: '--file <path>', description: `${bodyFile.description}; - for standard input` }]

const RECORDS: ReadonlySet<string> = new Set(['record', 'document', 'verdict'])

function formOptions({ shows, all }: Pick<Action, 'shows' | 'all'>): OptionSpec[] {
  if (shows.as === 'note') return [formatOption('a line on standard error'), outputOption]
  const form = formOf(shows)
  return [formatOption(all === undefined ? form : `${form}; with --all, ${formOf(all.shows)}`), outputOption]
}

const formOf = (shows: Shows): string => (RECORDS.has(shows.as) && !('columns' in shows) ? 'yaml' : 'table')

/** `--all`, and the flags that need it. */
function allOptions({ all, query = [] }: Action): OptionSpec[] {
  if (all === undefined) return []
  const own = new Set(query.map(({ flags }) => flags))
  const more = withChoices(all.query, factsOf(all)).filter(({ flags }) => !own.has(flags))
  return [
    { flags: '--all', description: all.summary },
    ...optionsOf(more).map((option) => ({ ...option, description: `with --all: ${option.description}` })),
  ]
}

const drawOptions = (shows: Shows): OptionSpec[] =>
  shows.as !== 'rows' || shows.plot === undefined
    ? []
    : [
        { flags: '--plot', description: 'bars on the terminal instead of a table', conflicts: ['format', 'json'] },
        { flags: '--svg <file>', description: 'a picture in this file; - for standard output', conflicts: ['plot'] },
      ]

/** @param sorts the first is the server's default. */
function listOptions(shows: Shows, sorts: readonly string[] = []): OptionSpec[] {
  if (shows.as !== 'list') return []
  return [
    { flags: '--all', description: 'all pages', conflicts: ['limit', 'offset'] },
    {
      flags: '--limit <number>',
      description: 'list at most this many',
      integer: { min: 1, max: 1000 },
      defaultText: '50',
    },
    { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
    ...(sorts.length === 0
      ? []
      : [
          {
            flags: '--sort-by <field>',
            description: 'field to sort by',
            choices: sorts,
            defaultText: sorts[0] ?? '',
          },
          { flags: '--sort-order <way>', description: 'order of the sort', choices: ['asc', 'desc'] },
        ]),
  ]
}

export const resources: readonly Resource[] = [
  pipelines,
  templates,
  plugins,
  quotas,
  messages,
  rules,
  policies,
  catalog,
  subscriptions,
  exemptions,
  notifications,
  complianceRoles,
  scans,
  schedules,
  billing,
  reports,
  images,
]

const groupCommand = (
  resource: Resource,
  { name, summary, examples, actions, groups = [] }: ActionGroup,
): CommandSpec => ({
  name,
  summary,
  examples,
  subcommands: [
    ...actions.map((action) => actionCommand(resource, action)),
    ...groups.map((group) => groupCommand(resource, group)),
  ],
})

const actionsOf = ({ actions, groups = [] }: ActionGroup): Action[] => [...actions, ...groups.flatMap(actionsOf)]

/** Every request of every table. */
export const tableActions = (): readonly Action[] =>
  [
    ...[...resources, generations].flatMap(recordActions),
    ...[...billingGroups, reportSources].flatMap(actionsOf),
  ].flatMap(requestsOf)

/** The requests that a command can make. */
export const requestsOf = (action: Action): readonly Action[] =>
  action.all === undefined ? [action] : [action, action.all]

/** The commands of `plumbline billing` that need a server. */
export const billingActions: readonly CommandSpec[] = [
  ...recordActions(billing).map((action) => actionCommand(billing, action)),
  ...billingGroups.map((group) => groupCommand(billing, group)),
]

export const recordCommands: readonly CommandSpec[] = [
  applyCommand,
  resourceCommand(pipelines, [applyKindCommand('pipelines', 'pipeline', 'Pipeline')]),
  resourceCommand(templates, [applyKindCommand('templates', 'template', 'PipelineTemplate')]),
  resourceCommand(plugins, [
    uploadCommand,
    buildCommand,
    buildLogsCommand,
    sbomCommand,
    provenanceCommand,
    scanImageCommand,
    applyKindCommand('plugins', 'plugin', 'Plugin'),
  ]),
  resourceCommand(generations, [generateCommand, fromUrlCommand, fakeCommand]),
  secretsCommand,
  resourceCommand(images),
  resourceCommand(quotas),
  resourceCommand(reports, [groupCommand(reports, reportSources)]),
  resourceCommand(messages, [attachCommand, downloadCommand, watchCommand]),
  resourceCommand(rules, [applyKindCommand('rules', 'rule', 'Rule'), checkFindingsCommand]),
  resourceCommand(policies, [applyKindCommand('policies', 'policy', 'Policy'), diffPolicyCommand]),
  resourceCommand(catalog),
  resourceCommand(notifications),
  resourceCommand(complianceRoles),
  resourceCommand(scans, [startScanCommand, watchScanCommand, scanFindingsCommand]),
  resourceCommand(schedules),
  resourceCommand(subscriptions),
  resourceCommand(exemptions),
]
