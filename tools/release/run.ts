/**
 * Packs everything, checks each package from outside, and writes the files of a release
 * into `release/`. It publishes nothing.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publishedPackages, readManifest, root, tarballName } from '../package/published.ts'
import { billOfMaterials, type Component } from './bill-of-materials.ts'
import { contentProblems } from './content-rules.ts'
import {
  type Engine,
  engines,
  installInto,
  libraryProblem,
  programProblem,
  serverProblem,
} from './engine-check.ts'
import { installedSize } from './installed-size.ts'
import { releaseNotes } from './release-notes.ts'
import { checkTypes } from './strict-types.ts'
import { readTarball, type Tarball } from './tarball.ts'

const release = `${root}/release`
const problems: string[] = []
const temporary = mkdtempSync(join(tmpdir(), 'kron-release-'))

function step<Result>(what: string, work: () => Result): Result {
  const start = performance.now()
  const before = problems.length
  const result = work()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${problems.length === before ? 'ok ' : 'BAD'} ${what} (${seconds} s)`)
  for (const problem of problems.slice(before)) console.log(`    ${problem}`)
  return result
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

const packages = publishedPackages()
const named = (name: string): string => {
  const found = packages.find(({ manifest }) => manifest.name === name)
  return `${release}/${tarballName(found!.manifest)}`
}

function pack(): Tarball[] {
  execFileSync(process.execPath, [`${root}/tools/package/tarballs.ts`], { stdio: 'pipe' })
  rmSync(release, { recursive: true, force: true })
  cpSync(`${root}/tarballs`, release, { recursive: true })
  return packages.map(({ manifest }) => readTarball(named(manifest.name)))
}

function writeBills(tarballs: readonly Tarball[]): string[] {
  return packages.map(({ folder, manifest }, index) => {
    const list = `${root}/packages/${folder}/dist/components.json`
    const bundled = existsSync(list)
      ? (JSON.parse(readFileSync(list, 'utf8')) as Component[])
      : manifest.name === '@kron/sqlite'
        ? [componentOf('better-sqlite3')]
        : []
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies }
    const installed = Object.keys(needed).flatMap((name) =>
      existsSync(`${root}/node_modules/${name}`) ? [componentOf(name)] : [],
    )
    const bill = billOfMaterials(tarballs[index]!, bundled, installed)
    const file = named(manifest.name).replace(/\.tgz$/, '.cdx.json')
    writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`)
    return file
  })
}

function componentOf(name: string): Component {
  return readManifest(`node_modules/${name}/package.json`) as unknown as Component
}

function askStrangers(files: readonly string[]): void {
  const folder = `${root}/tools/release`
  execFileSync('npm', ['ci', '--loglevel=error', '--workspaces=false'], {
    cwd: folder,
    stdio: 'pipe',
  })
  const found = execFileSync(process.execPath, [`${folder}/strangers.mjs`, ...files])
  problems.push(...(JSON.parse(found.toString()) as string[]))
}

const libraryNames = ['@kron/core', '@kron/runtime', '@kron/scheduler']

/** With another copy of a library that programs have in them, which must not matter. */
const stranger = 'commander@11.1.0'

function tryOn(engine: Engine, tarballs: readonly Tarball[]): void {
  const project = `${temporary}/${engine.name.replace(' ', '-')}`
  // Without SQLite on a Node that can't load it: npm passes over it there.
  const libraries = engine.storage === 'memory' ? libraryNames : [...libraryNames, '@kron/sqlite']
  installInto(project, libraries.map(named), engine.node)
  const problem = libraryProblem(engine, project)
  if (problem !== null) problems.push(problem)
  if (engine.programs !== 'none') tryPrograms(engine, tarballs)
}

