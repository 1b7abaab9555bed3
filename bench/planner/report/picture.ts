import type { ParetoPoint } from '../results.ts'

const width = 720
const height = 440
const left = 64
const right = 132
const top = 28
const bottom = 52
const calls = [0.25, 0.5, 1, 2]
const delays = [0.25, 0.5, 1, 2, 4]
/** Light and dark backgrounds both leave these readable. */
const colours: Readonly<Record<string, string>> = {
  fixed: '#6b7280',
  doubling: '#b45309',
  'halve-grow': '#be185d',
  ucb: '#7c3aed',
  rules: '#047857',
  oracle: '#0369a1',
}

const x = (value: number): number => place(value, calls, left, width - right)
const y = (value: number): number => place(value, delays, height - bottom, top)

function place(value: number, marks: readonly number[], from: number, to: number): number {
  const low = Math.log(marks[0]! / 1.15)
  const high = Math.log(marks.at(-1)! * 1.15)
  return from + ((Math.log(value) - low) / (high - low)) * (to - from)
}

/** Delay over calls: whoever is further down and to the left is better. */
export function picture(points: readonly ParetoPoint[]): string {
  const policies = [...new Set(points.map(({ policy }) => policy))]
  const lines = policies.map((policy) => curve(policy, points))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img"
  font-family="system-ui, sans-serif" font-size="12" fill="#6b7280">
<title>Delay until a change is seen, by calls made; the fixed schedule is 1</title>
${grid()}
${lines.join('\n')}
</svg>
`
}

function grid(): string {
  const vertical = calls.map(
    (mark) =>
      `<path d="M${at(x(mark))} ${top}V${height - bottom}" stroke="#9ca3af" stroke-opacity=".35"/>` +
      `<text x="${at(x(mark))}" y="${height - bottom + 18}" text-anchor="middle">${mark}</text>`,
  )
  const horizontal = delays.map(
    (mark) =>
      `<path d="M${left} ${at(y(mark))}H${width - right}" stroke="#9ca3af" stroke-opacity=".35"/>` +
      `<text x="${left - 8}" y="${at(y(mark) + 4)}" text-anchor="end">${mark}</text>`,
  )
  const middle = (left + width - right) / 2
  return [
    ...vertical,
    ...horizontal,
    `<text x="${middle}" y="${height - 12}" text-anchor="middle">calls (fixed = 1)</text>`,
    `<text x="16" y="${(top + height - bottom) / 2}" text-anchor="middle" ` +
      `transform="rotate(-90 16 ${(top + height - bottom) / 2})">mean delay (fixed = 1)</text>`,
  ].join('\n')
}

function curve(policy: string, points: readonly ParetoPoint[]): string {
  const own = points
    .filter((point) => point.policy === policy)
    .sort((a, b) => a.calls - b.calls)
    .map((point) => ({ x: at(x(point.calls)), y: at(y(point.delay)) }))
  const colour = colours[policy] ?? '#111827'
  const line = own.map((point) => `${point.x} ${point.y}`).join('L')
  const dots = own.map((point) => `<circle cx="${point.x}" cy="${point.y}" r="3"/>`).join('')
  const last = own.at(-1)!
  return (
    `<g fill="${colour}"><path d="M${line}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}` +
    `<text x="${Number(last.x) + 8}" y="${Number(last.y) + 4}">${policy}</text></g>`
  )
}

const at = (value: number): string => value.toFixed(1)
