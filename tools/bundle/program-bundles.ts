/** The bundles of one package: `dist/bundle/<name>.js` for each entry, from compiled files. */
export interface ProgramBundle {
  readonly package: string
  readonly entries: Readonly<Record<string, string>>
  /** Entries that other programs import, which ship with their declarations, below `types`. */
  readonly library?: Readonly<Record<string, string>>
  /** Native code, which is installed beside the bundle and not in it. */
  readonly native: readonly (string | RegExp)[]
}

/** The check of the engine stands alone: an old one could not even read the rest. */
const needNode = '../../command/need-node.mjs'

/**
 * Programs consist of hundreds of small files, of ours and of libraries: to find and load each
 * would take longer than most commands do, and to install them all would weigh ten times as much.
 */
export const programBundles: readonly ProgramBundle[] = [
  {
    package: 'krond',
    entries: {
      'need-node': needNode,
      krond: 'cli/krond-program.js',
      krontab: 'cli/krontab-program.js',
    },
    native: [/^@koromix\//],
  },
  {
    package: 'server',
    entries: {
      'need-node': needNode,
      kron: 'cli/index.js',
      // A thread of its own, found by its name beside the bundle that starts it.
      'reader-thread': 'store/sqlite/reader-thread.js',
    },
    library: { index: 'index.js', webhook: 'webhook/index.js' },
    native: ['@kron/sqlite', 'pg-native'],
  },
  {
    package: 'operator',
    entries: {
      'need-node': needNode,
      'kron-operator': 'start/operator-program.js',
      kronctl: 'kronctl/index.js',
    },
    // Types alone: the kind, for manifests in TypeScript.
    library: { index: 'index.js' },
    native: [],
  },
]
