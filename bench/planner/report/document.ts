import type { Format } from '../../option-reader.ts'
import { asMarkdown, asText } from '../../report/table.ts'
import type { Results } from '../results.ts'
import { goalTable } from './goals.ts'
import { familyTable, fleetTable } from './tables.ts'

export function render(results: Results, format: Format): string {
  if (format === 'json') return `${JSON.stringify(results, null, 2)}\n`
  const tables = [goalTable(results), familyTable(results), fleetTable(results)]
  const { machine, date, seeds } = results
  const head = `${date}. Node ${machine.node}; ${seeds} seeds of each world.`
  if (format === 'text') return `${[head, ...tables.map(asText)].join('\n\n')}\n`
  return `${[head, ...tables.map(asMarkdown)].join('\n\n')}\n`
}
