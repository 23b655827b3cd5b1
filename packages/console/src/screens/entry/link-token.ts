/** The secret of a link in an e-mail. */
import { useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

export const useSearchText = (name: string): string => {
  const search = useSearch({ strict: false }) as Readonly<Record<string, string>>
  return search[name] ?? ''
}

/**
 * Removes the secret from the address as soon as it is read, so that the browser history does not keep it. The page
 * keeps it in memory alone: after a reload, the person opens the link again.
 */
export function useLinkToken(): string {
  const fromAddress = useSearchText('token')
  const [token] = useState(fromAddress)
  useEffect(() => {
    if (fromAddress !== '') history.replaceState(history.state, '', location.pathname)
  }, [fromAddress])
  return token
}
