/** The commands of reports (spec platform 18): what pipelines did, and how a team delivers. */
import type { Action, ActionArgument, Flag, Resource } from './resource.js'

const teams: Flag = { flags: '--teams', description: 'include its teams', sends: 'includeDescendants' }
const scope: readonly Flag[] = [
  { flags: '--pipeline <id>', description: 'of this pipeline', sends: 'pipelineId' },
  { flags: '--environment <name>', description: 'of this environment' },
  { flags: '--project <name>', description: 'of pipelines of this project' },
  { flags: '--organization <name>', description: 'of pipelines whose organization has this name' },
  { flags: '--owner <id>', description: 'of pipelines of this owner, or me', sends: 'ownerId' },
  { flags: '--label <key=value>', description: 'of pipelines with this label' },
  {
    flags: '--from <instant>',
    description: 'from this instant or day on; by default, 30 days before --to',
    isInstant: true,
  },
  {
    flags: '--to <instant>',
    description: 'up to this instant, which is excluded; by default, now',
    isInstant: true,
    nowAfter: 'from',
  },
  teams,
]
/** What a list of scorecards has no flag for: a card has its own pipeline, environment and time. */
const PIPELINE_AND_TIME = ['--pipeline <id>', '--environment <name>', '--from <instant>', '--to <instant>']
const interval: Flag = {
  flags: '--interval <name>',
  description: 'length of a bucket',
}
const top: Flag = { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 100 } }
const many: readonly Flag[] = [
  { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 1000 } },
  { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
]
const statuses = ['started', 'succeeded', 'failed', 'canceled', 'superseded']
const execution: ActionArgument = {
  syntax: '<execution>',
  description: 'id of the execution',
  means: 'path',
  sends: 'executionId',
}
const incident: ActionArgument = { syntax: '<incident>', description: 'id of the incident', means: 'path', sends: 'id' }
const ofPipeline: Flag = {
  flags: '--pipeline <id>',
  description: 'the pipeline, when several have an execution of this id',
  sends: 'pipelineId',
}
const atEnvironment: Flag = { flags: '--environment <name>', description: 'by default, the headline environment' }

const read = (
  name: string,
  summary: string,
  path: string,
  more: Pick<Action, 'shows' | 'examples'> & { readonly query?: readonly Flag[] },
): Action => ({
  name,
  summary,
  method: 'GET',
  path: `/reports/${path}`,
  ...more,
  query: [...scope, ...(more.query ?? [])],
})

