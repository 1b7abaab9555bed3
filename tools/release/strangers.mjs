/**
 * Asks publint and are-the-types-wrong about tarballs, and whether bills of materials keep to the
 * schema of CycloneDX. Prints what they find as JSON: a line of text for each problem.
 */
import { readFileSync } from 'node:fs'
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const files = process.argv.slice(2)
const problems = []

for (const file of files.filter((each) => each.endsWith('.tgz'))) {
  const data = readFileSync(file)
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true })
  problems.push(...messages.map((each) => `publint: ${pkg.name}: ${formatMessage(each, pkg)}`))
  // Programs have no types to be wrong.
  if (pkg.exports['.'] === undefined) continue
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(data)))
  for (const problem of analysis.problems ?? []) {
    // Libraries are ES modules only: `require` of them needs a Node that can load those.
    if (problem.kind === 'CJSResolvesToESM') continue
    // The way of resolving of before 2019 knows no `exports`.
    if (problem.resolutionKind === 'node10') continue
    problems.push(`attw: ${pkg.name}: ${JSON.stringify(problem)}`)
  }
}

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
for (const file of files.filter((each) => each.endsWith('.cdx.json'))) {
  const error = await validator.validate(readFileSync(file, 'utf8'))
  if (error !== null) problems.push(`CycloneDX: ${file}: ${JSON.stringify(error)}`)
}

process.stdout.write(JSON.stringify(problems))
