/** Domains, each with the DNS record that proves its ownership. */
import { useState } from 'react'
import { useRead, useWrite } from '../../data/api.js'
import { Deletion } from '../../data/deletion.js'
import { issueOf, Refused } from '../../data/refused.js'
import { Rows } from '../../data/rows.js'
import { useSession } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, CopyBox, When } from '../../ui/basics.js'
import { FormDialog } from '../../ui/dialog.js'
import { TextField } from '../../ui/field.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { signOnWords, words } from './words.js'

export function Domains() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(signOnWords)
  const { id } = useSession().organization
  const [isMaking, setMaking] = useState(false)
  const [removed, setRemoved] = useState<{ id: string; domain: string } | null>(null)
  const list = useRead(['sign-on', 'domains'], (api) =>
    api.GET('/organization/{id}/domains', { params: { path: { id } } }),
  )
  const verify = useWrite(
    (api, domainId: string) =>
      api.POST('/organization/{id}/domains/{domainId}/verify', { params: { path: { id, domainId } } }),
    {
      stale: ['sign-on'],
      done: ({ domain }) => t(domain.status === 'verified' ? 'verified' : 'notVerified'),
    },
  )
  const remove = useWrite(
    (api, domainId: string) =>
      api.DELETE('/organization/{id}/domains/{domainId}', { params: { path: { id, domainId } } }),
    { stale: ['sign-on'], done: t('domainGone') },
  )
  const unproven = (list.data?.domains ?? []).filter(({ status }) => status !== 'verified')
  return (
    <>
      <div>
        <Button kind="main" onClick={() => setMaking(true)}>
          {t('newDomain')}
        </Button>
      </div>
      <Refused error={verify.error} />
      <Rows
        of={list}
        rows={({ domains }) => domains}
        caption={t('domains')}
        rowKey={({ id: domainId }) => domainId}
        empty={<Empty title={t('noDomain')}>{t('noDomainNext')}</Empty>}
        columns={[
          { id: 'domain', head: t('domain'), primary: true, cell: ({ domain }) => domain },
          {
            id: 'status',
            head: c('status'),
            cell: ({ status }) => <Badge tone={status === 'verified' ? 'pass' : 'warning'}>{label(status)}</Badge>,
          },
          { id: 'checked', head: c('when'), cell: ({ checkedAt }) => <When at={checkedAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: ({ id: domainId, domain }) => (
              <span className="row">
                <Button aria-label={t('verifyOf', { name: domain })} onClick={() => verify.mutate(domainId)}>
                  {t('verify')}
                </Button>
                <Button
                  kind="danger"
                  aria-label={`${c('remove')}: ${domain}`}
                  onClick={() => setRemoved({ id: domainId, domain })}
                >
                  {c('remove')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {unproven.map(({ id: domainId, domain, record }) => (
        <section key={domainId} className="card stack-small">
          <h2>{`${t('record')}: ${domain}`}</h2>
          <Message>{t('recordWhy')}</Message>
          <CopyBox label={t('recordName')} text={record.name} />
          <CopyBox label={t('recordValue')} text={record.value} />
        </section>
      ))}
      {removed !== null && (
        <Deletion
          title={`${c('remove')}: ${removed.domain}`}
          submit={c('remove')}
          typed={removed.domain}
          by={remove}
          input={removed.id}
          onClose={() => setRemoved(null)}
        >
          {t('domainSure')}
        </Deletion>
      )}
      {isMaking && <NewDomain onClose={() => setMaking(false)} />}
    </>
  )
}

function NewDomain({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { id } = useSession().organization
  const [domain, setDomain] = useState('')
  const make = useWrite(
    (api, body: { domain: string }) => api.POST('/organization/{id}/domains', { params: { path: { id } }, body }),
    { stale: ['sign-on'], onDone: onClose },
  )
  return (
    <FormDialog
      title={t('newDomain')}
      submit={c('create')}
      busy={make.isPending}
      disabled={domain.trim() === ''}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate({ domain: domain.trim() })}
      onClose={onClose}
    >
      <TextField
        label={t('domain')}
        value={domain}
        autoFocus
        error={issueOf(make.error, 'domain')}
        onChange={(event) => setDomain(event.target.value)}
      />
    </FormDialog>
  )
}
