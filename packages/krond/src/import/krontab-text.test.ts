import { describe, expect, it } from 'vitest'
import { compileSchedule, type LineField } from '../krontab/index.js'
import type { ImportedJob } from './imported-file.js'
import { checkImport, krontabTextOf } from './krontab-text.js'

const now = Date.UTC(2026, 2, 1)
const fields: readonly LineField[] = [
  ['command', 'echo "a b"'],
  ['shell', 'true'],
  ['user', 'ada'],
  ['env', 'A=b=c d'],
]
function imported(schedule: string, meant = schedule): ImportedJob {
  const job = compileSchedule(meant, '/c:a')
  return { kind: 'job', name: 'a', schedule, fields, job, place: { file: '/c', line: 1 } }
}
const textOf = (...jobs: ImportedJob[]): string =>
  krontabTextOf([{ heading: 'from /c', file: { lines: jobs, problems: [], notices: [] } }])
const check =
  (text: string, ...jobs: ImportedJob[]) =>
  () =>
    checkImport(text, '/x.krontab', jobs, now)

describe('what was imported', () => {
  const job = imported('0 3 * * * @policy(deadline=1m)')

  it('is accepted when it reads back as it was meant', () => {
    expect(check(textOf(job), job)).not.toThrow()
  })

  it('is refused when a job would run at other times', () => {
    const other = imported('0 4 * * *', '0 3 * * *')
    expect(check(textOf(other), other)).toThrow('a would run at other times')
    const zone = imported('0 3 * * *', '0 3 * * * @tz(Europe/Paris)')
    expect(check(textOf(zone), zone)).toThrow('a would run at other times')
  })

  it('is refused when a policy, a field or a whole job was lost', () => {
    const policy = imported('0 3 * * *', '0 3 * * * @policy(concurrency=allow)')
    expect(check(textOf(policy), policy)).toThrow('a differs')
    expect(check(textOf(job).replace('user=ada', ''), job)).toThrow('a has another user')
    expect(check(textOf(job).replace('b=c d', 'b=c'), job)).toThrow('a has another env')
    expect(check(textOf(job).replace('a b', 'a  b'), job)).toThrow('a has another command')
    expect(check('', job)).toThrow('0 jobs of 1')
    expect(check(textOf(job).replace('user=ada', 'usr=ada'), job)).toThrow('unknown field usr')
  })

  it('must fit in a line', () => {
    const long: ImportedJob = { ...job, fields: [['command', 'x'.repeat(70_000)]] }
    expect(() => textOf(long)).toThrow('/c:1: a line must have at most 65536 characters')
  })
})
