import { describe, expect, it } from 'vitest'
import { areShown, isAll, masked } from './masked.ts'

describe('a line on another day', () => {
  it.each([
    ['ended 2026-11-16T14:39:31.940Z (now)', 'ended 2027-01-02T00:00:00.001Z (3s ago)'],
    ['run run_01m7jcs1a30_mwjd', 'run run_99_zz'],
    ['kron_6gtqfzvn_...', 'kron_91sz9qsc_sewhhdwt6w624zpwev6qkvv3'],
    ['whsec_...', 'whsec_ONfBYcB9Un7GYDnQt2+k2NDObnCBnMDj09bUgNvI4pw='],
    ['took           32ms', 'took  1.5s'],
    ['state in /home/ada/.local/state/krond', 'state in /tmp/x-1/home/.local/state/krond'],
    ['Sat 03-28 02:24:56 +01:00', 'Sun 11-29 12:00:00 +00:00'],
    ['process 4711', '\u001b[1mprocess 12\u001b[0m\r'],
  ])('%s is like %s', (one, other) => {
    expect(masked(one)).toBe(masked(other))
  })

  it.each([
    ['answer HTTP 200, 13 bytes', 'answer HTTP 200, 13 bytes, cut'],
    ['status success', 'status failure'],
    ['kron serves api', 'krond serves api'],
  ])('%s is not like %s', (one, other) => {
    expect(masked(one)).not.toBe(masked(other))
  })
})

describe('what was printed', () => {
  it('shows lines in their order, others between them', () => {
    expect(areShown(['a', 'b'], ['x', 'a', 'y', 'b'])).toBe(true)
    expect(areShown(['b', 'a'], ['a', 'b'])).toBe(false)
    expect(areShown(['a', 'a'], ['a'])).toBe(false)
  })

  it('is all of it, but for what the document leaves out', () => {
    expect(isAll(['a 1', 'b'], ['a 2', '', 'b'])).toBe(true)
    expect(isAll(['a'], ['a', 'b'])).toBe(false)
    expect(isAll(['a', '...'], ['a', 'b'])).toBe(true)
    expect(isAll(['...', 'c'], ['a', 'b'])).toBe(false)
  })
})
