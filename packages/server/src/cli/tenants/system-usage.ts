import { grouped } from '@kron/runtime'
import { instantText, monthEnd } from '../../domain/index.js'
import type { Output } from '../invocation.js'
import type { DataArguments } from '../serve/data-arguments.js'
import { whenText } from '../text/distance.js'
import { checkExists, withDatabase } from './database.js'

/** Of all tenants together. What they may use is told to `kron serve`, and not in the database. */
export async function showSystemUsage(output: Output, given: DataArguments): Promise<void> {
  checkExists(given, output.host)
  const { usage, resetsAt } = await withDatabase(given, output.host, (store) =>
    store.system(async (rows) => ({
      usage: await rows.usage(),
      resetsAt: instantText(monthEnd(rows.now)),
    })),
  )
  if (output.isJson) return output.printJson({ usage, resetsAt })
  output.printTable(
    [{ title: 'of all tenants' }, { title: 'used', align: 'right' }],
    [
      ['runs this month', grouped(usage.runs)],
      ['AI calls this month', grouped(usage.aiCalls)],
      ['AI tokens this month', grouped(usage.aiTokens)],
    ],
  )
  output.printCells(['', `months begin again at ${whenText(resetsAt, output.now)}`])
}
