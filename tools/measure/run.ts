/**
 * `npm run measure` prints the shape of the tree: sizes, folders, exports, starts of programs. Another
 * checkout, built, is put beside it with `-- --before FOLDER`; `--installed` installs all tarballs.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../package/published.ts'
import { exportedNames } from './exported-names.ts'
import { folderCycles } from './folder-cycles.ts'
import { installedPackages } from './installed-packages.ts'
import { programStarts } from './loaded-modules.ts'
import { shapes } from './shape.ts'
import { sourceFiles } from './source-file.ts'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    installed: { type: 'boolean', default: false },
    format: { type: 'string', default: 'text' },
  },
})

function measured(checkout: string) {
  const files = sourceFiles(checkout)
  return {
    shapes: shapes(files),
    cycles: folderCycles(files).map(({ folders }) => folders),
    exports: exportedNames(checkout).map((each) => ({
      package: each.package,
      exports: each.names.length,
      used: each.used.length,
      unused: each.names.filter((name) => !each.used.includes(name)).join(' '),
    })),
    starts: programStarts(checkout),
    installed: values.installed ? installedPackages(checkout) : [],
  }
}

function print(title: string, result: ReturnType<typeof measured>): void {
  console.log(`${title}\n\nSource files, without tests, generated files and test doubles`)
  console.table(result.shapes)
  console.log(`Folders that import each other: ${result.cycles.length}`)
  for (const folders of result.cycles) console.log(`  ${folders.join(', ')}`)
  console.log('\nNames that packages export, and how many of them something else imports')
  console.table(result.exports.map(({ unused: _, ...rest }) => rest))
  console.log(`Starts of programs, beside ${result.starts.emptyMs} ms of node -e 0`)
  console.table(result.starts.programs)
  if (result.installed.length > 0) {
    console.log('Installed into an empty folder')
    console.table(result.installed)
  }
}

const checkouts = [
  ...(values.before === undefined ? [] : [['Before', resolve(values.before)] as const]),
  ['Now', root] as const,
].map(([title, checkout]) => [title, measured(checkout)] as const)
if (values.format === 'json') console.log(JSON.stringify(Object.fromEntries(checkouts), null, 2))
else for (const [title, result] of checkouts) print(title, result)
