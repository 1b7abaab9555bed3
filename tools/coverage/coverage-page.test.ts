import { describe, expect, it } from 'vitest'
import { readText } from '../documentation/documentation-host.js'
import { coveragePage, unexplained } from './coverage-page.js'
import { coverageByFolder, type FileSummary } from './folder-coverage.js'

const file = (total: number, covered: number): FileSummary => ({
  lines: { total, covered },
  branches: { total: 0, covered: 0 },
})

const folders = coverageByFolder({
  total: file(1000, 1000),
  '/somewhere/packages/krond/src/state/b.ts': file(30, 24),
  '/somewhere/packages/krond/src/state/deep/a.ts': file(10, 10),
  '/somewhere/packages/krond/src/lock/a.ts': file(10, 9),
  '/somewhere/packages/core/src/index.ts': file(4, 4),
  '/somewhere/packages/runtime/src/index.ts': file(0, 0),
})

describe('coverage', () => {
  it('is summed up by the folders of the packages that have code', () => {
    expect(folders.map(({ folder, lines }) => [folder, lines.covered, lines.total])).toEqual([
      ['core', 4, 4],
      ['krond/lock', 9, 10],
      ['krond/state', 34, 40],
    ])
  })

  it('needs a reason below 90 %', () => {
    expect(unexplained(folders, {})).toEqual(['krond/state'])
    expect(unexplained(folders, { 'krond/state': 'since' })).toEqual([])
  })

  it('is a row for each folder, with the reason of a low one alone', () => {
    const reasons = { 'krond/state': 'since', 'krond/lock': 'no longer low' }
    const rows = coveragePage(folders, reasons, '2026-11-18').split('\n').slice(6, -1)
    expect(rows).toEqual([
      '| `core` | 4 | 100.0 % | 100.0 % |  |',
      '| `krond/lock` | 10 | 90.0 % | 100.0 % |  |',
      '| `krond/state` | 40 | 85.0 % | 100.0 % | since |',
    ])
  })
})

describe('the page about coverage', () => {
  const rows = readText('tools/coverage/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))

  it('has a reason in each row that is low', () => {
    expect(rows.length).toBeGreaterThan(50)
    const silent = rows.filter(([, , , lines = '', , why]) => Number.parseFloat(lines) < 90 && !why)
    expect(silent).toEqual([])
  })
})
