import { useState } from 'react'
import { type components, useRead, useWrite } from '../../data/api.js'
import { Chips } from '../../data/chips.js'
import { Go, GoHere, useGo } from '../../data/go.js'
import { leavesEnforce, WhyLess } from '../../data/leaves-enforce.js'
import { Mark, ModeMark } from '../../data/marks.js'
import { Loaded, Page } from '../../data/page.js'
import { Refused } from '../../data/refused.js'
import { optionsOf, pageOf, Rows, sent, useOpenRow } from '../../data/rows.js'
import { RuleChanges } from '../../data/rule-changes.js'
import { changesBetween } from '../../data/rule-diff.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { commonWords, valueWords } from '../../data/words.js'
import { Badge, Button, Facts, Prose, Tags } from '../../ui/basics.js'
import { Dialog } from '../../ui/dialog.js'
import { CheckField, FilterBar, Segments } from '../../ui/field.js'
import { Tabs } from '../../ui/menu.js'
import { Empty, Message } from '../../ui/states.js'
import { useLabel, useWords } from '../../ui/words.js'
import { type Chosen, ChosenRules } from './impact-of-set.js'
import { words } from './words.js'

type Published = components['schemas']['PublishedRuleRule']
type Subscription = components['schemas']['ComplianceSubscription']

/** More rules have no part of the name in common. */
const LINKED_MAX = 100
const SUBSCRIPTIONS_MAX = 1000
const SEVERITIES = ['critical', 'error', 'warning'] as const
const TARGETS = ['plugin', 'pipeline'] as const
const STATE = {
  tab: oneOf(['rules', 'mine'], 'rules'),
  q: text(),
  tag: text(),
  target: oneOf(TARGETS, ''),
  severity: oneOf(SEVERITIES, ''),
  page: pageNumber(),
  sheet: text(),
}

export default function LibraryScreen() {
  const t = useWords(words)
  const [state, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'rules' })}
        tabs={[
          { id: 'rules', label: t('rules'), content: () => <PublishedRules /> },
          { id: 'mine', label: t('mine'), content: () => <Subscriptions /> },
        ]}
      />
    </Page>
  )
}

function PublishedRules() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const filters = sent({ name: state.q, tag: state.tag, target: state.target, severity: state.severity })
  const query = { ...filters, sortBy: 'name', sortOrder: 'asc', ...pageOf(state.page) } as const
  const list = useRead(
    ['published', query],
    (api, signal) => api.GET('/compliance/published-rules', { params: { query }, signal }),
    { keep: true },
  )
  const listed = list.data?.rules.find(({ id }) => id === state.sheet)
  const linked = useLinked(state.sheet, state.sheet !== '' && listed === undefined && list.data !== undefined)
  const open = useOpenRow(state.sheet, listed ?? linked.rule)
  // A selection spans several pages, so the names of the selected rules are stored.
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const choose = (ids: ReadonlySet<string>) => {
    const known = new Map([...chosen, ...(list.data?.rules ?? [])].map(({ id, name }) => [id, { id, name }]))
    setChosen([...known.values()].filter(({ id }) => ids.has(id)))
  }
  return (
    <>
      <Chips of={[{ name: t('tag'), value: state.tag, onDrop: () => set({ tag: '' }) }]} />
      <FilterBar
        text={{ label: c('search'), value: state.q, onChange: (q) => set({ q }) }}
        filters={[
          { name: 'target', label: c('target'), value: state.target, options: optionsOf(TARGETS, label) },
          { name: 'severity', label: c('severity'), value: state.severity, options: optionsOf(SEVERITIES, label) },
        ]}
        onChange={(name, value) => set({ [name]: value })}
      />
      <Rows
        of={list}
        rows={({ rules }) => rules}
        total={({ pagination }) => pagination.total}
        caption={t('rules')}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        selection={{ selected: new Set(chosen.map(({ id }) => id)), onChange: choose }}
        page={state.page}
        onPage={(page) => set({ page })}
        onClear={Object.keys(filters).length > 0 ? () => set({ q: '', tag: '', target: '', severity: '' }) : undefined}
        empty={<Empty title={t('none')}>{t('noneNext')}</Empty>}
        columns={[
          {
            id: 'name',
            head: c('name'),
            primary: true,
            cell: ({ id, name }) => <GoHere patch={{ sheet: id }}>{name}</GoHere>,
          },
          { id: 'severity', head: c('severity'), cell: ({ severity }) => <Mark value={severity} /> },
          { id: 'target', head: c('target'), cell: ({ target }) => label(target) },
          {
            id: 'tags',
            head: c('tags'),
            cell: ({ tags }) => (
              <span className="row">
                {tags.slice(0, 3).map((tag) => (
                  <GoHere key={tag} patch={{ tag, page: '1' }} className="small">
                    {tag}
                  </GoHere>
                ))}
              </span>
            ),
          },
          {
            id: 'state',
            head: c('state'),
            cell: ({ subscribed, subscriptionActive, lockedBy }) =>
              lockedBy !== null ? (
                <Badge tone="warning">{t('locked')}</Badge>
              ) : subscribed ? (
                <Badge
                  tone={subscriptionActive ? 'pass' : 'plain'}
                >{`${t('subscribed')}${subscriptionActive ? '' : ` · ${t('inactive')}`}`}</Badge>
              ) : null,
          },
        ]}
      />
      {chosen.length > 0 && (
        <ChosenRules of={chosen} onDone={(done) => setChosen(chosen.filter(({ id }) => !done.has(id)))} />
      )}
      <Refused error={state.sheet === '' ? null : linked.error} />
      {open !== undefined && <PublishedSheet of={open} onClose={() => set({ sheet: '' })} />}
    </>
  )
}

