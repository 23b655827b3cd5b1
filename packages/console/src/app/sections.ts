/**
 * The one table of sections: what the navigation shows, which address it has, what a person needs for it. No other code
 * asks. A section whose module the server lacks is absent; without its permission, its address says which one is missing.
 */
import {
  Activity,
  BookMarked,
  Boxes,
  ClipboardCheck,
  FileClock,
  Gauge,
  Inbox,
  KeyRound,
  LayoutDashboard,
  Library,
  type LucideIcon,
  ScrollText,
  Settings,
  ShieldAlert,
  ShieldCheck,
  Users,
  Workflow,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { type Session, useSession } from '../data/session.js'
import type { Pair } from '../ui/words.js'

export type GroupId = 'top' | 'compliance' | 'catalogue' | 'evidence' | 'organization' | 'system'

export interface Section {
  readonly id: string
  readonly group: GroupId
  readonly icon: LucideIcon
  readonly name: Pair
  readonly permission?: string
  /** What the organization must have bought; without it the section is there, locked. */
  readonly feature?: string
  /** What `/config` must say the server has. */
  readonly server?: string
  readonly superAdmin?: boolean
  /** The key after `g`. */
  readonly key?: string
  /** Addresses below `/console/:org/` and what is loaded for each. */
  readonly routes: Readonly<Record<string, () => Promise<{ default: ComponentType }>>>
}

export const GROUPS: Readonly<Record<GroupId, Pair>> = {
  top: ['', ''],
  compliance: ['Compliance', 'Compliance'],
  catalogue: ['Catalogue', 'Katalog'],
  evidence: ['Evidence', 'Nachweise'],
  organization: ['Organization', 'Organisation'],
  system: ['System', 'System'],
}

export const SECTIONS: readonly Section[] = [
  {
    id: 'overview',
    group: 'top',
    icon: LayoutDashboard,
    name: ['Overview', 'Überblick'],
    key: 'o',
    routes: { overview: () => import('../screens/overview/screen.js') },
  },
  {
    id: 'findings',
    group: 'compliance',
    icon: ShieldAlert,
    name: ['Findings', 'Befunde'],
    permission: 'compliance:read',
    key: 'f',
    routes: { findings: () => import('../screens/findings/screen.js') },
  },
  {
    id: 'rules',
    group: 'compliance',
    icon: BookMarked,
    name: ['Rules', 'Regeln'],
    permission: 'compliance:read',
    key: 'r',
    routes: {
      rules: () => import('../screens/rules/screen.js'),
      'rules/new': () => import('../screens/rules/editor.js'),
      'rules/$id': () => import('../screens/rules/rule.js'),
      'rules/$id/edit': () => import('../screens/rules/editor.js'),
    },
  },
  {
    id: 'exemptions',
    group: 'compliance',
    icon: ShieldCheck,
    name: ['Exemptions', 'Ausnahmen'],
    permission: 'compliance:read',
    key: 'e',
    routes: { exemptions: () => import('../screens/exemptions/screen.js') },
  },
  {
    id: 'scans',
    group: 'compliance',
    icon: Activity,
    name: ['Scans', 'Scans'],
    permission: 'compliance:read',
    key: 's',
    routes: {
      scans: () => import('../screens/scans/screen.js'),
      'scans/$id': () => import('../screens/scans/scan.js'),
    },
  },
  {
    id: 'library',
    group: 'compliance',
    icon: Library,
    name: ['Library', 'Bibliothek'],
    permission: 'compliance:read',
    key: 'l',
    routes: { library: () => import('../screens/library/screen.js') },
  },
  {
    id: 'policies',
    group: 'compliance',
    icon: ScrollText,
    name: ['Policies', 'Richtlinien'],
    permission: 'compliance:read',
    routes: { policies: () => import('../screens/policies/screen.js') },
  },
  {
    id: 'pipelines',
    group: 'catalogue',
    icon: Workflow,
    name: ['Pipelines', 'Pipelines'],
    permission: 'pipelines:read',
    key: 'p',
    routes: {
      pipelines: () => import('../screens/pipelines/screen.js'),
      'pipelines/$id': () => import('../screens/pipelines/pipeline.js'),
    },
  },
  {
    id: 'plugins',
    group: 'catalogue',
    icon: Boxes,
    name: ['Plugins', 'Plugins'],
    permission: 'plugins:read',
    key: 'u',
    routes: {
      plugins: () => import('../screens/plugins/screen.js'),
      'plugins/$id': () => import('../screens/plugins/plugin.js'),
    },
  },
  {
    id: 'checks',
    group: 'evidence',
    icon: ClipboardCheck,
    name: ['Check log', 'Prüfprotokoll'],
    permission: 'compliance:read',
    key: 'c',
    routes: { checks: () => import('../screens/checks/screen.js') },
  },
  {
    id: 'audit',
    group: 'evidence',
    icon: FileClock,
    name: ['Audit trail', 'Prüfpfad'],
    permission: 'audit:read',
    feature: 'audit_log',
    key: 'a',
    routes: { audit: () => import('../screens/audit/screen.js') },
  },
  {
    id: 'inbox',
    group: 'evidence',
    icon: Inbox,
    name: ['Inbox', 'Eingang'],
    permission: 'messages:read',
    key: 'i',
    routes: { inbox: () => import('../screens/inbox/screen.js') },
  },
  {
    id: 'people',
    group: 'organization',
    icon: Users,
    name: ['People', 'Personen'],
    key: 'm',
    routes: { people: () => import('../screens/people/screen.js') },
  },
  {
    id: 'access',
    group: 'organization',
    icon: KeyRound,
    name: ['Keys and sessions', 'Schlüssel und Sitzungen'],
    key: 'k',
    routes: { access: () => import('../screens/access/screen.js') },
  },
  {
    id: 'quotas',
    group: 'organization',
    icon: Gauge,
    name: ['Quotas and usage', 'Kontingente und Verbrauch'],
    permission: 'quotas:read',
    key: 'q',
    routes: { quotas: () => import('../screens/quotas/screen.js') },
  },
  {
    id: 'organization',
    group: 'organization',
    icon: Settings,
    name: ['Organization', 'Organisation'],
    routes: { organization: () => import('../screens/organization/screen.js') },
  },
]

export type Standing = 'open' | 'absent' | 'forbidden' | 'locked'

export function standingOf(
  { permission, feature, server, superAdmin }: Section,
  { permissions, features, server: has, user }: Pick<Session, 'permissions' | 'features' | 'server' | 'user'>,
): Standing {
  if (server !== undefined && has[server] !== true) return 'absent'
  if (superAdmin === true && !user.isSuperAdmin) return 'absent'
  if (permission !== undefined && !permissions.has(permission)) return 'forbidden'
  if (feature !== undefined && !features.has(feature)) return 'locked'
  return 'open'
}

/** What the navigation shows: a locked section stays in view, so that people learn of it. */
export function useOpenSections(): readonly Section[] {
  const session = useSession()
  return SECTIONS.filter((section) => ['open', 'locked'].includes(standingOf(section, session)))
}
