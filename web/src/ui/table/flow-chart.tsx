// A chart of what comes and what goes, in bars up and down from one line, with a table twin that
// says the same to everyone who does not see bars.

import { formatNumber } from '../../lib/format.ts'
import { Disclosure } from '../layout/disclosure.tsx'

export interface FlowPoint {
  readonly id: string
  /** Short, for the ends of the line, for example 'Nov 21'. */
  readonly label: string
  /** 0 or more. */
  readonly up: number
  /** 0 or more; drawn downwards. */
  readonly down: number
}

export interface FlowChartProps {
  /** What is shown, for example 'RedCoin per day'. */
  readonly label: string
  readonly upLabel: string
  readonly downLabel: string
  /** Header of the table's first column. */
  readonly pointLabel: string
  /** Oldest first. */
  readonly points: readonly FlowPoint[]
}

/** Units of the drawing: a bar with its gap is `step` wide, each half is `half` high. */
const step = 10
const barWidth = 7
const half = 100

export function FlowChart(props: FlowChartProps) {
  const { label, upLabel, downLabel, points } = props
  const most = Math.max(1, ...points.map(({ up, down }) => Math.max(up, down)))
  const sum = (side: 'up' | 'down') => points.reduce((total, point) => total + point[side], 0)
  return (
    <figure className="min-w-0">
      <figcaption className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <span className="font-display font-semibold">{label}</span>
        <span className="flex flex-wrap gap-x-4 text-sm">
          <LegendEntry label={upLabel} className="bg-chart-up" />
          <LegendEntry label={downLabel} className="bg-chart-down" />
        </span>
      </figcaption>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-sm text-muted tabular-nums">
        <div aria-hidden="true" className="flex flex-col justify-between text-end">
          <span>+{formatNumber(most)}</span>
          <span>0</span>
          <span>−{formatNumber(most)}</span>
        </div>
        <svg
          role="img"
          aria-label={`${label}: ${formatNumber(sum('up'))} ${upLabel.toLowerCase()}, ${formatNumber(sum('down'))} ${downLabel.toLowerCase()}. The table below has every number.`}
          viewBox={`0 ${-half} ${Math.max(1, points.length) * step} ${2 * half}`}
          preserveAspectRatio="none"
          className="h-56 w-full"
        >
          {points.map((point, index) => (
            <Bars key={point.id} point={point} left={index * step} most={most} names={props} />
          ))}
          <line
            x1={0}
            x2={points.length * step}
            y1={0}
            y2={0}
            vectorEffect="non-scaling-stroke"
            className="stroke-control"
          />
        </svg>
        <span />
        <div aria-hidden="true" className="flex justify-between">
          <span>{points[0]?.label}</span>
          <span>{points[Math.floor(points.length / 2)]?.label}</span>
          <span>{points.at(-1)?.label}</span>
        </div>
      </div>
      <Disclosure summary="View as table" className="mt-2">
        <FlowTable {...props} />
      </Disclosure>
    </figure>
  )
}

function LegendEntry({ label, className }: { readonly label: string; readonly className: string }) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={`size-3 rounded-sm ${className}`} />
      {label}
    </span>
  )
}

interface BarsProps {
  readonly point: FlowPoint
  readonly left: number
  /** The value that fills a half. */
  readonly most: number
  readonly names: Pick<FlowChartProps, 'upLabel' | 'downLabel'>
}

/** The two bars of a point under one area, which shows its numbers to the mouse. */
function Bars({ point, left, most, names }: BarsProps) {
  const x = left + (step - barWidth) / 2
  const height = (value: number) => (value / most) * half
  return (
    <g className="group">
      <title>
        {`${point.label}: ${formatNumber(point.up)} ${names.upLabel.toLowerCase()}, ${formatNumber(point.down)} ${names.downLabel.toLowerCase()}`}
      </title>
      <rect
        x={left}
        y={-half}
        width={step}
        height={2 * half}
        className="fill-transparent group-hover:fill-raised"
      />
      <rect
        x={x}
        y={-height(point.up)}
        width={barWidth}
        height={height(point.up)}
        className="fill-chart-up"
      />
      <rect x={x} y={0} width={barWidth} height={height(point.down)} className="fill-chart-down" />
    </g>
  )
}

function FlowTable({ label, upLabel, downLabel, pointLabel, points }: FlowChartProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard
    <section aria-label={`${label}, table`} tabIndex={0} className="max-h-80 overflow-auto">
      <table className="w-full text-sm tabular-nums">
        <caption className="sr-only">{label}</caption>
        <thead className="text-muted">
          <tr className="border-b border-line [&>th]:py-2 [&>th]:pe-4 [&>th]:font-medium">
            <th scope="col" className="text-start">
              {pointLabel}
            </th>
            <th scope="col" className="text-end">
              {upLabel}
            </th>
            <th scope="col" className="text-end">
              {downLabel}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {points.toReversed().map((point) => (
            <tr key={point.id}>
              <th scope="row" className="py-1.5 pe-4 text-start font-normal">
                {point.label}
              </th>
              <td className="pe-4 text-end">{formatNumber(point.up)}</td>
              <td className="pe-4 text-end">{formatNumber(point.down)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
