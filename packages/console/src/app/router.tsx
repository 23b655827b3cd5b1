/** Addresses and what is loaded for each. The screens of sections come from their table. */
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
import { SessionOver, StepUpDialog } from '../screens/entry/dialogs.js'
import { InvitationPage } from '../screens/entry/invitation.js'
import {
  ForgotPage,
  LinkPage,
  RegisterPage,
  ResetPage,
  RestoreEmailPage,
  SignInPage,
  VerifyPage,
} from '../screens/entry/pages.js'
import { Button, Prose } from '../ui/basics.js'
import { Message, Skeleton } from '../ui/states.js'
import { Toasts } from '../ui/toast.js'
import { say, useLanguage, useWords } from '../ui/words.js'
import { HomePage, OrganizationFrame } from './frame.js'
import { SECTIONS, type Section, standingOf } from './sections.js'
import { words } from './words.js'

function Root() {
  return (
    <>
      <Outlet />
      <SessionOver />
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

/** The screen of a section for those who may see it; for others, what is missing and who can give it. */
function guarded(section: Section, Screen: RouteComponent): RouteComponent {
  return function Guarded() {
    const t = useWords(words)
    const to = useLanguage()
    const session = useSession()
    const standing = standingOf(section, session)
    if (standing === 'open') return <Screen />
    if (standing === 'absent') return <NotFound />
    const values = {
      permission: section.permission ?? '',
      feature: section.feature ?? '',
      organization: session.organization.name,
    }
    const isLocked = standing === 'locked'
    return (
      <Page title={say(section.name, to)}>
        <Message tone="warning" title={t(isLocked ? 'locked' : 'forbidden')}>
          <p>
            <Prose text={t(isLocked ? 'lockedNext' : 'forbiddenNext', values)} />
          </p>
        </Message>
      </Page>
    )
  }
}

const root = createRootRoute({ component: Root, notFoundComponent: NotFound })
const organization = createRoute({ getParentRoute: () => root, path: '/console/$org', component: OrganizationFrame })

const sections = SECTIONS.flatMap((section) =>
  Object.entries(section.routes).map(([path, load]) =>
    createRoute({
      getParentRoute: () => organization,
      path,
      component: guarded(section, lazyRouteComponent(load as () => Promise<{ default: RouteComponent }>)),
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
  // What the links of e-mails name.
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
    defaultPendingComponent: () => <Skeleton />,
    defaultErrorComponent: Broken,
    scrollRestoration: true,
  })
