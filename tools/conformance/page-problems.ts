import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { repository } from '../documentation/documentation-host.js'
import type { ConformancePage } from './conformance-page.js'
import { levels } from './demand.js'
import { problemOfTest } from './named-test.js'
import { isTallyLine, tallyLine, tallyOf } from './tally.js'

/** The rules of a page; each returns the violations that it found. */
export const pageRules = {
  'numbers its rows from 1 on for each letter, without a gap': (page) =>
    lettersOf(page).flatMap((letter) => {
      const ids = page.demands.map(({ id }) => id).filter((id) => id.startsWith(letter))
      return ids.flatMap((id, index) =>
        id === `${letter}${index + 1}` ? [] : [`${id} stands where ${letter}${index + 1} should`],
      )
    }),

  'has demands, and nothing else in the lines of its tables': ({ demands, strayLines }) => [
    ...(demands.length === 0 ? ['no demand'] : []),
    ...strayLines.map((line) => `line ${line} is no row`),
  ],

  'has rows under every heading': ({ headings, demands, deviations }) =>
    // The first heading is that of the page, with its introduction under it.
    headings.slice(1).flatMap(({ text, line, end }) => {
      const filled =
        text === '## Deviations'
          ? deviations.length > 0
          : demands.some((demand) => demand.line > line && demand.line < end)
      return filled ? [] : [text]
    }),

  'says in every row what is demanded, and how strictly': ({ demands }) =>
    demands.flatMap(({ id, text, level }) =>
      text === '' || !levels.includes(level) ? [`${id}: "${text}", "${level}"`] : [],
    ),

  'says in every row where the demand is kept': ({ demands }) =>
    demands.flatMap(({ id, keptIn, standing }) => {
      if (keptIn.length === 0 && standing !== 'open') return [`${id}: no file`]
      const missing = keptIn.filter((path) => !existsSync(join(repository, path)))
      return missing.map((path) => `${id}: ${path} does not exist`)
    }),

  'names a test in every row that is not open': ({ demands }) =>
    demands
      .filter(({ tests, standing }) => tests.length === 0 && standing !== 'open')
      .map(({ id }) => id),

  'names only tests and headings that are there': ({ demands }) =>
    demands.flatMap(({ id, tests }) =>
      tests.flatMap((test) => {
        const problem = problemOfTest(test)
        return problem === null ? [] : [`${id}: ${problem}`]
      }),
    ),

  'says of every deviation, and of nothing else, what Kron does and why': (page) => {
    const deviating = page.demands.flatMap(({ id, standing }) =>
      standing === 'deviates' ? [id] : [],
    )
    const explained = page.deviations.map(({ id }) => id)
    return [
      ...deviating.filter((id) => !explained.includes(id)).map((id) => `${id} is not explained`),
      ...explained.filter((id) => !deviating.includes(id)).map((id) => `${id} does not deviate`),
      ...explained.filter((id, index) => explained.indexOf(id) !== index),
      ...page.deviations.flatMap(({ id, instead, why }) =>
        instead === '' || why === '' ? [`${id} says too little`] : [],
      ),
    ]
  },

  'counts its rows in one line under its introduction': ({ lines, demands, headings }) => {
    const found = lines.slice(0, (headings[1]?.line ?? lines.length + 1) - 1).filter(isTallyLine)
    const expected = tallyLine(tallyOf(demands))
    return found.length === 1 && found[0] === expected ? [] : [...found, `expected ${expected}`]
  },
} satisfies Record<string, (page: ConformancePage) => string[]>

export type PageRule = keyof typeof pageRules

export const lettersOf = ({ demands }: ConformancePage): string[] => [
  ...new Set(demands.map(({ id }) => id.charAt(0))),
]
