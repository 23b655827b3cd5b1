/** The frame of every screen: navigation, organization, search, account. */
import { ApiError } from '@plumbline/client'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import {
  Building2,
  ChevronsUpDown,
  CircleUserRound,
  LogOut,
  Menu as MenuIcon,
  Search,
  SlidersHorizontal,
} from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useOrganization, useRead, useWrite } from '../data/api.js'
import { signedOut } from '../data/client.js'
import { screenPath } from '../data/go.js'
import { liveness, useLive } from '../data/live.js'
import { Refused } from '../data/refused.js'
import { useCan, useSession } from '../data/session.js'
import { Badge, Button } from '../ui/basics.js'
import { Dialog } from '../ui/dialog.js'
import { Logo } from '../ui/logo.js'
import { ActionMenu } from '../ui/menu.js'
import { arriving } from '../ui/part.js'
import { useStore } from '../ui/store.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { useKeys } from './keys.js'
import type { GroupId, Section } from './section.js'
import { GROUPS, useOpenSections } from './sections.js'
import { ViewsMenu } from './views.js'
import { words } from './words.js'

const Palette = lazy(() => arriving(() => import('./palette.js').then(({ Palette: it }) => ({ default: it }))))
const KeysDialog = lazy(() => arriving(() => import('./palette.js').then(({ KeysDialog: it }) => ({ default: it }))))
const LookDialog = lazy(() =>
  arriving(() => import('./look-dialog.js').then(({ LookDialog: it }) => ({ default: it }))),
)

export function Shell({ children }: { children: ReactNode }) {
  const t = useWords(words)
  const { pathname } = useLocation()
  const [isOpen, setOpen] = useState(false)
  const [dialog, setDialog] = useState<'palette' | 'keys' | 'look' | null>(null)
  useKeys(setDialog)
  useLive()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chosen section closes the drawer
  useEffect(() => setOpen(false), [pathname])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {t('skip')}
      </a>
      <Navigation isOpen={isOpen} onClose={() => setOpen(false)} />
      <div className="shell-main">
        <header className="shell-bar">
          <span className="shell-menu">
            <Button
              kind="quiet"
              aria-label={t('menu')}
              aria-expanded={isOpen}
              icon={<MenuIcon size={18} aria-hidden />}
              onClick={() => setOpen(!isOpen)}
            />
          </span>
          <button type="button" className="shell-find" onClick={() => setDialog('palette')}>
            <Search size={16} aria-hidden />
            <span>{t('find')}</span>
            <kbd aria-hidden>⌘K</kbd>
          </button>
          <span className="grow" />
          <NotLive />
          <ViewsMenu />
          <OrganizationMenu />
          <AccountMenu onLook={() => setDialog('look')} />
        </header>
        <main className="content" id="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Suspense>
        {dialog === 'palette' && <Palette onClose={() => setDialog(null)} />}
        {dialog === 'keys' && <KeysDialog onClose={() => setDialog(null)} />}
        {dialog === 'look' && <LookDialog onClose={() => setDialog(null)} />}
      </Suspense>
    </div>
  )
}

