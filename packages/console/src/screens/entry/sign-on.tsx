/**
 * Ways in beside the password: the identity provider of an organization, and accounts of social providers. Each leads to
 * another site, which leads back to the page that asked.
 */
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Refused } from '../../data/refused.js'
import { Button } from '../../ui/basics.js'
import { TextField } from '../../ui/field.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { Form, Gate } from './frame.js'
import { words } from './words.js'

/** Longer paths are not taken by the server: the person then arrives at the start. */
const RETURN_CHARS_MAX = 500
const returnTo = (next: string): string => (next.length > RETURN_CHARS_MAX ? '/console' : next)

const leave = (url: string) => location.assign(url)

/** Whether this server has single sign-on. */
export function useHasSignOn(): boolean {
  const config = useRead(['config'], (api) => api.GET('/config'))
  return config.data?.sections.signOn === true
}

interface ToProviderProps {
  /** The organization, by id or slug. */
  readonly orgId: string
  readonly next: string
  /** Keeps the session and adds the proof to it; otherwise the provider opens another session. */
  readonly keepsSession?: boolean
}

/** Leads to the provider of an organization, and from there to `next`. */
function useToProvider(next: string, keepsSession = false) {
  const body = { returnTo: returnTo(next) }
  return useWrite(
    (api, orgId: string) => {
      const request = { params: { path: { orgId } }, body }
      return keepsSession
        ? api.POST('/auth/sso/{orgId}/attach', request)
        : api.POST('/auth/sso/{orgId}/authorize', request)
    },
    { stale: [], onDone: ({ url }) => leave(url) },
  )
}

export function ToProvider({ orgId, next, keepsSession }: ToProviderProps) {
  const t = useWords(words)
  const begin = useToProvider(next, keepsSession)
  return (
    <>
      <Refused error={begin.error} />
      <Button kind="main" busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate(orgId)}>
        {t('toProvider')}
      </Button>
    </>
  )
}

/** Below the form for the password. Nothing where the server has no single sign-on. */
export function OtherWays({ next }: { next: string }) {
  const t = useWords(words)
  const [isNamed, setNamed] = useState(false)
  if (!useHasSignOn()) return null
  return (
    <div className="stack-small">
      {isNamed ? <ByOrganization next={next} /> : <Button onClick={() => setNamed(true)}>{t('bySignOn')}</Button>}
      <SocialWays begin={(provider) => ({ provider, body: { returnTo: returnTo(next) } })} />
    </div>
  )
}

function ByOrganization({ next }: { next: string }) {
  const t = useWords(words)
  const [named, setNamed] = useState('')
  const begin = useToProvider(next)
  const discover = useWrite((api, email: string) => api.POST('/auth/sso/discover', { body: { email } }), {
    stale: [],
    onDone({ authorizePath }) {
      const orgId = authorizePath?.split('/').at(-2)
      if (orgId !== undefined) begin.mutate(orgId)
    },
  })
  const send = () => {
    begin.reset()
    discover.reset()
    const of = named.trim()
    if (of.includes('@')) discover.mutate(of)
    else begin.mutate(of)
  }
  return (
    <Form onSend={send}>
      {discover.data?.sso === false && (
        <Message tone="warning" title={t('noSignOn')} live>
          {t('noSignOnNext')}
        </Message>
      )}
      <Refused error={discover.error ?? begin.error} />
      <TextField
        label={t('workAddress')}
        hint={t('workAddressHint')}
        name="organization"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={named}
        onChange={(event) => setNamed(event.target.value)}
      />
      <Button type="submit" busy={discover.isPending || begin.isPending} disabled={named.trim() === ''}>
        {t('toProvider')}
      </Button>
    </Form>
  )
}

interface SocialBegin {
  readonly provider: string
  readonly body: { readonly kind?: 'invitation'; readonly token?: string; readonly returnTo?: string }
}

/** A button for each social provider of this server. */
export function SocialWays({ begin: beginOf }: { begin: (provider: string) => SocialBegin }) {
  const t = useWords(words)
  const { data } = useRead(['sign-on', 'providers'], (api) => api.GET('/auth/oauth/providers'))
  const begin = useWrite(
    (api, { provider, body }: SocialBegin) =>
      api.POST('/auth/oauth/{provider}/url', { params: { path: { provider } }, body }),
    { stale: [], onDone: ({ url }) => leave(url) },
  )
  return (
    <>
      <Refused error={begin.error} />
      {data?.providers.map(({ id, name }) => (
        <Button key={id} busy={begin.isPending} onClick={() => begin.mutate(beginOf(id))}>
          {t('goOnWith', { name })}
        </Button>
      ))}
    </>
  )
}

interface ClosedProps {
  readonly me: {
    readonly memberships: readonly components['schemas']['MeMembership'][]
    readonly confinedTo: string | null
  }
  readonly closed: components['schemas']['MeClosedBy']
  readonly next: string
}

/** Instead of an organization that opens only with its single sign-on, while the session has no proof of it. */
export function ClosedPage({ me, closed, next }: ClosedProps) {
  const t = useWords(words)
  const others = me.memberships.filter(({ organizationId, isActive }) => isActive && organizationId !== closed.id)
  return (
    <Gate
      title={t('closedTo', { name: closed.slug })}
      foot={
        <>
          {others.map((each) => (
            <Link key={each.organizationId} to={`/console/${each.slug}/overview` as string}>
              {each.name}
            </Link>
          ))}
          <Link to="/console/sign-in">{t('back')}</Link>
        </>
      }
    >
      <p className="muted">{t(me.confinedTo === null ? 'closedNext' : 'closedOther')}</p>
      <ToProvider orgId={closed.id} next={next} keepsSession={me.confinedTo === null} />
    </Gate>
  )
}
