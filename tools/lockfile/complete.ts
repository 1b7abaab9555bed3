import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Lock, missingPlatforms, withPlatforms } from './missing-platforms.ts'
import { withNothingToCompile } from './not-compiled.ts'

const help = `Adds what npm left out of package-lock.json: the packages of other platforms, and the note that
a package contains its binaries.

npm drops an optional package from the lock file when the registry in use does not offer it (some
mirrors hold only their own platform), and \`npm ci\` then refuses that very lock file.

  npm run lock                          write the lock file again after a change of dependencies
  node tools/lockfile/complete.ts [file]
`

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean', short: 'h' } },
  allowPositionals: true,
})
const file = positionals[0] ?? 'package-lock.json'

if (values.help) process.stdout.write(help)
else {
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock
  const missing = missingPlatforms(lock)
  const complete = withNothingToCompile(withPlatforms(lock, missing))
  writeFileSync(file, `${JSON.stringify(complete, null, 2)}\n`)
  console.log(`${file}: ${missing.length} packages of other platforms added`)
}
