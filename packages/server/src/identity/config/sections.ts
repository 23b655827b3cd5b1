/**
 * The sections of the product that this server has, by the modules that the process mounts. A client learns what the
 * organization has bought and what the person may do after sign-in, by `GET /auth/me`.
 */
import Type from 'typebox'
import type { ModuleName } from '../../runtime/declared.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'

const MODULE_OF = {
  compliance: 'compliance',
  pipelines: 'pipeline',
  plugins: 'plugin',
  audit: 'audit',
  messages: 'message',
  notifications: 'notification',
  quotas: 'quota',
  billing: 'billing',
  builds: 'plugin',
  reports: 'reporting',
  drafts: 'ai',
  registry: 'registry',
  signOn: 'sso',
} as const satisfies Readonly<Record<string, ModuleName>>

export type ServerSection = keyof typeof MODULE_OF

export const Sections = strictObject({
  compliance: Type.Boolean({ description: 'Findings, rules, policies, exemptions, scans, check log' }),
  pipelines: Type.Boolean(),
  plugins: Type.Boolean(),
  audit: Type.Boolean(),
  messages: Type.Boolean(),
  notifications: Type.Boolean({ description: 'Preferences and deliveries of notifications' }),
  quotas: Type.Boolean(),
  billing: Type.Boolean({ description: 'The module is mounted, and billing is switched on' }),
  builds: Type.Boolean({
    description: 'Builds of plugins can be queued; `features.builder` says whether a builder works now',
  }),
  reports: Type.Boolean({ description: 'Reports, DORA figures and scorecards' }),
  drafts: Type.Boolean({ description: 'Pipelines and plugins drafted by a model' }),
  registry: Type.Boolean({ description: 'The module is mounted, and `REGISTRY_URL` names a registry' }),
  signOn: Type.Boolean({ description: 'Single sign-on and directories' }),
})

/** @returns whether the process has each section. */
export function sectionsOf({
  PLUMBLINE_MODULES,
  BILLING_ENABLED,
  REGISTRY_URL,
}: Pick<Settings, 'PLUMBLINE_MODULES' | 'BILLING_ENABLED' | 'REGISTRY_URL'>): Record<ServerSection, boolean> {
  const isMounted = (section: ServerSection) => PLUMBLINE_MODULES.includes(MODULE_OF[section])
  const all = Object.keys(MODULE_OF) as ServerSection[]
  const found = Object.fromEntries(all.map((section) => [section, isMounted(section)])) as Record<
    ServerSection,
    boolean
  >
  return { ...found, billing: found.billing && BILLING_ENABLED, registry: found.registry && REGISTRY_URL !== null }
}
