/**
 * A time series as SVG: bars for counts, a line for a rate. A pure function of its values. Every text is escaped, and
 * the SVG contains nothing that executes.
 */
export interface ChartPoint {
  readonly period: string
  /** One value per series; null leaves a gap. */
  readonly values: readonly (number | null)[]
}

export interface Chart {
  readonly title: string
  readonly series: readonly { readonly name: string; readonly kind: 'bar' | 'line' }[]
  readonly points: readonly ChartPoint[]
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [720, 260, 48, 48, 40, 36]
const COLOURS = ['#2563eb', '#dc2626', '#059669', '#d97706'] as const
const LABELS_MAX = 8

export function chartOf({ title, series, points }: Chart): string {
  const width = WIDTH - LEFT - RIGHT
  const height = HEIGHT - TOP - BOTTOM
  const step = width / Math.max(1, points.length)
  const most = (kind: 'bar' | 'line') =>
    Math.max(
      1,
      ...points.flatMap(({ values }) => values.map((value, at) => (series[at]?.kind === kind ? (value ?? 0) : 0))),
    )
  const tops = { bar: most('bar'), line: most('line') }
  const y = (value: number, kind: 'bar' | 'line') => TOP + height - (height * value) / tops[kind]
  const bars = series.map(({ kind }, at) => (kind === 'bar' ? at : -1)).filter((at) => at >= 0)
  const parts: string[] = []
  for (const [at, { kind }] of series.entries()) {
    const colour = COLOURS[at % COLOURS.length] as string
    if (kind === 'bar') {
      const own = (step * 0.8) / bars.length
      for (const [index, { values }] of points.entries()) {
        const value = values[at]
        if (value === null || value === undefined || value === 0) continue
        const x = LEFT + index * step + step * 0.1 + bars.indexOf(at) * own
        parts.push(
          `<rect x="${at2(x)}" y="${at2(y(value, kind))}" width="${at2(own)}" height="${at2(TOP + height - y(value, kind))}" fill="${colour}"/>`,
        )
      }
    } else parts.push(...lines(points, at, (index, value) => [LEFT + (index + 0.5) * step, y(value, kind)], colour))
  }
  const every = Math.ceil(points.length / LABELS_MAX)
  const labels = points.flatMap(({ period }, index) =>
    index % every === 0 ? [text(LEFT + (index + 0.5) * step, HEIGHT - 14, period, 'middle')] : [],
  )
  const legend = series.map(({ name }, at) =>
    text(LEFT + at * 150, 34, `■ ${name}`, 'start', COLOURS[at % COLOURS.length]),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="sans-serif" font-size="11">`,
    `<title>${escaped(title)}</title><rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    text(LEFT, 16, title, 'start', '#111827'),
    ...legend,
    `<path d="M${LEFT} ${TOP}V${TOP + height}H${LEFT + width}" fill="none" stroke="#9ca3af"/>`,
    ...(bars.length > 0 ? [text(LEFT - 6, TOP + 4, String(round(tops.bar)), 'end')] : []),
    ...(series.some(({ kind }) => kind === 'line')
      ? [text(WIDTH - RIGHT + 6, TOP + 4, String(round(tops.line)), 'start')]
      : []),
    ...parts,
    ...labels,
    '</svg>',
  ].join('')
}

function lines(
  points: readonly ChartPoint[],
  at: number,
  place: (index: number, value: number) => [number, number],
  colour: string,
): string[] {
  const runs: string[][] = [[]]
  for (const [index, { values }] of points.entries()) {
    const value = values[at]
    if (value === null || value === undefined) runs.push([])
    else runs.at(-1)?.push(place(index, value).map(at2).join(' '))
  }
  return runs
    .filter((run) => run.length > 0)
    .map(
      (run) =>
        `<path d="M${run.join('L')}${run.length === 1 ? 'h1' : ''}" fill="none" stroke="${colour}" stroke-width="2"/>`,
    )
}

const text = (x: number, y: number, value: string, anchor: string, colour = '#4b5563'): string =>
  `<text x="${at2(x)}" y="${at2(y)}" text-anchor="${anchor}" fill="${colour}">${escaped(value)}</text>`

const round = (value: number): number => Math.round(value * 100) / 100
const at2 = (value: number): string => String(round(value))

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
/** Also removes control characters, lone surrogates and noncharacters, which XML does not allow. */
// guard: no-text-of-a-chart-is-markup
export const escaped = (value: string): string =>
  value.replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, '').replace(/[&<>"']/g, (each) => ENTITIES[each] ?? '')
