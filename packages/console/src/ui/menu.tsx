/**
 * Menus and tabs. Their code loads after the first paint. Until then a placeholder with the same look takes their
 * place.
 */
import { lazy, Suspense } from 'react'
import type { ActionMenuProps, TabsProps } from './menu-types.js'
import { arriving } from './part.js'

const AriakitMenu = lazy(() => arriving(() => import('./ariakit.js').then(({ AriakitMenu: it }) => ({ default: it }))))
const AriakitTabs = lazy(() => arriving(() => import('./ariakit.js').then(({ AriakitTabs: it }) => ({ default: it }))))

/** A button that opens choices. `null` draws a line between them. */
export function ActionMenu(props: ActionMenuProps) {
  const face = (
    <button type="button" className="button" data-kind="quiet" aria-label={props.label} aria-disabled>
      {props.face}
    </button>
  )
  return (
    <Suspense fallback={face}>
      <AriakitMenu {...props} />
    </Suspense>
  )
}

export function Tabs(props: TabsProps) {
  const placeholder = (
    <div className="tabs" aria-busy>
      {props.tabs[0]?.label}
    </div>
  )
  return (
    <Suspense fallback={placeholder}>
      <AriakitTabs {...props} />
    </Suspense>
  )
}
