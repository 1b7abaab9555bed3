/**
 * Does what README and each quick start say, word for word, in order, from nothing: a fresh clone
 * with an empty home and cache, then an empty folder with the tarballs alone.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../package/published.ts'
import { handOver, unprivileged } from './account.ts'
import { cluster } from './cluster.ts'
import { type FollowedDocument, inCheckout, withTarballs } from './documents.ts'
import { type Followed, follow, type Reader, Surprise } from './follow.ts'
import { machinePath, newcomerEnv, ownNode } from './newcomer.ts'
import { stepsOf } from './steps.ts'

const help = `Follows README and quick starts word for word.

  npm run first-steps                                 from a fresh clone, then from tarballs
  npm run first-steps -- --only docs/server.md        one document, with what was packed last
  npm run first-steps -- --verbose                    with all that is printed
`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    only: { type: 'string' },
    verbose: { type: 'boolean', short: 'v' },
  },
})

const temporary = mkdtempSync(join(tmpdir(), 'first-steps-'))
chmodSync(temporary, 0o755)
const show = (text: string): void => {
  if (values.verbose === true) process.stdout.write(text)
}
const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`

async function followed(document: FollowedDocument, reader: Reader): Promise<Followed> {
  const text = readFileSync(`${root}/${document.path}`, 'utf8')
  return follow(stepsOf(text, document.sections), reader)
}

/** Says how it went in a line or two; what went otherwise is thrown. */
async function report(document: FollowedDocument, reader: Reader): Promise<void> {
  const start = performance.now()
  const name = [document.path, ...(document.sections ?? [])].join(' · ')
  try {
    const { done, leftOut } = await followed(document, reader)
    console.log(`ok  ${name}: ${done} steps in ${seconds(start)}`)
    for (const step of leftOut) {
      console.log(`    line ${step.line} was not done: it needs ${step.needs}`)
    }
  } catch (error) {
    if (!(error instanceof Surprise)) throw error
    console.log(`NOT AS IT SAYS  ${document.path}:${error.line}: ${error.message}`)
    process.exitCode = 1
  }
}

function clone(): string {
  const folder = `${temporary}/kron`
  if (existsSync(`${root}/.git`)) {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, folder])
    const changed = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
    if (changed !== '') console.log('note: the clone lacks changes that are not committed')
  } else {
    const isSource = (path: string): boolean => !/\/(node_modules|dist|tarballs)(\/|$)/.test(path)
    cpSync(root, folder, { recursive: true, filter: isSource })
  }
  return folder
}

async function followInCheckout(): Promise<string> {
  const folder = clone()
  const env = newcomerEnv(`${temporary}/home`, machinePath())
  for (const document of inCheckout) {
    await report(document, { folder, env, show, has: new Set(['checkout']) })
  }
  return `${folder}/tarballs`
}

async function followWithTarballs(tarballs: string): Promise<void> {
  const path = ownNode(`${temporary}/node`)
  const [install, ...others] = withTarballs
  await followAlone(install!, tarballs, path)
  const wanted = others.filter((each) => values.only === undefined || values.only === each.path)
  // Each has a home and a folder of its own, and most of the time they wait for the next minute.
  if (values.verbose !== true) {
    await Promise.all(wanted.map((document) => followAlone(document, tarballs, path)))
  } else for (const document of wanted) await followAlone(document, tarballs, path)
}

async function followAlone(
  document: FollowedDocument,
  tarballs: string,
  path: string,
): Promise<void> {
  const folder = mkdtempSync(`${temporary}/empty-`)
  cpSync(tarballs, `${folder}/tarballs`, { recursive: true })
  const env = newcomerEnv(mkdtempSync(`${temporary}/home-`), path)
  const account = document.isUnprivileged === true ? unprivileged : {}
  for (const each of [folder, env['HOME']!]) handOver(each, account)
  if (document.usesCluster === true) await reportInCluster(document, folder, env)
  else await report(document, { folder, env, account, show, has: new Set() })
}

async function reportInCluster(
  document: FollowedDocument,
  folder: string,
  env: Record<string, string>,
): Promise<void> {
  const plane = await cluster()
  const has = new Set(plane === null ? [] : ['cluster'])
  try {
    await report(document, { folder, env: plane?.env(env) ?? env, show, has })
  } finally {
    await plane?.stop()
  }
}

async function run(): Promise<void> {
  const start = performance.now()
  try {
    if (values.only === undefined) {
      const packed = await followInCheckout()
      // What comes now must not find anything of the clone.
      cpSync(packed, `${temporary}/tarballs`, { recursive: true })
      rmSync(`${temporary}/kron`, { recursive: true })
      await followWithTarballs(`${temporary}/tarballs`)
    } else await followWithTarballs(`${root}/tarballs`)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
  console.log(`all of it took ${seconds(start)}`)
}

if (values.help === true) process.stdout.write(help)
else if (process.platform === 'linux') await run()
else console.log('NOT FOLLOWED: krond and the terminals of this check need Linux')
