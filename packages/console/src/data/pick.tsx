/** Choices among records of the organization. A list shows the first ones; the server searches for the others. */
import { useState } from 'react'
import { type Option, PickField } from '../ui/field.js'
import { type components, useRead } from './api.js'
import { Refused } from './refused.js'
import { sent } from './rows.js'
import { useSession } from './session.js'

type Member = components['schemas']['Member']

const SHOWN_MAX = 100

interface PickProps {
  label: string
  hint?: string
  /** The text for no choice. */
  none: string
  value: string
  onChange: (value: string) => void
}

export function PickPipeline(props: PickProps) {
  const [search, setSearch] = useState('')
  const query = { ...sent({ q: search }), limit: SHOWN_MAX }
  const list = useRead(
    ['pipelines', 'pick', query],
    (api, signal) => api.GET('/pipelines', { params: { query }, signal }),
    {
      keep: true,
    },
  )
  const options = list.data?.pipelines.map(
    ({ id, pipelineName, project }): Option => [id, pipelineName ?? project ?? id],
  )
  return <Pick {...props} of={list} options={options} shown={options?.length} search={search} onSearch={setSearch} />
}

/** @param accepts which members can be chosen. */
export function PickMember({ accepts, ...props }: PickProps & { accepts: (member: Member) => boolean }) {
  const { organization } = useSession()
  const [search, setSearch] = useState('')
  const query = { ...sent({ search }), limit: SHOWN_MAX }
  const list = useRead(
    ['members', 'pick', query],
    (api, signal) =>
      api.GET('/organization/{id}/members', { params: { path: { id: organization.id }, query }, signal }),
    { keep: true },
  )
  const options = list.data?.members.filter(accepts).map(({ id, username }): Option => [id, username])
  const shown = list.data?.members.length
  return <Pick {...props} of={list} options={options} shown={shown} search={search} onSearch={setSearch} />
}

interface ListProps extends PickProps {
  of: { data: { pagination: { total: number } } | undefined; error: Error | null; refetch: () => unknown }
  options: readonly Option[] | undefined
  /** How many of the matches the answer has. */
  shown: number | undefined
  search: string
  onSearch: (text: string) => void
}

function Pick({ of, shown = 0, options = [], ...field }: ListProps) {
  const left = (of.data?.pagination.total ?? 0) - shown
  return (
    <>
      <Refused error={of.error} onRetry={() => void of.refetch()} />
      <PickField {...field} options={options} left={Math.max(0, left)} />
    </>
  )
}
