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