function tryPrograms(engine: Engine, tarballs: readonly Tarball[]): void {
  const project = `${temporary}/programs-${engine.name.replace(' ', '-')}`
  const isLibrary = ({ manifest }: Tarball): boolean => libraryNames.includes(manifest.name)
  const wanted = tarballs.filter((tarball) => !isLibrary(tarball))
  const files = wanted.map(({ file }) => file)
  installInto(project, [...files, stranger], engine.programs === 'run' ? engine.node : undefined)
  if (engine.programs === 'run') {
    const problem = serverProblem(engine, project)
    if (problem !== null) problems.push(problem)
  }
  for (const { manifest } of wanted) {
    for (const [name, path] of Object.entries(manifest.bin ?? {})) {
      const file = `node_modules/${manifest.name}/${path}`
      const problem = programProblem(engine, project, name, file)
      if (problem !== null) problems.push(problem)
    }
  }
}

function typecheck(): void {
  const project = `${temporary}/types-of-libraries`
  installInto(
    project,
    [...libraryNames, '@kron/sqlite', '@kron/server', '@kron/operator'].map(named),
  )
  try {
    checkTypes(project)
  } catch (error) {
    problems.push(`types: ${String((error as { stdout?: Buffer }).stdout ?? error)}`)
  }
}

/** Alone in an empty project, as most will have it. */
function sizes(): void {
  const alone: Readonly<Record<string, readonly string[]>> = {
    '@kron/core': [],
    '@kron/scheduler': ['@kron/core', '@kron/runtime', '@kron/sqlite'],
    '@kron/krond': [],
    '@kron/server': ['@kron/sqlite'],
    '@kron/operator': [],
  }
  for (const [name, others] of Object.entries(alone)) {
    const project = `${temporary}/size-${name.slice('@kron/'.length)}`
    installInto(project, [name, ...others].map(named))
    const { all, besideSqlite } = installedSize(project)
    const beside = all === besideSqlite ? '' : `, ${megabytes(besideSqlite)} beside SQLite itself`
    console.log(`    ${name} installed: ${megabytes(all)}${beside}`)
  }
}

function writeChecksums(): void {
  const lines = readdirSync(release).map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(`${release}/${name}`))
      .digest('hex')
    return `${digest}  ${name}\n`
  })
  writeFileSync(`${release}/SHA256SUMS`, lines.join(''))
}

try {
  const { version } = readManifest('package.json')
  const tarballs = step('everything is built from nothing and packed', pack)
  step('packages hold what they should and nothing else', () => {
    for (const tarball of tarballs) {
      const found = contentProblems(tarball)
      problems.push(...found.map((each) => `${tarball.manifest.name}: ${each}`))
      if (tarball.manifest.version !== version) {
        problems.push(`${tarball.manifest.name} is ${tarball.manifest.version}, not ${version}`)
      }
    }
  })
  const bills = step('bills of materials are written', () => writeBills(tarballs))
  step('publint, are-the-types-wrong and CycloneDX have nothing to say', () =>
    askStrangers([...tarballs.map(({ file }) => file), ...bills]),
  )
  step('types compile in a strict project, declarations of packages included', typecheck)
  for (const engine of engines()) {
    if ('missing' in engine) console.log(`NOT TRIED on ${engine.name}: ${engine.missing}`)
    else step(`packages install and run on ${engine.name}`, () => tryOn(engine, tarballs))
  }
  step('installed sizes', sizes)
  step('notes and checksums are written', () => {
    const changelog = readFileSync(`${root}/CHANGELOG.md`, 'utf8')
    writeFileSync(`${release}/NOTES.md`, releaseNotes(changelog, version))
    writeChecksums()
  })
  if (problems.length > 0) throw new Error(`${problems.length} problems, see above`)
  console.log(`
release/ has all of version ${version}. Nothing was published. To do that, from a tag and by the workflow:
  git tag v${version} && git push origin v${version}
or by hand, in this order:
${packages.map(({ manifest }) => `  npm publish release/${tarballName(manifest)} --access public`).join('\n')}`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true })
}