const runs: readonly Action[] = [
  read('count', 'count the runs of each pipeline by outcome', 'execution/count', {
    query: [{ flags: '--include-zero', description: 'pipelines without a run too' }, ...many],
    shows: {
      as: 'rows',
      key: 'pipelines',
      columns: {
        project: 'project',
        total: 'total',
        succeeded: 'succeeded',
        failed: 'failed',
        canceled: 'canceled',
        running: 'inProgress',
        stale: 'stale',
        last: 'lastExecution',
        id: 'id',
      },
    },
    examples: [{ command: 'plumbline reports count --from 2026-11-01', explanation: 'since the first of November' }],
  }),
  read('success-rate', 'show the success rate of runs over time', 'execution/success-rate', {
    query: [interval],
    shows: {
      as: 'rows',
      key: 'timeline',
      plot: { label: 'period', bars: { succeeded: 'succeeded', failed: 'failed' }, rate: 'successPct' },
      columns: {
        period: 'period',
        partial: 'partial',
        succeeded: 'succeeded',
        failed: 'failed',
        'success %': 'successPct',
      },
    },
    examples: [{ command: 'plumbline reports success-rate --interval day', explanation: 'day by day' }],
  }),
  read('duration', 'show how long the runs of each pipeline take', 'execution/duration', {
    shows: {
      as: 'rows',
      key: 'pipelines',
      columns: {
        project: 'project',
        runs: 'executions',
        'avg ms': 'avgMs',
        'p50 ms': 'p50Ms',
        'p95 ms': 'p95Ms',
        'max ms': 'maxMs',
        id: 'id',
      },
    },
    examples: [{ command: 'plumbline reports duration', explanation: 'the slowest first' }],
  }),
  read('stages', 'show how often each stage fails', 'execution/stage-failures', {
    query: [interval],
    shows: {
      as: 'rows',
      key: 'stages',
      plot: { label: 'stageName', bars: { failures: 'failures' }, rate: 'failurePct' },
      columns: {
        stage: 'stageName',
        failures: 'failures',
        runs: 'total',
        'failed %': 'failurePct',
        pipelines: 'pipelines',
      },
    },
    examples: [{ command: 'plumbline reports stages', explanation: 'the most failures first' }],
  }),
  read('bottlenecks', 'show the stages that take the most time', 'execution/stage-bottlenecks', {
    query: [top],
    shows: {
      as: 'rows',
      key: 'stages',
      columns: {
        stage: 'stageName',
        pipeline: 'pipelineName',
        runs: 'runs',
        'avg ms': 'avgMs',
        'p95 ms': 'p95Ms',
        'share %': 'sharePct',
      },
    },
    examples: [{ command: 'plumbline reports bottlenecks --limit 5', explanation: 'the five slowest' }],
  }),
  read('errors', 'show the errors of runs, with similar errors grouped', 'execution/errors', {
    query: [top],
    shows: {
      as: 'rows',
      key: 'errors',
      columns: {
        error: 'errorPattern',
        category: 'category',
        runs: 'occurrences',
        pipelines: 'affectedPipelines',
        last: 'lastSeen',
        sample: 'sampleExecutionId',
      },
    },
    examples: [{ command: 'plumbline reports errors', explanation: 'the most frequent first' }],
  }),
  read('actions', 'show how often each action of a stage fails', 'execution/action-failures', {
    query: [top],
    shows: {
      as: 'rows',
      key: 'actions',
      columns: {
        action: 'actionName',
        stage: 'stageName',
        failures: 'failures',
        runs: 'total',
        'failed %': 'failurePct',
      },
    },
    examples: [{ command: 'plumbline reports actions', explanation: 'the most failures first' }],
  }),
  read('build-health', 'show the health of the stages of one pipeline', 'execution/build-health', {
    shows: {
      as: 'rows',
      key: 'buildHealth.stages',
      columns: {
        stage: 'stage',
        runs: 'runs',
        failures: 'failures',
        'success %': 'successRate',
        'p50 ms': 'p50Ms',
        'p90 ms': 'p90Ms',
        'p99 ms': 'p99Ms',
      },
    },
    examples: [{ command: 'plumbline reports build-health --pipeline 0190…', explanation: 'stage by stage' }],
  }),
  read('runs', 'list runs, the newest first', 'execution/list', {
    query: [{ flags: '--status <name>', description: 'with this result', choices: statuses }, ...many],
    shows: {
      as: 'rows',
      key: 'executions',
      columns: {
        execution: 'executionId',
        pipeline: 'pipelineName',
        status: 'status',
        attempt: 'attempt',
        started: 'startedAt',
        'duration ms': 'durationMs',
        error: 'errorMessage',
      },
    },
    examples: [{ command: 'plumbline reports runs --status failed', explanation: 'the last 20 that failed' }],
  }),
  read('environments', 'list the environments that pipelines deploy to', 'execution/environments', {
    shows: {
      as: 'rows',
      key: 'environments',
      columns: {
        environment: 'environment',
        tier: 'tier',
        deployments: 'deployments',
        failed: 'failed',
        pipelines: 'pipelines',
        last: 'lastDeployedAt',
      },
    },
    examples: [{ command: 'plumbline reports environments', explanation: 'with their last deployment' }],
  }),
]

const pluginScope: readonly Flag[] = [
  { flags: '--plugin <name>', description: 'of the plugin of this name', sends: 'pluginName' },
  ...scope.filter(({ flags }) => ['--from <instant>', '--to <instant>', '--teams'].includes(flags)),
]
const readPlugins = (
  name: string,
  summary: string,
  path: string,
  more: Pick<Action, 'shows' | 'examples'> & { readonly query?: readonly Flag[] },
): Action => ({
  ...read(name, summary, `plugins/${path}`, more),
  query: [...pluginScope, ...(more.query ?? [])],
})

