import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readText } from '../documentation/documentation-host.js'
import { leftOver } from './left-over.js'
import { mutationPage } from './mutation-page.js'
import { pageFile, readRecords } from './record.js'
import { sliceOf, slices } from './slices.js'

describe('the page about mutations', () => {
  it('is what was recorded, for every slice', () => {
    const records = readRecords()
    expect(slices.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(records)))
    expect(readText(pageFile)).toBe(mutationPage(records))
  })

  it('says of every slice what is left', () => {
    expect(slices.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(leftOver)))
  })
})

describe('a slice', () => {
  it.each(slices.map(({ name, folder }) => [name, folder]))('%s is there', (_, folder) => {
    expect(existsSync(folder!)).toBe(true)
  })

  it('is found by a path in it, and by no other', () => {
    expect(sliceOf('server/store/sql/sql.ts').name).toBe('server/store/sql')
    expect(() => sliceOf('server/store')).toThrow('no slice for server/store: expected one of')
    expect(() => sliceOf('krond/locker')).toThrow('no slice for krond/locker')
  })
})
