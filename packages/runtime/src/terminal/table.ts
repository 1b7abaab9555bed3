import { displayWidth, padEnd, padStart } from './display-width.js'

export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** Lines of a table with a header; columns as wide as they need, two spaces apart. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  header: (text: string) => string,
): string[] {
  const widths = columns.map(({ title }) => displayWidth(title))
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, displayWidth(cell))
    }
  }
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) =>
        columns[index]?.align === 'right'
          ? padStart(cell, widths[index]!)
          : padEnd(cell, widths[index]!),
      )
      .join('  ')
      .trimEnd()
  return [header(line(columns.map(({ title }) => title))), ...rows.map(line)]
}

/** `1,440`. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

/** `1 job`, `2 jobs`. */
export function counted(value: number, noun: string): string {
  return `${grouped(value)} ${noun}${value === 1 ? '' : 's'}`
}

/** A share as people read it: `333%`, `100%`, `34.5%`, `0.023%`, `4.1e-7%`. */
export function percent(share: number): string {
  const value = share * 100
  if (value === 0) return '0%'
  if (share > 1) return value < 101 ? '>100%' : `${Math.floor(value)}%`
  if (value >= 99.95) return share === 1 ? '100%' : '>99.9%'
  if (value >= 1) return `${Number(value.toFixed(1))}%`
  return `${Number(value.toPrecision(2))}%`
}
