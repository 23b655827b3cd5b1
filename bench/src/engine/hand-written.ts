/**
 * The limit: the 52 rules as a good engineer writes them without an engine, one rule at a time.
 *
 * It reads own properties only, treats absent and null alike, and returns the same list of failed rules with messages.
 * It leaves out what an engine adds: expected and actual values, redaction, order, gates, exemptions, dates.
 */
export interface Failure {
  readonly ruleId: string
  readonly severity: string
  readonly field: string
  readonly message: string
}

type Bag = { readonly [key: string]: unknown }

const NAME = /^[a-z][a-z0-9-]{1,63}$/
const VERSION = /^[0-9]+\.[0-9]+\.[0-9]+$/
const KEYWORD = /^[a-z0-9-]+$/
const RELATIVE = /^[^/]/
const DOCKERFILE = /^[A-Za-z0-9_.-]{1,64}$/
const CATEGORIES = new Set([
  'ai',
  'artifact',
  'deploy',
  'infrastructure',
  'language',
  'monitoring',
  'notification',
  'quality',
  'security',
  'testing',
])
const UNSUPPORTED = new Set(['legacy', 'experimental', 'internal'])
const TYPES = new Set(['CodeBuildStep', 'ShellStep', 'ManualApprovalStep'])
const COMPUTE = new Set(['SMALL', 'MEDIUM', 'LARGE', 'X2_LARGE'])
const BEHAVIOURS = new Set(['fail', 'warn', 'ignore'])
const PRIVILEGED = 'aws:cdk:codebuild:buildenvironment:privileged'

const own = (bag: unknown, key: string): unknown =>
  typeof bag === 'object' && bag !== null && Object.hasOwn(bag, key) ? (bag as Bag)[key] : undefined
const isAbsent = (value: unknown): boolean => value === undefined || value === null
const isText = (value: unknown): value is string => typeof value === 'string'
const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined)
const mentions = (value: unknown, part: string): boolean => isText(value) && value.toLowerCase().includes(part)

function fail(failures: Failure[], ruleId: string, severity: string, field: string, message: string): void {
  failures.push({ ruleId, severity, field, message })
}

export function check(entity: Bag): Failure[] {
  const failures: Failure[] = []
  named(entity, failures)
  classified(entity, failures)
  timed(entity, failures)
  built(entity, failures)
  run(entity, failures)
  secured(entity, failures)
  return failures
}

function named(entity: Bag, failures: Failure[]): void {
  const name = own(entity, 'name')
  if (!isText(name) || !NAME.test(name)) fail(failures, 'name-format', 'error', 'name', 'name must match the format')
  const shortName = own(entity, 'name')
  if (!isText(shortName) || shortName.length >= 25)
    fail(failures, 'name-short', 'warning', 'name', 'name must be shorter')
  if (mentions(own(entity, 'name'), 'test'))
    fail(failures, 'name-not-test', 'warning', 'name', 'name must not contain "test"')

  const version = own(entity, 'version')
  if (!isText(version) || !VERSION.test(version))
    fail(failures, 'version-semantic', 'error', 'version', 'version must be semantic')
  if (own(entity, 'version') === '0.0.0')
    fail(failures, 'version-released', 'error', 'version', 'version must not be "0.0.0"')

  if (isEmpty(own(entity, 'description')))
    fail(failures, 'description-present', 'error', 'description', 'description must not be empty')
  const long = own(entity, 'description')
  if (!isText(long) || long.length <= 99)
    fail(failures, 'description-long-enough', 'warning', 'description', 'description must be longer than 99')
  const short = own(entity, 'description')
  if (!isText(short) || short.length >= 200)
    fail(failures, 'description-short-enough', 'warning', 'description', 'description must be shorter than 200')
  if (mentions(own(entity, 'description'), 'todo'))
    fail(failures, 'description-finished', 'warning', 'description', 'description must not contain "todo"')
}

