import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { stopCluster } from './bare-cluster.ts'
import type { Mistake } from './mistake.ts'
import { NotSeenHere } from './not-seen-here.ts'
import { pageOf, type Section, shownIn } from './page.ts'
import { allSections } from './sections.ts'

const file = fileURLToPath(new URL('../../docs/troubleshooting.md', import.meta.url))
/** `KRON_REFRESH_DOCUMENTATION=1` writes what is seen now, after a change that is meant. */
const isRefreshed = process.env['KRON_REFRESH_DOCUMENTATION'] === '1'
const page = existsSync(file) ? readFileSync(file, 'utf8') : ''
const sections = allSections
const seen = new Map<Mistake, string>()

afterAll(stopCluster)

const shown = (section: Section, mistake: Mistake): string => shownIn(page, section, mistake) ?? ''
const plain = (text: string): string => text.replace(/[ \t]+$/gm, '').trimEnd()

describe.each(sections.filter(({ mistakes }) => mistakes.length > 0))('$program', (section) => {
  it('has ten mistakes or more, no two of one title', () => {
    const titles = section.mistakes.map(({ title }) => title)
    expect(titles.length).toBeGreaterThanOrEqual(10)
    expect(titles).toEqual([...new Set(titles)])
  })

  it.each(section.mistakes)('shows of "$title" what is seen', async (mistake) => {
    try {
      const { text, exitCode } = await mistake.see()
      seen.set(mistake, text)
      if (isRefreshed) return
      expect(plain(text)).toBe(plain(shown(section, mistake)))
      expect(exitCode).toBeTypeOf('number')
    } catch (error) {
      if (!(error instanceof NotSeenHere)) throw error
      console.warn(`not tested: ${section.program}, ${mistake.title}: ${error.message}`)
    }
  })
})

describe('docs/troubleshooting.md', () => {
  it('has all of it and nothing else', () => {
    const fresh = pageOf(sections, (section, mistake) =>
      isRefreshed ? (seen.get(mistake) ?? shown(section, mistake)) : shown(section, mistake),
    )
    if (isRefreshed) writeFileSync(file, fresh)
    else expect(page).toBe(fresh)
  })

  it('has nothing of the machine that it was written on', () => {
    const text = readFileSync(file, 'utf8')
    expect(text).not.toMatch(/\/tmp\/|\/work\/|127\.0\.0\.1:\d{5}|kron-newcomer/)
  })
})