function Navigation({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useWords(words)
  const to = useLanguage()
  const organization = useOrganization()
  const sections = useOpenSections()
  const groups = (Object.keys(GROUPS) as GroupId[]).filter((group) => sections.some((each) => each.group === group))
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => event.key === 'Escape' && onClose()
    addEventListener('keydown', close)
    return () => removeEventListener('keydown', close)
  }, [isOpen, onClose])
  return (
    <nav className="shell-nav" aria-label={t('navigation')} data-open={isOpen}>
      <Link to={screenPath(organization, 'overview') as string} className="shell-brand">
        <Logo />
        <span translate="no">Plumbline</span>
      </Link>
      {groups.map((group) => (
        <div key={group}>
          {group !== 'top' && <div className="nav-group">{say(GROUPS[group], to)}</div>}
          <ul className="nav-list">
            {sections
              .filter((each) => each.group === group && each.isOwn !== true)
              .map((section) => (
                <li key={section.id}>
                  <NavLink section={section} organization={organization} />
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** The badge appears only after this delay, so that the reconnect every five minutes does not show it. */
const NOT_LIVE_AFTER_MS = 4000

function NotLive() {
  const t = useWords(words)
  const queries = useQueryClient()
  const now = useStore(liveness)
  const [isShown, show] = useState(false)
  useEffect(() => {
    if (now !== 'lost') return show(false)
    const timer = setTimeout(() => show(true), NOT_LIVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [now])
  // Without the stream, everything on the screen is read again every minute.
  useEffect(() => {
    if (!isShown) return
    const timer = setInterval(() => void queries.invalidateQueries(), 60_000)
    return () => clearInterval(timer)
  }, [isShown, queries])
  return (
    <span role="status">
      {isShown && (
        <Badge tone="warning" title={t('notLiveNext')}>
          {t('notLive')}
        </Badge>
      )}
    </span>
  )
}

/** Number of threads with something new. */
function Unread() {
  const t = useWords(words)
  const unread = useRead(['unread'], (api, signal) => api.GET('/messages/unread/count', { signal }))
  const count = unread.data?.count ?? 0
  if (count === 0) return null
  return (
    <Badge tone="accent" title={t('unread', { count })}>
      {count}
    </Badge>
  )
}

function NavLink({ section, organization }: { section: Section; organization: string }) {
  const to = useLanguage()
  const { pathname } = useLocation()
  const first = Object.keys(section.routes)[0] ?? section.id
  const path = screenPath(organization, first)
  const isHere = pathname === path || pathname.startsWith(`${path}/`)
  const Icon = section.icon
  const canReadMessages = useCan('messages:read')
  return (
    <Link
      to={path as string}
      className="nav-link"
      activeOptions={{ includeSearch: false }}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon size={16} aria-hidden />
      <span className="grow">{say(section.name, to)}</span>
      {section.id === 'inbox' && canReadMessages && <Unread />}
    </Link>
  )
}

function OrganizationMenu() {
  const t = useWords(words)
  const navigate = useNavigate()
  const { organization, memberships } = useSession()
  return (
    <ActionMenu
      label={t('switchOrganization', { name: organization.name })}
      face={
        <>
          <Building2 size={16} aria-hidden />
          <span className="shell-org">{organization.name}</span>
          <ChevronsUpDown size={14} aria-hidden />
        </>
      }
      choices={memberships
        .filter(({ isActive }) => isActive)
        .map(({ slug, name, organizationId }) => ({
          id: organizationId,
          label: name,
          icon: <Building2 size={16} aria-hidden />,
          onChoose: () => void navigate({ to: screenPath(slug, 'overview') as string }),
        }))}
    >
      <div className="menu-label">{t('organizations')}</div>
    </ActionMenu>
  )
}

function AccountMenu({ onLook }: { onLook: () => void }) {
  const t = useWords(words)
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { user } = useSession()
  const organization = useOrganization()
  const logout = useWrite((api, _: null) => api.POST('/auth/logout', { body: {} }), {
    stale: [],
    onDone() {
      void navigate({ to: '/console/sign-in' }).then(() => {
        queries.clear()
        signedOut.set(false)
      })
    },
  })
  // After a 401 the session is over, and its own dialog says so.
  const isOut = logout.error instanceof ApiError && logout.error.status === 401
  return (
    <>
      <ActionMenu
        label={t('account', { name: user.username })}
        face={<CircleUserRound size={18} aria-hidden />}
        choices={[
          {
            id: 'account',
            label: t('accountSettings'),
            icon: <CircleUserRound size={16} aria-hidden />,
            onChoose: () => void navigate({ to: screenPath(organization, 'account') as string }),
          },
          { id: 'look', label: t('look'), icon: <SlidersHorizontal size={16} aria-hidden />, onChoose: onLook },
          null,
          {
            id: 'out',
            label: t('signOut'),
            icon: <LogOut size={16} aria-hidden />,
            onChoose: () => logout.mutate(null),
          },
        ]}
      >
        <div className="menu-label anywhere">
          {user.username}
          <br />
          {user.email}
        </div>
      </ActionMenu>
      {logout.error !== null && !isOut && (
        <Dialog title={t('stillIn')} onClose={() => logout.reset()}>
          <Refused error={logout.error} onRetry={() => logout.mutate(null)} />
        </Dialog>
      )}
    </>
  )
}
