import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Lock, missingPlatforms, withPlatforms } from './missing-platforms.ts'
import { platformOf } from './platform.ts'

const lock: Lock = {
  lockfileVersion: 3,
  packages: {
    '': {},
    'node_modules/a': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@a/linux-x64-gnu': '1.0.0', '@a/darwin-arm64': '1.0.0', extra: '1' },
    },
    'node_modules/a/node_modules/@a/linux-x64-gnu': { version: '1.0.0' },
  },
}

describe('the lock file', () => {
  it('gets the packages of platforms that the registry did not offer', () => {
    const missing = missingPlatforms(lock)
    expect(missing).toEqual([
      {
        path: 'node_modules/@a/darwin-arm64',
        version: '1.0.0',
        dev: true,
        os: ['darwin'],
        cpu: ['arm64'],
      },
    ])
    const complete = withPlatforms(lock, missing)
    expect(missingPlatforms(complete)).toEqual([])
    expect(Object.keys(complete.packages)).toEqual([
      '',
      'node_modules/@a/darwin-arm64',
      'node_modules/a',
      'node_modules/a/node_modules/@a/linux-x64-gnu',
    ])
  })

  it.each(['package-lock.json', 'tools/mutation/package-lock.json'])('%s is complete', (file) => {
    const url = new URL(`../../${file}`, import.meta.url)
    expect(missingPlatforms(JSON.parse(readFileSync(url, 'utf8')) as Lock)).toEqual([])
  })
})

describe('the platform of a package', () => {
  it.each([
    ['@rolldown/binding-linux-arm64-musl', { os: ['linux'], cpu: ['arm64'], libc: ['musl'] }],
    ['@rolldown/binding-linux-x64-gnu', { os: ['linux'], cpu: ['x64'], libc: ['glibc'] }],
    ['@rolldown/binding-linux-arm-gnueabihf', { os: ['linux'], cpu: ['arm'], libc: ['glibc'] }],
    ['@rolldown/binding-win32-arm64-msvc', { os: ['win32'], cpu: ['arm64'] }],
    ['@rolldown/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['@biomejs/cli-darwin-x64', { os: ['darwin'], cpu: ['x64'] }],
    ['fsevents', null],
    ['left-x64', null],
  ])('%s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform)
  })
})
