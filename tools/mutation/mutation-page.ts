import { leftOver } from './left-over.ts'
import type { DatedScore, Records } from './record.ts'
import { percentFound } from './score.ts'
import { slices } from './slices.ts'

function foundOf(score: DatedScore | null): string {
  if (score === null) return 'not measured'
  const ofSample = score.oneIn === 1 ? '' : `, 1 in ${score.oneIn}`
  return `${percentFound(score)} of ${score.mutants}${ofSample}`
}

/** The page about mutations, from the recorded runs. */
export function mutationPage(records: Records): string {
  const rows = slices.flatMap(({ name }) => {
    const known = records[name]
    if (known === undefined) return []
    const { before, after } = known
    const { survived, unreached, date } = after
    const cells = [foundOf(before), foundOf(after), survived, unreached, date]
    return [`| \`${name}\` | ${cells.join(' | ')} |`]
  })
  const notes = slices.flatMap(({ name }) => {
    const left = name in records ? leftOver[name] : undefined
    return left === undefined ? [] : [`- \`${name}\`: ${left}`]
  })
  const left =
    notes.length === 0
      ? ''
      : `
## What is left

Which mutants survive, and why no test finds them:

${notes.join('\n')}
`
  return `# Mistakes that the tests find

\`npm run test:mutation\` plants small mistakes (mutants) in the folders that decide, claim, lock and record: a comparison that is off by one, a condition that always holds, a call or a block left out. Then it runs the quick tests near the folder. A mutant is found when one of these tests fails, or when the code never ends. \`npm run test:mutation -- krond/lock\` does this for one folder, \`-- krond/lock/flock.ts\` for one file; \`reports/mutation/\` then lists the mutants that survived. With \`--sample 4\` one function in four is mutated. With \`--record\` the table is written again.

Texts are not mutated, and neither is code that runs once when a module is loaded. "Before" is how many mutants the tests found at commit 26143c6, before tests for the missed ones were written; "1 in 4" means that one function in four was mutated.

| folder | found before | found now | survived | reached by no test | on |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.join('\n')}
${left}`
}
