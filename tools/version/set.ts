/** Gives Kron a new version, in every place that names it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { root } from '../package/published.ts'
import { versionPlaces, withVersion } from './version-places.ts'

const help = `Gives Kron a new version.

  npm run version:set -- 0.2.0

It changes every file that names the version. Afterwards run npm run lock, npm run
manifests, KRON_REFRESH_MANUAL=1 KRON_REFRESH_DOCUMENTATION=1 npx vitest run
tools/documentation tools/manual;
then move the text under [Unreleased] in CHANGELOG.md under a heading of the version, and commit.
`

const version = process.argv[2] ?? '--help'
if (version === '--help' || version === '-h') process.stdout.write(help)
else if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version)) {
  process.stderr.write(`"${version}" is no version, expected one such as 0.2.0 or 1.0.0-rc.1\n`)
  process.exitCode = 1
} else {
  const own = { path: 'package.json', around: ['"version": "*"'] }
  for (const place of [own, ...versionPlaces()]) {
    const file = `${root}/${place.path}`
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, withVersion(text, place, version))
    console.log(place.path)
  }
}
