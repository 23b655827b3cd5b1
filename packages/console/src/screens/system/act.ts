/**
 * Starts an impersonation: drops everything that was read as the administrator, and opens the organization of the other
 * person.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type components, useWrite } from '../../data/api.js'
import { acting } from '../../data/client.js'
import { screenPath } from '../../data/go.js'

export function useActing(of: components['schemas']['User']) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return useWrite(
    (api, body: components['schemas']['UserImpersonateBody']) =>
      api.POST('/admin/impersonate/{userId}', { params: { path: { userId: of.id } }, body }),
    {
      stale: [],
      onDone({ accessToken, expiresIn, readOnly }) {
        const home = of.memberships.find(({ isActive }) => isActive)
        const endsAtMs = Date.now() + expiresIn * 1000
        acting.set({ token: accessToken, username: of.username, endsAtMs, isReadOnly: readOnly })
        // Leaves this screen first, because the other person may not read its data.
        void navigate({ to: home === undefined ? '/console' : (screenPath(home.slug, 'overview') as string) }).then(
          () => queries.resetQueries(),
        )
      },
    },
  )
}
