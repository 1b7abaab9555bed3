import { describe, expect, it } from 'vitest'
import { conformancePage, withTally } from './conformance-page.js'
import { indexTable, withIndexTable } from './index-page.js'
import { type PageRule, pageRules } from './page-problems.js'

const here = 'tools/conformance'
const test = `\`${here}/page-problems.test.ts\` › \`a page as it should be > breaks no rule\``

const sound = [
  '# A specification',
  '',
  'What [it](#one) is about. And more.',
  '',
  '**3 demands: 2 kept, 1 deviating on purpose, 0 open.**',
  '',
  '## One',
  '',
  '| | demand | level | kept in | test |',
  '| --- | --- | --- | --- | --- |',
  `| S1 | First \\| foremost | MUST | \`${here}/demand.ts\`<br>\`${here}\` | ${test} |`,
  `| S2 | Second | MUST (deviates) | \`${here}/table.ts\` | ${test}<br>${test} |`,
  '',
  '## Two',
  '',
  '### Three',
  '',
  '| | demand | level | kept in | test |',
  '| --- | --- | --- | --- | --- |',
  `| T1 | Third | SHOULD NOT | \`${here}\` | \`CONTRIBUTING.md\` › \`How we work\` |`,
  '',
  '## Deviations',
  '',
  '| | what Kron does | why |',
  '| --- | --- | --- |',
  '| S2 | Something else | It is better |',
  '',
].join('\n')

const brokenRules = (text: string): PageRule[] => {
  const page = conformancePage('page.md', text)
  return (Object.keys(pageRules) as PageRule[]).filter((rule) => pageRules[rule](page).length > 0)
}

describe('a page as it should be', () => {
  it('breaks no rule', () => {
    expect(brokenRules(sound)).toEqual([])
  })

  it('may have an open row without a test, which is counted', () => {
    const text = sound
      .replace('SHOULD NOT |', 'SHOULD NOT (open) |')
      .replace('`CONTRIBUTING.md` › `How we work`', '')
      .replace('2 kept, 1 deviating on purpose, 0 open', '1 kept, 1 deviating on purpose, 1 open')
    expect(brokenRules(text)).toEqual([])
  })
})

const numbers: PageRule = 'numbers its rows from 1 on for each letter, without a gap'
const lines: PageRule = 'has demands, and nothing else in the lines of its tables'
const headings: PageRule = 'has rows under every heading'
const demand: PageRule = 'says in every row what is demanded, and how strictly'
const place: PageRule = 'says in every row where the demand is kept'
const someTest: PageRule = 'names a test in every row that is not open'
const namedTest: PageRule = 'names only tests and headings that are there'
const deviation: PageRule = 'says of every deviation, and of nothing else, what Kron does and why'
const counts: PageRule = 'counts its rows in one line under its introduction'

describe('a page breaks the rule it should', () => {
  it.each<[string, PageRule, string, string]>([
    ['a number left out', numbers, '| S2 | Second', '| S3 | Second'],
    ['a number twice', numbers, '| S2 | Second', '| S1 | Second'],
    ['a row without a number', lines, '| T1 | Third', '| | Third'],
    ['a row of four cells', lines, ' | SHOULD NOT |', ' |'],
    ['a heading with nothing under it', headings, '## Two', '## Empty\n\n## Two'],
    ['a row without a demand', demand, '| Third |', '| |'],
    ['a level that is none', demand, '| SHOULD NOT |', '| OUGHT |'],
    ['no place', place, `| \`${here}\` |`, '| |'],
    ['a place that does not exist', place, `${here}/table.ts`, `${here}/chair.ts`],
    ['no test', someTest, '`CONTRIBUTING.md` › `How we work`', 'none'],
    ['a file that does not exist', namedTest, '`CONTRIBUTING.md` ›', '`CONTRIBUTIONS.md` ›'],
    ['a heading that does not exist', namedTest, '`How we work`', '`How we rest`'],
    ['a test that does not exist', namedTest, 'breaks no rule', 'breaks every rule'],
    ['a group that does not exist', namedTest, 'a page as it should', 'a page as it may'],
    ['a deviation without a reason', deviation, 'It is better', ''],
    ['a deviation of another row', deviation, '| S2 | Something', '| S1 | Something'],
    ['a row that does not say that it deviates', deviation, ' (deviates)', ''],
    ['a wrong count', counts, '2 kept', '3 kept'],
    ['no count', counts, '**3 demands', '**Many demands'],
  ])('%s', (_, rule, from, to) => {
    expect(sound).toContain(from)
    expect(brokenRules(sound.replace(from, to))).toContain(rule)
  })
})

describe('refreshing', () => {
  it('counts the rows of a page again and leaves the rest as it is', () => {
    const wrong = sound.replace('3 demands: 2 kept', '9 demands: 9 kept')
    expect(withTally(conformancePage('page.md', wrong))).toBe(sound)
  })

  it('makes the lines of the index from the pages', () => {
    const page = conformancePage('page.md', sound)
    const written = withIndexTable('# Index\n\n| old |\n| older |\n\nEnd.\n', [page])
    expect(written).toBe(`# Index\n\n${indexTable([page]).join('\n')}\n\nEnd.\n`)
    expect(indexTable([page]).slice(2)).toEqual([
      '| [A specification](page.md) | What it is about. | 3 | 2 | 1 | 0 |',
      '| all |  | 3 | 2 | 1 | 0 |',
    ])
  })
})
