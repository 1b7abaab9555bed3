/**
 * Publishes the packages that `npm run release` has checked, each after its dependencies. Only in the
 * workflow: there npm can show where a package was built.
 */
import { execFileSync } from 'node:child_process'
import { publishedPackages, root, tarballName } from '../package/published.ts'

if (process.env['GITHUB_ACTIONS'] !== 'true') {
  process.stderr.write('packages are published by the workflow "release" alone: push a tag\n')
  process.exit(1)
}
for (const { manifest } of publishedPackages()) {
  const file = `${root}/release/${tarballName(manifest)}`
  const isThere = (): boolean => {
    try {
      const view = ['view', `${manifest.name}@${manifest.version}`, 'version']
      return execFileSync('npm', view, { stdio: 'pipe' }).toString().trim() === manifest.version
    } catch {
      return false
    }
  }
  // A run that failed in the midst can be started again.
  if (isThere()) console.log(`${manifest.name} ${manifest.version} is published already`)
  else
    execFileSync('npm', ['publish', file, '--provenance', '--access', 'public'], {
      stdio: 'inherit',
    })
}
