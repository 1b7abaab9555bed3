/**
 * Before a package is packed: builds everything from an empty `dist`, so that nothing of an earlier
 * build is packed along, and puts the licence beside it. `npm run tarballs` builds once for all.
 */
import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

if (process.env.KRON_IS_BUILT !== '1') {
  for (const dist of globSync('packages/*/dist', { cwd: root })) {
    rmSync(`${root}/${dist}`, { recursive: true })
  }
  // What is printed to stdout is the answer of `npm pack --json`.
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 2, 2] })
}
copyFileSync(`${root}/LICENSE`, 'LICENSE')
