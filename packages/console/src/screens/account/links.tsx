/**
 * Accounts of social providers with which this person signs in. The server's settings say which providers there are.
 */
import { useOrganization, useRead, useWrite } from '../../data/api.js'
import { screenPath } from '../../data/go.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { Button, When } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function Links({ isVerified }: { isVerified: boolean }) {
  const t = useWords(words)
  const organization = useOrganization()
  const providers = useRead(['account', 'providers'], (api) => api.GET('/auth/oauth/providers'))
  const links = useRead(['account', 'links'], (api) => api.GET('/auth/me/links'))
  const begin = useWrite(
    (api, provider: string) =>
      api.POST('/auth/me/links/{provider}', {
        params: { path: { provider } },
        body: { returnTo: screenPath(organization, 'account') },
      }),
    { stale: [], onDone: ({ url }) => location.assign(url) },
  )
  const remove = useWrite(
    (api, provider: string) => api.DELETE('/auth/me/links/{provider}', { params: { path: { provider } } }),
    { stale: ['account'], done: t('unlinked') },
  )
  // If the server has no provider, nothing is shown, unless a link exists already.
  if (providers.data?.providers.length === 0 && links.data?.links.length === 0) return null
  return (
    <section className="card stack-small">
      <h2>{t('links')}</h2>
      <p className="muted">{t('linksNote')}</p>
      <Refused error={begin.error ?? remove.error ?? providers.error} />
      <Loaded of={links} lines={2}>
        {({ links: linked }) => (
          <ul className="plain-list">
            {linked.map(({ provider, email, linkedAt }) => (
              <li key={provider} className="row-between">
                <span className="anywhere">
                  <strong>{nameOf(provider, providers.data?.providers)}</strong> {email}
                  <span className="small muted">
                    {' '}
                    {t('linkedAt')} <When at={linkedAt} />
                  </span>
                </span>
                <Button kind="danger" busy={remove.isPending} onClick={() => remove.mutate(provider)}>
                  {t('unlink', { name: nameOf(provider, providers.data?.providers) })}
                </Button>
              </li>
            ))}
            {(providers.data?.providers ?? [])
              .filter(({ id }) => !linked.some(({ provider }) => provider === id))
              .map(({ id, name }) => (
                <li key={id} className="row-between">
                  <span>
                    <strong>{name}</strong> <span className="muted">{t('notLinked')}</span>
                  </span>
                  <Button busy={begin.isPending} disabled={!isVerified} onClick={() => begin.mutate(id)}>
                    {t('link', { name })}
                  </Button>
                </li>
              ))}
          </ul>
        )}
      </Loaded>
      {!isVerified && <p className="small muted">{t('linkNeedsAddress')}</p>}
    </section>
  )
}

const nameOf = (id: string, of: readonly { readonly id: string; readonly name: string }[] = []): string =>
  of.find((each) => each.id === id)?.name ?? id
