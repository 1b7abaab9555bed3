import { expect, it } from 'vitest'
import { homeOf } from './process-host.js'

it('has a home, also for an account that has none', () => {
  const none = (): never => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  expect(homeOf(() => '/home/ada')).toBe('/home/ada')
  expect(homeOf(none)).toBe('/')
})
