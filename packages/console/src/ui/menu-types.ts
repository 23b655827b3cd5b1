/** The properties of menus and tabs. */
import type { ReactNode } from 'react'

interface Choice {
  id: string
  label: string
  icon?: ReactNode
  onChoose: () => void
}

export interface ActionMenuProps {
  label: string
  face: ReactNode
  children?: ReactNode
  choices: readonly (Choice | null)[]
}

interface TabEntry {
  id: string
  label: string
  content: () => ReactNode
}

export interface TabsProps {
  label: string
  value: string
  tabs: readonly TabEntry[]
  onChange: (id: string) => void
}
