import { Page } from '../../data/page.js'
import { oneOf, pageNumber, useUrlState } from '../../data/url-state.js'
import { Tabs } from '../../ui/menu.js'
import { useWords } from '../../ui/words.js'
import { Directory } from './directory.js'
import { Domains } from './domains.js'
import { Enforcement } from './enforcement.js'
import { Providers } from './providers.js'
import { RefusedSignIns } from './refused-sign-ins.js'
import { words } from './words.js'

const STATE = {
  tab: oneOf(['providers', 'domains', 'enforcement', 'scim', 'refused'], 'providers'),
  page: pageNumber(),
}

export default function SignOn() {
  const t = useWords(words)
  const [{ tab, page }, set] = useUrlState(STATE)
  return (
    <Page title={t('title')} question={t('question')}>
      <Tabs
        label={t('title')}
        value={tab}
        onChange={(next) => set({ tab: next as 'providers', page: 1 })}
        tabs={[
          { id: 'providers', label: t('providers'), content: () => <Providers /> },
          { id: 'domains', label: t('domains'), content: () => <Domains /> },
          { id: 'enforcement', label: t('enforcement'), content: () => <Enforcement /> },
          { id: 'scim', label: t('scim'), content: () => <Directory /> },
          {
            id: 'refused',
            label: t('refused'),
            content: () => <RefusedSignIns page={page} onPage={(next) => set({ page: next })} />,
          },
        ]}
      />
    </Page>
  )
}
