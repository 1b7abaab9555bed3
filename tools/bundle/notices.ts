import type { BundledPackage } from './bundled-package.ts'

/** The notices of a bundle: the libraries in it, with their authors and licences. */
export function noticesText(packages: readonly BundledPackage[]): string {
  const parts = packages.map(
    ({ name, version, notice }) => `${name} ${version}\n${'-'.repeat(72)}\n${notice}\n`,
  )
  return ['This package contains code of these libraries.\n', ...parts].join('\n\n')
}
