/** The state of an account, as badges. */
import type { components } from '../../data/api.js'
import { Badge } from '../../ui/basics.js'
import { useWords } from '../../ui/words.js'
import { words } from './words.js'

export function UserMarks({ of }: { of: components['schemas']['UserList'] }) {
  const t = useWords(words)
  return (
    <span className="row">
      <Badge tone={of.isActive ? 'pass' : 'plain'}>{t(of.isActive ? 'isActive' : 'isInactive')}</Badge>
      {of.isSuperAdmin && <Badge tone="accent">{t('superAdmin')}</Badge>}
      {!of.hasPassword && <Badge>{t('noPassword')}</Badge>}
      {!of.isEmailVerified && <Badge tone="warning">{t('unverified')}</Badge>}
    </span>
  )
}
