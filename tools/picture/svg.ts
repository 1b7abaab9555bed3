import type { Night } from './night.ts'

const width = 800
const margin = 32
/** A start is a square of this size, with a gap around it. */
const size = 2.9
const pitch = 3.9
const headline = 26
const axis = 24

const style = `
    .card { fill: #ffffff; stroke: #d0d7de }
    .text { fill: #1f2328 }
    .quiet { fill: #59636e }
    .line { stroke: #d0d7de }
    .before { fill: #cf222e }
    .after { fill: #1a7f37 }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #3d444d }
      .text { fill: #f0f6fc }
      .quiet { fill: #9198a1 }
      .line { stroke: #3d444d }
      .before { fill: #ff7b72 }
      .after { fill: #3fb950 }
    }
    text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; font-size: 14px }
    .schedule { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-weight: 600 }
    .small { font-size: 12px }`

interface Panel {
  readonly night: Night
  readonly label: string
  /** Said beside the highest column. */
  readonly remark: string
  readonly color: 'before' | 'after'
}

/** Both nights over the same minutes and at the same scale: a square is a start, a column a minute. */
export function comparisonSvg(before: Night, after: Night): string {
  const jobs = before.startsInMinute.reduce((sum, starts) => sum + starts, 0)
  const panels: Panel[] = [
    {
      night: before,
      label: `${jobs} jobs that all say`,
      remark: `${before.peak.starts} starts in the minute ${clock(before.peak.minute)}`,
      color: 'before',
    },
    {
      night: after,
      label: 'the same jobs with a window,',
      remark: `at most ${after.peak.starts} starts in a minute`,
      color: 'after',
    },
  ]
  const legend = `<text class="quiet small" x="${width - margin}" y="34" text-anchor="end">a square is a start, a column a minute</text>`
  const parts = [`  ${legend}`]
  let top = 20
  for (const panel of panels) {
    const { text, height } = drawn(panel, top)
    parts.push(text)
    top += height
  }
  const title = `${jobs} jobs at midnight: ${panels.map(({ remark, night }) => `${remark} with ${night.schedule}`).join('; ')}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" width="${width}" height="${top}" role="img" aria-label="${title}">
  <title>${title}</title>
  <style>${style}
  </style>
  <rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${top - 1}" rx="8" />
${parts.join('\n')}
</svg>
`
}

function drawn({ night, label, remark, color }: Panel, top: number): Drawn {
  const room = Math.max(night.peak.starts * pitch, 28)
  const ground = Math.round(top + headline + room)
  const right = width - margin
  // Beside a lone column; above columns that fill the night.
  const isLone = night.startsInMinute.filter((starts) => starts > 0).length === 1
  const remarkAt = isLone
    ? `x="${place(night.peak.minute) + 16}" y="${top + headline + 20}"`
    : `x="${right}" y="${top + 14}" text-anchor="end"`
  const lines = [
    `<text class="text" x="${margin}" y="${top + 14}">${label} <tspan class="schedule">${night.schedule}</tspan></text>`,
    `<text class="${color}" ${remarkAt}>${remark}</text>`,
    `<path class="${color}" d="${squares(night, ground)}" />`,
    `<line class="line" x1="${margin}" y1="${ground + 0.5}" x2="${right}" y2="${ground + 0.5}" />`,
    ...hours(night, ground),
  ]
  return {
    text: lines.map((line) => `  ${line}`).join('\n'),
    height: ground + axis + 10 - top,
  }
}

interface Drawn {
  readonly text: string
  readonly height: number
}

const place = (minute: number): number => margin + Math.round(minute * pitch * 10 + 10) / 10

function squares({ startsInMinute }: Night, ground: number): string {
  return startsInMinute
    .flatMap((starts, minute) =>
      Array.from({ length: starts }, (_, level) => {
        const y = Math.round((ground - (level + 1) * pitch) * 10) / 10
        return `M${place(minute)} ${y}h${size}v${size}h-${size}z`
      }),
    )
    .join('')
}

/** Every half hour. */
function hours({ startsInMinute }: Night, ground: number): string[] {
  const lines: string[] = []
  for (let minute = 0; minute < startsInMinute.length; minute += 30) {
    lines.push(
      `<text class="quiet small" x="${place(minute)}" y="${ground + 18}" text-anchor="${minute === 0 ? 'start' : 'middle'}">${clock(minute)}</text>`,
    )
  }
  return lines
}

const two = (number: number): string => String(number).padStart(2, '0')
const clock = (minute: number): string => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`
