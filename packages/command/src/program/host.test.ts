import { expect, it } from 'vitest'
import { homeFolder } from './host.js'

it('has a home, also for an account that has none', () => {
  const none = (): never => {
    throw new Error('uv_os_homedir returned ENOENT')
  }
  expect(homeFolder(() => '/home/ada')).toBe('/home/ada')
  expect(homeFolder(none)).toBe('/')
})
