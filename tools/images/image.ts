/** What a Dockerfile has said when its last stage is done. */
export interface ImageConfig {
  readonly env: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  readonly workdir: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
  readonly stopSignal: NodeJS.Signals
  readonly entrypoint: readonly string[]
  readonly command: readonly string[]
  readonly health: readonly string[]
}

export interface Image {
  /** The folder with its files. */
  readonly root: string
  /** What the base image has is not in the folder, but mounted. */
  readonly mounts: readonly string[]
  readonly config: ImageConfig
}

export const emptyConfig = (env: Readonly<Record<string, string>>): ImageConfig => ({
  env,
  labels: {},
  workdir: '/',
  user: '0',
  volumes: [],
  ports: [],
  stopSignal: 'SIGTERM',
  entrypoint: [],
  command: [],
  health: [],
})
