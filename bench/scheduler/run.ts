import { command } from '../command.ts'
import { thisMachine } from '../machine.ts'
import { type Contender, contenders } from './contenders/index.ts'
import { expectationFor, maxDueTasks, measureContender } from './measure.ts'
import { helpText, type Options, readOptions } from './options.ts'
import { renderScheduler, summaryOf } from './report/document.ts'
import type { ContenderResult, Results } from './results.ts'
import { lowerOf, measureSqliteFloor } from './sqlite-floor.ts'

/** Above this only Kron is measured, unless others are asked for by name. */
const maxTasksForAll = 100_000

const say = (text: string): void => void process.stderr.write(`${text}\n`)

async function measureAll(options: Options): Promise<ContenderResult[]> {
  const entries: ContenderResult[] = []
  for (const tasks of options.tasks) {
    const chosen =
      options.only ?? contenders.filter(({ isOurs }) => isOurs || tasks <= maxTasksForAll)
    const measureOne = async (contender: Contender): Promise<void> => {
      const size = {
        tasks,
        dueTasks: Math.min(tasks, maxDueTasks),
        expressions: options.expressions,
      }
      const smaller = entries.findLast((entry) => entry.contender === contender.name)
      say(`${contender.name}, ${tasks.toLocaleString('en-US')} tasks ...`)
      const expected = expectationFor(size, smaller)
      const entry = await measureContender(contender, size, expected, options.quick)
      say(`  ${contender.name}: ${summaryOf(entry)}`)
      entries.push(entry)
    }
    if (options.quick) await Promise.all(chosen.map(measureOne))
    else for (const contender of chosen) await measureOne(contender)
  }
  const order = contenders.map(({ name }) => name)
  return entries.sort(
    (a, b) => a.tasks - b.tasks || order.indexOf(a.contender) - order.indexOf(b.contender),
  )
}

async function run(options: Options): Promise<Results> {
  say('SQLite alone ...')
  const rows = options.quick ? 1000 : maxDueTasks
  const floorBefore = await measureSqliteFloor(rows)
  const entries = await measureAll(options)
  say('SQLite alone, once more ...')
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: thisMachine(),
    quick: options.quick,
    expressions: options.expressions,
    sqliteFloor: lowerOf(floorBefore, await measureSqliteFloor(rows)),
    entries,
  }
}

await command({
  helpText,
  readOptions,
  run,
  render: renderScheduler,
  readme: new URL('README.md', import.meta.url),
})
