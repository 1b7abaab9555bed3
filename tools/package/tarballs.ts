/** Builds everything once and packs every package that is published, into `tarballs/`. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { publishedPackages, root, tarballName } from './published.ts'

const folder = `${root}/tarballs`
for (const each of readdirSync(`${root}/packages`)) {
  rmSync(`${root}/packages/${each}/dist`, { recursive: true, force: true })
}
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })

const env = { ...process.env, KRON_IS_BUILT: '1' }
for (const { manifest } of publishedPackages()) {
  const arguments_ = ['pack', '--workspace', manifest.name, '--pack-destination', folder]
  execFileSync('npm', [...arguments_, '--loglevel=error'], { cwd: root, env, stdio: 'pipe' })
  const kilobytes = Math.round(statSync(`${folder}/${tarballName(manifest)}`).size / 1000)
  console.log(`tarballs/${tarballName(manifest)}  ${kilobytes} KB`)
}
