import { describe, expect, it } from 'vitest'
import { endedUnreleased, execFailure } from './exec-failure.js'

const interpreter = '; is its interpreter there?'

describe('a job that could not be executed', () => {
  it.each([
    ['job', '126', '', '"job": could not be executed'],
    ['job', '127', '', '"job": not found'],
    ['/opt/job', '127', '', `"/opt/job": not found${interpreter}`],
    ['/opt/job', '126', '', '"/opt/job": could not be executed'],
    [
      '/opt/job',
      '127',
      'krond-gate: 7: exec: /opt/job: not found',
      `/opt/job: not found${interpreter}`,
    ],
    ['job', '126', 'krond-gate: line 12: job: Permission denied\nmore', 'job: Permission denied'],
    ['job', '126', 'job: krond-gate: 7: odd', 'job: krond-gate: 7: odd'],
  ])('is reported with what the shell said: %s, %s, %j', (program, status, said, reason) => {
    expect(execFailure(program, status, said)).toEqual({ kind: 'not-executed', reason })
  })

  it.each([
    [{ code: 3, signal: null }, 'exit code 3'],
    [{ code: null, signal: 'SIGKILL' }, 'SIGKILL'],
  ])('is reported with how its gate ended: %j', (status, how) => {
    const reason = `the gate ended before it was released: ${how}`
    expect(endedUnreleased(status)).toEqual({ kind: 'not-executed', reason })
  })
})
