/** A list of the API as a table: loading, error, empty, no match for the filters, pages. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Button } from '../ui/basics.js'
import { Empty } from '../ui/states.js'
import { type Column, DataTable, Paged, type Selection, type Sort } from '../ui/table.js'
import { useWords } from '../ui/words.js'
import { Loaded } from './page.js'
import { Refused } from './refused.js'
import { commonWords } from './words.js'

export const PAGE_SIZE = 50
export const pageOf = (page: number) => ({ limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })

/** The query without empty filters. */
export function sent<T extends Record<string, unknown>>(query: T): { [K in keyof T]?: Exclude<T[K], ''> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== undefined)) as never
}

interface RowsProps<D, R> {
  of: UseQueryResult<D, Error>
  rows: (data: D) => readonly R[]
  total?: (data: D) => number
  caption: string
  columns: readonly Column<R>[]
  rowKey: (row: R) => string
  rowName?: (row: R) => string
  empty: ReactNode
  page?: number
  onPage?: (page: number) => void
  /** Set while filters may hide rows. */
  onClear?: (() => void) | undefined
  sort?: Sort
  onSort?: (sort: Sort) => void
  selection?: Selection
}

export function Rows<D, R>(props: RowsProps<D, R>) {
  const { of, rows, total, empty, page = 1, onPage, onClear, ...table } = props
  const t = useWords(commonWords)
  const { data, error, refetch } = of
  const problem = error === null ? null : <Refused error={error} onRetry={() => void refetch()} />
  if (data === undefined && problem !== null) return problem
  const paging =
    data === undefined || total === undefined || onPage === undefined
      ? undefined
      : { page, size: PAGE_SIZE, total: total(data), onPage }
  const nothing =
    onClear === undefined ? (
      empty
    ) : (
      <Empty title={t('nothingFits')} actions={<Button onClick={onClear}>{t('clear')}</Button>} />
    )
  return (
    <>
      {problem}
      <DataTable {...table} rows={data === undefined ? undefined : rows(data)} empty={nothing} paging={paging} />
    </>
  )
}

interface EntriesProps<D, R> {
  of: UseQueryResult<D, Error>
  rows: (data: D) => readonly R[]
  total: (data: D) => number
  page: number
  onPage: (page: number) => void
  empty: ReactNode
  children: (rows: readonly R[]) => ReactNode
}

/** A list of the API that is not shown as a table, such as a timeline, with the same pages. */
export function Entries<D, R>({ of, rows, total, page, onPage, empty, children }: EntriesProps<D, R>) {
  return (
    <Loaded of={of}>
      {(data) => (
        <Paged count={rows(data).length} empty={empty} paging={{ page, size: PAGE_SIZE, total: total(data), onPage }}>
          {children(rows(data))}
        </Paged>
      )}
    </Loaded>
  )
}

/**
 * The row whose sheet is open. It stays when the list no longer has it, so that the sheet keeps what was typed in it.
 *
 * @param sheet the key of the row in the address; empty while no sheet is open.
 */
export function useOpenRow<R>(sheet: string, found: R | undefined): R | undefined {
  const held = useRef<{ sheet: string; row?: R }>({ sheet })
  if (held.current.sheet !== sheet) held.current = { sheet }
  if (found !== undefined) held.current = { sheet, row: found }
  return sheet === '' ? undefined : held.current.row
}

/** Options of a filter for enumeration values of the API. */
export const optionsOf = (values: readonly string[], label: (value: string) => string) =>
  values.map((value) => [value, label(value)] as const)
