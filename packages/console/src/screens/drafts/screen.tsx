import { Page } from '../../data/page.js'
import { useCan } from '../../data/session.js'
import { oneOf, pageNumber, text, useUrlState } from '../../data/url-state.js'
import { Tabs } from '../../ui/menu.js'
import { useWords } from '../../ui/words.js'
import { History } from './history.js'
import { SettingsTab } from './settings.js'
import { words } from './words.js'
import { Write } from './write.js'

const STATE = { tab: oneOf(['write', 'history', 'settings'], 'write'), page: pageNumber(), sheet: text() }

export default function Drafts() {
  const t = useWords(words)
  const canSettle = useCan('org:settings')
  const [{ tab, page, sheet }, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={tab}
        onChange={(next) => set({ tab: next as 'write', page: 1, sheet: '' })}
        tabs={[
          { id: 'write', label: t('write'), content: () => <Write /> },
          {
            id: 'history',
            label: t('history'),
            content: () => (
              <History
                page={page}
                sheet={sheet}
                onPage={(next) => set({ page: next })}
                onClose={() => set({ sheet: '' })}
              />
            ),
          },
          ...(canSettle ? [{ id: 'settings', label: t('settings'), content: () => <SettingsTab /> }] : []),
        ]}
      />
    </Page>
  )
}
