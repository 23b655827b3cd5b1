/** What an update may set, and the resulting row. Single and bulk updates share this function. */
import Type, { type Static } from 'typebox'
import { invalidField, Refusal } from '../../runtime/errors.js'
import type { PrepareContext } from '../../runtime/operation/context.js'
import { CATALOG_INPUT, changedCatalog } from '../../runtime/records/catalog.js'
import { type ComplianceViolation, requireCompliance } from '../../runtime/records/compliance.js'
import {
  BuildArgs,
  Category,
  COMPUTE_TYPES,
  Commands,
  Description,
  Env,
  FAILURE_BEHAVIORS,
  Keywords,
  Metadata,
  OutputDirectory,
  oneOf,
  PLUGIN_TYPES,
  Secrets,
  Timeout,
} from '../manifest/schema.js'
import { tokenIssues } from '../manifest/tokens.js'
import type { PluginRow } from '../tables.js'
import { pluginAttributes } from './attributes.js'
import { checkMayChange } from './rights.js'
import { ACCESS_MODIFIERS } from './view.js'

const orNull = <S extends Parameters<typeof Type.Union>[0][number]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

export const PLUGIN_CHANGE = {
  description: orNull(Description),
  keywords: Type.Optional(Keywords),
  category: Type.Optional(Category),
  metadata: Type.Optional(Metadata),
  pluginType: Type.Optional(oneOf(PLUGIN_TYPES)),
  computeType: Type.Optional(oneOf(COMPUTE_TYPES)),
  timeout: orNull(Timeout),
  failureBehavior: Type.Optional(oneOf(FAILURE_BEHAVIORS)),
  secrets: Type.Optional(Secrets),
  primaryOutputDirectory: orNull(OutputDirectory),
  env: Type.Optional(Env),
  commands: Type.Optional(Commands),
  installCommands: Type.Optional(Commands),
  dockerfile: orNull(
    Type.String({ maxLength: 1_048_576, description: 'As it is stored: other content needs a new version' }),
  ),
  buildArgs: Type.Optional(BuildArgs),
  isActive: Type.Optional(Type.Boolean()),
  isDefault: Type.Optional(Type.Boolean()),
  accessModifier: Type.Optional(oneOf(ACCESS_MODIFIERS)),
  ...CATALOG_INPUT,
}
const Change = Type.Object(PLUGIN_CHANGE)
export type PluginChange = Static<typeof Change>

export interface PreparedChange {
  /** The row after the change, without what the write itself sets. */
  readonly next: PluginRow
  /** The columns that it changes. */
  readonly values: Partial<PluginRow>
  readonly revision: number
  readonly changed: readonly string[]
  readonly complianceWarnings: readonly ComplianceViolation[]
}

/**
 * Prepares the change, with its verdict.
 * @throws Refusal 400, 403, 409 for a field that the image was built from, 503 without a verdict.
 */
export async function prepareChange(
  context: PrepareContext,
  stored: PluginRow,
  sent: PluginChange,
): Promise<PreparedChange> {
  await checkMayChange(context, stored, sent.accessModifier)
  const { ownerId, ownerType, lifecycle, criticality, labels, links, ...fields } = sent
  const catalogSent = Object.fromEntries(
    Object.entries({ ownerId, ownerType, lifecycle, criticality, labels, links }).filter(
      ([, value]) => value !== undefined,
    ),
  )
  const catalog = await changedCatalog(context, stored, catalogSent)
  const next: PluginRow = { ...stored, ...withoutUndefined(fields), ...catalog } as PluginRow
  const names = Object.keys(sent).filter(
    (name) => !isSame(stored[name as keyof PluginRow], next[name as keyof PluginRow]),
  )
  // guard: what-an-image-was-built-from
  checkBuildInputs(stored, names)
  // guard: a-plugin-without-its-image
  checkState(stored, next, names)
  checkTokens(next, names)
  // Others may change the rest of the row before this is written.
  const values = Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isSame(stored[name as keyof PluginRow], value)),
  ) as Partial<PluginRow>
  if (names.length === 0) return { next, values, revision: stored.revision, changed: [], complianceWarnings: [] }
  const verdict = await requireCompliance(context, {
    target: 'plugin',
    action: 'update',
    attributes: pluginAttributes(next),
    entityId: stored.id,
    entityName: stored.name,
  })
  return { next, values, revision: stored.revision, changed: names.sort(), complianceWarnings: verdict.warnings }
}

const withoutUndefined = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const isSame = (a: unknown, b: unknown): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** An update cannot change the fields that an image was built from: the row would no longer match the image. */
function checkBuildInputs({ buildType }: PluginRow, names: readonly string[]): void {
  const inputs = ['dockerfile', 'buildArgs', ...(buildType === 'metadata_only' ? [] : ['installCommands'])]
  const fields = inputs.filter((name) => names.includes(name))
  if (fields.length === 0) return
  throw new Refusal('CONFLICT', `${fields.join(', ')}: an image is built from it, so upload a new version`, {
    details: { fields },
  })
}

function checkState(stored: PluginRow, next: PluginRow, names: readonly string[]): void {
  const isBuilt = stored.buildStatus === 'none' || stored.buildStatus === 'ready'
  if (names.includes('isActive') && next.isActive && !isBuilt) {
    throw new Refusal('CONFLICT', `the image is ${stored.buildStatus}: the plugin becomes active when it is ready`)
  }
  if (names.includes('isDefault') && next.isDefault && !isBuilt) {
    throw new Refusal('CONFLICT', `the image is ${stored.buildStatus}: the plugin can be the default when it is ready`)
  }
  if (names.includes('pluginType') && next.pluginType === 'ManualApprovalStep' && next.buildType !== 'metadata_only') {
    throw invalidField('/body/pluginType', 'a ManualApprovalStep has no image', 'build_type')
  }
}

function checkTokens(next: PluginRow, names: readonly string[]): void {
  const texts: [path: string, text: string][] = []
  for (const name of ['commands', 'installCommands'] as const) {
    if (names.includes(name)) next[name].forEach((text, index) => void texts.push([`/body/${name}/${index}`, text]))
  }
  if (names.includes('env'))
    for (const [name, text] of Object.entries(next.env)) texts.push([`/body/env/${name}`, text])
  const issues = texts.flatMap(([path, text]) => tokenIssues(text, next.contract).map((issue) => ({ path, ...issue })))
  const [first] = issues
  if (first === undefined) return
  throw new Refusal(
    issues.length === 1 ? first.code : 'TEMPLATE_VALIDATION_FAILED',
    `${first.path}: ${first.message}`,
    {
      details: { issues },
    },
  )
}
