/**
 * Started by the benchmark with a schedule as its argument: compiles it and prints how many
 * nanoseconds its first `nextSchedulable` takes in a process in which nothing has run yet.
 */
import { compileJob, parseSchedule } from '@kron/core'

const fridayEvening = Date.UTC(2026, 10, 13, 17, 59)
const spec = parseSchedule(process.argv[2] ?? '* * * * *', { dialect: 'extended' })
const job = compileJob({ identity: 'bench/next', ...spec })
const began = process.hrtime.bigint()
const found = job.nextSchedulable(fridayEvening)
const took = process.hrtime.bigint() - began
if (found === null) throw new RangeError('a schedule that has no run left is none to measure')
process.stdout.write(`${took}`)
