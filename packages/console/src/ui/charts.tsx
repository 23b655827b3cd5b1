/** Hand-drawn charts: stacked bars by day, a line, a share. Each also has a table. */
import { type ReactNode, useState } from 'react'
import { Button } from './basics.js'
import { useFormat } from './format.js'
import { useWords } from './words.js'
import { uiWords } from './words-ui.js'

export interface Series {
  id: string
  label: string
  fill: 'critical' | 'block' | 'warn' | 'pass' | 'exempt' | 'accent'
}

export interface Point {
  /** The label below it, usually a day. */
  label: string
  /** An unknown value is left out: the line has a gap there, the table a dash. */
  values: Readonly<Record<string, number | undefined>>
  /** Added to the label in the table, such as that the period is not over. */
  note?: string
  /** Replaces the label in the table, as a link to the rows behind the values. */
  link?: ReactNode
  /** Makes the value of a series in the table a link to its rows. */
  linkTo?: (series: string, text: string) => ReactNode
}

interface ChartProps {
  title: string
  series: readonly Series[]
  points: readonly Point[]
  actions?: ReactNode
  /** Title of the first column of the table; "day" by default. */
  head?: string
  /** Formats a value, for example as money; as a plain number by default. */
  show?: (value: number) => string
  /** Opens the rows behind the point of this index. For pointers: the table has links. */
  onOpen?: (index: number) => void
}

export function Bars(props: ChartProps) {
  return <Figure {...props}>{<StackedBars {...props} />}</Figure>
}

export function Line(props: ChartProps) {
  return <Figure {...props}>{<Curve {...props} />}</Figure>
}

function Figure({ children, ...chart }: ChartProps & { children: ReactNode }) {
  const { title, series, actions } = chart
  const t = useWords(uiWords)
  const [isTable, setTable] = useState(false)
  return (
    <figure className="stack-small chart">
      <div className="row-between">
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
        <div className="row">
          {actions}
          <Button kind="quiet" onClick={() => setTable(!isTable)}>
            {isTable ? t('asChart') : t('asTable')}
          </Button>
        </div>
      </div>
      {isTable ? <FigureTable {...chart} /> : children}
      {series.length > 1 && !isTable && (
        <div className="chart-legend">
          {series.map(({ id, label, fill }) => (
            <span key={id}>
              <i className={`fill-${fill}`} />
              {label}
            </span>
          ))}
        </div>
      )}
    </figure>
  )
}

