import { versions } from '../version.js'
import { ApiClient } from './client/index.js'
import type { Host } from './host.js'
import { keyOf, serverOf } from './key-source.js'
import { Output, type OutputOptions } from './output.js'

export type { Cell } from './output.js'

/** Options that every command has, as the command line gives them. */
export interface CommonOptions extends OutputOptions {
  readonly server?: string
  readonly key?: string
}

/** One run of a command: the process, the server, and what the common options say. */
export class Invocation extends Output {
  readonly client: ApiClient

  constructor(host: Host, options: CommonOptions) {
    super(host, options)
    this.client = new ApiClient({
      server: serverOf(options.server, host),
      key: keyOf(options.key, host),
      userAgent: `kron/${versions.version}`,
      signal: host.interrupted,
    })
  }
}