/** A link may lead to a rule that is on another page, or that the filters hide. The list finds it by its name. */
function useLinked(id: string, enabled: boolean): { rule: Published | undefined; error: Error | null } {
  const rule = useRead(['rules', 'one', id], (api) => api.GET('/compliance/rules/{id}', { params: { path: { id } } }), {
    enabled,
  })
  const query = { name: rule.data?.rule.name ?? '', limit: LINKED_MAX }
  const found = useRead(
    ['published', 'linked', query],
    (api) => api.GET('/compliance/published-rules', { params: { query } }),
    { enabled: enabled && rule.data !== undefined },
  )
  return { rule: found.data?.rules.find((each) => each.id === id), error: rule.error ?? found.error }
}

function PublishedSheet({ of, onClose }: { of: Published; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const go = useGo()
  const canWrite = useCan('compliance:write')
  const isLocked = of.lockedBy !== null
  const impact = useRead(
    ['impact', of.id],
    (api) => api.POST('/compliance/subscriptions/preview/impact', { body: { ruleId: of.id } }),
    { enabled: !isLocked },
  )
  const subscribe = useWrite((api, ruleId: string) => api.POST('/compliance/subscriptions', { body: { ruleId } }), {
    done: t('subscribedDone', { name: of.name }),
    onDone: () => go('library', { tab: 'mine', sheet: of.id }),
  })
  const clone = useWrite((api, ruleId: string) => api.POST('/compliance/subscriptions/clone', { body: { ruleId } }), {
    done: t('cloned'),
    onDone: ({ rule }) => go(`rules/${rule.id}`),
  })
  return (
    <Dialog kind="sheet" title={of.name} subtitle={<Mark value={of.severity} />} onClose={onClose}>
      {of.description !== null && (
        <p>
          <Prose text={of.description} />
        </p>
      )}
      <Facts
        of={[
          [c('target'), label(of.target)],
          [c('tags'), <Tags key="t" of={of.tags} />],
          [t('version'), String(of.version)],
        ]}
      />
      {isLocked && (
        <Message tone="warning" title={t('locked')}>
          <Prose text={t('lockedNext', { feature: of.lockedBy ?? '' })} />
        </Message>
      )}
      {!isLocked && (
        <section className="stack-small">
          <h3>{t('impact')}</h3>
          <Loaded of={impact} lines={2}>
            {({ wouldFail, total, samples }) => (
              <>
                <p>{t('impactText', { fail: wouldFail, total })}</p>
                <p className="small muted">{t('alone')}</p>
                <ul>
                  {samples.map(({ entityId, entityName, entityType }) => (
                    <li key={entityId}>
                      <Go to={`${entityType}s/${entityId}`}>{entityName ?? entityId}</Go>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Loaded>
        </section>
      )}
      <Refused error={subscribe.error ?? clone.error} />
      {canWrite && !isLocked && (
        <div className="row">
          {!of.subscribed && (
            <Button kind="main" busy={subscribe.isPending} onClick={() => subscribe.mutate(of.id)}>
              {t('subscribe')}
            </Button>
          )}
          <Button busy={clone.isPending} onClick={() => clone.mutate(of.id)}>
            {t('clone')}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Subscriptions() {
  const t = useWords(words)
  const c = useWords(commonWords)
  const label = useLabel(valueWords)
  const [state, set] = useUrlState(STATE)
  const query = pageOf(state.page)
  const list = useRead(['subscriptions', query], (api) => api.GET('/compliance/subscriptions', { params: { query } }), {
    keep: true,
  })
  const listed = list.data?.subscriptions.find(({ ruleId }) => ruleId === state.sheet)
  // A link may lead to a subscription that is on another page.
  const all = useRead(
    ['subscriptions', 'all'],
    (api) => api.GET('/compliance/subscriptions', { params: { query: { limit: SUBSCRIPTIONS_MAX } } }),
    { enabled: state.sheet !== '' && listed === undefined && list.data !== undefined },
  )
  const canWrite = useCan('compliance:write')
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const open = useOpenRow(state.sheet, listed ?? all.data?.subscriptions.find(({ ruleId }) => ruleId === state.sheet))
  return (
    <>
      <Rows
        of={list}
        rows={({ subscriptions }) => subscriptions}
        total={({ pagination }) => pagination.total}
        caption={t('mine')}
        rowKey={({ ruleId }) => ruleId}
        rowName={({ rule }) => rule.name}
        page={state.page}
        onPage={(page) => set({ page })}
        empty={<Empty title={t('noneMine')}>{t('noneMineNext')}</Empty>}
        {...(canWrite ? { selection: { selected, onChange: select } } : {})}
        columns={[
          {
            id: 'name',
            head: c('rule'),
            primary: true,
            cell: ({ ruleId, rule }) => <GoHere patch={{ sheet: ruleId }}>{rule.name}</GoHere>,
          },
          {
            id: 'state',
            head: c('mode'),
            cell: ({ isActive, mode }) => (isActive ? <ModeMark mode={mode} /> : <Badge>{t('off')}</Badge>),
          },
          { id: 'target', head: c('target'), cell: ({ rule }) => label(rule.target) },
          {
            id: 'version',
            head: t('version'),
            cell: ({ isPinned, pinnedVersion, latestVersion }) =>
              isPinned ? (
                <Badge tone={pinnedVersion === latestVersion ? 'plain' : 'warning'}>
                  {t('pinned', { version: pinnedVersion ?? 0 })}
                </Badge>
              ) : (
                String(latestVersion)
              ),
          },
        ]}
      />
      {selected.size > 0 && <SwitchMany of={[...selected]} onDone={() => select(new Set())} />}
      <Refused error={state.sheet === '' ? null : all.error} />
      {open !== undefined && <SubscriptionSheet of={open} onClose={() => set({ sheet: '' })} />}
    </>
  )
}

const SWITCHED_MAX = 100

/** Switches the selected rules on or off, each by itself. */
function SwitchMany({ of, onDone }: { of: readonly string[]; onDone: () => void }) {
  const t = useWords(words)
  const ruleIds = of.slice(0, SWITCHED_MAX)
  const change = useWrite(
    (api, isActive: boolean) => api.POST('/compliance/subscriptions/bulk', { body: { ruleIds, isActive } }),
    { done: ({ updated, failed }) => t('switchedMany', { updated, failed }), onDone },
  )
  return (
    <>
      <Refused error={change.error} />
      <div className="selection-bar">
        <Button busy={change.isPending} onClick={() => change.mutate(true)}>
          {t('onMany', { count: ruleIds.length })}
        </Button>
        <Button busy={change.isPending} onClick={() => change.mutate(false)}>
          {t('offMany', { count: ruleIds.length })}
        </Button>
      </div>
    </>
  )
}

function SubscriptionSheet({ of, onClose }: { of: Subscription; onClose: () => void }) {
  const t = useWords(words)
  const c = useWords(commonWords)
  const canWrite = useCan('compliance:write')
  const [mode, setMode] = useState<string>(of.mode)
  const [isActive, setActive] = useState(of.isActive)
  const [reason, setReason] = useState('')
  const isLess = leavesEnforce(of.mode, mode)
  const params = { path: { ruleId: of.ruleId } }
  const change = useWrite(
    (api, body: components['schemas']['ComplianceSubscriptionActivateBody']) =>
      api.PATCH('/compliance/subscriptions/{ruleId}', { params, body }),
    { done: t('changed') },
  )
  const pin = useWrite(
    (api, isPinned: boolean) =>
      isPinned
        ? (api.DELETE('/compliance/subscriptions/{ruleId}/pin', { params }) as never)
        : api.POST('/compliance/subscriptions/{ruleId}/pin', { params }),
    { done: t('changed') },
  )
  const end = useWrite((api, _: null) => api.DELETE('/compliance/subscriptions/{ruleId}', { params }), {
    done: t('ended'),
    onDone: onClose,
  })
  return (
    <Dialog kind="sheet" title={of.rule.name} subtitle={<Mark value={of.rule.severity} />} onClose={onClose}>
      {of.rule.description !== null && (
        <p>
          <Prose text={of.rule.description} />
        </p>
      )}
      <Refused error={change.error ?? pin.error ?? end.error} />
      {canWrite ? (
        <>
          <CheckField label={t('on')} checked={isActive} onChange={setActive} />
          <Segments
            label={c('mode')}
            value={mode}
            options={[
              ['observe', t('observe')],
              ['warn', t('warn')],
              ['enforce', t('enforce')],
            ]}
            onChange={setMode}
          />
          {isLess && <WhyLess value={reason} error={change.error} onChange={setReason} />}
          <div className="row">
            <Button
              kind="main"
              busy={change.isPending}
              disabled={isLess && reason.trim() === ''}
              onClick={() => change.mutate({ isActive, mode: mode as 'warn', ...(isLess ? { reason } : {}) })}
            >
              {c('save')}
            </Button>
            <Button busy={pin.isPending} onClick={() => pin.mutate(of.isPinned)}>
              {t(of.isPinned ? 'unpin' : 'pin')}
            </Button>
            <Button kind="danger" busy={end.isPending} onClick={() => end.mutate(null)}>
              {t('unsubscribe')}
            </Button>
          </div>
        </>
      ) : (
        <p className="muted">{c('mayNot')}</p>
      )}
      {of.isPinned && <p className="muted">{t('newest', { version: of.latestVersion })}</p>}
      {of.isPinned && of.pinnedVersion !== of.latestVersion && <Newer than={of.rule} />}
      <Go to={`rules/${of.ruleId}`}>{c('rule')}</Go>
    </Dialog>
  )
}

/** What changes when the subscription follows the newest version of its rule. */
function Newer({ than }: { than: Subscription['rule'] }) {
  const t = useWords(words)
  const newest = useRead(['rules', 'one', than.id], (api) =>
    api.GET('/compliance/rules/{id}', { params: { path: { id: than.id } } }),
  )
  return (
    <section className="stack-small">
      <h3>{t('newer')}</h3>
      <Loaded of={newest} lines={3}>
        {({ rule }) => <RuleChanges of={changesBetween(than, rule)} />}
      </Loaded>
    </section>
  )
}
