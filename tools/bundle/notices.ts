import type { BundledPackage } from './bundled-package.ts'

/** What is shipped with a bundle: whose code is in it, and by which licence. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const parts = packages.map(
    ({ name, version, notice }) => `${name} ${version}\n${'-'.repeat(72)}\n${notice}\n`,
  )
  return ['This package contains code of these libraries.\n', ...parts].join('\n\n')
}
