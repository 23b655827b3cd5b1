/** Whether everyone must sign in with the identity provider, and what that requires first. */
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { useSession } from '../../data/session.js'
import { Badge, Button, Prose } from '../../ui/basics.js'
import { Confirm } from '../../ui/dialog.js'
import { useFormat } from '../../ui/format.js'
import { Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { conditionWords, words } from './words.js'

export function Enforcement() {
  const t = useWords(words)
  const condition = useLabel(conditionWords)
  const format = useFormat()
  const { id } = useSession().organization
  const [isAsking, setAsking] = useState(false)
  const read = useRead(['sign-on', 'enforcement'], (api) =>
    api.GET('/organization/{id}/idp/enforcement', { params: { path: { id } } }),
  )
  const set = useWrite(
    (api, body: { enforced: boolean }) =>
      api.PUT('/organization/{id}/idp/enforcement', { params: { path: { id } }, body }),
    { stale: ['sign-on'], done: t('enforcedNow'), onDone: () => setAsking(false) },
  )
  return (
    <Loaded of={read}>
      {({ enforcement: { enforced, since, conditions } }) => (
        <section className="card stack">
          <Message tone={enforced ? 'pass' : 'plain'} title={t(enforced ? 'enforced' : 'notEnforced')}>
            {since !== null && t('since', { date: format.date(since) })}
          </Message>
          <ul className="stack-small">
            {conditions.map(({ name, isMet, fix }) => (
              <li key={name}>
                <span className="row">
                  <Badge tone={isMet ? 'pass' : 'warning'}>{t(isMet ? 'met' : 'notMet')}</Badge>
                  {condition(name)}
                </span>
                {!isMet && (
                  <p className="small muted">
                    <Prose text={fix} />
                  </p>
                )}
              </li>
            ))}
          </ul>
          <div>
            <Button
              kind={enforced ? undefined : 'danger'}
              disabled={!enforced && !conditions.every(({ isMet }) => isMet)}
              onClick={() => setAsking(true)}
            >
              {t(enforced ? 'stopEnforcing' : 'enforce')}
            </Button>
          </div>
          {isAsking && (
            <Confirm
              title={t(enforced ? 'stopEnforcing' : 'enforce')}
              submit={t(enforced ? 'stopEnforcing' : 'enforce')}
              danger={!enforced}
              busy={set.isPending}
              problem={<Refused error={set.error} />}
              onConfirm={() => set.mutate({ enforced: !enforced })}
              onClose={() => setAsking(false)}
            >
              <p>{t(enforced ? 'notEnforced' : 'enforceSure')}</p>
            </Confirm>
          )}
        </section>
      )}
    </Loaded>
  )
}
