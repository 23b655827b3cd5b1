/**
 * The rows of a list: sorted and paged by the server, as cards on a phone, with a selection that survives a change of
 * page.
 */
import { ArrowDown, ArrowUp, ArrowUpDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { Button } from './basics.js'
import { Empty, Skeleton } from './states.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

export interface Column<R> {
  id: string
  head: string
  cell: (row: R) => ReactNode
  /** The name of this sort field on the server. */
  sort?: string
  end?: boolean
  primary?: boolean
}

export interface Sort {
  by: string
  order: 'asc' | 'desc'
}

export interface Paging {
  page: number
  size: number
  total: number
  onPage: (page: number) => void
}

export interface Selection {
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
}

interface TableProps<R> {
  caption: string
  columns: readonly Column<R>[]
  rows: readonly R[] | undefined
  rowKey: (row: R) => string
  rowName?: (row: R) => string
  empty: ReactNode
  sort?: Sort
  onSort?: (sort: Sort) => void
  paging?: Paging
  selection?: Selection
}

export function DataTable<R>(props: TableProps<R>) {
  const { caption, columns, rows, rowKey, empty, paging, selection } = props
  if (rows === undefined) return <TableBox>{<Skeleton lines={8} />}</TableBox>
  if (rows.length === 0)
    return (
      <TableBox>
        {paging === undefined ? (
          empty
        ) : (
          <Paged count={0} empty={empty} paging={paging}>
            {null}
          </Paged>
        )}
      </TableBox>
    )
  return (
    <TableBox>
      <div className="table-scroll">
        {/* Cards on a phone change `display`, which removes the table semantics. The roles restore them. */}
        <table className="table table-cards" role="table">
          <caption className="sr">{caption}</caption>
          <thead role="rowgroup">
            <tr role="row">
              {selection !== undefined && (
                <th scope="col" role="columnheader" className="table-select">
                  <SelectPage keys={rows.map(rowKey)} {...selection} />
                </th>
              )}
              {columns.map((column) => (
                <HeadCell key={column.id} column={column} sort={props.sort} onSort={props.onSort} />
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <Row key={rowKey(row)} row={row} {...props} />
            ))}
          </tbody>
        </table>
      </div>
      {paging !== undefined && <Pager {...paging} />}
    </TableBox>
  )
}

export function TableBox({ children }: { children: ReactNode }) {
  return <div className="table-box">{children}</div>
}

function Row<R>({ row, columns, rowKey, rowName, selection }: TableProps<R> & { row: R }) {
  const t = useWords(uiWords)
  const key = rowKey(row)
  const isSelected = selection?.selected.has(key) === true
  return (
    <tr role="row" data-selected={isSelected || undefined}>
      {selection !== undefined && (
        <td role="cell" className="table-select">
          <input
            type="checkbox"
            aria-label={t('selectRow', { name: rowName?.(row) ?? key })}
            checked={isSelected}
            onChange={() => selection.onChange(toggled(selection.selected, key))}
          />
        </td>
      )}
      {columns.map(({ id, head, cell, end, primary }) => (
        <td
          key={id}
          role="cell"
          className={end ? 'end num' : undefined}
          data-label={head}
          data-primary={primary || undefined}
        >
          {cell(row)}
        </td>
      ))}
    </tr>
  )
}

const toggled = (selected: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

function SelectPage({ keys, selected, onChange }: Selection & { keys: readonly string[] }) {
  const t = useWords(uiWords)
  const box = useRef<HTMLInputElement>(null)
  const count = keys.filter((key) => selected.has(key)).length
  const isAll = count === keys.length
  useEffect(() => {
    if (box.current !== null) box.current.indeterminate = count > 0 && !isAll
  }, [count, isAll])
  const change = () => {
    const next = new Set(selected)
    for (const key of keys) {
      if (isAll) next.delete(key)
      else next.add(key)
    }
    onChange(next)
  }
  return <input ref={box} type="checkbox" aria-label={t('selectPage')} checked={isAll} onChange={change} />
}

interface HeadProps<R> {
  column: Column<R>
  sort: Sort | undefined
  onSort: ((sort: Sort) => void) | undefined
}

function HeadCell<R>({ column, sort, onSort }: HeadProps<R>) {
  const { head, end } = column
  const by = column.sort
  if (by === undefined || onSort === undefined)
    return (
      <th scope="col" role="columnheader" className={end ? 'end' : undefined}>
        {head}
      </th>
    )
  const isBy = sort?.by === by
  const isUp = isBy && sort.order === 'asc'
  const Arrow = !isBy ? ArrowUpDown : isUp ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      role="columnheader"
      className={end ? 'end' : undefined}
      aria-sort={isBy ? (isUp ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className="table-sort" onClick={() => onSort({ by, order: isUp ? 'desc' : 'asc' })}>
        {head}
        <Arrow size={12} aria-hidden />
      </button>
    </th>
  )
}

const lastOf = ({ total, size }: Pick<Paging, 'total' | 'size'>) => Math.max(1, Math.ceil(total / size))

/** Rows were deleted, or the address is old: there are rows, but none on this page. */
export const isBeyond = (paging: Pick<Paging, 'page' | 'total' | 'size'>) =>
  paging.total > 0 && paging.page > lastOf(paging)

function Beyond({ onPage, ...paging }: Paging) {
  const t = useWords(uiWords)
  return <Empty title={t('beyond')} actions={<Button onClick={() => onPage(lastOf(paging))}>{t('toLast')}</Button>} />
}

interface PagedProps {
  /** How many rows this page has. */
  count: number
  empty: ReactNode
  paging: Paging
  children: ReactNode
}

/** Rows that are not shown as a table, with the same pages. */
export function Paged({ count, empty, paging, children }: PagedProps) {
  return (
    <>
      {count > 0 ? children : isBeyond(paging) ? <Beyond {...paging} /> : empty}
      {paging.total > 0 && <Pager {...paging} />}
    </>
  )
}

function Pager({ page, size, total, onPage }: Paging) {
  const t = useWords(uiWords)
  const last = lastOf({ total, size })
  const from = total === 0 || page > last ? 0 : (page - 1) * size + 1
  return (
    <div className="pager">
      <span className="num" aria-live="polite">
        {t('rows', { from, to: page > last ? 0 : Math.min(page * size, total), total })}
      </span>
      {(last > 1 || page > 1) && (
        <span className="row">
          <Button
            kind="quiet"
            aria-label={t('previous')}
            disabled={page <= 1}
            icon={<ChevronLeft size={16} aria-hidden />}
            onClick={() => onPage(Math.min(page - 1, last))}
          />
          <Button
            kind="quiet"
            aria-label={t('next')}
            disabled={page >= last}
            icon={<ChevronRight size={16} aria-hidden />}
            onClick={() => onPage(page + 1)}
          />
        </span>
      )}
    </div>
  )
}
