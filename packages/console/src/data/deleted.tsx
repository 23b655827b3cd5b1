/** Deleted records that can still be restored. They can be purged after the person has typed their name. */
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button, When } from '../ui/basics.js'
import { Empty } from '../ui/states.js'
import type { Column } from '../ui/table.js'
import { useWords } from '../ui/words.js'
import { Deletion } from './deletion.js'
import { Refused } from './refused.js'
import { Rows } from './rows.js'
import { commonWords } from './words.js'

interface Deleted {
  id: string
  deletedAt?: string | null
  purgeAfter?: string | null
}

interface DeletedRowsProps<D, R> {
  of: UseQueryResult<D, Error>
  rows: (data: D) => readonly R[]
  name: (row: R) => string
  columns?: readonly Column<R>[]
  none: string
  mayChange: boolean | ((row: R) => boolean)
  /** Both take the id of the record. */
  restore: UseMutationResult<unknown, Error, string>
  purge: UseMutationResult<unknown, Error, string>
  /** Shown if a restore fails and needs more explanation than the error. */
  problem?: ReactNode
  page: number
  onPage: (page: number) => void
}

export function DeletedRows<D extends { pagination: { total: number } }, R extends Deleted>(
  props: DeletedRowsProps<D, R>,
) {
  const { name, columns = [], none, mayChange, restore, purge, problem, ...list } = props
  const c = useWords(commonWords)
  const [going, setGoing] = useState<R | null>(null)
  return (
    <>
      {problem ?? <Refused error={restore.error} />}
      <Rows
        {...list}
        total={({ pagination }) => pagination.total}
        caption={c('deleted')}
        rowKey={({ id }) => id}
        empty={<Empty title={none} />}
        columns={[
          { id: 'name', head: c('name'), primary: true, cell: name },
          ...columns,
          { id: 'at', head: c('deleted'), cell: ({ deletedAt }) => <When at={deletedAt ?? null} relative /> },
          { id: 'until', head: c('keptUntil'), cell: ({ purgeAfter }) => <When at={purgeAfter ?? null} /> },
          {
            id: 'do',
            head: c('action'),
            end: true,
            cell: (row) =>
              (typeof mayChange === 'function' ? mayChange(row) : mayChange) && (
                <span className="row">
                  <Button onClick={() => restore.mutate(row.id)}>{c('restore')}</Button>
                  <Button kind="danger" onClick={() => setGoing(row)}>
                    {c('purge')}
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {going !== null && (
        <Deletion title={c('purge')} typed={name(going)} by={purge} input={going.id} onClose={() => setGoing(null)}>
          {c('purgeSure')}
        </Deletion>
      )}
    </>
  )
}