function FigureTable({ title, series, points, head, show }: ChartProps) {
  const t = useWords(uiWords)
  const format = useFormat()
  const shown = (value: number | undefined, linked: (text: string) => ReactNode): ReactNode => {
    if (value === undefined) return '–'
    const text = (show ?? format.number)(value)
    return value === 0 ? text : linked(text)
  }
  return (
    <div className="table-scroll" role="region" aria-label={title} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{head ?? t('day')}</th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col" className="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ label, values, note, link, linkTo }) => (
            <tr key={label}>
              <td>
                {link ?? label}
                {note !== undefined && <span className="small muted"> {note}</span>}
              </td>
              {series.map(({ id }) => (
                <td key={id} className="end num">
                  {shown(values[id], (text) => linkTo?.(id, text) ?? text)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const WIDTH = 560
const HEIGHT = 150
const FOOT = 18
const LEFT = 34

const stepOf = (max: number) => {
  const rough = Math.max(1, max / 2)
  const power = 10 ** Math.floor(Math.log10(rough))
  return [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? rough
}

function Axis({ top, step, show }: { top: number; step: number; show: ChartProps['show'] }) {
  const format = useFormat()
  const marks = [0, step, step * 2].filter((each) => each <= top)
  return (
    <>
      {marks.map((mark) => {
        const y = HEIGHT - (mark / top) * HEIGHT
        return (
          <g key={mark}>
            <line className="axis" x1={LEFT} x2={WIDTH} y1={y} y2={y} />
            <text x={LEFT - 6} y={y + 4} textAnchor="end">
              {(show ?? format.number)(mark)}
            </text>
          </g>
        )
      })}
    </>
  )
}

const summary = (points: readonly Point[], series: readonly Series[]) =>
  series.map(({ id, label }) => `${label}: ${points.reduce((sum, each) => sum + (each.values[id] ?? 0), 0)}`).join(', ')

function StackedBars({ title, series, points, show, onOpen }: ChartProps) {
  const totals = points.map(({ values }) => series.reduce((sum, { id }) => sum + (values[id] ?? 0), 0))
  const step = stepOf(Math.max(1, ...totals))
  const top = step * 2
  const slot = (WIDTH - LEFT) / Math.max(1, points.length)
  const width = Math.min(28, slot * 0.72)
  return (
    <svg viewBox={`0 -6 ${WIDTH} ${HEIGHT + FOOT + 6}`} role="img" aria-label={`${title}. ${summary(points, series)}`}>
      <Axis top={top} step={step} show={show} />
      {points.map((point, index) => {
        const x = LEFT + slot * index + (slot - width) / 2
        return <Stack key={point.label} point={point} series={series} x={x} width={width} top={top} />
      })}
      {onOpen !== undefined &&
        points.map(({ label, values }, index) => (
          // biome-ignore lint/a11y/noStaticElementInteractions: the table has the same as links
          <rect
            key={label}
            className="chart-open"
            x={LEFT + slot * index}
            y={0}
            width={slot}
            height={HEIGHT}
            onClick={() => onOpen(index)}
          >
            <title>{titleOf(label, values, series)}</title>
          </rect>
        ))}
      <Labels points={points} slot={slot} />
    </svg>
  )
}

const titleOf = (label: string, values: Point['values'], series: readonly Series[]) =>
  `${label}: ${series.map(({ id, label: name }) => `${name} ${values[id] ?? 0}`).join(', ')}`

interface StackProps {
  point: Point
  series: readonly Series[]
  x: number
  width: number
  top: number
}

function Stack({ point, series, x, width, top }: StackProps) {
  let y = HEIGHT
  return (
    <g>
      <title>{titleOf(point.label, point.values, series)}</title>
      {series.map(({ id, fill }) => {
        const height = ((point.values[id] ?? 0) / top) * HEIGHT
        if (height === 0) return null
        y -= height
        return (
          <rect key={id} className={`fill-${fill}`} x={x} y={y} width={width} height={Math.max(1, height - 1)} rx="1" />
        )
      })}
    </g>
  )
}

function Labels({ points, slot }: { points: readonly Point[]; slot: number }) {
  const every = Math.max(1, Math.ceil(points.length / 6))
  return (
    <>
      {points.map(({ label }, index) =>
        index % every === 0 ? (
          <text
            key={label}
            x={LEFT + slot * index + slot / 2}
            y={HEIGHT + FOOT - 4}
            textAnchor={index === 0 ? 'start' : 'middle'}
          >
            {label}
          </text>
        ) : null,
      )}
    </>
  )
}

function Curve({ title, series, points, show }: ChartProps) {
  const id = series[0]?.id ?? ''
  const step = stepOf(Math.max(1, ...points.map(({ values }) => values[id] ?? 0)))
  const top = step * 2
  const slot = (WIDTH - LEFT) / Math.max(1, points.length)
  const placed = points.map(({ label, values }, index) => {
    const value = values[id]
    if (value === undefined) return null
    return { label, value, x: LEFT + slot * index + slot / 2, y: HEIGHT - (value / top) * HEIGHT }
  })
  const write = show ?? String
  return (
    <svg viewBox={`0 -6 ${WIDTH} ${HEIGHT + FOOT + 6}`} role="img" aria-label={`${title}. ${summary(points, series)}`}>
      <Axis top={top} step={step} show={show} />
      {runsOf(placed).map((run) => (
        <polyline key={run[0]?.label} className="curve" points={run.map(({ x, y }) => `${x},${y}`).join(' ')} />
      ))}
      {points.length <= DOTS_MAX &&
        placed.map(
          (each) =>
            each !== null && (
              <circle key={each.label} className="dot" cx={each.x} cy={each.y} r="3">
                <title>{`${each.label}: ${write(each.value)}`}</title>
              </circle>
            ),
        )}
      <Labels points={points} slot={slot} />
    </svg>
  )
}

const DOTS_MAX = 31

/** The parts of a line between gaps. A missing value ends a part. */
function runsOf<T>(placed: readonly (T | null)[]): T[][] {
  const runs: T[][] = []
  let run: T[] = []
  for (const each of placed) {
    if (each !== null) {
      if (run.length === 0) runs.push(run)
      run.push(each)
    } else run = []
  }
  return runs
}

/** A share of a whole, such as the used part of a limit. */
export function Progress({
  label,
  value,
  max,
  fill = 'accent',
}: {
  label: string
  value: number
  max: number
  fill?: Series['fill']
}) {
  const share = max <= 0 ? 0 : Math.min(1, value / max)
  return (
    <span
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <span className={`fill-${fill}`} style={{ width: `${share * 100}%` }} />
    </span>
  )
}

export function Figures({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="figure-number">
      <span className="muted">{label}</span>
      <b>{value}</b>
      {note !== undefined && <span className="small muted">{note}</span>}
    </div>
  )
}
