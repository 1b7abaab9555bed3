/** The cells of a line of a table, empty for any other line. A `\|` does not end a cell. */
export function cellsOf(line: string): string[] {
  if (!/^\|.*\|$/.test(line)) return []
  const cells = line.slice(1, -1).split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

const heads = ['| | demand | level | kept in | test |', '| | what Kron does | why |']

/** The line with the names of the columns, or the rule under it. */
export const isTableHead = (line: string): boolean =>
  heads.includes(line) || /^\|(?: -+ \|)+$/.test(line)
