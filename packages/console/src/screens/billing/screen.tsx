import { useRead } from '../../data/api.js'
import { Loaded, Page } from '../../data/page.js'
import { useCan, useSession } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { Prose } from '../../ui/basics.js'
import { Tabs } from '../../ui/menu.js'
import { Message } from '../../ui/states.js'
import { useWords } from '../../ui/words.js'
import { AddonsTab } from './addons.js'
import { AlertsTab } from './alerts.js'
import { CreditTab } from './credit.js'
import { useSubscription } from './data.js'
import { EVENT_TYPES, EventsTab } from './events.js'
import { InvoicesTab } from './invoices.js'
import { PlanTab } from './plan.js'
import { UsageTab } from './usage.js'
import { Waits } from './waits.js'
import { words } from './words.js'

const STATE = {
  tab: oneOf(['plan', 'addons', 'invoices', 'credit', 'usage', 'alerts', 'events'], 'plan'),
  type: oneOf(EVENT_TYPES, ''),
  page: pageNumber(),
  sheet: text(),
}

export default function Billing() {
  const t = useWords(words)
  const config = useRead(['billing', 'config'], (api) => api.GET('/billing/config'))
  return (
    <Page title={t('title')} question={t('question')}>
      <Loaded of={config}>{({ provider }) => <Parts provider={provider} />}</Loaded>
    </Page>
  )
}

function Parts({ provider }: { provider: string }) {
  const t = useWords(words)
  const canManage = useCan('billing:manage')
  const { organization } = useSession()
  const [state, set] = useUrlState(STATE)
  const subscription = useSubscription()
  const paging = { page: state.page, onPage: (page: number) => set({ page }) }
  const held = subscription.data?.subscription ?? null
  return (
    <>
      {held !== null && <Waits of={held} />}
      {provider === 'marketplace' && <Message>{t('marketplace')}</Message>}
      {subscription.data?.sandbox === true && <Message tone="accent" title={t('sandbox')} />}
      {!canManage && (
        <p className="muted">
          <Prose text={t('mayNot')} />
        </p>
      )}
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'plan', sheet: '', type: '' })}
        tabs={[
          {
            id: 'plan',
            label: t('plan'),
            content: () => <PlanTab tier={organization.tier} isSold={provider !== 'marketplace'} />,
          },
          { id: 'addons', label: t('addons'), content: () => <AddonsTab /> },
          {
            id: 'invoices',
            label: t('invoices'),
            content: () => <InvoicesTab {...paging} sheet={state.sheet} onClose={() => set({ sheet: '' })} />,
          },
          { id: 'credit', label: t('money'), content: () => <CreditTab {...paging} /> },
          { id: 'usage', label: t('usage'), content: () => <UsageTab /> },
          { id: 'alerts', label: t('alerts'), content: () => <AlertsTab {...paging} /> },
          {
            id: 'events',
            label: t('events'),
            content: () => <EventsTab type={state.type} page={state.page} onChange={set} />,
          },
        ]}
      />
      {provider === 'stub' && <p className="small muted">{t('trialProvider')}</p>}
    </>
  )
}
