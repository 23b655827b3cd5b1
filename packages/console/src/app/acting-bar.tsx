/** Shown above every screen during an impersonation: as whom, until when, and a button that ends it. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { acting } from '../data/client.js'
import { Button } from '../ui/basics.js'
import { useFormat } from '../ui/format.js'
import { useStore } from '../ui/store.js'
import { useWords } from '../ui/words.js'
import { words } from './words.js'

export function ActingBar() {
  const t = useWords(words)
  const format = useFormat()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const as = useStore(acting)
  const was = useRef(as)
  useEffect(() => {
    const hasEnded = was.current !== null && as === null
    was.current = as
    if (!hasEnded) return
    // However the impersonation ended, nothing that was read as that person stays in the cache.
    queries.removeQueries({ queryKey: [null] })
    void navigate({ to: '/console' }).then(() => queries.resetQueries())
  }, [as, queries, navigate])
  useEffect(() => {
    if (as === null) return
    document.documentElement.dataset.acting = ''
    const timer = setTimeout(() => acting.set(null), Math.max(0, as.endsAtMs - Date.now()))
    return () => {
      delete document.documentElement.dataset.acting
      clearTimeout(timer)
    }
  }, [as])
  if (as === null) return null
  const time = format.time(as.endsAtMs)
  return (
    <div className="acting-bar" role="status">
      <span className="grow">
        <strong>{t('actingAs', { name: as.username })}</strong>{' '}
        {t(as.isReadOnly ? 'actingLooks' : 'actingDoes', { time })}
      </span>
      <Button kind="danger" onClick={() => acting.set(null)}>
        {t('actingEnd')}
      </Button>
    </div>
  )
}
