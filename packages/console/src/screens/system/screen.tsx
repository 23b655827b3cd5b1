/** The screen of system administrators: people, organizations, limits, background work. */
import { Page } from '../../data/page.js'
import { oneOf, useUrlState } from '../../data/url-state.js'
import { Tabs } from '../../ui/menu.js'
import { useWords } from '../../ui/words.js'
import { Organizations } from './organizations.js'
import { Risk } from './risk.js'
import { Standing } from './standing.js'
import { Users } from './users.js'
import { words } from './words.js'

const STATE = { tab: oneOf(['overview', 'users', 'organizations', 'risk'], 'overview') }

export default function System() {
  const t = useWords(words)
  const [state, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={state.tab}
        onChange={(tab) => set({ tab: tab as 'users' })}
        tabs={[
          { id: 'overview', label: t('overview'), content: () => <Standing /> },
          { id: 'users', label: t('users'), content: () => <Users /> },
          { id: 'organizations', label: t('organizations'), content: () => <Organizations /> },
          { id: 'risk', label: t('risk'), content: () => <Risk /> },
        ]}
      />
    </Page>
  )
}
