/** Links to screens of the organization in the address. */
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useCallback } from 'react'
import { useOrganization } from './api.js'

export const screenPath = (organization: string, path: string): string =>
  `/console/${encodeURIComponent(organization)}/${path}`

interface GoProps {
  to: string
  search?: Readonly<Record<string, string>>
  children: ReactNode
  className?: string
  label?: string
}

export function Go({ to, search = {}, children, className, label }: GoProps) {
  const organization = useOrganization()
  return (
    <Link to={screenPath(organization, to) as string} search={search as never} className={className} aria-label={label}>
      {children}
    </Link>
  )
}

/** A link to the current screen that changes parts of its address, such as the open sheet. */
export function GoHere({
  patch,
  children,
  className,
}: {
  patch: Readonly<Record<string, string>>
  children: ReactNode
  className?: string
}) {
  return (
    <Link
      to="."
      search={((now: Readonly<Record<string, string>>) => ({ ...now, ...patch })) as never}
      className={className}
      resetScroll={false}
    >
      {children}
    </Link>
  )
}

export function useGo(): (to: string, search?: Readonly<Record<string, string>>) => void {
  const organization = useOrganization()
  const navigate = useNavigate()
  return useCallback(
    (to, search = {}) => void navigate({ to: screenPath(organization, to) as string, search: search as never }),
    [organization, navigate],
  )
}
