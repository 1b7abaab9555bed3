import { readFileSync, writeFileSync } from 'node:fs'
import { coveragePage, lowPercent, unexplained } from './coverage-page.ts'
import { coverageByFolder } from './folder-coverage.ts'
import { reasons } from './reasons.ts'

/* `npm run test:coverage` ends with this: `tools/coverage/README.md` is written from its report. */

const page = 'tools/coverage/README.md'
const folders = coverageByFolder(JSON.parse(readFileSync('coverage/coverage-summary.json', 'utf8')))
writeFileSync(page, coveragePage(folders, reasons, new Date().toISOString().slice(0, 10)))
console.log(`${folders.length} folders are in ${page}`)
for (const folder of unexplained(folders, reasons)) {
  console.error(`${folder} is below ${lowPercent} %: say why in tools/coverage/reasons.ts`)
  process.exitCode = 1
}
