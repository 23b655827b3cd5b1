/** Keys of providers, which can be set and are never shown, and the monthly budget. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Deletion } from '../../data/deletion.js'
import { useEdits } from '../../data/edits.js'
import { Loaded } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button } from '../../ui/basics.js'
import { centsOf } from '../../ui/cents.js'
import { Progress } from '../../ui/charts.js'
import { FormDialog } from '../../ui/dialog.js'
import { CheckField, TextField } from '../../ui/field.js'
import { decimalCents, useFormat } from '../../ui/format.js'
import { DataTable } from '../../ui/table.js'
import { useWords } from '../../ui/words.js'
import { centsOfMicro, microOfCents, microUsd } from './money.js'
import { words } from './words.js'

type Config = components['schemas']['AiConfig']
type Body = components['schemas']['AiConfigUpdateBody']
const PATH = '/organization/ai-config'

export function SettingsTab() {
  const config = useRead(['drafts', 'config'], (api) => api.GET('/organization/ai-config'))
  return (
    <Loaded of={config}>
      {({ config: of }) => (
        <>
          <Budget of={of} />
          <Keys of={of} />
        </>
      )}
    </Loaded>
  )
}

function Budget({ of }: { of: Config }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const format = useFormat()
  const { form, changes, edit, settle } = useEdits({
    tokens: of.monthlyTokens === null ? '' : String(of.monthlyTokens),
    dollars: of.monthlyMicroUsd === null ? '' : decimalCents(centsOfMicro(of.monthlyMicroUsd)),
    previews: of.previews,
    shareRules: of.shareRules,
    keepPrompts: of.keepPrompts,
  })
  const { tokens, dollars } = form
  const save = useWrite((api, body: Body) => api.PUT('/organization/ai-config', { body }), {
    stale: ['drafts'],
    done: t('settingsSaved'),
    ifMatch: () => etagOf(PATH),
  })
  const cents = dollars.trim() === '' ? null : centsOf(dollars)
  const isWrong = (dollars.trim() !== '' && cents === null) || !/^\d{0,12}$/.test(tokens)
  const submit = () => {
    const { tokens: _tokens, dollars: _dollars, ...flags } = changes
    const body: Body = {
      ...flags,
      ...('tokens' in changes ? { monthlyTokens: tokens === '' ? null : Number(tokens) } : {}),
      ...('dollars' in changes ? { monthlyMicroUsd: cents === null ? null : microOfCents(cents) } : {}),
    }
    save.mutate(body, { onSuccess: () => settle(changes) })
  }
  const limitOf = (value: number | null, show: (value: number) => string) =>
    value === null ? t('noLimit') : show(value)
  return (
    <form
      className="form card"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) submit()
      }}
    >
      <h2>{t('budget', { month: of.spend.month })}</h2>
      <p>
        {t('spentTokens', {
          spent: format.number(of.spend.tokens.spent),
          limit: limitOf(of.monthlyTokens, format.number),
        })}
        {' · '}
        {t('spentMoney', {
          spent: microUsd(of.spend.microUsd.spent, format),
          limit: limitOf(of.monthlyMicroUsd, (value) => format.money(centsOfMicro(value))),
        })}
      </p>
      {of.monthlyTokens !== null && (
        <Progress label={t('tokens')} value={of.spend.tokens.spent} max={Math.max(1, of.monthlyTokens)} />
      )}
      <div className="form-row">
        <TextField
          label={t('limitTokens')}
          inputMode="numeric"
          value={tokens}
          onChange={(event) => edit({ tokens: event.target.value })}
        />
        <TextField
          label={t('limitDollars')}
          inputMode="decimal"
          value={dollars}
          onChange={(event) => edit({ dollars: event.target.value })}
        />
      </div>
      {(['previews', 'shareRules', 'keepPrompts'] as const).map((name) => (
        <CheckField key={name} label={t(name)} checked={form[name]} onChange={(isOn) => edit({ [name]: isOn })} />
      ))}
      <Refused error={save.error} />
      <div className="form-actions">
        <Button type="submit" kind="main" busy={save.isPending} disabled={isWrong}>
          {c('save')}
        </Button>
      </div>
    </form>
  )
}

function Keys({ of }: { of: Config }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [edited, setEdited] = useState<{ id: string; name: string } | null>(null)
  const [dropped, setDropped] = useState<{ id: string; name: string } | null>(null)
  const providers = useRead(['drafts', 'providers'], (api) => api.GET('/pipelines/providers'), { aside: true })
  const hintOf = (id: string) => of.keys.find(({ provider }) => provider === id)?.hint
  const drop = useWrite((api, id: string) => api.PUT('/organization/ai-config', { body: { [id]: '' } as Body }), {
    stale: ['drafts'],
    done: t('keySet'),
    ifMatch: () => etagOf(PATH),
  })
  return (
    <section className="stack-small">
      <h2>{t('keys')}</h2>
      <DataTable
        rows={providers.error === null ? providers.data?.providers.filter(({ id }) => id !== 'fake') : []}
        caption={t('keys')}
        rowKey={({ id }) => id}
        empty={null}
        columns={[
          { id: 'name', head: t('provider'), primary: true, cell: ({ name }) => name },
          {
            id: 'key',
            head: t('from'),
            cell: ({ id, keySource }) => (
              <span className="row">
                <Badge tone={keySource === 'none' ? 'plain' : 'pass'}>
                  {t(keySource === 'none' ? 'noKey' : keySource)}
                </Badge>
                {hintOf(id) !== undefined && <code>{`…${hintOf(id)}`}</code>}
              </span>
            ),
          },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (each) => (
              <span className="row">
                <Button aria-label={t('setKeyOf', { name: each.name })} onClick={() => setEdited(each)}>
                  {t('setKey')}
                </Button>
                {hintOf(each.id) !== undefined && (
                  <Button kind="danger" onClick={() => setDropped(each)}>
                    {t('dropKey', { name: each.name })}
                  </Button>
                )}
              </span>
            ),
          },
        ]}
      />
      {dropped !== null && (
        <Deletion
          title={t('dropKey', { name: dropped.name })}
          submit={c('remove')}
          by={drop}
          input={dropped.id}
          onClose={() => setDropped(null)}
        >
          {t('keySure')}
        </Deletion>
      )}
      {edited !== null && <SetKey of={edited} onClose={() => setEdited(null)} />}
    </section>
  )
}

function SetKey({ of, onClose }: { of: { id: string; name: string }; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [key, setKey] = useState('')
  const [seen] = useState(() => etagOf(PATH))
  const save = useWrite((api, body: Body) => api.PUT('/organization/ai-config', { body }), {
    stale: ['drafts'],
    done: t('keySet'),
    ifMatch: () => seen,
    onDone: onClose,
  })
  return (
    <FormDialog
      title={t('setKeyOf', { name: of.name })}
      submit={c('save')}
      busy={save.isPending}
      disabled={key.trim() === ''}
      problem={<Refused error={save.error} />}
      onSubmit={() => save.mutate({ [of.id]: key.trim() } as Body)}
      onClose={onClose}
    >
      <TextField
        label={t('key')}
        type="password"
        autoComplete="off"
        hint={t('keyWhy')}
        value={key}
        autoFocus
        onChange={(event) => setKey(event.target.value)}
      />
    </FormDialog>
  )
}
