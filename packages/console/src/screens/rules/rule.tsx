/** One rule: what it requires, which entities violate it, its history, and its actions. */
import { useParams } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { type components, useOrganization, useRead, useWrite } from '../../data/api.js'
import { etagOf } from '../../data/client.js'
import { Deletion } from '../../data/deletion.js'
import { useEngineText } from '../../data/engine-text.js'
import { Go, useGo } from '../../data/go.js'
import { leavesEnforce, WhyLess } from '../../data/leaves-enforce.js'
import { Mark, ModeMark } from '../../data/marks.js'
import { useNames } from '../../data/names.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { Entries, pageOf, Rows } from '../../data/rows.js'
import { RuleChanges } from '../../data/rule-changes.js'
import { changesBetween } from '../../data/rule-diff.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Code, Facts, Prose, Tags, When } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { Tabs } from '../../ui/menu.js'
import { Empty } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { Analysis } from './analysis.js'
import { useCoverageFacts } from './coverage.js'
import { Demand } from './demand.js'
import { words } from './words.js'

type Rule = components['schemas']['Rule']
type Change = components['schemas']['RuleHistory']
const STATE = { tab: oneOf(['impact', 'history', 'analysis', 'teams', 'json'], 'impact'), page: pageNumber() }

export default function RulePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const t = useWords(words)
  const rule = useRead(['rules', 'one', id], (api) => api.GET('/compliance/rules/{id}', { params: { path: { id } } }))
  return (
    <Page
      title={rule.data?.rule.name ?? t('facts')}
      crumbs={<Go to="rules">{t('title')}</Go>}
      question={rule.data?.rule.description == null ? undefined : <Prose text={rule.data.rule.description} />}
      actions={rule.data !== undefined && <Actions of={rule.data.rule} />}
    >
      <Loaded of={rule}>{({ rule: each }) => <RuleView of={each} />}</Loaded>
    </Page>
  )
}

function RuleView({ of }: { of: Rule }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const coverage = useCoverageFacts(of.id)
  const { organization } = useSession()
  const isHandedDown = of.propagateToChildren && of.orgId === organization.id
  return (
    <>
      <section className="card">
        <Facts
          of={[
            [
              c('state'),
              <span key="s" className="row">
                {of.isActive ? <ModeMark mode={of.mode} /> : <Badge>{t('inactive')}</Badge>}
                <Mark value={of.severity} />
              </span>,
            ],
            [t('condition'), <Demand key="d" of={of} />],
            [c('target'), label(of.target)],
            [c('tags'), <Tags key="t" of={of.tags} />],
            [t('priority'), String(of.priority)],
            of.propagateToChildren ? [t('propagates'), '✓'] : null,
            of.effectiveFrom === null && of.effectiveUntil === null
              ? null
              : [
                  t('effective'),
                  <span key="e">
                    <When at={of.effectiveFrom} /> – <When at={of.effectiveUntil} />
                  </span>,
                ],
            [c('updated'), <When key="u" at={of.updatedAt} />],
            ...coverage,
            [
              t('checkLog'),
              <Go key="f" to="checks" search={{ rule: of.id }}>
                {t('checks')}
              </Go>,
            ],
          ]}
        />
      </section>
      <Tabs
        label={t('facts')}
        value={state.tab === 'teams' && !isHandedDown ? 'impact' : state.tab}
        onChange={(tab) => set({ tab: tab as 'impact' })}
        tabs={[
          { id: 'impact', label: t('impact'), content: () => <Impact ruleId={of.id} /> },
          {
            id: 'history',
            label: t('history'),
            content: () => <History of={of} page={state.page} onPage={(page) => set({ page })} />,
          },
          { id: 'analysis', label: t('analysis'), content: () => <Analysis about={of.id} /> },
          ...(isHandedDown ? [{ id: 'teams', label: t('inheritedBy'), content: () => <Heirs /> }] : []),
          { id: 'json', label: t('asJson'), content: () => <Code value={of} /> },
        ]}
      />
    </>
  )
}

/** The teams that inherit an own rule. */
function Heirs() {
  const t = useWords(words)
  const { organization } = useSession()
  const teams = useRead(['teams'], (api) =>
    api.GET('/organization/{id}/teams', { params: { path: { id: organization.id } } }),
  )
  return (
    <Rows
      of={teams}
      rows={(data) => data.teams}
      caption={t('inheritedBy')}
      rowKey={({ orgId }) => orgId}
      empty={<Empty title={t('inheritedByNone')}>{t('inheritedByNoneNext')}</Empty>}
      columns={[{ id: 'name', head: t('team'), primary: true, cell: ({ orgName }) => orgName }]}
    />
  )
}

function Impact({ ruleId }: { ruleId: string }) {
  const t = useWords(words)
  const inWords = useEngineText()
  const impact = useRead(['impact', ruleId], (api) =>
    api.POST('/compliance/subscriptions/preview/impact', { body: { ruleId } }),
  )
  return (
    <Loaded of={impact} lines={4}>
      {({ total, wouldFail, truncated, samples }) => (
        <div className="stack-small">
          <p>{wouldFail === 0 ? t('impactNone') : t('impactText', { fail: wouldFail, total })}</p>
          {truncated && <p className="muted">{t('impactCut', { total })}</p>}
          {samples.length > 0 && <h3>{t('samples')}</h3>}
          {samples.map(({ entityType, entityId, entityName, messages }) => (
            <article key={entityId} className="why" data-severity="error">
              <Go to={`${entityType}s/${entityId}`}>{entityName ?? entityId}</Go>
              {messages.map((message) => (
                <p key={message}>
                  <Prose text={inWords(message)} />
                </p>
              ))}
            </article>
          ))}
        </div>
      )}
    </Loaded>
  )
}

