/**
 * Whether events arrive, what waits, and the sources that send them. The secret of a source is shown once; its
 * deliveries are listed.
 */
import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Loaded } from '../../data/page.js'
import { PickPipeline } from '../../data/pick.js'
import { issueOf, Refused } from '../../data/refused.js'
import { pageOf, Rows } from '../../data/rows.js'
import { useCan } from '../../data/session.js'
import { commonWords } from '../../data/words.js'
import { Badge, Button, CopyBox, Facts, Prose, type Tone, When } from '../../ui/basics.js'
import { Confirm, Dialog, FormDialog } from '../../ui/dialog.js'
import { SelectField, TextField } from '../../ui/field.js'
import { useFormat } from '../../ui/format.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { useReportLabel } from './data.js'
import { words } from './words.js'
import { stepWords } from './words-steps.js'

type Source = components['schemas']['Source']
const FORMATS = [
  'github',
  'gitlab',
  'cdevents',
  'otlp',
  'alertmanager',
  'pagerduty',
  'datadog',
  'opsgenie',
] as const satisfies readonly Source['format'][]

export function SourcesTab() {
  const t = useWords(words)
  const canManage = useCan('org:settings')
  return (
    <>
      <Health />
      {canManage ? (
        <SourceList />
      ) : (
        <p className="muted">
          <Prose text={t('mayNotSources')} />
        </p>
      )}
    </>
  )
}

const FLOW: Readonly<Record<string, readonly [Tone, 'flowing' | 'staleFlow' | 'dropping' | 'never']>> = {
  flowing: ['pass', 'flowing'],
  stale: ['warning', 'staleFlow'],
  dropping: ['critical', 'dropping'],
  never: ['plain', 'never'],
}

function Health() {
  const t = useWords(words)
  const step = useLabel(stepWords)
  const label = useReportLabel()
  const format = useFormat()
  const health = useRead(['reports', 'health'], (api) => api.GET('/reports/ingest-health'))
  const parked = useRead(['reports', 'parked'], (api) => api.GET('/reports/parked'), { aside: true })
  const seconds = (value: number | null) => (value === null ? '–' : format.duration(value * 1000))
  return (
    <Loaded of={health}>
      {(of) => {
        const [tone, title] = FLOW[of.status] ?? (['plain', 'never'] as const)
        return (
          <section className="card stack">
            <Message tone={tone} title={t(title)}>
              {of.advice !== null && <Prose text={step(of.advice)} />}
            </Message>
            <Facts
              of={[
                [t('lastEvent'), <When key="e" at={of.lastEventAt} relative />],
                [t('lastReceived'), <When key="r" at={of.lastReceivedAt} relative />],
                [t('lag'), `${seconds(of.lag.p50Seconds)}, ${seconds(of.lag.p95Seconds)}`],
                ...Object.entries(of.skipped).map(
                  ([reason, count]) => [`${t('skipped')}: ${label(reason)}`, format.number(count)] as const,
                ),
              ]}
            />
            {(parked.data?.parked ?? []).length > 0 && (
              <Message tone="warning" title={t('parked')}>
                <ul>
                  {parked.data?.parked.map(({ pipelineRef, events, goesAt, nextStep }) => (
                    <li key={pipelineRef}>
                      {t('parkedLine', { name: pipelineRef, count: events, date: format.date(goesAt) })}{' '}
                      <Prose text={nextStep} />
                    </li>
                  ))}
                </ul>
              </Message>
            )}
          </section>
        )
      }}
    </Loaded>
  )
}

type Open = { kind: 'new' } | { kind: 'remove' | 'rotate' | 'deliveries'; of: Source }

function SourceList() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const list = useRead(['reports', 'sources'], (api) => api.GET('/reports/sources'))
  const change = useWrite(
    (api, { id, enabled }: { id: string; enabled: boolean }) =>
      api.PUT('/reports/sources/{id}', { params: { path: { id } }, body: { enabled } }),
    { stale: ['reports'], done: t('sourceSaved') },
  )
  return (
    <section className="stack-small">
      <div className="row-between">
        <h2>{t('ingest')}</h2>
        <Button kind="main" onClick={() => setOpen({ kind: 'new' })}>
          {t('newSource')}
        </Button>
      </div>
      <Refused error={change.error} />
      <Rows
        of={list}
        rows={({ sources }) => sources}
        caption={t('ingest')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noSource')}>{t('noSourceNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ name, enabled }) => (
              <span className="row">
                {name}
                {!enabled && <Badge tone="warning">{t('disabled')}</Badge>}
              </span>
            ),
          },
          { id: 'format', head: t('format'), cell: ({ format: of }) => <code>{of}</code> },
          { id: 'last', head: t('lastDelivery'), cell: ({ lastDeliveryAt }) => <When at={lastDeliveryAt} relative /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (of) => (
              <span className="row">
                <Button
                  aria-label={t('deliveriesOf', { name: of.name })}
                  onClick={() => setOpen({ kind: 'deliveries', of })}
                >
                  {t('deliveries')}
                </Button>
                <Button onClick={() => change.mutate({ id: of.id, enabled: !of.enabled })}>
                  {t(of.enabled ? 'disable' : 'enable')}
                </Button>
                <Button onClick={() => setOpen({ kind: 'rotate', of })}>{t('rotate')}</Button>
                <Button
                  kind="danger"
                  aria-label={`${c('remove')}: ${of.name}`}
                  onClick={() => setOpen({ kind: 'remove', of })}
                >
                  {c('remove')}
                </Button>
              </span>
            ),
          },
        ]}
      />
      {open?.kind === 'new' && <NewSource onClose={close} />}
      {open?.kind === 'remove' && <RemoveSource of={open.of} onClose={close} />}
      {open?.kind === 'rotate' && <Rotate of={open.of} onClose={close} />}
      {open?.kind === 'deliveries' && <Deliveries of={open.of} onClose={close} />}
    </section>
  )
}

