/** A document that is followed, or the part of it that a newcomer starts with. */
export interface FollowedDocument {
  readonly path: string
  /** Headings of the parts; all of the document without. */
  readonly sections?: readonly string[]
  /** Not as root, since root's files would be the machine's. */
  readonly isUnprivileged?: boolean
  /** Some steps need a cluster, and are done where one can be started. */
  readonly usesCluster?: boolean
}

/** In a fresh clone, with the Node of the machine. */
export const inCheckout: readonly FollowedDocument[] = [
  { path: 'README.md' },
  { path: 'docs/install.md', sections: ['From a checkout', 'Check the packages yourself'] },
]

/** In an empty folder that has the tarballs and nothing else, with a Node that runs the programs. */
export const withTarballs: readonly FollowedDocument[] = [
  { path: 'docs/install.md', sections: ['Programs', 'Libraries'] },
  { path: 'docs/krontab.md', sections: ['Two minutes to a first schedule'], isUnprivileged: true },
  { path: 'docs/krond.md', sections: ['Two minutes to a first job'], isUnprivileged: true },
  { path: 'docs/server.md', sections: ['Quick start'] },
  { path: 'docs/scheduler.md', sections: ['Quick start'] },
  {
    path: 'docs/operator.md',
    sections: ['Two minutes to a first KronJob'],
    usesCluster: true,
  },
]
