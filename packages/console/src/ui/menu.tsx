/**
 * Menus and tabs. Their code loads after the first paint. Until then a placeholder with the same look takes their
 * place.
 */
import { lazy, Suspense, useState } from 'react'
import type { ActionMenuProps, TabsProps } from './menu-types.js'
import { arriving } from './part.js'

type Parts = typeof import('./ariakit.js')

let loaded: Parts | null = null

const load = () =>
  arriving(async () => {
    loaded = await import('./ariakit.js')
    return loaded
  })
const LazyMenu = lazy(async () => ({ default: (await load()).AriakitMenu }))
const LazyTabs = lazy(async () => ({ default: (await load()).AriakitTabs }))

/**
 * The parts if they were there when this component was first shown. React replaces a placeholder after 300 ms at the
 * earliest, so there is none where none is needed. What began with a placeholder stays as it is, with its state.
 */
const useLoaded = () => useState(() => loaded)[0]

/** A button that opens choices. `null` draws a line between them. */
export function ActionMenu(props: ActionMenuProps) {
  const face = (
    <button type="button" className="button" data-kind="quiet" aria-label={props.label} aria-disabled>
      {props.face}
    </button>
  )
  const parts = useLoaded()
  if (parts !== null) return <parts.AriakitMenu {...props} />
  return (
    <Suspense fallback={face}>
      <LazyMenu {...props} />
    </Suspense>
  )
}

export function Tabs(props: TabsProps) {
  const placeholder = (
    <div className="tabs" aria-busy>
      {props.tabs[0]?.label}
    </div>
  )
  const parts = useLoaded()
  if (parts !== null) return <parts.AriakitTabs {...props} />
  return (
    <Suspense fallback={placeholder}>
      <LazyTabs {...props} />
    </Suspense>
  )
}
