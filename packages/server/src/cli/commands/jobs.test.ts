import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KronCommands } from '../../../testing/kron-commands.js'
import type { JobDocument } from '../client/index.js'

const kron = new KronCommands()
const { runLine: run, success } = kron
beforeEach(kron.start)
afterEach(kron.stop)

describe('kron jobs', () => {
  it('creates, lists, shows, pauses, resumes, archives and deletes', async () => {
    expect(await success('jobs')).toBe('no jobs; kron jobs create adds one\n')
    expect(await success('jobs create nightly --description "at night"')).toBe(
      [
        'job          nightly',
        'id           job_...',
        'description  at night',
        'status       active',
        'created      2026-03-01T12:00:30Z (now)',
        'changed      2026-03-01T12:00:30Z (now)',
        'version      1',
        '',
      ].join('\n'),
    )
    expect(await success('jobs list')).toBe(
      'job      status  description  id\nnightly  active  at night     job_...\n',
    )
    expect(await success('jobs pause nightly')).toContain('status       paused\n')
    expect(await success('jobs resume nightly')).toContain('status       active\n')
    expect(await success('jobs archive nightly')).toContain('status       archived\n')
    expect(await success('jobs --status active')).toBe('no jobs; kron jobs create adds one\n')
    expect(await success('jobs delete nightly --yes')).toBe('deleted nightly\n')
    expect(await kron.json('jobs')).toEqual([])
  })

  it('deletes nothing without --yes', async () => {
    await run('jobs create nightly')
    expect(await run('jobs delete nightly')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr:
        'kron: deleting the job "nightly" deletes all of its endpoints as well\n' +
        'hint: add --yes if that is what you want\n',
    })
    expect(await kron.json<JobDocument[]>('jobs')).toHaveLength(1)
  })

  it('says when there are more than it shows', async () => {
    for (const name of ['a', 'b', 'c']) await run(`jobs create ${name}`)
    const { stdout, stderr } = await run('jobs --limit 2')
    expect(stdout.trim().split('\n')).toHaveLength(3)
    expect(stderr).toBe('kron: there are more; --limit shows more of them\n')
  })
})