const plugins: readonly Action[] = [
  readPlugins('builds', 'show the success rate of builds of plugins over time', 'build-success-rate', {
    query: [interval],
    shows: {
      as: 'rows',
      key: 'timeline',
      plot: { label: 'period', bars: { succeeded: 'succeeded', failed: 'failed' }, rate: 'successPct' },
      columns: {
        period: 'period',
        partial: 'partial',
        succeeded: 'succeeded',
        failed: 'failed',
        'success %': 'successPct',
      },
    },
    examples: [{ command: 'plumbline reports builds --interval day', explanation: 'day by day' }],
  }),
  readPlugins('build-duration', 'show how long builds of each plugin take', 'build-duration', {
    shows: {
      as: 'rows',
      key: 'plugins',
      columns: {
        plugin: 'pluginName',
        builds: 'builds',
        'avg ms': 'avgMs',
        'p50 ms': 'p50Ms',
        'p95 ms': 'p95Ms',
        'max ms': 'maxMs',
      },
    },
    examples: [{ command: 'plumbline reports build-duration', explanation: 'the slowest first' }],
  }),
  readPlugins('build-failures', 'show the errors of plugin builds, with similar errors grouped', 'build-failures', {
    query: [top],
    shows: {
      as: 'rows',
      key: 'failures',
      columns: {
        plugin: 'pluginName',
        category: 'category',
        error: 'errorMessage',
        builds: 'occurrences',
        last: 'lastSeen',
      },
    },
    examples: [{ command: 'plumbline reports build-failures', explanation: 'the most frequent first' }],
  }),
  readPlugins('plugins', 'count plugins by one of their properties', 'distribution', {
    query: [
      {
        flags: '--by <property>',
        description: 'the property; by default, type',
      },
    ],
    shows: {
      as: 'rows',
      key: 'distribution',
      columns: { value: 'value', plugins: 'plugins', names: 'names', 'share %': 'sharePct' },
    },
    examples: [
      { command: 'plumbline reports plugins --by build', explanation: 'how many are built, and how many not' },
    ],
  }),
  readPlugins('plugin-summary', 'count plugins by type, status and access', 'summary', {
    shows: { as: 'record', key: 'summary' },
    examples: [{ command: 'plumbline reports plugin-summary', explanation: 'all of the organization' }],
  }),
  readPlugins('plugin-versions', 'list the versions of each plugin', 'versions', {
    query: [{ flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 1000 } }],
    shows: {
      as: 'rows',
      key: 'plugins',
      columns: {
        plugin: 'pluginName',
        versions: 'versions',
        active: 'active',
        latest: 'latest',
        default: 'default',
        deprecated: 'deprecated',
        newest: 'newestAt',
      },
    },
    examples: [{ command: 'plumbline reports plugin-versions', explanation: 'those with the most versions first' }],
  }),
]

