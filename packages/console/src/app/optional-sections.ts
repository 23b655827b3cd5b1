/**
 * Sections that a server may lack, because an operator can leave out their modules. In the table of `sections.ts` they
 * come after those that every server has.
 */
import { Award, ChartLine, Container, CreditCard, Fingerprint, Hammer, Sparkles } from 'lucide-react'
import type { Section } from './section.js'

export const OPTIONAL_SECTIONS: readonly Section[] = [
  {
    id: 'builds',
    group: 'catalogue',
    icon: Hammer,
    name: ['Builds', 'Bauläufe'],
    permission: 'plugins:read',
    server: 'builds',
    setting: 'PLUMBLINE_MODULES',
    routes: {
      builds: () => import('../screens/builds/screen.js'),
      'builds/$id': () => import('../screens/builds/build.js'),
    },
  },
  {
    id: 'images',
    group: 'catalogue',
    icon: Container,
    name: ['Images', 'Abbilder'],
    permission: 'plugins:read',
    server: 'registry',
    setting: 'REGISTRY_URL',
    routes: { images: () => import('../screens/images/screen.js') },
  },
  {
    id: 'drafts',
    group: 'catalogue',
    icon: Sparkles,
    name: ['Drafts', 'Entwürfe'],
    permission: ['pipelines:write', 'plugins:write'],
    feature: 'ai_generation',
    server: 'drafts',
    setting: 'PLUMBLINE_MODULES',
    routes: { drafts: () => import('../screens/drafts/screen.js') },
  },
  {
    id: 'delivery',
    group: 'insight',
    icon: ChartLine,
    name: ['Delivery', 'Lieferung'],
    permission: 'reports:read',
    server: 'reports',
    setting: 'PLUMBLINE_MODULES',
    key: 'd',
    routes: { delivery: () => import('../screens/reports/screen.js') },
  },
  {
    id: 'scorecards',
    group: 'insight',
    icon: Award,
    name: ['Scorecards', 'Bewertungen'],
    permission: 'reports:read',
    feature: 'advanced_reporting',
    server: 'reports',
    setting: 'PLUMBLINE_MODULES',
    routes: { scorecards: () => import('../screens/reports/scorecards.js') },
  },
  {
    id: 'billing',
    group: 'organization',
    icon: CreditCard,
    name: ['Billing', 'Abrechnung'],
    permission: 'billing:read',
    server: 'billing',
    setting: 'BILLING_ENABLED=true',
    key: 'b',
    routes: { billing: () => import('../screens/billing/screen.js') },
  },
  {
    id: 'sign-on',
    group: 'organization',
    icon: Fingerprint,
    name: ['Single sign-on', 'Zentrale Anmeldung'],
    permission: 'org:idp',
    feature: 'sso',
    server: 'signOn',
    setting: 'PLUMBLINE_MODULES',
    routes: { 'sign-on': () => import('../screens/sign-on/screen.js') },
  },
]