function NewSource({ onClose }: { onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [name, setName] = useState('')
  const [format, setFormat] = useState<Source['format']>('github')
  const [pipeline, setPipeline] = useState('')
  const make = useWrite(
    (api, body: components['schemas']['SourceCreateBody']) => api.POST('/reports/sources', { body }),
    { stale: ['reports'] },
  )
  if (make.data !== undefined) return <Shown of={make.data} onClose={onClose} />
  const mapping = pipeline === '' ? {} : { mapping: { '*': pipeline } }
  return (
    <FormDialog
      title={t('newSource')}
      submit={c('create')}
      busy={make.isPending}
      disabled={name.trim() === ''}
      problem={<Refused error={make.error} />}
      onSubmit={() => make.mutate({ name: name.trim(), format, ...mapping })}
      onClose={onClose}
    >
      <TextField
        label={c('name')}
        value={name}
        autoFocus
        error={issueOf(make.error, 'name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={t('format')}
        value={format}
        options={FORMATS.map((each) => [each, each] as const)}
        onChange={(next) => setFormat(next as Source['format'])}
      />
      <PickPipeline label={t('mapping')} none={t('asNamed')} value={pipeline} onChange={setPipeline} />
    </FormDialog>
  )
}

function Shown({ of, onClose }: { of: components['schemas']['SourceCreateAnswer']; onClose: () => void }) {
  const t = useWords(words)
  return (
    <Dialog kind="wide" title={of.source.name} onClose={onClose} keep>
      <Message tone="warning">{t('once')}</Message>
      <CopyBox label={t('secret')} text={of.secret} />
      <CopyBox label={t('address')} text={of.source.url} />
      <section className="stack-small">
        <h3>{t('steps')}</h3>
        <ol>
          {of.steps.map((step) => (
            <li key={step} className="anywhere">
              <Prose text={step} />
            </li>
          ))}
        </ol>
      </section>
    </Dialog>
  )
}

function Rotate({ of, onClose }: { of: Source; onClose: () => void }) {
  const t = useWords(words)
  const rotate = useWrite((api, id: string) => api.POST('/reports/sources/{id}/rotate', { params: { path: { id } } }), {
    stale: ['reports'],
  })
  if (rotate.data !== undefined) return <Shown of={rotate.data} onClose={onClose} />
  return (
    <Confirm
      title={t('rotate')}
      submit={t('rotate')}
      busy={rotate.isPending}
      problem={<Refused error={rotate.error} />}
      onConfirm={() => rotate.mutate(of.id)}
      onClose={onClose}
    >
      <p>{t('rotateWhy')}</p>
    </Confirm>
  )
}

function RemoveSource({ of, onClose }: { of: Source; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const remove = useWrite((api, id: string) => api.DELETE('/reports/sources/{id}', { params: { path: { id } } }), {
    stale: ['reports'],
    done: t('sourceGone'),
    onDone: onClose,
  })
  return (
    <Confirm
      title={c('remove')}
      subtitle={of.name}
      submit={c('remove')}
      danger
      busy={remove.isPending}
      problem={<Refused error={remove.error} />}
      onConfirm={() => remove.mutate(of.id)}
      onClose={onClose}
    >
      <p>{t('removeSure')}</p>
    </Confirm>
  )
}

function Deliveries({ of, onClose }: { of: Source; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const [page, setPage] = useState(1)
  const path = { id: of.id }
  const query = pageOf(page)
  const list = useRead(
    ['reports', 'source-deliveries', of.id, page],
    (api) => api.GET('/reports/sources/{id}/deliveries', { params: { path, query } }),
    { keep: true },
  )
  return (
    <Dialog kind="sheet" title={t('deliveriesOf', { name: of.name })} onClose={onClose}>
      <Facts
        of={[
          [
            t('address'),
            <code key="a" className="anywhere">
              {of.url}
            </code>,
          ],
          [t('format'), of.format],
        ]}
      />
      <Rows
        of={list}
        rows={({ deliveries }) => deliveries}
        total={({ pagination }) => pagination.total}
        page={page}
        onPage={setPage}
        caption={t('deliveries')}
        rowKey={({ id }) => id}
        empty={<Empty title={t('noDelivery')} />}
        columns={[
          { id: 'type', head: c('target'), primary: true, cell: ({ type }) => <code>{type}</code> },
          { id: 'at', head: c('when'), cell: ({ receivedAt }) => <When at={receivedAt} /> },
          {
            id: 'in',
            head: t('taken'),
            end: true,
            cell: ({ inserted, incidents, commits }) => inserted + incidents + commits,
          },
          { id: 'out', head: t('skipped'), end: true, cell: ({ skipped, parked }) => skipped + parked },
          { id: 'note', head: t('note'), cell: ({ note }) => note ?? '–' },
        ]}
      />
    </Dialog>
  )
}