interface HistoryProps {
  of: Rule
  page: number
  onPage: (page: number) => void
}

function History({ of, page, onPage }: HistoryProps) {
  const t = useWords(words)
  const label = useLabel(valueWords)
  const [open, setOpen] = useState<Change | null>(null)
  const query = { ...pageOf(page), sortOrder: 'desc' as const }
  const history = useRead(
    ['rules', 'history', of.id, page],
    (api, signal) => api.GET('/compliance/rules/{id}/history', { params: { path: { id: of.id }, query }, signal }),
    { keep: true },
  )
  const name = useNames(history.data?.history.map(({ changedBy }) => changedBy) ?? [])
  return (
    <Entries
      of={history}
      rows={(data) => data.history}
      total={({ pagination }) => pagination.total}
      page={page}
      onPage={onPage}
      empty={<Empty title={t('history')} />}
    >
      {(changes) => (
        <>
          <ol className="timeline">
            {changes.map((change) => (
              <li key={change.id}>
                <div className="row">
                  <strong>{label(change.changeType)}</strong>
                  <Badge>{`v${change.version}`}</Badge>
                  <When at={change.changedAt} />
                  {change.changedBy !== null && (
                    <span className="small muted">{t('changedBy', { who: name(change.changedBy) })}</span>
                  )}
                  {change.previousState !== null && (
                    <Button kind="quiet" onClick={() => setOpen(change)}>
                      {t('wholeState')}
                    </Button>
                  )}
                </div>
              </li>
            ))}
          </ol>
          {open !== null && <Former of={of} change={open} onClose={() => setOpen(null)} />}
        </>
      )}
    </Entries>
  )
}

/** An earlier version next to the current one. Restoring it is an ordinary change with its own entry in the history. */
function Former({ of, change, onClose }: { of: Rule; change: Change; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const { organization } = useSession()
  const isMine = useCan('compliance:write') && of.orgId === organization.id
  const differences = changesBetween(change.previousState ?? {}, of)
  const [reason, setReason] = useState('')
  const isLess = differences.some(({ name, before, after }) => name === 'mode' && leavesEnforce(after, before))
  const body = {
    ...Object.fromEntries(differences.map(({ name, before }) => [name, before ?? null])),
    ...(isLess ? { reason } : {}),
  }
  const restore = useWrite(
    (api, _: null) => api.PUT('/compliance/rules/{id}', { params: { path: { id: of.id } }, body: body as never }),
    { done: c('saved'), onDone: onClose },
  )
  return (
    <Dialog kind="wide" title={t('wholeState')} subtitle={<When at={change.changedAt} />} onClose={onClose}>
      <Refused error={restore.error} />
      <RuleChanges of={differences} />
      {isMine && isLess && <WhyLess value={reason} error={restore.error} onChange={setReason} />}
      {isMine && differences.length > 0 && (
        <div className="form-actions">
          <Button
            kind="main"
            busy={restore.isPending}
            disabled={isLess && reason.trim() === ''}
            onClick={() => restore.mutate(null)}
          >
            {t('restoreThis')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Actions({ of }: { of: Rule }) {
  const t = useWords(words)
  const { organization } = useSession()
  const canWrite = useCan('compliance:write')
  const slug = useOrganization()
  const go = useGo()
  const [isRemoving, setRemoving] = useState(false)
  const path = { id: of.id }
  const turn = useWrite(
    (api, isActive: boolean) => api.PUT('/compliance/rules/{id}', { params: { path }, body: { isActive } }),
    { done: t('switched'), ifMatch: () => etagOf(`/compliance/rules/${of.id}`) },
  )
  const remove = useWrite((api, _: null) => api.DELETE('/compliance/rules/{id}', { params: { path } }), {
    done: t('removed'),
    onDone: () => go('rules', { tab: 'own' }),
  })
  if (of.orgId !== organization.id) return <Elsewhere of={of} />
  if (!canWrite) return null
  return (
    <>
      <Refused error={turn.error} />
      <Button busy={turn.isPending} onClick={() => turn.mutate(!of.isActive)}>
        {t(of.isActive ? 'turnOff' : 'turnOn')}
      </Button>
      <Button kind="danger" onClick={() => setRemoving(true)}>
        {t('remove')}
      </Button>
      <Go className="button" to={`rules/${of.id}/edit`}>
        <Pencil size={16} aria-hidden />
        {t('edit')}
      </Go>
      {isRemoving && (
        <Deletion key={slug} title={t('remove')} by={remove} input={null} onClose={() => setRemoving(false)}>
          {t('removeText')}
        </Deletion>
      )}
    </>
  )
}

/** Whose rule it is, where it is not of this organization. */
function Elsewhere({ of }: { of: Rule }) {
  const t = useWords(words)
  const { memberships } = useSession()
  const owner = memberships.find(({ organizationId }) => organizationId === of.orgId)?.name
  const isInherited = of.scope === 'org'
  return (
    <span className="muted small">
      {!isInherited
        ? t('notOwn')
        : owner === undefined
          ? t('inheritedFromParent')
          : t('inheritedFrom', { name: owner })}
    </span>
  )
}
