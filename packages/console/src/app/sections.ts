/**
 * The table of all sections: what the navigation shows, the address of each section, and the permission it needs.
 * A section whose module the server lacks is absent. Without the permission, its address says which one is missing.
 */
import {
  Activity,
  BookMarked,
  Boxes,
  CircleUserRound,
  ClipboardCheck,
  FileClock,
  Gauge,
  Inbox,
  KeyRound,
  LayoutDashboard,
  Library,
  ScrollText,
  ServerCog,
  Settings,
  ShieldAlert,
  ShieldCheck,
  Users,
  Workflow,
} from 'lucide-react'
import { useMemo } from 'react'
import { useSession } from '../data/session.js'
import type { Pair } from '../ui/words.js'
import { OPTIONAL_SECTIONS } from './optional-sections.js'
import { type GroupId, type Section, standingOf } from './section.js'

export const GROUPS: Readonly<Record<GroupId, Pair>> = {
  top: ['', ''],
  compliance: ['Compliance', 'Compliance'],
  catalogue: ['Catalogue', 'Katalog'],
  evidence: ['Evidence', 'Nachweise'],
  insight: ['Insight', 'Auswertung'],
  organization: ['Organization', 'Organisation'],
  system: ['System', 'System'],
}

const EVERYWHERE: readonly Section[] = [
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
    server: 'compliance',
    key: 'f',
    routes: { findings: () => import('../screens/findings/screen.js') },
  },
  {
    id: 'rules',
    group: 'compliance',
    icon: BookMarked,
    name: ['Rules', 'Regeln'],
    permission: 'compliance:read',
    server: 'compliance',
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
    server: 'compliance',
    key: 'e',
    routes: { exemptions: () => import('../screens/exemptions/screen.js') },
  },
  {
    id: 'scans',
    group: 'compliance',
    icon: Activity,
    name: ['Scans', 'Scans'],
    permission: 'compliance:read',
    server: 'compliance',
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
    server: 'compliance',
    key: 'l',
    routes: { library: () => import('../screens/library/screen.js') },
  },
  {
    id: 'policies',
    group: 'compliance',
    icon: ScrollText,
    name: ['Policies', 'Richtlinien'],
    permission: 'compliance:read',
    server: 'compliance',
    routes: { policies: () => import('../screens/policies/screen.js') },
  },
  {
    id: 'pipelines',
    group: 'catalogue',
    icon: Workflow,
    name: ['Pipelines', 'Pipelines'],
    permission: 'pipelines:read',
    server: 'pipelines',
    key: 'p',
    routes: {
      pipelines: () => import('../screens/pipelines/screen.js'),
      'pipelines/new': () => import('../screens/pipelines/edit.js'),
      'pipelines/$id': () => import('../screens/pipelines/pipeline.js'),
      'pipelines/$id/edit': () => import('../screens/pipelines/edit.js'),
    },
  },
  {
    id: 'plugins',
    group: 'catalogue',
    icon: Boxes,
    name: ['Plugins', 'Plugins'],
    permission: 'plugins:read',
    server: 'plugins',
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
    server: 'compliance',
    key: 'c',
    routes: { checks: () => import('../screens/checks/screen.js') },
  },
  {
    id: 'audit',
    group: 'evidence',
    icon: FileClock,
    name: ['Audit trail', 'Prüfpfad'],
    permission: 'audit:read',
    server: 'audit',
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
    server: 'messages',
    key: 'i',
    routes: { inbox: () => import('../screens/inbox/screen.js') },
  },
  {
    id: 'account',
    group: 'organization',
    icon: CircleUserRound,
    name: ['Your account', 'Ihr Konto'],
    isOwn: true,
    routes: { account: () => import('../screens/account/screen.js') },
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
    server: 'quotas',
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
  {
    id: 'system',
    group: 'system',
    icon: ServerCog,
    name: ['System administration', 'Systemverwaltung'],
    superAdmin: true,
    routes: { system: () => import('../screens/system/screen.js') },
  },
]

export const SECTIONS: readonly Section[] = [...EVERYWHERE, ...OPTIONAL_SECTIONS]

/** The sections of the navigation. A locked section is listed too, so that people learn that it exists. */
export function useOpenSections(): readonly Section[] {
  const session = useSession()
  return useMemo(
    () => SECTIONS.filter((section) => ['open', 'locked'].includes(standingOf(section, session))),
    [session],
  )
}
