import type { Tarball } from './tarball.ts'

const demandedFields = [
  'version',
  'description',
  'keywords',
  'homepage',
  'bugs',
  'repository',
  'license',
  'engines',
  'files',
  'publishConfig',
]

/** What does not belong into a package. */
const unwanted: readonly (readonly [RegExp, string])[] = [
  [/\.tsbuildinfo$/, 'a file of the compiler'],
  [/\.test\.|(^|\/)test\/|-conformance\./, 'test code'],
  [/\.map$/, 'a source map without its sources'],
  [/(^|\/)\.[^/]/, 'a hidden file'],
  [/(?<!\.d)\.ts$/, 'TypeScript source'],
]

const scripts = ['preinstall', 'install', 'postinstall', 'prepare']

/** What is wrong with a tarball, in a line each. */
export function contentProblems({ manifest, files }: Tarball): string[] {
  const paths = [...files.keys()]
  const missing = demandedFields.filter((field) => manifest[field] === undefined)
  const own = Object.keys((manifest['scripts'] ?? {}) as Record<string, string>)
  const man = (manifest['man'] ?? []) as readonly string[]
  const programs = Object.values(manifest.bin ?? {})
  const entries = pathsIn(manifest['exports'])
  return [
    ...missing.map((field) => `package.json has no ${field}`),
    ...['README.md', 'LICENSE'].filter((name) => !files.has(name)).map((name) => `no ${name}`),
    ...paths.flatMap((path) =>
      unwanted.flatMap(([pattern, what]) => (pattern.test(path) ? [`${path} is ${what}`] : [])),
    ),
    ...paths
      .filter((path) => /\.[cm]?js$/.test(path) && files.get(path)!.includes('sourceMappingURL='))
      .map((path) => `${path} names a source map`),
    ...scripts.filter((name) => own.includes(name)).map((name) => `it runs ${name} when installed`),
    ...[...man, ...programs, ...entries]
      .filter((path) => !files.has(path.replace(/^\.\//, '')))
      .map((path) => `package.json names ${path}, which is not there`),
  ]
}

/** Every path that `exports` leads to, whatever the conditions are. */
function pathsIn(exported: unknown): string[] {
  if (typeof exported === 'string') return [exported]
  return Object.values((exported ?? {}) as Record<string, unknown>).flatMap(pathsIn)
}