function classified(entity: Bag, failures: Failure[]): void {
  if (!CATEGORIES.has(own(entity, 'category') as string))
    fail(failures, 'category-known', 'error', 'category', 'category must be a known one')
  if (UNSUPPORTED.has(own(entity, 'category') as string))
    fail(failures, 'category-supported', 'error', 'category', 'category must be a supported one')

  const keywords = own(entity, 'keywords')
  if (!Array.isArray(keywords) || keywords.length <= 4)
    fail(failures, 'keywords-enough', 'warning', 'keywords', 'keywords must be more than 4')
  const fewKeywords = own(entity, 'keywords')
  if (!Array.isArray(fewKeywords) || fewKeywords.length >= 6)
    fail(failures, 'keywords-few', 'warning', 'keywords', 'keywords must be fewer than 6')
  const listed = own(entity, 'keywords')
  if (Array.isArray(listed) && listed.some((each) => isText(each) && each.toLowerCase() === 'latest'))
    fail(failures, 'keywords-no-latest', 'warning', 'keywords', 'keywords must not contain "latest"')
  const keyword = first(own(entity, 'keywords'))
  if (!isText(keyword) || !KEYWORD.test(keyword))
    fail(failures, 'keyword-format', 'warning', 'keywords.0', 'keywords.0 must match the format')

  if (!TYPES.has(own(entity, 'pluginType') as string))
    fail(failures, 'type-known', 'error', 'pluginType', 'pluginType must be a known one')
  if (!COMPUTE.has(own(entity, 'computeType') as string))
    fail(failures, 'compute-known', 'error', 'computeType', 'computeType must be a known one')
  if (own(entity, 'computeType') === 'X2_LARGE')
    fail(failures, 'compute-affordable', 'error', 'computeType', 'computeType must not be "X2_LARGE"')
  const compute = own(entity, 'computeType')
  if (compute === 'MEDIUM' || compute === 'LARGE' || compute === 'X2_LARGE')
    fail(failures, 'compute-modest', 'warning', 'computeType', 'computeType must not be a large one')
}

function timed(entity: Bag, failures: Failure[]): void {
  if (isAbsent(own(entity, 'timeout'))) fail(failures, 'timeout-present', 'error', 'timeout', 'timeout must be present')
  const timeout = own(entity, 'timeout')
  if (!(typeof timeout === 'number' && timeout <= 60))
    fail(failures, 'timeout-maximum', 'error', 'timeout', 'timeout must be at most 60')
  const least = own(entity, 'timeout')
  if (!(typeof least === 'number' && least >= 5))
    fail(failures, 'timeout-minimum', 'error', 'timeout', 'timeout must be at least 5')
  const usual = own(entity, 'timeout')
  if (!(typeof usual === 'number' && usual < 45))
    fail(failures, 'timeout-usual', 'warning', 'timeout', 'timeout must be below 45')
  const generous = own(entity, 'timeout')
  if (!(typeof generous === 'number' && generous > 5))
    fail(failures, 'timeout-generous', 'warning', 'timeout', 'timeout must be above 5')

  if (own(entity, 'failureBehavior') !== 'fail')
    fail(failures, 'failure-stops', 'critical', 'failureBehavior', 'failureBehavior must be "fail"')
  if (!BEHAVIOURS.has(own(entity, 'failureBehavior') as string))
    fail(failures, 'failure-known', 'error', 'failureBehavior', 'failureBehavior must be a known one')
}

function built(entity: Bag, failures: Failure[]): void {
  if (isEmpty(own(entity, 'primaryOutputDirectory')))
    fail(failures, 'output-present', 'error', 'primaryOutputDirectory', 'primaryOutputDirectory must not be empty')
  if (mentions(own(entity, 'primaryOutputDirectory'), '*'))
    fail(failures, 'output-narrow', 'warning', 'primaryOutputDirectory', 'primaryOutputDirectory must not contain "*"')
  const output = own(entity, 'primaryOutputDirectory')
  if (!isText(output) || !RELATIVE.test(output))
    fail(failures, 'output-relative', 'error', 'primaryOutputDirectory', 'primaryOutputDirectory must be relative')

  if (isEmpty(own(entity, 'dockerfile')))
    fail(failures, 'dockerfile-present', 'error', 'dockerfile', 'dockerfile must not be empty')
  const dockerfile = own(entity, 'dockerfile')
  if (!isText(dockerfile) || !DOCKERFILE.test(dockerfile))
    fail(failures, 'dockerfile-name', 'warning', 'dockerfile', 'dockerfile must be a file name')
  if (own(entity, 'buildType') !== 'build_image')
    fail(failures, 'build-type', 'error', 'buildType', 'buildType must be "build_image"')
}

