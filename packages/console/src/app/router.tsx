/** The addresses of the console, and what is loaded for each. The screens of sections come from their table. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router'
import { Page } from '../data/page.js'
import { useSession } from '../data/session.js'
import { parseSearch, stringifySearch } from '../data/url-state.js'
import { StepUpDialog } from '../screens/entry/dialogs.js'
import { InvitationPage } from '../screens/entry/invitation.js'
import {
  ConfirmedPage,
  ForgotPage,
  LinkPage,
  RegisterPage,
  ResetPage,
  RestoreEmailPage,
  SignInPage,
  VerifyPage,
} from '../screens/entry/pages.js'
import { Button, Prose } from '../ui/basics.js'
import { arriving, partsMissing } from '../ui/part.js'
import { Message, Skeleton } from '../ui/states.js'
import { useStore } from '../ui/store.js'
import { Toasts } from '../ui/toast.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { ActingBar } from './acting-bar.js'
import { HomePage, OrganizationFrame } from './frame.js'
import { permissionsOf, type Section, standingOf } from './section.js'
import { SECTIONS } from './sections.js'
import { words } from './words.js'

function Root() {
  return (
    <>
      <ActingBar />
      <Outlet />
      <StepUpDialog />
      <Toasts />
    </>
  )
}

function NotFound() {
  const t = useWords(words)
  return (
    <Page title={t('notFound')}>
      <Message actions={<a href="/console">{t('organizations')}</a>}>{t('notFoundNext')}</Message>
    </Page>
  )
}

function Broken() {
  const t = useWords(words)
  return (
    <Page title={t('broken')}>
      <Message tone="critical" live actions={<Button onClick={() => location.reload()}>{t('reload')}</Button>}>
        {t('brokenNext')}
      </Message>
    </Page>
  )
}

/** Shown while a screen loads. A server that does not answer is named: the screen comes when it answers again. */
function Pending() {
  const t = useWords(words)
  const isMissing = useStore(partsMissing) > 0
  if (!isMissing) return <Skeleton />
  return (
    <Message tone="warning" title={t('noScreen')} live>
      {t('noScreenNext')}
    </Message>
  )
}

const SAYS = { absent: 'lacking', forbidden: 'forbidden', locked: 'locked' } as const

/** Shows a section to people who may see it. Others see what is missing, and who can grant it. */
function guarded(section: Section, Screen: RouteComponent): RouteComponent {
  // Without it, the router would show the screen before it is loaded, and React keeps what it shows instead for 300 ms.
  Guarded.preload = async () => Screen.preload?.()
  return Guarded

  function Guarded() {
    const t = useWords(words)
    const to = useLanguage()
    const session = useSession()
    const standing = standingOf(section, session)
    if (standing === 'open') return <Screen />
    if (standing === 'absent' && section.setting === undefined) return <NotFound />
    const values = {
      setting: section.setting ?? '',
      permission: permissionsOf(section).join('`, `'),
      feature: section.feature ?? '',
      organization: session.organization.name,
    }
    const says = SAYS[standing]
    return (
      <Page title={say(section.name, to)}>
        <Message tone="warning" title={t(says)}>
          <p>
            <Prose text={t(`${says}Next`, values)} />
          </p>
        </Message>
      </Page>
    )
  }
}

const root = createRootRoute({
  component: Root,
  notFoundComponent: () => (
    <main className="gate">
      <NotFound />
    </main>
  ),
})
const organization = createRoute({
  getParentRoute: () => root,
  path: '/console/$org',
  component: OrganizationFrame,
  notFoundComponent: NotFound,
})

const sections = SECTIONS.flatMap((section) =>
  Object.entries(section.routes).map(([path, load]) =>
    createRoute({
      getParentRoute: () => organization,
      path,
      component: guarded(
        section,
        lazyRouteComponent(() => arriving(load as () => Promise<{ default: RouteComponent }>)),
      ),
    }),
  ),
)

const page = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component })

const routes = root.addChildren([
  page('/', HomePage),
  page('/console', HomePage),
  page('/console/sign-in', SignInPage),
  page('/console/link', LinkPage),
  page('/console/register', RegisterPage),
  page('/console/forgot-password', ForgotPage),
  page('/console/confirmed', ConfirmedPage),
  // Links in e-mails lead to these pages.
  page('/reset-password', ResetPage),
  page('/verify-email', VerifyPage),
  page('/restore-email', RestoreEmailPage),
  page('/invite/accept', InvitationPage),
  organization.addChildren(sections),
])

export const createConsoleRouter = () =>
  createRouter({
    routeTree: routes,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: Pending,
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })
