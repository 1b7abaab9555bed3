import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { record } from './record.ts'
import { percentFound, scoreOf } from './score.ts'
import { reportOf, sliceOf, slices } from './slices.ts'

/*
 * Mutation testing: `npm run test:mutation` for all slices, `npm run test:mutation -- krond/lock`
 * for one, `… -- krond/lock/flock.ts` for one file. What survived is in `reports/mutation/*.log`.
 * With `--sample 4`, one function in four is mutated. With `--record`, the scores of slices go into
 * `tools/mutation/README.md`.
 */

const stryker = 'tools/mutation/node_modules/@stryker-mutator/core/bin/stryker.js'

async function mutate(path: string): Promise<void> {
  const slice = sliceOf(path)
  const report = reportOf(slice)
  mkdirSync(dirname(report), { recursive: true })
  const log = `${report}.log`
  const child = spawn(process.execPath, [stryker, 'run', 'tools/mutation/stryker.config.mjs'], {
    env: { ...process.env, KRON_MUTATION_PATH: path, KRON_MUTATION_SAMPLE: sample },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  const [code] = await once(child, 'close')
  file.end()
  if (code !== 0) {
    console.error(`${path}: Stryker ended with ${code}; see ${log}`)
    process.exitCode = 1
    return
  }
  if (isRecorded && path === slice.name) {
    record(slice, new Date().toISOString().slice(0, 10), Number(sample))
  }
  const score = scoreOf(slice)
  const { mutants, survived, unreached } = score
  console.log(
    `${path}: ${percentFound(score)} of ${mutants} found, ` +
      `${survived} survived, ${unreached} reached by no test; see ${log}`,
  )
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: 'boolean' }, sample: { type: 'string', default: '1' } },
})
const { record: isRecorded, sample } = values
for (const path of positionals.length > 0 ? positionals : slices.map(({ name }) => name)) {
  await mutate(path)
}
