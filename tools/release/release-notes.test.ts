import { describe, expect, it } from 'vitest'
import { releaseNotes } from './release-notes.ts'

const changelog = `# Changelog

## [Unreleased]

- to come

## [0.2.0] - 2026-12-01

- new

## [0.1.0] - 2026-11-01

- old
`

describe('the notes of a release', () => {
  it('are those of its version', () => {
    expect(releaseNotes(changelog, '0.2.0')).toBe('- new\n')
    expect(releaseNotes(changelog, '0.1.0')).toBe('- old\n')
  })

  it('are of what is to come while the version has none', () => {
    expect(releaseNotes(changelog, '0.3.0')).toBe('- to come\n')
  })

  it('can not be empty', () => {
    expect(() => releaseNotes('# Changelog\n\n## [Unreleased]\n', '1.0.0')).toThrow('says nothing')
    expect(() => releaseNotes('# Changelog\n', '1.0.0')).toThrow('neither')
  })
})