const delivery: readonly Action[] = [
  read('dora', 'show the five delivery metrics of each environment, or why there are none', 'execution/dora', {
    query: [
      { flags: '--explain', description: 'what was counted, and what was left out; with --format yaml' },
      {
        flags: '--compare',
        description: 'whether the change from the window before is statistically significant; with --format yaml',
      },
    ],
    shows: {
      as: 'rows',
      key: 'dora.environments',
      columns: {
        environment: 'environment',
        'per day': 'deploymentFrequency.perDay',
        level: 'deploymentFrequency.level',
        'fail %': 'changeFailureRate.rate',
        'fail level': 'changeFailureRate.level',
        'lead s': 'leadTime.medianSeconds',
        'recovery s': 'failedDeploymentRecovery.medianSeconds',
        'rework %': 'reworkRate.rate',
        why: 'deploymentFrequency.why',
        'next step': 'deploymentFrequency.nextStep',
      },
    },
    examples: [
      { command: 'plumbline reports dora', explanation: 'the last 30 days' },
      { command: 'plumbline reports dora --explain --format yaml', explanation: 'with intervals, reasons and samples' },
    ],
  }),
  read('trend', 'show deployments and their failures over time', 'execution/dora/trend', {
    query: [
      interval,
      { flags: '--compare', description: 'whether the last change is statistically significant; with --format yaml' },
    ],
    shows: {
      as: 'rows',
      key: 'trend',
      plot: { label: 'period', bars: { deployments: 'deployments', failed: 'failed' }, rate: 'changeFailurePct' },
      columns: {
        period: 'period',
        partial: 'partial',
        deployments: 'deployments',
        failed: 'failed',
        'failed %': 'changeFailurePct',
        'lead s': 'leadTimeSeconds',
      },
    },
    examples: [
      { command: 'plumbline reports trend --interval week --plot', explanation: 'week by week, as bars' },
      { command: 'plumbline reports trend --svg trend.svg', explanation: 'as a picture' },
    ],
  }),
  {
    name: 'what-if',
    summary: 'show what would change the band of each metric',
    method: 'POST',
    path: '/reports/execution/dora/what-if',
    body: scope,
    bodyFile: {
      description: '`change:` with cleanDeployments, failedDeployments, leadTimes or restores',
      isRequired: false,
    },
    shows: { as: 'record', key: 'whatIf' },
    examples: [{ command: 'plumbline reports what-if', explanation: 'the smallest change up and down' }],
  },
  read('deployments', 'list deployments with their later corrections', 'deployments', {
    query: [{ flags: '--status <name>', description: 'with this result', choices: statuses }, ...many],
    shows: {
      as: 'rows',
      key: 'deployments',
      columns: {
        execution: 'executionId',
        environment: 'environment',
        status: 'status',
        ended: 'completedAt',
        commit: 'commitSha',
        'failed later': 'failedLater',
        rework: 'rework',
        suggestion: 'suggestion',
      },
    },
    examples: [{ command: 'plumbline reports deployments --environment production', explanation: 'the newest first' }],
  }),
  read('incidents', 'list incidents with the deployment that each is attributed to', 'incidents', {
    query: [{ flags: '--status <name>', description: 'in this state' }, ...many],
    shows: {
      as: 'rows',
      key: 'incidents',
      columns: {
        incident: 'incidentId',
        environment: 'environment',
        opened: 'openedAt',
        resolved: 'resolvedAt',
        link: 'link.kind',
        execution: 'link.deployment.executionId',
        title: 'title',
      },
    },
    examples: [{ command: 'plumbline reports incidents --status open', explanation: 'incidents that are open now' }],
  }),
]

