/** The organizations of the server: their tier, limits set by hand, and restoring deleted ones. */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { QUOTA_KINDS, type QuotaKind } from '../../data/quota-kinds.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows, sent } from '../../data/rows.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords } from '../../data/words.js'
import { quotaWords } from '../../data/words-quota.js'
import { Badge, Button, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { CheckField, FilterBar, SelectField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

type Organization = components['schemas']['Organization']
type Quota = components['schemas']['Quota']
const TIERS = ['developer', 'pro', 'team', 'enterprise', 'unlimited'] as const
const STATE = {
  q: text(),
  tier: oneOf(TIERS, ''),
  deleted: oneOf(['1'], ''),
  page: pageNumber(),
}

export function Organizations() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [state, set] = useUrlState(STATE)
  const [open, setOpen] = useState<Organization | null>(null)
  const query = {
    ...sent({ search: state.q, tier: state.tier }),
    ...(state.deleted === '' ? {} : { includeDeleted: true }),
    ...pageOf(state.page),
    sortBy: 'name',
    sortOrder: 'asc',
  } as const
  const list = useRead(
    ['system', 'organizations', query],
    (api, signal) => api.GET('/organizations', { params: { query }, signal }),
    { keep: true },
  )
  const restore = useWrite((api, id: string) => api.POST('/organization/{id}/restore', { params: { path: { id } } }), {
    stale: ['system'],
    done: t('restored'),
  })
  const isFiltered = state.q !== '' || state.tier !== ''
  return (
    <>
      <FilterBar
        text={{ label: t('searchOrganization'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'tier', label: t('tier'), value: state.tier, options: TIERS.map((tier) => [tier, tier] as const) },
        ]}
        onChange={(_, value) => set({ tier: value as 'pro' })}
      >
        <CheckField
          label={t('withDeleted')}
          checked={state.deleted !== ''}
          onChange={(isOn) => set({ deleted: isOn ? '1' : '' })}
        />
      </FilterBar>
      <Refused error={restore.error} />
      <Rows
        of={list}
        rows={({ organizations }) => organizations}
        total={({ pagination }) => pagination.total}
        page={state.page}
        onPage={(page) => set({ page })}
        caption={t('organizations')}
        rowKey={({ id }) => id}
        onClear={isFiltered ? () => set({ q: '', tier: '' }) : undefined}
        empty={<Empty title={t('noOrganization')} />}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ name, slug }) => (
              <>
                <div className="strong anywhere">{name}</div>
                <div className="small muted">{slug}</div>
              </>
            ),
          },
          { id: 'tier', head: t('tier'), cell: ({ tier }) => tier },
          { id: 'members', head: t('members'), end: true, cell: ({ memberCount }) => String(memberCount) },
          { id: 'state', head: c('state'), cell: (of) => <Marks of={of} /> },
          { id: 'made', head: c('created'), cell: ({ createdAt }) => <When at={createdAt} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) =>
              of.deletedAt !== null ? (
                <Button busy={restore.isPending} onClick={() => restore.mutate(of.id)}>
                  {c('restore')}
                </Button>
              ) : of.isTeam || of.isSystem ? null : (
                <Button aria-label={`${t('setTier')}: ${of.name}`} onClick={() => setOpen(of)}>
                  {t('setTier')}
                </Button>
              ),
          },
        ]}
      />
      {open !== null && <Limits of={open} onClose={() => setOpen(null)} />}
    </>
  )
}

function Marks({ of }: { of: Organization }) {
  const t = useWords(words)
  const format = useFormat()
  return (
    <span className="row">
      <Badge>{t(of.isSystem ? 'system' : of.isTeam ? 'team' : 'account')}</Badge>
      {of.deletedAt !== null && <Badge tone="critical">{t('deleted')}</Badge>}
      {of.purgeAfter !== null && (
        <span className="small muted">{t('keptUntil', { date: format.date(of.purgeAfter) })}</span>
      )}
    </span>
  )
}

function Limits({ of, onClose }: { of: Organization; onClose: () => void }) {
  const t = useWords(words)
  const quota = useRead(['system', 'quota', of.id], (api) =>
    api.GET('/quotas/{orgId}', { params: { path: { orgId: of.id } } }),
  )
  return (
    <Dialog kind="sheet" title={t('setTier')} subtitle={of.name} onClose={onClose} keep>
      <Loaded of={quota}>{({ quota: now }) => <LimitsForm of={now} onDone={onClose} />}</Loaded>
    </Dialog>
  )
}

const shown = (override: number | null): string => (override === null ? '' : String(override))

function LimitsForm({ of, onDone }: { of: Quota; onDone: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const q = useWords(quotaWords)
  const format = useFormat()
  const [tier, setTier] = useState<string>(of.tier)
  const [isForced, setForced] = useState(false)
  const [limits, setLimits] = useState(
    () =>
      Object.fromEntries(QUOTA_KINDS.map((kind) => [kind, shown(of.quotas[kind].override)])) as Record<
        QuotaKind,
        string
      >,
  )
  const save = useWrite(
    (api, body: components['schemas']['QuotaUpdateBody']) =>
      api.PUT('/quotas/{orgId}', { params: { path: { orgId: of.orgId } }, body }),
    { stale: ['system', 'quotas'], done: t('tierSet'), onDone },
  )
  const changed = QUOTA_KINDS.filter((kind) => limits[kind].trim() !== shown(of.quotas[kind].override))
  const send = () =>
    save.mutate({
      ...(tier === of.tier ? {} : { tier: tier as Quota['tier'] }),
      ...(changed.length === 0
        ? {}
        : {
            quotas: Object.fromEntries(
              changed.map((kind) => [kind, limits[kind].trim() === '' ? null : Number(limits[kind])]),
            ),
          }),
      ...(isForced ? { force: true } : {}),
    })
  const show = (kind: QuotaKind, value: number) =>
    kind === 'storageBytes' ? format.bytes(value) : format.number(value)
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <SelectField label={t('tier')} value={tier} options={TIERS.map((each) => [each, each])} onChange={setTier} />
      <p className="muted">{t('limitsNote')}</p>
      {QUOTA_KINDS.map((kind) => {
        const { used, limit, unlimited } = of.quotas[kind]
        return (
          <TextField
            key={kind}
            label={q(kind)}
            hint={
              unlimited
                ? t('limitOpen', { used: show(kind, used) })
                : t('limitNow', { used: show(kind, used), limit: show(kind, limit) })
            }
            type="number"
            min={-1}
            step={1}
            value={limits[kind]}
            error={issueOf(save.error, `quotas/${kind}`)}
            onChange={(event) => setLimits({ ...limits, [kind]: event.target.value })}
          />
        )
      })}
      <CheckField label={t('force')} checked={isForced} onChange={setForced} />
      <Refused error={save.error} />
      <div className="form-actions">
        <Button onClick={onDone}>{c('done')}</Button>
        <Button type="submit" kind="main" busy={save.isPending} disabled={changed.length === 0 && tier === of.tier}>
          {c('save')}
        </Button>
      </div>
    </form>
  )
}