function run(entity: Bag, failures: Failure[]): void {
  const commands = own(entity, 'commands')
  if (!Array.isArray(commands) || commands.length === 0)
    fail(failures, 'commands-present', 'error', 'commands', 'commands must not be empty')
  const fewCommands = own(entity, 'commands')
  if (!Array.isArray(fewCommands) || fewCommands.length >= 5)
    fail(failures, 'commands-few', 'warning', 'commands', 'commands must be fewer than 5')
  if (!mentions(first(own(entity, 'commands')), 'set -e'))
    fail(failures, 'commands-strict', 'error', 'commands.0', 'commands.0 must contain "set -e"')
  if (mentions(first(own(entity, 'commands')), 'sudo '))
    fail(failures, 'commands-no-sudo', 'critical', 'commands.0', 'commands.0 must not contain "sudo "')

  if (isEmpty(own(entity, 'installCommands')))
    fail(failures, 'install-present', 'warning', 'installCommands', 'installCommands must not be empty')
  const install = own(entity, 'installCommands')
  if (!Array.isArray(install) || install.length >= 6)
    fail(failures, 'install-few', 'warning', 'installCommands', 'installCommands must be fewer than 6')
  if (mentions(first(own(entity, 'installCommands')), 'sudo '))
    fail(failures, 'install-no-sudo', 'critical', 'installCommands.0', 'installCommands.0 must not contain "sudo "')
}

function secured(entity: Bag, failures: Failure[]): void {
  const env = own(entity, 'env')
  if (typeof env !== 'object' || env === null || Object.keys(env).length >= 10)
    fail(failures, 'env-few', 'warning', 'env', 'env must have fewer than 10 entries')
  if (!isAbsent(own(own(entity, 'env'), 'DEBUG')))
    fail(failures, 'env-no-debug', 'warning', 'env.DEBUG', 'env.DEBUG must be absent')
  if (!isAbsent(own(own(entity, 'env'), 'AWS_SECRET_ACCESS_KEY')))
    fail(failures, 'env-no-key', 'critical', 'env.AWS_SECRET_ACCESS_KEY', 'env.AWS_SECRET_ACCESS_KEY must be absent')
  if (own(own(entity, 'env'), 'AWS_REGION') === 'us-gov-west-1')
    fail(failures, 'env-region', 'error', 'env.AWS_REGION', 'env.AWS_REGION must not be "us-gov-west-1"')

  const secrets = own(entity, 'secrets')
  if (Array.isArray(secrets) && secrets.length >= 3)
    fail(failures, 'secrets-few', 'warning', '$count(secrets)', 'secrets must be fewer than 3')
  if (own(entity, 'usesRootUser') === true)
    fail(failures, 'no-root', 'critical', 'usesRootUser', 'usesRootUser must not be true')
  if (own(own(entity, 'metadata'), PRIVILEGED) === true)
    fail(failures, 'no-privileges', 'critical', `metadata.${PRIVILEGED}`, 'privileged must not be true')
  if (!isAbsent(own(own(entity, 'metadata'), 'hostNetwork')))
    fail(failures, 'no-host-network', 'critical', 'metadata.hostNetwork', 'metadata.hostNetwork must be absent')
  if (isAbsent(own(entity, 'smokeTest')))
    fail(failures, 'smoke-test-present', 'warning', 'smokeTest', 'smokeTest must be present')

  if (isAbsent(own(entity, 'ownerId')) && isEmpty(own(own(entity, 'labels'), 'team')))
    fail(failures, 'owned', 'warning', 'ownerId', 'ownerId must be present')
  const size = own(entity, 'computeType')
  const duration = own(entity, 'timeout')
  if (size === 'LARGE' && !(typeof duration === 'number' && duration <= 30))
    fail(failures, 'large-is-quick', 'warning', 'computeType', 'computeType must not be "LARGE"')
  if (own(entity, 'category') === 'security' && own(entity, 'failureBehavior') !== 'fail')
    fail(failures, 'security-stops', 'error', 'category', 'category must not be "security"')
  const limit = own(entity, 'timeout')
  if (!(typeof limit === 'number' && limit <= 45))
    fail(failures, 'deploy-bounded', 'error', 'timeout', 'timeout must be at most 45')
  else {
    const settings = own(entity, 'env')
    if (typeof settings !== 'object' || settings === null || Object.keys(settings).length >= 9)
      fail(failures, 'deploy-bounded', 'error', 'env', 'env must have fewer than 9 entries')
  }
}
