/**
 * The frame of an organization: reads who is signed in and which sections the server has, then shows the shell and the
 * screen.
 */
import { ApiError } from '@plumbline/client'
import { Outlet, useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { OrganizationContext, useRead } from '../data/api.js'
import { closed, signedOut } from '../data/client.js'
import { Refused } from '../data/refused.js'
import { type ServerSections, type Session, SessionProvider } from '../data/session.js'
import { ClosedMeanwhile, SessionOver } from '../screens/entry/dialogs.js'
import { MustChangePage, NoOrganizationPage } from '../screens/entry/pages.js'
import { ClosedPage } from '../screens/entry/sign-on.js'
import { Message, Skeleton } from '../ui/states.js'
import { useStore } from '../ui/store.js'
import { useWords } from '../ui/words.js'
import { Shell } from './shell.js'
import { words } from './words.js'

const isSignedOut = (error: Error | null) =>
  error instanceof ApiError && error.status === 401 && error.code !== 'UNAUTHORIZED'

/** `/console`: leads to the organization of the session, or to the sign-in, which leads back here. */
export function HomePage() {
  const me = useRead(['me'], (api) => api.GET('/auth/me'))
  const at = useLocation()
  if (isSignedOut(me.error)) return <ToSignIn next={at.href} />
  if (me.data === undefined) return <Waiting error={me.error} retry={() => void me.refetch()} />
  if (me.data.user.mustChangePassword) return <MustChangePage />
  const { organization, closedBy } = me.data
  if (closedBy !== null)
    return <ClosedPage me={me.data} closed={closedBy} next={`/console/${closedBy.slug}/overview`} />
  if (organization === null) return <NoOrganizationPage />
  return <Redirect href={`/console/${organization.slug}/overview`} />
}

/** Navigates once per address. The router's own component would navigate again with each render. */
function Redirect({ href }: { href: string }) {
  const navigate = useNavigate()
  useEffect(() => void navigate({ href, replace: true }), [href, navigate])
  return null
}

/**
 * The address is read only once. During the navigation, the address of the page is already that of the sign-in, which
 * would then lead to itself.
 */
function ToSignIn({ next }: { next: string }) {
  const [href] = useState(() => `/console/sign-in?${new URLSearchParams({ next })}`)
  useEffect(() => signedOut.set(false), [])
  return <Redirect href={href} />
}

function Waiting({ error, retry }: { error: Error | null; retry: () => void }) {
  return (
    <main className="gate">{error === null ? <Skeleton lines={4} /> : <Refused error={error} onRetry={retry} />}</main>
  )
}

export function OrganizationFrame() {
  const { org = '' } = useParams({ strict: false }) as { org?: string }
  return (
    <OrganizationContext value={org}>
      <WithSession key={org} organization={org} />
      <SessionOver />
    </OrganizationContext>
  )
}

/**
 * Used if the server does not answer with its sections: the sections of every server, and none that a server may lack.
 */
const USUAL: ServerSections = {
  compliance: true,
  pipelines: true,
  plugins: true,
  audit: true,
  messages: true,
  notifications: true,
  quotas: true,
  billing: false,
  builds: false,
  reports: false,
  drafts: false,
  registry: false,
  signOn: false,
}

function WithSession({ organization }: { organization: string }) {
  const at = useLocation()
  const me = useRead(['me'], (api) => api.GET('/auth/me'))
  const config = useRead(['config'], (api) => api.GET('/config'))
  const isLost = useStore(signedOut)
  // Requests without a session have a low rate limit, which everyone behind the same address shares. If this one is
  // refused, the page still opens.
  const server = config.data?.sections ?? (config.error === null ? undefined : USUAL)
  const now = useMemo(() => sessionOf(me.data, server), [me.data, server])
  // Once the organization asks for its single sign-on, nothing is known of the session: what is typed stays meanwhile.
  const [last, keep] = useState(now)
  if (now !== null && now !== last) keep(now)
  const closedBy = me.data?.closedBy ?? null
  const isClosed = useStore(closed) === organization || closedBy !== null
  const session = now ?? (closedBy === null ? null : last)
  if (me.error instanceof ApiError && (me.error.code === 'ORG_MISMATCH' || me.error.status === 404))
    return <NoMember name={organization} />
  if (me.data?.user.mustChangePassword === true) return <MustChangePage />
  // A session that ends while the page is open is renewed in a dialog over the page. Without a session, the sign-in has
  // its own page.
  if (session === null && (isSignedOut(me.error) || isLost)) return <ToSignIn next={at.href} />
  if (session === null && closedBy !== null && me.data !== undefined)
    return <ClosedPage me={me.data} closed={closedBy} next={at.href} />
  if (session === null)
    return <Waiting error={me.error ?? config.error} retry={() => void Promise.all([me.refetch(), config.refetch()])} />
  return (
    <SessionProvider value={session}>
      <Shell>
        <Outlet />
      </Shell>
      {isClosed && <ClosedMeanwhile slug={organization} />}
    </SessionProvider>
  )
}

type Me = ReturnType<typeof useMe>['data']
const useMe = () => useRead(['me'], (api) => api.GET('/auth/me'))

function sessionOf(me: Me, server: Session['server'] | undefined): Session | null {
  if (me === undefined || server === undefined || me.organization === null) return null
  return {
    user: me.user,
    organization: me.organization,
    memberships: me.memberships,
    permissions: new Set(me.permissions),
    features: new Set(me.features),
    server,
  }
}

function NoMember({ name }: { name: string }) {
  const t = useWords(words)
  return (
    <main className="gate">
      <Message
        tone="critical"
        title={t('noMember', { name })}
        live
        actions={<a href="/console">{t('organizations')}</a>}
      >
        {t('noMemberNext')}
      </Message>
    </main>
  )
}