const changes: readonly Action[] = [
  {
    name: 'mark',
    summary: 'mark a successful deployment as failed later, or as restored',
    method: 'POST',
    path: '/reports/deployments/{executionId}/outcome',
    arguments: [
      execution,
      {
        syntax: '<outcome>',
        description: 'failed or restored',
        means: 'body',
        sends: 'outcome',
      },
    ],
    body: [
      { flags: '--at <instant>', description: 'the time; by default, now', isInstant: true },
      atEnvironment,
      ofPipeline,
      { flags: '--note <text>', description: 'what happened' },
    ],
    shows: { as: 'record', key: 'outcome' },
    examples: [
      {
        command: 'plumbline reports mark run-42 failed --note "broke checkout"',
        explanation: 'it counts as a failure from now on',
      },
    ],
  },
  {
    name: 'unmark',
    summary: 'take a mark back',
    method: 'DELETE',
    path: '/reports/deployments/{executionId}/outcome/{outcome}',
    arguments: [
      execution,
      {
        syntax: '<outcome>',
        description: 'failed or restored',
        means: 'path',
        sends: 'outcome',
      },
    ],
    query: [atEnvironment, ofPipeline],
    shows: { as: 'note', text: 'taken back' },
    examples: [{ command: 'plumbline reports unmark run-42 failed', explanation: 'with its restoration' }],
  },
  {
    name: 'link',
    summary: 'attribute an incident to a deployment',
    method: 'PUT',
    path: '/reports/incidents/{id}/link',
    arguments: [
      incident,
      { syntax: '<execution>', description: 'id of the execution', means: 'body', sends: 'executionId' },
    ],
    body: [ofPipeline],
    shows: { as: 'record' },
    examples: [{ command: 'plumbline reports link pd-1 run-42', explanation: 'later events do not change it' }],
  },
  {
    name: 'unlink',
    summary: 'attribute an incident automatically again',
    method: 'DELETE',
    path: '/reports/incidents/{id}/link',
    arguments: [incident],
    shows: { as: 'note', text: 'the automatic result applies again' },
    examples: [{ command: 'plumbline reports unlink pd-1', explanation: 'removes the correction' }],
  },
  {
    name: 'scorecard',
    summary: 'show the scorecard of a pipeline: its checks with points, its grade, and what would help most',
    method: 'GET',
    path: '/pipelines/{id}/scorecard',
    arguments: [{ syntax: '[pipeline]', description: 'id of the pipeline', means: 'path', sends: 'id' }],
    query: [teams],
    shows: { as: 'record', key: 'scorecard' },
    all: {
      name: 'scorecards',
      summary: 'the scorecards of all pipelines, the worst first',
      method: 'GET',
      path: '/reports/scorecards',
      // All that the server computes.
      asks: { limit: '500' },
      query: [
        ...scope.filter(({ flags }) => !PIPELINE_AND_TIME.includes(flags)),
        { flags: '--sort-by <field>', description: 'field to sort by' },
        { flags: '--sort-order <way>', description: 'order of the sort' },
        { flags: '--limit <number>', description: 'list at most this many', integer: { min: 1, max: 500 } },
        { flags: '--offset <number>', description: 'skip this many', integer: { min: 0 } },
      ],
      shows: {
        as: 'rows',
        key: 'scorecards',
        columns: {
          project: 'project',
          pipeline: 'pipelineName',
          score: 'score',
          grade: 'grade',
          compliance: 'compliance.score',
          delivery: 'dora.score',
          id: 'pipelineId',
        },
      },
      examples: [],
    },
    examples: [
      { command: 'plumbline reports scorecard 0190…', explanation: 'and the next best fix' },
      { command: 'plumbline reports scorecard --all', explanation: 'where to begin' },
    ],
  },
  {
    name: 'settings',
    summary: 'show how incidents are attributed to deployments',
    method: 'GET',
    path: '/reports/settings/incidents',
    shows: { as: 'record', key: 'settings' },
    examples: [{ command: 'plumbline reports settings', explanation: 'window, headline, rework' }],
  },
  {
    name: 'set',
    summary: 'set how incidents are attributed to deployments',
    method: 'PUT',
    path: '/reports/settings/incidents',
    body: [
      {
        flags: '--window <hours>',
        description: 'how long after a deployment an incident can be attributed to it',
        integer: { min: 1, max: 720 },
        sends: 'incidentWindowHours',
      },
      {
        flags: '--headline <environment>',
        description: 'a headline environment',
        sends: 'headlineEnvironments',
        repeatable: true,
      },
      {
        flags: '--rollback-fails',
        description: 'an older commit that is deployed again counts as a failure of the one it replaced',
      },
    ],
    shows: { as: 'record', key: 'settings' },
    examples: [
      { command: 'plumbline reports set --headline prod --window 48', explanation: 'all reports use it at once' },
    ],
  },
  {
    name: 'health',
    summary: 'show whether events of pipelines arrive',
    method: 'GET',
    path: '/reports/ingest-health',
    shows: { as: 'record' },
    examples: [{ command: 'plumbline reports health', explanation: 'status, lag, skipped and parked events' }],
  },
  {
    name: 'parked',
    summary: 'list unregistered pipelines that events wait for',
    method: 'GET',
    path: '/reports/parked',
    shows: {
      as: 'rows',
      key: 'parked',
      columns: { pipeline: 'pipelineRef', events: 'events', 'goes at': 'goesAt', 'next step': 'nextStep' },
    },
    examples: [{ command: 'plumbline reports parked', explanation: 'with the command that registers each' }],
  },
]

export const reports: Resource = {
  name: 'reports',
  one: 'report',
  summary: 'show the runs of pipelines, and how a team delivers',
  path: '/reports',
  key: {
    argument: { syntax: '<report>', description: 'name of the report' },
    example: 'dora',
    fields: ['id'],
    separator: '/',
  },
  columns: {},
  filters: [],
  hasOwnActions: true,
  actions: [...runs, ...plugins, ...delivery, ...changes],
  examples: [
    { command: 'plumbline reports dora', explanation: 'five metrics, or why there are none' },
    { command: 'plumbline reports mark run-42 failed', explanation: 'a deployment that broke something' },
  ],
}
