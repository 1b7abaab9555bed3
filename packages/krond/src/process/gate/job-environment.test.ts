import { ExecutionError } from '@kron/core'
import { describe, expect, it } from 'vitest'
import { sampleStart } from '../../../testing/process/sample-start.js'
import { jobEnvironment } from './job-environment.js'

const own = { name: 'me', home: '/home/me' }
const ofUser = { name: 'ada', uid: 1, gid: 1, groups: [], home: '/home/ada' }
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

describe('the environment of a job', () => {
  it('is that of its user, with what the job says, and the period that nobody can change', () => {
    const start = sampleStart(['x'], {
      env: { PATH: '/opt', A: 'b', KRON_NAME: 'other' },
      account: ofUser,
    })
    const period = { nominal: 60_000, chosen: 75_000 }
    expect(jobEnvironment({ ...start, period }, own)).toEqual({
      HOME: '/home/ada',
      LOGNAME: 'ada',
      USER: 'ada',
      SHELL: '/bin/sh',
      PATH: '/opt',
      A: 'b',
      KRON_IDENTITY: start.identity,
      KRON_NAME: start.name,
      KRON_PERIOD_ID: '1970-01-01T00:01:00Z',
      KRON_NOMINAL_TIME: '1970-01-01T00:01:00Z',
      KRON_CHOSEN_TIME: '1970-01-01T00:01:15Z',
    })
  })

  it('is that of the daemon’s user without an account, and has no period outside of any', () => {
    const start = { ...sampleStart(['x'], { account: null }), period: null }
    expect(jobEnvironment(start, own)).toEqual({
      HOME: '/home/me',
      LOGNAME: 'me',
      USER: 'me',
      SHELL: '/bin/sh',
      PATH: path,
      KRON_IDENTITY: start.identity,
      KRON_NAME: start.name,
    })
  })

  const names = 'names of letters, digits and _, not beginning with krond_gate_'
  it.each([
    ['A-B', 'x', `the environment can't have "A-B", allowed are ${names}`, names],
    ['1A', 'x', `the environment can't have "1A", allowed are ${names}`, names],
    ['', 'x', `the environment can't have "", allowed are ${names}`, names],
    ['A B', 'x', `the environment can't have "A B", allowed are ${names}`, names],
    ['krond_gate_x', '', `the environment can't have "krond_gate_x", allowed are ${names}`, names],
    [
      'A',
      'x\0y',
      'the variable A has a zero byte, allowed are text without zero bytes',
      'text without zero bytes',
    ],
  ])('refuses %j as %j', (variable, value, message, allowed) => {
    const start = sampleStart(['x'], { env: { [variable]: value } })
    expect(() => jobEnvironment(start, own)).toThrow(ExecutionError)
    expect(() => jobEnvironment(start, own)).toThrow(
      expect.objectContaining({ message, details: { field: 'env', value: variable, allowed } }),
    )
  })

  it('may have names with digits and of the gate’s spelling in another case', () => {
    const env = { A1: '', _x: 'é\n', KROND_GATE_X: 'y' }
    expect(jobEnvironment(sampleStart(['x'], { env }), own)).toMatchObject(env)
  })
})
