export interface Table {
  readonly title: string
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly notes: readonly string[]
}

export function asText(table: Table): string {
  const widths = columnWidths(table)
  const line = (cells: readonly string[]): string => aligned(cells, widths).join('  ').trimEnd()
  const rule = widths.map((width) => '-'.repeat(width)).join('  ')
  const notes = table.notes.map((note) => `  ${note}`)
  return [table.title, '', line(table.head), rule, ...table.rows.map(line), ...notes].join('\n')
}

export function asMarkdown(table: Table): string {
  const widths = columnWidths(table)
  const line = (cells: readonly string[]): string => `| ${aligned(cells, widths).join(' | ')} |`
  const rule = widths.map((width, index) =>
    index === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  const lines = [`### ${table.title}`, '', line(table.head), line(rule), ...table.rows.map(line)]
  const notes = table.notes.map((note) => `- ${note}`)
  return notes.length === 0 ? lines.join('\n') : [...lines, '', ...notes].join('\n')
}

/** The first column to the left, figures to the right. */
function aligned(cells: readonly string[], widths: readonly number[]): string[] {
  return cells.map((cell, index) =>
    index === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[index]!),
  )
}

function columnWidths({ head, rows }: Table): number[] {
  return head.map((title, index) =>
    Math.max(3, title.length, ...rows.map((row) => row[index]?.length ?? 0)),
  )
}
